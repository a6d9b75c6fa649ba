//! Traversal of the BSP tree: near side, triangles on the plane, far side.

use core::ops::ControlFlow;

use embate_geom::{Aabb, Ray, TriangleHit, WatertightRay};

use crate::raycast::TraversalObserver;
use crate::raycast::bsp::{BspNode, BspTree, MAX_DEPTH};
use crate::raycast::ray_range::{PartitionRay, RayRange};
use crate::raycast::triangle_blocks::BlockRange;

/// Entries per level: the triangles on the plane, and the far side.
const MAX_STACK: usize = 2 * MAX_DEPTH;

/// What is visited later, if the ray has no hit before.
#[derive(Clone, Copy)]
struct StackEntry {
    visit: Visit,
    range: RayRange,
}

#[derive(Clone, Copy)]
enum Visit {
    Node(u32),
    Triangles(BlockRange),
}

impl BspTree {
    /// Calls `on_hit` with the hits of the ray until it returns `Break`; `Continue` carries the new
    /// `t_max`. A triangle in several cells may be reported several times.
    pub(super) fn traverse<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        on_hit: &mut impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) {
        if self.nodes.is_empty() || !ray.is_valid() {
            return;
        }
        let partition_ray = PartitionRay::new(ray);
        let range = partition_ray.range_in_box(ray, &self.bounds);
        let watertight_ray = WatertightRay::new(ray);
        let mut t_max = ray.t_max;
        let mut stack = Stack::new();
        // AABBs of the cells on the stack, for an observer that uses them.
        let mut cells: Vec<Aabb<3>> = Vec::new();
        stack.push(Visit::Node(0), range);
        if O::WANTS_DETAILS {
            cells.push(self.bounds);
        }
        while let Some(StackEntry { visit, range }) = stack.pop() {
            let cell = match visit {
                Visit::Node(_) if O::WANTS_DETAILS => cells.pop().unwrap_or(self.bounds),
                _ => self.bounds,
            };
            // `enter` is padded.
            if range.enter > f64::from(t_max) {
                continue;
            }
            let triangles = match visit {
                Visit::Triangles(triangles) => triangles,
                Visit::Node(index) => {
                    observer.visit_node(|| cell);
                    match self.nodes[index as usize] {
                        BspNode::Leaf(triangles) => triangles,
                        BspNode::Inner { plane, coplanar, thickness, low_child } => {
                            let plane_ray = partition_ray.relative_to(plane.normal, plane.offset);
                            let sides = plane_ray.split(range);
                            let (near, far) = (sides.near, 1 - sides.near);
                            let halves =
                                if O::WANTS_DETAILS { plane.halves(&cell) } else { [cell; 2] };
                            let mut push_side = |stack: &mut Stack, side: usize| {
                                let child = Visit::Node(low_child + side as u32);
                                if stack.push(child, sides.ranges[side]) && O::WANTS_DETAILS {
                                    cells.push(halves[side]);
                                }
                            };
                            push_side(&mut stack, far);
                            if coplanar.count > 0 {
                                let on_plane = plane_ray.range_within(f64::from(thickness), range);
                                stack.push(Visit::Triangles(coplanar), on_plane);
                            }
                            push_side(&mut stack, near);
                            continue;
                        }
                    }
                }
            };
            let tested =
                self.blocks.intersect(triangles, &watertight_ray, &mut t_max, observer, on_hit);
            if tested.is_break() {
                return;
            }
        }
    }
}

/// Entries still to visit, the next one last.
struct Stack {
    entries: [StackEntry; MAX_STACK + 1],
    len: usize,
}

impl Stack {
    fn new() -> Self {
        let empty = StackEntry { visit: Visit::Node(0), range: RayRange::EMPTY };
        Self { entries: [empty; MAX_STACK + 1], len: 0 }
    }

    /// Returns whether the range is not empty, so that an entry was pushed.
    fn push(&mut self, visit: Visit, range: RayRange) -> bool {
        // The capacity suffices: the builder bounds the depth.
        if range.is_empty() || self.len == self.entries.len() {
            return false;
        }
        self.entries[self.len] = StackEntry { visit, range };
        self.len += 1;
        true
    }

    fn pop(&mut self) -> Option<StackEntry> {
        self.len = self.len.checked_sub(1)?;
        Some(self.entries[self.len])
    }
}
