//! Which of two bodies comes first?
//!
//! Every pair is answered in one order, whichever way it is asked, so that both ways give the same bits:
//! by kind, then by position, orientation and shape.

use core::cmp::Ordering;

use embate_geom::{Pose, shapes::Hull};

use crate::shapes::Shape;

/// Whether A comes first; of bodies equal in every bit, it does.
#[inline]
pub(super) fn in_order(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> bool {
    let (kind_a, kind_b) = (kind(a), kind(b));
    if kind_a != kind_b {
        return kind_a < kind_b;
    }
    let (x_a, x_b) = (pose_a.position.x.to_bits(), pose_b.position.x.to_bits());
    if x_a != x_b {
        return x_a < x_b;
    }
    pose_bits(pose_a).cmp(&pose_bits(pose_b)).then_with(|| by_shape(a, b)).is_le()
}

#[inline]
fn kind(shape: &Shape) -> u8 {
    match shape {
        Shape::Sphere(_) => 0,
        Shape::Capsule(_) => 1,
        Shape::Cuboid(_) => 2,
        Shape::Hull(_) => 3,
        Shape::HalfSpace(_) => 4,
        Shape::Mesh(_) => 5,
        Shape::Compound(_) => 6,
    }
}

fn pose_bits(pose: &Pose) -> [u32; 7] {
    let [x, y, z] = pose.position.to_array().map(f32::to_bits);
    let [i, j, k, w] = pose.rotation.to_array().map(f32::to_bits);
    [x, y, z, i, j, k, w]
}

/// Two shapes of one kind.
fn by_shape(a: &Shape, b: &Shape) -> Ordering {
    match (a, b) {
        (Shape::Sphere(a), Shape::Sphere(b)) => a.radius().total_cmp(&b.radius()),
        (Shape::Capsule(a), Shape::Capsule(b)) => a
            .half_height()
            .total_cmp(&b.half_height())
            .then_with(|| a.radius().total_cmp(&b.radius())),
        (Shape::Cuboid(a), Shape::Cuboid(b)) => {
            bits(a.half().to_array()).cmp(&bits(b.half().to_array()))
        }
        (Shape::Hull(a), Shape::Hull(b)) => vertices(a).cmp(vertices(b)),
        (Shape::HalfSpace(a), Shape::HalfSpace(b)) => {
            bits(a.normal().to_array()).cmp(&bits(b.normal().to_array()))
        }
        (Shape::Mesh(a), Shape::Mesh(b)) => {
            let (a, b) = (a.mesh(), b.mesh());
            let places = a.positions().iter().map(|&place| bits(place));
            let others = b.positions().iter().map(|&place| bits(place));
            places.cmp(others).then_with(|| a.triangles().cmp(b.triangles()))
        }
        (Shape::Compound(a), Shape::Compound(b)) => {
            let parts = a.parts().iter().zip(b.parts());
            let by_part = parts.map(|((pose_a, a), (pose_b, b))| compare(a, pose_a, b, pose_b));
            let first = by_part.fold(Ordering::Equal, Ordering::then);
            first.then_with(|| a.parts().len().cmp(&b.parts().len()))
        }
        // Of different kinds, which are told apart before.
        _ => Ordering::Equal,
    }
}

/// Which of two bodies comes first, of those equal in every bit neither.
pub(super) fn compare(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Ordering {
    kind(a)
        .cmp(&kind(b))
        .then_with(|| pose_bits(pose_a).cmp(&pose_bits(pose_b)))
        .then_with(|| by_shape(a, b))
}

fn vertices(hull: &Hull) -> impl Iterator<Item = [u32; 3]> {
    hull.vertices().iter().map(|vertex| bits(vertex.to_array()))
}

fn bits(values: [f32; 3]) -> [u32; 3] {
    values.map(f32::to_bits)
}
