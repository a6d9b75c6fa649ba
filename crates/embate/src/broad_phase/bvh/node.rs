//! Node of the dynamic BVH: up to eight entries as a structure of arrays.

use embate_geom::{Aabb, scalar};

use crate::broad_phase::aabb8::{Aabb8, LANES};

/// A lane of a node, packed into 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct EntrySlot(u32);

impl EntrySlot {
    /// Slot of ids that are not in the tree, and of the root.
    pub(super) const NONE: Self = Self(u32::MAX);

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

/// Up to eight entries, in the first lanes; 256 bytes in 3D, four cache lines.
#[derive(Clone, Debug)]
pub(super) struct BvhNode<const D: usize> {
    pub(super) boxes: Aabb8<D>,
    /// Child of each entry: the id of an item at height 0, the index of a node above.
    pub(super) children: [u32; LANES],
    /// The entry of this node in its parent.
    pub(super) parent_slot: EntrySlot,
    pub(super) count: u8,
    pub(super) height: u8,
}

impl<const D: usize> BvhNode<D> {
    pub(super) fn empty(height: u8) -> Self {
        Self {
            boxes: Aabb8::EMPTY,
            children: [0; LANES],
            parent_slot: EntrySlot::NONE,
            count: 0,
            height,
        }
    }

    #[inline]
    pub(super) fn count(&self) -> usize {
        self.count as usize
    }

    /// The children of all entries.
    pub(super) fn children(&self) -> impl Iterator<Item = u32> {
        self.children[..self.count()].iter().copied()
    }

    /// Bit mask of the lanes in use.
    #[inline]
    pub(super) fn occupied_lanes(&self) -> u32 {
        (1 << self.count) - 1
    }

    #[inline]
    pub(super) fn get(&self, lane: usize) -> Aabb<D> {
        self.boxes.get(lane)
    }

    /// Union of all entries. Unused lanes are inverted and have no effect.
    #[inline]
    pub(super) fn bounds(&self) -> Aabb<D> {
        Aabb {
            min: self.boxes.min.map(|lanes| reduce(&lanes, scalar::min)),
            max: self.boxes.max.map(|lanes| reduce(&lanes, scalar::max)),
        }
    }

    /// Adds an entry and returns its lane. The node must not be full.
    #[inline]
    pub(super) fn push(&mut self, bounds: &Aabb<D>, child: u32) -> usize {
        let lane = self.count();
        self.boxes.set(lane, bounds);
        self.children[lane] = child;
        self.count += 1;
        lane
    }

    /// Removes an entry and moves the last one into its lane; returns the child of the moved entry,
    /// if there is one.
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

/// Pairwise reduction, which vectorizes: eight lanes to four, two, one.
#[inline]
fn reduce(lanes: &[f32; LANES], operation: fn(f32, f32) -> f32) -> f32 {
    let four: [f32; 4] = core::array::from_fn(|i| operation(lanes[i], lanes[i + 4]));
    operation(operation(four[0], four[2]), operation(four[1], four[3]))
}

/// Sum of the edge lengths: the cost of a box, as the probability that a query hits it. Unlike area
/// or volume it also ranks flat boxes.
#[inline]
pub(super) fn half_perimeter<const D: usize>(bounds: &Aabb<D>) -> f32 {
    (0..D).fold(0.0, |sum, axis| sum + (bounds.max[axis] - bounds.min[axis]))
}
