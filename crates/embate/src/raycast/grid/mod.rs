//! Uniform grid with 3D-DDA traversal (Amanatides, Woo 1987).
//!
//! ```text
//!   resolution.rs        cells per axis: constant density (Cleary, Wyvill 1988), bounded
//!   triangle_overlap.rs  which cells a triangle overlaps (Schwarz, Seidel 2010)
//!   build.rs             counting sort of the triangles into the cells
//!   cell_lists.rs        triangle ids of the cells; one bit for an empty cell
//!   dda.rs               cells along a ray, in order of entry
//! ```
//!
//! Triangle ids refer to the mesh, which is shared and not copied.
//!
//! Guarantee: results equal those of [`BruteForce`](crate::raycast::BruteForce) to the bit. A
//! triangle is listed in every cell that the [padded](embate_geom::Triangle::aabb_padding) triangle
//! touches, and a ray visits every cell that it touches within the error bound of a reported `t`;
//! `dda.rs` derives why no hit is lost.

mod build;
mod cell_lists;
mod dda;
mod resolution;
#[cfg(test)]
mod tests;
mod triangle_overlap;

use core::ops::ControlFlow;

use embate_geom::{Aabb, Ray, TriangleHit, WatertightRay};
use embate_mesh::TriangleMesh;
use fearless_simd::Level;

use crate::raycast::grid::cell_lists::CellLists;
use crate::raycast::grid::dda::GridSweep;
use crate::raycast::indexed_triangles::intersect_list;
use crate::raycast::{NoStats, NodeBounds, RayIndex, TraversalObserver};

/// Uniform grid over a mesh, with a watertight triangle test. It shares the memory of the mesh.
#[derive(Clone, Debug)]
#[doc(alias = "RegularGrid")]
pub struct UniformGrid {
    mesh: TriangleMesh,
    cells: CellPlanes,
    lists: CellLists,
    level: Level,
}

/// Planes between the cells of each axis.
#[derive(Clone, Debug, Default)]
struct CellPlanes {
    /// Not descending; cell `k` is between planes `k` and `k + 1`. A plane belongs to the cell
    /// above it, the last plane to the last cell. Empty if the mesh has no triangles.
    planes: [Box<[f32]>; 3],
    /// Cells per unit of length; 0 for an axis with one cell.
    cells_per_unit: [f64; 3],
}

impl CellPlanes {
    fn resolution(&self) -> [usize; 3] {
        core::array::from_fn(|axis| self.count(axis))
    }

    /// Number of cells of an axis.
    fn count(&self, axis: usize) -> usize {
        self.planes[axis].len().saturating_sub(1)
    }

    /// Cell that contains `coordinate`, or the nearest one.
    fn cell_of(&self, axis: usize, coordinate: f32) -> usize {
        let planes = &self.planes[axis];
        let last = self.count(axis).saturating_sub(1);
        let mut cell = self.guess_cell(axis, f64::from(coordinate));
        while cell > 0 && coordinate < planes[cell] {
            cell -= 1;
        }
        while cell < last && planes[cell + 1] <= coordinate {
            cell += 1;
        }
        cell
    }

    /// Cell of a coordinate within rounding; in range for every argument.
    fn guess_cell(&self, axis: usize, coordinate: f64) -> usize {
        let last = self.count(axis).saturating_sub(1);
        let cells = (coordinate - f64::from(self.planes[axis][0])) * self.cells_per_unit[axis];
        // The conversion saturates; NaN becomes 0.
        (cells as usize).min(last)
    }

    fn bounds(&self, cell: [usize; 3]) -> Aabb<3> {
        let plane = |side: usize| core::array::from_fn(|axis| self.planes[axis][cell[axis] + side]);
        Aabb { min: plane(0), max: plane(1) }
    }
}

impl UniformGrid {
    /// Default number of cells per triangle.
    pub const DEFAULT_DENSITY: f32 = 2.0;

    /// Builds the grid with about [`DEFAULT_DENSITY`](Self::DEFAULT_DENSITY) cells per triangle;
    /// with fewer if triangles are so large that lists would become long.
    #[must_use]
    pub fn new(mesh: &TriangleMesh) -> Self {
        Self::with_density(mesh, Self::DEFAULT_DENSITY)
    }

    /// [`new`](Self::new) with about `density` cells per triangle, from 1/64 to 64.
    #[must_use]
    pub fn with_density(mesh: &TriangleMesh, density: f32) -> Self {
        let (cells, lists) = build::build(mesh, density);
        Self { mesh: mesh.clone(), cells, lists, level: Level::new() }
    }

    /// Number of cells of each axis; 0 if the mesh has no triangles.
    #[must_use]
    pub fn resolution(&self) -> [usize; 3] {
        self.cells.resolution()
    }

    /// Calls `visit` for the whole grid, at depth 0, and for each cell with triangles, at depth 1.
    /// If `visit` returns false for the grid, the cells are skipped.
    #[doc(alias = "visit_boxes")]
    pub fn visit_nodes(&self, depth: u32, mut visit: impl FnMut(NodeBounds) -> bool) {
        let [nx, ny, nz] = self.resolution();
        if nx == 0 {
            return;
        }
        let last = self.cells.bounds([nx - 1, ny - 1, nz - 1]);
        let bounds = self.cells.bounds([0; 3]).merged(&last);
        if !visit(NodeBounds { bounds, depth: 0, triangles: None }) || depth == 0 {
            return;
        }
        for (cell, triangles) in self.lists.occupied_cells() {
            let bounds = self.cells.bounds(cell);
            visit(NodeBounds { bounds, depth: 1, triangles: Some(triangles) });
        }
    }
}

impl RayIndex for UniformGrid {
    fn visit_hits<O: TraversalObserver>(
        &self,
        ray: &Ray<3>,
        observer: &mut O,
        mut on_hit: impl FnMut(TriangleHit) -> ControlFlow<(), f32>,
    ) {
        let Some(mut sweep) = GridSweep::new(&self.cells, ray) else { return };
        let watertight = WatertightRay::new(ray);
        let mut t_max = ray.t_max;
        loop {
            let result = sweep.try_for_each_entered_cell(|cell| {
                observer.visit_node(|| self.cells.bounds(cell));
                let Some(ids) = self.lists.triangles(cell) else {
                    return ControlFlow::Continue(());
                };
                if O::WANTS_DETAILS {
                    for &id in ids {
                        observer.test_triangle(id);
                    }
                }
                let level = self.level;
                t_max = intersect_list(level, &self.mesh, ids, &watertight, t_max, &mut on_hit)?;
                ControlFlow::Continue(())
            });
            // Every hit up to `t_max` is in a cell that is entered up to `t_max`.
            if result.is_break() || !sweep.advance(f64::from(t_max)) {
                return;
            }
        }
    }

    /// The mesh is not included.
    // These are not generic, so the traversal is compiled once, not in every crate that casts rays.
    fn closest_hit(&self, ray: &Ray<3>) -> Option<TriangleHit> {
        self.closest_hit_observed(ray, &mut NoStats)
    }

    fn any_hit(&self, ray: &Ray<3>) -> bool {
        self.any_hit_observed(ray, &mut NoStats)
    }

    fn memory_usage(&self) -> usize {
        let planes: usize = self.cells.planes.iter().map(|planes| size_of_val(&**planes)).sum();
        planes + self.lists.memory_usage()
    }
}
