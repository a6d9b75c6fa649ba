//! Point query: the closest point on the mesh, in f64.

use embate_geom::{Aabb, DVec3, Vec3};

use crate::raycast::triangle_index::TriangleIndex;

/// Relative margin of distance bounds: far above the rounding error of f64, even on a triangle a
/// million times longer than wide.
const DISTANCE_MARGIN_RATIO: f64 = 1e-6;

/// Projection of a point onto the mesh.
#[doc(alias("NearestPoint", "PointQuery", "PointProjection"))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeshPointProjection {
    /// The closest point on the mesh.
    pub point: Vec3,
    /// Its distance from the query point.
    pub distance: f32,
    /// The triangle it lies on.
    pub triangle: u32,
}

impl TriangleIndex {
    /// The point of the mesh closest to `point`; of equal distances, the one on the smaller
    /// triangle index. `None` for a point that is not finite, and for a mesh without triangles.
    ///
    /// ```
    /// use embate::{TriangleMesh, Vec3, raycast::TriangleIndex};
    ///
    /// let vertices = vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    /// let index = TriangleIndex::new(TriangleMesh::new(vertices, vec![[0, 1, 2]])?);
    /// let closest = index.closest_point(Vec3::new(1.0, 1.0, 3.0)).unwrap();
    /// assert_eq!((closest.point, closest.distance), (Vec3::new(1.0, 1.0, 0.0), 3.0));
    /// # Ok::<(), embate::MeshValidationError>(())
    /// ```
    #[doc(alias("project_point", "point_query", "nearest"))]
    #[must_use]
    pub fn closest_point(&self, point: impl Into<Vec3>) -> Option<MeshPointProjection> {
        self.closest_point_within(point, f32::INFINITY)
    }

    /// [`closest_point`](Self::closest_point), bit for bit, if its distance is at most
    /// `max_distance`; `None` otherwise. Subtrees beyond the limit are pruned, so a small limit
    /// makes the query faster. A negative or NaN limit excludes every point.
    ///
    /// ```
    /// use embate::{TriangleMesh, raycast::TriangleIndex};
    ///
    /// let vertices = vec![[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]];
    /// let index = TriangleIndex::new(TriangleMesh::new(vertices, vec![[0, 1, 2]])?);
    /// assert!(index.closest_point_within([1.0, 1.0, 3.0], 3.5).is_some());
    /// assert!(index.closest_point_within([1.0, 1.0, 3.0], 2.5).is_none());
    /// # Ok::<(), embate::MeshValidationError>(())
    /// ```
    #[doc(alias("project_point_with_max_dist", "rtcPointQuery"))]
    #[must_use]
    pub fn closest_point_within(
        &self,
        point: impl Into<Vec3>,
        max_distance: f32,
    ) -> Option<MeshPointProjection> {
        let point = point.into();
        if !(point.is_finite() && max_distance >= 0.0) {
            return None;
        }
        let query = DVec3::from(point);
        // One f32 above the limit: the distance is rounded to f32 before it is compared.
        let search_distance = f64::from(max_distance.next_up());
        let max_squared = search_distance * search_distance;
        let mut best: Option<(f64, u32, DVec3)> = None;
        let lower_bound = |bounds: &Aabb<3>| distance_squared_bound(bounds, query);
        self.visit_by_distance(max_squared, lower_bound, |id, triangle| {
            let closest = triangle.closest_point(query);
            let squared = (closest - query).length_squared();
            let is_closer = best.is_none_or(|(best_squared, best_id, _)| {
                squared < best_squared || (squared == best_squared && id < best_id)
            });
            if squared <= max_squared && is_closer {
                best = Some((squared, id, closest));
            }
            best.map_or(max_squared, |(best_squared, ..)| best_squared)
        });
        let projection = best.map(|(squared, triangle, closest)| MeshPointProjection {
            point: closest.as_vec3(),
            distance: squared.sqrt() as f32,
            triangle,
        });
        projection.filter(|projection| projection.distance <= max_distance)
    }
}

/// Lower bound of the squared distance to a triangle in the box: the squared distance to the box,
/// reduced by the rounding error that a needle triangle may have.
fn distance_squared_bound(bounds: &Aabb<3>, query: DVec3) -> f64 {
    let gap = |axis: usize, coordinate: f64| {
        let below = f64::from(bounds.min[axis]) - coordinate;
        let above = coordinate - f64::from(bounds.max[axis]);
        if below > 0.0 {
            below
        } else if above > 0.0 {
            above
        } else {
            0.0
        }
    };
    let gaps = DVec3::new(gap(0, query.x), gap(1, query.y), gap(2, query.z));
    gaps.length_squared() * (1.0 - DISTANCE_MARGIN_RATIO)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raycast::test_meshes::{bumpy_terrain, sample_points};

    #[test]
    fn closest_point_equals_a_loop_over_all_triangles() {
        let index = TriangleIndex::new(bumpy_terrain());
        for point in sample_points(500) {
            let found = index.closest_point(point).unwrap();
            let query = DVec3::from(Vec3::from(point));
            let mut expected = (f64::INFINITY, 0);
            for (id, triangle) in (0..).zip(index.mesh().iter_triangles()) {
                let squared = (triangle.closest_point(query) - query).length_squared();
                if squared < expected.0 {
                    expected = (squared, id);
                }
            }
            assert_eq!((found.triangle, found.distance), (expected.1, expected.0.sqrt() as f32));
            assert_eq!(index.closest_point_within(point, found.distance), Some(found));
            let nearer = found.distance.next_down();
            assert!(found.distance == 0.0 || index.closest_point_within(point, nearer).is_none());
        }
    }

    #[test]
    fn distance_limit_prunes_triangles() {
        let index = TriangleIndex::new(bumpy_terrain());
        let visited = |point: [f32; 3], max_distance: f32| {
            let (query, mut count) = (DVec3::from(Vec3::from(point)), 0);
            let limit = f64::from(max_distance) * f64::from(max_distance);
            let lower_bound = |bounds: &Aabb<3>| distance_squared_bound(bounds, query);
            index.visit_by_distance(limit, lower_bound, |_, _| {
                count += 1;
                limit
            });
            count
        };
        for point in sample_points(50) {
            let distance = index.closest_point(point).unwrap().distance;
            assert_eq!(visited(point, f32::INFINITY), index.mesh().triangles().len());
            assert!(visited(point, distance * 0.5) <= index.mesh().triangles().len() / 4);
        }
    }

    #[test]
    fn invalid_points_and_distances_have_no_closest_point() {
        let index = TriangleIndex::new(bumpy_terrain());
        assert_eq!(index.closest_point([f32::NAN, 0.0, 0.0]), None);
        assert_eq!(index.closest_point_within([0.0; 3], f32::NAN), None);
        assert_eq!(index.closest_point_within([0.0; 3], -1.0), None);
    }
}
