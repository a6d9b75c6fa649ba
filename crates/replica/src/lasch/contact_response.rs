//! Contact response: how touching bodies are moved apart, and how their velocities change.

use std::fmt::Debug;

use embate::dynamics::{BodyId, World, WorldBounds};
use embate_geom::{Vec3, scalar};

use super::body_state::{BodyState, BodyStates};
use super::candidate_pair::CandidatePair;

/// Response to the contacts of a step. [`ImpulseResponse`] and
/// [`PositionBasedResponse`](super::PositionBasedResponse) implement it;
/// [`Parts::response`](super::Parts::response) takes any other.
///
/// ```
/// use embate::dynamics::{BodyDef, Settings};
/// use embate::{Vec3, shapes::Sphere};
/// use embate_replica::lasch::{Config, ContactResponse, Contacts, Parts, Simulator};
///
/// /// Bodies are moved apart, and lose all velocity relative to each other: they stick.
/// #[derive(Debug)]
/// struct Sticky;
///
/// impl ContactResponse for Sticky {
///     fn respond(&self, contacts: &mut Contacts<'_>) {
///         for number in 0..contacts.pair_count() {
///             if let Some(contact) = contacts.get(number) {
///                 contacts.translate(number, contact.penetration.max(0.0));
///                 let impulse = contact.relative_velocity / -contact.inverse_mass;
///                 contacts.apply_impulse(number, impulse);
///             }
///         }
///     }
/// }
///
/// let settings = Settings { gravity: Vec3::ZERO, ..Settings::default() };
/// let parts = Parts::new().response(Sticky);
/// let mut simulator = Simulator::with_parts(settings, Config::PUBLISHED, parts)?;
/// let ball = |x: f32| Ok::<_, embate::shapes::ShapeError>(
///     BodyDef::dynamic(Sphere::new(0.5)?, 1.0).position(Vec3::X * x),
/// );
/// let one = simulator.insert_body(ball(-1.0)?.linear_velocity(Vec3::new(2.0, 1.0, 0.0)))?;
/// let two = simulator.insert_body(ball(1.0)?)?;
/// (0..60).for_each(|_| simulator.step());
/// let velocity = |id| simulator.world().body(id).unwrap().linear_velocity();
/// assert!((velocity(one) - Vec3::new(1.0, 0.5, 0.0)).length() < 1e-6);
/// assert_eq!(velocity(one), velocity(two));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait ContactResponse: Debug + Send + Sync {
    /// Translates the bodies in contact and changes their velocities.
    fn respond(&self, contacts: &mut Contacts<'_>);

    /// Factor of a body's velocity component along the normal of a solid bound that it leaves, of a
    /// body with this restitution. The simulator puts the body back inside.
    fn bound_factor(&self, restitution: f32) -> f32 {
        -restitution
    }
}

/// The study's response: pair by pair, touching bodies are translated apart and get the impulse of
/// a collision with restitution.
#[derive(Clone, Copy, Debug)]
pub struct ImpulseResponse;

impl ContactResponse for ImpulseResponse {
    fn respond(&self, contacts: &mut Contacts<'_>) {
        let Contacts { bodies, pairs, .. } = contacts;
        pairs.iter_mut().filter(|pair| !pair.sensor).for_each(|pair| resolve(bodies, pair));
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
    let restitution = larger_restitution(bodies, pair.bodies);
    let impulse = -(1.0 + restitution) * separating_speed / inverse_mass;
    bodies.get_mut(a).linear_velocity -= change_a * impulse;
    bodies.get_mut(b).linear_velocity += change_b * impulse;
    contact.impulse = impulse;
}

/// The larger restitution of the two, as in the engine.
fn larger_restitution(bodies: &BodyStates, pair: [u32; 2]) -> f32 {
    let [e_a, e_b] = pair.map(|index| bodies.get(index).restitution);
    if e_a > e_b { e_a } else { e_b }
}

/// The contacts of a step, and the bodies that a response moves.
#[derive(Debug)]
pub struct Contacts<'a> {
    pub(super) world: &'a World,
    pub(super) bodies: &'a mut BodyStates,
    /// Sorted by body index.
    pub(super) pairs: &'a mut [CandidatePair],
    pub(super) bounds: Option<WorldBounds>,
    pub(super) time_step: f32,
}

/// A contact, and the current motion of its two bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContactState {
    /// The two bodies, the one of the smaller index first.
    pub bodies: [BodyId; 2],
    /// From the first body to the second, unit length.
    pub normal: Vec3,
    /// Deepest of the contact points, in m, as the narrow phase found it; negative: the distance.
    pub penetration: f32,
    /// Velocity of the second body relative to the first, in m/s.
    pub relative_velocity: Vec3,
    /// Of both bodies along the normal, in 1/kg: j = Δv / inverse mass. Never 0.
    pub inverse_mass: f32,
    /// The larger of the two.
    pub restitution: f32,
}

impl Contacts<'_> {
    /// Number of candidate pairs, counted from 0 in the order of the body indices.
    #[must_use]
    pub fn pair_count(&self) -> usize {
        self.pairs.len()
    }

    /// The contact of a candidate pair. `None` if the bodies are apart by more than the tolerance,
    /// if one is a sensor, or if none can move along the normal.
    #[must_use]
    pub fn get(&self, pair: usize) -> Option<ContactState> {
        let pair = self.pairs.get(pair).filter(|pair| !pair.sensor)?;
        let contact = pair.contact.as_ref()?;
        let [a, b] = pair.bodies.map(|index| self.bodies.get(index));
        let inverse_mass =
            a.impulse_response(contact.normal).1 + b.impulse_response(contact.normal).1;
        (inverse_mass > 0.0).then(|| ContactState {
            bodies: pair.ids,
            normal: contact.normal,
            penetration: contact.max_penetration(),
            relative_velocity: b.linear_velocity - a.linear_velocity,
            inverse_mass,
            restitution: larger_restitution(self.bodies, pair.bodies),
        })
    }

    /// Moves the two bodies of a [contact](Self::get) apart by `distance` m along the normal, split
    /// by inverse mass. Fixed and kinematic bodies stay; no velocity changes.
    pub fn translate(&mut self, pair: usize, distance: f32) {
        let Some(ContactState { inverse_mass, normal, .. }) = self.get(pair) else { return };
        let amount = distance / inverse_mass;
        self.change(
            pair,
            |body| body.impulse_response(normal).0 * amount,
            |body, change| {
                body.center_of_mass += change;
            },
        );
    }

    /// Applies an impulse along the normal to the two bodies of a [contact](Self::get), in N·s;
    /// positive: apart. It is added to the impulse that the contact reports.
    pub fn apply_normal_impulse(&mut self, pair: usize, impulse: f32) {
        let Some(ContactState { normal, .. }) = self.get(pair) else { return };
        self.change(
            pair,
            |body| body.impulse_response(normal).0 * impulse,
            |body, change| {
                body.linear_velocity += change;
            },
        );
        self.report(pair, impulse);
    }

    /// Applies any impulse to the second body of a [contact](Self::get) and the opposite one to the
    /// first, in N·s: with a part along the normal, or across it as friction. Bodies do not rotate.
    pub fn apply_impulse(&mut self, pair: usize, impulse: Vec3) {
        let Some(ContactState { normal, .. }) = self.get(pair) else { return };
        self.change(
            pair,
            |body| body.velocity_change(impulse),
            |body, change| {
                body.linear_velocity += change;
            },
        );
        self.report(pair, impulse.dot(normal));
    }

    /// Duration of the step, in s.
    #[must_use]
    pub fn time_step(&self) -> f32 {
        self.time_step
    }

    /// The bodies with their shapes, masses and materials; their motion is that before the step.
    #[must_use]
    pub fn world(&self) -> &World {
        self.world
    }

    /// Changes the second body by `amount` and the first by its opposite.
    fn change(
        &mut self,
        pair: usize,
        amount: impl Fn(&BodyState) -> Vec3,
        apply: impl Fn(&mut BodyState, Vec3),
    ) {
        let [a, b] = self.pairs[pair].bodies;
        let [change_a, change_b] = [a, b].map(|index| amount(self.bodies.get(index)));
        apply(self.bodies.get_mut(a), -change_a);
        apply(self.bodies.get_mut(b), change_b);
    }

    fn report(&mut self, pair: usize, impulse: f32) {
        if let Some(contact) = &mut self.pairs[pair].contact {
            contact.impulse += impulse;
        }
    }
}
