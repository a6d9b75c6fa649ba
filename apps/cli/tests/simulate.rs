//! `embate simulate`, `replay` and `advise` for scenes, from the command line.

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

fn write_file(folder: &TempDir, name: &str, content: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().to_owned()
}

fn path_in(folder: &TempDir, name: &str) -> String {
    folder.path().join(name).to_str().unwrap().to_owned()
}

fn example(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/scenes").join(name);
    path.to_str().unwrap().to_owned()
}

fn assert_fails(arguments: &[&str], code: i32, words: &str) {
    let output = embate(arguments);
    let line = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{line}");
    assert!(line.contains(words) && line.trim_end().lines().count() == 1, "{line}");
    assert!(output.stdout.is_empty());
}

#[test]
fn simulation_report_describes_a_ball_at_rest() {
    let folder = TempDir::new().unwrap();
    let scene = write_file(&folder, "ball.json", BALL);
    let report = json(&["simulate", &scene]);
    assert_eq!(report["asked"]["steps"], 240);
    assert_eq!(report["counts"]["bodies"], 2);
    let ball = &report["bodies"][1];
    assert_eq!(ball["name"], "ball");
    let height = ball["position"][1].as_f64().unwrap();
    assert!((height - 0.5).abs() < 0.006, "{height}");
    assert!((report["energy"].as_f64().unwrap() - 2.0 * 9.81 * height).abs() < 1e-2);
    for key in ["momentum", "max_penetration", "state_hash", "times", "counts"] {
        assert!(!report[key].is_null(), "{key}");
    }
    let hash = report["state_hash"].as_str().unwrap();
    assert!(hash.len() == 16 && u64::from_str_radix(hash, 16).is_ok(), "{hash}");
    for key in ["orientation", "velocity", "angular_velocity"] {
        assert!(ball[key].is_array(), "{key}");
    }
    let output = embate(&["simulate", &scene, "--steps", "10"]);
    let table = text(&output.stdout);
    assert!(table.contains("a ball") && table.contains("floor"), "{table}");
    assert!(table.contains("energy"), "{table}");
}

#[test]
fn state_hash_does_not_depend_on_threads_or_runs() {
    // Large enough that a step runs in parallel.
    let scene = example("pyramid.json");
    let hash = |threads: &str| {
        let report = json(&["simulate", &scene, "--steps", "8", "--threads", threads]);
        report["state_hash"].as_str().unwrap().to_owned()
    };
    let first = hash("1");
    for threads in ["1", "2", "3", "8"] {
        assert_eq!(hash(threads), first, "{threads} threads");
    }
}

#[test]
fn recording_is_self_contained_and_replays_bit_for_bit() {
    let folder = TempDir::new().unwrap();
    // With a mesh file, which the recording must include.
    std::fs::write(
        folder.path().join("slope.obj"),
        "v -3 1 -3\nv 3 0 -3\nv -3 1 3\nv 3 0 3\nf 1 3 2\nf 2 3 4\n",
    )
    .unwrap();
    let slope = r#""bodies": [{"shape": {"mesh": {"file": "slope.obj"}}, "static": true},"#;
    let scene = write_file(&folder, "scene.json", &BALL.replace("\"bodies\": [", slope));
    let record = path_in(&folder, "run.embate");
    let report = json(&["simulate", &scene, "--record", &record]);
    std::fs::remove_file(folder.path().join("slope.obj")).unwrap();
    std::fs::remove_file(&scene).unwrap();
    let replayed = json(&["replay", &record]);
    assert_eq!(replayed["agrees"], true);
    assert_eq!((&replayed["recorded_steps"], &replayed["whole"]), (&240.into(), &true.into()));
    assert_eq!(replayed["state_hash"], report["state_hash"]);
    let bytes = std::fs::metadata(&record).unwrap().len();
    assert!(bytes < 6_000, "{bytes} bytes for 240 steps");
    assert!(
        text(&embate(&["replay", &record]).stdout)
            .contains("All 240 steps match the recorded state hashes")
    );
}

#[test]
fn replay_reports_the_first_diverging_step() {
    let folder = TempDir::new().unwrap();
    let scene = write_file(&folder, "ball.json", BALL);
    let record = path_in(&folder, "run.embate");
    json(&["simulate", &scene, "--record", &record]);
    let original = std::fs::read_to_string(&record).unwrap();
    let mut lines: Vec<String> = original.lines().map(str::to_owned).collect();
    // One digit of the hash of step 3 is changed, and the checksum of its record updated.
    let line = lines.iter_mut().find(|line| line.contains("\"after\":0")).unwrap();
    let json_part = line[9..].to_owned();
    let begins = json_part.find("\"hashes\":\"").unwrap() + 10 + 2 * 16;
    let digit = if &json_part[begins..=begins] == "0" { "1" } else { "0" };
    let changed = format!("{}{digit}{}", &json_part[..begins], &json_part[begins + 1..]);
    *line = format!("{:08x} {changed}", crc(changed.as_bytes()));
    std::fs::write(&record, lines.join("\n") + "\n").unwrap();
    let output = embate(&["replay", &record]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("diverges at step 3 of 240"), "{}", text(&output.stderr));
    // A line with a wrong checksum is damage; an incomplete last line is left by a kill.
    let last = lines.len() - 1;
    let damaged = [&lines[..last], &[lines[last].replace("end", "eNd")]].concat().join("\n") + "\n";
    let damaged = write_file(&folder, "damaged.embate", &damaged);
    assert_fails(&["replay", &damaged], 1, "is not what was written");
    let end = original.trim_end().rfind('\n').unwrap() + 1;
    let torn = write_file(&folder, "torn.embate", &original[..end + 9]);
    assert_fails(&["replay", &torn], 1, "the recording is incomplete: it breaks off after");
    // Truncated behind a whole record, or within one.
    let line_ends = original.match_indices('\n').map(|(at, _)| at + 1);
    for length in line_ends.flat_map(|end| [end - 3, end]).filter(|&end| end < original.len()) {
        let truncated = write_file(&folder, "truncated.embate", &original[..length]);
        let output = embate(&["replay", &truncated]);
        assert_eq!(output.status.code(), Some(1), "{length} bytes: {output:?}");
        let output = embate(&["replay", &truncated, "--json"]);
        assert_eq!(output.status.code(), Some(1), "{length} bytes: {output:?}");
    }
    assert_fails(&["replay", &scene], 1, "not a recording of embate");
    assert_fails(&["replay", "nothing.embate"], 1, "there is no such file");
    assert_fails(&["replay", "."], 1, ".: is a folder; name a recording in it");
    let mesh = write_file(&folder, "part.stl", "solid part\nendsolid part\n");
    assert_fails(&["simulate", &mesh], 1, "is a mesh, not a scene");
    // Copied by a program that writes other line ends, it is replayed, but not continued.
    let copy = write_file(&folder, "crlf.embate", &original.replace('\n', "\r\n"));
    assert_eq!(embate(&["replay", &copy]).status.code(), Some(0));
    assert_fails(
        &["simulate", &copy],
        1,
        "is a recording, not a scene; repeat it with `embate replay",
    );
    assert_fails(&["simulate", &scene, "--record", &copy], 2, "its lines end with CR LF");
}

/// The CRC-32 of the journal, bitwise.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

#[test]
fn recording_killed_several_times_resumes_to_the_same_hashes() {
    let folder = TempDir::new().unwrap();
    let scene = example("planar.json");
    let (killed, whole) = (path_in(&folder, "killed.embate"), path_in(&folder, "whole.embate"));
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
    // And once truncated in the middle of a record.
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
    // A finished recording can be extended by more steps.
    let on = ["simulate", &scene, "--steps", "960", "--record", &whole];
    assert_eq!(embate(&on).status.code(), Some(0));
    let replayed = json(&["replay", &whole]);
    assert_eq!((&replayed["whole"], &replayed["recorded_steps"]), (&true.into(), &960.into()));
    #[cfg(unix)]
    assert_fails(&["simulate", &scene, "--record", "/dev/full"], 2, "not a recording of embate");
    let other = write_file(&folder, "other.json", BALL);
    assert_fails(&["simulate", &other, "--record", &whole], 2, "the recording of another scene");
    assert_fails(&["simulate", &other, "--record", &other], 2, "is the scene file itself");
    assert_fails(&["simulate", &scene, "--record", &other], 2, "not a recording of embate");
}

#[test]
fn invalid_scene_is_rejected_in_one_line_with_its_location() {
    let folder = TempDir::new().unwrap();
    let bad = write_file(&folder, "bad.json", &BALL.replace("\"mass\": 2", "\"mass\": 0"));
    assert_fails(&["simulate", &bad], 1, "bad.json, line 6, column");
    let twice = write_file(&folder, "twice.json", &BALL.replace("\"ball\"", "\"floor\""));
    assert_fails(&["simulate", &twice], 1, "has this name already");
    assert_fails(&["simulate", "nothing.json"], 1, "there is no such file");
    assert_fails(&["simulate", &twice, "--steps", "-1"], 2, "--steps");
}

#[test]
fn scene_advice_names_method_substeps_and_broad_phase_with_measurements() {
    let ball = |x: i32| {
        format!(
            r#"{{"shape":{{"sphere":{{"radius":0.5}}}},"position":[{x},0,0],"velocity":[{},0,0],"mass":1,
            "restitution":1,"friction":0}}"#,
            -x
        )
    };
    let scene = format!(r#"{{"gravity":[0,0,0],"bodies":[{},{}]}}"#, ball(-3), ball(3));
    let folder = TempDir::new().unwrap();
    let report = json(&["advise", &write_file(&folder, "space.json", &scene)]);
    assert_eq!(report["recommendation"]["method"], "elastic");
    // Some of these balls have restitution 0.5.
    let report = json(&["advise", &example("collisions.json")]);
    assert_eq!(report["recommendation"]["method"], "soft");
    let report = json(&["advise", &example("stack.json")]);
    let advice = &report["recommendation"];
    assert_eq!(advice["method"], "soft");
    assert!([2, 4, 8].contains(&advice["substeps"].as_u64().unwrap()), "{advice}");
    let measured = report["measured"].as_array().unwrap();
    let broads: Vec<&str> = measured.iter().filter_map(|trial| trial["broad"].as_str()).collect();
    assert!(broads.contains(&advice["broad"].as_str().unwrap()), "{advice}");
    assert!(advice["reason"].as_str().unwrap().contains("ms a step"), "{advice}");
    assert!(report["measured"].as_array().unwrap().len() >= 4);
    assert_eq!(report["features"]["bodies"], 21);
}

#[test]
fn recording_of_the_page_is_replayed() {
    let folder = TempDir::new().unwrap();
    let mut sandbox = embate_viewer::sandbox::Sandbox::open(BALL, "ball").unwrap();
    sandbox.seek(10);
    sandbox
        .add(r#"{"shape": {"sphere": {"radius": 0.5}}, "mass": 1, "position": [3, 5, 0]}"#)
        .unwrap();
    sandbox.seek(40);
    let saved = sandbox.recording().unwrap();
    let record = write_file(&folder, "mine.recording.json", &saved);
    let replayed = json(&["replay", &record]);
    assert_eq!((&replayed["agrees"], &replayed["recorded_steps"]), (&true.into(), &40.into()));
    assert_eq!(replayed["state_hash"], format!("{:016x}", sandbox.state_hash()));
    assert!(
        text(&embate(&["replay", &record]).stdout)
            .contains("over 40 steps end in the recorded state")
    );
    let other = saved.replace(&format!("{:016x}", sandbox.state_hash()), "00000000000000ab");
    assert_ne!(other, saved);
    assert_fails(&["replay", &write_file(&folder, "other.json", &other)], 1, "departs");
}

/// A cube that slides, on a spring and pushed.
const FORCES: &str = r#"{
  "time_step": 0.01, "gravity": [0, 0, 0], "steps": 40,
  "bodies": [
    {"name": "ball", "shape": {"sphere": {"radius": 0.5}}, "mass": 2},
    {"shape": {"cube": {"half": 0.5}}, "mass": 1, "position": [5, 1, 0]},
    {"name": "wall", "shape": {"cube": {"half": 0.5}}, "type": "fixed", "position": [-5, 0, 0]}
  ],
  "forces": [
    {"body": "ball", "force": [0, 0, 6], "from": 0.1, "until": 0.2},
    {"body": 1, "spring": {"anchor": [5, 0, 0], "stiffness": 10}}
  ]
}"#;

#[test]
fn seconds_are_the_steps_that_reach_them() {
    let folder = TempDir::new().unwrap();
    let scene = write_file(&folder, "forces.json", FORCES);
    for (seconds, steps) in [("0", 0), ("0.2", 20), ("0.201", 21), ("1", 100)] {
        let report = json(&["simulate", &scene, "--seconds", seconds]);
        assert_eq!(report["asked"]["steps"], steps, "{seconds} s");
    }
    let report = json(&["simulate", &scene, "--seconds", "1"]);
    let speed = report["bodies"][0]["velocity"][2].as_f64().unwrap();
    assert!((speed - 0.3).abs() < 1e-5, "{speed}");
    assert_fails(&["simulate", &scene, "--seconds", "-1"], 2, "give a number of seconds");
    assert_fails(&["simulate", &scene, "--seconds", "1e9"], 2, "give fewer seconds");
    assert_fails(&["simulate", &scene, "--seconds", "1", "--steps", "9"], 2, "--steps");
}

#[test]
fn series_has_a_row_per_step_and_columns_of_the_chosen_bodies() {
    let folder = TempDir::new().unwrap();
    let scene = write_file(&folder, "forces.json", FORCES);
    let series = path_in(&folder, "run.csv");
    let report = json(&["simulate", &scene, "--series", &series]);
    assert_eq!(report["asked"]["series"], series);
    let table = std::fs::read_to_string(&series).unwrap();
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 42, "a header, step 0 and 40 steps");
    let header = "step,time,energy,kinetic_energy,momentum_x,momentum_y,momentum_z,\
        angular_momentum_x,angular_momentum_y,angular_momentum_z,pairs,contacts,max_penetration,\
        ball.x,ball.y,ball.z,ball.vx,ball.vy,ball.vz,#1.x,#1.y,#1.z,#1.vx,#1.vy,#1.vz";
    assert_eq!(lines[0], header);
    assert_eq!(
        lines[1],
        format!(
            "0,0.0,5.0,0.0,{}0,0,0.0,{}5.0,1.0,0.0,0.0,0.0,0.0",
            "0.0,".repeat(6),
            "0.0,".repeat(6)
        )
    );
    let last: Vec<f64> = lines[41].split(',').map(|cell| cell.parse().unwrap()).collect();
    assert_eq!((last[0], last[2]), (40.0, report["energy"].as_f64().unwrap()));
    // The report has the digits of an f64, the series those of an f32.
    assert_eq!(last[18] as f32, report["bodies"][0]["velocity"][2].as_f64().unwrap() as f32);
    let chosen = path_in(&folder, "chosen.csv");
    json(&["simulate", &scene, "--series", &chosen, "--series-bodies", "wall,#1"]);
    let table = std::fs::read_to_string(&chosen).unwrap();
    assert!(table.starts_with(&header.replace("ball", "wall")), "{table}");
    let wrong = ["simulate", &scene, "--series", &chosen, "--series-bodies", "ghost"];
    assert_fails(&wrong, 2, "there is no body called \"ghost\"");
    assert_fails(&["simulate", &scene, "--series-bodies", "ball"], 2, "--series");
    assert_fails(&["simulate", &scene, "--series", &scene], 2, "the output format is");
    assert_fails(&["simulate", &scene, "--series", "run.txt"], 2, ".csv or .parquet");
}

#[test]
fn parquet_series_has_the_values_of_the_csv() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let folder = TempDir::new().unwrap();
    let scene = write_file(&folder, "ball.json", BALL);
    let [csv, columns] = ["run.csv", "run.parquet"].map(|name| path_in(&folder, name));
    for series in [&csv, &columns] {
        json(&["simulate", &scene, "--series", series, "--steps", "90"]);
    }
    let table = std::fs::read_to_string(&csv).unwrap();
    let reader = SerializedFileReader::new(std::fs::File::open(&columns).unwrap()).unwrap();
    let mut rows = 0;
    for (row, line) in reader.get_row_iter(None).unwrap().zip(table.lines().skip(1)) {
        let row = row.unwrap();
        for ((_, value), cell) in row.get_column_iter().zip(line.split(',')) {
            let value: f64 = value.to_string().parse().unwrap();
            assert!((value - cell.parse::<f64>().unwrap()).abs() <= 1e-6 * value.abs(), "{line}");
        }
        rows += 1;
    }
    assert_eq!((rows, table.lines().count()), (91, 92));
}

#[test]
fn series_of_a_resumed_recording_has_every_step() {
    let folder = TempDir::new().unwrap();
    let scene = write_file(&folder, "ball.json", BALL);
    let [record, whole, resumed] =
        ["run.embate", "whole.csv", "resumed.csv"].map(|name| path_in(&folder, name));
    json(&["simulate", &scene, "--series", &whole]);
    json(&["simulate", &scene, "--record", &record, "--steps", "100"]);
    json(&["simulate", &scene, "--record", &record, "--series", &resumed]);
    assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&resumed).unwrap());
    let both = ["simulate", &scene, "--record", &resumed, "--series", &resumed];
    assert_fails(&both, 2, "is also the recording");
    assert_eq!(json(&["replay", &record])["agrees"], true);
}
