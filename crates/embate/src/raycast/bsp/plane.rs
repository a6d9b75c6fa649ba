//! Partition planes: the side of a triangle, and the AABBs of the two parts of a cell.
//!
//! Distances are in lengths of the normal, computed in f64 from f32 coordinates: their rounding
//! errors are far below the padding δ of a triangle
//! ([`cell_reference`](crate::raycast::cell_reference)).

use embate_geom::{Aabb, Triangle};

use crate::raycast::cell_reference::CellReference;

/// Plane `normal · p = offset`; the largest component of the normal is 1 or -1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Plane {
    pub(super) normal: [f32; 3],
    pub(super) offset: f64,
}

/// Sides of a plane on which a cell lists a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Side {
    Low,
    High,
    Both,
    /// On the plane: all its hits are within this distance.
    On(f64),
}

impl Plane {
    pub(super) fn axis_aligned(axis: usize, position: f32) -> Self {
        let mut normal = [0.0; 3];
        normal[axis] = 1.0;
        Self { normal, offset: f64::from(position) }
    }

    /// The axis of an axis-aligned plane.
    pub(super) fn axis(&self) -> Option<usize> {
        let axis = self.normal.iter().position(|&component| component != 0.0)?;
        (self.normal[axis] == 1.0 && self.normal.iter().filter(|&&c| c != 0.0).count() == 1)
            .then_some(axis)
    }

    /// The plane of a triangle; `None` if it has no area.
    pub(super) fn of_triangle(triangle: &Triangle) -> Option<Self> {
        let [a, b, c] = triangle.0.map(|vertex| vertex.map(f64::from));
        let edge = |to: &[f64; 3]| -> [f64; 3] { core::array::from_fn(|axis| to[axis] - a[axis]) };
        let (u, v) = (edge(&b), edge(&c));
        let normal: [f64; 3] = core::array::from_fn(|axis| {
            let (next, last) = ((axis + 1) % 3, (axis + 2) % 3);
            u[next] * v[last] - u[last] * v[next]
        });
        let mut largest = 0.0;
        for component in normal {
            largest = if component.abs() > largest { component.abs() } else { largest };
        }
        // Rounded to f32: the plane is the triangle's up to a part of δ.
        let normal = normal.map(|component| (component / largest) as f32);
        let offset = (0..3).map(|axis| f64::from(normal[axis]) * a[axis]).sum();
        (largest > 0.0).then_some(Self { normal, offset })
    }

    fn distance(&self, point: &[f32; 3]) -> f64 {
        (0..3).map(|axis| f64::from(self.normal[axis]) * f64::from(point[axis])).sum::<f64>()
            - self.offset
    }

    /// The least and largest distance of a point of a box.
    fn distance_range(&self, bounds: &Aabb<3>) -> [f64; 2] {
        let (mut low, mut high) = (-self.offset, -self.offset);
        for axis in 0..3 {
            let normal = f64::from(self.normal[axis]);
            let ends = [bounds.min[axis], bounds.max[axis]].map(|end| normal * f64::from(end));
            let is_ordered = normal >= 0.0;
            low += ends[usize::from(!is_ordered)];
            high += ends[usize::from(is_ordered)];
        }
        [low, high]
    }

    /// The sides on which cells have to list a triangle: those with a point within δ of the
    /// triangle on each axis, in the bounds of the reference.
    pub(super) fn side(&self, reference: &CellReference, triangle: &Triangle) -> Side {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        let mut largest = 0.0_f32;
        for vertex in &triangle.0 {
            let distance = self.distance(vertex);
            low = if distance < low { distance } else { low };
            high = if distance > high { distance } else { high };
            for coordinate in vertex {
                largest = if coordinate.abs() > largest { coordinate.abs() } else { largest };
            }
        }
        let norm: f32 = self.normal.iter().map(|component| component.abs()).sum();
        // One rounding of the coordinates in addition, like `Triangle::padded_aabb`.
        let padding = f64::from(triangle.aabb_padding() + largest * f32::EPSILON) * f64::from(norm);
        let (low, high) = (low - padding, high + padding);
        // The triangle's own plane is within one padding of every vertex.
        if low >= -2.0 * padding && high <= 2.0 * padding {
            return Side::On(if high > -low { high } else { -low });
        }
        let [box_low, box_high] = self.distance_range(&reference.bounds);
        match (low > 0.0 || box_low > 0.0, high < 0.0 || box_high < 0.0) {
            (true, false) => Side::High,
            (false, true) => Side::Low,
            _ => Side::Both,
        }
    }

    /// AABBs of the parts of a box below and above the plane; the whole box for an empty part.
    pub(super) fn halves(&self, cell: &Aabb<3>) -> [Aabb<3>; 2] {
        [1.0, -1.0].map(|sign| self.half(cell, sign))
    }

    /// AABB of the part with `sign · distance <= 0`: on each axis, the farthest that a point can
    /// reach if the others are at the most favorable end.
    fn half(&self, cell: &Aabb<3>, sign: f64) -> Aabb<3> {
        let normal = self.normal.map(|component| sign * f64::from(component));
        let least = |axis: usize| {
            let end = if normal[axis] > 0.0 { cell.min[axis] } else { cell.max[axis] };
            normal[axis] * f64::from(end)
        };
        let mut half = *cell;
        for axis in 0..3 {
            if normal[axis] == 0.0 {
                continue;
            }
            let others: f64 = (0..3).filter(|&other| other != axis).map(least).sum();
            let limit = (sign * self.offset - others) / normal[axis];
            let (min, max) = (&mut half.min[axis], &mut half.max[axis]);
            if normal[axis] > 0.0 {
                let limit = limit as f32;
                *max = if *min <= limit && limit < *max { limit } else { *max };
            } else {
                let limit = limit as f32;
                *min = if *min < limit && limit <= *max { limit } else { *min };
            }
        }
        half
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FLOOR: Triangle = Triangle([[0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [0.0, 4.0, 1.0]]);

    fn side(plane: &Plane, triangle: &Triangle) -> Side {
        plane.side(&CellReference { triangle: 0, bounds: triangle.padded_aabb() }, triangle)
    }

    #[test]
    fn triangle_lies_on_its_own_plane_near_the_origin_and_far_from_it() {
        for shift in [0.0, 148_376.0, 1e17] {
            let far = Triangle(FLOOR.0.map(|[x, y, z]| [x + shift, y * 0.3 + x, z - 0.7 * y]));
            if let Some(plane) = Plane::of_triangle(&far) {
                assert!(matches!(side(&plane, &far), Side::On(_)), "shift {shift}");
            }
        }
        assert_eq!(Plane::of_triangle(&Triangle([[1.0; 3], [2.0; 3], [3.0; 3]])), None);
    }

    #[test]
    fn triangle_is_on_the_side_of_its_vertices_unless_it_is_within_the_padding() {
        let plane = |z: f32| Plane { normal: [0.0, 0.0, 1.0], offset: f64::from(z) };
        let delta = FLOOR.aabb_padding();
        assert_eq!(side(&plane(1.0 + 2.5 * delta), &FLOOR), Side::Low);
        assert_eq!(side(&plane(1.0 - 2.5 * delta), &FLOOR), Side::High);
        assert!(matches!(side(&plane(1.0 + 0.5 * delta), &FLOOR), Side::On(_)));
        let oblique = Plane { normal: [1.0, 1.0, 0.0], offset: 4.0 + f64::from(delta) };
        assert_eq!(side(&oblique, &FLOOR), Side::Both);
        let beyond = Plane { normal: [1.0, 1.0, 0.0], offset: 4.0 + 3.0 * f64::from(delta) };
        assert_eq!(side(&beyond, &FLOOR), Side::Low);
    }

    #[test]
    fn halves_of_a_box_are_the_aabbs_of_its_parts() {
        let cell = Aabb { min: [0.0; 3], max: [4.0; 3] };
        let diagonal = Plane { normal: [1.0, 1.0, 0.0], offset: 2.0 };
        let [low, high] = diagonal.halves(&cell);
        assert_eq!((low.min, low.max), ([0.0; 3], [2.0, 2.0, 4.0]));
        assert_eq!(high, cell);
        let [low, high] = Plane::axis_aligned(2, 3.0).halves(&cell);
        assert_eq!((low.max[2], high.min[2]), (3.0, 3.0));
    }
}
