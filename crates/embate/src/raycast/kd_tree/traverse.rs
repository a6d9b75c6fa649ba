//! Traversal of the k-d tree: cells in the order of the ray, with early exit.

use core::ops::ControlFlow;

use embate_geom::{Aabb, Ray, TriangleHit, WatertightRay};

use crate::raycast::TraversalObserver;
use crate::raycast::kd_tree::{KdNode, KdTree, MAX_DEPTH, halves};
use crate::raycast::ray_range::{PartitionRay, RayRange};

/// A cell that is visited later.
#[derive(Clone, Copy)]
struct StackEntry {
    node: u32,
    range: RayRange,
}

impl KdTree {
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
        let mut range = partition_ray.range_in_box(ray, &self.bounds);
        if range.is_empty() {
            return;
        }
        let watertight_ray = WatertightRay::new(ray);
        let mut t_max = ray.t_max;
        let mut stack = [StackEntry { node: 0, range: RayRange::EMPTY }; MAX_DEPTH];
        let mut stack_len = 0;
        let mut cells = CellStack::<O>::new(self.bounds);
        let mut index = 0;
        loop {
            observer.visit_node(|| cells.current);
            match self.nodes[index as usize] {
                KdNode::Inner { axis, plane, low_child } => {
                    let axis = usize::from(axis);
                    let sides = partition_ray.split_at(axis, plane, range);
                    let (near, far) = (sides.near, 1 - sides.near);
                    let (near_range, far_range) = (sides.ranges[near], sides.ranges[far]);
                    let is_both = !near_range.is_empty() && !far_range.is_empty();
                    // A depth beyond the stack is impossible; the builder ends before.
                    if is_both && stack_len < MAX_DEPTH {
                        stack[stack_len] =
                            StackEntry { node: low_child + far as u32, range: far_range };
                        stack_len += 1;
                        cells.push(axis, plane, far);
                    }
                    let next = if near_range.is_empty() { far } else { near };
                    (index, range) = (low_child + next as u32, sides.ranges[next]);
                    cells.enter(axis, plane, next);
                    continue;
                }
                KdNode::Leaf(leaf) => {
                    let tested =
                        self.blocks.intersect(leaf, &watertight_ray, &mut t_max, observer, on_hit);
                    if tested.is_break() {
                        return;
                    }
                }
            }
            // Cells that begin beyond the closest hit are skipped: `enter` is padded.
            loop {
                if stack_len == 0 {
                    return;
                }
                stack_len -= 1;
                let entry = stack[stack_len];
                cells.pop();
                if entry.range.enter <= f64::from(t_max) {
                    (index, range) = (entry.node, entry.range);
                    break;
                }
            }
        }
    }
}

/// Cells of the nodes on the stack, for an observer that uses them. Nodes do not store their cell.
struct CellStack<O> {
    current: Aabb<3>,
    waiting: Vec<Aabb<3>>,
    observer: core::marker::PhantomData<O>,
}

impl<O: TraversalObserver> CellStack<O> {
    fn new(root: Aabb<3>) -> Self {
        Self { current: root, waiting: Vec::new(), observer: core::marker::PhantomData }
    }

    /// Stores the half of the current cell on `side`.
    fn push(&mut self, axis: usize, plane: f32, side: usize) {
        if O::WANTS_DETAILS {
            self.waiting.push(halves(self.current, axis, plane)[side]);
        }
    }

    /// Makes the half on `side` the current cell.
    fn enter(&mut self, axis: usize, plane: f32, side: usize) {
        if O::WANTS_DETAILS {
            self.current = halves(self.current, axis, plane)[side];
        }
    }

    fn pop(&mut self) {
        if O::WANTS_DETAILS
            && let Some(cell) = self.waiting.pop()
        {
            self.current = cell;
        }
    }
}
