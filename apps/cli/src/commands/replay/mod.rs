//! `embate replay`: repeats a recorded simulation and compares state hashes.
//!
//! Recordings of `embate simulate` hold the state hash of every step. Those saved by the web page
//! hold the user's actions, and the state hash at the end.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use embate_report::language::Language;
use embate_scene::simulation::{Departure, Outcome, Replay, Simulation};
use embate_viewer::sandbox::Sandbox;
use serde_json::{Value, json};

use crate::commands::simulate::{add_outcome, bodies_text, facts};
use crate::failure::Failure;
use crate::io::output::print;
use crate::progress::Bar;

#[derive(Debug, Args)]
pub(crate) struct ReplayRequest {
    /// Recording of `simulate --record`, or one saved by the web page
    pub(crate) file: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Maximum size of a recording saved by the page; the page has the same limit.
const MAX_PAGE_RECORDING_BYTES: u64 = 64_000_000;

pub(crate) fn run(request: &ReplayRequest) -> Result<(), Failure> {
    if let Some(text) = page_recording(request) {
        return replay_page_recording(request, &text);
    }
    let replay = Replay::load(&request.file).map_err(Failure::problem)?;
    let clock = Instant::now();
    let (outcome, divergence) = replay_steps(&replay);
    let query_s = clock.elapsed().as_secs_f64();
    if request.json {
        print(&format!("{:#}\n", to_json(request, &replay, &outcome, divergence, query_s)))?;
    } else if divergence.is_none() && replay.is_whole {
        print(&to_text(&replay, &outcome))?;
    }
    match divergence {
        None if replay.is_whole => Ok(()),
        None => Err(Failure::Problem(format!(
            "{}: the recording is incomplete: it breaks off after {} steps, which match; run \
             `embate simulate` with --record and this file again to complete it",
            request.file.display(),
            replay.hashes.len(),
        ))),
        Some(Departure { step, recorded, found }) => Err(Failure::Problem(format!(
            "{}: diverges at step {step} of {} ({:.3} s): state hash {found:016x}, recorded \
             {recorded:016x}; recorded by embate {}, replayed by {}",
            request.file.display(),
            replay.hashes.len(),
            outcome.time,
            replay.version,
            env!("CARGO_PKG_VERSION"),
        ))),
    }
}

fn replay_steps(replay: &Replay) -> (Outcome, Option<Departure>) {
    let bar = Bar::new(replay.hashes.len() as u64);
    let mut simulation = Simulation::new(&replay.scene);
    let divergence = replay.follow(&mut simulation, || bar.advance(1));
    (simulation.outcome(), divergence)
}

fn to_json(
    request: &ReplayRequest,
    replay: &Replay,
    outcome: &Outcome,
    divergence: Option<Departure>,
    query_s: f64,
) -> Value {
    let departure = divergence.map(|Departure { step, recorded, found }| {
        let (recorded, found) = (format!("{recorded:016x}"), format!("{found:016x}"));
        json!({ "step": step, "recorded": recorded, "found": found })
    });
    let mut json = json!({
        "asked": { "command": "replay", "file": request.file.display().to_string() },
        "scene": replay.file,
        "recorded_by": replay.version,
        "recorded_steps": replay.hashes.len(),
        "whole": replay.is_whole,
        "agrees": divergence.is_none(),
        "departure": departure,
        "times": { "query_s": query_s },
    });
    add_outcome(&mut json, outcome);
    json
}

fn to_text(replay: &Replay, outcome: &Outcome) -> String {
    let steps = Language::English.integer(replay.hashes.len() as u64);
    let facts = facts(&replay.scene, &replay.file, outcome);
    format!(
        "All {steps} steps match the recorded state hashes.\n\n{facts}\n\n{}",
        bodies_text(outcome)
    )
}

/// The text of the file, if it is a recording saved by the page. Errors of reading the file are
/// reported when it is loaded as a recording of `embate simulate`.
fn page_recording(request: &ReplayRequest) -> Option<String> {
    let file = request.file.is_file().then(|| File::open(&request.file).ok())??;
    let mut text = String::new();
    file.take(MAX_PAGE_RECORDING_BYTES).read_to_string(&mut text).ok()?;
    Sandbox::is_recording(&text).then_some(text)
}

/// Replays all actions recorded by the page.
fn replay_page_recording(request: &ReplayRequest, text: &str) -> Result<(), Failure> {
    let clock = Instant::now();
    let name = request.file.display().to_string();
    let mut sandbox = Sandbox::open(text, &name).map_err(Failure::problem)?;
    let steps = u64::from(sandbox.last());
    let bar = Bar::new(steps);
    let result = sandbox.advance_seek(|| {
        bar.advance(1);
        false
    });
    drop(bar);
    result.map_err(Failure::problem)?;
    let (figures, hash) = (sandbox.stats(), format!("{:016x}", sandbox.state_hash()));
    if request.json {
        let json = json!({
            "asked": { "command": "replay", "file": name },
            "recorded_steps": steps,
            "agrees": true,
            "counts": { "bodies": figures.bodies, "steps": steps },
            "state_hash": hash,
            "times": { "query_s": clock.elapsed().as_secs_f64() },
        });
        return print(&format!("{json:#}\n"));
    }
    let steps = Language::English.integer(steps);
    print(&format!(
        "The actions recorded by the page over {steps} steps end in the recorded state, {hash}.\n"
    ))
}
