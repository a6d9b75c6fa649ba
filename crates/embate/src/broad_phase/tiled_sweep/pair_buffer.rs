//! Which pairs were found, and which of them are told here?
//!
//! Every function here is `inline(always)`: it is called from vector code, see block.rs.
#![allow(clippy::inline_always)]

use super::Pair;
use super::block::LANES;
use super::placements::ID;
use super::tile::Name;

/// Finds that are told at once: they fit the second cache.
const MANY: usize = 4096;

/// Finds of one tile, and memory for them.
#[derive(Clone, Debug, Default)]
pub(super) struct Finds {
    count: usize,
    found: Vec<Find>,
    told: Vec<Pair>,
}

/// Which of sixteen boxes, from one place on, overlap one box.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Find {
    pub(super) mark: u32,
    pub(super) place: u32,
    pub(super) lanes: u32,
}

impl Finds {
    /// Those kept, and room for so many more.
    #[inline(always)]
    pub(super) fn room_for(&mut self, more: usize) -> &mut [Find] {
        if self.found.len() < self.count + more {
            self.found.resize((self.count + more) * 2, Find::default());
        }
        &mut self.found
    }

    /// Are there so many that they should be told, lest their memory grow with the pairs?
    #[inline(always)]
    pub(super) fn are_many(&self) -> bool {
        self.count > MANY
    }

    /// How many there are.
    #[inline(always)]
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// So many of those written are to be kept, from the first on.
    #[inline(always)]
    pub(super) fn keep(&mut self, count: usize) {
        self.count = count;
    }

    /// Appends the pairs found among boxes of these names, except those that another tile owns; and
    /// forgets them.
    #[inline(always)]
    pub(super) fn tell(&mut self, names: &[Name], pairs: &mut Vec<Pair>) {
        if self.told.len() < self.count * 2 * LANES {
            self.told.resize(4 * self.count * LANES, [0; 2]);
        }
        let told = &mut self.told[..];
        let mut count = 0;
        for find in &self.found[..self.count] {
            let names = &names[find.place as usize..find.place as usize + 2 * LANES];
            let own = find.mark & ID;
            let mut lanes = find.lanes;
            while lanes != 0 {
                let other = names[lanes.trailing_zeros() as usize % (2 * LANES)].mark;
                lanes &= lanes - 1;
                let owned = find.mark & other & !ID == 0;
                let other = other & ID;
                told[count] = [own.min(other), own.max(other)];
                count += usize::from(owned);
            }
        }
        pairs.extend_from_slice(&told[..count]);
        self.count = 0;
    }

    pub(super) fn bytes(&self) -> usize {
        self.found.capacity() * size_of::<Find>() + self.told.capacity() * size_of::<Pair>()
    }
}
