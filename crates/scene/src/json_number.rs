//! JSON numbers of f32 values, in their shortest digits.

use serde_json::Value;

/// The shortest digits that parse to this f32 again; `null` if it is not finite.
#[must_use]
pub fn number(value: f32) -> Value {
    if value == 0.0 {
        return Value::from(0);
    }
    // By the same formatter and parser as scenes: another would add its tables to the page's
    // module.
    let text = serde_json::to_string(&value).unwrap_or_default();
    let short: Option<f64> = serde_json::from_str(&text).ok();
    match short {
        // Whole numbers are written without a point.
        Some(short) if short.fract() == 0.0 && short.abs() < 1e15 => Value::from(short as i64),
        Some(short) => Value::from(short),
        None => Value::from(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn numbers_have_the_shortest_round_trip_digits() {
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
