//! Test of Segura and Feito (2001): a segment crosses a triangle if the tetrahedra of the segment
//! and each edge have the same sign.
//!
//! ```text
//!            c            the segment Q → Q' and an edge a → b span a tetrahedron;
//!           ╱ ╲           its signed volume says on which side the segment passes:
//!          ╱ × ╲          |Q Q' a b|, |Q Q' b c|, |Q Q' c a| all ≥ 0 or all ≤ 0
//!         a─────b
//! ```
//!
//! The published test answers yes or no for a segment, without a division. For a ray, `Q` is the
//! origin and `Q'` the origin plus the direction, which leaves the sides of the edges unchanged; `t`
//! is that of the triangle's plane, computed after the test. Two edges share a vertex and thus a
//! cross product, so that the test needs two of them. An edge is evaluated in another order in each
//! of its two triangles: the signs may contradict each other, and the ray leaks.

use embate_geom::{Ray, Triangle, TriangleHit};

use super::ray_frame::{RayFrame, accepts, plane_parameter};
use super::{TriangleTest, TriangleTestKind};

/// Signs of three tetrahedra, in f32, with early exits.
#[derive(Clone, Copy, Debug)]
pub struct SeguraFeito(RayFrame);

impl TriangleTest for SeguraFeito {
    const KIND: TriangleTestKind = TriangleTestKind::SeguraFeito;

    fn new(ray: &Ray<3>) -> Self {
        Self(RayFrame::new(ray))
    }

    #[inline]
    fn intersect(&self, triangle: &Triangle, index: u32, t_max: f32) -> Option<TriangleHit> {
        let vertices @ [a, b, c] = self.0.relative(triangle);
        let (direction, culls) = (self.0.direction, self.0.culls_back_faces);
        let shared = direction.cross(a);
        let (ab, ca) = (b.dot(shared), -c.dot(shared));
        // The third volume is not computed if the first two exclude a hit.
        if !accepts([ab, ca, 0.0], culls) {
            return None;
        }
        let bc = c.dot(direction.cross(b));
        let sum = ab + bc + ca;
        if !accepts([ab, bc, ca], culls) || sum == 0.0 {
            return None;
        }
        self.0.hit(plane_parameter(direction, vertices), [ca / sum, ab / sum], index, t_max)
    }
}
