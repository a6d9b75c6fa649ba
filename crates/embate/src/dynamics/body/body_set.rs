//! Body storage: struct of arrays with generational ids.
//!
//! Every body has one index into all arrays. The state that the solver reads in its loops is stored
//! apart from the properties that are read once per step. The slot of a removed body is reused by a
//! later one, with a new generation.

use embate_geom::{Mat3, Pose, Rotation, Vec3};

use crate::dynamics::body::body_data::{
    BodyData, BodyPose, BodyState, ExternalForces, SleepReference, SleepState,
};
use crate::dynamics::body::body_def::{
    BodyDef, BodyId, BodyType, CollisionFilter, LockedAxes, Material,
};
use crate::dynamics::body::body_index::{BodyIndex, BodyPair, BodyVec};
use crate::dynamics::body::mass_properties::BodyMass;
use crate::dynamics::slots::Slots;

/// All bodies of a world. An empty slot has no `data`.
#[derive(Clone, Debug, Default)]
pub(crate) struct BodySet {
    slots: Slots,
    data: BodyVec<Option<BodyData>>,
    states: BodyVec<BodyState>,
    com_poses: BodyVec<BodyPose>,
    /// Poses of the shapes' frames, derived from `com_poses`.
    poses: BodyVec<Pose>,
    forces: BodyVec<ExternalForces>,
    /// Inverse mass along each world axis, in 1/kg; 0 along locked axes and for fixed and kinematic
    /// bodies.
    inverse_masses: BodyVec<Vec3>,
    /// Inverse inertia tensors in world space, as of the beginning of the step.
    inverse_inertias: BodyVec<Mat3>,
    sleep_states: BodyVec<SleepState>,
    /// Time since each body met the sleep thresholds, in seconds.
    sleep_timers: BodyVec<f32>,
    /// State of each body when its sleep timer started.
    sleep_references: BodyVec<SleepReference>,
    /// Pairs whose contacts a joint disables, sorted; one entry per joint.
    joint_filtered_pairs: Vec<BodyPair>,
}

/// Arrays that the integrator writes, borrowed separately.
pub(crate) struct BodyArraysMut<'b> {
    pub(crate) data: &'b BodyVec<Option<BodyData>>,
    pub(crate) states: &'b mut BodyVec<BodyState>,
    pub(crate) com_poses: &'b mut BodyVec<BodyPose>,
    pub(crate) poses: &'b mut BodyVec<Pose>,
    pub(crate) forces: &'b mut BodyVec<ExternalForces>,
    pub(crate) inverse_inertias: &'b mut BodyVec<Mat3>,
    pub(crate) sleep_timers: &'b mut BodyVec<f32>,
    pub(crate) sleep_references: &'b mut BodyVec<SleepReference>,
}

/// Access to the arrays.
impl BodySet {
    pub(crate) fn arrays_mut(&mut self) -> BodyArraysMut<'_> {
        BodyArraysMut {
            data: &self.data,
            states: &mut self.states,
            com_poses: &mut self.com_poses,
            poses: &mut self.poses,
            forces: &mut self.forces,
            inverse_inertias: &mut self.inverse_inertias,
            sleep_timers: &mut self.sleep_timers,
            sleep_references: &mut self.sleep_references,
        }
    }

    /// Data of a live body.
    #[inline]
    pub(crate) fn data(&self, index: BodyIndex) -> &BodyData {
        live_data(&self.data, index)
    }

    /// Data of a live body, to be edited. The caller updates the arrays that are derived from it.
    fn data_mut(&mut self, index: BodyIndex) -> &mut BodyData {
        self.data[index].as_mut().expect(EMPTY_SLOT)
    }

    /// Data of a body; `None` if the slot is empty or does not exist.
    #[inline]
    pub(crate) fn get(&self, index: BodyIndex) -> Option<&BodyData> {
        self.data.get(index)?.as_ref()
    }

    #[inline]
    pub(crate) fn state(&self, index: BodyIndex) -> &BodyState {
        &self.states[index]
    }

    #[inline]
    pub(crate) fn state_mut(&mut self, index: BodyIndex) -> &mut BodyState {
        &mut self.states[index]
    }

    /// States of all slots, for the contact solver.
    #[inline]
    pub(crate) fn states_mut(&mut self) -> &mut [BodyState] {
        self.states.as_mut_slice()
    }

    /// Pose at the center of mass.
    #[inline]
    pub(crate) fn com_pose(&self, index: BodyIndex) -> &BodyPose {
        &self.com_poses[index]
    }

    #[inline]
    pub(crate) fn com_pose_mut(&mut self, index: BodyIndex) -> &mut BodyPose {
        &mut self.com_poses[index]
    }

    /// Pose of the shape's frame.
    #[inline]
    pub(crate) fn pose(&self, index: BodyIndex) -> &Pose {
        &self.poses[index]
    }

    /// External forces of the next step.
    pub(crate) fn forces(&self, index: BodyIndex) -> &ExternalForces {
        &self.forces[index]
    }

    pub(crate) fn forces_mut(&mut self, index: BodyIndex) -> &mut ExternalForces {
        &mut self.forces[index]
    }

    /// External forces of all slots.
    pub(crate) fn all_forces(&self) -> &BodyVec<ExternalForces> {
        &self.forces
    }

    /// Replaces the external forces of all slots.
    pub(crate) fn set_all_forces(&mut self, forces: &BodyVec<ExternalForces>) {
        self.forces.clone_from(forces);
    }

    /// Inverse mass along each world axis, in 1/kg; 0 along locked axes.
    #[inline]
    pub(crate) fn inverse_mass(&self, index: BodyIndex) -> Vec3 {
        self.inverse_masses[index]
    }

    /// Inverse inertia tensor in world space, as of the beginning of the step.
    #[inline]
    pub(crate) fn inverse_inertia(&self, index: BodyIndex) -> Mat3 {
        self.inverse_inertias[index]
    }

    #[inline]
    pub(crate) fn sleep_state(&self, index: BodyIndex) -> SleepState {
        self.sleep_states[index]
    }

    pub(crate) fn sleep_state_mut(&mut self, index: BodyIndex) -> &mut SleepState {
        &mut self.sleep_states[index]
    }

    /// Whether any slot sleeps.
    pub(crate) fn any_sleeping(&self) -> bool {
        self.sleep_states.iter().any(|&state| state != SleepState::Awake)
    }

    /// Time since a body met the sleep thresholds, in seconds.
    pub(crate) fn sleep_timer(&self, index: BodyIndex) -> f32 {
        self.sleep_timers[index]
    }

    pub(crate) fn sleep_timer_mut(&mut self, index: BodyIndex) -> &mut f32 {
        &mut self.sleep_timers[index]
    }

    /// State of a body when its sleep timer started.
    pub(crate) fn sleep_reference(&self, index: BodyIndex) -> &SleepReference {
        &self.sleep_references[index]
    }

    pub(crate) fn sleep_reference_mut(&mut self, index: BodyIndex) -> &mut SleepReference {
        &mut self.sleep_references[index]
    }
}

impl BodySet {
    /// Number of bodies.
    pub(crate) fn len(&self) -> usize {
        self.slots.occupied_count()
    }

    /// Number of slots, occupied or empty.
    #[inline]
    pub(crate) fn slot_count(&self) -> usize {
        self.data.len()
    }

    /// Indices of all slots, occupied or empty, in ascending order.
    pub(crate) fn slot_indices(&self) -> impl Iterator<Item = BodyIndex> + use<> {
        self.data.indices()
    }

    /// Indices and data of all bodies, in ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (BodyIndex, &BodyData)> {
        let slots = self.data.indices().zip(self.data.iter());
        slots.filter_map(|(index, data)| Some((index, data.as_ref()?)))
    }

    /// Index of a body; `None` if it was removed.
    pub(crate) fn find(&self, id: BodyId) -> Option<BodyIndex> {
        let index = BodyIndex(id.index);
        let is_current = self.slots.has_generation(id.index, id.generation);
        (is_current && self.is_alive(index)).then_some(index)
    }

    pub(crate) fn id(&self, index: BodyIndex) -> BodyId {
        BodyId { index: index.0, generation: self.slots.generation(index.0) }
    }

    pub(crate) fn is_alive(&self, index: BodyIndex) -> bool {
        self.get(index).is_some()
    }

    /// Indices of all awake dynamic and kinematic bodies, in ascending order.
    pub(crate) fn awake(&self) -> impl Iterator<Item = BodyIndex> {
        self.data.indices().filter(|&index| {
            let can_move = |data: &BodyData| data.body_type != BodyType::Fixed;
            self.sleep_states[index] == SleepState::Awake
                && self.data[index].as_ref().is_some_and(can_move)
        })
    }

    /// Whether the contacts of a body are updated: it is awake and not fixed.
    #[inline]
    pub(crate) fn is_awake(&self, index: BodyIndex) -> bool {
        self.sleep_states[index] == SleepState::Awake
            && self.data(index).body_type != BodyType::Fixed
    }

    /// Whether the solver can change the velocity of a body in this step.
    #[inline]
    pub(crate) fn is_awake_dynamic(&self, index: BodyIndex) -> bool {
        self.sleep_states[index] == SleepState::Awake && self.is_dynamic(index)
    }

    /// Slots, for a snapshot.
    pub(crate) fn slots(&self) -> &Slots {
        &self.slots
    }

    /// Sets the generations and free slots of a snapshot, after all its slots were appended.
    pub(crate) fn set_slots(&mut self, slots: Slots) {
        debug_assert_eq!(slots.len(), self.data.len());
        self.slots = slots;
    }

    /// Appends an empty slot of a snapshot; [`set_slots`](Self::set_slots) adds it to the free
    /// list.
    pub(crate) fn append_empty_slot(&mut self) {
        self.slots.append_unused();
        self.grow_arrays();
    }

    /// Appends an empty element to all arrays.
    fn grow_arrays(&mut self) {
        self.data.push(None);
        self.states.push(BodyState::default());
        self.com_poses.push(BodyPose { center_of_mass: Vec3::ZERO, rotation: Rotation::IDENTITY });
        self.poses.push(Pose::IDENTITY);
        self.forces.push(ExternalForces::default());
        self.inverse_masses.push(Vec3::ZERO);
        self.inverse_inertias.push(Mat3::ZERO);
        self.sleep_states.push(SleepState::Awake);
        self.sleep_timers.push(0.0);
        self.sleep_references.push(SleepReference::default());
    }

    /// Inserts a body from a validated definition.
    pub(crate) fn add(&mut self, def: BodyDef, mass: BodyMass) -> BodyIndex {
        let is_fixed = def.body_type == BodyType::Fixed;
        let center_of_mass = def.pose.transform_point(mass.center_of_mass);
        let state = BodyState {
            linear_velocity: if is_fixed { Vec3::ZERO } else { def.linear_velocity },
            angular_velocity: if is_fixed { Vec3::ZERO } else { def.angular_velocity },
            ..BodyState::default()
        };
        let index = BodyIndex(self.slots.allocate());
        if index.to_usize() == self.data.len() {
            self.grow_arrays();
        }
        self.states[index] = state;
        self.com_poses[index] = BodyPose { center_of_mass, rotation: def.pose.rotation };
        self.poses[index] = def.pose;
        self.forces[index] = ExternalForces::default();
        self.sleep_states[index] = SleepState::Awake;
        self.sleep_timers[index] = 0.0;
        self.data[index] = Some(BodyData::new(def, mass));
        self.update_mass(index);
        index
    }

    /// Frees a slot and invalidates its ids.
    pub(crate) fn remove(&mut self, index: BodyIndex) {
        self.data[index] = None;
        self.states[index] = BodyState::default();
        self.inverse_masses[index] = Vec3::ZERO;
        self.inverse_inertias[index] = Mat3::ZERO;
        self.slots.release(index.0);
    }

    /// Teleports a body.
    pub(crate) fn set_pose(&mut self, index: BodyIndex, pose: Pose) {
        let center_of_mass = pose.transform_point(self.data(index).mass.center_of_mass);
        self.com_poses[index] = BodyPose { center_of_mass, rotation: pose.rotation };
        self.poses[index] = pose;
        self.update_world_inertia(index);
    }

    /// Updates the pose of the shape's frame from the pose at the center of mass.
    pub(crate) fn sync_pose(&mut self, index: BodyIndex) {
        self.poses[index] = self.data(index).shape_pose(&self.com_poses[index]);
    }

    /// Updates the inverse mass and inertia after a change of mass or locked axes.
    fn update_mass(&mut self, index: BodyIndex) {
        let BodyData { mass, locked_axes, .. } = self.data(index);
        let free = locked_axes.translation.map(|locked| if locked { 0.0 } else { 1.0 });
        self.inverse_masses[index] = Vec3::from(free) * mass.inverse;
        self.update_world_inertia(index);
    }

    /// Sets the mass properties of a dynamic body.
    pub(crate) fn set_mass(&mut self, index: BodyIndex, mass: BodyMass) {
        self.data_mut(index).mass = mass;
        self.update_mass(index);
    }

    /// Sets the mass of a fixed or kinematic body when it becomes dynamic, in kg; 0 for none.
    pub(crate) fn set_mass_when_dynamic(&mut self, index: BodyIndex, mass: f32) {
        self.data_mut(index).mass_when_dynamic = mass;
    }

    pub(crate) fn set_locked_axes(&mut self, index: BodyIndex, locked_axes: LockedAxes) {
        self.data_mut(index).locked_axes = locked_axes;
        self.update_mass(index);
    }

    /// Sets the material of a body; that of its contacts is a copy that the caller updates.
    pub(crate) fn set_material(&mut self, index: BodyIndex, material: Material) {
        self.data_mut(index).material = material;
    }

    /// Sets the linear damping, in 1/s.
    pub(crate) fn set_linear_damping(&mut self, index: BodyIndex, rate: f32) {
        self.data_mut(index).damping[0] = rate;
    }

    /// Sets the angular damping, in 1/s.
    pub(crate) fn set_angular_damping(&mut self, index: BodyIndex, rate: f32) {
        self.data_mut(index).damping[1] = rate;
    }

    pub(crate) fn set_gravity_scale(&mut self, index: BodyIndex, scale: f32) {
        self.data_mut(index).gravity_scale = scale;
    }

    /// Sets the collision filter; the caller updates the pairs of the body.
    pub(crate) fn set_collision_filter(&mut self, index: BodyIndex, filter: CollisionFilter) {
        self.data_mut(index).collision_filter = filter;
    }

    /// Makes a body a sensor or solid; the caller creates its pairs again.
    pub(crate) fn set_sensor(&mut self, index: BodyIndex, sensor: bool) {
        self.data_mut(index).sensor = sensor;
    }

    pub(crate) fn set_can_sleep(&mut self, index: BodyIndex, can_sleep: bool) {
        self.data_mut(index).can_sleep = can_sleep;
    }

    pub(crate) fn set_user_data(&mut self, index: BodyIndex, user_data: u128) {
        self.data_mut(index).user_data = user_data;
    }

    /// Whether a body is a boundary plane of the world, hidden from the public API.
    pub(crate) fn set_world_boundary(&mut self, index: BodyIndex, is_world_boundary: bool) {
        self.data_mut(index).is_world_boundary = is_world_boundary;
    }

    /// Changes the type and the mass properties of an awake body, at its present pose.
    pub(crate) fn set_body_type(&mut self, index: BodyIndex, body_type: BodyType, mass: BodyMass) {
        let center_of_mass = self.poses[index].transform_point(mass.center_of_mass);
        let BodyState { angular_velocity, .. } = self.states[index];
        self.states[index] = if body_type == BodyType::Fixed {
            BodyState::default()
        } else {
            let linear_velocity = self.velocity_at_point(index, center_of_mass);
            BodyState { linear_velocity, angular_velocity, ..BodyState::default() }
        };
        self.com_poses[index].center_of_mass = center_of_mass;
        self.forces[index] = ExternalForces::default();
        self.data_mut(index).set_body_type(body_type, mass);
        self.update_mass(index);
    }

    /// Whether contacts and joints can change the velocity of a body.
    #[inline]
    pub(crate) fn is_dynamic(&self, index: BodyIndex) -> bool {
        self.data(index).body_type == BodyType::Dynamic
    }

    /// Updates the inverse inertia tensor in world space from the pose.
    pub(crate) fn update_world_inertia(&mut self, index: BodyIndex) {
        self.inverse_inertias[index] =
            self.data(index).world_inverse_inertia(&self.com_poses[index]);
    }

    /// Replaces all bodies by those of a snapshot. No id that this world has used is allocated
    /// again.
    pub(crate) fn restore(&mut self, snapshot: &Self) {
        let mut slots = core::mem::take(&mut self.slots);
        slots.restore(&snapshot.slots);
        *self = Self { slots, ..snapshot.clone() };
    }

    /// Whether a joint disables the contacts of a pair.
    pub(crate) fn is_joint_filtered(&self, pair: BodyPair) -> bool {
        self.joint_filtered_pairs.binary_search(&pair).is_ok()
    }

    /// Disables the contacts of these pairs, in any order; one entry per joint.
    pub(crate) fn set_joint_filters(&mut self, mut pairs: Vec<BodyPair>) {
        pairs.sort_unstable();
        self.joint_filtered_pairs = pairs;
    }

    /// Disables the contacts of a pair, for one joint.
    pub(crate) fn add_joint_filter(&mut self, pair: BodyPair) {
        let position = self.joint_filtered_pairs.partition_point(|&other| other < pair);
        self.joint_filtered_pairs.insert(position, pair);
    }

    /// Removes the entry of one joint; another joint of the pair can still disable its contacts.
    pub(crate) fn remove_joint_filter(&mut self, pair: BodyPair) {
        if let Ok(position) = self.joint_filtered_pairs.binary_search(&pair) {
            self.joint_filtered_pairs.remove(position);
        }
    }

    /// Velocity of the material point of a body at `point` in world space.
    pub(crate) fn velocity_at_point(&self, index: BodyIndex, point: Vec3) -> Vec3 {
        let BodyState { linear_velocity, angular_velocity, .. } = self.states[index];
        linear_velocity + angular_velocity.cross(point - self.com_poses[index].center_of_mass)
    }
}

/// Bodies with adjacent indices that one worker processes at a time.
pub(crate) const BODY_CHUNK: usize = 64;

const EMPTY_SLOT: &str = "the index refers to a live body";

/// Data of a live body, where the arrays of a [`BodySet`] are borrowed separately.
#[inline]
pub(crate) fn live_data(data: &BodyVec<Option<BodyData>>, index: BodyIndex) -> &BodyData {
    data[index].as_ref().expect(EMPTY_SLOT)
}

/// Entries of the sorted list `awake` in the range `first..first + len`.
pub(crate) fn awake_in_range(
    awake: &[BodyIndex],
    first: usize,
    len: usize,
) -> impl Iterator<Item = BodyIndex> + '_ {
    let from = awake.partition_point(|index| index.to_usize() < first);
    awake[from..].iter().copied().take_while(move |index| index.to_usize() < first + len)
}
