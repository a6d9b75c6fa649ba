//! Which triangles reach into a box?

use embate_geom::{Aabb, Triangle};

use super::TriangleIndex;
use super::wide::{Point, corners, cross, dot, minus, wide};

impl TriangleIndex {
    /// The triangles that share a point with `bounds`, by number; touching counts. A box with a NaN, or
    /// whose least corner is beyond its greatest, holds nothing.
    #[must_use]
    pub fn overlapping(&self, bounds: &Aabb<3>) -> Vec<u32> {
        let mut found = Vec::new();
        if !(0..3).all(|axis| bounds.min[axis] <= bounds.max[axis]) {
            return found;
        }
        let apart = |other: &Aabb<3>| if bounds.overlaps(other) { 0.0 } else { f64::INFINITY };
        self.walk(0.0, apart, |number, triangle| {
            if overlaps(triangle, bounds) {
                found.push(number);
            }
            0.0
        });
        found.sort_unstable();
        // A tree may hold a triangle in several leaves.
        found.dedup();
        found
    }
}

/// Separating axes (Akenine-Möller 2001): the box's three, the triangle's normal, and the nine across an
/// edge of each. Products are taken in f64; those across edges are right within its rounding.
fn overlaps(triangle: &Triangle, bounds: &Aabb<3>) -> bool {
    if !triangle.bounds().overlaps(bounds) {
        return false;
    }
    let (min, max) = (wide(bounds.min), wide(bounds.max));
    let middle: Point = core::array::from_fn(|axis| 0.5 * (min[axis] + max[axis]));
    let half: Point = core::array::from_fn(|axis| 0.5 * (max[axis] - min[axis]));
    let [a, b, c] = corners(triangle).map(|corner| minus(corner, middle));
    let (ab, bc, ca) = (minus(b, a), minus(c, b), minus(a, c));
    let separates = |axis: Point| {
        let reach: f64 = (0..3).map(|i| half[i] * axis[i].abs()).sum();
        let heights = [a, b, c].map(|corner| dot(corner, axis));
        heights.iter().all(|&h| h > reach) || heights.iter().all(|&h| h < -reach)
    };
    if separates(cross(ab, bc)) {
        return false;
    }
    let units: [Point; 3] = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    !units.iter().any(|&unit| [ab, bc, ca].iter().any(|&edge| separates(cross(unit, edge))))
}

#[cfg(test)]
mod tests {
    use super::super::sphere_cast::tests::{bumps, places};
    use super::*;

    #[test]
    fn the_triangles_of_a_box_are_those_a_loop_over_all_finds() {
        let index = TriangleIndex::new(bumps());
        let mut some = 0;
        for pair in places(400).chunks_exact(2) {
            let bounds = Aabb::around(pair).unwrap();
            let all = (0..).zip(index.mesh().corners());
            let expected: Vec<u32> =
                all.filter(|(_, t)| overlaps(t, &bounds)).map(|(number, _)| number).collect();
            some += usize::from(!expected.is_empty());
            assert_eq!(index.overlapping(&bounds), expected);
        }
        assert!(some > 50, "{some}");
    }

    #[test]
    fn a_slanted_triangle_passes_beside_a_box_that_its_own_box_meets() {
        let slanted = Triangle([[4.0, 0.0, 0.0], [0.0, 4.0, 0.0], [0.0, 0.0, 4.0]]);
        let cube = |at: f32, size: f32| Aabb { min: [at; 3], max: [at + size; 3] };
        assert!(!overlaps(&slanted, &cube(0.0, 1.0)));
        assert!(overlaps(&slanted, &cube(0.0, 1.5)));
        assert!(
            overlaps(&slanted, &Aabb { min: [4.0, 0.0, 0.0], max: [5.0, 1.0, 1.0] }),
            "touching"
        );
        assert!(!overlaps(&slanted, &cube(2.0, 1.0)));
    }

    #[test]
    fn a_box_with_a_nan_or_turned_inside_out_holds_nothing() {
        let index = TriangleIndex::new(bumps());
        for (min, max) in [(f32::NAN, 9.0), (1.0, -1.0)] {
            assert!(index.overlapping(&Aabb { min: [min; 3], max: [max; 3] }).is_empty());
        }
    }
}
