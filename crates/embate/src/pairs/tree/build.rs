//! How does a list of boxes become a tree?
//!
//! Boxes are put in Morton order and packed, eight to a node; those nodes, eight to a node above; until
//! one is left. Nothing recurses, and every node but the last of each height is full.

use embate_geom::Aabb;

use super::Tree;
use super::node::{Node, Place};
use crate::pairs::block::LANES;

impl<const D: usize> Tree<D> {
    /// Holds `boxes` and nothing else; `id_of` names the box at a place in the list.
    pub(super) fn fill(&mut self, boxes: &[Aabb<D>], id_of: impl Fn(u32) -> u32) {
        self.free.clear();
        self.nodes.clear();
        self.places.fill(Place::NOWHERE);
        self.len = boxes.len() as u32;

        for (number, keys) in (0..).zip(self.order.sort(boxes).chunks(LANES)) {
            let mut node = Node::empty(0);
            for &key in keys {
                let place = key as u32;
                let id = id_of(place);
                let lane = node.push(&boxes[place as usize], id);
                if self.places.len() <= id as usize {
                    self.places.resize((id as usize + 1).max(boxes.len()), Place::NOWHERE);
                }
                self.places[id as usize] = Place::new(number, lane);
            }
            self.nodes.push(node);
        }
        if boxes.is_empty() {
            self.nodes.push(Node::empty(0));
        }
        self.stack_up();
        self.renew_wear();
    }

    /// Packs nodes into nodes above until one is left.
    fn stack_up(&mut self) {
        let mut below = 0..self.nodes.len() as u32;
        let mut height = 0;
        while below.len() > 1 {
            height += 1;
            for first in below.clone().step_by(LANES) {
                let number = self.nodes.len() as u32;
                let mut node = Node::empty(height);
                for child in first..(first + LANES as u32).min(below.end) {
                    let lane = node.push(&self.nodes[child as usize].bounds(), child);
                    self.nodes[child as usize].place = Place::new(number, lane);
                }
                self.nodes.push(node);
            }
            below = below.end..self.nodes.len() as u32;
        }
        self.root = below.start;
    }
}
