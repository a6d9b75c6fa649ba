//! Simulation settings: gravity, time step, sub-steps, tolerances, world bounds; their validation.

use embate_geom::Vec3;
use thiserror::Error;

use crate::dynamics::body::error::is_within;
use crate::dynamics::quantity::Quantity;
use crate::dynamics::solver_kind::SolverKind;

/// Maximum number of sub-steps of a step. With 16, a resting body sinks by less than the slop even
/// under 100 times its own weight.
pub const MAX_SUBSTEPS: u32 = 64;

/// Maximum number of worker threads of a step; more would wait for each other.
#[doc(alias = "MAX_THREADS")]
pub const MAX_WORKERS: u32 = 64;

/// Range of the time step, in seconds.
pub(super) const MIN_TIME_STEP: f32 = 1e-6;
pub(super) const MAX_TIME_STEP: f32 = 1.0;

/// Simulation settings of a [`World`](crate::dynamics::World).
///
/// ```
/// use embate::{Vec3, dynamics::{Settings, World}};
///
/// let moon = Settings { gravity: Vec3::new(0.0, -1.62, 0.0), ..Settings::default() };
/// assert!(World::new(moon).is_ok());
/// let frozen = Settings { time_step: 0.0, ..Settings::default() };
/// assert!(World::new(frozen).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "IntegrationParameters")]
#[doc(alias = "b2WorldDef")]
pub struct Settings {
    /// Gravity in m/s². Default: 9.81 along −y.
    pub gravity: Vec3,
    /// Duration of a [`step`](crate::dynamics::World::step), in seconds. Default: 1/60.
    pub time_step: f32,
    /// Number of sub-steps of a step. Default: 4. It sets the accuracy: the sinking of resting
    /// bodies is proportional to `1 / substeps²`, the time of a step to `substeps`. Sinking after
    /// 20 s, in meters:
    ///
    /// | sub-steps | stack of 20 cubes | 9 cubes under one of 100 times their mass |
    /// |---|---|---|
    /// | 2 | 0.106 | falls |
    /// | 4 | 0.027 | 0.086 |
    /// | 8 | 0.007 | 0.031 |
    /// | 16 | 0.002 | 0.008 |
    pub substeps: u32,
    /// Length tolerance of contacts, in meters. Default: 5 mm. Speculative contacts begin at 4
    /// times this distance; contacts whose load would make them sink by more than half of it become
    /// stiffer; bodies that touched have separated beyond it (end event). It is no penetration that
    /// is kept: the solver recovers every penetration.
    #[doc(alias = "slop")]
    #[doc(alias = "allowed_linear_error")]
    pub linear_slop: f32,
    /// Approach speed below which restitution is ignored, in m/s. `None`: 3 times the speed that
    /// gravity adds in a step, hence 0 in weightless worlds.
    #[doc(alias = "rest_speed")]
    pub restitution_threshold: Option<f32>,
    /// Approach speed from which a beginning contact emits a
    /// [`Hit`](crate::dynamics::ContactEvent::Hit) event, in m/s. Default: 1.
    #[doc(alias = "hit_speed")]
    pub hit_event_threshold: f32,
    /// Maximum linear speed, in m/s. Default: 10,000. Velocities passed in above it are rejected;
    /// velocities that result from the simulation are clamped. A body in contact or with a joint
    /// rotates by at most π/4 rad per sub-step (188 rad/s with 4 sub-steps of 1/60 s); a body in
    /// free flight has no such limit.
    #[doc(alias = "max_speed")]
    pub max_linear_speed: f32,
    /// Whether resting islands are put to sleep. Default: true.
    #[doc(alias = "sleeping")]
    pub enable_sleep: bool,
    /// Maximum number of worker threads of a step. Default: 1. The results do not depend on it, bit
    /// for bit. Worlds of 1,000 bodies and more benefit.
    #[doc(alias = "threads")]
    pub worker_count: u32,
    /// Bounds of the world, if any.
    pub bounds: Option<WorldBounds>,
    /// Solver of the world. Default: `SoftStep`.
    #[doc(alias = "method")]
    pub solver: SolverKind,
}

/// Bounds of a world: an AABB with solid or open faces.
///
/// ```
/// use embate::{Vec3, dynamics::{Settings, World, WorldBounds}};
///
/// let bounds = WorldBounds::solid(Vec3::splat(-5.0), Vec3::splat(5.0));
/// assert!(World::new(Settings { bounds: Some(bounds), ..Settings::default() }).is_ok());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "Bounds")]
pub struct WorldBounds {
    /// Minimum corner.
    pub min: Vec3,
    /// Maximum corner.
    pub max: Vec3,
    /// Whether the faces are solid.
    #[doc(alias = "walls")]
    pub mode: BoundaryMode,
}

/// Behavior of a body at the [`WorldBounds`].
///
/// ```
/// use embate::dynamics::BoundaryMode;
///
/// assert_eq!(BoundaryMode::Solid.name(), "solid");
/// assert_eq!(BoundaryMode::from_name("solid"), Some(BoundaryMode::Solid));
/// assert_eq!(BoundaryMode::from_name("bounce"), Some(BoundaryMode::Solid));
/// assert_eq!(BoundaryMode::from_name("open"), Some(BoundaryMode::Open));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias = "Walls")]
pub enum BoundaryMode {
    /// The body collides with boundary planes without friction. Its own restitution, rolling
    /// resistance and torsional resistance apply there.
    #[default]
    #[doc(alias = "Bounce")]
    Solid,
    /// The body can leave the bounds.
    Open,
}

impl BoundaryMode {
    /// Name in scene files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Solid => "solid",
            Self::Open => "open",
        }
    }

    /// Mode of this name, or solid for its former name `bounce`; `None` if the name is unknown.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "solid" | "bounce" => Some(Self::Solid),
            "open" => Some(Self::Open),
            _ => None,
        }
    }
}

impl WorldBounds {
    /// Bounds that bodies bounce off.
    #[must_use]
    #[doc(alias = "bouncing")]
    pub fn solid(min: impl Into<Vec3>, max: impl Into<Vec3>) -> Self {
        let (min, max) = (min.into(), max.into());
        Self { min, max, mode: BoundaryMode::Solid }
    }

    /// Bounds that bodies can leave.
    #[must_use]
    pub fn open(min: impl Into<Vec3>, max: impl Into<Vec3>) -> Self {
        let (min, max) = (min.into(), max.into());
        Self { min, max, mode: BoundaryMode::Open }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            gravity: Vec3::new(0.0, -9.81, 0.0),
            time_step: 1.0 / 60.0,
            substeps: 4,
            linear_slop: 0.005,
            restitution_threshold: None,
            hit_event_threshold: 1.0,
            max_linear_speed: 1e4,
            enable_sleep: true,
            worker_count: 1,
            bounds: None,
            solver: SolverKind::SoftStep,
        }
    }
}

/// Invalid [`Settings`].
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
#[doc(alias = "InvalidSettings")]
pub enum SettingsError {
    /// A number is NaN or out of its range.
    #[error("the {quantity} is {value}, but must lie between {min} and {max}")]
    #[doc(alias = "Range")]
    OutOfRange {
        /// Which setting.
        quantity: Quantity,
        /// Rejected value.
        value: f32,
        /// Minimum allowed value.
        min: f32,
        /// Maximum allowed value.
        max: f32,
    },
    /// A component of gravity is NaN, infinite or beyond ±1e6 m/s².
    #[error("gravity is {gravity:?}; give three finite numbers within ±1e6")]
    Gravity {
        /// Rejected value.
        gravity: [f32; 3],
    },
    /// The bounds are empty, not finite or beyond ±1e9 m.
    #[error(
        "the bounds {min:?} to {max:?} are empty or out of range: give finite corners within ±1e9, \
         with min below max on each axis"
    )]
    Bounds {
        /// Rejected minimum corner.
        min: [f32; 3],
        /// Rejected maximum corner.
        max: [f32; 3],
    },
}

impl SettingsError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::OutOfRange { .. } => "settings.out-of-range",
            Self::Gravity { .. } => "settings.gravity-out-of-range",
            Self::Bounds { .. } => "settings.invalid-bounds",
        }
    }
}

/// Rejects a value outside `min..=max`; NaN is always rejected.
pub(super) fn check_range(
    quantity: Quantity,
    value: f32,
    min: f32,
    max: f32,
) -> Result<(), SettingsError> {
    if is_within(value, min, max) {
        Ok(())
    } else {
        Err(SettingsError::OutOfRange { quantity, value, min, max })
    }
}

impl Settings {
    /// Validates all values.
    ///
    /// # Errors
    /// [`SettingsError`] with the first invalid value and its allowed range.
    #[doc(alias = "check")]
    pub fn validate(&self) -> Result<(), SettingsError> {
        if !self.gravity.to_array().into_iter().all(|component| is_within(component, -1e6, 1e6)) {
            return Err(SettingsError::Gravity { gravity: self.gravity.to_array() });
        }
        check_range(Quantity::TimeStep, self.time_step, MIN_TIME_STEP, MAX_TIME_STEP)?;
        check_range(Quantity::Substeps, self.substeps as f32, 1.0, MAX_SUBSTEPS as f32)?;
        check_range(Quantity::LinearSlop, self.linear_slop, 1e-6, 1e3)?;
        let restitution_threshold = self.restitution_threshold.unwrap_or(0.0);
        check_range(Quantity::RestitutionThreshold, restitution_threshold, 0.0, 1e6)?;
        check_range(Quantity::WorkerCount, self.worker_count as f32, 1.0, MAX_WORKERS as f32)?;
        check_range(Quantity::HitEventThreshold, self.hit_event_threshold, 0.0, 1e6)?;
        check_range(Quantity::MaxLinearSpeed, self.max_linear_speed, 1e-3, 1e6)?;
        if let Some(WorldBounds { min, max, .. }) = self.bounds {
            let is_too_large = min.abs().max_element() > 1e9 || max.abs().max_element() > 1e9;
            let has_volume = (0..3).all(|axis| min[axis] < max[axis]);
            if is_too_large || !has_volume {
                return Err(SettingsError::Bounds { min: min.to_array(), max: max.to_array() });
            }
        }
        Ok(())
    }

    /// Approach speed below which restitution is ignored, for steps of this duration, in m/s.
    pub(super) fn restitution_threshold_at(&self, time_step: f32) -> f32 {
        // Resting bodies approach by the velocity that gravity adds in a sub-step. 3 steps of
        // gravity separate them from falling bodies, and a bounce that low is not visible.
        self.restitution_threshold.unwrap_or(3.0 * self.gravity.length() * time_step)
    }

    /// Distance within which the narrow phase creates speculative contacts, in meters.
    pub(super) fn speculative_distance(&self) -> f32 {
        4.0 * self.linear_slop
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_settings_are_rejected_with_name_value_and_range() {
        let valid = Settings::default();
        assert_eq!(valid.validate(), Ok(()));
        let invalid = [
            Settings { time_step: 0.0, ..valid },
            Settings { time_step: f32::NAN, ..valid },
            Settings { substeps: 0, ..valid },
            Settings { worker_count: 0, ..valid },
            Settings { linear_slop: -1.0, ..valid },
            Settings { gravity: Vec3::X * f32::INFINITY, ..valid },
            Settings { bounds: Some(WorldBounds::solid(Vec3::X, Vec3::ZERO)), ..valid },
            Settings { bounds: Some(WorldBounds::open(Vec3::X * f32::NAN, Vec3::X)), ..valid },
        ];
        for settings in invalid {
            assert!(settings.validate().is_err(), "{settings:?}");
        }
        let message = Settings { substeps: 0, ..valid }.validate().unwrap_err().to_string();
        assert_eq!(message, "the number of sub-steps is 0, but must lie between 1 and 64");
    }

    #[test]
    fn error_codes_are_unique() {
        let corner = [0.0; 3];
        let codes = [
            SettingsError::OutOfRange {
                quantity: Quantity::LinearSlop,
                value: 0.0,
                min: 1.0,
                max: 2.0,
            },
            SettingsError::Gravity { gravity: corner },
            SettingsError::Bounds { min: corner, max: corner },
        ]
        .map(|error| error.code());
        let distinct: std::collections::BTreeSet<_> = codes.into_iter().collect();
        assert_eq!(distinct.len(), codes.len(), "{codes:?}");
    }
}
