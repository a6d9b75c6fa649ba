//! Report of `embate simulate` and `embate replay`: one JSON object, or tables.

use embate_report::language::Language;
use embate_scene::scene_file::Scene;
use embate_scene::scene_world::Method;
use embate_scene::simulation::{BodyState, Outcome};
use serde_json::{Value, json};

use super::{Run, SimulateRequest};
use crate::io::output::{align_numbers, bare_table, printable, trimmed};

/// Maximum number of bodies in the table.
const MAX_BODIES_SHOWN: usize = 30;

pub(super) fn to_json(request: &SimulateRequest, scene: &Scene, steps: u32, run: &Run) -> Value {
    let asked = json!({
        "command": "simulate",
        "scene": request.scene.display().to_string(),
        "name": scene.name,
        "method": scene.method.name(),
        "integrator": match scene.method {
            Method::Lasch(config) => Some(config.integrator.name()),
            Method::Engine(_) => None,
        },
        "steps": steps,
        "threads": request.workers.threads,
        "seconds": request.seconds,
        "record": request.record.as_ref().map(|path| path.display().to_string()),
        "series": request.series.as_ref().map(|path| path.display().to_string()),
    });
    let mut json = json!({
        "asked": asked,
        "times": { "build_s": run.build_s, "query_s": run.query_s },
        "memory": { "bytes": resident_bytes() },
    });
    add_outcome(&mut json, &run.outcome);
    json
}

/// Peak resident memory of this process, on systems with `/proc`.
fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kibibytes| kibibytes << 10)
}

/// Adds the fields that describe the state at the end of a run.
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

pub(super) fn to_text(request: &SimulateRequest, scene: &Scene, run: &Run) -> String {
    let (english, outcome) = (Language::English, &run.outcome);
    let steps = f64::from(outcome.steps.max(1));
    let mut facts = facts(scene, &request.scene.display().to_string(), outcome);
    facts.add_row(["time per step".to_owned(), english.duration(run.query_s / steps)]);
    if let Some(record) = &request.record {
        facts.add_row(["recording".to_owned(), record.display().to_string()]);
    }
    if let Some(series) = &request.series {
        facts.add_row(["series".to_owned(), series.display().to_string()]);
    }
    format!("{facts}\n\n{}", bodies_text(outcome))
}

/// Summary table of a run.
pub(crate) fn facts(scene: &Scene, file: &str, outcome: &Outcome) -> comfy_table::Table {
    let english = Language::English;
    let millimeters =
        |meters: f32| format!("{} mm", english.significant(f64::from(meters) * 1e3, 3));
    let mut facts = bare_table(&[]);
    let mut fact = |name: &str, value: String| {
        facts.add_row([name.to_owned(), value]);
    };
    fact("scene", printable(scene.name.as_deref().unwrap_or(file)));
    fact("solver", scene.method.solver_name().to_owned());
    if let Method::Lasch(config) = scene.method {
        fact("broad phase", config.broad_phase.name().to_owned());
        fact("integrator", config.integrator.name().to_owned());
        fact("response", config.response.name().to_owned());
    }
    fact("steps", format!("{} ({:.3} s)", english.integer(outcome.steps.into()), outcome.time));
    fact("state hash", format!("{:016x}", outcome.state_hash));
    let (energy, initial) = (outcome.energy, outcome.energy_at_start);
    fact("energy", format!("{} J (initially {})", figure(energy), figure(initial)));
    fact("momentum", format!("{} N·s", vector(outcome.momentum)));
    fact(
        "maximum penetration",
        format!(
            "{} (over all steps {})",
            millimeters(outcome.max_penetration),
            millimeters(outcome.max_penetration_ever)
        ),
    );
    fact("contacts", english.integer(outcome.contacts as u64));
    let bodies = english.integer(outcome.bodies.len() as u64);
    fact("bodies", format!("{bodies}, {} asleep", english.integer(outcome.asleep as u64)));
    facts
}

/// Table of the first bodies.
pub(crate) fn bodies_text(outcome: &Outcome) -> String {
    let mut table = bare_table(&["body", "x", "y", "z", "m/s", "rad/s", ""]);
    for (number, body) in outcome.bodies.iter().enumerate().take(MAX_BODIES_SHOWN) {
        let name = body.name.as_deref().map_or_else(|| format!("#{number}"), printable);
        let [x, y, z] = body.position.map(|coordinate| format!("{coordinate:.4}"));
        let speed = |[x, y, z]: [f32; 3]| format!("{:.4}", (x * x + y * y + z * z).sqrt());
        let state = match &body.senses {
            Some(senses) => format!("senses {}", senses.len()),
            None if body.asleep => "asleep".to_owned(),
            None => String::new(),
        };
        table.add_row([name, x, y, z, speed(body.velocity), speed(body.angular_velocity), state]);
    }
    align_numbers(&mut table, 1);
    let more = outcome.bodies.len().saturating_sub(MAX_BODIES_SHOWN);
    let more =
        if more > 0 { format!("and {more} more; --json lists all\n") } else { String::new() };
    format!("{}{more}", trimmed(&table))
}

fn figure(value: f64) -> String {
    if value.abs() < 1e-9 { "0".to_owned() } else { Language::English.significant(value, 6) }
}

fn vector(values: [f64; 3]) -> String {
    values.map(figure).join(" ")
}
