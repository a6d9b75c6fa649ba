//! Sweep of core spheres: speculative contacts of a body that touches one part of a mesh or
//! compound.
//!
//! A body that slides along one part of another, such as the floor of a mesh, must still detect the
//! next part, such as its wall. If the body is fast relative to its size, its core spheres are
//! swept ahead; they do not touch the part that the body slides along.

use embate_geom::{Pose, Vec3, scalar};

use crate::dynamics::body::body_data::{BodyPose, BodyState};
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::ccd::core_spheres::CoreSphere;
use crate::dynamics::ccd::speculative::{PredictedManifold, predicted_pose};
use crate::dynamics::narrow_phase::contact_pair::is_convex;
use crate::narrow_phase;
use crate::shapes::{Shape, Sphere};

/// Two unit normals with at least this dot product face the same side: 45 degrees.
const SAME_SIDE_COSINE: f32 = 0.7;

/// Speculative contacts of a body that is fast relative to its size with the parts of a mesh or
/// compound that its core spheres hit within `time_step`. Calls `on_contact` with each.
pub(super) fn core_sphere_contacts(
    bodies: &BodySet,
    [a, b]: [BodyIndex; 2],
    speculative_distance: f32,
    time_step: f32,
    mut on_contact: impl FnMut(PredictedManifold),
) {
    for (mover, other) in [(a, b), (b, a)] {
        let Some(CoreImpact { normal, time, radius }) =
            core_time_of_impact(bodies, mover, other, time_step)
        else {
            continue;
        };
        let max_extent = bodies.data(mover).max_extent;
        let relative_velocity =
            bodies.state(mover).linear_velocity - bodies.state(other).linear_velocity;
        // The surface of the body arrives before its core sphere.
        let lead_time = (max_extent - 0.5 * radius)
            / scalar::max(relative_velocity.dot(normal), f32::MIN_POSITIVE);
        let time = scalar::max(time - lead_time, 0.0);
        let (shape_a, shape_b) = (&bodies.data(a).shape, &bodies.data(b).shape);
        let (pose_a, pose_b) = (predicted_pose(bodies, a, time), predicted_pose(bodies, b, time));
        let mut manifolds = Vec::new();
        let max_distance = max_extent - radius + speculative_distance;
        narrow_phase::contact_manifolds(
            shape_a,
            &pose_a,
            shape_b,
            &pose_b,
            max_distance,
            &mut manifolds,
        );
        let normal = if mover == a { normal } else { -normal };
        for manifold in manifolds {
            if manifold.normal.dot(normal) > SAME_SIDE_COSINE {
                on_contact(PredictedManifold { manifold, time_to_contact: time });
            }
        }
    }
}

/// First impact of a core sphere.
struct CoreImpact {
    /// Unit normal from the moving body to the other.
    normal: Vec3,
    /// Time of impact, in seconds.
    time: f32,
    /// Radius of the core sphere.
    radius: f32,
}

/// First impact of a core sphere of `mover`, at half its radius, with a mesh or compound. `None`
/// for other shapes, and for core spheres that move by at most half their radius in the step.
fn core_time_of_impact(
    bodies: &BodySet,
    mover: BodyIndex,
    other: BodyIndex,
    time_step: f32,
) -> Option<CoreImpact> {
    let shape = &bodies.data(other).shape;
    if is_convex(shape) {
        return None;
    }
    let BodyState { linear_velocity, angular_velocity, .. } = *bodies.state(other);
    let other_sweep = narrow_phase::Sweep {
        local_center: bodies.data(other).mass.center_of_mass,
        ..narrow_phase::Sweep::new(
            *bodies.pose(other),
            linear_velocity * time_step,
            angular_velocity * time_step,
        )
    };
    let BodyPose { center_of_mass, rotation } = *bodies.com_pose(mover);
    let mut first: Option<CoreImpact> = None;
    for CoreSphere { center: local_center, radius } in bodies.data(mover).core_spheres() {
        let center = center_of_mass + rotation.rotate(local_center);
        let velocity = bodies.velocity_at_point(mover, center);
        if (velocity - linear_velocity).length() * time_step <= 0.5 * radius {
            continue;
        }
        let Ok(sphere) = Sphere::new(0.5 * radius) else { continue };
        let sphere_sweep =
            narrow_phase::Sweep::linear(Pose::from_translation(center), velocity * time_step);
        let impact = narrow_phase::time_of_impact(
            &Shape::from(sphere),
            &sphere_sweep,
            shape,
            &other_sweep,
            0.0,
        );
        if let Some(impact) = impact.filter(|impact| !impact.initially_overlapping) {
            let time = impact.fraction * time_step;
            if first.as_ref().is_none_or(|first| time < first.time) {
                first = Some(CoreImpact { normal: impact.normal, time, radius });
            }
        }
    }
    first
}
