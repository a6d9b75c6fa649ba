//! Queries on one mesh: [`TriangleIndex`], a mesh with its ray structure (BLAS).
//!
//! ```text
//!   ray        closest, any, all hits; filtered, masked, batched     mod.rs
//!   segment    line of sight                                         mod.rs
//!   ray        hits one by one                                       hit_iter.rs
//!   point      closest point                                         closest_point.rs
//!   box        intersecting triangles                                aabb_query.rs
//!   sphere     time of impact of a moving sphere                     sphere_cast.rs
//!   vertices   refit or rebuild after they moved                     update.rs
//!   bytes      serialization                                         serialize.rs
//! ```
//!
//! Guarantee: every result equals that of a loop over all triangles, to the bit; ties go to the
//! smaller triangle index.

mod aabb_query;
mod closest_point;
mod hit_iter;
mod serialize;
mod sphere_cast;
mod update;

pub use closest_point::MeshPointProjection;
pub use hit_iter::HitIter;
pub use serialize::DeserializeError;
pub use sphere_cast::SphereCastHit;
pub use update::UpdateOutcome;

use core::ops::ControlFlow;

use embate_geom::{Aabb, Ray, Triangle, TriangleHit, Vec3};
use embate_mesh::TriangleMesh;

use crate::raycast::{AnyRayIndex, NoStats, RayIndex, RayIndexKind};
use update::CostTracker;

/// A mesh with an acceleration structure for ray, point, box and sphere queries.
///
/// ```
/// use embate::{Ray, TriangleMesh, raycast::TriangleIndex};
///
/// let vertices = vec![[0.0, 0.0, 2.0], [4.0, 0.0, 2.0], [0.0, 4.0, 2.0]];
/// let index = TriangleIndex::new(TriangleMesh::new(vertices, vec![[0, 1, 2]])?);
/// let up = Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
/// assert_eq!(index.closest_hit(&up).map(|hit| hit.t), Some(2.0));
/// assert!(!index.is_visible([1.0, 1.0, 0.0], [1.0, 1.0, 5.0]));
/// assert_eq!(index.closest_point([1.0, 1.0, 5.0]).unwrap().distance, 3.0);
/// assert_eq!(index.sphere_cast(&up, 0.5).unwrap().t, 1.5);
/// # Ok::<(), embate::MeshValidationError>(())
/// ```
#[doc(alias("bvh", "accel", "blas", "scene", "intersector", "intersect", "occluded"))]
#[derive(Clone, Debug)]
pub struct TriangleIndex {
    mesh: TriangleMesh,
    ray_index: AnyRayIndex,
    cost_tracker: CostTracker,
}

impl TriangleIndex {
    /// Builds the structure recommended for the mesh by
    /// [`recommend_ray_index`](crate::advisor::recommend_ray_index), on the current rayon pool.
    #[must_use]
    pub fn new(mesh: TriangleMesh) -> Self {
        let ray_index = RayIndexKind::Auto.build(&mesh);
        Self::from_parts(mesh, ray_index)
    }

    /// Builds the index with a structure chosen by the caller.
    ///
    /// ```
    /// use embate::{TriangleMesh, raycast::{Bvh, Octree, RayIndexKind, TriangleIndex}};
    ///
    /// let mesh = TriangleMesh::new(vec![[0.0; 3], [1.0; 3], [2.0, 0.0, 0.0]], vec![[0, 1, 2]])?;
    /// let index = TriangleIndex::build_with(mesh.clone(), Bvh::build);
    /// assert_eq!(index.kind(), RayIndexKind::Bvh);
    /// let small = TriangleIndex::build_with(mesh, |mesh| Octree::with_memory_budget(mesh, 100));
    /// assert_eq!(small.kind(), RayIndexKind::Octree);
    /// # Ok::<(), embate::MeshValidationError>(())
    /// ```
    #[doc(alias = "by")]
    #[must_use]
    pub fn build_with<I: Into<AnyRayIndex>>(
        mesh: TriangleMesh,
        build: impl FnOnce(&TriangleMesh) -> I,
    ) -> Self {
        let ray_index = build(&mesh).into();
        Self::from_parts(mesh, ray_index)
    }

    fn from_parts(mesh: TriangleMesh, ray_index: AnyRayIndex) -> Self {
        Self { mesh, ray_index, cost_tracker: CostTracker::default() }
    }

    /// Kind of the ray structure; never [`RayIndexKind::Auto`].
    #[doc(alias = "structure")]
    #[must_use]
    pub fn kind(&self) -> RayIndexKind {
        self.ray_index.kind()
    }

    /// The mesh.
    #[must_use]
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// Heap memory of the structure in bytes, without the mesh.
    #[must_use]
    #[doc(alias = "bytes")]
    pub fn memory_usage(&self) -> usize {
        self.ray_index.memory_usage()
    }

    /// The closest hit; of equal `t`, the one with the smaller triangle index.
    #[doc(alias = "intersect")]
    #[must_use]
    pub fn closest_hit(&self, ray: &Ray<3>) -> Option<TriangleHit> {
        self.ray_index.closest_hit(ray)
    }

    /// Whether the ray hits any triangle.
    #[doc(alias = "occluded")]
    #[must_use]
    pub fn any_hit(&self, ray: &Ray<3>) -> bool {
        self.ray_index.any_hit(ray)
    }

    /// All hits sorted by `t`; of equal `t`, by triangle index.
    #[must_use]
    pub fn all_hits(&self, ray: &Ray<3>) -> Vec<TriangleHit> {
        self.ray_index.all_hits(ray)
    }

    /// The closest hit accepted by `filter`, a pure function of the hit. It is called in no
    /// particular order, and only for hits that can be the closest.
    ///
    /// ```
    /// # use embate::{Ray, TriangleMesh, raycast::TriangleIndex};
    /// # let wall = |z: f32| [[-9.0, -9.0, z], [9.0, -9.0, z], [0.0, 9.0, z]];
    /// let vertices = [wall(1.0), wall(2.0)].concat();
    /// let index = TriangleIndex::new(TriangleMesh::new(vertices, vec![[0, 1, 2], [3, 4, 5]])?);
    /// let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
    /// let is_glass = |triangle: u32| triangle == 0;
    /// let hit = index.closest_hit_filtered(&ray, |hit| !is_glass(hit.triangle)).unwrap();
    /// assert_eq!((hit.triangle, hit.t), (1, 2.0));
    /// # Ok::<(), embate::MeshValidationError>(())
    /// ```
    #[doc(alias("closest_hit_where", "filter function"))]
    pub fn closest_hit_filtered(
        &self,
        ray: &Ray<3>,
        mut filter: impl FnMut(&TriangleHit) -> bool,
    ) -> Option<TriangleHit> {
        let mut closest: Option<TriangleHit> = None;
        self.ray_index.visit_hits(ray, &mut NoStats, |hit| {
            if closest.is_none_or(|other| hit.is_before(&other)) && filter(&hit) {
                closest = Some(hit);
            }
            ControlFlow::Continue(closest.map_or(ray.t_max, |hit| hit.t))
        });
        closest
    }

    /// Whether the ray has a hit accepted by `filter`.
    #[doc(alias = "any_hit_where")]
    pub fn any_hit_filtered(
        &self,
        ray: &Ray<3>,
        mut filter: impl FnMut(&TriangleHit) -> bool,
    ) -> bool {
        let mut any = false;
        self.ray_index.visit_hits(ray, &mut NoStats, |hit| {
            any = filter(&hit);
            if any { ControlFlow::Break(()) } else { ControlFlow::Continue(ray.t_max) }
        });
        any
    }

    /// The closest hit among triangles with `masks[triangle] & mask != 0`. A triangle beyond the
    /// end of `masks` has mask 0.
    ///
    /// ```
    /// # use embate::{Ray, TriangleMesh, raycast::TriangleIndex};
    /// # let wall = |z: f32| [[-9.0, -9.0, z], [9.0, -9.0, z], [0.0, 9.0, z]];
    /// # let vertices = [wall(1.0), wall(2.0)].concat();
    /// # let index = TriangleIndex::new(TriangleMesh::new(vertices, vec![[0, 1, 2], [3, 4, 5]])?);
    /// const BLOCKS_SHOTS: u32 = 1;
    /// const BLOCKS_SIGHT: u32 = 2;
    /// let masks = [BLOCKS_SHOTS, BLOCKS_SHOTS | BLOCKS_SIGHT];
    /// let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
    /// assert_eq!(index.closest_hit_masked(&ray, &masks, BLOCKS_SIGHT).unwrap().triangle, 1);
    /// # Ok::<(), embate::MeshValidationError>(())
    /// ```
    #[doc(alias("closest_hit_among", "ray mask"))]
    #[must_use]
    pub fn closest_hit_masked(
        &self,
        ray: &Ray<3>,
        masks: &[u32],
        mask: u32,
    ) -> Option<TriangleHit> {
        self.closest_hit_filtered(ray, |hit| matches_mask(masks, mask, hit))
    }

    /// Whether the ray hits a triangle with `masks[triangle] & mask != 0`, like
    /// [`closest_hit_masked`](Self::closest_hit_masked).
    #[doc(alias = "any_hit_among")]
    #[must_use]
    pub fn any_hit_masked(&self, ray: &Ray<3>, masks: &[u32], mask: u32) -> bool {
        self.any_hit_filtered(ray, |hit| matches_mask(masks, mask, hit))
    }

    /// Line of sight: whether the closed segment between two points hits no triangle. Points on
    /// a surface may be reported visible or not, due to rounding. False if a point is not finite.
    #[doc(alias("line of sight", "occluded"))]
    #[must_use]
    pub fn is_visible(&self, from: impl Into<Vec3>, to: impl Into<Vec3>) -> bool {
        let (from, to) = (from.into(), to.into());
        from.is_finite() && to.is_finite() && !self.any_hit(&Ray::segment(from, to))
    }

    /// [`is_visible`](Self::is_visible) of each pair of points, in order, by batch traversal.
    ///
    /// ```
    /// # use embate::{TriangleMesh, raycast::TriangleIndex};
    /// let wall = vec![[-9.0, -9.0, 1.0], [9.0, -9.0, 1.0], [0.0, 9.0, 1.0]];
    /// let index = TriangleIndex::new(TriangleMesh::new(wall, vec![[0, 1, 2]])?);
    /// let (here, there, beside) = ([0.0, 0.0, 0.0], [0.0, 0.0, 2.0], [5.0, 0.0, 0.5]);
    /// assert_eq!(index.visibility_batch(&[[here, there], [here, beside]]), [false, true]);
    /// # Ok::<(), embate::MeshValidationError>(())
    /// ```
    #[doc(alias = "are_visible")]
    #[must_use]
    pub fn visibility_batch(&self, pairs: &[[[f32; 3]; 2]]) -> Vec<bool> {
        let rays: Vec<Ray<3>> = pairs.iter().map(|&[from, to]| Ray::segment(from, to)).collect();
        let mut results = self.any_hits(&rays);
        for (result, pair) in results.iter_mut().zip(pairs) {
            *result = !*result && pair.iter().flatten().all(|c| c.is_finite());
        }
        results
    }

    /// [`closest_hit`](Self::closest_hit) of each ray, in order. Batch traversal: the current rayon
    /// threads interleave several rays each, which is faster than ray by ray.
    ///
    /// ```
    /// # use embate::{Ray, TriangleMesh, raycast::TriangleIndex};
    /// let wall = vec![[-9.0, -9.0, 1.0], [9.0, -9.0, 1.0], [0.0, 9.0, 1.0]];
    /// let index = TriangleIndex::new(TriangleMesh::new(wall, vec![[0, 1, 2]])?);
    /// let rays = [1.0, -1.0].map(|z| Ray::new([0.0; 3], [0.0, 0.0, z]));
    /// let hits = index.closest_hits(&rays);
    /// assert_eq!((hits[0].map(|hit| hit.t), hits[1]), (Some(1.0), None));
    /// # Ok::<(), embate::MeshValidationError>(())
    /// ```
    #[must_use]
    pub fn closest_hits(&self, rays: &[Ray<3>]) -> Vec<Option<TriangleHit>> {
        self.ray_index.closest_hits(rays)
    }

    /// [`any_hit`](Self::any_hit) of each ray, in order, by batch traversal like
    /// [`closest_hits`](Self::closest_hits).
    #[must_use]
    pub fn any_hits(&self, rays: &[Ray<3>]) -> Vec<bool> {
        self.ray_index.any_hits(rays)
    }

    /// Calls `visit` with the triangles whose boxes are within `limit`; `visit` returns the new
    /// limit. `distance` must be a lower bound of the distance to a box. A triangle may be visited
    /// several times.
    fn visit_by_distance(
        &self,
        limit: f64,
        distance: impl Fn(&Aabb<3>) -> f64,
        mut visit: impl FnMut(u32, &Triangle) -> f64,
    ) {
        match &self.ray_index {
            AnyRayIndex::Bvh(bvh) => bvh.visit_by_distance(limit, distance, visit),
            AnyRayIndex::Octree(octree) => octree.tree.visit_by_distance(limit, distance, visit),
            // The others answer ray queries only.
            AnyRayIndex::BruteForce(_)
            | AnyRayIndex::KdTree(_)
            | AnyRayIndex::Bsp(_)
            | AnyRayIndex::Grid(_)
            | AnyRayIndex::CompactOctree(_) => {
                for (id, triangle) in (0..).zip(self.mesh.iter_triangles()) {
                    visit(id, &triangle);
                }
            }
        }
    }
}

fn matches_mask(masks: &[u32], mask: u32, hit: &TriangleHit) -> bool {
    masks.get(hit.triangle as usize).is_some_and(|bits| bits & mask != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raycast::test_meshes::{bumpy_terrain, sample_points};

    /// Triangles 0 to 3: walls perpendicular to the z axis at z = 1, 2, 3 and 4.
    pub(super) fn walls() -> TriangleIndex {
        let wall = |z: f32| [[-9.0, -9.0, z], [9.0, -9.0, z], [0.0, 9.0, z]];
        let positions = [1.0, 2.0, 3.0, 4.0].map(wall).concat();
        let triangles = (0..4).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        TriangleIndex::new(TriangleMesh::new(positions, triangles).unwrap())
    }

    #[test]
    fn filtered_queries_skip_rejected_hits() {
        let (index, ray) = (walls(), Ray::new([0.0; 3], [0.0, 0.0, 1.0]));
        let third = index.closest_hit_filtered(&ray, |hit| hit.triangle >= 2);
        assert_eq!(third.map(|hit| (hit.triangle, hit.t)), Some((2, 3.0)));
        assert!(index.any_hit_filtered(&ray, |hit| hit.triangle == 3));
        assert!(!index.any_hit_filtered(&ray, |hit| hit.triangle == 4));
        assert_eq!(index.closest_hit_filtered(&ray, |_| false), None);
    }

    #[test]
    fn masked_queries_skip_triangles_without_a_common_bit() {
        let (index, ray) = (walls(), Ray::new([0.0; 3], [0.0, 0.0, 1.0]));
        let among = |mask| index.closest_hit_masked(&ray, &[1, 2, 6], mask).map(|hit| hit.triangle);
        assert_eq!([1, 2, 4, 8].map(among), [Some(0), Some(1), Some(2), None]);
        assert!(index.any_hit_masked(&ray, &[0, 0, 0, 1], 1));
        assert!(!index.any_hit_masked(&ray, &[0, 0, 0], 1));
    }

    #[test]
    fn wall_blocks_the_line_of_sight_through_it_and_to_it() {
        let index = walls();
        assert!(index.is_visible([0.0, 0.0, 1.25], [3.0, 0.0, 1.75]));
        assert!(!index.is_visible([0.0, 0.0, 1.25], [0.0, 0.0, 2.25]));
        assert!(!index.is_visible([0.0, 0.0, 1.25], [0.0, 0.0, 2.0]));
        assert!(!index.is_visible([f32::NAN, 0.0, 0.0], [0.0; 3]));
    }

    #[test]
    fn visibility_batch_equals_single_queries_in_order() {
        let index = TriangleIndex::new(bumpy_terrain());
        let pairs: Vec<[[f32; 3]; 2]> =
            sample_points(2_000).chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
        let expected: Vec<bool> =
            pairs.iter().map(|&[from, to]| index.is_visible(from, to)).collect();
        let visible = expected.iter().filter(|&&visible| visible).count();
        assert!((100..900).contains(&visible), "{visible} of 1000 pairs are visible");
        assert_eq!(index.visibility_batch(&pairs), expected);
    }

    #[test]
    fn visibility_batch_is_false_for_points_that_are_not_finite() {
        let empty = TriangleIndex::new(TriangleMesh::default());
        for index in [walls(), empty] {
            let pairs = [
                [[0.0; 3], [f32::NAN, 0.0, 0.0]],
                [[0.0, f32::INFINITY, 0.0], [0.0; 3]],
                [[0.0; 3], [0.0, 0.0, 0.5]],
            ];
            assert_eq!(index.visibility_batch(&pairs), [false, false, true]);
        }
        assert!(walls().visibility_batch(&[]).is_empty());
    }

    #[test]
    fn queries_on_an_empty_mesh_have_no_result() {
        let index = TriangleIndex::new(TriangleMesh::new(vec![], vec![]).unwrap());
        let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
        assert_eq!(index.closest_hit(&ray), None);
        assert_eq!(index.closest_hits(&[ray; 3]), [None; 3]);
        assert_eq!(index.closest_point([0.0; 3]), None);
        assert_eq!(index.sphere_cast(&ray, 1.0), None);
        assert!(index.is_visible([0.0; 3], [1.0; 3]));
    }
}
