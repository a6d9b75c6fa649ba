//! Broad phase of rapier 0.36, used as in its pipeline.
//!
//! At the end of a step the pipeline passes the AABB of each moved collider to `set_aabb`, which
//! uses a fat AABB and leaves the tree unchanged while the box stays inside; `update` then refits,
//! optimizes after enough changes, and reports added and removed pairs of fat AABBs. Rapier's
//! narrow phase keeps those pairs and visits each in every step; so does this peer, which reports
//! pairs whose tight AABBs overlap.
//!
//! The length unit is the mean size of a box, as rapier's manual recommends for worlds not in
//! meters.

use embate::Aabb;
use embate::broad_phase::OverlapPair;
use hashbrown::HashSet;

use super::{Peer, mean_size, pair};

macro_rules! rapier {
    ($name:ident, $rapier:ident, $dimensions:literal) => {
        pub struct $name {
            broad_phase: $rapier::geometry::BroadPhaseBvh,
            parameters: $rapier::dynamics::IntegrationParameters,
            bodies: $rapier::dynamics::RigidBodySet,
            colliders: $rapier::geometry::ColliderSet,
            handles: Vec<$rapier::geometry::ColliderHandle>,
            events: Vec<$rapier::geometry::BroadPhasePairEvent>,
            /// Pairs of overlapping fat AABBs.
            near: Vec<OverlapPair>,
            removed: HashSet<OverlapPair>,
        }

        impl $name {
            pub fn new(boxes: &[Aabb<$dimensions>]) -> Self {
                use $rapier::geometry::{ActiveCollisionTypes, ColliderBuilder, ColliderSet};
                let mut colliders = ColliderSet::with_capacity(boxes.len());
                // Colliders without bodies count as fixed, and pairs of fixed ones need all
                // collision types enabled. The shape is not used, since AABBs are set directly.
                let collider = ColliderBuilder::ball(0.5)
                    .active_collision_types(ActiveCollisionTypes::all())
                    .build();
                let handles = boxes.iter().map(|_| colliders.insert(collider.clone())).collect();
                let parameters = $rapier::dynamics::IntegrationParameters {
                    length_unit: mean_size(boxes),
                    ..Default::default()
                };
                Self {
                    broad_phase: $rapier::geometry::BroadPhaseBvh::new(),
                    parameters,
                    bodies: $rapier::dynamics::RigidBodySet::new(),
                    colliders,
                    handles,
                    events: Vec::new(),
                    near: Vec::new(),
                    removed: HashSet::new(),
                }
            }

            fn set(&mut self, index: usize, b: &Aabb<$dimensions>) {
                let aabb = $rapier::geometry::Aabb::new(b.min.into(), b.max.into());
                self.broad_phase.set_aabb(&self.parameters, self.handles[index], aabb);
            }

            fn update(&mut self, boxes: &[Aabb<$dimensions>], pairs: &mut Vec<OverlapPair>) {
                use $rapier::geometry::BroadPhasePairEvent::{AddPair, DeletePair};
                let (colliders, bodies, events) = (&self.colliders, &self.bodies, &mut self.events);
                self.broad_phase.update(&self.parameters, colliders, bodies, &[], &[], events);
                // Without removals the index of a collider is its position in the list.
                let index = |handle: $rapier::geometry::ColliderHandle| handle.into_raw_parts().0;
                self.removed.clear();
                for event in self.events.drain(..) {
                    match event {
                        AddPair(p) => self.near.push(pair(index(p.collider1), index(p.collider2))),
                        DeletePair(p) => {
                            self.removed.insert(pair(index(p.collider1), index(p.collider2)));
                        }
                    }
                }
                if !self.removed.is_empty() {
                    let removed = &self.removed;
                    self.near.retain(|pair| !removed.contains(pair));
                }
                let overlap =
                    |&&[a, b]: &&OverlapPair| boxes[a as usize].overlaps(&boxes[b as usize]);
                pairs.extend(self.near.iter().filter(overlap));
            }
        }

        impl Peer<$dimensions> for $name {
            fn name(&self) -> &'static str {
                "rapier"
            }

            fn frame(&mut self, boxes: &[Aabb<$dimensions>], pairs: &mut Vec<OverlapPair>) {
                for (index, b) in boxes.iter().enumerate() {
                    self.set(index, b);
                }
                self.update(boxes, pairs);
            }

            fn frame_with_movers(
                &mut self,
                boxes: &[Aabb<$dimensions>],
                movers: &[u32],
                pairs: &mut Vec<OverlapPair>,
            ) {
                for &index in movers {
                    self.set(index as usize, &boxes[index as usize]);
                }
                self.update(boxes, pairs);
            }
        }
    };
}

rapier!(Rapier2, rapier2d, 2);
rapier!(Rapier3, rapier3d, 3);
