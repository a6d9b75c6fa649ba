//! Applied forces of scene files: motion by every solver, errors, and recordings.

use embate_scene::scene_file::{Scene, SceneSource, read_scene};
use embate_scene::simulation::{Outcome, Recording, Replay, Simulation};

const SOLVERS: [&str; 3] = ["soft-step", "event-driven", "baseline"];

/// A weightless ball of 2 kg at x = 1, and a force on it.
fn scene(solver: &str, velocity: &str, force: &str) -> Scene {
    let text = format!(
        r#"{{"gravity":[0,0,0],"solver":"{solver}","bodies":[
            {{"name":"floor","shape":{{"halfspace":{{"normal":[0,1,0]}}}},"type":"fixed","position":[0,-50,0]}},
            {{"name":"ball","shape":{{"sphere":{{"radius":0.1}}}},"mass":2,"position":[1,0,0],
              "velocity":{velocity}}}],
        "forces":[{{"body":"ball",{force}}}]}}"#
    );
    read_scene(&text, &SceneSource::text("a.json")).unwrap()
}

fn after(scene: &Scene, steps: u32) -> Outcome {
    let mut run = Simulation::new(scene);
    for _ in 0..steps {
        run.step();
    }
    run.outcome()
}

#[test]
fn constant_force_acts_in_its_window_with_every_solver() {
    for solver in SOLVERS {
        let scene = scene(solver, "[0,0,0]", r#""force":[0,0,6],"from":0.5,"until":1.5"#);
        let speed = |steps| after(&scene, steps).bodies[1].velocity[2];
        // 3 m/s² from step 30 to step 90.
        let speeds = [30, 60, 90, 120].map(speed);
        for (speed, expected) in speeds.into_iter().zip([0.0, 1.5, 3.0, 3.0]) {
            assert!((speed - expected).abs() < 1e-4, "{solver}: {speeds:?}");
        }
    }
}

#[test]
fn spring_of_one_second_returns_the_ball_and_keeps_the_energy_of_long_runs() {
    // ω = √(k/m) = 2π.
    let spring = r#""spring":{"anchor":[0,0,0],"stiffness":78.956835}"#;
    for solver in SOLVERS {
        let scene = scene(solver, "[0,0,0]", spring);
        let outcome = after(&scene, 60);
        let [x, ..] = outcome.bodies[1].position;
        assert!((x - 1.0).abs() < 0.01, "{solver}: {x}");
        assert!((outcome.energy_at_start - 39.478).abs() < 1e-2, "{solver}: {outcome:?}");
        // A hundred periods: bounded, not growing.
        let [middle, end] = [3015, 6000].map(|steps| after(&scene, steps).energy);
        for energy in [middle, end] {
            assert!((energy / outcome.energy_at_start - 1.0).abs() < 0.06, "{solver}: {energy}");
        }
    }
}

#[test]
fn planet_stays_on_its_circle_with_every_solver() {
    // v² = strength / (m·r).
    let central = r#""central":{"center":[0,0,0],"strength":8}"#;
    for solver in SOLVERS {
        let scene = scene(solver, "[0,2,0]", central);
        let [x, y, z] = after(&scene, 2000).bodies[1].position;
        let radius = (x * x + y * y + z * z).sqrt();
        assert!((radius - 1.0).abs() < 0.03, "{solver}: {radius}");
    }
}

#[test]
fn body_sleeps_before_its_force_begins_and_is_awake_while_it_acts() {
    let text = r#"{"bodies":[
        {"shape":{"halfspace":{"normal":[0,1,0]}},"type":"fixed"},
        {"name":"block","shape":{"cube":{"half":0.5}},"mass":1,"position":[0,0.5,0]}],
        "forces":[{"body":"block","force":[20,0,0],"from":3}]}"#;
    let scene = read_scene(text, &SceneSource::text("a.json")).unwrap();
    assert_eq!(after(&scene, 170).asleep, 1);
    let pushed = after(&scene, 240);
    assert_eq!(pushed.asleep, 0);
    assert!(pushed.bodies[1].position[0] > 1.0, "{pushed:?}");
}

#[test]
fn force_on_a_body_that_cannot_move_is_an_error_at_its_line() {
    for (body, code) in [
        (r#""floor""#, "scene.force-not-dynamic"),
        ("0", "scene.force-not-dynamic"),
        (r#""ghost""#, "scene.unknown-body-name"),
        ("7", "scene.unknown-body-index"),
    ] {
        let text = format!(
            "{{\"bodies\":[{{\"name\":\"floor\",\"shape\":{{\"cube\":{{\"half\":1}}}},\"type\":\"fixed\"}}],\n\
             \"forces\":[\n{{\"body\":{body},\"force\":[1,0,0]}}]}}"
        );
        let error = read_scene(&text, &SceneSource::text("a.json")).unwrap_err();
        assert_eq!((error.code(), error.location), (code, Some((3, 9))), "{error}");
        assert!(error.to_string().starts_with("a.json, line 3, column 9: force 0: "), "{error}");
    }
}

#[test]
fn recording_with_forces_replays_every_step() {
    let folder = tempfile::tempdir().unwrap();
    for solver in SOLVERS {
        let scene = scene(solver, "[0,1,0]", r#""spring":{"anchor":[0,1,0],"stiffness":9}"#);
        let path = folder.path().join(solver);
        let mut recording = Recording::open(&path, "a.json", &scene).unwrap();
        let mut run = Simulation::new(&scene);
        for _ in 0..100 {
            let hash = run.step();
            recording.record_step(&run, hash).unwrap();
        }
        recording.finish().unwrap();
        let replay = Replay::load(&path).unwrap();
        let mut again = Simulation::new(&replay.scene);
        assert_eq!(replay.follow(&mut again, || ()), None, "{solver}");
    }
}
