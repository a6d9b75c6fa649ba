//! How do the bodies of eight touches move while these are solved?
//!
//! Gathered from their places, eight of A and eight of B side by side; changed by impulses; handed back.
#![allow(clippy::inline_always)]

use fearless_simd::{f32x8, prelude::*};

use super::blocks::Block;
use super::lanes::{LANES, Rows3, Vectors, get3, set3, times};
use super::shared::Motions;

/// The bodies of a block's touches while it is solved.
pub(super) struct Two<S: Simd> {
    pub(super) velocity_a: Vectors<S>,
    pub(super) velocity_b: Vectors<S>,
    pub(super) spin_a: Vectors<S>,
    pub(super) spin_b: Vectors<S>,
}

/// Velocities and spins of A, then of B, as they lie in memory.
pub(super) type Speeds = [Rows3; 4];

/// What the bodies have done since the step began.
pub(super) struct Way<S: Simd> {
    moved: Vectors<S>,
    turned_a: Vectors<S>,
    turned_b: Vectors<S>,
}

#[inline(always)]
fn gather_way(motions: &impl Motions, places: &[u32; LANES], lanes: usize) -> [Rows3; 2] {
    let mut rows = [[[0.0; LANES]; 3]; 2];
    for (lane, &place) in places[..lanes].iter().enumerate() {
        let place = place as usize;
        set3(&mut rows[0], lane, motions.moved(place));
        set3(&mut rows[1], lane, motions.turned(place));
    }
    rows
}

#[inline(always)]
fn gather_speeds(motions: &impl Motions, places: &[u32; LANES], lanes: usize) -> [Rows3; 2] {
    let mut rows = [[[0.0; LANES]; 3]; 2];
    for (lane, &place) in places[..lanes].iter().enumerate() {
        let place = place as usize;
        set3(&mut rows[0], lane, motions.velocity(place));
        set3(&mut rows[1], lane, motions.spin(place));
    }
    rows
}

#[inline(always)]
pub(super) fn load_way<S: Simd>(simd: S, motions: &impl Motions, block: &Block) -> Way<S> {
    let a = gather_way(motions, &block.a, block.lanes);
    let b = gather_way(motions, &block.b, block.lanes);
    Way {
        moved: Vectors::load(simd, &b[0]) - Vectors::load(simd, &a[0]),
        turned_a: Vectors::load(simd, &a[1]),
        turned_b: Vectors::load(simd, &b[1]),
    }
}

#[inline(always)]
pub(super) fn load_speeds<S: Simd>(simd: S, motions: &impl Motions, block: &Block) -> Two<S> {
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
pub(super) fn scatter(motions: &mut impl Motions, block: &Block, after: &Speeds) {
    let [velocity_a, spin_a, velocity_b, spin_b] = after;
    for lane in 0..block.lanes {
        // What nothing moves may be in several lanes, and stays as it is.
        if block.moved[lane][0] {
            motions.set(block.a[lane] as usize, get3(velocity_a, lane), get3(spin_a, lane));
        }
        if block.moved[lane][1] {
            motions.set(block.b[lane] as usize, get3(velocity_b, lane), get3(spin_b, lane));
        }
    }
}

impl<S: Simd> Two<S> {
    #[inline(always)]
    pub(super) fn speeds(&self) -> Speeds {
        [self.velocity_a.rows(), self.spin_a.rows(), self.velocity_b.rows(), self.spin_b.rows()]
    }

    /// Pushes B by an impulse and A back by the same; each is also turned.
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        simd: S,
        block: &Block,
        impulse: Vectors<S>,
        turn_a: Vectors<S>,
        turn_b: Vectors<S>,
    ) {
        let (mass_a, mass_b) =
            (Vectors::load(simd, &block.mass_a), Vectors::load(simd, &block.mass_b));
        self.velocity_a = self.velocity_a - impulse.scaled_by(mass_a);
        self.spin_a = self.spin_a - times(simd, &block.inertia_a, turn_a);
        self.velocity_b = self.velocity_b + impulse.scaled_by(mass_b);
        self.spin_b = self.spin_b + times(simd, &block.inertia_b, turn_b);
    }

    #[inline(always)]
    pub(super) fn twist(&mut self, simd: S, block: &Block, twist: Vectors<S>) {
        self.spin_a = self.spin_a - times(simd, &block.inertia_a, twist);
        self.spin_b = self.spin_b + times(simd, &block.inertia_b, twist);
    }

    /// How fast the bodies part at a point, along a direction.
    #[inline(always)]
    pub(super) fn parting(
        &self,
        along: Vectors<S>,
        turn_a: Vectors<S>,
        turn_b: Vectors<S>,
    ) -> f32x8<S> {
        along.dot(self.velocity_b - self.velocity_a) + turn_b.dot(self.spin_b)
            - turn_a.dot(self.spin_a)
    }
}

impl<S: Simd> Way<S> {
    /// How much farther apart the bodies are at a point than when the step began.
    #[inline(always)]
    pub(super) fn parted(
        &self,
        along: Vectors<S>,
        turn_a: Vectors<S>,
        turn_b: Vectors<S>,
    ) -> f32x8<S> {
        along.dot(self.moved) + turn_b.dot(self.turned_b) - turn_a.dot(self.turned_a)
    }
}
