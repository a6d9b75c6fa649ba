//! Test by Plücker coordinates: the permuted inner products of the ray and the three edges.
//!
//! With vertices relative to the ray's origin, the ray has the moment 0, an edge `a → b` has the
//! moment `a × b`, and their product is `direction · (a × b)`. Exchanging `a` and `b` negates every
//! intermediate result, so two triangles agree about the edge they share: no ray leaks along an
//! edge. At a vertex the rounded signs of all its edges may exclude every triangle (Woop et al.
//! 2013, figure 1).

use embate_geom::{Ray, Triangle, TriangleHit};

use super::ray_frame::{RayFrame, accepts, plane_parameter};
use super::{TriangleTest, TriangleTestKind};

/// Sides of the edges by Plücker coordinates, in f32.
#[derive(Clone, Copy, Debug)]
pub struct Plucker(RayFrame);

impl TriangleTest for Plucker {
    const KIND: TriangleTestKind = TriangleTestKind::Plucker;

    fn new(ray: &Ray<3>) -> Self {
        Self(RayFrame::new(ray))
    }

    #[inline]
    fn intersect(&self, triangle: &Triangle, index: u32, t_max: f32) -> Option<TriangleHit> {
        let vertices @ [a, b, c] = self.0.relative(triangle);
        let direction = self.0.direction;
        let sides @ [ab, bc, ca] = [(a, b), (b, c), (c, a)].map(|(p, q)| direction.dot(p.cross(q)));
        let sum = ab + bc + ca;
        if !accepts(sides, self.0.culls_back_faces) || sum == 0.0 {
            return None;
        }
        self.0.hit(plane_parameter(direction, vertices), [ca / sum, ab / sum], index, t_max)
    }
}
