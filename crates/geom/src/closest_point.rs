//! Closest point on a triangle, in f64.

use crate::{DVec3, Triangle, Vec3};

impl Triangle {
    /// The vertices in f64.
    #[must_use]
    pub fn vertices_f64(&self) -> [DVec3; 3] {
        self.0.map(|vertex| DVec3::from(Vec3::from(vertex)))
    }

    /// The point of the triangle closest to `query`: its projection if that is inside the face,
    /// else the closest point on an edge. Degenerate triangles are supported.
    ///
    /// ```
    /// use embate_geom::{DVec3, Triangle};
    ///
    /// let triangle = Triangle([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
    /// let closest = triangle.closest_point(DVec3::new(1.0, 1.0, 3.0));
    /// assert_eq!(closest, DVec3::new(1.0, 1.0, 0.0));
    /// ```
    #[must_use]
    #[doc(alias = "project_point")]
    pub fn closest_point(&self, query: DVec3) -> DVec3 {
        let [a, b, c] = self.vertices_f64();
        let normal = (b - a).cross(c - a);
        let normal_squared = normal.length_squared();
        if normal_squared > 0.0 {
            let projection = query + normal * ((a - query).dot(normal) / normal_squared);
            if Self::contains_coplanar([a, b, c], normal, projection) {
                return projection;
            }
        }
        let (mut closest, mut least_squared) = (a, f64::INFINITY);
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let edge = to - from;
            let length_squared = edge.length_squared();
            let fraction =
                if length_squared > 0.0 { (query - from).dot(edge) / length_squared } else { 0.0 };
            let point = if fraction <= 0.0 {
                from
            } else if fraction >= 1.0 {
                to
            } else {
                from + edge * fraction
            };
            let squared = (point - query).length_squared();
            if squared < least_squared {
                (closest, least_squared) = (point, squared);
            }
        }
        closest
    }

    /// Whether `point`, which lies in the plane of the triangle `[a, b, c]` with this normal, is
    /// inside the triangle.
    #[must_use]
    #[doc(hidden)]
    pub fn contains_coplanar([a, b, c]: [DVec3; 3], normal: DVec3, point: DVec3) -> bool {
        let is_left_of =
            |from: DVec3, to: DVec3| (to - from).cross(point - from).dot(normal) >= 0.0;
        is_left_of(a, b) && is_left_of(b, c) && is_left_of(c, a)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closest_point_is_on_the_face_an_edge_or_a_vertex() {
        let triangle = Triangle([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
        let closest = |x: f64, y: f64, z: f64| triangle.closest_point(DVec3::new(x, y, z));
        assert_eq!(closest(1.0, 1.0, 3.0), DVec3::new(1.0, 1.0, 0.0));
        assert_eq!(closest(1.0, -2.0, 3.0), DVec3::new(1.0, 0.0, 0.0));
        assert_eq!(closest(9.0, -2.0, 3.0), DVec3::new(4.0, 0.0, 0.0));
        let degenerate = Triangle([[1.0, 2.0, 3.0]; 3]);
        assert_eq!(degenerate.closest_point(DVec3::ZERO), DVec3::new(1.0, 2.0, 3.0));
    }
}
