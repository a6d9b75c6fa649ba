//! Joint errors: why a joint definition or a change of a joint is rejected.

use core::fmt;

use thiserror::Error;

use crate::dynamics::body::body_def::MAX_COORDINATE;
use crate::dynamics::joint::joint_def::JointType;
use crate::dynamics::quantity::Quantity;

/// Why a joint is invalid, and what to do about it.
#[doc(alias = "InvalidJoint")]
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum JointError {
    /// The id of a body that does not exist.
    #[error(
        "the {side} body of the joint does not exist: it was never inserted, or it was removed"
    )]
    UnknownBody {
        /// Which of the two bodies.
        side: JointSide,
    },
    /// Both bodies are the same.
    #[error("the joint connects a body to itself: give two different bodies")]
    SameBody,
    /// Both bodies are fixed or kinematic.
    #[error("a joint needs at least one dynamic body: make one of its bodies dynamic")]
    #[doc(alias = "NothingMoves")]
    NoDynamicBody,
    /// A vector with a component that is NaN, infinite or too large.
    #[error(
        "the {quantity} of the joint is {value:?}; give three finite numbers within \
         ±{MAX_COORDINATE:e}"
    )]
    #[doc(alias("Vector", "NonFinite"))]
    VectorOutOfRange {
        /// Which vector.
        quantity: Quantity,
        /// The rejected value.
        value: [f32; 3],
    },
    /// An axis of length 0.
    #[error("the axis of the joint is {axis:?} and has no direction: give a nonzero vector")]
    #[doc(alias = "Axis")]
    ZeroAxis {
        /// The rejected value.
        axis: [f32; 3],
    },
    /// A number outside of its range, or NaN.
    #[error("the {quantity} of the joint is {value}, but must lie between {min} and {max}")]
    #[doc(alias = "Number")]
    OutOfRange {
        /// Which number.
        quantity: Quantity,
        /// The rejected value.
        value: f32,
        /// Minimum of the range.
        min: f32,
        /// Maximum of the range.
        max: f32,
    },
    /// Limits in the wrong order, NaN, or infinite with the same sign.
    #[error(
        "the limits of the joint are {lower} and {upper}: give the lower limit first, and no NaN; \
         omit limits that do not apply"
    )]
    #[doc(alias = "Limits")]
    InvalidLimits {
        /// The rejected lower limit.
        lower: f32,
        /// The rejected upper limit.
        upper: f32,
    },
    /// A distance joint with both a rest length and limits.
    #[error("the joint has both a rest length and limits: give one of the two")]
    LengthAndLimits,
    /// An anchor so far from the center of mass that f32 cannot resolve the rotation of the body.
    #[error(
        "the anchor of the joint is {distance} m from the center of mass of the {side} body, but \
         must lie within {max_distance} m for a body of its size: move the anchor, enlarge the \
         body, or lock its rotation"
    )]
    #[doc(alias = "Far")]
    AnchorTooFar {
        /// Which of the two bodies.
        side: JointSide,
        /// Distance of the anchor, in meters.
        distance: f32,
        /// Maximum distance for this body, in meters.
        max_distance: f32,
    },
    /// A property that this joint type does not have.
    #[error(
        "a {} joint has no {property}: omit it, or choose another joint type",
        .joint_type.name()
    )]
    #[doc(alias = "Has")]
    Unsupported {
        /// Type of the joint.
        joint_type: JointType,
        /// Property that the joint type lacks.
        property: JointProperty,
    },
    /// A solver that does not support joints.
    #[error("the {solver} solver does not support joints: use the soft-step solver")]
    SolverUnsupported {
        /// [Name](crate::dynamics::SolverKind::name) of the solver.
        solver: &'static str,
    },
}

/// One of the two bodies of a joint. `Display` writes it in English.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointSide {
    /// First body.
    First,
    /// Second body.
    Second,
}

impl JointSide {
    pub(crate) const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
        }
    }
}

impl fmt::Display for JointSide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// Property of a joint definition that not every joint type has. `Display` writes it in English.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum JointProperty {
    /// [`JointDef::limits`](crate::dynamics::JointDef::limits).
    Limits,
    /// [`JointDef::motor`](crate::dynamics::JointDef::motor).
    Motor,
    /// [`JointDef::rest_length`](crate::dynamics::JointDef::rest_length).
    RestLength,
}

impl JointProperty {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Limits => "limits",
            Self::Motor => "motor",
            Self::RestLength => "rest-length",
        }
    }
}

impl fmt::Display for JointProperty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Limits => "limits",
            Self::Motor => "motor",
            Self::RestLength => "rest length",
        })
    }
}

impl JointError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::UnknownBody { .. } => "joint.unknown-body",
            Self::SameBody => "joint.same-body",
            Self::NoDynamicBody => "joint.no-dynamic-body",
            Self::VectorOutOfRange { .. } => "joint.vector-out-of-range",
            Self::ZeroAxis { .. } => "joint.zero-axis",
            Self::OutOfRange { .. } => "joint.out-of-range",
            Self::InvalidLimits { .. } => "joint.invalid-limits",
            Self::LengthAndLimits => "joint.length-and-limits",
            Self::AnchorTooFar { .. } => "joint.anchor-too-far",
            Self::Unsupported { .. } => "joint.unsupported-property",
            Self::SolverUnsupported { .. } => "joint.solver-unsupported",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [JointError; 11] = [
        JointError::UnknownBody { side: JointSide::First },
        JointError::SameBody,
        JointError::NoDynamicBody,
        JointError::VectorOutOfRange { quantity: Quantity::Axis, value: [0.0; 3] },
        JointError::ZeroAxis { axis: [0.0; 3] },
        JointError::OutOfRange {
            quantity: Quantity::SpringDamping,
            value: -1.0,
            min: 0.0,
            max: 1.0,
        },
        JointError::InvalidLimits { lower: 1.0, upper: 0.0 },
        JointError::LengthAndLimits,
        JointError::AnchorTooFar { side: JointSide::Second, distance: 2.0, max_distance: 1.0 },
        JointError::Unsupported { joint_type: JointType::Fixed, property: JointProperty::Motor },
        JointError::SolverUnsupported { solver: "event-driven" },
    ];

    #[test]
    fn messages_use_the_names_of_joint_types_and_solvers() {
        let unsupported = |joint_type, property| JointError::Unsupported { joint_type, property };
        assert_eq!(
            unsupported(JointType::Spherical, JointProperty::Motor).to_string(),
            "a spherical joint has no motor: omit it, or choose another joint type"
        );
        assert_eq!(
            unsupported(JointType::Fixed, JointProperty::RestLength).to_string(),
            "a fixed joint has no rest length: omit it, or choose another joint type"
        );
        assert_eq!(
            JointError::SolverUnsupported { solver: "event-driven" }.to_string(),
            "the event-driven solver does not support joints: use the soft-step solver"
        );
    }

    #[test]
    fn codes_are_unique_and_messages_mention_the_joint() {
        let mut codes = ALL.map(|error| error.code());
        codes.sort_unstable();
        assert!(codes.windows(2).all(|pair| pair[0] != pair[1]), "{codes:?}");
        for error in ALL {
            assert!(error.code().starts_with("joint."), "{}", error.code());
            assert!(error.to_string().contains("joint"), "{error}");
        }
    }
}
