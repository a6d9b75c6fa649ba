//! The broad-phase studies, the simulator study and the triangle tests from the command line: rows,
//! usage errors, and resuming after a kill.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use embate_scene::random::Random;
use tempfile::TempDir;

const HEADER: &str = "case,technique,bounds,objects,cell_size,frames,seed,tests_per_frame,\
                      pairs_per_frame,ms_per_frame,fps,bytes,cells_per_object,speedup_over_brute,\
                      speedup_over_study,missed_pairs";

fn study(arguments: &[&str], out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_embate"));
    command.arg("study").args(arguments).arg("--out").arg(out);
    command
}

fn run(arguments: &[&str], out: &Path) -> Output {
    study(arguments, out).output().unwrap()
}

fn rows(out: &Path) -> Vec<Vec<String>> {
    let results = std::fs::read_to_string(out.join("results.csv")).unwrap();
    assert_eq!(results.lines().next(), Some(HEADER));
    results.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// The deterministic columns; those with measured times are left out.
fn counts(out: &Path) -> Vec<Vec<String>> {
    let counted = |row: Vec<String>| [0, 1, 2, 3, 4, 5, 6, 7, 8, 15].map(|c| row[c].clone());
    rows(out).into_iter().map(|row| counted(row).to_vec()).collect()
}

#[test]
fn experiment_has_one_row_per_world_seed_and_technique() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    let arguments = ["broad2d", "--experiment", "2", "--objects", "10,60", "--frames", "5"];
    let output = run(&[&arguments[..], &["--seeds", "2", "--lang", "pt-BR"]].concat(), &out);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let rows = rows(&out);
    let techniques = rows.iter().filter(|row| row[2] == "aabb" && row[3] == "10" && row[6] == "1");
    assert_eq!(rows.len(), 2 * 2 * 2 * techniques.count());
    for row in &rows {
        assert_eq!((row[0].as_str(), row[5].as_str(), row[10].as_str()), ("experiment-2", "5", ""));
        if row[1].ends_with("brute") {
            assert_eq!(row[7], if row[3] == "10" { "45" } else { "1770" });
        }
        if row[1] != "study-grid" {
            assert_eq!((row[4].as_str(), row[15].as_str()), ("", "0"), "{row:?}");
        }
    }
    let report = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(report.contains("lang=\"pt-BR\""));
    assert!(out.join("charts/time-circle-dark.svg").exists());
}

#[test]
fn custom_parameters_give_a_custom_case() {
    let folder = TempDir::new().unwrap();
    let arguments = ["broad2d", "--world", "300x200", "--objects", "50", "--bounds", "circle"];
    let more = ["--size", "3..9", "--speed", "0..90", "--cell-size", "4,30", "--frames", "3"];
    let some = ["--seeds", "1", "--technique", "study-grid,sweep"];
    let output = run(&[&arguments[..], &more, &some].concat(), folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let rows = rows(folder.path());
    let named: Vec<_> = rows.iter().map(|row| (row[0].as_str(), row[1].as_str())).collect();
    assert_eq!(named, [("custom", "study-grid"), ("custom", "study-grid"), ("custom", "sweep")]);
}

#[test]
fn no_technique_misses_pairs_in_3d() {
    let folder = TempDir::new().unwrap();
    let arguments = ["broad3d", "--objects", "20,300", "--frames", "4", "--seeds", "1"];
    let output = run(&arguments, folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let rows = rows(folder.path());
    for case in ["uniform", "long-axis", "clustered", "static-50", "static-90"] {
        let own = || rows.iter().filter(|row| row[0] == case);
        for technique in ["brute", "sweep-x", "sweep-y", "sweep-z", "sweep-variance", "sweep"] {
            assert_eq!(own().filter(|row| row[1] == technique).count(), 2, "{case} {technique}");
        }
        assert!(own().all(|row| row[15] == "0"), "{case}");
    }
    assert!(folder.path().join("charts/time-static-90-light.svg").exists());
}

#[test]
fn triangle_tests_are_compared_and_the_watertight_ones_leak_nothing() {
    let folder = TempDir::new().unwrap();
    let output = run(&["triangle-tests", "--rays", "60", "--repeats", "1"], folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let results = std::fs::read_to_string(folder.path().join("results.csv")).unwrap();
    let rows: Vec<Vec<&str>> =
        results.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.len(), 10 * 6);
    for row in rows.iter().filter(|row| ["woop", "exact"].contains(&row[1])) {
        assert!(["", "0"].contains(&row[9]), "leaks: {row:?}");
    }
    assert!(folder.path().join("charts/times-light.svg").exists());
}

#[test]
fn invalid_arguments_are_reported_in_one_line() {
    let folder = TempDir::new().unwrap();
    for (arguments, word) in [
        (&["broad2d", "--world", "100"][..], "--world"),
        (&["broad2d", "--world", "axb"], "--world"),
        (&["broad2d", "--world", "infxinf"], "--world"),
        (&["broad2d", "--size", "50..5"], "--size"),
        (&["broad2d", "--size", "5..5000"], "--size"),
        (&["broad2d", "--size", "NaN"], "--size"),
        (&["broad2d", "--speed", "fast"], "--speed"),
        (&["broad2d", "--objects", "0"], "--objects"),
        (&["broad2d", "--objects", "4000000000"], "--objects"),
        (&["broad2d", "--world", "100x100", "--objects", "100000"], "--objects"),
        (&["broad2d", "--cell-size", "0"], "--cell-size"),
        (&["broad2d", "--cell-size", "0.0001"], "--cell-size"),
        (&["broad2d", "--bounds", "hull"], "--bounds"),
        (&["broad2d", "--experiment", "3"], "--experiment"),
        (&["broad2d", "--technique", "bvh"], "--technique"),
        (&["broad2d", "--sizes", "100"], "--sizes"),
        (&["triangle-tests", "--sizes", "100"], "--sizes"),
        (&["triangle-tests", "--technique", "bvh"], "--technique"),
        (&["rays", "--objects", "100"], "--objects"),
        (&["broad3d", "--world", "30x30"], "--world"),
        (&["broad3d", "--experiment", "1"], "--experiment"),
        (&["broad3d", "--bounds", "circle"], "--bounds"),
        (&["broad3d", "--cell-size", "3"], "--cell-size"),
        (&["broad3d", "--technique", "study-grid"], "--technique"),
        (&["broad3d", "--world", "3x3x3", "--objects", "10000"], "--objects"),
        (&["all", "--technique", "brute"], "--technique"),
    ] {
        let output = run(arguments, folder.path());
        let line = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {line}");
        assert!(line.contains(word) && line.lines().count() == 1, "{arguments:?}: {line}");
    }
    assert!(!folder.path().join("run.json").exists(), "no run folder is created");
}

#[test]
fn broad_phase_study_killed_ten_times_has_every_row_once() {
    let folder = TempDir::new().unwrap();
    let (killed, whole) = (folder.path().join("killed"), folder.path().join("whole"));
    let arguments = ["broad2d", "--objects", "100,300,600", "--frames", "60", "--seeds", "4"];
    assert_eq!(run(&arguments, &whole).status.code(), Some(0));
    let mut random = Random::new(10);
    for _ in 0..10 {
        let mut command = study(&arguments, &killed);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(u64::from(random.below(250))));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let output = run(&arguments, &killed);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(counts(&killed), counts(&whole));
    let journal = std::fs::read_to_string(killed.join("journal")).unwrap();
    assert_eq!(journal.lines().count(), 1 + 2 * 3 * 4, "no finished world is run twice");
}

#[test]
fn simulator_study_runs_end_to_end() {
    let folder = TempDir::new().unwrap();
    let arguments =
        ["simulator", "--quick", "--technique", "sweep,contact,impulse", "--repeats", "1"];
    let output = run(&arguments, folder.path());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let results = std::fs::read_to_string(folder.path().join("results.csv")).unwrap();
    let header = results.lines().next().unwrap();
    assert_eq!(header, embate_studies::simulator::RESULTS_HEADER.join(","));
    for part in ["broad", "pairs", "resolve"] {
        assert!(results.lines().any(|row| row.starts_with(part)), "{part}: {results}");
    }
    let report = std::fs::read_to_string(folder.path().join("report.html")).unwrap();
    assert!(report.contains("</svg>") || folder.path().join("charts").exists());
}
