//! How is a value of the engine written in a scene, so that the reader gives it back to the bit?

use embate::dynamics::WorldBounds;
use embate::{Rotation, Vec3};
use serde_json::{Map, Value};

pub(super) use crate::json_number::number;
use crate::scene_file::boundary_mode_name;

/// The words of one body, joint or scene.
pub(super) type Words = Map<String, Value>;

pub(super) fn vector(value: Vec3) -> Value {
    value.to_array().into_iter().map(number).collect()
}

pub(super) fn bounds(value: &WorldBounds) -> Words {
    Words::from_iter([
        ("min".to_owned(), vector(value.min)),
        ("max".to_owned(), vector(value.max)),
        ("mode".to_owned(), Value::from(boundary_mode_name(value.mode))),
    ])
}

pub(super) fn quaternion(value: Rotation) -> Value {
    value.to_array().into_iter().map(number).collect()
}

/// Three numbers under this key; zeros if there are none.
pub(super) fn vector_of(words: &Words, key: &str) -> Vec3 {
    let list = words.get(key).and_then(Value::as_array);
    let at = |place: usize| {
        list.and_then(|list| list.get(place)).and_then(Value::as_f64).unwrap_or(0.0) as f32
    };
    Vec3::new(at(0), at(1), at(2))
}

/// How the body of these words is turned.
pub(super) fn rotation_of(words: &Words) -> Rotation {
    let list = words.get("orientation").and_then(Value::as_array);
    let at = |place: usize| list?.get(place)?.as_f64().map(|value| value as f32);
    match [at(0), at(1), at(2), at(3)] {
        [Some(x), Some(y), Some(z), Some(w)] => {
            Rotation::from_quaternion([x, y, z, w]).unwrap_or_default()
        }
        _ => Rotation::default(),
    }
}

/// The words in one line, those that people look for first at its beginning.
pub(super) fn line(words: &Words) -> String {
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
    let first = FIRST.iter().filter_map(|key| words.get_key_value(*key));
    let others = words.iter().filter(|(key, _)| !FIRST.contains(&key.as_str()));
    let entries: Vec<String> = first
        .chain(others)
        .map(|(key, value)| format!("{}: {value}", Value::from(key.as_str())))
        .collect();
    format!("{{{}}}", entries.join(", "))
}
