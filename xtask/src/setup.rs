//! What must be on the machine, and how does it get there?

use std::process::Command;

/// Adds the wasm target to the toolchain if it is missing.
pub(crate) fn wasm_target() -> Result<(), String> {
    const TARGET: &str = "wasm32-unknown-unknown";
    let install = format!("rustup target add {TARGET}");
    let listed = Command::new("rustup").args(["target", "list", "--installed"]).output();
    let listed = listed.map_err(|error| {
        format!("cannot run rustup ({error}); with your own toolchain, add its {TARGET} target")
    })?;
    if String::from_utf8_lossy(&listed.stdout).lines().any(|line| line == TARGET) {
        return Ok(());
    }
    println!("── set-up: {install}");
    let added = Command::new("rustup").args(["target", "add", TARGET]).status();
    match added {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("could not add the wasm target; run: {install}")),
    }
}

/// Whether `cargo nextest` is there. It runs tests faster; without it `cargo test` does.
pub(crate) fn has_nextest() -> bool {
    Command::new("cargo")
        .args(["nextest", "--version"])
        .output()
        .is_ok_and(|output| output.status.success())
}
