//! Which impulses keep touching bodies apart, and hold them by friction?
//!
//! The soft step (Catto, "`Solver2D`", 2024; Box3D): each sub-step begins with the impulses of the one before
//! (`warm_start`), parts what reaches into each other (`push_apart`), moves, then takes back the speed of
//! parting (`relax`), so that it does not stay as motion. Friction acts in both: a house of cards slides apart
//! while it is pushed otherwise.

use embate_geom::{Mat3, Vec3, scalar};

use super::bodies::{Bodies, Motion};
use super::prepare::{Constraint, StepRules};

/// Times that `push_apart` and `relax` go over all touches in a sub-step. With one, contacts must be so soft
/// that tall stacks lean and fall: like any slender column, they buckle.
pub(super) const SWEEPS: usize = 2;

/// The two bodies of a touch while it is solved.
struct Two {
    a: Motion,
    b: Motion,
    mass_a: f32,
    mass_b: f32,
    inertia_a: Mat3,
    inertia_b: Mat3,
}

impl Two {
    fn of(bodies: &Bodies, [a, b]: [usize; 2]) -> Self {
        Self {
            a: bodies.motions[a],
            b: bodies.motions[b],
            mass_a: bodies.inverse_masses[a],
            mass_b: bodies.inverse_masses[b],
            inertia_a: bodies.inverse_inertias[a],
            inertia_b: bodies.inverse_inertias[b],
        }
    }

    fn store(&self, bodies: &mut Bodies, [a, b]: [usize; 2]) {
        bodies.motions[a] = self.a;
        bodies.motions[b] = self.b;
    }

    /// Pushes B by an impulse and A back by the same; each is also turned.
    fn push(&mut self, impulse: Vec3, turn_a: Vec3, turn_b: Vec3) {
        self.a.velocity -= impulse * self.mass_a;
        self.a.spin -= self.inertia_a * turn_a;
        self.b.velocity += impulse * self.mass_b;
        self.b.spin += self.inertia_b * turn_b;
    }

    fn twist(&mut self, twist: Vec3) {
        self.a.spin -= self.inertia_a * twist;
        self.b.spin += self.inertia_b * twist;
    }

    /// How fast the bodies part at a point, along a direction.
    fn parting(&self, along: Vec3, turn_a: Vec3, turn_b: Vec3) -> f32 {
        along.dot(self.b.velocity - self.a.velocity) + turn_b.dot(self.b.spin)
            - turn_a.dot(self.a.spin)
    }

    /// How much farther apart the bodies are at a point than when the step began.
    fn parted(&self, along: Vec3, turn_a: Vec3, turn_b: Vec3) -> f32 {
        along.dot(self.b.moved - self.a.moved) + turn_b.dot(self.b.turned)
            - turn_a.dot(self.a.turned)
    }
}

/// Begins with the impulses of the last sub-step, or of the last step.
pub(super) fn warm_start(bodies: &mut Bodies, constraints: &[Constraint]) {
    for touch in constraints {
        let mut two = Two::of(bodies, touch.bodies);
        let (mut push, mut turn_a, mut turn_b) = (0.0, Vec3::ZERO, Vec3::ZERO);
        for point in &touch.points[..touch.count] {
            push += point.impulse;
            turn_a += point.turn_a * point.impulse;
            turn_b += point.turn_b * point.impulse;
        }
        let along = touch.tangent * touch.friction[0] + touch.bitangent * touch.friction[1];
        let about = touch.normal * touch.twist + touch.rolling;
        two.push(
            touch.normal * push + along,
            turn_a + touch.arm_a.cross(along) + about,
            turn_b + touch.arm_b.cross(along) + about,
        );
        two.store(bodies, touch.bodies);
    }
}

/// Stops approach and parts what reaches into each other; friction.
pub(super) fn push_apart(bodies: &mut Bodies, constraints: &mut [Constraint], rules: &StepRules) {
    let soft = rules.softness;
    for touch in constraints {
        let mut two = Two::of(bodies, touch.bodies);
        let normal = touch.normal;
        for point in &mut touch.points[..touch.count] {
            let (turn_a, turn_b) = (point.turn_a, point.turn_b);
            let gap = point.gap + two.parted(normal, turn_a, turn_b);
            let parting = two.parting(normal, turn_a, turn_b);
            let change = if gap > 0.0 {
                // May close what is left of the gap, and no more.
                -point.mass * (parting + gap * rules.inverse_h)
            } else {
                let wanted = scalar::max(soft.mass_share * soft.rate * gap, -rules.push_speed);
                -point.mass * (soft.mass_share * parting + wanted) - soft.give * point.impulse
            };
            let impulse = scalar::max(point.impulse + change, 0.0);
            let change = impulse - point.impulse;
            point.impulse = impulse;
            two.push(normal * change, turn_a * change, turn_b * change);
        }
        rub(touch, &mut two);
        two.store(bodies, touch.bodies);
    }
}

/// Takes back the speed of parting that `push_apart` gave; friction.
pub(super) fn relax(bodies: &mut Bodies, constraints: &mut [Constraint], rules: &StepRules) {
    for touch in constraints {
        let mut two = Two::of(bodies, touch.bodies);
        let normal = touch.normal;
        let bounces = touch.material.restitution > 0.0;
        for point in &mut touch.points[..touch.count] {
            let (turn_a, turn_b) = (point.turn_a, point.turn_b);
            let gap = point.gap + two.parted(normal, turn_a, turn_b);
            let parting = two.parting(normal, turn_a, turn_b);
            // What is about to bounce is not stopped: the next sub-step lets it.
            if bounces && point.impulse == 0.0 && parting < -rules.rest_speed {
                continue;
            }
            let may_close = if gap > 0.0 { gap * rules.inverse_h } else { 0.0 };
            let impulse = scalar::max(point.impulse - point.mass * (parting + may_close), 0.0);
            let change = impulse - point.impulse;
            point.impulse = impulse;
            two.push(normal * change, turn_a * change, turn_b * change);
        }
        rub(touch, &mut two);
        two.store(bodies, touch.bodies);
    }
}

/// At the end of a sub-step: counts its impulses.
pub(super) fn sum_up(constraints: &mut [Constraint]) {
    for touch in constraints {
        for point in &mut touch.points[..touch.count] {
            point.total += point.impulse;
        }
    }
}

/// Friction and resistance, as far as the impulses along the normal allow.
fn rub(touch: &mut Constraint, two: &mut Two) {
    let (mut held, mut held_by_lever) = (0.0, 0.0);
    for point in &touch.points[..touch.count] {
        held += point.impulse;
        held_by_lever += point.lever * point.impulse;
    }
    twist(touch, two, held, held_by_lever);
    roll(touch, two, held);
    slide(touch, two, held);
}

/// Friction against turning about the normal.
fn twist(touch: &mut Constraint, two: &mut Two, held: f32, held_by_lever: f32) {
    let most = touch.material.friction * held_by_lever + touch.material.spinning * held;
    let speed = touch.normal.dot(two.b.spin - two.a.spin);
    let wanted = touch.twist - touch.twist_mass * speed;
    let twist = scalar::max(scalar::min(wanted, most), -most);
    two.twist(touch.normal * (twist - touch.twist));
    touch.twist = twist;
}

/// Resistance against rolling.
fn roll(touch: &mut Constraint, two: &mut Two, held: f32) {
    if touch.material.rolling <= 0.0 {
        return;
    }
    let most = touch.material.rolling * held;
    let wanted = touch.rolling - touch.rolling_mass * (two.b.spin - two.a.spin);
    let squared = wanted.length_squared();
    let rolling = if squared > most * most { wanted * (most / squared.sqrt()) } else { wanted };
    two.twist(rolling - touch.rolling);
    touch.rolling = rolling;
}

/// Friction against sliding, in the middle of the touch.
fn slide(touch: &mut Constraint, two: &mut Two, held: f32) {
    let most = touch.material.friction * held;
    let speed = two.b.velocity + two.b.spin.cross(touch.arm_b)
        - two.a.velocity
        - two.a.spin.cross(touch.arm_a);
    let (x, y) = (speed.dot(touch.tangent), speed.dot(touch.bitangent));
    let [xx, xy, yy] = touch.friction_mass;
    let [old_x, old_y] = touch.friction;
    let wanted = [old_x - (xx * x + xy * y), old_y - (xy * x + yy * y)];
    let squared = wanted[0] * wanted[0] + wanted[1] * wanted[1];
    let scale = if squared > most * most { most / squared.sqrt() } else { 1.0 };
    let friction = [wanted[0] * scale, wanted[1] * scale];
    let change = touch.tangent * (friction[0] - old_x) + touch.bitangent * (friction[1] - old_y);
    two.push(change, touch.arm_a.cross(change), touch.arm_b.cross(change));
    touch.friction = friction;
}
