//! Quantities of errors: which value of a body, a joint or the settings is out of range.

use core::fmt;

/// Quantity that an error is about. [`code`](Self::code) is stable, for translation; `Display`
/// writes it in English.
///
/// ```
/// use embate::dynamics::{Quantity, Settings, SettingsError};
///
/// let error = Settings { substeps: 0, ..Settings::default() }.validate().unwrap_err();
/// let SettingsError::OutOfRange { quantity, .. } = error else { panic!("{error}") };
/// assert_eq!((quantity, quantity.code()), (Quantity::Substeps, "number-of-sub-steps"));
/// assert_eq!(quantity.to_string(), "number of sub-steps");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Quantity {
    /// Gravity of the world, in m/s².
    Gravity,
    /// Time step, in seconds.
    TimeStep,
    /// Number of sub-steps per step.
    Substeps,
    /// Linear slop, in meters.
    LinearSlop,
    /// Restitution threshold, in m/s.
    RestitutionThreshold,
    /// Number of workers.
    WorkerCount,
    /// Hit event threshold, in m/s.
    HitEventThreshold,
    /// Maximum linear speed, in m/s.
    MaxLinearSpeed,
    /// Mass of a body, in kg.
    Mass,
    /// Density of a body, in kg/m³.
    Density,
    /// Restitution of a material.
    Restitution,
    /// Friction of a material.
    Friction,
    /// Rolling resistance of a material, in meters.
    RollingResistance,
    /// Torsional resistance of a material, in meters.
    TorsionalResistance,
    /// Position of a body, in meters.
    Position,
    /// Rotation of a body.
    Rotation,
    /// Linear velocity of a body, in m/s.
    LinearVelocity,
    /// Angular velocity of a body, in rad/s.
    AngularVelocity,
    /// Angular velocity that an impulse would result in, in rad/s.
    AngularVelocityAfterImpulse,
    /// Linear damping of a body, in 1/s.
    LinearDamping,
    /// Angular damping of a body, in 1/s.
    AngularDamping,
    /// Gravity scale of a body.
    GravityScale,
    /// Force on a body, in N.
    Force,
    /// Torque on a body, in N·m.
    Torque,
    /// Impulse on a body, in N·s.
    Impulse,
    /// Angular impulse on a body, in N·m·s.
    AngularImpulse,
    /// Point at which a force or impulse is applied, in meters.
    Point,
    /// Acceleration of a body by the sum of its forces, in m/s².
    TotalAcceleration,
    /// Angular acceleration of a body by the sum of its torques, in rad/s².
    TotalAngularAcceleration,
    /// Anchor of a joint on its first body, in meters.
    FirstAnchor,
    /// Anchor of a joint on its second body, in meters.
    SecondAnchor,
    /// Axis of a joint.
    Axis,
    /// Rest length of a spring, or length of a distance joint, in meters.
    RestLength,
    /// Minimum length of a distance joint, in meters.
    MinLength,
    /// Stiffness of a spring, in N/m.
    Stiffness,
    /// Damping of a spring, in N·s/m.
    SpringDamping,
    /// Target velocity of a joint's motor, in m/s or rad/s.
    MotorTargetVelocity,
    /// Maximum force or torque of a joint's motor, in N or N·m.
    MotorMaxForce,
}

impl Quantity {
    /// All quantities.
    pub const ALL: [Self; 38] = [
        Self::Gravity,
        Self::TimeStep,
        Self::Substeps,
        Self::LinearSlop,
        Self::RestitutionThreshold,
        Self::WorkerCount,
        Self::HitEventThreshold,
        Self::MaxLinearSpeed,
        Self::Mass,
        Self::Density,
        Self::Restitution,
        Self::Friction,
        Self::RollingResistance,
        Self::TorsionalResistance,
        Self::Position,
        Self::Rotation,
        Self::LinearVelocity,
        Self::AngularVelocity,
        Self::AngularVelocityAfterImpulse,
        Self::LinearDamping,
        Self::AngularDamping,
        Self::GravityScale,
        Self::Force,
        Self::Torque,
        Self::Impulse,
        Self::AngularImpulse,
        Self::Point,
        Self::TotalAcceleration,
        Self::TotalAngularAcceleration,
        Self::FirstAnchor,
        Self::SecondAnchor,
        Self::Axis,
        Self::RestLength,
        Self::MinLength,
        Self::Stiffness,
        Self::SpringDamping,
        Self::MotorTargetVelocity,
        Self::MotorMaxForce,
    ];

    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.code_and_text().0
    }

    const fn code_and_text(self) -> (&'static str, &'static str) {
        match self {
            Self::Gravity => ("gravity", "gravity"),
            Self::TimeStep => ("time-step", "time step"),
            Self::Substeps => ("number-of-sub-steps", "number of sub-steps"),
            Self::LinearSlop => ("linear-slop", "linear slop"),
            Self::RestitutionThreshold => ("restitution-threshold", "restitution threshold"),
            Self::WorkerCount => ("number-of-workers", "number of workers"),
            Self::HitEventThreshold => ("hit-event-threshold", "hit event threshold"),
            Self::MaxLinearSpeed => ("maximum-linear-speed", "maximum linear speed"),
            Self::Mass => ("mass", "mass"),
            Self::Density => ("density", "density"),
            Self::Restitution => ("restitution", "restitution"),
            Self::Friction => ("friction", "friction"),
            Self::RollingResistance => ("rolling-resistance", "rolling resistance"),
            Self::TorsionalResistance => ("torsional-resistance", "torsional resistance"),
            Self::Position => ("position", "position"),
            Self::Rotation => ("rotation", "rotation"),
            Self::LinearVelocity => ("linear-velocity", "linear velocity"),
            Self::AngularVelocity => ("angular-velocity", "angular velocity"),
            Self::AngularVelocityAfterImpulse => {
                ("angular-velocity-after-impulse", "angular velocity after the impulse")
            }
            Self::LinearDamping => ("linear-damping", "linear damping"),
            Self::AngularDamping => ("angular-damping", "angular damping"),
            Self::GravityScale => ("gravity-scale", "gravity scale"),
            Self::Force => ("force", "force"),
            Self::Torque => ("torque", "torque"),
            Self::Impulse => ("impulse", "impulse"),
            Self::AngularImpulse => ("angular-impulse", "angular impulse"),
            Self::Point => ("point", "point"),
            Self::TotalAcceleration => ("total-acceleration", "acceleration by all forces"),
            Self::TotalAngularAcceleration => {
                ("total-angular-acceleration", "angular acceleration by all torques")
            }
            Self::FirstAnchor => ("first-anchor", "first anchor"),
            Self::SecondAnchor => ("second-anchor", "second anchor"),
            Self::Axis => ("axis", "axis"),
            Self::RestLength => ("length", "length"),
            Self::MinLength => ("minimum-length", "minimum length"),
            Self::Stiffness => ("stiffness", "stiffness"),
            Self::SpringDamping => ("damping", "damping"),
            Self::MotorTargetVelocity => {
                ("target-velocity-of-the-motor", "target velocity of the motor")
            }
            Self::MotorMaxForce => ("maximum-force-of-the-motor", "maximum force of the motor"),
        }
    }
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code_and_text().1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique() {
        let codes: std::collections::BTreeSet<_> = Quantity::ALL.map(Quantity::code).into();
        assert_eq!(codes.len(), Quantity::ALL.len());
    }
}
