//! Dynamic meshes: refit after vertices moved, and rebuild once the SAH cost has degraded enough.

use embate_mesh::MeshValidationError;

use crate::raycast::triangle_index::TriangleIndex;
use crate::raycast::{AnyRayIndex, BruteForce, RayIndexKind};

/// Time of a ray per unit of SAH cost, and of a build per triangle, in nanoseconds, measured on
/// meshes of 37,000 to 871,000 triangles. Only their ratio matters. It decides when to rebuild,
/// never a query result.
const RAY_NS_PER_COST: f64 = 16.0;
const BUILD_NS_PER_TRIANGLE: f64 = 350.0;

/// SAH cost of a tree when it was built and after the last refit.
#[derive(Clone, Copy, Debug)]
struct SahCosts {
    built: f64,
    current: f64,
}

/// Degradation of a tree since it was built.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CostTracker {
    /// `None` before the first refit.
    costs: Option<SahCosts>,
    /// Estimated time lost by rays since the build, in nanoseconds.
    lost_ns: f64,
}

impl CostTracker {
    fn cost_ratio(&self) -> f64 {
        match self.costs {
            Some(SahCosts { built, current }) if built > 0.0 && current > built => current / built,
            _ => 1.0,
        }
    }
}

/// Result of [`TriangleIndex::update_or_rebuild`].
#[doc(alias = "Upkeep")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UpdateOutcome {
    /// The structure was refitted.
    Refitted,
    /// The structure was rebuilt.
    Rebuilt,
}

impl TriangleIndex {
    /// Moves the vertices and refits the structure, in a fraction of the build time. Results equal
    /// those of a new index over the moved mesh, to the bit; queries are slower by about
    /// [`sah_cost_ratio`](Self::sah_cost_ratio). Octrees, k-d tree, BSP tree and grid cannot be
    /// refitted, because their cells depend on the triangles: they are rebuilt.
    ///
    /// ```
    /// use embate::{Ray, TriangleMesh, raycast::{TriangleIndex, UpdateOutcome}};
    ///
    /// let wall = |z: f32| vec![[-9.0, -9.0, z], [9.0, -9.0, z], [0.0, 9.0, z]];
    /// let mut index = TriangleIndex::new(TriangleMesh::new(wall(1.0), vec![[0, 1, 2]])?);
    /// index.refit(&wall(4.0))?;
    /// let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
    /// assert_eq!(index.closest_hit(&ray).unwrap().t, 4.0);
    ///
    /// // Automatic choice, for 10,000 rays until the next update.
    /// let outcome = index.update_or_rebuild(&wall(5.0), 10_000)?;
    /// assert_eq!(outcome, UpdateOutcome::Refitted);
    /// # Ok::<(), embate::MeshValidationError>(())
    /// ```
    ///
    /// # Errors
    /// [`MeshValidationError`] if a position is not finite or out of range, or if their number
    /// differs from the number of vertices; the index is then unchanged.
    pub fn refit(&mut self, positions: &[[f32; 3]]) -> Result<(), MeshValidationError> {
        self.mesh.set_positions(positions)?;
        match &mut self.ray_index {
            AnyRayIndex::Bvh(bvh) => {
                let costs = self.cost_tracker.costs;
                let built = costs.map_or_else(|| bvh.sah_cost(), |costs| costs.built);
                let current = bvh.refit(&self.mesh);
                self.cost_tracker.costs = Some(SahCosts { built, current });
            }
            AnyRayIndex::BruteForce(index) => *index = BruteForce::new(&self.mesh),
            _ => self.rebuild(),
        }
        Ok(())
    }

    /// SAH cost relative to the tree as it was built: 1 for a new tree, 2 if rays take about twice
    /// as long.
    #[doc(alias = "decay")]
    #[must_use]
    pub fn sah_cost_ratio(&self) -> f64 {
        self.cost_tracker.cost_ratio()
    }

    /// Rebuilds the same kind of structure, with default settings.
    pub fn rebuild(&mut self) {
        self.ray_index = self.ray_index.kind().build(&self.mesh);
        self.cost_tracker = CostTracker::default();
    }

    /// [`refit`](Self::refit), followed by [`rebuild`](Self::rebuild) when it pays: when the time
    /// lost by rays since the last build, with `rays` of them until the next update, reaches the
    /// time of a build. The total time is at most about twice that of the optimal schedule
    /// (2-competitive, as in ski rental).
    ///
    /// # Errors
    /// As [`refit`](Self::refit).
    #[doc(alias = "update")]
    pub fn update_or_rebuild(
        &mut self,
        positions: &[[f32; 3]],
        rays: u64,
    ) -> Result<UpdateOutcome, MeshValidationError> {
        self.refit(positions)?;
        if !matches!(self.kind(), RayIndexKind::Bvh | RayIndexKind::BruteForce) {
            return Ok(UpdateOutcome::Rebuilt);
        }
        let Some(SahCosts { built, current }) = self.cost_tracker.costs else {
            return Ok(UpdateOutcome::Refitted);
        };
        let excess = if current > built { current - built } else { 0.0 };
        self.cost_tracker.lost_ns += rays as f64 * excess * RAY_NS_PER_COST;
        if self.cost_tracker.lost_ns < self.mesh.triangles().len() as f64 * BUILD_NS_PER_TRIANGLE {
            return Ok(UpdateOutcome::Refitted);
        }
        self.rebuild();
        Ok(UpdateOutcome::Rebuilt)
    }
}

#[cfg(test)]
mod tests {
    use embate_geom::Ray;
    use embate_mesh::TriangleMesh;

    use super::*;
    use crate::raycast::test_meshes::{bumpy_terrain, sample_points};
    use crate::raycast::{
        BruteForce, BspTree, BuildQuality, Bvh, CompactOctree, KdTree, Octree, RayIndex,
        UniformGrid,
    };

    fn random_rays() -> Vec<Ray<3>> {
        let pairs = sample_points(600);
        let ray =
            |pair: &[[f32; 3]]| Ray { t_max: f32::INFINITY, ..Ray::segment(pair[0], pair[1]) };
        pairs.chunks_exact(2).map(ray).collect()
    }

    /// Positions twisted around the z axis, by `twist` radians at a distance of 20.
    fn twisted(mesh: &TriangleMesh, twist: f32) -> Vec<[f32; 3]> {
        let twist_point = |&[x, y, z]: &[f32; 3]| {
            let angle = twist * (x * x + y * y) / 400.0;
            let (sin, cos) = embate_geom::scalar::sin_cos(angle);
            [x * cos - y * sin, x * sin + y * cos, z + 0.1 * angle]
        };
        mesh.positions().iter().map(twist_point).collect()
    }

    #[test]
    fn every_structure_equals_brute_force_after_a_refit() {
        let mesh = bumpy_terrain();
        let compact = |mesh: &TriangleMesh| Bvh::build_with_quality(mesh, BuildQuality::Compact);
        for mut index in [
            TriangleIndex::build_with(mesh.clone(), Bvh::build),
            TriangleIndex::build_with(mesh.clone(), compact),
            TriangleIndex::build_with(mesh.clone(), Octree::build),
            TriangleIndex::build_with(mesh.clone(), BruteForce::new),
            TriangleIndex::build_with(mesh.clone(), KdTree::build),
            TriangleIndex::build_with(mesh.clone(), BspTree::build),
            TriangleIndex::build_with(mesh.clone(), UniformGrid::new),
            TriangleIndex::build_with(mesh.clone(), CompactOctree::new),
        ] {
            for twist in [0.3, 2.0, 9.0, 0.0] {
                index.refit(&twisted(&mesh, twist)).unwrap();
                let brute_force = BruteForce::new(index.mesh());
                let rays = random_rays();
                for ray in &rays {
                    assert_eq!(index.closest_hit(ray), brute_force.closest_hit(ray));
                    assert_eq!(index.all_hits(ray), brute_force.all_hits(ray));
                    assert_eq!(index.any_hit(ray), brute_force.any_hit(ray));
                }
                assert_eq!(index.closest_hits(&rays), brute_force.closest_hits(&rays));
            }
        }
    }

    #[test]
    fn sah_cost_ratio_rises_with_the_twist_and_falls_back() {
        let mesh = bumpy_terrain();
        let mut index = TriangleIndex::build_with(mesh.clone(), Bvh::build);
        assert_eq!(index.sah_cost_ratio(), 1.0);
        index.refit(mesh.positions()).unwrap();
        assert!((index.sah_cost_ratio() - 1.0).abs() < 1e-6, "{}", index.sah_cost_ratio());
        index.refit(&twisted(&mesh, 9.0)).unwrap();
        let twisted_ratio = index.sah_cost_ratio();
        assert!(twisted_ratio > 1.5, "{twisted_ratio}");
        index.refit(mesh.positions()).unwrap();
        assert!((index.sah_cost_ratio() - 1.0).abs() < 1e-6, "{}", index.sah_cost_ratio());
        index.refit(&twisted(&mesh, 9.0)).unwrap();
        index.rebuild();
        assert_eq!(index.sah_cost_ratio(), 1.0);
    }

    #[test]
    fn rebuild_happens_once_the_lost_ray_time_reaches_the_build_time() {
        let mesh = bumpy_terrain();
        let updates_before_rebuild = |rays: u64| {
            let mut index = TriangleIndex::build_with(mesh.clone(), Bvh::build);
            let update = |_| index.update_or_rebuild(&twisted(&mesh, 9.0), rays).unwrap();
            (0..1_000).map(update).position(|outcome| outcome == UpdateOutcome::Rebuilt)
        };
        assert_eq!(updates_before_rebuild(0), None);
        let (few_rays, many_rays) = (updates_before_rebuild(50), updates_before_rebuild(1_000_000));
        assert_eq!(many_rays, Some(0));
        assert!(few_rays.is_some_and(|updates| updates > 2), "{few_rays:?}");
        // A mesh that does not move is never rebuilt.
        let mut index = TriangleIndex::build_with(mesh.clone(), Bvh::build);
        assert!((0..50).all(|_| index.update_or_rebuild(mesh.positions(), 1 << 40).unwrap()
            == UpdateOutcome::Refitted));
    }

    #[test]
    fn invalid_positions_leave_the_index_unchanged() {
        let mesh = bumpy_terrain();
        let mut index = TriangleIndex::build_with(mesh.clone(), Bvh::build);
        assert!(index.refit(&mesh.positions()[1..]).is_err());
        let mut invalid = mesh.positions().to_vec();
        invalid[7][1] = f32::NAN;
        assert!(index.update_or_rebuild(&invalid, 1).is_err());
        assert_eq!(index.mesh(), &mesh);
    }

    #[test]
    fn clone_is_unaffected_by_a_refit() {
        let mesh = bumpy_terrain();
        let mut index = TriangleIndex::build_with(mesh.clone(), Bvh::build);
        let copy = index.clone();
        let hits = |index: &TriangleIndex| -> Vec<_> {
            random_rays().iter().map(|ray| index.closest_hit(ray)).collect()
        };
        let before = hits(&copy);
        index.refit(&twisted(&mesh, 2.0)).unwrap();
        assert_eq!(hits(&copy), before);
        assert_ne!(hits(&index), before);
    }
}
