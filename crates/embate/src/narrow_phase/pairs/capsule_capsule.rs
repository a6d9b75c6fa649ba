//! Capsule–capsule: spheres at the closest points of the segments; nearly parallel capsules touch
//! at both ends of their overlap.

use embate_geom::{DVec3, Pose, scalar, shapes::Capsule};

use crate::narrow_phase::closest_points::{ClosestFeatures, SpherePair};
use crate::narrow_phase::feature_id::{FeatureId, pack_features};
use crate::narrow_phase::manifold::{ContactPoint, Manifold};
use crate::narrow_phase::pairs::segment_segment::{self, SegmentPair};
use crate::narrow_phase::posed::Posed;

#[inline]
fn core_segments(a: Posed<'_, Capsule>, b: Posed<'_, Capsule>) -> SegmentPair {
    SegmentPair {
        half_extent_a: DVec3::from(a.pose.rotation.to_matrix().columns[1] * a.shape.half_height()),
        half_extent_b: DVec3::from(b.pose.rotation.to_matrix().columns[1] * b.shape.half_height()),
        a_to_b: DVec3::from(b.pose.position - a.pose.position),
    }
}

/// Closest features; `None` if farther apart than `max_distance`. If the segments intersect, the
/// normal is perpendicular to both.
pub(crate) fn closest_features(
    a: Posed<'_, Capsule>,
    b: Posed<'_, Capsule>,
    max_distance: f32,
) -> Option<ClosestFeatures> {
    let segments = core_segments(a, b);
    closest_features_of_segments(&segments, [a.shape, b.shape], a.pose, max_distance)
}

fn closest_features_of_segments(
    segments: &SegmentPair,
    [a, b]: [&Capsule; 2],
    pose_a: &Pose,
    max_distance: f32,
) -> Option<ClosestFeatures> {
    let params = segments.closest_params();
    let spheres = SpherePair {
        center_a: pose_a.position + (segments.half_extent_a * params.on_a).as_vec3(),
        radius_a: a.radius(),
        a_to_b: segments.vector_between(params),
        radius_b: b.radius(),
    };
    let mut closest = ClosestFeatures::of_spheres(
        &spheres,
        max_distance,
        segments.min_direction_length(),
        || segments.common_perpendicular(),
    )?;
    closest.features = [FeatureId::on_segment(params.on_a), FeatureId::on_segment(params.on_b)];
    Some(closest)
}

/// Up to two points, and a third between them where that is deeper.
pub(crate) fn contact_manifold(
    a: Posed<'_, Capsule>,
    b: Posed<'_, Capsule>,
    margin: f32,
) -> Option<Manifold> {
    let segments = core_segments(a, b);
    let closest = closest_features_of_segments(&segments, [a.shape, b.shape], a.pose, margin)?;
    let Some(ends) = segments.overlap_interval() else {
        return Some(closest.manifold());
    };
    let radii = f64::from(a.shape.radius() + b.shape.radius());
    let mut manifold = Manifold::with_normal(closest.normal);
    let (size_a, size_b) =
        (a.shape.half_height() + a.shape.radius(), b.shape.half_height() + b.shape.radius());
    let smaller_size = scalar::min(size_a, size_b);
    for params in ends {
        let a_to_b = segments.vector_between(params);
        let distance = (a_to_b.length() - radii) as f32;
        if distance <= margin
            && segment_segment::shares_normal(
                a_to_b,
                closest.normal,
                f64::from(b.shape.radius()),
                smaller_size.into(),
            )
        {
            let on_a = (segments.half_extent_a * params.on_a).as_vec3()
                + closest.normal * a.shape.radius();
            manifold.push(ContactPoint {
                position: a.pose.position + (on_a + closest.normal * (distance * 0.5)),
                penetration: -distance,
                feature_id: pack_features(
                    FeatureId::on_segment(params.on_a),
                    FeatureId::on_segment(params.on_b),
                ),
            });
        }
    }
    if manifold.points().len() < 2 {
        return Some(closest.manifold());
    }
    // Nearly parallel segments that cross are deepest in between.
    if -closest.distance > manifold.max_penetration() + 1e-5 * smaller_size {
        manifold.push(closest.contact_point());
    }
    Some(manifold)
}
