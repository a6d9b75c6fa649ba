//! Scenes of `examples/scenes`: each obeys the schema, runs, and stays stable; hostile scenes are
//! rejected by schema and reader alike.

mod schema;

use std::path::PathBuf;

use embate::dynamics::Settings;
use embate_scene::scene_file::{SceneLimits, SceneSource, load_scene, read_scene};
use embate_scene::scene_world::SceneWorld;
use embate_scene::simulation::Simulation;
use serde_json::Value;

fn home(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").join(path)
}

fn scene_schema() -> Value {
    let text = std::fs::read_to_string(home("docs/scene.schema.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn examples() -> Vec<PathBuf> {
    let files = std::fs::read_dir(home("examples/scenes")).unwrap();
    let mut files: Vec<PathBuf> = files.map(|file| file.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    files
}

/// The springs of soft contacts yield by a length that depends on the sub-step, not on the size of
/// the bodies: 7 mm in a stack of ten at the default step, in which small cubes fall over. See the guide
/// of the dynamics.
#[test]
fn stack_of_2_mm_cubes_stands_at_a_step_of_1_600_s() {
    const EDGE: f64 = 0.002;
    let cubes: Vec<String> = (0..10)
        .map(|cube| {
            let y = EDGE * (f64::from(cube) + 0.5);
            format!(r#"{{"shape":{{"cube":{{"half":0.001}}}},"position":[0,{y},0],"mass":8e-6}}"#)
        })
        .collect();
    let text = format!(
        r#"{{"time_step":0.0016666667,"bodies":[{},
            {{"shape":{{"halfspace":{{"normal":[0,1,0]}}}},"type":"fixed"}}]}}"#,
        cubes.join(",")
    );
    let scene = read_scene(&text, &SceneSource::text("cubes")).unwrap();
    let mut world = scene.world();
    (0..6_000).for_each(|_| world.step());
    for (cube, id) in scene.ids()[..10].iter().enumerate() {
        let position = world.body(*id).unwrap().position();
        let sunk = EDGE * (cube as f64 + 0.5) - f64::from(position.y);
        assert!(sunk.abs() < 0.05 * EDGE, "cube {cube}: {position:?}");
        let aside = position.x.abs() + position.z.abs();
        assert!(f64::from(aside) < 0.02 * EDGE, "cube {cube}: {position:?}");
    }
}

/// Its cards began up to 13 mm in each other, and with eight sub-steps and more what pushed them
/// apart brought it down.
#[test]
fn card_house_is_stable_for_every_substep_count() {
    let file = home("examples/scenes/card-house.json");
    let scene = load_scene(&file, &SceneLimits::default()).unwrap();
    for substeps in [3, 4, 8, 16, 32] {
        let settings = Settings { substeps, ..scene.settings };
        let mut world = scene.world_with(settings, scene.method).unwrap();
        let height = |world: &SceneWorld| {
            world.bodies().map(|body| body.position().y).fold(0.0, |a, b| if b > a { b } else { a })
        };
        let before = height(&world);
        (0..600).for_each(|_| world.step());
        assert!((height(&world) - before).abs() < 0.02, "{substeps}: {}", height(&world));
    }
}

#[test]
fn every_example_is_valid_and_has_a_name_and_description() {
    let schema = scene_schema();
    let examples = examples();
    assert!(examples.len() >= 12, "{}", examples.len());
    for file in examples {
        let text = std::fs::read_to_string(&file).unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        let faults = schema::faults(&schema, &document);
        assert!(faults.is_empty(), "{}: {faults:?}", file.display());
        let scene = load_scene(&file, &SceneLimits::default()).unwrap();
        assert!(scene.name.is_some_and(|name| !name.is_empty()), "{}", file.display());
        assert!(scene.description.is_some_and(|text| text.len() > 20), "{}", file.display());
    }
}

#[test]
fn schema_accepts_earlier_keys_and_marks_them_as_deprecated() {
    let schema = scene_schema();
    for name in ["earlier-keys.json", "current-keys.json"] {
        let text = std::fs::read_to_string(home("crates/scene/tests/data").join(name)).unwrap();
        let document: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(schema::faults(&schema, &document), Vec::<String>::new(), "{name}");
    }
    let deprecated = |pointer: &str| schema.pointer(pointer).unwrap().get("deprecated").is_some();
    for (earlier, current) in [
        ("/properties/method", "/properties/solver"),
        ("/properties/slop", "/properties/linear_slop"),
        ("/$defs/body/properties/static", "/$defs/body/properties/type"),
        ("/$defs/body/properties/groups", "/$defs/body/properties/collision_filter"),
        ("/$defs/point_joint/properties/at", "/$defs/point_joint/properties/anchor"),
    ] {
        assert!(deprecated(earlier) && !deprecated(current), "{earlier}, {current}");
    }
}

/// As many steps as a test has time for.
#[test]
fn every_example_runs_with_finite_and_bounded_state() {
    for file in examples() {
        let scene = load_scene(&file, &SceneLimits::default()).unwrap();
        let max_steps = (30_000 / scene.bodies.len() as u32).clamp(20, 600);
        let mut run = Simulation::new(&scene);
        for _ in 0..scene.steps.min(max_steps) {
            run.step();
        }
        let outcome = run.outcome();
        let name = file.display();
        for body in &outcome.bodies {
            let all = body.position.iter().chain(&body.orientation).chain(&body.velocity);
            assert!(
                all.chain(&body.angular_velocity).all(|value| value.is_finite()),
                "{name}: {body:?}"
            );
            let far = body
                .position
                .iter()
                .fold(0.0_f32, |far, at| if at.abs() > far { at.abs() } else { far });
            assert!(far < 500.0, "{name}: {body:?}");
        }
        assert!(outcome.energy.is_finite(), "{name}");
        // Nothing gains energy from nowhere: what falls may lose it, the elastic keep it.
        let scale = outcome.energy_at_start.abs().max(1.0);
        if !name.to_string().contains("motor") {
            assert!(
                outcome.energy <= outcome.energy_at_start + 0.02 * scale,
                "{name}: {outcome:?}"
            );
        }
    }
}

const TWO: &str = r#"{"name":"a","shape":{"sphere":{"radius":1}},"mass":1},
    {"name":"b","shape":{"sphere":{"radius":1}},"position":[3,0,0],"mass":1}"#;
const BALL: &str = r#"{"shape":{"sphere":{"radius":1}},"mass":1}"#;

/// Joints and forces that must be refused by the schema and by the reader.
fn hostile_joints_and_forces() -> Vec<(String, &'static str)> {
    let joint = |joint: &str| format!("{{\"bodies\":[{TWO}],\n\"joints\":[{joint}]}}");
    let force = |force: &str| format!("{{\"bodies\":[{TWO}],\n\"forces\":[{force}]}}");
    vec![
        (force(r#"{"force":[1,0,0]}"#), "force 0: the key `body` is missing"),
        (force(r#"{"body":"a"}"#), "give one of `force`, `spring` and `central`"),
        (
            force(r#"{"body":"a","force":[1,0,0],"central":{"center":[0,0,0],"strength":1}}"#),
            "give one of `force`, `spring` and `central`",
        ),
        (force(r#"{"body":"a","force":[1e13,0,0]}"#), "the force is [10000000000000.0, 0.0, 0.0]"),
        (force(r#"{"body":"a","force":[1,0,0],"from":-1}"#), "the time of the force is -1"),
        (force(r#"{"body":"a","force":[1,0,0],"until":0}"#), "`until`, 0 s, is not after `from`"),
        (
            force(r#"{"body":"a","spring":{"anchor":[0,0,0],"stiffness":-1}}"#),
            "the stiffness is -1",
        ),
        (force(r#"{"body":"a","spring":{"stiffness":1}}"#), "the key `anchor` is missing"),
        (
            force(r#"{"body":"a","central":{"center":[0,0,0],"strength":1e13}}"#),
            "the strength of the force is 1e13",
        ),
        (force(r#"{"body":"a","thrust":[1,0,0]}"#), "unknown key `thrust`"),
        (joint(r#"{"bodies":["a","b"]}"#), "the key `joint` is missing"),
        (joint(r#"{"bodies":["a"],"joint":{"ball":{"at":[0,0,0]}}}"#), "has 1 items; give 2"),
        (joint(r#"{"bodies":["a",-1],"joint":{"ball":{"at":[0,0,0]}}}"#), "the name or the index"),
        (joint(r#"{"bodies":["a","b"],"joint":{"glue":{"at":[0,0,0]}}}"#), "unknown key `glue`"),
        (joint(r#"{"bodies":["a","b"],"joint":{"ball":{"at":[0,0]}}}"#), "has 2 items; give 3"),
        (
            joint(r#"{"bodies":["a","b"],"joint":{"hinge":{"at":[0,0,0]}}}"#),
            "the key `axis` is missing",
        ),
        (
            joint(r#"{"bodies":["a","b"],"joint":{"ball":{"at":[0,0,0],"axis":[1,0,0]}}}"#),
            "unknown key `axis`",
        ),
        (
            joint(
                r#"{"bodies":["a","b"],"joint":{"spring":{"from":[0,0,0],"to":[1,0,0],"stiffness":-1}}}"#,
            ),
            "-1",
        ),
        (
            joint(r#"{"bodies":[0,1],"joint":{"ball":{"at":[0,0,0],"anchor":[0,0,0]}}}"#),
            "both `at` and `anchor`",
        ),
        (
            joint(r#"{"bodies":[0,1],"joint":{"fixed":{"at":[0,0,0]},"weld":{"at":[0,0,0]}}}"#),
            "both `fixed` and `weld`",
        ),
    ]
}

/// Scenes that must be refused by the schema and by the reader, which says where and what.
fn hostile() -> Vec<(String, &'static str)> {
    let bodies = |body: &str| format!("{{\"bodies\":[\n{body}\n]}}");
    let with = |key: &str| format!("{{{key},\n\"bodies\":[{BALL}]}}");
    let ball = |key: &str| bodies(&format!(r#"{{"shape":{{"sphere":{{"radius":1}}}},{key}}}"#));
    vec![
        ("[]".to_owned(), "this is no scene, which is an object"),
        ("{}".to_owned(), "the key `bodies` is missing"),
        (r#"{"bodies":{}}"#.to_owned(), "a list [...] belongs here"),
        (r#"{"bodies":[1]}"#.to_owned(), "an object {...} belongs here"),
        (r#"{"bodies":[],"colour":1}"#.to_owned(), "unknown key `colour`"),
        (with(r#""gravity":[0,-9.81]"#), "has 2 items; give 3"),
        (with(r#""gravity":[0,-1e7,0]"#), "within ±1e6"),
        (with(r#""time_step":0"#), "the time step is 0"),
        (with(r#""time_step":-0.1"#), "the time step is -0.1"),
        (with(r#""time_step":2"#), "must lie between"),
        (with(r#""substeps":0"#), "the number of sub-steps is 0"),
        (with(r#""substeps":65"#), "must lie between 1 and 64"),
        (with(r#""substeps":2.5"#), "a whole number"),
        (with(r#""linear_slop":0"#), "the linear slop is 0"),
        (with(r#""steps":-1"#), "a whole number"),
        (with(r#""dimension":4"#), "there is no dimension 4"),
        (with(r#""solver":"magic""#), "there are: soft-step, event-driven, baseline"),
        (with(r#""broad_phase":"magic""#), "there are: auto, brute"),
        (with(r#""broad_phase":"study-grid""#), "is for 2D"),
        (with(r#""response":"magic""#), "there are: positions, impulse"),
        (with(r#""integrator":"magic""#), "there are: explicit-euler, semi-implicit-euler, verlet"),
        (with(r#""tolerance":-1"#), "the tolerance is -1"),
        (with(r#""position_iterations":0"#), "must lie between 1 and 64"),
        (with(r#""position_iterations":65"#), "the number of position iterations is 65"),
        (with(r#""octree":{"max_depth":0}"#), "the maximum depth of the octree is 0"),
        (with(r#""octree":{"max_depth":65}"#), "must lie between 1 and 64"),
        (with(r#""octree":{"min_cell_size":-1}"#), "the smallest cell of the octree is -1"),
        (with(r#""octree":{"looseness":2}"#), "unknown key `looseness`"),
        (with(r#""enable_sleep":1"#), "true or false belongs here"),
        (with(r#""bounds":{"min":[0,0,0]}"#), "the key `max` is missing"),
        (with(r#""bounds":{"min":[0,0,0],"max":[1,1,1],"mode":"soft"}"#), "there are: solid, open"),
        (with(r#""bounds":{"min":[0,0,0],"max":[1,1,1],"doors":2}"#), "unknown key `doors`"),
        (ball(r#""mass":0"#), "the mass is 0"),
        (ball(r#""mass":-1"#), "the mass is -1"),
        (ball(r#""mass":1e13"#), "must lie between 1e-9 and 1e12"),
        (ball(r#""restitution":0.5"#), "the body has no mass"),
        (ball(r#""static":true,"driven":true"#), "either \"static\" or \"driven\""),
        (ball(r#""type":"fixed","restitution":1.5"#), "the restitution is 1.5"),
        (ball(r#""type":"fixed","friction":-1"#), "the friction is -1"),
        (ball(r#""type":"fixed","friction":1e6"#), "must lie between 0 and 1000"),
        (ball(r#""mass":1,"damping":-1"#), "must lie between 0 and 1000000"),
        (ball(r#""mass":1,"gravity_scale":1e9"#), "the gravity scale is"),
        (ball(r#""mass":1,"locked_axes":["w"]"#), "there are: x, y, z, rot_x"),
        (ball(r#""mass":1,"collision_filter":{"category":[32]}"#), "there is no group 32"),
        (ball(r#""mass":1,"position":[0,1e9,0]"#), "scale the scene down"),
        (ball(r#""mass":1,"position":[0,null,0]"#), "a number belongs here, not null"),
        (ball(r#""mass":1,"velocity":[2e6,0,0]"#), "faster than the 10000 m/s of a scene"),
        (ball(r#""mass":1,"orientation":[0,0,1]"#), "has 3 items; give 4"),
        (ball(r#""mass":1,"mas":1"#), "unknown key `mas`"),
        (bodies(r#"{"mass":1}"#), "the key `shape` is missing"),
        (bodies(r#"{"shape":{"hull":{"points":[]}},"mass":1}"#), "a hull of no points"),
        (bodies(r#"{"shape":{"sphere":{"radius":0}},"mass":1}"#), "the radius is 0"),
        (bodies(r#"{"shape":{"ball":{"radius":1}},"mass":1}"#), "unknown key `ball`"),
        (bodies(r#"{"shape":{"compound":[]},"mass":1}"#), "a compound of no shapes"),
        (bodies(r#"{"shape":{"mesh":{"file":""}},"type":"fixed"}"#), "cannot name files"),
        (ball(r#""type":"heavy""#), "there are: dynamic, kinematic, fixed"),
        (ball(r#""type":"fixed","mass":1"#), "the body is fixed, so `mass` has no effect"),
        (ball(r#""static":true,"velocity":[0,1,0]"#), "the body is fixed, so `velocity`"),
        (ball(r#""type":"static","angular_velocity":[0,0,-1]"#), "so `angular_velocity`"),
        (ball(r#""type":"fixed","static":true"#), "both `type` and `static` are given"),
        (ball(r#""driven":false,"mass":1,"type":"dynamic""#), "both `driven` and `type`"),
        (ball(r#""mass":1,"damping":1,"linear_damping":1"#), "both `damping` and `linear_damping`"),
        (ball(r#""mass":1,"locks":[],"locked_axes":[]"#), "both `locks` and `locked_axes`"),
        (
            ball(r#""mass":1,"collision_filter":{"of":[1],"category":[1]}"#),
            "both `of` and `category`",
        ),
        (with(r#""method":"soft","solver":"soft-step""#), "both `method` and `solver`"),
        (with(r#""slop":0.01,"linear_slop":0.01"#), "both `slop` and `linear_slop`"),
    ]
}

#[test]
fn hostile_scenes_are_rejected_by_schema_and_reader_with_location() {
    let schema = scene_schema();
    let good: Value = serde_json::from_str(&format!("{{\"bodies\":[{BALL}]}}")).unwrap();
    assert_eq!(schema::faults(&schema, &good), Vec::<String>::new());
    for (text, words) in hostile().into_iter().chain(hostile_joints_and_forces()) {
        let document: Value = serde_json::from_str(&text).unwrap();
        assert!(!schema::faults(&schema, &document).is_empty(), "the schema lets pass {text}");
        let error = read_scene(&text, &SceneSource::text("a.json")).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
        assert!(error.starts_with("a.json, line ") && !error.contains('\n'), "{text}: {error}");
    }
}
