//! Body storage: struct of arrays with generational ids.
//!
//! Every body has one index into all arrays. The state that the solver reads in its loops is stored
//! apart from the properties that are read once per step. The slot of a removed body is reused by a
//! later one, with a new generation.

use embate_geom::{Mat3, Pose, Rotation, Vec3};

use crate::broad_phase::OverlapPair;
use crate::dynamics::body::body_def::{
    BodyDef, BodyId, BodyType, CollisionFilter, LockedAxes, Material,
};
use crate::dynamics::body::mass_properties::BodyMass;
use crate::dynamics::ccd::core_spheres::{CoreSphere, inner_radius, part_inner_spheres};
use crate::shapes::Shape;

/// Velocities and displacement of a body: the state that the solver changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BodyState {
    /// Of the center of mass, in m/s.
    pub(crate) linear_velocity: Vec3,
    /// In rad/s, about the world axes.
    pub(crate) angular_velocity: Vec3,
    /// Displacement of the center of mass since the beginning of the step, in meters.
    pub(crate) delta_position: Vec3,
    /// Rotation since the beginning of the step, in radians: the sum of the rotation vectors of the
    /// sub-steps.
    pub(crate) delta_rotation: Vec3,
}

/// Pose of a body at its center of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct BodyPose {
    pub(crate) center_of_mass: Vec3,
    pub(crate) rotation: Rotation,
}

/// Pose and velocities of a body when its sleep timer started.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SleepReference {
    pub(crate) pose: BodyPose,
    pub(crate) linear_velocity: Vec3,
    pub(crate) angular_velocity: Vec3,
}

impl Default for SleepReference {
    fn default() -> Self {
        let pose = BodyPose { center_of_mass: Vec3::ZERO, rotation: Rotation::IDENTITY };
        Self { pose, linear_velocity: Vec3::ZERO, angular_velocity: Vec3::ZERO }
    }
}

/// External force (N) and torque (N·m) that the caller applied for one step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ExternalForces {
    pub(crate) force: Vec3,
    pub(crate) torque: Vec3,
}

/// Constant properties of a body; only edits by the caller change them.
#[derive(Clone, Debug)]
pub(crate) struct BodyData {
    pub(crate) shape: Shape,
    pub(crate) body_type: BodyType,
    pub(crate) mass: BodyMass,
    pub(crate) material: Material,
    /// Linear and angular damping, in 1/s.
    pub(crate) damping: [f32; 2],
    pub(crate) gravity_scale: f32,
    pub(crate) locked_axes: LockedAxes,
    pub(crate) collision_filter: CollisionFilter,
    pub(crate) sensor: bool,
    pub(crate) can_sleep: bool,
    /// Bounding radius about the center of mass, in meters; 0 for unbounded shapes.
    pub(crate) max_extent: f32,
    /// Radius of a sphere about the center of mass that is inside the shape; 0 if there is none.
    pub(crate) inner_radius: f32,
    /// Spheres inside the sub-shapes, for shapes with an `inner_radius` of 0.
    pub(crate) part_inner_spheres: Vec<CoreSphere>,
    /// Whether the body is a boundary plane of the world; hidden from the public API.
    pub(crate) is_world_boundary: bool,
}

/// Whether a body is simulated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SleepState {
    Awake,
    /// Sleeps with all bodies of this island.
    Asleep(u32),
}

/// All bodies of a world. An empty slot has no `data`.
#[derive(Clone, Debug, Default)]
pub(crate) struct BodySet {
    pub(crate) generations: Vec<u32>,
    /// By slot: one more than the latest generation that was ever allocated. It survives a restore,
    /// so that no id is allocated twice.
    pub(crate) next_generation: Vec<u32>,
    pub(crate) data: Vec<Option<BodyData>>,
    pub(crate) states: Vec<BodyState>,
    pub(crate) com_poses: Vec<BodyPose>,
    /// Poses of the shapes' frames, derived from `com_poses`.
    pub(crate) poses: Vec<Pose>,
    pub(crate) forces: Vec<ExternalForces>,
    /// Inverse mass along each world axis, in 1/kg; 0 along locked axes and for fixed and kinematic
    /// bodies.
    pub(crate) inverse_masses: Vec<Vec3>,
    /// Inverse inertia tensors in world space, as of the beginning of the step.
    pub(crate) inverse_inertias: Vec<Mat3>,
    pub(crate) sleep_states: Vec<SleepState>,
    /// Time since each body met the sleep thresholds, in seconds.
    pub(crate) sleep_timers: Vec<f32>,
    /// State of each body when its sleep timer started.
    pub(crate) sleep_references: Vec<SleepReference>,
    /// Free slots; the last one is reused first.
    pub(crate) free: Vec<u32>,
    /// Pairs whose contacts a joint disables, sorted; one entry per joint.
    joint_filtered_pairs: Vec<OverlapPair>,
}

impl BodySet {
    /// Number of bodies.
    pub(crate) fn len(&self) -> usize {
        self.data.len() - self.free.len()
    }

    /// Index of a body; `None` if it was removed.
    pub(crate) fn find(&self, id: BodyId) -> Option<usize> {
        let index = id.index as usize;
        let is_alive = *self.generations.get(index)? == id.generation && self.data[index].is_some();
        is_alive.then_some(index)
    }

    pub(crate) fn id(&self, index: usize) -> BodyId {
        BodyId { index: index as u32, generation: self.generations[index] }
    }

    /// Data of a live body.
    #[inline]
    pub(crate) fn data(&self, index: usize) -> &BodyData {
        live_data(&self.data, index)
    }

    /// Data of a live body, to be edited.
    pub(crate) fn data_mut(&mut self, index: usize) -> &mut BodyData {
        self.data[index].as_mut().expect(EMPTY_SLOT)
    }

    pub(crate) fn is_alive(&self, index: usize) -> bool {
        self.data.get(index).is_some_and(Option::is_some)
    }

    /// Indices of all awake dynamic and kinematic bodies, in ascending order.
    pub(crate) fn awake(&self) -> impl Iterator<Item = usize> {
        (0..self.data.len()).filter(|&index| {
            let can_move = |data: &BodyData| data.body_type != BodyType::Fixed;
            self.sleep_states[index] == SleepState::Awake
                && self.data[index].as_ref().is_some_and(can_move)
        })
    }

    /// Whether the contacts of a body are updated: it is awake and not fixed.
    #[inline]
    pub(crate) fn is_awake(&self, index: usize) -> bool {
        self.sleep_states[index] == SleepState::Awake
            && self.data(index).body_type != BodyType::Fixed
    }

    /// Whether the solver can change the velocity of a body in this step.
    #[inline]
    pub(crate) fn is_awake_dynamic(&self, index: usize) -> bool {
        self.sleep_states[index] == SleepState::Awake && self.is_dynamic(index)
    }

    /// Appends an empty slot and returns its index.
    pub(crate) fn push_empty_slot(&mut self) -> u32 {
        self.generations.push(0);
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
        self.data.len() as u32 - 1
    }

    /// Inserts a body from a validated definition.
    pub(crate) fn add(&mut self, def: BodyDef, mass: BodyMass) -> BodyId {
        let is_fixed = def.body_type == BodyType::Fixed;
        let center_of_mass = def.pose.transform_point(mass.centroid);
        let state = BodyState {
            linear_velocity: if is_fixed { Vec3::ZERO } else { def.linear_velocity },
            angular_velocity: if is_fixed { Vec3::ZERO } else { def.angular_velocity },
            ..BodyState::default()
        };
        let index = self.free.pop().unwrap_or_else(|| self.push_empty_slot()) as usize;
        allocate_generation(&mut self.generations, &mut self.next_generation, index);
        self.states[index] = state;
        self.com_poses[index] = BodyPose { center_of_mass, rotation: def.pose.rotation };
        self.poses[index] = def.pose;
        self.forces[index] = ExternalForces::default();
        self.sleep_states[index] = SleepState::Awake;
        self.sleep_timers[index] = 0.0;
        self.data[index] = Some(BodyData {
            max_extent: max_extent(&def.shape, mass.centroid),
            inner_radius: inner_radius(&def.shape, mass.centroid),
            part_inner_spheres: part_inner_spheres(&def.shape, mass.centroid),
            shape: def.shape,
            body_type: def.body_type,
            mass,
            material: def.material,
            damping: def.damping,
            gravity_scale: def.gravity_scale,
            locked_axes: def.locked_axes,
            collision_filter: def.collision_filter,
            sensor: def.sensor,
            can_sleep: def.can_sleep,
            is_world_boundary: false,
        });
        self.update_mass(index);
        self.id(index)
    }

    /// Frees a slot and invalidates its ids.
    pub(crate) fn remove(&mut self, index: usize) {
        self.data[index] = None;
        self.states[index] = BodyState::default();
        self.inverse_masses[index] = Vec3::ZERO;
        self.inverse_inertias[index] = Mat3::ZERO;
        self.generations[index] = self.generations[index].wrapping_add(1);
        self.free.push(index as u32);
    }

    /// Teleports a body.
    pub(crate) fn set_pose(&mut self, index: usize, pose: Pose) {
        let center_of_mass = pose.transform_point(self.data(index).mass.centroid);
        self.com_poses[index] = BodyPose { center_of_mass, rotation: pose.rotation };
        self.poses[index] = pose;
        self.update_world_inertia(index);
    }

    /// Updates the pose of the shape's frame from the pose at the center of mass.
    pub(crate) fn sync_pose(&mut self, index: usize) {
        self.poses[index] = shape_pose(self.data(index), &self.com_poses[index]);
    }

    /// Updates the inverse mass and inertia after a change of mass or locked axes.
    pub(crate) fn update_mass(&mut self, index: usize) {
        let BodyData { mass, locked_axes, .. } = self.data(index);
        let free = locked_axes.translation.map(|locked| if locked { 0.0 } else { 1.0 });
        self.inverse_masses[index] = Vec3::from(free) * mass.inverse;
        self.update_world_inertia(index);
    }

    /// Whether contacts and joints can change the velocity of a body.
    #[inline]
    pub(crate) fn is_dynamic(&self, index: usize) -> bool {
        self.data(index).body_type == BodyType::Dynamic
    }

    /// Updates the inverse inertia tensor in world space from the pose.
    pub(crate) fn update_world_inertia(&mut self, index: usize) {
        self.inverse_inertias[index] =
            world_inverse_inertia(self.data(index), &self.com_poses[index]);
    }

    /// Replaces all bodies by those of a snapshot. No id that this world has used is allocated
    /// again.
    pub(crate) fn restore(&mut self, snapshot: &Self) {
        let next_generation = core::mem::take(&mut self.next_generation);
        self.clone_from(snapshot);
        merge_next_generation(&mut self.next_generation, &next_generation);
    }

    /// Whether a joint disables the contacts of a pair.
    pub(crate) fn is_joint_filtered(&self, pair: OverlapPair) -> bool {
        self.joint_filtered_pairs.binary_search(&pair).is_ok()
    }

    /// Disables the contacts of a pair, for one joint.
    pub(crate) fn add_joint_filter(&mut self, pair: OverlapPair) {
        let position = self.joint_filtered_pairs.partition_point(|&other| other < pair);
        self.joint_filtered_pairs.insert(position, pair);
    }

    /// Removes the entry of one joint; another joint of the pair can still disable its contacts.
    pub(crate) fn remove_joint_filter(&mut self, pair: OverlapPair) {
        if let Ok(position) = self.joint_filtered_pairs.binary_search(&pair) {
            self.joint_filtered_pairs.remove(position);
        }
    }

    /// Velocity of the material point of a body at `point` in world space.
    pub(crate) fn velocity_at_point(&self, index: usize, point: Vec3) -> Vec3 {
        let BodyState { linear_velocity, angular_velocity, .. } = self.states[index];
        linear_velocity + angular_velocity.cross(point - self.com_poses[index].center_of_mass)
    }
}

/// Bodies with adjacent indices that one worker processes at a time.
pub(crate) const BODY_CHUNK: usize = 64;

const EMPTY_SLOT: &str = "the index refers to a live body";

/// Data of a live body, where the arrays of a [`BodySet`] are borrowed separately.
///
/// Indices of bodies are only stored while the body is alive: the awake list is rebuilt every step,
/// and removing a body removes its pairs and joints.
#[inline]
pub(crate) fn live_data(data: &[Option<BodyData>], index: usize) -> &BodyData {
    data[index].as_ref().expect(EMPTY_SLOT)
}

/// Entries of the sorted list `awake` in the range `first..first + len`.
pub(crate) fn awake_in_range(
    awake: &[u32],
    first: usize,
    len: usize,
) -> impl Iterator<Item = usize> + '_ {
    let from = awake.partition_point(|&index| (index as usize) < first);
    awake[from..].iter().map(|&index| index as usize).take_while(move |&index| index < first + len)
}

/// Pose of the shape's frame for a pose at the center of mass.
pub(crate) fn shape_pose(
    data: &BodyData,
    &BodyPose { center_of_mass, rotation }: &BodyPose,
) -> Pose {
    Pose { rotation, position: center_of_mass - rotation.rotate(data.mass.centroid) }
}

/// Inverse inertia tensor in world space; 0 about locked axes.
pub(crate) fn world_inverse_inertia(data: &BodyData, pose: &BodyPose) -> Mat3 {
    let BodyData { mass, locked_axes, .. } = data;
    if locked_axes.rotation != [false; 3] {
        // An isotropic tensor is the same in every frame except for rounding, which must not depend
        // on the rotation.
        let inertia = if mass.is_isotropic { mass.inertia } else { world_inertia(data, pose) };
        inverse_with_locked_axes(&inertia, locked_axes.rotation)
    } else if mass.is_isotropic {
        mass.inverse_inertia
    } else {
        let axes = pose.rotation.to_matrix();
        axes * mass.inverse_inertia * axes.transpose()
    }
}

/// Inertia tensor about the center of mass in world space.
fn world_inertia(data: &BodyData, pose: &BodyPose) -> Mat3 {
    let axes = pose.rotation.to_matrix();
    axes * data.mass.inertia * axes.transpose()
}

/// Sets the generation of a slot to one that it never had.
pub(crate) fn allocate_generation(
    generations: &mut [u32],
    next_generation: &mut Vec<u32>,
    index: usize,
) {
    if next_generation.len() <= index {
        next_generation.resize(index + 1, 0);
    }
    generations[index] = generations[index].max(next_generation[index]);
    next_generation[index] = generations[index].wrapping_add(1);
}

/// Takes the maximum of two `next_generation` arrays, so that no id of either is allocated again.
pub(crate) fn merge_next_generation(next_generation: &mut Vec<u32>, before: &[u32]) {
    if next_generation.len() < before.len() {
        next_generation.resize(before.len(), 0);
    }
    for (next, &before) in next_generation.iter_mut().zip(before) {
        *next = (*next).max(before);
    }
}

/// Bounding radius about the centroid; 0 for unbounded shapes.
fn max_extent(shape: &Shape, centroid: Vec3) -> f32 {
    shape
        .bounding_sphere()
        .map_or(0.0, |sphere| (Vec3::from(sphere.center) - centroid).length() + sphere.radius)
}

/// Inverse of an inertia tensor restricted to the free axes; 0 in the rows and columns of locked
/// axes.
fn inverse_with_locked_axes(inertia: &Mat3, locked: [bool; 3]) -> Mat3 {
    let free_axes = (0..3).filter(|&axis| !locked[axis]);
    let trace: f32 = free_axes.map(|axis| inertia.columns[axis][axis]).sum();
    if trace <= 0.0 {
        return Mat3::ZERO;
    }
    // Scaled to a trace of 1, as in `BodyMass::from_shape`: the determinant could underflow f32.
    let mut part = *inertia * (1.0 / trace);
    for column in 0..3 {
        for row in 0..3 {
            if locked[column] || locked[row] {
                part.columns[column][row] = if column == row { 1.0 } else { 0.0 };
            }
        }
    }
    let mut inverse = part.inverse().unwrap_or(Mat3::ZERO) * (1.0 / trace);
    for axis in (0..3).filter(|&axis| locked[axis]) {
        inverse.columns[axis][axis] = 0.0;
    }
    inverse
}
