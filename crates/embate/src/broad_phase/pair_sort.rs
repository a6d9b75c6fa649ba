//! Radix sort of pairs by counting sort passes.

use crate::broad_phase::OverlapPair;

/// Sorts pairs by first box, then by second. Keeps its buffers.
#[derive(Clone, Debug, Default)]
pub struct PairSorter {
    /// Histogram of a digit; then the next output index of each digit.
    counts: Vec<u32>,
    scratch: Vec<OverlapPair>,
}

/// More pairs than this exceed the caches and are first partitioned by the high bits of their first
/// box.
const MAX_PAIRS_IN_CACHE: usize = 1 << 20;
const PARTITION_COUNT: u32 = 256;

/// Groups of one first box up to this size use insertion sort.
const INSERTION_SORT_MAX: usize = 16;

/// A radix digit: some bits of one box of a pair.
#[derive(Clone, Copy, Debug)]
struct PairDigit {
    /// Which box of the pair: 0 or 1.
    component: usize,
    shift: u32,
    mask: u32,
    /// Number of possible digits.
    radix: u32,
}

impl PairSorter {
    /// Bytes kept between uses.
    #[must_use]
    #[doc(alias = "bytes")]
    pub fn memory_usage(&self) -> usize {
        self.counts.capacity() * size_of::<u32>()
            + self.scratch.capacity() * size_of::<OverlapPair>()
    }

    /// Sorts pairs of the boxes `0..boxes`.
    ///
    /// # Panics
    /// If a pair refers to a box beyond `boxes`.
    pub fn sort(&mut self, pairs: &mut [OverlapPair], boxes: u32) {
        let Self { counts, scratch } = self;
        if scratch.len() < pairs.len() {
            scratch.resize(pairs.len(), [0; 2]);
        }
        let scratch = &mut scratch[..pairs.len()];
        let whole = |component| PairDigit { component, shift: 0, mask: u32::MAX, radix: boxes };
        // Least significant digit first: each pass is stable.
        if pairs.len() > MAX_PAIRS_IN_CACHE {
            let bits = (u32::BITS - boxes.leading_zeros()).next_multiple_of(2);
            let low_bits = bits.saturating_sub(PARTITION_COUNT.ilog2());
            counting_sort_pass(
                pairs,
                scratch,
                PairDigit { component: 0, shift: low_bits, mask: u32::MAX, radix: PARTITION_COUNT },
                counts,
            );
            let digit = |component, shift, bits: u32| PairDigit {
                component,
                shift,
                mask: (1_u32 << bits) - 1,
                radix: 1_u32 << bits,
            };
            let mut done = 0;
            for part in scratch.chunk_by_mut(|a, b| a[0] >> low_bits == b[0] >> low_bits) {
                let sorted = &mut pairs[done..done + part.len()];
                done += part.len();
                counting_sort_pass(part, sorted, digit(1, 0, bits / 2), counts);
                counting_sort_pass(sorted, part, digit(1, bits / 2, bits / 2), counts);
                counting_sort_pass(part, sorted, digit(0, 0, low_bits), counts);
            }
        } else if pairs.len() < boxes as usize / 2 {
            // Few pairs share their first box: sorting those groups costs less than a second pass.
            counting_sort_pass(pairs, scratch, whole(0), counts);
            scratch.chunk_by_mut(|a, b| a[0] == b[0]).for_each(sort_group);
            pairs.copy_from_slice(scratch);
        } else {
            counting_sort_pass(pairs, scratch, whole(1), counts);
            counting_sort_pass(scratch, pairs, whole(0), counts);
        }
    }
}

/// Stable counting sort of `from` into `to` by one digit.
fn counting_sort_pass(
    from: &[OverlapPair],
    to: &mut [OverlapPair],
    digit: PairDigit,
    next: &mut Vec<u32>,
) {
    let digit_of =
        |pair: &OverlapPair| ((pair[digit.component] >> digit.shift) & digit.mask) as usize;
    next.clear();
    next.resize(digit.radix as usize, 0);
    let next = &mut next[..];
    for pair in from {
        next[digit_of(pair)] += 1;
    }
    let mut sum = 0;
    for count in &mut *next {
        sum += core::mem::replace(count, sum);
    }
    for pair in from {
        let index = &mut next[digit_of(pair)];
        to[*index as usize] = *pair;
        *index += 1;
    }
}

/// Most groups have one or two pairs; a floor that overlaps everything makes a long one.
fn sort_group(group: &mut [OverlapPair]) {
    if group.len() > INSERTION_SORT_MAX {
        return group.sort_unstable();
    }
    for end in 1..group.len() {
        let (pair, mut index) = (group[end], end);
        while index > 0 && group[index - 1] > pair {
            group[index] = group[index - 1];
            index -= 1;
        }
        group[index] = pair;
    }
}

/// Sorts pairs of the boxes `0..boxes`. To sort every frame, keep a [`PairSorter`].
///
/// # Panics
/// If a pair refers to a box beyond `boxes`.
pub fn sort_pairs(pairs: &mut [OverlapPair], boxes: u32) {
    PairSorter::default().sort(pairs, boxes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_pairs_than_fit_the_cache_are_sorted() {
        let mut pairs: Vec<OverlapPair> = (0..1_100_000_u32)
            .map(|i| [i.wrapping_mul(7919) % 300_007, 300_007 + i.wrapping_mul(104_729) % 99_991])
            .collect();
        let mut expected = pairs.clone();
        expected.sort_unstable();
        sort_pairs(&mut pairs, 400_000);
        assert!(pairs == expected);
    }

    #[test]
    fn result_equals_that_of_the_standard_library() {
        let pairs: Vec<OverlapPair> =
            (0..5_000_u32).map(|i| [i * 7919 % 61, 61 + i * 104_729 % 997]).collect();
        let mut expected = pairs.clone();
        expected.sort_unstable();
        for boxes in [2_000, 200_000] {
            let mut sorted = pairs.clone();
            sort_pairs(&mut sorted, boxes);
            assert_eq!(sorted, expected, "{boxes} boxes");
        }
        let mut none: Vec<OverlapPair> = Vec::new();
        sort_pairs(&mut none, 0);
        assert!(none.is_empty());
    }
}
