//! A study that is killed at any moment can be resumed, and gives the results of an uninterrupted
//! run.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use embate_replica::structure::RayStructure;
use embate_scene::random::Random;
use tempfile::TempDir;

/// Short enough for a test; long enough (a few seconds) to be killed many times.
const STUDY: [&str; 8] =
    ["study", "rays", "--sizes", "100,200,300,500", "--rays", "300", "--repeats", "1"];
/// Two stand-ins and three meshes made by artists.
const MESHES: usize = 2 + 3;
/// Four sizes in three families, and the meshes.
const CASES: usize = 4 * 3 + MESHES;
const ROWS: usize = CASES * STRUCTURES + MESHES * SETTINGS;
const STRUCTURES: usize = RayStructure::ALL.len();
/// On a mesh also the compact BVH, and the compact octree with two other leaf sizes.
const SETTINGS: usize = 3;

fn study(out: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_embate"));
    command.args(STUDY).arg("--out").arg(out).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn finish(out: &Path) -> Output {
    study(out).stdout(Stdio::piped()).stderr(Stdio::piped()).output().unwrap()
}

/// The deterministic columns; those with measured times are left out.
fn counts(out: &Path) -> Vec<String> {
    let results = std::fs::read_to_string(out.join("results.csv")).unwrap();
    let mut lines: Vec<String> = results
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let counted = [0, 1, 2, 3, 4, 7, 8, 9, 10, 13, 14, 15, 16, 17, 18];
            counted.map(|column| fields[column]).join(",")
        })
        .collect();
    assert_eq!(lines.len(), ROWS);
    lines.dedup();
    lines
}

/// Keys of finished records; an incomplete record has no line end yet.
fn finished(out: &Path) -> Vec<String> {
    let journal = std::fs::read(out.join("journal")).unwrap_or_default();
    let journal = String::from_utf8_lossy(&journal).into_owned();
    let keys = journal.lines().filter_map(|line| line.split("\"key\":\"").nth(1));
    keys.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
}

fn kill(mut child: Child) {
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn study_killed_twenty_times_has_every_row_once() {
    let folder = TempDir::new().unwrap();
    let (killed, whole) = (folder.path().join("killed"), folder.path().join("whole"));
    assert_eq!(finish(&whole).status.code(), Some(0));

    let mut random = Random::new(20);
    for _ in 0..20 {
        let child = study(&killed).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(u64::from(random.below(250))));
        kill(child);
    }
    let output = finish(&killed);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));

    assert_eq!(counts(&killed), counts(&whole));
    assert_eq!(counts(&killed).len(), ROWS, "no duplicate rows");
    let mut keys = finished(&killed);
    assert_eq!(keys.len(), CASES, "no finished case is run twice");
    keys.sort();
    keys.dedup();
    assert_eq!(keys.len(), CASES);
    for file in ["results.csv", "report.html", "run.json", "charts"] {
        assert!(killed.join(file).exists(), "{file}");
    }
}

#[test]
fn folder_with_other_parameters_is_rejected_without_fresh() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("out");
    let small = |more: &[&str]| {
        Command::new(env!("CARGO_BIN_EXE_embate"))
            .args(["study", "rays", "--sizes", "100", "--rays", "10", "--repeats", "1", "--out"])
            .arg(&out)
            .args(more)
            .output()
            .unwrap()
    };
    assert_eq!(small(&[]).status.code(), Some(0));
    let before = std::fs::read(out.join("results.csv")).unwrap();
    let refused = small(&["--seed", "2"]);
    let line = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{line}");
    assert!(line.contains("seed") && line.contains("--fresh"), "{line}");
    assert_eq!(
        std::fs::read(out.join("results.csv")).unwrap(),
        before,
        "the earlier results are kept"
    );
    assert_eq!(small(&["--seed", "2", "--fresh"]).status.code(), Some(0));
}

#[test]
fn custom_mesh_becomes_a_case() {
    let folder = TempDir::new().unwrap();
    let mesh = folder.path().join("tent.obj");
    std::fs::write(&mesh, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 2 3 4\n")
        .unwrap();
    let run = |mesh: &Path| {
        Command::new(env!("CARGO_BIN_EXE_embate"))
            .args(["study", "rays", "--sizes", "100", "--rays", "10", "--repeats", "1"])
            .args(["--lang", "pt-BR", "--mesh"])
            .arg(mesh)
            .arg("--out")
            .arg(folder.path().join("out"))
            .output()
            .unwrap()
    };
    let output = run(&mesh);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let results = std::fs::read_to_string(folder.path().join("out/results.csv")).unwrap();
    let rows = results.lines().filter(|line| line.starts_with("tent.obj,")).count();
    assert_eq!(rows, STRUCTURES + SETTINGS);
    let report = std::fs::read_to_string(folder.path().join("out/report.html")).unwrap();
    assert!(report.contains("lang=\"pt-BR\"") && report.contains("tent.obj"));

    let missing = run(Path::new("missing.obj"));
    assert_eq!(missing.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&missing.stderr).contains("missing.obj"));
}

#[test]
#[cfg(unix)]
fn interrupted_study_names_the_command_that_continues_it() {
    let folder = TempDir::new().unwrap();
    let out = folder.path().join("the run");
    let mut command = study(&out);
    let child = command.arg("--fresh").stderr(Stdio::piped()).spawn().unwrap();
    while finished(&out).is_empty() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let text = String::from_utf8(output.stderr).unwrap();
    // No terminal, so that a line names the case instead of a progress bar.
    assert!(text.starts_with("measuring case 1 of 17: "), "{text}");
    assert!(text.contains("stopped; finished cases are kept, and this continues: "), "{text}");
    assert!(text.trim_end().ends_with("/the run'") && !text.contains("--fresh"), "{text}");
    let resumed = String::from_utf8(finish(&out).stderr).unwrap();
    assert!(resumed.contains("already measured"), "{resumed}");
}
