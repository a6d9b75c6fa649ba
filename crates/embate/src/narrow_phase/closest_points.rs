//! Closest features: the common result of all pairs that touch in one point. Distance and
//! single-point manifold derive from it.

use embate_geom::{DVec3, Vec3};

use crate::narrow_phase::feature_id::{FeatureId, pack_features};
use crate::narrow_phase::manifold::{ClosestPoints, ContactPoint, Manifold};

/// Witness points of two shapes and the features they lie on, in world space.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClosestFeatures {
    /// Unit normal from A to B.
    pub(super) normal: Vec3,
    /// Signed distance of the surfaces; negative inside.
    pub(super) distance: f32,
    /// Witness points on A and on B.
    pub(super) points: [Vec3; 2],
    /// Features of A and B that contain the witness points.
    pub(super) features: [FeatureId; 2],
}

/// Two spheres.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpherePair {
    /// In world space.
    pub(super) center_a: Vec3,
    pub(super) radius_a: f32,
    /// From the center of A to that of B.
    pub(super) a_to_b: DVec3,
    pub(super) radius_b: f32,
}

impl ClosestFeatures {
    /// Closest features of two spheres; `None` if their distance exceeds `max_distance`.
    ///
    /// If the centers are no farther apart than `min_length`, the direction between them is
    /// rounding noise and `fallback_normal` is used.
    #[inline]
    pub(super) fn of_spheres(
        spheres: &SpherePair,
        max_distance: f32,
        min_length: f64,
        fallback_normal: impl FnOnce() -> Vec3,
    ) -> Option<Self> {
        let SpherePair { center_a, radius_a, a_to_b, radius_b } = *spheres;
        let length = a_to_b.length();
        let distance = length - f64::from(radius_a + radius_b);
        if distance > f64::from(max_distance) {
            return None;
        }
        let normal = if length > min_length {
            (a_to_b * (1.0 / length)).as_vec3()
        } else {
            fallback_normal()
        };
        Some(Self {
            normal,
            distance: distance as f32,
            points: [
                center_a + normal * radius_a,
                center_a + (a_to_b.as_vec3() - normal * radius_b),
            ],
            features: [FeatureId::ROUND; 2],
        })
    }

    #[inline]
    pub(super) fn contact_point(&self) -> ContactPoint {
        let [on_a, on_b] = self.points;
        ContactPoint {
            position: (on_a + on_b) * 0.5,
            penetration: -self.distance,
            feature_id: pack_features(self.features[0], self.features[1]),
        }
    }

    /// The manifold with this single point.
    #[inline]
    pub(super) fn manifold(&self) -> Manifold {
        Manifold::single(self.normal, self.contact_point())
    }

    #[inline]
    pub(super) fn closest_points(&self) -> ClosestPoints {
        ClosestPoints { distance: self.distance, normal: self.normal, points: self.points }
    }
}
