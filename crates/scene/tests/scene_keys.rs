//! Earlier keys of scene files: read with the same result as the documented ones, alone and in
//! recordings.

use std::path::PathBuf;

use embate_scene::scene_file::{SceneLimits, SceneSource, load_scene, read_scene};
use embate_scene::simulation::{Replay, Simulation};

fn data(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(name)
}

/// State hash after each step.
fn hashes(name: &str) -> Vec<u64> {
    let scene = load_scene(&data(name), &SceneLimits::default()).unwrap();
    let mut run = Simulation::new(&scene);
    (0..scene.steps).map(|_| run.step()).collect()
}

#[test]
fn scene_in_earlier_keys_equals_the_scene_in_current_keys() {
    let [earlier, current] = ["earlier-keys.json", "current-keys.json"]
        .map(|name| load_scene(&data(name), &SceneLimits::default()).unwrap());
    assert_eq!(earlier.bodies, current.bodies);
    assert_eq!((earlier.settings, earlier.method), (current.settings, current.method));
    assert_eq!(format!("{:?}", earlier.joints), format!("{:?}", current.joints));
    assert_eq!(hashes("earlier-keys.json"), hashes("current-keys.json"));
}

#[test]
fn keys_of_the_baseline_solver_have_earlier_spellings() {
    let bodies = r#""bodies":[{"shape":{"sphere":{"radius":1}},"mass":1}]"#;
    let [earlier, current] = [
        r#""method":"study","broad":"grid","resolve":"positions""#,
        r#""solver":"baseline","broad_phase":"grid","response":"positions""#,
    ]
    .map(|keys| {
        let text = format!("{{{keys},\"tolerance\":0.1,{bodies}}}");
        read_scene(&text, &SceneSource::text("a.json")).unwrap().method
    });
    assert_eq!(earlier, current);
    for (earlier, solver) in [("soft", "soft-step"), ("elastic", "event-driven")] {
        let text = format!("{{\"method\":\"{earlier}\",{bodies}}}");
        let scene = read_scene(&text, &SceneSource::text("a.json")).unwrap();
        assert_eq!((scene.method.name(), scene.method.solver_name()), (earlier, solver));
    }
}

/// Recorded before the keys were renamed.
#[test]
fn recordings_in_earlier_keys_replay_every_step() {
    for (name, steps) in [("earlier-keys.embate", 120), ("earlier-keys-study.embate", 60)] {
        let replay = Replay::load(&data(name)).unwrap();
        assert!(replay.is_whole);
        let mut run = Simulation::new(&replay.scene);
        assert_eq!(replay.follow(&mut run, || ()), None, "{name}");
        assert_eq!(run.steps(), steps);
    }
}
