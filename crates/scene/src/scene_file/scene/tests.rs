//! Scenes as users write them, and rules that no schema can express.

use embate::dynamics::LockedAxes;

use embate::dynamics::CombineRule;
use embate_replica::lasch::IntegratorKind;

use super::*;

fn read(text: &str) -> Result<Scene, SceneError> {
    read_scene(text, &SceneSource::text("a.json"))
}

fn error(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

const TWO: &str = r#"{
  "name": "two balls",
  "gravity": [0, -1.62, 0], "time_step": 0.01, "substeps": 8, "linear_slop": 0.002, "enable_sleep": false, "steps": 7,
  "bounds": {"min": [-9, -9, -9], "max": [9, 9, 9], "mode": "open"},
  "bodies": [
    {"name": "one", "shape": {"sphere": {"radius": 0.5}}, "position": [0, 5, 0], "mass": 1},
    {"name": "two", "shape": {"sphere": {"radius": 0.5}}, "position": [2, 5, 0], "mass": 1, "gravity_scale": 0,
     "locked_axes": ["z", "rot_x"], "collision_filter": {"category": [3], "mask": [0, 3]}, "linear_damping": 0.5}
  ]
}"#;

#[test]
fn scene_with_every_key_becomes_a_world() {
    let scene = read(TWO).unwrap();
    assert_eq!((scene.name.as_deref(), scene.steps, scene.dimension), (Some("two balls"), 7, 3));
    let settings = scene.settings;
    assert_eq!((settings.gravity.y, settings.time_step, settings.substeps), (-1.62, 0.01, 8));
    assert_eq!((settings.linear_slop, settings.enable_sleep), (0.002, false));
    assert_eq!(settings.bounds.unwrap().max.to_array(), [9.0; 3]);
    let two = &scene.bodies[1];
    assert_eq!(
        (two.locked_axes.translation, two.locked_axes.rotation),
        ([false, false, true], [true, false, false])
    );
    assert_eq!((two.collision_filter.category, two.collision_filter.mask), (8, 9));
    let mut world = scene.world();
    world.step();
    let height = |body: usize| world.body(scene.ids()[body]).unwrap().position().y;
    assert!(height(0) < 5.0);
    assert_eq!(height(1), 5.0);
}

#[test]
fn omitted_keys_have_their_defaults() {
    let scene = read(r#"{"bodies":[]}"#).unwrap();
    assert_eq!(scene.settings, Settings::default());
    assert_eq!((scene.steps, scene.name, scene.bodies.len()), (600, None, 0));
}

fn joined(joint: &str) -> String {
    TWO.replace("\"name\": \"two balls\",", &format!("\"joints\": [\n{joint}],"))
}

#[test]
fn joints_refer_to_bodies_by_name_or_index_in_any_key_order() {
    for joint in [
        r#"{"bodies":["one","two"],"joint":{"spherical":{"anchor":[1,5,0]}}}"#,
        r#"{"bodies":["one",1],"joint":{"distance":{"from":[0,5,0],"to":[2,5,0],"limits":[1,3]}}}"#,
        r#"{"bodies":[0,1],"joint":{"revolute":{"anchor":[1,5,0],"axis":[0,0,1],"motor":{"target_velocity":1,"max_torque":2}}}}"#,
        r#"{"bodies":[0,1],"joint":{"prismatic":{"anchor":[1,5,0],"axis":[1,0,0],"limits":[-1,1]}},"collide_connected":true}"#,
        r#"{"bodies":[0,1],"joint":{"fixed":{"anchor":[1,5,0]}}}"#,
        r#"{"bodies":[0,1],"joint":{"spring":{"from":[0,5,0],"to":[2,5,0],"stiffness":9,"damping":1,"rest_length":1}}}"#,
    ] {
        let scene = read(&joined(joint)).unwrap();
        assert_eq!(scene.joints.len(), 1);
        let mut other = scene.world_with(scene.settings, scene.method).unwrap();
        let mut world = scene.world();
        world.step();
        other.step();
        assert_eq!(world.state_hash(), other.state_hash());
    }
    for (joint, words) in [
        (
            r#"{"bodies":["one","three"],"joint":{"spherical":{"anchor":[0,0,0]}}}"#,
            "no body called \"three\"",
        ),
        (r#"{"bodies":["one",2],"joint":{"spherical":{"anchor":[0,0,0]}}}"#, "counted from 0 to 1"),
        (
            r#"{"bodies":["one","one"],"joint":{"spherical":{"anchor":[0,0,0]}}}"#,
            "connects a body to itself",
        ),
        (
            r#"{"bodies":[0,1],"joint":{"revolute":{"anchor":[0,0,0],"axis":[0,0,0]}}}"#,
            "has no direction",
        ),
    ] {
        let message = error(&joined(joint));
        assert!(
            message.starts_with("a.json, line 3, column ")
                && message.contains(": joint 0: ")
                && message.contains(words),
            "{message}"
        );
    }
}

#[test]
fn bodies_of_a_planar_scene_are_locked_to_the_plane() {
    let text = TWO.replace("\"name\": \"two balls\"", "\"dimension\": 2");
    let scene = read(&text).unwrap();
    for body in &scene.bodies {
        assert_eq!(
            (body.locked_axes.translation, body.locked_axes.rotation),
            (LockedAxes::PLANE_XY.translation, LockedAxes::PLANE_XY.rotation)
        );
    }
}

#[test]
fn body_outside_the_plane_is_rejected() {
    let body = r#"{"shape":{"sphere":{"radius":1}},"mass":1,"position":[0,0,5]}"#;
    let message = error(&format!("{{\"dimension\":2,\"bodies\":[{body}]}}"));
    assert!(message.ends_with("bodies move at z = 0, but its z is 5; give 0"), "{message}");
    assert!(read(&format!("{{\"dimension\":3,\"bodies\":[{body}]}}")).is_ok());
}

#[test]
fn error_has_file_line_and_column() {
    assert!(
        error(&TWO.replace("\"one\"", "\"two\""))
            .starts_with("a.json, line 7, column 5: body 1 \"two\": body 0")
    );
    let missing = TWO.replacen("\"mass\": 1", "\"friction\": 1", 1);
    assert!(
        error(&missing)
            .starts_with("a.json, line 6, column 5: body 0 \"one\": the body has no mass")
    );
    let hidden = TWO.replace("\"linear_damping\": 0.5", "\"dumping\": 0.5");
    assert!(
        error(&hidden)
            .starts_with("a.json, line 8, column 93: body 1 \"two\": unknown key `dumping` (did you mean `linear_damping`?); the keys"),
        "{}",
        error(&hidden)
    );
    let torn = &TWO[..TWO.len() - 3];
    assert!(error(torn).contains("the text ends too early"), "{}", error(torn));
    let nan = TWO.replace("-1.62", "NaN");
    assert!(error(&nan).starts_with("a.json, line 3, column"), "{}", error(&nan));
    let weightless = r#"{"bodies":[{"shape":{"halfspace":{"normal":[0,1,0]}},"mass":1}]}"#;
    assert!(error(weightless).contains("has no volume and cannot move"), "{}", error(weightless));
    let none = r#"{"bodies":[], "bounds": {"min":[0,0,0],"max":[0,1,1]}}"#;
    assert!(error(none).contains("are empty"), "{}", error(none));
}

#[test]
fn baseline_keys_require_the_baseline_solver() {
    for key in [
        r#""broad_phase":"grid""#,
        r#""integrator":"rk4""#,
        r#""response":"positions""#,
        r#""tolerance":0.1"#,
        r#""octree":{}"#,
    ] {
        let message = error(&format!("{{{key},\"bodies\":[]}}"));
        assert!(message.contains("is for \"solver\": \"baseline\" alone"), "{message}");
        assert!(read(&format!("{{{key},\"solver\":\"baseline\",\"bodies\":[]}}")).is_ok());
    }
    assert!(read(r#"{"broad_phase":"auto","tolerance":0,"bodies":[]}"#).is_ok());
}

#[test]
fn integrator_is_read_by_its_name_and_is_semi_implicit_euler_by_default() {
    let integrator = |keys: &str| {
        let scene = read(&format!("{{\"solver\":\"baseline\"{keys},\"bodies\":[]}}")).unwrap();
        let Method::Lasch(config) = scene.method else { panic!("{:?}", scene.method) };
        config.integrator
    };
    for kind in IntegratorKind::ALL {
        assert_eq!(integrator(&format!(",\"integrator\":\"{}\"", kind.name())), kind);
    }
    assert_eq!(integrator(""), IntegratorKind::SemiImplicitEuler);
}

#[test]
fn errors_of_solver_keys_and_close_bodies_are_located() {
    let message = error("{\n  \"tolerance\": 0.1,\n  \"bodies\": []}");
    assert!(message.contains("line 2, column 16"), "{message}");
    let body = r#"{"shape":{"sphere":{"radius":1}},"mass":1}"#;
    let many = format!("{{\"bodies\":[\n{}]}}", vec![body; 1_000].join(",\n"));
    let message = error(&many);
    assert!(
        message.contains("column 1: body ") && message.contains("near each other"),
        "{message}"
    );
}

#[test]
fn contact_margins_that_pair_too_many_bodies_are_rejected() {
    let at = |index: usize| [index % 10, index / 10 % 10, index / 100].map(|cell| 2 * cell);
    let scene = |rules: &str, velocity: f32| {
        let body = |index: usize| {
            let position = at(index);
            format!(
                r#"{{"shape":{{"sphere":{{"radius":0.1}}}},"mass":1,"position":{position:?},"velocity":[{velocity},0,0]}}"#
            )
        };
        let bodies: Vec<String> = (0..1000).map(body).collect();
        format!("{{{rules}\"bodies\":[{}]}}", bodies.join(","))
    };
    assert!(read(&scene("", 0.0)).is_ok());
    assert!(read(&scene(r#""solver":"baseline","#, 0.0)).is_ok());
    for rules in [r#""linear_slop":1000,"#, r#""solver":"baseline","tolerance":1000,"#] {
        let message = error(&scene(rules, 0.0));
        assert!(message.contains("near each other at the start"), "{message}");
    }
    let slow = scene(r#""time_step":1,"bounds":{"min":[-99,-99,-99],"max":[99,99,99]},"#, 0.1);
    assert!(read(&slow).is_ok());
}

/// Regression: the advice was to make a body static that was static already.
#[test]
fn advice_about_a_mass_of_0_is_to_leave_out_that_of_a_fixed_body() {
    let message =
        error(r#"{"bodies":[{"shape":{"sphere":{"radius":1}},"type":"fixed","mass":0}]}"#);
    assert!(message.contains("needs no mass"), "{message}");
}

#[test]
fn mass_or_velocity_of_a_fixed_body_is_an_error_at_its_key() {
    for key in ["mass", "velocity", "angular_velocity"] {
        let value = if key == "mass" { "2" } else { "[0, 0, 1e-3]" };
        for fixed in [r#""type": "fixed""#, r#""type": "static""#, r#""static": true"#] {
            let shape = r#""shape": {"sphere": {"radius": 1}}"#;
            let body = |fixed: &str| {
                format!("{{\"bodies\": [{{\n{shape},\n{fixed},\n\"{key}\": {value}}}]}}")
            };
            let error = read(&body(fixed)).unwrap_err();
            assert_eq!(error.code(), "scene.fixed-body", "{error}");
            assert_eq!(error.kind.to_json()["fields"]["key"], key);
            let column = key.len() + 5;
            let start =
                format!("a.json, line 4, column {column}: body 0: the body is fixed, so `{key}`");
            assert!(error.to_string().starts_with(&start), "{error}");
            assert!(read(&body(r#""type": "kinematic""#)).is_ok(), "{key}");
        }
    }
    // A velocity of 0 is that of every fixed body.
    let still = r#"{"bodies":[{"shape":{"sphere":{"radius":1}},"type":"fixed",
        "velocity":[0,0,0],"angular_velocity":[0,-0.0,0]}]}"#;
    assert!(read(still).is_ok());
}

#[test]
fn invalid_setting_is_located_at_its_line() {
    let lines = [
        (r#""gravity": [0, 1e30, 0]"#, "settings.gravity-out-of-range"),
        (r#""time_step": 0"#, "settings.out-of-range"),
        (r#""substeps": 65"#, "settings.out-of-range"),
        (r#""linear_slop": -1"#, "settings.out-of-range"),
        (r#""bounds": {"min": [1, 0, 0], "max": [0, 1, 1]}"#, "settings.invalid-bounds"),
        (r#""enable_sleep": 1"#, "scene.wrong-type"),
        (r#""steps": -1"#, "scene.wrong-type"),
        (r#""dimension": 4"#, "scene.dimension"),
        (r#""solver": "hard""#, "scene.unknown-name"),
        (r#""broad_phase": "none""#, "scene.unknown-name"),
        (r#""response": "none""#, "scene.unknown-name"),
        (r#""tolerance": -1"#, "scene.out-of-range"),
        (r#""position_iterations": 0"#, "scene.out-of-range"),
        (r#""octree": {"max_depth": 0}"#, "scene.out-of-range"),
        (r#""octree": {"min_cell_size": -1}"#, "scene.out-of-range"),
    ];
    for (line, code) in lines {
        let solver = if line.contains("solver") { "" } else { "\"solver\": \"baseline\"," };
        let error = read(&format!("{{\n\"name\": \"a\",{solver}\n{line},\n\"bodies\": []\n}}"))
            .unwrap_err();
        assert_eq!(
            (error.location.map(|(line, _)| line), error.code()),
            (Some(3), code),
            "{error}"
        );
    }
}

/// Regression: there were two limits, and the advice was a setting of the library.
#[test]
fn too_fast_body_is_rejected_with_the_limit_of_scenes_at_its_velocity() {
    for speed in ["1e9", "20000", "-1e38"] {
        let message = error(&format!(
            r#"{{"bodies":[{{"shape":{{"sphere":{{"radius":1}}}},"mass":1,"velocity":[{speed},0,0]}}]}}"#
        ));
        assert!(
            message.starts_with("a.json, line 1, column 65: body 0: the velocity"),
            "{message}"
        );
        let advice = "faster than the 10000 m/s of a scene; reduce it, or scale the scene down";
        assert!(message.ends_with(advice), "{message}");
    }
    // For the page, it is the engine's error.
    let (value, max) = ([2e4, 0.0, 0.0], 1e4);
    let of_scene = SceneErrorKind::TooFast { value, max }.to_json();
    let of_engine = SceneErrorKind::from(BodyError::TooFast { value, max }).to_json();
    for key in ["code", "fields"] {
        assert_eq!(of_scene[key], of_engine[key]);
    }
}

#[test]
fn too_long_lists_are_rejected_early() {
    let many = format!("{{\"bodies\":[{}0]}}", "0,".repeat((1 << 20) + 5));
    assert!(error(&many).contains("split the scene"), "{}", error(&many));
    let deep = format!("{{\"bodies\":[{}", "[".repeat(1_000_000));
    assert!(error(&deep).contains("ends too early"), "{}", error(&deep));
}

#[test]
fn too_many_overlapping_bodies_are_rejected() {
    let body = r#"{"shape":{"sphere":{"radius":1}},"mass":1}"#;
    let many = format!("{{\"bodies\":[{}]}}", vec![body; 3_000].join(","));
    assert!(error(&many).contains("near each other at the start"), "{}", error(&many));
    let few = format!("{{\"bodies\":[{}]}}", vec![body; 300].join(","));
    assert!(read(&few).is_ok());
}

#[test]
fn bodies_with_the_same_mesh_file_share_the_mesh() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.obj"), "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let body = r#"{"shape":{"mesh":{"file":"t.obj"}},"type":"fixed"}"#;
    let path = folder.path().join("scene.json");
    std::fs::write(&path, format!("{{\"bodies\":[{body},{body}]}}")).unwrap();
    let scene = load_scene(&path, &SceneLimits::default()).unwrap();
    let [Shape::TriMesh(one), Shape::TriMesh(other)] =
        [&scene.bodies[0].shape, &scene.bodies[1].shape]
    else {
        panic!("{:?}", scene.bodies)
    };
    assert!(std::sync::Arc::ptr_eq(one, other));
    assert_eq!(scene.meshes.len(), 1);
    // Known already, no file is needed.
    let source = SceneSource::text("again");
    assert!(read_scene_with(&scene.text, &source, scene.meshes.clone()).is_ok());
    assert!(read_scene(&scene.text, &source).is_err());
}

#[test]
fn error_as_json_has_code_location_part_and_fields() {
    let text = TWO.replace("\"mass\": 1, \"gravity_scale\"", "\"mass\": -1, \"gravity_scale\"");
    let json = read(&text).unwrap_err().to_json();
    assert_eq!(json["code"], "scene.mass-out-of-range");
    assert_eq!(
        (&json["file"], &json["line"], &json["column"]),
        (&"a.json".into(), &7.into(), &90.into())
    );
    assert_eq!(json["part"], serde_json::json!({"list": "body", "index": 1, "name": "two"}));
    assert_eq!(json["fields"]["value"], -1);
    assert!(json["message"].as_str().unwrap().starts_with("the mass is -1 kg"), "{json}");
    let whole = read(" ").unwrap_err().to_json();
    assert_eq!((&whole["code"], whole.get("line")), (&"scene.empty".into(), None));
}

/// Columns count characters, as editors do.
#[test]
fn conflict_of_two_spellings_is_located_at_the_second_key() {
    let body =
        r#"{"name":"é","shape":{"cube":{"half":1}},"mass":1,"may_sleep":true,"can_sleep":true}"#;
    let error = read(&format!("{{\"bodies\":[\n{body}]}}")).unwrap_err();
    let keys = ["may_sleep", "can_sleep"];
    assert_eq!(*error.kind, SceneErrorKind::KeyConflict { keys });
    let column = body.split("can_sleep").next().unwrap().chars().count() + 1;
    assert_eq!(error.location, Some((2, column)));
}

#[test]
fn combine_rules_are_read_and_unknown_ones_rejected() {
    let text = |rule: &str| {
        format!(
            r#"{{"bodies":[{{"shape":{{"sphere":{{"radius":1}}}},"mass":1,
                "friction_combine_rule":"{rule}","restitution_combine_rule":"min"}}]}}"#
        )
    };
    for (name, rule) in [
        ("geometric-mean", CombineRule::GeometricMean),
        ("average", CombineRule::Average),
        ("min", CombineRule::Min),
        ("multiply", CombineRule::Multiply),
        ("max", CombineRule::Max),
    ] {
        let material = read(&text(name)).unwrap().bodies[0].material;
        assert_eq!(material.friction_combine_rule, Some(rule), "{name}");
        assert_eq!(material.restitution_combine_rule, Some(CombineRule::Min));
    }
    let message = error(&text("sum"));
    assert!(message.contains("sum") && message.contains("average"), "{message}");
}
