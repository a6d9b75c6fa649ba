//! Core spheres: spheres inscribed in a body, which CCD casts in place of its shape.
//!
//! After a step, no core sphere is on the other side of a surface: [`core_sweep`] casts them
//! ahead, [`motion_clamping`] checks the resulting displacement. One sphere at the center of mass
//! is sufficient where the shape is solid there:
//!
//! ```text
//!   ┌────────┐      ┌──┬────┬──┐
//!   │   ○    │      │○ └────┘ ○│     A ring or dumbbell is hollow there: one per sub-shape.
//!   └────────┘      └──┬────┬──┘     A mesh has none, since it can be open.
//! ```
//!
//! [`core_sweep`]: crate::dynamics::ccd::core_sweep
//! [`motion_clamping`]: crate::dynamics::ccd::motion_clamping

use embate_geom::{Pose, Vec3, scalar};

use crate::dynamics::body::body_data::BodyData;
use crate::shapes::Shape;

/// Sphere inscribed in a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct CoreSphere {
    /// Relative to the center of mass, in body axes.
    pub(crate) center: Vec3,
    pub(crate) radius: f32,
}

impl BodyData {
    /// Core spheres: the one at the center of mass, or those of the sub-shapes if the body is
    /// hollow.
    pub(crate) fn core_spheres(&self) -> impl Iterator<Item = CoreSphere> {
        let central = (self.inner_radius > 0.0)
            .then_some(CoreSphere { center: Vec3::ZERO, radius: self.inner_radius });
        central.into_iter().chain(self.part_core_spheres.iter().copied())
    }

    /// Radius of the smallest core sphere; 0 if there is none.
    pub(crate) fn min_inner_radius(&self) -> f32 {
        self.core_spheres().map(|core| core.radius).reduce(scalar::min).unwrap_or(0.0)
    }
}

/// Radius of a sphere at the centroid that is inside the shape; 0 if the shape is hollow there.
pub(crate) fn inner_radius(shape: &Shape, centroid: Vec3) -> f32 {
    scalar::max(depth_inside(shape, centroid), 0.0)
}

/// Core spheres of the sub-shapes of a shape that is hollow at its centroid; empty for other
/// shapes.
pub(crate) fn part_core_spheres(shape: &Shape, centroid: Vec3) -> Vec<CoreSphere> {
    let mut spheres = Vec::new();
    if inner_radius(shape, centroid) <= 0.0 {
        collect_part_spheres(shape, &Pose::IDENTITY, centroid, &mut spheres);
    }
    spheres
}

fn collect_part_spheres(shape: &Shape, pose: &Pose, centroid: Vec3, spheres: &mut Vec<CoreSphere>) {
    if let Shape::Compound(compound) = shape {
        for (part_pose, part) in compound.sub_shapes() {
            let position = pose.transform_point(part_pose.position);
            let part_pose = Pose { rotation: pose.rotation * part_pose.rotation, position };
            collect_part_spheres(part, &part_pose, centroid, spheres);
        }
    } else if let Some(properties) = shape.mass_properties() {
        let radius = inner_radius(shape, properties.center_of_mass);
        if radius > 0.0 {
            spheres.push(CoreSphere {
                center: pose.transform_point(properties.center_of_mass) - centroid,
                radius,
            });
        }
    }
}

/// Depth of a point inside a solid shape; for a compound, inside one of its sub-shapes. Negative or
/// 0 for points outside.
fn depth_inside(shape: &Shape, point: Vec3) -> f32 {
    match shape {
        Shape::Sphere(sphere) => sphere.radius() - point.length(),
        Shape::Cuboid(cuboid) => {
            let depth = cuboid.half_extents() - point.abs();
            scalar::min(scalar::min(depth.x, depth.y), depth.z)
        }
        Shape::Capsule(capsule) => {
            let beyond_segment = scalar::max(point.y.abs() - capsule.half_height(), 0.0);
            capsule.radius() - Vec3::new(point.x, beyond_segment, point.z).length()
        }
        Shape::ConvexHull(hull) => hull.faces().iter().fold(f32::INFINITY, |depth, face| {
            scalar::min(face.offset - face.normal.dot(point), depth)
        }),
        Shape::Compound(compound) => {
            compound.sub_shapes().iter().fold(0.0, |depth, (pose, part)| {
                scalar::max(depth_inside(part, pose.inverse_transform_point(point)), depth)
            })
        }
        // A mesh can be open. Half-spaces do not move.
        Shape::TriMesh(_) | Shape::HalfSpace(_) => 0.0,
    }
}
