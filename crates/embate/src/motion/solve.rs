//! Which impulses keep touching bodies apart, and hold them by friction?
//!
//! The soft step (Catto, "`Solver2D`", 2024; Box3D): each sub-step begins with the impulses of the one before
//! (`warm_start`), parts what reaches into each other (`push_apart`), moves, then takes back the speed of
//! parting (`relax`), so that it does not stay as motion. Friction acts in both: a house of cards slides apart
//! while it is pushed otherwise.
#![allow(clippy::inline_always)]

use fearless_simd::{Level, dispatch, f32x8, prelude::*};

use super::blocks::{Block, Blocks};
use super::bodies::{Bodies, Motion};
use super::lanes::{LANES, Rows3, Vectors, get3, max, min, set3, times};
use super::prepare::StepRules;
use super::threads::share;

/// Times that `relax` goes over all touches in a sub-step. Once is enough for stacks and pyramids; a house of
/// seven levels of cards wants two.
pub(super) const RELAXATIONS: usize = 2;

/// Blocks of a colour that one thread solves at least, so that it is worth to wake another.
const SOLVE_LEAST: usize = 24;

/// What is done with all touches.
#[derive(Clone, Copy, Debug)]
pub(super) enum Round {
    /// Begins with the impulses of the last sub-step, or of the last step.
    WarmStart,
    /// Stops approach and parts what reaches into each other; friction.
    PushApart,
    /// Takes back the speed of parting that pushing apart gave; friction. The last one of a sub-step counts its
    /// impulses.
    Relax { last: bool },
}

/// Goes over all touches once, colour by colour.
pub(super) fn solve(
    level: Level,
    threads: usize,
    bodies: &mut Bodies,
    blocks: &mut Blocks,
    rules: &StepRules,
    round: Round,
) {
    let motions = &mut bodies.motions;
    for (colour, at_once) in blocks.colours() {
        let blocks = colour.blocks();
        if at_once && blocks.len() >= 2 * SOLVE_LEAST && threads > 1 {
            share(threads, SOLVE_LEAST, blocks, |blocks| {
                solve_part(level, motions, blocks, rules, round);
            });
            for block in blocks {
                scatter(motions, block);
            }
        } else {
            solve_serially(level, motions, blocks, rules, round);
        }
    }
}

/// Solves blocks that move different bodies, and leaves in them what comes out.
fn solve_part(
    level: Level,
    motions: &[Motion],
    blocks: &mut [Block],
    rules: &StepRules,
    round: Round,
) {
    dispatch!(level, simd => {
        for block in blocks {
            solve_block(simd, motions, block, rules, round);
        }
    });
}

fn solve_serially(
    level: Level,
    motions: &mut [Motion],
    blocks: &mut [Block],
    rules: &StepRules,
    round: Round,
) {
    dispatch!(level, simd => {
        for block in blocks {
            solve_block(simd, motions, block, rules, round);
            scatter(motions, block);
        }
    });
}

#[inline(always)]
fn solve_block<S: Simd>(
    simd: S,
    motions: &[Motion],
    block: &mut Block,
    rules: &StepRules,
    round: Round,
) {
    match round {
        Round::WarmStart => warm_start(simd, motions, block),
        Round::PushApart => push_apart(simd, motions, block, rules),
        Round::Relax { last } => relax(simd, motions, block, rules, last),
    }
}

/// The bodies of a block's touches while it is solved.
struct Two<S: Simd> {
    velocity_a: Vectors<S>,
    velocity_b: Vectors<S>,
    spin_a: Vectors<S>,
    spin_b: Vectors<S>,
}

/// What the bodies have done since the step began.
struct Way<S: Simd> {
    moved: Vectors<S>,
    turned_a: Vectors<S>,
    turned_b: Vectors<S>,
}

#[inline(always)]
fn gather(motions: &[Motion], places: &[u32; LANES], lanes: usize) -> [Rows3; 4] {
    let mut rows = [[[0.0; LANES]; 3]; 4];
    for (lane, &place) in places[..lanes].iter().enumerate() {
        let motion = &motions[place as usize];
        set3(&mut rows[0], lane, motion.velocity);
        set3(&mut rows[1], lane, motion.spin);
        set3(&mut rows[2], lane, motion.moved);
        set3(&mut rows[3], lane, motion.turned);
    }
    rows
}

#[inline(always)]
fn gather_speeds(motions: &[Motion], places: &[u32; LANES], lanes: usize) -> [Rows3; 2] {
    let mut rows = [[[0.0; LANES]; 3]; 2];
    for (lane, &place) in places[..lanes].iter().enumerate() {
        let motion = &motions[place as usize];
        set3(&mut rows[0], lane, motion.velocity);
        set3(&mut rows[1], lane, motion.spin);
    }
    rows
}

#[inline(always)]
fn load<S: Simd>(simd: S, motions: &[Motion], block: &Block) -> (Two<S>, Way<S>) {
    let a = gather(motions, &block.a, block.lanes);
    let b = gather(motions, &block.b, block.lanes);
    let two = Two {
        velocity_a: Vectors::load(simd, &a[0]),
        velocity_b: Vectors::load(simd, &b[0]),
        spin_a: Vectors::load(simd, &a[1]),
        spin_b: Vectors::load(simd, &b[1]),
    };
    let way = Way {
        moved: Vectors::load(simd, &b[2]) - Vectors::load(simd, &a[2]),
        turned_a: Vectors::load(simd, &a[3]),
        turned_b: Vectors::load(simd, &b[3]),
    };
    (two, way)
}

#[inline(always)]
fn load_speeds<S: Simd>(simd: S, motions: &[Motion], block: &Block) -> Two<S> {
    let a = gather_speeds(motions, &block.a, block.lanes);
    let b = gather_speeds(motions, &block.b, block.lanes);
    Two {
        velocity_a: Vectors::load(simd, &a[0]),
        velocity_b: Vectors::load(simd, &b[0]),
        spin_a: Vectors::load(simd, &a[1]),
        spin_b: Vectors::load(simd, &b[1]),
    }
}

/// Gives the bodies what comes out of a block.
#[inline(always)]
fn scatter(motions: &mut [Motion], block: &Block) {
    let [velocity_a, spin_a, velocity_b, spin_b] = &block.after;
    for lane in 0..block.lanes {
        // What nothing moves may be in several lanes, and stays as it is.
        if block.mass_a[lane] > 0.0 {
            let motion = &mut motions[block.a[lane] as usize];
            motion.velocity = get3(velocity_a, lane);
            motion.spin = get3(spin_a, lane);
        }
        if block.mass_b[lane] > 0.0 {
            let motion = &mut motions[block.b[lane] as usize];
            motion.velocity = get3(velocity_b, lane);
            motion.spin = get3(spin_b, lane);
        }
    }
}

impl<S: Simd> Two<S> {
    #[inline(always)]
    fn store(&self, rows: &mut [Rows3; 4]) {
        self.velocity_a.store(&mut rows[0]);
        self.spin_a.store(&mut rows[1]);
        self.velocity_b.store(&mut rows[2]);
        self.spin_b.store(&mut rows[3]);
    }

    /// Pushes B by an impulse and A back by the same; each is also turned.
    #[inline(always)]
    fn push(
        &mut self,
        simd: S,
        block: &Block,
        impulse: Vectors<S>,
        turn_a: Vectors<S>,
        turn_b: Vectors<S>,
    ) {
        self.velocity_a = self.velocity_a - impulse * f32x8::simd_from(simd, block.mass_a);
        self.spin_a = self.spin_a - times(simd, &block.inertia_a, turn_a);
        self.velocity_b = self.velocity_b + impulse * f32x8::simd_from(simd, block.mass_b);
        self.spin_b = self.spin_b + times(simd, &block.inertia_b, turn_b);
    }

    #[inline(always)]
    fn twist(&mut self, simd: S, block: &Block, twist: Vectors<S>) {
        self.spin_a = self.spin_a - times(simd, &block.inertia_a, twist);
        self.spin_b = self.spin_b + times(simd, &block.inertia_b, twist);
    }

    /// How fast the bodies part at a point, along a direction.
    #[inline(always)]
    fn parting(&self, along: Vectors<S>, turn_a: Vectors<S>, turn_b: Vectors<S>) -> f32x8<S> {
        along.dot(self.velocity_b - self.velocity_a) + turn_b.dot(self.spin_b)
            - turn_a.dot(self.spin_a)
    }
}

impl<S: Simd> Way<S> {
    /// How much farther apart the bodies are at a point than when the step began.
    #[inline(always)]
    fn parted(&self, along: Vectors<S>, turn_a: Vectors<S>, turn_b: Vectors<S>) -> f32x8<S> {
        along.dot(self.moved) + turn_b.dot(self.turned_b) - turn_a.dot(self.turned_a)
    }
}

#[inline(always)]
fn warm_start<S: Simd>(simd: S, motions: &[Motion], block: &mut Block) {
    let mut two = load_speeds(simd, motions, block);
    let zero = f32x8::splat(simd, 0.0);
    let none = Vectors { x: zero, y: zero, z: zero };
    let (mut push, mut turn_a, mut turn_b) = (zero, none, none);
    for point in &block.points[..block.count] {
        let impulse = f32x8::simd_from(simd, point.impulse);
        push += impulse;
        turn_a = turn_a + Vectors::load(simd, &point.turn_a) * impulse;
        turn_b = turn_b + Vectors::load(simd, &point.turn_b) * impulse;
    }
    let normal = Vectors::load(simd, &block.normal);
    let along = Vectors::load(simd, &block.tangent) * f32x8::simd_from(simd, block.friction[0])
        + Vectors::load(simd, &block.bitangent) * f32x8::simd_from(simd, block.friction[1]);
    let about = normal * f32x8::simd_from(simd, block.twist) + Vectors::load(simd, &block.rolling);
    let turn_a = turn_a + Vectors::load(simd, &block.arm_a).cross(along) + about;
    let turn_b = turn_b + Vectors::load(simd, &block.arm_b).cross(along) + about;
    two.push(simd, block, normal * push + along, turn_a, turn_b);
    two.store(&mut block.after);
}

#[inline(always)]
fn push_apart<S: Simd>(simd: S, motions: &[Motion], block: &mut Block, rules: &StepRules) {
    let (mut two, way) = load(simd, motions, block);
    let zero = f32x8::splat(simd, 0.0);
    let soft = rules.softness;
    let mass_share = f32x8::splat(simd, soft.mass_share);
    let rate = f32x8::splat(simd, soft.mass_share * soft.rate);
    let give = f32x8::splat(simd, soft.give);
    let slowest = f32x8::splat(simd, -rules.push_speed);
    let inverse_h = f32x8::splat(simd, rules.inverse_h);
    let normal = Vectors::load(simd, &block.normal);
    for index in 0..block.count {
        let point = &block.points[index];
        let turn_a = Vectors::load(simd, &point.turn_a);
        let turn_b = Vectors::load(simd, &point.turn_b);
        let mass = f32x8::simd_from(simd, point.mass);
        let before = f32x8::simd_from(simd, point.impulse);
        let gap = f32x8::simd_from(simd, point.gap) + way.parted(normal, turn_a, turn_b);
        let parting = two.parting(normal, turn_a, turn_b);
        // May close what is left of a gap, and no more.
        let apart = mass * (parting + gap * inverse_h);
        let wanted = max(rate * gap, slowest);
        let inside = mass * (mass_share * parting + wanted) + give * before;
        let change = gap.simd_gt(zero).select(apart, inside);
        let impulse = max(before - change, zero);
        let change = impulse - before;
        block.points[index].impulse = impulse.into();
        two.push(simd, block, normal * change, turn_a * change, turn_b * change);
    }
    rub(simd, block, &mut two);
    two.store(&mut block.after);
}

#[inline(always)]
fn relax<S: Simd>(simd: S, motions: &[Motion], block: &mut Block, rules: &StepRules, last: bool) {
    let (mut two, way) = load(simd, motions, block);
    let zero = f32x8::splat(simd, 0.0);
    let inverse_h = f32x8::splat(simd, rules.inverse_h);
    let falling = f32x8::splat(simd, -rules.rest_speed);
    let bounces = f32x8::simd_from(simd, block.restitution).simd_gt(zero);
    let normal = Vectors::load(simd, &block.normal);
    for index in 0..block.count {
        let point = &block.points[index];
        let turn_a = Vectors::load(simd, &point.turn_a);
        let turn_b = Vectors::load(simd, &point.turn_b);
        let mass = f32x8::simd_from(simd, point.mass);
        let before = f32x8::simd_from(simd, point.impulse);
        let gap = f32x8::simd_from(simd, point.gap) + way.parted(normal, turn_a, turn_b);
        let parting = two.parting(normal, turn_a, turn_b);
        let may_close = max(gap, zero) * inverse_h;
        let impulse = max(before - mass * (parting + may_close), zero);
        // What is about to bounce is not stopped: the next sub-step lets it.
        let spared = bounces.select(before, impulse);
        let spared = parting.simd_lt(falling).select(spared, impulse);
        let impulse = before.simd_le(zero).select(spared, impulse);
        let change = impulse - before;
        if last {
            let total = f32x8::simd_from(simd, point.total) + impulse;
            block.points[index].total = total.into();
        }
        block.points[index].impulse = impulse.into();
        two.push(simd, block, normal * change, turn_a * change, turn_b * change);
    }
    rub(simd, block, &mut two);
    two.store(&mut block.after);
}

/// Friction and resistance, as far as the impulses along the normal allow.
#[inline(always)]
fn rub<S: Simd>(simd: S, block: &mut Block, two: &mut Two<S>) {
    let zero = f32x8::splat(simd, 0.0);
    let (mut held, mut held_by_lever) = (zero, zero);
    for point in &block.points[..block.count] {
        let impulse = f32x8::simd_from(simd, point.impulse);
        held += impulse;
        held_by_lever += f32x8::simd_from(simd, point.lever) * impulse;
    }
    if block.twists {
        twist(simd, block, two, held, held_by_lever);
    }
    if block.rolls {
        roll(simd, block, two, held);
    }
    slide(simd, block, two, held);
}

/// Friction against turning about the normal.
#[inline(always)]
fn twist<S: Simd>(
    simd: S,
    block: &mut Block,
    two: &mut Two<S>,
    held: f32x8<S>,
    held_by_lever: f32x8<S>,
) {
    let most = f32x8::simd_from(simd, block.friction_share) * held_by_lever
        + f32x8::simd_from(simd, block.spinning_share) * held;
    let normal = Vectors::load(simd, &block.normal);
    let before = f32x8::simd_from(simd, block.twist);
    let speed = normal.dot(two.spin_b - two.spin_a);
    let wanted = before - f32x8::simd_from(simd, block.twist_mass) * speed;
    let now = max(min(wanted, most), -most);
    block.twist = now.into();
    two.twist(simd, block, normal * (now - before));
}

/// Resistance against rolling.
#[inline(always)]
fn roll<S: Simd>(simd: S, block: &mut Block, two: &mut Two<S>, held: f32x8<S>) {
    let most = f32x8::simd_from(simd, block.rolling_share) * held;
    let before = Vectors::load(simd, &block.rolling);
    let wanted = before - times(simd, &block.rolling_mass, two.spin_b - two.spin_a);
    let now = wanted * shortening(simd, wanted.dot(wanted), most);
    now.store(&mut block.rolling);
    two.twist(simd, block, now - before);
}

/// Friction against sliding, in the middle of the touch.
#[inline(always)]
fn slide<S: Simd>(simd: S, block: &mut Block, two: &mut Two<S>, held: f32x8<S>) {
    let most = f32x8::simd_from(simd, block.friction_share) * held;
    let (arm_a, arm_b) = (Vectors::load(simd, &block.arm_a), Vectors::load(simd, &block.arm_b));
    let tangent = Vectors::load(simd, &block.tangent);
    let bitangent = Vectors::load(simd, &block.bitangent);
    let speed = two.velocity_b + two.spin_b.cross(arm_b) - two.velocity_a - two.spin_a.cross(arm_a);
    let (x, y) = (speed.dot(tangent), speed.dot(bitangent));
    let Vectors { x: xx, y: xy, z: yy } = Vectors::load(simd, &block.friction_mass);
    let before_x = f32x8::simd_from(simd, block.friction[0]);
    let before_y = f32x8::simd_from(simd, block.friction[1]);
    let (wanted_x, wanted_y) = (before_x - (xx * x + xy * y), before_y - (xy * x + yy * y));
    let shorter = shortening(simd, wanted_x * wanted_x + wanted_y * wanted_y, most);
    let (now_x, now_y) = (wanted_x * shorter, wanted_y * shorter);
    block.friction = [now_x.into(), now_y.into()];
    let change = tangent * (now_x - before_x) + bitangent * (now_y - before_y);
    two.push(simd, block, change, arm_a.cross(change), arm_b.cross(change));
}

/// What brings vectors of these squared lengths to a length of at most so much.
#[inline(always)]
fn shortening<S: Simd>(simd: S, squared: f32x8<S>, most: f32x8<S>) -> f32x8<S> {
    let one = f32x8::splat(simd, 1.0);
    let longer = squared.simd_gt(most * most);
    // Where nothing is too long, 1 stands for the length: 0 / 0 would be NaN.
    longer.select(most / longer.select(squared, one).sqrt(), one)
}
