//! bvh 0.13: BVH rebuilt each frame with the surface area heuristic, then one query per box in leaf
//! order.

use bvh::aabb::{Aabb as BvhAabb, Bounded};
use bvh::bounding_hierarchy::BHShape;
use bvh::bvh::Bvh;
use embate::Aabb;
use embate::broad_phase::OverlapPair;
use nalgebra::Point;

use super::Peer;

pub struct BvhCrate;

struct Shape<const D: usize> {
    aabb: BvhAabb<f32, D>,
    index: u32,
    node: usize,
}

impl<const D: usize> Bounded<f32, D> for Shape<D> {
    fn aabb(&self) -> BvhAabb<f32, D> {
        self.aabb
    }
}

impl<const D: usize> BHShape<f32, D> for Shape<D> {
    fn set_bh_node_index(&mut self, node: usize) {
        self.node = node;
    }

    fn bh_node_index(&self) -> usize {
        self.node
    }
}

impl<const D: usize> Peer<D> for BvhCrate {
    fn name(&self) -> &'static str {
        "bvh"
    }

    fn frame(&mut self, boxes: &[Aabb<D>], pairs: &mut Vec<OverlapPair>) {
        let shape = |(index, b): (u32, &Aabb<D>)| Shape {
            aabb: BvhAabb::with_bounds(Point::from(b.min), Point::from(b.max)),
            index,
            node: 0,
        };
        let mut shapes: Vec<Shape<D>> = (0..).zip(boxes).map(shape).collect();
        let tree = Bvh::build(&mut shapes);
        for shape in tree.nodes.iter().filter_map(|node| Some(&shapes[node.shape_index()?])) {
            // Its iterator supports 32 levels only, and a tree of boxes of very different sizes can
            // be deeper.
            let found = tree.traverse(&shape.aabb, &shapes);
            let later = found.iter().filter(|other| other.index > shape.index);
            pairs.extend(later.map(|other| [shape.index, other.index]));
        }
    }
}
