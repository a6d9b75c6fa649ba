//! rapier 0.36's broad phase, driven as its pipeline drives it.
//!
//! At the end of a step the pipeline hands each moved collider's box to `set_aabb`, which fattens it and
//! leaves the tree alone while the box stays inside; `update` then refits, optimises when enough has
//! changed, and reports the pairs of fattened boxes that came and went. Rapier's narrow phase keeps those
//! pairs and looks at each every step; so do we, and tell the ones whose true boxes overlap.
//!
//! The length unit is the mean size of a box, as rapier's manual asks of worlds that are not in metres.

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
            /// Pairs of fattened boxes that overlap.
            near: Vec<OverlapPair>,
            gone: HashSet<OverlapPair>,
        }

        impl $name {
            pub fn new(boxes: &[Aabb<$dimensions>]) -> Self {
                use $rapier::geometry::{ActiveCollisionTypes, ColliderBuilder, ColliderSet};
                let mut colliders = ColliderSet::with_capacity(boxes.len());
                // Without bodies all count as fixed, and fixed ones do not meet unless asked to. The
                // shape is never looked at: boxes are given.
                let one = ColliderBuilder::ball(0.5)
                    .active_collision_types(ActiveCollisionTypes::all())
                    .build();
                let handles = boxes.iter().map(|_| colliders.insert(one.clone())).collect();
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
                    gone: HashSet::new(),
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
                // Without removals a collider's index is its place in the list.
                let index = |handle: $rapier::geometry::ColliderHandle| handle.into_raw_parts().0;
                self.gone.clear();
                for event in self.events.drain(..) {
                    match event {
                        AddPair(p) => self.near.push(pair(index(p.collider1), index(p.collider2))),
                        DeletePair(p) => {
                            self.gone.insert(pair(index(p.collider1), index(p.collider2)));
                        }
                    }
                }
                if !self.gone.is_empty() {
                    let gone = &self.gone;
                    self.near.retain(|pair| !gone.contains(pair));
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
