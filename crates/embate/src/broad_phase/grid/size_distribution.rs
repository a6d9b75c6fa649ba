//! Size distribution of the boxes, from a sample; suggests the cell size.

use embate_geom::{Aabb, scalar};

use crate::broad_phase::sample;

/// Number of boxes sampled. More did not measurably change the chosen cell size.
const SIZE_SAMPLES: usize = 128;

/// Fraction of boxes ignored at each end of the range of positions.
const POSITION_OUTLIER_FRACTION: f32 = 0.1;

/// Boxes per cell where boxes are small compared to their spacing: about one block of eight.
/// Measured on the uniform and heavy scenes of the benchmark: 4 to 8 hardly differ, 2 takes a
/// quarter longer.
const TARGET_BOXES_PER_CELL: f32 = 6.0;

/// Quantile of box sizes that fits the finest cells, if the largest is more than twice as large.
const SIZE_QUANTILE: f32 = 0.9;

/// Factor on the largest sampled size: a sample rarely contains the largest box.
const MAX_SIZE_MARGIN: f32 = 1.05;

/// Position and size statistics of a sample.
#[derive(Clone, Debug)]
pub(crate) struct SizeDistribution<const D: usize> {
    /// Trimmed range of the boxes' `min`: start and extent.
    pub(crate) origin: [f32; D],
    pub(crate) extent: [f32; D],
    /// Largest extents of the sampled boxes, ascending.
    pub(crate) sizes: Vec<f32>,
}

impl<const D: usize> SizeDistribution<D> {
    /// # Panics
    /// If `boxes` is empty.
    pub(crate) fn sample(boxes: &[Aabb<D>]) -> Self {
        let sample = sample::sample_indices(boxes.len(), SIZE_SAMPLES).map(|index| &boxes[index]);
        let (mut origin, mut extent) = ([0.0; D], [0.0; D]);
        for axis in 0..D {
            let mut minima: Vec<f32> = sample.clone().map(|b| b.min[axis]).collect();
            (origin[axis], extent[axis]) =
                sample::trimmed_range(&mut minima, POSITION_OUTLIER_FRACTION);
        }
        let mut sizes: Vec<f32> = sample.map(Aabb::max_extent).collect();
        sizes.sort_by(f32::total_cmp);
        Self { origin, extent, sizes }
    }

    /// Cell size for `boxes` boxes: large enough for most of them, and for
    /// [`TARGET_BOXES_PER_CELL`] on average.
    pub(crate) fn suggested_cell_size(&self, boxes: usize) -> f32 {
        let spacing = self.spacing(TARGET_BOXES_PER_CELL / boxes as f32);
        let quantile =
            |fraction: f32| self.sizes[(fraction * (self.sizes.len() - 1) as f32) as usize];
        let (usual, largest) = (quantile(SIZE_QUANTILE), quantile(1.0) * MAX_SIZE_MARGIN);
        let size = if largest <= 2.0 * usual { largest } else { usual };
        // The reciprocal of a subnormal number can be infinite.
        scalar::max(scalar::max(size, spacing), f32::MIN_POSITIVE)
    }

    /// Side of a square or cube of this fraction of the volume, or up to a tenth less. Axes without
    /// extent do not count.
    fn spacing(&self, fraction: f32) -> f32 {
        let extents = || self.extent.iter().filter(|extent| **extent > 0.0);
        let volume =
            extents().fold(f64::from(fraction), |volume, &extent| volume * f64::from(extent));
        let longest = extents().copied().fold(0.0, scalar::max);
        // By multiplication only: a platform's cube root could differ and change the order of
        // pairs.
        let mut side = f64::from(longest);
        while side > 0.0 && extents().fold(1.0, |volume, _| volume * side) > volume {
            side *= 0.9;
        }
        side as f32
    }
}
