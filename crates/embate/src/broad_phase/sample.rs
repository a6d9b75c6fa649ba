//! Sampling of boxes: low-discrepancy indices, and the range of values without outliers.

use embate_geom::scalar;

/// At most `max_samples` of the indices `0..count`, spread evenly: a Weyl sequence, multiples of
/// the golden ratio modulo 1. Unlike every n-th index it does not alias with a periodic input
/// order.
pub(crate) fn sample_indices(
    count: usize,
    max_samples: usize,
) -> impl Iterator<Item = usize> + Clone {
    let weyl = move |number: usize| {
        let fraction = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((u128::from(fraction) * count as u128) >> 64) as usize
    };
    // If all fit, each index once.
    (0..count.min(max_samples))
        .map(move |number| if count <= max_samples { number } else { weyl(number) })
}

/// Trimmed range `(start, extent)` of `values`: the fraction `outliers` at each end is ignored, and
/// the rest extrapolated as if uniform, but not beyond the values present. Sorts `values`.
///
/// # Panics
/// If `values` is empty.
pub(super) fn trimmed_range(values: &mut [f32], outliers: f32) -> (f32, f32) {
    values.sort_by(f32::total_cmp);
    let (least, greatest) = (values[0], values[values.len() - 1]);
    let ignored = (values.len() as f32 * outliers) as usize;
    let (low, high) = (values[ignored], values[values.len() - 1 - ignored]);
    let margin = (high - low) * (outliers / (1.0 - 2.0 * outliers));
    let start = scalar::max(low - margin, least);
    (start, scalar::min(high + margin, greatest) - start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_input_is_sampled_whole_and_large_input_evenly() {
        assert_eq!(sample_indices(3, 9).collect::<Vec<_>>(), [0, 1, 2]);
        let samples: Vec<usize> = sample_indices(1_000_000, 100).collect();
        for tenth in 0..10 {
            let within = samples.iter().filter(|index| **index / 100_000 == tenth).count();
            assert!((8..=12).contains(&within), "{within} samples in tenth {tenth}");
        }
    }

    #[test]
    fn outlier_does_not_extend_the_trimmed_range() {
        let mut values: Vec<f32> = (0..100).map(|n| n as f32).collect();
        values[0] = -1e18;
        let (start, extent) = trimmed_range(&mut values, 0.05);
        assert!(start > -10.0 && extent < 120.0, "{start} {extent}");
        assert_eq!(trimmed_range(&mut [7.0], 0.1), (7.0, 0.0));
    }
}
