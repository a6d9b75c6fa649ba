//! Sphere–hull: the face of maximum separation decides if the center is inside, over that face, or
//! too far away; otherwise GJK.

use embate_geom::{
    Mat3, RigidTransform, Vec3, scalar,
    shapes::{ConvexHull, Sphere},
};

use crate::narrow_phase::closest_points::ClosestFeatures;
use crate::narrow_phase::convex::gjk::{self, GjkResult};
use crate::narrow_phase::convex::polyhedron::PolyhedralShape;
use crate::narrow_phase::convex::support::PointSupport;
use crate::narrow_phase::convex::witness;
use crate::narrow_phase::feature_id::FeatureId;
use crate::narrow_phase::posed::Posed;

/// Closest features; `None` if farther apart than `max_distance`. A center inside is pushed out
/// through the nearest face.
pub(crate) fn closest_features(
    a: Posed<'_, Sphere>,
    b: Posed<'_, ConvexHull>,
    max_distance: f32,
) -> Option<ClosestFeatures> {
    let frame = b.pose.to_rigid_transform();
    let center = frame.basis.transpose_mul_vec3(a.pose.position - b.pose.position);
    let (face, plane_distance) = b.shape.max_separation_face(center);
    let radius = a.shape.radius();
    if plane_distance - radius > max_distance {
        return None;
    }
    let (normal, _) = b.shape.plane(face);
    let closest_to_center = if plane_distance <= 0.0 || b.shape.is_over_face(face, center) {
        Some((normal, plane_distance, center - normal * plane_distance, FeatureId::face(face)))
    } else {
        let scale = b.shape.max_abs_coordinate() + center.abs().max_element();
        let point_in_hull = RigidTransform { basis: Mat3::IDENTITY, translation: center };
        let point = PointSupport(Vec3::ZERO);
        let gjk_max_distance = max_distance + radius + gjk::SUPPORT_ROUNDING * scale;
        match gjk::distance(b.shape, &point, &point_in_hull, normal, gjk_max_distance, scale) {
            GjkResult::OutOfRange => None,
            GjkResult::Overlapping => Some((
                normal,
                plane_distance,
                center - normal * plane_distance,
                FeatureId::face(face),
            )),
            GjkResult::Separated(closest) => {
                let feature =
                    witness::simplex_feature(b.shape, &closest.simplex, 0, closest.normal());
                // At least the plane distance: wherever the plane decides whether they touch, it
                // decides alone.
                let distance = scalar::max(closest.distance as f32, plane_distance);
                Some((closest.normal(), distance, closest.on_a.as_vec3(), feature))
            }
        }
    };
    let (normal, distance, on_hull, feature) = closest_to_center?;
    let distance = distance - radius;
    (distance <= max_distance).then(|| ClosestFeatures {
        normal: -(frame.basis * normal),
        distance,
        points: [frame.transform_point(center - normal * radius), frame.transform_point(on_hull)],
        features: [FeatureId::ROUND, feature],
    })
}
