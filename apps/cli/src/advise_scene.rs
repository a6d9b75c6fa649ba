//! `embate advise SCENE`: which broad phase, how many sub-steps, which method? Measured on the scene itself.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use embate_lab::language::Language;
use embate_lab::scene_file::{SceneLimits, load_scene};
use embate_lab::simulation::advice::{Advice, Trial, advise};
use serde_json::{Value, json};

use crate::args::AdviseRequest;
use crate::failure::{Failure, print};
use crate::progress::Bar;
use crate::simulate::printable;
use crate::tables::{align_numbers, bare_table};

/// Whether a file is JSON of a scene: begins as an object, and speaks of bodies. A glTF does not.
pub(crate) fn looks_like_a_scene(path: &Path) -> bool {
    let mut beginning = Vec::new();
    let read = File::open(path).and_then(|file| file.take(1 << 20).read_to_end(&mut beginning));
    let text = String::from_utf8_lossy(&beginning);
    let begins = text.trim_start_matches('\u{feff}').trim_start().starts_with('{');
    read.is_ok() && begins && (text.contains("\"bodies\"") || !text.contains("\"asset\""))
}

pub(crate) fn run(request: &AdviseRequest) -> Result<(), Failure> {
    let scene = load_scene(&request.file, &SceneLimits::default()).map_err(Failure::problem)?;
    let bar = Bar::new(100);
    let advice = advise(&scene, &|share| bar.advance(share));
    drop(bar);
    if request.json {
        return print(&format!("{:#}\n", to_json(request, &advice)));
    }
    print(&to_text(request, &advice))
}

fn to_json(request: &AdviseRequest, advice: &Advice) -> Value {
    let trial = |trial: &Trial| {
        json!({
            "method": trial.method,
            "broad": trial.broad,
            "substeps": trial.substeps,
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
            "method": advice.method,
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
    fact("bodies", format!("{}, {} of them moving", features.bodies, features.moving));
    fact("joints", features.joints.to_string());
    fact("heaviest over lightest", english.significant(features.mass_ratio.into(), 3));
    fact("largest restitution", features.restitution.to_string());
    let mut table = bare_table(&[
        "method",
        "broad phase",
        "sub-steps",
        "ms a step",
        "of it broad",
        "mean depth, mm",
        "energy, %",
    ]);
    for trial in &advice.trials {
        table.add_row([
            trial.method.to_owned(),
            trial.broad.to_owned(),
            trial.substeps.map_or_else(|| "–".to_owned(), |count| count.to_string()),
            english.significant(trial.ms_per_step, 3),
            english.significant(trial.ms_broad, 3),
            english.significant(f64::from(trial.mean_penetration) * 1e3, 3),
            format!("{:+.2}", trial.energy_drift_percent),
        ]);
    }
    align_numbers(&mut table, 2);
    let lines: Vec<String> =
        table.to_string().lines().map(|line| format!("{}\n", line.trim_end())).collect();
    let reasons: Vec<String> =
        advice.reasons.iter().map(|reason| format!("  {reason}\n")).collect();
    let substeps = match (advice.method, advice.substeps) {
        ("soft", 1) => " with 1 sub-step".to_owned(),
        ("soft", count) => format!(" with {count} sub-steps"),
        _ => String::new(),
    };
    format!(
        "{facts}\n\n{}\nUse method {}{substeps}; in the study's chain, broad phase {}.\n{}",
        lines.concat(),
        advice.method,
        advice.broad,
        reasons.concat()
    )
}
