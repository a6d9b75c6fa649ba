//! Our uniform grid: boxes listed by cell, in layers of cells that double in size.
//!
//! ```text
//!   ┌────┬────┬────┐   A box is listed once, in the cell where it begins, on the layer whose cells are
//!   │ ▭  │  ▭┼┼▭   │   at least as long as it: so it reaches no further than the next cell. It looks for
//!   ├────┼────┼────┤   partners in its own row from where it is, and in the rows that follow.
//!   │   ▭┼   ▭│    │
//!   └────┴────┴────┘   Boxes of different layers: those of one layer look into the cells of the other,
//!                      in whichever direction fewer rows of cells are looked into.
//! ```
//!
//! Promise: every overlapping pair once, whatever the sizes. Boxes lie in the order of their cells, so a
//! row of cells is one stretch of boxes, tested eight at a time.

use core::ops::Range;

use embate_geom::Aabb;
use fearless_simd::{Level, Simd, dispatch};

use super::block::{BoxBlock, LANES};
use super::grid_finds::GridFinds;
use super::layer::Layer;
use super::spread::Spread;
use super::{Boxes, Pair, PairFinder, PairObserver};

/// Layers there can be: above the first each is twice as coarse as the one before, and `f32` knows no
/// ratio above 2¹²⁸.
const LAYERS: usize = 129;

/// Finds pairs by cells, as many sizes of them as the boxes ask for.
///
/// ```
/// use embate::{Aabb, pairs::{Boxes, Grid, PairFinder}};
///
/// let boxes = [
///     Aabb { min: [0.0, 0.0], max: [2.0, 2.0] },
///     Aabb { min: [5.0, 5.0], max: [6.0, 6.0] },
///     Aabb { min: [2.0, 1.0], max: [900.0, 3.0] },
/// ];
/// let mut pairs = Vec::new();
/// Grid::with_cell(4.0).unwrap().find(Boxes::new(&boxes)?, &mut pairs);
/// assert_eq!(pairs, [[0, 2]]);
/// # Ok::<(), embate::pairs::InvalidBox>(())
/// ```
#[derive(Clone, Debug)]
pub struct Grid<const D: usize> {
    level: Level,
    /// The finest cells' side, if it was given.
    side: Option<f32>,
    layers: Vec<Layer<D>>,
    /// The cell of each box.
    cells: Vec<u32>,
    /// Where each cell's boxes begin; one more at the end.
    starts: Vec<u32>,
    /// In order of cells.
    ids: Vec<u32>,
    /// The same boxes, side by side.
    blocks: Vec<BoxBlock<D>>,
    found: GridFinds,
}

impl<const D: usize> Default for Grid<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize> Grid<D> {
    /// Chooses the side of its cells anew for each frame, from the boxes.
    ///
    /// # Panics
    /// If `D` is neither 2 nor 3.
    #[must_use]
    pub fn new() -> Self {
        assert!(D == 2 || D == 3, "{D} dimensions");
        Self {
            level: Level::new(),
            side: None,
            layers: Vec::new(),
            cells: Vec::new(),
            starts: Vec::new(),
            ids: Vec::new(),
            blocks: Vec::new(),
            found: GridFinds::default(),
        }
    }

    /// The finest cells have this side; larger boxes get layers of larger cells. `None` unless it is
    /// finite and above 0.
    ///
    /// # Panics
    /// If `D` is neither 2 nor 3.
    #[must_use]
    pub fn with_cell(side: f32) -> Option<Self> {
        // The inverse of anything smaller is infinite.
        let side_given = Some(embate_geom::scalar::max(side, f32::MIN_POSITIVE));
        (side.is_finite() && side > 0.0).then(|| Self { side: side_given, ..Self::new() })
    }

    /// Lists every box in its cell.
    fn list(&mut self, boxes: &[Aabb<D>]) {
        let spread = Spread::of(boxes);
        let side = self.side.unwrap_or_else(|| spread.cell_side(boxes.len()));
        let layer_of = self.make_layers(boxes, side, &spread);
        while self.number_cells(boxes, side, &layer_of) {}

        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        for layer in &mut self.layers {
            // Counts have become ends, and those of the cell before are the first's start.
            let start = if layer.cells.start == 0 {
                0
            } else {
                self.starts[layer.cells.start as usize - 1]
            };
            layer.places = start..self.starts[layer.cells.end as usize - 1];
        }
        // Filled from behind, each end comes to rest where its cell begins.
        self.ids.clear();
        self.ids.resize(boxes.len(), 0);
        for (id, &cell) in self.cells.iter().enumerate().rev() {
            let place = &mut self.starts[cell as usize];
            *place -= 1;
            self.ids[*place as usize] = id as u32;
        }
        self.blocks.clear();
        self.blocks.extend(self.ids.chunks(LANES).map(|ids| {
            let mut block = BoxBlock::EMPTY;
            for (lane, &id) in ids.iter().enumerate() {
                block.set(lane, &boxes[id as usize]);
            }
            block
        }));
    }

    /// One layer for each size of cells that some box needs; returns which layer is whose.
    fn make_layers(&mut self, boxes: &[Aabb<D>], side: f32, spread: &Spread<D>) -> [u8; LAYERS] {
        let mut counts = [0; LAYERS];
        for bounds in boxes {
            counts[doublings(side, bounds)] += 1;
        }
        self.layers.clear();
        let mut layer_of = [0; LAYERS];
        let (mut layer_side, mut first_cell) = (side, 0);
        for (doublings, &count) in counts.iter().enumerate() {
            if count > 0 {
                layer_of[doublings] = self.layers.len() as u8;
                let layer = Layer::new(count, layer_side, spread, first_cell);
                first_cell = layer.cells.end;
                self.layers.push(layer);
            }
            layer_side *= 2.0;
        }
        layer_of
    }

    /// Counts the boxes of each cell; whether that must be done again, with an axis less cut.
    fn number_cells(&mut self, boxes: &[Aabb<D>], side: f32, layer_of: &[u8; LAYERS]) -> bool {
        self.starts.clear();
        self.starts.resize(self.layers.last().map_or(0, |layer| layer.cells.end as usize) + 1, 0);
        self.cells.clear();
        self.layers.iter_mut().for_each(|layer| layer.reach = [0; D]);
        self.cells.extend(boxes.iter().map(|bounds| {
            let layer = &mut self.layers[usize::from(layer_of[doublings(side, bounds)])];
            let reached = layer.reached(bounds);
            layer.stretch_reach(&reached);
            let cell = layer.cell(&reached);
            self.starts[cell as usize] += 1;
            cell
        }));
        let too_far = self.layers.iter_mut().map(Layer::leave_uncut_where_reach_is_too_far);
        too_far.fold(false, |any, too_far| any | too_far)
    }

    #[expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]
    #[inline(always)]
    fn search<S: Simd, O: PairObserver>(
        &self,
        simd: S,
        found: &mut GridFinds,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        for (number, layer) in self.layers.iter().enumerate() {
            self.search_within(simd, layer, found, pairs, observer);
            for coarser in &self.layers[number + 1..] {
                let (from, into) = cheaper_way(layer, coarser);
                self.search_across(simd, from, into, found, pairs, observer);
            }
        }
    }

    /// Pairs of boxes that are both of this layer.
    #[expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]
    #[inline(always)]
    fn search_within<S: Simd, O: PairObserver>(
        &self,
        simd: S,
        layer: &Layer<D>,
        found: &mut GridFinds,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        let mut spans = Vec::new();
        for place in layer.places.clone() {
            let bounds = self.bounds_at(place);
            let reached = layer.reached(&bounds);
            spans.clear();
            layer.for_each_own_span(&reached, |cells| spans.push(self.boxes_of(cells, observer)));
            // The own cell begins with boxes that have looked before, and this one.
            spans[0].start = place + 1;
            layer.for_each_later_span(&reached, |cells| spans.push(self.boxes_of(cells, observer)));
            for span in &spans {
                observer.test(u64::from(span.end - span.start));
                if observer.watches() {
                    self.tell_tests(place, span, observer);
                }
                found.test(simd, &self.blocks, place, &bounds, span);
            }
            found.tell_if_many(&self.ids, pairs);
        }
        found.tell(&self.ids, pairs);
    }

    /// Pairs of a box of one layer and a box of another.
    #[expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]
    #[inline(always)]
    fn search_across<S: Simd, O: PairObserver>(
        &self,
        simd: S,
        from: &Layer<D>,
        into: &Layer<D>,
        found: &mut GridFinds,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        let mut spans = Vec::new();
        for place in from.places.clone() {
            let bounds = self.bounds_at(place);
            spans.clear();
            into.for_each_span(&into.reached(&bounds), |cells| {
                spans.push(self.boxes_of(cells, observer));
            });
            for span in &spans {
                observer.test(u64::from(span.end - span.start));
                if observer.watches() {
                    self.tell_tests(place, span, observer);
                }
                found.test(simd, &self.blocks, place, &bounds, span);
            }
            found.tell_if_many(&self.ids, pairs);
        }
        found.tell(&self.ids, pairs);
    }

    /// Tells the cells that list a box, which looks into its own.
    fn tell_cells<O: PairObserver>(&self, observer: &mut O) {
        for layer in &self.layers {
            let bounds_of_cell =
                |&place: &u32| layer.bounds_of_cell(&layer.reached(&self.bounds_at(place)));
            for cell in layer.cells.clone() {
                // Boxes a whole period apart are listed together, but lie in cells of their own.
                let places = self.starts[cell as usize]..self.starts[cell as usize + 1];
                for place in places.clone() {
                    let bounds = bounds_of_cell(&place);
                    let is_here = |other: &u32| bounds_of_cell(other) == bounds;
                    if !(places.start..place).any(|earlier| is_here(&earlier)) {
                        let here = places.clone().filter(is_here);
                        let ids = here.map(|place| self.ids[place as usize]);
                        observer.cell(&bounds.min, &bounds.max, ids);
                    }
                }
            }
        }
    }

    /// Tells whom the box at `place` was tested against.
    fn tell_tests<O: PairObserver>(&self, place: u32, span: &Range<u32>, observer: &mut O) {
        let others = &self.ids[span.start as usize..span.end as usize];
        observer.tested(self.ids[place as usize], others.iter().copied());
    }

    /// Where the boxes listed in neighbouring cells are.
    #[inline]
    fn boxes_of<O: PairObserver>(&self, cells: Range<u32>, observer: &mut O) -> Range<u32> {
        observer.enter(u64::from(cells.end - cells.start));
        self.starts[cells.start as usize]..self.starts[cells.end as usize]
    }

    #[inline]
    fn bounds_at(&self, place: u32) -> Aabb<D> {
        let (block, lane) = (&self.blocks[place as usize / LANES], place as usize % LANES);
        Aabb { min: block.min.map(|lanes| lanes[lane]), max: block.max.map(|lanes| lanes[lane]) }
    }
}

/// Which of two layers looks into the other: the way that looks into fewer rows of cells.
fn cheaper_way<'a, const D: usize>(
    fine: &'a Layer<D>,
    coarse: &'a Layer<D>,
) -> (&'a Layer<D>, &'a Layer<D>) {
    let rows =
        |from: &Layer<D>, into: &Layer<D>| from.places.len() as f32 * into.rows_reached(from.side);
    if rows(coarse, fine) < rows(fine, coarse) { (coarse, fine) } else { (fine, coarse) }
}

impl<const D: usize> PairFinder<D> for Grid<D> {
    fn find_observed<O: PairObserver>(
        &mut self,
        boxes: Boxes<'_, D>,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        if boxes.is_empty() {
            return;
        }
        self.list(&boxes);
        observer.list(boxes.len() as u64);
        if observer.watches() {
            self.tell_cells(observer);
        }
        let level = self.level;
        let mut found = core::mem::take(&mut self.found);
        dispatch!(level, simd => self.search(simd, &mut found, pairs, observer));
        self.found = found;
    }

    fn bytes(&self) -> usize {
        let numbers = self.cells.capacity() + self.starts.capacity() + self.ids.capacity();
        numbers * size_of::<u32>()
            + self.layers.capacity() * size_of::<Layer<D>>()
            + self.blocks.capacity() * size_of::<BoxBlock<D>>()
            + self.found.bytes()
    }
}

/// How often `side` must double to be at least as long as the box.
#[inline]
fn doublings<const D: usize>(side: f32, bounds: &Aabb<D>) -> usize {
    let ratio = bounds.longest_side() / side;
    if ratio <= 1.0 {
        return 0;
    }
    // The exponent of an f32, one more if there is anything beyond the power of two.
    let bits = ratio.to_bits();
    (bits >> 23) as usize - 127 + usize::from(bits & 0x7f_ffff != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::{Brute, PairCounts};

    fn lattice() -> Vec<Aabb<3>> {
        let corner = |i: u32| [i % 20, i / 20 % 20, i / 400].map(|c| c as f32 * 1.25);
        (0..8_000)
            .map(|i| Aabb { min: corner(i), max: corner(i).map(|least| least + 1.0) })
            .collect()
    }

    fn assert_equals_brute(boxes: &[Aabb<3>], mut grid: Grid<3>) -> PairCounts {
        let (mut pairs, mut expected) = (Vec::new(), Vec::new());
        let mut counts = PairCounts::default();
        grid.find_observed(Boxes::new(boxes).unwrap(), &mut pairs, &mut counts);
        Brute::new().find(Boxes::new(boxes).unwrap(), &mut expected);
        pairs.sort_unstable();
        assert!(pairs == expected, "{} pairs, not {}", pairs.len(), expected.len());
        assert!(grid.bytes() < 80 * boxes.len() + 20_000, "{} bytes", grid.bytes());
        counts
    }

    #[test]
    fn boxes_far_away_and_giants_cost_neither_memory_nor_tests() {
        let usual = assert_equals_brute(&lattice(), Grid::new()).tests;
        let mut boxes = lattice();
        boxes[7] = Aabb { min: [1e18; 3], max: [1e18; 3] };
        boxes[70] = Aabb { min: [-1e18; 3], max: [1e18; 3] };
        boxes[700] = Aabb { min: [-3e9, 0.0, 1e-20], max: [-2e9, 1e17, 1e-20] };
        let tests = assert_equals_brute(&boxes, Grid::new()).tests;
        assert!(tests < usual + 20_000, "{tests} tests, {usual} without them");
    }

    /// Cells so small that neighbouring numbers lie many cells apart: the axis is then left uncut.
    #[test]
    fn cells_finer_than_the_numbers_lose_no_pair() {
        for shift in [0.0, 1e7, 1e12] {
            let mut boxes = lattice();
            for b in &mut boxes {
                (b.min[1], b.max[1]) = (b.min[1] + shift, b.max[1] + shift);
            }
            for side in [1e-45, 1e-20, 1e-6, 0.01] {
                assert_equals_brute(&boxes, Grid::with_cell(side).unwrap());
            }
        }
    }

    #[test]
    fn a_side_that_is_no_length_is_refused() {
        for side in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(Grid::<2>::with_cell(side).is_none());
        }
    }
}
