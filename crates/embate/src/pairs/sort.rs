//! In which order are pairs told?

use super::Pair;

/// Groups longer than this are sorted by the library; shorter ones, nearly all, by insertion.
const SHORT: usize = 16;

/// Sorts pairs of boxes `0..boxes` by their first, then their second: a counting sort by the first, and
/// a small sort of each box's own few.
///
/// # Panics
/// If a pair names a box beyond `boxes`.
pub fn sort_pairs(pairs: &mut Vec<Pair>, boxes: u32) {
    let mut ends = vec![0_u32; boxes as usize + 1];
    for pair in pairs.iter() {
        ends[pair[0] as usize] += 1;
    }
    let mut sum = 0;
    for end in &mut ends {
        sum += *end;
        *end = sum;
    }
    // Filled from behind, each count of ends comes to rest where its group begins.
    let mut sorted = vec![[0; 2]; pairs.len()];
    for &pair in pairs.iter().rev() {
        let place = &mut ends[pair[0] as usize];
        *place -= 1;
        sorted[*place as usize] = pair;
    }
    for group in ends.windows(2) {
        let group = &mut sorted[group[0] as usize..group[1] as usize];
        if group.len() > SHORT {
            group.sort_unstable();
        } else {
            insertion_sort(group);
        }
    }
    *pairs = sorted;
}

fn insertion_sort(group: &mut [Pair]) {
    for end in 1..group.len() {
        let mut place = end;
        while place > 0 && group[place - 1][1] > group[place][1] {
            group.swap(place - 1, place);
            place -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_come_out_as_the_library_would_sort_them() {
        let mut pairs: Vec<Pair> =
            (0..5_000_u32).map(|i| [i * 7919 % 61, 61 + i * 104_729 % 997]).collect();
        let mut expected = pairs.clone();
        expected.sort_unstable();
        sort_pairs(&mut pairs, 2_000);
        assert_eq!(pairs, expected);
        let mut none: Vec<Pair> = Vec::new();
        sort_pairs(&mut none, 0);
        assert!(none.is_empty());
    }
}
