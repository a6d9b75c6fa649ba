//! The `embate` command line: parses arguments, calls the libraries, prints results. It contains no
//! geometry.

mod args;
mod commands;
mod failure;
mod io;
mod progress;

use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};
use commands::{
    advise, cast, contact, heatmap, inspect, lab, pairs, replay, scene, sight, simulate, study,
};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return failure::report_clap_error(&error),
    };
    let result = match arguments.command {
        Command::Lab(request) => lab::run(&request),
        Command::Study(request) => study::run(&request),
        Command::Inspect(request) => inspect::run(&request),
        Command::Cast(request) => cast::run(&request),
        Command::Sight(request) => sight::run(&request),
        Command::Scene(request) => scene::run(&request),
        Command::Heatmap(request) => heatmap::run(&request),
        Command::Pairs(request) => pairs::run(&request),
        Command::Contact(request) => contact::run(&request),
        Command::Simulate(request) => simulate::run(&request),
        Command::Replay(request) => replay::run(&request),
        Command::Advise(request) => advise::run(&request),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
