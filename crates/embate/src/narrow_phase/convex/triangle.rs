//! A triangle of a mesh as a solid with flat faces: a front and a back, and nothing between.

use embate_geom::{Vec3, Wide};

use super::bound::{Bound, OpenFaces};
use super::polytope::Polytope;
use super::support::Support;

/// The face of the front, as a [`Polytope`].
pub(super) const FRONT: u32 = 0;
/// The face of the back.
pub(super) const BACK: u32 = 1;

/// A triangle about its own middle, so that a mesh may lie far from its origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Triangle {
    corners: [Vec3; 3],
    /// The same, not rounded.
    wide: [Wide; 3],
    /// Out of the front, of length 1.
    pub(super) normal: Vec3,
    offset: f32,
    outer_radius: f32,
    reach: f32,
}

impl Triangle {
    /// By its corners counter-clockwise, and its normal; and where its middle is.
    pub(super) fn new(corners: [Vec3; 3], normal: Vec3) -> (Self, Vec3) {
        let middle = (corners[0] + (corners[1] + corners[2])) * (1.0 / 3.0);
        let own = corners.map(|corner| corner - middle);
        let most = |of: fn(Vec3) -> f32| {
            own.iter()
                .fold(0.0_f32, |most, &corner| if of(corner) > most { of(corner) } else { most })
        };
        // The farthest corner, so that none is beyond the plane.
        let offset = own.iter().fold(f32::NEG_INFINITY, |offset, &corner| {
            let along = normal.dot(corner);
            if along > offset { along } else { offset }
        });
        let triangle = Self {
            corners: own,
            wide: corners.map(|corner| Wide::from(corner) - Wide::from(middle)),
            normal,
            offset,
            outer_radius: most(Vec3::length) * (1.0 + 4.0 * f32::EPSILON),
            reach: most(|corner| corner.abs().largest()),
        };
        (triangle, middle)
    }

    pub(super) fn corner(&self, index: usize) -> Vec3 {
        self.corners[index % 3]
    }

    /// Out of a side, of length 1.
    pub(super) fn side(&self, face: u32) -> Vec3 {
        if face == FRONT { self.normal } else { -self.normal }
    }

    /// The side a point lies on.
    pub(super) fn side_of(&self, point: Vec3) -> u32 {
        if self.normal.dot(point) >= self.offset { FRONT } else { BACK }
    }

    /// The side that a normal leaves by; `otherwise` if it hardly leaves the plane.
    pub(super) fn side_along(&self, out: Vec3, otherwise: u32) -> u32 {
        /// As a sine: below what can be felt.
        const LEAN: f32 = 1e-4;
        match self.normal.dot(out) {
            along if along > LEAN => FRONT,
            along if along < -LEAN => BACK,
            _ => otherwise,
        }
    }

    /// The height of a point over a side.
    pub(super) fn height(&self, face: u32, point: Vec3) -> f32 {
        let height = self.normal.dot(point) - self.offset;
        if face == FRONT { height } else { -height }
    }

    /// How far inside of each edge a point lies, seen along the normal, times the length of the edge.
    pub(super) fn inside(&self, point: Vec3) -> [f32; 3] {
        core::array::from_fn(|edge| {
            let from = self.corners[edge];
            self.normal.dot((self.corner(edge + 1) - from).cross(point - from))
        })
    }

    /// The point nearest to another.
    ///
    /// Ericson, "Real-Time Collision Detection", 5.1.5, in f64.
    pub(super) fn nearest(&self, point: Wide) -> Wide {
        let [a, b, c] = self.wide;
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
        let of_c = ab_a * ac_b - ab_b * ac_a;
        if of_c <= 0.0 && ab_a >= 0.0 && ab_b <= 0.0 {
            return a + ab * (ab_a / (ab_a - ab_b));
        }
        let of_b = ab_c * ac_a - ab_a * ac_c;
        if of_b <= 0.0 && ac_a >= 0.0 && ac_c <= 0.0 {
            return a + ac * (ac_a / (ac_a - ac_c));
        }
        let of_a = ab_b * ac_c - ab_c * ac_b;
        if of_a <= 0.0 && ac_b >= ab_b && ab_c >= ac_c {
            let share = (ac_b - ab_b) / ((ac_b - ab_b) + (ab_c - ac_c));
            return b + (c - b) * share;
        }
        let sum = of_a + of_b + of_c;
        a + ab * (of_b / sum) + ac * (of_c / sum)
    }
}

impl Support for Triangle {
    #[inline]
    fn corner_along(&self, direction: Vec3) -> (u32, Vec3) {
        let along = self.corners.map(|corner| corner.dot(direction));
        let best = usize::from(along[1] > along[0]);
        let best = if along[2] > along[best] { 2 } else { best };
        (best as u32, self.corners[best])
    }
}

impl Polytope for Triangle {
    fn inner_ball(&self) -> (Vec3, f32) {
        (Vec3::ZERO, 0.0)
    }

    fn outer_radius(&self) -> f32 {
        self.outer_radius
    }

    fn reach(&self) -> f32 {
        self.reach
    }

    fn vertex(&self, index: u32) -> Vec3 {
        self.corner(index as usize)
    }

    fn face_count(&self) -> u32 {
        2
    }

    fn plane(&self, face: u32) -> (Vec3, f32) {
        if face == FRONT { (self.normal, self.offset) } else { (-self.normal, -self.offset) }
    }

    fn corners(&self, face: u32) -> &[u32] {
        if face == FRONT { &[0, 1, 2] } else { &[2, 1, 0] }
    }

    fn edge_count(&self) -> u32 {
        3
    }

    fn edge(&self, edge: u32) -> ([u32; 2], [u32; 2]) {
        ([edge, (edge + 1) % 3], [FRONT, BACK])
    }

    fn farthest_plane(&self, point: Vec3) -> (u32, f32) {
        let face = self.side_of(point);
        (face, self.height(face, point))
    }

    fn faces_within(&self, _: &Bound, _: f32, open: &mut OpenFaces) {
        // Two are not worth a test.
        open.add(FRONT);
        open.add(BACK);
    }

    fn edges_around(&self, face: u32) -> &[u32] {
        if face == FRONT { &[0, 1, 2] } else { &[1, 0, 2] }
    }

    fn edge_between(&self, one: u32, other: u32) -> Option<u32> {
        match (one, other) {
            (0, 1) | (1, 0) => Some(0),
            (1, 2) | (2, 1) => Some(1),
            (2, 0) | (0, 2) => Some(2),
            _ => None,
        }
    }

    /// In f64: the lines of a sliver tell little in f32.
    fn is_over(&self, face: u32, point: Vec3) -> bool {
        let [a, b, c] = self.wide;
        let normal = (b - a).cross(c - a);
        let (normal, point) = (if face == FRONT { normal } else { -normal }, Wide::from(point));
        let side = if face == FRONT { 1.0 } else { -1.0 };
        [(a, b), (b, c), (c, a)]
            .iter()
            .all(|&(from, to)| side * normal.dot((to - from).cross(point - from)) >= 0.0)
    }

    fn face_at(&self, _: u32, direction: Vec3) -> u32 {
        if self.normal.dot(direction) >= 0.0 { FRONT } else { BACK }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_point_is_a_corner_on_an_edge_or_inside() {
        let corners = [Vec3::ZERO, Vec3::new(3.0, 0.0, 0.0), Vec3::new(0.0, 3.0, 0.0)];
        let (triangle, middle) = Triangle::new(corners, Vec3::Z);
        let nearest = |x: f32, y: f32, z: f32| {
            triangle.nearest(Wide::from(Vec3::new(x, y, z) - middle)).narrow() + middle
        };
        assert_eq!(nearest(1.0, 1.0, 2.0), Vec3::new(1.0, 1.0, 0.0));
        assert_eq!(nearest(1.5, -1.0, 2.0), Vec3::new(1.5, 0.0, 0.0));
        assert_eq!(nearest(-1.0, -1.0, 0.0), Vec3::ZERO);
        assert_eq!(nearest(4.0, 4.0, 1.0), Vec3::new(1.5, 1.5, 0.0));
        assert_eq!(triangle.side_of(Vec3::Z), FRONT);
        assert_eq!(triangle.side_of(-Vec3::Z), BACK);
    }
}
