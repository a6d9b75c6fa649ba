//! `embate pairs` from the command line.

use std::fmt::Write;
use std::process::{Command, Output};

use tempfile::TempDir;

fn embate(folder: &TempDir, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_embate"));
    command.args(arguments).current_dir(folder.path()).output().unwrap()
}

fn folder_with(content: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("boxes.csv"), content).unwrap();
    folder
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn header_determines_the_kind_of_bounds() {
    let boxes = "min_x,min_y,max_x,max_y\n0,0,2,2\n5,5,6,6\n2,1,3,3\n";
    let boxes_3d = "min_x,min_y,min_z,max_x,max_y,max_z\n0,0,0,2,2,2\n5,5,5,6,6,6\n2,1,1,3,3,3\n";
    // The AABBs of circles 0 and 3 overlap, the circles do not.
    let circles = "x,y,radius\n0,0,1\n10,10,1\n1.2,1.2,1\n1.9,-1.9,1\n";
    let spheres = "x,y,z,radius\n0,0,0,1\n10,10,10,1\n1,1,1,1\n";
    for content in [boxes, boxes_3d, circles, spheres] {
        let folder = folder_with(content);
        for structure in
            "auto brute sweep tree grid octree sweep-y sweep-variance octree-strict".split(' ')
        {
            let output = embate(&folder, &["pairs", "boxes.csv", "--structure", structure]);
            assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
            assert_eq!(text(&output.stdout), "a,b\n0,2\n", "{content}");
        }
    }
}

#[test]
fn replicated_grid_reports_its_tests() {
    let folder = folder_with("min_x,min_y,max_x,max_y\n0,0,30,30\n90,10,110,30\n95,10,115,30\n");
    let arguments =
        ["pairs", "boxes.csv", "--structure", "study-grid", "--cell-size", "100", "--json"];
    let output = embate(&folder, &arguments);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["counts"]["tests"], 4);
    assert_eq!(json["results"], serde_json::json!([[1, 2]]));
}

/// Seven boxes in a row of which 0, 2 and 4 form a chain, and 3 and 5 a pair.
const CHAIN: &str = "min_x,min_y,max_x,max_y\n\
    0,0,2,1\n90,0,91,1\n2,0,4,1\n50,0,51,1\n4,0,6,1\n51,1,52,2\n20,0,21,1\n";

#[test]
fn groups_are_objects_connected_by_pairs() {
    let folder = folder_with(CHAIN);
    let rows = "object,group,size\n0,0,3\n1,1,1\n2,0,3\n3,3,2\n4,0,3\n5,3,2\n6,6,1\n";
    for structure in ["auto", "sweep-x", "study-brute"] {
        let output = embate(&folder, &["pairs", "boxes.csv", "--groups", "--structure", structure]);
        assert_eq!(text(&output.stdout), rows, "{}", text(&output.stderr));
        let summary = text(&output.stderr);
        assert!(summary.contains("3 overlapping pairs"), "{summary}");
        assert!(summary.contains("2 groups of 2 or more, the largest has 3"), "{summary}");
    }
    let output = embate(&folder, &["pairs", "boxes.csv", "--groups", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["counts"]["groups"], 2);
    assert_eq!(json["counts"]["largest_group"], 3);
    assert_eq!(json["results"][5], serde_json::json!([5, 3, 2]));
    let output = embate(&folder, &["pairs", "boxes.csv", "--groups", "--out", "groups.csv"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_eq!(std::fs::read_to_string(folder.path().join("groups.csv")).unwrap(), rows);
}

#[test]
fn sweep_reports_its_axis_and_the_variance_of_the_centers() {
    let tall = folder_with("min_x,min_y,max_x,max_y\n0,0,2,2\n0,9,2,11\n1,1,3,3\n");
    for (structure, axis, next_axis) in
        [("sweep-x", "x", "x"), ("sweep-y", "y", "y"), ("sweep-variance", "x", "y")]
    {
        let arguments = ["pairs", "boxes.csv", "--structure", structure];
        let output = embate(&tall, &[&arguments[..], &["--json"]].concat());
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["results"], serde_json::json!([[0, 2]]));
        let sweep = &json["sweep"];
        assert_eq!((&sweep["axis"], &sweep["next_axis"]), (&axis.into(), &next_axis.into()));
        let variance = |axis: usize| sweep["variance"][axis].as_f64().unwrap();
        assert!((variance(0) - 2.0 / 9.0).abs() < 1e-12 && variance(1) > 16.0, "{sweep}");
        let output = embate(&tall, &arguments);
        let summary = text(&output.stderr);
        assert!(summary.contains(&format!("swept {axis}, next {next_axis}")), "{summary}");
        assert!(summary.contains("variance of centers: x 0.222"), "{summary}");
    }
    let output = embate(&tall, &["pairs", "boxes.csv", "--structure", "sweep-z"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("sweep-z is for 3D"), "{}", text(&output.stderr));
    let deep = "min_x,min_y,min_z,max_x,max_y,max_z\n0,0,0,1,1,1\n0,0,9,1,1,10\n";
    let output = embate(
        &folder_with(deep),
        &["pairs", "boxes.csv", "--structure", "sweep-variance", "--json"],
    );
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["sweep"]["next_axis"], "z");
}

/// Regression: the strict octree was a choice, and the command panicked.
#[test]
fn limits_of_the_strict_octree_change_its_tests_but_not_the_pairs() {
    let mut rows = "min_x,min_y,max_x,max_y\n".to_owned();
    for number in 0..100 {
        let (x, y) = (number % 10, number / 10);
        writeln!(rows, "{x}.1,{y}.1,{x}.8,{}.2", y + 1).unwrap();
    }
    let folder = folder_with(&rows);
    let run = |more: &[&str]| {
        let strict = ["pairs", "boxes.csv", "--structure", "octree-strict", "--json"];
        let output = embate(&folder, &[&strict[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (json["results"].clone(), json["counts"]["tests"].as_u64().unwrap())
    };
    let (deep, shallow) = (run(&[]), run(&["--octree-depth", "1"]));
    let coarse = run(&["--octree-cell", "4"]);
    assert!(deep.0 == shallow.0 && deep.0 == coarse.0);
    assert!(deep.1 < shallow.1 && deep.1 < coarse.1, "{} {} {}", deep.1, shallow.1, coarse.1);
    for (arguments, words) in [
        (["octree-strict", "--octree-depth", "65"], "must lie between 1 and 64"),
        (["octree-strict", "--octree-cell", "NaN"], "must lie between 0"),
        (["octree", "--octree-depth", "3"], "is for --structure octree-strict"),
        (["sweep", "--octree-cell", "3"], "is for --structure octree-strict"),
    ] {
        let output =
            embate(&folder, &[&["pairs", "boxes.csv", "--structure"], &arguments[..]].concat());
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
    }
}

#[test]
fn grid_cell_size_is_optional_and_validated() {
    let folder = folder_with("min_x,min_y,max_x,max_y\n0,0,30,30\n90,10,110,30\n95,10,115,30\n");
    let grid = ["pairs", "boxes.csv", "--structure", "grid", "--json"];
    for more in [&[][..], &["--cell-size", "0.01"], &["--cell-size", "1e9"]] {
        let output = embate(&folder, &[&grid[..], more].concat());
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["results"], serde_json::json!([[1, 2]]), "{more:?}");
        assert_eq!(json["counts"]["places"], 3, "{more:?}");
    }
    for size in ["0", "-1", "nan", "inf"] {
        let size = format!("--cell-size={size}");
        let output = embate(&folder, &[&grid[..], &[size.as_str()]].concat());
        assert_eq!(output.status.code(), Some(2), "{size}");
        assert!(text(&output.stderr).contains("--cell-size"), "{size}");
    }
}

#[test]
fn invalid_boxes_are_reported_in_one_line() {
    for (content, words) in [
        ("a,b\n1,2\n", "line 1: not a header of a boxes file"),
        ("min_x,min_y,max_x,max_y\n0,0,1,1\n3,0,2,1\n", "line 3: min_x 3 is above max_x 2"),
        ("min_x,min_y,max_x,max_y\n0,0,nan,1\n", "line 2: max_x is nan"),
        ("x,y,radius\n0,0,-1\n", "line 2: radius -1 is below 0"),
        ("min_x,min_y,max_x\n0,0,1\n", "no column `max_y`"),
        ("min_x,min_y,max_x,max_y,max_y\n0,0,1,1,2\n", "column `max_y` occurs twice"),
    ] {
        let folder = folder_with(content);
        let output = embate(&folder, &["pairs", "boxes.csv"]);
        let line = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{line}");
        assert!(line.contains("boxes.csv") && line.contains(words), "{line}");
        assert_eq!(line.trim_end().lines().count(), 1, "{line}");
    }
    let folder = folder_with("x,y,z,radius\n0,0,0,1\n");
    let output = embate(&folder, &["pairs", "boxes.csv", "--structure", "study-grid"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    let output = embate(&folder, &["pairs", "boxes.csv", "--out", "pairs.parquet"]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("output format is .csv"), "{}", text(&output.stderr));
}

/// Regression: the error named the line before, or the first of the empty lines.
#[test]
fn line_numbers_are_correct_after_empty_lines_and_with_crlf() {
    for (content, words) in [
        ("x,y,radius\r\n0,0,1\r\n0,0\r\n", "boxes.csv, line 3: 2 fields, but the header has 3"),
        ("x,y,radius\r\n0,0,1\r\n0,0,1\r\n0,0,x\r\n", "boxes.csv, line 4: radius is `x`"),
        ("x,y,radius\n\n\n0,0,x\n", "boxes.csv, line 4: radius is `x`"),
        ("x,y,radius\r\n\r\n0,0,1\r\n\r\n0,0,x", "boxes.csv, line 5: radius is `x`"),
        ("x,y,radius\n0,0,1\n0,0,x", "boxes.csv, line 3: radius is `x`"),
    ] {
        let output = embate(&folder_with(content), &["pairs", "boxes.csv"]);
        assert!(text(&output.stderr).contains(words), "{content:?}: {}", text(&output.stderr));
    }
}

/// Regression: the pairs of a file of 160 KB took three gigabytes.
#[test]
fn too_many_pairs_are_rejected_before_they_are_stored() {
    let heap = format!("min_x,min_y,max_x,max_y\n{}", "0,0,1,1\n".repeat(10_001));
    let folder = folder_with(&heap);
    for structure in ["auto", "study-brute"] {
        let output = embate(&folder, &["pairs", "boxes.csv", "--structure", structure]);
        assert_eq!(output.status.code(), Some(1));
        let line = text(&output.stderr);
        assert!(line.contains("more than 50,000,000 pairs"), "{line}");
        assert!(line.contains("--max-pairs"), "{line}");
    }
    let small = folder_with(&format!("min_x,min_y,max_x,max_y\n{}", "0,0,1,1\n".repeat(5)));
    for (max, code) in [("10", 0), ("9", 1)] {
        let output = embate(&small, &["pairs", "boxes.csv", "--max-pairs", max]);
        assert_eq!(output.status.code(), Some(code), "{max}");
    }
}

/// Spreadsheets of countries with a decimal comma write this.
#[test]
fn semicolons_between_columns_are_named_in_the_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("boxes.csv");
    std::fs::write(&path, "min_x;min_y;max_x;max_y\n0;0;1;1\n").unwrap();
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_embate"));
    let output = command.arg("pairs").arg(&path).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("line 1: columns are separated by commas, not by semicolons"), "{text}");
}
