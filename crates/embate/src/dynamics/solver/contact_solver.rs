//! Contact solver: sequential impulses on SIMD constraint blocks; warm start, solve, relax.
//!
//! The soft step (Catto, "`Solver2D`", 2024; `Box3D`). The contact passes of a sub-step: warm start
//! with the accumulated impulses of the previous one, solve with bias (soft penetration recovery),
//! and, after the integration of positions, two relax passes without bias, which remove the
//! velocity that the recovery added. Every solve and relax pass ends with friction: with friction
//! in the relax passes alone, a house of cards slides apart.
#![allow(clippy::inline_always, reason = "SIMD code must be inlined into its dispatch")]

use fearless_simd::{Level, dispatch, f32x8, prelude::*};

use crate::dynamics::solver::body_pair_simd::{
    Velocities8, load_displacements, load_velocities, scatter,
};
use crate::dynamics::solver::contact_constraint_simd::ContactConstraint8;
use crate::dynamics::solver::friction::solve_friction;
use crate::dynamics::solver::simd::{Vec3x8, max};
use crate::dynamics::solver::solver_body::SolverBodies;
use crate::dynamics::solver::{SolverPass, StepContext};

/// Runs one pass over the SIMD constraint blocks of one color, or of the overflow set, in order.
/// Within a color the order is irrelevant. The overflow set is solved by one worker, and each of
/// its blocks has one lane.
pub(crate) fn solve(
    level: Level,
    mut states: impl SolverBodies,
    constraints: &mut [ContactConstraint8],
    context: &StepContext,
    pass: SolverPass,
) {
    dispatch!(level, simd => {
        for constraint in constraints {
            let velocities = solve_constraint(simd, &states, constraint, context, pass);
            scatter(&mut states, constraint, &velocities);
        }
    });
}

#[inline(always)]
fn solve_constraint<S: Simd>(
    simd: S,
    states: &impl SolverBodies,
    constraint: &mut ContactConstraint8,
    context: &StepContext,
    pass: SolverPass,
) -> Velocities8 {
    match pass {
        SolverPass::WarmStart => warm_start(simd, states, constraint),
        SolverPass::SolveWithBias => solve_with_bias(simd, states, constraint, context),
        SolverPass::Relax { updates_separations, adds_totals } => {
            relax(simd, states, constraint, context, updates_separations, adds_totals)
        }
    }
}

/// Applies all accumulated impulses.
#[inline(always)]
fn warm_start<S: Simd>(
    simd: S,
    states: &impl SolverBodies,
    constraint: &mut ContactConstraint8,
) -> Velocities8 {
    let mut bodies = load_velocities(simd, states, constraint);
    let zero = f32x8::splat(simd, 0.0);
    let zero_vector = Vec3x8 { x: zero, y: zero, z: zero };
    let (mut normal_impulse, mut angular_a, mut angular_b) = (zero, zero_vector, zero_vector);
    for point in &constraint.points[..constraint.point_count] {
        let impulse = f32x8::simd_from(simd, point.normal_impulse);
        normal_impulse += impulse;
        angular_a = angular_a + Vec3x8::load(simd, &point.r_cross_n_a) * impulse;
        angular_b = angular_b + Vec3x8::load(simd, &point.r_cross_n_b) * impulse;
    }
    let normal = Vec3x8::load(simd, &constraint.normal);
    let tangential = Vec3x8::load(simd, &constraint.tangent)
        * f32x8::simd_from(simd, constraint.tangent_impulse[0])
        + Vec3x8::load(simd, &constraint.bitangent)
            * f32x8::simd_from(simd, constraint.tangent_impulse[1]);
    let mut torque = normal * f32x8::simd_from(simd, constraint.torsional_impulse);
    if constraint.has_rolling_resistance {
        torque = torque
            + Vec3x8::load(simd, &constraint.tangent)
                * f32x8::simd_from(simd, constraint.rolling_impulse[0])
            + Vec3x8::load(simd, &constraint.bitangent)
                * f32x8::simd_from(simd, constraint.rolling_impulse[1]);
    }
    let angular_a = angular_a + Vec3x8::load(simd, &constraint.anchor_a).cross(tangential) + torque;
    let angular_b = angular_b + Vec3x8::load(simd, &constraint.anchor_b).cross(tangential) + torque;
    let impulse = normal * normal_impulse + tangential;
    bodies.apply_impulse(simd, constraint, impulse, angular_a, angular_b);
    bodies.velocities()
}

/// Recomputes the separations from the displacements of the bodies since the step began, to first
/// order; normal and anchors stay those of the beginning of the step.
#[inline(always)]
fn update_separations<S: Simd>(
    simd: S,
    states: &impl SolverBodies,
    constraint: &mut ContactConstraint8,
) {
    let displacement = load_displacements(simd, states, constraint);
    let normal = Vec3x8::load(simd, &constraint.normal);
    for point in &mut constraint.points[..constraint.point_count] {
        let r_cross_n_a = Vec3x8::load(simd, &point.r_cross_n_a);
        let r_cross_n_b = Vec3x8::load(simd, &point.r_cross_n_b);
        let base = f32x8::simd_from(simd, point.base_separation);
        let change = displacement.separation_change(normal, r_cross_n_a, r_cross_n_b);
        point.separation = (base + change).into();
    }
}

/// Normal impulses with soft penetration recovery, then friction. For each point in turn, with
/// accumulated impulse λ, effective mass m, separation s and relative normal velocity v:
///
/// ```text
/// s > 0:  λ' = max(0, λ − m·(v + s/h))
/// s ≤ 0:  λ' = max(0, λ − m·(mass_scale·v + max(mass_scale·bias_rate·s, −contact_push_velocity))
///                       − impulse_scale·λ)
/// ```
#[inline(always)]
fn solve_with_bias<S: Simd>(
    simd: S,
    states: &impl SolverBodies,
    constraint: &mut ContactConstraint8,
    context: &StepContext,
) -> Velocities8 {
    if context.updates_separations_before_solve {
        update_separations(simd, states, constraint);
    }
    let mut bodies = load_velocities(simd, states, constraint);
    let zero = f32x8::splat(simd, 0.0);
    let mass_scale = f32x8::simd_from(simd, constraint.mass_scale);
    let scaled_bias_rate = mass_scale * f32x8::simd_from(simd, constraint.bias_rate);
    let impulse_scale = f32x8::simd_from(simd, constraint.impulse_scale);
    let min_bias = f32x8::splat(simd, -context.contact_push_velocity);
    let inverse_h = f32x8::splat(simd, context.inverse_h);
    let normal = Vec3x8::load(simd, &constraint.normal);
    for index in 0..constraint.point_count {
        let point = &constraint.points[index];
        let r_cross_n_a = Vec3x8::load(simd, &point.r_cross_n_a);
        let r_cross_n_b = Vec3x8::load(simd, &point.r_cross_n_b);
        let normal_mass = f32x8::simd_from(simd, point.normal_mass);
        let old_impulse = f32x8::simd_from(simd, point.normal_impulse);
        let separation = f32x8::simd_from(simd, point.separation);
        let velocity = bodies.relative_normal_velocity(normal, r_cross_n_a, r_cross_n_b);
        // A separated point may close its gap within the sub-step, but no more: v ≥ −separation/h.
        let speculative = normal_mass * (velocity + separation * inverse_h);
        let bias = max(scaled_bias_rate * separation, min_bias);
        let penetrating =
            normal_mass * (mass_scale * velocity + bias) + impulse_scale * old_impulse;
        let reduction = separation.simd_gt(zero).select(speculative, penetrating);
        let new_impulse = max(old_impulse - reduction, zero);
        let change = new_impulse - old_impulse;
        constraint.points[index].normal_impulse = new_impulse.into();
        bodies.apply_impulse(
            simd,
            constraint,
            normal * change,
            r_cross_n_a * change,
            r_cross_n_b * change,
        );
    }
    solve_friction(simd, constraint, &mut bodies);
    bodies.velocities()
}

/// Normal impulses without penetration recovery, then friction. In the symbols of
/// [`solve_with_bias`]: λ' = max(0, λ − m·(v + max(s, 0)/h)); a point with restitution that has no
/// impulse and approaches faster than the threshold is skipped.
#[inline(always)]
fn relax<S: Simd>(
    simd: S,
    states: &impl SolverBodies,
    constraint: &mut ContactConstraint8,
    context: &StepContext,
    updates_separations: bool,
    adds_totals: bool,
) -> Velocities8 {
    if updates_separations {
        update_separations(simd, states, constraint);
    }
    let mut bodies = load_velocities(simd, states, constraint);
    let zero = f32x8::splat(simd, 0.0);
    let inverse_h = f32x8::splat(simd, context.inverse_h);
    let min_impact_velocity = f32x8::splat(simd, -context.restitution_threshold);
    let has_restitution = f32x8::simd_from(simd, constraint.restitution).simd_gt(zero);
    let normal = Vec3x8::load(simd, &constraint.normal);
    for index in 0..constraint.point_count {
        let point = &constraint.points[index];
        let r_cross_n_a = Vec3x8::load(simd, &point.r_cross_n_a);
        let r_cross_n_b = Vec3x8::load(simd, &point.r_cross_n_b);
        let normal_mass = f32x8::simd_from(simd, point.normal_mass);
        let old_impulse = f32x8::simd_from(simd, point.normal_impulse);
        let separation = f32x8::simd_from(simd, point.separation);
        let velocity = bodies.relative_normal_velocity(normal, r_cross_n_a, r_cross_n_b);
        let allowed_approach = max(separation, zero) * inverse_h;
        let new_impulse = max(old_impulse - normal_mass * (velocity + allowed_approach), zero);
        // A point with restitution, without impulse yet, that approaches faster than the threshold
        // keeps λ = 0: the restitution of the next sub-step resolves its impact.
        let unless_impact = has_restitution.select(old_impulse, new_impulse);
        let unless_impact =
            velocity.simd_lt(min_impact_velocity).select(unless_impact, new_impulse);
        let new_impulse = old_impulse.simd_le(zero).select(unless_impact, new_impulse);
        let change = new_impulse - old_impulse;
        if adds_totals {
            let total = f32x8::simd_from(simd, point.total_normal_impulse) + new_impulse;
            constraint.points[index].total_normal_impulse = total.into();
        }
        constraint.points[index].normal_impulse = new_impulse.into();
        bodies.apply_impulse(
            simd,
            constraint,
            normal * change,
            r_cross_n_a * change,
            r_cross_n_b * change,
        );
    }
    solve_friction(simd, constraint, &mut bodies);
    bodies.velocities()
}
