//! Saved scenes and recordings open as they were; broken ones yield errors.

use super::*;

#[test]
fn replay_is_bit_identical_and_divergence_is_rejected() {
    let mut sandbox = open("cradle");
    sandbox.seek(12);
    sandbox.change(2, r#"{"mass":4}"#).unwrap();
    let ball = sandbox.throw(Vec3::new(0.0, 1.0, 9.0), -Vec3::Z, 9.0, "ball").unwrap();
    sandbox.seek(20);
    sandbox.pull(ball, Vec3::new(0.0, 1.0, 4.0), Vec3::new(0.1, 5.0, 0.3));
    sandbox.seek(30);
    sandbox.release();
    sandbox.remove(1);
    sandbox.seek(44);
    let recording = sandbox.recording().unwrap();
    let again = replayed(&recording);
    assert_eq!((again.at(), again.state_hash()), (44, sandbox.state_hash()));
    assert_eq!(again.recording().unwrap(), recording);

    let other = recording.replace("\"step\":20", "\"step\":21");
    assert_ne!(other, recording);
    let opened = Sandbox::open(&other, "mine");
    let refused =
        opened.and_then(|mut opened| opened.advance_seek(|| false)).unwrap_err().to_string();
    assert!(refused.contains("departs") || refused.contains("order"), "{refused}");
    for bad in [
        r#"{"recording":"embate 9"}"#,
        r#"{"recording":"embate 1","scene":{"bodies":[]},"step":1e9}"#,
    ] {
        assert!(Sandbox::open(bad, "mine").is_err());
    }
}

#[test]
fn recording_with_edits_at_step_zero_replays() {
    let mut sandbox = open("cradle");
    let ball = r#"{"name":"ball","shape":{"sphere":{"radius":0.2}},"mass":1,"position":[0,9,0]}"#;
    sandbox.add(ball).unwrap();
    sandbox.add(&ball.replace('9', "12")).unwrap();
    sandbox.remove(1);
    sandbox.remove(2);
    for steps in [0, 25] {
        sandbox.seek(steps);
        let recording = sandbox.recording().unwrap();
        let again = replayed(&recording);
        assert_eq!((again.at(), again.state_hash()), (steps, sandbox.state_hash()));
        assert_eq!(again.recording().unwrap(), recording);
    }
}

#[test]
fn scene_saved_after_steps_reopens_in_its_current_state() {
    for name in ["ramp", "cradle", "wrecking", "dzhanibekov", "study-pile"] {
        let mut sandbox = open(name);
        sandbox.seek(100);
        let mut again = Sandbox::open(&sandbox.scene_json(), name).unwrap();
        let (ours, theirs) = (sandbox.render_state().bodies, again.render_state().bodies);
        let far =
            ours.iter().zip(&theirs).enumerate().filter(|(index, _)| index % FLOATS_PER_BODY < 3);
        let far =
            far.fold(0.0_f32, |far, (_, (a, b))| embate::math::scalar::max(far, (a - b).abs()));
        assert!(far < 1e-5, "{name}: {far}");
        let (was, is) = (sandbox.stats().energy, again.stats().energy);
        assert!((was - is).abs() < 1e-5 * was.abs() + 1e-3, "{name}: {was} J, {is} J");
    }
}

#[test]
fn error_in_a_recording_has_its_line_and_column() {
    let file = "{\"recording\":\"embate 1\",\"step\":1,\"state_hash\":\"0\",\n  \"scene\": {\n \"bodies\": [\n {\"shape\":{\"cube\":{\"half\":-1}},\"mass\":1}]}}";
    let error = Sandbox::open(file, "mine").unwrap_err();
    assert_eq!(error.location().map(|(line, _)| line), Some(4), "{error}");
    let line = file.replace('\n', " ");
    let error = Sandbox::open(&line, "mine").unwrap_err();
    let (row, column) = error.location().unwrap();
    assert!(row == 1 && line[..column].contains("\"half\""), "{error}");

    let inner = r#"{"recording":"embate 1","scene":{"bodies":[]},"step":0,"state_hash":"0"}"#;
    let nested = format!(r#"{{"recording":"embate 1","scene":{inner},"step":0,"state_hash":"0"}}"#);
    let error = Sandbox::open(&nested, "mine").unwrap_err().to_string();
    assert!(error.contains("a recording itself"), "{error}");
}

#[test]
fn hostile_recordings_are_rejected_without_panic() {
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
        let opened = Sandbox::open(&text, "mine");
        let refused = opened.and_then(|mut opened| opened.advance_seek(|| false));
        assert!(!refused.unwrap_err().code().is_empty(), "{actions}");
    }
    // The last of all keys may be taken: the next one is none too many.
    let text = format!(
        r#"{{"recording":"embate 1","scene":{scene},"actions":[{{"step":0,"add":{ball},"key":{}}}],"step":0,"state_hash":"00"}}"#,
        u32::MAX
    );
    assert!(Sandbox::open(&text, "mine").unwrap().advance_seek(|| false).is_err());
}

#[test]
fn recording_of_the_command_line_replays_and_damage_is_rejected() {
    let text = preset("cradle").unwrap().text(1);
    let scene = read_scene(&text, &SceneSource::text("cradle.json")).unwrap();
    let folder = std::env::temp_dir().join(format!("embate-sandbox-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("cradle.rec");
    let mut run = Simulation::new(&scene);
    let mut recording =
        embate_scene::simulation::Recording::open(&path, "cradle.json", &scene).unwrap();
    for _ in 0..70 {
        let hash = run.step();
        recording.record_step(&run, hash).unwrap();
    }
    recording.finish().unwrap();
    let recorded = std::fs::read_to_string(&path).unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    let again = replayed(&recorded);
    assert_eq!((again.at(), again.state_hash()), (70, run.world().state_hash()));
    let damaged = recorded.replacen("scene", "scone", 1);
    let error = Sandbox::open(&damaged, "mine").unwrap_err().to_string();
    assert!(error.contains("embate simulate"), "{error}");
    // One that was killed in the middle of a line, or between two, is not taken for whole.
    let lines: Vec<&str> = recorded.lines().collect();
    for broken in [recorded.len() - 9, recorded.len() - lines[lines.len() - 1].len() - 1] {
        let error = Sandbox::open(&recorded[..broken], "mine").unwrap_err().to_string();
        assert!(error.contains("breaks off after step 70"), "{error}");
    }
    let changed = recorded.replacen("steps", "stops", 1);
    let error = Sandbox::open(&changed, "mine").unwrap_err().to_string();
    assert!(error.contains("is not what was written"), "{error}");
}

/// Regression: a recording above the limit was written, and rejected on opening.
#[test]
fn recording_beyond_the_step_limit_is_not_written() {
    let mut sandbox = open("dzhanibekov");
    sandbox.step = 300_000;
    assert!(sandbox.recording().is_ok());
    sandbox.step = 300_001;
    let error = sandbox.recording().unwrap_err();
    assert_eq!(error, ReplayError::TooLong { max: 300_000, step: 300_001 });
}

#[test]
fn preset_keeps_its_name_until_it_is_edited_and_a_throw_is_no_edit() {
    let catalogue: serde_json::Value = serde_json::from_str(&catalog()).unwrap();
    for (preset, listed) in PRESETS.iter().zip(catalogue["presets"].as_array().unwrap()) {
        let mut sandbox = open(preset.name);
        let saved_texts = |sandbox: &Sandbox| {
            let again = Sandbox::open(&sandbox.scene_json(), "saved").unwrap();
            let settings: serde_json::Value = serde_json::from_str(&again.settings_json()).unwrap();
            serde_json::json!({ "name": settings["name"], "description": settings["description"] })
        };
        sandbox.seek(3);
        let way = Vec3::new(0.1, -0.1, -1.0);
        sandbox.throw(Vec3::new(0.0, 2.0, 9.0), way, 9.0, "ball").unwrap();
        assert_eq!(saved_texts(&sandbox), listed["own"], "{}", preset.name);
        assert!(listed["own"]["name"].is_string(), "{}", preset.name);
        let none = serde_json::json!({ "name": null, "description": null });
        sandbox.change_settings(r#"{"gravity":[0,-1,0]}"#).unwrap();
        assert_eq!(saved_texts(&sandbox), none, "{}", preset.name);
        assert_eq!(sandbox.undoable(), (2, 0), "the edit is one undo entry");
        assert!(sandbox.undo());
        assert_eq!(saved_texts(&sandbox), listed["own"], "{}", preset.name);
    }
}

#[test]
fn a_scene_of_ones_own_has_its_own_name_and_description() {
    let mut sandbox = open("pyramid");
    let text = |sandbox: &Sandbox, key: &str| {
        let settings: serde_json::Value = serde_json::from_str(&sandbox.settings_json()).unwrap();
        settings[key].as_str().map(str::to_owned)
    };
    sandbox.change_settings(r#"{"name":"Lesson 3"}"#).unwrap();
    let texts = |sandbox: &Sandbox| ["name", "description"].map(|key| text(sandbox, key));
    assert_eq!(texts(&sandbox), [Some("Lesson 3".to_owned()), None]);
    sandbox.change_settings(r#"{"description":"A wall of boxes."}"#).unwrap();
    sandbox.remove(3);
    let again = Sandbox::open(&sandbox.scene_json(), "saved").unwrap();
    let wanted = ["Lesson 3", "A wall of boxes."].map(|text| Some(text.to_owned()));
    assert_eq!(texts(&again), wanted);
}

/// As `embate simulate --series` writes it.
fn series_of_command(text: &str, steps: u32) -> String {
    use embate_scene::simulation::series::{
        default_series_bodies, series_csv_header, series_csv_line, series_row,
    };
    let scene = read_scene(text, &SceneSource::text("exported")).unwrap();
    let bodies = default_series_bodies(&scene);
    let names: Vec<String> = bodies.iter().map(|&body| scene.body_name(body)).collect();
    let mut csv = series_csv_header(&names);
    let mut run = Simulation::new(&scene);
    for step in 0..=steps {
        let ids = bodies.iter().map(|&body| Some(scene.ids()[body]));
        csv += &series_csv_line(&series_row(step, run.world().time(), run.world(), ids));
        run.step();
    }
    csv
}

#[test]
fn series_of_an_unedited_scene_equals_that_of_the_command() {
    for name in ["ramp", "pyramid", "gas", "study-positions"] {
        let mut sandbox = open(name);
        let text = sandbox.scene_json();
        sandbox.seek(70);
        let mut job = sandbox.series();
        let mut slices = 0;
        while !job.advance(|| true) {
            slices += 1;
        }
        assert_eq!(slices, 70, "a slice ends after every row");
        assert!(job.csv() == series_of_command(&text, 70), "{name}");
        assert_eq!(sandbox.at(), 70, "the shown world stays where it is");
    }
}

#[test]
fn series_of_an_edited_scene_has_empty_cells_where_a_body_is_missing() {
    let mut sandbox = open("cradle");
    sandbox.seek(30);
    let key = sandbox
        .add(r#"{"name":"late","shape":{"sphere":{"radius":0.2}},"mass":1,"position":[0,20,0]}"#)
        .unwrap();
    let dynamic = sandbox.scene.document.index_of(key).unwrap();
    assert!(dynamic < 20, "among the bodies of the series");
    sandbox.seek(60);
    let mut job = sandbox.series();
    assert!(job.advance(|| false));
    let lines: Vec<&str> = job.csv().lines().collect();
    assert_eq!(lines.len(), 62);
    assert!(lines[0].ends_with("late.vx,late.vy,late.vz"), "{}", lines[0]);
    assert!(lines[30].ends_with(",,,,,,") && !lines[31].ends_with(','), "{}", lines[31]);
    let height: f32 = lines[61].split(',').rev().nth(4).unwrap().parse().unwrap();
    let shown = sandbox.scene.world.body(sandbox.scene.ids[dynamic]).unwrap().position().y;
    assert_eq!(height, shown);
}
