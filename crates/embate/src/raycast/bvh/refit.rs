//! How does a tree follow vertices that move? Every box is made anew around what is in it now; which triangles are
//! together stays as it was.
//!
//! Boxes that were good when the tree was built may become long and overlap. How much worse a ray fares is measured by what
//! the tree was built by: the surface-area heuristic.

use std::sync::Arc;

use embate_geom::Aabb;
use embate_mesh::TriangleMesh;

use super::Bvh;
use super::leaves::{LeafMaker, Leaves, SharedCorners};
use super::node::{self, Child, Line, NODE_LINES, WIDTH};
use super::pages::Lines;

/// What testing a leaf costs, against visiting a node: as where the tree is made.
const LEAF: f64 = 0.9;

/// Parts of the tree from so many lines on are refitted by two threads.
const WORTH_A_THREAD: usize = 16_384;

impl Bvh {
    /// Fits the tree to a mesh of the same triangles in other places, on rayon's current threads, and tells its
    /// [`cost`](Self::cost). Answers are again those of [`Brute`](crate::rays::Brute) on that mesh, to the bit.
    ///
    /// Where parts of a triangle are in several leaves, each leaf gets a box around the whole: right, and slower.
    pub(in crate::rays) fn refit(&mut self, mesh: &TriangleMesh) -> f64 {
        let Some(root) = self.root else { return 0.0 };
        let shared = self.corners.as_ref().map(|_| SharedCorners::new(mesh));
        let leaves = LeafMaker { mesh, shared: shared.as_ref() };
        let fitted = fit(self.lines.to_mut(), 0, root, leaves);
        self.corners = shared.map(|shared| Arc::new(shared.corners));
        relative(&fitted)
    }

    /// What a ray that meets the box of all is expected to visit, in nodes: 1 a node and [`LEAF`] a leaf, each as
    /// likely as the box around the whole triangles in it is large.
    pub(in crate::rays) fn cost(&self) -> f64 {
        let Some(root) = self.root else { return 0.0 };
        relative(&look(self.leaves(), root))
    }
}

impl Lines {
    /// The list, to be changed; copies of it keep what they have.
    fn to_mut(&mut self) -> &mut [Line] {
        if let Self::Pages { pages, .. } = self
            && Arc::get_mut(pages).is_none()
        {
            *self = Self::List(Arc::new(self.as_slice().to_vec()));
        }
        match self {
            Self::List(list) => Arc::make_mut(list).as_mut_slice(),
            Self::Pages { pages, first_byte, bytes } => {
                let pages = Arc::get_mut(pages).map_or(&mut [][..], |pages| &mut pages[..]);
                bytemuck::cast_slice_mut(&mut pages[*first_byte..*first_byte + *bytes])
            }
        }
    }
}

/// A part of the tree.
struct Part {
    bounds: Option<Aabb<3>>,
    /// Of it and all below, each times half the surface of its box.
    cost: f64,
}

fn relative(whole: &Part) -> f64 {
    let area = whole.bounds.as_ref().map_or(0.0, area);
    if area > 0.0 { whole.cost / area } else { 0.0 }
}

/// Half the surface.
fn area(bounds: &Aabb<3>) -> f64 {
    let side = |axis: usize| f64::from(bounds.max[axis]) - f64::from(bounds.min[axis]);
    let [x, y, z] = core::array::from_fn(side);
    x * (y + z) + y * z
}

fn leaf(bounds: Option<Aabb<3>>) -> Part {
    Part { cost: LEAF * bounds.as_ref().map_or(0.0, area), bounds }
}

/// A node over such children.
fn node_over(children: &[Option<Part>; WIDTH]) -> Part {
    let present = children.iter().flatten();
    let bounds = present.clone().filter_map(|part| part.bounds).reduce(|a, b| a.joined(&b));
    let below: f64 = present.map(|part| part.cost).sum();
    Part { cost: below + bounds.as_ref().map_or(0.0, area), bounds }
}

/// Fits what is below `child`; `lines` are those from number `first` on that belong to it.
fn fit(lines: &mut [Line], first: usize, child: Child, leaves: LeafMaker<'_>) -> Part {
    let place = child.line() - first;
    if child.is_leaf() {
        let Some(own) = lines.get_mut(place..place + leaves.lines()) else { return leaf(None) };
        // In every kind of leaf the last row.
        let numbers = own.last().map_or([0; WIDTH], |line| line[1].map(f32::to_bits));
        let numbers = &numbers[..child.count() as usize];
        leaves.fill(own, numbers.iter().copied());
        let boxes = numbers.iter().map(|&number| leaves.mesh.triangle(number).guarded_bounds());
        return leaf(boxes.reduce(|a, b| a.joined(&b)));
    }
    let Some(&node) = lines[place..].first_chunk::<NODE_LINES>() else { return leaf(None) };
    let below = |lane: usize| {
        node::bounds(&node, lane).map(|_| Child(node::children(&node)[lane].to_bits()))
    };
    let children: [Option<Child>; WIDTH] = core::array::from_fn(below);
    // Depth first: each child's lines end where the next one's begin.
    let (_, rest) = lines.split_at_mut(place + NODE_LINES);
    let parts = fit_all(rest, first + place + NODE_LINES, &children, leaves);
    for (lane, part) in parts.iter().enumerate() {
        if let (Some(child), Some(Part { bounds: Some(bounds), .. })) = (children[lane], part)
            && let Some(node) = lines[place..].first_chunk_mut()
        {
            node::set_child(node, lane, bounds, child);
        }
    }
    node_over(&parts)
}

/// Fits children that lie one behind the other; a long list is shared by two threads.
fn fit_all(
    lines: &mut [Line],
    first: usize,
    children: &[Option<Child>; WIDTH],
    leaves: LeafMaker<'_>,
) -> [Option<Part>; WIDTH] {
    let half = WIDTH / 2;
    let second = children[half..].iter().flatten().next().map(|child| child.line() - first);
    if let Some(second) = second
        && lines.len() >= WORTH_A_THREAD
        && second <= lines.len()
    {
        let (low, high) = lines.split_at_mut(second);
        let (mut parts, rest) = rayon::join(
            || fit_each(low, first, children, 0..half, leaves),
            || fit_each(high, first + second, children, half..WIDTH, leaves),
        );
        for (part, other) in parts.iter_mut().zip(rest).skip(half) {
            *part = other;
        }
        return parts;
    }
    fit_each(lines, first, children, 0..WIDTH, leaves)
}

fn fit_each(
    lines: &mut [Line],
    first: usize,
    children: &[Option<Child>; WIDTH],
    lanes: core::ops::Range<usize>,
    leaves: LeafMaker<'_>,
) -> [Option<Part>; WIDTH] {
    core::array::from_fn(|lane| {
        let child = children[lane].filter(|_| lanes.contains(&lane))?;
        Some(fit(lines, first, child, leaves))
    })
}

/// As [`fit`], changing nothing.
fn look(leaves: Leaves<'_>, child: Child) -> Part {
    if child.is_leaf() {
        let triangles = (0..child.count() as usize).filter_map(|lane| leaves.triangle(child, lane));
        let boxes = triangles.map(|triangle| triangle.guarded_bounds());
        return leaf(boxes.reduce(|a, b| a.joined(&b)));
    }
    let Some(node) = node::node(leaves.lines, child) else { return leaf(None) };
    let parts = core::array::from_fn(|lane| {
        node::bounds(node, lane)?;
        Some(look(leaves, Child(node::children(node)[lane].to_bits())))
    });
    node_over(&parts)
}
