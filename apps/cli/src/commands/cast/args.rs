//! Arguments of `embate cast`.

use std::path::PathBuf;

use clap::Args;
use embate_replica::structure::RayStructure;

use crate::args::{LimitArguments, ThreadArguments, ray_structure_or_test};

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("source").required(true))]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of the command line")]
pub(crate) struct CastRequest {
    /// Mesh: OBJ, STL, PLY, glTF, GLB, or text with nine numbers per triangle; may be gzipped
    pub(crate) mesh: PathBuf,
    /// CSV file of rays with the header ox,oy,oz,dx,dy,dz
    #[arg(long, value_name = "FILE", group = "source")]
    pub(crate) rays: Option<PathBuf>,
    /// One ray: origin and direction
    #[arg(long, value_name = "OX,OY,OZ,DX,DY,DZ", group = "source", allow_hyphen_values = true)]
    pub(crate) ray: Option<String>,
    /// Number of random rays: origins uniform in the mesh's bounding cube, any direction
    #[arg(long, value_name = "N", group = "source",
          value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub(crate) random: Option<u32>,
    /// Also write the rays to this CSV file
    #[arg(long, value_name = "FILE")]
    pub(crate) save_rays: Option<PathBuf>,
    /// Seed of the random rays
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Acceleration structure: auto (recommended for the mesh), bvh, octree, brute, compact-octree
    /// (little memory), for comparison kd-tree, bsp or grid, or study-brute, study-octree,
    /// study-brute-literal or study-octree-literal. The study's replicate Lorenzi 2014 with its
    /// faults: they report hits behind the origin, and cull back faces and tiny triangles; the
    /// literal ones also at the cost of its program. brute-moller-trumbore, brute-segura-feito,
    /// brute-plucker and brute-woop test every triangle by the test they name
    #[arg(long, visible_alias = "technique", value_name = "NAME", default_value = "auto",
          value_parser = ray_structure_or_test)]
    pub(crate) structure: RayStructure,
    /// Any-hit query: report only whether the ray is blocked
    #[arg(long, conflicts_with = "all")]
    pub(crate) any: bool,
    /// All-hits query: report every hit of each ray, nearest first
    #[arg(long)]
    pub(crate) all: bool,
    /// Minimum ray parameter t, in lengths of the direction
    #[arg(long, value_name = "T", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) t_min: f32,
    /// Maximum ray parameter t, in lengths of the direction
    #[arg(long, value_name = "T", default_value_t = f32::INFINITY, allow_negative_numbers = true)]
    pub(crate) t_max: f32,
    /// Cull back faces: ignore triangles whose vertices are clockwise as seen from the ray origin
    #[arg(long)]
    pub(crate) cull_back: bool,
    #[command(flatten)]
    pub(crate) workers: ThreadArguments,
    /// Also report the nodes visited and the triangles tested by this ray, counted from 0
    #[arg(long, value_name = "RAY")]
    pub(crate) trace: Option<u32>,
    /// Write the hits to this file (.csv or .parquet) instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}
