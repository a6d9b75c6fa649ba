//! Boxes around groups of objects that pairs connect.

use embate::Aabb;
use embate::broad_phase::{OverlapPair, connected_groups};

use super::pick::ObjectRect;

/// Least and greatest corner of every group of two objects or more, by its smallest object.
pub(super) fn group_boxes(objects: &[ObjectRect], pairs: &[OverlapPair]) -> Vec<[f32; 4]> {
    let groups = connected_groups(objects.len(), pairs);
    let mut boxes: Vec<Option<Aabb<2>>> = vec![None; objects.len()];
    let mut sizes = vec![0_u32; objects.len()];
    for (&group, [[x, y], [width, height]]) in groups.iter().zip(objects) {
        let own = Aabb { min: [*x, *y], max: [x + width, y + height] };
        let all = &mut boxes[group as usize];
        *all = Some(all.map_or(own, |all| all.merged(&own)));
        sizes[group as usize] += 1;
    }
    let several = boxes.into_iter().zip(sizes).filter(|(_, size)| *size > 1);
    let corners = |Aabb { min, max }: Aabb<2>| [min[0], min[1], max[0], max[1]];
    several.filter_map(|(bounds, _)| bounds.map(corners)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn group_has_the_smallest_box_around_its_objects() {
        let objects = [[0.0, 0.0], [9.0, 9.0], [1.0, 1.0], [2.0, 0.5]].map(|min| [min, [1.5, 1.0]]);
        assert_eq!(group_boxes(&objects, &[[0, 2], [2, 3]]), [[0.0, 0.0, 3.5, 2.0]]);
        assert!(group_boxes(&objects, &[]).is_empty());
    }
}
