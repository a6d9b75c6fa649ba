//! Joints of scene files.

use std::collections::BTreeMap;

use embate::dynamics::{BodyId, JointDef, JointType};

use super::keys::{self, Keys};
use super::located_json::{BodyReference, Node, Object, escaped};
use super::numbers::{position, vector};
use super::{SceneError, SceneErrorKind};

/// A joint type by its name in scene files.
#[must_use]
pub fn type_name(joint_type: JointType) -> &'static str {
    match joint_type {
        JointType::Distance => "distance",
        JointType::Spherical => "spherical",
        JointType::Revolute => "revolute",
        JointType::Prismatic => "prismatic",
        JointType::Fixed => "fixed",
        JointType::Spring => "spring",
    }
}

/// The definition of a joint. Bodies are named, or referred to by index; anchors and axes are in
/// world space, for the initial poses.
pub(super) fn read_joint(
    joint: &Object<'_>,
    names: &BTreeMap<String, usize>,
    ids: &[BodyId],
) -> Result<JointDef, SceneError> {
    let find = |node: &Node<'_>| Ok(ids[find_body(node, names, ids.len())?]);
    let bodies = joint.require("bodies")?;
    let wrong_length =
        |found: usize| bodies.error(SceneErrorKind::WrongLength { expected: 2, found });
    let [a, b] = match bodies.list(usize::MAX)?[..] {
        [a, b] => [find(&a)?, find(&b)?],
        ref others => return Err(wrong_length(others.len())),
    };
    let (joint_type, value) = joint.require("joint")?.variant(keys::JOINT_TYPES)?;
    let point = |from: &Object<'_>, key: &'static str| position(&from.require(key)?);
    let def = match joint_type {
        "distance" => {
            let own = value.object(keys::DISTANCE_JOINT)?;
            let def = JointDef::distance(a, b, point(&own, "from")?, point(&own, "to")?);
            with_rest_length(with_limits(def, &own)?, &own)?
        }
        "spring" => {
            let own = value.object(keys::SPRING_JOINT)?;
            let stiffness = own.require("stiffness")?.number()?;
            let damping = own.read_or("damping", 0.0, Node::number)?;
            let (from, to) = (point(&own, "from")?, point(&own, "to")?);
            with_rest_length(JointDef::spring(a, b, from, to, stiffness, damping), &own)?
        }
        "spherical" => JointDef::spherical(a, b, anchor(&value)?),
        "fixed" => JointDef::fixed(a, b, anchor(&value)?),
        _ => {
            let own = value.object(keys::AXIS_JOINT)?;
            let (at, axis) = (point(&own, "anchor")?, vector(&own.require("axis")?)?);
            if joint_type == "revolute" {
                let def = with_limits(JointDef::revolute(a, b, at, axis), &own)?;
                with_motor(def, &own, keys::ANGULAR_MOTOR, "max_torque")?
            } else {
                let def = with_limits(JointDef::prismatic(a, b, at, axis), &own)?;
                with_motor(def, &own, keys::LINEAR_MOTOR, "max_force")?
            }
        }
    };
    Ok(def.collide_connected(joint.read_or("collide_connected", false, Node::boolean)?))
}

/// Index of a body that is named, or referred to by index, in a scene of `count` bodies.
pub(super) fn find_body(
    node: &Node<'_>,
    names: &BTreeMap<String, usize>,
    count: usize,
) -> Result<usize, SceneError> {
    match node.body_reference()? {
        BodyReference::Name(name) => names
            .get(&name)
            .copied()
            .ok_or_else(|| node.error(SceneErrorKind::UnknownBodyName { name: escaped(&name) })),
        BodyReference::Index(index) if (index as usize) < count => Ok(index as usize),
        BodyReference::Index(index) => {
            Err(node.error(SceneErrorKind::UnknownBodyIndex { index, count }))
        }
    }
}

fn anchor(value: &Node<'_>) -> Result<embate::Vec3, SceneError> {
    position(&value.object(keys::POINT_JOINT)?.require("anchor")?)
}

fn with_limits(def: JointDef, own: &Object<'_>) -> Result<JointDef, SceneError> {
    let limits = own.optional("limits", Node::numbers::<2>)?;
    Ok(limits.map_or(def, |[lower, upper]| def.limits(lower, upper)))
}

fn with_rest_length(def: JointDef, own: &Object<'_>) -> Result<JointDef, SceneError> {
    let length = own.optional("rest_length", Node::number)?;
    Ok(length.map_or(def, |length| def.rest_length(length)))
}

/// `max` is the key of the maximum force or torque.
fn with_motor(
    def: JointDef,
    own: &Object<'_>,
    keys: Keys,
    max: &'static str,
) -> Result<JointDef, SceneError> {
    let motor = own.optional("motor", |motor| {
        let motor = motor.object(keys)?;
        Ok((motor.require("target_velocity")?.number()?, motor.require(max)?.number()?))
    })?;
    Ok(motor.map_or(def, |(target_velocity, max)| def.motor(target_velocity, max)))
}
