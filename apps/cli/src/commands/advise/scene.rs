//! `embate advise` for a scene: recommended solver, sub-steps and broad phase, measured on the
//! scene itself.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use embate_report::language::Language;
use embate_scene::scene_file::{SceneLimits, load_scene};
use embate_scene::simulation::advice::{Advice, Trial, advise};
use serde_json::{Value, json};

use super::AdviseRequest;
use crate::failure::Failure;
use crate::io::output::{align_numbers, bare_table, print, printable, trimmed};
use crate::progress::Bar;

/// Whether a file is a JSON scene: it starts with an object, and contains the key `bodies`, which a
/// glTF does not. An object without the glTF key `asset` counts as a scene too, so that its errors
/// are those of a scene.
pub(crate) fn looks_like_a_scene(path: &Path) -> bool {
    let mut prefix = Vec::new();
    let read = File::open(path).and_then(|file| file.take(1 << 20).read_to_end(&mut prefix));
    let text = String::from_utf8_lossy(&prefix);
    let is_object = text.trim_start_matches('\u{feff}').trim_start().starts_with('{');
    read.is_ok() && is_object && (text.contains("\"bodies\"") || !text.contains("\"asset\""))
}

pub(crate) fn run(request: &AdviseRequest) -> Result<(), Failure> {
    let scene = load_scene(&request.file, &SceneLimits::default()).map_err(Failure::problem)?;
    let bar = Bar::new(100);
    let advice = advise(&scene, &|work| bar.advance(work));
    drop(bar);
    if request.json {
        return print(&format!("{:#}\n", to_json(request, &advice)));
    }
    print(&to_text(request, &advice))
}

fn to_json(request: &AdviseRequest, advice: &Advice) -> Value {
    let trial = |trial: &Trial| {
        json!({
            "method": trial.method.name(),
            "solver": trial.method.solver_name(),
            "broad": trial.broad,
            "substeps": trial.substeps,
            "steps": trial.steps,
            "ms_per_step": trial.ms_per_step,
            "ms_broad": trial.ms_broad,
            "mean_penetration": trial.mean_penetration,
            "max_penetration": trial.max_penetration,
            "energy_drift_percent": trial.energy_drift_percent,
        })
    };
    json!({
        "asked": { "command": "advise", "file": request.file.display().to_string() },
        "features": {
            "bodies": advice.features.bodies,
            "moving": advice.features.moving,
            "static": advice.features.still,
            "joints": advice.features.joints,
            "mass_ratio": advice.features.mass_ratio,
            "restitution": advice.features.restitution,
            "largest_speed": advice.features.largest_speed,
        },
        "recommendation": {
            "method": advice.method.name(),
            "solver": advice.method.solver_name(),
            "substeps": advice.substeps,
            "broad": advice.broad,
            "reason": advice.reasons.join(" "),
            "reasons": advice.reasons,
        },
        "measured": advice.trials.iter().map(trial).collect::<Vec<_>>(),
    })
}

fn to_text(request: &AdviseRequest, advice: &Advice) -> String {
    let (english, features) = (Language::English, &advice.features);
    let mut facts = bare_table(&[]);
    let mut fact = |name: &str, value: String| {
        facts.add_row([name.to_owned(), value]);
    };
    fact("scene", printable(&request.file.display().to_string()));
    fact("bodies", format!("{}, of which {} dynamic", features.bodies, features.moving));
    fact("joints", features.joints.to_string());
    fact("mass ratio", english.significant(features.mass_ratio.into(), 3));
    fact("maximum restitution", features.restitution.to_string());
    let steps = advice.trials.first().map_or(0, |trial| trial.steps);
    fact("steps of each trial", steps.to_string());
    let mut table = bare_table(&[
        "solver",
        "broad phase",
        "sub-steps",
        "ms per step",
        "broad phase, ms",
        "mean penetration, mm",
        if features.loses_nothing { "energy drift, %" } else { "energy change, %" },
    ]);
    for trial in &advice.trials {
        table.add_row([
            trial.method.solver_name().to_owned(),
            trial.broad.to_owned(),
            trial.substeps.map_or_else(|| "–".to_owned(), |count| count.to_string()),
            english.significant(trial.ms_per_step, 3),
            english.significant(trial.ms_broad, 3),
            english.significant(f64::from(trial.mean_penetration) * 1e3, 3),
            format!("{:+.2}", trial.energy_drift_percent),
        ]);
    }
    align_numbers(&mut table, 2);
    let reasons: Vec<String> =
        advice.reasons.iter().map(|reason| format!("  {reason}\n")).collect();
    let solver = advice.method.solver_name();
    let substeps = match (solver, advice.substeps) {
        ("soft-step", 1) => " with 1 sub-step".to_owned(),
        ("soft-step", count) => format!(" with {count} sub-steps"),
        _ => String::new(),
    };
    // Scenes with joints have no trial of `baseline`.
    let has_baseline = advice.trials.iter().any(|trial| trial.method.solver_name() == "baseline");
    let broad = if has_baseline {
        format!("; for `baseline`, broad phase `{}`", advice.broad)
    } else {
        String::new()
    };
    format!(
        "{facts}\n\n{}\nUse solver `{solver}`{substeps}{broad}.\n{}",
        trimmed(&table),
        reasons.concat()
    )
}
