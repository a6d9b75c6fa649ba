//! Which of many boxes may a ray meet, nearest first?
//!
//! A binary tree over the boxes of the instances, all in f64. It prunes by boxes that are grown by as much as the two frames
//! of a ray can disagree, so that no hit of an instance is lost (`mod.rs` has the derivation).

use embate_geom::Ray;

/// A box of an instance or of several.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WorldBox {
    pub(super) min: [f64; 3],
    pub(super) max: [f64; 3],
}

impl WorldBox {
    fn joined(&self, other: &Self) -> Self {
        let mut both = *self;
        for axis in 0..3 {
            both.min[axis] = smaller(self.min[axis], other.min[axis]);
            both.max[axis] = larger(self.max[axis], other.max[axis]);
        }
        both
    }

    /// Half the surface.
    fn area(&self) -> f64 {
        let [x, y, z] = core::array::from_fn(|axis| self.max[axis] - self.min[axis]);
        x * (y + z) + y * z
    }

    fn middle(&self, axis: usize) -> f64 {
        self.min[axis] + self.max[axis]
    }

    /// Where the ray enters the box, grown by `doubt` of how far its farthest side is; `None` if it does not before `t_max`.
    fn enters(&self, ray: &WorldRay, doubt: f64, t_max: f64) -> Option<f64> {
        let mut farthest = 0.0;
        for axis in 0..3 {
            farthest = larger(farthest, (self.min[axis] - ray.origin[axis]).abs());
            farthest = larger(farthest, (self.max[axis] - ray.origin[axis]).abs());
        }
        let margin = doubt * farthest;
        let (mut enter, mut leave) = (ray.t_min, t_max);
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
            enter = larger(enter, near);
            leave = smaller(leave, far);
        }
        (enter <= leave).then_some(enter)
    }
}

fn smaller(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

struct WorldRay {
    origin: [f64; 3],
    direction: [f64; 3],
    t_min: f64,
}

#[derive(Clone, Copy, Debug)]
struct Node {
    bounds: WorldBox,
    /// The second child, whose sibling follows this node; or an instance.
    next: u32,
    is_leaf: bool,
}

/// The tree; its root is the first node.
#[derive(Clone, Debug, Default)]
pub(super) struct InstanceTree {
    nodes: Vec<Node>,
    /// How much of a distance the frames can disagree by, over all instances.
    doubt: f64,
}

impl InstanceTree {
    /// Over these instances by number.
    pub(super) fn new(mut boxes: Vec<(WorldBox, u32)>, doubt: f64) -> Self {
        let mut tree = Self { nodes: Vec::with_capacity(2 * boxes.len()), doubt };
        if !boxes.is_empty() {
            let mut costs = vec![0.0; boxes.len()];
            tree.grow(&mut boxes, &mut costs);
        }
        tree
    }

    fn grow(&mut self, boxes: &mut [(WorldBox, u32)], costs: &mut [f64]) {
        let place = self.nodes.len();
        if let [(bounds, number)] = *boxes {
            self.nodes.push(Node { bounds, next: number, is_leaf: true });
            return;
        }
        let cut = cut(boxes, costs);
        let bounds = around(boxes);
        self.nodes.push(Node { bounds, next: 0, is_leaf: false });
        let (low, high) = boxes.split_at_mut(cut);
        self.grow(low, costs);
        self.nodes[place].next = self.nodes.len() as u32;
        self.grow(high, costs);
    }

    /// Tells `visit` of the instances whose boxes the ray may meet, near ones first; it answers how far the ray still
    /// reaches, or breaks off by `None`.
    pub(super) fn visit(&self, ray: &Ray<3>, mut visit: impl FnMut(u32) -> Option<f32>) {
        if !ray.leads_somewhere() || self.nodes.is_empty() {
            return;
        }
        let wide = WorldRay {
            origin: ray.origin.map(f64::from),
            direction: ray.direction.map(f64::from),
            t_min: f64::from(ray.t_min),
        };
        let mut reach = f64::from(ray.t_max);
        let enters = |place: usize, reach: f64| {
            self.nodes[place].bounds.enters(&wide, self.doubt, reach).map(|enter| (enter, place))
        };
        let mut pending: Vec<(f64, usize)> = enters(0, reach).into_iter().collect();
        while let Some((enter, place)) = pending.pop() {
            if enter > reach {
                continue;
            }
            let node = &self.nodes[place];
            if node.is_leaf {
                match visit(node.next) {
                    Some(nearer) => reach = f64::from(nearer),
                    None => return,
                }
                continue;
            }
            match (enters(place + 1, reach), enters(node.next as usize, reach)) {
                (Some(a), Some(b)) if a.0 <= b.0 => pending.extend([b, a]),
                (a, b) => pending.extend(a.into_iter().chain(b)),
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        size_of_val(self.nodes.as_slice())
    }
}

fn around(boxes: &[(WorldBox, u32)]) -> WorldBox {
    let (first, rest) = (boxes[0].0, &boxes[1..]);
    rest.iter().fold(first, |all, (bounds, _)| all.joined(bounds))
}

/// Puts the boxes in order along the axis, and tells the place, at which two parts have the least sum of area times boxes;
/// among equals they keep their order of numbers, so that the tree depends on the boxes alone.
fn cut(boxes: &mut [(WorldBox, u32)], costs: &mut [f64]) -> usize {
    let mut best = (f64::INFINITY, 0, boxes.len() / 2);
    for axis in 0..3 {
        sort(boxes, axis);
        let mut above = boxes[boxes.len() - 1].0;
        for place in (1..boxes.len()).rev() {
            above = above.joined(&boxes[place].0);
            costs[place] = above.area() * (boxes.len() - place) as f64;
        }
        let mut below = boxes[0].0;
        for place in 1..boxes.len() {
            below = below.joined(&boxes[place - 1].0);
            let cost = below.area() * place as f64 + costs[place];
            if cost < best.0 {
                best = (cost, axis, place);
            }
        }
    }
    sort(boxes, best.1);
    // Of boxes all alike any cut is as good, and halves keep the tree shallow.
    let whole = around(boxes).area() * boxes.len() as f64;
    if best.0 < whole { best.2 } else { boxes.len() / 2 }
}

fn sort(boxes: &mut [(WorldBox, u32)], axis: usize) {
    boxes
        .sort_unstable_by(|a, b| a.0.middle(axis).total_cmp(&b.0.middle(axis)).then(a.1.cmp(&b.1)));
}
