//! Which impulses keep touching bodies apart, and hold them by friction?
//!
//! The soft step (Catto, "`Solver2D`", 2024; Box3D): each sub-step begins with the impulses of the one before
//! (`warm_start`), parts what reaches into each other (`push_apart`), moves, then takes back the speed of
//! parting (`relax`), so that it does not stay as motion. Friction acts in both: a house of cards slides apart
//! while it is pushed otherwise.
#![allow(clippy::inline_always)]

use fearless_simd::{Level, dispatch, f32x8, prelude::*};

use super::blocks::Block;
use super::friction::rub;
use super::lanes::{Vectors, max};
use super::prepare::StepRules;
use super::shared::Motions;
use super::two::{Speeds, load_speeds, load_way, scatter};

/// What is done with all touches.
#[derive(Clone, Copy, Debug)]
pub(super) enum Round {
    /// Begins with the impulses of the last sub-step, or of the last step.
    WarmStart,
    /// Stops approach and parts what reaches into each other; friction.
    PushApart,
    /// Takes back the speed of parting that pushing apart gave; friction. Before the first one of a sub-step bodies
    /// have moved; the last one counts its impulses.
    Relax { last: bool },
}

/// Solves blocks one after another: those of one colour, or what has none.
pub(super) fn solve(
    level: Level,
    mut motions: impl Motions,
    blocks: &mut [Block],
    rules: &StepRules,
    round: Round,
) {
    dispatch!(level, simd => {
        for block in blocks {
            let after = solve_block(simd, &motions, block, rules, round);
            scatter(&mut motions, block, &after);
        }
    });
}

#[inline(always)]
fn solve_block<S: Simd>(
    simd: S,
    motions: &impl Motions,
    block: &mut Block,
    rules: &StepRules,
    round: Round,
) -> Speeds {
    match round {
        Round::WarmStart => warm_start(simd, motions, block),
        Round::PushApart => push_apart(simd, motions, block, rules),
        Round::Relax { last } => relax(simd, motions, block, rules, last),
    }
}

#[inline(always)]
fn warm_start<S: Simd>(simd: S, motions: &impl Motions, block: &mut Block) -> Speeds {
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
    let mut about = normal * f32x8::simd_from(simd, block.twist);
    if block.rolls {
        about = about
            + Vectors::load(simd, &block.tangent) * f32x8::simd_from(simd, block.rolling[0])
            + Vectors::load(simd, &block.bitangent) * f32x8::simd_from(simd, block.rolling[1]);
    }
    let turn_a = turn_a + Vectors::load(simd, &block.arm_a).cross(along) + about;
    let turn_b = turn_b + Vectors::load(simd, &block.arm_b).cross(along) + about;
    two.push(simd, block, normal * push + along, turn_a, turn_b);
    two.speeds()
}

/// How far apart the bodies are, after they have moved.
#[inline(always)]
fn measure_gaps<S: Simd>(simd: S, motions: &impl Motions, block: &mut Block) {
    let way = load_way(simd, motions, block);
    let normal = Vectors::load(simd, &block.normal);
    for point in &mut block.points[..block.count] {
        let turn_a = Vectors::load(simd, &point.turn_a);
        let turn_b = Vectors::load(simd, &point.turn_b);
        let first = f32x8::simd_from(simd, point.first_gap);
        point.gap = (first + way.parted(normal, turn_a, turn_b)).into();
    }
}

#[inline(always)]
fn push_apart<S: Simd>(
    simd: S,
    motions: &impl Motions,
    block: &mut Block,
    rules: &StepRules,
) -> Speeds {
    if rules.impacts {
        measure_gaps(simd, motions, block);
    }
    let mut two = load_speeds(simd, motions, block);
    let zero = f32x8::splat(simd, 0.0);
    let mass_share = f32x8::simd_from(simd, block.mass_share);
    let rate = mass_share * f32x8::simd_from(simd, block.rate);
    let give = f32x8::simd_from(simd, block.give);
    let slowest = f32x8::splat(simd, -rules.push_speed);
    let inverse_h = f32x8::splat(simd, rules.inverse_h);
    let normal = Vectors::load(simd, &block.normal);
    for index in 0..block.count {
        let point = &block.points[index];
        let turn_a = Vectors::load(simd, &point.turn_a);
        let turn_b = Vectors::load(simd, &point.turn_b);
        let mass = f32x8::simd_from(simd, point.mass);
        let before = f32x8::simd_from(simd, point.impulse);
        let gap = f32x8::simd_from(simd, point.gap);
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
    two.speeds()
}

#[inline(always)]
fn relax<S: Simd>(
    simd: S,
    motions: &impl Motions,
    block: &mut Block,
    rules: &StepRules,
    last: bool,
) -> Speeds {
    if !last {
        measure_gaps(simd, motions, block);
    }
    let mut two = load_speeds(simd, motions, block);
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
        let gap = f32x8::simd_from(simd, point.gap);
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
    two.speeds()
}
