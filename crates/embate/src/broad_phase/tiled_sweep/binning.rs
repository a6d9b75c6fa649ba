//! Which tiles does each box reach?
//!
//! Every function here that holds vector code is `inline(always)`, and none is a closure: see block.rs.
#![allow(clippy::inline_always)]

use embate_geom::Aabb;
use fearless_simd::{Level, Simd, dispatch};

use super::tiles::{Layout, Reach};

/// The bits of a [`Placement::mark`] that say on which cut axes the box begins before its tile.
const BEGUN: [u32; 2] = [1 << 30, 1 << 31];
/// The others, which name the box: [`Boxes`](super::Boxes) lets no more in than they can tell apart.
pub(super) const ID: u32 = BEGUN[0] - 1;

/// Places of large boxes, at most, for each box there is.
const LARGE_PLACES: usize = 4;

/// A box that reaches a tile.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement {
    pub(super) tile: u32,
    /// Which box, and on which cut axes it begins before the tile.
    pub(super) mark: u32,
}

/// Placements by slab, in the order of the boxes; those of large boxes apart.
#[derive(Clone, Debug, Default)]
pub(super) struct Placements {
    listed: Vec<Bucket>,
    large: Vec<Bucket>,
    large_ids: Vec<u32>,
    /// Tiles that the large boxes reach, all together.
    large_places: usize,
}

/// Places of large boxes for which there is room, among so many boxes: more would dwarf the boxes.
pub(super) fn room_for_large(boxes: usize) -> usize {
    boxes * LARGE_PLACES + 1024
}

/// Is there room for all large boxes of these parts? One always fits, so that to halve a list, or to
/// double the tiles, leads somewhere. Asked of all parts together: how many there are must not show.
pub(super) fn fit(parts: &[Placements], room: usize) -> bool {
    let places: usize = parts.iter().map(|part| part.large_places).sum();
    let boxes: usize = parts.iter().map(|part| part.large_ids.len()).sum();
    places <= room || boxes <= 1
}

/// A list that is written first and asked later: what lies beyond `len` does not count.
#[derive(Clone, Debug, Default)]
struct Bucket {
    len: usize,
    places: Vec<Placement>,
}

impl Placements {
    /// Places the boxes named in the tiles they reach; gives up where the large ones alone reach too many
    /// to [`fit`] in `room`.
    pub(super) fn place_named<const D: usize>(
        &mut self,
        level: Level,
        layout: &Layout<D>,
        boxes: &[Aabb<D>],
        ids: &[u32],
        room: usize,
    ) {
        let named = ids.iter().map(|&id| (id, &boxes[id as usize]));
        dispatch!(level, simd => self.place(simd, layout, named, room));
    }

    /// The same for boxes numbered from `first` on.
    pub(super) fn place_from<const D: usize>(
        &mut self,
        level: Level,
        layout: &Layout<D>,
        boxes: &[Aabb<D>],
        first: u32,
        room: usize,
    ) {
        let numbered = (first..).zip(boxes);
        dispatch!(level, simd => self.place(simd, layout, numbered, room));
    }

    #[inline(always)]
    fn place<'a, S: Simd, const D: usize>(
        &mut self,
        simd: S,
        layout: &Layout<D>,
        boxes: impl Iterator<Item = (u32, &'a Aabb<D>)>,
        room: usize,
    ) {
        self.clear(layout.slabs());
        for (id, bounds) in boxes {
            let reach = layout.reach(simd, bounds);
            if reach.is_large() {
                let [columns, rows] = reach.more().map(|more| more as usize + 1);
                self.large_places += columns * rows;
                self.large_ids.push(id);
                if !fit(core::slice::from_ref(self), room) {
                    return;
                }
                place_each(&mut self.large, layout, &reach, id);
            } else if reach.is_far() {
                place_each(&mut self.listed, layout, &reach, id);
            } else {
                place_near(&mut self.listed, layout, &reach, id);
            }
        }
    }

    fn clear(&mut self, slabs: usize) {
        for buckets in [&mut self.listed, &mut self.large] {
            // Never fewer: size classes take turns, and memory is kept for the next frame.
            if buckets.len() < slabs {
                buckets.resize(slabs, Bucket::default());
            }
            for bucket in buckets {
                bucket.len = 0;
            }
        }
        self.large_ids.clear();
        self.large_places = 0;
    }

    pub(super) fn listed(&self, slab: usize) -> &[Placement] {
        self.listed[slab].placed()
    }

    pub(super) fn large(&self, slab: usize) -> &[Placement] {
        self.large[slab].placed()
    }

    pub(super) fn large_ids(&self) -> &[u32] {
        &self.large_ids
    }

    pub(super) fn bytes(&self) -> usize {
        let placements: usize =
            self.listed.iter().chain(&self.large).map(|bucket| bucket.places.capacity()).sum();
        let buckets = self.listed.capacity() + self.large.capacity();
        buckets * size_of::<Bucket>()
            + placements * size_of::<Placement>()
            + self.large_ids.capacity() * size_of::<u32>()
    }
}

/// Most boxes reach one tile or two on an axis. All are written without asking, so that no branch has to
/// be guessed; those that do not count are overwritten by the next box.
#[inline(always)]
fn place_near<const D: usize>(
    buckets: &mut [Bucket],
    layout: &Layout<D>,
    reach: &Reach<D>,
    id: u32,
) {
    let [columns, rows] = reach.more();
    let slab = layout.slab_of(reach.first_row());
    buckets[slab].place_one_or_two::<D>(reach.tile(), id, columns, 1);
    let slab = layout.slab_of(reach.first_row() + rows);
    let tile = reach.tile() + rows * layout.tiles_in_a_row();
    buckets[slab].place_one_or_two::<D>(tile, id | BEGUN[1], columns, rows);
}

fn place_each<const D: usize>(
    buckets: &mut [Bucket],
    layout: &Layout<D>,
    reach: &Reach<D>,
    id: u32,
) {
    let [columns, rows] = reach.more();
    for row in 0..=rows {
        let bucket = &mut buckets[layout.slab_of(reach.first_row() + row)];
        for column in 0..=columns {
            let tile = reach.tile() + row * layout.tiles_in_a_row() + column;
            let begun = [u32::from(column > 0) << 30, u32::from(row > 0) << 31];
            bucket.place_one_or_two::<2>(tile, id | begun[0] | begun[1], 0, 1);
        }
    }
}

impl Bucket {
    /// A tile and, where there are `columns` beyond it, its neighbour; neither if `wanted` is 0.
    #[inline(always)]
    fn place_one_or_two<const D: usize>(
        &mut self,
        tile: u32,
        mark: u32,
        columns: u32,
        wanted: u32,
    ) {
        if self.places.len() < self.len + 2 {
            self.places.resize(2 * self.len + 64, Placement { tile: 0, mark: 0 });
        }
        let room = &mut self.places[self.len..self.len + 2];
        room[0] = Placement { tile, mark };
        if D == 3 {
            room[1] = Placement { tile: tile + columns, mark: mark | BEGUN[0] };
        }
        self.len += (wanted + (wanted & columns)) as usize;
    }

    fn placed(&self) -> &[Placement] {
        &self.places[..self.len]
    }
}
