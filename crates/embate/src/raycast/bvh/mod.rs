//! A tree of boxes, eight children a node: the structure for nearly every mesh.
//!
//! ```text
//!   triangles ──► binary tree ──► which eight belong together ──► nodes and leaves, depth first
//!                 binary.rs        collapse.rs                     layout.rs
//!                 bins.rs          reinsert.rs (what is better     node.rs, leaves.rs (what they hold)
//!                 spatial.rs       off elsewhere, before)          pages.rs (where they are kept)
//!   ray ──► search.rs, with planes.rs (eight boxes at once) and stack.rs (what waits)
//!   points, boxes, balls ──► walk.rs
//!   many rays ──► batch.rs (several under way at a time), with pile.rs (what waits)
//!   whoever draws it ──► boxes.rs
//! ```
//!
//! Answers equal [`Brute`](super::Brute)'s to the bit: boxes hold what `Triangle::guarded_bounds` asks,
//! and leaves the mesh's own vertex values.

mod batch;
mod binary;
mod bins;
mod boxes;
mod collapse;
mod layout;
mod leaves;
mod node;
mod pages;
mod pile;
mod planes;
mod preset;
mod refit;
mod reinsert;
mod saved;
mod search;
mod spatial;
mod stack;
mod walk;
mod wide_box;

use core::ops::ControlFlow;
use std::sync::Arc;

use embate_geom::{Hit, Ray};
use embate_mesh::TriangleMesh;
use fearless_simd::{Level, Simd, dispatch};
use rayon::prelude::*;

pub(super) use self::binary::BinaryNode;
use self::leaves::Leaves;
use self::node::Child;
use self::pages::Lines;
pub use self::preset::Preset;
pub(super) use self::saved::LINE_WORDS;
pub(super) use self::wide_box::WideBox;
use super::{RayIndex, RayObserver, Unobserved};

/// [`dispatch!`] for what is over soon: wide vectors first, and what is done with others kept out of the way, whose frame on
/// the stack all would have to make and leave.
macro_rules! at_once {
    ($level:expr, $simd:ident => $answer:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            if let Some($simd) = $level.as_avx512() {
                return $simd.vectorize(
                    #[inline(always)]
                    move || $answer,
                );
            }
            if let Some($simd) = $level.as_avx2() {
                return $simd.vectorize(
                    #[inline(always)]
                    move || $answer,
                );
            }
        }
        apart(move || dispatch!($level, $simd => $answer))
    }};
}

#[inline(never)]
fn apart<R>(answer: impl FnOnce() -> R) -> R {
    answer()
}

/// Rays handed to a thread at a time: enough that few of them run out of company at the end.
const BATCH: usize = 2_048;

/// A tree of boxes over a mesh. Watertight.
#[derive(Clone, Debug)]
pub struct Bvh {
    lines: Lines,
    /// `None` over no triangles.
    root: Option<Child>,
    /// What the leaves of a compact tree share; in others each holds its own.
    corners: Option<Arc<Vec<[f32; 3]>>>,
    level: Level,
}

impl Bvh {
    /// Builds the tree, on rayon's current threads. The same tree for any number of them.
    #[must_use]
    pub fn new(mesh: &TriangleMesh) -> Self {
        Self::with(mesh, Preset::Balanced)
    }

    /// [`new`](Self::new) with more or less time for the build, and more or less memory.
    #[must_use]
    pub fn with(mesh: &TriangleMesh, preset: Preset) -> Self {
        layout::build(mesh, preset, Level::new())
    }

    /// The layout of a binary tree over these members, of which several may be of one triangle: hits are then
    /// told several times.
    pub(super) fn of(mesh: &TriangleMesh, members: &[WideBox], tree: &[BinaryNode]) -> Self {
        layout::of(mesh, members, tree, false, Level::new())
    }

    fn leaves(&self) -> Leaves<'_> {
        let corners = self.corners.as_ref().map(|corners| corners.as_slice());
        Leaves { lines: self.lines.as_slice(), corners }
    }

    /// Every ray's answer, in order: its closest hit, or with `ANY` whichever is found first.
    fn answers<const ANY: bool>(&self, rays: &[Ray<3>]) -> Vec<Option<Hit>> {
        let mut answers = vec![None; rays.len()];
        let parts = answers.par_chunks_mut(BATCH).zip(rays.par_chunks(BATCH));
        parts.for_each(|(answers, rays)| {
            let level = self.level;
            dispatch!(level, simd => self.answer_each::<_, ANY>(simd, rays, answers));
        });
        answers
    }
}

impl RayIndex for Bvh {
    fn visit_hits<O: RayObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        mut found: impl FnMut(Hit) -> ControlFlow<(), f32>,
    ) {
        let level = self.level;
        dispatch!(level, simd => self.search::<_, O, true>(simd, ray, observer, &mut found));
    }

    fn all_hits_observed<O: RayObserver>(&self, ray: &Ray<3>, observer: &mut O) -> Vec<Hit> {
        let mut hits = Vec::new();
        self.visit_hits(ray, observer, |hit| {
            hits.push(hit);
            ControlFlow::Continue(ray.t_max)
        });
        hits.sort_by(|a, b| a.t.total_cmp(&b.t).then(a.triangle.cmp(&b.triangle)));
        // Found in every leaf that knows of the triangle.
        hits.dedup_by_key(|hit| hit.triangle);
        hits
    }

    fn any_hit_observed<O: RayObserver>(&self, ray: &Ray<3>, observer: &mut O) -> bool {
        let level = self.level;
        dispatch!(level, simd => self.any(simd, ray, observer))
    }

    fn closest_hit(&self, ray: &Ray<3>) -> Option<Hit> {
        at_once!(self.level, simd => self.closest(simd, ray))
    }

    fn any_hit(&self, ray: &Ray<3>) -> bool {
        at_once!(self.level, simd => self.any(simd, ray, &mut Unobserved))
    }

    fn closest_hits(&self, rays: &[Ray<3>]) -> Vec<Option<Hit>> {
        self.answers::<false>(rays)
    }

    fn any_hits(&self, rays: &[Ray<3>]) -> Vec<bool> {
        self.answers::<true>(rays).iter().map(Option::is_some).collect()
    }

    fn bytes(&self) -> usize {
        let corners = self.corners.as_ref().map_or(0, |corners| size_of_val(corners.as_slice()));
        size_of_val(self.lines.as_slice()) + corners
    }
}

#[cfg(test)]
mod tests;
