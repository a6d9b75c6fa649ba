//! What are the two parts of a triangle that lies across a plane?
//!
//! A structure that keeps a triangle in several places needs, for each, a box around that part alone.
//! Promise: a hit that `ShearedRay::hit` tells of the triangle, and that lies in the box of a part, lies in the
//! box of one of its halves.

use embate_geom::{Aabb, Triangle};

/// Corners of a triangle cut by six planes: nine, and a few for roundings.
const MOST_CORNERS: usize = 16;

/// A part of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Grown by [`Triangle::guard`], but not beyond what it is a part of.
    pub(super) bounds: Aabb<3>,
    pub(super) area: f32,
}

/// The parts below and above `plane` on the axis, of the part of `triangle` in `bounds`; `None` where nothing is.
pub(super) fn halves(
    triangle: &Triangle,
    bounds: &Aabb<3>,
    axis: usize,
    plane: f32,
) -> [Option<Piece>; 2] {
    let (core, plane) = (Cell::of_part(triangle, bounds), f64::from(plane));
    let (mut below, mut above) = (core, core);
    below.max[axis] = if plane < core.max[axis] { plane } else { core.max[axis] };
    above.min[axis] = if plane > core.min[axis] { plane } else { core.min[axis] };
    [below, above].map(|half| part_in(triangle, &half, bounds))
}

/// Where a part is cut from its triangle.
#[derive(Clone, Copy)]
struct Cell {
    min: [f64; 3],
    max: [f64; 3],
}

impl Cell {
    /// A part's box without what it was grown by. Where it ends as the whole triangle does, nothing is cut.
    fn of_part(triangle: &Triangle, bounds: &Aabb<3>) -> Self {
        let (whole, margin) = (triangle.guarded_bounds(), f64::from(triangle.guard()));
        let grown = |is_cut: bool| if is_cut { margin } else { 0.0 };
        Self {
            min: core::array::from_fn(|axis| {
                f64::from(bounds.min[axis]) + grown(bounds.min[axis] > whole.min[axis])
            }),
            max: core::array::from_fn(|axis| {
                f64::from(bounds.max[axis]) - grown(bounds.max[axis] < whole.max[axis])
            }),
        }
    }
}

/// The part inside `cell`, sides included. Its box does not leave `bounds`.
fn part_in(triangle: &Triangle, cell: &Cell, bounds: &Aabb<3>) -> Option<Piece> {
    let mut polygon = Polygon::new(triangle);
    for axis in 0..3 {
        polygon.cut(axis, cell.min[axis], 1.0);
        polygon.cut(axis, cell.max[axis], -1.0);
    }
    if polygon.len == 0 {
        return None;
    }
    let margin = f64::from(triangle.guard());
    let (least, most) = polygon.bounds();
    let (whole, mut part) = (triangle.bounds(), *bounds);
    for axis in 0..3 {
        let min = ((least[axis] - margin) as f32).next_down();
        let max = ((most[axis] + margin) as f32).next_up();
        // (Where it ends as the triangle does, it keeps the end it has: another rounding of it would be another box.)
        let (is_cut_below, is_cut_above) =
            (least[axis] > f64::from(whole.min[axis]), most[axis] < f64::from(whole.max[axis]));
        part.min[axis] = if is_cut_below && min > part.min[axis] { min } else { part.min[axis] };
        part.max[axis] = if is_cut_above && max < part.max[axis] { max } else { part.max[axis] };
    }
    Some(Piece { bounds: part, area: polygon.area() })
}

#[derive(Clone, Copy)]
struct Polygon {
    corners: [[f64; 3]; MOST_CORNERS],
    len: usize,
}

impl Polygon {
    fn new(triangle: &Triangle) -> Self {
        let mut corners = [[0.0; 3]; MOST_CORNERS];
        for (corner, point) in corners.iter_mut().zip(&triangle.0) {
            *corner = point.map(f64::from);
        }
        Self { corners, len: 3 }
    }

    /// Keeps what lies beyond `plane` on the axis, in the direction of `side`.
    fn cut(&mut self, axis: usize, plane: f64, side: f64) {
        // Most planes of a cell cut nothing.
        if self.corners[..self.len].iter().all(|corner| (corner[axis] - plane) * side >= 0.0) {
            return;
        }
        let mut left = Self { corners: [[0.0; 3]; MOST_CORNERS], len: 0 };
        for place in 0..self.len {
            let from = &self.corners[place];
            let to = &self.corners[if place + 1 == self.len { 0 } else { place + 1 }];
            let (before, after) = ((from[axis] - plane) * side, (to[axis] - plane) * side);
            if before >= 0.0 {
                left.push(*from);
            }
            if (before > 0.0 && after < 0.0) || (before < 0.0 && after > 0.0) {
                let share = before / (before - after);
                let mut crossing: [f64; 3] =
                    core::array::from_fn(|other| from[other] + (to[other] - from[other]) * share);
                crossing[axis] = plane;
                left.push(crossing);
            }
        }
        *self = left;
    }

    fn push(&mut self, corner: [f64; 3]) {
        if let Some(place) = self.corners.get_mut(self.len) {
            *place = corner;
            self.len += 1;
        }
    }

    fn bounds(&self) -> ([f64; 3], [f64; 3]) {
        let (mut least, mut most) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for corner in &self.corners[..self.len] {
            for axis in 0..3 {
                least[axis] = if corner[axis] < least[axis] { corner[axis] } else { least[axis] };
                most[axis] = if corner[axis] > most[axis] { corner[axis] } else { most[axis] };
            }
        }
        (least, most)
    }

    fn area(&self) -> f32 {
        let mut sum = [0.0; 3];
        let from = self.corners[0];
        for pair in self.corners[..self.len].windows(2).skip(1) {
            let [a, b] = [pair[0], pair[1]].map(|corner| -> [f64; 3] {
                core::array::from_fn(|axis| corner[axis] - from[axis])
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
    fn each_half_has_its_own_box_and_area() {
        let [low, high] = halves(&FLAT, &FLAT.guarded_bounds(), 0, 2.0).map(Option::unwrap);
        assert_eq!((low.area, high.area), (6.0, 2.0));
        assert!(low.bounds.max[0] > 2.0 && low.bounds.max[0] < 2.01);
        assert!(high.bounds.min[0] < 2.0 && high.bounds.min[0] > 1.99);
        assert!(
            high.bounds.max[1] > 2.0 && high.bounds.max[1] < 2.01,
            "above x = 2 it ends at y = 2"
        );
        assert_eq!(low.bounds.min, FLAT.guarded_bounds().min);
    }

    #[test]
    fn what_only_touches_the_plane_is_on_both_sides() {
        let [low, high] = halves(&FLAT, &FLAT.guarded_bounds(), 2, 1.0);
        assert!(low.is_some() && high.is_some());
        let [low, high] = halves(&FLAT, &FLAT.guarded_bounds(), 0, 4.0);
        assert!(low.is_some() && high.is_some());
        let [low, high] = halves(&FLAT, &FLAT.guarded_bounds(), 0, 4.1);
        assert!(low.is_some() && high.is_none());
    }

    #[test]
    fn halves_of_halves_have_the_area_of_the_whole() {
        let triangle = Triangle([[0.3, 0.1, 7.0], [0.9, 0.8, -3.0], [-4.0, 0.2, 0.5]]);
        let bounds = triangle.guarded_bounds();
        let mut parts = vec![Piece { bounds, area: 0.0 }];
        for (axis, plane) in [(0, 0.125), (1, 0.3), (2, 0.5), (0, -2.0), (2, 4.0)] {
            let cut = |part: &Piece| halves(&triangle, &part.bounds, axis, plane);
            parts = parts.iter().flat_map(cut).flatten().collect();
        }
        let sum: f32 = parts.iter().map(|part| part.area).sum();
        let whole = halves(&triangle, &bounds, 0, -9.0)[1].unwrap().area;
        assert!(parts.len() > 5 && (sum - whole).abs() < 1e-4 * whole, "{sum} of {whole}");
    }
}
