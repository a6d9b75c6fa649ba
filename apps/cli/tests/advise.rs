//! `embate advise` tells which technique suits a file.

use std::fmt::Write;
use std::path::PathBuf;
use std::process::{Command, Output};

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
fn boxes_are_tried_by_every_technique_and_one_is_recommended() {
    let path = file("squares.csv", &squares(900));
    let output = advise(&path, &["--moving", "0.1", "--json"]);
    assert!(output.status.success(), "{output:?}");
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["recommendation"]["structure"], "sweep");
    assert_eq!(told["recommendation"]["keep_world"], true);
    assert_eq!(told["features"]["boxes"], 900);
    let names: Vec<&str> = told["measured"]
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
    assert!(text.contains("All of them find the same pairs."), "{text}");
    assert!(text.contains("Use sweep"), "{text}");
}

#[test]
fn few_circles_are_best_tested_each_against_each() {
    let path = file("circles.csv", "x,y,radius\n0,0,1\n1,1,1\n9,9,0\n");
    let output = advise(&path, &["--json"]);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["recommendation"]["structure"], "brute");
    assert_eq!(told["counts"]["objects"], 3);
}

#[test]
fn a_mesh_gets_the_recommendation_of_inspect() {
    let path = file("triangle.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    let output = advise(&path, &[]);
    assert!(output.status.success(), "{output:?}");
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.starts_with("Use brute") && told.contains("Measured here"), "{told}");
}

/// Large triangles through each other, and as many beside each other.
#[test]
fn a_soup_and_a_surface_get_different_structures_with_reason_and_evidence() {
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
        let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(told["recommendation"]["structure"], expected, "{told}");
        assert!(told["recommendation"]["reason"].as_str().unwrap().contains("a point lies in"));
        assert!(told["recommendation"]["evidence"].as_str().unwrap().contains("a ray"));
        assert_eq!(told["features"]["triangles"], 200);
        assert_eq!(told["measured"].as_array().unwrap().len(), 5);
    }
}

#[test]
fn misuse_and_bad_files_are_told_in_one_line() {
    let path = file("bad.csv", "min_x,min_y,max_x,max_y\n0,0,1,1\n5,0,4,1\n");
    let output = advise(&path, &[]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("line 3") && told.lines().count() == 1, "{told}");
    assert_eq!(advise(&path, &["--moving", "1.5"]).status.code(), Some(2));
    for (text, words) in [
        ("a,b\n1,2\n", "line 1: not a header of boxes"),
        ("x,y,radius\n0,0,1\n9e17,0,2e17\n", "line 3: it reaches as far as"),
    ] {
        let output = advise(&file("odd.csv", text), &[]);
        assert_eq!(output.status.code(), Some(1));
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(words) && told.lines().count() == 1, "{told}");
    }
    let output = advise(&PathBuf::from("nowhere.csv"), &[]);
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("there is no such file") && !told.contains("mesh"), "{told}");
}

#[test]
#[cfg(unix)]
fn a_file_without_an_end_is_refused_and_not_held() {
    for command in ["advise", "pairs"] {
        let embate = env!("CARGO_BIN_EXE_embate");
        let output = Command::new(embate).args([command, "/dev/zero"]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(output.stderr.len() < 300, "{output:?}");
    }
}

#[test]
fn a_share_of_moving_boxes_is_refused_where_there_are_no_boxes() {
    let path = file("ball.json", r#"{"bodies":[{"shape":{"sphere":{"radius":1}},"mass":1}]}"#);
    let output = advise(&path, &["--moving", "0.5"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("--moving is about boxes"));
}

/// A cradle that swings and a ball that bounces for ever were said to come to rest.
#[test]
fn a_scene_in_which_nothing_is_lost_is_advised_to_be_elastic_though_it_has_weight() {
    let scene = r#"{"method":"elastic","bodies":[
        {"shape":{"halfspace":{"normal":[0,1,0]}},"static":true,"restitution":1,"friction":0},
        {"shape":{"sphere":{"radius":0.5}},"mass":1,"position":[0,2,0],"restitution":1,"friction":0}]}"#;
    let path = file("bounces.json", scene);
    let output = advise(&path, &["--json"]);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(told["recommendation"]["method"], "elastic", "{told:#}");
    let text = String::from_utf8(advise(&path, &[]).stdout).unwrap();
    assert!(text.contains("Use method elastic;"), "{text}");
    assert!(!text.contains("come to rest on"), "{text}");
}
