//! What must be on the machine, and how does it get there?

use std::path::Path;
use std::process::Command;

use crate::program::{answer, run, works};

/// Adds rustfmt and clippy to the toolchain if they are missing.
pub(crate) fn components() -> Result<(), String> {
    for (command, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if !works(Command::new("cargo").args([command, "--version"])) {
            install(&["component", "add", component])?;
        }
    }
    Ok(())
}

/// Adds the wasm target to the toolchain if it is missing.
pub(crate) fn wasm_target() -> Result<(), String> {
    const TARGET: &str = "wasm32-unknown-unknown";
    let mut rustc = Command::new("rustc");
    let folder = answer(rustc.args(["--print", "target-libdir", "--target", TARGET]));
    if folder.is_some_and(|folder| Path::new(&folder).is_dir()) {
        return Ok(());
    }
    install(&["target", "add", TARGET])
}

fn install(arguments: &[&str]) -> Result<(), String> {
    let command = format!("rustup {}", arguments.join(" "));
    run(Command::new("rustup").args(arguments))
        .map_err(|_| format!("something is missing and could not be installed; run: {command}"))
}

/// Whether `cargo nextest` is there. It runs tests faster; without it `cargo test` does.
pub(crate) fn has_nextest() -> bool {
    works(Command::new("cargo").args(["nextest", "--version"]))
}

/// Installs a package where that needs no question: on a Debian where we are root.
pub(crate) fn debian_package(name: &str) -> Result<(), String> {
    let root = answer(Command::new("id").arg("-u")).is_some_and(|user| user == "0");
    if !root || !Path::new("/etc/debian_version").is_file() {
        return Err(format!("{name} is missing"));
    }
    let apt = |arguments: &[&str]| {
        run(Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    let install = ["install", "--yes", "--no-install-recommends", name];
    // Lists of packages may be missing or old; fetching them takes a while, so only if need be.
    apt(&install).or_else(|_| apt(&["update"]).and_then(|()| apt(&install)))
}
