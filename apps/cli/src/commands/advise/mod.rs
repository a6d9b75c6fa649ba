//! `embate advise`: recommended structure or settings for a file, with the measurements behind it.

mod boxes;
mod scene;

use std::path::PathBuf;

use clap::Args;
use embate_scene::io_error_message as reason;

use crate::args::LimitArguments;
use crate::commands::inspect;
use crate::failure::Failure;
use crate::io::boxes_file;

#[derive(Debug, Args)]
pub(crate) struct AdviseRequest {
    /// CSV file of boxes, circles or spheres, as for `pairs`; a mesh, as for `inspect`; or a scene,
    /// as for `simulate`
    pub(crate) file: PathBuf,
    /// Fraction of the boxes that move from one frame to the next, 0 to 1 [default: 1]
    #[arg(long, value_name = "SHARE", value_parser = fraction)]
    pub(crate) moving: Option<f32>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

fn fraction(text: &str) -> Result<f32, String> {
    let fraction = text.parse().ok().filter(|fraction| (0.0..=1.0).contains(fraction));
    fraction.ok_or_else(|| "must be a number from 0 to 1".to_owned())
}

pub(crate) fn run(request: &AdviseRequest) -> Result<(), Failure> {
    if let Err(error) = std::fs::metadata(&request.file) {
        let (file, why) = (request.file.display(), reason(&error));
        return Err(Failure::Problem(format!("{file}: {why}")));
    }
    let is_scene = scene::looks_like_a_scene(&request.file);
    let is_boxes = !is_scene && boxes_file::looks_like_boxes(&request.file);
    if request.moving.is_some() && !is_boxes {
        let file = request.file.display();
        return Err(Failure::Usage(format!(
            "--moving applies to files of boxes, and {file} is none; remove --moving"
        )));
    }
    if is_scene {
        return scene::run(request);
    }
    if !is_boxes {
        return inspect::advise(&request.file, &request.limits, request.json);
    }
    boxes::run(request)
}
