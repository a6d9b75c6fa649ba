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
    /// Axis of the last search, and of the next.
    axis: usize,
    next_axis: usize,
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
        Self { axis_choice, axis, next_axis: axis, order: Vec::new() }
    }

    /// Forgets the sorted order: the next search sorts from the order of the indices. The axis is
    /// kept.
    pub fn reset_order(&mut self) {
        self.order.clear();
    }

    /// The axis swept by the last search; before the first, the axis that it will sweep.
    #[must_use]
    pub fn axis(&self) -> usize {
        self.axis
    }

    /// The axis that the next search will sweep.
    #[must_use]
    pub fn next_axis(&self) -> usize {
        self.next_axis
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
        let axis = self.next_axis;
        self.axis = axis;
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
            let variances = center_variances(boxes);
            let wider =
                |widest, axis| if variances[axis] > variances[widest] { axis } else { widest };
            self.next_axis = (1..D).fold(0, wider);
        }
    }

    fn memory_usage(&self) -> usize {
        self.order.capacity() * size_of::<u32>()
    }
}

/// Variance of the box centers along each axis; zeros without boxes. [`SweepAndPrune`] sweeps
/// along the axis of the largest.
#[must_use]
pub fn center_variances<const D: usize>(boxes: AabbSlice<'_, D>) -> [f64; D] {
    let count = boxes.len().max(1) as f64;
    std::array::from_fn(|axis| {
        // Twice the centers: their variance is four times as large, exactly.
        let doubled = boxes.iter().map(|b| f64::from(b.min[axis]) + f64::from(b.max[axis]));
        let (sum, squares) = doubled.fold((0.0, 0.0), |(s, q), c| (s + c, q + c * c));
        (squares / count - (sum / count) * (sum / count)) / 4.0
    })
}

#[cfg(test)]
mod tests {
    use embate_geom::Aabb;

    use super::*;

    #[test]
    fn next_axis_is_that_of_the_largest_variance_of_the_centers() {
        let at = |x: f32, y: f32| Aabb { min: [x - 1.0, y - 1.0], max: [x + 1.0, y + 1.0] };
        let tall = [at(0.0, 0.0), at(1.0, 10.0), at(0.0, 20.0), at(1.0, 30.0)];
        let boxes = AabbSlice::new(&tall).unwrap();
        assert_eq!(center_variances(boxes), [0.25, 125.0]);
        let mut by_variance = SweepAndPrune::new(SweepAxis::LargestVariance);
        let mut fixed = SweepAndPrune::new(SweepAxis::Fixed(0));
        assert_eq!((by_variance.axis(), by_variance.next_axis()), (0, 0));
        for (axis, next_axis) in [(0, 1), (1, 1)] {
            by_variance.find_pairs(boxes, &mut Vec::new());
            assert_eq!((by_variance.axis(), by_variance.next_axis()), (axis, next_axis));
            fixed.find_pairs(boxes, &mut Vec::new());
            assert_eq!((fixed.axis(), fixed.next_axis()), (0, 0));
        }
    }

    #[test]
    fn search_after_a_reset_finds_the_same_pairs() {
        let boxes = [3.0, 0.0, 2.0, 1.0].map(|x: f32| Aabb { min: [x, 0.0], max: [x + 1.0, 1.0] });
        let boxes = AabbSlice::new(&boxes).unwrap();
        let mut sweep = SweepAndPrune::new(SweepAxis::Fixed(0));
        let [mut first, mut second] = [Vec::new(), Vec::new()];
        sweep.find_pairs(boxes, &mut first);
        sweep.reset_order();
        sweep.find_pairs(boxes, &mut second);
        assert_eq!((first.len(), &second), (3, &first));
    }

    #[test]
    fn variances_of_no_boxes_are_zero() {
        let none: [Aabb<3>; 0] = [];
        assert_eq!(center_variances(AabbSlice::new(&none).unwrap()), [0.0; 3]);
    }
}
