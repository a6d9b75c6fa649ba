//! Edits change what they name, and nothing else.

use super::*;

#[test]
fn undo_and_redo_of_every_edit_are_bit_identical() {
    let mut sandbox = open("cradle");
    sandbox.seek(37);
    let before = (sandbox.state_hash(), sandbox.scene_json());
    sandbox.change(2, r#"{"mass":4,"name":"heavy"}"#).unwrap();
    sandbox.change_settings(r#"{"gravity":[0,-1.62,0],"substeps":6}"#).unwrap();
    let copy = sandbox.duplicate(2).unwrap();
    assert!(sandbox.bodies().contains("heavy 2"));
    assert!(sandbox.remove(copy) && !sandbox.remove(copy));
    sandbox.step();
    let after = sandbox.state_hash();
    assert_eq!(sandbox.undoable(), (4, 0));
    for _ in 0..4 {
        assert!(sandbox.undo());
    }
    assert_eq!((sandbox.state_hash(), sandbox.scene_json()), before);
    assert!(!sandbox.undo());
    for _ in 0..4 {
        assert!(sandbox.redo());
    }
    assert!(!sandbox.redo());
    assert_eq!(sandbox.state_hash(), after, "the step after the last change is there again");
}

#[test]
fn rejected_edit_changes_nothing() {
    let mut sandbox = open("pyramid");
    sandbox.seek(3);
    let (hash, json) = (sandbox.state_hash(), sandbox.scene_json());
    let refused = [
        sandbox.add(r#"{"shape":{"sphere":{"radius":-1}},"mass":1}"#).map(drop),
        sandbox.add(r#"{"shape":{"sphere":{"radius":1}}}"#).map(drop),
        sandbox.add("[]").map(drop),
        sandbox.change(3, r#"{"mass":0}"#),
        sandbox.change(9999, "{}"),
        sandbox.change_settings(r#"{"substeps":0}"#),
        sandbox.change_settings(r#"{"colour":1}"#),
        sandbox.throw(Vec3::ZERO, Vec3::ZERO, 1.0, "ball").map(drop),
        sandbox.duplicate(9999).map(drop),
    ];
    for refused in refused {
        assert!(!refused.unwrap_err().code().is_empty());
    }
    assert_eq!((sandbox.state_hash(), sandbox.scene_json()), (hash, json));
    assert_eq!(sandbox.undoable(), (0, 0));
    let error =
        Sandbox::open("{\"bodies\":[\n {\"shape\":{\"cube\":{}}}]}", "mine.json").unwrap_err();
    assert_eq!(error.location().map(|(line, _)| line), Some(2));
}

/// Regression: bounds were replaced as a whole, so that the second of two edits reset the first.
#[test]
fn omitted_bounds_fields_keep_their_value() {
    let mut sandbox = open("pyramid");
    sandbox
        .change_settings(r#"{"bounds":{"min":[-9,-1,-9],"max":[9,9,9],"mode":"open"}}"#)
        .unwrap();
    sandbox.change_settings(r#"{"bounds":{"min":[-21.5,null,null]}}"#).unwrap();
    sandbox.change_settings(r#"{"bounds":{"max":[null,18,null]}}"#).unwrap();
    let settings_json: serde_json::Value = serde_json::from_str(&sandbox.settings_json()).unwrap();
    let wanted = serde_json::json!({"min":[-21.5,-1,-9],"max":[9,18,9],"mode":"open"});
    assert_eq!(settings_json["bounds"], wanted);
    sandbox.change_settings(r#"{"bounds":null}"#).unwrap();
    assert!(sandbox.change_settings(r#"{"bounds":{"max":[null,18,null]}}"#).is_err());
}

/// Regression: every edit of a running world rebuilt all triangles, which took too long.
#[test]
fn only_a_shape_edit_updates_the_render_mesh() {
    let mut sandbox = open("pyramid");
    sandbox.seek(3);
    let shapes = sandbox.shape_version();
    sandbox.change(3, r#"{"mass":4,"name":"heavy","position":[0,9,0]}"#).unwrap();
    sandbox.change_settings(r#"{"gravity":[0,0,0]}"#).unwrap();
    assert!(sandbox.undo() && sandbox.undo() && sandbox.redo());
    assert_eq!(sandbox.shape_version(), shapes);
    let changes: [fn(&mut Sandbox); 6] = [
        |sandbox| sandbox.change(3, r#"{"shape":{"cube":{"half":0.1}}}"#).unwrap(),
        |sandbox| assert!(sandbox.duplicate(3).is_ok()),
        |sandbox| assert!(sandbox.remove(4)),
        |sandbox| sandbox.change_settings(r#"{"substeps":6}"#).unwrap(),
        |sandbox| assert!(sandbox.undo()),
        |sandbox| sandbox.seek(2),
    ];
    for change in changes {
        let before = sandbox.shape_version();
        change(&mut sandbox);
        assert!(sandbox.shape_version() > before);
    }
}

/// Sandbox with three boxes at rest, two of them stacked.
fn sleeping_boxes() -> Sandbox {
    let scene = r#"{"bodies":[
        {"name":"floor","shape":{"halfspace":{"normal":[0,1,0]}},"type":"fixed"},
        {"name":"a","shape":{"cube":{"half":0.5}},"position":[0,0.5,0],"mass":1},
        {"name":"b","shape":{"cube":{"half":0.5}},"position":[0,1.5,0],"mass":1},
        {"name":"far","shape":{"cube":{"half":0.5}},"position":[9,0.5,0],"mass":1}
    ]}"#;
    let mut sandbox = Sandbox::open(scene, "boxes").unwrap();
    sandbox.seek(300);
    assert_eq!(sandbox.stats().asleep, 3);
    sandbox
}

#[test]
fn renaming_keeps_state_hash_sleep_and_contacts() {
    let mut sandbox = sleeping_boxes();
    let before = (sandbox.state_hash(), sandbox.stats(), sandbox.contacts(None, 0));
    let version = sandbox.version();
    sandbox.change(1, r#"{"name":"other"}"#).unwrap();
    sandbox.change_settings(r#"{"name":"Two boxes"}"#).unwrap();
    assert_eq!((sandbox.state_hash(), sandbox.stats(), sandbox.contacts(None, 0)), before);
    assert!(sandbox.version() > version && sandbox.bodies().contains("other"));
    let taken = sandbox.change(2, r#"{"name":"other"}"#).unwrap_err();
    assert_eq!(taken.code(), "scene.name-taken");
}

#[test]
fn body_edit_keeps_other_islands_asleep() {
    for change in [
        r#"{"mass":3}"#,
        r#"{"friction":0.9}"#,
        r#"{"velocity":[0,1,0]}"#,
        r#"{"position":[null,1.6,null]}"#,
        r#"{"shape":{"sphere":{"radius":0.5}}}"#,
    ] {
        let mut sandbox = sleeping_boxes();
        let contacts = sandbox.stats().contacts;
        sandbox.change(2, change).unwrap();
        let stats = sandbox.stats();
        assert!(stats.asleep >= 1, "{change}: the box far away sleeps");
        assert!(stats.contacts >= contacts / 2, "{change}: {} contacts", stats.contacts);
        sandbox.step();
        assert!(sandbox.undo());
        assert_eq!(sandbox.stats().asleep, 3);
    }
}

#[test]
fn null_components_of_a_vector_keep_their_value() {
    let mut sandbox = open("spheres");
    sandbox.seek(17);
    let before = sandbox.body(5).unwrap();
    sandbox.change(5, r#"{"position":[1.5,null,null]}"#).unwrap();
    let position = |text: &str| -> Vec<f64> {
        let json: serde_json::Value = serde_json::from_str(text).unwrap();
        json["position"].as_array().unwrap().iter().map(|at| at.as_f64().unwrap()).collect()
    };
    let (was, is) = (position(&before), position(&sandbox.body(5).unwrap()));
    assert_eq!(is, [1.5, was[1], was[2]]);
}

#[test]
fn bodies_added_to_a_planar_scene_stay_in_the_plane() {
    let text = include_str!("../../../../../examples/scenes/planar.json");
    let mut sandbox = Sandbox::open(text, "planar").unwrap();
    let ball = r#"{"shape":{"sphere":{"radius":0.3}},"mass":1,"position":[0,9,0.5]}"#;
    assert_eq!(sandbox.add(ball).unwrap_err().code(), "scene.out-of-plane");
    sandbox.add(&ball.replace("0.5]", "0]")).unwrap();
    let thrown =
        sandbox.throw(Vec3::new(0.0, 5.0, 9.0), Vec3::new(0.3, 0.0, -1.0), 9.0, "ball").unwrap();
    assert!(sandbox.throw(Vec3::new(0.0, 5.0, 9.0), -Vec3::Z, 0.0, "ball").is_err());
    sandbox.seek(200);
    assert!(sandbox.body(thrown).unwrap().contains("\"position\""));
    sandbox.change_settings(r#"{"substeps":6}"#).unwrap();
    Sandbox::open(&sandbox.scene_json(), "saved").unwrap();
}

#[test]
fn error_names_the_body_that_fell_out_of_range() {
    let scene = r#"{"gravity":[0,-1000,0],"time_step":1,"substeps":1,"bodies":[{"name":"stone","shape":{"sphere":{"radius":1}},"mass":1}]}"#;
    let mut sandbox = Sandbox::open(scene, "fall").unwrap();
    sandbox.seek(3000);
    if let Err(what) = sandbox.change_settings(r#"{"substeps":2}"#) {
        assert!(what.to_string().contains("stone"), "{what}");
        sandbox.change(0, r#"{"name":"pebble"}"#).unwrap();
        sandbox.change(0, r#"{"position":[0,0,0]}"#).unwrap();
        sandbox.change_settings(r#"{"substeps":2}"#).unwrap();
    } else {
        panic!("it is at {}", sandbox.body(0).unwrap());
    }
}

/// A sandbox at step 90 with a body pulled from step 50 to 70.
fn sandbox_after_a_pull() -> Sandbox {
    let mut sandbox = open("pyramid");
    let held = Vec3::new(0.0, 6.75, 0.0);
    sandbox.seek(50);
    sandbox.pull(105, held, held + Vec3::Y);
    sandbox.seek(70);
    sandbox.release();
    sandbox.seek(90);
    sandbox
}

#[test]
fn edit_during_a_pull_ends_the_pull_and_undo_restores_it() {
    let mut sandbox = sandbox_after_a_pull();
    sandbox.seek(60);
    assert!(sandbox.pull_points().is_some(), "it is pulled again as it was");
    sandbox.change(3, r#"{"mass":4}"#).unwrap();
    assert!(sandbox.pull_points().is_none(), "no pull is active");
    sandbox.seek(80);
    let again = replayed(&sandbox.recording().unwrap());
    assert_eq!((again.state_hash(), again.pull_points()), (sandbox.state_hash(), None));
    assert!(sandbox.undo());
    sandbox.seek(65);
    assert!(sandbox.pull_points().is_some(), "undone, its end is known again");
    sandbox.seek(71);
    assert!(sandbox.pull_points().is_none());
}

#[test]
fn redone_pull_without_release_ends_at_the_next_step() {
    let mut sandbox = sandbox_after_a_pull();
    sandbox.pull(105, Vec3::new(0.0, 6.75, 0.0), Vec3::new(0.0, 9.0, 0.0));
    sandbox.seek(100);
    assert!(sandbox.undo());
    sandbox.release();
    assert!(sandbox.redo());
    assert_eq!((sandbox.at(), sandbox.pull_points().is_some()), (100, true));
    sandbox.step();
    assert!(sandbox.pull_points().is_none(), "no pull is active after the recorded actions");
    let again = replayed(&sandbox.recording().unwrap());
    assert_eq!(again.state_hash(), sandbox.state_hash());
}

#[test]
fn pull_open_at_the_end_of_a_recording_is_released() {
    let mut sandbox = sandbox_after_a_pull();
    sandbox.seek(60);
    let mut again = replayed(&sandbox.recording().unwrap());
    assert!(again.pull_points().is_some());
    again.step();
    assert!(again.pull_points().is_none());
}

#[test]
fn consecutive_pulls_are_separate_undo_entries() {
    let mut sandbox = open("pyramid");
    sandbox.set_clock(|| 5.0);
    for key in [104, 105, 105] {
        sandbox.pull(key, Vec3::new(0.0, 6.0, 0.0), Vec3::new(0.0, 7.0, 0.0));
        sandbox.step();
        sandbox.release();
    }
    assert_eq!(sandbox.undoable(), (3, 0));
}

#[test]
fn repeated_edits_of_a_field_are_one_undo_entry() {
    let mut sandbox = open("pyramid");
    sandbox.set_clock(|| 5.0);
    for tenth in 1..30 {
        sandbox.change(3, &format!(r#"{{"mass":{}}}"#, f64::from(tenth) / 10.0)).unwrap();
    }
    assert_eq!(sandbox.undoable(), (1, 0));
    sandbox.change(4, r#"{"mass":2}"#).unwrap();
    assert_eq!(sandbox.undoable(), (2, 0));
    sandbox.push(4, Vec3::Y).unwrap();
    sandbox.push(4, Vec3::X).unwrap();
    assert_eq!(sandbox.undoable(), (4, 0), "a push is not typed: each is one");
    assert!(sandbox.body(4).unwrap().contains("\"velocity\":[1,1,0]"));
    assert!(sandbox.undo() && sandbox.undo());
    let held = Vec3::new(0.0, 6.75, 0.0);
    let count = sandbox.actions.len();
    sandbox.pull(105, held, held);
    for part in 0..50 {
        sandbox.pull_to(held + Vec3::Y * (part as f32 * 0.01));
    }
    assert_eq!(sandbox.actions.len(), count + 1, "between two steps the hand is in one place");
    sandbox.seek(30);
    sandbox.release();
    assert_eq!(sandbox.undoable(), (3, 0));
    assert!(sandbox.undo());
    assert_eq!((sandbox.at(), sandbox.pull_points()), (0, None));
    assert!(sandbox.undo() && sandbox.undo() && !sandbox.undo());
    assert!(sandbox.is_unmodified());
}

#[test]
fn clearing_removes_all_bodies_and_is_one_undo_entry() {
    let mut sandbox = open("wrecking");
    sandbox.seek(20);
    let (hash, json) = (sandbox.state_hash(), sandbox.scene_json());
    assert!(sandbox.clear());
    assert_eq!((sandbox.bodies(), sandbox.undoable()), ("[]".to_owned(), (1, 0)));
    assert!(!sandbox.clear());
    sandbox.step();
    let recording = sandbox.recording().unwrap();
    assert_eq!(replayed(&recording).state_hash(), sandbox.state_hash());
    assert!(sandbox.undo());
    assert_eq!((sandbox.state_hash(), sandbox.scene_json()), (hash, json));
    assert!(sandbox.redo());
    assert_eq!(sandbox.bodies(), "[]");
}

/// Regression: an edit without a position moved the body to its initial position.
#[test]
fn rotating_a_fallen_body_keeps_its_position() {
    let mut sandbox = open("spheres");
    sandbox.seek(40);
    let position = |sandbox: &Sandbox| {
        let id = sandbox.scene.id_of(5).unwrap();
        sandbox.scene.world.body(id).unwrap().position()
    };
    let before = position(&sandbox);
    sandbox.change(5, r#"{"orientation":[0,0.6,0,0.8]}"#).unwrap();
    assert_eq!(position(&sandbox), before);
    let id = sandbox.scene.id_of(5).unwrap();
    let turned = sandbox.scene.world.body(id).unwrap().pose().rotation.to_array();
    assert!((turned[1] - 0.6).abs() < 1e-6, "{turned:?}");
}

/// A weightless ball that is pushed along z for a second, and a cube on a spring.
const FORCES: &str = r#"{"gravity":[0,0,0],"bodies":[
    {"name":"ball","shape":{"sphere":{"radius":0.5}},"mass":2},
    {"name":"cube","shape":{"cube":{"half":0.5}},"mass":1,"position":[5,1,0]}],
    "forces":[{"body":"cube","spring":{"anchor":[5,0,0],"stiffness":10}},
              {"body":"ball","force":[0,0,6],"from":0.5,"until":1.5}]}"#;

fn speed_along_z(sandbox: &Sandbox, index: usize) -> f32 {
    sandbox.scene.world.body(sandbox.scene.ids[index]).unwrap().linear_velocity().z
}

#[test]
fn forces_follow_their_body_through_renaming_removal_and_replacement() {
    let mut sandbox = Sandbox::open(FORCES, "forces").unwrap();
    sandbox.seek(40);
    sandbox.change(0, r#"{"name":"shot"}"#).unwrap();
    sandbox.change(0, r#"{"shape":{"sphere":{"radius":0.25}}}"#).unwrap();
    assert!(sandbox.remove(1));
    sandbox.seek(120);
    assert!((speed_along_z(&sandbox, 0) - 3.0).abs() < 1e-4, "{}", speed_along_z(&sandbox, 0));
    let saved = sandbox.scene_json();
    assert!(!saved.contains("spring"), "{saved}");
    sandbox.change(0, r#"{"type":"fixed"}"#).unwrap();
    assert!(!sandbox.scene_json().contains("forces"), "a fixed body has no forces");
    sandbox.seek(0);
    assert!(sandbox.scene_json().contains("spring"), "the scene of step 0 has both forces");
    sandbox.seek(120);
    let again = replayed(&sandbox.recording().unwrap());
    assert_eq!(again.state_hash(), sandbox.state_hash());
}

#[test]
fn windows_of_forces_continue_in_a_world_that_is_rebuilt_or_saved() {
    let mut sandbox = Sandbox::open(FORCES, "forces").unwrap();
    sandbox.seek(60);
    let half = speed_along_z(&sandbox, 0);
    assert!((half - 1.5).abs() < 1e-4, "{half}");
    let saved = sandbox.scene_json();
    // A setting without a setter rebuilds the world, whose time begins at 0.
    sandbox.change_settings(r#"{"substeps":2}"#).unwrap();
    sandbox.seek(200);
    assert!((speed_along_z(&sandbox, 0) - 3.0).abs() < 1e-4, "{}", speed_along_z(&sandbox, 0));
    let mut opened = Sandbox::open(&saved, "saved").unwrap();
    opened.seek(140);
    assert!((speed_along_z(&opened, 0) - 3.0).abs() < 1e-4, "{saved}");
    assert!(opened.scene_json().contains("spring") && !opened.scene_json().contains("until"));
}

/// A scene file rejects them: they would have no effect.
#[test]
fn body_made_fixed_is_saved_without_mass_and_velocity_and_keeps_its_mass_in_the_editor() {
    let scene = r#"{"gravity":[0,0,0],"bodies":[{"shape":{"sphere":{"radius":1}},"mass":3,
        "velocity":[1,0,0],"angular_velocity":[0,1,0]}]}"#;
    let mut sandbox = Sandbox::open(scene, "ball").unwrap();
    sandbox.seek(10);
    sandbox.change(0, r#"{"type":"fixed"}"#).unwrap();
    let saved = sandbox.scene_json();
    assert!(!saved.contains("mass") && !saved.contains("velocity"), "{saved}");
    assert!(Sandbox::open(&saved, "saved").is_ok(), "{saved}");
    let recording = sandbox.recording().unwrap();
    assert_eq!(replayed(&recording).state_hash(), sandbox.state_hash());
    sandbox.change(0, r#"{"type":null}"#).unwrap();
    assert!(sandbox.scene_json().contains(r#""mass": 3"#), "{}", sandbox.scene_json());
}
