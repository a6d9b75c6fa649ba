//! Exact test: decides by sign-exact volumes on which side of each edge a ray passes.
//!
//! Guarantee: hit or miss is that of real arithmetic on the f32 input; `t` is accurate to 1e-8 of
//! itself. It is the ground truth of the other tests, not for use in ray casting.

use embate_geom::predicates::{line_edge_volume, tetrahedron_volume};
use embate_geom::{CullMode, Ray, Triangle, TriangleHit};

use super::{TriangleTest, TriangleTestKind};

/// Ground truth of the ray–triangle tests.
#[derive(Clone, Copy, Debug)]
pub struct ExactTest(Ray<3>);

/// The point in which the line of a ray crosses a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Ray parameter; negative behind the origin.
    pub t: f64,
    /// Barycentric weights of the three vertices.
    pub weights: [f64; 3],
    /// Whether the ray meets the front of the triangle.
    pub is_front: bool,
}

impl ExactTest {
    /// Where the line of the ray crosses the triangle, edges included, if it does. A line in the
    /// plane of the triangle does not cross it.
    #[must_use]
    pub fn crossing(&self, triangle: &Triangle) -> Option<Crossing> {
        if !self.0.is_valid() {
            return None;
        }
        let volumes = self.edge_volumes(triangle);
        let any_front = volumes.iter().any(|&volume| volume < 0.0);
        let any_back = volumes.iter().any(|&volume| volume > 0.0);
        if any_front == any_back {
            return None;
        }
        let [a, b, c] = triangle.0;
        let sum: f64 = volumes.iter().sum();
        Some(Crossing {
            t: tetrahedron_volume(self.0.origin, a, b, c) / sum,
            weights: volumes.map(|volume| volume / sum),
            is_front: any_front,
        })
    }

    /// Whether hit or miss is clear: the line crosses the plane of the triangle at an angle, not at
    /// the origin of the ray, and passes each edge at a distance of `margin` of the triangle or
    /// more.
    #[must_use]
    pub fn is_clear(&self, triangle: &Triangle, margin: f64) -> bool {
        let volumes = self.edge_volumes(triangle);
        let sum: f64 = volumes.iter().sum();
        let size: f64 = volumes.iter().map(|volume| volume.abs()).sum();
        // Where the volumes cancel, the triangle is nearly edge-on.
        let [a, b, c] = triangle.0;
        sum.abs() > margin * size
            && volumes.iter().all(|volume| volume.abs() > margin * sum.abs())
            && tetrahedron_volume(self.0.origin, a, b, c).abs() > 1e-3 * sum.abs()
    }

    /// Volumes of the edges opposite to the three vertices, signs exact; negative at the front.
    fn edge_volumes(&self, triangle: &Triangle) -> [f64; 3] {
        let [a, b, c] = triangle.0;
        let volume = |from, to| line_edge_volume(self.0.origin, self.0.direction, from, to);
        [volume(b, c), volume(c, a), volume(a, b)]
    }
}

impl TriangleTest for ExactTest {
    const KIND: TriangleTestKind = TriangleTestKind::Exact;

    fn new(ray: &Ray<3>) -> Self {
        Self(*ray)
    }

    fn intersect(&self, triangle: &Triangle, index: u32, t_max: f32) -> Option<TriangleHit> {
        let Crossing { t, weights: [_, u, v], is_front } = self.crossing(triangle)?;
        let is_in_range = f64::from(self.0.t_min) <= t && t <= f64::from(t_max);
        let is_culled = self.0.cull_mode == CullMode::BackFaces && !is_front;
        let [t, u, v] = [t, u, v].map(|value| value as f32 + 0.0);
        (is_in_range && !is_culled).then_some(TriangleHit { t, triangle: index, u, v })
    }
}
