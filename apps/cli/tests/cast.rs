//! `embate cast`, `sight`, `heatmap` and `inspect` from the command line: results, and one-line
//! errors.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use embate_replica::structure::RayStructure;
use tempfile::TempDir;

/// Two unit squares perpendicular to the z axis, at z = 1 and z = 3, of two triangles each.
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
fn rays_from_a_file_are_cast_in_order() {
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
fn all_hits_and_any_hit_queries_with_range_and_culling() {
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
fn json_report_has_request_counts_times_memory_and_trace() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let arguments = ["cast", "walls.obj", "--ray", "0.75,0.5,0,0,0,1", "--json", "--trace", "0"];
    let engine = RayStructure::STRUCTURES.map(RayStructure::name);
    for structure in engine.into_iter().chain(["auto"]) {
        let output = folder.embate(&[&arguments[..], &["--structure", structure]].concat());
        let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(json["counts"]["rays"], 1, "{structure}: {json}");
        assert_eq!(json["asked"]["structure"], structure);
        assert_eq!(json["answered_by"], if structure == "auto" { "brute" } else { structure });
        assert!(json["counts"]["tests"].as_u64().unwrap() >= 2);
        assert!(json["times"]["build_s"].is_f64() && json["times"]["query_s"].is_f64());
        assert!(json["memory"]["bytes"].as_u64().unwrap() > 0);
        assert_eq!(json["trace"]["triangles"].as_array().unwrap().len(), json["counts"]["tests"]);
        assert_eq!(json["trace"]["cells"].as_array().unwrap().len(), json["counts"]["boxes"]);
    }
}

#[test]
fn triangle_test_can_be_chosen_and_the_watertight_one_equals_brute_force() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let cast = |structure| {
        let arguments = ["cast", "walls.obj", "--random", "500", "--seed", "3"];
        folder.embate(&[&arguments[..], &["--structure", structure]].concat())
    };
    let brute = cast("brute");
    assert!(text(&brute.stdout).lines().filter(|line| line.contains(",1,")).count() > 10);
    let watertight = cast("brute-woop");
    assert_eq!(watertight.stdout, brute.stdout);
    assert!(!text(&watertight.stderr).contains("note:"));
    let hits = |output: &std::process::Output| -> Vec<String> {
        let hit = |line: &str| line.split(',').take(2).collect::<Vec<_>>().join(",");
        text(&output.stdout).lines().map(hit).collect()
    };
    for structure in ["brute-moller-trumbore", "brute-segura-feito", "brute-plucker"] {
        let output = cast(structure);
        assert_eq!(hits(&output), hits(&brute), "{structure}");
        assert!(text(&output.stderr).contains("not watertight"), "{structure}");
    }
    let unknown = cast("brute-exact");
    assert_eq!(unknown.status.code(), Some(2));
    assert!(text(&unknown.stderr).contains("brute-segura-feito"));
}

#[test]
fn hits_do_not_depend_on_the_number_of_threads() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let arguments = ["cast", "walls.obj", "--random", "5000", "--seed", "7", "--threads"];
    let one = folder.embate(&[&arguments[..], &["1"]].concat()).stdout;
    assert_eq!(one, folder.embate(&[&arguments[..], &["3"]].concat()).stdout);
    assert_eq!(text(&one).lines().count(), 5001);
}

#[test]
fn output_format_follows_the_file_extension() {
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
fn invalid_input_is_reported_in_one_line() {
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
    assert_fails(&ray("1,2,3"), 2, &["6 required"]);
    let bad_range = ["cast", "walls.obj", "--random", "1", "--t-min", "2", "--t-max", "1"];
    assert_fails(&folder.embate(&bad_range), 2, &["--t-min 2 is above --t-max 1"]);
    let beyond = ["cast", "walls.obj", "--random", "3", "--trace", "3"];
    assert_fails(&folder.embate(&beyond), 2, &["--trace 3", "the last is 2"]);
    let limited = ["cast", "walls.obj", "--random", "3", "--max-triangles", "3"];
    assert_fails(&folder.embate(&limited), 1, &["walls.obj", "--max-triangles"]);
}

/// Regression: the temporary file was renamed over the link, and once over `/dev/stdout` itself.
#[cfg(unix)]
#[test]
fn link_target_is_written_and_the_link_stays() {
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
fn invalid_arguments_are_reported_in_one_line() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let cast = |more: &[&str]| folder.embate(&[&["cast", "walls.obj"], more].concat());
    assert_fails(&cast(&[]), 2, &["--rays"]);
    assert_fails(&cast(&["--random", "0"]), 2, &["--random", "0"]);
    assert_fails(&cast(&["--random", "4000000000"]), 2, &["--random", "100000000"]);
    assert_fails(&cast(&["--random", "1", "--structure", "kd"]), 2, &["kd", "study-octree"]);
    assert_fails(&cast(&["--random", "1", "--ray", "1,2,3,4,5,6"]), 2, &["cannot be used with"]);
    assert_fails(&cast(&["--random", "1", "--out", "o.xyz"]), 2, &["--out", ".csv or .parquet"]);
    assert_fails(&cast(&["--randon", "1"]), 2, &["similar argument", "--random"]);
    assert_fails(&folder.embate(&["fly"]), 2, &["fly"]);
}

/// Regression: the rays were written, and then the hits over them.
#[test]
fn rays_and_hits_must_go_to_different_files() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let arguments = ["cast", "walls.obj", "--random", "3", "--out", "o.csv", "--save-rays"];
    for rays in ["o.csv", "./o.csv"] {
        let output = folder.embate(&[&arguments[..], &[rays]].concat());
        assert_fails(&output, 2, &["--out and --save-rays", "name two files"]);
        assert!(!folder.0.path().join("o.csv").exists());
    }
}

/// Regression, in `cast` and then in `sight`: the results replaced the mesh that they were about.
#[test]
fn output_file_must_not_be_an_input() {
    const RAYS: &str = "ox,oy,oz,dx,dy,dz\n0,0,0,0,0,1\n";
    const SEGMENTS: &str = "from_x,from_y,from_z,to_x,to_y,to_z\n0,0,0,0,0,1\n";
    let folder = Folder::new();
    let files = [
        ("walls.obj", WALLS),
        ("walls.csv", "0 0 1 1 0 1 1 1 1\n"),
        ("rays.csv", RAYS),
        ("segments.csv", SEGMENTS),
        ("out.csv.partial", SEGMENTS),
    ];
    for (name, content) in files {
        folder.file(name, content);
    }
    let line = ["--from", "0,0,0", "--to", "0,0,5"];
    for (command, more, lost) in [
        ("cast walls.obj", &["--random", "5", "--out", "./walls.obj"][..], "walls.obj"),
        ("cast walls.obj", &["--rays", "rays.csv", "--out", "rays.csv"], "rays.csv"),
        ("cast walls.obj", &["--rays", "rays.csv", "--save-rays", "rays.csv"], "rays.csv"),
        ("sight walls.obj", &[&line[..], &["--out", "./walls.obj"]].concat(), "walls.obj"),
        ("sight walls.obj", &["--segments", "segments.csv", "--out", "walls.obj"], "walls.obj"),
        (
            "sight walls.obj",
            &["--segments", "segments.csv", "--out", "segments.csv"],
            "segments.csv",
        ),
        (
            "sight walls.obj",
            &["--segments", "out.csv.partial", "--out", "out.csv"],
            "out.csv.partial",
        ),
        ("heatmap walls.csv", &["--out", "walls.csv"], "walls.csv"),
    ] {
        let arguments: Vec<&str> = command.split(' ').chain(more.iter().copied()).collect();
        assert_fails(&folder.embate(&arguments), 2, &[lost, "also read"]);
    }
    for (name, content) in files {
        assert_eq!(std::fs::read_to_string(folder.0.path().join(name)).unwrap(), content, "{name}");
    }
}

#[test]
fn saved_rays_give_the_same_hits() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let random = ["cast", "walls.obj", "--random", "500", "--save-rays", "saved.csv"];
    let first = folder.embate(&random).stdout;
    assert_eq!(first, folder.embate(&["cast", "walls.obj", "--rays", "saved.csv"]).stdout);
}

/// Regression: a direction of 1e-40 gave a hit at t = ∞.
#[test]
fn direction_with_overflowing_reciprocal_is_rejected() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let output = folder.embate(&["cast", "walls.obj", "--ray", "0.5,0.5,5,0,0,-1e-40"]);
    assert_fails(&output, 2, &["direction"]);
}

#[test]
fn closed_output_pipe_does_not_panic() {
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
fn inspect_reports_size_levels_affinity_and_costs() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let human = folder.embate(&["inspect", "walls.obj"]);
    for word in [
        "triangles",
        "affinity",
        "triangles at level",
        "study-octree",
        "brute",
        "octree",
        "bvh",
        "kd-tree",
        "bsp",
        "grid",
        "compact-octree",
        "Use ",
    ] {
        assert!(text(&human.stdout).contains(word), "{word}: {}", text(&human.stdout));
    }
    let output = folder.embate(&["inspect", "walls.obj", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&json["triangles"], &json["vertices"]), (&4.into(), &8.into()));
    assert_eq!(json["bounds"]["max"], serde_json::json!([1.0, 1.0, 3.0]));
    assert_eq!(json["structures"].as_array().unwrap().len(), RayStructure::STRUCTURES.len());
    assert_eq!(json["triangles_per_level"].as_array().unwrap().len(), 6);

    folder.file("empty.obj", "v 0 0 0\n");
    let empty = folder.embate(&["inspect", "empty.obj", "--json"]);
    let json: serde_json::Value = serde_json::from_slice(&empty.stdout).unwrap();
    assert_eq!((&json["triangles"], &json["bounds"]), (&0.into(), &serde_json::Value::Null));
    assert!(!Path::new("empty.obj").exists());
}

#[test]
fn line_of_sight_is_visible_or_reports_the_blocking_triangle() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let see =
        |from: &str, to: &str| folder.embate(&["sight", "walls.obj", "--from", from, "--to", to]);
    let blocked = see("0.75,0.5,0", "0.75,0.5,4");
    assert_eq!(text(&blocked.stdout), "segment,blocked,t,triangle\n0,1,0.25,0\n");
    assert_eq!(
        text(&blocked.stderr),
        "blocked by triangle 0 at [0.75, 0.5, 1.0], 25.0% along the segment\n"
    );
    let free = see("0.75,0.5,1.5", "-5,0.5,2.5");
    assert_eq!(text(&free.stdout), "segment,blocked,t,triangle\n0,0,,\n");
    assert_eq!(text(&free.stderr), "visible: no triangle blocks the segment\n");
}

#[test]
fn clearance_ignores_surfaces_at_the_end_points() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    folder.file(
        "s.csv",
        "from_x,from_y,from_z,to_x,to_y,to_z\n\
         0.5,0.5,1,0.5,0.5,3\n0.5,0.5,1,0.5,0.5,4\n0,0,0,0,0,0\n",
    );
    let without = folder.embate(&["sight", "walls.obj", "--segments", "s.csv"]);
    assert!(text(&without.stdout).contains("\n0,1,0,"), "{}", text(&without.stdout));
    let with = folder.embate(&[
        "sight",
        "walls.obj",
        "--segments",
        "s.csv",
        "--clearance",
        "0.01",
        "--json",
    ]);
    let json: serde_json::Value = serde_json::from_slice(&with.stdout).unwrap();
    assert_eq!(json["counts"]["blocked"], 1);
    assert_eq!(json["results"][0]["blocked"], 0);
    assert_eq!(json["results"][1]["t"], 2.0 / 3.0_f32);
    assert_eq!(json["results"][2]["blocked"], 0, "a segment of length 0 is visible");
}

/// If a segment starts or ends on a slanted wall, rounding puts that end before or behind it, so that
/// either result is possible without a clearance.
#[test]
fn clearance_is_robust_for_end_points_on_slanted_walls() {
    const CLEARANCE: &str = "0.001";
    let (mut mesh, mut segments) =
        (String::new(), "from_x,from_y,from_z,to_x,to_y,to_z\n".to_owned());
    let walls: usize = 200;
    for wall in 0..walls {
        let slant = |step: usize| (wall * step % 101) as f64 / 101.0 - 0.5;
        let corner = [3.0 * wall as f64, slant(7), slant(13)];
        let one = [1.0 + 0.5 * slant(17), slant(23), slant(29)];
        let other = [slant(31), 1.0 + 0.5 * slant(37), slant(41)];
        let normal = cross(one, other);
        let on_wall = plus(plus(corner, 0.3, one), 0.3, other);
        let before = plus(plus(on_wall, 1.0, normal), 0.2, one);
        let behind = plus(on_wall, -0.02, normal);
        for [x, y, z] in [corner, plus(corner, 1.0, one), plus(corner, 1.0, other)] {
            writeln!(mesh, "v {x} {y} {z}").unwrap();
        }
        writeln!(mesh, "f {} {} {}", 3 * wall + 1, 3 * wall + 2, 3 * wall + 3).unwrap();
        for [[a, b, c], [x, y, z]] in [[before, on_wall], [on_wall, before], [before, behind]] {
            writeln!(segments, "{a},{b},{c},{x},{y},{z}").unwrap();
        }
    }
    let folder = Folder::new();
    folder.file("slanted.obj", &mesh);
    folder.file("segments.csv", &segments);
    for clearance in ["0", CLEARANCE] {
        let sight = ["sight", "slanted.obj", "--segments", "segments.csv", "--clearance"];
        let output = folder.embate(&[&sight[..], &[clearance]].concat());
        let rows: Vec<&str> = text(&output.stdout).lines().skip(1).collect();
        assert_eq!(rows.len(), 3 * walls, "{}", text(&output.stderr));
        for (wall, rows) in rows.chunks(3).enumerate() {
            let fields: Vec<&str> = rows[2].split(',').collect();
            assert_eq!((fields[1], fields[3]), ("1", &*wall.to_string()), "{}", rows[2]);
            if clearance == CLEARANCE {
                assert!(rows[..2].iter().all(|row| row.ends_with(",0,,")), "{rows:?}");
            }
        }
    }
}

fn plus(point: [f64; 3], times: f64, way: [f64; 3]) -> [f64; 3] {
    core::array::from_fn(|axis| point[axis] + times * way[axis])
}

fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

#[test]
fn invalid_segments_are_rejected() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let see = |arguments: &[&str]| folder.embate(&[&["sight", "walls.obj"], arguments].concat());
    assert_fails(
        &see(&["--from", "0,0", "--to", "0,0,1"]),
        2,
        &["--from", "2 numbers given, 3 required"],
    );
    assert_fails(&see(&["--from", "0,0,0"]), 2, &["--to"]);
    assert_fails(&see(&[]), 2, &["--from", "--to", "--segments"]);
    assert_fails(&see(&["--from", "0,0,0", "--to", "0,0,1", "--out", "o.xyz"]), 2, &[".csv"]);
    assert_fails(&see(&["--from", "0,0,0", "--to", "0,0,x"]), 2, &["z is `x`, not a number"]);
    assert_fails(&see(&["--segments", "none.csv"]), 1, &["none.csv"]);
    assert_fails(
        &see(&["--from", "0,0,0", "--to", "0,0,1", "--clearance", "-1"]),
        2,
        &["--clearance"],
    );
    // Regression: such a segment was reported visible.
    assert_fails(
        &see(&["--from", "0,0,0", "--to", "0,0,1", "--clearance", "0.5"]),
        2,
        &["--clearance 0.5", "segment 0", "which is 1 long"],
    );
}

#[test]
fn heat_map_counts_equal_those_of_cast() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    // The ray of the single pixel is parallel to the z axis.
    let camera = ["--eye", "0.75,0.5,-5", "--at", "0.75,0.5,0", "--size", "1x1"];
    let map = |more: &[&str]| {
        let output = folder.embate(&[&["heatmap", "walls.obj"], &camera[..], more].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        output
    };
    map(&["--structure", "brute,study-octree", "--out", "heat.csv"]);
    let csv = std::fs::read_to_string(folder.0.path().join("heat.csv")).unwrap();
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows[0], "x,y,brute,study-octree");
    assert!(rows[1].starts_with("0,0,4,"), "four triangles, tested one by one: {}", rows[1]);

    let json: serde_json::Value = serde_json::from_slice(
        &map(&["--structure", "study-octree", "--metric", "cells", "--out", "heat.png", "--json"])
            .stdout,
    )
    .unwrap();
    let cast = folder.embate(&[
        "cast",
        "walls.obj",
        "--ray",
        "0.75,0.5,-5,0,0,1",
        "--structure",
        "study-octree",
        "--json",
    ]);
    let cast: serde_json::Value = serde_json::from_slice(&cast.stdout).unwrap();
    assert_eq!(json["structures"][0]["total"], cast["counts"]["boxes"]);
    let png = std::fs::read(folder.0.path().join("heat.png")).unwrap();
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
}

/// Regression: the names above small pictures overlapped.
#[test]
fn small_heat_map_has_space_for_the_names() {
    const GLYPH: usize = 16;
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let map = ["heatmap", "walls.obj", "--size", "8x8", "--out", "heat.png", "--structure"];
    let output = folder.embate(&[&map[..], &["study-brute,study-octree,octree,bvh"]].concat());
    assert!(text(&output.stderr).starts_with("picture: heat.png"), "{}", text(&output.stderr));
    let png = std::fs::read(folder.0.path().join("heat.png")).unwrap();
    let width = u32::from_be_bytes(png[16..20].try_into().unwrap());
    assert!(width as usize > 4 * "study-octree".len() * GLYPH, "{width}");
}

/// The same keys as `cast`: request, counts, times, memory, and the results or their file.
#[test]
fn json_of_sight_and_heatmap_has_the_keys_of_cast() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let json = |arguments: &[&str]| -> serde_json::Value {
        let output = folder.embate(&[arguments, &["--json", "--structure", "bvh"]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let cast = json(&["cast", "walls.obj", "--ray", "0.75,0.5,0,0,0,4", "--t-max", "1"]);
    let sight = json(&["sight", "walls.obj", "--from", "0.75,0.5,0", "--to", "0.75,0.5,4"]);
    let camera = ["--eye", "0.75,0.5,0", "--at", "0.75,0.5,4", "--size", "1x1"];
    let map = json(&[&["heatmap", "walls.obj", "--out", "heat.csv"], &camera[..]].concat());
    for (name, report) in [("sight", &sight), ("heatmap", &map), ("one map", &map["structures"][0])]
    {
        for count in ["tests", "boxes"] {
            assert_eq!(report["counts"][count], cast["counts"][count], "{name}: {report}");
        }
        assert!(report["times"]["build_s"].is_f64() && report["times"]["query_s"].is_f64());
        assert_eq!(report["memory"], cast["memory"], "{name}");
    }
    for report in [&sight, &map] {
        for asked in ["mesh", "format", "triangles"] {
            assert_eq!(report["asked"][asked], cast["asked"][asked], "{asked}");
        }
    }
    assert_eq!(sight["asked"]["structure"], "bvh");
    assert_eq!(map["asked"]["structures"], serde_json::json!(["bvh"]));
    assert_eq!((&sight["results"][0]["t"], &map["out"]), (&0.25.into(), &"heat.csv".into()));
}

#[test]
fn camera_of_the_report_reproduces_the_heat_map() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    let map = ["heatmap", "walls.obj", "--size", "9x7", "--structure", "bvh,octree", "--out"];
    let first = folder.embate(&[&map[..], &["first.csv", "--fov", "40.3", "--json"]].concat());
    let json: serde_json::Value = serde_json::from_slice(&first.stdout).unwrap();
    let asked = &json["asked"];
    let point = |name: &str| asked[name].to_string().trim_matches(['[', ']']).to_owned();
    let [eye, at, up, fov] = ["eye", "at", "up", "fov"].map(point);
    let camera = ["again.csv", "--eye", &eye, "--at", &at, "--up", &up, "--fov", &fov];
    let again = folder.embate(&[&map[..], &camera].concat());
    assert!(text(&again.stderr).starts_with("counts: again.csv"), "{}", text(&again.stderr));
    let read = |name: &str| std::fs::read_to_string(folder.0.path().join(name)).unwrap();
    assert_eq!(read("first.csv"), read("again.csv"));
    assert!(json["structures"][0]["pixels_hit"].as_u64().unwrap() > 0, "the mesh is in view");
}

#[test]
fn invalid_heat_map_request_is_rejected_without_output() {
    let folder = Folder::new();
    folder.file("walls.obj", WALLS);
    for (arguments, word) in [
        (&["--out", "heat.gif"][..], ".png or .csv"),
        (&["--out", "heat.png", "--size", "0x4"], "WxH"),
        (&["--out", "heat.png", "--eye", "0,0,0", "--at", "0,0,0"], "no view direction"),
        (&["--out", "heat.png", "--fov", "180"], "--fov"),
        (&["--out", "heat.png", "--structure", "tree"], "possible values: study-brute"),
        (&["--out", "heat.png", "--metric", "time"], "tests, cells"),
        (
            &["--out", "heat.png", "--size", "16384x16384", "--structure", "brute,study-octree"],
            "pixels",
        ),
    ] {
        assert_fails(&folder.embate(&[&["heatmap", "walls.obj"], arguments].concat()), 2, &[word]);
    }
    assert!(!folder.0.path().join("heat.png").exists());
}
