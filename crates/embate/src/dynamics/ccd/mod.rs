//! Continuous collision detection (CCD): prevents fast bodies from tunneling through surfaces.
//!
//! Contacts of the narrow phase exist within the speculative distance (4 slops, 2 cm by default). A
//! body that moves farther than that in a step could pass through a wall undetected. Layers 1 and 2
//! prevent this; layer 3 reports sensors on the way. `world/step.rs` calls them in this order, once
//! per step of the soft-step solver, once per sub-step of the event-driven one. They apply to every
//! dynamic body, against static, kinematic and dynamic ones; there is no flag per body:
//!
//! ```text
//!  1 add_speculative_contacts,         2 solve_continuous,               3 sensor_overlaps,
//!    in the narrow phase                 after the solver                  before the events
//!
//!    ○ ─────→ ○ ┃                        ○ → ╲           ┃                 ○ ─ ─▒─ ─→ ○
//!      time of  ┃ contact with the            ╲  clamped ┃ path after           sensor
//!      impact   ┃ initial separation           ╲─ ─ ─ ● ╋ ─ ○ an impact
//! ```
//!
//! A *core sphere* is a sphere inside a body or one of its parts, and its radius is the *inner
//! radius* (`Box2D`: `minExtent`, rapier: `ccd_thickness`): see [`core_spheres`].
//!
//! 1. [`add_speculative_contacts`]: conservative advancement (Mirtich 1996) moves the two bodies of
//!    a pair along their velocities to the time at which they are about to touch. The manifold at
//!    that time becomes a contact whose separation is that at the beginning of the step; the solver
//!    treats it like any other. The core spheres of a body that already touches one part of a mesh
//!    or compound are swept, to find the other parts ([`core_sweep`]).
//!    [`time_of_impact`](crate::narrow_phase::time_of_impact) is not used, because it goes on to
//!    contact: this loop stops at the speculative distance. Most pairs never enter it: the
//!    [`culling`](crate::dynamics::narrow_phase::culling) bounds of the narrow phase reject them.
//! 2. [`solve_continuous`]: the velocities change during the solver, by impacts, joints and
//!    rotation about a contact. So before the poses are finalized, a ray along the displacement of
//!    each core sphere's center, shortened by the radius, is cast for every body that moved farther
//!    than its smallest inner radius. A body that tunneled is moved back to the surface and loses
//!    the rest of its displacement, not its velocity; the next step finds the contact. A body that
//!    left its fat AABB gets a larger one, and the next of at most four passes includes its new
//!    pairs.
//! 3. [`sensor_overlaps`]: a sensor applies no forces, so layers 1 and 2 skip it. A sensor pair
//!    without overlap at the beginning of the step is swept along the displacements of both bodies;
//!    an overlap on the way emits its events.
//!
//! The work is proportional to the number of fast bodies: each layer returns early for a pair whose
//! motion in the step is below its threshold (1 and 3: the speculative distance; 2: the inner
//! radius). Layer 1 runs in the loop of the narrow phase, to which the step passes it: a second
//! pass over the pairs takes 2 % more instructions in a gas of fast spheres.

mod continuous;
pub(crate) mod core_spheres;
mod core_sweep;
mod sensors;
mod speculative;

pub(crate) use continuous::solve_continuous;
pub(crate) use sensors::sensor_overlaps;
pub(crate) use speculative::add_speculative_contacts;
