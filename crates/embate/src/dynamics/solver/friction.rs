//! Friction: tangential (Coulomb), torsional, and rolling resistance, eight constraints at a time.
//!
//! Coulomb friction acts at one point of the manifold, the weighted mean of its contact points. The
//! torque about the normal that the separate points would transmit is modeled as torsional
//! friction, bounded by their lever arms. Torsional and rolling resistance are pure torques. Each
//! accumulated impulse is clamped in proportion to the accumulated normal impulse.
#![allow(clippy::inline_always, reason = "SIMD code must be inlined into its dispatch")]

use fearless_simd::{f32x8, prelude::*};

use crate::dynamics::solver::body_pair_simd::BodyPair8;
use crate::dynamics::solver::contact_constraint_simd::ContactConstraint8;
use crate::dynamics::solver::simd::{F32Lanes, Vec3Lanes, Vec3x8, max, min};

/// Solves all friction of a SIMD constraint block, bounded by its present normal impulses.
#[inline(always)]
pub(crate) fn solve_friction<S: Simd>(
    simd: S,
    constraint: &mut ContactConstraint8,
    bodies: &mut BodyPair8<S>,
) {
    let zero = f32x8::splat(simd, 0.0);
    let (mut normal_impulse, mut lever_impulse) = (zero, zero);
    for point in &constraint.points[..constraint.point_count] {
        let impulse = f32x8::simd_from(simd, point.normal_impulse);
        normal_impulse += impulse;
        lever_impulse += f32x8::simd_from(simd, point.lever_arm) * impulse;
    }
    if constraint.has_torsional_friction {
        solve_torsion(simd, constraint, bodies, normal_impulse, lever_impulse);
    }
    if constraint.has_rolling_resistance {
        solve_rolling(simd, constraint, bodies, normal_impulse);
    }
    solve_tangent(simd, constraint, bodies, normal_impulse);
}

/// Torsional friction: rotation about the normal. `lever_impulse` is the sum of lever arm × normal
/// impulse over the points.
#[inline(always)]
fn solve_torsion<S: Simd>(
    simd: S,
    constraint: &mut ContactConstraint8,
    bodies: &mut BodyPair8<S>,
    normal_impulse: f32x8<S>,
    lever_impulse: f32x8<S>,
) {
    let max_impulse = f32x8::simd_from(simd, constraint.friction) * lever_impulse
        + f32x8::simd_from(simd, constraint.torsional_resistance) * normal_impulse;
    let normal = Vec3x8::load(simd, &constraint.normal);
    let old_impulse = f32x8::simd_from(simd, constraint.torsional_impulse);
    let velocity = normal.dot(bodies.angular_velocity_b - bodies.angular_velocity_a);
    let unclamped = old_impulse - f32x8::simd_from(simd, constraint.torsional_mass) * velocity;
    let new_impulse = max(min(unclamped, max_impulse), -max_impulse);
    constraint.torsional_impulse = new_impulse.into();
    bodies.apply_angular_impulse(simd, constraint, normal * (new_impulse - old_impulse));
}

/// Rolling resistance: relative rotation about the two tangents.
#[inline(always)]
fn solve_rolling<S: Simd>(
    simd: S,
    constraint: &mut ContactConstraint8,
    bodies: &mut BodyPair8<S>,
    normal_impulse: f32x8<S>,
) {
    let max_impulse = f32x8::simd_from(simd, constraint.rolling_resistance) * normal_impulse;
    let velocity = bodies.angular_velocity_b - bodies.angular_velocity_a;
    let clamped = clamp_tangent_impulse(
        simd,
        constraint,
        velocity,
        &constraint.rolling_mass,
        &constraint.rolling_impulse,
        max_impulse,
    );
    constraint.rolling_impulse = clamped.accumulated;
    bodies.apply_angular_impulse(simd, constraint, clamped.increment);
}

/// Coulomb friction: sliding along the two tangents at the friction anchor.
#[inline(always)]
fn solve_tangent<S: Simd>(
    simd: S,
    constraint: &mut ContactConstraint8,
    bodies: &mut BodyPair8<S>,
    normal_impulse: f32x8<S>,
) {
    let max_impulse = f32x8::simd_from(simd, constraint.friction) * normal_impulse;
    let anchor_a = Vec3x8::load(simd, &constraint.anchor_a);
    let anchor_b = Vec3x8::load(simd, &constraint.anchor_b);
    let velocity = bodies.velocity_b + bodies.angular_velocity_b.cross(anchor_b)
        - bodies.velocity_a
        - bodies.angular_velocity_a.cross(anchor_a);
    let clamped = clamp_tangent_impulse(
        simd,
        constraint,
        velocity,
        &constraint.tangent_mass,
        &constraint.tangent_impulse,
        max_impulse,
    );
    constraint.tangent_impulse = clamped.accumulated;
    let impulse = clamped.increment;
    bodies.apply_impulse(
        simd,
        constraint,
        impulse,
        anchor_a.cross(impulse),
        anchor_b.cross(impulse),
    );
}

/// Impulse of a two-dimensional friction constraint.
struct ClampedImpulse<S: Simd> {
    /// New accumulated impulse along each tangent.
    accumulated: [F32Lanes; 2],
    /// Difference to the old accumulated impulse, as a vector in world space.
    increment: Vec3x8<S>,
}

/// Impulse in the tangent plane that stops `velocity`, linear or angular, given the effective mass
/// and the old accumulated impulse. The new accumulated impulse is clamped to a circle of radius
/// `max_impulse`.
#[inline(always)]
fn clamp_tangent_impulse<S: Simd>(
    simd: S,
    constraint: &ContactConstraint8,
    velocity: Vec3x8<S>,
    effective_mass: &Vec3Lanes,
    old_impulse: &[F32Lanes; 2],
    max_impulse: f32x8<S>,
) -> ClampedImpulse<S> {
    let tangent = Vec3x8::load(simd, &constraint.tangent);
    let bitangent = Vec3x8::load(simd, &constraint.bitangent);
    let (x, y) = (velocity.dot(tangent), velocity.dot(bitangent));
    let Vec3x8 { x: xx, y: xy, z: yy } = Vec3x8::load(simd, effective_mass);
    let old_x = f32x8::simd_from(simd, old_impulse[0]);
    let old_y = f32x8::simd_from(simd, old_impulse[1]);
    let (unclamped_x, unclamped_y) = (old_x - (xx * x + xy * y), old_y - (xy * x + yy * y));
    let length_squared = unclamped_x * unclamped_x + unclamped_y * unclamped_y;
    let scale = circle_clamp(simd, length_squared, max_impulse);
    let (new_x, new_y) = (unclamped_x * scale, unclamped_y * scale);
    ClampedImpulse {
        accumulated: [new_x.into(), new_y.into()],
        increment: tangent * (new_x - old_x) + bitangent * (new_y - old_y),
    }
}

/// Factor that scales vectors of these squared lengths down to `max_length`; 1 if they are shorter.
#[inline(always)]
fn circle_clamp<S: Simd>(simd: S, length_squared: f32x8<S>, max_length: f32x8<S>) -> f32x8<S> {
    let one = f32x8::splat(simd, 1.0);
    let exceeds = length_squared.simd_gt(max_length * max_length);
    // Lanes that need no clamping divide by 1: 0 / 0 would be NaN.
    exceeds.select(max_length / exceeds.select(length_squared, one).sqrt(), one)
}
