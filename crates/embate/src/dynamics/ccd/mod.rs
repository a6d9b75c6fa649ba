//! Continuous collision detection (CCD): prevents bodies that move far in a step from tunneling.
//!
//! Contacts of the narrow phase exist within the speculative distance (4 slops, 2 cm by default). A
//! body that moves farther than this in a step could pass through a wall undetected. Layers 1 and 2
//! prevent that; layer 3 reports the sensors that a body crosses. `world/step.rs` schedules them in
//! this order (layer 1 as a closure of the narrow phase), once per step of the soft-step solver,
//! once per sub-step of the event-driven one. They apply to every dynamic body, against fixed,
//! kinematic and dynamic ones; there is no flag per body:
//!
//! ```text
//!  1 add_speculative_contacts,         2 solve_continuous,               3 sensor_overlaps,
//!    in the narrow phase                 after the solver                  before the events
//!
//!    ○ ── time to ──→ ○ ┃                ○ → ╲           ┃                 ○ ─ ─▒─ ─→ ○
//!         contact       ┃                     ╲  clamped ┃ path after           sensor
//!    manifold at the predicted time,           ╲─ ─ ─ ● ╋ ─ ○ an impact
//!    separation of now
//! ```
//!
//! A *core sphere* is a sphere inside a body or one of its parts, and its radius is the *inner
//! radius* (`Box2D`: `minExtent`, rapier: `ccd_thickness`, Jolt: `Shape::GetInnerRadius`): see
//! [`core_spheres`]. A body is *fast* if it moved farther in this step than its inner radius. With
//! core spheres in its parts, it is fast if displacement plus rotation angle times `max_extent`
//! exceeds the smallest inner radius.
//!
//! 1. [`add_speculative_contacts`]: conservative advancement (Mirtich 1996) moves the two bodies of
//!    a pair along their velocities at the beginning of the step, before forces are integrated, to
//!    the time at which they are about to touch. The manifold at that time becomes a contact with
//!    the separation of the beginning of the step. The solver treats it like any other, and it
//!    wakes a sleeping body. If the pair already has a manifold, conservative advancement is
//!    skipped; instead the core spheres of each body are swept against the other if that is a mesh
//!    or compound, to find the sub-shapes that are hit in the same step ([`core_sweep`]). The first
//!    contact of a pair is found by this advancement, which ends at the speculative distance, not
//!    by [`time_of_impact`](crate::narrow_phase::time_of_impact), which ends at contact: the
//!    core-sphere sweep of layer 1 and the sensors of layer 3 use `time_of_impact`. Most pairs are
//!    never advanced, because the [`culling`](crate::dynamics::narrow_phase::culling) bounds of the
//!    narrow phase reject them.
//! 2. [`solve_continuous`]: impacts, joints and contacts that make a body rotate change the
//!    velocities during the solver, so layer 1 cannot be complete. Before the poses are finalized,
//!    for every pair with a fast body, a ray is cast from the old to the new center of each core
//!    sphere at the other body. If it enters that body, the awake dynamic body of the pair is
//!    translated until the core sphere touches the surface; of two, the one that moved farther. Its
//!    rotation and velocity are kept, and the next step finds the contact. This is repeated in up
//!    to four passes, because a body that left its fat AABB gets a larger one and with it new
//!    pairs, and because a translated body can be in the path of another.
//! 3. [`sensor_overlaps`]: a sensor applies no forces, so layers 1 and 2 skip it. A sensor pair
//!    without overlap at the beginning of the step is swept along the displacements of both bodies,
//!    as clamped by layer 2. An overlap during the step emits a begin event and, if the bodies no
//!    longer overlap, an end event in the next step.
//!
//! Layer 2 guards core spheres only. Where layer 1 is skipped, or the solver changes the motion
//! that it predicted, these can still tunnel:
//! - parts outside every core sphere, e.g. the tips of a spinning rod, and pairs in which neither
//!   body has a core sphere (two meshes);
//! - a body that only rotates and has no core sphere, or one at its center of mass: it is not fast;
//! - bodies in pairs that the last pass added, or in the path of a body that it translated;
//! - core spheres on a bent or curved path: the ray is its chord, not the arc.
//!
//! CCD prevents tunneling; it does not compute rebounds. In the soft-step solver these are computed
//! by [`restitution`](crate::dynamics::solver::restitution), which finds the time of impact within
//! a sub-step itself. The event-driven solver resolves the impacts of the contacts that exist when
//! the sub-step begins, speculative ones included; layer 2 covers those that arise from its
//! bounces.
//!
//! Layer 1 returns early for a pair that approaches, layer 3 for one that moves, by at most the
//! speculative distance; each is multithreaded over the pairs. Layer 2 is serial: if no awake body
//! is fast it returns, otherwise each pass visits all pairs, but casts rays only for those with a
//! fast body. The narrow phase calls the closure of layer 1 for each pair that can gain contact
//! points within the step: as a second pass over the pairs, layer 1 took 2 % more instructions in a
//! scene of 1,000 spheres that move farther than the speculative distance in a step.

pub(crate) mod core_spheres;
mod core_sweep;
mod motion_clamping;
mod sensors;
mod speculative;

pub(crate) use motion_clamping::solve_continuous;
pub(crate) use sensors::sensor_overlaps;
pub(crate) use speculative::add_speculative_contacts;
