//! Study A's octree, as published (SOURCES A.2): every cell exists, nothing is ordered, nothing ends
//! early. Slow on purpose: its counts are the study's, to be compared with the printed ones.
//!
//! A triangle lives in the smallest cell that holds its three corners, so one that straddles a
//! middle plane stays above:
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
//! A query enters every octant that the *line* of the ray meets, also behind the origin, and tests
//! all that it finds.

use core::ops::ControlFlow;

use embate_geom::{Hit, Ray};
use embate_mesh::TriangleMesh;

use super::study_brute::{StudyTriangle, study_triangles};
use super::study_fit::{CUBE_EDGE, StudyRay};
use super::{RayIndex, RayObserver, StudyFit, TreeBox};

/// Levels of the study's tree; level 1 is the root.
pub const LEVELS: usize = 6;

/// The study grows every octant by this on each side before it is tested against the ray.
const GROWTH: f64 = 1.0;

/// The octree of study A. All `(8^levels − 1) / 7` cells exist, in order of level:
/// `cells[level_start + path]`, where the path lists octants (z-major, then y, then x) as octal digits.
#[derive(Clone, Debug)]
pub struct StudyOctree {
    levels: usize,
    fit: StudyFit,
    /// Triangles of cell `c` are `triangles[cell_starts[c]..cell_starts[c + 1]]`.
    cell_starts: Vec<u32>,
    triangles: Vec<StudyTriangle>,
    /// The mesh's number of each triangle.
    indices: Vec<u32>,
}

/// How well a mesh suits the study's octree (SOURCES A.3, with our numbers for its words).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Affinity {
    /// At least 90 % of the triangles stay in the root.
    Low,
    /// Neither low nor high.
    Medium,
    /// More than half of the triangles lie at level 4 or deeper.
    High,
}

impl Affinity {
    /// The class of a mesh, from its number of triangles on each level.
    #[must_use]
    pub fn of(triangles_per_level: &[u32; LEVELS]) -> Self {
        let sum = |levels: &[u32]| levels.iter().map(|&n| u64::from(n)).sum::<u64>();
        let all = sum(triangles_per_level);
        if sum(&triangles_per_level[..1]) * 10 >= all * 9 {
            Self::Low
        } else if sum(&triangles_per_level[3..]) * 2 > all {
            Self::High
        } else {
            Self::Medium
        }
    }

    /// `low`, `medium` or `high`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// A cell on the way down the tree.
#[derive(Clone, Copy, Debug)]
struct Cell {
    /// 0 for the root.
    depth: usize,
    /// Octants from the root, as octal digits.
    path: usize,
    min: [f64; 3],
    edge: f64,
}

impl Cell {
    const ROOT: Self = Self { depth: 0, path: 0, min: [0.0; 3], edge: CUBE_EDGE };

    /// All cells of the levels above come first: 1 + 8 + 64 + …
    fn index(self) -> usize {
        cells_in(self.depth) + self.path
    }

    /// Bit 0 of `octant` is the upper half in x, bit 1 in y, bit 2 in z.
    fn child(self, octant: usize) -> Self {
        let edge = self.edge / 2.0;
        Self {
            depth: self.depth + 1,
            path: self.path * 8 + octant,
            min: core::array::from_fn(|axis| {
                self.min[axis] + if octant >> axis & 1 == 1 { edge } else { 0.0 }
            }),
            edge,
        }
    }

    /// The first octant that holds all three corners; both of its sides belong to it.
    fn child_holding(self, triangle: &StudyTriangle) -> Option<Self> {
        let half = self.edge / 2.0;
        let [a, b, c] = &triangle.0;
        let mut octant = 0;
        for axis in 0..3 {
            let middle = self.min[axis] + half;
            let corners = [a[axis], b[axis], c[axis]];
            if corners.iter().any(|&x| x > middle) {
                if corners.iter().any(|&x| x < middle) {
                    return None;
                }
                octant |= 1 << axis;
            }
        }
        Some(self.child(octant))
    }

    /// The study's slab test, over the whole line. It divides 0 by 0 where a ray lies in a plane; here
    /// planes are told apart by the sign bit, and the NaN cuts nothing.
    fn meets_line(self, ray: &StudyRay, inv_direction: &[f64; 3]) -> bool {
        let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
        for axis in 0..3 {
            let least = self.min[axis] - GROWTH - ray.origin[axis];
            let most = self.min[axis] + self.edge + GROWTH - ray.origin[axis];
            let (a, b) = (least * inv_direction[axis], most * inv_direction[axis]);
            let (near, far) = if inv_direction[axis].is_sign_negative() { (b, a) } else { (a, b) };
            enter = if near > enter { near } else { enter };
            leave = if far < leave { far } else { leave };
        }
        enter <= leave
    }
}

/// Cells in a tree of this many levels.
fn cells_in(levels: usize) -> usize {
    ((1 << (3 * levels)) - 1) / 7
}

impl StudyOctree {
    /// The study's tree of six levels, the mesh fitted into its cube.
    #[must_use]
    pub fn new(mesh: &TriangleMesh) -> Self {
        Self::with_fit(mesh, StudyFit::of(mesh), LEVELS)
    }

    /// As [`new`](Self::new), by a fit of the caller's, with 1 to [`LEVELS`] levels.
    ///
    /// # Panics
    /// If `levels` is out of range.
    #[must_use]
    pub fn with_fit(mesh: &TriangleMesh, fit: StudyFit, levels: usize) -> Self {
        assert!((1..=LEVELS).contains(&levels), "{levels} levels");
        let cells: Vec<u32> = study_triangles(mesh, fit)
            .map(|triangle| smallest_cell(&triangle, levels).index() as u32)
            .collect();

        // A counting sort by cell: how many, where each begins, then each to its place.
        let mut cell_starts = vec![0_u32; cells_in(levels) + 1];
        for &cell in &cells {
            cell_starts[cell as usize + 1] += 1;
        }
        for cell in 1..cell_starts.len() {
            cell_starts[cell] += cell_starts[cell - 1];
        }
        let mut next = cell_starts.clone();
        let mut triangles = vec![StudyTriangle([[0.0; 3]; 3]); cells.len()];
        let mut indices = vec![0; cells.len()];
        for ((index, triangle), &cell) in (0..).zip(study_triangles(mesh, fit)).zip(&cells) {
            let place = next[cell as usize] as usize;
            next[cell as usize] += 1;
            triangles[place] = triangle;
            indices[place] = index;
        }
        Self { levels, fit, cell_starts, triangles, indices }
    }

    /// How many triangles live on each level, the root's first.
    #[must_use]
    pub fn triangles_per_level(&self) -> [u32; LEVELS] {
        core::array::from_fn(|depth| {
            let start = |level: usize| self.cell_starts[cells_in(level.min(self.levels))];
            start(depth + 1) - start(depth)
        })
    }

    /// Tells `visit` of the cells down to `depth` that hold triangles or lie above such, the root being 0; those below
    /// one for which it answers false are left out. Every cell may hold triangles, not only the smallest.
    pub fn visit_boxes(&self, depth: u32, mut visit: impl FnMut(TreeBox) -> bool) {
        let mut pending = vec![Cell::ROOT];
        while let Some(cell) = pending.pop() {
            if !self.is_filled(cell) {
                continue;
            }
            let [start, end] = [0, 1].map(|i| self.cell_starts[cell.index() + i]);
            let bounds = self.fit.to_mesh_units(cell.min, cell.min.map(|least| least + cell.edge));
            let triangles = (end > start).then(|| end - start);
            let goes_on = visit(TreeBox { bounds, depth: cell.depth as u32, triangles });
            if goes_on && cell.depth < depth as usize && cell.depth + 1 < self.levels {
                pending.extend((0..8).rev().map(|octant| cell.child(octant)));
            }
        }
    }

    /// Whether any triangle lies in a cell or below it: on each level its cells lie side by side.
    fn is_filled(&self, cell: Cell) -> bool {
        (cell.depth..self.levels).any(|depth| {
            let below = 3 * (depth - cell.depth);
            let first = cells_in(depth) + (cell.path << below);
            self.cell_starts[first] < self.cell_starts[first + (1 << below)]
        })
    }
}

fn smallest_cell(triangle: &StudyTriangle, levels: usize) -> Cell {
    let mut cell = Cell::ROOT;
    while cell.depth + 1 < levels
        && let Some(child) = cell.child_holding(triangle)
    {
        cell = child;
    }
    cell
}

/// One query on its way through the tree.
struct Walk<'a> {
    tree: &'a StudyOctree,
    ray: StudyRay,
    inv_direction: [f64; 3],
    range: (f32, f32),
}

impl Walk<'_> {
    fn enter<O: RayObserver>(
        &self,
        cell: Cell,
        observer: &mut O,
        found: &mut impl FnMut(Hit) -> ControlFlow<(), f32>,
    ) -> ControlFlow<()> {
        observer.enter(|| {
            let max = cell.min.map(|least| least + cell.edge);
            self.tree.fit.to_mesh_units(cell.min, max)
        });
        if cell.depth + 1 < self.tree.levels {
            for child in (0..8).map(|octant| cell.child(octant)) {
                if child.meets_line(&self.ray, &self.inv_direction) {
                    self.enter(child, observer, found)?;
                }
            }
        }
        let [start, end] = [0, 1].map(|i| self.tree.cell_starts[cell.index() + i] as usize);
        for place in start..end {
            let index = self.tree.indices[place];
            observer.test(index);
            if let Some(hit) = self.tree.triangles[place].hit(&self.ray, self.range, index) {
                found(hit)?;
            }
        }
        ControlFlow::Continue(())
    }
}

impl RayIndex for StudyOctree {
    /// In order of cells. The study has no early exit: nothing is left out for a nearer hit.
    fn visit_hits<O: RayObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        mut found: impl FnMut(Hit) -> ControlFlow<(), f32>,
    ) {
        let study_ray = self.fit.ray(ray);
        let walk = Walk {
            tree: self,
            inv_direction: study_ray.direction.map(f64::recip),
            ray: study_ray,
            range: (ray.t_min, ray.t_max),
        };
        // Whether the walk was broken off is the caller's own knowledge.
        let _ = walk.enter(Cell::ROOT, observer, &mut found);
    }

    fn bytes(&self) -> usize {
        size_of_val(self.cell_starts.as_slice())
            + size_of_val(self.triangles.as_slice())
            + size_of_val(self.indices.as_slice())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rays::{RayCounts, StudyBrute};

    fn octree(triangles: &[[[f32; 3]; 3]]) -> StudyOctree {
        StudyOctree::with_fit(&mesh(triangles), StudyFit::IDENTITY, LEVELS)
    }

    fn mesh(triangles: &[[[f32; 3]; 3]]) -> TriangleMesh {
        let positions = triangles.iter().flatten().copied().collect();
        let indices = (0..triangles.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]);
        TriangleMesh::new(positions, indices.collect()).unwrap()
    }

    #[test]
    fn a_triangle_across_a_middle_plane_stays_in_the_parent() {
        let across = [[49.0, 10.0, 10.0], [51.0, 10.0, 10.0], [49.0, 11.0, 10.0]];
        assert_eq!(octree(&[across]).triangles_per_level(), [1, 0, 0, 0, 0, 0]);
        let inside = [[1.0, 1.0, 1.0], [2.0, 1.0, 1.0], [1.0, 2.0, 1.0]];
        assert_eq!(octree(&[inside]).triangles_per_level(), [0, 0, 0, 0, 0, 1]);
    }

    #[test]
    fn a_triangle_in_a_middle_plane_belongs_to_the_lower_octant() {
        let on_plane = StudyTriangle([[50.0, 1.0, 1.0], [50.0, 2.0, 1.0], [50.0, 1.0, 2.0]]);
        let cell = smallest_cell(&on_plane, LEVELS);
        assert_eq!((cell.depth, cell.min[0] + cell.edge), (5, 50.0));
    }

    /// The study's fault, kept: a hit behind the origin counts, by the size of its `t`.
    #[test]
    fn a_triangle_behind_the_origin_is_hit() {
        let triangle = [[10.0, 10.0, 20.0], [14.0, 10.0, 20.0], [10.0, 14.0, 20.0]];
        // The study culls back faces, and behind the origin the line still runs the same way.
        let ray = Ray::new([11.0, 11.0, 15.0], [0.0, 0.0, -1.0]);
        assert_eq!(octree(&[triangle]).closest_hit(&ray).map(|hit| hit.t), Some(5.0));
        assert_eq!(
            StudyBrute::new(&mesh(&[triangle])).closest_hit(&ray).map(|hit| hit.t),
            Some(5.0)
        );
    }

    #[test]
    fn an_axis_parallel_ray_enters_the_cells_on_its_way() {
        let mut counts = RayCounts::default();
        let triangle = [[10.0, 10.0, 20.0], [10.0, 14.0, 20.0], [14.0, 10.0, 20.0]];
        let ray = Ray::new([11.0, 11.0, 0.0], [0.0, -0.0, 1.0]);
        let hit = octree(&[triangle]).closest_hit_observed(&ray, &mut counts);
        assert_eq!(hit.map(|hit| hit.t), Some(20.0));
        assert!(counts.boxes > 6 && counts.boxes < 1_000, "{counts:?}");
    }

    #[test]
    fn a_shallow_tree_keeps_all_triangles() {
        let small = [[1.0, 1.0, 1.0], [2.0, 1.0, 1.0], [1.0, 2.0, 1.0]];
        let tree = StudyOctree::with_fit(&mesh(&[small; 5]), StudyFit::IDENTITY, 2);
        assert_eq!(tree.triangles_per_level(), [0, 5, 0, 0, 0, 0]);
    }

    #[test]
    fn a_mesh_without_triangles_is_never_hit() {
        let ray = Ray::new([0.0; 3], [1.0; 3]);
        assert_eq!(octree(&[]).closest_hit(&ray), None);
        assert_eq!(StudyOctree::new(&TriangleMesh::default()).all_hits(&ray), vec![]);
    }
}
