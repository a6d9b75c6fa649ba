//! Joint frames: the two sides of a joint in world space, and the Jacobian rows between them.

use embate_geom::{Mat3, Rotation, Vec3, scalar};

use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::joint::jacobian_row::{JacobianRow, RowError};
use crate::dynamics::joint::joint_data::JointData;

/// Anchors closer to each other than this have no direction between them, in meters.
pub(super) const MIN_ANCHOR_DISTANCE: f32 = 1e-6;

/// Anchors and axes of a joint in world space, at the present poses.
pub(super) struct JointFrame {
    /// Relative to each center of mass.
    pub(super) anchor_a: Vec3,
    pub(super) anchor_b: Vec3,
    /// From the anchor of A to that of B.
    pub(super) separation: Vec3,
    /// Axes of the joint as attached to A; the first is the joint axis.
    pub(super) axes: Mat3,
    /// Joint axis as attached to B.
    pub(super) axis_b: Vec3,
    /// Rotation of the axes of B relative to those of A, as a quaternion x, y, z, w.
    relative_rotation: [f32; 4],
}

impl JointFrame {
    pub(super) fn new(joint: &JointData, bodies: &BodySet) -> Self {
        let [a, b] = joint.bodies;
        let (pose_a, pose_b) = (bodies.com_pose(a), bodies.com_pose(b));
        let anchor_a = pose_a.rotation.rotate(joint.anchors[0]);
        let anchor_b = pose_b.rotation.rotate(joint.anchors[1]);
        let frame_a = pose_a.rotation * joint.frames[0];
        let frame_b = pose_b.rotation * joint.frames[1];
        let relative: Rotation = (frame_a.inverse() * frame_b).renormalize();
        Self {
            anchor_a,
            anchor_b,
            separation: anchor_separation(bodies, joint.bodies, [anchor_a, anchor_b]),
            axes: frame_a.to_matrix(),
            axis_b: frame_b.rotate(Vec3::X),
            relative_rotation: relative.to_array(),
        }
    }

    /// Row along the line between the anchors, and their distance; `None` if they coincide.
    pub(super) fn line_row(&self) -> Option<(JacobianRow, f32)> {
        let distance = self.separation.length();
        let row = || JacobianRow::linear(self.separation / distance, self.anchor_a, self.anchor_b);
        (distance > MIN_ANCHOR_DISTANCE).then(|| (row(), distance))
    }

    /// Rows and errors that keep the anchors together.
    pub(super) fn point_rows(&self) -> [RowError; 3] {
        Vec3::AXES.map(|axis| {
            JacobianRow::linear(axis, self.anchor_a, self.anchor_b)
                .with_error(self.separation.dot(axis))
        })
    }

    /// Rows and errors that keep the axes aligned.
    pub(super) fn rotation_rows(&self) -> [RowError; 3] {
        let [x, y, z, w] = self.relative_rotation;
        // Of the two quaternions of a rotation, the one with the smaller angle.
        let twice = if w < 0.0 { -2.0 } else { 2.0 };
        let [a, b, c] = self.axes.columns.map(JacobianRow::angular);
        [a.with_error(twice * x), b.with_error(twice * y), c.with_error(twice * z)]
    }

    /// Displacement of the anchor of B along the joint axis, in meters.
    pub(super) fn translation(&self) -> f32 {
        self.separation.dot(self.axes.columns[0])
    }

    /// Rotation about the joint axis in −2π..2π, in radians; a function of the relative pose alone.
    pub(super) fn axis_angle(&self) -> f64 {
        let [x, _, _, w] = self.relative_rotation.map(f64::from);
        2.0 * scalar::atan2_f64(x, w)
    }

    /// Angle of the relative rotation, in radians.
    pub(super) fn rotation_angle(&self) -> f32 {
        let [x, y, z, w] = self.relative_rotation.map(f64::from);
        let sine = (x * x + y * y + z * z).sqrt();
        2.0 * scalar::atan2_f64(sine, w.abs()) as f32
    }
}

/// From the anchor of A to that of B. In f64: at anchors 10 km from their bodies, f32 coordinates
/// have a resolution of 1 mm.
fn anchor_separation(bodies: &BodySet, [a, b]: [BodyIndex; 2], anchors: [Vec3; 2]) -> Vec3 {
    let coordinate = |body: BodyIndex, anchor: Vec3, axis: usize| {
        let center = bodies.com_pose(body).center_of_mass;
        let delta = bodies.state(body).delta_position;
        f64::from(center[axis]) + f64::from(delta[axis]) + f64::from(anchor[axis])
    };
    Vec3::from(
        [0, 1, 2]
            .map(|axis| (coordinate(b, anchors[1], axis) - coordinate(a, anchors[0], axis)) as f32),
    )
}
