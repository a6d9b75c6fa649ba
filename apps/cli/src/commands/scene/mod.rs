//! `embate scene`: writes a mesh of the ray study as a file.

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use embate::TriangleMesh;
use embate_mesh::{write_obj, write_ply_binary, write_triangle_text};
use embate_report::language::Language;
use embate_scene::generators::{self, Family};
use embate_studies::rays::random_scene;

use crate::failure::Failure;
use crate::io::output::print;
use crate::io::output_file;

/// File formats that can be written.
const EXTENSIONS: [&str; 3] = ["ply", "obj", "txt"];
/// The largest random case of Lorenzi 2014.
const TRIANGLES: u32 = 11_000;

#[derive(Debug, Args)]
pub(crate) struct SceneRequest {
    /// Which mesh
    name: SceneName,
    /// Output file; its extension selects the format: .ply (binary), .obj, or .txt (nine numbers
    /// per triangle, the format of Lorenzi 2014)
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of triangles of a random scene [default: 11000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    triangles: Option<u32>,
    /// Seed of a random scene [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum SceneName {
    /// Stand-in for the house of Lorenzi 2014, 1,567 triangles
    House,
    /// Stand-in for the city of Lorenzi 2014, 118,026 triangles
    City,
    /// Random triangles as large as the scene: low octree affinity, so nearly all of them lie in
    /// the root of an octree
    RandomLow,
    /// Random triangles in cubes of edge 30: medium octree affinity
    RandomMedium,
    /// Random triangles in cubes of edge 5: high octree affinity, so most of them lie deep in an octree
    RandomHigh,
}

pub(crate) fn run(request: &SceneRequest) -> Result<(), Failure> {
    let format = format_of(&request.out)?;
    let mesh = mesh(request)?;
    output_file::write(&request.out, |file| {
        let out = BufWriter::new(file);
        let written = match format {
            "ply" => write_ply_binary(&mesh, out),
            "obj" => write_obj(&mesh, out),
            _ => write_triangle_text(&mesh, out),
        };
        written.map_err(|error| error.to_string())
    })?;
    let triangles = Language::English.integer(mesh.triangles().len() as u64);
    print(&format!("{}: {triangles} triangles\n", request.out.display()))
}

fn mesh(request: &SceneRequest) -> Result<TriangleMesh, Failure> {
    let family = match request.name {
        SceneName::House | SceneName::City => {
            for (flag, is_given) in
                [("--triangles", request.triangles.is_some()), ("--seed", request.seed.is_some())]
            {
                if is_given {
                    return Err(Failure::Usage(format!(
                        "{flag} belongs to the random scenes; house and city are fixed"
                    )));
                }
            }
            let is_house = request.name == SceneName::House;
            return Ok(if is_house { generators::house() } else { generators::city() });
        }
        SceneName::RandomLow => Family::Low,
        SceneName::RandomMedium => Family::Medium,
        SceneName::RandomHigh => Family::High,
    };
    let triangles = request.triangles.unwrap_or(TRIANGLES);
    Ok(random_scene(request.seed.unwrap_or(1), family, triangles))
}

fn format_of(out: &Path) -> Result<&'static str, Failure> {
    let extension = out.extension().unwrap_or_default();
    let known = EXTENSIONS.into_iter().find(|known| extension.eq_ignore_ascii_case(known));
    known.ok_or_else(|| {
        let (file, formats) = (out.display(), EXTENSIONS.join(", ."));
        Failure::Usage(if extension.is_empty() {
            format!("--out {file}: the extension selects the format; add one: .{formats}")
        } else {
            let extension = extension.display();
            format!(
                "--out {file}: .{extension} is not written; name a file that ends in: .{formats}"
            )
        })
    })
}
