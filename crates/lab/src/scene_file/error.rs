//! What is wrong with a scene file, and where?

use std::fmt;

/// Why a scene or a body was refused: one line with file, place, what is wrong and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SceneError {
    /// The file, or what stands for it.
    pub file: String,
    /// Line from 1 and column from 1, where the fault was noticed: at its end. `None` if it is not a
    /// matter of one place.
    pub place: Option<(usize, usize)>,
    /// What is wrong, and what to do.
    pub what: String,
}

impl SceneError {
    /// A fault of the whole file.
    pub(super) fn whole(file: &str, what: impl Into<String>) -> Self {
        Self { file: file.to_owned(), place: None, what: what.into() }
    }

    /// A fault that the reader of JSON found, or that one of ours found while it read.
    pub(super) fn json(file: &str, error: &serde_json::Error) -> Self {
        let place = (error.line() > 0).then(|| (error.line(), error.column()));
        // Its own text ends with the place, which we tell first.
        let text = error.to_string();
        let what = match text.rsplit_once(" at line ") {
            Some((what, _)) if place.is_some() => what.to_owned(),
            _ => text,
        };
        Self { file: file.to_owned(), place, what: plainly(what) }
    }
}

/// The reader of JSON speaks of Rust's types; whoever writes a scene thinks of JSON's.
fn plainly(what: String) -> String {
    if let Some(part) = what.strip_prefix("EOF while parsing ") {
        return format!("the text ends too early, in {part}; close every bracket and quote");
    }
    if let Some(advice) = advice(&what) {
        return format!("{what}; {advice}");
    }
    let told =
        ["invalid type: ", "invalid value: "].iter().find_map(|begin| what.strip_prefix(begin));
    let Some((found, expected)) = told.and_then(|told| told.rsplit_once(", expected ")) else {
        return what;
    };
    let belongs = match expected {
        "f32" | "f64" => "a number",
        "u8" | "u32" | "u64" | "usize" => "a whole number, 0 or above,",
        "a boolean" => "true or false",
        "a string" => "a text in quotes",
        "a sequence" => "a list [...]",
        "newtype variant" | "struct variant" | "a map" => "an object {...}",
        _ if expected.starts_with("struct ") => "an object {...}",
        _ => expected,
    };
    let stands = match found.split_once(' ') {
        _ if found == "map" => "an object",
        _ if found == "sequence" => "a list",
        _ if found == "unit variant" => "a mere name",
        Some(("integer" | "boolean", value)) => value.trim_matches('`'),
        Some(("string", value)) => value,
        Some(("floating", value)) => value.trim_start_matches("point ").trim_matches('`'),
        _ => found,
    };
    format!("{belongs} belongs here, not {stands}")
}

/// What to do about faults that the reader of JSON only names.
fn advice(what: &str) -> Option<&'static str> {
    Some(match what {
        "expected value" => {
            "a number, text, list or object belongs here, and JSON has no NaN, Infinity, +1 or .5, nor a comma before a bracket"
        }
        "number out of range" => "give one within ±3e38",
        "trailing characters" => "remove what is more than belongs here",
        "recursion limit exceeded" => "nest less deeply",
        _ if what.starts_with("missing field ") => "add it",
        _ if what.starts_with("duplicate field ") => "keep one of them",
        _ if what.starts_with("invalid length ") => "give as many as that",
        _ => return None,
    })
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some((line, column)) = self.place {
            write!(f, ", line {line}, column {column}")?;
        }
        write!(f, ": {}", self.what)
    }
}

impl std::error::Error for SceneError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_reader_of_json_says_of_types_is_told_in_words_of_json() {
        for (said, told) in [
            ("invalid type: string \"x\", expected f32", "a number belongs here, not \"x\""),
            (
                "invalid value: integer `-1`, expected u32",
                "a whole number, 0 or above, belongs here, not -1",
            ),
            (
                "invalid type: floating point `1.5`, expected u8",
                "a whole number, 0 or above, belongs here, not 1.5",
            ),
            ("invalid type: map, expected a sequence", "a list [...] belongs here, not an object"),
            ("invalid type: null, expected struct Text", "an object {...} belongs here, not null"),
            (
                "invalid type: unit variant, expected newtype variant",
                "an object {...} belongs here, not a mere name",
            ),
            ("missing field `shape`", "missing field `shape`; add it"),
            (
                "invalid length 2, expected an array of length 3",
                "invalid length 2, expected an array of length 3; give as many as that",
            ),
        ] {
            assert_eq!(plainly(said.to_owned()), told);
        }
    }
}
