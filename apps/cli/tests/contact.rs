//! `embate contact` from the command line.

use std::path::Path;
use std::process::{Command, Output};

use embate::narrow_phase::closest_points;
use embate::shapes::{Cuboid, Shape, TriMesh};
use embate::{Pose, Vec3};
use serde_json::{Value, json};
use tempfile::TempDir;

const FLOOR: &str = r#"{"name":"floor","shape":{"box":{"half":[5,0.5,5]}},"static":true}"#;

fn contact(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_embate"));
    command.arg("contact").args(arguments).current_dir(folder.path()).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn contact_json(arguments: &[&str]) -> Value {
    let folder = TempDir::new().unwrap();
    let output = contact(&folder, &[arguments, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn cube_on_the_floor_has_four_contact_points() {
    let above = r#"{"shape":{"cube":{"half":0.5}},"position":[0,0.99,0],"mass":1}"#;
    let json = contact_json(&[FLOOR, above]);
    let keys: Vec<&String> = json.as_object().unwrap().keys().collect();
    assert_eq!(keys.len(), 5, "{keys:?}");
    assert_eq!(json["touching"], true);
    assert!((number(&json["distance"]) + 0.01).abs() < 1e-6);
    assert_eq!(json["normal"], json!([0.0, 1.0, 0.0]));
    assert_eq!(json["points"].as_array().unwrap().len(), 4);
    for point in json["points"].as_array().unwrap() {
        assert!((number(&point["depth"]) - 0.01).abs() < 1e-6);
        assert!((number(&point["point"][1]) - 0.495).abs() < 1e-6);
        assert!(point["feature"].is_u64());
    }
}

#[test]
fn time_of_impact_of_moving_bodies() {
    let wall = r#"{"shape":{"box":{"half":[0.1,5,5]}},"position":[3,0,0],"static":true}"#;
    let ball = r#"{"shape":{"sphere":{"radius":0.05}},"velocity":[1,0,0],"mass":1}"#;
    let json = contact_json(&[ball, wall]);
    assert!(json["time_of_impact"].is_null() && json.get("time_of_impact").is_some(), "{json}");
    let json = contact_json(&[ball, wall, "--within", "10"]);
    assert!((number(&json["time_of_impact"]) - 2.85).abs() < 1e-4, "{json}");
    let folder = TempDir::new().unwrap();
    let output = contact(&folder, &[ball, wall]);
    assert!(text(&output.stdout).contains("No impact within 1 s."), "{output:?}");
    for flag in ["--within", "--time-horizon"] {
        let output = contact(&folder, &[ball, wall, flag, "4"]);
        assert!(text(&output.stdout).contains("Time of impact: 2.8"), "{output:?}");
    }
    let output = contact(&folder, &[ball, wall, "--within", "-1"]);
    assert_eq!(output.status.code(), Some(2));
    // A body that only rotates touches a post within the radius of its corner.
    let door = r#"{"shape":{"box":{"half":[1,1,0.05]}},"angular_velocity":[0,1.57,0],"mass":1}"#;
    let post = r#"{"shape":{"sphere":{"radius":0.05}},"position":[0.5,0,-0.5]}"#;
    let time = number(&contact_json(&[door, post])["time_of_impact"]);
    assert!(time > 0.3 && time < 0.5, "{time}");
}

#[test]
fn cylinder_and_cone_on_the_floor_have_four_contact_points() {
    for shape in ["cylinder", "cone"] {
        let body = format!(
            r#"{{"shape":{{"{shape}":{{"half_height":0.5,"radius":0.3}}}},"position":[0,0.99,0]}}"#
        );
        let json = contact_json(&[FLOOR, &body]);
        assert!((number(&json["distance"]) + 0.01).abs() < 1e-5, "{shape}: {json}");
        assert_eq!(json["points"].as_array().unwrap().len(), 4, "{shape}: {json}");
    }
}

#[test]
fn separated_bodies_report_distance_and_closest_points() {
    let ball = |x: f32| format!(r#"{{"shape":{{"sphere":{{"radius":1}}}},"position":[{x},0,0]}}"#);
    let json = contact_json(&[&ball(0.0), &ball(3.0)]);
    assert_eq!(json["touching"], false);
    assert_eq!(json["distance"], 1.0);
    assert_eq!(json["normal"], json!([1.0, 0.0, 0.0]));
    assert_eq!(json["points"], json!([]));
    assert_eq!(json["closest"], json!([[1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]));
    // Within a margin, speculative contact points are reported too.
    let json = contact_json(&[&ball(0.0), &ball(3.0), "--margin", "1.5"]);
    assert_eq!(json["touching"], false);
    assert_eq!(json["points"][0]["depth"], -1.0);
    assert_eq!(json["points"][0]["point"], json!([1.5, 0.0, 0.0]));
}

#[test]
fn bodies_are_read_from_files_and_shapes_without_a_body() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("floor.json"), FLOOR).unwrap();
    let output = contact(&folder, &["floor.json", r#"{"sphere":{"radius":2}}"#]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let report = text(&output.stdout);
    let start = "A (box \"floor\") and B (sphere) touch; penetration depth ";
    assert!(report.starts_with(start), "{report}");
    assert!(report.contains("Normal from A to B: "), "{report}");
    assert!(report.contains("feature"), "{report}");
}

/// Regression: depth, normal and points came from three different contacts.
#[test]
fn report_of_a_cube_in_a_cube_mesh_describes_one_contact() {
    let folder = TempDir::new().unwrap();
    let obj = "v -1 -1 -1\nv 1 -1 -1\nv -1 1 -1\nv 1 1 -1\nv -1 -1 1\nv 1 -1 1\nv -1 1 1\nv 1 1 1\n\
        f 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\nf 1 3 4 2\nf 5 6 8 7\n";
    std::fs::write(folder.path().join("cube.obj"), obj).unwrap();
    let above = r#"{"shape":{"cube":{"half":1}},"position":[0.1,1.9,0.2]}"#;
    let output = contact(&folder, &[r#"{"mesh":{"file":"cube.obj"}}"#, above, "--json"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!((number(&json["distance"]) + 0.1).abs() < 1e-5, "{json}");
    assert_eq!(json["normal"], json!([0.0, 1.0, 0.0]));
    let off = |axis: usize| number(&json["closest"][1][axis]) - number(&json["closest"][0][axis]);
    assert!(off(0).abs() < 1e-5 && (off(1) + 0.1).abs() < 1e-5 && off(2).abs() < 1e-5, "{json}");
    for point in json["points"].as_array().unwrap() {
        assert!((number(&point["depth"]) - 0.1).abs() < 1e-5, "{json}");
        assert!(point["parts"][0].as_u64() < Some(12), "{json}");
    }
}

/// Regression: depth, normal and points came from three different pairs of triangles.
#[test]
fn report_of_overlapping_pyramid_meshes_describes_one_contact() {
    let folder = TempDir::new().unwrap();
    let obj = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv .5 .5 1\n\
        f 1 4 3 2\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
    std::fs::write(folder.path().join("pyramid.obj"), obj).unwrap();
    let shape = r#"{"mesh":{"file":"pyramid.obj"}}"#;
    let aside = format!(r#"{{"shape":{shape},"position":[0.5,0,0]}}"#);
    let output = contact(&folder, &[shape, &aside, "--json"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    let depth = 0.2_f64.sqrt();
    assert!((number(&json["distance"]) + depth).abs() < 1e-5, "{json}");
    for (axis, along) in [(0, 2.0 * depth), (1, 0.0), (2, depth)] {
        assert!((number(&json["normal"][axis]) - along).abs() < 1e-5, "{json}");
        let off = number(&json["closest"][1][axis]) - number(&json["closest"][0][axis]);
        assert!((off + depth * along).abs() < 1e-5, "{json}");
    }
    for point in json["points"].as_array().unwrap() {
        assert!(number(&point["depth"]) <= depth + 1e-5, "{json}");
    }
}

#[test]
fn box_from_corners_is_called_box_and_points_of_compounds_name_their_parts() {
    let folder = TempDir::new().unwrap();
    let corners = r#"{"box":{"min":[0,0,0],"max":[1,1,1]}}"#;
    let output = contact(&folder, &[corners, r#"{"sphere":{"radius":0.5}}"#]);
    let report = String::from_utf8(output.stdout).unwrap();
    assert!(report.contains("A (box)") && !report.contains("part of"), "{report}");
    let two = r#"{"compound":[{"shape":{"sphere":{"radius":1}},"position":[-2,0,0]},{"shape":{"sphere":{"radius":1}},"position":[2,0,0]}]}"#;
    let beside = r#"{"shape":{"sphere":{"radius":1}},"position":[3.5,0,0]}"#;
    let output = contact(&folder, &[two, beside, "--json"]);
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["points"][0]["parts"], json!([1, 0]), "{json}");
}

#[test]
fn mesh_has_contacts_like_any_other_body() {
    let folder = TempDir::new().unwrap();
    let square = "v -5 0 -5\nv 5 0 -5\nv 5 0 5\nv -5 0 5\nf 1 3 2\nf 1 4 3\n";
    std::fs::write(folder.path().join("floor.obj"), square).unwrap();
    let ball = r#"{"shape":{"sphere":{"radius":1}},"position":[1,0.9,2]}"#;
    let output = contact(&folder, &[r#"{"mesh":{"file":"floor.obj"}}"#, ball, "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let json: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["touching"], true);
    assert!((number(&json["normal"][1]) - 1.0).abs() < 1e-6, "{json}");
    assert!((number(&json["points"][0]["depth"]) - 0.1).abs() < 1e-6, "{json}");
}

#[test]
fn mesh_named_on_the_command_line_may_be_in_any_folder() {
    let (folder, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let square = "v -5 0 -5\nv 5 0 -5\nv 5 0 5\nv -5 0 5\nf 1 3 2\nf 1 4 3\n";
    let floor = elsewhere.path().join("floor.obj");
    std::fs::write(&floor, square).unwrap();
    std::fs::create_dir(folder.path().join("parts")).unwrap();
    std::fs::write(folder.path().join("parts/floor.obj"), square).unwrap();
    let up_and_down = folder.path().join("parts/../parts/floor.obj");
    let ball = r#"{"shape":{"sphere":{"radius":1}},"position":[1,0.9,2]}"#;
    let files = [floor.as_path(), Path::new("parts/floor.obj"), &up_and_down];
    for file in files {
        let mesh = json!({"mesh": {"file": file}}).to_string();
        let output = contact(&folder, &[&mesh, ball, "--json"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["touching"], true);
    }
}

#[test]
fn body_file_must_not_name_a_mesh_outside_its_folder() {
    let (folder, elsewhere) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let square = "v -5 0 -5\nv 5 0 -5\nv 5 0 5\nv -5 0 5\nf 1 3 2\nf 1 4 3\n";
    std::fs::create_dir(folder.path().join("parts")).unwrap();
    std::fs::write(folder.path().join("parts/floor.obj"), square).unwrap();
    std::fs::write(elsewhere.path().join("floor.obj"), square).unwrap();
    let ball = r#"{"shape":{"sphere":{"radius":1}},"position":[1,0.9,2]}"#;
    let run = |file: &Path| {
        let body = json!({"shape": {"mesh": {"file": file}}, "static": true}).to_string();
        std::fs::write(folder.path().join("parts/body.json"), body).unwrap();
        contact(&folder, &["parts/body.json", ball])
    };
    // Relative to the folder of the file, not to the current directory.
    let output = run(Path::new("floor.obj"));
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let output = run(&elsewhere.path().join("floor.obj"));
    assert_eq!(output.status.code(), Some(1));
    let line = text(&output.stderr);
    assert!(
        line.contains("outside the scene's folder") && line.contains("put it beside"),
        "{line}"
    );
}

#[test]
fn errors_are_one_line_with_their_location() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("bad.json"), "{\"shape\":\n{\"sphere\":{\"radius\":0}}}")
        .unwrap();
    let ball = r#"{"sphere":{"radius":1}}"#;
    let ground = r#"{"halfspace":{"normal":[0,1,0]}}"#;
    let flat = r#"{"hull":{"points":[[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}}"#;
    for (a, b, code, words) in [
        ("bad.json", ball, 1, "bad.json, line 2, column"),
        ("none.json", ball, 1, "none.json: there is no such file"),
        (ball, flat, 1, "lie in one plane"),
        (ball, r#"{"shape":{"sphere":{"radius":1}},"colour":1}"#, 1, "unknown key `colour`"),
        (
            ball,
            r#"{"mesh":{"file":"../x.obj"}}"#,
            1,
            "../x.obj: there is no such file or folder; check the name",
        ),
        (ground, ground, 2, "is not defined"),
        (ball, " ", 2, "B is empty; give JSON"),
    ] {
        let output = contact(&folder, &[a, b]);
        let line = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{a} {b}: {line}");
        assert!(line.contains(words), "{line}");
        assert_eq!(line.trim_end().lines().count(), 1, "{line}");
    }
    for margin in ["-1", "nan", "inf"] {
        let output = contact(&folder, &[ball, ball, &format!("--margin={margin}")]);
        assert_eq!(output.status.code(), Some(2), "{margin}");
    }
}

#[test]
fn swapped_bodies_give_the_flipped_contact() {
    let crate_ =
        r#"{"shape":{"cube":{"half":0.5}},"position":[0.3,0.9,0.1],"orientation":[0.1,0.2,0.3,1]}"#;
    let (one, other) = (contact_json(&[FLOOR, crate_]), contact_json(&[crate_, FLOOR]));
    assert_eq!(one["distance"], other["distance"]);
    assert_eq!(one["closest"][0], other["closest"][1]);
    for axis in 0..3 {
        assert_eq!(number(&one["normal"][axis]), -number(&other["normal"][axis]));
    }
    assert_eq!(one["points"][0]["point"], other["points"][0]["point"]);
}

/// Regression: distance, normal and closest points were those of the deepest contact, which differ
/// from the way out of the whole mesh.
#[test]
fn distance_to_a_mesh_is_that_of_the_library() {
    // Two walls 0.18 m apart, from y = 0 up, and a box of 0.2 m between them.
    let obj = "v -.09 0 -1\nv -.09 0 1\nv -.09 1 1\nv -.09 1 -1\n\
        v .09 0 -1\nv .09 0 1\nv .09 1 1\nv .09 1 -1\nf 1 2 3 4\nf 8 7 6 5\n";
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("slot.obj"), obj).unwrap();
    let mesh = embate_mesh::parse(obj.as_bytes(), "slot.obj", &embate_mesh::Limits::default());
    let mesh = Shape::from(TriMesh::new(mesh.unwrap().mesh).unwrap());
    let cube = Shape::from(Cuboid::new(Vec3::splat(0.1)).unwrap());
    for y in [0.05_f32, -0.05, 0.4, 0.97] {
        let body = format!(r#"{{"shape":{{"cube":{{"half":0.1}}}},"position":[0,{y},0]}}"#);
        let output = contact(&folder, &[&body, r#"{"mesh":{"file":"slot.obj"}}"#, "--json"]);
        let json: Value = serde_json::from_slice(&output.stdout).unwrap();
        let pose = Pose::from_translation([0.0, y, 0.0]);
        let closest = closest_points(&cube, &pose, &mesh, &Pose::IDENTITY);
        let numbers = |value: &Value| {
            let list = value.as_array().unwrap();
            list.iter().map(|value| number(value) as f32).collect::<Vec<f32>>()
        };
        assert_eq!(number(&json["distance"]) as f32, closest.distance, "{json}");
        assert_eq!(numbers(&json["normal"]), closest.normal.to_array(), "{json}");
        for (point, expected) in json["closest"].as_array().unwrap().iter().zip(closest.points) {
            assert_eq!(numbers(point), expected.to_array(), "{json}");
        }
    }
}
