//! Numbers of a scene file, checked as they are read, so that an error knows its place.

use embate::dynamics::Settings;
use embate::{
    Rotation, Vec3,
    shapes::{MAX_SIZE, ShapeError},
};
use serde::{Deserialize, Deserializer, de::Error};

/// Three finite numbers.
pub(super) fn vector<'de, D: Deserializer<'de>>(from: D) -> Result<Vec3, D::Error> {
    let vector = Vec3::from(<[f32; 3]>::deserialize(from)?);
    if vector.is_finite() { Ok(vector) } else { Err(D::Error::custom(too_large(vector))) }
}

/// A place in the world, where f32 can still tell shapes apart.
pub(super) fn position<'de, D: Deserializer<'de>>(from: D) -> Result<Vec3, D::Error> {
    let position = Vec3::from(<[f32; 3]>::deserialize(from)?);
    if position.abs().max_element() <= MAX_SIZE {
        return Ok(position);
    }
    Err(D::Error::custom(too_large(position)))
}

fn too_large(vector: Vec3) -> String {
    let [x, y, z] = vector.to_array();
    format!(
        "[{x}, {y}, {z}] is out of range: numbers must lie within ±{MAX_SIZE:e}; scale the scene down"
    )
}

/// A quaternion `[x, y, z, w]` of any length but 0.
pub(super) fn orientation<'de, D: Deserializer<'de>>(from: D) -> Result<Rotation, D::Error> {
    let quaternion = <[f32; 4]>::deserialize(from)?;
    let refused = ShapeError::NoOrientation { quaternion };
    Rotation::from_quaternion(quaternion).ok_or_else(|| D::Error::custom(refused))
}

/// The mass of what moves.
pub(super) fn mass<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f32>, D::Error> {
    let mass = f32::deserialize(from)?;
    if mass > 0.0 && mass < f32::INFINITY {
        return Ok(Some(mass));
    }
    Err(D::Error::custom(format!(
        "the mass is {mass}, but must be above 0; a body that never moves has \"static\": true, and \
         needs no mass"
    )))
}

/// How much of its speed a bounce gives back.
pub(super) fn restitution<'de, D: Deserializer<'de>>(from: D) -> Result<f32, D::Error> {
    let restitution = f32::deserialize(from)?;
    if (0.0..=1.0).contains(&restitution) {
        return Ok(restitution);
    }
    Err(D::Error::custom(format!(
        "the restitution is {restitution}, but must lie between 0 (no bounce) and 1 (all of it)"
    )))
}

/// How much it rubs.
pub(super) fn friction<'de, D: Deserializer<'de>>(from: D) -> Result<f32, D::Error> {
    let friction = f32::deserialize(from)?;
    if (0.0..f32::INFINITY).contains(&friction) {
        return Ok(friction);
    }
    Err(D::Error::custom(format!(
        "the friction is {friction}, but must be 0 (ice) or above; 0.5 is usual"
    )))
}

/// A resistance or a rate.
pub(super) fn at_least_0<'de, D: Deserializer<'de>>(from: D) -> Result<f32, D::Error> {
    let value = f32::deserialize(from)?;
    if (0.0..f32::INFINITY).contains(&value) {
        return Ok(value);
    }
    Err(D::Error::custom(format!("the value is {value}, but must be 0 or above")))
}

/// Of the steps of a world, in seconds.
pub(super) fn time_step<'de, D: Deserializer<'de>>(from: D) -> Result<f32, D::Error> {
    let time_step = f32::deserialize(from)?;
    checked(Settings { time_step, ..Settings::default() }).map(|settings| settings.time_step)
}

/// Parts of a step.
pub(super) fn substeps<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    let substeps = u32::deserialize(from)?;
    checked(Settings { substeps, ..Settings::default() }).map(|settings| settings.substeps)
}

/// How far bodies may reach into each other at rest.
pub(super) fn slop<'de, D: Deserializer<'de>>(from: D) -> Result<f32, D::Error> {
    let slop = f32::deserialize(from)?;
    checked(Settings { linear_slop: slop, ..Settings::default() })
        .map(|settings| settings.linear_slop)
}

/// In m/s².
pub(super) fn gravity<'de, D: Deserializer<'de>>(from: D) -> Result<Vec3, D::Error> {
    let gravity = vector(from)?;
    checked(Settings { gravity, ..Settings::default() }).map(|settings| settings.gravity)
}

/// The settings, if a world can be so.
pub(super) fn checked<E: Error>(settings: Settings) -> Result<Settings, E> {
    settings.validate().map_err(E::custom)?;
    Ok(settings)
}
