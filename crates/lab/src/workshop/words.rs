//! How is a value of the engine written in a scene, so that the reader gives it back to the bit?

use embate::dynamics::WorldBounds;
use embate::{Rotation, Vec3};
use serde_json::{Map, Value};

/// The words of one body, joint or scene.
pub(super) type Words = Map<String, Value>;

/// The shortest digits that are this number again when they are read.
pub(super) fn number(value: f32) -> Value {
    if value == 0.0 {
        return Value::from(0);
    }
    // Written and read as scenes are: what else could do either has tables of its own, which a page would load as well.
    let text = serde_json::to_string(&value).unwrap_or_default();
    let short: Option<f64> = serde_json::from_str(&text).ok();
    match short {
        // Whole numbers are written without a point.
        Some(short) if short.fract() == 0.0 && short.abs() < 1e15 => Value::from(short as i64),
        Some(short) => Value::from(short),
        None => Value::from(value),
    }
}

pub(super) fn vector(value: Vec3) -> Value {
    value.to_array().into_iter().map(number).collect()
}

pub(super) fn bounds(value: &WorldBounds) -> Words {
    Words::from_iter([
        ("min".to_owned(), vector(value.min)),
        ("max".to_owned(), vector(value.max)),
        ("walls".to_owned(), Value::from(value.mode.name())),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn a_number_is_written_in_the_shortest_digits_that_are_it_again() {
        let mut random = Random::new(7);
        for _ in 0..100_000 {
            // Of every size.
            let value = f32::from_bits(random.bits() as u32);
            let written = number(value);
            if value.is_finite() {
                let written = written.as_f64().unwrap();
                assert_eq!(written as f32, value);
                // Halfway between two of the same length either will do.
                let digits = |text: String| text.chars().filter(char::is_ascii_digit).count();
                assert_eq!(
                    digits(format!("{written:e}")),
                    digits(format!("{value:e}")),
                    "{value:e}"
                );
            } else {
                assert_eq!(written, Value::Null, "{value}");
            }
        }
    }
}
