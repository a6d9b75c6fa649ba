//! Upgrade of earlier keys and names to the documented ones, in parsed JSON.
//!
//! The reader accepts both spellings; a scene that is edited and written again is upgraded first,
//! so that a change by one spelling replaces a value given by the other. Where both are present
//! nothing is renamed, and the reader reports the conflict.

use serde_json::{Map, Value};

use super::body::{AXES, BODY_TYPES};
use super::keys::{self, Keys};
use super::located_json::Name;
use super::settings::{BOUNDARY_MODES, SOLVERS};

/// A JSON object.
type Object = Map<String, Value>;

/// Upgrades the keys of a scene, without its bodies and joints.
pub fn upgrade_settings(settings: &mut Object) {
    rename_keys(settings, keys::SCENE);
    rename_value(settings.get_mut("solver"), SOLVERS);
    if let Some(Value::Object(bounds)) = settings.get_mut("bounds") {
        rename_keys(bounds, keys::BOUNDS);
        rename_value(bounds.get_mut("mode"), BOUNDARY_MODES);
    }
}

/// Upgrades a whole body.
pub fn upgrade_body(body: &mut Object) {
    upgrade_body_change(body, &Object::new());
}

/// Upgrades changes of a body whose upgraded keys are `own`; `null` removes a key.
pub fn upgrade_body_change(changes: &mut Object, own: &Object) {
    upgrade_type(changes, own);
    rename_keys(changes, keys::BODY);
    rename_value(changes.get_mut("type"), BODY_TYPES);
    if let Some(Value::Array(axes)) = changes.get_mut("locked_axes") {
        for axis in axes {
            rename_value(Some(axis), AXES);
        }
    }
    if let Some(Value::Object(filter)) = changes.get_mut("collision_filter") {
        rename_keys(filter, keys::COLLISION_FILTER);
    }
}

/// Replaces `static` and `driven`, two booleans, by `type`. A flag that the changes do not contain
/// is that of the body's own type.
fn upgrade_type(changes: &mut Object, own: &Object) {
    let is_flag =
        |value: Option<&Value>| value.is_none_or(|flag| flag.is_boolean() || flag.is_null());
    let given = ["static", "driven"].map(|key| changes.get(key));
    if given == [None, None] || changes.contains_key("type") || !given.iter().all(|v| is_flag(*v)) {
        return;
    }
    let own_type = own.get("type").and_then(Value::as_str);
    let flag = |given: Option<&Value>, name: &str| match given {
        Some(flag) => flag == &Value::Bool(true),
        None => own_type == Some(name),
    };
    let upgraded = match (flag(given[0], "fixed"), flag(given[1], "kinematic")) {
        // The reader reports a contradiction within the change; against the own type the change
        // wins.
        (true, true) if given.iter().all(Option::is_some) => return,
        (true, is_driven) if !is_driven || given[0].is_some() => "fixed".into(),
        (_, true) => "kinematic".into(),
        _ if given.iter().flatten().any(|flag| flag.is_boolean()) => "dynamic".into(),
        _ => Value::Null,
    };
    changes.remove("static");
    changes.remove("driven");
    changes.insert("type".to_owned(), upgraded);
}

/// Upgrades a joint.
pub fn upgrade_joint(joint: &mut Object) {
    rename_keys(joint, keys::JOINT);
    let Some(Value::Object(types)) = joint.get_mut("joint") else { return };
    rename_keys(types, keys::JOINT_TYPES);
    for (joint_type, own) in types.iter_mut() {
        let Value::Object(own) = own else { continue };
        let (own_keys, motor_keys): (Keys, Keys) = match joint_type.as_str() {
            "distance" => (keys::DISTANCE_JOINT, &[]),
            "spring" => (keys::SPRING_JOINT, &[]),
            "revolute" => (keys::AXIS_JOINT, keys::ANGULAR_MOTOR),
            "prismatic" => (keys::AXIS_JOINT, keys::LINEAR_MOTOR),
            _ => (keys::POINT_JOINT, &[]),
        };
        rename_keys(own, own_keys);
        if let Some(Value::Object(motor)) = own.get_mut("motor") {
            rename_keys(motor, motor_keys);
        }
    }
}

fn rename_keys(object: &mut Object, keys: Keys) {
    for key in keys.iter().filter(|key| !key.is_current()) {
        // Two booleans have no key of their own: see `upgrade_type`.
        if key.name != "type"
            && !object.contains_key(key.name)
            && let Some(value) = object.remove(key.spelling)
        {
            object.insert(key.name.to_owned(), value);
        }
    }
}

fn rename_value<T>(value: Option<&mut Value>, names: &[Name<T>]) {
    if let Some(value) = value
        && let Some(name) = names.iter().find(|name| name.earlier.is_some_and(|old| *value == old))
    {
        *value = name.current.into();
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn change(changes: Value, own: Value) -> Value {
        let (Value::Object(mut changes), Value::Object(own)) = (changes, own) else { panic!() };
        upgrade_body_change(&mut changes, &own);
        Value::Object(changes)
    }

    #[test]
    fn body_flags_are_upgraded_to_the_type() {
        for (changes, own, upgraded) in [
            (json!({"static": true}), json!({}), json!({"type": "fixed"})),
            (json!({"driven": true}), json!({}), json!({"type": "kinematic"})),
            (json!({"static": false}), json!({}), json!({"type": "dynamic"})),
            (json!({"static": null}), json!({"type": "fixed"}), json!({"type": null})),
            (json!({"static": null}), json!({"type": "kinematic"}), json!({"type": "kinematic"})),
            (json!({"driven": null}), json!({"type": "kinematic"}), json!({"type": null})),
            (json!({"static": true}), json!({"type": "kinematic"}), json!({"type": "fixed"})),
            (json!({"type": "static"}), json!({}), json!({"type": "fixed"})),
            (json!({"mass": 1}), json!({"type": "fixed"}), json!({"mass": 1})),
        ] {
            assert_eq!(change(changes.clone(), own), upgraded, "{changes}");
        }
    }

    #[test]
    fn contradictory_keys_are_not_upgraded() {
        for changes in [
            json!({"static": true, "driven": true}),
            json!({"static": true, "type": "fixed"}),
            json!({"may_sleep": true, "can_sleep": false}),
            json!({"static": 1}),
        ] {
            assert_eq!(change(changes.clone(), json!({})), changes);
        }
    }
}
