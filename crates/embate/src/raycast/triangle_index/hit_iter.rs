//! Incremental hit iteration: the hits of a ray one by one, nearest first.

use embate_geom::{Ray, TriangleHit};

use crate::raycast::triangle_index::TriangleIndex;

/// Iterator over the hits of a ray, nearest first. Each hit is a new query. Created by
/// [`TriangleIndex::iter_hits`].
#[doc(alias = "HitsAlong")]
#[derive(Clone, Debug)]
pub struct HitIter<'a> {
    index: &'a TriangleIndex,
    ray: Ray<3>,
    last: Option<TriangleHit>,
}

impl TriangleIndex {
    /// Hits of a ray in the order of [`all_hits`](Self::all_hits), computed on demand. Cheaper than
    /// `all_hits` if the iteration stops early, more expensive if it does not.
    ///
    /// ```
    /// # use embate::{Ray, TriangleMesh, raycast::TriangleIndex};
    /// # let wall = |z: f32| [[-9.0, -9.0, z], [9.0, -9.0, z], [0.0, 9.0, z]];
    /// let vertices = [wall(3.0), wall(1.0), wall(2.0)].concat();
    /// let mesh = TriangleMesh::new(vertices, vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]])?;
    /// let index = TriangleIndex::new(mesh);
    /// let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
    ///
    /// // Penetrates one wall.
    /// let second = index.iter_hits(&ray).nth(1).unwrap();
    /// assert_eq!((second.triangle, second.t), (2, 2.0));
    /// # Ok::<(), embate::MeshValidationError>(())
    /// ```
    #[doc(alias = "hits_along")]
    #[must_use]
    pub fn iter_hits(&self, ray: &Ray<3>) -> HitIter<'_> {
        HitIter { index: self, ray: *ray, last: None }
    }

    /// The hit after `last` in the order of [`all_hits`](Self::all_hits).
    #[must_use]
    pub fn next_hit(&self, ray: &Ray<3>, last: &TriangleHit) -> Option<TriangleHit> {
        let t_min = if last.t > ray.t_min { last.t } else { ray.t_min };
        self.closest_hit_filtered(&ray.with_range(t_min, ray.t_max), |hit| last.is_before(hit))
    }
}

impl Iterator for HitIter<'_> {
    type Item = TriangleHit;

    fn next(&mut self) -> Option<TriangleHit> {
        let next = match &self.last {
            None => self.index.closest_hit(&self.ray),
            Some(last) => self.index.next_hit(&self.ray, last),
        };
        // Fused: a NaN range rejects all hits once the iterator is exhausted.
        self.ray.t_max = if next.is_some() { self.ray.t_max } else { f32::NAN };
        self.last = next.or(self.last);
        next
    }
}

impl core::iter::FusedIterator for HitIter<'_> {}

#[cfg(test)]
mod tests {
    use embate_mesh::TriangleMesh;

    use super::*;
    use crate::raycast::test_meshes::{bumpy_terrain, sample_points};
    use crate::raycast::triangle_index::tests::walls;
    use crate::raycast::{BruteForce, Bvh, Octree};

    #[test]
    fn iterator_yields_all_hits_in_order_and_is_fused() {
        // Every triangle twice: half of the hits have the same t as another.
        let mesh = bumpy_terrain();
        let doubled = [mesh.triangles(), mesh.triangles()].concat();
        let mesh = TriangleMesh::new(mesh.positions().to_vec(), doubled).unwrap();
        let mut with_many_hits = 0;
        for index in [
            TriangleIndex::build_with(mesh.clone(), Bvh::build),
            TriangleIndex::build_with(mesh.clone(), Octree::build),
            TriangleIndex::build_with(mesh, BruteForce::new),
        ] {
            for pair in sample_points(200).chunks_exact(2) {
                let ray = Ray { t_max: f32::INFINITY, ..Ray::segment(pair[0], pair[1]) };
                let ray = Ray { direction: [ray.direction[0], ray.direction[1], 0.01], ..ray };
                let all = index.all_hits(&ray);
                let mut iter = index.iter_hits(&ray);
                assert_eq!(iter.by_ref().collect::<Vec<_>>(), all);
                assert_eq!((iter.next(), iter.next()), (None, None));
                with_many_hits += usize::from(all.len() > 4);
            }
        }
        assert!(with_many_hits > 20, "{with_many_hits} rays with more than 4 hits");
    }

    #[test]
    fn next_hit_steps_through_walls_to_the_end_of_the_range() {
        let (index, ray) = (walls(), Ray::new([0.0; 3], [0.0, 0.0, 1.0]).with_range(0.0, 3.5));
        let first = index.closest_hit(&ray).unwrap();
        let second = index.next_hit(&ray, &first).unwrap();
        let third = index.next_hit(&ray, &second).unwrap();
        assert_eq!([first.t, second.t, third.t], [1.0, 2.0, 3.0]);
        assert_eq!(index.next_hit(&ray, &third), None, "the wall at 4 is beyond t_max");
    }

    #[test]
    fn next_hit_at_equal_t_has_the_next_triangle_index() {
        let wall = vec![[-9.0, -9.0, 1.0], [9.0, -9.0, 1.0], [0.0, 9.0, 1.0]];
        let mesh = TriangleMesh::new(wall, vec![[0, 1, 2]; 3]).unwrap();
        let (index, ray) = (TriangleIndex::new(mesh), Ray::new([0.0; 3], [0.0, 0.0, 1.0]));
        let mut triangles = Vec::new();
        let mut hit = index.closest_hit(&ray);
        while let Some(last) = hit {
            triangles.push(last.triangle);
            hit = index.next_hit(&ray, &last);
        }
        assert_eq!(triangles, [0, 1, 2]);
    }

    #[test]
    fn next_hit_respects_t_min_beyond_the_last_hit() {
        let (index, ray) = (walls(), Ray::new([0.0; 3], [0.0, 0.0, 1.0]));
        let first = index.closest_hit(&ray).unwrap();
        let later = index.next_hit(&ray.with_range(2.5, 9.0), &first);
        assert_eq!(later.map(|hit| hit.t), Some(3.0));
    }
}
