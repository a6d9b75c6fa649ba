//! broccoli 6.3: a tree for pairs in 2D, rebuilt each frame as in its examples.

use broccoli::Tree;
use broccoli::aabb::BBox;
use embate::Aabb;
use embate::broad_phase::OverlapPair;

use super::{Peer, pair};

pub struct Broccoli;

impl Peer<2> for Broccoli {
    fn name(&self) -> &'static str {
        "broccoli"
    }

    fn frame(&mut self, boxes: &[Aabb<2>], pairs: &mut Vec<OverlapPair>) {
        let with_index = |(index, b): (u32, &Aabb<2>)| {
            BBox::new(broccoli::rect(b.min[0], b.max[0], b.min[1], b.max[1]), index)
        };
        let mut bots: Vec<BBox<f32, u32>> = (0..).zip(boxes).map(with_index).collect();
        Tree::new(&mut bots)
            .find_colliding_pairs(|a, b| pairs.push(pair(*a.unpack_inner(), *b.unpack_inner())));
    }
}
