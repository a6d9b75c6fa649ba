//! What must be on the machine, and how does it get there?

use std::path::Path;
use std::process::Command;

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
    let asked = rustc.args(["--print", "target-libdir", "--target", TARGET]).output();
    let folder = asked.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned());
    if folder.is_ok_and(|folder| Path::new(&folder).is_dir()) {
        return Ok(());
    }
    install(&["target", "add", TARGET])
}

fn install(arguments: &[&str]) -> Result<(), String> {
    let command = format!("rustup {}", arguments.join(" "));
    println!("── set-up: {command}");
    match Command::new("rustup").args(arguments).status() {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("something is missing and could not be installed; run: {command}")),
    }
}

fn works(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// Whether `cargo nextest` is there. It runs tests faster; without it `cargo test` does.
pub(crate) fn has_nextest() -> bool {
    works(Command::new("cargo").args(["nextest", "--version"]))
}
