//! Row: one measurement of the ray study.

pub use embate_replica::lorenzi2014::MAX_LEVELS;
use serde::{Deserialize, Serialize};

use crate::studies::number_format::number_or_none;

/// One case, size and technique: a line of `results.csv`, and a record of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// `random-low`, `random-medium`, `random-high`, `house`, `city`, or a user's mesh by file
    /// name.
    pub case: String,
    /// `study-brute`, `study-octree`, `brute`, …
    pub technique: String,
    /// Number of triangles in the scene.
    pub triangles: u32,
    /// Number of rays.
    pub rays: u32,
    /// Seed of the study.
    pub seed: u64,
    /// Mean time of a build, in seconds.
    pub build_s: f64,
    /// Time of all rays in seconds, median over the repeats.
    pub query_s: f64,
    /// Time of all rays in seconds, of each repeat.
    pub query_s_repeats: Vec<f64>,
    /// Triangles given the fine test, as a mean share of all, in percent.
    pub tested_percent: f64,
    /// Mean number of cells or nodes entered by a ray; `None` for structures without boxes.
    pub boxes_per_ray: Option<f64>,
    /// Number of results that differ from the technique's own brute force.
    pub errors: u64,
    /// Mean memory of a built structure, in bytes.
    pub bytes: u64,
    /// Speedup over the technique's own brute force; NaN if the clock did not advance.
    #[serde(deserialize_with = "number_or_none")]
    pub speedup_over_brute: f64,
    /// Speedup over `study-brute`.
    #[serde(deserialize_with = "number_or_none")]
    pub speedup_over_study: f64,
    /// Share of triangles on each level in percent; `None` unless the technique is an octree.
    pub levels: Option<[f64; MAX_LEVELS]>,
}
