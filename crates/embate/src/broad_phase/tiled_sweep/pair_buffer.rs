//! Pair buffer: hit masks of a tile, decoded into pairs in a second loop.
//!
//! Every function is `inline(always)`: it is called from SIMD code, see `aabb8.rs`.
#![allow(clippy::inline_always, reason = "SIMD code must be inlined into its dispatch")]

use crate::broad_phase::OverlapPair;
use crate::broad_phase::aabb8::LANES;
use crate::broad_phase::tiled_sweep::binning::ID_MASK;
use crate::broad_phase::tiled_sweep::tile::BoxRef;

/// Above this many hit masks the buffer is flushed: they fit the L2 cache.
const FLUSH_THRESHOLD: usize = 4096;

/// Hit masks of one tile, and scratch memory for the decoded pairs.
#[derive(Clone, Debug, Default)]
pub(crate) struct PairBuffer {
    len: usize,
    hits: Vec<HitMask>,
    decoded: Vec<OverlapPair>,
}

/// Which of sixteen boxes overlap one box.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HitMask {
    /// Of the one box; see [`BoxRef::id_and_flags`].
    pub(crate) id_and_flags: u32,
    /// Index of the first of the sixteen in the tile's sweep order.
    pub(crate) first: u32,
    /// Bit `i` is set if box `first + i` overlaps.
    pub(crate) mask: u32,
}

impl PairBuffer {
    /// The hit masks, with space for `additional` more.
    #[inline(always)]
    pub(crate) fn reserve(&mut self, additional: usize) -> &mut [HitMask] {
        if self.hits.len() < self.len + additional {
            self.hits.resize((self.len + additional) * 2, HitMask::default());
        }
        &mut self.hits
    }

    /// Whether to flush now, so that memory does not grow with the number of pairs.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.len > FLUSH_THRESHOLD
    }

    /// Number of hit masks.
    #[inline(always)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Keeps the first `len` hit masks written.
    #[inline(always)]
    pub(crate) fn set_len(&mut self, len: usize) {
        self.len = len;
    }

    /// Decodes the hit masks, appends the pairs except those owned by another tile, and empties the
    /// buffer. `box_refs` is the tile's sweep order.
    #[inline(always)]
    pub(crate) fn flush(&mut self, box_refs: &[BoxRef], pairs: &mut Vec<OverlapPair>) {
        if self.decoded.len() < self.len * 2 * LANES {
            self.decoded.resize(4 * self.len * LANES, [0; 2]);
        }
        let decoded = &mut self.decoded[..];
        let mut count = 0;
        for hit in &self.hits[..self.len] {
            let box_refs = &box_refs[hit.first as usize..hit.first as usize + 2 * LANES];
            let id = hit.id_and_flags & ID_MASK;
            let mut mask = hit.mask;
            while mask != 0 {
                let other = box_refs[mask.trailing_zeros() as usize % (2 * LANES)].id_and_flags;
                mask &= mask - 1;
                // Owned here unless both boxes start before the tile on the same axis.
                let is_owned = hit.id_and_flags & other & !ID_MASK == 0;
                let other = other & ID_MASK;
                decoded[count] = [id.min(other), id.max(other)];
                count += usize::from(is_owned);
            }
        }
        pairs.extend_from_slice(&decoded[..count]);
        self.len = 0;
    }

    pub(crate) fn memory_usage(&self) -> usize {
        self.hits.capacity() * size_of::<HitMask>()
            + self.decoded.capacity() * size_of::<OverlapPair>()
    }
}
