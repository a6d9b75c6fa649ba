//! Equality block: up to six equality constraints of one joint, and its geometric damping rows.

use embate_geom::Vec3;

use crate::dynamics::body::body_def::BodyType;
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::joint::JointIndex;
use crate::dynamics::joint::cholesky6::{Cholesky6, Mat6, Vec6, add_scaled, dot, pivoted_rank};
use crate::dynamics::joint::geometric_stiffness::{DampingRow, GeometricStiffness};
use crate::dynamics::joint::jacobian_row::{JacobianRow, MAX_SLEEP_BIAS_VELOCITY};
use crate::dynamics::joint::joint_data::JointData;

/// A row is linearly dependent on others if less than this share of it remains after elimination.
/// Far above the rounding of f64, and below what the longest arm leaves of a row along the arm.
const MIN_INDEPENDENT_RATIO: f64 = 1e-12;
/// The same for bodies with locked axes, where rounding alone leaves up to this share.
const MIN_INDEPENDENT_RATIO_LOCKED: f64 = 1e-8;

/// Velocity change of its two bodies, in m/s or rad/s, above which an accumulated impulse belongs
/// to a broken joint and is discarded: an impulse that the bodies cannot follow would grow without
/// bound. 1,000 times the maximum speed of any world. Under ten million times its own weight a
/// joint stays far below, if its arms are about as long as its bodies.
pub(super) const BROKEN_IMPULSE: f64 = 1e9;

/// Equality constraints between two bodies, solved as one block.
#[derive(Clone, Debug)]
pub(super) struct EqualityBlock {
    /// Index of the joint.
    pub(super) joint: JointIndex,
    pub(super) bodies: [BodyIndex; 2],
    /// Number of rows: equality constraints, then damping rows.
    pub(super) count: usize,
    /// Where the impulse of each row is stored: slot of the joint, and axis within the slot.
    slots: [[usize; 2]; 6],
    /// Rows of the Jacobian, for A and for B.
    pub(super) jacobian: [Mat6; 2],
    /// Bias velocity of each row.
    bias: Vec6,
    pub(super) geometric_stiffness: Option<GeometricStiffness>,
    /// Accumulated impulse of each row.
    pub(super) impulse: Vec6,
    /// Inverse effective mass J·M⁻¹·Jᵀ of the two bodies alone.
    pub(super) inverse_mass: Mat6,
    /// Number of equality constraints; the rows after them are damping rows.
    equality_count: usize,
    /// Compliance of each damping row.
    damping_compliance: Vec6,
}

/// Mass matrix of a body in its six degrees of freedom.
#[derive(Clone, Debug)]
pub(super) struct BodyMass6 {
    /// Rows and columns of locked degrees of freedom are those of the identity.
    pub(super) mass: Mat6,
    /// Degrees of freedom that are not locked.
    pub(super) free: [bool; 6],
    /// Factor of the mass matrix without locks.
    unlocked: Cholesky6,
}

impl BodyMass6 {
    pub(super) fn new(bodies: &BodySet, body: BodyIndex) -> Self {
        let data = bodies.data(body);
        let mut free = [data.body_type == BodyType::Dynamic; 6];
        for axis in 0..3 {
            free[axis] &= !data.locked_axes.translation[axis];
            free[axis + 3] &= !data.locked_axes.rotation[axis];
        }
        let mut mass = [[0.0; 6]; 6];
        let axes = bodies.com_pose(body).rotation.to_matrix().columns;
        let axes = axes.map(|axis| axis.to_array().map(f64::from));
        let inertia = data.mass.inertia.columns;
        for row in 0..3 {
            mass[row][row] = f64::from(data.mass.kilograms);
            for column in 0..3 {
                let mut sum = 0.0;
                for (i, a) in axes.iter().enumerate() {
                    for (j, b) in axes.iter().enumerate() {
                        sum += a[row] * f64::from(inertia[j][i]) * b[column];
                    }
                }
                mass[row + 3][column + 3] = sum;
            }
        }
        let unlocked = Cholesky6::new(&mass, 6);
        for locked in (0..6).filter(|&row| !free[row]) {
            for other in 0..6 {
                (mass[locked][other], mass[other][locked]) = (0.0, 0.0);
            }
            mass[locked][locked] = 1.0;
        }
        Self { mass, free, unlocked }
    }

    /// Inverse effective mass of a row if no axis were locked. The angular part does not count for
    /// a body that cannot rotate at all.
    fn unlocked_inverse_mass(&self, row: &Vec6) -> f64 {
        let mut row = *row;
        if !self.free[3..].contains(&true) {
            row[3..].fill(0.0);
        }
        let half = self.unlocked.forward(&row);
        dot(&half, &half)
    }
}

fn vec6(linear: Vec3, angular: Vec3) -> Vec6 {
    let ([a, b, c], [d, e, f]) = (linear.to_array(), angular.to_array());
    [a, b, c, d, e, f].map(f64::from)
}

impl EqualityBlock {
    pub(super) fn new(joint: JointIndex, bodies: [BodyIndex; 2]) -> Self {
        Self {
            joint,
            bodies,
            count: 0,
            slots: [[0; 2]; 6],
            jacobian: [[[0.0; 6]; 6]; 2],
            bias: [0.0; 6],
            geometric_stiffness: None,
            impulse: [0.0; 6],
            inverse_mass: [[0.0; 6]; 6],
            equality_count: 0,
            damping_compliance: [0.0; 6],
        }
    }

    /// Adds an equality constraint; at most six.
    pub(super) fn push(&mut self, slot: [usize; 2], row: &JacobianRow, bias: f32, impulse: f32) {
        let index = self.count;
        self.slots[index] = slot;
        self.jacobian[0][index] = vec6(-row.linear, -row.angular_a);
        self.jacobian[1][index] = vec6(row.linear, row.angular_b);
        self.bias[index] = f64::from(bias);
        self.impulse[index] = f64::from(impulse);
        self.count += 1;
    }

    /// Computes the inverse effective mass, given the masses of the dynamic bodies and their
    /// factors. Drops every row along which the bodies cannot move, and every row that depends
    /// linearly on the others, as in the plane of a planar world.
    pub(super) fn compute_masses(&mut self, sides: [Option<(&BodyMass6, &Cholesky6)>; 2]) {
        let mut inverse_mass = [[0.0; 6]; 6];
        let mut unlocked = [0.0; 6];
        let mut min_ratio = MIN_INDEPENDENT_RATIO;
        for (jacobian, side) in self.jacobian.iter_mut().zip(sides) {
            let Some((mass, mass_factor)) = side else { continue };
            let mut halves = [[0.0; 6]; 6];
            if mass.free.contains(&false) {
                min_ratio = MIN_INDEPENDENT_RATIO_LOCKED;
            }
            for (row, half) in halves[..self.count].iter_mut().enumerate() {
                let row_jacobian = &mut jacobian[row];
                unlocked[row] += mass.unlocked_inverse_mass(row_jacobian);
                for (value, free) in row_jacobian.iter_mut().zip(mass.free) {
                    *value = if free { *value } else { 0.0 };
                }
                *half = mass_factor.forward(row_jacobian);
            }
            for row in 0..self.count {
                for column in 0..self.count {
                    inverse_mass[row][column] += dot(&halves[row], &halves[column]);
                }
            }
        }
        // The comparison is false for NaN, so that NaN is discarded, too.
        let is_intact =
            |row: usize| (self.impulse[row] * inverse_mass[row][row]).abs() <= BROKEN_IMPULSE;
        if !(0..self.count).all(is_intact) {
            self.impulse = [0.0; 6];
        }
        let (chosen, count) = pivoted_rank(&inverse_mass, &unlocked[..self.count], min_ratio);
        let before = self.clone();
        (self.count, self.equality_count) = (count, count);
        for (to, &from) in chosen[..count].iter().enumerate() {
            self.slots[to] = before.slots[from];
            self.bias[to] = before.bias[from];
            self.impulse[to] = before.impulse[from];
            for side in 0..2 {
                self.jacobian[side][to] = before.jacobian[side][from];
            }
            for (column, &other) in chosen[..count].iter().enumerate() {
                self.inverse_mass[to][column] = inverse_mass[from][other];
            }
        }
    }

    /// Residual velocity of each row: J·v, and with `bias_compliance` also the bias velocity and
    /// the velocity that the compliance yields to the accumulated impulse.
    pub(super) fn residual(&self, bodies: &BodySet, bias_compliance: Option<f64>) -> Vec6 {
        let mut residual = [0.0; 6];
        for (side, &body) in self.bodies.iter().enumerate() {
            let state = bodies.state(body);
            let velocity = vec6(state.linear_velocity, state.angular_velocity);
            for (residual, row) in residual[..self.count].iter_mut().zip(&self.jacobian[side]) {
                *residual += dot(row, &velocity);
            }
        }
        if let Some(compliance) = bias_compliance {
            for (row, residual) in residual[..self.count].iter_mut().enumerate() {
                *residual += if row < self.equality_count {
                    self.bias[row] + compliance * dot(&self.inverse_mass[row], &self.impulse)
                } else {
                    self.damping_compliance[row] * self.impulse[row]
                };
            }
        }
        residual
    }

    /// Compliance matrix: `ratio` times the inverse effective mass for the equality constraints,
    /// their own compliance for the damping rows.
    pub(super) fn compliance(&self, ratio: f64) -> Mat6 {
        let mut compliance = [[0.0; 6]; 6];
        for row in 0..self.count {
            for column in 0..self.equality_count {
                compliance[row][column] = if row < self.equality_count {
                    ratio * self.inverse_mass[row][column]
                } else {
                    0.0
                };
            }
            if row >= self.equality_count {
                compliance[row][row] = self.damping_compliance[row];
            }
        }
        compliance
    }

    /// Adds damping rows for geometric stiffness, after [`compute_masses`](Self::compute_masses).
    pub(super) fn add_geometric_damping(&mut self, mass_factors: [Option<&Cholesky6>; 2], h: f32) {
        let Some(geometric_stiffness) = self.geometric_stiffness else { return };
        for DampingRow { row, stiffness } in
            geometric_stiffness.damping_rows(h).into_iter().flatten()
        {
            if self.count == 6 {
                return;
            }
            let index = self.count;
            self.jacobian[0][index] = vec6(-row.linear, -row.angular_a);
            self.jacobian[1][index] = vec6(row.linear, row.angular_b);
            let mut inverse_mass = 0.0;
            for (jacobian, factor) in self.jacobian.iter().zip(mass_factors) {
                if let Some(factor) = factor {
                    let half = factor.forward(&jacobian[index]);
                    inverse_mass += dot(&half, &half);
                }
            }
            // (h·ω)²: only an oscillation that is too fast for the sub-step is damped.
            let angle_squared = inverse_mass * f64::from(stiffness);
            if angle_squared > 1.0 {
                self.damping_compliance[index] = inverse_mass / (angle_squared - 1.0);
                self.impulse[index] = 0.0;
                self.count += 1;
            }
        }
    }

    /// Removes the damping rows, where the joint closes a loop.
    pub(super) fn drop_damping_rows(&mut self) {
        self.count = self.equality_count;
    }

    /// Whether its error is being corrected so fast that its bodies must not sleep.
    pub(super) fn keeps_awake(&self) -> bool {
        dot(&self.bias, &self.bias) > f64::from(MAX_SLEEP_BIAS_VELOCITY * MAX_SLEEP_BIAS_VELOCITY)
    }

    /// Generalized impulse Jᵀ·λ on one of its bodies.
    pub(super) fn generalized_impulse(&self, side: usize, impulse: &Vec6) -> Vec6 {
        let mut sum = [0.0; 6];
        for (row, &impulse) in self.jacobian[side][..self.count].iter().zip(impulse) {
            add_scaled(&mut sum, impulse, row);
        }
        sum
    }

    /// Stores the accumulated impulses in the joint, for warm starting the next sub-step.
    pub(super) fn store_impulses(&self, joint: &mut JointData) {
        for (row, [slot, axis]) in self.slots[..self.equality_count].iter().enumerate() {
            joint.impulses[*slot][*axis] = self.impulse[row] as f32;
        }
    }
}

pub(super) fn apply_velocity_change(bodies: &mut BodySet, body: BodyIndex, change: &Vec6) {
    let [a, b, c, d, e, f] = change.map(|value| value as f32);
    bodies.state_mut(body).linear_velocity += Vec3::new(a, b, c);
    bodies.state_mut(body).angular_velocity += Vec3::new(d, e, f);
}
