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
}
