//! Where are two bodies nearest, or deepest in each other? What every pair that touches in one point
//! answers; distance and contact are read off it.

use embate_geom::{Vec3, Wide};

use super::feature::{Part, feature};
use super::manifold::{ContactPoint, Manifold, Separation};

/// The nearest points of two bodies, in the world.
#[derive(Clone, Copy, Debug)]
pub(super) struct Nearest {
    /// From A to B, of length 1.
    pub(super) normal: Vec3,
    /// Between the surfaces; below 0 inside.
    pub(super) distance: f32,
    /// Of A, of B.
    pub(super) points: [Vec3; 2],
    /// Which parts meet.
    pub(super) parts: [Part; 2],
}

impl Nearest {
    /// Two balls: the middle of the first, its radius, the way to the middle of the second, its radius.
    /// Where that way is not longer than `vague`, its direction is rounding, and `otherwise` the normal.
    ///
    /// `None` if their surfaces are farther apart than `beyond`.
    #[inline]
    pub(super) fn of_balls(
        (middle, radius_a): (Vec3, f32),
        (between, radius_b): (Wide, f32),
        beyond: f32,
        vague: f64,
        otherwise: impl FnOnce() -> Vec3,
    ) -> Option<Self> {
        let length = between.length();
        let distance = length - f64::from(radius_a + radius_b);
        if distance > f64::from(beyond) {
            return None;
        }
        let normal = if length > vague { (between * (1.0 / length)).narrow() } else { otherwise() };
        Some(Self {
            normal,
            distance: distance as f32,
            points: [middle + normal * radius_a, middle + (between.narrow() - normal * radius_b)],
            parts: [Part::WHOLE; 2],
        })
    }

    #[inline]
    pub(super) fn contact_point(&self) -> ContactPoint {
        let [on_a, on_b] = self.points;
        ContactPoint {
            point: (on_a + on_b) * 0.5,
            depth: -self.distance,
            feature: feature(self.parts[0], self.parts[1]),
        }
    }

    /// As the only contact.
    #[inline]
    pub(super) fn manifold(&self) -> Manifold {
        Manifold::single(self.normal, self.contact_point())
    }

    #[inline]
    pub(super) fn separation(&self) -> Separation {
        Separation { distance: self.distance, normal_ab: self.normal, points: self.points }
    }
}
