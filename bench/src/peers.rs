//! The peers, each used as its own engine uses it: boxes move, then all overlapping pairs are told.

use embate::Aabb;
use embate::pairs::{Boxes, Pair, PairFinder, PairTechnique};

/// Finds all pairs of a frame; keeps what it likes from frame to frame.
pub trait Peer<const D: usize> {
    fn name(&self) -> &'static str;
    fn frame(&mut self, boxes: &[Aabb<D>], pairs: &mut Vec<Pair>);
}

/// Ours, by name.
pub struct Ours<const D: usize> {
    technique: PairTechnique,
    finder: embate::pairs::AnyPairFinder<D>,
}

impl<const D: usize> Ours<D> {
    pub fn new(technique: PairTechnique, boxes: usize) -> Self {
        Self { technique, finder: technique.finder(boxes) }
    }
}

impl<const D: usize> Peer<D> for Ours<D> {
    fn name(&self) -> &'static str {
        self.technique.name()
    }

    fn frame(&mut self, boxes: &[Aabb<D>], pairs: &mut Vec<Pair>) {
        self.finder.find(Boxes::new(boxes).expect("scenes are valid"), pairs);
    }
}

macro_rules! parry {
    ($name:ident, $parry:ident, $dimensions:literal, $label:literal) => {
        /// A tree kept from frame to frame: leaves updated, refitted, optimised, joined with itself.
        #[derive(Default)]
        pub struct $name {
            tree: $parry::partitioning::Bvh,
            workspace: $parry::partitioning::BvhWorkspace,
        }

        impl Peer<$dimensions> for $name {
            fn name(&self) -> &'static str {
                $label
            }

            fn frame(&mut self, boxes: &[Aabb<$dimensions>], pairs: &mut Vec<Pair>) {
                for (index, b) in (0..).zip(boxes) {
                    let aabb = $parry::bounding_volume::Aabb::new(b.min.into(), b.max.into());
                    self.tree.insert_or_update_partially(aabb, index, 0.0);
                }
                self.tree.refit(&mut self.workspace);
                self.tree.optimize_incremental(&mut self.workspace);
                let tell = &mut |a: u32, b: u32| pairs.push([a.min(b), a.max(b)]);
                self.tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, tell);
            }
        }
    };
}

parry!(Parry2, parry2d, 2, "parry2d");
parry!(Parry3, parry3d, 3, "parry3d");
