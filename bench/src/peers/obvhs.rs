//! obvhs 0.4: a tree built anew each frame, which is what it is made for, then asked for each box.
//!
//! PLOC with its fastest settings, boxes asked for in the order of the leaves, which lie near each other. It
//! knows space alone; boxes of the plane get no depth.

use embate::Aabb;
use embate::broad_phase::OverlapPair;
use glam::Vec3A;
use obvhs::bvh2::Bvh2;
use obvhs::ploc::{PlocBuilder, PlocSearchDistance, SortPrecision};

use super::Peer;

#[derive(Default)]
pub struct Obvhs {
    builder: PlocBuilder,
    tree: Bvh2,
    aabbs: Vec<obvhs::aabb::Aabb>,
}

impl<const D: usize> Peer<D> for Obvhs {
    fn name(&self) -> &'static str {
        "obvhs"
    }

    fn frame(&mut self, boxes: &[Aabb<D>], pairs: &mut Vec<OverlapPair>) {
        let point = |p: &[f32; D]| Vec3A::new(p[0], p[1], if D == 3 { p[D - 1] } else { 0.0 });
        let aabb = |b: &Aabb<D>| obvhs::aabb::Aabb::new(point(&b.min), point(&b.max));
        self.aabbs.clear();
        self.aabbs.extend(boxes.iter().map(aabb));
        self.builder.build_with_bvh(
            &mut self.tree,
            PlocSearchDistance::Minimum,
            &self.aabbs,
            (0..boxes.len() as u32).collect(),
            SortPrecision::U64,
            0,
        );
        for leaf in self.tree.nodes.iter().filter(|node| node.is_leaf()) {
            let index = self.tree.primitive_indices[leaf.first_index as usize];
            self.tree.aabb_traverse(self.aabbs[index as usize], |tree, node| {
                // One box a leaf, as built.
                let first = tree.nodes[node as usize].first_index as usize;
                let other = tree.primitive_indices[first];
                if index < other {
                    pairs.push([index, other]);
                }
                true
            });
        }
    }
}
