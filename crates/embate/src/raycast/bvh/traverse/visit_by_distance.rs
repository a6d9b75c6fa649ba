//! Traversal of the BVH by a distance function: point, box and sphere queries.

use embate_geom::{Aabb, Triangle};

use crate::raycast::bvh::Bvh;
use crate::raycast::bvh::node::{self, NodeRef, WIDTH};

impl Bvh {
    /// Calls `visit` with the triangles in leaves within `limit`, nearer siblings first. `visit`
    /// returns the new limit. `distance` must be a lower bound of the distance to the box.
    pub(crate) fn visit_by_distance(
        &self,
        mut limit: f64,
        distance: impl Fn(&Aabb<3>) -> f64,
        mut visit: impl FnMut(u32, &Triangle) -> f64,
    ) {
        let leaves = self.leaves();
        let lines = leaves.lines;
        let mut stack: Vec<(f64, NodeRef)> =
            self.root.map(|root| (f64::NEG_INFINITY, root)).into_iter().collect();
        while let Some((lower_bound, child)) = stack.pop() {
            if lower_bound > limit {
                continue;
            }
            if child.is_leaf() {
                let Some(triangle_ids) = leaves.triangle_ids(child) else { return };
                for (lane, id) in triangle_ids[..child.count() as usize].iter().enumerate() {
                    let Some(triangle) = leaves.triangle(child, lane) else { return };
                    limit = visit(id.to_bits(), &triangle);
                }
                continue;
            }
            let Some(node) = node::node(lines, child) else { return };
            let first_sibling = stack.len();
            for lane in 0..WIDTH {
                let Some(bounds) = node::child_bounds(node, lane) else { continue };
                let lower_bound = distance(&bounds);
                if lower_bound <= limit {
                    stack.push((lower_bound, NodeRef(node::child_refs(node)[lane].to_bits())));
                }
            }
            sort_farthest_first(&mut stack[first_sibling..]);
        }
    }
}

/// A function, so that the sort is compiled once.
fn sort_farthest_first(siblings: &mut [(f64, NodeRef)]) {
    siblings.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
}
