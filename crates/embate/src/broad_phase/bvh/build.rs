//! LBVH builder: sorts boxes by Morton code and packs them into nodes bottom-up.
//!
//! ```text
//!   Morton order  ▪▪▪▪▪▪│▪▪▪▪▪▪▪▪│▪▪▪▪│▪▪▪▪▪…    1. Boxes are sorted by Morton code.
//!   height 0      └────┘ └──────┘ └──┘           2. They are packed, four to eight to a node, and
//!   height 1      └──────────────────…              then the nodes, until one is left.
//! ```
//!
//! A node ends where adjacent codes differ in the highest bit, the split criterion of an LBVH
//! (Lauterbach et al. 2009). Full nodes would be fewer, but would span those gaps and overlap half
//! as many nodes again. The free lanes take later insertions.

use embate_geom::Aabb;

use crate::broad_phase::aabb8::LANES;
use crate::broad_phase::bvh::DynamicBvh;
use crate::broad_phase::bvh::node::{BvhNode, EntrySlot};

/// Minimum number of entries of a node, except the last of each height. Measured on 100,000 uniform
/// boxes in 3D: a self-overlap traversal visits 199,000 pairs of nodes, against 286,000 with eight
/// entries each.
const MIN_ENTRIES: usize = 4;

impl<const D: usize> DynamicBvh<D> {
    /// Replaces the contents by `boxes`; `id_of` maps an index to an id.
    pub(super) fn build_from(&mut self, boxes: &[Aabb<D>], id_of: impl Fn(u32) -> u32) {
        self.free.clear();
        self.nodes.clear();
        self.item_slots.fill(EntrySlot::NONE);
        self.len = boxes.len() as u32;

        let keys = self.morton_sorter.sort(boxes);
        let delta = |at: usize| ((keys[at - 1] ^ keys[at]) >> 32) as u32;
        let mut deltas = Vec::with_capacity(keys.len() / MIN_ENTRIES + 1);
        let mut start = 0;
        while start < keys.len() {
            let number = self.nodes.len() as u32;
            deltas.push(if start == 0 { 0 } else { delta(start) });
            let length = node_length(keys.len() - start, |at| delta(start + at));
            let mut node = BvhNode::empty(0);
            for &key in &keys[start..start + length] {
                let index = key as u32;
                let id = id_of(index);
                let lane = node.push(&boxes[index as usize], id);
                if self.item_slots.len() <= id as usize {
                    self.item_slots.resize((id as usize + 1).max(boxes.len()), EntrySlot::NONE);
                }
                self.item_slots[id as usize] = EntrySlot::new(number, lane);
            }
            self.nodes.push(node);
            start += length;
        }
        if boxes.is_empty() {
            self.nodes.push(BvhNode::empty(0));
        }
        self.build_inner_nodes(deltas);
        self.reset_quality();
    }

    /// Packs nodes into parents until one is left. `deltas[i]` is the XOR of the Morton codes on
    /// both sides of the start of node `i`.
    fn build_inner_nodes(&mut self, mut deltas: Vec<u32>) {
        let (mut first, mut height) = (0, 0);
        while deltas.len() > 1 {
            height += 1;
            let (first_parent, mut start, mut parents) = (self.nodes.len() as u32, 0, 0);
            while start < deltas.len() {
                let number = self.nodes.len() as u32;
                let length = node_length(deltas.len() - start, |at| deltas[start + at]);
                let mut node = BvhNode::empty(height);
                for child in (first + start as u32..).take(length) {
                    let lane = node.push(&self.nodes[child as usize].bounds(), child);
                    self.nodes[child as usize].parent_slot = EntrySlot::new(number, lane);
                }
                self.nodes.push(node);
                // In place: `parents <= start`.
                deltas[parents] = deltas[start];
                parents += 1;
                start += length;
            }
            deltas.truncate(parents);
            first = first_parent;
        }
        self.root = first;
    }
}

/// Number of entries of the next node, of `remaining` in Morton order: the node ends where the
/// highest differing bit of adjacent codes is highest; of equals, at the last.
#[inline]
fn node_length(remaining: usize, delta: impl Fn(usize) -> u32) -> usize {
    if remaining <= LANES {
        return remaining;
    }
    let mut end = LANES;
    for at in (MIN_ENTRIES..LANES).rev() {
        if delta(at).leading_zeros() < delta(end).leading_zeros() {
            end = at;
        }
    }
    end
}
