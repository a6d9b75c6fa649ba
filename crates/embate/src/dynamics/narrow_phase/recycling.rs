//! Contact recycling: manifolds are reused while the relative pose of the bodies drifts little.
//!
//! A recycled manifold keeps its contact points and their anchors relative to each center of mass,
//! in world axes. Only the penetrations follow the bodies. `Box3D` and rapier do the same.
//!
//! ```text
//!   computed     later, recycled     later, recomputed
//!   ┌──┬──┐          ┌──┬──┐             ┌──┬──┐
//!   │  ↑  │          │  ↑  │             │ ↑   │     The load of the upper box acts at its center.
//!   ├──┴──┤         ├──┴──┤             ├─┴───┤      The contacts yield and the boxes shift; after
//!   │  ↓  │         │  ↓  │             │  ↓  │      a recomputation the load would act off-center
//!   └─────┘         └─────┘             └─────┘      and rotate the boxes further.
//! ```
//!
//! That feedback is Euler buckling of a loaded column. The bodies are rigid: a real stack would not
//! buckle, but soft contacts are softer than real ones. While the bodies have moved by less than
//! soft contacts yield anyway, the load therefore stays at its anchors, and tall stacks and walls
//! stand.

use embate_geom::{Rotation, Vec3, scalar};

use crate::dynamics::body::body_data::BodyData;
use crate::dynamics::body::body_def::BodyType;
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::narrow_phase::manifold::PersistentManifold;
use crate::shapes::Shape;

/// Maximum drift of a recycled manifold, relative to the inner radius of the thinner body: loads
/// stay in place within 1/40 of its thickness.
const RECYCLE_RADIUS_RATIO: f32 = 0.05;
/// Inner radius that is assumed for hollow shapes, relative to their bounding radius.
const HOLLOW_INNER_RADIUS_RATIO: f32 = 0.2;

/// Poses of two bodies at the last full update of their manifolds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RelativePoseSnapshot {
    pub(crate) centers: [Vec3; 2],
    pub(crate) rotations: [Rotation; 2],
}

/// Motion of two bodies since a [`RelativePoseSnapshot`].
pub(crate) struct RelativeDrift {
    translations: [Vec3; 2],
    rotations: [Rotation; 2],
}

impl RelativePoseSnapshot {
    pub(crate) fn new(bodies: &BodySet, pair: [BodyIndex; 2]) -> Self {
        let poses = pair.map(|index| *bodies.com_pose(index));
        Self {
            centers: poses.map(|pose| pose.center_of_mass),
            rotations: poses.map(|pose| pose.rotation),
        }
    }

    /// Motion since the snapshot; `None` if the relative displacement of any two points, including
    /// the motion during the next `time_step`, can exceed `max_drift`.
    #[inline]
    pub(crate) fn drift(
        &self,
        bodies: &BodySet,
        [a, b]: [BodyIndex; 2],
        max_drift: f32,
        time_step: f32,
    ) -> Option<RelativeDrift> {
        let translations = [
            bodies.com_pose(a).center_of_mass - self.centers[0],
            bodies.com_pose(b).center_of_mass - self.centers[1],
        ];
        let (state_a, state_b) = (bodies.state(a), bodies.state(b));
        let mut drift = (translations[1] - translations[0]).length()
            + (state_b.linear_velocity - state_a.linear_velocity).length() * time_step;
        // Rotation can only add to it.
        if drift > max_drift {
            return None;
        }
        let rotations = [
            bodies.com_pose(a).rotation * self.rotations[0].inverse(),
            bodies.com_pose(b).rotation * self.rotations[1].inverse(),
        ];
        for (index, rotation, state) in [(a, rotations[0], state_a), (b, rotations[1], state_b)] {
            let angle =
                2.0 * vector_part(rotation).length() + state.angular_velocity.length() * time_step;
            let max_extent = bodies.data(index).max_extent;
            // A rotation displaces points of an unbounded shape without limit.
            drift +=
                if angle > 0.0 && max_extent == 0.0 { f32::INFINITY } else { angle * max_extent };
        }
        // The comparison is false for NaN.
        (drift <= max_drift).then_some(RelativeDrift { translations, rotations })
    }
}

/// Vector part of a unit quaternion: the axis times the sine of half the angle.
fn vector_part(rotation: Rotation) -> Vec3 {
    let [x, y, z, _] = rotation.to_array();
    Vec3::new(x, y, z)
}

impl RelativeDrift {
    /// Updates the penetrations and positions of a manifold by the motion since the snapshot.
    #[inline]
    pub(crate) fn recycle_points(&self, persistent: &mut PersistentManifold) {
        let normal = persistent.manifold.normal;
        let [translation_a, translation_b] = self.translations;
        let [rotation_a, rotation_b] = self.rotations;
        let points = persistent.manifold.points_mut().iter_mut();
        for (point, anchor) in points.zip(&persistent.anchors) {
            // The surface points of A and B are half the penetration to either side of the anchor.
            let half = normal * (0.5 * anchor.penetration);
            let (arm_a, arm_b) = (anchor.anchor_a + half, anchor.anchor_b - half);
            let moved_a = translation_a + (rotation_a.rotate(arm_a) - arm_a);
            let moved_b = translation_b + (rotation_b.rotate(arm_b) - arm_b);
            point.penetration = anchor.penetration + normal.dot(moved_a - moved_b);
            point.position = anchor.position + (moved_a + moved_b) * 0.5;
        }
    }
}

/// Largest drift for which the manifolds of two bodies are recycled, in meters. 0 if one of them is
/// a sphere or capsule: these roll, and their manifolds are cheap to recompute.
pub(crate) fn recycle_distance(bodies: [&BodyData; 2]) -> f32 {
    if !bodies.iter().all(|body| has_flat_faces(&body.shape)) {
        return 0.0;
    }
    let dynamic = bodies.iter().filter(|body| body.body_type == BodyType::Dynamic);
    dynamic.fold(f32::INFINITY, |distance, body| {
        // A compound can be hollow at its center of mass.
        let inner_radius = if body.inner_radius > 0.0 {
            body.inner_radius
        } else {
            HOLLOW_INNER_RADIUS_RATIO * body.max_extent
        };
        scalar::min(RECYCLE_RADIUS_RATIO * inner_radius, distance)
    })
}

fn has_flat_faces(shape: &Shape) -> bool {
    match shape {
        Shape::Cuboid(_) | Shape::ConvexHull(_) | Shape::HalfSpace(_) | Shape::TriMesh(_) => true,
        Shape::Compound(compound) => {
            compound.sub_shapes().iter().all(|(_, part)| has_flat_faces(part))
        }
        Shape::Sphere(_) | Shape::Capsule(_) => false,
    }
}
