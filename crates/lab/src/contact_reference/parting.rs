//! By how much are two solids apart, or by how much must one move until they only touch?
//!
//! The two are one question, asked of the difference of the cores: outside of it the origin's distance is
//! what parts them, inside its depth is the least of all faces. A radius is subtracted from either.
//! Every axis tried gives a bound that holds, so an axis spoiled by rounding can do no harm; only one
//! never tried could.

use super::features::{closest_on_segment, closest_on_segments, closest_on_triangle};
use super::solid::{Rounded, Solid};
use super::space::Point;

/// The judge's answer for two solids A and B.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parting {
    /// Distance; negative where they overlap: the least way to move one until they only touch.
    pub separation: f64,
    /// Unit normal from A to B, along that way. Often one of several that are as good.
    pub normal: Point,
}

/// The gap between A and B along a unit direction from A to B: negative if moving B by so much along
/// the direction would part them.
#[must_use]
pub fn gap_along(a: &Solid, b: &Solid, axis: Point) -> f64 {
    match (a, b) {
        (Solid::Round(a), Solid::Round(b)) => -b.reach(-axis) - a.reach(axis),
        // A half-space reaches infinitely far along every direction but one.
        (Solid::HalfSpace { normal, border }, Solid::Round(other)) if close(*normal, axis) => {
            -other.reach(-*normal) - normal.dot(*border)
        }
        (Solid::Round(other), Solid::HalfSpace { normal, border }) if close(-*normal, axis) => {
            -other.reach(-*normal) - normal.dot(*border)
        }
        _ => f64::NEG_INFINITY,
    }
}

/// Whether two unit vectors are the same but for the rounding of f32.
fn close(a: Point, b: Point) -> bool {
    (a - b).length() < 1e-5
}

/// Separation and direction of two solids.
///
/// Two half-spaces overlap infinitely, or are parallel; either way nobody asks.
///
/// # Panics
/// For two half-spaces.
#[must_use]
pub fn parting(a: &Solid, b: &Solid) -> Parting {
    match (a, b) {
        (Solid::Round(a), Solid::Round(b)) => parting_of_rounded(a, b),
        (Solid::HalfSpace { normal, .. }, Solid::Round(_)) => {
            Parting { separation: gap_along(a, b, *normal), normal: *normal }
        }
        (Solid::Round(_), Solid::HalfSpace { normal, .. }) => {
            Parting { separation: gap_along(a, b, -*normal), normal: -*normal }
        }
        (Solid::HalfSpace { .. }, Solid::HalfSpace { .. }) => {
            panic!("two half-spaces have no depth")
        }
    }
}

/// How far a point is outside of a solid; negative inside.
#[must_use]
pub fn parting_of_point(solid: &Solid, at: Point) -> f64 {
    parting(solid, &Solid::Round(Rounded::point(at))).separation
}

fn parting_of_rounded(a: &Rounded, b: &Rounded) -> Parting {
    let radii = a.radius + b.radius;
    // The difference of two points or segments is flat: its cores touch at most, and have no depth.
    let flat = a.normals.is_empty() && b.normals.is_empty();
    let (gap, axis) = if flat { (f64::INFINITY, Point::ZERO) } else { widest_gap(a, b) };
    if gap <= 0.0 {
        return Parting { separation: gap - radii, normal: axis };
    }
    let [on_a, on_b] = closest_points(a, b, axis);
    let between = on_b - on_a;
    let square = || flat_direction(a).cross(flat_direction(b)).unit();
    let normal = between.unit().or_else(square).unwrap_or_else(|| {
        let one = if a.vertices.len() > 1 { a } else { b };
        flat_direction(one).any_square()
    });
    Parting { separation: between.length() - radii, normal }
}

/// The direction of a segment; zero of a point.
fn flat_direction(core: &Rounded) -> Point {
    core.vertices[core.vertices.len() - 1] - core.vertices[0]
}

/// Of all axes of the two cores, the one with the widest gap: the greatest distance between planes, or,
/// with none above 0, the least depth.
fn widest_gap(a: &Rounded, b: &Rounded) -> (f64, Point) {
    let mut search =
        Search { a: &a.vertices, b: &b.vertices, best: f64::NEG_INFINITY, axis: Point::ZERO };
    a.normals.iter().for_each(|normal| search.offer(*normal));
    b.normals.iter().for_each(|normal| search.offer(-*normal));
    for &edge_a in &a.skin.edges {
        let [from_a, to_a] = a.edge(edge_a);
        for &edge_b in &b.skin.edges {
            let [from_b, to_b] = b.edge(edge_b);
            let Some(axis) = (to_a - from_a).cross(to_b - from_b).unit() else { continue };
            // No gap is wider than that between any two points, here one of each edge.
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
    /// Tries an axis from A to B; gives up as soon as it cannot be the widest.
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

/// The closest points of two cores that are apart. `axis` is one along which they are, or zero: what is
/// farther along it than the best so far is left out.
fn closest_points(a: &Rounded, b: &Rounded, axis: Point) -> [Point; 2] {
    let height = |core: &Rounded| core.vertices.iter().map(|v| axis.dot(*v)).collect::<Vec<f64>>();
    let (height_a, height_b) = (height(a), height(b));
    let highest = |at: &[u32]| at.iter().map(|&i| height_a[i as usize]).fold(f64::MIN, f64::max);
    let lowest = |at: &[u32]| at.iter().map(|&i| height_b[i as usize]).fold(f64::MAX, f64::min);
    let mut best = Closest { pair: [a.vertices[0], b.vertices[0]], distance: f64::INFINITY };
    best.offer(a.vertices[0], b.vertices[0]);

    for &edge_a in &a.skin.edges {
        for &edge_b in &b.skin.edges {
            if lowest(&edge_b) - highest(&edge_a) < best.distance {
                let [on_a, on_b] = closest_on_segments(a.edge(edge_a), b.edge(edge_b));
                best.offer(on_a, on_b);
            }
        }
    }
    for (index, &vertex) in (0..).zip(&a.vertices) {
        for &triangle in &b.skin.triangles {
            if lowest(&triangle) - highest(&[index]) < best.distance {
                best.offer(vertex, closest_on_triangle(vertex, corners(b, triangle)));
            }
        }
        // Without faces a core's edges are all it has, and a lone vertex meets them nowhere else.
        for &edge in b.skin.edges.iter().filter(|_| b.normals.is_empty()) {
            best.offer(vertex, closest_on_segment(vertex, b.edge(edge)));
        }
    }
    for (index, &vertex) in (0..).zip(&b.vertices) {
        for &triangle in &a.skin.triangles {
            if lowest(&[index]) - highest(&triangle) < best.distance {
                best.offer(closest_on_triangle(vertex, corners(a, triangle)), vertex);
            }
        }
        for &edge in a.skin.edges.iter().filter(|_| a.normals.is_empty()) {
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
    use super::super::{Form, Place, Turn};
    use super::*;
    use crate::random::Random;

    fn direction(random: &mut Random) -> Point {
        let between = |random: &mut Random| random.unit_f64() * 2.0 - 1.0;
        loop {
            let point = Point(core::array::from_fn(|_| between(random)));
            if (0.1..1.0).contains(&point.length()) {
                return point.unit().unwrap_or(point);
            }
        }
    }

    fn any_form(random: &mut Random) -> Form {
        let length = |random: &mut Random| 0.2 + random.unit_f64();
        match random.below(4) {
            0 => Form::sphere(length(random)),
            1 => Form::cuboid(Point(core::array::from_fn(|_| length(random)))),
            2 => Form::capsule(length(random), length(random)),
            _ => Form::hull((0..4 + random.below(12)).map(|_| direction(random)).collect()),
        }
    }

    fn placed(random: &mut Random, form: &Form, spread: f64) -> Solid {
        let turn = Turn::about(direction(random), random.unit_f64() * 6.0);
        form.placed(&Place::new(turn.0, direction(random) * (random.unit_f64() * spread)))
    }

    /// The judge judged by the definition: separation is the widest gap of all directions there are. The
    /// normal shows that the gap is as wide as said; a walk uphill from there and from anywhere, that
    /// none is wider.
    #[test]
    fn no_direction_has_a_wider_gap_than_the_one_told() {
        let mut random = Random::new(1);
        let (mut apart, mut deep) = (0, 0);
        for _ in 0..600 {
            let (a, b) = (any_form(&mut random), any_form(&mut random));
            let (a, b) = (placed(&mut random, &a, 2.0), placed(&mut random, &b, 2.0));
            let told = parting(&a, &b);
            let sure = gap_along(&a, &b, told.normal);
            assert!((sure - told.separation).abs() < 1e-12, "{sure} {told:?}");
            if told.separation > 0.0 {
                apart += 1;
            } else {
                deep += 1;
            }
            for from in 0..6 {
                let mut normal = if from == 0 { told.normal } else { direction(&mut random) };
                let (mut gap, mut step) = (gap_along(&a, &b, normal), 0.5);
                while step > 1e-6 {
                    let aside = normal + direction(&mut random) * step;
                    let next = aside.unit().unwrap_or(normal);
                    let wider = gap_along(&a, &b, next);
                    if wider > gap { (normal, gap) = (next, wider) } else { step *= 0.9 }
                }
                assert!(gap <= told.separation + 1e-12, "{gap} {told:?}");
            }
        }
        assert!(apart > 100 && deep > 100, "{apart} apart, {deep} deep");
    }

    #[test]
    fn concentric_and_crossing_cores_have_the_depth_of_their_radii() {
        let at = Place::new(Turn::NONE.0, Point::new(3.0, 4.0, 5.0));
        let turned = Turn::about(Point::new(1.0, 0.0, 0.0), 1.0);
        let across = Place::new(turned.0, at.origin);
        let capsule = Form::capsule(2.0, 0.5);
        for (a, b, depth) in [
            (Form::sphere(1.0).placed(&at), Form::sphere(0.5).placed(&at), 1.5),
            (capsule.placed(&at), capsule.placed(&at), 1.0),
            (capsule.placed(&at), capsule.placed(&across), 1.0),
            (capsule.placed(&at), Form::sphere(2.0).placed(&at), 2.5),
            (Form::cuboid(Point::new(1.0, 2.0, 3.0)).placed(&at), capsule.placed(&at), 1.5),
        ] {
            let told = parting(&a, &b);
            assert!((told.separation + depth).abs() < 1e-12, "{told:?}");
            assert!((gap_along(&a, &b, told.normal) + depth).abs() < 1e-12, "{told:?}");
        }
    }

    #[test]
    fn a_half_space_ends_at_its_plane() {
        let ground = Form::half_space(Point::new(0.0, 2.0, 0.0));
        let ground = ground.placed(&Place::new(Turn::NONE.0, Point::new(5.0, 1.0, 5.0)));
        let ball = |y| Form::sphere(0.5).placed(&Place::new(Turn::NONE.0, Point::new(0.0, y, 0.0)));
        assert!((parting(&ground, &ball(2.0)).separation - 0.5).abs() < 1e-15);
        assert!((parting(&ball(-1.0), &ground).separation + 2.5).abs() < 1e-15);
        assert_eq!(parting(&ball(2.0), &ground).normal, Point::new(0.0, -1.0, 0.0));
    }
}
