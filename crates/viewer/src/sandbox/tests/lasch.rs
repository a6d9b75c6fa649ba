//! What the view shows of the study: octree levels, groups of near objects, integrators.

use serde_json::Value;

use super::*;

/// The study's method with these keys, and a static block across the middle of eight small balls.
fn sandbox(keys: &str) -> Sandbox {
    let ball = |x: f32, y: f32, z: f32| {
        format!(r#"{{"shape":{{"sphere":{{"radius":0.1}}}},"mass":1,"position":[{x},{y},{z}]}}"#)
    };
    let mut bodies = vec![
        r#"{"shape":{"halfspace":{"normal":[0,1,0]}},"type":"fixed","position":[0,-9,0]}"#
            .to_owned(),
        r#"{"shape":{"box":{"half":[1,1,1]}},"type":"fixed"}"#.to_owned(),
    ];
    for corner in 0..8_u8 {
        let side = |bit: u8| if corner >> bit & 1 == 1 { 3.9 } else { -3.9 };
        bodies.push(ball(side(0), side(1), side(2)));
    }
    let bodies = bodies.join(",");
    let text = format!(r#"{{"solver":"baseline","gravity":[0,0,0]{keys},"bodies":[{bodies}]}}"#);
    Sandbox::open(&text, "balls").unwrap()
}

#[test]
fn body_cut_by_a_dividing_plane_lies_in_the_root_and_small_bodies_in_deeper_levels() {
    let levels = |keys: &str| sandbox(keys).octree_levels();
    // The root is the cube of ±4; a ball of 0.2 fits in cells of 8/2^5.
    assert_eq!(levels(""), [vec![-1.0, 0.0], vec![5.0; 8]].concat());
    let shallow = r#","octree":{"max_depth":2}"#;
    assert_eq!(levels(shallow), [vec![-1.0, 0.0], vec![2.0; 8]].concat());
    let coarse = r#","octree":{"min_cell_size":2}"#;
    assert_eq!(levels(coarse), [vec![-1.0, 0.0], vec![2.0; 8]].concat());
    assert!(Sandbox::open(r#"{"bodies":[]}"#, "empty").unwrap().octree_levels().is_empty());
}

#[test]
fn near_bodies_form_a_group_before_they_touch_and_fixed_bodies_connect_none() {
    let ball = |x: f32, speed: f32| {
        format!(
            r#"{{"shape":{{"sphere":{{"radius":0.5}}}},"mass":1,"position":[{x},0.6,0],"velocity":[{speed},0,0]}}"#
        )
    };
    let floor = r#"{"shape":{"box":{"half":[50,0.5,5]}},"type":"fixed","position":[0,-0.5,0]}"#;
    let bodies = [floor.to_owned(), ball(0.0, 0.0), ball(1.02, -3.0), ball(9.0, 0.0)].join(",");
    let text = format!(r#"{{"solver":"baseline","gravity":[0,0,0],"bodies":[{bodies}]}}"#);
    let sandbox = Sandbox::open(&text, "balls").unwrap();
    let groups = sandbox.near_groups();
    assert_eq!(groups.len(), 6, "one of two balls: {groups:?}");
    assert!(groups[0] <= -0.5 && groups[3] >= 1.52 && groups[3] < 2.0, "{groups:?}");
    assert!(sandbox.islands().is_empty(), "they do not touch yet");
}

#[test]
fn integrator_and_octree_limits_are_settings_that_replay_and_undo() {
    let mut sandbox = sandbox("");
    let settings =
        |sandbox: &Sandbox| -> Value { serde_json::from_str(&sandbox.settings_json()).unwrap() };
    assert_eq!(settings(&sandbox)["integrator"], "semi-implicit-euler");
    sandbox.seek(5);
    let change = r#"{"integrator":"verlet","octree":{"max_depth":3,"min_cell_size":0.5}}"#;
    sandbox.change_settings(change).unwrap();
    assert_eq!(settings(&sandbox)["integrator"], "verlet");
    assert_eq!(settings(&sandbox)["octree"]["max_depth"], 3);
    sandbox.seek(20);
    let copy = replayed(&sandbox.recording().unwrap());
    assert_eq!(copy.state_hash(), sandbox.state_hash());
    let error = sandbox.change_settings(r#"{"integrator":"magic"}"#).unwrap_err();
    assert_eq!(error.code(), "scene.unknown-name");
    assert!(sandbox.undo());
    assert_eq!(settings(&sandbox)["integrator"], "semi-implicit-euler");
}
