//! Vertex welding: merges bit-identical positions in formats that repeat every vertex.
//!
//! Vertices are numbered by first appearance: the hash affects speed, never the result.

use std::hash::{BuildHasher, RandomState};

const EMPTY_SLOT: u32 = u32::MAX;

/// Slots of a new table; meshes of up to 512 vertices never grow it.
const INITIAL_SLOTS: usize = 1024;

/// Hash set of positions: open addressing over indices into `positions`.
#[derive(Debug)]
pub(crate) struct VertexWelder {
    positions: Vec<[f32; 3]>,
    /// The length is a power of two; at most half of the slots are used.
    slots: Vec<u32>,
    /// Random in every run: a file cannot be crafted so that all its vertices collide.
    keys: [u64; 2],
}

impl VertexWelder {
    pub(crate) fn new() -> Self {
        let keys = [0_u8, 1].map(|key| RandomState::new().hash_one(key) | 1);
        Self { positions: Vec::new(), slots: vec![EMPTY_SLOT; INITIAL_SLOTS], keys }
    }

    /// Number of distinct vertices.
    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    pub(crate) fn into_positions(self) -> Vec<[f32; 3]> {
        drop(self.slots);
        let mut positions = self.positions;
        positions.shrink_to_fit();
        positions
    }

    /// Index of this position; the next free index if it is new.
    #[inline]
    pub(crate) fn insert(&mut self, position: [f32; 3]) -> u32 {
        let bits = position.map(f32::to_bits);
        let mask = self.slots.len() - 1;
        let mut slot = self.hash(bits) & mask;
        loop {
            let vertex = self.slots[slot];
            if vertex == EMPTY_SLOT {
                break;
            }
            if self.positions[vertex as usize].map(f32::to_bits) == bits {
                return vertex;
            }
            slot = (slot + 1) & mask;
        }
        // The limits keep the count far below `EMPTY_SLOT`.
        let vertex = self.positions.len() as u32;
        self.positions.push(position);
        self.slots[slot] = vertex;
        if self.positions.len() * 2 > self.slots.len() {
            self.grow();
        }
        vertex
    }

    fn grow(&mut self) {
        let length = self.slots.len() * 2;
        // Freed first: the old and the new table together would take 1.5 times the memory.
        self.slots = Vec::new();
        self.slots = vec![EMPTY_SLOT; length];
        for vertex in 0..self.positions.len() {
            let mut slot = self.hash(self.positions[vertex].map(f32::to_bits)) & (length - 1);
            while self.slots[slot] != EMPTY_SLOT {
                slot = (slot + 1) & (length - 1);
            }
            self.slots[slot] = vertex as u32;
        }
    }

    /// Two keyed folded multiplications, as in wyhash.
    #[inline]
    fn hash(&self, [x, y, z]: [u32; 3]) -> usize {
        let [key, other_key] = self.keys;
        let xy = u64::from(x) | u64::from(y) << 32;
        fold(fold(xy ^ key, other_key) ^ u64::from(z), key) as usize
    }
}

#[inline]
fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    product as u64 ^ (product >> 64) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_keep_their_indices_while_the_table_grows() {
        let mut welder = VertexWelder::new();
        let position = |i: u32| [i as f32, (i % 7) as f32, 0.5];
        for pass in 0..2 {
            for i in 0..10_000 {
                assert_eq!(welder.insert(position(i)), i, "pass {pass}");
            }
        }
        assert_eq!(welder.into_positions().len(), 10_000);
    }
}
