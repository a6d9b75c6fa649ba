//! What must be on the machine, and how does it get there?

use std::path::{Path, PathBuf};
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
    run(Command::new("rustup").args(arguments)).map_err(|_| {
        format!("something is missing; run `{command}` (rustup comes from https://rustup.rs)")
    })
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

/// The browser that the page is tested in; installed if it is missing.
pub(crate) fn chromium() -> Result<PathBuf, String> {
    let find = || {
        let asked = std::env::var_os("EMBATE_CHROMIUM").map(PathBuf::from);
        asked.or_else(|| CHROMIUM.into_iter().find_map(on_path))
    };
    if let Some(found) = find() {
        return Ok(found);
    }
    let installed = debian_package("chromium");
    installed.ok().and_then(|()| find()).ok_or_else(|| {
        "the page is tested in Chromium, which is missing; install it (on Debian and Ubuntu: \
         apt-get install chromium), or name a Chromium or Chrome in EMBATE_CHROMIUM"
            .to_owned()
    })
}

/// Names that Chromium and its kin go by.
const CHROMIUM: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/// The full path of a program, if it is there.
fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    // Joining an absolute path gives that path.
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
