//! `embate advise` from the command line.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::{Command, Output};

use embate_replica::structure::RayStructure;

fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("embate-advise-{}-{name}", std::process::id()));
    std::fs::write(&path, text).unwrap();
    path
}

fn advise(path: &PathBuf, more: &[&str]) -> Output {
    let embate = env!("CARGO_BIN_EXE_embate");
    Command::new(embate).arg("advise").arg(path).args(more).output().unwrap()
}

fn squares(count: u32) -> String {
    let mut text = "min_x,min_y,max_x,max_y\n".to_owned();
    for number in 0..count {
        let (x, y) = (number % 30, number / 30);
        writeln!(text, "{x},{y},{}.5,{}.5", x + 1, y + 1).unwrap();
    }
    text
}

#[test]
fn every_broad_phase_is_measured_and_one_is_recommended() {
    let path = file("squares.csv", &squares(900));
    let output = advise(&path, &["--moving", "0.1", "--json"]);
    assert!(output.status.success(), "{output:?}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let time = |structure: &serde_json::Value| {
        let rows = report["measured"].as_array().unwrap();
        let row = rows.iter().find(|row| row["structure"] == *structure).unwrap();
        row["query_s"].as_f64().unwrap()
    };
    let fastest = report["measured"][0]["query_s"].as_f64().unwrap();
    let recommended = time(&report["recommendation"]["structure"]);
    assert!(recommended <= f64::max(1.1 * fastest, fastest + 1e-6), "{report}");
    assert_eq!(report["recommendation"]["keep_world"], true);
    assert_eq!(report["features"]["boxes"], 900);
    let names: Vec<&str> = report["measured"]
        .as_array()
        .unwrap()
        .iter()
        .map(|m| m["structure"].as_str().unwrap())
        .collect();
    for name in ["brute", "sweep", "grid", "octree", "tree"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let output = advise(&path, &[]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("All structures find the same pairs."), "{text}");
    assert!(text.contains("\nUse "), "{text}");
}

#[test]
fn brute_force_is_recommended_for_few_circles() {
    let path = file("circles.csv", "x,y,radius\n0,0,1\n1,1,1\n9,9,0\n");
    let output = advise(&path, &["--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["recommendation"]["structure"], "brute");
    assert_eq!(report["counts"]["objects"], 3);
}

#[test]
fn mesh_gets_the_recommendation_of_inspect() {
    let path = file("triangle.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let output = advise(&path, &[]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.starts_with("Use brute") && text.contains("Measured on this mesh"), "{text}");
}

/// Of the structures that `auto` chooses among, the recommended one is the fastest of its own
/// table, or differs from it by less than the measurement can tell.
fn assert_recommends_the_fastest(report: &serde_json::Value) {
    let measured = report["measured"].as_array().unwrap().iter();
    let time = |row: &serde_json::Value| row["query_s_per_ray"].as_f64().unwrap();
    let name = |row: &serde_json::Value| row["name"].as_str().unwrap().to_owned();
    let is_candidate = |row: &&_| RayStructure::from_name(&name(row)).unwrap().is_auto_candidate();
    let ours: Vec<_> = measured.filter(is_candidate).collect();
    let fastest = ours.iter().map(|row| time(row)).fold(f64::INFINITY, f64::min);
    let structure = report["recommendation"]["structure"].as_str().unwrap();
    let recommended = ours.iter().find(|row| name(row) == structure).map(|row| time(row)).unwrap();
    assert!(recommended <= f64::max(1.1 * fastest, fastest + 50e-9), "{report}");
}

/// A triangle soup with large overlaps, and a surface of the same number of triangles.
#[test]
fn triangle_soup_and_surface_get_different_recommendations_with_reason_and_evidence() {
    let mut soup = String::new();
    let mut surface = String::new();
    for number in 0..200_u32 {
        let noise = |salt: u32| (number * 3 + salt).wrapping_mul(2_654_435_761) >> 22;
        for corner in 0..3 {
            let [x, y, z] = [0, 1, 2].map(|axis| noise(100 * corner + 10 * axis));
            writeln!(soup, "v {x} {y} {z}").unwrap();
            let (x, y) = (2 * number + corner % 2, corner / 2);
            writeln!(surface, "v {x} {y} {}", noise(corner) % 2).unwrap();
        }
        let first = 3 * number + 1;
        for text in [&mut soup, &mut surface] {
            writeln!(text, "f {first} {} {}", first + 1, first + 2).unwrap();
        }
    }
    for (name, text, expected) in [("soup.obj", soup, "octree"), ("surface.obj", surface, "bvh")] {
        let output = advise(&file(name, &text), &["--json"]);
        assert!(output.status.success(), "{output:?}");
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let recommendation = &report["recommendation"];
        assert_eq!(recommendation["auto"], expected, "{text}");
        let reason = recommendation["reason"].as_str().unwrap();
        let is_by_features = recommendation["structure"] == expected;
        let words = if is_by_features { "a point lies in" } else { "the fastest here" };
        assert!(reason.contains(words), "{reason}");
        assert_recommends_the_fastest(&report);
        assert!(report["recommendation"]["evidence"].as_str().unwrap().contains("per ray"));
        assert_eq!(report["features"]["triangles"], 200);
        let measured = report["measured"].as_array().unwrap().len();
        assert_eq!(measured, RayStructure::STRUCTURES.len());
    }
}

#[test]
fn usage_errors_and_invalid_files_are_reported_in_one_line() {
    let path = file("bad.csv", "min_x,min_y,max_x,max_y\n0,0,1,1\n5,0,4,1\n");
    let output = advise(&path, &[]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("line 3") && text.lines().count() == 1, "{text}");
    assert_eq!(advise(&path, &["--moving", "1.5"]).status.code(), Some(2));
    for (text, words) in [
        ("a,b\n1,2\n", "line 1: not a header of a boxes file"),
        ("x,y,radius\n0,0,1\n9e17,0,2e17\n", "line 3: its bounds extend to"),
    ] {
        let output = advise(&file("odd.csv", text), &[]);
        assert_eq!(output.status.code(), Some(1));
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(words) && text.lines().count() == 1, "{text}");
    }
    let output = advise(&PathBuf::from("nowhere.csv"), &[]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("there is no such file") && !text.contains("mesh"), "{text}");
}

#[test]
#[cfg(unix)]
fn endless_file_is_rejected_without_being_read_into_memory() {
    for command in ["advise", "pairs"] {
        let embate = env!("CARGO_BIN_EXE_embate");
        let output = Command::new(embate).args([command, "/dev/zero"]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(output.stderr.len() < 300, "{output:?}");
    }
}

#[test]
fn moving_fraction_is_rejected_for_files_that_hold_no_boxes() {
    let path = file("ball.json", r#"{"bodies":[{"shape":{"sphere":{"radius":1}},"mass":1}]}"#);
    let output = advise(&path, &["--moving", "0.5"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--moving applies to files of boxes"));
}

/// Regression: a swinging cradle and a ball of restitution 1 were said to come to rest.
#[test]
fn lossless_scene_with_gravity_is_recommended_the_elastic_method() {
    let scene = r#"{"method":"elastic","bodies":[
        {"shape":{"halfspace":{"normal":[0,1,0]}},"static":true,"restitution":1,"friction":0},
        {"shape":{"sphere":{"radius":0.5}},"mass":1,"position":[0,2,0],"restitution":1,"friction":0}]}"#;
    let path = file("bounces.json", scene);
    let output = advise(&path, &["--json"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["recommendation"]["method"], "elastic", "{report:#}");
    let text = String::from_utf8(advise(&path, &[]).stdout).unwrap();
    assert!(text.contains("Use solver `event-driven`;"), "{text}");
    assert!(!text.contains("come to rest on"), "{text}");
}

/// Regression: a broad phase of `baseline` was recommended for scenes in which it is not measured.
#[test]
fn baseline_is_named_only_if_it_was_measured_and_energy_drift_only_if_conserved() {
    let bodies = r#""bodies":[{"shape":{"halfspace":{"normal":[0,1,0]}},"type":"fixed"},
        {"shape":{"sphere":{"radius":0.5}},"mass":1,"position":[0,2,0]}]"#;
    let joint = r#""joints":[{"bodies":[0,1],"joint":{"spherical":{"anchor":[0,3,0]}}}],"#;
    for (name, joint, has_baseline) in [("free.json", "", true), ("joined.json", joint, false)] {
        let path = file(name, &format!("{{{joint}{bodies}}}"));
        let text = String::from_utf8(advise(&path, &[]).stdout).unwrap();
        assert!(text.contains("Use solver `soft-step`"), "{text}");
        assert_eq!(text.contains("baseline"), has_baseline, "{text}");
        assert!(text.contains("energy change, %") && !text.contains("drift"), "{text}");
        let output = advise(&path, &["--json"]);
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(report["recommendation"]["solver"], "soft-step");
    }
}
