//! What do a few boxes tell of all?

use embate_geom::scalar;

/// Some of the places `0..count`, at most `most`, spread over all of them: multiples of the golden
/// section, which, unlike every n-th, fall into step with no order in which boxes might be given.
pub(crate) fn places(count: usize, most: usize) -> impl Iterator<Item = usize> + Clone {
    let place = move |number: usize| {
        let share = (number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        ((u128::from(share) * count as u128) >> 64) as usize
    };
    // All of few, each once.
    (0..count.min(most)).map(move |number| if count <= most { number } else { place(number) })
}

/// Where the usual values begin, and how far they reach: the share `outlying` on each side may lie
/// anywhere without being counted. Sorts the values; there must be one.
pub(super) fn usual_range(values: &mut [f32], outlying: f32) -> (f32, f32) {
    values.sort_by(f32::total_cmp);
    let (least, greatest) = (values[0], values[values.len() - 1]);
    let left_out = (values.len() as f32 * outlying) as usize;
    let (low, high) = (values[left_out], values[values.len() - 1 - left_out]);
    // As far out again as an even spread would go, but not beyond what was seen.
    let margin = (high - low) * (outlying / (1.0 - 2.0 * outlying));
    let begin = scalar::max(low - margin, least);
    (begin, scalar::min(high + margin, greatest) - begin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_few_all_are_taken_and_of_many_some_of_every_part() {
        assert_eq!(places(3, 9).collect::<Vec<_>>(), [0, 1, 2]);
        let many: Vec<usize> = places(1_000_000, 100).collect();
        for tenth in 0..10 {
            let within = many.iter().filter(|place| **place / 100_000 == tenth).count();
            assert!((8..=12).contains(&within), "{within} in part {tenth}");
        }
    }

    #[test]
    fn a_stray_value_does_not_stretch_the_usual_range() {
        let mut values: Vec<f32> = (0..100).map(|n| n as f32).collect();
        values[0] = -1e18;
        let (begin, extent) = usual_range(&mut values, 0.05);
        assert!(begin > -10.0 && extent < 120.0, "{begin} {extent}");
        assert_eq!(usual_range(&mut [7.0], 0.1), (7.0, 0.0));
    }
}
