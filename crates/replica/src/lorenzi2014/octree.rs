//! Octree of Lorenzi 2014: all cells allocated up front, unordered traversal, no early exit.
//!
//! Slow on purpose: its counts are compared with the printed ones. A triangle is stored in the
//! smallest cell that contains its three vertices, so one that straddles a split plane stays in the
//! parent:
//!
//! ```text
//!   level 1        level 2          level 3
//!  ┌─────────┐    ┌────┬────┐      ┌──┬──┬──┬──┐
//!  │   ╱|    │    │ ◺  │    │      ├──┼──┼──┼──┤
//!  │  ╱_|    │    ├────┼────┤      ├──┼──┼──┼──┤
//!  │         │    │    │    │      ├──┼──┼──┼──┤
//!  └─────────┘    └────┴────┘      └──┴──┴──┴◺─┘
//! ```
//!
//! A query enters every octant that the *line* of the ray intersects, also behind the origin, and
//! tests all triangles stored there.

use core::ops::ControlFlow;

use embate::raycast::{NodeBounds, RayIndex, TraversalObserver};
use embate_geom::{DVec3, Ray, TriangleHit};
use embate_mesh::TriangleMesh;

use super::brute_force::{CubeTriangle, cube_triangles};
use super::cells::{AnyCells, CellKey, Cells, child_key};
use super::literal;
use super::unit_cube_map::{CUBE_EDGE, CubeRay, UnitCubeMap};

/// Levels of the study's octree; level 1 is the root.
#[doc(alias = "LEVELS")]
pub const PUBLISHED_LEVELS: usize = 6;

/// Maximum number of levels of an [`Octree`]. Twice the published number: a cell of level 12 is
/// 1/2048 of the root's edge.
pub const MAX_LEVELS: usize = 12;

/// The study enlarges every octant by this much on each side before the slab test, in cube units.
pub(super) const OCTANT_MARGIN: f64 = 1.0;

/// The study's octree, made for counting: triangles in one array, ordered by cell.
///
/// With at most six levels all `(8^levels − 1) / 7` cells exist, as published. A deeper tree has
/// only the cells that store triangles and their ancestors.
/// [`LiteralOctree`](super::LiteralOctree) is the same tree at the cost of the published program.
#[doc(alias = "StudyOctree")]
#[derive(Clone, Debug)]
pub struct Octree {
    levels: usize,
    map: UnitCubeMap,
    cells: AnyCells,
    triangles: Vec<CubeTriangle>,
    /// Mesh index of each entry of `triangles`.
    indices: Vec<u32>,
    /// Triangle count of each level, root first.
    per_level: [u32; MAX_LEVELS],
}

/// A cell during traversal. Cells are not stored: position and size follow from the path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    /// 0 for the root.
    pub(super) depth: usize,
    pub(super) min: [f64; 3],
    pub(super) edge: f64,
}

impl Cell {
    pub(super) const ROOT: Self = Self { depth: 0, min: [0.0; 3], edge: CUBE_EDGE };

    /// Bit 0 of `octant` is the upper half in x, bit 1 in y, bit 2 in z.
    pub(super) fn child(self, octant: usize) -> Self {
        let edge = self.edge / 2.0;
        Self {
            depth: self.depth + 1,
            min: core::array::from_fn(|axis| {
                self.min[axis] + if octant >> axis & 1 == 1 { edge } else { 0.0 }
            }),
            edge,
        }
    }

    pub(super) fn max(self) -> [f64; 3] {
        self.min.map(|least| least + self.edge)
    }

    /// First octant that contains all three vertices; its faces belong to it on both sides.
    pub(super) fn octant_containing(self, triangle: &CubeTriangle) -> Option<usize> {
        let half = self.edge / 2.0;
        let [a, b, c] = triangle.0.map(to_array);
        let mut octant = 0;
        for axis in 0..3 {
            let split = self.min[axis] + half;
            let vertices = [a[axis], b[axis], c[axis]];
            if vertices.iter().any(|&x| x > split) {
                if vertices.iter().any(|&x| x < split) {
                    return None;
                }
                octant |= 1 << axis;
            }
        }
        Some(octant)
    }

    /// The study's slab test of the enlarged cell, over the whole line.
    ///
    /// The study divides 0 by 0 if the line lies in a slab plane. Here the sign bit of the
    /// reciprocal selects near and far plane, and a NaN clips nothing.
    fn intersects_line(self, origin: &[f64; 3], inv_direction: &[f64; 3]) -> bool {
        let (mut enter, mut exit) = (f64::NEG_INFINITY, f64::INFINITY);
        for axis in 0..3 {
            let min = self.min[axis] - OCTANT_MARGIN - origin[axis];
            let max = self.min[axis] + self.edge + OCTANT_MARGIN - origin[axis];
            let (a, b) = (min * inv_direction[axis], max * inv_direction[axis]);
            let (near, far) = if inv_direction[axis].is_sign_negative() { (b, a) } else { (a, b) };
            enter = if near > enter { near } else { enter };
            exit = if far < exit { far } else { exit };
        }
        enter <= exit
    }
}

pub(super) fn to_array(point: DVec3) -> [f64; 3] {
    [point.x, point.y, point.z]
}

/// The smallest cell that contains the triangle, and its key.
fn smallest_cell(triangle: &CubeTriangle, levels: usize) -> (Cell, CellKey) {
    let (mut cell, mut key) = (Cell::ROOT, 0);
    while cell.depth + 1 < levels
        && let Some(octant) = cell.octant_containing(triangle)
    {
        (cell, key) = (cell.child(octant), child_key(key, octant));
    }
    (cell, key)
}

impl Octree {
    /// Six levels over `mesh`, scaled into the study's cube.
    #[must_use]
    pub fn new(mesh: &TriangleMesh) -> Self {
        Self::with_map(mesh, UnitCubeMap::of(mesh), PUBLISHED_LEVELS)
    }

    /// [`new`](Self::new) with a given transform and 1 to [`MAX_LEVELS`] levels.
    ///
    /// # Panics
    /// If `levels` is out of range.
    #[must_use]
    pub fn with_map(mesh: &TriangleMesh, map: UnitCubeMap, levels: usize) -> Self {
        assert!((1..=MAX_LEVELS).contains(&levels), "{levels} levels");
        let mut per_level = [0; MAX_LEVELS];
        let keys: Vec<CellKey> = cube_triangles(mesh, map)
            .map(|triangle| {
                let (cell, key) = smallest_cell(&triangle, levels);
                per_level[cell.depth] += 1;
                key
            })
            .collect();
        let (cells, places) = AnyCells::new(levels, &keys);
        let mut triangles = vec![CubeTriangle([DVec3::ZERO; 3]); keys.len()];
        let mut indices = vec![0; keys.len()];
        for ((index, triangle), place) in (0..).zip(cube_triangles(mesh, map)).zip(places) {
            triangles[place as usize] = triangle;
            indices[place as usize] = index;
        }
        Self { levels, map, cells, triangles, indices, per_level }
    }

    /// Number of levels; level 1 is the root.
    #[must_use]
    pub fn levels(&self) -> usize {
        self.levels
    }

    /// Triangle count of each level, root first; as many entries as the tree has levels.
    #[must_use]
    pub fn triangles_per_level(&self) -> Vec<u32> {
        self.per_level[..self.levels].to_vec()
    }

    /// Visits the cells down to `depth` (root: 0) that store triangles or are ancestors of such a
    /// cell, parents before children. The subtree of a cell is skipped if `visit` returns `false`.
    /// Every cell may store triangles, not only leaves.
    pub fn visit_nodes(&self, depth: u32, mut visit: impl FnMut(NodeBounds) -> bool) {
        let mut stack = vec![(Cell::ROOT, 0)];
        while let Some((cell, slot)) = stack.pop() {
            if !self.cells.has_triangles(slot) {
                continue;
            }
            let stored = self.cells.triangles(slot).len() as u32;
            let bounds = self.map.aabb_to_mesh_units(cell.min, cell.max());
            let triangles = (stored > 0).then_some(stored);
            let descend = visit(NodeBounds { bounds, depth: cell.depth as u32, triangles });
            if descend && cell.depth < depth as usize && cell.depth + 1 < self.levels {
                let child = |octant| Some((cell.child(octant), self.cells.child(slot, octant)?));
                stack.extend((0..8).rev().filter_map(child));
            }
        }
    }
}

/// State of one ray query.
struct Traversal<'a, C> {
    tree: &'a Octree,
    cells: &'a C,
    ray: CubeRay,
    origin: [f64; 3],
    inv_direction: [f64; 3],
    t_range: (f32, f32),
}

impl<C: Cells> Traversal<'_, C> {
    fn visit<O: TraversalObserver>(
        &self,
        cell: Cell,
        slot: usize,
        observer: &mut O,
        found: &mut impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        observer.visit_node(|| self.tree.map.aabb_to_mesh_units(cell.min, cell.max()));
        if cell.depth + 1 < self.tree.levels {
            for octant in 0..8 {
                let Some(child_slot) = self.cells.child(slot, octant) else { continue };
                let child = cell.child(octant);
                if child.intersects_line(&self.origin, &self.inv_direction) {
                    self.visit(child, child_slot, observer, found)?;
                }
            }
        }
        for slot in self.cells.triangles(slot) {
            let index = self.tree.indices[slot];
            observer.test_triangle(index);
            if let Some(hit) = self.tree.triangles[slot].intersect(&self.ray, self.t_range, index) {
                found(hit)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn candidates(&self, cell: Cell, slot: usize) -> usize {
        let mut candidates = self.cells.triangles(slot).len();
        if cell.depth + 1 < self.tree.levels {
            for octant in 0..8 {
                let Some(child_slot) = self.cells.child(slot, octant) else { continue };
                let child = cell.child(octant);
                if child.intersects_line(&self.origin, &self.inv_direction) {
                    candidates += self.candidates(child, child_slot);
                }
            }
        }
        candidates
    }
}

impl RayIndex for Octree {
    /// Visits hits in cell order. The study has no early exit: no cell is skipped for a closer hit.
    fn visit_hits<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        mut found: impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) {
        // `Break` only ends the traversal: the caller requested it.
        let _ = match &self.cells {
            AnyCells::Dense(cells) => {
                self.traversal(cells, ray).visit(Cell::ROOT, 0, observer, &mut found)
            }
            AnyCells::Sparse(cells) => {
                self.traversal(cells, ray).visit(Cell::ROOT, 0, observer, &mut found)
            }
        };
    }

    /// Memory of the study's *program* for this tree, not of this layout: one node for each cell
    /// that exists, and the triangles.
    fn memory_usage(&self) -> usize {
        literal::program_bytes(self.cells.count(), self.triangles.len())
    }
}

impl Octree {
    /// Traverses the tree as a query does, without testing triangles; returns the number of
    /// triangles that the query would test.
    #[must_use]
    pub fn candidates(&self, ray: &Ray<3>) -> usize {
        match &self.cells {
            AnyCells::Dense(cells) => self.traversal(cells, ray).candidates(Cell::ROOT, 0),
            AnyCells::Sparse(cells) => self.traversal(cells, ray).candidates(Cell::ROOT, 0),
        }
    }

    fn traversal<'a, C: Cells>(&'a self, cells: &'a C, ray: &Ray<3>) -> Traversal<'a, C> {
        let cube_ray = self.map.ray(ray);
        Traversal {
            tree: self,
            cells,
            ray: cube_ray,
            origin: to_array(cube_ray.origin),
            inv_direction: to_array(cube_ray.direction).map(f64::recip),
            t_range: (ray.t_min, ray.t_max),
        }
    }
}

#[cfg(test)]
mod tests {
    use embate::raycast::TraversalStats;

    use super::super::BruteForce;
    use super::*;

    fn octree(triangles: &[[[f32; 3]; 3]]) -> Octree {
        Octree::with_map(&mesh(triangles), UnitCubeMap::IDENTITY, PUBLISHED_LEVELS)
    }

    fn mesh(triangles: &[[[f32; 3]; 3]]) -> TriangleMesh {
        let positions = triangles.iter().flatten().copied().collect();
        let indices = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        TriangleMesh::new(positions, indices.collect()).unwrap()
    }

    #[test]
    fn triangle_across_a_split_plane_stays_in_the_parent() {
        let across = [[49.0, 10.0, 10.0], [51.0, 10.0, 10.0], [49.0, 11.0, 10.0]];
        assert_eq!(octree(&[across]).triangles_per_level(), [1, 0, 0, 0, 0, 0]);
        let inside = [[1.0, 1.0, 1.0], [2.0, 1.0, 1.0], [1.0, 2.0, 1.0]];
        assert_eq!(octree(&[inside]).triangles_per_level(), [0, 0, 0, 0, 0, 1]);
    }

    #[test]
    fn triangle_in_a_split_plane_belongs_to_the_lower_octant() {
        let on_plane = [[50.0, 1.0, 1.0], [50.0, 2.0, 1.0], [50.0, 1.0, 2.0]];
        let on_plane = CubeTriangle(on_plane.map(|[x, y, z]| DVec3::new(x, y, z)));
        let (cell, _) = smallest_cell(&on_plane, PUBLISHED_LEVELS);
        assert_eq!((cell.depth, cell.min[0] + cell.edge), (5, 50.0));
    }

    /// A fault of the study, kept: a hit behind the origin counts, ordered by `|t|`.
    #[test]
    fn triangle_behind_the_origin_is_hit() {
        let triangle = [[10.0, 10.0, 20.0], [14.0, 10.0, 20.0], [10.0, 14.0, 20.0]];
        // Back faces are culled; behind the origin the line still has the same direction.
        let ray = Ray::new([11.0, 11.0, 15.0], [0.0, 0.0, -1.0]);
        assert_eq!(octree(&[triangle]).closest_hit(&ray).map(|hit| hit.t), Some(5.0));
        let brute_force = BruteForce::new(&mesh(&[triangle]));
        assert_eq!(brute_force.closest_hit(&ray).map(|hit| hit.t), Some(5.0));
    }

    #[test]
    fn axis_parallel_ray_enters_only_the_cells_on_its_line() {
        let mut stats = TraversalStats::default();
        let triangle = [[10.0, 10.0, 20.0], [10.0, 14.0, 20.0], [14.0, 10.0, 20.0]];
        let ray = Ray::new([11.0, 11.0, 0.0], [0.0, -0.0, 1.0]);
        let hit = octree(&[triangle]).closest_hit_observed(&ray, &mut stats);
        assert_eq!(hit.map(|hit| hit.t), Some(20.0));
        assert!(stats.nodes_visited > 6 && stats.nodes_visited < 1_000, "{stats:?}");
    }

    #[test]
    fn shallow_tree_keeps_all_triangles() {
        let small = [[1.0, 1.0, 1.0], [2.0, 1.0, 1.0], [1.0, 2.0, 1.0]];
        let tree = Octree::with_map(&mesh(&[small; 5]), UnitCubeMap::IDENTITY, 2);
        assert_eq!(tree.triangles_per_level(), [0, 5]);
    }

    #[test]
    fn mesh_without_triangles_is_never_hit() {
        let ray = Ray::new([0.0; 3], [1.0; 3]);
        assert_eq!(octree(&[]).closest_hit(&ray), None);
        assert_eq!(Octree::new(&TriangleMesh::default()).all_hits(&ray), vec![]);
    }

    /// Small triangles on a lattice of `side³` points.
    fn lattice(side: u32) -> TriangleMesh {
        let triangle = |i: u32| {
            let [x, y, z] = [i % side, i / side % side, i / side / side].map(|c| c as f32);
            [[x, y, z], [x + 0.3, y, z], [x, y + 0.2, z + 0.1]]
        };
        mesh(&(0..side * side * side).map(triangle).collect::<Vec<_>>())
    }

    fn nodes(octree: &Octree, depth: u32) -> Vec<NodeBounds> {
        let mut nodes = Vec::new();
        octree.visit_nodes(depth, |node| {
            nodes.push(node);
            true
        });
        nodes
    }

    #[test]
    fn small_triangle_sinks_to_the_deepest_level_of_a_deep_tree() {
        let tiny = [[1.0, 1.0, 1.0], [1.001, 1.0, 1.0], [1.0, 1.001, 1.0]];
        for levels in [6, 7, 11, 12] {
            let tree = Octree::with_map(&mesh(&[tiny; 3]), UnitCubeMap::IDENTITY, levels);
            let counts = tree.triangles_per_level();
            assert_eq!((counts.len(), counts[levels - 1]), (levels, 3));
            let ray = Ray::new([1.0002, 1.0002, 0.0], [0.0, 0.0, 1.0]);
            let brute_force = BruteForce::with_map(&mesh(&[tiny; 3]), UnitCubeMap::IDENTITY);
            assert_eq!(tree.closest_hit(&ray), brute_force.closest_hit(&ray));
        }
    }

    /// No triangle of the lattice is small enough for level 7.
    #[test]
    fn deep_tree_has_the_cells_of_a_six_level_tree_that_lead_to_triangles() {
        let mesh = lattice(9);
        let six = nodes(&Octree::new(&mesh), u32::MAX);
        for levels in [7, 12] {
            let deep = Octree::with_map(&mesh, UnitCubeMap::of(&mesh), levels);
            assert_eq!(nodes(&deep, u32::MAX), six, "{levels} levels");
        }
    }

    #[test]
    fn visited_nodes_store_every_triangle_and_lie_in_the_root() {
        let mesh = lattice(9);
        let all = nodes(&Octree::new(&mesh), u32::MAX);
        let stored: u32 = all.iter().filter_map(|node| node.triangles).sum();
        assert_eq!(stored as usize, mesh.triangles().len());
        let root = all[0].bounds;
        assert_eq!(all[0].depth, 0);
        assert!(all.iter().all(|node| root.merged(&node.bounds) == root));
    }

    #[test]
    fn visiting_to_a_depth_yields_exactly_the_nodes_down_to_it() {
        let octree = Octree::new(&lattice(9));
        let all = nodes(&octree, u32::MAX);
        for depth in 0..3 {
            let expected: Vec<NodeBounds> =
                all.iter().filter(|node| node.depth <= depth).copied().collect();
            assert_eq!(nodes(&octree, depth), expected, "depth {depth}");
        }
        assert_eq!(nodes(&Octree::new(&TriangleMesh::default()), 9), []);
    }
}
