//! Query tree: a BVH over all proxies, created by the first query and updated lazily.

use embate_geom::Aabb;

use crate::broad_phase::{AabbSlice, DynamicBvh};

/// If more than this fraction of the boxes changed since the last query, the tree is rebuilt: a
/// rebuild costs as much as updating a third of the boxes.
const CHANGED_REBUILD_FRACTION: f32 = 0.3;

/// Allocates nothing until the first query.
#[derive(Clone, Debug)]
pub(crate) struct ProxyTree<const D: usize> {
    tree: Option<DynamicBvh<D>>,
    /// Ids inserted, moved or removed since the last update; may contain duplicates.
    dirty: Vec<u32>,
}

impl<const D: usize> ProxyTree<D> {
    pub(crate) fn new() -> Self {
        Self { tree: None, dirty: Vec::new() }
    }

    /// Records that box `id` changed.
    pub(crate) fn mark_dirty(&mut self, id: u32) {
        if let Some(tree) = &self.tree {
            self.dirty.push(id);
            // No query for a long time: drop the tree.
            if self.dirty.len() > 2 * tree.len() + 64 {
                *self = Self::new();
            }
        }
    }

    /// The tree, updated to `boxes`; it contains those for which `is_live` holds.
    pub(crate) fn tree(
        &mut self,
        boxes: &[Aabb<D>],
        is_live: impl Fn(u32) -> bool,
    ) -> &DynamicBvh<D> {
        let tree = self.tree.get_or_insert_with(DynamicBvh::new);
        if tree.is_empty()
            || self.dirty.len() as f32 > boxes.len() as f32 * CHANGED_REBUILD_FRACTION
        {
            tree.rebuild(AabbSlice::from_validated(boxes));
            for id in (0..boxes.len() as u32).filter(|&id| !is_live(id)) {
                tree.remove(id);
            }
        } else {
            for &id in &self.dirty {
                if is_live(id) {
                    tree.insert(id, boxes[id as usize]).expect("validated on insertion");
                } else {
                    tree.remove(id);
                }
            }
        }
        self.dirty.clear();
        tree
    }

    pub(crate) fn memory_usage(&self) -> usize {
        self.tree.as_ref().map_or(0, DynamicBvh::memory_usage)
            + self.dirty.capacity() * size_of::<u32>()
    }
}
