//! Groups of near objects: connected components of candidate pairs.
//!
//! The groups do not depend on the order of the pairs. Lasch gathers the pairs of the broad phase
//! into such groups. Islands of the dynamics are formed from contacts and joints instead.

use crate::broad_phase::OverlapPair;

/// The group of each of `count` objects: the smallest index among the objects that are connected
/// with it by pairs, directly or through others. An object without a pair is its own group.
///
/// ```
/// use embate::broad_phase::connected_groups;
///
/// assert_eq!(connected_groups(6, &[[4, 5], [1, 3], [3, 4]]), [0, 1, 2, 1, 1, 1]);
/// ```
///
/// # Panics
/// If a pair has an index of `count` or more.
#[must_use]
#[doc(alias = "connected_components")]
#[doc(alias = "islands")]
pub fn connected_groups(count: usize, pairs: &[OverlapPair]) -> Vec<u32> {
    let mut parents: Vec<u32> = (0..count as u32).collect();
    for &[a, b] in pairs {
        let (a, b) = (find_root(&mut parents, a), find_root(&mut parents, b));
        // The smaller index is the root, and so the name of the group.
        parents[a.max(b) as usize] = a.min(b);
    }
    // A parent has a smaller index than its child, and so is already a root.
    for index in 0..count {
        parents[index] = parents[parents[index] as usize];
    }
    parents
}

/// Root of a tree, by path halving.
fn find_root(parents: &mut [u32], mut index: u32) -> u32 {
    while parents[index as usize] != index {
        let parent = parents[index as usize];
        parents[index as usize] = parents[parent as usize];
        index = parents[index as usize];
    }
    index
}

#[cfg(test)]
mod tests {
    use embate_test_util::Rng;

    use super::*;

    /// Components by repeated relabeling with the smaller label.
    fn reference(count: usize, pairs: &[OverlapPair]) -> Vec<u32> {
        let mut labels: Vec<u32> = (0..count as u32).collect();
        loop {
            let before = labels.clone();
            for [a, b] in pairs.iter().map(|pair| pair.map(|index| index as usize)) {
                let label = labels[a].min(labels[b]);
                (labels[a], labels[b]) = (label, label);
            }
            if labels == before {
                return labels;
            }
        }
    }

    #[test]
    fn groups_are_the_connected_components_in_any_order_of_the_pairs() {
        let mut rng = Rng::new(7);
        for count in [1_usize, 2, 10, 200] {
            for pairs in [0, 1, count / 2, count, 3 * count] {
                let mut index = || rng.below(count) as u32;
                let mut pairs: Vec<OverlapPair> = (0..pairs).map(|_| [index(), index()]).collect();
                let expected = reference(count, &pairs);
                assert_eq!(connected_groups(count, &pairs), expected);
                pairs.reverse();
                assert_eq!(connected_groups(count, &pairs), expected);
            }
        }
    }

    #[test]
    fn no_objects_have_no_groups() {
        assert_eq!(connected_groups(0, &[]), [0_u32; 0]);
    }
}
