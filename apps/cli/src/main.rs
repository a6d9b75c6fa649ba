//! The `embate` command: parses, calls, prints. No geometry lives here.

mod advise;
mod advise_scene;
mod args;
mod boxes_file;
mod cast;
mod cast_output;
mod cast_report;
mod contact;
mod costs;
mod failure;
mod heatmap;
mod heatmap_picture;
mod heatmap_report;
mod inspect;
mod lab;
mod meshes;
mod number_table;
mod pairs;
mod progress;
mod rays_file;
mod replay;
mod sight;
mod sight_report;
mod simulate;
mod study;
mod study_broad;
mod study_rays;
mod study_simulator;
mod tables;
mod threads;
mod whole_file;

use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return failure::misread(&error),
    };
    let done = match arguments.command {
        Command::Cast(request) => cast::run(&request),
        Command::Sight(request) => sight::run(&request),
        Command::Heatmap(request) => heatmap::run(&request),
        Command::Pairs(request) => pairs::run(&request),
        Command::Contact(request) => contact::run(&request),
        Command::Inspect(request) => inspect::run(&request),
        Command::Simulate(request) => simulate::run(&request),
        Command::Replay(request) => replay::run(&request),
        Command::Advise(request) => advise::run(&request),
        Command::Study(request) => study::run(&request),
        Command::Lab(request) => lab::run(&request),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
