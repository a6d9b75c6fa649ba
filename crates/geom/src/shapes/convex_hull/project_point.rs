//! Closest point on the surface of a hull (point projection).
//!
//! Inside, the closest point lies on the face of least depth. Outside, it lies on a face whose
//! plane the query is above; faces farther than the best candidate are skipped, because a plane is
//! never farther than a point of its face. Linear in the number of face vertices, without
//! iteration.

use crate::shapes::PointProjection;
use crate::shapes::convex_hull::{ConvexHull, HullFace};
use crate::{DVec3, Vec3};

impl ConvexHull {
    /// Closest point on the surface, with signed distance. Among equally near faces, the first.
    ///
    /// ```
    /// use embate_geom::{Vec3, shapes::ConvexHull};
    ///
    /// let cylinder = ConvexHull::cylinder(1.0, 0.5, 8)?;
    /// let above = cylinder.project_point(Vec3::new(0.1, 3.0, 0.2));
    /// assert_eq!((above.point, above.distance), (Vec3::new(0.1, 1.0, 0.2), 2.0));
    /// assert!(cylinder.project_point(Vec3::ZERO).is_inside);
    /// # Ok::<(), embate_geom::shapes::ShapeError>(())
    /// ```
    #[must_use]
    #[doc(alias = "closest_point")]
    #[doc(alias = "distance_to_point")]
    pub fn project_point(&self, point: impl Into<Vec3>) -> PointProjection {
        let point = point.into();
        if !point.is_finite() {
            return PointProjection::UNDEFINED;
        }
        let query = DVec3::from(point);
        let mut nearest_plane = (f64::NEG_INFINITY, DVec3::ZERO);
        for face in &self.faces {
            let (distance, normal) = plane_distance(face, query);
            if distance > nearest_plane.0 {
                nearest_plane = (distance, normal);
            }
        }
        let (distance, normal) = nearest_plane;
        if distance <= 0.0 {
            return PointProjection::rounded(query - normal * distance, normal, distance);
        }
        let mut best = (f64::INFINITY, query);
        for face in &self.faces {
            let (plane_distance, face_normal) = plane_distance(face, query);
            if plane_distance > 0.0 && plane_distance * plane_distance < best.0 {
                let closest = self.closest_on_face(face, query, plane_distance, face_normal);
                let distance_squared = (query - closest).length_squared();
                if distance_squared < best.0 {
                    best = (distance_squared, closest);
                }
            }
        }
        let offset = query - best.1;
        let length = offset.length();
        // Below the smallest square of f64 the offset has no direction: the face's normal replaces
        // it.
        let normal = if length > 0.0 { offset * (1.0 / length) } else { normal };
        let distance = if length > 0.0 { length } else { distance };
        PointProjection::rounded(best.1, normal, distance)
    }

    /// Closest point of a face to a query above its plane: the projection, or a point of an edge
    /// that the projection lies beyond.
    fn closest_on_face(
        &self,
        face: &HullFace,
        query: DVec3,
        plane_distance: f64,
        normal: DVec3,
    ) -> DVec3 {
        let indices = self.face_vertices(face);
        let mut best: Option<(f64, DVec3)> = None;
        for (&from, &to) in indices.iter().zip(indices.iter().cycle().skip(1)) {
            let [start, end] = [from, to].map(|index| DVec3::from(self.vertices[index as usize]));
            let edge = end - start;
            let from_start = query - start;
            if from_start.dot(edge.cross(normal)) <= 0.0 {
                continue;
            }
            let t = from_start.dot(edge) / edge.length_squared();
            let closest = if t <= 0.0 {
                start
            } else if t >= 1.0 {
                end
            } else {
                start + edge * t
            };
            let distance_squared = (query - closest).length_squared();
            if best.is_none_or(|best| distance_squared < best.0) {
                best = Some((distance_squared, closest));
            }
        }
        best.map_or(query - normal * plane_distance, |(_, closest)| closest)
    }
}

/// Signed distance of a point from a face's plane, and its normal, of length 1 in f64.
fn plane_distance(face: &HullFace, point: DVec3) -> (f64, DVec3) {
    let normal = DVec3::from(face.normal);
    let inverse_length = 1.0 / normal.length();
    ((normal.dot(point) - f64::from(face.offset)) * inverse_length, normal * inverse_length)
}
