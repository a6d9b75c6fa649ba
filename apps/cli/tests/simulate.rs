//! `embate simulate`, `replay` and `advise` of a scene, as a user meets them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

const BALL: &str = r#"{
  "name": "a ball",
  "steps": 240,
  "bodies": [
    {"name": "floor", "shape": {"box": {"half": [5, 0.5, 5]}}, "position": [0, -0.5, 0], "static": true},
    {"name": "ball", "shape": {"sphere": {"radius": 0.5}}, "position": [0, 2.5, 0], "mass": 2}
  ]
}"#;

fn embate(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_embate")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn json(arguments: &[&str]) -> Value {
    let output = embate(&[arguments, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn written(folder: &TempDir, name: &str, words: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, words).unwrap();
    path.to_str().unwrap().to_owned()
}

fn place(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

fn example(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/scenes").join(name);
    path.to_str().unwrap().to_owned()
}

fn refused(arguments: &[&str], code: i32, words: &str) {
    let output = embate(arguments);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{told}");
    assert!(told.contains(words) && told.trim_end().lines().count() == 1, "{told}");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_ball_falls_comes_to_rest_and_is_told_about() {
    let folder = TempDir::new().unwrap();
    let scene = written(&folder, "ball.json", BALL);
    let answer = json(&["simulate", &scene]);
    assert_eq!(answer["asked"]["steps"], 240);
    assert_eq!(answer["counts"]["bodies"], 2);
    let ball = &answer["bodies"][1];
    assert_eq!(ball["name"], "ball");
    let height = ball["position"][1].as_f64().unwrap();
    assert!((height - 0.5).abs() < 0.006, "{height}");
    assert!((answer["energy"].as_f64().unwrap() - 2.0 * 9.81 * height).abs() < 1e-2);
    for key in ["momentum", "max_penetration", "state_hash", "times", "counts"] {
        assert!(!answer[key].is_null(), "{key}");
    }
    let hash = answer["state_hash"].as_str().unwrap();
    assert!(hash.len() == 16 && u64::from_str_radix(hash, 16).is_ok(), "{hash}");
    for key in ["orientation", "velocity", "angular_velocity"] {
        assert!(ball[key].is_array(), "{key}");
    }
    let told = embate(&["simulate", &scene, "--steps", "10"]);
    let told = text(&told.stdout);
    assert!(told.contains("a ball") && told.contains("floor") && told.contains("energy"), "{told}");
}

#[test]
fn neither_the_number_of_threads_nor_a_second_run_changes_a_bit() {
    // Large enough that a step is shared out.
    let scene = example("pyramid.json");
    let hash = |threads: &str| {
        let answer = json(&["simulate", &scene, "--steps", "8", "--threads", threads]);
        answer["state_hash"].as_str().unwrap().to_owned()
    };
    let first = hash("1");
    for threads in ["1", "2", "3", "8"] {
        assert_eq!(hash(threads), first, "{threads} threads");
    }
}

#[test]
fn what_is_recorded_is_replayed_to_the_last_bit_from_any_folder() {
    let folder = TempDir::new().unwrap();
    // A mesh beside it: the recording must stand alone.
    std::fs::write(
        folder.path().join("slope.obj"),
        "v -3 1 -3\nv 3 0 -3\nv -3 1 3\nv 3 0 3\nf 1 3 2\nf 2 3 4\n",
    )
    .unwrap();
    let slope = r#""bodies": [{"shape": {"mesh": {"file": "slope.obj"}}, "static": true},"#;
    let scene = written(&folder, "scene.json", &BALL.replace("\"bodies\": [", slope));
    let record = place(&folder, "run.embate");
    let answer = json(&["simulate", &scene, "--record", &record]);
    std::fs::remove_file(folder.path().join("slope.obj")).unwrap();
    std::fs::remove_file(&scene).unwrap();
    let replayed = json(&["replay", &record]);
    assert_eq!(replayed["agrees"], true);
    assert_eq!((&replayed["recorded_steps"], &replayed["whole"]), (&240.into(), &true.into()));
    assert_eq!(replayed["state_hash"], answer["state_hash"]);
    let bytes = std::fs::metadata(&record).unwrap().len();
    assert!(bytes < 6_000, "{bytes} bytes for 240 steps");
    assert!(
        text(&embate(&["replay", &record]).stdout)
            .contains("All 240 steps end as they were recorded")
    );
}

#[test]
fn a_recording_that_departs_says_at_which_step() {
    let folder = TempDir::new().unwrap();
    let scene = written(&folder, "ball.json", BALL);
    let record = place(&folder, "run.embate");
    json(&["simulate", &scene, "--record", &record]);
    let lines = std::fs::read_to_string(&record).unwrap();
    let mut lines: Vec<String> = lines.lines().map(str::to_owned).collect();
    // A digit of the third step is changed, and the sum of its record made to fit.
    let line = lines.iter_mut().find(|line| line.contains("\"after\":0")).unwrap();
    let json_part = line[9..].to_owned();
    let begins = json_part.find("\"hashes\":\"").unwrap() + 10 + 2 * 16;
    let digit = if &json_part[begins..=begins] == "0" { "1" } else { "0" };
    let changed = format!("{}{digit}{}", &json_part[..begins], &json_part[begins + 1..]);
    *line = format!("{:08x} {changed}", crc(changed.as_bytes()));
    std::fs::write(&record, lines.join("\n") + "\n").unwrap();
    let output = embate(&["replay", &record]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("departs at step 3 of 240"), "{}", text(&output.stderr));
    // A line changed without its sum is damage; half a line is what a kill leaves.
    let last = lines.len() - 1;
    let damaged = [&lines[..last], &[lines[last].replace("end", "eNd")]].concat().join("\n") + "\n";
    let damaged = written(&folder, "damaged.embate", &damaged);
    refused(&["replay", &damaged], 1, "is not what was written");
    let torn =
        written(&folder, "torn.embate", &(lines[..last].join("\n") + "\n" + &lines[last][..9]));
    assert!(text(&embate(&["replay", &torn]).stderr).contains("cut short"));
    refused(&["replay", &scene], 1, "not a recording of embate");
    refused(&["replay", "nothing.embate"], 1, "there is no such file");
}

/// CRC-32 as the journal's, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

#[test]
fn a_run_killed_while_it_records_goes_on_and_ends_as_if_nothing_had_happened() {
    let folder = TempDir::new().unwrap();
    let scene = example("planar.json");
    let (killed, whole) = (place(&folder, "killed.embate"), place(&folder, "whole.embate"));
    let run = |record: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_embate"));
        command.args(["simulate", &scene, "--steps", "900", "--record", record]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    assert!(run(&whole).status().unwrap().success());
    for pause in [30, 90, 60, 150] {
        let mut child = run(&killed).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(pause));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    // And once in the middle of a byte.
    if let Ok(bytes) = std::fs::read(&killed) {
        std::fs::write(&killed, &bytes[..bytes.len().saturating_sub(5)]).unwrap();
    }
    assert!(run(&killed).status().unwrap().success());
    let steps = |record: &str| {
        let lines = std::fs::read_to_string(record).unwrap();
        let hashes = lines.lines().filter_map(|line| line.split("\"hashes\":\"").nth(1));
        hashes.map(|rest| rest.split('"').next().unwrap().to_owned()).collect::<String>()
    };
    assert_eq!(steps(&killed), steps(&whole));
    assert_eq!(steps(&whole).len(), 900 * 16);
    assert!(Path::new(&killed).exists());
    // Taken on by more steps, it is whole again.
    let on = ["simulate", &scene, "--steps", "960", "--record", &whole];
    assert_eq!(embate(&on).status.code(), Some(0));
    let replayed = json(&["replay", &whole]);
    assert_eq!((&replayed["whole"], &replayed["recorded_steps"]), (&true.into(), &960.into()));
    #[cfg(unix)]
    refused(&["simulate", &scene, "--record", "/dev/full"], 2, "not a recording of embate");
    let other = written(&folder, "other.json", BALL);
    refused(&["simulate", &other, "--record", &whole], 2, "the recording of another scene");
    refused(&["simulate", &other, "--record", &other], 2, "is the scene itself");
    refused(&["simulate", &scene, "--record", &other], 2, "not a recording of embate");
}

#[test]
fn a_bad_scene_is_refused_in_one_line_with_its_place() {
    let folder = TempDir::new().unwrap();
    let bad = written(&folder, "bad.json", &BALL.replace("\"mass\": 2", "\"mass\": 0"));
    refused(&["simulate", &bad], 1, "bad.json, line 6, column");
    let twice = written(&folder, "twice.json", &BALL.replace("\"ball\"", "\"floor\""));
    refused(&["simulate", &twice], 1, "has this name already");
    refused(&["simulate", "nothing.json"], 1, "there is no such file");
    refused(&["simulate", &twice, "--steps", "-1"], 2, "--steps");
}

#[test]
fn advice_on_a_scene_names_method_substeps_and_broad_phase_with_what_was_measured() {
    let ball = |x: i32| {
        format!(
            r#"{{"shape":{{"sphere":{{"radius":0.5}}}},"position":[{x},0,0],"velocity":[{},0,0],"mass":1,
            "restitution":1,"friction":0}}"#,
            -x
        )
    };
    let words = format!(r#"{{"gravity":[0,0,0],"bodies":[{},{}]}}"#, ball(-3), ball(3));
    let folder = TempDir::new().unwrap();
    let answer = json(&["advise", &written(&folder, "space.json", &words)]);
    assert_eq!(answer["recommendation"]["method"], "elastic");
    // Balls of restitution 0.5 are among these.
    let answer = json(&["advise", &example("collisions.json")]);
    assert_eq!(answer["recommendation"]["method"], "soft");
    let answer = json(&["advise", &example("stack.json")]);
    let advice = &answer["recommendation"];
    assert_eq!(advice["method"], "soft");
    assert!([2, 4, 8].contains(&advice["substeps"].as_u64().unwrap()), "{advice}");
    let measured = answer["measured"].as_array().unwrap();
    let broads: Vec<&str> = measured.iter().filter_map(|trial| trial["broad"].as_str()).collect();
    assert!(broads.contains(&advice["broad"].as_str().unwrap()), "{advice}");
    assert!(advice["reason"].as_str().unwrap().contains("ms a step"), "{advice}");
    assert!(answer["measured"].as_array().unwrap().len() >= 4);
    assert_eq!(answer["features"]["bodies"], 21);
}

#[test]
fn what_was_done_in_the_page_is_done_again() {
    let folder = TempDir::new().unwrap();
    let mut workshop = embate_lab::workshop::Workshop::open(BALL, "ball").unwrap();
    workshop.seek(10);
    workshop
        .add(r#"{"shape": {"sphere": {"radius": 0.5}}, "mass": 1, "position": [3, 5, 0]}"#)
        .unwrap();
    workshop.seek(40);
    let saved = workshop.recording().unwrap();
    let record = written(&folder, "mine.recording.json", &saved);
    let replayed = json(&["replay", &record]);
    assert_eq!((&replayed["agrees"], &replayed["recorded_steps"]), (&true.into(), &40.into()));
    assert_eq!(replayed["state_hash"], format!("{:016x}", workshop.state_hash()));
    assert!(text(&embate(&["replay", &record]).stdout).contains("over 40 steps ends as it was"));
    let other = saved.replace(&format!("{:016x}", workshop.state_hash()), "00000000000000ab");
    assert_ne!(other, saved);
    refused(&["replay", &written(&folder, "other.json", &other)], 1, "departs");
}
