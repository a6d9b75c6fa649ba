//! What one measurement of study A says.

pub use embate_studies::replica::lorenzi2014::MAX_LEVELS;
use serde::{Deserialize, Serialize};

use crate::studies::figures::number_or_none;

/// One case, size and technique: a line of `results.csv`, and a record of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// `random-low`, `random-medium`, `random-high`, `house`, `city`, or a user's mesh by file name.
    pub case: String,
    /// `study-brute`, `study-octree`, `brute`, …
    pub technique: String,
    /// Triangles in the scene.
    pub triangles: u32,
    /// Rays cast.
    pub rays: u32,
    /// The study's seed.
    pub seed: u64,
    /// Mean seconds of one build.
    pub build_s: f64,
    /// Seconds for all rays: the median over the repeats.
    pub query_s: f64,
    /// Seconds for all rays, one value a repeat.
    pub query_s_repeats: Vec<f64>,
    /// Triangles given the fine test, as a mean share of all, in percent.
    pub tested_percent: f64,
    /// Cells or nodes entered, mean a ray; `None` for structures without boxes.
    pub boxes_per_ray: Option<f64>,
    /// Answers that differ from the technique's own brute force.
    pub errors: u64,
    /// Mean bytes of one built structure.
    pub bytes: u64,
    /// How many times faster than the technique's own brute force. No number if the clock did not move.
    #[serde(deserialize_with = "number_or_none")]
    pub speedup_over_brute: f64,
    /// How many times faster than `study-brute`.
    #[serde(deserialize_with = "number_or_none")]
    pub speedup_over_study: f64,
    /// Share of triangles on each level in percent; `None` unless the technique is an octree.
    pub levels: Option<[f64; MAX_LEVELS]>,
}
