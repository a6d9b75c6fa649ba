//! Triangle clipping: the two parts of a triangle on either side of an axis-aligned plane.
//!
//! A structure with spatial splits references a triangle from several leaves, each with the AABB of
//! its own part only. The parts are computed by Sutherland–Hodgman clipping in f64.
//!
//! Guarantee: a hit reported by `WatertightRay::intersect_triangle` that lies in the AABB of a part
//! lies in the AABB of at least one of the two parts it is split into.

use embate_geom::{Aabb, Triangle};

/// A triangle clipped by six planes has at most nine vertices; the rest is reserve for rounding.
const MAX_VERTICES: usize = 16;

/// Part of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct ClippedTriangle {
    /// Padded by [`Triangle::aabb_padding`], but not beyond the AABB of the part it was split from.
    pub(super) bounds: Aabb<3>,
    pub(super) area: f32,
}

/// Splits the part of `triangle` inside `bounds` at `plane` on `axis`: the parts below and above,
/// `None` for an empty part.
pub(super) fn split_at_plane(
    triangle: &Triangle,
    bounds: &Aabb<3>,
    axis: usize,
    plane: f32,
) -> [Option<ClippedTriangle>; 2] {
    split_with_overlap(triangle, bounds, axis, plane, 0.0)
}

/// [`split_at_plane`] into parts that both extend beyond the plane by `overlap`.
pub(super) fn split_with_overlap(
    triangle: &Triangle,
    bounds: &Aabb<3>,
    axis: usize,
    plane: f32,
    overlap: f32,
) -> [Option<ClippedTriangle>; 2] {
    let (plane, overlap) = (f64::from(plane), f64::from(overlap));
    let cell = ClipCell::without_padding(triangle, bounds);
    let (mut below, mut above) = (cell, cell);
    let (end, begin) = (plane + overlap, plane - overlap);
    below.max[axis] = if end < cell.max[axis] { end } else { cell.max[axis] };
    above.min[axis] = if begin > cell.min[axis] { begin } else { cell.min[axis] };
    [below, above].map(|half| clip_to_cell(triangle, &half, bounds))
}

/// Box that a triangle is clipped to, in f64.
#[derive(Clone, Copy)]
struct ClipCell {
    min: [f64; 3],
    max: [f64; 3],
}

impl ClipCell {
    /// The AABB of a part without its padding. On sides where it coincides with the AABB of the
    /// whole triangle nothing was clipped, and the padding stays.
    fn without_padding(triangle: &Triangle, bounds: &Aabb<3>) -> Self {
        let (whole, padding) = (triangle.padded_aabb(), f64::from(triangle.aabb_padding()));
        let padding_if = |is_clipped: bool| if is_clipped { padding } else { 0.0 };
        Self {
            min: core::array::from_fn(|axis| {
                f64::from(bounds.min[axis]) + padding_if(bounds.min[axis] > whole.min[axis])
            }),
            max: core::array::from_fn(|axis| {
                f64::from(bounds.max[axis]) - padding_if(bounds.max[axis] < whole.max[axis])
            }),
        }
    }
}

/// The part of `triangle` inside the closed `cell`. Its AABB does not exceed `bounds`.
fn clip_to_cell(triangle: &Triangle, cell: &ClipCell, bounds: &Aabb<3>) -> Option<ClippedTriangle> {
    let mut polygon = ClipPolygon::new(triangle);
    for axis in 0..3 {
        polygon.clip(axis, cell.min[axis], 1.0);
        polygon.clip(axis, cell.max[axis], -1.0);
    }
    if polygon.len == 0 {
        return None;
    }
    let padding = f64::from(triangle.aabb_padding());
    let (polygon_min, polygon_max) = polygon.bounds();
    let (whole, mut part) = (triangle.aabb(), *bounds);
    for axis in 0..3 {
        let min = ((polygon_min[axis] - padding) as f32).next_down();
        let max = ((polygon_max[axis] + padding) as f32).next_up();
        // An unclipped side keeps its exact value: rounding it again would yield another box.
        let is_min_clipped = polygon_min[axis] > f64::from(whole.min[axis]);
        let is_max_clipped = polygon_max[axis] < f64::from(whole.max[axis]);
        part.min[axis] = if is_min_clipped && min > part.min[axis] { min } else { part.min[axis] };
        part.max[axis] = if is_max_clipped && max < part.max[axis] { max } else { part.max[axis] };
    }
    Some(ClippedTriangle { bounds: part, area: polygon.area() })
}

/// Convex polygon of at most [`MAX_VERTICES`] vertices.
#[derive(Clone, Copy)]
struct ClipPolygon {
    vertices: [[f64; 3]; MAX_VERTICES],
    len: usize,
}

impl ClipPolygon {
    fn new(triangle: &Triangle) -> Self {
        let mut vertices = [[0.0; 3]; MAX_VERTICES];
        for (vertex, point) in vertices.iter_mut().zip(&triangle.0) {
            *vertex = point.map(f64::from);
        }
        Self { vertices, len: 3 }
    }

    /// Clips to the half-space `(p[axis] - plane) * sign >= 0`.
    fn clip(&mut self, axis: usize, plane: f64, sign: f64) {
        // Early out: most planes of a cell clip nothing.
        if self.vertices[..self.len].iter().all(|vertex| (vertex[axis] - plane) * sign >= 0.0) {
            return;
        }
        let mut clipped = Self { vertices: [[0.0; 3]; MAX_VERTICES], len: 0 };
        for index in 0..self.len {
            let from = &self.vertices[index];
            let to = &self.vertices[if index + 1 == self.len { 0 } else { index + 1 }];
            let (from_distance, to_distance) =
                ((from[axis] - plane) * sign, (to[axis] - plane) * sign);
            if from_distance >= 0.0 {
                clipped.push(*from);
            }
            if (from_distance > 0.0 && to_distance < 0.0)
                || (from_distance < 0.0 && to_distance > 0.0)
            {
                let fraction = from_distance / (from_distance - to_distance);
                let mut crossing: [f64; 3] = core::array::from_fn(|other| {
                    from[other] + (to[other] - from[other]) * fraction
                });
                crossing[axis] = plane;
                clipped.push(crossing);
            }
        }
        *self = clipped;
    }

    fn push(&mut self, vertex: [f64; 3]) {
        if let Some(slot) = self.vertices.get_mut(self.len) {
            *slot = vertex;
            self.len += 1;
        }
    }

    fn bounds(&self) -> ([f64; 3], [f64; 3]) {
        let (mut min, mut max) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for vertex in &self.vertices[..self.len] {
            for axis in 0..3 {
                min[axis] = if vertex[axis] < min[axis] { vertex[axis] } else { min[axis] };
                max[axis] = if vertex[axis] > max[axis] { vertex[axis] } else { max[axis] };
            }
        }
        (min, max)
    }

    /// Area by a triangle fan around the first vertex.
    fn area(&self) -> f32 {
        let mut sum = [0.0; 3];
        let apex = self.vertices[0];
        for pair in self.vertices[..self.len].windows(2).skip(1) {
            let [a, b] = [pair[0], pair[1]].map(|vertex| -> [f64; 3] {
                core::array::from_fn(|axis| vertex[axis] - apex[axis])
            });
            sum[0] += a[1] * b[2] - a[2] * b[1];
            sum[1] += a[2] * b[0] - a[0] * b[2];
            sum[2] += a[0] * b[1] - a[1] * b[0];
        }
        (0.5 * (sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]).sqrt()) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLAT: Triangle = Triangle([[0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 1.0]]);

    #[test]
    fn each_part_has_a_tight_aabb_and_its_own_area() {
        let [low, high] = split_at_plane(&FLAT, &FLAT.padded_aabb(), 0, 2.0).map(Option::unwrap);
        assert_eq!((low.area, high.area), (6.0, 2.0));
        assert!(low.bounds.max[0] > 2.0 && low.bounds.max[0] < 2.01);
        assert!(high.bounds.min[0] < 2.0 && high.bounds.min[0] > 1.99);
        assert!(
            high.bounds.max[1] > 2.0 && high.bounds.max[1] < 2.01,
            "the part above x = 2 ends at y = 2"
        );
        assert_eq!(low.bounds.min, FLAT.padded_aabb().min);
    }

    #[test]
    fn triangle_touching_the_plane_is_on_both_sides() {
        let [low, high] = split_at_plane(&FLAT, &FLAT.padded_aabb(), 2, 1.0);
        assert!(low.is_some() && high.is_some());
        let [low, high] = split_at_plane(&FLAT, &FLAT.padded_aabb(), 0, 4.0);
        assert!(low.is_some() && high.is_some());
        let [low, high] = split_at_plane(&FLAT, &FLAT.padded_aabb(), 0, 4.1);
        assert!(low.is_some() && high.is_none());
    }

    #[test]
    fn areas_of_recursive_parts_sum_to_the_triangle_area() {
        let triangle = Triangle([[0.3, 0.1, 7.0], [0.9, 0.8, -3.0], [-4.0, 0.2, 0.5]]);
        let bounds = triangle.padded_aabb();
        let mut parts = vec![ClippedTriangle { bounds, area: 0.0 }];
        for (axis, plane) in [(0, 0.125), (1, 0.3), (2, 0.5), (0, -2.0), (2, 4.0)] {
            let split =
                |part: &ClippedTriangle| split_at_plane(&triangle, &part.bounds, axis, plane);
            parts = parts.iter().flat_map(split).flatten().collect();
        }
        let sum: f32 = parts.iter().map(|part| part.area).sum();
        let whole = split_at_plane(&triangle, &bounds, 0, -9.0)[1].unwrap().area;
        assert!(parts.len() > 5 && (sum - whole).abs() < 1e-4 * whole, "{sum} of {whole}");
    }
}
