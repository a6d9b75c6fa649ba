//! parry 0.31: persistent BVH, as in rapier, with all pairs reported each frame.
//!
//! Leaves of movers are updated in place, the tree refitted and 5 % of it optimized, then queried
//! for self-overlap. The margin is `0.0`, so its pairs are exact.

use embate::Aabb;
use embate::broad_phase::OverlapPair;

use super::{Peer, pair};

macro_rules! parry {
    ($name:ident, $parry:ident, $dimensions:literal) => {
        #[derive(Default)]
        pub struct $name {
            tree: $parry::partitioning::Bvh,
            workspace: $parry::partitioning::BvhWorkspace,
        }

        impl $name {
            fn update(&mut self, index: u32, b: &Aabb<$dimensions>) {
                let aabb = $parry::bounding_volume::Aabb::new(b.min.into(), b.max.into());
                self.tree.insert_or_update_partially(aabb, index, 0.0);
            }

            fn refit_and_join(&mut self, pairs: &mut Vec<OverlapPair>) {
                self.tree.refit(&mut self.workspace);
                self.tree.optimize_incremental(&mut self.workspace);
                let report = &mut |a: u32, b: u32| pairs.push(pair(a, b));
                self.tree.traverse_bvtt_single_tree::<false>(&mut self.workspace, report);
            }
        }

        impl Peer<$dimensions> for $name {
            fn name(&self) -> &'static str {
                "parry"
            }

            fn frame(&mut self, boxes: &[Aabb<$dimensions>], pairs: &mut Vec<OverlapPair>) {
                for (index, b) in (0..).zip(boxes) {
                    self.update(index, b);
                }
                self.refit_and_join(pairs);
            }

            fn frame_with_movers(
                &mut self,
                boxes: &[Aabb<$dimensions>],
                movers: &[u32],
                pairs: &mut Vec<OverlapPair>,
            ) {
                for &index in movers {
                    self.update(index, &boxes[index as usize]);
                }
                self.refit_and_join(pairs);
            }
        }
    };
}

parry!(Parry2, parry2d, 2);
parry!(Parry3, parry3d, 3);
