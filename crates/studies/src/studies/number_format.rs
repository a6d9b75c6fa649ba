//! Number formats for values that may be missing.

use serde::{Deserialize, Deserializer};

use embate_report::language::NO_VALUE;

/// As `show` writes it, for people.
pub(super) fn optional(value: Option<f64>, show: impl Fn(f64) -> String) -> String {
    value.map_or(NO_VALUE.to_owned(), show)
}

/// Every digit, for programs; empty where there is no number.
pub(super) fn float(value: Option<f64>) -> String {
    value.filter(|value| value.is_finite()).map_or(String::new(), |value| value.to_string())
}

/// Reads a number that JSON could not hold: a ratio of two times is none where the clock did not
/// move.
pub(super) fn number_or_none<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(from)?.unwrap_or(f64::NAN))
}
