//! Joints: constraints between two bodies, solved in the same sub-steps as contacts.
//!
//! ```text
//! prepare_and_warm_start    Jacobian rows at the present poses; explicit springs; impulses of the
//!                           last sub-step
//! solve_with_bias           velocity constraints and position correction       ─ after contacts
//!                           (positions are integrated)
//! update_after_integration  Jacobian rows at the new poses
//! relax                     velocity constraints alone                         ─ before contacts
//! ```
//!
//! Equality constraints are solved exactly for whole trees of joints ([`tree_solver`]), so that the
//! length of a chain and the load on it do not matter. Limits, motors and stiff springs are scalar
//! constraints ([`jacobian_row`]), solved by sequential impulses that alternate with the trees. So
//! are joints that close a loop: a net is compliant under a heavy load.

mod cholesky6;
mod equality_block;
mod error;
mod geometric_stiffness;
mod jacobian_row;
mod joint_data;
mod joint_def;
mod joint_frame;
mod joint_ref;
mod spring;
mod tree_solver;

pub use error::{JointError, JointProperty, JointSide};
use jacobian_row::ScalarConstraint;
use joint_data::RowContext;
pub(crate) use joint_data::{JOINT_IMPULSE_SLOTS, JointData};
pub use joint_def::{JointDef, JointType, Motor};
pub(crate) use joint_def::{check_arm, is_arm};
pub use joint_ref::{Joint, JointMut};
use tree_solver::ConstraintTrees;

use embate_geom::Vec3;

use crate::dynamics::body::body_def::BodyType;
use crate::dynamics::body::body_index::{BodyIndex, BodyPair, BodyVec};
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::body::mass_properties::BodyMass;
use crate::dynamics::slots::Slots;
use crate::dynamics::solver::{Softness, StepContext};

/// Identifies a joint of a world. The id of a removed joint is never reused.
#[doc(alias = "JointHandle")]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId {
    pub(crate) index: u32,
    pub(crate) generation: u32,
}

/// Slot of a joint in a [`JointSet`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JointIndex(pub(crate) u32);

impl JointIndex {
    #[inline]
    fn to_usize(self) -> usize {
        self.0 as usize
    }
}

/// Natural frequency of limits, in cycles per sub-step. With [`JOINT_DAMPING_RATIO`] errors shrink
/// by 0.44 of themselves per sub-step; those of equality constraints as fast.
const JOINT_FREQUENCY: f32 = 0.5;
const JOINT_DAMPING_RATIO: f32 = 2.0;
/// Compliance of equality constraints, as a share of the inverse effective mass of their bodies.
/// Under 10,000 times the weight of its own bodies a joint is then 0.1 mm off; and two hinges whose
/// axes do not quite agree bend instead of locking.
const JOINT_COMPLIANCE: f64 = 1e-6;
/// Iterations that alternate between trees and the remaining constraints, per contact pass. Trees
/// alone need one.
const JOINT_ITERATIONS: usize = 4;

/// All joints of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct JointSet {
    slots: Slots,
    /// Joint of each slot.
    joints: Vec<Option<JointData>>,
    /// Constraints of the present sub-step; kept between sub-steps for their allocations.
    trees: ConstraintTrees,
    scalar_constraints: Vec<ScalarConstraint>,
    /// Sum of the stiffness ratios of the springs of a body; empty if there are no springs.
    stiffness_totals: BodyVec<f64>,
}

impl JointSet {
    /// Joints of a snapshot.
    pub(crate) fn new(slots: Slots, joints: Vec<Option<JointData>>) -> Self {
        Self { slots, joints, ..Self::default() }
    }

    /// Slots, for a snapshot.
    pub(crate) fn slots(&self) -> &Slots {
        &self.slots
    }

    pub(crate) fn add(&mut self, joint: JointData) -> JointId {
        let index = JointIndex(self.slots.allocate());
        if index.to_usize() == self.joints.len() {
            self.joints.push(None);
        }
        self.joints[index.to_usize()] = Some(joint);
        self.id(index)
    }

    fn id(&self, index: JointIndex) -> JointId {
        JointId { index: index.0, generation: self.slots.generation(index.0) }
    }

    pub(crate) fn find(&self, id: JointId) -> Option<JointIndex> {
        let index = JointIndex(id.index);
        let is_current = self.slots.has_generation(id.index, id.generation);
        (is_current && self.get(index).is_some()).then_some(index)
    }

    pub(crate) fn remove(&mut self, index: JointIndex) -> Option<JointData> {
        let joint = self.joints[index.to_usize()].take()?;
        self.slots.release(index.0);
        Some(joint)
    }

    /// The joint of a slot; `None` if the slot is empty.
    pub(crate) fn get(&self, index: JointIndex) -> Option<&JointData> {
        self.joints[index.to_usize()].as_ref()
    }

    pub(crate) fn get_mut(&mut self, index: JointIndex) -> Option<&mut JointData> {
        self.joints[index.to_usize()].as_mut()
    }

    /// All joints with their indices.
    fn iter_with_indices(&self) -> impl Iterator<Item = (JointIndex, &JointData)> {
        let slots = (0..).map(JointIndex).zip(&self.joints);
        slots.filter_map(|(index, joint)| Some((index, joint.as_ref()?)))
    }

    /// All joints with their ids.
    pub(crate) fn iter_with_ids(&self) -> impl Iterator<Item = (JointId, &JointData)> {
        self.iter_with_indices().map(|(index, joint)| (self.id(index), joint))
    }

    /// Indices of the joints of a body.
    pub(crate) fn of_body(&self, body: BodyIndex) -> Vec<JointIndex> {
        let joints = self.iter_with_indices();
        joints.filter(|(_, joint)| joint.bodies.contains(&body)).map(|(index, _)| index).collect()
    }

    /// Joint of each slot.
    pub(crate) fn slot_contents(&self) -> &[Option<JointData>] {
        &self.joints
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &JointData> {
        self.joints.iter().flatten()
    }

    /// Whether the joints of a body stay valid when it gets another type and mass.
    pub(crate) fn check_body_type(
        &self,
        bodies: &BodySet,
        body: BodyIndex,
        body_type: BodyType,
        mass: &BodyMass,
    ) -> Result<(), JointError> {
        let data = bodies.data(body);
        let anchor_shift = data.mass.center_of_mass - mass.center_of_mass;
        let is_dynamic = body_type == BodyType::Dynamic;
        for joint in self.iter().filter(|joint| joint.bodies.contains(&body)) {
            let is_other_dynamic = |&other: &BodyIndex| other != body && bodies.is_dynamic(other);
            if !is_dynamic && !joint.bodies.iter().any(is_other_dynamic) {
                return Err(JointError::NoDynamicBody);
            }
            for (i, side) in JointSide::BOTH.into_iter().enumerate() {
                if is_dynamic && joint.bodies[i] == body {
                    let arm = (joint.anchors[i] + anchor_shift).length();
                    check_arm(mass, data.locked_axes, side, arm)?;
                }
            }
        }
        Ok(())
    }

    /// Moves the anchors on a body whose center of mass has changed.
    pub(crate) fn shift_anchors(&mut self, body: BodyIndex, shift: Vec3) {
        for joint in self.joints.iter_mut().flatten() {
            for side in 0..2 {
                if joint.bodies[side] == body {
                    joint.anchors[side] += shift;
                }
            }
        }
    }

    /// The two body indices of every joint.
    pub(crate) fn body_pairs(&self) -> impl Iterator<Item = [BodyIndex; 2]> {
        self.iter().map(|joint| joint.bodies)
    }

    /// Pairs of bodies whose contacts are disabled by a joint; one entry per joint.
    pub(crate) fn filtered_pairs(&self) -> impl Iterator<Item = BodyPair> {
        self.iter().filter(|joint| !joint.collide_connected).map(JointData::pair)
    }

    /// Replaces all joints by those of a snapshot. No id that this world has used is allocated
    /// again.
    pub(crate) fn restore(&mut self, snapshot: &Self) {
        let mut slots = core::mem::take(&mut self.slots);
        slots.restore(&snapshot.slots);
        *self = Self { slots, ..snapshot.clone() };
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.slots.occupied_count() == 0
    }

    /// Sums up the stiffness ratios of the springs of each dynamic body.
    fn update_stiffness_totals(&mut self, bodies: &BodySet, h: f32) {
        self.stiffness_totals.fill(0, 0.0);
        if self.iter().all(|joint| joint.joint_type != JointType::Spring) {
            return;
        }
        let mut totals = core::mem::take(&mut self.stiffness_totals);
        totals.fill(bodies.slot_count(), 0.0);
        for joint in self.iter() {
            if let Some(ratio) = joint.stiffness_ratio(bodies, h) {
                for &body in &joint.bodies {
                    totals[body] += ratio;
                }
            }
        }
        // Springs do not move a body that is not dynamic, however many they are.
        for body in totals.indices() {
            if !bodies.get(body).is_some_and(|data| data.body_type == BodyType::Dynamic) {
                totals[body] = 0.0;
            }
        }
        self.stiffness_totals = totals;
    }

    /// Builds and factorizes the constraints of all awake joints at the present poses.
    fn build_constraints(&mut self, bodies: &BodySet, context: &StepContext, is_relaxing: bool) {
        self.trees.clear();
        self.scalar_constraints.clear();
        let softness =
            Softness::new(JOINT_FREQUENCY * context.inverse_h, JOINT_DAMPING_RATIO, context.h);
        for (index, joint) in (0..).map(JointIndex).zip(&mut self.joints) {
            let Some(joint) = joint else { continue };
            if is_awake(bodies, joint) {
                let row_context = RowContext {
                    step: context,
                    softness,
                    total_stiffness_ratio: total_stiffness_ratio(&self.stiffness_totals, joint),
                    is_relaxing,
                };
                joint.collect_rows(
                    bodies,
                    index,
                    &row_context,
                    &mut self.trees.blocks,
                    &mut self.scalar_constraints,
                );
            }
        }
        for constraint in &mut self.scalar_constraints {
            *constraint = constraint.with_effective_mass(bodies);
        }
        self.trees.factorize(bodies, JOINT_COMPLIANCE, context.h);
    }

    /// Builds the constraints of a sub-step, applies explicit springs, and warm-starts.
    pub(crate) fn prepare_and_warm_start(&mut self, bodies: &mut BodySet, context: &StepContext) {
        if self.is_empty() {
            return;
        }
        self.update_stiffness_totals(bodies, context.h);
        for joint in self.joints.iter().flatten() {
            if is_awake(bodies, joint) {
                let total = total_stiffness_ratio(&self.stiffness_totals, joint);
                joint.apply_explicit_spring(bodies, total, context.h);
            }
        }
        self.build_constraints(bodies, context, false);
        self.trees.warm_start(bodies);
        for constraint in &self.scalar_constraints {
            if let Some(joint) = &mut self.joints[constraint.joint.to_usize()] {
                let impulse = &mut joint.impulses[constraint.slot].x;
                constraint.warm_start(bodies, impulse);
            }
        }
    }

    /// Solves velocities with position correction.
    pub(crate) fn solve_with_bias(&mut self, bodies: &mut BodySet, context: &StepContext) {
        self.solve(bodies, context, true);
    }

    /// Solves velocities alone, after positions were integrated.
    pub(crate) fn relax(&mut self, bodies: &mut BodySet, context: &StepContext) {
        self.solve(bodies, context, false);
    }

    /// Rebuilds the constraints at the new poses, after positions were integrated within a
    /// sub-step.
    pub(crate) fn update_after_integration(&mut self, bodies: &mut BodySet, context: &StepContext) {
        if self.is_empty() {
            return;
        }
        for joint in self.joints.iter().flatten() {
            for &body in &joint.bodies {
                if bodies.is_awake_dynamic(body) && !bodies.data(body).mass.is_isotropic {
                    bodies.update_world_inertia(body);
                }
            }
        }
        self.build_constraints(bodies, context, true);
        self.reset_sleep_timers(bodies);
    }

    /// Keeps bodies awake, however slow they are, that a motor drives or whose joint error is still
    /// being corrected.
    fn reset_sleep_timers(&self, bodies: &mut BodySet) {
        let blocks = self.trees.blocks.iter().filter(|block| block.keeps_awake());
        let scalars = self.scalar_constraints.iter().filter(|scalar| scalar.keeps_awake());
        let pairs = blocks.map(|block| block.bodies).chain(scalars.map(|scalar| scalar.bodies));
        for body in pairs.flatten() {
            *bodies.sleep_timer_mut(body) = 0.0;
        }
    }

    fn solve(&mut self, bodies: &mut BodySet, context: &StepContext, use_bias: bool) {
        if self.is_empty() {
            return;
        }
        let trees_only = self.scalar_constraints.is_empty() && !self.trees.has_loops();
        for _ in 0..if trees_only { 1 } else { JOINT_ITERATIONS } {
            for constraint in &self.scalar_constraints {
                if let Some(joint) = &mut self.joints[constraint.joint.to_usize()] {
                    let impulse = &mut joint.impulses[constraint.slot].x;
                    constraint.solve(bodies, impulse, context.inverse_h, use_bias);
                }
            }
            self.trees.solve_loop_closures(bodies, use_bias);
            self.trees.solve(bodies, use_bias);
        }
        for block in &self.trees.blocks {
            if let Some(joint) = &mut self.joints[block.joint.to_usize()] {
                block.store_impulses(joint);
            }
        }
    }

    /// Potential energy of all springs, in J.
    pub(crate) fn energy(&self, bodies: &BodySet) -> f64 {
        self.iter().map(|joint| joint.spring_energy(bodies)).sum()
    }
}

/// Whether a joint has an awake dynamic body. A joint between a sleeping and a kinematic body,
/// which never sleeps, is not solved: nothing would remove the velocity that a spring adds to the
/// sleeping body.
fn is_awake(bodies: &BodySet, joint: &JointData) -> bool {
    joint.bodies.iter().any(|&body| bodies.is_awake_dynamic(body))
}

/// The larger one of the stiffness totals of its two bodies.
fn total_stiffness_ratio(totals: &BodyVec<f64>, joint: &JointData) -> f64 {
    let [a, b] = joint.bodies.map(|body| totals.get(body).copied().unwrap_or(0.0));
    if a > b { a } else { b }
}
