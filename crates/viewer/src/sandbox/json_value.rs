//! JSON values of engine types, which the scene reader reads back bit for bit.

use embate::dynamics::WorldBounds;
use embate::{Rotation, Vec3};
use serde_json::{Map, Value};

pub(super) use embate_scene::json_number::number;
use embate_scene::scene_file::boundary_mode_name;

/// The words of one body, joint or scene.
pub(super) type JsonObject = Map<String, Value>;

pub(super) fn vector(value: Vec3) -> Value {
    value.to_array().into_iter().map(number).collect()
}

pub(super) fn bounds(value: &WorldBounds) -> JsonObject {
    JsonObject::from_iter([
        ("min".to_owned(), vector(value.min)),
        ("max".to_owned(), vector(value.max)),
        ("mode".to_owned(), Value::from(boundary_mode_name(value.mode))),
    ])
}

pub(super) fn quaternion(value: Rotation) -> Value {
    value.to_array().into_iter().map(number).collect()
}

/// Three numbers under this key; zeros if there are none.
pub(super) fn vector_of(json: &JsonObject, key: &str) -> Vec3 {
    let list = json.get(key).and_then(Value::as_array);
    let at = |index: usize| {
        list.and_then(|list| list.get(index)).and_then(Value::as_f64).unwrap_or(0.0) as f32
    };
    Vec3::new(at(0), at(1), at(2))
}

/// How the body of these words is turned.
pub(super) fn rotation_of(json: &JsonObject) -> Rotation {
    let list = json.get("orientation").and_then(Value::as_array);
    let at = |index: usize| list?.get(index)?.as_f64().map(|value| value as f32);
    match [at(0), at(1), at(2), at(3)] {
        [Some(x), Some(y), Some(z), Some(w)] => {
            Rotation::from_quaternion([x, y, z, w]).unwrap_or_default()
        }
        _ => Rotation::default(),
    }
}

/// The words in one line, those that people look for first at its beginning.
pub(super) fn line(json: &JsonObject) -> String {
    const FIRST: [&str; 9] = [
        "name",
        "bodies",
        "shape",
        "joint",
        "position",
        "orientation",
        "velocity",
        "angular_velocity",
        "mass",
    ];
    let first = FIRST.iter().filter_map(|key| json.get_key_value(*key));
    let others = json.iter().filter(|(key, _)| !FIRST.contains(&key.as_str()));
    let entries: Vec<String> = first
        .chain(others)
        .map(|(key, value)| format!("{}: {value}", Value::from(key.as_str())))
        .collect();
    format!("{{{}}}", entries.join(", "))
}
