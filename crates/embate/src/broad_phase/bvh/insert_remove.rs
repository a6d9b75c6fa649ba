//! Insertion, removal, update and refit of a dynamic BVH.

use embate_geom::Aabb;

use crate::broad_phase::aabb8::LANES;
use crate::broad_phase::bvh::DynamicBvh;
use crate::broad_phase::bvh::node::{BvhNode, EntrySlot, half_perimeter};
use crate::broad_phase::bvh::node_split::{Entry, split};
use crate::broad_phase::{AabbError, AabbSlice};

impl<const D: usize> DynamicBvh<D> {
    /// Inserts a box, replacing the one of the same id.
    ///
    /// # Errors
    /// [`AabbError`] as from [`AabbSlice::validate`], with `id` as the index; the tree is then
    /// unchanged.
    pub fn insert(&mut self, id: u32, bounds: Aabb<D>) -> Result<(), AabbError> {
        if self.update(id, bounds)? {
            return Ok(());
        }
        if self.item_slots.len() <= id as usize {
            self.item_slots.resize(id as usize + 1, EntrySlot::NONE);
        }
        self.len += 1;
        self.insert_item(&bounds, id);
        self.record_changes(1);
        Ok(())
    }

    /// Removes the box of this id and returns it; `None` if there is none.
    pub fn remove(&mut self, id: u32) -> Option<Aabb<D>> {
        let slot = self.item_slot(id)?;
        let bounds = self.nodes[slot.node()].get(slot.lane());
        self.remove_entry(slot);
        self.item_slots[id as usize] = EntrySlot::NONE;
        self.len -= 1;
        self.record_changes(1);
        Some(bounds)
    }

    /// Replaces the box of this id; `false` if there is none. Cheap if the new box is near the old:
    /// its leaf is refitted. Otherwise the box is reinserted.
    ///
    /// # Errors
    /// [`AabbError`] as from [`AabbSlice::validate`], with `id` as the index; the tree is then
    /// unchanged.
    #[doc(alias = "move_to")]
    #[doc(alias = "move_proxy")]
    pub fn update(&mut self, id: u32, bounds: Aabb<D>) -> Result<bool, AabbError> {
        AabbSlice::validate(id, &bounds)?;
        let Some(slot) = self.item_slot(id) else { return Ok(false) };
        if self.is_far_from_siblings(slot, &bounds) {
            self.remove_entry(slot);
            self.insert_item(&bounds, id);
        } else {
            self.nodes[slot.node()].boxes.set(slot.lane(), &bounds);
            self.refit_ancestors(slot.node());
        }
        self.record_changes(1);
        Ok(true)
    }

    /// Replaces all boxes and keeps the topology: cheaper than [`rebuild`](Self::rebuild) while
    /// most boxes stay near their old positions. Ids beyond `boxes` keep their box; indices that
    /// are no ids of the tree are skipped.
    pub fn refit(&mut self, boxes: AabbSlice<'_, D>) {
        for node in self.nodes.iter_mut().filter(|node| node.height == 0) {
            for lane in 0..node.count() {
                if let Some(bounds) = boxes.get(node.children[lane] as usize) {
                    node.boxes.set(lane, bounds);
                }
            }
        }
        for height in 0..self.nodes[self.root as usize].height {
            for number in 0..self.nodes.len() {
                let node = &self.nodes[number];
                if node.height == height && node.count > 0 {
                    let (bounds, slot) = (node.bounds(), node.parent_slot);
                    self.nodes[slot.node()].boxes.set(slot.lane(), &bounds);
                }
            }
        }
        self.record_changes(self.len);
    }

    /// Whether a box would enlarge its leaf too much: its distance to the bounds of its siblings
    /// exceeds their largest extent. True for a box without siblings.
    fn is_far_from_siblings(&self, slot: EntrySlot, bounds: &Aabb<D>) -> bool {
        let node = &self.nodes[slot.node()];
        let siblings = (0..node.count()).filter(|&lane| lane != slot.lane());
        let merged = siblings.map(|lane| node.get(lane)).reduce(|all, own| all.merged(&own));
        merged.is_none_or(|merged| !merged.loosened(merged.max_extent()).overlaps(bounds))
    }

    /// Inserts an item into the best leaf; splits full nodes up to the root.
    fn insert_item(&mut self, bounds: &Aabb<D>, id: u32) {
        let mut number = self.root;
        while self.nodes[number as usize].height > 0 {
            number = self.nodes[number as usize].best_child(bounds);
        }
        let mut entry = Entry { bounds: *bounds, child: id };
        while self.nodes[number as usize].count() == LANES {
            let sibling = self.split(number, &entry);
            if number == self.root {
                return self.grow_root(sibling);
            }
            let slot = self.nodes[number as usize].parent_slot;
            let bounds = self.nodes[number as usize].bounds();
            self.nodes[slot.node()].boxes.set(slot.lane(), &bounds);
            let bounds = self.nodes[sibling as usize].bounds();
            entry = Entry { bounds, child: sibling };
            number = slot.node() as u32;
        }
        self.push(number, &entry);
        self.refit_ancestors(number as usize);
    }

    /// Splits a full node and one more entry into the node and a new sibling; returns the sibling.
    fn split(&mut self, number: u32, extra: &Entry<D>) -> u32 {
        let node = &mut self.nodes[number as usize];
        let (height, parent_slot) = (node.height, node.parent_slot);
        let entry = |lane: usize| Entry { bounds: node.get(lane), child: node.children[lane] };
        let mut entries: [Entry<D>; LANES + 1] =
            core::array::from_fn(|lane| if lane < LANES { entry(lane) } else { *extra });
        let split_index = split(&mut entries);
        *node = BvhNode { parent_slot, ..BvhNode::empty(height) };
        let sibling = self.allocate_node(height);
        for (at, entry) in entries.iter().enumerate() {
            self.push(if at < split_index { number } else { sibling }, entry);
        }
        sibling
    }

    /// Creates a new root above the old one and its sibling.
    fn grow_root(&mut self, sibling: u32) {
        let old = self.root;
        self.root = self.allocate_node(self.nodes[old as usize].height + 1);
        for child in [old, sibling] {
            let bounds = self.nodes[child as usize].bounds();
            self.push(self.root, &Entry { bounds, child });
        }
    }

    /// Removes an entry, and every node that becomes empty.
    fn remove_entry(&mut self, mut slot: EntrySlot) {
        loop {
            let number = slot.node() as u32;
            if let Some(moved) = self.nodes[number as usize].swap_remove(slot.lane()) {
                self.set_slot_of_child(number, moved, slot);
            }
            if self.nodes[number as usize].count > 0 || number == self.root {
                self.refit_ancestors(number as usize);
                break;
            }
            slot = self.nodes[number as usize].parent_slot;
            self.free.push(number);
        }
        // A root with a single child is replaced by it, repeatedly.
        loop {
            let root = &mut self.nodes[self.root as usize];
            if root.height == 0 || root.count != 1 {
                break;
            }
            root.count = 0;
            self.free.push(self.root);
            self.root = root.children[0];
            self.nodes[self.root as usize].parent_slot = EntrySlot::NONE;
        }
    }

    /// Refits the entries of a node's ancestors, up to the first that does not change.
    fn refit_ancestors(&mut self, mut number: usize) {
        while self.nodes[number].parent_slot != EntrySlot::NONE {
            let (bounds, slot) = (self.nodes[number].bounds(), self.nodes[number].parent_slot);
            let parent = &mut self.nodes[slot.node()];
            if parent.get(slot.lane()) == bounds {
                return;
            }
            parent.boxes.set(slot.lane(), &bounds);
            number = slot.node();
        }
    }

    fn push(&mut self, number: u32, entry: &Entry<D>) {
        let lane = self.nodes[number as usize].push(&entry.bounds, entry.child);
        self.set_slot_of_child(number, entry.child, EntrySlot::new(number, lane));
    }

    /// Stores the slot of an item or node whose entry is in node `number`.
    fn set_slot_of_child(&mut self, number: u32, child: u32, slot: EntrySlot) {
        if self.nodes[number as usize].height == 0 {
            self.item_slots[child as usize] = slot;
        } else {
            self.nodes[child as usize].parent_slot = slot;
        }
    }

    fn allocate_node(&mut self, height: u8) -> u32 {
        let number = self.free.pop().unwrap_or(self.nodes.len() as u32);
        if number as usize == self.nodes.len() {
            self.nodes.push(BvhNode::empty(height));
        } else {
            self.nodes[number as usize] = BvhNode::empty(height);
        }
        number
    }
}

impl<const D: usize> BvhNode<D> {
    /// The child whose half perimeter grows least to contain `bounds`; of equals, the smaller one
    /// (the `ChooseSubtree` of an R-tree).
    fn best_child(&self, bounds: &Aabb<D>) -> u32 {
        let mut best = (f32::INFINITY, f32::INFINITY, 0);
        for lane in 0..self.count() {
            let own = self.get(lane);
            let size = half_perimeter(&own);
            let growth = half_perimeter(&own.merged(bounds)) - size;
            if (growth, size) < (best.0, best.1) {
                best = (growth, size, self.children[lane]);
            }
        }
        best.2
    }
}
