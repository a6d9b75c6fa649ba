//! Separation of two solids: the distance, or the negative minimum penetration.
//!
//! Both are the signed distance of the origin from the Minkowski difference of the cores, minus the
//! radii. Every axis is a lower bound of the separation, so an axis with rounding errors does not
//! invalidate the maximum; only an omitted axis would.

use super::features::{closest_on_segment, closest_on_segments, closest_on_triangle};
use super::math::Point;
use super::solid::{Rounded, Solid};

/// True separation of two solids A and B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeparationTruth {
    /// Distance; the negative minimum penetration if they overlap.
    pub separation: f64,
    /// Unit normal from A to B that attains the separation; several may.
    pub normal: Point,
}

/// Separation of A and B along a unit axis from A to B; negative if they overlap along it.
#[must_use]
pub fn separation_along_axis(a: &Solid, b: &Solid, axis: Point) -> f64 {
    match (a, b) {
        (Solid::Round(a), Solid::Round(b)) => -b.reach(-axis) - a.reach(axis),
        // The support of a half-space is infinite along all directions but its normal.
        (Solid::HalfSpace { normal, border }, Solid::Round(other)) if close(*normal, axis) => {
            -other.reach(-*normal) - normal.dot(*border)
        }
        (Solid::Round(other), Solid::HalfSpace { normal, border }) if close(-*normal, axis) => {
            -other.reach(-*normal) - normal.dot(*border)
        }
        _ => f64::NEG_INFINITY,
    }
}

/// Whether two unit vectors are equal within the rounding of f32.
fn close(a: Point, b: Point) -> bool {
    (a - b).length() < 1e-5
}

/// Separation and normal of two solids.
///
/// # Panics
/// For two half-spaces.
#[must_use]
pub fn true_separation(a: &Solid, b: &Solid) -> SeparationTruth {
    match (a, b) {
        (Solid::Round(a), Solid::Round(b)) => rounded_separation(a, b),
        (Solid::HalfSpace { normal, .. }, Solid::Round(_)) => {
            SeparationTruth { separation: separation_along_axis(a, b, *normal), normal: *normal }
        }
        (Solid::Round(_), Solid::HalfSpace { normal, .. }) => {
            SeparationTruth { separation: separation_along_axis(a, b, -*normal), normal: -*normal }
        }
        (Solid::HalfSpace { .. }, Solid::HalfSpace { .. }) => {
            panic!("two half-spaces have no depth")
        }
    }
}

/// Signed distance of a point from a solid; negative inside.
#[must_use]
pub fn true_separation_of_point(solid: &Solid, at: Point) -> f64 {
    true_separation(solid, &Solid::Round(Rounded::point(at))).separation
}

fn rounded_separation(a: &Rounded, b: &Rounded) -> SeparationTruth {
    let radii = a.radius + b.radius;
    // The Minkowski difference of points or segments is flat: the cores have no penetration.
    let flat = a.normals.is_empty() && b.normals.is_empty();
    let (gap, axis) = if flat { (f64::INFINITY, Point::ZERO) } else { max_separation(a, b) };
    if gap <= 0.0 {
        return SeparationTruth { separation: gap - radii, normal: axis };
    }
    let [on_a, on_b] = closest_points(a, b, axis);
    let between = on_b - on_a;
    let square = || flat_direction(a).cross(flat_direction(b)).unit();
    let normal = between.unit().or_else(square).unwrap_or_else(|| {
        let one = if a.vertices.len() > 1 { a } else { b };
        flat_direction(one).any_perpendicular()
    });
    SeparationTruth { separation: between.length() - radii, normal }
}

/// Direction of a segment; zero for a point.
fn flat_direction(core: &Rounded) -> Point {
    core.vertices[core.vertices.len() - 1] - core.vertices[0]
}

/// Maximum separation over all axes of the two cores (SAT), and its axis; ≤ 0 if they overlap.
fn max_separation(a: &Rounded, b: &Rounded) -> (f64, Point) {
    let mut search =
        Search { a: &a.vertices, b: &b.vertices, best: f64::NEG_INFINITY, axis: Point::ZERO };
    a.normals.iter().for_each(|normal| search.offer(*normal));
    b.normals.iter().for_each(|normal| search.offer(-*normal));
    for &edge_a in &a.features.edges {
        let [from_a, to_a] = a.edge(edge_a);
        for &edge_b in &b.features.edges {
            let [from_b, to_b] = b.edge(edge_b);
            let Some(axis) = (to_a - from_a).cross(to_b - from_b).unit() else { continue };
            // The separation along an axis is at most that of any two points, here on the edges.
            let between = axis.dot(from_b - from_a);
            if between > search.best {
                search.offer(axis);
            }
            if -between > search.best {
                search.offer(-axis);
            }
        }
    }
    (search.best, search.axis)
}

struct Search<'a> {
    a: &'a [Point],
    b: &'a [Point],
    best: f64,
    axis: Point,
}

impl Search<'_> {
    /// Tests an axis from A to B; stops as soon as it cannot be the maximum.
    fn offer(&mut self, axis: Point) {
        let mut top = f64::NEG_INFINITY;
        for vertex in self.a {
            top = top.max(axis.dot(*vertex));
        }
        let mut gap = f64::INFINITY;
        for vertex in self.b {
            gap = gap.min(axis.dot(*vertex) - top);
            if gap <= self.best {
                return;
            }
        }
        (self.best, self.axis) = (gap, axis);
    }
}

/// Closest points of two separated cores. `axis` is a separating axis or zero: features farther
/// apart along it than the current minimum are skipped.
fn closest_points(a: &Rounded, b: &Rounded, axis: Point) -> [Point; 2] {
    let height = |core: &Rounded| core.vertices.iter().map(|v| axis.dot(*v)).collect::<Vec<f64>>();
    let (height_a, height_b) = (height(a), height(b));
    let highest = |at: &[u32]| at.iter().map(|&i| height_a[i as usize]).fold(f64::MIN, f64::max);
    let lowest = |at: &[u32]| at.iter().map(|&i| height_b[i as usize]).fold(f64::MAX, f64::min);
    let mut best = Closest { pair: [a.vertices[0], b.vertices[0]], distance: f64::INFINITY };
    best.offer(a.vertices[0], b.vertices[0]);

    for &edge_a in &a.features.edges {
        for &edge_b in &b.features.edges {
            if lowest(&edge_b) - highest(&edge_a) < best.distance {
                let [on_a, on_b] = closest_on_segments(a.edge(edge_a), b.edge(edge_b));
                best.offer(on_a, on_b);
            }
        }
    }
    for (index, &vertex) in (0..).zip(&a.vertices) {
        for &triangle in &b.features.triangles {
            if lowest(&triangle) - highest(&[index]) < best.distance {
                best.offer(vertex, closest_on_triangle(vertex, corners(b, triangle)));
            }
        }
        // A core without faces is a segment: vertices are compared with its edges.
        for &edge in b.features.edges.iter().filter(|_| b.normals.is_empty()) {
            best.offer(vertex, closest_on_segment(vertex, b.edge(edge)));
        }
    }
    for (index, &vertex) in (0..).zip(&b.vertices) {
        for &triangle in &a.features.triangles {
            if lowest(&[index]) - highest(&triangle) < best.distance {
                best.offer(closest_on_triangle(vertex, corners(a, triangle)), vertex);
            }
        }
        for &edge in a.features.edges.iter().filter(|_| a.normals.is_empty()) {
            best.offer(closest_on_segment(vertex, a.edge(edge)), vertex);
        }
    }
    best.pair
}

fn corners(core: &Rounded, triangle: [u32; 3]) -> [Point; 3] {
    triangle.map(|corner| core.vertices[corner as usize])
}

struct Closest {
    pair: [Point; 2],
    distance: f64,
}

impl Closest {
    fn offer(&mut self, on_a: Point, on_b: Point) {
        let distance = (on_b - on_a).length();
        if distance < self.distance {
            *self = Self { pair: [on_a, on_b], distance };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Quaternion, ReferenceShape, Transform};
    use super::*;
    use embate_test_util::Rng;

    fn direction(random: &mut Rng) -> Point {
        let between = |random: &mut Rng| random.unit_f64() * 2.0 - 1.0;
        loop {
            let point = Point(core::array::from_fn(|_| between(random)));
            if (0.1..1.0).contains(&point.length()) {
                return point.unit().unwrap_or(point);
            }
        }
    }

    fn any_shape(random: &mut Rng) -> ReferenceShape {
        let length = |random: &mut Rng| 0.2 + random.unit_f64();
        match random.below(4) {
            0 => ReferenceShape::sphere(length(random)),
            1 => ReferenceShape::cuboid(Point(core::array::from_fn(|_| length(random)))),
            2 => ReferenceShape::capsule(length(random), length(random)),
            _ => {
                ReferenceShape::hull((0..4 + random.below(12)).map(|_| direction(random)).collect())
            }
        }
    }

    fn placed(random: &mut Rng, shape: &ReferenceShape, spread: f64) -> Solid {
        let rotation = Quaternion::about(direction(random), random.unit_f64() * 6.0);
        shape.placed(&Transform::new(rotation.0, direction(random) * (random.unit_f64() * spread)))
    }

    /// By definition the separation is the maximum over all directions. The returned normal attains
    /// it; hill climbing from that normal and from random directions finds none larger.
    #[test]
    fn no_direction_has_a_larger_separation_than_the_returned_one() {
        let mut random = Rng::new(1);
        let (mut apart, mut deep) = (0, 0);
        for _ in 0..600 {
            let (a, b) = (any_shape(&mut random), any_shape(&mut random));
            let (a, b) = (placed(&mut random, &a, 2.0), placed(&mut random, &b, 2.0));
            let truth = true_separation(&a, &b);
            let attained = separation_along_axis(&a, &b, truth.normal);
            assert!((attained - truth.separation).abs() < 1e-12, "{attained} {truth:?}");
            if truth.separation > 0.0 {
                apart += 1;
            } else {
                deep += 1;
            }
            for from in 0..6 {
                let mut normal = if from == 0 { truth.normal } else { direction(&mut random) };
                let (mut gap, mut step) = (separation_along_axis(&a, &b, normal), 0.5);
                while step > 1e-6 {
                    let aside = normal + direction(&mut random) * step;
                    let next = aside.unit().unwrap_or(normal);
                    let wider = separation_along_axis(&a, &b, next);
                    if wider > gap { (normal, gap) = (next, wider) } else { step *= 0.9 }
                }
                assert!(gap <= truth.separation + 1e-12, "{gap} {truth:?}");
            }
        }
        assert!(apart > 100 && deep > 100, "{apart} apart, {deep} deep");
    }

    #[test]
    fn concentric_and_crossing_cores_have_the_depth_of_their_radii() {
        let at = Transform::new(Quaternion::IDENTITY.0, Point::new(3.0, 4.0, 5.0));
        let rotation = Quaternion::about(Point::new(1.0, 0.0, 0.0), 1.0);
        let across = Transform::new(rotation.0, at.origin);
        let capsule = ReferenceShape::capsule(2.0, 0.5);
        for (a, b, depth) in [
            (ReferenceShape::sphere(1.0).placed(&at), ReferenceShape::sphere(0.5).placed(&at), 1.5),
            (capsule.placed(&at), capsule.placed(&at), 1.0),
            (capsule.placed(&at), capsule.placed(&across), 1.0),
            (capsule.placed(&at), ReferenceShape::sphere(2.0).placed(&at), 2.5),
            (
                ReferenceShape::cuboid(Point::new(1.0, 2.0, 3.0)).placed(&at),
                capsule.placed(&at),
                1.5,
            ),
        ] {
            let truth = true_separation(&a, &b);
            assert!((truth.separation + depth).abs() < 1e-12, "{truth:?}");
            assert!(
                (separation_along_axis(&a, &b, truth.normal) + depth).abs() < 1e-12,
                "{truth:?}"
            );
        }
    }

    #[test]
    fn separation_from_a_half_space_is_measured_to_its_plane() {
        let ground = ReferenceShape::half_space(Point::new(0.0, 2.0, 0.0));
        let ground =
            ground.placed(&Transform::new(Quaternion::IDENTITY.0, Point::new(5.0, 1.0, 5.0)));
        let ball = |y| {
            ReferenceShape::sphere(0.5)
                .placed(&Transform::new(Quaternion::IDENTITY.0, Point::new(0.0, y, 0.0)))
        };
        assert!((true_separation(&ground, &ball(2.0)).separation - 0.5).abs() < 1e-15);
        assert!((true_separation(&ball(-1.0), &ground).separation + 2.5).abs() < 1e-15);
        assert_eq!(true_separation(&ball(2.0), &ground).normal, Point::new(0.0, -1.0, 0.0));
    }
}
