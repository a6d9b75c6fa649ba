//! Swept AABB: bounds of a moving body between two fractions of its sweep, in the frame of another
//! moving body.
//!
//! Guarantee: no point of the body leaves the box.

use embate_geom::{Aabb, DMat3, DVec3, Pose, Vec3};

use crate::narrow_phase::toi::SweptBody;
use crate::narrow_phase::toi::conservative_advancement::MovingPart;
use crate::shapes::Shape;

/// Maximum number of intervals of the sweep past a mesh.
const MAX_INTERVALS: u32 = 32;

/// A box by center and half extents, in f64.
#[derive(Clone, Copy)]
pub(crate) struct BoxF64 {
    center: DVec3,
    half_extents: DVec3,
}

impl BoxF64 {
    fn from_aabb(bounds: &Aabb<3>) -> Self {
        let (min, max) = (DVec3::from(Vec3::from(bounds.min)), DVec3::from(Vec3::from(bounds.max)));
        Self { center: (min + max) * 0.5, half_extents: (max - min) * 0.5 }
    }
}

/// AABB of a body in its own frame.
pub(crate) fn local_box(body: &SweptBody<'_>) -> BoxF64 {
    BoxF64::from_aabb(&body.shape.aabb(&Pose::IDENTITY))
}

/// AABB of a part in the frame of its body.
pub(crate) fn part_box(body: &SweptBody<'_>, part: &MovingPart<'_>) -> BoxF64 {
    if body.convex_part().is_some() {
        return local_box(body);
    }
    let local_center = DVec3::from(body.sweep.local_center);
    let support = |direction: DVec3| part.part.support_distance(direction);
    let [x, y, z] = DMat3::IDENTITY.columns;
    let (high, low) = (
        DVec3::new(support(x), support(y), support(z)),
        DVec3::new(support(-x), support(-y), support(-z)),
    );
    BoxF64 { center: (high - low) * 0.5 + local_center, half_extents: (high + low) * 0.5 }
}

/// AABB of a box in a frame that is rotated by `basis` and translated to `origin` within its own.
pub(crate) fn aabb_in_frame(bounds: &Aabb<3>, basis: &DMat3, origin: DVec3) -> Aabb<3> {
    let BoxF64 { center, half_extents } = BoxF64::from_aabb(bounds);
    padded_aabb(
        basis.transpose_mul_vec3(center - origin),
        rotated_half_extents(basis, half_extents),
        0.0,
    )
}

/// Half extents of the AABB of a box along the axes of another frame.
fn rotated_half_extents(basis: &DMat3, half_extents: DVec3) -> DVec3 {
    let [x, y, z] = basis.columns.map(|axis| {
        (axis.x * half_extents.x).abs()
            + (axis.y * half_extents.y).abs()
            + (axis.z * half_extents.z).abs()
    });
    DVec3::new(x, y, z)
}

/// AABB in f32, padded by `margin` and by its rounding error.
fn padded_aabb(center: DVec3, half_extents: DVec3, margin: f64) -> Aabb<3> {
    let size = center.length() + half_extents.length();
    let half_extents = half_extents + DVec3::new(1.0, 1.0, 1.0) * (margin + 1e-6 * size);
    // A coordinate out of the range of f32 extends the box to that limit.
    let clamped = |vector: DVec3| vector.as_vec3().to_array().map(|c| c.clamp(-1e18, 1e18));
    Aabb { min: clamped(center - half_extents), max: clamped(center + half_extents) }
}

/// AABB of all positions of the box `bounds` of a body between two fractions, in the frame of
/// `observer`, padded by `distance`.
pub(crate) fn swept_aabb(
    body: &SweptBody<'_>,
    bounds: &BoxF64,
    observer: &SweptBody<'_>,
    fractions: [f64; 2],
    distance: f32,
) -> Aabb<3> {
    if let Shape::HalfSpace(_) = body.shape {
        return Aabb { min: [-1e18; 3], max: [1e18; 3] };
    }
    let local_center = DVec3::from(body.sweep.local_center);
    let relative_translation = body.sweep_f64.translation - observer.sweep_f64.translation;
    let mut max_offset = 0.0_f64;
    let ends = fractions.map(|fraction| {
        let offset =
            body.sweep_f64.center - observer.sweep_f64.center + relative_translation * fraction;
        max_offset = max_offset.max(offset.length());
        let (body_basis, observer_basis) =
            (body.sweep_f64.basis_at(fraction), observer.sweep_f64.basis_at(fraction));
        let center = observer_basis
            .transpose_mul_vec3(offset + body_basis.mul_vec3(bounds.center - local_center));
        // Axes of the observer in the frame of the body.
        let observer_in_body = DMat3 {
            columns: observer_basis.columns.map(|axis| body_basis.transpose_mul_vec3(axis)),
        };
        padded_aabb(
            center + DVec3::from(observer.sweep.local_center),
            rotated_half_extents(&observer_in_body, bounds.half_extents),
            0.0,
        )
    });
    // Between the two fractions, no point deviates from its chord by more than C h² / 8, for a
    // curvature bound C and a span h: see `conservative_advancement`.
    let (rotation, observer_rotation) = (&body.sweep_f64.rotation, &observer.sweep_f64.rotation);
    let max_radius = (bounds.center - local_center).length() + bounds.half_extents.length();
    let curvature = max_radius
        * (rotation.vector - observer_rotation.vector).length()
        * (rotation.rate + observer_rotation.rate)
        + observer_rotation.rate
            * (observer_rotation.rate * max_offset + 2.0 * relative_translation.length());
    let span = fractions[1] - fractions[0];
    // Nor by more than twice its distance from the center of rotation.
    let deviation = (curvature * span * span / 8.0).min(2.0 * (max_radius + max_offset));
    let merged = BoxF64::from_aabb(&ends[0].merged(&ends[1]));
    padded_aabb(merged.center, merged.half_extents, deviation + f64::from(distance))
}

/// Number of intervals into which the sweep of two bodies is divided: each about as long as the
/// diameter of the smaller body. 1 without a mesh, whose BVH query profits from a small swept AABB.
pub(crate) fn interval_count(a: &SweptBody<'_>, b: &SweptBody<'_>) -> u32 {
    if !(a.contains_mesh() || b.contains_mesh()) {
        return 1;
    }
    let size = |body: &SweptBody<'_>| local_box(body).half_extents.length();
    let (size_a, size_b) = (size(a), size(b));
    let rotation_arc = (size_a + size_b) * (a.sweep_f64.rotation.rate + b.sweep_f64.rotation.rate);
    let path_length = (b.sweep_f64.translation - a.sweep_f64.translation).length() + rotation_arc;
    // The cast saturates.
    ((path_length / (2.0 * size_a.min(size_b))).ceil() as u32).clamp(1, MAX_INTERVALS)
}
