//! What does a ray hit, one after the other?

use embate_geom::{Hit, Ray};

use super::TriangleIndex;

/// The hits of a ray, nearest first, each looked for when it is asked for; by [`TriangleIndex::hits_along`].
#[derive(Clone, Debug)]
pub struct HitsAlong<'a> {
    index: &'a TriangleIndex,
    ray: Ray<3>,
    last: Option<Hit>,
}

impl TriangleIndex {
    /// The hits of a ray in the order of [`all_hits`](Self::all_hits), one by one: whoever stops early has not paid for the
    /// rest. (Whoever wants all of them is better off with that.)
    ///
    /// ```
    /// # use embate::{Ray, TriangleMesh, rays::TriangleIndex};
    /// # let wall = |z: f32| [[-9.0, -9.0, z], [9.0, -9.0, z], [0.0, 9.0, z]];
    /// let corners = [wall(3.0), wall(1.0), wall(2.0)].concat();
    /// let index = TriangleIndex::new(TriangleMesh::new(corners, vec![[0, 1, 2], [3, 4, 5], [6, 7, 8]])?);
    /// let ray = Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
    ///
    /// // Through one wall, and no farther.
    /// let next = index.hits_along(&ray).nth(1).unwrap();
    /// assert_eq!((next.triangle, next.t), (2, 2.0));
    /// # Ok::<(), embate::InvalidMesh>(())
    /// ```
    #[must_use]
    pub fn hits_along(&self, ray: &Ray<3>) -> HitsAlong<'_> {
        HitsAlong { index: self, ray: *ray, last: None }
    }

    /// The hit that follows `last` on its ray; as [`hits_along`](Self::hits_along).
    #[must_use]
    pub fn next_hit(&self, ray: &Ray<3>, last: &Hit) -> Option<Hit> {
        let from = if last.t > ray.t_min { last.t } else { ray.t_min };
        self.closest_hit_where(&ray.within(from, ray.t_max), |hit| last.precedes(hit))
    }
}

impl Iterator for HitsAlong<'_> {
    type Item = Hit;

    fn next(&mut self) -> Option<Hit> {
        let next = match &self.last {
            None => self.index.closest_hit(&self.ray),
            Some(last) => self.index.next_hit(&self.ray, last),
        };
        // After the last there is nothing, however often one asks.
        self.ray.t_max = if next.is_some() { self.ray.t_max } else { f32::NAN };
        self.last = next.or(self.last);
        next
    }
}

impl core::iter::FusedIterator for HitsAlong<'_> {}

#[cfg(test)]
mod tests {
    use super::super::sphere_cast::tests::{bumps, places};
    use super::*;
    use crate::rays::{Brute, Bvh, Octree};
    use embate_mesh::TriangleMesh;

    #[test]
    fn one_by_one_they_are_all_hits_in_their_order() {
        // Every triangle twice: half of the hits are as near as another.
        let mesh = bumps();
        let twice = [mesh.triangles(), mesh.triangles()].concat();
        let mesh = TriangleMesh::new(mesh.positions().to_vec(), twice).unwrap();
        let mut several = 0;
        for index in [
            TriangleIndex::by(Bvh::new, mesh.clone()),
            TriangleIndex::by(Octree::new, mesh.clone()),
            TriangleIndex::by(Brute::new, mesh),
        ] {
            for pair in places(200).chunks_exact(2) {
                let ray = Ray { t_max: f32::INFINITY, ..Ray::between(pair[0], pair[1]) };
                let ray = Ray { direction: [ray.direction[0], ray.direction[1], 0.01], ..ray };
                let all = index.all_hits(&ray);
                let mut along = index.hits_along(&ray);
                assert_eq!(along.by_ref().collect::<Vec<_>>(), all);
                assert_eq!((along.next(), along.next()), (None, None));
                several += usize::from(all.len() > 4);
            }
        }
        assert!(several > 20, "{several}");
    }
}
