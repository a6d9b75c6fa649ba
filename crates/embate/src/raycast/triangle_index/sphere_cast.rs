//! What does a ball touch first on its way?

use embate_geom::{Aabb, Ray, Triangle};

use super::TriangleIndex;
use super::near::nearest_on;
use super::wide::{Point, along, corners, cross, dot, holds, minus, wide};

/// Where a ball first touches the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SphereHit {
    /// How far its middle has come, in lengths of the direction.
    pub t: f32,
    /// Where it touches.
    pub point: [f32; 3],
    /// From there to the middle of the ball, of length 1; nothing (all 0) if the middle lies on the mesh.
    pub normal: [f32; 3],
    /// Which triangle.
    pub triangle: u32,
}

/// How far the boxes are moved outwards, against the sizes that go into the test: far more than f64 rounds
/// by, even on a triangle a million times longer than wide.
const SLACK: f64 = 1e-6;

impl TriangleIndex {
    /// Where a ball of `radius` whose middle goes along `ray` first touches a triangle, from either side,
    /// within the ray's range; at its beginning if it touches one there. A ball without a radius of 0 or
    /// more, and a ray that does not [lead somewhere](Ray::leads_somewhere), touch nothing.
    #[must_use]
    pub fn sphere_cast(&self, ray: &Ray<3>, radius: f32) -> Option<SphereHit> {
        if !(ray.leads_somewhere() && ray.t_min.is_finite() && radius >= 0.0 && radius.is_finite())
        {
            return None;
        }
        let ball = MovingBall::new(ray, radius);
        let t_max = f64::from(ray.t_max);
        let mut best: Option<(f64, u32)> = None;
        self.walk(
            t_max,
            |bounds| ball.reaches(bounds),
            |number, triangle| {
                let reach = best.map_or(t_max, |(t, _)| t);
                if let Some(t) = ball.touches(triangle)
                    && t <= reach
                    && best.is_none_or(|(least, of)| t < least || number < of)
                {
                    best = Some((t, number));
                }
                best.map_or(t_max, |(t, _)| t)
            },
        );
        let (t, triangle) = best?;
        let middle = ball.at(t);
        let point = nearest_on(&self.mesh.triangle(triangle), middle);
        let way = minus(middle, point);
        let length = dot(way, way).sqrt();
        let normal = if length > 0.0 { way.map(|c| (c / length) as f32) } else { [0.0; 3] };
        Some(SphereHit { t: t as f32, point: point.map(|c| c as f32), normal, triangle })
    }
}

struct MovingBall {
    /// Its middle at `t = 0`.
    origin: Point,
    direction: Point,
    t_min: f64,
    radius: f64,
}

impl MovingBall {
    fn new(ray: &Ray<3>, radius: f32) -> Self {
        Self {
            origin: wide(ray.origin),
            direction: wide(ray.direction),
            t_min: f64::from(ray.t_min),
            radius: f64::from(radius),
        }
    }

    fn at(&self, t: f64) -> Point {
        along(self.origin, self.direction, t)
    }

    /// When it may first touch something in a box; infinite if never.
    fn reaches(&self, bounds: &Aabb<3>) -> f64 {
        let (mut enter, mut leave) = (self.t_min, f64::INFINITY);
        for axis in 0..3 {
            let (min, max) = (f64::from(bounds.min[axis]), f64::from(bounds.max[axis]));
            let (origin, direction) = (self.origin[axis], self.direction[axis]);
            let sizes = min.abs() + max.abs() + origin.abs() + self.radius;
            let margin = self.radius + SLACK * sizes;
            let (below, above) = (min - margin - origin, max + margin - origin);
            if direction == 0.0 {
                if below > 0.0 || above < 0.0 {
                    return f64::INFINITY;
                }
                continue;
            }
            let (a, b) = (below / direction, above / direction);
            let (near, far) = if a < b { (a, b) } else { (b, a) };
            enter = if near > enter { near } else { enter };
            leave = if far < leave { far } else { leave };
        }
        let slack = SLACK * (enter.abs() + leave.abs());
        if leave.is_finite() && enter - slack > leave {
            f64::INFINITY
        } else {
            enter - SLACK * enter.abs()
        }
    }

    /// When it first touches a triangle.
    fn touches(&self, triangle: &Triangle) -> Option<f64> {
        let start = self.at(self.t_min);
        let way = minus(nearest_on(triangle, start), start);
        if dot(way, way) <= self.radius * self.radius {
            return Some(self.t_min);
        }
        let [a, b, c] = corners(triangle);
        let mut first = f64::INFINITY;
        let mut consider = |t: f64| first = if t >= 0.0 && t < first { t } else { first };
        if let Some(t) = self.meets_face([a, b, c], start) {
            consider(t);
        }
        for (from, to) in [(a, b), (b, c), (c, a)] {
            if let Some(t) = self.meets_edge(from, minus(to, from), start) {
                consider(t);
            }
            if let Some(t) = self.comes_within(minus(start, from), self.direction) {
                consider(t);
            }
        }
        first.is_finite().then_some(self.t_min + first)
    }

    fn meets_face(&self, [a, b, c]: [Point; 3], start: Point) -> Option<f64> {
        let normal = cross(minus(b, a), minus(c, a));
        let length = dot(normal, normal).sqrt();
        let height = dot(normal, minus(start, a)) / length;
        let rise = dot(normal, self.direction) / length;
        // Towards the plane, from the side it is on; a triangle without area gives NaN.
        let surface = if height > 0.0 { self.radius } else { -self.radius };
        let t = (surface - height) / rise;
        let foot = along(along(start, self.direction, t), normal, -surface / length);
        (height * rise < 0.0 && holds([a, b, c], normal, foot)).then_some(t)
    }

    fn meets_edge(&self, from: Point, edge: Point, start: Point) -> Option<f64> {
        let length_squared = dot(edge, edge);
        let across = |v: Point| along(v, edge, -dot(v, edge) / length_squared);
        let t = self.comes_within(across(minus(start, from)), across(self.direction))?;
        let share = dot(minus(along(start, self.direction, t), from), edge) / length_squared;
        (0.0..=1.0).contains(&share).then_some(t)
    }

    /// When `way + t · direction` is first as short as the radius.
    fn comes_within(&self, way: Point, direction: Point) -> Option<f64> {
        let (a, b) = (dot(direction, direction), dot(way, direction));
        let c = dot(way, way) - self.radius * self.radius;
        let root = b * b - a * c;
        (root >= 0.0 && b < 0.0 && a > 0.0).then(|| (-b - root.sqrt()) / a)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use embate_mesh::TriangleMesh;

    use super::*;

    /// Whole numbers that look random, from 0 to 999.
    fn noise(i: u32) -> f32 {
        (i.wrapping_mul(2_654_435_761) >> 7 & 1_023) as f32 % 1_000.0
    }

    /// Forty by forty bumpy squares around the origin.
    pub(in super::super) fn bumps() -> TriangleMesh {
        let points = (0..41_u32 * 41)
            .map(|i| [(i % 41) as f32 - 20.0, (i / 41) as f32 - 20.0, noise(i) / 500.0]);
        let squares = (0..40_u32 * 40).flat_map(|i| {
            let a = i / 40 * 41 + i % 40;
            [[a, a + 1, a + 42], [a, a + 42, a + 41]]
        });
        TriangleMesh::new(points.collect(), squares.collect()).unwrap()
    }

    /// Places over, in and under the bumps.
    pub(in super::super) fn places(count: u32) -> Vec<[f32; 3]> {
        let place = |i: u32| {
            [
                noise(3 * i) / 20.0 - 25.0,
                noise(3 * i + 1) / 20.0 - 25.0,
                noise(3 * i + 2) / 100.0 - 5.0,
            ]
        };
        (0..count).map(place).collect()
    }

    #[test]
    fn a_ball_touches_first_what_a_loop_over_all_triangles_finds() {
        let index = TriangleIndex::new(bumps());
        let mut touched = 0;
        for (number, pair) in (0..).zip(places(600).chunks_exact(2)) {
            let radius = noise(number) / 1_000.0;
            let ray = Ray { t_max: f32::INFINITY, ..Ray::between(pair[0], pair[1]) };
            let ball = MovingBall::new(&ray, radius);
            let all = (0..).zip(index.mesh().corners());
            let times = all.filter_map(|(number, t)| Some((ball.touches(&t)?, number)));
            let expected = times.min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let found = index.sphere_cast(&ray, radius);
            assert_eq!(
                found.map(|hit| (hit.t, hit.triangle)),
                expected.map(|(t, of)| (t as f32, of))
            );
            let Some(hit) = found else { continue };
            touched += 1;
            // There the surface is a radius away, and nowhere before.
            let at = |t: f32| index.closest_point(ray.at(t), f32::INFINITY).unwrap().distance;
            if hit.t > 0.0 {
                assert!((at(hit.t) - radius).abs() < 1e-4, "{ray:?} {radius} {hit:?}");
                assert!((0..20).all(|i| at(hit.t * i as f32 / 20.0) >= radius - 1e-4), "{ray:?}");
            }
        }
        assert!(touched > 100, "{touched}");
    }

    #[test]
    fn a_ball_that_touches_at_the_beginning_has_gone_no_way() {
        let index = TriangleIndex::new(bumps());
        let up = Ray::new([0.2, 0.3, 0.0], [0.0, 0.0, 1.0]);
        assert_eq!(index.sphere_cast(&up, 5.0).map(|hit| hit.t), Some(0.0));
        assert_eq!(index.sphere_cast(&up, f32::NAN), None);
        assert_eq!(index.sphere_cast(&Ray::new([0.0; 3], [0.0; 3]), 1.0), None);
    }

    #[test]
    fn a_ball_ends_its_way_where_its_ray_does() {
        let index = TriangleIndex::new(bumps());
        let down = Ray::new([0.2, 0.3, 9.0], [0.0, 0.0, -1.0]);
        let t = index.sphere_cast(&down, 0.5).unwrap().t;
        assert!(index.sphere_cast(&down.within(0.0, t * 0.999), 0.5).is_none());
        assert!(index.sphere_cast(&down.within(0.0, t * 1.001), 0.5).is_some());
    }
}
