//! Canonical order of a pair: by kind of shape, then position, orientation and shape parameters.
//!
//! Every query runs in this order and flips its result if necessary. So (a, b) and (b, a) return
//! the same bits.

use core::cmp::Ordering;

use embate_geom::{Pose, shapes::ConvexHull};

use crate::shapes::Shape;

/// Whether A precedes B; true if both are bitwise equal.
#[inline]
pub(super) fn is_canonical(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> bool {
    let (rank_a, rank_b) = (shape_rank(a), shape_rank(b));
    if rank_a != rank_b {
        return rank_a < rank_b;
    }
    let (x_a, x_b) = (pose_a.position.x.to_bits(), pose_b.position.x.to_bits());
    if x_a != x_b {
        return x_a < x_b;
    }
    pose_bits(pose_a).cmp(&pose_bits(pose_b)).then_with(|| compare_shapes(a, b)).is_le()
}

#[inline]
fn shape_rank(shape: &Shape) -> u8 {
    match shape {
        Shape::Sphere(_) => 0,
        Shape::Capsule(_) => 1,
        Shape::Cuboid(_) => 2,
        Shape::ConvexHull(_) => 3,
        Shape::HalfSpace(_) => 4,
        Shape::TriMesh(_) => 5,
        Shape::Compound(_) => 6,
    }
}

fn pose_bits(pose: &Pose) -> [u32; 7] {
    let [x, y, z] = pose.position.to_array().map(f32::to_bits);
    let [i, j, k, w] = pose.rotation.to_array().map(f32::to_bits);
    [x, y, z, i, j, k, w]
}

/// Order of two shapes of the same kind.
fn compare_shapes(a: &Shape, b: &Shape) -> Ordering {
    match (a, b) {
        (Shape::Sphere(a), Shape::Sphere(b)) => a.radius().total_cmp(&b.radius()),
        (Shape::Capsule(a), Shape::Capsule(b)) => a
            .half_height()
            .total_cmp(&b.half_height())
            .then_with(|| a.radius().total_cmp(&b.radius())),
        (Shape::Cuboid(a), Shape::Cuboid(b)) => {
            vec3_bits(a.half_extents().to_array()).cmp(&vec3_bits(b.half_extents().to_array()))
        }
        (Shape::ConvexHull(a), Shape::ConvexHull(b)) => vertex_bits(a).cmp(vertex_bits(b)),
        (Shape::HalfSpace(a), Shape::HalfSpace(b)) => {
            vec3_bits(a.normal().to_array()).cmp(&vec3_bits(b.normal().to_array()))
        }
        (Shape::TriMesh(a), Shape::TriMesh(b)) => {
            let (a, b) = (a.mesh(), b.mesh());
            let positions_a = a.positions().iter().map(|&position| vec3_bits(position));
            let positions_b = b.positions().iter().map(|&position| vec3_bits(position));
            positions_a.cmp(positions_b).then_with(|| a.triangles().cmp(b.triangles()))
        }
        (Shape::Compound(a), Shape::Compound(b)) => {
            let pairs = a.sub_shapes().iter().zip(b.sub_shapes());
            let orders =
                pairs.map(|((pose_a, a), (pose_b, b))| compare_posed_shapes(a, pose_a, b, pose_b));
            let common = orders.fold(Ordering::Equal, Ordering::then);
            common.then_with(|| a.sub_shapes().len().cmp(&b.sub_shapes().len()))
        }
        // Different kinds are ordered by rank before.
        _ => Ordering::Equal,
    }
}

/// Total order of posed shapes; equal only if both are bitwise equal.
pub(super) fn compare_posed_shapes(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose) -> Ordering {
    shape_rank(a)
        .cmp(&shape_rank(b))
        .then_with(|| pose_bits(pose_a).cmp(&pose_bits(pose_b)))
        .then_with(|| compare_shapes(a, b))
}

fn vertex_bits(hull: &ConvexHull) -> impl Iterator<Item = [u32; 3]> {
    hull.vertices().iter().map(|vertex| vec3_bits(vertex.to_array()))
}

fn vec3_bits(values: [f32; 3]) -> [u32; 3] {
    values.map(f32::to_bits)
}
