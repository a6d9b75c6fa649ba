//! What is a node?

use embate_geom::{Aabb, scalar};

use crate::pairs::block::{BoxBlock, LANES};

/// A lane of a node, in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place(u32);

impl Place {
    /// Of what is not in the tree, and of the root.
    pub(super) const NOWHERE: Self = Self(u32::MAX);

    #[inline]
    pub(super) fn new(node: u32, lane: usize) -> Self {
        Self(node * LANES as u32 + lane as u32)
    }

    #[inline]
    pub(super) fn node(self) -> usize {
        self.0 as usize / LANES
    }

    #[inline]
    pub(super) fn lane(self) -> usize {
        self.0 as usize % LANES
    }
}

/// Up to eight boxes, in the first lanes; 256 bytes in 3D, four cache lines.
#[derive(Clone, Debug)]
pub(super) struct Node<const D: usize> {
    pub(super) boxes: BoxBlock<D>,
    /// What each box is around: an item's id at height 0, a node above.
    pub(super) children: [u32; LANES],
    /// Where the box around this node is kept.
    pub(super) place: Place,
    pub(super) count: u8,
    pub(super) height: u8,
}

impl<const D: usize> Node<D> {
    pub(super) fn empty(height: u8) -> Self {
        Self {
            boxes: BoxBlock::EMPTY,
            children: [0; LANES],
            place: Place::NOWHERE,
            count: 0,
            height,
        }
    }

    #[inline]
    pub(super) fn count(&self) -> usize {
        self.count as usize
    }

    /// What its boxes are around.
    pub(super) fn items(&self) -> impl Iterator<Item = u32> {
        self.children[..self.count()].iter().copied()
    }

    /// Bits of the lanes that hold a box.
    #[inline]
    pub(super) fn lanes(&self) -> u32 {
        (1 << self.count) - 1
    }

    #[inline]
    pub(super) fn get(&self, lane: usize) -> Aabb<D> {
        self.boxes.get(lane)
    }

    /// The smallest box around all. Lanes without a box are upside down and change nothing.
    #[inline]
    pub(super) fn bounds(&self) -> Aabb<D> {
        Aabb {
            min: self.boxes.min.map(|lanes| fold(&lanes, scalar::min)),
            max: self.boxes.max.map(|lanes| fold(&lanes, scalar::max)),
        }
    }

    /// Adds a box, for which there must be room; returns its lane.
    #[inline]
    pub(super) fn push(&mut self, bounds: &Aabb<D>, child: u32) -> usize {
        let lane = self.count();
        self.boxes.set(lane, bounds);
        self.children[lane] = child;
        self.count += 1;
        lane
    }

    /// Takes a box out and lets the last one fill its lane; returns whose box that is, if there is one.
    pub(super) fn swap_remove(&mut self, lane: usize) -> Option<u32> {
        self.count -= 1;
        let last = self.count();
        let moved = self.get(last);
        self.boxes.set(lane, &moved);
        self.children[lane] = self.children[last];
        for axis in 0..D {
            self.boxes.min[axis][last] = f32::INFINITY;
            self.boxes.max[axis][last] = f32::NEG_INFINITY;
        }
        (lane != last).then(|| self.children[lane])
    }
}

/// Pairwise, which a processor can do four, two, one at a time.
#[inline]
fn fold(lanes: &[f32; LANES], join: fn(f32, f32) -> f32) -> f32 {
    let four: [f32; 4] = core::array::from_fn(|i| join(lanes[i], lanes[i + 4]));
    join(join(four[0], four[2]), join(four[1], four[3]))
}

/// The sum of the edges. It measures how likely a query meets a box; unlike area or volume it also tells
/// flat boxes apart.
#[inline]
pub(super) fn girth<const D: usize>(bounds: &Aabb<D>) -> f32 {
    (0..D).fold(0.0, |sum, axis| sum + (bounds.max[axis] - bounds.min[axis]))
}
