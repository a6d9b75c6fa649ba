//! Mesh triangle as a flat two-sided polyhedron: a front face and a back face without volume.

use embate_geom::{DVec3, Vec3};

use crate::narrow_phase::convex::polyhedron::PolyhedralShape;
use crate::narrow_phase::convex::sat_culling::{AxisBound, CandidateFaces};
use crate::narrow_phase::convex::support::Support;

/// Index of the front face as a [`PolyhedralShape`].
pub(crate) const FRONT_FACE: u32 = 0;
/// Index of the back face.
pub(crate) const BACK_FACE: u32 = 1;

/// A triangle relative to its own centroid, so that a mesh may lie far from its origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TrianglePolyhedron {
    vertices: [Vec3; 3],
    /// The vertices before rounding.
    vertices_f64: [DVec3; 3],
    /// Unit normal of the front face.
    pub(crate) normal: Vec3,
    offset: f32,
    bounding_radius: f32,
    max_abs_coordinate: f32,
}

impl TrianglePolyhedron {
    /// Creates the triangle from its vertices, counter-clockwise, and its normal; also returns the
    /// centroid.
    pub(crate) fn new(vertices: [Vec3; 3], normal: Vec3) -> (Self, Vec3) {
        let centroid = (vertices[0] + (vertices[1] + vertices[2])) * (1.0 / 3.0);
        // Not `map`, which is not inlined here.
        let [a, b, c] = vertices;
        let local = [a - centroid, b - centroid, c - centroid];
        let centroid_f64 = DVec3::from(centroid);
        let max_over_vertices = |measure: fn(Vec3) -> f32| {
            local.iter().fold(
                0.0_f32,
                |max, &vertex| if measure(vertex) > max { measure(vertex) } else { max },
            )
        };
        // The farthest vertex, so that none lies in front of the plane.
        let offset = local.iter().fold(f32::NEG_INFINITY, |offset, &vertex| {
            let height = normal.dot(vertex);
            if height > offset { height } else { offset }
        });
        let triangle = Self {
            vertices: local,
            vertices_f64: [
                DVec3::from(a) - centroid_f64,
                DVec3::from(b) - centroid_f64,
                DVec3::from(c) - centroid_f64,
            ],
            normal,
            offset,
            bounding_radius: max_over_vertices(Vec3::length) * (1.0 + 4.0 * f32::EPSILON),
            max_abs_coordinate: max_over_vertices(|vertex| vertex.abs().max_element()),
        };
        (triangle, centroid)
    }

    pub(crate) fn vertex_mod3(&self, index: usize) -> Vec3 {
        self.vertices[index % 3]
    }

    /// Unit normal of a face.
    pub(crate) fn face_normal(&self, face: u32) -> Vec3 {
        if face == FRONT_FACE { self.normal } else { -self.normal }
    }

    /// The face that a point is in front of.
    pub(crate) fn face_toward(&self, point: Vec3) -> u32 {
        if self.normal.dot(point) >= self.offset { FRONT_FACE } else { BACK_FACE }
    }

    /// The face that a contact normal leaves through; `fallback` if the normal is nearly in the
    /// plane.
    pub(crate) fn face_along(&self, normal: Vec3, fallback: u32) -> u32 {
        /// As a sine: below any effect on a contact.
        const IN_PLANE_SINE: f32 = 1e-4;
        match self.normal.dot(normal) {
            sine if sine > IN_PLANE_SINE => FRONT_FACE,
            sine if sine < -IN_PLANE_SINE => BACK_FACE,
            _ => fallback,
        }
    }

    /// Signed distance of a point from a face.
    pub(crate) fn height_above(&self, face: u32, point: Vec3) -> f32 {
        let height = self.normal.dot(point) - self.offset;
        if face == FRONT_FACE { height } else { -height }
    }

    /// Edge functions of a point projected along the normal: its signed distance inside each edge
    /// times the length of the edge.
    pub(crate) fn edge_functions(&self, point: Vec3) -> [f32; 3] {
        core::array::from_fn(|edge| {
            let start = self.vertices[edge];
            self.normal.dot((self.vertex_mod3(edge + 1) - start).cross(point - start))
        })
    }

    /// The point of the triangle closest to `point`.
    ///
    /// Ericson, "Real-Time Collision Detection", 5.1.5, in f64.
    pub(crate) fn closest_point(&self, point: DVec3) -> DVec3 {
        let [a, b, c] = self.vertices_f64;
        let (ab, ac, ap) = (b - a, c - a, point - a);
        let (ab_a, ac_a) = (ab.dot(ap), ac.dot(ap));
        if ab_a <= 0.0 && ac_a <= 0.0 {
            return a;
        }
        let bp = point - b;
        let (ab_b, ac_b) = (ab.dot(bp), ac.dot(bp));
        if ab_b >= 0.0 && ac_b <= ab_b {
            return b;
        }
        let cp = point - c;
        let (ab_c, ac_c) = (ab.dot(cp), ac.dot(cp));
        if ac_c >= 0.0 && ab_c <= ac_c {
            return c;
        }
        let area_c = ab_a * ac_b - ab_b * ac_a;
        if area_c <= 0.0 && ab_a >= 0.0 && ab_b <= 0.0 {
            return a + ab * (ab_a / (ab_a - ab_b));
        }
        let area_b = ab_c * ac_a - ab_a * ac_c;
        if area_b <= 0.0 && ac_a >= 0.0 && ac_c <= 0.0 {
            return a + ac * (ac_a / (ac_a - ac_c));
        }
        let area_a = ab_b * ac_c - ab_c * ac_b;
        if area_a <= 0.0 && ac_b >= ab_b && ab_c >= ac_c {
            let t = (ac_b - ab_b) / ((ac_b - ab_b) + (ab_c - ac_c));
            return b + (c - b) * t;
        }
        let total = area_a + area_b + area_c;
        a + ab * (area_b / total) + ac * (area_c / total)
    }
}

impl Support for TrianglePolyhedron {
    #[inline]
    fn support_vertex(&self, direction: Vec3) -> (u32, Vec3) {
        let dots = self.vertices.map(|vertex| vertex.dot(direction));
        let best = usize::from(dots[1] > dots[0]);
        let best = if dots[2] > dots[best] { 2 } else { best };
        (best as u32, self.vertices[best])
    }
}

impl PolyhedralShape for TrianglePolyhedron {
    fn inscribed_sphere(&self) -> (Vec3, f32) {
        (Vec3::ZERO, 0.0)
    }

    fn bounding_radius(&self) -> f32 {
        self.bounding_radius
    }

    fn max_abs_coordinate(&self) -> f32 {
        self.max_abs_coordinate
    }

    fn vertex(&self, index: u32) -> Vec3 {
        self.vertex_mod3(index as usize)
    }

    fn face_count(&self) -> u32 {
        2
    }

    fn plane(&self, face: u32) -> (Vec3, f32) {
        if face == FRONT_FACE { (self.normal, self.offset) } else { (-self.normal, -self.offset) }
    }

    fn face_vertices(&self, face: u32) -> &[u32] {
        if face == FRONT_FACE { &[0, 1, 2] } else { &[2, 1, 0] }
    }

    fn edge_count(&self) -> u32 {
        3
    }

    fn edge(&self, edge: u32) -> ([u32; 2], [u32; 2]) {
        ([edge, (edge + 1) % 3], [FRONT_FACE, BACK_FACE])
    }

    fn max_separation_face(&self, point: Vec3) -> (u32, f32) {
        let face = self.face_toward(point);
        (face, self.height_above(face, point))
    }

    fn collect_candidate_faces(&self, _: &AxisBound, _: f32, candidates: &mut CandidateFaces) {
        // Culling two faces costs more than testing them.
        candidates.push(FRONT_FACE);
        candidates.push(BACK_FACE);
    }

    fn edges_of_face(&self, face: u32) -> &[u32] {
        if face == FRONT_FACE { &[0, 1, 2] } else { &[1, 0, 2] }
    }

    fn edge_between(&self, first: u32, second: u32) -> Option<u32> {
        match (first, second) {
            (0, 1) | (1, 0) => Some(0),
            (1, 2) | (2, 1) => Some(1),
            (2, 0) | (0, 2) => Some(2),
            _ => None,
        }
    }

    /// In f64: the edge lines of a sliver are too imprecise in f32.
    fn is_over_face(&self, face: u32, point: Vec3) -> bool {
        let [a, b, c] = self.vertices_f64;
        let normal = (b - a).cross(c - a);
        let (normal, point) =
            (if face == FRONT_FACE { normal } else { -normal }, DVec3::from(point));
        let sign = if face == FRONT_FACE { 1.0 } else { -1.0 };
        [(a, b), (b, c), (c, a)]
            .iter()
            .all(|&(from, to)| sign * normal.dot((to - from).cross(point - from)) >= 0.0)
    }

    fn most_aligned_face(&self, _: u32, direction: Vec3) -> u32 {
        if self.normal.dot(direction) >= 0.0 { FRONT_FACE } else { BACK_FACE }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closest_point_is_a_vertex_on_an_edge_or_inside() {
        let vertices = [Vec3::ZERO, Vec3::new(3.0, 0.0, 0.0), Vec3::new(0.0, 3.0, 0.0)];
        let (triangle, centroid) = TrianglePolyhedron::new(vertices, Vec3::Z);
        let closest = |x: f32, y: f32, z: f32| {
            triangle.closest_point(DVec3::from(Vec3::new(x, y, z) - centroid)).as_vec3() + centroid
        };
        assert_eq!(closest(1.0, 1.0, 2.0), Vec3::new(1.0, 1.0, 0.0));
        assert_eq!(closest(1.5, -1.0, 2.0), Vec3::new(1.5, 0.0, 0.0));
        assert_eq!(closest(-1.0, -1.0, 0.0), Vec3::ZERO);
        assert_eq!(closest(4.0, 4.0, 1.0), Vec3::new(1.5, 1.5, 0.0));
        assert_eq!(triangle.face_toward(Vec3::Z), FRONT_FACE);
        assert_eq!(triangle.face_toward(-Vec3::Z), BACK_FACE);
    }
}
