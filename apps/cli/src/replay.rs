//! `embate replay`: does a recorded scene still go as it went?
//!
//! Recordings of `embate simulate` tell the state after every step; those that the page saves tell what was done, and the
//! state at the end.

use std::fs::File;
use std::io::Read;
use std::time::Instant;

use embate_lab::language::Language;
use embate_lab::simulation::{Departure, Outcome, Replay, Simulation};
use embate_lab::workshop::Workshop;
use serde_json::{Value, json};

use crate::args::ReplayRequest;
use crate::failure::{Failure, print, remark};
use crate::progress::Bar;
use crate::simulate::{add_outcome, bodies_text, facts};

/// More is not opened by the page either.
const MOST_BYTES_OF_PAGE: u64 = 64_000_000;

pub(crate) fn run(request: &ReplayRequest) -> Result<(), Failure> {
    if let Some(text) = saved_by_page(request) {
        return do_again(request, &text);
    }
    let replay = Replay::load(&request.file).map_err(Failure::problem)?;
    if !replay.is_whole {
        remark("the recording was cut short; what there is of it is replayed");
    }
    let clock = Instant::now();
    let (outcome, departure) = follow(&replay);
    let query_s = clock.elapsed().as_secs_f64();
    if request.json {
        print(&format!("{:#}\n", to_json(request, &replay, &outcome, departure, query_s)))?;
    } else if departure.is_none() {
        print(&to_text(&replay, &outcome))?;
    }
    match departure {
        None => Ok(()),
        Some(Departure { step, recorded, found }) => Err(Failure::Problem(format!(
            "{}: departs at step {step} of {} ({:.3} s): the state is {found:016x}, recorded was {recorded:016x}; it \
             was recorded by embate {}, this is {}",
            request.file.display(),
            replay.hashes.len(),
            outcome.time,
            replay.version,
            env!("CARGO_PKG_VERSION"),
        ))),
    }
}

fn follow(replay: &Replay) -> (Outcome, Option<Departure>) {
    let bar = Bar::new(replay.hashes.len() as u64);
    let mut run = Simulation::new(&replay.scene);
    let departure = replay.follow(&mut run, || bar.advance(1));
    (run.outcome(), departure)
}

fn to_json(
    request: &ReplayRequest,
    replay: &Replay,
    outcome: &Outcome,
    departure: Option<Departure>,
    query_s: f64,
) -> Value {
    let departure = departure.map(|Departure { step, recorded, found }| {
        let (recorded, found) = (format!("{recorded:016x}"), format!("{found:016x}"));
        json!({ "step": step, "recorded": recorded, "found": found })
    });
    let mut json = json!({
        "asked": { "command": "replay", "file": request.file.display().to_string() },
        "scene": replay.file,
        "recorded_by": replay.version,
        "recorded_steps": replay.hashes.len(),
        "whole": replay.is_whole,
        "agrees": departure.is_none(),
        "departure": departure,
        "times": { "query_s": query_s },
    });
    add_outcome(&mut json, outcome);
    json
}

fn to_text(replay: &Replay, outcome: &Outcome) -> String {
    let steps = Language::English.integer(replay.hashes.len() as u64);
    let facts = facts(&replay.scene, &replay.file, outcome);
    format!("All {steps} steps end as they were recorded.\n\n{facts}\n\n{}", bodies_text(outcome))
}

/// The text of the file, if it is a recording that the page saved. What else may be wrong with it is told by whoever
/// reads it next.
fn saved_by_page(request: &ReplayRequest) -> Option<String> {
    let file = request.file.is_file().then(|| File::open(&request.file).ok())??;
    let mut text = String::new();
    file.take(MOST_BYTES_OF_PAGE).read_to_string(&mut text).ok()?;
    Workshop::is_recording(&text).then_some(text)
}

/// All that was done in the page, step by step to its end.
fn do_again(request: &ReplayRequest, text: &str) -> Result<(), Failure> {
    let clock = Instant::now();
    let name = request.file.display().to_string();
    let mut workshop = Workshop::open(text, &name).map_err(Failure::problem)?;
    let steps = u64::from(workshop.last());
    let bar = Bar::new(steps);
    let arrived = workshop.approach(|| {
        bar.advance(1);
        false
    });
    drop(bar);
    arrived.map_err(Failure::problem)?;
    let (figures, hash) = (workshop.figures(), format!("{:016x}", workshop.state_hash()));
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
        "All that was done in the page over {steps} steps ends as it was recorded, in state {hash}.\n"
    ))
}
