//! How does a list of boxes become a tree?
//!
//! ```text
//!   Morton order  ▪▪▪▪▪▪│▪▪▪▪▪▪▪▪│▪▪▪▪│▪▪▪▪▪…    1. Boxes are put in Morton order.
//!   height 0      └────┘ └──────┘ └──┘           2. They are packed, four to eight to a node, and
//!   height 1      └──────────────────…              those nodes again, until one is left.
//! ```
//!
//! A node ends where the order jumps furthest. Full nodes would be fewer, but they would reach across the
//! jumps and meet half as many again. The room left takes in what is inserted later.

use embate_geom::Aabb;

use super::Tree;
use super::node::{Node, Place};
use crate::pairs::block::LANES;

/// Fewest boxes to a node, but for the last of each height. Measured on 100,000 uniform boxes in 3D: a
/// join looks into 199,000 pairs of nodes, against 286,000 with eight to each.
const LEAST: usize = 4;

impl<const D: usize> Tree<D> {
    /// Holds `boxes` and nothing else; `id_of` names the box at a place in the list.
    pub(super) fn fill(&mut self, boxes: &[Aabb<D>], id_of: impl Fn(u32) -> u32) {
        self.free.clear();
        self.nodes.clear();
        self.places.fill(Place::NOWHERE);
        self.len = boxes.len() as u32;

        let order = self.order.sort(boxes);
        let jump = |at: usize| ((order[at - 1] ^ order[at]) >> 32) as u32;
        let mut jumps = Vec::with_capacity(order.len() / LEAST + 1);
        let mut start = 0;
        while start < order.len() {
            let number = self.nodes.len() as u32;
            jumps.push(if start == 0 { 0 } else { jump(start) });
            let length = first_node(order.len() - start, |at| jump(start + at));
            let mut node = Node::empty(0);
            for &key in &order[start..start + length] {
                let place = key as u32;
                let id = id_of(place);
                let lane = node.push(&boxes[place as usize], id);
                if self.places.len() <= id as usize {
                    self.places.resize((id as usize + 1).max(boxes.len()), Place::NOWHERE);
                }
                self.places[id as usize] = Place::new(number, lane);
            }
            self.nodes.push(node);
            start += length;
        }
        if boxes.is_empty() {
            self.nodes.push(Node::empty(0));
        }
        self.stack_up(jumps);
        self.renew_wear();
    }

    /// Packs nodes into nodes above until one is left. `jumps` tells how far the order jumps before each.
    fn stack_up(&mut self, mut jumps: Vec<u32>) {
        let (mut first, mut height) = (0, 0);
        while jumps.len() > 1 {
            height += 1;
            let (above, mut start, mut nodes) = (self.nodes.len() as u32, 0, 0);
            while start < jumps.len() {
                let number = self.nodes.len() as u32;
                let length = first_node(jumps.len() - start, |at| jumps[start + at]);
                let mut node = Node::empty(height);
                for child in (first + start as u32..).take(length) {
                    let lane = node.push(&self.nodes[child as usize].bounds(), child);
                    self.nodes[child as usize].place = Place::new(number, lane);
                }
                self.nodes.push(node);
                // Written over what was read.
                jumps[nodes] = jumps[start];
                nodes += 1;
                start += length;
            }
            jumps.truncate(nodes);
            first = above;
        }
        self.root = first;
    }
}

/// How many of `rest` boxes that follow each other belong in one node: it ends before the furthest jump,
/// by the highest bit in which codes differ; of equals, the last.
#[inline]
fn first_node(rest: usize, jump: impl Fn(usize) -> u32) -> usize {
    if rest <= LANES {
        return rest;
    }
    let mut end = LANES;
    for at in (LEAST..LANES).rev() {
        if jump(at).leading_zeros() < jump(end).leading_zeros() {
            end = at;
        }
    }
    end
}
