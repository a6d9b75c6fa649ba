//! Joint data: the constraint rows of each joint type.
//!
//! | joint | translation | rotation |
//! |---|---|---|
//! | distance | along the line between its anchors | |
//! | spherical | in all directions | |
//! | revolute | in all directions | about the two axes across its own |
//! | prismatic | along the two axes across its own | about all axes |
//! | fixed | in all directions | about all axes |
//!
//! These are equality constraints. The remaining degree of freedom of a revolute or prismatic joint
//! may have a motor and limits.

use embate_geom::{Mat3, Rotation, Vec3, scalar};

use crate::dynamics::body::body_def::{BodyId, MAX_ANGULAR_SPEED};
use crate::dynamics::body::body_index::{BodyIndex, BodyPair};
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::joint::JointIndex;
use crate::dynamics::joint::equality_block::EqualityBlock;
use crate::dynamics::joint::geometric_stiffness::{GeometricStiffness, Rod};
use crate::dynamics::joint::jacobian_row::{JacobianRow, RowError, RowKind, ScalarConstraint};
use crate::dynamics::joint::joint_def::{JointDef, JointType, Motor, check_limits, check_motor};
use crate::dynamics::joint::joint_frame::{JointFrame, MIN_ANCHOR_DISTANCE};
use crate::dynamics::joint::spring::SpringStep;
use crate::dynamics::solver::{Softness, StepContext};

/// Slots of the accumulated impulses of a joint.
const SLOT_LINEAR: usize = 0;
const SLOT_ANGULAR: usize = 1;
const SLOT_MOTOR: usize = 2;
const SLOT_LOWER_LIMIT: usize = 3;
const SLOT_UPPER_LIMIT: usize = 4;
/// Number of impulse slots.
pub(crate) const JOINT_IMPULSE_SLOTS: usize = 5;

const NO_LIMITS: [f32; 2] = [f32::NEG_INFINITY, f32::INFINITY];

/// Bias velocity limit of a joint at rest, in m/s and rad/s: joints that were created apart or torn
/// come together at walking pace, as contacts separate.
const JOINT_BIAS_VELOCITY: f32 = 3.0;

/// A joint of a world.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JointData {
    pub(crate) ids: [BodyId; 2],
    /// Body indices.
    pub(crate) bodies: [BodyIndex; 2],
    pub(crate) joint_type: JointType,
    pub(crate) collide_connected: bool,
    /// Anchors relative to each center of mass, in body space.
    pub(crate) anchors: [Vec3; 2],
    /// Axes of the joint in the space of each body; the first is the joint axis.
    pub(crate) frames: [Rotation; 2],
    pub(crate) limits: Option<[f32; 2]>,
    pub(crate) motor: Option<Motor>,
    /// Rest length of distance joints and springs, in meters.
    pub(crate) rest_length: f32,
    /// Stiffness of springs, in N/m.
    pub(crate) stiffness: f32,
    /// Damping of springs, in N·s/m.
    pub(crate) damping: f32,
    /// Angle of revolute joints, in radians, with all full turns.
    pub(crate) angle: f32,
    /// Accumulated impulses of the last sub-step, in N·s and N·m·s.
    pub(crate) impulses: [Vec3; JOINT_IMPULSE_SLOTS],
}

/// Parameters of the rows of one joint in a sub-step.
pub(super) struct RowContext<'a> {
    pub(super) step: &'a StepContext,
    /// Softness of limits, and of the bias of equality constraints.
    pub(super) softness: Softness,
    /// Stiffness ratio of all springs on the bodies of the joint.
    pub(super) total_stiffness_ratio: f64,
    /// Whether positions were already integrated in this sub-step.
    pub(super) is_relaxing: bool,
}

impl JointData {
    /// From a validated definition.
    pub(crate) fn new(def: &JointDef, bodies: &BodySet, body_indices: [BodyIndex; 2]) -> Self {
        let axis = def.axis.try_normalize().unwrap_or(Vec3::X);
        let across = axis.any_orthonormal_vector();
        let axes = Rotation::from_matrix(&Mat3 { columns: [axis, across, axis.cross(across)] });
        let anchor = |side: usize| {
            let pose = bodies.com_pose(body_indices[side]);
            pose.rotation.inverse_rotate(def.anchors[side] - pose.center_of_mass)
        };
        let frame = |side: usize| {
            (bodies.com_pose(body_indices[side]).rotation.inverse() * axes).renormalize()
        };
        Self {
            ids: def.bodies,
            bodies: body_indices,
            joint_type: def.joint_type,
            collide_connected: def.collide_connected,
            anchors: [anchor(0), anchor(1)],
            frames: [frame(0), frame(1)],
            limits: def.limits,
            motor: def.motor,
            rest_length: def.rest_length.unwrap_or((def.anchors[1] - def.anchors[0]).length()),
            stiffness: def.stiffness,
            damping: def.damping,
            angle: 0.0,
            impulses: [Vec3::ZERO; JOINT_IMPULSE_SLOTS],
        }
    }

    /// Its two bodies, the smaller index first.
    pub(crate) fn pair(&self) -> BodyPair {
        BodyIndex::sorted_pair(self.bodies)
    }

    /// Whether its numbers are in their ranges.
    pub(crate) fn is_valid(&self) -> bool {
        let in_range = |value: f32| (0.0..=1e15).contains(&value);
        self.limits.is_none_or(|limits| check_limits(self.joint_type, limits).is_ok())
            && self.motor.is_none_or(|motor| check_motor(self.joint_type, motor).is_ok())
            && [self.rest_length, self.stiffness, self.damping].into_iter().all(in_range)
    }

    /// Angle of a revolute joint, counted over full turns: the one closest to the last angle.
    pub(super) fn continuous_angle(&self, frame: &JointFrame) -> f32 {
        use core::f64::consts::TAU;
        let angle = frame.axis_angle();
        let turns = ((f64::from(self.angle) - angle) / TAU).round();
        (angle + turns * TAU) as f32
    }

    /// Appends the constraints of this joint at the present poses. Accumulated impulses of rows
    /// that are not active are reset.
    pub(super) fn collect_rows(
        &mut self,
        bodies: &BodySet,
        joint_index: JointIndex,
        context: &RowContext<'_>,
        blocks: &mut Vec<EqualityBlock>,
        scalars: &mut Vec<ScalarConstraint>,
    ) {
        let &StepContext { h, max_linear_speed, .. } = context.step;
        let frame = JointFrame::new(self, bodies);
        let max_bias = self.max_bias(bodies, &frame, h, max_linear_speed);
        if self.joint_type == JointType::Revolute {
            self.angle = self.continuous_angle(&frame);
        }
        let mut rows = RowCollector {
            block: EqualityBlock::new(joint_index, self.bodies),
            scalars,
            softness: context.softness,
            max_bias,
            old_impulses: core::mem::replace(&mut self.impulses, [Vec3::ZERO; JOINT_IMPULSE_SLOTS]),
            impulses: &mut self.impulses,
        };
        match self.joint_type {
            JointType::Distance | JointType::Spring => {
                if let Some((row, distance)) = frame.line_row() {
                    match self.limits {
                        None if self.joint_type == JointType::Spring => {
                            let inverse_mass = row.inverse_mass(bodies, self.bodies);
                            let total = context.total_stiffness_ratio;
                            let (k, c) = (self.stiffness, self.damping);
                            if let SpringStep::Implicit(softness) =
                                SpringStep::new(k, c, inverse_mass, total, h)
                            {
                                rows.softness = softness;
                                let error = distance - self.rest_length;
                                rows.push_scalar(SLOT_LINEAR, RowKind::Spring, row, error);
                            }
                        }
                        None => {
                            rows.push_equality(
                                SLOT_LINEAR,
                                &[row.with_error(distance - self.rest_length)],
                            );
                        }
                        Some(limits) => rows.push_limits(row, distance, limits),
                    }
                }
            }
            JointType::Spherical => rows.push_equality(SLOT_LINEAR, &frame.point_rows()),
            JointType::Fixed => {
                rows.push_equality(SLOT_ANGULAR, &frame.rotation_rows());
                rows.push_equality(SLOT_LINEAR, &frame.point_rows());
            }
            JointType::Revolute => {
                let [axis, y, z] = frame.axes.columns;
                let row = JacobianRow::angular(axis);
                rows.push_motor(self.motor, row, h);
                rows.push_limits(row, self.angle, self.limits.unwrap_or(NO_LIMITS));
                let error = axis.cross(frame.axis_b);
                let across = |axis: Vec3| JacobianRow::angular(axis).with_error(error.dot(axis));
                rows.push_equality(SLOT_ANGULAR, &[across(y), across(z)]);
                rows.push_equality(SLOT_LINEAR, &frame.point_rows());
            }
            JointType::Prismatic => {
                let [axis, y, z] = frame.axes.columns;
                // The axes rotate with A about its center of mass: its anchor is that of B.
                let anchor_a = frame.anchor_a + frame.separation;
                let along = |axis: Vec3| {
                    JacobianRow::linear(axis, anchor_a, frame.anchor_b)
                        .with_error(frame.separation.dot(axis))
                };
                let RowError { row, error: translation } = along(axis);
                rows.push_motor(self.motor, row, h);
                rows.push_limits(row, translation, self.limits.unwrap_or(NO_LIMITS));
                rows.push_equality(SLOT_ANGULAR, &frame.rotation_rows());
                rows.push_equality(SLOT_LINEAR, &[along(y), along(z)]);
            }
        }
        let RowCollector { mut block, old_impulses, .. } = rows;
        if block.count > 0 {
            if !context.is_relaxing {
                block.geometric_stiffness =
                    self.geometric_stiffness(&frame, old_impulses[SLOT_LINEAR]);
            }
            blocks.push(block);
        }
    }

    /// Tension of the joint, from its linear impulse of the last sub-step.
    fn geometric_stiffness(&self, frame: &JointFrame, impulse: Vec3) -> Option<GeometricStiffness> {
        let anchors = [frame.anchor_a, frame.anchor_b];
        let length = frame.separation.length();
        match self.joint_type {
            JointType::Spherical | JointType::Revolute | JointType::Fixed => {
                Some(GeometricStiffness { impulse_on_b: impulse, anchors, rod: None })
            }
            JointType::Distance if length > MIN_ANCHOR_DISTANCE => {
                let direction = frame.separation / length;
                Some(GeometricStiffness {
                    impulse_on_b: direction * impulse.x,
                    anchors,
                    rod: Some(Rod { direction, length }),
                })
            }
            _ => None,
        }
    }

    /// Maximum bias velocity, linear and angular: [`JOINT_BIAS_VELOCITY`], plus the drift of
    /// linearized rotation per sub-step, but at most the maximum speed of the world.
    fn max_bias(
        &self,
        bodies: &BodySet,
        frame: &JointFrame,
        h: f32,
        max_linear_speed: f32,
    ) -> [f32; 2] {
        let [a, b] = self.bodies.map(|body| bodies.state(body));
        let [angular_a, angular_b] = [a.angular_velocity.length(), b.angular_velocity.length()];
        let arm_a = (frame.anchor_a + frame.separation).length();
        let arm_b = frame.anchor_b.length();
        let relative_velocity = b.linear_velocity + b.angular_velocity.cross(frame.anchor_b)
            - a.linear_velocity
            - a.angular_velocity.cross(frame.anchor_a + frame.separation);
        let relative_speed = relative_velocity.length();
        let distance = frame.separation.length();
        let rod = if distance > MIN_ANCHOR_DISTANCE && self.joint_type == JointType::Distance {
            relative_speed / distance
        } else {
            0.0
        };
        let linear_drift = angular_a * angular_a * arm_a
            + angular_b * angular_b * arm_b
            + (angular_a + angular_b + rod) * relative_speed;
        let angular_drift = (angular_a + angular_b) * (angular_a + angular_b);
        let clamped =
            |drift: f32, max: f32| scalar::min(JOINT_BIAS_VELOCITY + 2.0 * h * drift, max);
        [clamped(linear_drift, max_linear_speed), clamped(angular_drift, MAX_ANGULAR_SPEED)]
    }

    /// Squared phase angle of a spring per sub-step, see [`SpringStep::stiffness_ratio`]; `None`
    /// for other joints.
    pub(super) fn stiffness_ratio(&self, bodies: &BodySet, h: f32) -> Option<f64> {
        if self.joint_type != JointType::Spring {
            return None;
        }
        let (row, _) = JointFrame::new(self, bodies).line_row()?;
        let inverse_mass = row.inverse_mass(bodies, self.bodies);
        Some(SpringStep::stiffness_ratio(self.stiffness, self.damping, inverse_mass, h))
    }

    /// Applies a slow spring. It acts once per sub-step, before constraints are solved.
    pub(super) fn apply_explicit_spring(
        &self,
        bodies: &mut BodySet,
        total_stiffness_ratio: f64,
        h: f32,
    ) {
        if self.joint_type != JointType::Spring {
            return;
        }
        let Some((row, distance)) = JointFrame::new(self, bodies).line_row() else { return };
        let inverse_mass = row.inverse_mass(bodies, self.bodies);
        let (k, c) = (self.stiffness, self.damping);
        let step = SpringStep::new(k, c, inverse_mass, total_stiffness_ratio, h);
        if inverse_mass > 0.0
            && let SpringStep::Explicit { loss, gain } = step
        {
            let change =
                loss * row.velocity(bodies, self.bodies) + gain * (distance - self.rest_length);
            row.apply_impulse(bodies, self.bodies, -change / inverse_mass);
        }
    }

    /// Potential energy of a spring, in J; 0 for other joints.
    pub(super) fn spring_energy(&self, bodies: &BodySet) -> f64 {
        if self.joint_type != JointType::Spring {
            return 0.0;
        }
        let distance = JointFrame::new(self, bodies).separation.length();
        let extension = f64::from(distance - self.rest_length);
        0.5 * f64::from(self.stiffness) * extension * extension
    }
}

/// Collects the constraints of one joint.
struct RowCollector<'a> {
    block: EqualityBlock,
    scalars: &'a mut Vec<ScalarConstraint>,
    softness: Softness,
    /// Maximum bias velocity, linear and angular.
    max_bias: [f32; 2],
    /// Accumulated impulses of the last sub-step.
    old_impulses: [Vec3; JOINT_IMPULSE_SLOTS],
    /// Accumulated impulses of the active scalar constraints.
    impulses: &'a mut [Vec3; JOINT_IMPULSE_SLOTS],
}

impl RowCollector<'_> {
    /// Adds up to three equality constraints of the same kind, linear or angular, with their
    /// errors.
    fn push_equality(&mut self, slot: usize, rows: &[RowError]) {
        let is_angular = usize::from(rows[0].row.linear == Vec3::ZERO);
        // All rows have the same bias rate, so that the error shrinks along a straight line.
        let error = rows.iter().map(|RowError { error, .. }| error * error).sum::<f32>().sqrt();
        let bias = scalar::min(error * self.softness.bias_rate, self.max_bias[is_angular]);
        let bias_rate = if error > 0.0 { bias / error } else { 0.0 };
        for (axis, RowError { row, error }) in rows.iter().enumerate() {
            self.block.push([slot, axis], row, error * bias_rate, self.old_impulses[slot][axis]);
        }
    }

    fn push_scalar(&mut self, slot: usize, kind: RowKind, row: JacobianRow, error: f32) {
        self.impulses[slot] = self.old_impulses[slot];
        self.scalars.push(ScalarConstraint {
            bodies: self.block.bodies,
            joint: self.block.joint,
            slot,
            kind,
            row,
            error,
            max_bias: self.max_bias[usize::from(row.linear == Vec3::ZERO)],
            softness: self.softness,
            effective_mass: 0.0,
        });
    }

    fn push_motor(&mut self, motor: Option<Motor>, row: JacobianRow, h: f32) {
        if let Some(Motor { target_velocity, max_force }) = motor {
            let kind = RowKind::Motor { target_velocity, max_impulse: max_force * h };
            self.push_scalar(SLOT_MOTOR, kind, row, 0.0);
        }
    }

    /// Adds both limits of a degree of freedom; an equality constraint if they are equal.
    fn push_limits(&mut self, row: JacobianRow, position: f32, [lower, upper]: [f32; 2]) {
        if lower == upper {
            self.push_equality(SLOT_LOWER_LIMIT, &[row.with_error(position - lower)]);
            return;
        }
        if lower > f32::NEG_INFINITY {
            self.push_scalar(SLOT_LOWER_LIMIT, RowKind::Limit, row, position - lower);
        }
        if upper < f32::INFINITY {
            self.push_scalar(SLOT_UPPER_LIMIT, RowKind::Limit, row.flipped(), upper - position);
        }
    }
}
