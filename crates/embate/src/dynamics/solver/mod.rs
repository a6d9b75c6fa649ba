//! Soft-step contact solver: graph coloring, SIMD constraint blocks, friction and restitution.
//!
//! "Soft step" is the solver of `Box2D` v3 and `Box3D` (Catto, "`Solver2D`", 2024): each step is
//! divided into sub-steps, contacts are soft constraints, and the velocity that penetration
//! recovery adds is removed again by relaxing.
//!
//! ```text
//! world/step.rs calls these three, once per step:
//!
//! StepScratch::prepare_contacts
//!   ConstraintGraph::assign_color         graph coloring of manifolds, serial, in pair order
//!   push_impact_constraints               scalar constraints of manifolds with restitution, serial
//!   ConstraintGraph::prepare              all SIMD constraint blocks, in parallel
//!     ContactConstraint8::prepare         eight manifolds of a color, one per SIMD lane; softness
//!       ContactConstraint::prepare        anchors, effective masses (effective_mass), warm-start
//!                                         impulses: of the last sub-step of the previous step
//! ┌ substep::run_substeps, in parallel substep_parallel ──────────────────────────────────────┐
//! │ integrator       integrate velocities                                                     │
//! │ restitution      impacts at their times within the sub-step (impulses: module impact)     │
//! │ joint            prepare, warm start                                                      │
//! │ contact_solver   warm start                                                               │
//! │ joint            solve with bias                                                          │
//! │ contact_solver   solve with bias; friction                                                │
//! │ joint            solve with bias                                                          │
//! │ integrator       integrate positions                                                      │
//! │ ┌ twice                                                                                   │
//! │ │ joint          relax                                                                    │
//! │ └ contact_solver relax: without bias; friction                                            │
//! └───────────────────────────────────────────────────────────────────────────────────────────┘
//! StepScratch::store_impulses             for warm starting and events
//! ```
//!
//! - **Coloring.** A manifold gets the lowest of 24 colors that neither of its dynamic bodies uses
//!   yet; fixed and kinematic bodies do not limit it. So constraints of a color share no dynamic
//!   body and are solved in SIMD lanes and by several workers. Manifolds that find no color go to
//!   the overflow set, which one worker solves after the last color.
//! - **Normal constraints** are solved point by point, with accumulated impulses clamped to λ ≥ 0.
//!   A penetrating point has a soft bias ([`Softness`]), chosen once per step from the warm-start
//!   impulses: the greater the load, the stiffer. A separated point may close its gap within the
//!   sub-step, but no more. The formula is at `contact_solver::solve_with_bias`.
//! - **Friction** (`friction`) is solved in each solve and relax pass, for each manifold right
//!   after its own normal points: torsional, rolling, then Coulomb friction at one anchor. Coulomb
//!   and rolling friction are bounded by the sum of the normal impulses λ, torsion by Σ lever arm·λ
//!   (plus its torsional resistance times Σ λ).
//! - **Restitution** is solved before the contacts: each impact above the threshold speed at its
//!   own time, on the scalar constraints of `StepScratch::impact_constraints`. Every manifold whose
//!   pair is no sensor, has an awake dynamic body and restitution above 0 has one, in addition to
//!   its SIMD lane.
//! - **Stored impulses**: the manifold ([`PersistentManifold`]) keeps the accumulated impulses of
//!   the last sub-step, which warm-start the next step. The narrow phase matches old and new points
//!   by feature id, then by distance. The totals over the sub-steps, and those of impacts, go to
//!   the contact events.
//!
//! `simd` and `body_pair_simd` are the vectors and the gather and scatter of body states
//! (`solver_body`) of the contact solver.
//!
//! [`PersistentManifold`]: crate::dynamics::narrow_phase::manifold::PersistentManifold

pub(crate) mod body_pair_simd;
pub(crate) mod constraint_graph;
pub(crate) mod contact_constraint;
pub(crate) mod contact_constraint_simd;
pub(crate) mod contact_solver;
pub(crate) mod effective_mass;
pub(crate) mod friction;
pub(crate) mod impact;
pub(crate) mod restitution;
pub(crate) mod simd;
pub(crate) mod solver_body;
pub(crate) mod step_scratch;
pub(crate) mod substep;
pub(crate) mod substep_parallel;

use embate_geom::scalar;

use crate::dynamics::settings::Settings;

/// Natural frequency of a contact, in cycles per sub-step. Stacks sink in proportion to its inverse
/// square. From 0.3 on, large pyramids jitter: impulses then do not propagate far enough within a
/// sub-step.
const CONTACT_FREQUENCY: f32 = 0.25;
/// Natural frequency under a load that would make the contact sink by twice the linear slop. Nine
/// stacked cubes below a cube of 100 times their mass penetrate each other by 8.6 mm instead of
/// 13 mm. A pyramid would jitter if all its contacts were as stiff, but few of them carry such a
/// load.
const LOADED_CONTACT_FREQUENCY: f32 = 0.31;
/// Resting penetrations, in multiples of the linear slop, between which the frequency rises from
/// [`CONTACT_FREQUENCY`] to [`LOADED_CONTACT_FREQUENCY`]. The ramp is wide: on a
/// narrow ramp penetration hardly grows with the load, so that neighboring contacts do not share
/// the load evenly, and columns fall.
const LOAD_RAMP: [f32; 2] = [0.5, 2.0];
/// Critical damping. Other engines use 10, to recover from penetration slowly; but a less damped
/// contact yields more to its neighbors within a sub-step, so that impulses converge in fewer
/// passes: with 10, a pyramid of 50 needs twice as many passes, and a cube of 100 times the mass
/// falls from a stack of nine.
const CONTACT_DAMPING_RATIO: f32 = 1.0;
/// Maximum speed of penetration recovery, in m/s.
const CONTACT_PUSH_VELOCITY: f32 = 3.0;

/// Soft constraint coefficients: a spring and damper whose stiffness is relative to the effective
/// mass, so that penetration is recovered without a velocity jump (Catto, "Soft Constraints", GDC
/// 2011).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Softness {
    /// Bias velocity per unit of position error, in 1/s.
    pub(crate) bias_rate: f32,
    /// Factor on the impulse that a rigid constraint would apply.
    pub(crate) mass_scale: f32,
    /// Fraction of the accumulated impulse that each solve subtracts; this makes the constraint
    /// compliant.
    pub(crate) impulse_scale: f32,
}

impl Softness {
    /// Coefficients for a natural frequency in Hz and a damping ratio (1 = critical), for sub-steps
    /// of `h` seconds.
    pub(crate) fn new(hertz: f32, damping_ratio: f32, h: f32) -> Self {
        let omega = 2.0 * core::f32::consts::PI * hertz;
        let a = 2.0 * damping_ratio + h * omega;
        let b = h * omega * a;
        let c = 1.0 / (1.0 + b);
        Self { bias_rate: omega / a, mass_scale: b * c, impulse_scale: c }
    }
}

/// Parameters of one step, the same for all constraints.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepContext {
    /// Length of a sub-step, in seconds, and its reciprocal.
    pub(crate) h: f32,
    pub(crate) inverse_h: f32,
    /// Softness of a lightly loaded contact (up to `LOAD_RAMP[0]`): see
    /// [`softness_under_load`](Self::softness_under_load).
    pub(crate) contact_softness: Softness,
    /// Maximum speed of penetration recovery, in m/s.
    pub(crate) contact_push_velocity: f32,
    /// Maximum speed of any body, in m/s.
    pub(crate) max_linear_speed: f32,
    /// Minimum approach speed for restitution, in m/s.
    pub(crate) restitution_threshold: f32,
    /// Points closer than this get a constraint before they touch, in meters.
    pub(crate) speculative_distance: f32,
    /// Length tolerance, in meters: here the unit of [`LOAD_RAMP`]. The bias recovers every
    /// penetration, however small.
    pub(crate) linear_slop: f32,
    /// Whether the solve with bias has to update separations first: impacts and joints can displace
    /// bodies before it.
    pub(crate) updates_separations_before_solve: bool,
}

impl StepContext {
    pub(crate) fn new(settings: &Settings, time_step: f32) -> Self {
        let h = time_step / settings.substeps as f32;
        Self {
            h,
            inverse_h: 1.0 / h,
            contact_softness: Softness::new(CONTACT_FREQUENCY / h, CONTACT_DAMPING_RATIO, h),
            contact_push_velocity: CONTACT_PUSH_VELOCITY,
            max_linear_speed: settings.max_linear_speed,
            restitution_threshold: settings.restitution_threshold_at(time_step),
            speculative_distance: settings.speculative_distance(),
            linear_slop: settings.linear_slop,
            // `World::run_soft_step_stages` sets it for each step.
            updates_separations_before_solve: true,
        }
    }

    /// Softness of a contact under a load: the greater the load, the stiffer. `load_velocity` is
    /// the velocity in m/s that its impulse of one sub-step would give to its effective mass.
    pub(crate) fn softness_under_load(&self, load_velocity: f32) -> Softness {
        let Softness { bias_rate, mass_scale, impulse_scale } = self.contact_softness;
        let resting_penetration = load_velocity * impulse_scale / (mass_scale * bias_rate);
        let [from, to] = LOAD_RAMP.map(|slops| slops * self.linear_slop);
        if resting_penetration <= from {
            return self.contact_softness;
        }
        let ramp = scalar::min((resting_penetration - from) / (to - from), 1.0);
        let frequency = CONTACT_FREQUENCY + (LOADED_CONTACT_FREQUENCY - CONTACT_FREQUENCY) * ramp;
        Softness::new(frequency * self.inverse_h, CONTACT_DAMPING_RATIO, self.h)
    }
}

/// One pass of the contact solver over all constraints.
#[derive(Clone, Copy, Debug)]
pub(crate) enum SolverPass {
    /// Applies the accumulated impulses of the previous sub-step; in the first one, those of the
    /// last sub-step of the previous step.
    WarmStart,
    /// Solves normal constraints with bias (penetration recovery), then friction.
    SolveWithBias,
    /// Solves without bias, which removes the velocity that penetration recovery added; then
    /// friction.
    Relax {
        /// Whether it updates separations first: in the first of the two relax passes, because
        /// positions have been integrated.
        updates_separations: bool,
        /// Whether it adds its impulses to the totals of the step: in the last one.
        adds_totals: bool,
    },
}
