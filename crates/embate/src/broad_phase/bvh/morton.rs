//! Morton order (Z-order) of boxes, by radix sort.
//!
//! A Morton code interleaves the bits of quantized coordinates (Morton 1966). If more boxes than
//! fit a node share a code, because a stray box far away enlarges the quantized space, they are
//! sorted again with the space that they alone occupy.

use core::ops::Range;

use embate_geom::Aabb;

use crate::broad_phase::aabb8::LANES;

/// Bits per radix pass: 2,048 counters fit the L1 cache.
const RADIX_BITS: u32 = 11;

/// Fewer keys than this are sorted by comparison.
const RADIX_SORT_MIN_KEYS: usize = 512;

/// Sorts boxes by Morton code; keeps its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct MortonSorter {
    /// Code in the upper 32 bits, index of the box in the lower.
    keys: Vec<u64>,
    scratch: Vec<u64>,
}

impl MortonSorter {
    /// The keys of all boxes in Morton order, a function of the boxes alone. The lower 32 bits of a
    /// key are the index of its box.
    pub(super) fn sort<const D: usize>(&mut self, boxes: &[Aabb<D>]) -> &[u64] {
        self.keys.clear();
        self.keys.extend(0..boxes.len() as u64);
        let mut unsorted = Vec::new();
        let mut next = Some(0..boxes.len());
        while let Some(range) = next {
            if self.sort_range(boxes, range.clone()) {
                self.push_equal_code_runs(range, &mut unsorted);
            }
            next = unsorted.pop();
        }
        &self.keys
    }

    pub(super) fn memory_usage(&self) -> usize {
        (self.keys.capacity() + self.scratch.capacity()) * size_of::<u64>()
    }

    /// Assigns codes to a range of keys, relative to the space their boxes occupy, and sorts them.
    /// Returns `false` if all centers coincide, so that no code can separate them.
    fn sort_range<const D: usize>(&mut self, boxes: &[Aabb<D>], range: Range<usize>) -> bool {
        let keys = &mut self.keys[range];
        let centers = keys.iter().map(|&key| doubled_center(&boxes[key as u32 as usize]));
        let mut space = Aabb { min: [f32::INFINITY; D], max: [f32::NEG_INFINITY; D] };
        for center in centers {
            space = space.with_point(&center);
        }
        // Without keys the space is inverted.
        if !(0..D).any(|axis| space.min[axis] < space.max[axis]) {
            return false;
        }
        let quantizer = Quantizer::new(&space);
        for key in keys.iter_mut() {
            let index = *key & u64::from(u32::MAX);
            *key = u64::from(quantizer.morton_code(&boxes[index as usize])) << 32 | index;
        }
        if keys.len() < RADIX_SORT_MIN_KEYS {
            keys.sort_unstable();
        } else {
            radix_sort(keys, &mut self.scratch, 32, Quantizer::<D>::BITS * D as u32);
        }
        true
    }

    /// Pushes every run of more than [`LANES`] equal codes. A run is shorter than its range: the
    /// extreme keys along some axis have different codes.
    fn push_equal_code_runs(&self, range: Range<usize>, unsorted: &mut Vec<Range<usize>>) {
        let code = |index: usize| self.keys[index] >> 32;
        let mut start = range.start;
        while start + LANES < range.end {
            if code(start) == code(start + LANES) {
                let run =
                    self.keys[start..range.end].partition_point(|key| key >> 32 == code(start));
                unsorted.push(start..start + run);
                start += run;
            } else {
                start += 1;
            }
        }
    }
}

/// Twice the center, which saves a division: boxes are within ±1e18, so it does not overflow.
#[inline]
fn doubled_center<const D: usize>(bounds: &Aabb<D>) -> [f32; D] {
    core::array::from_fn(|axis| bounds.min[axis] + bounds.max[axis])
}

/// Maps coordinates to integers.
struct Quantizer<const D: usize> {
    origin: [f32; D],
    inv_cell_size: [f32; D],
}

impl<const D: usize> Quantizer<D> {
    /// Bits per coordinate: a code fits 32 bits.
    const BITS: u32 = if D == 2 { 16 } else { 10 };

    fn new(space: &Aabb<D>) -> Self {
        let cells = (1_u32 << Self::BITS) as f32;
        // Cubic cells: in a flat world, cells scaled per axis would be slivers, and boxes of nearby
        // codes far apart.
        let cell_size = space.max_extent() / cells;
        Self { origin: space.min, inv_cell_size: [1.0 / cell_size; D] }
    }

    #[inline]
    fn morton_code(&self, bounds: &Aabb<D>) -> u32 {
        let center = doubled_center(bounds);
        let mut code = 0;
        for axis in 0..D {
            // NaN, from a cell size whose reciprocal is infinite, converts to 0.
            let cell = ((center[axis] - self.origin[axis]) * self.inv_cell_size[axis]) as u32;
            code |= expand_bits::<D>(cell.min((1 << Self::BITS) - 1)) << axis;
        }
        code
    }
}

/// Moves bit `i` to bit `D * i`.
#[inline]
fn expand_bits<const D: usize>(cell: u32) -> u32 {
    let mut bits = cell;
    if D == 2 {
        bits = (bits | bits << 8) & 0x00ff_00ff;
        bits = (bits | bits << 4) & 0x0f0f_0f0f;
        bits = (bits | bits << 2) & 0x3333_3333;
        (bits | bits << 1) & 0x5555_5555
    } else {
        bits = (bits | bits << 16) & 0x0300_00ff;
        bits = (bits | bits << 8) & 0x0300_f00f;
        bits = (bits | bits << 4) & 0x030c_30c3;
        (bits | bits << 2) & 0x0924_9249
    }
}

/// LSD radix sort by `bits` bits from bit `low` on; stable.
fn radix_sort(keys: &mut [u64], scratch: &mut Vec<u64>, low: u32, bits: u32) {
    scratch.clear();
    scratch.resize(keys.len(), 0);
    let scratch = &mut scratch[..keys.len()];
    let passes = bits.div_ceil(RADIX_BITS);
    let digit =
        |key: u64, pass: u32| (key >> (low + pass * RADIX_BITS)) as usize & ((1 << RADIX_BITS) - 1);
    let mut counts = vec![[0_u32; 1 << RADIX_BITS]; passes as usize];
    for &key in keys.iter() {
        for (pass, counts) in (0..).zip(&mut counts) {
            counts[digit(key, pass)] += 1;
        }
    }
    for (pass, starts) in (0..).zip(&mut counts) {
        let mut sum = 0;
        for count in starts.iter_mut() {
            sum += core::mem::replace(count, sum);
        }
        let (from, to) =
            if pass % 2 == 0 { (&mut *keys, &mut *scratch) } else { (&mut *scratch, &mut *keys) };
        for &key in from.iter() {
            let start = &mut starts[digit(key, pass)];
            to[*start as usize] = key;
            *start += 1;
        }
    }
    if passes % 2 == 1 {
        keys.copy_from_slice(scratch);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order<const D: usize>(boxes: &[Aabb<D>]) -> Vec<u32> {
        MortonSorter::default().sort(boxes).iter().map(|&key| key as u32).collect()
    }

    fn point(x: f32, y: f32) -> Aabb<2> {
        Aabb { min: [x, y], max: [x, y] }
    }

    #[test]
    fn cells_are_in_z_order() {
        let corners = [point(1.0, 1.0), point(0.0, 1.0), point(1.0, 0.0), point(0.0, 0.0)];
        assert_eq!(order(&corners), [3, 2, 1, 0]);
        assert_eq!(expand_bits::<3>(0x3ff), 0x0924_9249);
        assert_eq!(expand_bits::<2>(0xffff), 0x5555_5555);
    }

    /// One box 1e18 away would give all others the same code.
    #[test]
    fn distant_box_does_not_coarsen_the_order_of_the_others() {
        let mut boxes: Vec<Aabb<2>> =
            (0..1_000).map(|i| point((i * 7 % 1_000) as f32, 0.0)).collect();
        boxes.push(point(1e18, 1e18));
        boxes.push(point(-1e18, 1e9));
        let sorted = order(&boxes);
        let near: Vec<f32> =
            sorted.iter().map(|&i| boxes[i as usize].min[0]).filter(|x| x.abs() < 1e6).collect();
        assert!(near.is_sorted());
    }

    #[test]
    fn boxes_of_equal_center_keep_the_input_order() {
        let many = vec![point(3.0, 4.0); 20_000];
        assert!(order(&many).into_iter().eq(0..20_000));
        assert!(order::<3>(&[]).is_empty());
    }

    #[test]
    fn positions_of_every_magnitude_are_ordered() {
        let boxes: Vec<Aabb<2>> =
            (0..2_000).map(|i| point(f32::from_bits(0x0000_0001 + i * 0x8_0000), 0.0)).collect();
        let boxes: Vec<Aabb<2>> = boxes.into_iter().filter(|b| b.min[0] <= 1e18).collect();
        assert!(order(&boxes).into_iter().eq(0..boxes.len() as u32));
    }
}
