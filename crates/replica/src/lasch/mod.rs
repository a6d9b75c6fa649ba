//! Replica of Lasch: a rigid-body simulator with a move, broad-phase, narrow-phase, resolve loop.
//!
//! R. M. Lasch specifies a 3D simulator in which the stages of collision detection can be watched
//! and exchanged; see `docs/studies.md`, "Lasch". One step of [`Simulator`]:
//!
//! ```text
//! integrate     v and x of each body by the chosen IntegratorKind; bodies do not rotate
//! broad phase   moving bodies against each other: the chosen BroadPhase;
//!               moving against static bodies: an octree over the static ones, loose, or strict
//!               as in the study with BroadPhase::StrictOctree
//! narrow phase  contact manifold of each candidate pair, within the tolerance
//! resolve       pair by pair, in order of body index:
//!                 separating pair      nothing
//!                 otherwise            translated apart by normal × depth, split by inverse mass
//!                 Response::Impulse    and j = −(1+e)(v·n) / (1/m₁ + 1/m₂)
//!                 Response::Positions  several passes; velocities from the corrected positions
//! bounds        moved back inside; the velocity is reflected with the body's restitution, or
//!               stopped by Response::Positions
//! ```
//!
//! The study leaves the order of pairs to its broad phase. Here pairs are sorted, so that every
//! broad phase yields the same motion bit for bit.
//!
//! Broad phase, integrator and contact response are exchangeable: by a [`Config`], or by types of
//! the user's own that implement `embate::broad_phase::BroadPhase`, [`Integrator`] or
//! [`ContactResponse`] and are passed as [`Parts`]. The folder `examples` of this crate has one of
//! each.
//!
//! Bodies are stored in an `embate::dynamics::World` that is never stepped: [`Simulator::world`]
//! gives access to body views, queries and energy.

mod body_state;
mod box_forms;
mod bytes;
mod candidate_pair;
mod config;
mod contact_response;
mod force;
mod integrator;
mod pair_finder;
mod parts;
mod position_based;
mod simulator;
mod snapshot;
mod stage_timer;
mod step;
#[cfg(test)]
mod tests;

pub use box_forms::{BoxForm, CenterHalf, MinEdges, MinMax};
pub use config::{
    BroadPhase, Config, ConfigError, MAX_OCTREE_CELL, MAX_OCTREE_DEPTH, MAX_POSITION_ITERATIONS,
    OctreeLimits, Response,
};
pub use contact_response::{ContactResponse, ContactState, Contacts, ImpulseResponse};
pub use force::{AppliedForce, AppliedForces, ForceLaw};
pub use integrator::{
    BodyForces, ExplicitEuler, Integrator, IntegratorKind, LastStep, MotionState, PositionVerlet,
    RungeKutta4, SemiImplicitEuler,
};
pub use parts::Parts;
pub use position_based::PositionBasedResponse;
pub use simulator::Simulator;
pub use snapshot::{Snapshot, SnapshotError};
