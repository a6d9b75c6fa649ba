//! Convex shapes: sphere, cuboid, capsule, convex hull and half-space, each in its own local frame.
//!
//! Guarantee: a shape that exists is valid. Constructors reject values that are not finite, have no
//! thickness or exceed the supported range ([`ShapeError`]: problem and advice), so that no
//! query validates again. A [`Pose`] places a shape in the world; all queries of this module take
//! and return local coordinates, except `aabb`, which takes the pose.

mod capsule;
mod convex_hull;
mod cuboid;
mod error;
mod half_space;
mod mass_properties;
mod obb;
mod parse;
mod point_projection;
mod ray_intersection;
mod sphere;
#[cfg(test)]
mod tests;

pub use capsule::Capsule;
pub use convex_hull::{ConvexHull, HullEdge, HullFace};
#[doc(hidden)]
pub use convex_hull::{Planes8, Vertices8};
pub use cuboid::Cuboid;
pub use error::{MAX_SIZE, MIN_SIZE, ShapeError, ShapeLength};
pub use half_space::HalfSpace;
pub use mass_properties::MassProperties;
pub use obb::Obb;
pub use parse::ParseShapeError;
pub use point_projection::PointProjection;
pub use ray_intersection::RayIntersection;
pub use sphere::Sphere;

use crate::{Aabb, Pose, Vec3};

/// AABB `center ± half_extents`, padded by the rounding error of transforming a point: less than 8
/// ε of its distance from the world's origin.
fn padded_aabb(pose: &Pose, center: Vec3, half_extents: Vec3) -> Aabb<3> {
    let magnitude = pose.position.abs().max_element()
        + half_extents.max_element()
        + (center - pose.position).abs().max_element();
    let half_extents = half_extents + Vec3::splat(8.0 * f32::EPSILON * magnitude);
    Aabb { min: (center - half_extents).to_array(), max: (center + half_extents).to_array() }
}

/// Half-extents along the world's axes of a box with `half_extents` along its own axes.
fn rotated_half_extents(pose: &Pose, half_extents: Vec3) -> Vec3 {
    let [x, y, z] = pose.rotation.to_matrix().columns;
    x.abs() * half_extents.x + y.abs() * half_extents.y + z.abs() * half_extents.z
}

/// `magnitude` with the sign of `direction`; zeros of either sign count as positive.
fn with_sign_of(magnitude: f32, direction: f32) -> f32 {
    if direction < 0.0 { -magnitude } else { magnitude }
}
