//! Top-level acceleration structure (TLAS): a binary BVH over the world boxes of the instances, in
//! f64.
//!
//! Boxes are grown by the largest error between the world and the local frame of a ray, so that no
//! hit is lost. The derivation is in `mod.rs`.

use embate_geom::Ray;

/// World box of one or several instances.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct InstanceBounds {
    pub(super) min: [f64; 3],
    pub(super) max: [f64; 3],
}

impl InstanceBounds {
    fn merged(&self, other: &Self) -> Self {
        let mut both = *self;
        for axis in 0..3 {
            both.min[axis] = min_f64(self.min[axis], other.min[axis]);
            both.max[axis] = max_f64(self.max[axis], other.max[axis]);
        }
        both
    }

    /// Half surface area.
    fn half_area(&self) -> f64 {
        let [x, y, z] = core::array::from_fn(|axis| self.max[axis] - self.min[axis]);
        x * (y + z) + y * z
    }

    fn doubled_center(&self, axis: usize) -> f64 {
        self.min[axis] + self.max[axis]
    }

    /// Slab test: where the ray enters the box, grown by `frame_error` times the distance of its
    /// farthest side; `None` if it does not enter before `t_max`.
    fn intersect_ray(&self, ray: &WorldRay, frame_error: f64, t_max: f64) -> Option<f64> {
        let mut farthest = 0.0;
        for axis in 0..3 {
            farthest = max_f64(farthest, (self.min[axis] - ray.origin[axis]).abs());
            farthest = max_f64(farthest, (self.max[axis] - ray.origin[axis]).abs());
        }
        let margin = frame_error * farthest;
        let (mut t_enter, mut t_exit) = (ray.t_min, t_max);
        for axis in 0..3 {
            let below = self.min[axis] - margin - ray.origin[axis];
            let above = self.max[axis] + margin - ray.origin[axis];
            let direction = ray.direction[axis];
            if direction == 0.0 {
                if below > 0.0 || above < 0.0 {
                    return None;
                }
                continue;
            }
            let (a, b) = (below / direction, above / direction);
            let (near, far) = if a < b { (a, b) } else { (b, a) };
            t_enter = max_f64(t_enter, near);
            t_exit = min_f64(t_exit, far);
        }
        (t_enter <= t_exit).then_some(t_enter)
    }
}

/// `b` if `a` is NaN.
fn min_f64(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// `b` if `a` is NaN.
fn max_f64(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// A ray in f64.
struct WorldRay {
    origin: [f64; 3],
    direction: [f64; 3],
    t_min: f64,
}

#[derive(Clone, Copy, Debug)]
struct TlasNode {
    bounds: InstanceBounds,
    /// Inner node: index of the second child; the first child follows the node. Leaf: an instance.
    second_child_or_instance: u32,
    is_leaf: bool,
}

/// The TLAS. The root is the first node.
#[derive(Clone, Debug, Default)]
pub(super) struct Tlas {
    nodes: Vec<TlasNode>,
    /// Error between the frames relative to the distance, the maximum over all instances.
    frame_error: f64,
}

impl Tlas {
    /// Builds the tree over the world boxes and indices of instances.
    pub(super) fn new(mut boxes: Vec<(InstanceBounds, u32)>, frame_error: f64) -> Self {
        let mut tree = Self { nodes: Vec::with_capacity(2 * boxes.len()), frame_error };
        if !boxes.is_empty() {
            let mut costs = vec![0.0; boxes.len()];
            tree.build_subtree(&mut boxes, &mut costs);
        }
        tree
    }

    fn build_subtree(&mut self, boxes: &mut [(InstanceBounds, u32)], costs: &mut [f64]) {
        let index = self.nodes.len();
        if let [(bounds, instance)] = *boxes {
            self.nodes.push(TlasNode { bounds, second_child_or_instance: instance, is_leaf: true });
            return;
        }
        let split = sah_sweep_split(boxes, costs);
        let bounds = merge_all(boxes);
        self.nodes.push(TlasNode { bounds, second_child_or_instance: 0, is_leaf: false });
        let (low, high) = boxes.split_at_mut(split);
        self.build_subtree(low, costs);
        self.nodes[index].second_child_or_instance = self.nodes.len() as u32;
        self.build_subtree(high, costs);
    }

    /// Ordered traversal: calls `visit` with the instances whose grown boxes the ray hits, nearer
    /// siblings first. `visit` returns the new `t_max`, or `None` to stop.
    pub(super) fn visit_instances(&self, ray: &Ray<3>, mut visit: impl FnMut(u32) -> Option<f32>) {
        if !ray.is_valid() || self.nodes.is_empty() {
            return;
        }
        let world_ray = WorldRay {
            origin: ray.origin.map(f64::from),
            direction: ray.direction.map(f64::from),
            t_min: f64::from(ray.t_min),
        };
        let mut t_max = f64::from(ray.t_max);
        let intersect = |index: usize, t_max: f64| {
            self.nodes[index]
                .bounds
                .intersect_ray(&world_ray, self.frame_error, t_max)
                .map(|t_enter| (t_enter, index))
        };
        let mut stack: Vec<(f64, usize)> = intersect(0, t_max).into_iter().collect();
        while let Some((t_enter, index)) = stack.pop() {
            if t_enter > t_max {
                continue;
            }
            let node = &self.nodes[index];
            if node.is_leaf {
                match visit(node.second_child_or_instance) {
                    Some(new_t_max) => t_max = f64::from(new_t_max),
                    None => return,
                }
                continue;
            }
            let second_child = node.second_child_or_instance as usize;
            match (intersect(index + 1, t_max), intersect(second_child, t_max)) {
                (Some(a), Some(b)) if a.0 <= b.0 => stack.extend([b, a]),
                (a, b) => stack.extend(a.into_iter().chain(b)),
            }
        }
    }

    pub(super) fn memory_usage(&self) -> usize {
        size_of_val(self.nodes.as_slice())
    }
}

fn merge_all(boxes: &[(InstanceBounds, u32)]) -> InstanceBounds {
    let (first, rest) = (boxes[0].0, &boxes[1..]);
    rest.iter().fold(first, |all, (bounds, _)| all.merged(bounds))
}

/// SAH sweep: sorts the boxes along the best axis and returns the index of the split with the least
/// cost. Ties are ordered by instance index, so the tree depends on the boxes only.
fn sah_sweep_split(boxes: &mut [(InstanceBounds, u32)], costs: &mut [f64]) -> usize {
    let mut best = (f64::INFINITY, 0, boxes.len() / 2);
    for axis in 0..3 {
        sort_by_center(boxes, axis);
        let mut above = boxes[boxes.len() - 1].0;
        for split in (1..boxes.len()).rev() {
            above = above.merged(&boxes[split].0);
            costs[split] = above.half_area() * (boxes.len() - split) as f64;
        }
        let mut below = boxes[0].0;
        for split in 1..boxes.len() {
            below = below.merged(&boxes[split - 1].0);
            let cost = below.half_area() * split as f64 + costs[split];
            if cost < best.0 {
                best = (cost, axis, split);
            }
        }
    }
    let (cost, axis, split) = best;
    sort_by_center(boxes, axis);
    // Among coincident boxes every split is equally good, and the median keeps the tree shallow.
    let unsplit_cost = merge_all(boxes).half_area() * boxes.len() as f64;
    if cost < unsplit_cost { split } else { boxes.len() / 2 }
}

fn sort_by_center(boxes: &mut [(InstanceBounds, u32)], axis: usize) {
    boxes.sort_unstable_by(|a, b| {
        a.0.doubled_center(axis).total_cmp(&b.0.doubled_center(axis)).then(a.1.cmp(&b.1))
    });
}
