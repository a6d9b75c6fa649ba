//! Which numbers are refused, and with which words?

use embate_geom::{Pose, Vec3};
use thiserror::Error;

use super::body::FAR;
use crate::pairs::InvalidBox;

/// Whether a number lies in a range; a NaN never does. The one judge for bodies, joints and settings.
pub(super) fn is_within(value: f32, least: f32, most: f32) -> bool {
    value >= least && value <= most
}

/// Why a body cannot be so, and what to do about it.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InvalidBody {
    /// A mass that is NaN, not above 0, or out of range.
    #[error(
        "the mass is {mass} kg, but must lie between 1e-9 and 1e12: a body that never moves is `still`"
    )]
    Mass {
        /// As given.
        mass: f32,
    },
    /// A moving body of a shape without weight.
    #[error(
        "a {kind} has no volume and cannot move: make the body `still`, or give it another shape"
    )]
    Weightless {
        /// What shape.
        kind: &'static str,
    },
    /// A body whose turning no f32 can tell.
    #[error(
        "the inertia of the body, {mass} kg, is out of range: give it a mass nearer to its size"
    )]
    Inertia {
        /// Its mass.
        mass: f32,
    },
    /// Three numbers of which one is NaN, infinite or too large.
    #[error("the {name} is {value:?}; give three finite numbers within ±{most:e}")]
    Vector {
        /// Which.
        name: &'static str,
        /// As given.
        value: [f32; 3],
        /// The most that each may be.
        most: f32,
    },
    /// A number out of its range.
    #[error("the {name} is {value}, but must lie between {least} and {most}")]
    Number {
        /// Which.
        name: &'static str,
        /// As given.
        value: f32,
        /// The least it may be.
        least: f32,
        /// The most it may be.
        most: f32,
    },
    /// Faster than anything of this world.
    #[error(
        "the velocity is {value:?}, faster than the {most} m/s of this world: give a slower one, or allow more (in code, by `Settings::max_speed`)"
    )]
    Speed {
        /// As given.
        value: [f32; 3],
        /// The world's largest speed.
        most: f32,
    },
    /// A shape that reaches too far out.
    #[error("the body reaches out of the world: {0}")]
    Bounds(#[from] InvalidBox),
}

pub(super) fn check_vector(name: &'static str, value: Vec3, most: f32) -> Result<(), InvalidBody> {
    if value.to_array().into_iter().all(|number| is_within(number, -most, most)) {
        Ok(())
    } else {
        Err(InvalidBody::Vector { name, value: value.to_array(), most })
    }
}

pub(super) fn check_pose(pose: &Pose) -> Result<(), InvalidBody> {
    check_vector("position", pose.position, FAR)?;
    if pose.is_finite() {
        return Ok(());
    }
    let [x, y, z, _] = pose.rotation.to_array();
    Err(InvalidBody::Vector { name: "rotation", value: [x, y, z], most: 1.0 })
}

/// Refuses what the world would cut.
pub(super) fn check_speed(value: Vec3, most: f32) -> Result<(), InvalidBody> {
    if value.length() <= most {
        Ok(())
    } else {
        Err(InvalidBody::Speed { value: value.to_array(), most })
    }
}

pub(super) fn check_number(
    name: &'static str,
    value: f32,
    least: f32,
    most: f32,
) -> Result<(), InvalidBody> {
    if is_within(value, least, most) {
        Ok(())
    } else {
        Err(InvalidBody::Number { name, value, least, most })
    }
}
