//! An octree that fits the mesh: the structure for soups of large triangles that lie through each other.
//!
//! ```text
//!   cells, halved in x, y, z in turn          what lies across a middle
//!   ┌───────┬───┬─┬─┐                         is cut, and known to both sides, where cutting pays and
//!   │       │   ├─┼─┤    build.rs             the budget allows (soups)          cut.rs
//!   │       ├───┼─┴─┤                         goes whole to the side of its middle otherwise (real
//!   └───────┴───┴───┘                         meshes), and the side's box grows around it
//! ```
//!
//! The cells end as nodes of eight in the layout of the [`Bvh`], by the same search: nearest first,
//! and nothing beyond a hit. It is disjoint cells that make the difference on a soup: a hit in one ends the
//! search, where the boxes of any other tree overlap.
//!
//! Answers equal [`Brute`](super::Brute)'s to the bit: the parts of a triangle cover all its hits
//! ([`Piece`](super::clip::Piece)).

mod build;
mod cut;

use core::ops::ControlFlow;

use embate_geom::{Hit, Ray};
use embate_mesh::TriangleMesh;

use super::bvh::Bvh;
use super::{RayIndex, RayObserver, TreeBox};

/// An octree of adaptive depth. Watertight.
#[derive(Clone, Debug)]
pub struct Octree {
    pub(super) tree: Bvh,
}

impl Octree {
    /// The bytes a triangle may take by default.
    pub const BUDGET: usize = 4 * 1024;

    /// Builds the octree, on rayon's current threads. The same for any number of them.
    #[must_use]
    pub fn new(mesh: &TriangleMesh) -> Self {
        Self::within(mesh, Self::BUDGET)
    }

    /// [`new`](Self::new) within about `budget` bytes a triangle. It is reached on soups alone; a budget too small
    /// for cutting gives an octree without.
    #[must_use]
    pub fn within(mesh: &TriangleMesh, budget: usize) -> Self {
        let (order, tree) = build::build(mesh, budget);
        Self { tree: Bvh::of(mesh, &order, &tree) }
    }

    /// Tells `visit` of the boxes of its cells down to `depth`, the root's being 0; those below one for which it
    /// answers false are left out.
    pub fn visit_boxes(&self, depth: u32, visit: impl FnMut(TreeBox) -> bool) {
        self.tree.visit_boxes(depth, visit);
    }
}

impl RayIndex for Octree {
    fn visit_hits<O: RayObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        found: impl FnMut(Hit) -> ControlFlow<(), f32>,
    ) {
        self.tree.visit_hits(ray, observer, found);
    }

    fn all_hits_observed<O: RayObserver>(&self, ray: &Ray<3>, observer: &mut O) -> Vec<Hit> {
        self.tree.all_hits_observed(ray, observer)
    }

    fn closest_hit(&self, ray: &Ray<3>) -> Option<Hit> {
        self.tree.closest_hit(ray)
    }

    fn any_hit(&self, ray: &Ray<3>) -> bool {
        self.tree.any_hit(ray)
    }

    fn closest_hits(&self, rays: &[Ray<3>]) -> Vec<Option<Hit>> {
        self.tree.closest_hits(rays)
    }

    fn any_hits(&self, rays: &[Ray<3>]) -> Vec<bool> {
        self.tree.any_hits(rays)
    }

    fn bytes(&self) -> usize {
        self.tree.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rays::RayCounts;
    use crate::rays::noise::soup;

    #[test]
    fn a_soup_is_cut_within_the_budget_and_answered_by_fewer_tests() {
        let mesh = soup(600);
        let ray = Ray::new([-0.1, 0.45, 0.55], [1.0, 0.02, -0.03]);
        let tests = |octree: &Octree| {
            let mut counts = RayCounts::default();
            assert!(octree.closest_hit_observed(&ray, &mut counts).is_some());
            counts.tests
        };
        let whole = Octree::within(&mesh, 0);
        let mut before = tests(&whole);
        for budget in [512, 4_096] {
            let cut = Octree::within(&mesh, budget);
            let bytes = cut.bytes() / mesh.triangles().len();
            assert!(bytes > whole.bytes() / 600 && bytes <= budget, "{bytes} of {budget}");
            let now = tests(&cut);
            assert!(now < before, "{now} tests, {before} with less memory");
            before = now;
        }
    }

    #[test]
    fn a_triangle_in_several_cells_is_one_hit() {
        let octree = Octree::new(&soup(300));
        let hits = octree.all_hits(&Ray::new([0.5, 0.5, -0.5], [0.01, 0.02, 1.0]));
        let mut triangles: Vec<u32> = hits.iter().map(|hit| hit.triangle).collect();
        triangles.sort_unstable();
        triangles.dedup();
        assert!(
            hits.len() > 5 && triangles.len() == hits.len(),
            "{} of {}",
            triangles.len(),
            hits.len()
        );
    }

    #[test]
    fn the_octree_does_not_depend_on_the_number_of_threads() {
        let mesh = soup(5_000);
        let rays: Vec<Ray<3>> =
            (0..50).map(|i| Ray::new([i as f32 / 50.0, -0.1, 0.3], [0.1, 1.0, 0.2])).collect();
        let built = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let octree = pool.install(|| Octree::within(&mesh, 300));
            let mut counts = RayCounts::default();
            for ray in &rays {
                octree.closest_hit_observed(ray, &mut counts);
            }
            (octree.bytes(), counts)
        };
        assert_eq!(built(1), built(3));
    }
}
