//! `embate simulate`: how do the bodies of a scene move?

use std::path::Path;
use std::time::Instant;

use embate_lab::language::Language;
use embate_lab::scene_file::{Scene, SceneLimits, load_scene};
use embate_lab::simulation::{BodyState, Outcome, Recording, RecordingError, Simulation};
use serde_json::{Value, json};

use crate::args::SimulateRequest;
use crate::failure::{Failure, print, remark};
use crate::progress::Bar;
use crate::tables::{align_numbers, bare_table};
use crate::{threads, whole_file};

/// More bodies than this are summed up, not listed.
const LISTED: usize = 30;

/// What was done, and how long it took.
struct Done {
    outcome: Outcome,
    build_s: f64,
    query_s: f64,
}

pub(crate) fn run(request: &SimulateRequest) -> Result<(), Failure> {
    let clock = Instant::now();
    let scene = load_scene(&request.scene, &SceneLimits::default()).map_err(Failure::problem)?;
    let build_s = clock.elapsed().as_secs_f64();
    let steps = request.steps.unwrap_or(scene.steps);
    let mut recording = match &request.record {
        Some(path) => Some(open_recording(path, &request.scene, &scene)?),
        None => None,
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = request.threads.map_or(cores, usize::from);
    let pool = threads::pool(request.threads)?;
    let (outcome, query_s) = pool.install(|| go(&scene, steps, threads, recording.as_mut()))?;
    if let Some(recording) = recording {
        recording.finish().map_err(recording_failure)?;
    }
    let done = Done { outcome, build_s, query_s };
    if let Some(lost) = done.outcome.first_lost() {
        return Err(Failure::Problem(format!(
            "{}: the motion of body {lost} ({}) is no longer a number after {steps} steps: give bodies that touch or are \
             joined masses and sizes nearer to each other, or more sub-steps",
            request.scene.display(),
            printable(&scene.body_name(lost)),
        )));
    }
    if request.json {
        return print(&format!("{:#}\n", to_json(request, &scene, steps, &done)));
    }
    print(&to_text(request, &scene, &done))
}

fn open_recording(path: &Path, file: &Path, scene: &Scene) -> Result<Recording, Failure> {
    if whole_file::is_same(path, file) {
        let path = path.display();
        return Err(Failure::Misuse(format!(
            "--record {path}: is the scene itself; name another file"
        )));
    }
    let recording = Recording::open(path, &file.display().to_string(), scene);
    let recording = recording.map_err(recording_failure)?;
    let earlier = recording.earlier_steps();
    if earlier > 0 {
        let earlier = Language::English.integer(earlier as u64);
        remark(&format!("going on with a recording of {earlier} steps"));
    }
    Ok(recording)
}

/// Goes so many steps, and tells what the engine took for them.
fn go(
    scene: &Scene,
    steps: u32,
    threads: usize,
    mut recording: Option<&mut Recording>,
) -> Result<(Outcome, f64), Failure> {
    let bar = Bar::new(steps.into());
    let mut run = Simulation::on_threads(scene, threads);
    if let Some(recording) = &mut recording {
        recording.take_up(&mut run, steps);
        bar.advance(run.steps().into());
    }
    while run.steps() < steps {
        let hash = run.step();
        if let Some(recording) = &mut recording {
            recording.note(&run, hash).map_err(recording_failure)?;
        }
        bar.advance(1);
    }
    Ok((run.outcome(), run.seconds()))
}

fn recording_failure(error: RecordingError) -> Failure {
    if error.is_misuse() { Failure::Misuse(error.to_string()) } else { Failure::problem(error) }
}

fn to_json(request: &SimulateRequest, scene: &Scene, steps: u32, done: &Done) -> Value {
    let asked = json!({
        "command": "simulate",
        "scene": request.scene.display().to_string(),
        "name": scene.name,
        "method": scene.method.name(),
        "steps": steps,
        "threads": request.threads,
        "record": request.record.as_ref().map(|path| path.display().to_string()),
    });
    let mut json = json!({
        "asked": asked,
        "times": { "build_s": done.build_s, "query_s": done.query_s },
        "memory": { "bytes": resident_bytes() },
    });
    add_outcome(&mut json, &done.outcome);
    json
}

/// What the system holds for this process, where it tells.
fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kibibytes| kibibytes << 10)
}

/// Every field that tells how a scene stands.
pub(crate) fn add_outcome(json: &mut Value, outcome: &Outcome) {
    let body = |body: &BodyState| {
        json!({
            "name": body.name,
            "position": body.position,
            "orientation": body.orientation,
            "velocity": body.velocity,
            "angular_velocity": body.angular_velocity,
            "asleep": body.asleep,
            "senses": body.senses,
        })
    };
    json["counts"] = json!({
        "bodies": outcome.bodies.len(),
        "pairs_per_step": outcome.pairs_per_step,
        "tests_per_step": outcome.tests_per_step,
        "steps": outcome.steps,
        "contacts": outcome.contacts,
        "contacts_per_step": outcome.contacts_per_step,
        "asleep": outcome.asleep,
    });
    json["time"] = outcome.time.into();
    json["state_hash"] = format!("{:016x}", outcome.state_hash).into();
    json["energy"] = outcome.energy.into();
    json["energy_at_start"] = outcome.energy_at_start.into();
    json["momentum"] = json!(outcome.momentum);
    json["angular_momentum"] = json!(outcome.angular_momentum);
    json["max_penetration"] = outcome.max_penetration.into();
    json["mean_penetration"] = outcome.mean_penetration.into();
    json["max_penetration_ever"] = outcome.max_penetration_ever.into();
    json["bodies"] = outcome.bodies.iter().map(body).collect();
}

fn to_text(request: &SimulateRequest, scene: &Scene, done: &Done) -> String {
    let (english, outcome) = (Language::English, &done.outcome);
    let steps = f64::from(outcome.steps.max(1));
    let mut facts = facts(scene, &request.scene.display().to_string(), outcome);
    facts.add_row(["time a step".to_owned(), english.duration(done.query_s / steps)]);
    if let Some(record) = &request.record {
        facts.add_row(["recording".to_owned(), record.display().to_string()]);
    }
    format!("{facts}\n\n{}", bodies_text(outcome))
}

/// What there is to tell about a scene at once.
pub(crate) fn facts(scene: &Scene, file: &str, outcome: &Outcome) -> comfy_table::Table {
    let english = Language::English;
    let millimetres =
        |metres: f32| format!("{} mm", english.significant(f64::from(metres) * 1e3, 3));
    let mut facts = bare_table(&[]);
    let mut fact = |name: &str, value: String| {
        facts.add_row([name.to_owned(), value]);
    };
    fact("scene", printable(scene.name.as_deref().unwrap_or(file)));
    fact("method", scene.method.name().to_owned());
    fact("steps", format!("{} ({:.3} s)", english.integer(outcome.steps.into()), outcome.time));
    fact("state", format!("{:016x}", outcome.state_hash));
    let (energy, before) = (outcome.energy, outcome.energy_at_start);
    fact("energy", format!("{} J (at first {})", figure(energy), figure(before)));
    fact("momentum", format!("{} N·s", vector(outcome.momentum)));
    fact(
        "deepest contact",
        format!(
            "{} (ever {})",
            millimetres(outcome.max_penetration),
            millimetres(outcome.max_penetration_ever)
        ),
    );
    fact("contacts", english.integer(outcome.contacts as u64));
    let bodies = english.integer(outcome.bodies.len() as u64);
    fact("bodies", format!("{bodies}, {} asleep", english.integer(outcome.asleep as u64)));
    facts
}

/// The first bodies, one a line.
pub(crate) fn bodies_text(outcome: &Outcome) -> String {
    let mut table = bare_table(&["body", "x", "y", "z", "m/s", "rad/s", ""]);
    for (number, body) in outcome.bodies.iter().enumerate().take(LISTED) {
        let name = body.name.as_deref().map_or_else(|| format!("#{number}"), printable);
        let [x, y, z] = body.position.map(|place| format!("{place:.4}"));
        let speed = |[x, y, z]: [f32; 3]| format!("{:.4}", (x * x + y * y + z * z).sqrt());
        let said = match &body.senses {
            Some(senses) => format!("senses {}", senses.len()),
            None if body.asleep => "asleep".to_owned(),
            None => String::new(),
        };
        table.add_row([name, x, y, z, speed(body.velocity), speed(body.angular_velocity), said]);
    }
    align_numbers(&mut table, 1);
    let more = outcome.bodies.len().saturating_sub(LISTED);
    let more =
        if more > 0 { format!("and {more} more; --json tells all\n") } else { String::new() };
    let lines: Vec<String> =
        table.to_string().lines().map(|line| format!("{}\n", line.trim_end())).collect();
    format!("{}{more}", lines.concat())
}

/// Letters of a name that are shown: one of megabytes would take the table minutes.
const NAME_LENGTH: usize = 80;

/// A name with an escape sequence must not draw on the terminal, nor a long one fill it.
pub(crate) fn printable(name: &str) -> String {
    let shown: String = name.chars().take(NAME_LENGTH).collect();
    let more = if shown.len() < name.len() { "…" } else { "" };
    format!("{}{more}", shown.replace(char::is_control, "\u{fffd}"))
}

fn figure(value: f64) -> String {
    if value.abs() < 1e-9 { "0".to_owned() } else { Language::English.significant(value, 6) }
}

fn vector(values: [f64; 3]) -> String {
    values.map(figure).join(" ")
}
