//! Validated numbers of scene files: each is checked where it is read, so that its error has a
//! location.

use embate::dynamics::{Quantity, Settings};
use embate::{
    Rotation, Vec3,
    shapes::{MAX_SIZE, ShapeError},
};

use super::located_json::Node;
use super::{SceneError, SceneErrorKind, SceneQuantity};

/// Range of the mass of a dynamic body, in kg.
const MASS: [f32; 2] = [1e-9, 1e12];

/// Three finite numbers.
pub(super) fn vector(node: &Node<'_>) -> Result<Vec3, SceneError> {
    node.numbers::<3>().map(Vec3::from)
}

/// A point in world space, or in that of a body.
pub(super) fn position(node: &Node<'_>) -> Result<Vec3, SceneError> {
    vector_within(node, Quantity::Position, MAX_SIZE)
}

/// A vector of this name whose components lie within ±`max`.
pub(super) fn vector_within(
    node: &Node<'_>,
    quantity: Quantity,
    max: f32,
) -> Result<Vec3, SceneError> {
    let vector = vector(node)?;
    if vector.abs().max_element() <= max {
        return Ok(vector);
    }
    let (value, quantity) = (vector.to_array(), quantity.into());
    Err(node.error(SceneErrorKind::VectorOutOfRange { quantity, value, max }))
}

/// A quaternion `[x, y, z, w]` of any nonzero length.
pub(super) fn orientation(node: &Node<'_>) -> Result<Rotation, SceneError> {
    let quaternion = node.numbers::<4>()?;
    Rotation::from_quaternion(quaternion).ok_or_else(|| {
        node.error(SceneErrorKind::Orientation(ShapeError::NoOrientation { quaternion }))
    })
}

/// A mass, in kg.
pub(super) fn mass(node: &Node<'_>) -> Result<f32, SceneError> {
    let mass = node.number()?;
    if (MASS[0]..=MASS[1]).contains(&mass) {
        Ok(mass)
    } else {
        Err(node.error(SceneErrorKind::Mass { mass }))
    }
}

/// A reader of numbers of this name from `min` to `max`.
pub(super) fn within(
    quantity: impl Into<SceneQuantity>,
    min: f32,
    max: f32,
) -> impl Fn(&Node<'_>) -> Result<f32, SceneError> {
    let quantity = quantity.into();
    move |node| {
        let value = node.number()?;
        if (min..=max).contains(&value) {
            return Ok(value);
        }
        Err(node.error(SceneErrorKind::OutOfRange { quantity, value, min, max }))
    }
}

/// The settings, if the engine accepts them; the error is located at `node`.
pub(super) fn validated(node: &Node<'_>, settings: Settings) -> Result<Settings, SceneError> {
    settings.validate().map_err(|error| node.error(error))?;
    Ok(settings)
}
