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

/// The largest of many numbers, eight at a time, without a branch that depends on them.
pub(super) struct Best {
    values: [f32; LANES],
    blocks: [u32; LANES],
}

impl Best {
    #[inline]
    pub(super) fn new() -> Self {
        Self { values: [f32::NEG_INFINITY; LANES], blocks: [0; LANES] }
    }

    /// The numbers of the next block.
    #[inline]
    pub(super) fn of(&mut self, block: usize, values: &[f32; LANES]) {
        for lane in 0..LANES {
            let larger = values[lane] > self.values[lane];
            self.values[lane] = if larger { values[lane] } else { self.values[lane] };
            self.blocks[lane] = if larger { block as u32 } else { self.blocks[lane] };
        }
    }

    /// The first of the largest numbers, and what it is.
    #[inline]
    pub(super) fn first(&self) -> (u32, f32) {
        let larger = |a: f32, b: f32| if b > a { b } else { a };
        let of_four: [f32; 4] =
            core::array::from_fn(|lane| larger(self.values[lane], self.values[lane + 4]));
        let most = larger(larger(of_four[0], of_four[2]), larger(of_four[1], of_four[3]));
        let mut first = u32::MAX;
        for lane in 0..LANES {
            let index = self.blocks[lane] * LANES as u32 + lane as u32;
            let index = if self.values[lane] == most { index } else { u32::MAX };
            first = if index < first { index } else { first };
        }
        // Of NaN alone, none is the largest.
        (if first == u32::MAX { 0 } else { first }, most)
    }
}

/// The index of the corner farthest along `direction`; of equal ones, the first.
pub(super) fn farthest(blocks: &[VertexBlock], direction: Vec3) -> u32 {
    let mut best = Best::new();
    for (index, block) in blocks.iter().enumerate() {
        let along = core::array::from_fn(|lane| {
            direction.x * block.x[lane] + direction.y * block.y[lane] + direction.z * block.z[lane]
        });
        best.of(index, &along);
    }
    best.first().0
}
