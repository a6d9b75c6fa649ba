//! Points and triangles in f64, in which f32 coordinates have digits to spare.

use embate_geom::Triangle;

pub(super) type Point = [f64; 3];

pub(super) fn wide(point: [f32; 3]) -> Point {
    point.map(f64::from)
}

pub(super) fn corners(triangle: &Triangle) -> [Point; 3] {
    triangle.0.map(wide)
}

pub(super) fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `a + b · share`.
pub(super) fn along(a: Point, b: Point, share: f64) -> Point {
    [a[0] + b[0] * share, a[1] + b[1] * share, a[2] + b[2] * share]
}

pub(super) fn dot(a: Point, b: Point) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(super) fn cross(a: Point, b: Point) -> Point {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Whether a point of the triangle's plane, whose normal is given, lies in it.
pub(super) fn holds([a, b, c]: [Point; 3], normal: Point, point: Point) -> bool {
    let left_of = |from, to| dot(cross(minus(to, from), minus(point, from)), normal) >= 0.0;
    left_of(a, b) && left_of(b, c) && left_of(c, a)
}
