//! Serialization of joints, with their accumulated impulses for warm starting.

use embate_geom::Vec3;

use crate::dynamics::body::body_def::BodyType;
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::joint::{JOINT_IMPULSE_SLOTS, JointData, JointSet, JointType, Motor, is_arm};
use crate::dynamics::slots::Slots;
use crate::dynamics::snapshot::serialize::bodies::read_free_slots;
use crate::dynamics::snapshot::serialize::reader_writer::{Reader, Writer};
use crate::dynamics::snapshot::serialize::{SnapshotDefect, SnapshotError};

/// Generation and whether the slot is occupied.
const MIN_SLOT_BYTES: usize = 5;

pub(crate) fn write(out: &mut Writer, joints: &JointSet) {
    let slots = joints.slots();
    out.count(slots.len());
    for (slot, joint) in (0..).zip(joints.slot_contents()) {
        out.u32(slots.generation(slot));
        out.u8(u8::from(joint.is_some()));
        if let Some(joint) = joint {
            write_joint(out, joint);
        }
    }
    out.count(slots.free().len());
    for &slot in slots.free() {
        out.u32(slot);
    }
}

fn write_joint(out: &mut Writer, joint: &JointData) {
    let JointData {
        ids: _,
        bodies,
        joint_type,
        collide_connected,
        anchors,
        frames,
        limits,
        motor,
        rest_length,
        stiffness,
        damping,
        angle,
        impulses,
    } = joint;
    for &body in bodies {
        out.u32(body.0);
    }
    let type_index = JointType::ALL.iter().position(|other| other == joint_type);
    out.u8(type_index.unwrap_or(0) as u8);
    out.flags(&[*collide_connected, limits.is_some(), motor.is_some()]);
    for &anchor in anchors {
        out.vec3(anchor);
    }
    for &frame in frames {
        out.rotation(frame);
    }
    for &limit in limits.iter().flatten() {
        out.f32(limit);
    }
    if let Some(Motor { target_velocity, max_force }) = motor {
        out.f32(*target_velocity);
        out.f32(*max_force);
    }
    for value in [*rest_length, *stiffness, *damping, *angle] {
        out.f32(value);
    }
    for &impulse in impulses {
        out.vec3(impulse);
    }
}

pub(crate) fn read(input: &mut Reader<'_>, bodies: &BodySet) -> Result<JointSet, SnapshotError> {
    let count = input.count(MIN_SLOT_BYTES)?;
    let (mut generations, mut joints, mut empty_slots) = (Vec::new(), Vec::new(), Vec::new());
    for slot in 0..count as u32 {
        generations.push(input.u32()?);
        let [occupied] = input.flags()?;
        joints.push(if occupied { Some(read_joint(input, bodies)?) } else { None });
        if !occupied {
            empty_slots.push(slot);
        }
    }
    let defect = SnapshotDefect::JointFreeListMismatch;
    let free = read_free_slots(input, &empty_slots, defect)?;
    Ok(JointSet::new(Slots::new(generations, free), joints))
}

fn read_joint(input: &mut Reader<'_>, bodies: &BodySet) -> Result<JointData, SnapshotError> {
    let indices = [BodyIndex(input.u32()?), BodyIndex(input.u32()?)];
    let exist = indices.iter().all(|&index| bodies.is_alive(index));
    input.ensure(exist && indices[0] != indices[1], SnapshotDefect::JointBodies)?;
    let has_dynamic =
        indices.iter().any(|&index| bodies.data(index).body_type == BodyType::Dynamic);
    input.ensure(has_dynamic, SnapshotDefect::NoDynamicBody)?;
    let Some(&joint_type) = JointType::ALL.get(usize::from(input.u8()?)) else {
        return input.error(SnapshotDefect::UnknownJointType);
    };
    let [collide_connected, has_limits, has_motor] = input.flags()?;
    let anchors = [input.vec3()?, input.vec3()?];
    let in_reach = |side: usize| {
        let body = bodies.data(indices[side]);
        is_arm(&body.mass, body.locked_axes, anchors[side].length())
    };
    input.ensure(in_reach(0) && in_reach(1), SnapshotDefect::AnchorTooFar)?;
    let frames = [input.rotation()?, input.rotation()?];
    let limits = if has_limits { Some([input.non_nan_f32()?, input.non_nan_f32()?]) } else { None };
    let motor = if has_motor {
        Some(Motor { target_velocity: input.finite_f32()?, max_force: input.finite_f32()? })
    } else {
        None
    };
    let (rest_length, stiffness, damping) =
        (input.finite_f32()?, input.finite_f32()?, input.finite_f32()?);
    let angle = input.finite_f32()?;
    let mut impulses = [Vec3::ZERO; JOINT_IMPULSE_SLOTS];
    for impulse in &mut impulses {
        *impulse = input.vec3()?;
    }
    let joint = JointData {
        ids: indices.map(|index| bodies.id(index)),
        bodies: indices,
        joint_type,
        collide_connected,
        anchors,
        frames,
        limits,
        motor,
        rest_length,
        stiffness,
        damping,
        angle,
        impulses,
    };
    input.ensure(joint.is_valid(), SnapshotDefect::JointPropertyOutOfRange)?;
    Ok(joint)
}
