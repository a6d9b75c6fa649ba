//! Query tree: a lazily built BVH over the tight AABBs of all bodies, for queries alone.
//!
//! The fat AABBs of the broad phase cannot serve: a body that bounced may have left its fat AABB
//! until the next step enlarges it, and enlarging it for a query would make the simulation depend
//! on queries. The tree is built at the first query, updated while few bodies move, and dropped
//! otherwise.

use std::sync::OnceLock;

use embate_geom::Aabb;

use crate::broad_phase::{AabbSlice, DynamicBvh};
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;

/// If more than this fraction of the bodies moved in a step, the tree is dropped and rebuilt at the
/// next query: a rebuild takes as long as moving a third of the leaves.
const MOVED_REBUILD_FRACTION: f32 = 0.3;

/// BVH over the queryable bodies, with body indices as leaf ids. Empty until the first query.
#[derive(Clone, Debug, Default)]
pub(crate) struct QueryTree {
    bvh: OnceLock<DynamicBvh<3>>,
}

fn body_aabb(bodies: &BodySet, index: BodyIndex) -> Aabb<3> {
    bodies.data(index).shape.aabb(bodies.pose(index))
}

/// Whether queries can find the body. Boundary planes of the world, and bodies whose AABB is NaN or
/// out of range, are not queryable.
fn is_queryable(bodies: &BodySet, index: BodyIndex) -> bool {
    bodies.get(index).is_some_and(|body| !body.is_world_boundary)
        && AabbSlice::validate(index.0, &body_aabb(bodies, index)).is_ok()
}

impl QueryTree {
    /// The tree, built now if there is none.
    pub(crate) fn bvh(&self, bodies: &BodySet) -> &DynamicBvh<3> {
        self.bvh.get_or_init(|| {
            let placeholder = Aabb { min: [0.0; 3], max: [0.0; 3] };
            let aabb_or_placeholder = |index| {
                if is_queryable(bodies, index) { body_aabb(bodies, index) } else { placeholder }
            };
            let aabbs: Vec<Aabb<3>> = bodies.slot_indices().map(aabb_or_placeholder).collect();
            // `AabbSlice` rejects all AABBs if one is invalid; placeholders keep the others
            // queryable.
            let mut bvh =
                AabbSlice::new(&aabbs).map_or_else(|_| DynamicBvh::new(), DynamicBvh::build);
            for index in bodies.slot_indices().filter(|&index| !is_queryable(bodies, index)) {
                bvh.remove(index.0);
            }
            bvh
        })
    }

    /// Drops the tree, after a body was inserted, removed or teleported.
    pub(crate) fn invalidate(&mut self) {
        self.bvh.take();
    }

    /// Moves the leaves of the bodies that a step moved.
    pub(crate) fn update(&mut self, bodies: &BodySet, moved: &[BodyIndex]) {
        let Some(bvh) = self.bvh.get_mut() else { return };
        if moved.len() as f32 > bvh.len() as f32 * MOVED_REBUILD_FRACTION {
            self.invalidate();
            return;
        }
        for &index in moved {
            if bvh.insert(index.0, body_aabb(bodies, index)).is_err() {
                bvh.remove(index.0);
            }
        }
    }
}
