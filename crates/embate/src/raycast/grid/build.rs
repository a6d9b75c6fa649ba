//! Grid builder: counts the triangles of each cell, then lists them (counting sort).

use embate_geom::{Aabb, Triangle};
use embate_mesh::TriangleMesh;

use crate::raycast::grid::CellPlanes;
use crate::raycast::grid::cell_lists::{CellLists, CellOrder};
use crate::raycast::grid::resolution::choose_resolution;
use crate::raycast::grid::triangle_overlap::TriangleOverlap;

/// Range of the number of cells per triangle.
const DENSITY_RANGE: [f64; 2] = [1.0 / 64.0, 64.0];
/// Upper bound of the cells.
const MAX_CELLS: f64 = (1_u32 << 27) as f64;
/// Mean number of cells in the AABB of a triangle above which the grid is made coarser: bounds the
/// lists of soups of large triangles to 1 KiB per triangle.
const MAX_CELLS_PER_TRIANGLE: u64 = 256;
/// Upper bound of the length of all lists.
const MAX_LIST_LENGTH: u64 = u32::MAX as u64;

/// Planes and lists of a grid with about `density` cells per triangle.
pub(super) fn build(mesh: &TriangleMesh, density: f32) -> (CellPlanes, CellLists) {
    let triangles: Vec<Triangle> = mesh.iter_triangles().collect();
    let padded = triangles.iter().map(Triangle::padded_aabb);
    let Some(bounds) = padded.reduce(|a, b| a.merged(&b)) else {
        return (CellPlanes::default(), CellLists::default());
    };
    let cells = choose_cells(&triangles, &bounds, f64::from(density));
    let order = CellOrder::new(cells.resolution());
    let mut counts = vec![0_u32; order.len(cells.resolution())];
    for triangle in &triangles {
        for_each_cell(&cells, triangle, |cell| counts[order.index(cell)] += 1);
    }
    let mut lists = CellLists::with_counts(order, &counts);
    for (triangle, id) in triangles.iter().zip(0..) {
        for_each_cell(&cells, triangle, |cell| lists.push(order.index(cell), id));
    }
    (cells, lists.finish())
}

/// The finest grid within the bounds on cells and lists.
fn choose_cells(triangles: &[Triangle], bounds: &Aabb<3>, density: f64) -> CellPlanes {
    let [low, high] = DENSITY_RANGE;
    // NaN becomes the lower bound.
    let density = if density > low { if density < high { density } else { high } } else { low };
    let extents: [f64; 3] =
        core::array::from_fn(|axis| f64::from(bounds.max[axis]) - f64::from(bounds.min[axis]));
    let mut max_cells = triangles.len() as f64 * density;
    max_cells = if max_cells < MAX_CELLS { max_cells } else { MAX_CELLS };
    let limit = MAX_CELLS_PER_TRIANGLE.saturating_mul(triangles.len() as u64);
    loop {
        let resolution = choose_resolution(extents, max_cells);
        let cells = cell_planes(bounds, resolution);
        let is_single = resolution == [1; 3];
        if is_single || cells_in_boxes(&cells, triangles) <= limit.min(MAX_LIST_LENGTH) {
            return cells;
        }
        max_cells *= 0.5;
    }
}

fn cell_planes(bounds: &Aabb<3>, resolution: [usize; 3]) -> CellPlanes {
    let mut cells = CellPlanes::default();
    for axis in 0..3 {
        let (min, count) = (f64::from(bounds.min[axis]), resolution[axis]);
        let extent = f64::from(bounds.max[axis]) - min;
        // In f64, then rounded: monotonic, so planes do not descend.
        cells.planes[axis] = (0..=count)
            .map(|plane| {
                let is_last = plane == count;
                let inner = (min + extent * (plane as f64 / count as f64)) as f32;
                if is_last { bounds.max[axis] } else { inner }
            })
            .collect();
        cells.cells_per_unit[axis] = if count > 1 { count as f64 / extent } else { 0.0 };
    }
    cells
}

/// Cells that a box touches: the first and the last of each axis.
fn cell_range(cells: &CellPlanes, bounds: &Aabb<3>) -> [[usize; 3]; 2] {
    [bounds.min, bounds.max]
        .map(|corner| core::array::from_fn(|axis| cells.cell_of(axis, corner[axis])))
}

/// Number of cells touched by the padded AABBs of all triangles.
fn cells_in_boxes(cells: &CellPlanes, triangles: &[Triangle]) -> u64 {
    let cells_of = |triangle: &Triangle| {
        let [first, last] = cell_range(cells, &triangle.padded_aabb());
        (0..3).map(|axis| (last[axis] - first[axis] + 1) as u64).product::<u64>()
    };
    triangles.iter().map(cells_of).fold(0, u64::saturating_add)
}

/// Calls `visit` with each cell that the padded triangle touches.
fn for_each_cell(cells: &CellPlanes, triangle: &Triangle, mut visit: impl FnMut([usize; 3])) {
    let [first, last] = cell_range(cells, &triangle.padded_aabb());
    if first == last {
        visit(first);
        return;
    }
    let overlap = TriangleOverlap::new(triangle);
    for z in first[2]..=last[2] {
        for y in first[1]..=last[1] {
            for x in first[0]..=last[0] {
                if overlap.overlaps(cells, [x, y, z]) {
                    visit([x, y, z]);
                }
            }
        }
    }
}
