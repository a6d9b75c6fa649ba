//! Triangle–cell overlap: conservative voxelization (Schwarz, Seidel 2010, section 3.1).
//!
//! A cell is enlarged by the padding of the triangle. It overlaps if the plane of the triangle
//! passes through it and if, in each of the three axis-aligned projections, the rectangle of the
//! cell is not beyond an edge. Computed in f64; tests whose rounding could matter are left out.

use embate_geom::Triangle;

use crate::raycast::grid::CellPlanes;

/// Components of the normal below this fraction of the squared size of the triangle are unreliable.
/// Larger ones have an error below 1e-9 of them: the roundings of f64 are 2⁻⁵², and neither
/// distance exceeds 2¹¹ times the half-size of an enlarged cell, because the padding is 2⁻¹⁰ of the
/// triangle.
const MIN_NORMAL_RATIO: f64 = 1e-5;
/// Covers the rounding of projected distances.
const RADIUS_FACTOR: f64 = 1.0 + 1e-6;

/// Half-plane of a projection, bounded by an edge of the triangle.
#[derive(Clone, Copy)]
struct EdgeTest {
    /// The axes of the projection.
    axes: [usize; 2],
    inward: [f64; 2],
    start: [f64; 2],
}

/// A triangle prepared for overlap tests with cells inside its padded AABB.
pub(super) struct TriangleOverlap {
    padding: [f64; 3],
    point: [f64; 3],
    /// 0 if the normal is unreliable; every cell then passes the plane test.
    normal: [f64; 3],
    edges: [EdgeTest; 9],
    edge_count: usize,
}

impl TriangleOverlap {
    pub(super) fn new(triangle: &Triangle) -> Self {
        let vertices = triangle.0.map(|vertex| vertex.map(f64::from));
        let [a, b, c] = vertices;
        let padding = f64::from(triangle.aabb_padding());
        let mut overlap = Self {
            padding: core::array::from_fn(|axis| {
                let largest = vertices
                    .iter()
                    .fold(0.0, |a: f64, v| if v[axis].abs() > a { v[axis].abs() } else { a });
                padding + largest * f64::from(f32::EPSILON)
            }),
            point: a,
            normal: [0.0; 3],
            edges: [EdgeTest { axes: [0; 2], inward: [0.0; 2], start: [0.0; 2] }; 9],
            edge_count: 0,
        };
        let minus = |p: [f64; 3], q: [f64; 3]| [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
        let (e1, e2) = (minus(b, a), minus(c, a));
        let normal = [
            e1[1] * e2[2] - e1[2] * e2[1],
            e1[2] * e2[0] - e1[0] * e2[2],
            e1[0] * e2[1] - e1[1] * e2[0],
        ];
        let size = f64::from(triangle.aabb().max_extent());
        let reliable = MIN_NORMAL_RATIO * size * size;
        if normal.iter().any(|component| component.abs() > reliable) {
            overlap.normal = normal;
        }
        for dropped in 0..3 {
            if normal[dropped].abs() > reliable {
                overlap.add_projection(&vertices, dropped, normal[dropped].signum());
            }
        }
        overlap
    }

    /// Adds the edges of the projection along axis `dropped`, in which the triangle turns
    /// counter-clockwise if `sign` is positive.
    fn add_projection(&mut self, vertices: &[[f64; 3]; 3], dropped: usize, sign: f64) {
        let axes = [(dropped + 1) % 3, (dropped + 2) % 3];
        for index in 0..3 {
            let (from, to) = (&vertices[index], &vertices[(index + 1) % 3]);
            let along = axes.map(|axis| to[axis] - from[axis]);
            self.edges[self.edge_count] = EdgeTest {
                axes,
                inward: [-along[1] * sign, along[0] * sign],
                start: axes.map(|axis| from[axis]),
            };
            self.edge_count += 1;
        }
    }

    /// Whether the triangle may overlap the enlarged cell.
    pub(super) fn overlaps(&self, cells: &CellPlanes, cell: [usize; 3]) -> bool {
        let (mut center, mut half) = ([0.0; 3], [0.0; 3]);
        for axis in 0..3 {
            let low = f64::from(cells.planes[axis][cell[axis]]);
            let high = f64::from(cells.planes[axis][cell[axis] + 1]);
            center[axis] = 0.5 * (low + high);
            half[axis] = 0.5 * (high - low) + self.padding[axis];
        }
        let (mut distance, mut radius) = (0.0, 0.0);
        for axis in 0..3 {
            distance += self.normal[axis] * (center[axis] - self.point[axis]);
            radius += self.normal[axis].abs() * half[axis];
        }
        if distance.abs() > radius * RADIUS_FACTOR {
            return false;
        }
        self.edges[..self.edge_count].iter().all(|edge| {
            let (mut distance, mut radius) = (0.0, 0.0);
            for side in 0..2 {
                let axis = edge.axes[side];
                distance += edge.inward[side] * (center[axis] - edge.start[side]);
                radius += edge.inward[side].abs() * half[axis];
            }
            distance >= -radius * RADIUS_FACTOR
        })
    }
}
