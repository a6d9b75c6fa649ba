//! What can be asked on the command line? (The contract is in the README, "Command line".)

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use embate::broad_phase::BroadPhaseKind;
use embate_lab::heat_map::Metric;
use embate_lab::language::Language;
use embate_lab::scenes::{Bounds, Family, Span};
use embate_studies::replica::lorenzi2014::MAX_LEVELS;
use embate_studies::structure::{PairStructure, RayStructure};

/// A collision engine and its laboratory.
#[derive(Debug, Parser)]
#[command(
    name = "embate",
    version,
    about = "A collision engine and its laboratory: what does a ray hit, which boxes overlap, and which \
             technique finds out fastest?",
    max_term_width = 100,
    arg_required_else_help = true
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the lab's page to the browsers of this machine
    Lab(LabRequest),
    /// Repeat a published study and write tables, charts and a report
    Study(StudyRequest),
    /// Tell a mesh's size, how well it suits an octree, and what each structure costs
    Inspect(InspectRequest),
    /// Answer rays: what does each hit first?
    Cast(CastRequest),
    /// Tell whether one point can be seen from another, and what is in the way
    Sight(SightRequest),
    /// Draw how much work each pixel of a picture is to each structure
    Heatmap(HeatmapRequest),
    /// Tell which boxes, circles or spheres overlap
    Pairs(PairsRequest),
    /// Tell whether two bodies touch, where and how deep, or how far apart they are
    Contact(ContactRequest),
    /// Run a scene: how do its bodies move?
    Simulate(SimulateRequest),
    /// Run a recorded scene again: does every step end as it did?
    Replay(ReplayRequest),
    /// Tell which technique suits a file of boxes, a mesh or a scene
    Advise(AdviseRequest),
}

#[derive(Debug, Args)]
pub(crate) struct LabRequest {
    /// Port to listen on, on the loopback address alone; 0 takes a free one
    // On a telephone's keys 362 is "emb".
    #[arg(long, value_name = "N", default_value_t = 8362, value_parser = port,
          allow_negative_numbers = true)]
    pub(crate) port: u16,
    /// Do not open a browser
    #[arg(long)]
    pub(crate) no_open: bool,
    /// Serve the page in this folder, made by `cargo xtask web --out DIR`, instead of the one in this
    /// program
    #[arg(long, value_name = "DIR")]
    pub(crate) page: Option<PathBuf>,
}

/// Bounds on what a mesh file may ask of this machine.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
#[expect(clippy::struct_field_names, reason = "the fields are the flags")]
pub(crate) struct LimitArguments {
    /// Largest mesh file, unpacked, in bytes [default: 4 GiB]
    #[arg(long, value_name = "N")]
    pub(crate) max_bytes: Option<u64>,
    /// Most vertices a mesh may have [default: 200 million]
    #[arg(long, value_name = "N")]
    pub(crate) max_vertices: Option<u64>,
    /// Most triangles a mesh may have [default: 200 million]
    #[arg(long, value_name = "N")]
    pub(crate) max_triangles: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct InspectRequest {
    /// OBJ, STL, PLY, glTF or GLB, or nine numbers a triangle; gzipped or not
    pub(crate) mesh: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("source").required(true))]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct CastRequest {
    /// OBJ, STL, PLY, glTF or GLB, or nine numbers a triangle; gzipped or not
    pub(crate) mesh: PathBuf,
    /// CSV file of rays with the header ox,oy,oz,dx,dy,dz
    #[arg(long, value_name = "FILE", group = "source")]
    pub(crate) rays: Option<PathBuf>,
    /// One ray: origin and direction
    #[arg(long, value_name = "OX,OY,OZ,DX,DY,DZ", group = "source", allow_hyphen_values = true)]
    pub(crate) ray: Option<String>,
    /// So many random rays: origin in the mesh's cube, any direction
    #[arg(long, value_name = "N", group = "source",
          value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub(crate) random: Option<u32>,
    /// Also write the rays that were cast, as a rays file
    #[arg(long, value_name = "FILE")]
    pub(crate) save_rays: Option<PathBuf>,
    /// Seed of the random rays
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Structure that answers: auto (the one that suits the mesh), bvh, octree, brute, study-brute or
    /// study-octree. The study's two repeat
    /// study A with its faults: hits behind the origin count, back faces and tiny triangles do not
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = technique)]
    pub(crate) structure: RayStructure,
    /// Only tell whether anything is hit
    #[arg(long, conflicts_with = "all")]
    pub(crate) any: bool,
    /// Tell every hit of each ray, nearest first
    #[arg(long)]
    pub(crate) all: bool,
    /// Ignore hits before this, in lengths of the direction
    #[arg(long, value_name = "T", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) t_min: f32,
    /// Ignore hits after this, in lengths of the direction
    #[arg(long, value_name = "T", default_value_t = f32::INFINITY, allow_negative_numbers = true)]
    pub(crate) t_max: f32,
    /// Ignore triangles seen from behind (clockwise)
    #[arg(long)]
    pub(crate) cull_back: bool,
    /// Threads to use; all cores unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Also tell what this ray (counted from 0) visited and tested
    #[arg(long, value_name = "RAY")]
    pub(crate) trace: Option<u32>,
    /// Write answers here (.csv or .parquet) instead of to standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("ends").required(true).args(["from", "segments"]))]
pub(crate) struct SightRequest {
    /// OBJ, STL, PLY, glTF or GLB, or nine numbers a triangle; gzipped or not
    pub(crate) mesh: PathBuf,
    /// One point
    #[arg(long, value_name = "X,Y,Z", requires = "to", allow_hyphen_values = true)]
    pub(crate) from: Option<String>,
    /// The other one
    #[arg(
        long,
        value_name = "X,Y,Z",
        requires = "from",
        required_unless_present = "segments",
        conflicts_with = "segments",
        allow_hyphen_values = true
    )]
    pub(crate) to: Option<String>,
    /// CSV file of pairs of points with the header `from_x,from_y,from_z,to_x,to_y,to_z`
    #[arg(long, value_name = "FILE")]
    pub(crate) segments: Option<PathBuf>,
    /// Leave out so much at either end: without it, a point on a surface may or may not be hidden by that surface
    #[arg(long, value_name = "LENGTH", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) clearance: f32,
    /// Structure that answers, as for `cast`
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = technique)]
    pub(crate) structure: RayStructure,
    /// Threads to use; all cores unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Write answers here instead of to standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

#[derive(Debug, Args)]
pub(crate) struct HeatmapRequest {
    /// OBJ, STL, PLY, glTF or GLB, or nine numbers a triangle; gzipped or not
    pub(crate) mesh: PathBuf,
    /// Structures, side by side, as for `cast` [default: all but the brute ones]
    #[arg(long, value_name = "S,..", value_delimiter = ',')]
    pub(crate) structure: Option<Vec<String>>,
    /// What is counted: triangles tested (tests) or cells and nodes entered (cells)
    #[arg(long, value_name = "NAME", default_value = "tests", value_parser = metric)]
    pub(crate) metric: Metric,
    /// Size of each picture in pixels
    #[arg(long, value_name = "WxH", default_value = "640x480", value_parser = picture_size)]
    pub(crate) size: PictureSize,
    /// Where the camera is [default: where all of the mesh is in view]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub(crate) eye: Option<String>,
    /// What it looks at [default: the middle of the mesh]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub(crate) at: Option<String>,
    /// Roughly upwards [default: 0,1,0]
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    pub(crate) up: Option<String>,
    /// Angle between the upper and the lower border, in degrees
    #[arg(long, value_name = "DEG", default_value_t = 60.0, allow_negative_numbers = true)]
    pub(crate) fov: f32,
    /// Threads to use; all cores unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Write the picture (.png) or its numbers (.csv) here
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

#[derive(Debug, Args)]
pub(crate) struct PairsRequest {
    /// CSV file of boxes (`min_x,min_y,max_x,max_y` or `min_x,min_y,min_z,max_x,max_y,max_z`) or of
    /// circles or spheres (`x,y,radius` or `x,y,z,radius`)
    pub(crate) boxes: PathBuf,
    /// How pairs are found: auto, brute, sweep, tree, grid, octree, study-brute or
    /// study-grid
    #[arg(long, value_name = "NAME", default_value = "auto", value_parser = pair_structure)]
    pub(crate) structure: PairStructure,
    /// Edge of the cells of study-grid [default: 100], or of the finest of grid [default: chosen from
    /// the boxes]
    #[arg(long, value_name = "X")]
    pub(crate) cell_size: Option<f32>,
    /// Threads to use; all cores unless given. The answer does not depend on them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Most pairs to hold, at some 16 bytes each
    #[arg(long, value_name = "N", default_value_t = 50_000_000)]
    pub(crate) max_pairs: u64,
    /// Write pairs here instead of to standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ContactRequest {
    /// A body or a shape as in a scene file: JSON text, or a file of it, as in
    /// '{"shape":{"sphere":{"radius":0.5}},"position":[0,1,0]}'
    pub(crate) a: String,
    /// The other one
    pub(crate) b: String,
    /// Also tell contacts of bodies that are apart by no more than this
    #[arg(long, value_name = "M", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) margin: f32,
    /// Of bodies with a velocity or a spin: how many seconds ahead to look for their first touch
    #[arg(long, value_name = "S", default_value_t = 1.0, allow_negative_numbers = true)]
    pub(crate) within: f32,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SimulateRequest {
    /// Scene file: JSON, described in docs/files.md and docs/scene.schema.json
    pub(crate) scene: PathBuf,
    /// Steps to go [default: as many as the scene says, or 600]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=1_000_000_000))]
    pub(crate) steps: Option<u32>,
    /// Threads to use; all cores unless given. The motion does not depend on them
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Record every step here, for `replay`; a recording of the same scene that was cut short goes on
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayRequest {
    /// Recording of `simulate --record`, or one that the page has saved
    pub(crate) file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct AdviseRequest {
    /// CSV file of boxes, circles or spheres, as for `pairs`; a mesh, as for `inspect`; or a scene, as for
    /// `simulate`
    pub(crate) file: PathBuf,
    /// Share of the boxes that moves from one frame to the next, 0 to 1 [default: 1]
    #[arg(long, value_name = "SHARE", value_parser = share)]
    pub(crate) moving: Option<f32>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

#[derive(Debug, Args)]
pub(crate) struct StudyRequest {
    /// Which study
    pub(crate) study: Study,
    /// A taste of it in a minute: fewer sizes, rays, frames and worlds
    #[arg(long)]
    pub(crate) quick: bool,
    /// Seed of every random number [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Folder for the results [default: embate-out/STUDY]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Structures to measure [default: all]
    #[arg(long, value_name = "T,..", value_delimiter = ',')]
    pub(crate) technique: Option<Vec<String>>,
    /// How often each time is taken; the median is reported [default: 3, of moving worlds 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) repeats: Option<u32>,
    /// Cases measured at a time; above 1 times are less sure [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Start anew even if the folder holds another run's results
    #[arg(long)]
    pub(crate) fresh: bool,
    /// Language of the report: en or pt-BR
    #[arg(long, value_name = "LANG", default_value = "en")]
    pub(crate) lang: Language,
    #[command(flatten)]
    pub(crate) rays: RaysArguments,
    #[command(flatten)]
    pub(crate) broad: BroadArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Study {
    /// Study A: does an octree help a ray find its triangle?
    Rays,
    /// Study C: does a grid hold the frame rate where many objects move?
    Broad2d,
    /// Study B: how do sweep and octree behave in 3D, moving and static?
    Broad3d,
    /// Study B whole: broad phases, pair tests and methods inside running worlds
    Simulator,
    /// Every study there is
    All,
}

/// Of `study rays` alone.
#[derive(Debug, Args)]
#[command(next_help_heading = "Study rays")]
pub(crate) struct RaysArguments {
    /// Triangles of the random cases [default: the published 30 sizes]
    #[arg(long, value_name = "N,..", value_delimiter = ',',
          value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) sizes: Option<Vec<u32>>,
    /// Families of the random cases: low, medium, high [default: all]
    #[arg(long, value_name = "F,..", value_delimiter = ',', value_parser = family)]
    pub(crate) families: Option<Vec<Family>>,
    /// Rays a row [default: 10000]
    #[arg(long = "rays", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) ray_count: Option<u32>,
    /// Levels of the study's octree, 1 to 6 [default: 6]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=MAX_LEVELS as i64))]
    pub(crate) depth: Option<u8>,
    /// A mesh of your own as a further case; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) mesh: Vec<PathBuf>,
}

/// Of the studies of moving worlds.
#[derive(Debug, Args)]
#[command(next_help_heading = "Studies broad2d and broad3d")]
pub(crate) struct BroadArguments {
    /// In 2D, only experiment 1 (cell sizes) or 2 (object counts); what else is changed becomes case `custom`
    #[arg(long, value_name = "1|2", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(crate) experiment: Option<u8>,
    /// Size of the world, in 3D `WxHxD` [default: 2000x2000; in 3D two cubic units an object]
    #[arg(long, value_name = "WxH", value_parser = world)]
    pub(crate) world: Option<WorldSize>,
    /// Objects, each number a world of its own [default: the published 10 to 5000; in 3D 100 to 50000]
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    pub(crate) objects: Option<Vec<u32>>,
    /// In 2D, what the objects are: aabb or circle [default: both]
    #[arg(long, value_name = "B", value_parser = bounds)]
    pub(crate) bounds: Option<Bounds>,
    /// Smallest and largest side of a box or diameter of a circle [default: 5..50; in 3D 0.5..1.5]
    #[arg(long, value_name = "MIN..MAX", value_parser = span)]
    pub(crate) size: Option<Span>,
    /// Slowest and fastest, in units a second [default: 5..50; in 3D 0.5..1.5]
    #[arg(long, value_name = "MIN..MAX", value_parser = span)]
    pub(crate) speed: Option<Span>,
    /// In 2D, edges of the grids' cells [default: 100; in experiment 1 sixteen from 5 to 2000]
    #[arg(long, value_name = "X,..", value_delimiter = ',')]
    pub(crate) cell_size: Option<Vec<f32>>,
    /// Frames of each world [default: 500; in 3D fewer the more objects]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) frames: Option<u32>,
    /// Worlds of each kind, with seeds that follow each other [default: 5; in 3D 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) seeds: Option<u32>,
}

/// Sides of a world, as many as were given. A type of its own because clap takes a list of arguments
/// for several.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WorldSize(pub(crate) Vec<f32>);

fn port(text: &str) -> Result<u16, String> {
    text.parse().map_err(|_| "give a port from 0 to 65535; 0 takes a free one".to_owned())
}

fn world(text: &str) -> Result<WorldSize, String> {
    let sides: Result<Vec<f32>, _> = text.split('x').map(str::parse).collect();
    sides.map(WorldSize).map_err(|_| "give WxH, for instance 2000x1000".to_owned())
}

fn picture_size(text: &str) -> Result<PictureSize, String> {
    let sides = text.split_once('x').and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    let sides = sides.filter(|sides| sides.iter().all(|side| (1..=16_384).contains(side)));
    sides
        .map(PictureSize)
        .ok_or_else(|| "give WxH, each from 1 to 16384, for instance 640x480".to_owned())
}

fn metric(name: &str) -> Result<Metric, String> {
    let metric = Metric::ALL.into_iter().find(|metric| metric.name() == name);
    metric.ok_or_else(|| "there are: tests, cells".to_owned())
}

fn span(text: &str) -> Result<Span, String> {
    // One number is a span of one.
    let (min, max) = text.split_once("..").unwrap_or((text, text));
    match (min.parse(), max.parse()) {
        (Ok(min), Ok(max)) => Ok(Span { min, max }),
        _ => Err("give MIN..MAX, for instance 5..50".to_owned()),
    }
}

fn bounds(name: &str) -> Result<Bounds, String> {
    let bounds = Bounds::ALL.into_iter().find(|bounds| bounds.name() == name);
    bounds.ok_or_else(|| "there are: aabb, circle".to_owned())
}

pub(crate) fn technique(name: &str) -> Result<RayStructure, String> {
    RayStructure::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = RayStructure::ALL.iter().map(|t| t.name()).collect();
        format!("there are: {}", names.join(", "))
    })
}

fn pair_structure(name: &str) -> Result<PairStructure, String> {
    PairStructure::from_name(name, &PairStructure::all_2d()).ok_or_else(|| {
        let names: Vec<&str> = BroadPhaseKind::ALL.iter().map(|t| t.name()).collect();
        let replicas = PairStructure::GONCALES.map(PairStructure::name);
        format!("there are: auto, {}, {}", names.join(", "), replicas.join(", "))
    })
}

fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "must be a number from 0 to 1".to_owned())
}

fn family(name: &str) -> Result<Family, String> {
    let family = Family::ALL.into_iter().find(|family| family.name() == name);
    family.ok_or_else(|| "there are: low, medium, high".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_of_the_command_line_is_sound() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }
}
