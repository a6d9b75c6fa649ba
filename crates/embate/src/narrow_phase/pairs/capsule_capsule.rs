//! Capsule–capsule: spheres at the closest points of the segments; nearly parallel capsules touch
//! at both ends of their overlap.

use embate_geom::{DVec3, Pose, scalar, shapes::Capsule};

use crate::narrow_phase::closest_points::{ClosestFeatures, SpherePair};
use crate::narrow_phase::feature_id::{FeatureId, pack_features};
use crate::narrow_phase::manifold::{ContactPoint, Manifold};
use crate::narrow_phase::pairs::segment_segment::{self, SegmentPair};

#[inline]
fn core_segments((a, pose_a): (&Capsule, &Pose), (b, pose_b): (&Capsule, &Pose)) -> SegmentPair {
    SegmentPair {
        half_extent_a: DVec3::from(pose_a.rotation.to_matrix().columns[1] * a.half_height()),
        half_extent_b: DVec3::from(pose_b.rotation.to_matrix().columns[1] * b.half_height()),
        a_to_b: DVec3::from(pose_b.position - pose_a.position),
    }
}

/// Closest features; `None` if farther apart than `max_distance`. If the segments intersect, the
/// normal is perpendicular to both.
pub(crate) fn closest_features(
    (a, pose_a): (&Capsule, &Pose),
    (b, pose_b): (&Capsule, &Pose),
    max_distance: f32,
) -> Option<ClosestFeatures> {
    let segments = core_segments((a, pose_a), (b, pose_b));
    closest_features_of_segments(&segments, [a, b], pose_a, max_distance)
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
    (a, pose_a): (&Capsule, &Pose),
    (b, pose_b): (&Capsule, &Pose),
    margin: f32,
) -> Option<Manifold> {
    let segments = core_segments((a, pose_a), (b, pose_b));
    let closest = closest_features_of_segments(&segments, [a, b], pose_a, margin)?;
    let Some(ends) = segments.overlap_interval() else {
        return Some(closest.manifold());
    };
    let radii = f64::from(a.radius() + b.radius());
    let mut manifold = Manifold::with_normal(closest.normal);
    let (size_a, size_b) = (a.half_height() + a.radius(), b.half_height() + b.radius());
    let smaller_size = scalar::min(size_a, size_b);
    for params in ends {
        let a_to_b = segments.vector_between(params);
        let distance = (a_to_b.length() - radii) as f32;
        if distance <= margin
            && segment_segment::shares_normal(
                a_to_b,
                closest.normal,
                f64::from(b.radius()),
                smaller_size.into(),
            )
        {
            let on_a =
                (segments.half_extent_a * params.on_a).as_vec3() + closest.normal * a.radius();
            manifold.push(ContactPoint {
                position: pose_a.position + (on_a + closest.normal * (distance * 0.5)),
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
