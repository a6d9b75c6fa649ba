//! What moves next?
//!
//! A [`World`] of rigid bodies: add, change and remove them while it runs, step, and read where they are,
//! who touches whom and what happened.
//!
//! ```
//! use embate::{Vec3, motion::{BodyPlan, Settings, World}, shapes::{Cuboid, Plane, Sphere}};
//!
//! let mut world = World::new(Settings::default())?;
//! world.add(BodyPlan::still(Plane::new(Vec3::Y)?))?;
//! let crate_ = world.add(BodyPlan::moving(Cuboid::new(Vec3::splat(0.5))?, 20.0).at(Vec3::Y))?;
//! let ball = BodyPlan::moving(Sphere::new(0.2)?, 1.0).with_restitution(0.5);
//! let ball = world.add(ball.at(Vec3::new(0.0, 4.0, 0.0)))?;
//! for _ in 0..240 {
//!     world.step();
//! }
//! let crate_ = world.body(crate_).unwrap();
//! assert!((crate_.position().y - 0.5).abs() < 0.01);
//! assert!((world.body(ball).unwrap().position().y - 1.2).abs() < 0.01); // on top of it
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! How a step goes:
//!
//! ```text
//! broad      rooms of the bodies: which pairs come near each other?
//! touches    where do these touch, and what held them in the last step?     fast: or will they, in this step?
//! settled    or have they hardly moved, and touch where they did?
//! islands    who is touched by something awake, and wakes?
//! prepare    what the solver needs of each touch
//! colours    which of these are of bodies that are all different?
//! blocks     eight of such side by side            threads, attended, shared: by several at once
//! ┌ substep, four times ────────────────────────────────────────────────┐
//! │ integrate  gravity and forces                                       │
//! │ bounce     impacts give speed back, each at its instant             │
//! │ joints     hold bodies to each other                                │
//! │ solve      warm start, push apart; friction                         │
//! │ integrate  move                                                     │
//! │ joints, solve  relax, friction                                      │
//! └─────────────────────────────────────────────────────────────────────┘
//! held_back  who would have gone through another?                              fast: or has through a sensor?
//! events     what began, ended, hit
//! arrive     where is each body now, and is it calm?
//! islands    who has come to rest, and sleeps?
//! ```
//!
//! Promises:
//! - the same bodies and calls give the same bits on every platform, with any number of threads;
//! - bad values are refused at the door, with the reason, and the world stays as it was;
//! - an id never names another body, even after its own was removed.

mod arrive;
mod asked;
mod attended;
mod blocks;
mod bodies;
mod body;
mod bounce;
mod broad;
mod checks;
mod colours;
mod cores;
mod elastic;
mod events;
mod fast;
mod friction;
mod held_back;
mod instant;
mod integrate;
mod islands;
mod joints;
mod jump;
mod lanes;
mod mass;
mod measures;
mod meetings;
mod method;
mod neighbours;
mod prepare;
mod query;
mod report;
mod saved;
mod settings;
mod settled;
mod shared;
mod snapshot;
mod solve;
mod step;
mod study;
mod substep;
mod threads;
mod together;
mod touch;
mod touches;
mod tumble;
mod two;
mod view;
mod way;
mod wide;
mod world;

pub use body::{BodyId, BodyPlan, Groups, Kind, Locks, Material};
pub use checks::InvalidBody;
pub use events::{Contact, Event, HeldPoint};
pub use joints::{InvalidJoint, Joint, JointChange, JointId, JointKind, JointPlan, Motor};
pub use method::{Broad, Method, Resolve};
pub use query::{CastHit, Filter, Near, RayHit};
pub use report::{Clock, StageSeconds, StepReport};
pub use saved::InvalidSnapshot;
pub use settings::{Bounds, InvalidSettings, MAX_SUBSTEPS, MAX_THREADS, Settings, Walls};
pub use snapshot::Snapshot;
pub use view::{Body, BodyChange};
pub use world::World;

#[cfg(test)]
mod tests;
