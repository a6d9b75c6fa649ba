//! Axis ranges and tick labels.

use kuva::render::render_utils;

use super::Scale;
use crate::language::Language;

/// kuva cuts logarithmic axes off at 1e-10, and counts decades in whole numbers that overflow near
/// the ends of f64. Nothing a study measures comes near either.
const SMALLEST_ON_LOG: f64 = 1e-9;
const LARGEST: f64 = 1e15;

/// The range of an axis that holds all `values`, with ends that a reader can name.
/// Values that the scale cannot show are passed over; none at all gives a plain `0..1` or `1..10`.
pub(super) fn range(scale: Scale, values: impl Iterator<Item = f64>) -> (f64, f64) {
    let shown = values.filter(|value| shows(scale, *value));
    let (low, high) =
        shown.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (v.min(low), v.max(high)));
    match scale {
        Scale::Linear if low > high => (0.0, 1.0),
        Scale::Log if low > high => (1.0, 10.0),
        Scale::Linear => linear_range(low.min(0.0), high.max(0.0)),
        Scale::Log => log_range(low, high),
    }
}

/// Whether a value has a place on the axis. NaN has none.
pub(super) fn shows(scale: Scale, value: f64) -> bool {
    value.abs() <= LARGEST && (scale == Scale::Linear || value >= SMALLEST_ON_LOG)
}

fn linear_range(low: f64, high: f64) -> (f64, f64) {
    if low == high {
        return (0.0, 1.0);
    }
    // Twelfths leave a little air above the highest point without adding a whole tick.
    let step = nice_at_least((high - low) / 12.0);
    ((low / step).floor() * step, (high / step).ceil() * step)
}

fn log_range(low: f64, high: f64) -> (f64, f64) {
    // A hair of air, so that a marker on a round value is not cut in half by the frame.
    let (low, high) = (nice_at_most(low / 1.05), nice_at_least(high * 1.05));
    // kuva draws 1, 2, 5 ticks: a range within one step of them would have a single tick.
    if high / low < 4.0 {
        (nice_at_most(low / 2.0), nice_at_least(high * 2.0))
    } else {
        (low, high)
    }
}

fn nice_at_least(value: f64) -> f64 {
    let decade = 10_f64.powf(value.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0];
    steps.map(|step| step * decade).into_iter().find(|nice| *nice >= value).unwrap_or(value)
}

fn nice_at_most(value: f64) -> f64 {
    let decade = 10_f64.powf(value.log10().floor());
    let steps = [5.0, 2.0, 1.0];
    steps.map(|step| step * decade).into_iter().find(|nice| *nice <= value).unwrap_or(value)
}

/// Where kuva puts its ticks, for charts that draw grid lines of their own.
pub(super) fn ticks(scale: Scale, low: f64, high: f64, count: usize) -> Vec<f64> {
    match scale {
        Scale::Linear => render_utils::generate_ticks(low, high, count),
        Scale::Log => render_utils::generate_ticks_log(low, high),
    }
}

/// A tick as the language writes it, without digits that say nothing.
pub(super) fn tick(value: f64, language: Language) -> String {
    let rounded = format!("{value:.9}");
    let decimals = rounded.trim_end_matches('0').split_once('.').map_or(0, |(_, f)| f.len());
    language.number(value, decimals.min(6))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn range_contains_its_values_and_has_round_limits() {
        for (scale, values, expected) in [
            (Scale::Linear, vec![3.0, 97.0], (0.0, 100.0)),
            (Scale::Linear, vec![0.2, 2.3], (0.0, 2.4)),
            (Scale::Log, vec![100.0, 11_000.0], (50.0, 20_000.0)),
            (Scale::Log, vec![0.37, 5.2], (0.2, 10.0)),
            (Scale::Log, vec![1.0], (0.5, 2.0)),
        ] {
            let (low, high) = range(scale, values.iter().copied());
            assert!((low - expected.0).abs() < 1e-9, "{values:?}: {low}");
            assert!((high - expected.1).abs() < 1e-9, "{values:?}: {high}");
        }
    }

    #[test]
    fn range_without_finite_values_is_finite_and_not_empty() {
        for scale in [Scale::Linear, Scale::Log] {
            for values in [vec![], vec![f64::NAN], vec![f64::INFINITY]] {
                let (low, high) = range(scale, values.into_iter());
                assert!(low < high && low.is_finite() && high.is_finite());
            }
        }
        assert_eq!(range(Scale::Log, [0.0, -3.0].into_iter()), (1.0, 10.0));
        assert_eq!(range(Scale::Linear, [0.0].into_iter()), (0.0, 1.0));
    }

    #[test]
    fn tick_labels_depend_on_the_language() {
        assert_eq!(tick(10_000.0, Language::English), "10,000");
        assert_eq!(tick(0.5, Language::BrazilianPortuguese), "0,5");
        assert_eq!(tick(0.1 + 0.2, Language::English), "0.3");
    }
}
