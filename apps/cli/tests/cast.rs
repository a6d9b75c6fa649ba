//! `embate cast` and `embate inspect` as a user meets them: answers, and one clear line otherwise.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

/// Two unit squares across the z axis, at 1 and at 3; each two triangles.
const WALLS: &str = "\
v 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\nv 0 0 3\nv 1 0 3\nv 1 1 3\nv 0 1 3\nf 1 2 3 4\nf 5 6 7 8\n";

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn file(&self, name: &str, content: &str) -> PathBuf {
        let path = self.0.path().join(name);
        std::fs::write(&path, content).unwrap();
        path
    }

    fn embate(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_embate"));
        command.args(arguments).current_dir(self.0.path()).output().unwrap()
    }
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[track_caller]
fn assert_fails(output: &Output, code: i32, words: &[&str]) {
    let line = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{line}");
    assert_eq!(line.trim_end().lines().count(), 1, "{line}");
    for word in words {
        assert!(line.contains(word), "`{word}` is not in: {line}");
    }
    assert!(output.stdout.is_empty());
}

#[test]
fn rays_from_a_file_are_answered_in_order() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    folder
        .file("rays.csv", "ox,oy,oz,dx,dy,dz\n0.75,0.5,0,0,0,2\n5,5,0,0,0,1\n0.5,0.25,9,0,0,-1\n");
    let output = folder.embate(&["cast", "walls.obj", "--rays", "rays.csv"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let expected = "ray,hit,t,triangle,u,v\n0,1,0.5,0,0.25,0.5\n1,0,,,,\n2,1,6,2,0.25,0.25\n";
    assert_eq!(text(&output.stdout), expected);
}

#[test]
fn all_hits_and_any_hit_can_be_asked() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let ray = ["cast", "walls.obj", "--ray", "0.75,0.5,0,0,0,1"];
    let all = folder.embate(&[&ray[..], &["--all"]].concat());
    assert_eq!(text(&all.stdout).lines().skip(1).count(), 2);
    let any = folder.embate(&[&ray[..], &["--any"]].concat());
    assert_eq!(text(&any.stdout), "ray,hit,t,triangle,u,v\n0,1,,,,\n");
    let between =
        folder.embate(&[&ray[..], &["--any", "--t-min", "1.5", "--t-max", "2.5"]].concat());
    assert_eq!(text(&between.stdout), "ray,hit,t,triangle,u,v\n0,0,,,,\n");
    let culled = folder.embate(&[&ray[..], &["--any", "--cull-back"]].concat());
    assert_eq!(text(&culled.stdout), "ray,hit,t,triangle,u,v\n0,0,,,,\n");
}

#[test]
fn one_json_object_tells_everything() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let arguments = ["cast", "walls.obj", "--ray", "0.75,0.5,0,0,0,1", "--json", "--trace", "0"];
    for structure in ["auto", "brute", "study-brute", "study-octree"] {
        let output = folder.embate(&[&arguments[..], &["--structure", structure]].concat());
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["counts"]["rays"], 1, "{structure}: {json}");
        assert!(json["counts"]["tests"].as_u64().unwrap() >= 2);
        assert!(json["times"]["build_s"].is_f64() && json["times"]["query_s"].is_f64());
        assert!(json["memory"]["bytes"].as_u64().unwrap() > 0);
        assert_eq!(json["trace"]["triangles"].as_array().unwrap().len(), json["counts"]["tests"]);
        assert_eq!(json["trace"]["cells"].as_array().unwrap().len(), json["counts"]["boxes"]);
    }
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let arguments = ["cast", "walls.obj", "--random", "5000", "--seed", "7", "--threads"];
    let one = folder.embate(&[&arguments[..], &["1"]].concat()).stdout;
    assert_eq!(one, folder.embate(&[&arguments[..], &["3"]].concat()).stdout);
    assert_eq!(text(&one).lines().count(), 5001);
}

#[test]
fn answers_go_to_a_file_by_its_extension() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    for (name, start) in [("hits.csv", &b"ray,hit,"[..]), ("hits.parquet", b"PAR1")] {
        let output = folder.embate(&["cast", "walls.obj", "--random", "100", "--out", name]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(output.stdout.is_empty());
        assert!(std::fs::read(folder.0.path().join(name)).unwrap().starts_with(start));
    }
    let nowhere = folder.embate(&["cast", "walls.obj", "--random", "1", "--out", "no/hits.csv"]);
    assert_fails(&nowhere, 1, &["no/hits.csv"]);
}

#[test]
fn bad_input_gets_one_clear_line() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    folder.file("empty.obj", "v 0 0 0\n");
    folder.file("words.csv", "ox,oy,oz,dx,dy,dz\n0,0,0,0,0,1\n0,0,zero,0,0,1\n");
    folder.file("short.csv", "ox,oy,oz,dx,dy,dz\n0,0,0\n");
    folder.file("header.csv", "a,b,c\n1,2,3\n");
    folder.file("still.csv", "ox,oy,oz,dx,dy,dz\n1,2,3,0,0,0\n");
    std::fs::create_dir(folder.0.path().join("folder")).unwrap();
    let one = ["--random", "1"];
    assert_fails(
        &folder.embate(&["cast", "empty.obj", one[0], one[1]]),
        1,
        &["empty.obj", "no triangles"],
    );
    assert_fails(&folder.embate(&["cast", "missing.obj", one[0], one[1]]), 1, &["missing.obj"]);
    assert_fails(&folder.embate(&["cast", "folder", one[0], one[1]]), 1, &["folder"]);
    let rays = |file: &'static str| folder.embate(&["cast", "walls.obj", "--rays", file]);
    assert_fails(&rays("words.csv"), 1, &["words.csv", "line 3", "oz", "`zero`"]);
    assert_fails(&rays("short.csv"), 1, &["short.csv", "line 2", "3 fields"]);
    assert_fails(&rays("header.csv"), 1, &["header.csv", "line 1", "ox,oy,oz,dx,dy,dz"]);
    assert_fails(&rays("still.csv"), 1, &["still.csv", "line 2", "direction"]);
    assert_fails(&rays("missing.csv"), 1, &["missing.csv"]);
    assert_fails(&rays("folder"), 1, &["folder"]);
    let ray = |ray: &'static str| folder.embate(&["cast", "walls.obj", "--ray", ray]);
    assert_fails(&ray("1,2,3"), 2, &["six needed"]);
    let bad_range = ["cast", "walls.obj", "--random", "1", "--t-min", "2", "--t-max", "1"];
    assert_fails(&folder.embate(&bad_range), 2, &["--t-min 2 is above --t-max 1"]);
    let beyond = ["cast", "walls.obj", "--random", "3", "--trace", "3"];
    assert_fails(&folder.embate(&beyond), 2, &["--trace 3", "3 rays"]);
    let limited = ["cast", "walls.obj", "--random", "3", "--max-triangles", "3"];
    assert_fails(&folder.embate(&limited), 1, &["walls.obj", "max-triangles"]);
}

/// It happened: a file renamed over the link, and once over `/dev/stdout` itself.
#[cfg(unix)]
#[test]
fn what_a_link_names_is_written_and_the_link_stays() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let real = folder.file("real.csv", "old");
    let link = folder.0.path().join("link.csv");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let output = folder.embate(&["cast", "walls.obj", "--random", "10", "--out", "link.csv"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(link.is_symlink());
    assert!(std::fs::read_to_string(&real).unwrap().starts_with("ray,hit,"));
    let device = folder.embate(&["cast", "walls.obj", "--random", "10", "--out", "/dev/null"]);
    assert_eq!(device.status.code(), Some(0), "{}", text(&device.stderr));
}

#[test]
fn a_mistake_in_the_arguments_is_one_line_too() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let cast = |more: &[&str]| folder.embate(&[&["cast", "walls.obj"], more].concat());
    assert_fails(&cast(&[]), 2, &["--rays"]);
    assert_fails(&cast(&["--random", "0"]), 2, &["--random", "0"]);
    assert_fails(&cast(&["--random", "4000000000"]), 2, &["--random", "100000000"]);
    assert_fails(&cast(&["--random", "1", "--structure", "kd"]), 2, &["kd", "study-octree"]);
    assert_fails(&cast(&["--random", "1", "--ray", "1,2,3,4,5,6"]), 2, &["cannot be used with"]);
    assert_fails(&folder.embate(&["fly"]), 2, &["fly"]);
}

/// It happened: answers took the place of the mesh they were about.
#[test]
fn results_never_take_the_place_of_what_was_read() {
    let folder = Folder::new();
    let mesh = folder.file("walls.obj", WALLS);
    folder.file("rays.csv", "ox,oy,oz,dx,dy,dz\n0,0,0,0,0,1\n");
    let over_mesh = ["cast", "walls.obj", "--random", "5", "--out", "./walls.obj"];
    assert_fails(&folder.embate(&over_mesh), 2, &["walls.obj", "also read"]);
    let over_rays = ["cast", "walls.obj", "--rays", "rays.csv", "--save-rays", "rays.csv"];
    assert_fails(&folder.embate(&over_rays), 2, &["rays.csv", "also read"]);
    assert_eq!(std::fs::read_to_string(mesh).unwrap(), WALLS);
}

#[test]
fn saved_rays_give_the_same_answers_again() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let random = ["cast", "walls.obj", "--random", "500", "--save-rays", "saved.csv"];
    let first = folder.embate(&random).stdout;
    assert_eq!(first, folder.embate(&["cast", "walls.obj", "--rays", "saved.csv"]).stdout);
}

/// It happened: a direction of 1e-40 gave a hit at t = ∞.
#[test]
fn a_direction_too_small_to_divide_by_is_refused() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let output = folder.embate(&["cast", "walls.obj", "--ray", "0.5,0.5,5,0,0,-1e-40"]);
    assert_fails(&output, 2, &["direction"]);
}

#[test]
fn a_reader_that_goes_away_is_no_panic() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let mut child = Command::new(env!("CARGO_BIN_EXE_embate"))
        .args(["cast", "walls.obj", "--random", "200000"])
        .current_dir(folder.0.path())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(!text(&output.stderr).contains("panicked"));
}

#[test]
fn inspect_tells_size_levels_affinity_and_costs() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let human = folder.embate(&["inspect", "walls.obj"]);
    for word in ["triangles", "affinity", "study-octree", "brute", "Use "] {
        assert!(text(&human.stdout).contains(word), "{word}: {}", text(&human.stdout));
    }
    let output = folder.embate(&["inspect", "walls.obj", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["triangles"], &json["vertices"]), (&4.into(), &8.into()));
    assert_eq!(json["bounds"]["max"], serde_json::json!([1.0, 1.0, 3.0]));
    assert_eq!(json["structures"].as_array().unwrap().len(), 3);
    assert_eq!(json["triangles_per_level"].as_array().unwrap().len(), 6);

    folder.file("empty.obj", "v 0 0 0\n");
    let empty = folder.embate(&["inspect", "empty.obj", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&empty.stdout).unwrap();
    assert_eq!((&json["triangles"], &json["bounds"]), (&0.into(), &serde_json::Value::Null));
    assert!(!Path::new("empty.obj").exists());
}
