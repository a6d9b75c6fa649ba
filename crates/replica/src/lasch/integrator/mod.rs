//! Integrators: how the motion of a body follows from the forces on it.
//!
//! The study has an exchangeable integrator and a `lastPosition` in its body, and publishes no
//! formulas. The four methods here are textbook ones; [`Integrator`] takes others.
//!
//! | name | step | order | forces evaluated |
//! |---|---|---|---|
//! | `explicit-euler` | x += v·dt, v += a(x, v)·dt, both by the state before the step | 1 | 1 |
//! | `semi-implicit-euler` | v += a(x, v)·dt, x += v·dt by the new velocity; symplectic | 1 | 1 |
//! | `verlet` | x₊ = 2x − x₋ + a(x)·dt²; symplectic | 2 | 3 |
//! | `rk4` | classical Runge–Kutta: forces at the state and at three intermediate states | 4 | 4 |
//!
//! Sources: Hairer, Lubich, Wanner 2006, "Geometric Numerical Integration", chapter I; Verlet 1967,
//! "Computer Experiments on Classical Fluids".

mod euler;
mod memory;
mod runge_kutta;
mod verlet;

use std::fmt::Debug;

use embate_geom::Vec3;

pub use euler::{ExplicitEuler, SemiImplicitEuler};
pub(super) use memory::LastSteps;
pub use runge_kutta::RungeKutta4;
pub use verlet::PositionVerlet;

use super::body_state::BodyState;
use super::force::ForceField;

/// Method that advances the motion of a body by one step. The four of [`IntegratorKind`] implement
/// it; [`Parts::integrator`](super::Parts::integrator) takes any other.
///
/// A method keeps nothing of its own: what it needs of the preceding step is in
/// [`MotionState::last`]. It limits displacements by
/// [`BodyForces::limit_velocity`], so that a diverging simulation stays within the settings.
///
/// ```
/// use embate::dynamics::{BodyDef, Settings};
/// use embate::{Vec3, shapes::Sphere};
/// use embate_replica::lasch::{BodyForces, Config, Integrator, MotionState, Parts, Simulator};
///
/// /// Midpoint method: forces in the middle of the step.
/// #[derive(Debug)]
/// struct Midpoint;
///
/// impl Integrator for Midpoint {
///     fn integrate(&self, state: &mut MotionState, forces: &BodyForces<'_>, time_step: f32) {
///         let MotionState { position, velocity, .. } = *state;
///         let start = forces.damped_acceleration(position, velocity);
///         let middle = velocity + start * (0.5 * time_step);
///         let acceleration =
///             forces.damped_acceleration(position + velocity * (0.5 * time_step), middle);
///         state.position += forces.limit_velocity(middle) * time_step;
///         state.velocity = forces.limit_velocity(velocity + acceleration * time_step);
///     }
/// }
///
/// let parts = Parts::new().integrator(Midpoint);
/// let settings = Settings { gravity: Vec3::Y * -10.0, time_step: 0.125, ..Settings::default() };
/// let mut simulator = Simulator::with_parts(settings, Config::PUBLISHED, parts)?;
/// let ball = simulator.insert_body(BodyDef::dynamic(Sphere::new(0.5)?, 1.0))?;
/// (0..8).for_each(|_| simulator.step());
/// // ½·g·t², exactly: a parabola is a polynomial of degree 2.
/// assert_eq!(simulator.world().body(ball).unwrap().position().y, -5.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Integrator: Debug + Send + Sync {
    /// Advances `state` by `time_step` seconds.
    fn integrate(&self, state: &mut MotionState, forces: &BodyForces<'_>, time_step: f32);
}

/// Motion of a body between two steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionState {
    /// Center of mass, in m.
    pub position: Vec3,
    /// In m/s; 0 along locked axes.
    pub velocity: Vec3,
    /// Stored by the integrator in the preceding step. `None` in the first step, and after anything
    /// else changed the position or the velocity: a contact, a bound, the maximum speed, an edit.
    /// A method of several steps then starts anew from the velocity.
    pub last: Option<LastStep>,
}

/// What a method of several steps keeps of the preceding step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LastStep {
    /// Position at the beginning of the preceding step, in m: the study's `lastPosition`.
    pub position: Vec3,
    /// An acceleration, in m/s². [`PositionVerlet`] stores that at the end of the preceding step,
    /// and so notices that the forces have changed since.
    pub acceleration: Vec3,
}

/// Forces on one body as functions of its position and velocity, constant in time over the step.
#[derive(Clone, Copy, Debug)]
pub struct BodyForces<'a> {
    field: ForceField<'a>,
    body: &'a BodyState,
    /// In m/s.
    max_speed: f32,
}

impl<'a> BodyForces<'a> {
    pub(super) fn new(field: ForceField<'a>, body: &'a BodyState, max_speed: f32) -> Self {
        Self { field, body, max_speed }
    }

    /// Acceleration by gravity and by all forces, in m/s²; 0 along locked axes.
    #[must_use]
    pub fn acceleration(&self, position: Vec3, velocity: Vec3) -> Vec3 {
        let mut acceleration = self.field.acceleration(self.body, position, velocity);
        for axis in 0..3 {
            if self.body.locked_axes.translation[axis] {
                acceleration[axis] = 0.0;
            }
        }
        acceleration
    }

    /// Rate of the linear damping, in 1/s, which [`acceleration`](Self::acceleration) does not
    /// contain: v′ = a − damping·v.
    #[must_use]
    pub fn linear_damping(&self) -> f32 {
        self.body.linear_damping
    }

    /// [`acceleration`](Self::acceleration) with the linear damping.
    #[must_use]
    pub fn damped_acceleration(&self, position: Vec3, velocity: Vec3) -> Vec3 {
        self.acceleration(position, velocity) - velocity * self.body.linear_damping
    }

    /// `velocity`, shortened to the maximum speed of the settings.
    #[must_use]
    pub fn limit_velocity(&self, velocity: Vec3) -> Vec3 {
        clamp_length(velocity, self.max_speed)
    }
}

/// Integrator by its name in files.
///
/// ```
/// use embate_replica::lasch::IntegratorKind;
///
/// for kind in IntegratorKind::ALL {
///     assert_eq!(IntegratorKind::from_name(kind.name()), Some(kind));
/// }
/// assert_eq!(IntegratorKind::default(), IntegratorKind::SemiImplicitEuler);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum IntegratorKind {
    /// [`ExplicitEuler`].
    ExplicitEuler,
    /// [`SemiImplicitEuler`].
    #[default]
    SemiImplicitEuler,
    /// [`PositionVerlet`].
    Verlet,
    /// [`RungeKutta4`].
    Rk4,
}

impl IntegratorKind {
    /// All, by ascending order of convergence.
    pub const ALL: [Self; 4] =
        [Self::ExplicitEuler, Self::SemiImplicitEuler, Self::Verlet, Self::Rk4];

    /// The name used in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ExplicitEuler => "explicit-euler",
            Self::SemiImplicitEuler => "semi-implicit-euler",
            Self::Verlet => "verlet",
            Self::Rk4 => "rk4",
        }
    }

    /// The integrator of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The method.
    #[must_use]
    pub fn method(self) -> &'static dyn Integrator {
        match self {
            Self::ExplicitEuler => &ExplicitEuler,
            Self::SemiImplicitEuler => &SemiImplicitEuler,
            Self::Verlet => &PositionVerlet,
            Self::Rk4 => &RungeKutta4,
        }
    }
}

/// `vector`, shortened to `max_length` if it is longer. Infinity and NaN become NaN: not hidden.
pub(super) fn clamp_length(vector: Vec3, max_length: f32) -> Vec3 {
    let squared = vector.length_squared();
    if squared <= max_length * max_length {
        return vector;
    }
    // The square of a component beyond 1e19 is infinite: scale first.
    let scaled = if squared < f32::INFINITY { vector } else { vector / vector.abs().max_element() };
    scaled * (max_length / scaled.length())
}
