//! A tree of boxes, eight children a node: the structure for nearly every mesh.
//!
//! ```text
//!   triangles ──► binary tree ──► which eight belong together ──► nodes and leaves, depth first
//!                 binary.rs        collapse.rs                     layout.rs
//!                                                                  pages.rs (where they are kept)
//!   ray ──► search.rs, with node.rs (eight boxes at once) and stack.rs (what waits)
//!   points, boxes, balls ──► walk.rs
//!   many rays ──► batch.rs (several under way at a time)
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
mod node;
mod pages;
mod preset;
mod reinsert;
mod search;
mod spatial;
mod stack;
mod walk;
mod wide_box;

use core::ops::ControlFlow;

use embate_geom::{Hit, Ray};
use embate_mesh::TriangleMesh;
use fearless_simd::{Level, dispatch};
use rayon::prelude::*;

pub(super) use self::binary::BinaryNode;
use self::node::Child;
use self::pages::Lines;
pub use self::preset::Preset;
pub(super) use self::wide_box::WideBox;
use super::{RayIndex, RayObserver, Unobserved};

/// Rays handed to a thread at a time: enough that few of them run out of company at the end.
const BATCH: usize = 2_048;

/// A tree of boxes over a mesh. Watertight.
#[derive(Clone, Debug)]
pub struct Bvh {
    lines: Lines,
    /// `None` over no triangles.
    root: Option<Child>,
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
        layout::of(mesh, members, tree, Level::new())
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
        let mut any = false;
        let mut found = |_| {
            any = true;
            ControlFlow::Break(())
        };
        let level = self.level;
        dispatch!(level, simd => self.search::<_, _, false>(simd, ray, observer, &mut found));
        any
    }

    fn closest_hit(&self, ray: &Ray<3>) -> Option<Hit> {
        let level = self.level;
        dispatch!(level, simd => self.closest(simd, ray))
    }

    fn any_hit(&self, ray: &Ray<3>) -> bool {
        self.any_hit_observed(ray, &mut Unobserved)
    }

    fn closest_hits(&self, rays: &[Ray<3>]) -> Vec<Option<Hit>> {
        self.answers::<false>(rays)
    }

    fn any_hits(&self, rays: &[Ray<3>]) -> Vec<bool> {
        self.answers::<true>(rays).iter().map(Option::is_some).collect()
    }

    fn bytes(&self) -> usize {
        size_of_val(self.lines.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bumpy floor of `side` × `side` squares.
    fn floor(side: u32) -> TriangleMesh {
        let height = |i: u32| (i.wrapping_mul(2_654_435_761) >> 24) as f32 / 256.0;
        let points = (0..(side + 1) * (side + 1))
            .map(|i| [(i % (side + 1)) as f32, (i / (side + 1)) as f32, height(i)]);
        let squares = (0..side * side).flat_map(|i| {
            let a = i / side * (side + 1) + i % side;
            [[a, a + 1, a + side + 2], [a, a + side + 2, a + side + 1]]
        });
        TriangleMesh::new(points.collect(), squares.collect()).unwrap()
    }

    #[test]
    fn the_tree_does_not_depend_on_the_number_of_threads() {
        let mesh = floor(100);
        let built = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let bvh = pool.install(|| Bvh::new(&mesh));
            let words = bvh.lines.as_slice().iter().flatten().flatten().copied();
            (bvh.root, words.map(f32::to_bits).collect::<Vec<_>>())
        };
        assert!(built(1) == built(3));
    }

    #[test]
    fn a_triangle_takes_less_than_a_hundred_bytes() {
        let mesh = floor(100);
        let bytes = Bvh::new(&mesh).bytes() / mesh.triangles().len();
        assert!((40..100).contains(&bytes), "{bytes}");
    }

    #[test]
    fn a_ray_down_on_a_floor_looks_at_few_nodes() {
        let bvh = Bvh::new(&floor(100));
        let mut counts = crate::rays::RayCounts::default();
        let hit =
            bvh.closest_hit_observed(&Ray::new([50.3, 50.6, 9.0], [0.0, 0.0, -1.0]), &mut counts);
        assert!(hit.is_some_and(|hit| hit.t > 7.0));
        assert!((1..20).contains(&counts.boxes) && counts.tests < 100, "{counts:?}");
    }
}
