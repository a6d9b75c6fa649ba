//! Brute force and octree of Lorenzi 2014 at the cost of the published program.
//!
//! [`BruteForce`](super::BruteForce) and [`Octree`](super::Octree) reproduce the published counts
//! and are otherwise compact and free of unpredictable branches. The structures here return the
//! same hits and counts, and repeat what makes the published program cost what it costs:
//!
//! | cost | as published |
//! |---|---|
//! | memory | every cell of the tree is a node of its own, with eight pointers, a list, place, size and depth, allocated before the first triangle |
//! | box test | two divisions for each of the three slabs |
//! | triangle test | given up at the first comparison that fails ("early discard") |
//!
//! The study does not say how a node lists its triangles; here the list holds them by value. The
//! overhead of the allocator is not counted.

use core::ops::ControlFlow;

use embate::raycast::{NodeBounds, RayIndex, TraversalObserver};
use embate_geom::{Ray, TriangleHit};
use embate_mesh::TriangleMesh;

use super::PUBLISHED_LEVELS;
use super::brute_force::{CubeTriangle, MIN_DETERMINANT, cube_triangles};
use super::octree::{Cell, OCTANT_MARGIN, to_array};
use super::unit_cube_map::{CubeRay, UnitCubeMap};

/// A triangle of the program: its vertices, and its index in the mesh.
#[derive(Clone, Copy, Debug)]
struct ListedTriangle {
    triangle: CubeTriangle,
    index: u32,
}

impl ListedTriangle {
    fn all(mesh: &TriangleMesh, map: UnitCubeMap) -> impl Iterator<Item = Self> {
        cube_triangles(mesh, map).zip(0..).map(|(triangle, index)| Self { triangle, index })
    }

    /// Möller–Trumbore with back-face culling and early discard, in the published order.
    fn intersect(&self, ray: &CubeRay, t_range: (f32, f32)) -> Option<TriangleHit> {
        let [v0, v1, v2] = self.triangle.0;
        let (e1, e2) = (v1 - v0, v2 - v0);
        let p = ray.direction.cross(e2);
        let det = p.dot(e1);
        if det < MIN_DETERMINANT {
            return None;
        }
        let r = ray.origin - v0;
        let u = r.dot(p);
        if u < 0.0 || u > det {
            return None;
        }
        let q = r.cross(e1);
        let v = ray.direction.dot(q);
        if v < 0.0 || u + v > det {
            return None;
        }
        let t = (e2.dot(q) / det).abs() as f32;
        (t_range.0 <= t && t <= t_range.1).then(|| TriangleHit {
            t,
            triangle: self.index,
            u: (u / det) as f32,
            v: (v / det) as f32,
        })
    }
}

/// A cell of the program.
#[derive(Clone, Debug)]
struct Node {
    children: [Option<Box<Node>>; 8],
    triangles: Vec<ListedTriangle>,
    min: [f64; 3],
    edge: f64,
    depth: u32,
}

/// Memory of the study's program for a tree of this many nodes and triangles: what the nodes and
/// their lists hold, without the overhead of an allocator. Saturates, because a deep tree with all
/// its nodes does not fit into memory.
pub(super) fn program_bytes(nodes: usize, triangles: usize) -> usize {
    let nodes = nodes.saturating_mul(size_of::<Node>());
    nodes.saturating_add(triangles.saturating_mul(size_of::<ListedTriangle>()))
}

impl Node {
    /// A node and all nodes below it, down to the last level.
    fn allocate(cell: Cell, levels: usize) -> Self {
        let child = |octant| {
            let has_children = cell.depth + 1 < levels;
            has_children.then(|| Box::new(Self::allocate(cell.child(octant), levels)))
        };
        Self {
            children: core::array::from_fn(child),
            triangles: Vec::new(),
            min: cell.min,
            edge: cell.edge,
            depth: cell.depth as u32,
        }
    }

    fn cell(&self) -> Cell {
        Cell { depth: self.depth as usize, min: self.min, edge: self.edge }
    }

    /// Adds a triangle to the smallest node that holds it.
    fn insert(&mut self, listed: ListedTriangle) {
        let octant = self.cell().octant_containing(&listed.triangle);
        match octant.and_then(|octant| self.children[octant].as_mut()) {
            Some(child) => child.insert(listed),
            None => self.triangles.push(listed),
        }
    }

    /// Frees the unused capacity of the lists.
    fn shrink(&mut self) {
        self.triangles.shrink_to_fit();
        self.children.iter_mut().flatten().for_each(|child| child.shrink());
    }

    /// The study's slab test of the enlarged cell, over the whole line, with its divisions.
    ///
    /// 0 / 0, where the line lies in a slab plane, is undefined in the study. Here the sign of the
    /// direction selects near and far plane, and a NaN clips nothing, as in
    /// [`Octree`](super::Octree).
    fn intersects_line(&self, origin: &[f64; 3], direction: &[f64; 3]) -> bool {
        let (mut enter, mut exit) = (f64::NEG_INFINITY, f64::INFINITY);
        for axis in 0..3 {
            let min = self.min[axis] - OCTANT_MARGIN;
            let max = self.min[axis] + self.edge + OCTANT_MARGIN;
            let a = (min - origin[axis]) / direction[axis];
            let b = (max - origin[axis]) / direction[axis];
            let (near, far) = if direction[axis].is_sign_negative() { (b, a) } else { (a, b) };
            enter = if near > enter { near } else { enter };
            exit = if far < exit { far } else { exit };
        }
        enter <= exit
    }

    fn visit<O: TraversalObserver>(
        &self,
        query: &Query<'_>,
        observer: &mut O,
        found: &mut impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        observer.visit_node(|| query.map.aabb_to_mesh_units(self.min, self.cell().max()));
        for child in self.children.iter().flatten() {
            if child.intersects_line(&query.origin, &query.direction) {
                child.visit(query, observer, found)?;
            }
        }
        for listed in &self.triangles {
            observer.test_triangle(listed.index);
            if let Some(hit) = listed.intersect(&query.ray, query.t_range) {
                found(hit)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn candidates(&self, query: &Query<'_>) -> usize {
        let children = self.children.iter().flatten();
        let entered = children.filter(|c| c.intersects_line(&query.origin, &query.direction));
        self.triangles.len() + entered.map(|child| child.candidates(query)).sum::<usize>()
    }

    fn has_triangles(&self) -> bool {
        !self.triangles.is_empty() || self.children.iter().flatten().any(|c| c.has_triangles())
    }

    fn visit_nodes(
        &self,
        map: &UnitCubeMap,
        depth: u32,
        visit: &mut impl FnMut(NodeBounds) -> bool,
    ) {
        let stored = self.triangles.len() as u32;
        let node = NodeBounds {
            bounds: map.aabb_to_mesh_units(self.min, self.cell().max()),
            depth: self.depth,
            triangles: (stored > 0).then_some(stored),
        };
        if self.has_triangles() && visit(node) && self.depth < depth {
            self.children.iter().flatten().for_each(|child| child.visit_nodes(map, depth, visit));
        }
    }
}

/// One ray in the study's cube.
struct Query<'a> {
    map: &'a UnitCubeMap,
    ray: CubeRay,
    origin: [f64; 3],
    direction: [f64; 3],
    t_range: (f32, f32),
}

/// The study's octree at the cost of the published program.
///
/// Returns the hits and the counts of [`Octree`](super::Octree).
#[derive(Clone, Debug)]
pub struct LiteralOctree {
    map: UnitCubeMap,
    root: Box<Node>,
    nodes: usize,
    triangles: usize,
}

impl LiteralOctree {
    /// Six levels over `mesh`, scaled into the study's cube.
    #[must_use]
    pub fn new(mesh: &TriangleMesh) -> Self {
        Self::with_map(mesh, UnitCubeMap::of(mesh), PUBLISHED_LEVELS)
    }

    /// [`new`](Self::new) with a given transform and 1 to [`PUBLISHED_LEVELS`] levels: every
    /// further level would allocate eight times as many nodes.
    ///
    /// # Panics
    /// If `levels` is out of range.
    #[must_use]
    pub fn with_map(mesh: &TriangleMesh, map: UnitCubeMap, levels: usize) -> Self {
        assert!((1..=PUBLISHED_LEVELS).contains(&levels), "{levels} levels");
        let mut root = Box::new(Node::allocate(Cell::ROOT, levels));
        ListedTriangle::all(mesh, map).for_each(|listed| root.insert(listed));
        root.shrink();
        let nodes = super::cells::cell_count(levels) as usize;
        Self { map, root, nodes, triangles: mesh.triangles().len() }
    }

    /// Traverses the tree as a query does, without testing triangles; returns the number of
    /// triangles that the query would test.
    #[must_use]
    pub fn candidates(&self, ray: &Ray<3>) -> usize {
        self.root.candidates(&self.query(ray))
    }

    /// As [`Octree::visit_nodes`](super::Octree::visit_nodes).
    pub fn visit_nodes(&self, depth: u32, mut visit: impl FnMut(NodeBounds) -> bool) {
        self.root.visit_nodes(&self.map, depth, &mut visit);
    }

    fn query(&self, ray: &Ray<3>) -> Query<'_> {
        let cube_ray = self.map.ray(ray);
        Query {
            map: &self.map,
            ray: cube_ray,
            origin: to_array(cube_ray.origin),
            direction: to_array(cube_ray.direction),
            t_range: (ray.t_min, ray.t_max),
        }
    }
}

impl RayIndex for LiteralOctree {
    /// Visits hits in cell order, without early exit, as [`Octree`](super::Octree).
    fn visit_hits<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        mut found: impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) {
        // `Break` only ends the traversal: the caller requested it.
        let _ = self.root.visit(&self.query(ray), observer, &mut found);
    }

    fn memory_usage(&self) -> usize {
        program_bytes(self.nodes, self.triangles)
    }
}

/// The study's brute force with early discard, as published.
///
/// Returns the hits of [`BruteForce`](super::BruteForce).
#[derive(Clone, Debug)]
pub struct LiteralBruteForce {
    map: UnitCubeMap,
    triangles: Vec<ListedTriangle>,
}

impl LiteralBruteForce {
    /// Scales `mesh` into the study's cube.
    #[must_use]
    pub fn new(mesh: &TriangleMesh) -> Self {
        Self::with_map(mesh, UnitCubeMap::of(mesh))
    }

    /// [`new`](Self::new) with a given transform.
    #[must_use]
    pub fn with_map(mesh: &TriangleMesh, map: UnitCubeMap) -> Self {
        Self { map, triangles: ListedTriangle::all(mesh, map).collect() }
    }
}

impl RayIndex for LiteralBruteForce {
    fn visit_hits<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        mut found: impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) {
        let cube_ray = self.map.ray(ray);
        for listed in &self.triangles {
            observer.test_triangle(listed.index);
            if let Some(hit) = listed.intersect(&cube_ray, (ray.t_min, ray.t_max))
                && found(hit).is_break()
            {
                return;
            }
        }
    }

    fn memory_usage(&self) -> usize {
        size_of_val(self.triangles.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `docs/studies.md`: 37,449 nodes of some 80 to 128 bytes, 3 to 5 MB before the first
    /// triangle.
    #[test]
    fn empty_tree_of_the_program_takes_3_to_5_megabytes() {
        if size_of::<usize>() == 8 {
            assert!((80..=128).contains(&size_of::<Node>()), "{}", size_of::<Node>());
        }
        let tree = LiteralOctree::new(&TriangleMesh::default());
        assert_eq!(tree.memory_usage(), 37_449 * size_of::<Node>());
        assert!((3_000_000..=5_000_000).contains(&tree.memory_usage()));
        assert_eq!(program_bytes(usize::MAX, 1), usize::MAX);
    }

    #[test]
    fn every_cell_is_allocated_before_the_first_triangle() {
        fn nodes(node: &Node) -> usize {
            1 + node.children.iter().flatten().map(|child| nodes(child)).sum::<usize>()
        }
        for levels in [1, 2, 6] {
            let tree =
                LiteralOctree::with_map(&TriangleMesh::default(), UnitCubeMap::IDENTITY, levels);
            assert_eq!(nodes(&tree.root), tree.nodes);
        }
    }
}
