//! Statistics of repeated measurements: mean, median, quartiles, spread, slope.
//!
//! Every function returns `None` where the result is undefined: no values, or a NaN among them. A
//! NaN is a failed measurement; ignoring it would hide the failure.

/// The middle of a sample and the range that holds its middle half.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quartiles {
    /// A quarter of the values lie at or below.
    pub lower: f64,
    /// Half of the values lie at or below.
    pub median: f64,
    /// Three quarters of the values lie at or below.
    pub upper: f64,
}

/// Sum over count.
#[must_use]
pub fn mean(values: &[f64]) -> Option<f64> {
    let sum: f64 = values.iter().sum();
    (!values.is_empty() && !sum.is_nan()).then(|| sum / values.len() as f64)
}

/// The middle value, or the mean of the two middle ones.
#[must_use]
pub fn median(values: &[f64]) -> Option<f64> {
    quartiles(values).map(|quartiles| quartiles.median)
}

/// Quartiles by linear interpolation between the sorted values (Hyndman and Fan 1996, type 7),
/// which is what spreadsheets, R and `NumPy` do by default.
#[must_use]
pub fn quartiles(values: &[f64]) -> Option<Quartiles> {
    let sorted = sorted(values)?;
    let at = |share: f64| {
        let rank = share * (sorted.len() - 1) as f64;
        let below = rank.floor() as usize;
        let above = (below + 1).min(sorted.len() - 1);
        let (low, high) = (sorted[below], sorted[above]);
        if low == high { low } else { low + (high - low) * rank.fract() }
    };
    Some(Quartiles { lower: at(0.25), median: at(0.5), upper: at(0.75) })
}

/// How far repeats lie apart: (largest − smallest) / median. A single value has a spread of 0.
/// `None` also when the median is 0.
#[must_use]
pub fn relative_spread(values: &[f64]) -> Option<f64> {
    let sorted = sorted(values)?;
    let median = median(&sorted)?;
    let (smallest, largest) = (sorted.first()?, sorted.last()?);
    (median != 0.0).then(|| (largest - smallest) / median)
}

/// Smallest and largest of several values of the same quantity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Smallest value.
    pub low: f64,
    /// Largest value.
    pub high: f64,
}

/// Relative difference assumed between two repeats where only one was made: times of equal work
/// differ as much.
pub const ASSUMED_SPREAD: f64 = 0.05;

impl Range {
    /// Range of a sample. `None` for an empty sample and for one with a NaN.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        let sorted = sorted(values)?;
        Some(Self { low: *sorted.first()?, high: *sorted.last()? })
    }

    /// Range of a positive quantity that was measured once: [`ASSUMED_SPREAD`] to either side.
    #[must_use]
    pub fn around(value: f64) -> Option<Self> {
        let margin = 1.0 + ASSUMED_SPREAD;
        (!value.is_nan()).then(|| Self { low: value / margin, high: value * margin })
    }

    /// Whether the whole range lies within `low..=high`.
    #[must_use]
    pub fn is_within(self, low: f64, high: f64) -> bool {
        self.low >= low && self.high <= high
    }

    /// Whether no part of the range lies within `low..=high`.
    #[must_use]
    pub fn is_outside(self, low: f64, high: f64) -> bool {
        self.high < low || self.low > high
    }
}

/// Range of the ratios of paired repeats: the first numerator over the first denominator, and so
/// on. A repeat shares the state of the machine with its partner, so the ratios spread less than
/// the times. A single pair gets [`Range::around`]. `None` for samples of different length, empty
/// ones, and ratios that are not a number.
#[must_use]
pub fn ratio_range(numerators: &[f64], denominators: &[f64]) -> Option<Range> {
    if numerators.len() != denominators.len() {
        return None;
    }
    let ratios: Vec<f64> = numerators.iter().zip(denominators).map(|(n, d)| n / d).collect();
    match ratios[..] {
        [single] => Range::around(single),
        _ => Range::of(&ratios),
    }
}

/// Slope of the least-squares line through `(x, y)`: how much y grows when x grows by one.
/// `None` unless two points differ in x.
#[must_use]
pub fn slope(points: &[(f64, f64)]) -> Option<f64> {
    let count = points.len() as f64;
    let (sum_x, sum_y) = points.iter().fold((0.0, 0.0), |(xs, ys), (x, y)| (xs + x, ys + y));
    let (mean_x, mean_y) = (sum_x / count, sum_y / count);
    let mut variance = 0.0;
    let mut covariance = 0.0;
    for (x, y) in points {
        variance += (x - mean_x) * (x - mean_x);
        covariance += (x - mean_x) * (y - mean_y);
    }
    let slope = covariance / variance;
    (variance > 0.0 && slope.is_finite()).then_some(slope)
}

fn sorted(values: &[f64]) -> Option<Vec<f64>> {
    if values.is_empty() || values.iter().any(|value| value.is_nan()) {
        return None;
    }
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    Some(sorted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_sample_has_no_statistics() {
        assert_eq!(mean(&[]), None);
        assert_eq!(median(&[]), None);
        assert_eq!(relative_spread(&[]), None);
        assert_eq!(slope(&[]), None);
    }

    #[test]
    fn sample_with_a_nan_has_no_statistics() {
        let values = [1.0, f64::NAN, 3.0];
        assert_eq!(mean(&values), None);
        assert_eq!(median(&values), None);
        assert_eq!(quartiles(&values), None);
        assert_eq!(relative_spread(&values), None);
        assert_eq!(slope(&[(1.0, 1.0), (2.0, f64::NAN)]), None);
    }

    #[test]
    fn median_of_an_even_count_is_the_mean_of_the_middle_two() {
        assert_eq!(median(&[4.0, 1.0, 3.0, 2.0]), Some(2.5));
        assert_eq!(median(&[3.0, 1.0, 2.0]), Some(2.0));
    }

    #[test]
    fn quartiles_interpolate_between_neighbors() {
        let quartiles = quartiles(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!(quartiles, Quartiles { lower: 1.75, median: 2.5, upper: 3.25 });
    }

    #[test]
    fn spread_of_a_single_repeat_is_zero() {
        assert_eq!(relative_spread(&[0.7]), Some(0.0));
        assert_eq!(relative_spread(&[1.0, 2.0, 3.0]), Some(1.0));
    }

    #[test]
    fn slope_of_collinear_points_is_exact() {
        assert_eq!(slope(&[(0.0, 1.0), (2.0, 2.0), (4.0, 3.0)]), Some(0.5));
        assert_eq!(slope(&[(1.0, 1.0), (1.0, 2.0)]), None);
    }

    #[test]
    fn ratios_are_of_paired_repeats() {
        let range = ratio_range(&[2.0, 4.0, 9.0], &[1.0, 2.0, 3.0]).unwrap();
        assert_eq!(range, Range { low: 2.0, high: 3.0 });
        assert_eq!(ratio_range(&[1.0, 2.0], &[1.0]), None);
        assert_eq!(ratio_range(&[], &[]), None);
        assert_eq!(ratio_range(&[0.0, 1.0], &[0.0, 1.0]), None, "0/0");
    }

    #[test]
    fn single_pair_of_repeats_has_an_assumed_spread() {
        let range = ratio_range(&[2.0], &[1.0]).unwrap();
        assert!(range.is_within(1.9, 2.1) && !range.is_within(1.95, 2.1), "{range:?}");
    }

    #[test]
    fn range_across_a_limit_is_neither_within_nor_outside() {
        let range = Range { low: 0.9, high: 1.1 };
        assert!(!range.is_within(1.0, 2.0) && !range.is_outside(1.0, 2.0));
        assert!(range.is_within(0.9, 1.1) && range.is_outside(1.2, 1.3));
    }
}
