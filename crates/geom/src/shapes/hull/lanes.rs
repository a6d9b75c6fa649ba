//! Which corner is the farthest, of eight at a time?

use crate::Vec3;

/// Corners a block holds.
const LANES: usize = 8;

/// Eight corners side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub struct VertexBlock {
    /// Their first coordinates.
    pub x: [f32; LANES],
    /// Their second coordinates.
    pub y: [f32; LANES],
    /// Their third coordinates.
    pub z: [f32; LANES],
}

/// The corners in blocks, the last one repeated.
pub(super) fn in_blocks(vertices: &[Vec3]) -> Vec<VertexBlock> {
    vertices
        .chunks(LANES)
        .map(|chunk| {
            let lane = |lane: usize| chunk[if lane < chunk.len() { lane } else { chunk.len() - 1 }];
            VertexBlock {
                x: core::array::from_fn(|index| lane(index).x),
                y: core::array::from_fn(|index| lane(index).y),
                z: core::array::from_fn(|index| lane(index).z),
            }
        })
        .collect()
}

/// The index of the corner farthest along `direction`; of equal ones, the first.
pub(super) fn farthest(blocks: &[VertexBlock], direction: Vec3) -> u32 {
    let mut best = [f32::NEG_INFINITY; LANES];
    let mut best_block = [0_u32; LANES];
    for (index, block) in blocks.iter().enumerate() {
        for lane in 0..LANES {
            let along = direction.x * block.x[lane]
                + direction.y * block.y[lane]
                + direction.z * block.z[lane];
            let farther = along > best[lane];
            best[lane] = if farther { along } else { best[lane] };
            best_block[lane] = if farther { index as u32 } else { best_block[lane] };
        }
    }
    let mut farthest = (best[0], best_block[0] * LANES as u32);
    for lane in 1..LANES {
        let vertex = best_block[lane] * LANES as u32 + lane as u32;
        if best[lane] > farthest.0 || (best[lane] == farthest.0 && vertex < farthest.1) {
            farthest = (best[lane], vertex);
        }
    }
    farthest.1
}
