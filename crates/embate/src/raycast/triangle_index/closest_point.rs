//! Which point of the mesh is nearest to a given one?

use embate_geom::{Aabb, Triangle};

use super::TriangleIndex;
use super::wide::{Point, along, corners, cross, dot, holds, minus, wide};

/// Far more than f64 rounds by, even on a triangle a million times longer than wide.
const SLACK: f64 = 1e-6;

/// A point of the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearestPoint {
    /// Where it is.
    pub point: [f32; 3],
    /// How far from the one that was asked about.
    pub distance: f32,
    /// Of which triangle.
    pub triangle: u32,
}

impl TriangleIndex {
    /// The point of the mesh nearest to `point`, if it is at most `within` away. Nothing is near a point
    /// with a NaN or an infinity.
    #[must_use]
    pub fn closest_point(&self, point: [f32; 3], within: f32) -> Option<NearestPoint> {
        if !(point.iter().all(|c| c.is_finite()) && within >= 0.0) {
            return None;
        }
        let eye = wide(point);
        let reach = f64::from(within) * f64::from(within);
        let mut best: Option<(f64, u32, Point)> = None;
        let distance = |bounds: &Aabb<3>| distance_squared(bounds, eye);
        self.walk(reach, distance, |number, triangle| {
            let nearest = nearest_on(triangle, eye);
            let way = minus(nearest, eye);
            let far = dot(way, way);
            let closer =
                best.is_none_or(|(least, of, _)| far < least || (far == least && number < of));
            if far <= reach && closer {
                best = Some((far, number, nearest));
            }
            best.map_or(reach, |(least, ..)| least)
        });
        best.map(|(far, triangle, nearest)| NearestPoint {
            point: nearest.map(|c| c as f32),
            distance: far.sqrt() as f32,
            triangle,
        })
    }
}

/// The point of a triangle nearest to `eye`: on its face if that is straight before it, else on an edge.
pub(super) fn nearest_on(triangle: &Triangle, eye: Point) -> Point {
    let [a, b, c] = corners(triangle);
    let normal = cross(minus(b, a), minus(c, a));
    let across = dot(normal, normal);
    if across > 0.0 {
        let foot = along(eye, normal, dot(minus(a, eye), normal) / across);
        if holds([a, b, c], normal, foot) {
            return foot;
        }
    }
    let (mut nearest, mut least) = (a, f64::INFINITY);
    for (from, to) in [(a, b), (b, c), (c, a)] {
        let edge = minus(to, from);
        let length_squared = dot(edge, edge);
        let share =
            if length_squared > 0.0 { dot(minus(eye, from), edge) / length_squared } else { 0.0 };
        let point = if share <= 0.0 {
            from
        } else if share >= 1.0 {
            to
        } else {
            along(from, edge, share)
        };
        let way = minus(point, eye);
        let far = dot(way, way);
        if far < least {
            (nearest, least) = (point, far);
        }
    }
    nearest
}

/// To a box, squared, less what rounding may add to the distance of a needle in it.
fn distance_squared(bounds: &Aabb<3>, eye: Point) -> f64 {
    let mut sum = 0.0;
    for axis in 0..3 {
        let below = f64::from(bounds.min[axis]) - eye[axis];
        let above = eye[axis] - f64::from(bounds.max[axis]);
        let apart = if below > 0.0 {
            below
        } else if above > 0.0 {
            above
        } else {
            0.0
        };
        sum += apart * apart;
    }
    sum * (1.0 - SLACK)
}

#[cfg(test)]
mod tests {
    use super::super::sphere_cast::tests::{bumps, places};
    use super::*;

    #[test]
    fn the_nearest_point_is_the_one_a_loop_over_all_triangles_finds() {
        let index = TriangleIndex::new(bumps());
        for eye in places(500) {
            let found = index.closest_point(eye, f32::INFINITY).unwrap();
            let mut least = (f64::INFINITY, 0);
            for (number, triangle) in (0..).zip(index.mesh().corners()) {
                let way = minus(nearest_on(&triangle, wide(eye)), wide(eye));
                if dot(way, way) < least.0 {
                    least = (dot(way, way), number);
                }
            }
            assert_eq!((found.triangle, found.distance), (least.1, least.0.sqrt() as f32));
            assert_eq!(index.closest_point(eye, found.distance * 1.001), Some(found));
            assert_eq!(index.closest_point(eye, found.distance * 0.999), None);
        }
    }

    #[test]
    fn faces_edges_and_corners_are_nearest_in_their_turn() {
        let floor = Triangle([[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 4.0, 0.0]]);
        assert_eq!(nearest_on(&floor, [1.0, 1.0, 3.0]), [1.0, 1.0, 0.0]);
        assert_eq!(nearest_on(&floor, [1.0, -2.0, 3.0]), [1.0, 0.0, 0.0]);
        assert_eq!(nearest_on(&floor, [9.0, -2.0, 3.0]), [4.0, 0.0, 0.0]);
        let point = Triangle([[1.0, 2.0, 3.0]; 3]);
        assert_eq!(nearest_on(&point, [0.0; 3]), [1.0, 2.0, 3.0]);
    }

    #[test]
    fn nothing_is_near_a_nan() {
        let index = TriangleIndex::new(bumps());
        assert_eq!(index.closest_point([f32::NAN, 0.0, 0.0], f32::INFINITY), None);
        assert_eq!(index.closest_point([0.0; 3], f32::NAN), None);
        assert_eq!(index.closest_point([0.0; 3], -1.0), None);
    }
}
