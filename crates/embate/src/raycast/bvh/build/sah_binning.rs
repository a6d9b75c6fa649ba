//! Where is a range of triangles best split in two, each going to one side whole?
//!
//! Their middles are put into bins along each axis, and the surface-area heuristic says between which two bins
//! to cut (Wald 2007).
#![allow(clippy::inline_always)]

use fearless_simd::{f32x4, f32x8, i32x4, prelude::*};

use super::wide_box::{Extent, WideBox, WideExtent, twice_middle};

/// Bins an axis can be cut into.
pub(super) const MOST_BINS: usize = 32;

/// The bins of three axes. Only those in use are cleared, for most ranges are small.
pub(super) struct Bins {
    boxes: [[WideBox; MOST_BINS]; 3],
    counts: [[u32; MOST_BINS]; 3],
}

/// A cut: members of bins below `bin` on `axis` go to the first side.
#[derive(Clone, Copy, Debug)]
pub(super) struct Split {
    /// Area times members, of both sides.
    pub(super) cost: f32,
    axis: usize,
    bin: usize,
    origin: f32,
    scale: f32,
}

/// Members before and behind a cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sides {
    /// How many are before it.
    pub(super) low: usize,
    pub(super) high: usize,
    pub(super) low_extent: Extent,
    pub(super) high_extent: Extent,
}

impl Sides {
    #[inline(always)]
    pub(super) fn of<S: Simd>(simd: S, low: &[WideBox], high: &[WideBox]) -> Self {
        Self {
            low: low.len(),
            high: high.len(),
            low_extent: Extent::of(simd, low),
            high_extent: Extent::of(simd, high),
        }
    }
}

impl Bins {
    pub(super) fn new() -> Self {
        Self { boxes: [[WideBox::NOTHING; MOST_BINS]; 3], counts: [[0; MOST_BINS]; 3] }
    }

    /// The cut with the least cost; `None` if all middles coincide.
    #[inline(always)]
    pub(super) fn best_split<S: Simd>(
        &mut self,
        simd: S,
        members: &[WideBox],
        middles: &WideBox,
        most_bins: usize,
    ) -> Option<Split> {
        let bins = bins_for(members.len(), most_bins);
        let mut origin = [0.0; 4];
        let mut scale = [0.0; 4];
        for axis in 0..3 {
            origin[axis] = -middles.0[axis];
            let extent = middles.0[axis + 4] + middles.0[axis];
            // Slightly less than the number of bins: the last middle must fall into the last bin.
            let per_bin = bins as f32 * 0.999_999 / extent;
            scale[axis] = if extent > 0.0 && per_bin.is_finite() { per_bin } else { 0.0 };
            self.boxes[axis][..bins].fill(WideBox::NOTHING);
            self.counts[axis][..bins].fill(0);
        }
        self.fill(simd, members, origin, scale);
        let mut best: Option<Split> = None;
        for axis in (0..3).filter(|&axis| scale[axis] != 0.0) {
            let (cost, bin) = self.best_cut(simd, axis, bins);
            if bin > 0 && best.is_none_or(|best| cost < best.cost) {
                best = Some(Split { cost, axis, bin, origin: origin[axis], scale: scale[axis] });
            }
        }
        best
    }

    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, members: &[WideBox], origin: [f32; 4], scale: [f32; 4]) {
        let (origin, scale) = (f32x4::simd_from(simd, origin), f32x4::simd_from(simd, scale));
        for member in members {
            let lanes = member.lanes(simd);
            let (low, high) = lanes.split();
            let place: i32x4<S> = (((high - low) - origin) * scale).to_int();
            let place: [i32; 4] = place.into();
            for axis in 0..3 {
                let bin = place[axis] as usize & (MOST_BINS - 1);
                let joined = &mut self.boxes[axis][bin];
                *joined = WideBox(joined.lanes(simd).max(lanes).into());
                self.counts[axis][bin] += 1;
            }
        }
    }

    /// The least cost on an axis, and the first bin of the second side; 0 if there is no cut.
    #[inline(always)]
    fn best_cut<S: Simd>(&self, simd: S, axis: usize, bins: usize) -> (f32, usize) {
        let (boxes, counts) = (&self.boxes[axis], &self.counts[axis]);
        let nothing = f32x8::splat(simd, f32::NEG_INFINITY);
        let mut costs_above = [f32::INFINITY; MOST_BINS];
        let (mut above, mut count) = (nothing, 0);
        for bin in (1..bins).rev() {
            above = above.max(boxes[bin].lanes(simd));
            count += counts[bin];
            if count > 0 {
                costs_above[bin] = WideBox(above.into()).area() * count as f32;
            }
        }
        let mut best = (f32::INFINITY, 0);
        let (mut below, mut count) = (nothing, 0);
        for bin in 1..bins {
            below = below.max(boxes[bin - 1].lanes(simd));
            count += counts[bin - 1];
            if count > 0 {
                let cost = WideBox(below.into()).area() * count as f32 + costs_above[bin];
                if cost < best.0 {
                    best = (cost, bin);
                }
            }
        }
        best
    }

    /// What the boxes of both sides have in common: half its surface, 0 if they are apart.
    pub(super) fn overlap(&self, split: &Split, members: usize, most_bins: usize) -> f32 {
        let boxes = &self.boxes[split.axis][..bins_for(members, most_bins)];
        let (low, high) = boxes.split_at(split.bin);
        let common = WideBox::around(low).common(&WideBox::around(high));
        if common.is_empty() { 0.0 } else { common.area() }
    }
}

/// Few members need few bins.
fn bins_for(members: usize, most_bins: usize) -> usize {
    (4 + members / 16).min(most_bins).min(MOST_BINS)
}

impl Split {
    /// Puts members of the first side before those of the second. (Without a branch: it would be
    /// mispredicted every second time.)
    #[inline(always)]
    pub(super) fn partition<S: Simd>(&self, simd: S, members: &mut [WideBox]) -> Sides {
        let nothing = f32x8::splat(simd, f32::NEG_INFINITY);
        let (mut low, mut high) = (WideExtent::nothing(simd), WideExtent::nothing(simd));
        let end = self.bin as f32;
        let ends = f32x8::splat(simd, end);
        let mut cut = 0;
        for place in 0..members.len() {
            let member = members[place];
            members.swap(place, cut);
            let at = (member.middle(self.axis) - self.origin) * self.scale;
            cut += usize::from(at < end);
            let is_low = f32x8::splat(simd, at).simd_lt(ends);
            let (lanes, nothing) = (member.lanes(simd), nothing);
            let middle = twice_middle(lanes);
            low.add(is_low.select(lanes, nothing), is_low.select(middle, nothing));
            high.add(is_low.select(nothing, lanes), is_low.select(nothing, middle));
        }
        Sides {
            low: cut,
            high: members.len() - cut,
            low_extent: low.into(),
            high_extent: high.into(),
        }
    }
}
