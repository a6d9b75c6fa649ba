//! What stops touching bodies from sliding, spinning and rolling on each other?
//!
//! Friction acts in the middle of a touch, along the surface and, by the levers of its points, about the normal;
//! resistance against spinning and rolling are torques. Each is as strong as what pushes the bodies together allows.
#![allow(clippy::inline_always)]

use fearless_simd::{f32x8, prelude::*};

use super::blocks::Block;
use super::lanes::{Row, Rows3, Vectors, max, min};
use super::two::Two;

/// Friction and resistance, as far as the impulses along the normal allow.
#[inline(always)]
pub(super) fn rub<S: Simd>(simd: S, block: &mut Block, two: &mut Two<S>) {
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

/// Resistance against rolling, which is turning about the tangents.
#[inline(always)]
fn roll<S: Simd>(simd: S, block: &mut Block, two: &mut Two<S>, held: f32x8<S>) {
    let most = f32x8::simd_from(simd, block.rolling_share) * held;
    let spin = two.spin_b - two.spin_a;
    let change = stop(simd, block, spin, (&block.rolling_mass, &block.rolling), most);
    block.rolling = change.now;
    two.twist(simd, block, change.along);
}

/// Friction against sliding, in the middle of the touch.
#[inline(always)]
fn slide<S: Simd>(simd: S, block: &mut Block, two: &mut Two<S>, held: f32x8<S>) {
    let most = f32x8::simd_from(simd, block.friction_share) * held;
    let (arm_a, arm_b) = (Vectors::load(simd, &block.arm_a), Vectors::load(simd, &block.arm_b));
    let speed = two.velocity_b + two.spin_b.cross(arm_b) - two.velocity_a - two.spin_a.cross(arm_a);
    let change = stop(simd, block, speed, (&block.friction_mass, &block.friction), most);
    block.friction = change.now;
    two.push(simd, block, change.along, arm_a.cross(change.along), arm_b.cross(change.along));
}

/// What stops a speed along the tangents.
struct Stop<S: Simd> {
    /// All of it, along each tangent.
    now: [Row; 2],
    /// What is new of it.
    along: Vectors<S>,
}

/// What stops a speed along the tangents, or a spin about them, with `most` at most; given the masses, and what
/// was there before.
#[inline(always)]
fn stop<S: Simd>(
    simd: S,
    block: &Block,
    speed: Vectors<S>,
    (mass, before): (&Rows3, &[Row; 2]),
    most: f32x8<S>,
) -> Stop<S> {
    let tangent = Vectors::load(simd, &block.tangent);
    let bitangent = Vectors::load(simd, &block.bitangent);
    let (x, y) = (speed.dot(tangent), speed.dot(bitangent));
    let Vectors { x: xx, y: xy, z: yy } = Vectors::load(simd, mass);
    let before_x = f32x8::simd_from(simd, before[0]);
    let before_y = f32x8::simd_from(simd, before[1]);
    let (wanted_x, wanted_y) = (before_x - (xx * x + xy * y), before_y - (xy * x + yy * y));
    let shorter = shortening(simd, wanted_x * wanted_x + wanted_y * wanted_y, most);
    let (now_x, now_y) = (wanted_x * shorter, wanted_y * shorter);
    Stop {
        now: [now_x.into(), now_y.into()],
        along: tangent * (now_x - before_x) + bitangent * (now_y - before_y),
    }
}

/// What brings vectors of these squared lengths to a length of at most so much.
#[inline(always)]
fn shortening<S: Simd>(simd: S, squared: f32x8<S>, most: f32x8<S>) -> f32x8<S> {
    let one = f32x8::splat(simd, 1.0);
    let longer = squared.simd_gt(most * most);
    // Where nothing is too long, 1 stands for the length: 0 / 0 would be NaN.
    longer.select(most / longer.select(squared, one).sqrt(), one)
}
