//! What is saved, is it opened as it was, and is what is wrong with a file told?

use super::*;

#[test]
fn a_recording_is_done_again_to_the_bit_and_one_that_departs_is_refused() {
    let mut workshop = open("cradle");
    workshop.seek(12);
    workshop.change(2, r#"{"mass":4}"#).unwrap();
    let ball = workshop.throw(Vec3::new(0.0, 1.0, 9.0), -Vec3::Z, 9.0, "ball").unwrap();
    workshop.seek(20);
    workshop.pull(ball, Vec3::new(0.0, 1.0, 4.0), Vec3::new(0.1, 5.0, 0.3));
    workshop.seek(30);
    workshop.let_go();
    workshop.remove(1);
    workshop.seek(44);
    let recording = workshop.recording().unwrap();
    let again = replayed(&recording);
    assert_eq!((again.at(), again.state_hash()), (44, workshop.state_hash()));
    assert_eq!(again.recording().unwrap(), recording);

    let other = recording.replace("\"step\":20", "\"step\":21");
    assert_ne!(other, recording);
    let opened = Workshop::open(&other, "mine");
    let refused = opened.and_then(|mut opened| opened.approach(|| false)).unwrap_err().to_string();
    assert!(refused.contains("departs") || refused.contains("order"), "{refused}");
    for bad in [
        r#"{"recording":"embate 9"}"#,
        r#"{"recording":"embate 1","scene":{"bodies":[]},"step":1e9}"#,
    ] {
        assert!(Workshop::open(bad, "mine").is_err());
    }
}

#[test]
fn a_recording_of_a_world_that_was_built_at_its_start_is_done_again() {
    let mut workshop = open("cradle");
    let ball = r#"{"name":"ball","shape":{"sphere":{"radius":0.2}},"mass":1,"position":[0,9,0]}"#;
    workshop.add(ball).unwrap();
    workshop.add(&ball.replace('9', "12")).unwrap();
    workshop.remove(1);
    workshop.remove(2);
    for steps in [0, 25] {
        workshop.seek(steps);
        let recording = workshop.recording().unwrap();
        let again = replayed(&recording);
        assert_eq!((again.at(), again.state_hash()), (steps, workshop.state_hash()));
        assert_eq!(again.recording().unwrap(), recording);
    }
}

#[test]
fn the_words_of_a_world_that_moved_open_where_it_stands() {
    for name in ["ramp", "cradle", "wrecking", "dzhanibekov", "study-pile"] {
        let mut workshop = open(name);
        workshop.seek(100);
        let mut again = Workshop::open(&workshop.words(), name).unwrap();
        let (ours, theirs) = (workshop.look().bodies, again.look().bodies);
        let far =
            ours.iter().zip(&theirs).enumerate().filter(|(place, _)| place % NUMBERS_A_BODY < 3);
        let far =
            far.fold(0.0_f32, |far, (_, (a, b))| embate::math::scalar::max(far, (a - b).abs()));
        assert!(far < 1e-5, "{name}: {far}");
        let (was, is) = (workshop.figures().energy, again.figures().energy);
        assert!((was - is).abs() < 1e-5 * was.abs() + 1e-3, "{name}: {was} J, {is} J");
    }
}

#[test]
fn what_is_wrong_within_a_recording_is_told_at_its_place_in_the_file() {
    let file = "{\"recording\":\"embate 1\",\"step\":1,\"state_hash\":\"0\",\n  \"scene\": {\n \"bodies\": [\n {\"shape\":{\"cube\":{\"half\":-1}},\"mass\":1}]}}";
    let error = Workshop::open(file, "mine").unwrap_err();
    assert_eq!(error.location().map(|(line, _)| line), Some(4), "{error}");
    let line = file.replace('\n', " ");
    let error = Workshop::open(&line, "mine").unwrap_err();
    let (row, column) = error.location().unwrap();
    assert!(row == 1 && line[..column].contains("\"half\""), "{error}");

    let inner = r#"{"recording":"embate 1","scene":{"bodies":[]},"step":0,"state_hash":"0"}"#;
    let nested = format!(r#"{{"recording":"embate 1","scene":{inner},"step":0,"state_hash":"0"}}"#);
    let error = Workshop::open(&nested, "mine").unwrap_err().to_string();
    assert!(error.contains("a recording itself"), "{error}");
}

#[test]
fn a_hostile_recording_is_refused_and_harms_nobody() {
    let scene = r#"{"bodies":[{"shape":{"sphere":{"radius":1}},"mass":1}]}"#;
    let ball = r#"{"shape":{"sphere":{"radius":1}},"mass":1,"position":[0,9,0]}"#;
    for actions in [
        format!(r#"[{{"step":0,"add":{ball},"key":0}}]"#),
        format!(r#"[{{"step":0,"add":{ball},"key":-1}}]"#),
        r#"[{"step":0,"remove":7}]"#.to_owned(),
        r#"[{"step":0,"rules":{"bodies":[]}}]"#.to_owned(),
        r#"[{"step":0,"change":{"mass":-1},"key":0}]"#.to_owned(),
        r#"[{"step":2,"pull":null},{"step":1,"pull":null}]"#.to_owned(),
        r#"[{"step":9,"pull":null}]"#.to_owned(),
        r#"[{"step":0,"dance":1}]"#.to_owned(),
    ] {
        let text = format!(
            r#"{{"recording":"embate 1","scene":{scene},"actions":{actions},"step":3,"state_hash":"00"}}"#
        );
        let opened = Workshop::open(&text, "mine");
        let refused = opened.and_then(|mut opened| opened.approach(|| false));
        assert!(!refused.unwrap_err().code().is_empty(), "{actions}");
    }
    // The last of all keys may be taken: the next one is none too many.
    let text = format!(
        r#"{{"recording":"embate 1","scene":{scene},"actions":[{{"step":0,"add":{ball},"key":{}}}],"step":0,"state_hash":"00"}}"#,
        u32::MAX
    );
    assert!(Workshop::open(&text, "mine").unwrap().approach(|| false).is_err());
}

#[test]
fn a_recording_of_the_program_is_done_again_too() {
    let text = preset("cradle").unwrap().text(1);
    let scene = read_scene(&text, &SceneSource::text("cradle.json")).unwrap();
    let folder = std::env::temp_dir().join(format!("embate-workshop-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("cradle.rec");
    let mut run = Simulation::new(&scene);
    let mut recording = crate::simulation::Recording::open(&path, "cradle.json", &scene).unwrap();
    for _ in 0..70 {
        let hash = run.step();
        recording.note(&run, hash).unwrap();
    }
    recording.finish().unwrap();
    let recorded = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let again = replayed(&recorded);
    assert_eq!((again.at(), again.state_hash()), (70, run.world().state_hash()));
    let damaged = recorded.replacen("scene", "scone", 1);
    let error = Workshop::open(&damaged, "mine").unwrap_err().to_string();
    assert!(error.contains("embate simulate"), "{error}");
    // One that was killed in the middle of a line, or between two, is not taken for whole.
    let lines: Vec<&str> = recorded.lines().collect();
    for broken in [recorded.len() - 9, recorded.len() - lines[lines.len() - 1].len() - 1] {
        let error = Workshop::open(&recorded[..broken], "mine").unwrap_err().to_string();
        assert!(error.contains("breaks off after step 70"), "{error}");
    }
    let changed = recorded.replacen("steps", "stops", 1);
    let error = Workshop::open(&changed, "mine").unwrap_err().to_string();
    assert!(error.contains("is not what was written"), "{error}");
}

/// It was written all the same, and then refused when it was opened.
#[test]
fn a_recording_of_more_steps_than_are_opened_is_not_written() {
    let mut workshop = open("dzhanibekov");
    workshop.step = 300_000;
    assert!(workshop.recording().is_ok());
    workshop.step = 300_001;
    let error = workshop.recording().unwrap_err();
    assert_eq!(error, ReplayError::TooLong { max: 300_000, step: 300_001 });
}

#[test]
fn a_preset_is_known_by_its_own_words_however_it_was_edited() {
    let catalogue: serde_json::Value = serde_json::from_str(&catalogue()).unwrap();
    for (preset, listed) in PRESETS.iter().zip(catalogue["presets"].as_array().unwrap()) {
        let mut workshop = open(preset.name);
        workshop.seek(3);
        workshop.change_rules(r#"{"gravity":[0,-1,0]}"#).unwrap();
        let again = Workshop::open(&workshop.words(), "saved").unwrap();
        let rules: serde_json::Value = serde_json::from_str(&again.rules()).unwrap();
        let told =
            serde_json::json!({ "name": rules["name"], "description": rules["description"] });
        assert_eq!(told, listed["own"], "{}", preset.name);
        assert!(listed["own"]["name"].is_string(), "{}", preset.name);
    }
}
