//! `embate replay`: does a recorded scene still go as it went?

use std::time::Instant;

use embate_lab::language::Language;
use embate_lab::simulation::{Departure, Outcome, Replay, Simulation};
use serde_json::{Value, json};

use crate::args::ReplayRequest;
use crate::failure::{Failure, print, remark};
use crate::progress::Bar;
use crate::simulate::{add_outcome, bodies_text, facts, recording_failure};

pub(crate) fn run(request: &ReplayRequest) -> Result<(), Failure> {
    let replay = Replay::load(&request.file).map_err(recording_failure)?;
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
