//! Which boxes at rest does something in motion meet?
//!
//! Boxes at rest lie in tiles and bins as [`TiledSweep`](super::TiledSweep) orders them, but stay there:
//! only what moves is placed anew each frame and tested as a guest of the tiles it reaches.

use embate_geom::Aabb;
use fearless_simd::{Level, Simd, dispatch};

use super::placements::{Placements, fit, room_for_large};
use super::slab::Slab;
use super::tile::Tile;
use super::tiles::{Layout, Survey};
use super::{Pair, Unobserved};

/// Boxes at rest, by size class.
#[derive(Clone, Debug)]
pub(super) struct Resting<const D: usize> {
    level: Level,
    classes: Vec<Class<D>>,
    placements: Placements,
    slab: Slab<D>,
}

#[derive(Clone, Debug)]
struct Class<const D: usize> {
    layout: Layout<D>,
    tiles: Vec<Tile<D>>,
}

impl<const D: usize> Resting<D> {
    pub(super) fn new() -> Self {
        Self {
            level: Level::new(),
            classes: Vec::new(),
            placements: Placements::default(),
            slab: Slab::new(),
        }
    }

    /// Lays these boxes to rest, in place of those before.
    pub(super) fn settle(&mut self, boxes: &[Aabb<D>], mut ids: Vec<u32>) {
        self.classes.clear();
        let (level, slab) = (self.level, &mut self.slab);
        while let Some(survey) = Survey::of(ids.len(), |place| &boxes[ids[place] as usize]) {
            let survey = survey.for_guests();
            let mut layout = Layout::best(&survey);
            while !place(&mut self.placements, level, &layout, boxes, &ids) {
                layout = layout.coarser(&survey);
            }
            let mut tiles = Vec::new();
            for number in 0..layout.slabs() {
                let first = tiles.len();
                tiles.resize_with(layout.tiles_of_slab(number).end as usize, Tile::new);
                let parts = core::slice::from_ref(&self.placements);
                dispatch!(level, simd => {
                    slab.list(simd, &layout, number, boxes, parts);
                    slab.settle(&layout, &mut tiles[first..]);
                });
            }
            ids.clear();
            ids.extend_from_slice(self.placements.large_ids());
            self.classes.push(Class { layout, tiles });
        }
        // What all of them needed is more than the movers will.
        self.placements = Placements::default();
        self.slab = Slab::new();
    }

    /// Takes out a box that rested at `bounds`.
    pub(super) fn wake(&mut self, id: u32, bounds: &Aabb<D>) {
        let level = self.level;
        for Class { layout, tiles } in &mut self.classes {
            let (reach, bin) = dispatch!(level, simd => {
                (layout.reach(simd, bounds), layout.bin(simd, bounds.min[0]))
            });
            // In a finer class it was too large to be listed; a coarser one comes later.
            if !reach.is_large() {
                for tile in reach.tiles(layout.tiles_in_a_row()) {
                    tiles[tile].take_out(id, bin);
                }
                return;
            }
        }
    }

    /// Appends every pair of a box in motion with one at rest.
    pub(super) fn meet(&mut self, boxes: &[Aabb<D>], movers: &[u32], pairs: &mut Vec<Pair>) {
        let (level, slab) = (self.level, &mut self.slab);
        for Class { layout, tiles } in &self.classes {
            let by_bin = dispatch!(level, simd => in_order_of_bins(simd, layout, boxes, movers));
            // All at once, if they are not so large that their places would be too many.
            let mut parts = vec![&by_bin[..]];
            while let Some(part) = parts.pop() {
                if !place(&mut self.placements, level, layout, boxes, part) {
                    let (first, second) = part.split_at(part.len() / 2);
                    parts.extend([second, first]);
                    continue;
                }
                for number in 0..layout.slabs() {
                    let here = layout.tiles_of_slab(number);
                    let here = &tiles[here.start as usize..here.end as usize];
                    let parts = core::slice::from_ref(&self.placements);
                    dispatch!(level, simd => {
                        slab.list(simd, layout, number, boxes, parts);
                        slab.visit(simd, layout, here, pairs, &mut Unobserved);
                    });
                }
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        let tiles: usize =
            self.classes.iter().flat_map(|class| &class.tiles).map(Tile::bytes).sum();
        let headers: usize = self.classes.iter().map(|class| class.tiles.capacity()).sum();
        headers * size_of::<Tile<D>>() + tiles + self.placements.bytes() + self.slab.bytes()
    }
}

/// Places the boxes named; false if the large ones among them reach too many tiles.
fn place<const D: usize>(
    placements: &mut Placements,
    level: Level,
    layout: &Layout<D>,
    boxes: &[Aabb<D>],
    ids: &[u32],
) -> bool {
    let room = room_for_large(ids.len());
    placements.place_named(level, layout, boxes, ids, room);
    fit(core::slice::from_ref(placements), room)
}

/// Movers along x, so that one after the other meets what the one before has just met: a counting sort.
#[expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]
#[inline(always)]
fn in_order_of_bins<S: Simd, const D: usize>(
    simd: S,
    layout: &Layout<D>,
    boxes: &[Aabb<D>],
    movers: &[u32],
) -> Vec<u32> {
    let mut ends = vec![0_u32; layout.bins() + 1];
    let mut bins = Vec::with_capacity(movers.len());
    for &id in movers {
        let bin = layout.bin(simd, boxes[id as usize].min[0]);
        ends[bin + 1] += 1;
        bins.push(bin);
    }
    for bin in 1..ends.len() {
        ends[bin] += ends[bin - 1];
    }
    let mut ordered = vec![0; movers.len()];
    for (&id, bin) in movers.iter().zip(bins) {
        ordered[ends[bin] as usize] = id;
        ends[bin] += 1;
    }
    ordered
}
