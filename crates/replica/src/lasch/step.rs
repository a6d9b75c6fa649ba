//! One step: integrate, broad phase, narrow phase, resolve.

use embate::broad_phase::OverlapPair;
use embate::dynamics::{BodyId, BodyType, BoundaryMode, StepStats, World, WorldBounds};
use embate::narrow_phase::contact_manifold;
use embate_geom::Vec3;

use super::body_state::{BodyState, BodyStates};
use super::candidate_pair::{CandidatePair, Contact, EventThresholds};
use super::config::Response;
use super::contact_response::{ContactResponse, Contacts, ImpulseResponse};
use super::force::ForceField;
use super::integrator::{BodyForces, MotionState, clamp_length};
use super::position_based::PositionBasedResponse;
use super::simulator::Simulator;
use super::stage_timer::{Stage, StageTimer};

/// Largest coordinate of a center of mass, in m; the engine's bound.
const MAX_COORDINATE: f32 = 1e12;

/// Square of the speed, in squares of the maximum, from which a velocity is clamped after the
/// integration.
const MAX_OVERSPEED: f32 = 1.0001;

impl Simulator {
    /// Advances the simulation by the time step of its settings.
    pub fn step(&mut self) {
        self.events.clear();
        self.events.append(&mut self.ended);
        let mut timer = StageTimer::start(self.clock);
        if std::mem::take(&mut self.states_are_stale) {
            self.bodies.gather(&self.world);
        }
        let time_step = self.settings.time_step;
        self.integrate(time_step);
        timer.split(Stage::Integrate);

        self.overlap_tests = self.pair_finder.find_pairs(
            &self.world,
            &self.bodies,
            &self.config,
            self.parts.broad_phase.as_deref(),
            self.settings.bounds,
            self.counts_overlap_tests,
        );
        timer.split(Stage::BroadPhase);

        let found = std::mem::take(&mut self.pair_finder.pairs);
        self.update_pairs(&found);
        self.pair_finder.pairs = found;
        for pair in &mut self.pairs {
            update_contact(&self.world, &self.bodies, pair, self.config.tolerance);
        }
        let touching = self.pairs.iter().filter(|pair| pair.contact.is_some()).count();
        let candidates = self.pairs.len();
        timer.split(Stage::NarrowPhase);

        self.respond(time_step);
        for mover in 0..self.bodies.movers.len() {
            self.bodies.get_mut(self.bodies.movers[mover]).sync_pose();
        }
        let thresholds = EventThresholds {
            tolerance: self.config.tolerance,
            slop: self.settings.linear_slop,
            hit_speed: self.settings.hit_event_threshold,
        };
        for pair in &mut self.pairs {
            pair.emit_events(&thresholds, &mut self.events);
        }
        timer.split(Stage::Resolve);

        self.step_stats = StepStats {
            candidate_pairs: candidates as u64,
            manifold_pairs: touching as u64,
            profile: timer.profile,
        };
        self.bodies.write_back(&mut self.world);
        // Stable: events of one pair stay in the order in which they happened.
        self.events.sort_by_key(|event| event.bodies().map(BodyId::index));
        self.time += f64::from(time_step);
    }

    /// Moves dynamic bodies by the integrator, kinematic ones by their velocity.
    fn integrate(&mut self, time_step: f32) {
        let Self { bodies, settings, config, parts, last_steps, forces, time, .. } = self;
        let time = *time + 0.5 * f64::from(time_step);
        let field = ForceField { gravity: settings.gravity, forces, time };
        let max_speed = settings.max_linear_speed;
        let integrator = parts.integrator.as_deref().unwrap_or(config.integrator.method());
        for mover in 0..bodies.movers.len() {
            let body = bodies.get_mut(bodies.movers[mover]);
            if body.body_type == BodyType::Dynamic {
                body.apply_locks();
                let (position, velocity) = (body.center_of_mass, body.linear_velocity);
                let last = last_steps.of(body.id, position, velocity);
                let mut state = MotionState { position, velocity, last };
                let forces = BodyForces::new(field, body, max_speed);
                integrator.integrate(&mut state, &forces, time_step);
                last_steps.store(body.id, &state);
                body.force = Vec3::ZERO;
                body.center_of_mass = state.position;
                body.linear_velocity = state.velocity;
                body.apply_locks();
                // A margin for rounding: the integrators of this crate limit velocities themselves.
                let velocity = body.linear_velocity;
                if velocity.length_squared() > MAX_OVERSPEED * max_speed * max_speed {
                    body.linear_velocity = clamp_length(velocity, max_speed);
                }
            } else {
                body.linear_velocity = clamp_length(body.linear_velocity, max_speed);
                body.center_of_mass += body.linear_velocity * time_step;
            }
            body.center_of_mass = clamp_position(body.center_of_mass);
            body.sync_pose();
        }
    }

    /// Replaces the pairs of the last step by those found in this one, both sorted. A pair found
    /// again keeps its state; one that is gone ends.
    fn update_pairs(&mut self, found: &[OverlapPair]) {
        let mut before = std::mem::take(&mut self.pairs).into_iter().peekable();
        for &pair in found {
            while let Some(gone) = before.next_if(|old| old.bodies < pair) {
                self.events.extend(gone.end_event());
            }
            let kept = before.next_if(|old| old.bodies == pair);
            let ids = pair.map(|index| self.bodies.get(index).id);
            self.pairs.extend(kept.or_else(|| CandidatePair::new(&self.world, ids)));
        }
        self.events.extend(before.filter_map(|gone| gone.end_event()));
    }

    /// Translates touching bodies apart and changes their velocities; keeps dynamic bodies inside
    /// of solid bounds.
    fn respond(&mut self, time_step: f32) {
        let Self { world, bodies, pairs, config, settings, parts, .. } = self;
        let iterations = config.position_iterations;
        let positions = PositionBasedResponse { iterations };
        let response: &dyn ContactResponse = match (&parts.response, config.response) {
            (Some(response), _) => &**response,
            (None, Response::Impulse) => &ImpulseResponse,
            (None, Response::Positions) => &positions,
        };
        let bounds = settings.bounds;
        response.respond(&mut Contacts { world, bodies, pairs, bounds, time_step });
        let Some(bounds) = bounds.filter(|bounds| bounds.mode == BoundaryMode::Solid) else {
            return;
        };
        for mover in 0..bodies.movers.len() {
            let body = bodies.get_mut(bodies.movers[mover]);
            if body.body_type == BodyType::Dynamic {
                let factor = response.bound_factor(body.restitution);
                keep_inside(world, body, &bounds, factor);
            }
        }
    }
}

/// Narrow phase of one pair.
fn update_contact(world: &World, bodies: &BodyStates, pair: &mut CandidatePair, tolerance: f32) {
    let [a, b] = pair.bodies.map(|index| bodies.get(index));
    let shapes = world.body(a.id).zip(world.body(b.id)).map(|(a, b)| (a.shape(), b.shape()));
    let manifold = shapes.and_then(|(shape_a, shape_b)| {
        contact_manifold(shape_a, &a.pose, shape_b, &b.pose, tolerance)
    });
    pair.contact = manifold.as_ref().map(Contact::new);
    if !pair.is_touching {
        pair.approach_velocity = b.linear_velocity - a.linear_velocity;
    }
}

/// Moves a body that left the bounds back inside; `factor` is that of its velocity.
fn keep_inside(world: &World, body: &mut BodyState, bounds: &WorldBounds, factor: f32) {
    let Some(shape) = world.body(body.id).map(|body| body.shape()) else { return };
    let aabb = shape.aabb(&body.pose);
    let moved = body.moved_since_sync();
    for axis in 0..3 {
        let below = bounds.min[axis] - (aabb.min[axis] + moved[axis]);
        let above = aabb.max[axis] + moved[axis] - bounds.max[axis];
        let velocity = &mut body.linear_velocity[axis];
        // A body larger than the bounds is held at the lower wall.
        let (correction, leaves) = if below > 0.0 {
            (below, *velocity < 0.0)
        } else if above > 0.0 {
            (-above, *velocity > 0.0)
        } else {
            continue;
        };
        if leaves {
            *velocity *= factor;
        }
        body.center_of_mass[axis] += correction;
    }
}

/// Clamps finite positions to the supported range; NaN and infinity are kept.
fn clamp_position(center: Vec3) -> Vec3 {
    let far = Vec3::splat(MAX_COORDINATE);
    if center.is_finite() { center.min(far).max(-far) } else { center }
}
