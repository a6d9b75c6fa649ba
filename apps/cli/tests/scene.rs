//! `embate scene` from the command line.

use std::path::Path;
use std::process::{Command, Output};

fn scene(arguments: &[&str], out: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_embate"));
    command.arg("scene").args(arguments).arg("--out").arg(out).output().unwrap()
}

fn triangles(mesh: &Path) -> u64 {
    let mut command = Command::new(env!("CARGO_BIN_EXE_embate"));
    let output = command.arg("inspect").arg(mesh).arg("--json").output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    report["features"]["triangles"].as_u64().unwrap()
}

#[test]
fn every_format_reads_back_with_all_triangles() {
    let home = tempfile::tempdir().unwrap();
    for (name, expected) in [("house.ply", 1_567), ("house.obj", 1_567), ("house.txt", 1_567)] {
        let out = home.path().join(name);
        let output = scene(&["house"], &out);
        assert!(output.status.success(), "{output:?}");
        assert_eq!(triangles(&out), expected, "{name}");
    }
}

#[test]
fn random_scenes_depend_on_the_seed_alone() {
    let home = tempfile::tempdir().unwrap();
    let file = |name: &str, seed: &str| {
        let out = home.path().join(name);
        let output = scene(&["random-low", "--triangles", "50", "--seed", seed], &out);
        assert!(output.status.success(), "{output:?}");
        std::fs::read(out).unwrap()
    };
    assert_eq!(file("a.ply", "7"), file("b.ply", "7"));
    assert_ne!(file("a.ply", "7"), file("c.ply", "8"));
}

#[test]
fn unsuitable_files_and_flags_are_rejected_with_advice() {
    let home = tempfile::tempdir().unwrap();
    for (arguments, name, advice) in [
        (
            &["house"][..],
            "house.stl",
            ".stl is not written; name a file that ends in: .ply, .obj, .txt",
        ),
        (&["house"], "house", "the extension selects the format; add one: .ply, .obj, .txt"),
        (&["city", "--seed", "2"], "city.ply", "--seed belongs to the random scenes"),
        (&["random-low", "--triangles", "0"], "r.ply", "--triangles"),
        (&["castle"], "c.ply", "possible values"),
    ] {
        let output = scene(arguments, &home.path().join(name));
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(error.contains(advice), "{error}");
        assert!(!home.path().join(name).exists());
    }
}
