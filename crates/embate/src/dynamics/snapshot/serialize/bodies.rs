//! Serialization of bodies, their shapes and their fat AABBs.

use embate_geom::Aabb;

use crate::broad_phase::AabbSlice;
use crate::dynamics::body::body_data::{
    BodyData, BodyPose, BodyState, ExternalForces, SleepReference, SleepState,
};
use crate::dynamics::body::body_def::{BodyDef, BodyType, CollisionFilter, LockedAxes, Material};
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::broad_phase::AABB_ROUNDING;
use crate::dynamics::settings::Settings;
use crate::dynamics::slots::Slots;
use crate::dynamics::snapshot::serialize::reader_writer::{Reader, Writer};
use crate::dynamics::snapshot::serialize::shapes::{self, ShapeTable};
use crate::dynamics::snapshot::serialize::{SnapshotDefect, SnapshotError};

/// The smallest shape is a sphere: type and radius.
const MIN_SHAPE_BYTES: usize = 5;
/// Generation and whether the slot is occupied.
const MIN_SLOT_BYTES: usize = 5;
const INDEX_BYTES: usize = 4;
const FAT_AABB_BYTES: usize = 28;

/// Largest accepted distance between the stored center of mass and the one that follows from the
/// pose, relative to 1 m plus the largest coordinate.
const CENTER_OF_MASS_TOLERANCE: f32 = 1e-3;

pub(crate) fn write(out: &mut Writer, bodies: &BodySet) {
    let mut table = ShapeTable::new();
    let shape_indices: Vec<Option<u32>> = bodies
        .slot_indices()
        .map(|index| bodies.get(index).map(|body| table.index_of(&body.shape)))
        .collect();
    out.count(table.shapes.len());
    for shape in &table.shapes {
        out.raw(shape);
    }
    out.count(bodies.slot_count());
    for (index, shape_index) in bodies.slot_indices().zip(shape_indices) {
        out.u32(bodies.slots().generation(index.0));
        out.u8(u8::from(shape_index.is_some()));
        if let Some(shape_index) = shape_index {
            out.u32(shape_index);
            write_body(out, bodies, index);
        }
    }
    out.count(bodies.slots().free().len());
    for &slot in bodies.slots().free() {
        out.u32(slot);
    }
}

fn write_body(out: &mut Writer, bodies: &BodySet, index: BodyIndex) {
    let BodyData {
        shape: _,
        body_type,
        mass,
        material,
        damping,
        gravity_scale,
        locked_axes,
        collision_filter,
        sensor,
        can_sleep,
        is_world_boundary,
        // Written as extensions.
        user_data: _,
        mass_when_dynamic: _,
        // Derived from the shape.
        max_extent: _,
        inner_radius: _,
        part_core_spheres: _,
    } = bodies.data(index);
    let forces = bodies.forces(index);
    let (has_forces, asleep) =
        (*forces != ExternalForces::default(), bodies.sleep_state(index) != SleepState::Awake);
    out.u8(match body_type {
        BodyType::Dynamic => 0,
        BodyType::Kinematic => 1,
        BodyType::Fixed => 2,
    });
    out.flags(&[*sensor, *can_sleep, *is_world_boundary, has_forces, asleep]);
    let ([tx, ty, tz], [rx, ry, rz]) = (locked_axes.translation, locked_axes.rotation);
    out.flags(&[tx, ty, tz, rx, ry, rz]);
    out.f32(mass.kilograms);
    // The combine rules are written as extensions.
    let Material { restitution, friction, rolling_resistance, torsional_resistance, .. } =
        *material;
    for value in [restitution, friction, rolling_resistance, torsional_resistance] {
        out.f32(value);
    }
    for &rate in damping {
        out.f32(rate);
    }
    out.f32(*gravity_scale);
    out.u32(collision_filter.category);
    out.u32(collision_filter.mask);
    let BodyPose { center_of_mass, rotation } = *bodies.com_pose(index);
    out.vec3(center_of_mass);
    out.rotation(rotation);
    // Not derived from the center of mass: before the first step, the position is as it was set,
    // without the rounding of that round trip.
    out.vec3(bodies.pose(index).position);
    let BodyState { linear_velocity, angular_velocity, delta_position: _, delta_rotation: _ } =
        *bodies.state(index);
    out.vec3(linear_velocity);
    out.vec3(angular_velocity);
    out.f32(bodies.sleep_timer(index));
    if bodies.sleep_timer(index) > 0.0 {
        let SleepReference {
            pose: BodyPose { center_of_mass, rotation },
            linear_velocity,
            angular_velocity,
        } = *bodies.sleep_reference(index);
        out.vec3(center_of_mass);
        out.rotation(rotation);
        out.vec3(linear_velocity);
        out.vec3(angular_velocity);
    }
    if has_forces {
        out.vec3(forces.force);
        out.vec3(forces.torque);
    }
    if let SleepState::Asleep(island) = bodies.sleep_state(index) {
        out.u32(island);
    }
}

pub(crate) fn read(input: &mut Reader<'_>) -> Result<BodySet, SnapshotError> {
    let count = input.count(MIN_SHAPE_BYTES)?;
    let mut shapes = Vec::with_capacity(count);
    for _ in 0..count {
        shapes.push(shapes::read(input)?);
    }
    let count = input.count(MIN_SLOT_BYTES)?;
    let mut bodies = BodySet::default();
    let (mut generations, mut empty_slots) = (Vec::new(), Vec::new());
    for slot in 0..count as u32 {
        generations.push(input.u32()?);
        let [occupied] = input.flags()?;
        if occupied {
            let shape_index = input.u32()? as usize;
            let Some(shape) = shapes.get(shape_index) else {
                return input.error(SnapshotDefect::ShapeIndexOutOfRange);
            };
            read_body(input, &mut bodies, BodyDef::fixed(shape.clone()))?;
        } else {
            bodies.append_empty_slot();
            empty_slots.push(slot);
        }
    }
    let defect = SnapshotDefect::BodyFreeListMismatch;
    let free = read_free_slots(input, &empty_slots, defect)?;
    bodies.set_slots(Slots::new(generations, free));
    Ok(bodies)
}

/// Reads a free list: every empty slot occurs once, in any order. The order determines which slot
/// is reused next.
pub(super) fn read_free_slots(
    input: &mut Reader<'_>,
    empty_slots: &[u32],
    defect: SnapshotDefect,
) -> Result<Vec<u32>, SnapshotError> {
    let count = input.count(INDEX_BYTES)?;
    let mut free = Vec::with_capacity(count);
    for _ in 0..count {
        free.push(input.u32()?);
    }
    let mut sorted = free.clone();
    sorted.sort_unstable();
    input.ensure(sorted == empty_slots, defect)?;
    Ok(free)
}

fn read_body(
    input: &mut Reader<'_>,
    bodies: &mut BodySet,
    mut def: BodyDef,
) -> Result<(), SnapshotError> {
    def.body_type = match input.u8()? {
        0 => BodyType::Dynamic,
        1 => BodyType::Kinematic,
        2 => BodyType::Fixed,
        _ => return input.error(SnapshotDefect::UnknownBodyType),
    };
    let [sensor, can_sleep, is_world_boundary, has_forces, asleep] = input.flags()?;
    (def.sensor, def.can_sleep) = (sensor, can_sleep);
    let [tx, ty, tz, rx, ry, rz] = input.flags()?;
    def.locked_axes = LockedAxes { translation: [tx, ty, tz], rotation: [rx, ry, rz] };
    def.mass = input.finite_f32()?;
    def.material = Material {
        restitution: input.finite_f32()?,
        friction: input.finite_f32()?,
        rolling_resistance: input.finite_f32()?,
        torsional_resistance: input.finite_f32()?,
        ..Material::default()
    };
    def.damping = [input.finite_f32()?, input.finite_f32()?];
    def.gravity_scale = input.finite_f32()?;
    def.collision_filter = CollisionFilter { category: input.u32()?, mask: input.u32()? };
    let com_pose = BodyPose { center_of_mass: input.vec3()?, rotation: input.rotation()? };
    def.pose.position = input.vec3()?;
    def.pose.rotation = com_pose.rotation;
    let (linear_velocity, angular_velocity) = (input.vec3()?, input.vec3()?);
    let sleep_timer = input.finite_f32()?;
    let sleep_reference = if sleep_timer > 0.0 {
        let pose = BodyPose { center_of_mass: input.vec3()?, rotation: input.rotation()? };
        SleepReference { pose, linear_velocity: input.vec3()?, angular_velocity: input.vec3()? }
    } else {
        SleepReference::default()
    };
    let forces = if has_forces {
        ExternalForces { force: input.vec3()?, torque: input.vec3()? }
    } else {
        ExternalForces::default()
    };
    let sleep_state = if asleep { SleepState::Asleep(input.u32()?) } else { SleepState::Awake };

    let Ok(mass) = def.validate() else {
        return input.error(SnapshotDefect::BodyPropertyOutOfRange);
    };
    let aabb = def.shape.aabb(&def.pose);
    input.ensure(AabbSlice::validate(0, &aabb).is_ok(), SnapshotDefect::BodyAabbOutOfRange)?;
    let center_error =
        (com_pose.center_of_mass - def.pose.transform_point(mass.center_of_mass)).length();
    let is_consistent = center_error
        <= CENTER_OF_MASS_TOLERANCE * (1.0 + com_pose.center_of_mass.abs().max_element());
    input.ensure(is_consistent, SnapshotDefect::CenterOfMassMismatch)?;
    let index = bodies.add(def, mass);
    *bodies.com_pose_mut(index) = com_pose;
    *bodies.state_mut(index) =
        BodyState { linear_velocity, angular_velocity, ..BodyState::default() };
    *bodies.forces_mut(index) = forces;
    *bodies.sleep_state_mut(index) = sleep_state;
    *bodies.sleep_timer_mut(index) = sleep_timer;
    *bodies.sleep_reference_mut(index) = sleep_reference;
    bodies.set_world_boundary(index, is_world_boundary);
    Ok(())
}

pub(crate) fn write_fat_aabbs(out: &mut Writer, fat_aabbs: &[(BodyIndex, Aabb<3>)]) {
    out.count(fat_aabbs.len());
    for (index, aabb) in fat_aabbs {
        out.u32(index.0);
        for &value in aabb.min.iter().chain(&aabb.max) {
            out.f32(value);
        }
    }
}

/// Reads one fat AABB for each body.
///
/// A fat AABB may exceed the AABB of its body by the distance that the body covers at maximum speed
/// in 6 s: 3 s is the look-ahead of the longest step, and the factor 2 covers bodies that have
/// stopped since. This bound keeps forged bytes from making every body a neighbor of every other.
pub(crate) fn read_fat_aabbs(
    input: &mut Reader<'_>,
    bodies: &BodySet,
    settings: &Settings,
) -> Result<Vec<(BodyIndex, Aabb<3>)>, SnapshotError> {
    let max_margin = 6.0 * settings.max_linear_speed + settings.speculative_distance() + 1.0;
    let count = input.count(FAT_AABB_BYTES)?;
    let mut fat_aabbs = Vec::with_capacity(count);
    for _ in 0..count {
        let index = BodyIndex(input.u32()?);
        let (min, max) = (input.vec3()?.to_array(), input.vec3()?.to_array());
        let fat_aabb = Aabb { min, max };
        input.ensure(AabbSlice::validate(0, &fat_aabb).is_ok(), SnapshotDefect::InvalidFatAabb)?;
        let Some(body) = bodies.get(index) else {
            return input.error(SnapshotDefect::FatAabbWithoutBody);
        };
        // Rotation adds up to the bounding radius; far from the origin, AABBs are rounded.
        let center = bodies.com_pose(index).center_of_mass.abs().max_element();
        let max_margin = max_margin + body.max_extent + AABB_ROUNDING * (center + body.max_extent);
        let limit = body.shape.aabb(bodies.pose(index)).loosened(max_margin);
        let is_within =
            (0..3).all(|axis| limit.min[axis] <= min[axis] && max[axis] <= limit.max[axis]);
        input.ensure(is_within, SnapshotDefect::FatAabbTooLarge)?;
        fat_aabbs.push((index, fat_aabb));
    }
    let indices = fat_aabbs.iter().map(|(index, _)| *index);
    let expected = bodies.iter().map(|(index, _)| index);
    input.ensure(indices.eq(expected), SnapshotDefect::FatAabbMismatch)?;
    Ok(fat_aabbs)
}
