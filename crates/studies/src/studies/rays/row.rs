//! Row: one measurement of the ray study.

pub use embate_replica::lorenzi2014::{MAX_LEVELS, PUBLISHED_LEVELS};
use serde::{Deserialize, Serialize};

use crate::studies::number_format::number_or_none;

/// One case, size and technique: a line of `results.csv`, and a record of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// `random-low`, `random-medium`, `random-high`, `house`, `city`, `artist-…`, or a user's mesh
    /// by file name.
    pub case: String,
    /// `study-brute`, `study-octree`, `study-octree-literal`, `brute`, …, or a setting of a
    /// structure: `bvh-compact`, `compact-octree-4`, `compact-octree-2`.
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
    /// Time of all rays in seconds that only traverse the tree and test no triangle, median over the
    /// repeats; `None` unless the technique is an octree of the study.
    pub traversal_s: Option<f64>,
    /// The same of each repeat; empty where `traversal_s` is `None`.
    pub traversal_s_repeats: Vec<f64>,
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
    /// Share of triangles on each level in percent, root first: six or more entries. `None` unless
    /// the technique is the study's octree.
    pub levels: Option<Vec<f64>>,
}

impl Row {
    /// Number of rays from which the technique is faster than its own brute force if the build is
    /// counted: build time over the time saved per ray. `None` if it saves none.
    #[must_use]
    pub fn break_even_rays(&self) -> Option<f64> {
        let ray_s = self.query_s / f64::from(self.rays);
        let saved_s = ray_s * (self.speedup_over_brute - 1.0);
        (saved_s > 0.0).then(|| (self.build_s / saved_s).max(1.0).ceil())
    }

    /// Share of the traversal in the query time, in each repeat.
    pub(super) fn traversal_shares(&self) -> Vec<f64> {
        let repeats = self.traversal_s_repeats.iter().zip(&self.query_s_repeats);
        repeats.map(|(traversal, query)| traversal / query).collect()
    }
}
