//! obvhs 0.4: BVH rebuilt each frame, for which it is designed, then one query per box.
//!
//! PLOC with its fastest settings; queries in leaf order, for locality. It supports 3D only; 2D
//! boxes get depth 0.

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
                // One box per leaf.
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
