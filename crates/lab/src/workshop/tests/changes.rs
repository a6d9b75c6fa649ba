//! Does a change do what it says, and nothing else?

use super::*;

#[test]
fn every_change_is_taken_back_and_done_again_to_the_bit() {
    let mut workshop = open("cradle");
    workshop.seek(37);
    let before = (workshop.state_hash(), workshop.words());
    workshop.change(2, r#"{"mass":4,"name":"heavy"}"#).unwrap();
    workshop.change_rules(r#"{"gravity":[0,-1.62,0],"substeps":6}"#).unwrap();
    let copy = workshop.duplicate(2).unwrap();
    assert!(workshop.bodies().contains("heavy 2"));
    assert!(workshop.remove(copy) && !workshop.remove(copy));
    workshop.step();
    let after = workshop.state_hash();
    assert_eq!(workshop.undoable(), (4, 0));
    for _ in 0..4 {
        assert!(workshop.undo());
    }
    assert_eq!((workshop.state_hash(), workshop.words()), before);
    assert!(!workshop.undo());
    for _ in 0..4 {
        assert!(workshop.redo());
    }
    assert!(!workshop.redo());
    assert_eq!(workshop.state_hash(), after, "the step after the last change is there again");
}

#[test]
fn what_is_refused_changes_nothing_and_says_why() {
    let mut workshop = open("pyramid");
    workshop.seek(3);
    let (hash, words) = (workshop.state_hash(), workshop.words());
    let refused = [
        workshop.add(r#"{"shape":{"sphere":{"radius":-1}},"mass":1}"#).map(drop),
        workshop.add(r#"{"shape":{"sphere":{"radius":1}}}"#).map(drop),
        workshop.add("[]").map(drop),
        workshop.change(3, r#"{"mass":0}"#),
        workshop.change(9999, "{}"),
        workshop.change_rules(r#"{"substeps":0}"#),
        workshop.change_rules(r#"{"colour":1}"#),
        workshop.throw(Vec3::ZERO, Vec3::ZERO, 1.0, "ball").map(drop),
        workshop.duplicate(9999).map(drop),
    ];
    for refused in refused {
        assert!(!refused.unwrap_err().code().is_empty());
    }
    assert_eq!((workshop.state_hash(), workshop.words()), (hash, words));
    assert_eq!(workshop.undoable(), (0, 0));
    let error =
        Workshop::open("{\"bodies\":[\n {\"shape\":{\"cube\":{}}}]}", "mine.json").unwrap_err();
    assert_eq!(error.location().map(|(line, _)| line), Some(2));
}

/// Bounds were told whole: of two fields changed one after the other, the first was lost.
#[test]
fn of_bounds_what_is_not_told_stays() {
    let mut workshop = open("pyramid");
    workshop.change_rules(r#"{"bounds":{"min":[-9,-1,-9],"max":[9,9,9],"mode":"open"}}"#).unwrap();
    workshop.change_rules(r#"{"bounds":{"min":[-21.5,null,null]}}"#).unwrap();
    workshop.change_rules(r#"{"bounds":{"max":[null,18,null]}}"#).unwrap();
    let rules: serde_json::Value = serde_json::from_str(&workshop.rules()).unwrap();
    let wanted = serde_json::json!({"min":[-21.5,-1,-9],"max":[9,18,9],"mode":"open"});
    assert_eq!(rules["bounds"], wanted);
    workshop.change_rules(r#"{"bounds":null}"#).unwrap();
    assert!(workshop.change_rules(r#"{"bounds":{"max":[null,18,null]}}"#).is_err());
}

/// Every change of a running world made all triangles anew, which took longer than its answer may.
#[test]
fn only_another_shape_is_drawn_anew() {
    let mut workshop = open("pyramid");
    workshop.seek(3);
    let shapes = workshop.shape_version();
    workshop.change(3, r#"{"mass":4,"name":"heavy","position":[0,9,0]}"#).unwrap();
    workshop.change_rules(r#"{"gravity":[0,0,0]}"#).unwrap();
    assert!(workshop.undo() && workshop.undo() && workshop.redo());
    assert_eq!(workshop.shape_version(), shapes);
    let changes: [fn(&mut Workshop); 6] = [
        |workshop| workshop.change(3, r#"{"shape":{"cube":{"half":0.1}}}"#).unwrap(),
        |workshop| assert!(workshop.duplicate(3).is_ok()),
        |workshop| assert!(workshop.remove(4)),
        |workshop| workshop.change_rules(r#"{"substeps":6}"#).unwrap(),
        |workshop| assert!(workshop.undo()),
        |workshop| workshop.seek(2),
    ];
    for change in changes {
        let before = workshop.shape_version();
        change(&mut workshop);
        assert!(workshop.shape_version() > before);
    }
}

/// Two boxes on each other, which have come to rest.
fn asleep() -> Workshop {
    let scene = r#"{"bodies":[
        {"name":"floor","shape":{"halfspace":{"normal":[0,1,0]}},"type":"fixed"},
        {"name":"a","shape":{"cube":{"half":0.5}},"position":[0,0.5,0],"mass":1},
        {"name":"b","shape":{"cube":{"half":0.5}},"position":[0,1.5,0],"mass":1},
        {"name":"far","shape":{"cube":{"half":0.5}},"position":[9,0.5,0],"mass":1}
    ]}"#;
    let mut workshop = Workshop::open(scene, "boxes").unwrap();
    workshop.seek(300);
    assert_eq!(workshop.figures().asleep, 3);
    workshop
}

#[test]
fn renaming_in_a_world_asleep_leaves_hash_sleep_and_contacts_as_they_are() {
    let mut workshop = asleep();
    let before = (workshop.state_hash(), workshop.figures(), workshop.contacts(None, 0));
    let version = workshop.version();
    workshop.change(1, r#"{"name":"other"}"#).unwrap();
    workshop.change_rules(r#"{"name":"Two boxes"}"#).unwrap();
    assert_eq!((workshop.state_hash(), workshop.figures(), workshop.contacts(None, 0)), before);
    assert!(workshop.version() > version && workshop.bodies().contains("other"));
    let taken = workshop.change(2, r#"{"name":"other"}"#).unwrap_err();
    assert_eq!(taken.code(), "scene.name-taken");
}

#[test]
fn what_has_a_setter_is_set_and_the_others_sleep_on() {
    for change in [
        r#"{"mass":3}"#,
        r#"{"friction":0.9}"#,
        r#"{"velocity":[0,1,0]}"#,
        r#"{"position":[null,1.6,null]}"#,
        r#"{"shape":{"sphere":{"radius":0.5}}}"#,
    ] {
        let mut workshop = asleep();
        let contacts = workshop.figures().contacts;
        workshop.change(2, change).unwrap();
        let figures = workshop.figures();
        assert!(figures.asleep >= 1, "{change}: the box far away sleeps");
        assert!(figures.contacts >= contacts / 2, "{change}: {} contacts", figures.contacts);
        workshop.step();
        assert!(workshop.undo());
        assert_eq!(workshop.figures().asleep, 3);
    }
}

#[test]
fn a_part_of_a_vector_is_changed_without_the_others() {
    let mut workshop = open("spheres");
    workshop.seek(17);
    let before = workshop.body(5).unwrap();
    workshop.change(5, r#"{"position":[1.5,null,null]}"#).unwrap();
    let place = |text: &str| -> Vec<f64> {
        let words: serde_json::Value = serde_json::from_str(text).unwrap();
        words["position"].as_array().unwrap().iter().map(|at| at.as_f64().unwrap()).collect()
    };
    let (was, is) = (place(&before), place(&workshop.body(5).unwrap()));
    assert_eq!(is, [1.5, was[1], was[2]]);
}

#[test]
fn what_is_added_to_a_scene_of_the_plane_stays_in_the_plane() {
    let text = include_str!("../../../../../examples/scenes/planar.json");
    let mut workshop = Workshop::open(text, "planar").unwrap();
    let ball = r#"{"shape":{"sphere":{"radius":0.3}},"mass":1,"position":[0,9,0.5]}"#;
    assert_eq!(workshop.add(ball).unwrap_err().code(), "scene.out-of-plane");
    workshop.add(&ball.replace("0.5]", "0]")).unwrap();
    let thrown =
        workshop.throw(Vec3::new(0.0, 5.0, 9.0), Vec3::new(0.3, 0.0, -1.0), 9.0, "ball").unwrap();
    assert!(workshop.throw(Vec3::new(0.0, 5.0, 9.0), -Vec3::Z, 0.0, "ball").is_err());
    workshop.seek(200);
    assert!(workshop.body(thrown).unwrap().contains("\"position\""));
    workshop.change_rules(r#"{"substeps":6}"#).unwrap();
    Workshop::open(&workshop.words(), "saved").unwrap();
}

#[test]
fn what_fell_for_ever_is_named_when_it_is_in_the_way() {
    let scene = r#"{"gravity":[0,-1000,0],"time_step":1,"substeps":1,"bodies":[{"name":"stone","shape":{"sphere":{"radius":1}},"mass":1}]}"#;
    let mut workshop = Workshop::open(scene, "fall").unwrap();
    workshop.seek(3000);
    if let Err(what) = workshop.change_rules(r#"{"substeps":2}"#) {
        assert!(what.to_string().contains("stone"), "{what}");
        workshop.change(0, r#"{"name":"pebble"}"#).unwrap();
        workshop.change(0, r#"{"position":[0,0,0]}"#).unwrap();
        workshop.change_rules(r#"{"substeps":2}"#).unwrap();
    } else {
        panic!("it is at {}", workshop.body(0).unwrap());
    }
}

/// A body that was pulled from step 50 to 70, and came to 90.
fn pulled() -> Workshop {
    let mut workshop = open("pyramid");
    let held = Vec3::new(0.0, 6.75, 0.0);
    workshop.seek(50);
    workshop.pull(105, held, held + Vec3::Y);
    workshop.seek(70);
    workshop.let_go();
    workshop.seek(90);
    workshop
}

#[test]
fn a_pull_whose_end_was_forgotten_ends_where_it_was_forgotten() {
    let mut workshop = pulled();
    workshop.seek(60);
    assert!(workshop.pulled().is_some(), "it is pulled again as it was");
    workshop.change(3, r#"{"mass":4}"#).unwrap();
    assert!(workshop.pulled().is_none(), "nobody holds it");
    workshop.seek(80);
    let again = replayed(&workshop.recording().unwrap());
    assert_eq!((again.state_hash(), again.pulled()), (workshop.state_hash(), None));
    assert!(workshop.undo());
    workshop.seek(65);
    assert!(workshop.pulled().is_some(), "undone, its end is known again");
    workshop.seek(71);
    assert!(workshop.pulled().is_none());
}

#[test]
fn a_pull_that_was_taken_back_while_it_was_held_is_not_done_again_without_end() {
    let mut workshop = pulled();
    workshop.pull(105, Vec3::new(0.0, 6.75, 0.0), Vec3::new(0.0, 9.0, 0.0));
    workshop.seek(100);
    assert!(workshop.undo());
    workshop.let_go();
    assert!(workshop.redo());
    assert_eq!((workshop.at(), workshop.pulled().is_some()), (100, true));
    workshop.step();
    assert!(workshop.pulled().is_none(), "beyond what was noted nobody holds it");
    let again = replayed(&workshop.recording().unwrap());
    assert_eq!(again.state_hash(), workshop.state_hash());
}

#[test]
fn a_recording_that_ends_in_a_pull_goes_on_without_it() {
    let mut workshop = pulled();
    workshop.seek(60);
    let mut again = replayed(&workshop.recording().unwrap());
    assert!(again.pulled().is_some());
    again.step();
    assert!(again.pulled().is_none());
}

#[test]
fn two_pulls_are_two_changes_however_quickly_they_follow() {
    let mut workshop = open("pyramid");
    workshop.use_clock(|| 5.0);
    for key in [104, 105, 105] {
        workshop.pull(key, Vec3::new(0.0, 6.0, 0.0), Vec3::new(0.0, 7.0, 0.0));
        workshop.step();
        workshop.let_go();
    }
    assert_eq!(workshop.undoable(), (3, 0));
}

#[test]
fn a_key_held_down_in_a_field_is_one_change_and_a_pull_another() {
    let mut workshop = open("pyramid");
    workshop.use_clock(|| 5.0);
    for tenth in 1..30 {
        workshop.change(3, &format!(r#"{{"mass":{}}}"#, f64::from(tenth) / 10.0)).unwrap();
    }
    assert_eq!(workshop.undoable(), (1, 0));
    workshop.change(4, r#"{"mass":2}"#).unwrap();
    assert_eq!(workshop.undoable(), (2, 0));
    workshop.push(4, Vec3::Y).unwrap();
    workshop.push(4, Vec3::X).unwrap();
    assert_eq!(workshop.undoable(), (4, 0), "a push is not typed: each is one");
    assert!(workshop.body(4).unwrap().contains("\"velocity\":[1,1,0]"));
    assert!(workshop.undo() && workshop.undo());
    let held = Vec3::new(0.0, 6.75, 0.0);
    let count = workshop.actions.len();
    workshop.pull(105, held, held);
    for part in 0..50 {
        workshop.pull_to(held + Vec3::Y * (part as f32 * 0.01));
    }
    assert_eq!(workshop.actions.len(), count + 1, "between two steps the hand is in one place");
    workshop.seek(30);
    workshop.let_go();
    assert_eq!(workshop.undoable(), (3, 0));
    assert!(workshop.undo());
    assert_eq!((workshop.at(), workshop.pulled()), (0, None));
    assert!(workshop.undo() && workshop.undo() && !workshop.undo());
    assert!(workshop.is_as_opened());
}

/// It came back to where it began: the words tell that place, and the change told none.
#[test]
fn turning_a_body_that_has_fallen_leaves_it_where_it_is() {
    let mut workshop = open("spheres");
    workshop.seek(40);
    let place = |workshop: &Workshop| {
        let id = workshop.live.id_of(5).unwrap();
        workshop.live.world.body(id).unwrap().position()
    };
    let before = place(&workshop);
    workshop.change(5, r#"{"orientation":[0,0.6,0,0.8]}"#).unwrap();
    assert_eq!(place(&workshop), before);
    let id = workshop.live.id_of(5).unwrap();
    let turned = workshop.live.world.body(id).unwrap().pose().rotation.to_array();
    assert!((turned[1] - 0.6).abs() < 1e-6, "{turned:?}");
}
