//! One step: integrate, broad phase, narrow phase, resolve.

use embate::broad_phase::OverlapPair;
use embate::dynamics::{BodyId, BodyType, BoundaryMode, StepStats, World, WorldBounds};
use embate::narrow_phase::contact_manifold;
use embate_geom::{Vec3, scalar};

use super::body_state::{BodyState, BodyStates};
use super::candidate_pair::{CandidatePair, Contact, EventThresholds};
use super::config::Response;
use super::force::ForceField;
use super::position_based;
use super::simulator::Simulator;
use super::stage_timer::{Stage, StageTimer};

/// Largest coordinate of a center of mass, in m; the engine's bound.
const MAX_COORDINATE: f32 = 1e12;

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
        self.keep_inside_bounds();
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

    /// Semi-implicit Euler: velocities first, then positions by the new velocities.
    fn integrate(&mut self, time_step: f32) {
        let Self { bodies, settings, forces, time, .. } = self;
        let time = *time + 0.5 * f64::from(time_step);
        let field = ForceField { gravity: settings.gravity, forces, time };
        for mover in 0..bodies.movers.len() {
            let body = bodies.get_mut(bodies.movers[mover]);
            if body.body_type == BodyType::Dynamic {
                let acceleration =
                    field.acceleration(body, body.center_of_mass, body.linear_velocity);
                body.force = Vec3::ZERO;
                let damping = 1.0 / (1.0 + time_step * body.linear_damping);
                body.linear_velocity = (body.linear_velocity + acceleration * time_step) * damping;
                body.apply_locks();
            }
            body.linear_velocity = clamp_length(body.linear_velocity, settings.max_linear_speed);
            let center = body.center_of_mass + body.linear_velocity * time_step;
            body.center_of_mass = clamp_position(center);
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

    /// Translates touching bodies apart and changes their velocities.
    fn respond(&mut self, time_step: f32) {
        let Self { world, bodies, pairs, config, settings, .. } = self;
        match config.response {
            Response::Positions => {
                let iterations = config.position_iterations;
                position_based::solve(world, bodies, pairs, settings.bounds, iterations, time_step);
            }
            Response::Impulse => {
                pairs.iter_mut().filter(|pair| !pair.sensor).for_each(|pair| resolve(bodies, pair));
            }
        }
    }

    /// Solid bounds: moves dynamic bodies back inside.
    fn keep_inside_bounds(&mut self) {
        let Some(bounds) = self.settings.bounds.filter(|bounds| bounds.mode == BoundaryMode::Solid)
        else {
            return;
        };
        for mover in 0..self.bodies.movers.len() {
            let body = self.bodies.get_mut(self.bodies.movers[mover]);
            if body.body_type == BodyType::Dynamic {
                keep_inside(&self.world, body, &bounds, self.config.response);
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

/// Translates two touching bodies apart and applies the impulse of their collision.
fn resolve(bodies: &mut BodyStates, pair: &mut CandidatePair) {
    let [a, b] = pair.bodies;
    let Some(contact) = &mut pair.contact else { return };
    let normal = contact.normal;
    let [(change_a, along_a), (change_b, along_b)] =
        [a, b].map(|index| bodies.get(index).impulse_response(normal));
    let inverse_mass = along_a + along_b;
    let relative_velocity = bodies.get(b).linear_velocity - bodies.get(a).linear_velocity;
    let separating_speed = relative_velocity.dot(normal);
    // Neither body can move along the normal, or the pair separates by itself.
    if inverse_mass == 0.0 || separating_speed > 0.0 {
        return;
    }
    let translation = scalar::max(contact.max_penetration(), 0.0) / inverse_mass;
    bodies.get_mut(a).center_of_mass -= change_a * translation;
    bodies.get_mut(b).center_of_mass += change_b * translation;
    // The larger restitution of the two, as in the engine.
    let [e_a, e_b] = [a, b].map(|index| bodies.get(index).restitution);
    let restitution = if e_a > e_b { e_a } else { e_b };
    let impulse = -(1.0 + restitution) * separating_speed / inverse_mass;
    bodies.get_mut(a).linear_velocity -= change_a * impulse;
    bodies.get_mut(b).linear_velocity += change_b * impulse;
    contact.impulse = impulse;
}

/// Moves a body that left the bounds back inside, and reflects its velocity, or stops it if only
/// positions are corrected.
fn keep_inside(world: &World, body: &mut BodyState, bounds: &WorldBounds, response: Response) {
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
            *velocity *= match response {
                Response::Impulse => -body.restitution,
                Response::Positions => 0.0,
            };
        }
        body.center_of_mass[axis] += correction;
    }
}

/// `vector`, shortened to `max_length` if it is longer. Infinity and NaN become NaN: not hidden.
fn clamp_length(vector: Vec3, max_length: f32) -> Vec3 {
    let squared = vector.length_squared();
    if squared <= max_length * max_length {
        return vector;
    }
    // The square of a component beyond 1e19 is infinite: scale first.
    let scaled = if squared < f32::INFINITY { vector } else { vector / vector.abs().max_element() };
    scaled * (max_length / scaled.length())
}

/// Clamps finite positions to the supported range; NaN and infinity are kept.
fn clamp_position(center: Vec3) -> Vec3 {
    let far = Vec3::splat(MAX_COORDINATE);
    if center.is_finite() { center.min(far).max(-far) } else { center }
}
