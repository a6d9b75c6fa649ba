//! What is a solid thing? Each shape lies in its own frame; a [`Pose`] places it.
//!
//! A shape that exists is usable: its constructor refuses what is not finite, has no thickness or is
//! beyond the range that f32 can hold ([`InvalidShape`] says which, and what to do), and nobody
//! downstream checks again.

mod capsule;
mod cuboid;
mod hit;
mod hull;
mod invalid;
mod mass;
mod obb;
mod plane;
mod sphere;
mod text;

pub use capsule::Capsule;
pub use cuboid::Cuboid;
pub use hit::ShapeHit;
pub use hull::{Hull, HullEdge, HullFace, PlaneBlock, VertexBlock};
pub use invalid::{InvalidShape, MAX_SIZE, MIN_SIZE};
pub use mass::MassProperties;
pub use obb::Obb;
pub use plane::Plane;
pub use sphere::Sphere;
pub use text::ShapeTextError;

use crate::{Aabb, Pose, Vec3};

/// A box around `center ± half` that no rounding makes too small: placing a point rounds by less than
/// 8 ε of its distance from the world's origin.
fn guarded_aabb(pose: &Pose, center: Vec3, half: Vec3) -> Aabb<3> {
    let reach =
        pose.position.abs().largest() + half.largest() + (center - pose.position).abs().largest();
    let half = half + Vec3::splat(8.0 * f32::EPSILON * reach);
    Aabb { min: (center - half).to_array(), max: (center + half).to_array() }
}

/// The half-widths along the world's axes of a box with these half-widths along its own.
fn turned_half(pose: &Pose, half: Vec3) -> Vec3 {
    let [x, y, z] = pose.rotation.matrix().columns;
    x.abs() * half.x + y.abs() * half.y + z.abs() * half.z
}

/// `value` from 0 up, with the sign of `direction`; a zero counts as positive whatever its sign bit.
fn with_sign_of(value: f32, direction: f32) -> f32 {
    if direction < 0.0 { -value } else { value }
}

#[cfg(test)]
mod tests;
