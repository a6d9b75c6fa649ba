//! Serialization of joints, with their accumulated impulses for warm starting.

use embate_geom::Vec3;

use crate::dynamics::body::body_def::BodyType;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::joint::{JointData, JointSet, JointType, Motor, SLOTS, is_arm};
use crate::dynamics::snapshot::serialize::SnapshotError;
use crate::dynamics::snapshot::serialize::reader_writer::{Reader, Writer};

/// Generation and whether the slot is occupied.
const MIN_SLOT_BYTES: usize = 5;
const INDEX_BYTES: usize = 4;

pub(crate) fn write(out: &mut Writer, joints: &JointSet) {
    out.count(joints.joints.len());
    for (slot, &generation) in joints.joints.iter().zip(&joints.generations) {
        out.u32(generation);
        out.u8(u8::from(slot.is_some()));
        if let Some(joint) = slot {
            write_joint(out, joint);
        }
    }
    out.count(joints.free.len());
    for &index in &joints.free {
        out.u32(index);
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
        out.u32(body as u32);
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
    let mut joints = JointSet::default();
    let mut empty_slots = Vec::new();
    for index in 0..count {
        joints.generations.push(input.u32()?);
        let [occupied] = input.flags()?;
        joints.joints.push(if occupied { Some(read_joint(input, bodies)?) } else { None });
        if !occupied {
            empty_slots.push(index as u32);
        }
    }
    let count = input.count(INDEX_BYTES)?;
    for _ in 0..count {
        joints.free.push(input.u32()?);
    }
    let mut sorted = joints.free.clone();
    sorted.sort_unstable();
    input.ensure(sorted == empty_slots, "free list does not match the empty joint slots")?;
    Ok(joints)
}

fn read_joint(input: &mut Reader<'_>, bodies: &BodySet) -> Result<JointData, SnapshotError> {
    let indices = [input.u32()? as usize, input.u32()? as usize];
    let exist = indices.iter().all(|&index| bodies.is_alive(index));
    input.ensure(
        exist && indices[0] != indices[1],
        "joint does not connect two different existing bodies",
    )?;
    let has_dynamic =
        indices.iter().any(|&index| bodies.data(index).body_type == BodyType::Dynamic);
    input.ensure(has_dynamic, "joint without a dynamic body")?;
    let Some(&joint_type) = JointType::ALL.get(usize::from(input.u8()?)) else {
        return input.error("unknown joint type");
    };
    let [collide_connected, has_limits, has_motor] = input.flags()?;
    let anchors = [input.vec3()?, input.vec3()?];
    let in_reach = |side: usize| {
        let body = bodies.data(indices[side]);
        is_arm(&body.mass, body.locked_axes, anchors[side].length())
    };
    input.ensure(in_reach(0) && in_reach(1), "joint anchor too far from its body")?;
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
    let mut impulses = [Vec3::ZERO; SLOTS];
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
    input.ensure(joint.is_valid(), "joint property out of range")?;
    Ok(joint)
}
