//! In which order do boxes that are near in space follow each other?
//!
//! By Morton code (Morton 1966): space is cut into cells, and a cell's number is made of the bits of its
//! coordinates, in turn. Where more boxes than a node can hold share one code, because a stray box far
//! away stretches the space that is cut, they are ordered again by the space that they alone fill.

use core::ops::Range;

use embate_geom::Aabb;

use crate::pairs::block::LANES;

/// Bits of a code sorted in one pass: 2,048 counts stay in the nearest cache.
const DIGIT: u32 = 11;

/// Fewer keys than this are sorted by comparing.
const FEW: usize = 512;

/// Sorts boxes by code; keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    /// A code above, the box's place in the list below.
    keys: Vec<u64>,
    spare: Vec<u64>,
}

impl Order {
    /// All boxes, near ones side by side; a function of the boxes alone. The lower 32 bits of each key
    /// are a place in the list.
    pub(super) fn sort<const D: usize>(&mut self, boxes: &[Aabb<D>]) -> &[u64] {
        self.keys.clear();
        self.keys.extend(0..boxes.len() as u64);
        let mut unsorted = Vec::new();
        let mut next = Some(0..boxes.len());
        while let Some(range) = next {
            if self.sort_range(boxes, range.clone()) {
                self.runs_of_one_code(range, &mut unsorted);
            }
            next = unsorted.pop();
        }
        &self.keys
    }

    pub(super) fn bytes(&self) -> usize {
        (self.keys.capacity() + self.spare.capacity()) * size_of::<u64>()
    }

    /// Gives codes to a range of keys, over the space they fill, and sorts them. False if their centres
    /// are all one point, so that no code could part them.
    fn sort_range<const D: usize>(&mut self, boxes: &[Aabb<D>], range: Range<usize>) -> bool {
        let keys = &mut self.keys[range];
        let centres = keys.iter().map(|&key| doubled_centre(&boxes[key as u32 as usize]));
        let mut space = Aabb { min: [f32::INFINITY; D], max: [f32::NEG_INFINITY; D] };
        for centre in centres {
            space = space.with(&centre);
        }
        // Of no keys at all the space is upside down.
        if !(0..D).any(|axis| space.min[axis] < space.max[axis]) {
            return false;
        }
        let cells = Cells::over(&space);
        for key in keys.iter_mut() {
            let place = *key & u64::from(u32::MAX);
            *key = u64::from(cells.code(&boxes[place as usize])) << 32 | place;
        }
        if keys.len() < FEW {
            keys.sort_unstable();
        } else {
            radix_sort(keys, &mut self.spare, 32, Cells::<D>::BITS * D as u32);
        }
        true
    }

    /// Each run is shorter than the range it came from: its first and last key along some axis got
    /// different codes.
    fn runs_of_one_code(&self, range: Range<usize>, unsorted: &mut Vec<Range<usize>>) {
        let code = |place: usize| self.keys[place] >> 32;
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

/// Twice the centre, which saves halving it: boxes stay within ±1e18, so it does not overflow.
#[inline]
fn doubled_centre<const D: usize>(bounds: &Aabb<D>) -> [f32; D] {
    core::array::from_fn(|axis| bounds.min[axis] + bounds.max[axis])
}

/// Space cut into cells.
struct Cells<const D: usize> {
    origin: [f32; D],
    inv_side: [f32; D],
}

impl<const D: usize> Cells<D> {
    /// Bits a coordinate: all of a code fit 32.
    const BITS: u32 = if D == 2 { 16 } else { 10 };

    fn over(space: &Aabb<D>) -> Self {
        let cells = (1_u32 << Self::BITS) as f32;
        // Cells are cubes: those of a flat world would else be slivers, near on paper only.
        let side = space.longest_side() / cells;
        Self { origin: space.min, inv_side: [1.0 / side; D] }
    }

    #[inline]
    fn code(&self, bounds: &Aabb<D>) -> u32 {
        let centre = doubled_centre(bounds);
        let mut code = 0;
        for axis in 0..D {
            // A conversion of NaN (a side so small that its inverse is infinite) gives 0.
            let cell = ((centre[axis] - self.origin[axis]) * self.inv_side[axis]) as u32;
            code |= spread::<D>(cell.min((1 << Self::BITS) - 1)) << axis;
        }
        code
    }
}

/// Moves bit `i` to bit `D * i`.
#[inline]
fn spread<const D: usize>(cell: u32) -> u32 {
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

/// Sorts keys by `bits` bits from `low` on; equal ones keep their order.
fn radix_sort(keys: &mut [u64], spare: &mut Vec<u64>, low: u32, bits: u32) {
    spare.clear();
    spare.resize(keys.len(), 0);
    let spare = &mut spare[..keys.len()];
    let passes = bits.div_ceil(DIGIT);
    let digit = |key: u64, pass: u32| (key >> (low + pass * DIGIT)) as usize & ((1 << DIGIT) - 1);
    let mut counts = vec![[0_u32; 1 << DIGIT]; passes as usize];
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
            if pass % 2 == 0 { (&mut *keys, &mut *spare) } else { (&mut *spare, &mut *keys) };
        for &key in from.iter() {
            let start = &mut starts[digit(key, pass)];
            to[*start as usize] = key;
            *start += 1;
        }
    }
    if passes % 2 == 1 {
        keys.copy_from_slice(spare);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order<const D: usize>(boxes: &[Aabb<D>]) -> Vec<u32> {
        Order::default().sort(boxes).iter().map(|&key| key as u32).collect()
    }

    fn point(x: f32, y: f32) -> Aabb<2> {
        Aabb { min: [x, y], max: [x, y] }
    }

    #[test]
    fn cells_are_numbered_like_a_z() {
        let corners = [point(1.0, 1.0), point(0.0, 1.0), point(1.0, 0.0), point(0.0, 0.0)];
        assert_eq!(order(&corners), [3, 2, 1, 0]);
        assert_eq!(spread::<3>(0x3ff), 0x0924_9249);
        assert_eq!(spread::<2>(0xffff), 0x5555_5555);
    }

    /// One box at the end of the world would give all others the same code.
    #[test]
    fn a_stray_box_does_not_blur_the_others() {
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
    fn boxes_that_no_code_can_part_keep_the_order_of_the_list() {
        let many = vec![point(3.0, 4.0); 20_000];
        assert!(order(&many).into_iter().eq(0..20_000));
        assert!(order::<3>(&[]).is_empty());
    }

    #[test]
    fn distances_of_every_magnitude_are_told_apart() {
        let boxes: Vec<Aabb<2>> =
            (0..2_000).map(|i| point(f32::from_bits(0x0000_0001 + i * 0x8_0000), 0.0)).collect();
        let boxes: Vec<Aabb<2>> = boxes.into_iter().filter(|b| b.min[0] <= 1e18).collect();
        assert!(order(&boxes).into_iter().eq(0..boxes.len() as u32));
    }
}
