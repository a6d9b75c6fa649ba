//! Parts of the summaries that are printed at the end of a run. Summaries are not stored: all their
//! figures follow from the table.

/// Printed if the options select no case.
pub const NOTHING_SELECTED: &str = "\nthe options select no case";

/// Geometric mean; `None` without values.
pub fn geometric_mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) =
        values.fold((0.0, 0_u32), |(sum, count), value| (sum + value.ln(), count + 1));
    (count > 0).then(|| (sum / f64::from(count)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn geometric_mean_of_a_ratio_and_its_inverse_is_one() {
        let mean = geometric_mean([4.0, 0.25].into_iter()).unwrap();
        assert!((mean - 1.0).abs() < 1e-12);
        assert_eq!(geometric_mean(std::iter::empty()), None);
    }
}
