//! The `embate` command: parses, calls, prints. No geometry lives here.

mod args;
mod cast;
mod cast_output;
mod failure;
mod inspect;
mod meshes;
mod rays_file;
mod study;

use std::process::ExitCode;

use clap::Parser;

use args::{Arguments, Command};

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Cast(request) => cast::run(&request),
        Command::Inspect(request) => inspect::run(&request),
        Command::Study(request) => study::run(&request),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
