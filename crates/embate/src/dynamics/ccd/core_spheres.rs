//! Which balls are inside a body?
//!
//! No such ball may be on the other side of a surface after a step: `fast.rs` sends them ahead, `held_back.rs` looks
//! where they went. One around the centre of mass is enough, where there is something:
//!
//! ```text
//!   ┌────────┐      ┌──┬────┬──┐
//!   │   ○    │      │○ └────┘ ○│     A ring or a dumb-bell has nothing there, and gets one for each part.
//!   └────────┘      └──┬────┬──┘     A mesh has none: it may be open.
//! ```

use embate_geom::{Pose, Vec3, scalar};

use super::bodies::Nature;
use crate::shapes::Shape;

/// A ball inside a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Core {
    /// From the centre of mass, turned with the body.
    pub(super) at: Vec3,
    pub(super) radius: f32,
}

impl Nature {
    /// Balls inside it: one around its centre of mass, or those of its parts if there is nothing.
    pub(super) fn cores(&self) -> impl Iterator<Item = Core> {
        let middle = (self.core > 0.0).then_some(Core { at: Vec3::ZERO, radius: self.core });
        middle.into_iter().chain(self.part_cores.iter().copied())
    }

    /// The radius of the smallest of them; 0 if there is none.
    pub(super) fn thinnest(&self) -> f32 {
        self.cores().map(|core| core.radius).reduce(scalar::min).unwrap_or(0.0)
    }
}

/// The radius of a ball around the centre of mass that fits inside a shape; 0 if there is nothing.
pub(super) fn core_of(shape: &Shape, centroid: Vec3) -> f32 {
    scalar::max(depth_inside(shape, centroid), 0.0)
}

/// Of a shape that has nothing around its centre of mass: balls inside its parts.
pub(super) fn cores_of_parts(shape: &Shape, centroid: Vec3) -> Vec<Core> {
    let mut cores = Vec::new();
    if core_of(shape, centroid) <= 0.0 {
        collect(shape, &Pose::IDENTITY, centroid, &mut cores);
    }
    cores
}

fn collect(shape: &Shape, pose: &Pose, centroid: Vec3, cores: &mut Vec<Core>) {
    if let Shape::Compound(compound) = shape {
        for (place, part) in compound.parts() {
            let position = pose.point(place.position);
            let placed = Pose { rotation: pose.rotation * place.rotation, position };
            collect(part, &placed, centroid, cores);
        }
    } else if let Some(properties) = shape.mass_properties() {
        let radius = core_of(shape, properties.centroid);
        if radius > 0.0 {
            cores.push(Core { at: pose.point(properties.centroid) - centroid, radius });
        }
    }
}

/// How deep a point is inside a solid shape; of a compound, inside one of its parts.
fn depth_inside(shape: &Shape, point: Vec3) -> f32 {
    match shape {
        Shape::Sphere(sphere) => sphere.radius() - point.length(),
        Shape::Cuboid(cuboid) => {
            let left = cuboid.half() - point.abs();
            scalar::min(scalar::min(left.x, left.y), left.z)
        }
        Shape::Capsule(capsule) => {
            let along = scalar::max(point.y.abs() - capsule.half_height(), 0.0);
            capsule.radius() - Vec3::new(point.x, along, point.z).length()
        }
        Shape::Hull(hull) => hull.faces().iter().fold(f32::INFINITY, |least, face| {
            scalar::min(face.offset - face.normal.dot(point), least)
        }),
        Shape::Compound(compound) => compound.parts().iter().fold(0.0, |most, (pose, part)| {
            scalar::max(depth_inside(part, pose.local_point(point)), most)
        }),
        // A mesh may be open. Half-spaces do not move.
        Shape::Mesh(_) | Shape::HalfSpace(_) => 0.0,
    }
}
