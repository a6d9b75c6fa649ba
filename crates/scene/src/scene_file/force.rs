//! Applied forces of scene files.

use std::collections::BTreeMap;

use embate::dynamics::{BodyId, BodyType, Quantity};
use embate_replica::lasch::{AppliedForce, ForceLaw};

use super::joint::find_body;
use super::located_json::{Node, Object};
use super::numbers::{position, vector_within, within};
use super::{Body, SceneError, SceneErrorKind, SceneQuantity, keys};

/// Maximum magnitude of each component of a force, in N, and of the other coefficients.
const MAX_COEFFICIENT: f32 = 1e12;
/// Maximum time of a window, in s: 30 years.
const MAX_TIME: f32 = 1e9;

/// A force: its body, its window and one of the keys of its laws.
pub(super) fn read_force(
    force: &Object<'_>,
    names: &BTreeMap<String, usize>,
    ids: &[BodyId],
    bodies: &[Body],
) -> Result<AppliedForce, SceneError> {
    let reference = force.require("body")?;
    let index = find_body(&reference, names, ids.len())?;
    if bodies[index].body_type != BodyType::Dynamic {
        return Err(reference.error(SceneErrorKind::ForceNotDynamic));
    }
    let time = |node: &Node<'_>| within(SceneQuantity::ForceTime, 0.0, MAX_TIME)(node);
    let from = force.read_or("from", 0.0, time)?;
    let until = force.read("until", |node| Ok((*node, time(node)?)))?;
    if let Some((node, until)) = until.filter(|&(_, until)| until <= from) {
        return Err(node.error(SceneErrorKind::ForceWindow { from, until }));
    }
    let until = until.map_or(f64::INFINITY, |(_, until)| f64::from(until));
    let law = match (force.get("force"), force.get("spring"), force.get("central")) {
        (Some(node), None, None) => {
            ForceLaw::Constant(vector_within(&node, Quantity::Force, MAX_COEFFICIENT)?)
        }
        (None, Some(node), None) => spring(&node.object(keys::FORCE_SPRING)?)?,
        (None, None, Some(node)) => central(&node.object(keys::FORCE_CENTRAL)?)?,
        _ => return Err(force.error(SceneErrorKind::ForceForm)),
    };
    Ok(AppliedForce { body: ids[index], law, from: f64::from(from), until })
}

fn spring(spring: &Object<'_>) -> Result<ForceLaw, SceneError> {
    let coefficient = |quantity: Quantity| within(quantity, 0.0, MAX_COEFFICIENT);
    Ok(ForceLaw::Spring {
        anchor: position(&spring.require("anchor")?)?,
        stiffness: coefficient(Quantity::Stiffness)(&spring.require("stiffness")?)?,
        damping: spring.read_or("damping", 0.0, coefficient(Quantity::SpringDamping))?,
    })
}

fn central(central: &Object<'_>) -> Result<ForceLaw, SceneError> {
    let strength = within(SceneQuantity::ForceStrength, -MAX_COEFFICIENT, MAX_COEFFICIENT);
    Ok(ForceLaw::Central {
        center: position(&central.require("center")?)?,
        strength: strength(&central.require("strength")?)?,
    })
}
