//! Sweep and prune (sort and sweep) along one axis (Baraff 1992; Cohen et al. 1995, I-COLLIDE).
//!
//! Boxes are sorted by their `min` on the sweep axis. Each is tested against those that start
//! before it ends. The order is kept for the next frame: an adaptive sort restores it fast while
//! boxes move little.

use crate::broad_phase::{AabbSlice, BroadPhase, BroadPhaseObserver, OverlapPair};

/// Choice of the sweep axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepAxis {
    /// Always this axis, from 0.
    Fixed(usize),
    /// The axis of largest variance of the box centers in the previous frame; axis 0 in the first.
    LargestVariance,
}

/// Sweep and prune over one axis; keeps the sorted order between frames (temporal coherence).
#[derive(Clone, Debug)]
#[doc(alias = "SortSweep")]
#[doc(alias = "SAP")]
pub struct SweepAndPrune {
    axis_choice: SweepAxis,
    axis: usize,
    order: Vec<u32>,
}

impl SweepAndPrune {
    /// Sweeps along the axis that `axis_choice` selects.
    #[must_use]
    pub fn new(axis_choice: SweepAxis) -> Self {
        let axis = match axis_choice {
            SweepAxis::Fixed(axis) => axis,
            SweepAxis::LargestVariance => 0,
        };
        Self { axis_choice, axis, order: Vec::new() }
    }
}

impl<const D: usize> BroadPhase<D> for SweepAndPrune {
    /// # Panics
    /// If a fixed axis is `D` or more.
    fn find_pairs_observed<O: BroadPhaseObserver>(
        &mut self,
        boxes: AabbSlice<'_, D>,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        let axis = self.axis;
        let min = |index: u32| boxes[index as usize].min[axis];
        if self.order.len() != boxes.len() {
            self.order = (0..boxes.len() as u32).collect();
        }
        // The standard sort is adaptive: fast on the nearly sorted order of the last frame. Equal
        // minima are ordered by index, so that the order does not depend on earlier frames.
        self.order.sort_by(|&a, &b| min(a).total_cmp(&min(b)).then(a.cmp(&b)));
        for (position, &a) in self.order.iter().enumerate() {
            let bounds = &boxes[a as usize];
            let mut end = position + 1;
            for &b in &self.order[position + 1..] {
                let other = &boxes[b as usize];
                if other.min[axis] > bounds.max[axis] {
                    break;
                }
                observer.count_overlap_tests(1);
                end += 1;
                if bounds.overlaps(other) {
                    pairs.push([a.min(b), a.max(b)]);
                }
            }
            if observer.wants_details() {
                observer.overlap_test(a, self.order[position + 1..end].iter().copied());
            }
        }
        if self.axis_choice == SweepAxis::LargestVariance {
            self.axis = axis_of_largest_variance(boxes);
        }
    }

    fn memory_usage(&self) -> usize {
        self.order.capacity() * size_of::<u32>()
    }
}

fn axis_of_largest_variance<const D: usize>(boxes: AabbSlice<'_, D>) -> usize {
    let count = boxes.len().max(1) as f64;
    let variance = |axis: usize| {
        let centers = boxes.iter().map(|b| f64::from(b.min[axis]) + f64::from(b.max[axis]));
        let (sum, squares) = centers.fold((0.0, 0.0), |(s, q), c| (s + c, q + c * c));
        squares / count - (sum / count) * (sum / count)
    };
    (1..D).fold(0, |widest, axis| if variance(axis) > variance(widest) { axis } else { widest })
}
