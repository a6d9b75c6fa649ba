//! A joint of a scene file: which two bodies it holds together, where, and how.

use std::collections::BTreeMap;

use embate::Vec3;
use embate::dynamics::{BodyId, JointDef};
use serde::Deserialize;

use super::numbers;

/// The joint's own words.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JointText {
    /// What messages call it.
    #[serde(default)]
    pub(super) name: Option<String>,
    bodies: [Reference; 2],
    joint: KindText,
    #[serde(default)]
    colliding: bool,
}

/// A body by its name, or by its number counted from 0.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "expected the name or the number of a body")]
enum Reference {
    Name(String),
    Number(u32),
}

/// `{"ball":{"at":[0,1,0]}}` and its like. Places are in the world, as the bodies stand at first.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum KindText {
    Distance(DistanceText),
    Ball(AtText),
    Hinge(HingeText),
    Slider(SliderText),
    Weld(AtText),
    Spring(SpringText),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct AtText {
    #[serde(deserialize_with = "numbers::position")]
    at: Vec3,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct DistanceText {
    #[serde(deserialize_with = "numbers::position")]
    from: Vec3,
    #[serde(deserialize_with = "numbers::position")]
    to: Vec3,
    limits: Option<[f32; 2]>,
    length: Option<f32>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct HingeText {
    #[serde(deserialize_with = "numbers::position")]
    at: Vec3,
    #[serde(deserialize_with = "numbers::vector")]
    axis: Vec3,
    limits: Option<[f32; 2]>,
    motor: Option<TurningText>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct TurningText {
    speed: f32,
    torque: f32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SliderText {
    #[serde(deserialize_with = "numbers::position")]
    at: Vec3,
    #[serde(deserialize_with = "numbers::vector")]
    axis: Vec3,
    limits: Option<[f32; 2]>,
    motor: Option<SlidingText>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SlidingText {
    speed: f32,
    force: f32,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct SpringText {
    #[serde(deserialize_with = "numbers::position")]
    from: Vec3,
    #[serde(deserialize_with = "numbers::position")]
    to: Vec3,
    stiffness: f32,
    #[serde(default)]
    damping: f32,
    length: Option<f32>,
}

impl JointText {
    /// What a world is asked to join.
    ///
    /// # Errors
    /// A body that is not in the scene.
    pub(super) fn plan(
        &self,
        names: &BTreeMap<String, usize>,
        ids: &[BodyId],
    ) -> Result<JointDef, String> {
        let find = |body: &Reference| match body {
            Reference::Name(name) => {
                let place = names.get(name).map(|&place| ids[place]);
                place.ok_or_else(|| format!("there is no body called {name:?}; check the name"))
            }
            Reference::Number(number) => ids.get(*number as usize).copied().ok_or_else(|| {
                format!(
                    "there is no body {number}; they are counted from 0 to {}",
                    ids.len().max(1) - 1
                )
            }),
        };
        let (a, b) = (find(&self.bodies[0])?, find(&self.bodies[1])?);
        let plan = match &self.joint {
            KindText::Distance(DistanceText { from, to, limits, length }) => {
                let plan = limited(JointDef::distance(a, b, *from, *to), *limits);
                with_length(plan, *length)
            }
            KindText::Ball(AtText { at }) => JointDef::spherical(a, b, *at),
            KindText::Weld(AtText { at }) => JointDef::fixed(a, b, *at),
            KindText::Hinge(HingeText { at, axis, limits, motor }) => {
                let plan = limited(JointDef::revolute(a, b, *at, *axis), *limits);
                match *motor {
                    Some(TurningText { speed, torque }) => plan.motor(speed, torque),
                    None => plan,
                }
            }
            KindText::Slider(SliderText { at, axis, limits, motor }) => {
                let plan = limited(JointDef::prismatic(a, b, *at, *axis), *limits);
                match *motor {
                    Some(SlidingText { speed, force }) => plan.motor(speed, force),
                    None => plan,
                }
            }
            KindText::Spring(SpringText { from, to, stiffness, damping, length }) => {
                with_length(JointDef::spring(a, b, *from, *to, *stiffness, *damping), *length)
            }
        };
        Ok(plan.collide_connected(self.colliding))
    }
}

fn limited(plan: JointDef, limits: Option<[f32; 2]>) -> JointDef {
    match limits {
        Some([least, most]) => plan.limits(least, most),
        None => plan,
    }
}

fn with_length(plan: JointDef, length: Option<f32>) -> JointDef {
    match length {
        Some(length) => plan.rest_length(length),
        None => plan,
    }
}
