//! Data of one body: the elements of the arrays of a
//! [`BodySet`](crate::dynamics::body::body_set::BodySet).

use embate_geom::{Mat3, Pose, Rotation, Vec3};

use crate::dynamics::body::body_def::{BodyDef, BodyType, CollisionFilter, LockedAxes, Material};
use crate::dynamics::body::mass_properties::{BodyMass, inverse_with_locked_axes};
use crate::dynamics::ccd::core_spheres::{CoreSphere, inner_radius, part_core_spheres};
use crate::shapes::Shape;

/// Velocities and displacement of a body: the state that the solver changes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct BodyState {
    /// Velocity of the center of mass, in m/s.
    pub(crate) linear_velocity: Vec3,
    /// Angular velocity about the world axes, in rad/s.
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
    /// Number that the caller associates with the body.
    pub(crate) user_data: u128,
    /// Mass of a fixed or kinematic body when it becomes dynamic, in kg; 0 if there is none, and
    /// for dynamic bodies.
    pub(crate) mass_when_dynamic: f32,
    /// Bounding radius about the center of mass, in meters; 0 for unbounded shapes.
    pub(crate) max_extent: f32,
    /// Radius of a sphere about the center of mass that is inside the shape; 0 if there is none.
    pub(crate) inner_radius: f32,
    /// Core spheres of the sub-shapes, for shapes with an `inner_radius` of 0.
    pub(crate) part_core_spheres: Vec<CoreSphere>,
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

impl BodyData {
    /// Material of the contacts of two bodies. At a boundary plane, the material of the other body
    /// applies, without friction.
    pub(crate) fn contact_material(&self, other: &Self) -> Material {
        let material = |data: &Self| {
            if self.is_world_boundary || other.is_world_boundary {
                data.material.without_combine_rules()
            } else {
                data.material
            }
        };
        material(self).combine(&material(other))
    }

    /// Changes the type and the mass properties, with the radii that depend on the center of mass.
    pub(super) fn set_body_type(&mut self, body_type: BodyType, mass: BodyMass) {
        if self.body_type == BodyType::Dynamic {
            self.mass_when_dynamic = self.mass.kilograms;
        }
        if body_type == BodyType::Dynamic {
            self.mass_when_dynamic = 0.0;
        }
        self.max_extent = max_extent(&self.shape, mass.center_of_mass);
        self.inner_radius = inner_radius(&self.shape, mass.center_of_mass);
        self.part_core_spheres = part_core_spheres(&self.shape, mass.center_of_mass);
        (self.body_type, self.mass) = (body_type, mass);
    }

    /// From a validated definition.
    pub(super) fn new(def: BodyDef, mass: BodyMass) -> Self {
        Self {
            max_extent: max_extent(&def.shape, mass.center_of_mass),
            inner_radius: inner_radius(&def.shape, mass.center_of_mass),
            part_core_spheres: part_core_spheres(&def.shape, mass.center_of_mass),
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
            user_data: def.user_data,
            mass_when_dynamic: 0.0,
            is_world_boundary: false,
        }
    }

    /// Pose of the shape's frame for a pose at the center of mass.
    pub(crate) fn shape_pose(&self, pose: &BodyPose) -> Pose {
        let &BodyPose { center_of_mass, rotation } = pose;
        Pose { rotation, position: center_of_mass - rotation.rotate(self.mass.center_of_mass) }
    }

    /// Inverse inertia tensor in world space; 0 about locked axes.
    pub(crate) fn world_inverse_inertia(&self, pose: &BodyPose) -> Mat3 {
        let Self { mass, locked_axes, .. } = self;
        if locked_axes.rotation != [false; 3] {
            // An isotropic tensor is the same in every frame except for rounding, which must not
            // depend on the rotation.
            let inertia = if mass.is_isotropic { mass.inertia } else { self.world_inertia(pose) };
            inverse_with_locked_axes(&inertia, locked_axes.rotation)
        } else if mass.is_isotropic {
            mass.inverse_inertia
        } else {
            let axes = pose.rotation.to_matrix();
            axes * mass.inverse_inertia * axes.transpose()
        }
    }

    /// Inertia tensor about the center of mass in world space.
    pub(super) fn world_inertia(&self, pose: &BodyPose) -> Mat3 {
        let axes = pose.rotation.to_matrix();
        axes * self.mass.inertia * axes.transpose()
    }
}

/// Bounding radius about the centroid; 0 for unbounded shapes.
fn max_extent(shape: &Shape, centroid: Vec3) -> f32 {
    shape
        .bounding_sphere()
        .map_or(0.0, |sphere| (Vec3::from(sphere.center) - centroid).length() + sphere.radius)
}
