//! Support point of a hull, eight vertices at a time (SIMD by auto-vectorization).

use crate::Vec3;

const LANES: usize = 8;

/// Eight vertices as a structure of arrays.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
#[doc(alias = "VertexBlock")]
pub struct Vertices8 {
    /// First coordinates.
    pub x: [f32; LANES],
    /// Second coordinates.
    pub y: [f32; LANES],
    /// Third coordinates.
    pub z: [f32; LANES],
}

/// The vertices in blocks of eight; the last vertex pads the last block.
pub(super) fn vertices_to_soa(vertices: &[Vec3]) -> Vec<Vertices8> {
    vertices
        .chunks(LANES)
        .map(|chunk| {
            let lane = |lane: usize| chunk[if lane < chunk.len() { lane } else { chunk.len() - 1 }];
            Vertices8 {
                x: core::array::from_fn(|index| lane(index).x),
                y: core::array::from_fn(|index| lane(index).y),
                z: core::array::from_fn(|index| lane(index).z),
            }
        })
        .collect()
}

/// Index of the maximum of a sequence, in blocks of eight values, without data-dependent branches.
pub(super) struct ArgMax8 {
    max: [f32; LANES],
    block_of_max: [u32; LANES],
}

impl ArgMax8 {
    #[inline]
    pub(super) fn new() -> Self {
        Self { max: [f32::NEG_INFINITY; LANES], block_of_max: [0; LANES] }
    }

    /// Adds the values of block `block`; blocks must come in ascending order.
    #[inline]
    pub(super) fn update(&mut self, block: usize, values: &[f32; LANES]) {
        for lane in 0..LANES {
            let larger = values[lane] > self.max[lane];
            self.max[lane] = if larger { values[lane] } else { self.max[lane] };
            self.block_of_max[lane] = if larger { block as u32 } else { self.block_of_max[lane] };
        }
    }

    /// Index of the first maximum, and its value; index 0 if all values were NaN.
    #[inline]
    pub(super) fn finish(&self) -> (u32, f32) {
        let larger = |a: f32, b: f32| if b > a { b } else { a };
        let of_four: [f32; 4] =
            core::array::from_fn(|lane| larger(self.max[lane], self.max[lane + 4]));
        let max = larger(larger(of_four[0], of_four[2]), larger(of_four[1], of_four[3]));
        let mut first = u32::MAX;
        for lane in 0..LANES {
            let index = self.block_of_max[lane] * LANES as u32 + lane as u32;
            let index = if self.max[lane] == max { index } else { u32::MAX };
            first = if index < first { index } else { first };
        }
        (if first == u32::MAX { 0 } else { first }, max)
    }
}

/// Index of the vertex farthest along `direction`; among equally far ones, the first.
pub(super) fn support_index(blocks: &[Vertices8], direction: Vec3) -> u32 {
    let mut farthest = ArgMax8::new();
    for (index, block) in blocks.iter().enumerate() {
        let along = core::array::from_fn(|lane| {
            direction.x * block.x[lane] + direction.y * block.y[lane] + direction.z * block.z[lane]
        });
        farthest.update(index, &along);
    }
    farthest.finish().0
}
