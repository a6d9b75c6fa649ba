//! One mesh, every question: [`TriangleIndex`].
//!
//! ```text
//!   ray        closest, any, all hits; filtered; many at a time      here, by the tree of boxes
//!   sight      is anything between two points?                       here
//!   point      what is nearest?                                      near.rs
//!   box        which triangles reach into it?                        overlap.rs
//!   ball       what does it touch first on its way?                  sphere_cast.rs
//! ```
//!
//! All answer as a plain loop over the triangles would, to the bit; of equal ones, the smaller triangle
//! number.

mod near;
mod overlap;
mod sphere_cast;
mod wide;

pub use near::NearestPoint;
pub use sphere_cast::SphereHit;

use core::ops::ControlFlow;

use embate_geom::{Hit, Ray};
use embate_mesh::TriangleMesh;

use super::{Bvh, RayIndex, Unobserved};

/// A mesh that answers questions.
///
/// ```
/// use embate::{Ray, TriangleMesh, rays::TriangleIndex};
///
/// let corners = vec![[0.0, 0.0, 2.0], [4.0, 0.0, 2.0], [0.0, 4.0, 2.0]];
/// let index = TriangleIndex::new(TriangleMesh::new(corners, vec![[0, 1, 2]])?);
/// let up = Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
/// assert_eq!(index.closest_hit(&up).map(|hit| hit.t), Some(2.0));
/// assert!(!index.is_visible([1.0, 1.0, 0.0], [1.0, 1.0, 5.0]));
/// assert_eq!(index.closest_point([1.0, 1.0, 5.0], f32::INFINITY).unwrap().distance, 3.0);
/// assert_eq!(index.sphere_cast(&up, 0.5).unwrap().t, 1.5);
/// # Ok::<(), embate::InvalidMesh>(())
/// ```
#[derive(Clone, Debug)]
pub struct TriangleIndex {
    mesh: TriangleMesh,
    bvh: Bvh,
}

impl TriangleIndex {
    /// Builds the structure that suits the mesh, on rayon's current threads.
    #[must_use]
    pub fn new(mesh: TriangleMesh) -> Self {
        let bvh = Bvh::new(&mesh);
        Self { mesh, bvh }
    }

    /// What it was built from.
    #[must_use]
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// Bytes held beside the mesh.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bvh.bytes()
    }

    /// The nearest hit.
    #[must_use]
    pub fn closest_hit(&self, ray: &Ray<3>) -> Option<Hit> {
        self.bvh.closest_hit(ray)
    }

    /// Whether the ray hits anything.
    #[must_use]
    pub fn any_hit(&self, ray: &Ray<3>) -> bool {
        self.bvh.any_hit(ray)
    }

    /// Every hit, nearest first.
    #[must_use]
    pub fn all_hits(&self, ray: &Ray<3>) -> Vec<Hit> {
        self.bvh.all_hits(ray)
    }

    /// The nearest hit that `counts`. It is asked about hits in any order, not about all of them, and must
    /// say the same of a hit each time.
    pub fn closest_hit_where(
        &self,
        ray: &Ray<3>,
        mut counts: impl FnMut(&Hit) -> bool,
    ) -> Option<Hit> {
        let mut closest: Option<Hit> = None;
        self.bvh.visit_hits(ray, &mut Unobserved, |hit| {
            if closest.is_none_or(|other| hit.precedes(&other)) && counts(&hit) {
                closest = Some(hit);
            }
            ControlFlow::Continue(closest.map_or(ray.t_max, |hit| hit.t))
        });
        closest
    }

    /// Whether any hit `counts`.
    pub fn any_hit_where(&self, ray: &Ray<3>, mut counts: impl FnMut(&Hit) -> bool) -> bool {
        let mut any = false;
        self.bvh.visit_hits(ray, &mut Unobserved, |hit| {
            any = counts(&hit);
            if any { ControlFlow::Break(()) } else { ControlFlow::Continue(ray.t_max) }
        });
        any
    }

    /// The nearest hit among triangles that share a bit with `mask`; `masks` holds each triangle's bits,
    /// and a triangle beyond its end has none.
    #[must_use]
    pub fn closest_hit_among(&self, ray: &Ray<3>, masks: &[u32], mask: u32) -> Option<Hit> {
        self.closest_hit_where(ray, |hit| shares_a_bit(masks, mask, hit))
    }

    /// Whether a triangle that shares a bit with `mask` is hit; as [`closest_hit_among`](Self::closest_hit_among).
    #[must_use]
    pub fn any_hit_among(&self, ray: &Ray<3>, masks: &[u32], mask: u32) -> bool {
        self.any_hit_where(ray, |hit| shares_a_bit(masks, mask, hit))
    }

    /// Whether nothing lies between two points, these included up to rounding: a point on a surface may come out
    /// on either side of it. Of a point that is not finite nothing is visible.
    #[must_use]
    pub fn is_visible(&self, from: [f32; 3], to: [f32; 3]) -> bool {
        from.iter().chain(&to).all(|c| c.is_finite()) && !self.any_hit(&Ray::between(from, to))
    }

    /// [`closest_hit`](Self::closest_hit) of each ray, in order: several under way at a time on each of
    /// rayon's current threads, which is faster than one after the other.
    #[must_use]
    pub fn closest_hits(&self, rays: &[Ray<3>]) -> Vec<Option<Hit>> {
        self.bvh.closest_hits(rays)
    }

    /// [`any_hit`](Self::any_hit) of each ray, in order; as [`closest_hits`](Self::closest_hits).
    #[must_use]
    pub fn any_hits(&self, rays: &[Ray<3>]) -> Vec<bool> {
        self.bvh.any_hits(rays)
    }
}

fn shares_a_bit(masks: &[u32], mask: u32, hit: &Hit) -> bool {
    masks.get(hit.triangle as usize).is_some_and(|bits| bits & mask != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walls across the z axis at 1, 2, 3 and 4.
    pub(super) fn walls() -> TriangleIndex {
        let wall = |z: f32| [[-9.0, -9.0, z], [9.0, -9.0, z], [0.0, 9.0, z]];
        let positions = [1.0, 2.0, 3.0, 4.0].map(wall).concat();
        let triangles = (0..4).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        TriangleIndex::new(TriangleMesh::new(positions, triangles).unwrap())
    }

    #[test]
    fn hits_that_do_not_count_are_looked_through() {
        let (index, ray) = (walls(), Ray::new([0.0; 3], [0.0, 0.0, 1.0]));
        let third = index.closest_hit_where(&ray, |hit| hit.triangle >= 2);
        assert_eq!(third.map(|hit| (hit.triangle, hit.t)), Some((2, 3.0)));
        assert!(index.any_hit_where(&ray, |hit| hit.triangle == 3));
        assert!(!index.any_hit_where(&ray, |hit| hit.triangle == 4));
        assert_eq!(index.closest_hit_where(&ray, |_| false), None);
    }

    #[test]
    fn a_mask_chooses_triangles_and_those_without_one_are_not_chosen() {
        let (index, ray) = (walls(), Ray::new([0.0; 3], [0.0, 0.0, 1.0]));
        let among = |mask| index.closest_hit_among(&ray, &[1, 2, 6], mask).map(|hit| hit.triangle);
        assert_eq!([1, 2, 4, 8].map(among), [Some(0), Some(1), Some(2), None]);
        assert!(index.any_hit_among(&ray, &[0, 0, 0, 1], 1));
        assert!(!index.any_hit_among(&ray, &[0, 0, 0], 1));
    }

    #[test]
    fn a_wall_blocks_the_sight_through_it_and_of_it() {
        let index = walls();
        assert!(index.is_visible([0.0, 0.0, 1.25], [3.0, 0.0, 1.75]));
        assert!(!index.is_visible([0.0, 0.0, 1.25], [0.0, 0.0, 2.25]));
        assert!(!index.is_visible([0.0, 0.0, 1.25], [0.0, 0.0, 2.0]));
        assert!(!index.is_visible([f32::NAN, 0.0, 0.0], [0.0; 3]));
    }

    #[test]
    fn nothing_is_found_where_nothing_is() {
        let index = TriangleIndex::new(TriangleMesh::new(vec![], vec![]).unwrap());
        let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
        assert_eq!(index.closest_hit(&ray), None);
        assert_eq!(index.closest_hits(&[ray; 3]), [None; 3]);
        assert_eq!(index.closest_point([0.0; 3], f32::INFINITY), None);
        assert_eq!(index.sphere_cast(&ray, 1.0), None);
        assert!(index.is_visible([0.0; 3], [1.0; 3]));
    }
}
