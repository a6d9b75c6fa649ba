//! Position-based dynamics: contacts corrected in the positions, velocities from the corrections.
//!
//! Müller et al. 2007, "Position Based Dynamics"; the velocity pass is that of Müller et al. 2020,
//! "Detailed Rigid Body Simulation with Extended Position Based Dynamics", section 3.6, with a
//! restitution of 0; the stabilization that of Macklin et al. 2014, "Unified Particle Physics for
//! Real-Time Applications", section 4.4. Bodies are only translated.
//!
//! ```text
//! stabilize   penetration from before the step: bodies translated apart, velocities kept
//! project     penetration of this step: bodies translated apart, Gauss–Seidel over the contacts
//! velocities  v += projection / dt
//! contacts    the relative velocity along the normal becomes 0; a contact never pulls
//! ```
//!
//! A contact that separates is not corrected, but others cannot deepen it.

use embate::dynamics::{BodyType, BoundaryMode, World, WorldBounds};
use embate_geom::{Vec3, scalar};

use super::body_state::BodyStates;
use super::candidate_pair::CandidatePair;
use super::contact_response::{ContactResponse, Contacts};

/// Position correction alone, as position-based dynamics: velocities follow from the corrected
/// positions, and collisions have no restitution.
#[derive(Clone, Copy, Debug)]
pub struct PositionBasedResponse {
    /// Passes over all contacts in a step; none of the contacts is corrected by 0.
    pub iterations: u8,
}

impl ContactResponse for PositionBasedResponse {
    fn respond(&self, contacts: &mut Contacts<'_>) {
        let Contacts { world, bodies, pairs, bounds, time_step } = contacts;
        solve(world, bodies, pairs, *bounds, self.iterations, *time_step);
    }

    fn bound_factor(&self, _: f32) -> f32 {
        0.0
    }
}

/// A contact of two bodies, or of a body and a solid bound.
#[derive(Clone, Copy, Debug)]
struct Constraint {
    /// Index in the list of pairs; `None` for a bound.
    pair: Option<usize>,
    /// Body indices; `None` for a bound, and for a body that cannot move along the normal.
    bodies: [Option<u32>; 2],
    /// From the first to the second.
    normal: Vec3,
    /// Change of each body by a unit correction along the normal.
    changes: [Vec3; 2],
    inverse_mass: f32,
    /// At the predicted positions, in m; negative: distance.
    penetration: f32,
    /// Relative velocity along the normal before the correction, in m/s; positive: separating.
    separating_speed: f32,
    /// Part of that speed by sides that cannot move along the normal, such as kinematic bodies.
    immovable_speed: f32,
    /// Sum of the corrections as an impulse, in N·s.
    impulse: f32,
}

/// Translation of a body in this step, in m.
#[derive(Clone, Copy, Debug, Default)]
struct Translation {
    /// Without effect on the velocity.
    stabilization: Vec3,
    projection: Vec3,
}

impl Constraint {
    /// How far the corrections have separated the two sides, in m.
    fn separated_by(&self, translation: impl Fn(u32) -> Vec3) -> f32 {
        let [a, b] = self.bodies.map(|body| body.map_or(Vec3::ZERO, &translation));
        (b - a).dot(self.normal)
    }

    /// Calls `change` with each body and its change by `amount` along the normal.
    fn apply(&self, amount: f32, mut change: impl FnMut(u32, Vec3)) {
        for (side, sign) in [(0, -amount), (1, amount)] {
            if let Some(body) = self.bodies[side] {
                change(body, self.changes[side] * sign);
            }
        }
    }
}

/// Corrects the positions and velocities of all bodies in contact.
fn solve(
    world: &World,
    bodies: &mut BodyStates,
    pairs: &mut [CandidatePair],
    bounds: Option<WorldBounds>,
    iterations: u8,
    time_step: f32,
) {
    let mut constraints: Vec<Constraint> = pairs
        .iter()
        .enumerate()
        .filter(|(_, pair)| !pair.sensor)
        .filter_map(|(number, pair)| contact_constraint(bodies, number, pair))
        .collect();
    if let Some(bounds) = bounds.filter(|bounds| bounds.mode == BoundaryMode::Solid) {
        add_bounds(world, bodies, &bounds, &mut constraints);
    }
    let size = bodies.movers.last().map_or(0, |&last| last as usize + 1);
    let mut translations = vec![Translation::default(); size];
    stabilize(&constraints, &mut translations, iterations, time_step);
    project(&mut constraints, &mut translations, iterations, time_step);
    for mover in 0..bodies.movers.len() {
        let index = bodies.movers[mover];
        let Translation { stabilization, projection } = translations[index as usize];
        let body = bodies.get_mut(index);
        body.center_of_mass += stabilization + projection;
        body.linear_velocity += projection / time_step;
    }
    correct_velocities(&mut constraints, bodies, iterations);
    for constraint in &constraints {
        let contact = constraint.pair.and_then(|number| pairs[number].contact.as_mut());
        if let Some(contact) = contact {
            contact.impulse = constraint.impulse;
        }
    }
}

/// `None` unless the pair touches and one of its bodies can move along the normal.
fn contact_constraint(
    bodies: &BodyStates,
    number: usize,
    pair: &CandidatePair,
) -> Option<Constraint> {
    let contact = pair.contact.as_ref()?;
    let normal = contact.normal;
    let [a, b] = pair.bodies.map(|index| bodies.get(index));
    let [(change_a, along_a), (change_b, along_b)] =
        [a, b].map(|body| body.impulse_response(normal));
    let inverse_mass = along_a + along_b;
    let index = |side: usize, along: f32| (along > 0.0).then_some(pair.bodies[side]);
    let immovable = |along: f32, velocity: Vec3| if along > 0.0 { Vec3::ZERO } else { velocity };
    let immovable_a = immovable(along_a, a.linear_velocity);
    let immovable_b = immovable(along_b, b.linear_velocity);
    (inverse_mass > 0.0).then(|| Constraint {
        pair: Some(number),
        bodies: [index(0, along_a), index(1, along_b)],
        normal,
        changes: [change_a, change_b],
        inverse_mass,
        penetration: contact.max_penetration(),
        separating_speed: (b.linear_velocity - a.linear_velocity).dot(normal),
        immovable_speed: (immovable_b - immovable_a).dot(normal),
        impulse: 0.0,
    })
}

/// Adds the solid bounds near each dynamic body: those within its own extent.
fn add_bounds(
    world: &World,
    bodies: &BodyStates,
    bounds: &WorldBounds,
    constraints: &mut Vec<Constraint>,
) {
    for &mover in &bodies.movers {
        let body = bodies.get(mover);
        let Some(shape) = world.body(body.id).map(|body| body.shape()) else { continue };
        if body.body_type != BodyType::Dynamic {
            continue;
        }
        let aabb = shape.aabb(&body.pose);
        for (axis, direction) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
            let below = bounds.min[axis] - aabb.min[axis];
            let above = aabb.max[axis] - bounds.max[axis];
            let reach = aabb.max[axis] - aabb.min[axis];
            // A body larger than the bounds is held at the lower one.
            let (penetration, normal) = if below > -reach && (below > 0.0 || below >= above) {
                (below, direction)
            } else if above > -reach {
                (above, -direction)
            } else {
                continue;
            };
            let (change, inverse_mass) = body.impulse_response(normal);
            if inverse_mass > 0.0 {
                constraints.push(Constraint {
                    pair: None,
                    bodies: [None, Some(mover)],
                    normal,
                    changes: [Vec3::ZERO, change],
                    inverse_mass,
                    penetration,
                    separating_speed: body.linear_velocity.dot(normal),
                    immovable_speed: 0.0,
                    impulse: 0.0,
                });
            }
        }
    }
}

/// Corrects the penetration that the step began with.
fn stabilize(
    constraints: &[Constraint],
    translations: &mut [Translation],
    iterations: u8,
    time_step: f32,
) {
    for _ in 0..iterations {
        for constraint in constraints.iter().filter(|it| it.separating_speed <= 0.0) {
            let before = constraint.penetration + constraint.separating_speed * time_step;
            let moved = constraint.separated_by(|index| translations[index as usize].stabilization);
            let excess = before - moved;
            if excess > 0.0 {
                constraint.apply(excess / constraint.inverse_mass, |index, change| {
                    translations[index as usize].stabilization += change;
                });
            }
        }
    }
}

/// Corrects the penetration that this step added.
fn project(
    constraints: &mut [Constraint],
    translations: &mut [Translation],
    iterations: u8,
    time_step: f32,
) {
    for _ in 0..iterations {
        for constraint in &mut *constraints {
            let separates = constraint.separating_speed > 0.0;
            let allowed = if separates { scalar::max(constraint.penetration, 0.0) } else { 0.0 };
            let moved = constraint.separated_by(|index| {
                let Translation { stabilization, projection } = translations[index as usize];
                stabilization + projection
            });
            let excess = constraint.penetration - moved - allowed;
            if excess > 0.0 {
                let amount = excess / constraint.inverse_mass;
                constraint.apply(amount, |index, change| {
                    translations[index as usize].projection += change;
                });
                constraint.impulse += amount / time_step;
            }
        }
    }
}

/// Stops the relative motion along the normal of every contact that was corrected.
fn correct_velocities(constraints: &mut [Constraint], bodies: &mut BodyStates, iterations: u8) {
    for _ in 0..iterations {
        for constraint in constraints.iter_mut().filter(|it| it.impulse > 0.0) {
            let speed = constraint.separated_by(|index| bodies.get(index).linear_velocity);
            let speed = speed + constraint.immovable_speed;
            let allowed = scalar::max(constraint.separating_speed, 0.0);
            let target = scalar::min(scalar::max(speed, 0.0), allowed);
            let impulse = constraint.impulse + (target - speed) / constraint.inverse_mass;
            let impulse = scalar::max(impulse, 0.0);
            let amount = impulse - constraint.impulse;
            constraint.impulse = impulse;
            constraint.apply(amount, |index, change| {
                bodies.get_mut(index).linear_velocity += change;
            });
        }
    }
}
