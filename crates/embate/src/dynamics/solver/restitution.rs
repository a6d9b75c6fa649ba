//! Restitution: each impact is resolved at its own time within the sub-step.
//!
//! Other engines let the sub-steps stop the bodies and apply restitution at the end of the step: a
//! gas of elastic spheres then loses half of its energy in 10,000 steps. Here each impact is an
//! event of its own:
//!
//! ```text
//! gap │ ╲ approach              impact at τ = gap / approach speed
//!     │   ╲         ╱           v jumps there by Newton's law of restitution, for all points of
//!     │     ╲     ╱ rebound     the manifold at once; the rest of the sub-step uses the new
//!   0 ┼───────╲─╱────────       velocity (the position is shifted by −τ·Δv)
//!     0        τ     h
//! ```
//!
//! If all points have the same restitution e, an impact never gains energy, and with e = 1 it
//! conserves it: with v' = v + Kλ = −e·v at each point with an impulse λ > 0, where K = J·M⁻¹·Jᵀ is
//! the inverse effective mass matrix of the points, ΔE = ½ λ·(v + v') = −½ (1−e)/(1+e) λ·Kλ ≤ 0.
//! Impacts propagate from contact to contact, in at most 32 passes per sub-step, until no contact
//! that touches within it approaches at the threshold speed or faster: thus Newton's cradle works.

use embate_geom::{Vec3, scalar};

use crate::dynamics::body::body_data::BodyState;
use crate::dynamics::body::body_index::BodyVec;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::integrator::{SubstepVelocities, rotated_by};
use crate::dynamics::solver::StepContext;
use crate::dynamics::solver::contact_constraint::ContactConstraint;
use crate::dynamics::solver::impact::ImpactImpulse;
use crate::narrow_phase::MAX_MANIFOLD_POINTS;

/// Maximum PGS iterations over the points of one manifold: the four vertices of a box that lands
/// flat agree to 1e-6 by then.
const MAX_IMPACT_ITERATIONS: usize = 16;
/// Maximum passes over all contacts within one sub-step: how far an impact can propagate.
const MAX_IMPACT_PASSES: usize = 32;

/// Applies restitution to all constraints that approach fast enough and touch within this sub-step.
pub(crate) fn apply_restitution(
    bodies: &mut BodySet,
    impact_constraints: &mut [ContactConstraint],
    substep_velocities: &BodyVec<SubstepVelocities>,
    context: &StepContext,
) {
    for _ in 0..MAX_IMPACT_PASSES {
        let mut any = false;
        for constraint in &mut *impact_constraints {
            any |= apply_impact(bodies, constraint, substep_velocities, context);
        }
        if !any {
            return;
        }
    }
}

/// Resolves the impact of one constraint; returns whether there was one in this sub-step.
fn apply_impact(
    bodies: &mut BodySet,
    constraint: &mut ContactConstraint,
    substep_velocities: &BodyVec<SubstepVelocities>,
    context: &StepContext,
) -> bool {
    let [a, b] = constraint.bodies;
    let (normal, h) = (constraint.normal, context.h);
    let (state_a, state_b) = (*bodies.state(a), *bodies.state(b));
    // Change of the relative normal velocity by gravity, forces and damping over the whole
    // sub-step.
    let free_velocity_change = normal.dot(
        substep_velocities[b].free_velocity_change - substep_velocities[a].free_velocity_change,
    );
    let along_normal =
        |linear_a: Vec3, linear_b: Vec3, angular: [Vec3; 2], r_cross_n: [Vec3; 2]| {
            normal.dot(linear_b - linear_a) + r_cross_n[1].dot(angular[1])
                - r_cross_n[0].dot(angular[0])
        };

    // Relative normal velocity at the time of impact, for the points that touch within this
    // sub-step.
    let mut velocities = [None; MAX_MANIFOLD_POINTS];
    let (mut fastest, mut impact_time) = (0.0, h);
    let points = &constraint.points[..constraint.point_count];
    for (point, velocity) in points.iter().zip(&mut velocities) {
        let r_cross_n = [point.r_cross_n_a, point.r_cross_n_b];
        let separation_change = along_normal(
            state_a.delta_position,
            state_b.delta_position,
            [state_a.delta_rotation, state_b.delta_rotation],
            r_cross_n,
        );
        let separation = scalar::max(point.base_separation + separation_change, 0.0);
        let end_velocity = along_normal(
            state_a.linear_velocity,
            state_b.linear_velocity,
            [state_a.angular_velocity, state_b.angular_velocity],
            r_cross_n,
        );
        let mean_velocity = end_velocity - 0.5 * free_velocity_change;
        if separation + h * mean_velocity > 0.0 {
            continue;
        }
        let time =
            if mean_velocity < 0.0 { scalar::min(separation / -mean_velocity, h) } else { 0.0 };
        let impact_velocity =
            end_velocity - free_velocity_change * (1.0 - time * context.inverse_h);
        *velocity = Some(impact_velocity);
        if impact_velocity < fastest {
            (fastest, impact_time) = (impact_velocity, time);
        }
    }
    if fastest > -context.restitution_threshold || fastest == 0.0 {
        return false;
    }

    let factor = 1.0 + constraint.material.restitution;
    let targets = velocities.map(|velocity| velocity.map(|velocity| -factor * velocity));
    let mut impact = ImpactImpulse::solve(bodies, constraint, &targets, MAX_IMPACT_ITERATIONS);
    apply_impact_friction(bodies, constraint, &mut impact, [&state_a, &state_b]);
    for (point, impulse) in constraint.points.iter_mut().zip(impact.normal_impulses) {
        point.total_normal_impulse += impulse;
    }
    for (side, body) in constraint.bodies.into_iter().enumerate() {
        let linear = impact.linear_velocity_changes[side];
        let angular = impact.angular_velocity_changes[side];
        let state = bodies.state_mut(body);
        state.linear_velocity += linear;
        state.angular_velocity += angular;
        state.delta_position -= linear * impact_time;
        state.delta_rotation -= angular * impact_time;
        if angular != Vec3::ZERO {
            let rotation = &mut bodies.com_pose_mut(body).rotation;
            *rotation = rotated_by(*rotation, angular * -impact_time);
        }
    }
    true
}

/// Coulomb friction of an impact: stops sliding at the friction anchor, clamped by the normal
/// impulses.
fn apply_impact_friction(
    bodies: &BodySet,
    constraint: &ContactConstraint,
    impact: &mut ImpactImpulse,
    [a, b]: [&BodyState; 2],
) {
    let normal_impulse: f32 = impact.normal_impulses.iter().sum();
    let max_impulse = constraint.material.friction * normal_impulse;
    let velocity = b.linear_velocity
        + impact.linear_velocity_changes[1]
        + (b.angular_velocity + impact.angular_velocity_changes[1]).cross(constraint.anchor_b)
        - (a.linear_velocity + impact.linear_velocity_changes[0])
        - (a.angular_velocity + impact.angular_velocity_changes[0]).cross(constraint.anchor_a);
    let (x, y) = (velocity.dot(constraint.tangent), velocity.dot(constraint.bitangent));
    let [xx, xy, yy] = constraint.tangent_mass;
    let unclamped = [-(xx * x + xy * y), -(xy * x + yy * y)];
    let length_squared = unclamped[0] * unclamped[0] + unclamped[1] * unclamped[1];
    let scale = if length_squared > max_impulse * max_impulse {
        max_impulse / length_squared.sqrt()
    } else {
        1.0
    };
    let impulse = (constraint.tangent * unclamped[0] + constraint.bitangent * unclamped[1]) * scale;
    let angular = [constraint.anchor_a.cross(impulse), constraint.anchor_b.cross(impulse)];
    impact.apply_impulse(bodies, constraint, impulse, angular);
}
