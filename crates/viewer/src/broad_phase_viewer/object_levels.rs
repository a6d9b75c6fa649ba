//! Object levels: the level of the octree cell that lists each object, from the size of the cell.

use embate::math::scalar;

/// Level of a cell that is not in the tree.
pub(super) const NO_LEVEL: u8 = u8::MAX;

/// Deeper levels cannot be told apart by their size.
const MAX_LEVEL: u8 = 64;

/// Level of a cell of this size, 0 for the root: a cell of the next level is half as large.
pub(super) fn level_of(root: f32, size: f32) -> u8 {
    let (mut level, mut at) = (0, root);
    // Between two levels: rounding must not change the result.
    while at > 1.5 * size && level < MAX_LEVEL {
        at *= 0.5;
        level += 1;
    }
    level
}

/// Levels of objects by the sizes of their cells in a tree over boxes of this extent; 0 is the size
/// of no cell.
pub(super) fn levels_of(root: f32, sizes: &[f32]) -> Vec<u8> {
    sizes.iter().map(|&size| if size > 0.0 { level_of(root, size) } else { NO_LEVEL }).collect()
}

/// Largest side of the box around all of these.
pub(super) fn extent<const D: usize>(boxes: &[embate::Aabb<D>]) -> f32 {
    let all = boxes.iter().copied().reduce(|all, next| all.merged(&next));
    all.map_or(0.0, |all| {
        (0..D).fold(0.0, |largest, axis| scalar::max(largest, all.max[axis] - all.min[axis]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn level_counts_the_halvings_despite_rounding() {
        for level in 0..20_u8 {
            let size = 960.0 / (1_u32 << level) as f32;
            for size in [size, size * 1.001, size * 0.999] {
                assert_eq!(level_of(960.0, size), level);
            }
        }
        assert_eq!(levels_of(8.0, &[8.0, 0.0, 1.0]), [0, NO_LEVEL, 3]);
        assert_eq!(level_of(1.0, 0.0), MAX_LEVEL);
    }
}
