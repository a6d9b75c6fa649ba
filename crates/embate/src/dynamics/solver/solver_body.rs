//! How do the velocities of bodies reach the solver, and come back?
//!
//! One thread alone works on the list itself. Several work on a copy, any part of which each may change: that no two
//! change the same body at once, and nobody reads what another changes, is what colours and stages are for. A processor
//! loads and stores the copy's numbers as it does those of the list.
#![allow(clippy::inline_always)]

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use embate_geom::Vec3;

use super::bodies::Motion;

/// How bodies move, by their places.
pub(super) trait Motions {
    fn velocity(&self, place: usize) -> Vec3;
    fn spin(&self, place: usize) -> Vec3;
    fn moved(&self, place: usize) -> Vec3;
    fn turned(&self, place: usize) -> Vec3;
    fn set(&mut self, place: usize, velocity: Vec3, spin: Vec3);
}

impl Motions for &mut [Motion] {
    #[inline(always)]
    fn velocity(&self, place: usize) -> Vec3 {
        self[place].velocity
    }

    #[inline(always)]
    fn spin(&self, place: usize) -> Vec3 {
        self[place].spin
    }

    #[inline(always)]
    fn moved(&self, place: usize) -> Vec3 {
        self[place].moved
    }

    #[inline(always)]
    fn turned(&self, place: usize) -> Vec3 {
        self[place].turned
    }

    #[inline(always)]
    fn set(&mut self, place: usize, velocity: Vec3, spin: Vec3) {
        (self[place].velocity, self[place].spin) = (velocity, spin);
    }
}

/// A [`Motion`] of which several threads have a share.
#[derive(Debug, Default)]
pub(super) struct SharedMotion {
    velocity: SharedVector,
    spin: SharedVector,
    moved: SharedVector,
    turned: SharedVector,
}

#[derive(Debug, Default)]
struct SharedVector([AtomicU32; 3]);

impl SharedVector {
    #[inline(always)]
    fn get(&self) -> Vec3 {
        let [x, y, z] = &self.0;
        let number = |bits: &AtomicU32| f32::from_bits(bits.load(Relaxed));
        Vec3::new(number(x), number(y), number(z))
    }

    #[inline(always)]
    fn set(&self, vector: Vec3) {
        self.0[0].store(vector.x.to_bits(), Relaxed);
        self.0[1].store(vector.y.to_bits(), Relaxed);
        self.0[2].store(vector.z.to_bits(), Relaxed);
    }
}

impl Motions for &[SharedMotion] {
    #[inline(always)]
    fn velocity(&self, place: usize) -> Vec3 {
        self[place].velocity.get()
    }

    #[inline(always)]
    fn spin(&self, place: usize) -> Vec3 {
        self[place].spin.get()
    }

    #[inline(always)]
    fn moved(&self, place: usize) -> Vec3 {
        self[place].moved.get()
    }

    #[inline(always)]
    fn turned(&self, place: usize) -> Vec3 {
        self[place].turned.get()
    }

    #[inline(always)]
    fn set(&mut self, place: usize, velocity: Vec3, spin: Vec3) {
        self[place].velocity.set(velocity);
        self[place].spin.set(spin);
    }
}

/// A copy of all motions, kept between steps for its memory alone.
#[derive(Debug, Default)]
pub(super) struct Shared(Vec<SharedMotion>);

impl Clone for Shared {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl Shared {
    /// Room for so many bodies.
    pub(super) fn room(&mut self, bodies: usize) -> &[SharedMotion] {
        self.0.resize_with(bodies, SharedMotion::default);
        &self.0
    }
}

impl SharedMotion {
    /// As it is.
    pub(super) fn get(&self) -> Motion {
        let Self { velocity, spin, moved, turned } = self;
        Motion {
            velocity: velocity.get(),
            spin: spin.get(),
            moved: moved.get(),
            turned: turned.get(),
        }
    }

    /// How fast it is; how far it has come is left out.
    pub(super) fn speeds(&self) -> Motion {
        Motion { velocity: self.velocity.get(), spin: self.spin.get(), ..Motion::default() }
    }

    /// How fast it is from now on.
    pub(super) fn set_speeds(&self, motion: &Motion) {
        self.velocity.set(motion.velocity);
        self.spin.set(motion.spin);
    }

    /// As it is from now on.
    pub(super) fn set(&self, motion: &Motion) {
        self.velocity.set(motion.velocity);
        self.spin.set(motion.spin);
        self.moved.set(motion.moved);
        self.turned.set(motion.turned);
    }
}
