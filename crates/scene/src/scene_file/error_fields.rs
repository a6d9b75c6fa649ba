//! Typed fields of scene and engine errors as JSON.

use embate::dynamics::{BodyError, JointError, Quantity, SettingsError};
use embate::shapes::{MAX_SIZE, MIN_SIZE, ShapeError, ShapeLength};
use serde_json::{Value, json};

use super::SceneErrorKind;
use crate::json_number::number;

impl SceneErrorKind {
    /// The fields by their names; numbers in their shortest digits.
    pub(super) fn fields(&self) -> Value {
        match self {
            Self::Empty
            | Self::Syntax
            | Self::Truncated
            | Self::NoMass
            | Self::NotAnObject { .. }
            | Self::StaticAndDriven
            | Self::ForceForm
            | Self::ForceNotDynamic
            | Self::BoxForm => json!({}),
            Self::TooLarge { bytes, max_bytes } => json!({ "bytes": bytes, "max": max_bytes }),
            Self::NotUtf8 { byte } => json!({ "byte": byte }),
            Self::NotAFile { is_folder } => json!({ "folder": is_folder }),
            Self::Io { reason } => json!({ "reason": reason }),
            Self::UnknownKey { key, closest, expected } => {
                json!({ "key": key, "closest": closest, "expected": expected })
            }
            Self::DuplicateKey { key } | Self::MissingKey { key } | Self::FixedBody { key } => {
                json!({ "key": key })
            }
            Self::KeyConflict { keys: [first, second] } => {
                json!({ "first": first, "second": second })
            }
            Self::NoVariant { expected } => json!({ "expected": expected }),
            Self::WrongType { expected, found } => json!({ "type": expected, "found": found }),
            Self::WrongLength { expected, found } => {
                json!({ "expected": expected, "found": found })
            }
            Self::TooManyItems { max } | Self::TooDeep { max } | Self::TooManyPairs { max } => {
                json!({ "max": max })
            }
            // As a number where f64 has it, so that a reader's language can format it. By the JSON
            // parser: that of `str` would add its tables, 10 KB, to the page's module.
            Self::NumberTooLarge { found } => match serde_json::from_str::<f64>(found) {
                Ok(value) if value.is_finite() => json!({ "found": value }),
                _ => json!({ "found": found }),
            },
            Self::UnknownName { found, expected } | Self::PlanarBroadPhase { found, expected } => {
                json!({ "found": found, "expected": expected })
            }
            Self::Dimension { found } => json!({ "found": found }),
            Self::BaselineOnly { key, solver } => json!({ "key": key, "solver": solver }),
            Self::OutOfRange { quantity, value, min, max } => {
                range(quantity.code(), *value, *min, *max)
            }
            Self::VectorOutOfRange { quantity, value, max } => {
                json!({ "quantity": quantity.code(), "value": numbers(value), "max": number(*max) })
            }
            Self::Mass { mass } => range(Quantity::Mass.code(), *mass, 1e-9, 1e12),
            Self::Group { group } => json!({ "group": group }),
            Self::TooFast { value, max } => {
                let quantity = Quantity::LinearVelocity.code();
                json!({ "quantity": quantity, "value": numbers(value), "max": number(*max) })
            }
            Self::OutOfPlane { z } => json!({ "z": number(*z) }),
            Self::NameTaken { first } => json!({ "first": first }),
            Self::UnknownBodyName { name } => json!({ "name": name }),
            Self::UnknownBodyIndex { index, count } => {
                json!({ "index": index, "last": count.saturating_sub(1) })
            }
            Self::ForceWindow { from, until } => {
                json!({ "from": number(*from), "until": number(*until) })
            }
            Self::BoxOrder { axis, min, max } => {
                json!({ "axis": axis, "min": number(*min), "max": number(*max) })
            }
            Self::MeshWithoutFolder { file } | Self::MeshOutside { file } => {
                json!({ "file": file })
            }
            Self::Mesh { file, reason } => json!({ "file": file, "reason": reason }),
            Self::Shape { shape, error } => {
                let mut fields = shape_fields(error);
                fields["shape"] = Value::from(*shape);
                fields
            }
            Self::Orientation(error) => shape_fields(error),
            Self::Body(error) => body_fields(error),
            Self::Joint(error) => joint_fields(error),
            Self::Settings(error) => settings_fields(error),
        }
    }
}

fn numbers(values: &[f32]) -> Value {
    values.iter().copied().map(number).collect()
}

fn range(name: &str, value: f32, min: f32, max: f32) -> Value {
    json!({ "quantity": name, "value": number(value), "min": number(min), "max": number(max) })
}

/// Fields of a body error.
fn body_fields(error: &BodyError) -> Value {
    match error {
        BodyError::Mass { mass } => range(Quantity::Mass.code(), *mass, 1e-9, 1e12),
        BodyError::NoVolume { shape } => json!({ "shape": shape.name() }),
        BodyError::Inertia { mass } => json!({ "value": number(*mass) }),
        BodyError::VectorOutOfRange { quantity, value, max } => {
            json!({ "quantity": quantity.code(), "value": numbers(value), "max": number(*max) })
        }
        BodyError::OutOfRange { quantity, value, min, max } => {
            range(quantity.code(), *value, *min, *max)
        }
        BodyError::TooFast { value, max } => {
            let quantity = Quantity::LinearVelocity.code();
            json!({ "quantity": quantity, "value": numbers(value), "max": number(*max) })
        }
        // Without fields, and those that a later engine adds.
        _ => json!({}),
    }
}

/// Fields of a joint error.
fn joint_fields(error: &JointError) -> Value {
    match error {
        JointError::UnknownBody { side } => json!({ "which": side.code() }),
        JointError::VectorOutOfRange { quantity, value } => {
            json!({ "quantity": quantity.code(), "value": numbers(value), "max": 1_000_000 })
        }
        JointError::ZeroAxis { axis } => json!({ "value": numbers(axis) }),
        JointError::OutOfRange { quantity, value, min, max } => {
            range(quantity.code(), *value, *min, *max)
        }
        JointError::InvalidLimits { lower, upper } => {
            json!({ "min": number(*lower), "max": number(*upper) })
        }
        JointError::AnchorTooFar { side, distance, max_distance } => {
            json!({ "which": side.code(), "value": number(*distance), "max": number(*max_distance) })
        }
        JointError::Unsupported { joint_type, property } => {
            let joint = super::joint::type_name(*joint_type);
            json!({ "joint": joint, "property": property.code() })
        }
        // Without fields, and those that a later engine adds.
        _ => json!({}),
    }
}

/// Fields of a settings error.
fn settings_fields(error: &SettingsError) -> Value {
    match error {
        SettingsError::OutOfRange { quantity, value, min, max } => {
            range(quantity.code(), *value, *min, *max)
        }
        SettingsError::Gravity { gravity } => {
            let quantity = Quantity::Gravity.code();
            json!({ "quantity": quantity, "value": numbers(gravity), "max": 1_000_000 })
        }
        SettingsError::Bounds { min, max } => {
            json!({ "min": numbers(min), "max": numbers(max) })
        }
        _ => json!({}),
    }
}

/// Fields of a shape error.
fn shape_fields(error: &ShapeError) -> Value {
    match error {
        ShapeError::Size { length, value } => range(length.code(), *value, MIN_SIZE, MAX_SIZE),
        ShapeError::HalfHeight { value } => {
            range(ShapeLength::HalfHeight.code(), *value, 0.0, MAX_SIZE)
        }
        ShapeError::PointOutOfRange { point, .. } => {
            json!({ "value": numbers(point), "max": number(MAX_SIZE) })
        }
        ShapeError::NoDirection { normal } => json!({ "value": numbers(normal) }),
        ShapeError::NoOrientation { quaternion } => json!({ "value": numbers(quaternion) }),
        ShapeError::Mesh { reason } => json!({ "reason": reason }),
        ShapeError::TooFewPoints { count }
        | ShapeError::CoincidentPoints { count }
        | ShapeError::CollinearPoints { count }
        | ShapeError::CoplanarPoints { count, .. }
        | ShapeError::NoTriangles { count } => json!({ "count": count }),
        ShapeError::TooManyPoints { count } => json!({ "count": count, "max": u32::MAX }),
        ShapeError::NotFinite { index, point } | ShapeError::PointTooFar { index, point } => {
            json!({ "index": index, "value": numbers(point), "max": number(MAX_SIZE) })
        }
        ShapeError::Sides { sides } => json!({ "value": sides }),
        ShapeError::UnboundedPart { part } => json!({ "index": part }),
        ShapeError::PartOutOfRange { part, position } => {
            json!({ "index": part, "value": numbers(position), "max": number(MAX_SIZE) })
        }
        ShapeError::Scale { factor } => json!({ "value": number(*factor) }),
        // Without fields, and those that a later engine adds.
        _ => json!({}),
    }
}
