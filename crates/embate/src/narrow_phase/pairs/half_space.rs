//! Half-space pairs: signed distances of support points and vertices from the boundary plane.

use embate_geom::{
    DMat3, DVec3, Pose, Vec3,
    shapes::{Capsule, ConvexHull, Cuboid, HalfSpace, Sphere},
};

use crate::narrow_phase::closest_points::ClosestFeatures;
use crate::narrow_phase::convex::clip::reduce_points::{self, CandidatePoint};
use crate::narrow_phase::convex::cuboid;
use crate::narrow_phase::convex::polyhedron::PolyhedralShape;
use crate::narrow_phase::convex::sat::FACE_PREFERENCE;
use crate::narrow_phase::convex::support::Support;
use crate::narrow_phase::feature_id::{FeatureId, pack_features};
use crate::narrow_phase::manifold::{ContactPoint, Manifold};
use crate::narrow_phase::posed::Posed;

/// World-space normal of the boundary plane, and the height of a shape's origin above it.
///
/// The plane is unbounded: a body may be far from the origin of its half-space. The height, which
/// is then small compared to the tangential distance, is as accurate as the poses only in f64.
#[inline]
fn boundary_plane(pose: &Pose, plane: Posed<'_, HalfSpace>) -> (Vec3, f32) {
    let normal =
        DMat3::from_rotation(plane.pose.rotation).mul_vec3(DVec3::from(plane.shape.normal()));
    let offset = DVec3::from(pose.position) - DVec3::from(plane.pose.position);
    // The normal of the half-space is normalized only to f32 precision.
    let height = normal.dot(offset) / normal.length();
    (normal.try_normalize_f32().unwrap_or(Vec3::Y), height as f32)
}

/// Closest features of a point at a height above the plane.
#[inline]
fn point_above_plane(
    normal: Vec3,
    point: Vec3,
    height: f32,
    feature: FeatureId,
) -> ClosestFeatures {
    ClosestFeatures {
        normal: -normal,
        distance: height,
        points: [point, point - normal * height],
        features: [feature, FeatureId::face(0)],
    }
}

/// The lowest point of a sphere.
#[inline]
pub(crate) fn sphere_closest_features(
    a: Posed<'_, Sphere>,
    b: Posed<'_, HalfSpace>,
    max_distance: f32,
) -> Option<ClosestFeatures> {
    let (normal, height) = boundary_plane(a.pose, b);
    let point = a.pose.position - normal * a.shape.radius();
    let height = height - a.shape.radius();
    (height <= max_distance).then(|| point_above_plane(normal, point, height, FeatureId::ROUND))
}

/// Both ends of a capsule, the lower first.
fn capsule_ends(a: Posed<'_, Capsule>, b: Posed<'_, HalfSpace>) -> [ClosestFeatures; 2] {
    let (normal, height) = boundary_plane(a.pose, b);
    let half_extent = a.pose.rotation.to_matrix().columns[1] * a.shape.half_height();
    let rise = normal.dot(half_extent);
    let end = |half_extent: Vec3, rise: f32, index: u32| {
        let point = a.pose.position + half_extent - normal * a.shape.radius();
        point_above_plane(normal, point, height + rise - a.shape.radius(), FeatureId::vertex(index))
    };
    let (low, high) = (end(-half_extent, -rise, 0), end(half_extent, rise, 1));
    if low.distance <= high.distance { [low, high] } else { [high, low] }
}

/// The lower end of a capsule.
pub(crate) fn capsule_closest_features(
    a: Posed<'_, Capsule>,
    b: Posed<'_, HalfSpace>,
    max_distance: f32,
) -> Option<ClosestFeatures> {
    let [lower, _] = capsule_ends(a, b);
    (lower.distance <= max_distance).then_some(lower)
}

/// The ends of a capsule within `margin`.
pub(crate) fn capsule_manifold(
    a: Posed<'_, Capsule>,
    b: Posed<'_, HalfSpace>,
    margin: f32,
) -> Option<Manifold> {
    let [lower, upper] = capsule_ends(a, b);
    if lower.distance > margin {
        return None;
    }
    let mut manifold = lower.manifold();
    if upper.distance <= margin && a.shape.half_height() > 0.0 {
        manifold.push(upper.contact_point());
    }
    Some(manifold)
}

/// The lowest vertex of a polyhedron.
pub(crate) fn polyhedron_closest_features<A: PolyhedralShape>(
    a: Posed<'_, A>,
    b: Posed<'_, HalfSpace>,
    max_distance: f32,
) -> Option<ClosestFeatures> {
    let (normal, height) = boundary_plane(a.pose, b);
    let basis = a.pose.rotation.to_matrix();
    let down = -basis.transpose_mul_vec3(normal);
    let (index, lowest) = a.shape.support_vertex(down);
    let height = height - down.dot(lowest);
    (height <= max_distance).then(|| {
        let point = basis * lowest + a.pose.position;
        point_above_plane(normal, point, height, FeatureId::vertex(index))
    })
}

/// The vertices of the lowest face of a box within `margin`.
pub(crate) fn cuboid_manifold(
    a: Posed<'_, Cuboid>,
    b: Posed<'_, HalfSpace>,
    margin: f32,
) -> Option<Manifold> {
    let (normal, height) = boundary_plane(a.pose, b);
    let basis = a.pose.rotation.to_matrix();
    let down = -basis.transpose_mul_vec3(normal);
    let half_extents = a.shape.half_extents();
    let lowest = height - down.abs().dot(half_extents);
    if lowest > margin {
        return None;
    }
    let axis = cuboid::max_axis(down.abs());
    let face = cuboid::face_index(axis, down[axis] < 0.0);
    let mut manifold = Manifold::with_normal(-normal);
    for &index in cuboid::face_vertices(face) {
        let vertex = cuboid::vertex(half_extents, index);
        let height = height - down.dot(vertex);
        if height <= margin {
            manifold.push(ContactPoint {
                position: a.pose.position + (basis * vertex - normal * (0.5 * height)),
                penetration: -height,
                feature_id: pack_features(FeatureId::vertex(index), FeatureId::face(0)),
            });
        }
    }
    Some(manifold)
}

/// Up to four vertices of the lowest face of a hull within `margin`.
pub(crate) fn hull_manifold(
    a: Posed<'_, ConvexHull>,
    b: Posed<'_, HalfSpace>,
    margin: f32,
) -> Option<Manifold> {
    /// Maximum number of vertices considered; larger faces are subsampled evenly.
    const MAX_FACE_VERTICES: usize = 32;
    let (normal, height) = boundary_plane(a.pose, b);
    let basis = a.pose.rotation.to_matrix();
    let down = -basis.transpose_mul_vec3(normal);
    let (deepest, _) = a.shape.support_vertex(down);
    if height - down.dot(a.shape.vertex(deepest)) > margin {
        return None;
    }
    let tangent = down.any_orthonormal_vector();
    let bitangent = down.cross(tangent);
    let vertices =
        PolyhedralShape::face_vertices(a.shape, a.shape.most_aligned_face(deepest, down));
    let step = vertices.len().div_ceil(MAX_FACE_VERTICES);
    let mut candidates = [CandidatePoint::default(); MAX_FACE_VERTICES + 1];
    let mut indices = [0; MAX_FACE_VERTICES + 1];
    let mut count = 0;
    // The deepest vertex is included even if subsampling skips it.
    let skips_deepest = !vertices.iter().step_by(step).any(|&index| index == deepest);
    let sampled = vertices.iter().copied().step_by(step);
    for index in sampled.chain(skips_deepest.then_some(deepest)) {
        let vertex = a.shape.vertex(index);
        let height = height - down.dot(vertex);
        if height <= margin {
            candidates[count] = CandidatePoint {
                uv: [vertex.dot(tangent), vertex.dot(bitangent)],
                penetration: -height,
            };
            indices[count] = index;
            count += 1;
        }
    }
    let mut manifold = Manifold::with_normal(-normal);
    let (kept, kept_count) =
        reduce_points::reduce_to_four(&candidates[..count], FACE_PREFERENCE * a.shape.size());
    for &slot in &kept[..kept_count] {
        let index = indices[slot];
        let penetration = candidates[slot].penetration;
        manifold.push(ContactPoint {
            position: a.pose.position
                + (basis * a.shape.vertex(index) + normal * (0.5 * penetration)),
            penetration,
            feature_id: pack_features(FeatureId::vertex(index), FeatureId::face(0)),
        });
    }
    Some(manifold)
}
