//! Binned SAH: the best object split of a range of primitives (Wald 2007).
//!
//! Centroids are sorted into bins along each axis; the surface-area heuristic (SAH) picks the plane
//! between two bins with the least cost.
#![allow(clippy::inline_always, reason = "SIMD code must inline into the dispatched caller")]

use fearless_simd::{f32x4, f32x8, i32x4, prelude::*};

use crate::raycast::bvh::build::prim_ref::{
    CentroidBounds, CentroidBounds8, PrimRef, doubled_centroid,
};

/// Capacity in bins per axis.
pub(crate) const MAX_BINS: usize = 32;

/// Bins of the three axes. Only the bins in use are cleared, because most ranges are small.
pub(crate) struct SahBins {
    boxes: [[PrimRef; MAX_BINS]; 3],
    counts: [[u32; MAX_BINS]; 3],
}

/// Object split: primitives in bins below `bin` on `axis` go to the low side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ObjectSplit {
    /// SAH cost: half area times count, summed over both sides.
    pub(crate) cost: f32,
    axis: usize,
    bin: usize,
    origin: f32,
    scale: f32,
}

/// Sizes and bounds of the two sides of a split.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartitionResult {
    pub(crate) low_count: usize,
    pub(crate) high_count: usize,
    pub(crate) low_bounds: CentroidBounds,
    pub(crate) high_bounds: CentroidBounds,
}

impl PartitionResult {
    #[inline(always)]
    pub(crate) fn measure<S: Simd>(simd: S, low: &[PrimRef], high: &[PrimRef]) -> Self {
        Self {
            low_count: low.len(),
            high_count: high.len(),
            low_bounds: CentroidBounds::of_prims(simd, low),
            high_bounds: CentroidBounds::of_prims(simd, high),
        }
    }
}

impl SahBins {
    pub(crate) fn new() -> Self {
        Self { boxes: [[PrimRef::EMPTY; MAX_BINS]; 3], counts: [[0; MAX_BINS]; 3] }
    }

    /// The split with the least cost; `None` if all centroids coincide.
    #[inline(always)]
    pub(crate) fn best_split<S: Simd>(
        &mut self,
        simd: S,
        prims: &[PrimRef],
        centroids: &PrimRef,
        max_bins: usize,
    ) -> Option<ObjectSplit> {
        let bins = bin_count(prims.len(), max_bins);
        let mut origin = [0.0; 4];
        let mut scale = [0.0; 4];
        for axis in 0..3 {
            origin[axis] = -centroids.0[axis];
            let extent = centroids.0[axis + 4] + centroids.0[axis];
            // Slightly less than the number of bins, so that the last centroid falls into the last
            // bin.
            let bins_per_unit = bins as f32 * 0.999_999 / extent;
            scale[axis] =
                if extent > 0.0 && bins_per_unit.is_finite() { bins_per_unit } else { 0.0 };
            self.boxes[axis][..bins].fill(PrimRef::EMPTY);
            self.counts[axis][..bins].fill(0);
        }
        self.fill(simd, prims, origin, scale);
        let mut best: Option<ObjectSplit> = None;
        for axis in (0..3).filter(|&axis| scale[axis] != 0.0) {
            let (cost, bin) = self.best_split_on_axis(simd, axis, bins);
            if bin > 0 && best.is_none_or(|best| cost < best.cost) {
                best =
                    Some(ObjectSplit { cost, axis, bin, origin: origin[axis], scale: scale[axis] });
            }
        }
        best
    }

    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, prims: &[PrimRef], origin: [f32; 4], scale: [f32; 4]) {
        let (origin, scale) = (f32x4::simd_from(simd, origin), f32x4::simd_from(simd, scale));
        for prim in prims {
            let lanes = prim.lanes(simd);
            let (low, high) = lanes.split();
            let bins: i32x4<S> = (((high - low) - origin) * scale).to_int();
            let bins: [i32; 4] = bins.into();
            for axis in 0..3 {
                let bin = bins[axis] as usize & (MAX_BINS - 1);
                let bounds = &mut self.boxes[axis][bin];
                *bounds = PrimRef(bounds.lanes(simd).max(lanes).into());
                self.counts[axis][bin] += 1;
            }
        }
    }

    /// Least cost on an axis and the first bin of the high side; bin 0 if there is no split.
    #[inline(always)]
    fn best_split_on_axis<S: Simd>(&self, simd: S, axis: usize, bins: usize) -> (f32, usize) {
        let (boxes, counts) = (&self.boxes[axis], &self.counts[axis]);
        let empty = f32x8::splat(simd, f32::NEG_INFINITY);
        let mut costs_above = [f32::INFINITY; MAX_BINS];
        let (mut above, mut count) = (empty, 0);
        for bin in (1..bins).rev() {
            above = above.max(boxes[bin].lanes(simd));
            count += counts[bin];
            if count > 0 {
                costs_above[bin] = PrimRef(above.into()).half_area() * count as f32;
            }
        }
        let mut best = (f32::INFINITY, 0);
        let (mut below, mut count) = (empty, 0);
        for bin in 1..bins {
            below = below.max(boxes[bin - 1].lanes(simd));
            count += counts[bin - 1];
            if count > 0 {
                let cost = PrimRef(below.into()).half_area() * count as f32 + costs_above[bin];
                if cost < best.0 {
                    best = (cost, bin);
                }
            }
        }
        best
    }

    /// Half area of the intersection of the bounds of both sides, 0 if they are disjoint.
    pub(crate) fn overlap(&self, split: &ObjectSplit, prim_count: usize, max_bins: usize) -> f32 {
        let boxes = &self.boxes[split.axis][..bin_count(prim_count, max_bins)];
        let (low, high) = boxes.split_at(split.bin);
        let common = PrimRef::merge_all(low).intersection(&PrimRef::merge_all(high));
        if common.is_empty() { 0.0 } else { common.half_area() }
    }
}

/// Number of bins in use: small ranges need few.
fn bin_count(prim_count: usize, max_bins: usize) -> usize {
    (4 + prim_count / 16).min(max_bins).min(MAX_BINS)
}

impl ObjectSplit {
    /// Partitions the primitives in place, low side first. Branch-free: a branch would be
    /// mispredicted every second time.
    #[inline(always)]
    pub(crate) fn partition<S: Simd>(&self, simd: S, prims: &mut [PrimRef]) -> PartitionResult {
        let empty = f32x8::splat(simd, f32::NEG_INFINITY);
        let (mut low, mut high) = (CentroidBounds8::empty(simd), CentroidBounds8::empty(simd));
        let split_bin = self.bin as f32;
        let split_bins = f32x8::splat(simd, split_bin);
        let mut low_count = 0;
        for index in 0..prims.len() {
            let prim = prims[index];
            prims.swap(index, low_count);
            let bin = (prim.doubled_center(self.axis) - self.origin) * self.scale;
            low_count += usize::from(bin < split_bin);
            let is_low = f32x8::splat(simd, bin).simd_lt(split_bins);
            let lanes = prim.lanes(simd);
            let centroid = doubled_centroid(lanes);
            low.add(is_low.select(lanes, empty), is_low.select(centroid, empty));
            high.add(is_low.select(empty, lanes), is_low.select(empty, centroid));
        }
        PartitionResult {
            low_count,
            high_count: prims.len() - low_count,
            low_bounds: low.into(),
            high_bounds: high.into(),
        }
    }
}
