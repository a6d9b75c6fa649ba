//! What does the solver need to know of a touch?

use embate_geom::{Mat3, Vec3, scalar};

use super::bodies::Bodies;
use super::body::Material;
use super::settings::Settings;
use super::touch::Touch;
use super::touches::NearPair;
use super::way::{self, LOCKED, inverse, inverse_of_two};
use crate::contacts::MAX_POINTS;

/// How a contact gives way: like a spring and damper, whatever the masses, so that no depth is undone with
/// a kick (Catto, "Soft Constraints", GDC 2011).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Softness {
    /// Speed of parting over depth, 1/s.
    pub(super) rate: f32,
    /// Share of the impulse that a rigid contact would need.
    pub(super) mass_share: f32,
    /// Share of the impulse so far that gives way.
    pub(super) give: f32,
}

impl Softness {
    /// Of a spring with this many swings a second, damped so many times as strongly as would just stop it
    /// from swinging, for sub-steps of length `h`.
    pub(super) fn new(hertz: f32, damping: f32, h: f32) -> Self {
        let omega = 2.0 * core::f32::consts::PI * hertz;
        let a = 2.0 * damping + h * omega;
        let b = h * omega * a;
        let c = 1.0 / (1.0 + b);
        Self { rate: omega / a, mass_share: b * c, give: c }
    }
}

/// What is the same for all contacts of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepRules {
    /// Length of a sub-step, in seconds, and its inverse.
    pub(super) h: f32,
    pub(super) inverse_h: f32,
    pub(super) softness: Softness,
    /// Bodies in each other are not pushed apart faster, in m/s.
    pub(super) push_speed: f32,
    /// Nothing goes faster, in m/s.
    pub(super) max_speed: f32,
    /// Approaching more slowly, nothing bounces.
    pub(super) rest_speed: f32,
    /// From so far apart on, points are watched, in metres.
    pub(super) margin: f32,
    /// How deep what rests may be.
    pub(super) slop: f32,
    /// Whether impacts may set bodies elsewhere before contacts push them apart.
    pub(super) impacts: bool,
}

/// Swings of a contact's spring in a sub-step. Stacks sink in proportion to the inverse square of it. From 0.3 on,
/// large pyramids shake: impulses are then not passed on far enough within a sub-step.
const SWINGS_A_SUBSTEP: f32 = 0.25;
/// The same under a load so heavy that the touch would sink by twice the slop: nine cubes carry one of a hundred times
/// their mass, each 8.6 mm in the next instead of 13. Everywhere at once it would shake a pyramid; but few touches
/// of one are loaded so.
const SWINGS_LOADED: f32 = 0.31;
/// Between these depths, in slops, the one becomes the other. Slowly: where depth hardly grows with the load, nothing
/// tells neighbours how much each should carry, and columns fall.
const LOADED: [f32; 2] = [0.5, 2.0];
/// Just what stops a swing. Others damp ten times as much, to part slowly; but the less a contact is damped, the
/// more it gives way to its neighbours within a sub-step, so that impulses agree after fewer rounds: with 10, a
/// pyramid of 50 needs twice as many, and one cube of a hundred on top of nine of one falls.
const DAMPING: f32 = 1.0;
/// Bodies that were put into each other part at a walking pace.
const PUSH_SPEED: f32 = 3.0;

impl StepRules {
    pub(super) fn new(settings: &Settings, time_step: f32) -> Self {
        let h = time_step / settings.substeps as f32;
        Self {
            h,
            inverse_h: 1.0 / h,
            softness: Softness::new(SWINGS_A_SUBSTEP / h, DAMPING, h),
            push_speed: PUSH_SPEED,
            max_speed: settings.max_speed,
            rest_speed: settings.rest_speed_at(time_step),
            margin: settings.margin(),
            slop: settings.slop,
            impacts: true,
        }
    }

    /// How a touch gives way whose points each take so many m/s from its bodies in a sub-step: the more they carry,
    /// the less.
    pub(super) fn softness(&self, strain: f32) -> Softness {
        let Softness { rate, mass_share, give } = self.softness;
        // How deep it would rest.
        let depth = strain * give / (mass_share * rate);
        let [from, to] = LOADED.map(|share| share * self.slop);
        if depth <= from {
            return self.softness;
        }
        let load = scalar::min((depth - from) / (to - from), 1.0);
        let swings = SWINGS_A_SUBSTEP + (SWINGS_LOADED - SWINGS_A_SUBSTEP) * load;
        Softness::new(swings * self.inverse_h, DAMPING, self.h)
    }
}

/// A contact point made ready.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Point {
    /// Arm × normal for each body: how a push along the normal turns it.
    pub(super) turn_a: Vec3,
    pub(super) turn_b: Vec3,
    /// Apart when the step began; below 0, in each other.
    pub(super) gap: f32,
    /// How much impulse changes the approach by 1 m/s.
    pub(super) mass: f32,
    /// From the middle of the touch: how well friction here stops a twist.
    pub(super) lever: f32,
    /// Along the normal, in this sub-step and over all of them.
    pub(super) impulse: f32,
    pub(super) total: f32,
}

/// A touch made ready. What a point is held by changes in the blocks alone; only impacts count here.
#[derive(Clone, Debug)]
pub(super) struct Constraint {
    /// Places of A and B.
    pub(super) bodies: [usize; 2],
    /// Which touch it is: the pair's number, and the touch's within it.
    pub(super) pair: u32,
    pub(super) touch: u32,
    pub(super) material: Material,
    pub(super) normal: Vec3,
    pub(super) tangent: Vec3,
    pub(super) bitangent: Vec3,
    /// Of A and B in the world's frame, as of the beginning of the step: all masses here are by these.
    pub(super) inverse_inertias: [Mat3; 2],
    pub(super) count: usize,
    pub(super) points: [Point; MAX_POINTS],
    /// How much speed was taken from the bodies in the last sub-step, at each point, in m/s.
    pub(super) strain: f32,
    /// From each centre of mass to where friction acts.
    pub(super) arm_a: Vec3,
    pub(super) arm_b: Vec3,
    /// Inverse of the 2 × 2 matrix from impulses to velocities along the surface: xx, xy, yy.
    pub(super) friction_mass: [f32; 3],
    pub(super) friction: [f32; 2],
    pub(super) twist_mass: f32,
    pub(super) twist: f32,
    /// Likewise, from turns to spins about the tangents.
    pub(super) rolling_mass: [f32; 3],
    pub(super) rolling: [f32; 2],
}

/// A point this far beyond the margin counts for nothing in the middle of a touch, but never quite: a touch
/// always has a middle.
const LEAST_WEIGHT: f32 = 1e-6;

/// How two bodies together give way at the ends of their arms, along two directions, as [`way::sliding`] tells it of
/// one.
fn sliding(
    along: [Vec3; 2],
    inverse_mass: Vec3,
    [arm_a, arm_b]: [Vec3; 2],
    inertias: &[Mat3; 2],
) -> [f32; 3] {
    let turns_a = along.map(|direction| arm_a.cross(direction));
    let turns_b = along.map(|direction| arm_b.cross(direction));
    let turned_a = turns_a.map(|turn| inertias[0] * turn);
    let turned_b = turns_b.map(|turn| inertias[1] * turn);
    let way = |one: usize, other: usize| {
        inverse_mass.dot(along[one].scaled_by(along[other]))
            + turns_a[one].dot(turned_a[other])
            + turns_b[one].dot(turned_b[other])
    };
    [way(0, 0), way(0, 1), way(1, 1)]
}

/// Makes the touch ready.
pub(super) fn prepare(
    bodies: &Bodies,
    margin: f32,
    (pair, near): (u32, &NearPair),
    (index, touch): (u32, &Touch),
) -> Constraint {
    let [a, b] = near.bodies.map(|place| place as usize);
    let inertias = [bodies.inverse_inertias[a], bodies.inverse_inertias[b]];
    let (motion_a, motion_b) = (&bodies.motions[a], &bodies.motions[b]);
    let inverse_mass = bodies.inverse_masses[a] + bodies.inverse_masses[b];
    let normal = touch.manifold.normal;
    let squared = normal.scaled_by(normal);
    let given_along = inverse_mass.dot(squared);
    let least = LOCKED * inverse_mass.largest();
    let tangent = normal.any_perpendicular();
    let bitangent = normal.cross(tangent);
    let contacts = touch.manifold.points();

    // Friction acts in the middle of the points. Those that do not touch yet count the less the farther
    // apart they are, so that the middle never jumps.
    let (mut arm_a, mut arm_b, mut weights) = (Vec3::ZERO, Vec3::ZERO, 0.0);
    for (contact, found) in contacts.iter().zip(&touch.found) {
        let weight =
            scalar::max(scalar::min(2.0 + contact.depth / margin * 2.0, 1.0), LEAST_WEIGHT);
        arm_a += found.arm_a * weight;
        arm_b += found.arm_b * weight;
        weights += weight;
    }
    let (arm_a, arm_b) = (arm_a / weights, arm_b / weights);

    let mut points = [Point::default(); MAX_POINTS];
    let held = touch.held().zip(&touch.found);
    for (point, ((contact, memory), found)) in points.iter_mut().zip(held) {
        let turn_a = found.arm_a.cross(normal);
        let turn_b = found.arm_b.cross(normal);
        let turning = [turn_a.dot(inertias[0] * turn_a), turn_b.dot(inertias[1] * turn_b)];
        let given = given_along + turning[0] + turning[1];
        let gives = given > least
            || [a, b].into_iter().zip(turning).any(|(place, turning)| {
                let own = bodies.inverse_masses[place];
                own.dot(squared) + turning > LOCKED * own.largest()
            });
        // Until then they come nearer by this.
        let nearing = normal.dot(motion_a.velocity - motion_b.velocity) + turn_a.dot(motion_a.spin)
            - turn_b.dot(motion_b.spin);
        *point = Point {
            turn_a,
            turn_b,
            gap: nearing * touch.ahead - contact.depth,
            mass: if gives { 1.0 / given } else { 0.0 },
            lever: (found.arm_a - arm_a).length(),
            impulse: memory.impulse,
            total: 0.0,
        };
    }

    let (impulse, mass) =
        points.iter().fold((0.0, 0.0), |sum, point| (sum.0 + point.impulse, sum.1 + point.mass));
    let strain = if mass > 0.0 { impulse / mass } else { 0.0 };

    let masses = [bodies.inverse_masses[a], bodies.inverse_masses[b]];
    let (directions, arms) = ([tangent, bitangent], [arm_a, arm_b]);
    let sliding = sliding(directions, inverse_mass, arms, &inertias);
    let friction_mass = inverse(sliding).unwrap_or_else(|| {
        inverse_of_two(
            [0, 1].map(|side| way::sliding(directions, masses[side], arms[side], &inertias[side])),
        )
    });

    let both = inertias[0] + inertias[1];
    let twisting = normal.dot(both * normal);
    let (mut rolling_mass, mut rolling) = ([0.0; 3], [0.0; 2]);
    if near.material.rolling > 0.0 {
        let (about_tangent, about_bitangent) = (both * tangent, both * bitangent);
        let turning = [
            tangent.dot(about_tangent),
            tangent.dot(about_bitangent),
            bitangent.dot(about_bitangent),
        ];
        rolling_mass = inverse(turning).unwrap_or_else(|| {
            inverse_of_two([0, 1].map(|side| way::turning(directions, &inertias[side])))
        });
        rolling = [touch.rolling.dot(tangent), touch.rolling.dot(bitangent)];
    }
    Constraint {
        bodies: [a, b],
        pair,
        touch: index,
        material: near.material,
        normal,
        tangent,
        bitangent,
        inverse_inertias: inertias,
        count: contacts.len(),
        points,
        strain,
        arm_a,
        arm_b,
        friction_mass,
        friction: [touch.friction.dot(tangent), touch.friction.dot(bitangent)],
        twist_mass: if twisting > 0.0 { 1.0 / twisting } else { 0.0 },
        twist: touch.twist,
        rolling_mass,
        rolling,
    }
}
