//! In which order are pairs told?

use super::Pair;

/// Sorts pairs by their first box, then their second, by counting. Keeps its memory for the next time.
#[derive(Clone, Debug, Default)]
pub struct PairSorter {
    /// How many pairs have this box as first, as second; then, where the next of them goes.
    by_first: Vec<u32>,
    by_second: Vec<u32>,
    spare: Vec<Pair>,
}

impl PairSorter {
    /// Bytes held between uses.
    #[must_use]
    pub fn bytes(&self) -> usize {
        (self.by_first.capacity() + self.by_second.capacity()) * size_of::<u32>()
            + self.spare.capacity() * size_of::<Pair>()
    }

    /// Sorts pairs of the boxes `0..boxes`.
    ///
    /// # Panics
    /// If a pair names a box beyond `boxes`.
    pub fn sort(&mut self, pairs: &mut [Pair], boxes: u32) {
        if self.spare.len() < pairs.len() {
            self.spare.resize(pairs.len(), [0; 2]);
        }
        let spare = &mut self.spare[..pairs.len()];
        if pairs.len() < boxes as usize / 2 {
            // Few share their first box: to order those among themselves costs less than to count all.
            deal(pairs, spare, 0, counted(&mut self.by_first, pairs, 0, boxes));
            spare.chunk_by_mut(|a, b| a[0] == b[0]).for_each(sort_group);
            pairs.copy_from_slice(spare);
        } else {
            // By the second box first: what is dealt later keeps the order of what was dealt before.
            deal(pairs, spare, 1, counted(&mut self.by_second, pairs, 1, boxes));
            deal(spare, pairs, 0, counted(&mut self.by_first, spare, 0, boxes));
        }
    }
}

/// Where the first pair of each box goes.
fn counted<'a>(counts: &'a mut Vec<u32>, pairs: &[Pair], key: usize, boxes: u32) -> &'a mut [u32] {
    counts.clear();
    counts.resize(boxes as usize, 0);
    for pair in pairs {
        counts[pair[key] as usize] += 1;
    }
    let mut sum = 0;
    for count in &mut *counts {
        sum += core::mem::replace(count, sum);
    }
    counts
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

/// Puts each pair where the next one of its box goes.
fn deal(from: &[Pair], to: &mut [Pair], key: usize, next: &mut [u32]) {
    for pair in from {
        let place = &mut next[pair[key] as usize];
        to[*place as usize] = *pair;
        *place += 1;
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
