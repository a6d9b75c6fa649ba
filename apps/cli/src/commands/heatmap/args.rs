//! Arguments of `embate heatmap`.

use std::path::PathBuf;

use clap::Args;
use embate_viewer::heat_map::Metric;

use crate::args::{LimitArguments, ThreadArguments, possible_values};

#[derive(Debug, Args)]
pub(crate) struct HeatmapRequest {
    /// Mesh: OBJ, STL, PLY, glTF, GLB, or text with nine numbers per triangle; may be gzipped
    pub(crate) mesh: PathBuf,
    /// Acceleration structures, side by side, as for `cast` [default: all but the brute-force ones]
    #[arg(long, visible_alias = "technique", value_name = "S,..", value_delimiter = ',')]
    pub(crate) structure: Option<Vec<String>>,
    /// Quantity counted per pixel: triangles tested (tests) or nodes and cells visited (cells)
    #[arg(long, value_name = "NAME", default_value = "tests", value_parser = metric)]
    pub(crate) metric: Metric,
    /// Size of each picture in pixels
    #[arg(long, value_name = "WxH", default_value = "640x480", value_parser = picture_size)]
    pub(crate) size: PictureSize,
    /// Camera position [default: such that the whole mesh is in view]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub(crate) eye: Option<String>,
    /// Camera target [default: center of the mesh's bounds]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub(crate) at: Option<String>,
    /// Camera up vector; need not be perpendicular to the view [default: 0,1,0]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub(crate) up: Option<String>,
    /// Vertical field of view, in degrees
    #[arg(long, value_name = "DEG", default_value_t = 60.0, allow_negative_numbers = true)]
    pub(crate) fov: f32,
    #[command(flatten)]
    pub(crate) workers: ThreadArguments,
    /// Write the picture (.png) or the counts (.csv) to this file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

/// Width and height in pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PictureSize(pub(crate) [u32; 2]);

fn picture_size(text: &str) -> Result<PictureSize, String> {
    let sides = text.split_once('x').and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    let sides = sides.filter(|sides| sides.iter().all(|side| (1..=16_384).contains(side)));
    sides
        .map(PictureSize)
        .ok_or_else(|| "give WxH, each from 1 to 16384, for instance 640x480".to_owned())
}

fn metric(name: &str) -> Result<Metric, String> {
    let metric = Metric::ALL.into_iter().find(|metric| metric.name() == name);
    metric.ok_or_else(|| possible_values(&Metric::ALL.map(Metric::name)))
}
