//! Solver bodies: access to body states by one worker or by many.
//!
//! A single worker operates on the array of states itself. Several workers operate on a copy made
//! of relaxed atomics. Graph colors and stages guarantee that no two workers write the same body at
//! once, and that none reads a body that another writes. A relaxed load or store compiles to the
//! same instruction as an ordinary one.
#![allow(clippy::inline_always, reason = "SIMD code must be inlined into its dispatch")]

use core::sync::atomic::{AtomicU32, Ordering::Relaxed};

use embate_geom::Vec3;

use crate::dynamics::body::body_data::BodyState;
use crate::dynamics::body::body_index::BodyIndex;

/// Body states by body index.
pub(crate) trait SolverBodies {
    fn linear_velocity(&self, body: BodyIndex) -> Vec3;
    fn angular_velocity(&self, body: BodyIndex) -> Vec3;
    fn delta_position(&self, body: BodyIndex) -> Vec3;
    fn delta_rotation(&self, body: BodyIndex) -> Vec3;
    fn set_velocities(&mut self, body: BodyIndex, linear: Vec3, angular: Vec3);
}

impl SolverBodies for &mut [BodyState] {
    #[inline(always)]
    fn linear_velocity(&self, body: BodyIndex) -> Vec3 {
        self[body.to_usize()].linear_velocity
    }

    #[inline(always)]
    fn angular_velocity(&self, body: BodyIndex) -> Vec3 {
        self[body.to_usize()].angular_velocity
    }

    #[inline(always)]
    fn delta_position(&self, body: BodyIndex) -> Vec3 {
        self[body.to_usize()].delta_position
    }

    #[inline(always)]
    fn delta_rotation(&self, body: BodyIndex) -> Vec3 {
        self[body.to_usize()].delta_rotation
    }

    #[inline(always)]
    fn set_velocities(&mut self, body: BodyIndex, linear: Vec3, angular: Vec3) {
        (self[body.to_usize()].linear_velocity, self[body.to_usize()].angular_velocity) =
            (linear, angular);
    }
}

/// A [`BodyState`] that several workers may access.
#[derive(Debug, Default)]
pub(crate) struct AtomicBodyState {
    linear_velocity: AtomicVec3,
    angular_velocity: AtomicVec3,
    delta_position: AtomicVec3,
    delta_rotation: AtomicVec3,
}

#[derive(Debug, Default)]
struct AtomicVec3([AtomicU32; 3]);

impl AtomicVec3 {
    #[inline(always)]
    fn load(&self) -> Vec3 {
        let [x, y, z] = &self.0;
        let load = |bits: &AtomicU32| f32::from_bits(bits.load(Relaxed));
        Vec3::new(load(x), load(y), load(z))
    }

    #[inline(always)]
    fn store(&self, vector: Vec3) {
        self.0[0].store(vector.x.to_bits(), Relaxed);
        self.0[1].store(vector.y.to_bits(), Relaxed);
        self.0[2].store(vector.z.to_bits(), Relaxed);
    }
}

impl SolverBodies for &[AtomicBodyState] {
    #[inline(always)]
    fn linear_velocity(&self, body: BodyIndex) -> Vec3 {
        self[body.to_usize()].linear_velocity.load()
    }

    #[inline(always)]
    fn angular_velocity(&self, body: BodyIndex) -> Vec3 {
        self[body.to_usize()].angular_velocity.load()
    }

    #[inline(always)]
    fn delta_position(&self, body: BodyIndex) -> Vec3 {
        self[body.to_usize()].delta_position.load()
    }

    #[inline(always)]
    fn delta_rotation(&self, body: BodyIndex) -> Vec3 {
        self[body.to_usize()].delta_rotation.load()
    }

    #[inline(always)]
    fn set_velocities(&mut self, body: BodyIndex, linear: Vec3, angular: Vec3) {
        self[body.to_usize()].linear_velocity.store(linear);
        self[body.to_usize()].angular_velocity.store(angular);
    }
}

/// Scratch copy of all body states. Kept between steps only for its allocation.
#[derive(Debug, Default)]
pub(crate) struct AtomicBodyStates(Vec<AtomicBodyState>);

impl Clone for AtomicBodyStates {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl AtomicBodyStates {
    /// Resizes the copy to `body_count` and returns it.
    pub(crate) fn resize(&mut self, body_count: usize) -> &[AtomicBodyState] {
        self.0.resize_with(body_count, AtomicBodyState::default);
        &self.0
    }
}

impl AtomicBodyState {
    pub(crate) fn load(&self) -> BodyState {
        BodyState {
            linear_velocity: self.linear_velocity.load(),
            angular_velocity: self.angular_velocity.load(),
            delta_position: self.delta_position.load(),
            delta_rotation: self.delta_rotation.load(),
        }
    }

    /// Loads the velocities; the displacements of the result are 0.
    pub(crate) fn load_velocities(&self) -> BodyState {
        BodyState {
            linear_velocity: self.linear_velocity.load(),
            angular_velocity: self.angular_velocity.load(),
            ..BodyState::default()
        }
    }

    /// Stores the velocities and leaves the displacements as they are.
    pub(crate) fn store_velocities(&self, state: &BodyState) {
        self.linear_velocity.store(state.linear_velocity);
        self.angular_velocity.store(state.angular_velocity);
    }

    pub(crate) fn store(&self, state: &BodyState) {
        self.linear_velocity.store(state.linear_velocity);
        self.angular_velocity.store(state.angular_velocity);
        self.delta_position.store(state.delta_position);
        self.delta_rotation.store(state.delta_rotation);
    }
}
