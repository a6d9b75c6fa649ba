//! Is the normal of a contact still the best, though nobody has searched?
//!
//! ```text
//!          ▲ n                     Along a normal that is tilted by θ, the left end of A's face and the right end of
//!     B ╲──┼───────╱               B's are `w sin θ` farther in each other. So to tilt is worse, but for tilts below
//!     ───a─┼─────a──── A           d / w, and those gain no more than `d (1 − cos θ)`, which is d (d / w)² / 2.
//!        ◄── w ──►  ↕ d
//! ```
//!
//! That holds for any two bodies that have these points: the depth along a normal is at least what any point of A and
//! any of B say. What is left are normals nearly opposite to n: along those, the way between the middles is the depth
//! or less. And bodies that n parts are as far apart as n says, if there are points that are no farther apart.
//!
//! Promise: "yes" is said only if no normal is better than this one by more than [`GAIN`].

use embate_geom::{Vec3, scalar};

use crate::narrow_phase::convex::contact_axis::CLIP_DEPTH_TOLERANCE;
use crate::narrow_phase::manifold::Manifold;
use crate::shapes::Shape;

/// By how much another normal may be better, as a part of the smaller one's size.
const GAIN: f32 = 1e-5;

/// The largest tilt for which a sine is as good as its angle.
const TILT: f32 = 0.1;

/// The points of a contact on A, as seen from A.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SupportWidth {
    /// How wide they are at least, whichever way one looks at them along the face; 0 for one or two.
    width: f32,
    /// How much some of them are higher than others, along the normal.
    uneven: f32,
    /// How far A reaches along the normal.
    reach: f32,
    middle: Vec3,
}

/// A point well inside.
pub(crate) fn inner_point(shape: &Shape) -> Vec3 {
    if let Shape::ConvexHull(hull) = shape { hull.inscribed_sphere().0 } else { Vec3::ZERO }
}

impl SupportWidth {
    /// Of points on A and on B, each as seen from its body.
    pub(crate) fn new(a: &Shape, normal: Vec3, points: &[[Vec3; 2]]) -> Self {
        let on_a = |index: usize| points[index][0];
        let (mut low, mut high, mut longest) = (f32::INFINITY, f32::NEG_INFINITY, 0.0);
        for (index, &[one, _]) in points.iter().enumerate() {
            (low, high) = (scalar::min(low, normal.dot(one)), scalar::max(high, normal.dot(one)));
            for &[other, _] in &points[index + 1..] {
                longest = scalar::max(longest, (other - one).length());
            }
        }
        // The largest triangle: a convex figure is no narrower than its area by its longest line.
        let area = |corners: [usize; 3]| {
            let [a, b, c] = corners.map(on_a);
            0.5 * (b - a).cross(c - a).dot(normal).abs()
        };
        let area = match points.len() {
            3 => area([0, 1, 2]),
            4 => [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]]
                .into_iter()
                .fold(0.0, |most, corners| scalar::max(most, area(corners))),
            _ => 0.0,
        };
        let width = if longest > 0.0 { area / longest } else { 0.0 };
        let reach = a.support_point(normal).map_or(f32::INFINITY, |farthest| farthest.dot(normal));
        Self { width, uneven: high - low, reach, middle: inner_point(a) }
    }

    /// Whether `normal` is still the best; `lowest` is the point of B that reaches farthest against it, all as seen from
    /// A. `contact_manifold` holds the points as they are now, `size` is that of the smaller body.
    pub(crate) fn is_best(
        &self,
        normal: Vec3,
        lowest: Vec3,
        middle: Vec3,
        contact: &Manifold,
        size: f32,
    ) -> bool {
        let depth = self.reach - normal.dot(lowest);
        let (mut deepest, mut least) = (f32::NEG_INFINITY, f32::INFINITY);
        for point in contact.points() {
            (deepest, least) =
                (scalar::max(deepest, point.penetration), scalar::min(least, point.penetration));
        }
        // So that a NaN knows of nothing.
        let knows_deepest = depth - deepest <= CLIP_DEPTH_TOLERANCE * size;
        if depth <= 0.0 || !knows_deepest {
            return knows_deepest;
        }
        let uneven = self.uneven + scalar::max(-least, 0.0);
        let tilt = (depth + uneven) / self.width;
        let between = middle - self.middle;
        tilt <= TILT
            && depth * tilt * tilt <= GAIN * size
            && normal.dot(between) >= depth + tilt * between.length()
    }
}

#[cfg(test)]
mod tests {
    use embate_geom::shapes::Cuboid;

    use super::*;
    use crate::narrow_phase::ContactPoint;

    /// Four points, `half` from the middle of the top of a cube, another `depth` deep in it.
    fn asked(half: f32, depth: f32, thick: f32) -> bool {
        let cube = Shape::from(Cuboid::new(Vec3::new(1.0, thick, 1.0)).unwrap());
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let on_a = corners.map(|[x, z]| Vec3::new(x * half, thick, z * half));
        let spread = SupportWidth::new(&cube, Vec3::Y, &on_a.map(|point| [point; 2]));
        let mut contact = Manifold::with_normal(Vec3::Y);
        for point in on_a {
            contact.push(ContactPoint { position: point, penetration: depth, feature_id: 0 });
        }
        let lowest = Vec3::new(0.0, thick - depth, 0.0);
        spread.is_best(Vec3::Y, lowest, Vec3::new(0.0, 2.0 * thick - depth, 0.0), &contact, 1.0)
    }

    #[test]
    fn what_is_sunk_a_little_over_a_wide_face_leaves_it_along_its_normal() {
        assert!(asked(0.5, 0.01, 1.0));
        assert!(asked(0.01, -0.01, 1.0), "apart, points need no width");
        assert!(!asked(0.05, 0.01, 1.0), "over a narrow one it may leave by the side");
        assert!(!asked(0.5, 0.2, 1.0), "and so it may if it is deep");
        assert!(!asked(0.5, 0.01, 0.004), "what is thin may leave on the other side");
    }

    #[test]
    fn a_corner_that_none_of_the_points_knows_of_is_not_overlooked() {
        let cube = Shape::from(Cuboid::new(Vec3::splat(1.0)).unwrap());
        let on_a = [Vec3::new(-0.5, 1.0, 0.0), Vec3::new(0.5, 1.0, 0.5), Vec3::new(0.5, 1.0, -0.5)];
        let spread = SupportWidth::new(&cube, Vec3::Y, &on_a.map(|point| [point; 2]));
        let mut contact = Manifold::with_normal(Vec3::Y);
        for point in on_a {
            contact.push(ContactPoint { position: point, penetration: 0.01, feature_id: 0 });
        }
        let asked = |lowest: f32| {
            spread.is_best(Vec3::Y, Vec3::new(0.9, lowest, 0.9), Vec3::Y * 2.0, &contact, 1.0)
        };
        assert!(asked(0.99));
        assert!(!asked(0.989) && !asked(f32::NAN));
    }
}
