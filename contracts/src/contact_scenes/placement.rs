//! Where on a shape can another be put?

use embate_lab::random::Random;

use super::{Twin, any_direction};
use crate::contact_reference::{Form, Point, Skin, Turn};

/// What of a shape is to meet the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feature {
    Face,
    Edge,
    Corner,
    Any,
}

/// A direction out of the shape in which one of these features is the farthest part of it. Where there is
/// no such feature, the nearest thing: the side of a capsule for its face and edge, its end for its corner.
pub(super) fn outward(form: &Form, feature: Feature, random: &mut Random) -> Point {
    let (points, skin) = match form {
        Form::HalfSpace { normal } => return *normal,
        Form::Round { points, skin, .. } => (points, skin),
    };
    if points.len() == 1 || feature == Feature::Any {
        return any_direction(random);
    }
    if skin.normals.is_empty() {
        let along = (points[1] - points[0]).unit();
        let Some(along) = along else { return any_direction(random) };
        let side = along.cross(any_direction(random)).unit();
        let end = if random.below(2) == 0 { along } else { -along };
        return if feature == Feature::Corner { end } else { side.unwrap_or(end) };
    }
    let pick = |count: usize, random: &mut Random| random.below(count as u32) as usize;
    match feature {
        Feature::Face | Feature::Any => skin.normals[pick(skin.normals.len(), random)],
        Feature::Edge => {
            let edge = skin.edges[pick(skin.edges.len(), random)];
            middle_normal(points, skin, &edge, random)
        }
        Feature::Corner => {
            // Not every point is a corner, but both ends of every edge are.
            let edge = skin.edges[pick(skin.edges.len(), random)];
            middle_normal(points, skin, &edge[..1], random)
        }
    }
}

/// A normal inside the cone of those faces that all these corners belong to.
fn middle_normal(points: &[Point], skin: &Skin, corners: &[u32], random: &mut Random) -> Point {
    let mut sum = Point::ZERO;
    for &normal in &skin.normals {
        let height = |corner: u32| normal.dot(points[corner as usize]);
        let top = points.iter().map(|p| normal.dot(*p)).fold(f64::MIN, f64::max);
        let slack = 1e-9 * points.iter().map(|p| p.length()).fold(0.0, f64::max);
        if corners.iter().all(|&corner| height(corner) >= top - slack) {
            sum = sum + normal * (0.2 + random.unit_f64());
        }
    }
    sum.unit().unwrap_or_else(|| any_direction(random))
}

/// A point of each shape, turned but not moved, that is farthest along the normal from the first to the
/// second: moved onto each other, the shapes touch there. On a half-space, a point within a few times
/// `reach` of its origin.
pub(super) fn touching_points(
    twins: &[Twin; 2],
    turns: [Turn; 2],
    normal: Point,
    reach: f64,
    random: &mut Random,
) -> [Point; 2] {
    [(0, normal), (1, -normal)].map(|(body, out)| match &twins[body].form {
        Form::HalfSpace { .. } => {
            let aside = any_direction(random);
            (aside - out * out.dot(aside)) * (reach * 3.0 * random.unit_f64())
        }
        Form::Round { points, radius, .. } => {
            let turned: Vec<Point> = points.iter().map(|p| turns[body].turn(*p)).collect();
            farthest(&turned, out, random) + out * *radius
        }
    })
}

/// A random mixture of all points that are farthest along a direction, but for a millionth.
fn farthest(points: &[Point], out: Point, random: &mut Random) -> Point {
    let top = points.iter().map(|p| out.dot(*p)).fold(f64::MIN, f64::max);
    let slack = 1e-6 * points.iter().map(|p| p.length()).fold(0.0, f64::max);
    let (mut sum, mut weights) = (Point::ZERO, 0.0);
    for point in points.iter().filter(|p| out.dot(**p) >= top - slack) {
        let weight = 0.01 + random.unit_f64();
        sum = sum + *point * weight;
        weights += weight;
    }
    sum * (1.0 / weights)
}
