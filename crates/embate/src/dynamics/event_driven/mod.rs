//! Event-driven solver: ballistic motion and elastic impacts, each at its exact time.
//!
//! Each sub-step finds the candidate contacts, then processes their impacts in order of time:
//!
//! ```text
//! gap of a point    g(t) = g₀ + v·t + ½·a·t²       next impact: the first t with g = 0 and g' < 0,
//!                                                  over all points of all contacts
//! impact            impulses λ ≥ 0 along the normal, for all points that touch at that time
//! restitution 1     impulses scaled by s = −2 p·v / p·Kp, so that kinetic energy is conserved to
//!                   rounding, however well the points of the manifold have converged
//! ```
//!
//! Trajectories are exact parabolas and free rotation conserves angular momentum, so that the world
//! conserves its energy. There is no friction, no penetration recovery and no sleeping.

pub(crate) mod event_queue;
pub(crate) mod refine_contact;

use embate_geom::{Vec3, scalar};

use crate::dynamics::body::body_index::BodyVec;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::event_driven::event_queue::{ImpactQueue, MAX_REFINEMENTS};
use crate::dynamics::event_driven::refine_contact::{SubstepContext, contact_at_time};
use crate::dynamics::integrator::{self, SubstepVelocities, rotated_by};
use crate::dynamics::narrow_phase::NarrowPhase;
use crate::dynamics::profile::{Stage, StageTimer};
use crate::dynamics::settings::Settings;
use crate::dynamics::solver::contact_constraint::{ConstraintPoint, ContactConstraint};
use crate::dynamics::solver::impact::ImpactImpulse;
use crate::dynamics::solver::step_scratch::StepScratch;
use crate::narrow_phase::MAX_MANIFOLD_POINTS;

/// Maximum PGS iterations over the points of one impact: the four vertices of a box agree to
/// rounding by then.
const MAX_IMPACT_ITERATIONS: usize = 64;
/// Impact times that differ by less than this share of a sub-step are simultaneous.
const SIMULTANEITY_TOLERANCE: f64 = 1e-4;
/// Points whose gap is below this at the time of an impact take part in it, in meters.
const SIMULTANEITY_GAP: f64 = 1e-5;

/// Advances the bodies by one sub-step of `h` seconds: prepares the contacts, integrates the
/// velocities, processes all impacts in order of time, integrates the positions and stores the
/// impulses.
pub(crate) fn solve_substep(
    bodies: &mut BodySet,
    narrow_phase: &mut NarrowPhase,
    scratch: &mut StepScratch,
    settings: &Settings,
    h: f32,
    timer: &mut StageTimer,
) {
    let speculative_distance = settings.speculative_distance();
    scratch.clear(bodies);
    for (pair_index, pair) in (0..).zip(narrow_phase.pairs()).filter(|(_, pair)| !pair.is_sensor())
    {
        scratch.push_impact_constraints(bodies, speculative_distance, pair_index, pair);
    }
    timer.split(Stage::Solve);
    let StepScratch { awake, substep_velocities, impact_constraints, .. } = scratch;
    integrator::integrate_velocities(bodies, awake, substep_velocities, settings.gravity, h);
    timer.split(Stage::Integrate);
    let pairs = narrow_phase.pairs();
    let context = SubstepContext { pairs, substep_velocities, speculative_distance, h };
    process_impacts(bodies, impact_constraints, &context);
    timer.split(Stage::Solve);
    integrator::record_presolve_velocity(bodies, awake, substep_velocities);
    integrator::integrate_positions(bodies, awake, substep_velocities, settings, h);
    timer.split(Stage::Integrate);
    for constraint in &*impact_constraints {
        let manifold = narrow_phase.manifold_mut(constraint.key);
        for (stored, point) in manifold.points.iter_mut().zip(&constraint.points) {
            stored.total_normal_impulse = point.total_normal_impulse;
        }
    }
}

/// Processes all impacts of a sub-step in order of time; simultaneous ones in order of contacts.
fn process_impacts(
    bodies: &mut BodySet,
    contacts: &mut [ContactConstraint],
    context: &SubstepContext<'_>,
) {
    let &SubstepContext { substep_velocities, h, .. } = context;
    let mut last_impact_times = BodyVec::default();
    last_impact_times.fill(bodies.slot_count(), 0.0_f64);
    let impact_time = |bodies: &BodySet, contact: &ContactConstraint, last_times: &BodyVec<f64>| {
        let [a, b] = contact.bodies;
        let since = if last_times[a] > last_times[b] { last_times[a] } else { last_times[b] };
        next_impact_time(bodies, contact, substep_velocities, h, since)
    };
    let mut queue = ImpactQueue::new(bodies, contacts, |contact| {
        impact_time(bodies, contact, &last_impact_times)
    });
    while let Some((index, impact)) = queue.first() {
        let time = impact.time;
        if time > f64::from(h) {
            return;
        }
        if impact.refinements > 0 {
            // With the manifold of that time the impact may be a little later, or there is none.
            let refinements = impact.refinements - 1;
            let Some(refined) = contact_at_time(bodies, &contacts[index.0], context, time as f32)
            else {
                // The bodies are apart at that time; try again halfway to the end of the sub-step.
                let later = 0.5 * (time + f64::from(h));
                let retry = if refinements > 0 { later } else { f64::INFINITY };
                queue.reschedule(index, retry, refinements);
                continue;
            };
            contacts[index.0] = refined;
            let refined_time = impact_time(bodies, &contacts[index.0], &last_impact_times);
            if (refined_time - time).abs() > SIMULTANEITY_TOLERANCE * f64::from(h) {
                queue.reschedule(index, refined_time, refinements);
                continue;
            }
        }
        let min_flight_time = if impact.remaining == 1 { f64::from(h) - time } else { 0.0 };
        apply_impact(bodies, &mut contacts[index.0], substep_velocities, h, time, min_flight_time);
        queue.consume(index);
        // Fixed and kinematic bodies take part in many impacts, and none changes their motion.
        for body in contacts[index.0].bodies {
            if bodies.is_dynamic(body) {
                last_impact_times[body] = time;
            }
        }
        for affected in queue.affected_by(index, contacts) {
            let time = impact_time(bodies, &contacts[affected.0], &last_impact_times);
            queue.reschedule(affected, time, MAX_REFINEMENTS);
        }
    }
}

/// Gap of a contact point as a quadratic function of time: values at the beginning of the sub-step.
#[derive(Clone, Copy)]
struct GapTrajectory {
    gap: f64,
    velocity: f64,
    acceleration: f64,
}

impl GapTrajectory {
    fn new(
        bodies: &BodySet,
        contact: &ContactConstraint,
        point: &ConstraintPoint,
        substep_velocities: &BodyVec<SubstepVelocities>,
        h: f32,
    ) -> Self {
        let [a, b] = contact.bodies;
        let (state_a, state_b) = (bodies.state(a), bodies.state(b));
        let linear = |a: Vec3, b: Vec3| f64::from(contact.normal.dot(b - a));
        let angular =
            |a: Vec3, b: Vec3| f64::from(point.r_cross_n_b.dot(b) - point.r_cross_n_a.dot(a));
        let free_velocity_change = linear(
            substep_velocities[a].free_velocity_change,
            substep_velocities[b].free_velocity_change,
        );
        let end_velocity = linear(state_a.linear_velocity, state_b.linear_velocity)
            + angular(state_a.angular_velocity, state_b.angular_velocity);
        Self {
            gap: f64::from(point.base_separation)
                + linear(state_a.delta_position, state_b.delta_position)
                + angular(state_a.delta_rotation, state_b.delta_rotation),
            velocity: end_velocity - free_velocity_change,
            acceleration: free_velocity_change / f64::from(h),
        }
    }

    fn gap_at(&self, time: f64) -> f64 {
        self.gap + time * (self.velocity + 0.5 * self.acceleration * time)
    }

    fn velocity_at(&self, time: f64) -> f64 {
        self.velocity + self.acceleration * time
    }

    /// First time from `since` on at which the gap closes; infinite if it never does.
    fn first_root(&self, since: f64) -> f64 {
        let (gap, velocity) = (self.gap_at(since), self.velocity_at(since));
        if gap <= 0.0 && (velocity < 0.0 || velocity == 0.0 && self.acceleration < 0.0) {
            return since;
        }
        // gap + velocity·t + ½ acceleration·t² = 0, closing: the root as 2c / (−b + √…), which has
        // no cancellation.
        let discriminant = velocity * velocity - 2.0 * self.acceleration * gap;
        if discriminant < 0.0 {
            // The gap never closes, or never opens: then the impact is where the motion reverses.
            let reverses = gap <= 0.0 && self.acceleration < 0.0;
            return if reverses { since - velocity / self.acceleration } else { f64::INFINITY };
        }
        let root = discriminant.sqrt();
        let time = if gap > 0.0 {
            2.0 * gap / (root - velocity)
        } else if self.acceleration < 0.0 {
            (-velocity - root) / self.acceleration
        } else {
            return f64::INFINITY;
        };
        if time >= 0.0 { since + time } else { f64::INFINITY }
    }
}

/// Time of the first impact of a contact from `since` on; infinite if there is none.
fn next_impact_time(
    bodies: &BodySet,
    contact: &ContactConstraint,
    substep_velocities: &BodyVec<SubstepVelocities>,
    h: f32,
    since: f64,
) -> f64 {
    let mut first = f64::INFINITY;
    for point in &contact.points[..contact.point_count] {
        let trajectory = GapTrajectory::new(bodies, contact, point, substep_velocities, h);
        let time = trajectory.first_root(since);
        first = if time < first { time } else { first };
    }
    first
}

/// Applies the impact of a contact at `time`, so that the bodies do not meet again for
/// `min_flight_time` seconds.
fn apply_impact(
    bodies: &mut BodySet,
    contact: &mut ContactConstraint,
    substep_velocities: &BodyVec<SubstepVelocities>,
    h: f32,
    time: f64,
    min_flight_time: f64,
) {
    let restitution = contact.material.restitution;
    let mut velocities = [None; MAX_MANIFOLD_POINTS];
    let mut targets = [None; MAX_MANIFOLD_POINTS];
    for (index, point) in contact.points[..contact.point_count].iter().enumerate() {
        let trajectory = GapTrajectory::new(bodies, contact, point, substep_velocities, h);
        if trajectory.gap_at(time) <= SIMULTANEITY_GAP {
            let velocity = trajectory.velocity_at(time) as f32;
            let min_velocity = (-0.5 * trajectory.acceleration * min_flight_time) as f32;
            velocities[index] = Some(velocity);
            targets[index] = Some(scalar::max(-restitution * velocity, min_velocity) - velocity);
        }
    }
    let mut impact = ImpactImpulse::solve(bodies, contact, &targets, MAX_IMPACT_ITERATIONS);
    if restitution == 1.0 && min_flight_time == 0.0 {
        let scale = energy_preserving_scale(&impact, contact, &velocities);
        let ImpactImpulse { normal_impulses, linear_velocity_changes, angular_velocity_changes } =
            impact;
        impact = ImpactImpulse {
            normal_impulses: normal_impulses.map(|impulse| impulse * scale),
            linear_velocity_changes: linear_velocity_changes.map(|change| change * scale),
            angular_velocity_changes: angular_velocity_changes.map(|change| change * scale),
        };
    }
    for (point, impulse) in contact.points.iter_mut().zip(impact.normal_impulses) {
        point.total_normal_impulse += impulse;
    }
    for side in 0..2 {
        let body = contact.bodies[side];
        let linear = impact.linear_velocity_changes[side];
        let angular = impact.angular_velocity_changes[side];
        let back = -(time as f32);
        let state = bodies.state_mut(body);
        state.linear_velocity += linear;
        state.angular_velocity += angular;
        state.delta_position += linear * back;
        state.delta_rotation += angular * back;
        // The rotation of a body with non-spherical inertia is kept: its angular momentum is that
        // of this rotation.
        if angular != Vec3::ZERO && bodies.data(body).mass.is_isotropic {
            let rotation = &mut bodies.com_pose_mut(body).rotation;
            *rotation = rotated_by(*rotation, angular * back);
        }
    }
}

/// Factor s on all impulses of an impact that makes its kinetic energy change 0. The impulses p
/// change it by s·p·v + ½ s²·p·Kp, with v the relative normal velocities before the impact.
fn energy_preserving_scale(
    impact: &ImpactImpulse,
    contact: &ContactConstraint,
    velocities: &[Option<f32>; MAX_MANIFOLD_POINTS],
) -> f32 {
    let (mut linear_term, mut quadratic_term) = (0.0_f64, 0.0_f64);
    for (index, point) in contact.points[..contact.point_count].iter().enumerate() {
        let impulse = f64::from(impact.normal_impulses[index]);
        linear_term += impulse * f64::from(velocities[index].unwrap_or(0.0));
        quadratic_term +=
            impulse * f64::from(impact.relative_velocity_change(contact.normal, point));
    }
    let scale = -2.0 * linear_term / quadratic_term;
    // 0 / 0 if there is no impulse.
    if scale.is_finite() && scale > 0.0 { scale as f32 } else { 1.0 }
}
