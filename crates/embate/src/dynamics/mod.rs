//! Rigid-body dynamics: a [`World`] of bodies with contacts, joints, CCD, islands and sleeping.
//!
//! Insert, edit and remove bodies between steps; step; then read poses, contacts and contact
//! events.
//!
//! ```
//! use embate::{Vec3, dynamics::{BodyDef, Settings, World}, shapes::{Cuboid, HalfSpace, Sphere}};
//!
//! let mut world = World::new(Settings::default())?;
//! world.insert_body(BodyDef::fixed(HalfSpace::new(Vec3::Y)?))?;
//! let crate_ = BodyDef::dynamic(Cuboid::new(Vec3::splat(0.5))?, 20.0).position(Vec3::Y);
//! let crate_ = world.insert_body(crate_)?;
//! let ball = BodyDef::dynamic(Sphere::new(0.2)?, 1.0).restitution(0.5);
//! let ball = world.insert_body(ball.position(Vec3::new(0.0, 4.0, 0.0)))?;
//! for _ in 0..240 {
//!     world.step();
//! }
//! let crate_ = world.body(crate_).unwrap();
//! assert!((crate_.position().y - 0.5).abs() < 0.01);
//! assert!((world.body(ball).unwrap().position().y - 1.2).abs() < 0.01); // on top of the crate
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Stages of a step of the soft-step solver (Catto, "`Solver2D`", 2024). The right column is the
//! stage (`b2SolverStageType`) or function of `Box2D` v3 that does the same:
//!
//! ```text
//! broad_phase          update fat AABBs; added and removed pairs      b2UpdateBroadPhasePairs
//! narrow_phase         recycle or recompute manifolds; match points   b2UpdateContact
//!   ccd::speculative   per pair: contacts of fast bodies ahead        (speculative margin)
//! island               wake islands that an awake body touches        b2LinkContact
//! solver               prepare constraints; graph coloring; SIMD × 8  PrepareContacts
//! ┌ sub-step, 4 times ─────────────────────────────────────────────────────────────────────┐
//! │ integrator         integrate velocities                           IntegrateVelocities  │
//! │ solver             impacts at their time within the sub-step      Restitution          │
//! │ joint              prepare joints                                 PrepareJoints        │
//! │ joint, solver      warm start                                     WarmStart            │
//! │ solver, joint      solve with bias; friction                      Solve                │
//! │ integrator         integrate positions                            IntegratePositions   │
//! │ joint, solver      relax without bias, twice; friction            Relax                │
//! └────────────────────────────────────────────────────────────────────────────────────────┘
//! solver               store impulses for events and warm starting    StoreImpulses
//! ccd::motion_clamping clamp bodies that tunneled                     b2SolveContinuous
//! ccd::sensors         sensor overlaps along the path                 b2OverlapSensors
//! contact_events       begin, end and hit events                      b2ContactBeginTouchEvent …
//! integrator::finalize poses, inertias, sleep timers                  b2FinalizeBodiesTask
//! island               put resting islands to sleep                   b2TrySleepIsland
//! ```
//!
//! [`world::step`](World::step) runs these stages; `parallel` distributes them over the workers.
//!
//! Guarantees:
//! - the same bodies and calls produce the same bits on every platform, for any worker count;
//! - invalid values are rejected with an error, and the world is unchanged;
//! - a [`BodyId`] never refers to another body, even after its own body was removed.

mod body;
mod broad_phase;
mod ccd;
mod contact_events;
mod event_driven;
mod integrator;
mod island;
mod joint;
mod narrow_phase;
mod parallel;
mod profile;
mod quantity;
mod query;
mod settings;
mod slots;
mod snapshot;
mod solver;
mod solver_kind;
#[cfg(test)]
mod tests;
mod world;

pub use body::body_def::{BodyDef, BodyId, BodyType, CollisionFilter, LockedAxes, Material};
pub use body::body_ref::Body;
pub use body::combine_rule::CombineRule;
pub use body::error::BodyError;
pub use contact_events::{ContactEvent, ContactManifold, ManifoldPoint};
pub use joint::{
    Joint, JointDef, JointError, JointId, JointMut, JointProperty, JointSide, JointType, Motor,
};
pub use profile::{Clock, Profile, StepStats};
pub use quantity::Quantity;
pub use query::{ClosestBody, QueryFilter, RayHit, ShapeCastHit};
pub use settings::{BoundaryMode, MAX_SUBSTEPS, MAX_WORKERS, Settings, SettingsError, WorldBounds};
pub use snapshot::Snapshot;
pub use snapshot::serialize::{SnapshotDefect, SnapshotError};
pub use solver_kind::SolverKind;
pub use world::World;
pub use world::body_mut::BodyMut;
pub use world::external_motion::BodyMotion;
