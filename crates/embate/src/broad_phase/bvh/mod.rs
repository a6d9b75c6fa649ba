//! Dynamic BVH: an eight-wide bounding volume hierarchy with insertion, removal and queries.
//!
//! Its primitives are boxes in 2D or 3D, and it is changed at any time; the static tree over the
//! triangles of a mesh, optimized for rays, is [`raycast::Bvh`](crate::raycast::Bvh).
//!
//! ```text
//!                ┌─┬─┬─┬─┬─┬─┬─┬─┐         A node has up to eight entries, tested at once. At
//!      height 1  │▭│▭│▭│ │ │ │ │ │         height 0 the entries are items with ids of the
//!                └┼┴┼┴┼┴─┴─┴─┴─┴─┘         caller's; above, each is the AABB of a child node.
//!            ┌────┘ │ └─────────┐
//!      ┌─┬─┬─┼─┬─┬─┐ …   ┌─┬─┬─┬┼┬─┬─┐     All leaves have equal depth, as in an R-tree: the
//!      │▭│▭│▭│▭│▭│ │     │▭│▭│▭│▭│▭│▭│     self-overlap traversal pairs nodes of equal height.
//!      └─┴─┴─┴─┴─┴─┘     └─┴─┴─┴─┴─┴─┘
//! ```
//!
//! | file | content |
//! |---|---|
//! | `morton` | Morton codes and radix sort |
//! | `build` | bottom-up build in Morton order (LBVH) |
//! | `insert_remove`, `node_split` | insertion, removal, update, refit |
//! | `rebuild_policy` | when quality has degraded enough to rebuild |
//! | `self_overlap` | overlapping pairs of one tree or of two |
//! | `query`, `ray`, `k_nearest` | AABB, sphere, convex, ray and k-nearest queries |
//! | `node`, `simd` | node layout, and tests of eight boxes at once |
//!
//! Guarantee: every result is bit-identical to a loop over all boxes. A query applies the same test
//! to the AABB of a node and to that of an item, and the test is monotonic despite rounding: it
//! never rejects a box of which it accepts a part.

mod build;
mod insert_remove;
mod k_nearest;
mod morton;
mod node;
mod node_split;
mod query;
mod ray;
mod rebuild_policy;
mod self_overlap;
mod simd;

pub use k_nearest::Neighbor;
pub use ray::RayLeafHit;

use embate_geom::Aabb;
use fearless_simd::Level;

use crate::broad_phase::AabbSlice;
use morton::MortonSorter;
use node::{BvhNode, EntrySlot};
use rebuild_policy::QualityTracker;

/// Dynamic bounding volume hierarchy over boxes with ids of the caller's.
///
/// Memory is proportional to the largest id in use, so ids should be small and dense.
///
/// ```
/// use embate::{Aabb, broad_phase::{AabbSlice, DynamicBvh}};
///
/// let square = |x: f32| Aabb { min: [x, 0.0], max: [x + 1.0, 1.0] };
/// let mut tree = DynamicBvh::build(AabbSlice::new(&[square(0.0), square(0.5), square(9.0)])?);
/// tree.update(0, square(8.5))?;
/// tree.insert(3, square(0.8))?;
///
/// let mut pairs = Vec::new();
/// tree.overlapping_pairs(&mut pairs);
/// pairs.sort_unstable();
/// assert_eq!(pairs, [[0, 2], [1, 3]]);
///
/// let mut found = Vec::new();
/// tree.query_aabb(&square(1.2), &mut found);
/// assert_eq!(found, [1, 3]);
/// # Ok::<(), embate::broad_phase::AabbError>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "Tree")]
#[doc(alias = "dynamic tree")]
#[doc(alias = "AABB tree")]
#[doc(alias = "Dbvt")]
pub struct DynamicBvh<const D: usize> {
    simd_level: Level,
    /// Nodes in use, and free ones, which have no entries.
    nodes: Vec<BvhNode<D>>,
    free: Vec<u32>,
    /// Always exists; an empty leaf if the tree is empty.
    root: u32,
    /// Slot of each item in its leaf, by id.
    item_slots: Vec<EntrySlot>,
    len: u32,
    quality_tracker: QualityTracker,
    morton_sorter: MortonSorter,
}

impl<const D: usize> Default for DynamicBvh<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize> DynamicBvh<D> {
    /// An empty tree.
    ///
    /// # Panics
    /// If `D` is neither 2 nor 3.
    #[must_use]
    pub fn new() -> Self {
        assert!(D == 2 || D == 3, "{D} dimensions");
        Self {
            simd_level: Level::new(),
            nodes: vec![BvhNode::empty(0)],
            free: Vec::new(),
            root: 0,
            item_slots: Vec::new(),
            len: 0,
            quality_tracker: QualityTracker::default(),
            morton_sorter: MortonSorter::default(),
        }
    }

    /// A tree over `boxes`; the id of a box is its index.
    ///
    /// # Panics
    /// If `D` is neither 2 nor 3.
    #[must_use]
    pub fn build(boxes: AabbSlice<'_, D>) -> Self {
        let mut tree = Self::new();
        tree.rebuild(boxes);
        tree
    }

    /// Replaces the contents by `boxes`, reusing the buffers.
    #[doc(alias = "build_anew")]
    pub fn rebuild(&mut self, boxes: AabbSlice<'_, D>) {
        self.build_from(&boxes, |index| index);
    }

    /// Number of boxes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there are no boxes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The box of this id.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<Aabb<D>> {
        let slot = self.item_slot(id)?;
        Some(self.nodes[slot.node()].get(slot.lane()))
    }

    /// The smallest AABB that contains all boxes; `None` if there are none.
    #[must_use]
    pub fn bounds(&self) -> Option<Aabb<D>> {
        (self.len > 0).then(|| self.nodes[self.root as usize].bounds())
    }

    /// Bytes allocated.
    #[must_use]
    #[doc(alias = "bytes")]
    pub fn memory_usage(&self) -> usize {
        self.nodes.capacity() * size_of::<BvhNode<D>>()
            + self.free.capacity() * size_of::<u32>()
            + self.item_slots.capacity() * size_of::<EntrySlot>()
            + self.morton_sorter.memory_usage()
    }

    fn item_slot(&self, id: u32) -> Option<EntrySlot> {
        self.item_slots.get(id as usize).copied().filter(|&slot| slot != EntrySlot::NONE)
    }
}
