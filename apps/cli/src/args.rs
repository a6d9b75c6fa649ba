//! Command-line arguments: the list of subcommands, and argument groups that several of them share.
//!
//! The arguments of one subcommand lie in its folder. Flags are a stable interface, documented in
//! `docs/guide` and `docs/files.md`.

use clap::{Args, Parser, Subcommand};
use embate_replica::structure::RayStructure;

use crate::commands::advise::AdviseRequest;
use crate::commands::cast::args::CastRequest;
use crate::commands::contact::ContactRequest;
use crate::commands::heatmap::args::HeatmapRequest;
use crate::commands::inspect::InspectRequest;
use crate::commands::lab::LabRequest;
use crate::commands::pairs::PairsRequest;
use crate::commands::replay::ReplayRequest;
use crate::commands::scene::SceneRequest;
use crate::commands::sight::SightRequest;
use crate::commands::simulate::SimulateRequest;
use crate::commands::study::args::StudyRequest;
use crate::failure::Failure;

/// Collision detection and rigid-body simulation, with a laboratory.
#[derive(Debug, Parser)]
#[command(
    name = "embate",
    version,
    about = "Collision detection and rigid-body simulation: ray casting, broad phase, contacts and \
             dynamics, with benchmarks that show which structure is fastest on your data",
    max_term_width = 100,
    arg_required_else_help = true
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the lab's web page on the loopback address
    #[command(visible_alias = "serve")]
    Lab(LabRequest),
    /// Repeat a published study; write tables, charts and a report
    Study(StudyRequest),
    /// Show a mesh's size, octree affinity (how deep its triangles lie in an octree), and the cost
    /// of each acceleration structure
    Inspect(InspectRequest),
    /// Cast rays at a mesh: closest hit, any hit or all hits
    #[command(visible_alias = "raycast")]
    Cast(CastRequest),
    /// Test line of sight between points: is the segment blocked, and by which triangle?
    #[command(visible_alias = "visibility")]
    Sight(SightRequest),
    /// Write a mesh to cast rays at, one of the ray study: house, city or random triangles
    Scene(SceneRequest),
    /// Draw a heat map of the traversal cost per pixel, one picture per acceleration structure
    Heatmap(HeatmapRequest),
    /// Find all overlapping pairs of boxes, circles or spheres (broad phase)
    Pairs(PairsRequest),
    /// Compute contact points, signed distance and time of impact of two bodies
    Contact(ContactRequest),
    /// Simulate the rigid bodies of a scene
    Simulate(SimulateRequest),
    /// Repeat a recorded simulation and compare the state hash of every step
    Replay(ReplayRequest),
    /// Recommend a structure for a file of boxes or a mesh, or solver settings for a scene
    Advise(AdviseRequest),
}

/// Upper bounds of a mesh file.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
#[expect(clippy::struct_field_names, reason = "the fields are the flags")]
pub(crate) struct LimitArguments {
    /// Maximum size of a mesh file, uncompressed, in bytes [default: 4 GiB]
    #[arg(long, value_name = "N")]
    pub(crate) max_bytes: Option<u64>,
    /// Maximum number of vertices of a mesh [default: 200 million]
    #[arg(long, value_name = "N")]
    pub(crate) max_vertices: Option<u64>,
    /// Maximum number of triangles of a mesh [default: 200 million]
    #[arg(long, value_name = "N")]
    pub(crate) max_triangles: Option<u64>,
}

/// Number of worker threads.
#[derive(Debug, Args)]
pub(crate) struct ThreadArguments {
    /// Number of worker threads [default: one per core]; results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

impl ThreadArguments {
    /// A pool of that many threads.
    pub(crate) fn pool(&self) -> Result<rayon::ThreadPool, Failure> {
        let threads = self.threads.map_or(0, usize::from);
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(Failure::problem)
    }
}

/// Parses the name of an acceleration structure for rays.
pub(crate) fn ray_structure(name: &str) -> Result<RayStructure, String> {
    RayStructure::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = RayStructure::ALL.iter().map(|t| t.name()).collect();
        possible_values(&names)
    })
}

/// Parses the name of a structure, or of brute force with a chosen triangle test.
pub(crate) fn ray_structure_or_test(name: &str) -> Result<RayStructure, String> {
    RayStructure::from_name_or_test(name).ok_or_else(|| {
        let all = RayStructure::ALL.iter().chain(&RayStructure::TRIANGLE_TESTS);
        possible_values(&all.map(|structure| structure.name()).collect::<Vec<_>>())
    })
}

/// The error text for a name that is not in a list.
pub(crate) fn possible_values(names: &[&str]) -> String {
    format!("possible values: {}", names.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_line_definition_is_valid() {
        use clap::CommandFactory;
        Arguments::command().debug_assert();
    }

    #[test]
    fn aliases_parse_like_the_names_they_stand_for() {
        let parse = |line: &str| {
            let arguments = Arguments::try_parse_from(line.split(' '));
            format!("{:?}", arguments.unwrap_or_else(|error| panic!("{line}: {error}")).command)
        };
        for (line, alias) in [
            ("embate lab --port 0", "embate serve --port 0"),
            (
                "embate cast m.obj --random 1 --structure bvh",
                "embate raycast m.obj --random 1 --technique bvh",
            ),
            (
                "embate sight m.obj --segments s.csv --structure bvh",
                "embate visibility m.obj --segments s.csv --technique bvh",
            ),
            (
                "embate heatmap m.obj --out h.png --structure bvh,octree",
                "embate heatmap m.obj --out h.png --technique bvh,octree",
            ),
            ("embate pairs b.csv --structure grid", "embate pairs b.csv --technique grid"),
            ("embate contact A B --within 2", "embate contact A B --time-horizon 2"),
            ("embate study rays --technique bvh", "embate study rays --structure bvh"),
        ] {
            assert_eq!(parse(line), parse(alias));
        }
    }
}
