//! Segment–segment closest points, and the overlap of nearly parallel segments.

use embate_geom::{DVec3, Vec3};

/// Rounding of a segment's endpoint, relative to the lengths involved. A shorter vector between two
/// segments has no direction.
pub(crate) const SEGMENT_ROUNDING: f64 = 2.0 * f32::EPSILON as f64;

/// sin² of the angle below which two segments count as parallel: 1.8°.
const PARALLEL_SEGMENT_SIN_SQUARED: f64 = 1e-3;

/// Cosine (1.8°, the angle of [`PARALLEL_SEGMENT_SIN_SQUARED`]) between the separation vector of a
/// segment and a face normal above which the segment lies along that face. A segment closest to the
/// border of such a face also gets a contact point at the opposite border. With one point alone it
/// would rock: after tilting to the other side, only the other point would exist.
pub(crate) const ALONG_FACE_COSINE: f32 = 0.9995;

/// Whether a point at the end of an interval, whose own vector to the other shape is `a_to_b`, may
/// share the contact normal. On the other shape, rounded by `radius` or with edges if that is 0,
/// the point is then at most 5e-4 of `size` off the surface; `size` is that of the smaller shape.
#[inline]
pub(crate) fn shares_normal(a_to_b: DVec3, normal: Vec3, radius: f64, size: f64) -> bool {
    let offset = a_to_b - DVec3::from(normal) * (a_to_b.length() - radius);
    (offset.length() - radius).abs() <= 5e-4 * size
}

/// Two segments by their half extents. The first is centered at the origin, the second at the
/// center offset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SegmentPair {
    pub(crate) half_extent_a: DVec3,
    pub(crate) half_extent_b: DVec3,
    /// Center offset: from the center of the first segment to that of the second.
    pub(crate) a_to_b: DVec3,
}

/// Parameters on both segments; −1 and 1 are the endpoints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SegmentParams {
    pub(crate) on_a: f64,
    pub(crate) on_b: f64,
}

impl SegmentPair {
    /// Parameters of the closest points.
    ///
    /// Ericson, "Real-Time Collision Detection", 5.1.9: the closest points of the two lines,
    /// clamped to the segments.
    pub(crate) fn closest_params(&self) -> SegmentParams {
        let length_squared_a = self.half_extent_a.length_squared();
        let length_squared_b = self.half_extent_b.length_squared();
        let dot_ab = self.half_extent_a.dot(self.half_extent_b);
        let (dot_a, dot_b) =
            (self.a_to_b.dot(self.half_extent_a), self.a_to_b.dot(self.half_extent_b));
        if length_squared_a == 0.0 {
            return SegmentParams { on_a: 0.0, on_b: clamped_ratio(-dot_b, length_squared_b) };
        }
        // sin² of the angle between them; on parallel lines every point is closest.
        let determinant = length_squared_a * length_squared_b - dot_ab * dot_ab;
        let on_a = if determinant > 1e-12 * length_squared_a * length_squared_b {
            clamp_param((dot_a * length_squared_b - dot_ab * dot_b) / determinant)
        } else {
            0.0
        };
        let on_b = clamped_ratio(on_a * dot_ab - dot_b, length_squared_b);
        SegmentParams { on_a: clamped_ratio(on_b * dot_ab + dot_a, length_squared_a), on_b }
    }

    /// Vector from the point on A to the point on B.
    #[inline]
    pub(crate) fn vector_between(&self, params: SegmentParams) -> DVec3 {
        self.a_to_b + self.half_extent_b * params.on_b - self.half_extent_a * params.on_a
    }

    /// Both ends of the overlap of nearly parallel segments; `None` if they are not parallel or do
    /// not overlap.
    pub(crate) fn overlap_interval(&self) -> Option<[SegmentParams; 2]> {
        let length_squared_a = self.half_extent_a.length_squared();
        let length_squared_b = self.half_extent_b.length_squared();
        let product = length_squared_a * length_squared_b;
        if self.half_extent_a.cross(self.half_extent_b).length_squared()
            > PARALLEL_SEGMENT_SIN_SQUARED * product
            || product == 0.0
        {
            return None;
        }
        let dot_ab = self.half_extent_a.dot(self.half_extent_b);
        let center_of_b = self.a_to_b.dot(self.half_extent_a) / length_squared_a;
        let half_length_of_b = (dot_ab / length_squared_a).abs();
        let (first, last) = (
            clamp_param(center_of_b - half_length_of_b),
            clamp_param(center_of_b + half_length_of_b),
        );
        // A shorter overlap is a point.
        let longer =
            if length_squared_a > length_squared_b { length_squared_a } else { length_squared_b };
        if (last - first) * (last - first) * length_squared_a <= 1e-6 * longer {
            return None;
        }
        let end_of_b = if dot_ab < 0.0 { -1.0 } else { 1.0 };
        let dot_b = self.a_to_b.dot(self.half_extent_b);
        // Where A extends farther, the overlap ends exactly at an endpoint of B.
        let params_at = |on_a: f64, end_of_b: f64| SegmentParams {
            on_a,
            on_b: if on_a.abs() < 1.0 {
                end_of_b
            } else {
                clamped_ratio(on_a * dot_ab - dot_b, length_squared_b)
            },
        };
        Some([params_at(first, -end_of_b), params_at(last, end_of_b)])
    }

    /// A unit vector perpendicular to both.
    pub(crate) fn common_perpendicular(&self) -> Vec3 {
        let product = self.half_extent_a.cross(self.half_extent_b);
        let scale = self.half_extent_a.length() * self.half_extent_b.length();
        if product.length() > 1e-6 * scale
            && let Some(direction) = product.try_normalize_f32()
        {
            return direction;
        }
        let longer = if self.half_extent_a.length_squared() >= self.half_extent_b.length_squared() {
            self.half_extent_a
        } else {
            self.half_extent_b
        };
        longer.try_normalize_f32().map_or(Vec3::Y, Vec3::any_orthonormal_vector)
    }

    /// Length below which the vector between them has no direction.
    pub(crate) fn min_direction_length(&self) -> f64 {
        SEGMENT_ROUNDING
            * (self.half_extent_a.length() + self.half_extent_b.length() + self.a_to_b.length())
    }
}

#[inline]
fn clamp_param(param: f64) -> f64 {
    param.clamp(-1.0, 1.0)
}

/// `dot / length_squared` clamped to the segment; the center if the segment is a point.
#[inline]
fn clamped_ratio(dot: f64, length_squared: f64) -> f64 {
    if length_squared > 0.0 { clamp_param(dot / length_squared) } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn segments(
        half_extent_a: [f64; 3],
        half_extent_b: [f64; 3],
        between: [f64; 3],
    ) -> SegmentPair {
        let dvec3 = |[x, y, z]: [f64; 3]| DVec3::new(x, y, z);
        SegmentPair {
            half_extent_a: dvec3(half_extent_a),
            half_extent_b: dvec3(half_extent_b),
            a_to_b: dvec3(between),
        }
    }

    #[test]
    fn skew_segments_are_closest_at_their_crossing() {
        let cross = segments([2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [1.0, -1.0, 3.0]);
        assert_eq!(cross.closest_params(), SegmentParams { on_a: 0.5, on_b: 0.5 });
        assert_eq!(cross.vector_between(cross.closest_params()), DVec3::new(0.0, 0.0, 3.0));
        assert_eq!(cross.overlap_interval(), None);
    }

    #[test]
    fn closest_point_is_clamped_to_an_endpoint() {
        let perpendicular = segments([1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [3.0, 0.5, 0.0]);
        assert_eq!(perpendicular.closest_params(), SegmentParams { on_a: 1.0, on_b: -0.5 });
    }

    #[test]
    fn parallel_segments_overlap_in_an_interval() {
        let parallel = segments([2.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [2.0, 1.0, 0.0]);
        let [first, last] = parallel.overlap_interval().unwrap();
        assert_eq!(first, SegmentParams { on_a: 0.5, on_b: 1.0 });
        assert_eq!(last, SegmentParams { on_a: 1.0, on_b: 0.0 });
        assert_eq!(parallel.vector_between(parallel.closest_params()).length(), 1.0);
    }

    #[test]
    fn zero_length_segments_are_points() {
        let points = segments([0.0; 3], [0.0; 3], [0.0, 3.0, 4.0]);
        assert_eq!(points.vector_between(points.closest_params()).length(), 5.0);
        assert_eq!(points.overlap_interval(), None);
        assert_eq!(points.common_perpendicular(), Vec3::Y);
        let point = segments([0.0; 3], [0.0, 0.0, 1.0], [0.0, 0.0, 3.0]);
        assert_eq!(point.vector_between(point.closest_params()).length(), 2.0);
    }
}
