//! Continuous collision detection (CCD): prevents fast bodies from tunneling through surfaces.
//!
//! Contacts of the narrow phase exist within the speculative distance (4 slops, 2 cm by default). A
//! body that moves farther than that in a step could pass through a wall undetected. Three layers
//! prevent this, called by `world/step.rs` in this order:
//!
//! ```text
//!  1 add_speculative_contacts,         2 solve_continuous,               3 sensor_overlaps,
//!    before the solver                   after the solver                  before the events
//!
//!    ○ ─────→ ○ ┃                        ○ → ╲         ┃                   ○ ─ ─▒─ ─→ ○
//!      time of  ┃ contact with the            ╲        ┃ path after a hit       sensor
//!      impact   ┃ gap at that time             ▬ ▬ ○ ◁ ╋ ▬ ▬ ○ clamped
//! ```
//!
//! 1. [`add_speculative_contacts`]: conservative advancement (Mirtich 1996) moves the two bodies of a pair along
//!    their velocities to the time at which they are about to touch. The manifold at that time
//!    becomes a contact with a separation, which the solver treats like any other. A body that
//!    already touches one part of a mesh or compound sends its core spheres ahead, to find the
//!    other parts.
//! 2. [`solve_continuous`]: the velocities change during the solver, by impacts, joints and rotation
//!    about a contact. So before the poses are finalized, every [core sphere](core_spheres) of a
//!    body that moved farther than its inner radius is cast along its actual displacement. A body
//!    that tunneled is moved back to the surface; the next step finds the contact. A body that left
//!    its fat AABB gets a larger one, and a further pass includes its new pairs.
//! 3. [`sensor_overlaps`]: a sensor applies no forces, so layers 1 and 2 skip it. A sensor pair without
//!    overlap at the beginning of the step is swept along the displacements of both bodies; an
//!    overlap on the way emits its events.
//!
//! The work is proportional to the number of fast bodies: each layer returns early for a pair whose
//! motion in the step is below its threshold (1 and 3: the speculative distance; 2: the inner
//! radius). Layer 1 runs in the loop of the narrow phase, to which the step passes it: a second pass
//! over the pairs takes 2 % more instructions in a gas of fast spheres.

mod continuous;
pub(crate) mod core_spheres;
mod core_sweep;
mod sensors;
pub(crate) mod speculative;

pub(crate) use continuous::solve_continuous;
pub(crate) use sensors::sensor_overlaps;
pub(crate) use speculative::add_speculative_contacts;
