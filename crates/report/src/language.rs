//! Languages of reports and tables, and how each writes numbers.
//!
//! Texts stand beside the values that they describe, both languages side by side
//! ([`Language::text`]): a sentence missing in Portuguese is an argument missing in a call, which
//! does not compile.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// Shown where a number does not exist: an en dash, so that an empty cell never looks forgotten.
pub const NO_VALUE: &str = "–";

/// A language of reports and tables. Files for programs (`results.csv`, `run.json`, the journal)
/// are the same in every language.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Language {
    /// `en`
    #[default]
    #[serde(rename = "en")]
    English,
    /// `pt-BR`
    #[serde(rename = "pt-BR")]
    BrazilianPortuguese,
}

/// The tag is neither `en` nor `pt-BR`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown language `{0}`: choose `en` or `pt-BR`")]
pub struct UnknownLanguage(pub String);

impl Language {
    /// Every language, for tests and for lists in help texts.
    pub const ALL: [Self; 2] = [Self::English, Self::BrazilianPortuguese];

    /// The tag of BCP 47, as `--lang` takes it and as HTML wants it in `lang`.
    #[must_use]
    pub fn tag(self) -> &'static str {
        self.select("en", "pt-BR")
    }

    /// One text in this language. Hundreds of calls: not inlined, to keep the page small.
    #[must_use]
    #[inline(never)]
    pub fn text(self, english: impl Into<String>, portuguese: impl Into<String>) -> String {
        match self {
            Self::English => english.into(),
            Self::BrazilianPortuguese => portuguese.into(),
        }
    }

    /// A value that depends on the language and is not a text of its own: a mark, a tag, a key.
    #[must_use]
    pub fn select<T>(self, english: T, portuguese: T) -> T {
        match self {
            Self::English => english,
            Self::BrazilianPortuguese => portuguese,
        }
    }

    /// A count, with its thousands set apart: `118,026` or `118.026`.
    #[must_use]
    pub fn integer(self, value: u64) -> String {
        let digits = value.to_string();
        let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
        for (index, digit) in digits.chars().enumerate() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                grouped.push(self.select(',', '.'));
            }
            grouped.push(digit);
        }
        grouped
    }

    /// A number with `decimals` decimals, a true minus sign, and [`NO_VALUE`] for NaN and
    /// infinities.
    #[must_use]
    pub fn number(self, value: f64, decimals: usize) -> String {
        if !value.is_finite() {
            return NO_VALUE.to_owned();
        }
        let plain = format!("{:.decimals$}", value.abs());
        let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
        let whole = whole.parse().map_or_else(|_| whole.to_owned(), |whole| self.integer(whole));
        // A number that rounds to zero has no sign: "−0.00" makes readers look for a cause.
        let is_zero = plain.bytes().all(|byte| matches!(byte, b'0' | b'.'));
        let sign = if value < 0.0 && !is_zero { "−" } else { "" };
        if fraction.is_empty() {
            format!("{sign}{whole}")
        } else {
            format!("{sign}{whole}{}{fraction}", self.select('.', ','))
        }
    }

    /// A number with at least `digits` significant digits: for values that span magnitudes.
    /// Digits before the decimal mark are never rounded away.
    #[must_use]
    pub fn significant(self, value: f64, digits: usize) -> String {
        if value == 0.0 || !value.is_finite() {
            return self.number(value, 0);
        }
        // `{:e}` rounds first, so 9.996 with three digits is 10.0 and not 10.00.
        let scientific = format!("{value:.*e}", digits.saturating_sub(1));
        let exponent = scientific.rsplit_once('e').and_then(|(_, e)| e.parse::<isize>().ok());
        let decimals = digits.cast_signed() - 1 - exponent.unwrap_or(0);
        self.number(value, decimals.max(0) as usize)
    }

    /// `40.91%`, in Portuguese `40,91%`.
    #[must_use]
    pub fn percent(self, value: f64, decimals: usize) -> String {
        self.with_percent_sign(self.number(value, decimals))
    }

    /// A formatted number with a percent sign; [`NO_VALUE`] stays unchanged.
    #[must_use]
    pub fn with_percent_sign(self, number: String) -> String {
        if number == NO_VALUE { number } else { number + "%" }
    }

    /// A ratio: `2.73×`.
    #[must_use]
    pub fn times(self, ratio: f64) -> String {
        let number = self.significant(ratio, 3);
        if number == NO_VALUE { number } else { format!("{number}×") }
    }

    /// A duration in the unit that keeps it readable, from nanoseconds to seconds.
    #[must_use]
    pub fn duration(self, seconds: f64) -> String {
        let (scale, unit) = match seconds.abs() {
            _ if !seconds.is_finite() => return NO_VALUE.to_owned(),
            0.0 => (1.0, "s"),
            size if size < 1e-6 => (1e9, "ns"),
            size if size < 1e-3 => (1e6, "µs"),
            size if size < 1.0 => (1e3, "ms"),
            _ => (1.0, "s"),
        };
        format!("{}\u{a0}{unit}", self.significant(seconds * scale, 3))
    }

    /// A size in the decimal unit that keeps it readable, as the page writes it.
    #[must_use]
    pub fn bytes(self, bytes: u64) -> String {
        const STEP: f64 = 1000.0;
        let (mut size, mut unit) = (bytes as f64, "B");
        for larger in ["kB", "MB", "GB", "TB"] {
            if size < STEP {
                break;
            }
            (size, unit) = (size / STEP, larger);
        }
        let number = if unit == "B" { self.integer(bytes) } else { self.significant(size, 3) };
        format!("{number}\u{a0}{unit}")
    }

    /// Yes or no, for flags among the parameters.
    #[must_use]
    pub fn yes_no(self, yes: bool) -> &'static str {
        if yes { self.select("yes", "sim") } else { self.select("no", "não") }
    }
}

impl FromStr for Language {
    type Err = UnknownLanguage;

    fn from_str(tag: &str) -> Result<Self, UnknownLanguage> {
        Self::ALL
            .into_iter()
            .find(|language| language.tag().eq_ignore_ascii_case(tag))
            .ok_or_else(|| UnknownLanguage(tag.to_owned()))
    }
}

impl fmt::Display for Language {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.tag())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Language::{BrazilianPortuguese, English};

    #[test]
    fn language_tags_round_trip() {
        for language in Language::ALL {
            assert_eq!(language.tag().parse(), Ok(language));
        }
        assert_eq!("PT-br".parse(), Ok(BrazilianPortuguese));
        assert_eq!("pt".parse::<Language>(), Err(UnknownLanguage("pt".to_owned())));
    }

    #[test]
    fn separators_depend_on_the_language() {
        assert_eq!(English.integer(118_026), "118,026");
        assert_eq!(BrazilianPortuguese.integer(1_234_567), "1.234.567");
        assert_eq!(English.integer(999), "999");
        assert_eq!(English.number(-1234.5, 2), "−1,234.50");
        assert_eq!(BrazilianPortuguese.number(98.949, 2), "98,95");
    }

    #[test]
    fn percent_sign_follows_the_number() {
        assert_eq!(English.percent(98.949, 2), "98.95%");
        assert_eq!(BrazilianPortuguese.percent(98.949, 2), "98,95%");
        assert_eq!(English.percent(f64::NAN, 2), NO_VALUE);
    }

    #[test]
    fn number_rounded_to_zero_has_no_sign() {
        assert_eq!(English.number(-0.001, 2), "0.00");
    }

    #[test]
    fn nan_and_infinities_are_formatted_as_no_value() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(English.number(value, 2), NO_VALUE);
            assert_eq!(English.times(value), NO_VALUE);
            assert_eq!(English.percent(value, 1), NO_VALUE);
            assert_eq!(English.duration(value), NO_VALUE);
        }
    }

    #[test]
    fn significant_digits_start_at_the_first_nonzero_digit() {
        assert_eq!(English.significant(0.012_345, 3), "0.0123");
        assert_eq!(English.significant(12_345.6, 3), "12,346");
        assert_eq!(English.significant(9.996, 3), "10.0");
        assert_eq!(English.significant(0.0, 3), "0");
    }

    #[test]
    fn durations_and_sizes_have_a_fitting_unit() {
        assert_eq!(English.duration(0.000_012_34), "12.3\u{a0}µs");
        assert_eq!(BrazilianPortuguese.duration(1.5), "1,50\u{a0}s");
        assert_eq!(English.bytes(1500), "1.50\u{a0}kB");
        assert_eq!(English.bytes(12), "12\u{a0}B");
    }
}
