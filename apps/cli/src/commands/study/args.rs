//! Arguments of `embate study`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use embate_replica::lorenzi2014::MAX_LEVELS;
use embate_report::language::Language;
use embate_scene::generators::{Bounds, Family, Span};

use crate::args::{LimitArguments, possible_values};

#[derive(Debug, Args)]
pub(crate) struct StudyRequest {
    /// Which study
    pub(crate) study: Study,
    /// Reduced study of about a minute: fewer sizes, rays, frames and worlds
    #[arg(long)]
    pub(crate) quick: bool,
    /// Seed of the random numbers [default: 1]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Output folder [default: embate-out/STUDY]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Structures to measure [default: all]
    #[arg(long, visible_alias = "structure", value_name = "T,..", value_delimiter = ',')]
    pub(crate) technique: Option<Vec<String>>,
    /// Repeats of each time measurement; the median is reported [default: 3; for moving worlds 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) repeats: Option<u32>,
    /// Number of cases measured in parallel; above 1 the times are less reliable [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Discard results of another run in the output folder
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
    /// Lorenzi 2014 (study A): does an octree accelerate ray casting?
    Rays,
    /// Gonçales et al. 2016 (study C): does a uniform grid keep the frame rate with many moving
    /// objects?
    Broad2d,
    /// Lasch (study B), broad phase: sweep and prune and octree in 3D, with moving and static boxes
    Broad3d,
    /// Lasch, all parts: broad phase, narrow phase and collision response in running simulations
    Simulator,
    /// All of the above
    All,
}

/// Arguments of `study rays`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Study rays")]
pub(crate) struct RaysArguments {
    /// Triangle counts of the random cases [default: the published 30 sizes]
    #[arg(long, value_name = "N,..", value_delimiter = ',',
          value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) sizes: Option<Vec<u32>>,
    /// Families of the random cases: low, medium, high [default: all]
    #[arg(long, value_name = "F,..", value_delimiter = ',', value_parser = family)]
    pub(crate) families: Option<Vec<Family>>,
    /// Rays per row of the results [default: 10000]
    #[arg(long = "rays", value_name = "N",
          value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) ray_count: Option<u32>,
    /// Levels of the Lorenzi 2014 octree, 1 to 6 [default: 6]
    #[arg(long, value_name = "N",
          value_parser = clap::value_parser!(u8).range(1..=MAX_LEVELS as i64))]
    pub(crate) depth: Option<u8>,
    /// Mesh file to add as a case; may be given several times
    #[arg(long, value_name = "FILE")]
    pub(crate) mesh: Vec<PathBuf>,
}

/// Arguments of `study broad2d` and `study broad3d`.
#[derive(Debug, Args)]
#[command(next_help_heading = "Studies broad2d and broad3d")]
pub(crate) struct BroadArguments {
    /// In 2D, run only experiment 1 (cell sizes) or 2 (object counts); with other parameters
    /// changed, the case is called `custom`
    #[arg(long, value_name = "1|2", value_parser = clap::value_parser!(u8).range(1..=2))]
    pub(crate) experiment: Option<u8>,
    /// Size of the world, in 3D `WxHxD` [default: 2000x2000; in 3D two cubic units per object]
    #[arg(long, value_name = "WxH", value_parser = world)]
    pub(crate) world: Option<WorldSize>,
    /// Object counts, one world each [default: the published 10 to 5000; in 3D 100 to 50000]
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    pub(crate) objects: Option<Vec<u32>>,
    /// In 2D, the bounding volume of the objects: aabb or circle [default: both]
    #[arg(long, value_name = "B", value_parser = bounds)]
    pub(crate) bounds: Option<Bounds>,
    /// Minimum and maximum side of a box or diameter of a circle [default: 5..50; in 3D 0.5..1.5]
    #[arg(long, value_name = "MIN..MAX", value_parser = span)]
    pub(crate) size: Option<Span>,
    /// Minimum and maximum speed, in units per second [default: 5..50; in 3D 0.5..1.5]
    #[arg(long, value_name = "MIN..MAX", value_parser = span)]
    pub(crate) speed: Option<Span>,
    /// In 2D, cell edges of the grids [default: 100; in experiment 1 sixteen from 5 to 2000]
    #[arg(long, value_name = "X,..", value_delimiter = ',')]
    pub(crate) cell_size: Option<Vec<f32>>,
    /// Frames per world [default: 500; in 3D fewer with more objects]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) frames: Option<u32>,
    /// Worlds of each kind, with consecutive seeds [default: 5; in 3D 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) seeds: Option<u32>,
}

/// Sides of a world. A newtype, since clap would read a plain `Vec` as a repeated argument.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct WorldSize(pub(crate) Vec<f32>);

fn world(text: &str) -> Result<WorldSize, String> {
    let sides: Result<Vec<f32>, _> = text.split('x').map(str::parse).collect();
    sides.map(WorldSize).map_err(|_| "give WxH, for instance 2000x1000".to_owned())
}

fn span(text: &str) -> Result<Span, String> {
    // A single number is both ends.
    let (min, max) = text.split_once("..").unwrap_or((text, text));
    match (min.parse(), max.parse()) {
        (Ok(min), Ok(max)) => Ok(Span { min, max }),
        _ => Err("give MIN..MAX, for instance 5..50".to_owned()),
    }
}

fn bounds(name: &str) -> Result<Bounds, String> {
    let bounds = Bounds::ALL.into_iter().find(|bounds| bounds.name() == name);
    bounds.ok_or_else(|| possible_values(&Bounds::ALL.map(Bounds::name)))
}

fn family(name: &str) -> Result<Family, String> {
    let family = Family::ALL.into_iter().find(|family| family.name() == name);
    family.ok_or_else(|| possible_values(&Family::ALL.map(Family::name)))
}
