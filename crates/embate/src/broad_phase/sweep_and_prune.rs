//! Study B's sort and sweep (SOURCES B.1): order the boxes by their minimum on one axis, compare each
//! with those that begin before it ends.

use super::{Boxes, Pair, PairFinder, PairObserver};

/// Along which axis a sweep goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SweepAxis {
    /// Always this one.
    Fixed(usize),
    /// The one along which the boxes' centres were spread widest in the frame before; at first, axis 0.
    LargestVariance,
}

/// Sorts by one axis and sweeps along it.
#[derive(Clone, Debug)]
pub struct SortSweep {
    rule: SweepAxis,
    axis: usize,
    order: Vec<u32>,
}

impl SortSweep {
    /// Sweeps along the axis that `rule` names.
    #[must_use]
    pub fn new(rule: SweepAxis) -> Self {
        let axis = match rule {
            SweepAxis::Fixed(axis) => axis,
            SweepAxis::LargestVariance => 0,
        };
        Self { rule, axis, order: Vec::new() }
    }
}

impl<const D: usize> PairFinder<D> for SortSweep {
    /// # Panics
    /// If a fixed axis is not one of the boxes'.
    fn find_observed<O: PairObserver>(
        &mut self,
        boxes: Boxes<'_, D>,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        let axis = self.axis;
        let min = |index: u32| boxes[index as usize].min[axis];
        if self.order.len() != boxes.len() {
            self.order = (0..boxes.len() as u32).collect();
        }
        // From frame to frame little changes, and this sort is quick on what is nearly in order.
        // Equal minima go by number: the order must not depend on the frames before.
        self.order.sort_by(|&a, &b| min(a).total_cmp(&min(b)).then(a.cmp(&b)));
        for (place, &a) in self.order.iter().enumerate() {
            let bounds = &boxes[a as usize];
            let mut reached = place + 1;
            for &b in &self.order[place + 1..] {
                let other = &boxes[b as usize];
                if other.min[axis] > bounds.max[axis] {
                    break;
                }
                observer.test(1);
                reached += 1;
                if bounds.overlaps(other) {
                    pairs.push([a.min(b), a.max(b)]);
                }
            }
            if observer.watches() {
                observer.tested(a, self.order[place + 1..reached].iter().copied());
            }
        }
        if self.rule == SweepAxis::LargestVariance {
            self.axis = widest_axis(boxes);
        }
    }

    fn bytes(&self) -> usize {
        self.order.capacity() * size_of::<u32>()
    }
}

fn widest_axis<const D: usize>(boxes: Boxes<'_, D>) -> usize {
    let count = boxes.len().max(1) as f64;
    let variance = |axis: usize| {
        let centres = boxes.iter().map(|b| f64::from(b.min[axis]) + f64::from(b.max[axis]));
        let (sum, squares) = centres.fold((0.0, 0.0), |(s, q), c| (s + c, q + c * c));
        squares / count - (sum / count) * (sum / count)
    };
    (1..D).fold(0, |widest, axis| if variance(axis) > variance(widest) { axis } else { widest })
}
