//! Body errors and the range checks of bodies, joints and settings.

use embate_geom::{Pose, Vec3};
use thiserror::Error;

use crate::broad_phase::AabbError;
use crate::dynamics::body::body_def::{BodyType, MAX_COORDINATE};
use crate::dynamics::joint::JointError;
use crate::dynamics::quantity::Quantity;
use crate::shapes::ShapeType;

/// Whether `min <= value <= max`; false for NaN.
pub(crate) fn is_within(value: f32, min: f32, max: f32) -> bool {
    value >= min && value <= max
}

/// Invalid body definition or edit of a body.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
#[doc(alias = "InvalidBody")]
pub enum BodyError {
    /// A mass that is NaN, not above 0, or out of range.
    #[error(
        "the mass is {mass} kg, but must lie between 1e-9 and 1e12: \
         if the body never moves, make it fixed (static)"
    )]
    Mass {
        /// Rejected mass, in kg.
        mass: f32,
    },
    /// A dynamic body of a shape without volume.
    #[error(
        "a {shape} has no volume and cannot move: \
         make the body fixed (static), or give it another shape"
    )]
    #[doc(alias = "Weightless")]
    NoVolume {
        /// Type of the shape.
        shape: ShapeType,
    },
    /// The inertia tensor or its inverse overflows f32.
    #[error(
        "the inertia of the body, {mass} kg, is out of range: \
         choose a mass that fits the size of the shape"
    )]
    Inertia {
        /// Mass of the body, in kg.
        mass: f32,
    },
    /// A vector with a component that is NaN, infinite or too large.
    #[error("the {quantity} is {value:?}; give three finite numbers within ±{max:e}")]
    #[doc(alias("Vector", "NonFinite"))]
    VectorOutOfRange {
        /// Which quantity.
        quantity: Quantity,
        /// Rejected value.
        value: [f32; 3],
        /// Maximum magnitude of each component.
        max: f32,
    },
    /// A number that is NaN or out of its range.
    #[error("the {quantity} is {value}, but must lie between {min} and {max}")]
    #[doc(alias = "Number")]
    OutOfRange {
        /// Which quantity.
        quantity: Quantity,
        /// Rejected value.
        value: f32,
        /// Minimum allowed value.
        min: f32,
        /// Maximum allowed value.
        max: f32,
    },
    /// A linear velocity above [`max_linear_speed`](crate::dynamics::Settings::max_linear_speed).
    #[error(
        "the linear velocity is {value:?}, faster than the {max} m/s of this world: \
         reduce it, or raise the limit (in code, `Settings::max_linear_speed`)"
    )]
    #[doc(alias = "Speed")]
    TooFast {
        /// Rejected velocity, in m/s.
        value: [f32; 3],
        /// Maximum linear speed of the world, in m/s.
        max: f32,
    },
    /// A kinematic edit of a body that is not kinematic.
    #[error(
        "the body is {}, but only a kinematic body can be moved to a pose by its velocity: make it \
         kinematic, or set its pose or its velocity",
        .body_type.name()
    )]
    NotKinematic {
        /// Type of the body.
        body_type: BodyType,
    },
    /// An edit that a joint of the body does not allow.
    #[error("a joint of the body prevents this: {0}")]
    Joint(#[from] JointError),
    /// A body whose AABB exceeds the supported range of coordinates.
    #[error("the body's AABB exceeds the supported range: {0}")]
    #[doc(alias = "Bounds")]
    OutOfWorld(#[from] AabbError),
}

impl BodyError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Mass { .. } => "body.mass-out-of-range",
            Self::NoVolume { .. } => "body.no-volume",
            Self::Inertia { .. } => "body.inertia-out-of-range",
            Self::VectorOutOfRange { .. } => "body.vector-out-of-range",
            Self::OutOfRange { .. } => "body.number-out-of-range",
            Self::TooFast { .. } => "body.too-fast",
            Self::NotKinematic { .. } => "body.not-kinematic",
            Self::Joint(error) => error.code(),
            Self::OutOfWorld(_) => "body.out-of-world",
        }
    }
}

/// Rejects a vector with a component outside `-max..=max`; NaN is always rejected.
pub(crate) fn check_vector(quantity: Quantity, value: Vec3, max: f32) -> Result<(), BodyError> {
    if value.to_array().into_iter().all(|component| is_within(component, -max, max)) {
        Ok(())
    } else {
        Err(BodyError::VectorOutOfRange { quantity, value: value.to_array(), max })
    }
}

/// Rejects a position beyond [`MAX_COORDINATE`] and a rotation that is not finite.
pub(crate) fn check_pose(pose: &Pose) -> Result<(), BodyError> {
    check_vector(Quantity::Position, pose.position, MAX_COORDINATE)?;
    if pose.is_finite() {
        return Ok(());
    }
    let [x, y, z, _] = pose.rotation.to_array();
    Err(BodyError::VectorOutOfRange { quantity: Quantity::Rotation, value: [x, y, z], max: 1.0 })
}

/// Rejects a velocity that the integrator would clamp.
pub(crate) fn check_speed(value: Vec3, max: f32) -> Result<(), BodyError> {
    if value.length() <= max {
        Ok(())
    } else {
        Err(BodyError::TooFast { value: value.to_array(), max })
    }
}

/// Rejects a number outside `min..=max`; NaN is always rejected.
pub(crate) fn check_number(
    quantity: Quantity,
    value: f32,
    min: f32,
    max: f32,
) -> Result<(), BodyError> {
    if is_within(value, min, max) {
        Ok(())
    } else {
        Err(BodyError::OutOfRange { quantity, value, min, max })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn not_kinematic_names_the_body_type_in_lower_case() {
        let message = BodyError::NotKinematic { body_type: BodyType::Dynamic }.to_string();
        assert!(message.starts_with("the body is dynamic, but"), "{message}");
    }

    #[test]
    fn error_codes_are_unique() {
        let value = [0.0; 3];
        let codes = [
            BodyError::Mass { mass: 0.0 },
            BodyError::NoVolume { shape: ShapeType::HalfSpace },
            BodyError::Inertia { mass: 1.0 },
            BodyError::VectorOutOfRange { quantity: Quantity::Force, value, max: 1.0 },
            BodyError::OutOfRange { quantity: Quantity::Friction, value: -1.0, min: 0.0, max: 1.0 },
            BodyError::TooFast { value, max: 1.0 },
            BodyError::NotKinematic { body_type: BodyType::Fixed },
            BodyError::Joint(JointError::NoDynamicBody),
            BodyError::OutOfWorld(AabbError::TooMany { count: 1 }),
        ]
        .map(|error| error.code());
        let distinct: std::collections::BTreeSet<_> = codes.into_iter().collect();
        assert_eq!(distinct.len(), codes.len(), "{codes:?}");
    }
}
