//! rstar 0.14: R*-tree bulk loaded each frame, then self-joined.

use embate::Aabb;
use embate::broad_phase::OverlapPair;
use rstar::primitives::{GeomWithData, Rectangle};
use rstar::{Point, RTree};

use super::Peer;

pub struct Rstar;

impl<const D: usize> Peer<D> for Rstar
where
    [f32; D]: Point<Scalar = f32>,
{
    fn name(&self) -> &'static str {
        "rstar"
    }

    fn frame(&mut self, boxes: &[Aabb<D>], pairs: &mut Vec<OverlapPair>) {
        let with_index = |(index, b): (u32, &Aabb<D>)| {
            GeomWithData::new(Rectangle::from_corners(b.min, b.max), index)
        };
        let tree = RTree::bulk_load((0..).zip(boxes).map(with_index).collect());
        // The join reports each pair twice, and each box with itself.
        let joined = tree.intersection_candidates_with_other_tree(&tree);
        pairs.extend(joined.filter(|(a, b)| a.data < b.data).map(|(a, b)| [a.data, b.data]));
    }
}
