//! In which order are pairs told?

use super::Pair;

/// Sorts pairs by their first box, then their second, by counting. Keeps its memory for the next time.
#[derive(Clone, Debug, Default)]
pub struct PairSorter {
    /// How many pairs have this digit; then, where the next of them goes.
    counts: Vec<u32>,
    spare: Vec<Pair>,
}

/// More pairs than this do not fit the caches: they are cut into parts that do, by their first box.
const IN_CACHE: usize = 1 << 20;
const PARTS: u32 = 256;

/// What pairs are dealt by: some bits of one of their boxes.
#[derive(Clone, Copy, Debug)]
struct Digit {
    /// Which box of a pair.
    key: usize,
    shift: u32,
    mask: u32,
    /// Digits that may occur.
    count: u32,
}

impl PairSorter {
    /// Bytes held between uses.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.counts.capacity() * size_of::<u32>() + self.spare.capacity() * size_of::<Pair>()
    }

    /// Sorts pairs of the boxes `0..boxes`.
    ///
    /// # Panics
    /// If a pair names a box beyond `boxes`.
    pub fn sort(&mut self, pairs: &mut [Pair], boxes: u32) {
        let Self { counts, spare } = self;
        if spare.len() < pairs.len() {
            spare.resize(pairs.len(), [0; 2]);
        }
        let spare = &mut spare[..pairs.len()];
        let whole = |key| Digit { key, shift: 0, mask: u32::MAX, count: boxes };
        // By the lesser digit first: what is dealt later keeps the order of what was dealt before.
        if pairs.len() > IN_CACHE {
            let bits = (u32::BITS - boxes.leading_zeros()).next_multiple_of(2);
            let part_bits = bits.saturating_sub(PARTS.ilog2());
            deal(
                pairs,
                spare,
                Digit { key: 0, shift: part_bits, mask: u32::MAX, count: PARTS },
                counts,
            );
            let low = |key, shift, bits: u32| Digit {
                key,
                shift,
                mask: (1_u32 << bits) - 1,
                count: 1_u32 << bits,
            };
            let mut done = 0;
            for part in spare.chunk_by_mut(|a, b| a[0] >> part_bits == b[0] >> part_bits) {
                let sorted = &mut pairs[done..done + part.len()];
                done += part.len();
                deal(part, sorted, low(1, 0, bits / 2), counts);
                deal(sorted, part, low(1, bits / 2, bits / 2), counts);
                deal(part, sorted, low(0, 0, part_bits), counts);
            }
        } else if pairs.len() < boxes as usize / 2 {
            // Few share their first box: to order those among themselves costs less than to count all.
            deal(pairs, spare, whole(0), counts);
            spare.chunk_by_mut(|a, b| a[0] == b[0]).for_each(sort_group);
            pairs.copy_from_slice(spare);
        } else {
            deal(pairs, spare, whole(1), counts);
            deal(spare, pairs, whole(0), counts);
        }
    }
}

/// Puts pairs into the order of a digit, and leaves those of the same digit as they are.
fn deal(from: &[Pair], to: &mut [Pair], digit: Digit, next: &mut Vec<u32>) {
    let of = |pair: &Pair| ((pair[digit.key] >> digit.shift) & digit.mask) as usize;
    next.clear();
    next.resize(digit.count as usize, 0);
    let next = &mut next[..];
    for pair in from {
        next[of(pair)] += 1;
    }
    let mut sum = 0;
    for count in &mut *next {
        sum += core::mem::replace(count, sum);
    }
    for pair in from {
        let place = &mut next[of(pair)];
        to[*place as usize] = *pair;
        *place += 1;
    }
}

/// Most groups are of one or two; a floor that touches all makes a long one.
fn sort_group(group: &mut [Pair]) {
    if group.len() > 16 {
        return group.sort_unstable();
    }
    for end in 1..group.len() {
        let (pair, mut place) = (group[end], end);
        while place > 0 && group[place - 1] > pair {
            group[place] = group[place - 1];
            place -= 1;
        }
        group[place] = pair;
    }
}

/// Sorts pairs of the boxes `0..boxes` once; where it is done every frame, keep a [`PairSorter`].
///
/// # Panics
/// If a pair names a box beyond `boxes`.
pub fn sort_pairs(pairs: &mut [Pair], boxes: u32) {
    PairSorter::default().sort(pairs, boxes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_million_and_more_pairs_come_out_sorted_too() {
        let mut pairs: Vec<Pair> = (0..1_100_000_u32)
            .map(|i| [i.wrapping_mul(7919) % 300_007, 300_007 + i.wrapping_mul(104_729) % 99_991])
            .collect();
        let mut expected = pairs.clone();
        expected.sort_unstable();
        sort_pairs(&mut pairs, 400_000);
        assert!(pairs == expected);
    }

    #[test]
    fn pairs_come_out_as_the_library_would_sort_them() {
        let pairs: Vec<Pair> =
            (0..5_000_u32).map(|i| [i * 7919 % 61, 61 + i * 104_729 % 997]).collect();
        let mut expected = pairs.clone();
        expected.sort_unstable();
        for boxes in [2_000, 200_000] {
            let mut sorted = pairs.clone();
            sort_pairs(&mut sorted, boxes);
            assert_eq!(sorted, expected, "{boxes} boxes");
        }
        let mut none: Vec<Pair> = Vec::new();
        sort_pairs(&mut none, 0);
        assert!(none.is_empty());
    }
}
