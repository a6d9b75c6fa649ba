//! Optimality test of a reused contact normal: proof that no other normal has less penetration.
//!
//! ```text
//!          ▲ n            Let d be the penetration along n and w the width of the contact points.
//!     B ╲──┼───────╱      Along a normal tilted by θ the left end of A's face and the right end of
//!     ───a─┼─────a──── A  B's overlap by w sin θ more. A tilt of more than d / w therefore never
//!        ◄── w ──►  ↕ d   reduces the penetration; a smaller one gains at most d (1 − cos θ),
//!                         which is at most d (d / w)² / 2.
//! ```
//!
//! The argument uses only these points, so it holds for any two bodies that contain them: the
//! penetration along a normal is at least that of any point of A and any point of B. Normals nearly
//! opposite to n are excluded separately: the penetration along them is at least the distance of
//! two inner points. For separated shapes the distance along n is the true one if some pair of
//! points is no farther apart.
//!
//! Guarantee: [`SupportWidth::is_optimal`] returns true only if no other normal has a penetration
//! that is smaller by more than [`MAX_DEPTH_GAIN`]. It may return false for an optimal normal.

use embate_geom::{Vec3, scalar};

use crate::narrow_phase::convex::contact_axis::CLIP_DEPTH_TOLERANCE;
use crate::narrow_phase::manifold::Manifold;
use crate::shapes::Shape;

/// Tolerated gain in penetration of another normal, as a ratio of the smaller shape's size.
const MAX_DEPTH_GAIN: f32 = 1e-5;

/// Largest tilt, in radians, for which the bound replaces the sine by the angle.
const MAX_TILT: f32 = 0.1;

/// Extent of the contact points on A, in the frame of A.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SupportWidth {
    /// Lower bound of the width of the points in any tangential direction; 0 for one or two points.
    width: f32,
    /// Difference between the highest and the lowest point along the normal.
    height_range: f32,
    /// Support function of A along the normal.
    support_distance: f32,
    inner_point_a: Vec3,
}

/// A point well inside the shape.
pub(crate) fn inner_point(shape: &Shape) -> Vec3 {
    if let Shape::ConvexHull(hull) = shape { hull.inscribed_sphere().0 } else { Vec3::ZERO }
}

impl SupportWidth {
    /// `local_points` are `[on_a, on_b]`, each in the frame of its body.
    pub(crate) fn new(a: &Shape, normal: Vec3, local_points: &[[Vec3; 2]]) -> Self {
        let on_a = |index: usize| local_points[index][0];
        let (mut low, mut high, mut diameter) = (f32::INFINITY, f32::NEG_INFINITY, 0.0);
        for (index, &[one, _]) in local_points.iter().enumerate() {
            (low, high) = (scalar::min(low, normal.dot(one)), scalar::max(high, normal.dot(one)));
            for &[other, _] in &local_points[index + 1..] {
                diameter = scalar::max(diameter, (other - one).length());
            }
        }
        // The width of a convex polygon is at least its area divided by its diameter. The area is
        // bounded from below by that of the largest triangle.
        let area = |vertices: [usize; 3]| {
            let [a, b, c] = vertices.map(on_a);
            0.5 * (b - a).cross(c - a).dot(normal).abs()
        };
        let area = match local_points.len() {
            3 => area([0, 1, 2]),
            4 => [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]
                .into_iter()
                .fold(0.0, |largest, vertices| scalar::max(largest, area(vertices))),
            _ => 0.0,
        };
        let width = if diameter > 0.0 { area / diameter } else { 0.0 };
        let support_distance =
            a.support_point(normal).map_or(f32::INFINITY, |farthest| farthest.dot(normal));
        Self { width, height_range: high - low, support_distance, inner_point_a: inner_point(a) }
    }

    /// Whether `normal` is optimal within [`MAX_DEPTH_GAIN`].
    ///
    /// `lowest_b` is the support point of B against the normal and `inner_point_b` a point well
    /// inside B, both in the frame of A, as is `normal`. `manifold` holds the current contact
    /// points; `size` is that of the smaller shape.
    pub(crate) fn is_optimal(
        &self,
        normal: Vec3,
        lowest_b: Vec3,
        inner_point_b: Vec3,
        manifold: &Manifold,
        size: f32,
    ) -> bool {
        let depth = self.support_distance - normal.dot(lowest_b);
        let (mut deepest, mut shallowest) = (f32::NEG_INFINITY, f32::INFINITY);
        for point in manifold.points() {
            (deepest, shallowest) = (
                scalar::max(deepest, point.penetration),
                scalar::min(shallowest, point.penetration),
            );
        }
        // Written such that NaN yields false.
        let contains_deepest = depth - deepest <= CLIP_DEPTH_TOLERANCE * size;
        if depth <= 0.0 || !contains_deepest {
            return contains_deepest;
        }
        let height_range = self.height_range + scalar::max(-shallowest, 0.0);
        let tilt = (depth + height_range) / self.width;
        let between = inner_point_b - self.inner_point_a;
        tilt <= MAX_TILT
            && depth * tilt * tilt <= MAX_DEPTH_GAIN * size
            && normal.dot(between) >= depth + tilt * between.length()
    }
}

#[cfg(test)]
mod tests {
    use embate_geom::shapes::Cuboid;

    use super::*;
    use crate::narrow_phase::ContactPoint;

    /// A body `depth` deep in the top face of a box of half-height `half_height`, with four contact
    /// points at `±half_width` on that face.
    fn is_face_normal_optimal(half_width: f32, depth: f32, half_height: f32) -> bool {
        let cuboid = Shape::from(Cuboid::new(Vec3::new(1.0, half_height, 1.0)).unwrap());
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let on_a = corners.map(|[x, z]| Vec3::new(x * half_width, half_height, z * half_width));
        let support = SupportWidth::new(&cuboid, Vec3::Y, &on_a.map(|point| [point; 2]));
        let mut manifold = Manifold::with_normal(Vec3::Y);
        for position in on_a {
            manifold.push(ContactPoint { position, penetration: depth, feature_id: 0 });
        }
        let lowest_b = Vec3::new(0.0, half_height - depth, 0.0);
        let inner_point_b = Vec3::new(0.0, 2.0 * half_height - depth, 0.0);
        support.is_optimal(Vec3::Y, lowest_b, inner_point_b, &manifold, 1.0)
    }

    #[test]
    fn face_normal_of_a_wide_shallow_contact_is_optimal() {
        assert!(is_face_normal_optimal(0.5, 0.01, 1.0));
        assert!(is_face_normal_optimal(0.01, -0.01, 1.0), "separated: no width is needed");
        assert!(!is_face_normal_optimal(0.05, 0.01, 1.0), "narrow: a side may be nearer");
        assert!(!is_face_normal_optimal(0.5, 0.2, 1.0), "deep: a side may be nearer");
        assert!(!is_face_normal_optimal(0.5, 0.01, 0.004), "thin: the opposite face may be nearer");
    }

    #[test]
    fn normal_is_not_optimal_if_a_vertex_is_deeper_than_all_points() {
        let cube = Shape::from(Cuboid::new(Vec3::splat(1.0)).unwrap());
        let on_a = [Vec3::new(-0.5, 1.0, 0.0), Vec3::new(0.5, 1.0, 0.5), Vec3::new(0.5, 1.0, -0.5)];
        let support = SupportWidth::new(&cube, Vec3::Y, &on_a.map(|point| [point; 2]));
        let mut manifold = Manifold::with_normal(Vec3::Y);
        for position in on_a {
            manifold.push(ContactPoint { position, penetration: 0.01, feature_id: 0 });
        }
        let is_optimal_with_lowest = |y: f32| {
            support.is_optimal(Vec3::Y, Vec3::new(0.9, y, 0.9), Vec3::Y * 2.0, &manifold, 1.0)
        };
        assert!(is_optimal_with_lowest(0.99));
        assert!(!is_optimal_with_lowest(0.989) && !is_optimal_with_lowest(f32::NAN));
    }
}
