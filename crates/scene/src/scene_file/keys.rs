//! Keys of scene files, with the earlier spellings that are still read.

/// A spelling of a key.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Key {
    /// As it is written in the file.
    pub(super) spelling: &'static str,
    /// The documented spelling of the same key.
    pub(super) name: &'static str,
}

/// All spellings of the keys of an object.
pub(super) type Keys = &'static [Key];

impl Key {
    /// Whether it is the documented spelling.
    pub(super) fn is_current(&self) -> bool {
        self.spelling == self.name
    }
}

/// The documented spellings.
pub(super) fn current(keys: Keys) -> Vec<&'static str> {
    keys.iter().filter(|key| key.is_current()).map(|key| key.name).collect()
}

/// Minimum length of a key that is completed, in bytes.
const MIN_PREFIX: usize = 3;

/// The documented spelling of the key that is most like `found`: at most a third of its characters
/// differ, or one is the beginning of the other. `None` if there is none.
pub(super) fn closest(keys: Keys, found: &str) -> Option<&'static str> {
    let found = found.to_ascii_lowercase();
    let max = ((found.len() + 1) / 3).min(3);
    let distance = |key: &Key| edit_distance(key.spelling.as_bytes(), found.as_bytes());
    let near = keys.iter().map(|key| (distance(key), key)).min_by_key(|&(distance, _)| distance);
    if let Some((_, key)) = near.filter(|&(distance, _)| distance <= max) {
        return Some(key.name);
    }
    let completes = |key: &&Key| {
        let shorter = key.spelling.len().min(found.len());
        shorter >= MIN_PREFIX
            && (key.spelling.starts_with(&found) || found.starts_with(key.spelling))
    };
    keys.iter().find(completes).map(|key| key.name)
}

/// Longest text of which a distance is computed, in bytes; no key is longer.
const MAX_LENGTH: usize = 40;

/// Levenshtein distance: characters to insert, remove or replace.
fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    if a.len().max(b.len()) > MAX_LENGTH {
        return usize::MAX;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

const fn key(name: &'static str) -> Key {
    Key { spelling: name, name }
}

/// An earlier spelling of `name`.
const fn earlier(spelling: &'static str, name: &'static str) -> Key {
    Key { spelling, name }
}

pub(super) const SCENE: Keys = &[
    key("$schema"),
    key("name"),
    key("description"),
    key("dimension"),
    key("steps"),
    key("gravity"),
    key("time_step"),
    key("substeps"),
    key("linear_slop"),
    earlier("slop", "linear_slop"),
    key("enable_sleep"),
    earlier("sleeping", "enable_sleep"),
    key("bounds"),
    key("solver"),
    earlier("method", "solver"),
    key("broad_phase"),
    earlier("broad", "broad_phase"),
    key("integrator"),
    key("response"),
    earlier("resolve", "response"),
    key("tolerance"),
    key("position_iterations"),
    key("octree"),
    key("bodies"),
    key("joints"),
    key("forces"),
];

pub(super) const BOUNDS: Keys = &[key("min"), key("max"), key("mode"), earlier("walls", "mode")];

/// Limits of the strict octree.
pub(super) const OCTREE: Keys = &[key("max_depth"), key("min_cell_size")];

pub(super) const BODY: Keys = &[
    key("name"),
    key("shape"),
    key("type"),
    // The earlier form of the type: two booleans.
    earlier("static", "type"),
    earlier("driven", "type"),
    key("position"),
    key("orientation"),
    key("velocity"),
    key("angular_velocity"),
    key("mass"),
    key("restitution"),
    key("friction"),
    key("friction_combine_rule"),
    key("restitution_combine_rule"),
    key("rolling_resistance"),
    key("torsional_resistance"),
    earlier("spinning_resistance", "torsional_resistance"),
    key("linear_damping"),
    earlier("damping", "linear_damping"),
    key("angular_damping"),
    key("gravity_scale"),
    key("locked_axes"),
    earlier("locks", "locked_axes"),
    key("collision_filter"),
    earlier("groups", "collision_filter"),
    key("sensor"),
    key("can_sleep"),
    earlier("may_sleep", "can_sleep"),
];

pub(super) const COLLISION_FILTER: Keys =
    &[key("category"), earlier("of", "category"), key("mask"), earlier("with", "mask")];

pub(super) const JOINT: Keys = &[
    key("name"),
    key("bodies"),
    key("joint"),
    key("collide_connected"),
    earlier("colliding", "collide_connected"),
];

pub(super) const JOINT_TYPES: Keys = &[
    key("distance"),
    key("spherical"),
    earlier("ball", "spherical"),
    key("revolute"),
    earlier("hinge", "revolute"),
    key("prismatic"),
    earlier("slider", "prismatic"),
    key("fixed"),
    earlier("weld", "fixed"),
    key("spring"),
];

/// Of spherical and fixed joints.
pub(super) const POINT_JOINT: Keys = &[key("anchor"), earlier("at", "anchor")];

/// Of revolute and prismatic joints.
pub(super) const AXIS_JOINT: Keys =
    &[key("anchor"), earlier("at", "anchor"), key("axis"), key("limits"), key("motor")];

pub(super) const DISTANCE_JOINT: Keys =
    &[key("from"), key("to"), key("limits"), key("rest_length"), earlier("length", "rest_length")];

pub(super) const SPRING_JOINT: Keys = &[
    key("from"),
    key("to"),
    key("stiffness"),
    key("damping"),
    key("rest_length"),
    earlier("length", "rest_length"),
];

/// Motor of a revolute joint.
pub(super) const ANGULAR_MOTOR: Keys = &[
    key("target_velocity"),
    earlier("speed", "target_velocity"),
    key("max_torque"),
    earlier("torque", "max_torque"),
];

/// Motor of a prismatic joint.
pub(super) const LINEAR_MOTOR: Keys = &[
    key("target_velocity"),
    earlier("speed", "target_velocity"),
    key("max_force"),
    earlier("force", "max_force"),
];

pub(super) const FORCE: Keys =
    &[key("body"), key("force"), key("spring"), key("central"), key("from"), key("until")];
pub(super) const FORCE_SPRING: Keys = &[key("anchor"), key("stiffness"), key("damping")];
pub(super) const FORCE_CENTRAL: Keys = &[key("center"), key("strength")];

pub(super) const SHAPES: Keys = &[
    key("sphere"),
    key("box"),
    key("cube"),
    key("capsule"),
    key("cylinder"),
    key("cone"),
    key("hull"),
    key("halfspace"),
    key("mesh"),
    key("compound"),
];

pub(super) const SPHERE: Keys = &[key("radius")];
pub(super) const BOX: Keys = &[key("half"), key("min"), key("max"), key("edges")];
pub(super) const CUBE: Keys = &[key("half")];
/// Capsule, cylinder and cone.
pub(super) const UPRIGHT: Keys = &[key("half_height"), key("radius")];
pub(super) const HULL: Keys = &[key("points")];
pub(super) const HALFSPACE: Keys = &[key("normal")];
pub(super) const MESH: Keys = &[key("file")];
pub(super) const COMPOUND_PART: Keys = &[key("shape"), key("position"), key("orientation")];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closest_key_is_found_despite_typing_errors_and_abbreviations() {
        for (found, expected) in [
            ("postion", Some("position")),
            ("pos", Some("position")),
            ("Mass", Some("mass")),
            ("gravityScale", Some("gravity_scale")),
            ("dumping", Some("linear_damping")),
            ("colour", None),
            ("x", None),
            ("", None),
        ] {
            assert_eq!(closest(BODY, found), expected, "{found}");
        }
        assert_eq!(closest(SCENE, "bodys"), Some("bodies"));
        assert_eq!(closest(SPHERE, &"radius".repeat(100_000)), Some("radius"));
    }
}
