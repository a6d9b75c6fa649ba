//! Placement: directions and contact points at a chosen feature of a shape.

use embate_scene::random::Random;

use super::{ShapeWithReference, any_direction};
use crate::contact_reference::{HullFeatures, Point, Quaternion, ReferenceShape};

/// Feature of a shape that touches the other shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Feature {
    Face,
    Edge,
    Vertex,
    Any,
}

/// An outward direction in which the support of the shape is such a feature. A capsule has its side
/// for face and edge, its end for vertex; a sphere has any direction.
pub(super) fn outward(reference: &ReferenceShape, feature: Feature, random: &mut Random) -> Point {
    let (points, features) = match reference {
        ReferenceShape::HalfSpace { normal } => return *normal,
        ReferenceShape::Round { points, features, .. } => (points, features),
    };
    if points.len() == 1 || feature == Feature::Any {
        return any_direction(random);
    }
    if features.normals.is_empty() {
        let axis = (points[1] - points[0]).unit();
        let Some(axis) = axis else { return any_direction(random) };
        let side = axis.cross(any_direction(random)).unit();
        let end = if random.below(2) == 0 { axis } else { -axis };
        return if feature == Feature::Vertex { end } else { side.unwrap_or(end) };
    }
    let pick = |count: usize, random: &mut Random| random.below(count as u32) as usize;
    match feature {
        Feature::Face | Feature::Any => features.normals[pick(features.normals.len(), random)],
        Feature::Edge => {
            let edge = features.edges[pick(features.edges.len(), random)];
            normal_inside_cone(points, features, &edge, random)
        }
        Feature::Vertex => {
            // Not every point is a vertex, but both ends of every edge are.
            let edge = features.edges[pick(features.edges.len(), random)];
            normal_inside_cone(points, features, &edge[..1], random)
        }
    }
}

/// A random normal inside the normal cone of the faces that contain all these vertices.
fn normal_inside_cone(
    points: &[Point],
    features: &HullFeatures,
    vertices: &[u32],
    random: &mut Random,
) -> Point {
    let mut sum = Point::ZERO;
    for &normal in &features.normals {
        let height = |vertex: u32| normal.dot(points[vertex as usize]);
        let top = points.iter().map(|p| normal.dot(*p)).fold(f64::MIN, f64::max);
        let tolerance = 1e-9 * points.iter().map(|p| p.length()).fold(0.0, f64::max);
        if vertices.iter().all(|&vertex| height(vertex) >= top - tolerance) {
            sum = sum + normal * (0.2 + random.unit_f64());
        }
    }
    sum.unit().unwrap_or_else(|| any_direction(random))
}

/// A support point of each rotated, untranslated shape along the normal from the first to the
/// second: if the two points coincide, the shapes touch there. On a half-space, a point within 3
/// times `reach` of its origin.
pub(super) fn touching_points(
    shapes: &[ShapeWithReference; 2],
    rotations: [Quaternion; 2],
    normal: Point,
    reach: f64,
    random: &mut Random,
) -> [Point; 2] {
    [(0, normal), (1, -normal)].map(|(body, out)| match &shapes[body].reference {
        ReferenceShape::HalfSpace { .. } => {
            let offset = any_direction(random);
            (offset - out * out.dot(offset)) * (reach * 3.0 * random.unit_f64())
        }
        ReferenceShape::Round { points, radius, .. } => {
            let rotated: Vec<Point> = points.iter().map(|p| rotations[body].rotate(*p)).collect();
            support_mixture(&rotated, out, random) + out * *radius
        }
    })
}

/// A random convex combination of all support points along a direction, within a tolerance of 1e-6.
fn support_mixture(points: &[Point], out: Point, random: &mut Random) -> Point {
    let top = points.iter().map(|p| out.dot(*p)).fold(f64::MIN, f64::max);
    let tolerance = 1e-6 * points.iter().map(|p| p.length()).fold(0.0, f64::max);
    let (mut sum, mut weights) = (Point::ZERO, 0.0);
    for point in points.iter().filter(|p| out.dot(**p) >= top - tolerance) {
        let weight = 0.01 + random.unit_f64();
        sum = sum + *point * weight;
        weights += weight;
    }
    sum * (1.0 / weights)
}
