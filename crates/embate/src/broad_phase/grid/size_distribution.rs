//! How large are the boxes, and how far are they spread?

use embate_geom::{Aabb, scalar};

use super::sample;

/// Boxes looked at. More would not change the choice of a cell by what can be measured.
const SAMPLE: usize = 128;

/// The share of boxes on each side that may lie far out without being counted as spread.
const OUTLYING: f32 = 0.1;

/// Boxes a cell should hold, where boxes are so small that it matters: about one block. Measured on the
/// uniform and heavy scenes of the benchmark; from 4 to 8 hardly differ, 2 takes a quarter longer.
const BOXES_A_CELL: f32 = 6.0;

/// The share of boxes that the finest cells should be large enough for, if sizes differ much.
const MOST: f32 = 0.9;

/// A sample rarely holds the largest box of all.
const BEYOND_SAMPLE: f32 = 1.05;

/// What a sample tells.
#[derive(Clone, Debug)]
pub(super) struct Spread<const D: usize> {
    /// Below most boxes.
    pub(super) origin: [f32; D],
    /// Edge lengths of the box that most boxes begin in.
    pub(super) extent: [f32; D],
    /// The longest sides, ascending.
    pub(super) sides: Vec<f32>,
}

impl<const D: usize> Spread<D> {
    /// `boxes` is not empty.
    pub(super) fn of(boxes: &[Aabb<D>]) -> Self {
        let sample = sample::places(boxes.len(), SAMPLE).map(|place| &boxes[place]);
        let (mut origin, mut extent) = ([0.0; D], [0.0; D]);
        for axis in 0..D {
            let mut begins: Vec<f32> = sample.clone().map(|b| b.min[axis]).collect();
            (origin[axis], extent[axis]) = sample::usual_range(&mut begins, OUTLYING);
        }
        let mut sides: Vec<f32> = sample.map(Aabb::longest_side).collect();
        sides.sort_by(f32::total_cmp);
        Self { origin, extent, sides }
    }

    /// The side that suits cells for so many boxes.
    pub(super) fn cell_side(&self, boxes: usize) -> f32 {
        let spacing = self.spacing(BOXES_A_CELL / boxes as f32);
        let quantile = |share: f32| self.sides[(share * (self.sides.len() - 1) as f32) as usize];
        let (most, all) = (quantile(MOST), quantile(1.0) * BEYOND_SAMPLE);
        let size = if all <= 2.0 * most { all } else { most };
        // The inverse of a smaller side is infinite.
        scalar::max(scalar::max(size, spacing), f32::MIN_POSITIVE)
    }

    /// The side of a square or cube of that share of the volume, or up to a tenth less. Axes along which
    /// nothing is spread do not count.
    fn spacing(&self, share: f32) -> f32 {
        let spread = || self.extent.iter().filter(|extent| **extent > 0.0);
        let volume = spread().fold(f64::from(share), |volume, &extent| volume * f64::from(extent));
        let longest = spread().copied().fold(0.0, scalar::max);
        // By multiplications alone: a platform's own root could choose another order of pairs.
        let mut side = f64::from(longest);
        while side > 0.0 && spread().fold(1.0, |volume, _| volume * side) > volume {
            side *= 0.9;
        }
        side as f32
    }
}
