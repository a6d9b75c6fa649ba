//! Required tools: checks for them and installs missing ones.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{run, stdout_of, succeeds};

/// Adds rustfmt and clippy to the toolchain if they are missing.
pub(crate) fn components() -> Result<(), String> {
    for (command, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if !succeeds(Command::new("cargo").args([command, "--version"])) {
            install(&["component", "add", component])?;
        }
    }
    Ok(())
}

/// Adds the wasm target to the toolchain if it is missing.
pub(crate) fn wasm_target() -> Result<(), String> {
    const TARGET: &str = "wasm32-unknown-unknown";
    let mut rustc = Command::new("rustc");
    let folder = stdout_of(rustc.args(["--print", "target-libdir", "--target", TARGET]));
    if folder.is_some_and(|folder| Path::new(&folder).is_dir()) {
        return Ok(());
    }
    install(&["target", "add", TARGET])
}

fn install(arguments: &[&str]) -> Result<(), String> {
    let command = format!("rustup {}", arguments.join(" "));
    run(Command::new("rustup").args(arguments)).map_err(|_| {
        format!("a component is missing; run `{command}` (install rustup from https://rustup.rs)")
    })
}

/// Whether `cargo nextest` is installed. It runs the tests faster than `cargo test`.
pub(crate) fn has_nextest() -> bool {
    succeeds(Command::new("cargo").args(["nextest", "--version"]))
}

/// Installs a Debian package, if the system is Debian and the user is root.
pub(crate) fn debian_package(name: &str) -> Result<(), String> {
    let root = stdout_of(Command::new("id").arg("-u")).is_some_and(|user| user == "0");
    if !root || !Path::new("/etc/debian_version").is_file() {
        return Err(format!("{name} is missing"));
    }
    let apt = |arguments: &[&str]| {
        run(Command::new("apt-get").args(arguments).env("DEBIAN_FRONTEND", "noninteractive"))
    };
    let install = ["install", "--yes", "--no-install-recommends", name];
    // The package lists are updated only if the first attempt fails, since that takes time.
    apt(&install).or_else(|_| apt(&["update"]).and_then(|()| apt(&install)))
}

/// Path of the browser for the tests of the page; installed if it is missing.
pub(crate) fn chromium() -> Result<PathBuf, String> {
    let find = || {
        let named = std::env::var_os("EMBATE_CHROMIUM").map(PathBuf::from);
        named.or_else(|| CHROMIUM.into_iter().find_map(on_path))
    };
    if let Some(found) = find() {
        return Ok(found);
    }
    let installed = debian_package("chromium");
    installed.ok().and_then(|()| find()).ok_or_else(|| {
        "the tests of the page need Chromium, which is missing; install it (on Debian and Ubuntu: \
         apt-get install chromium), or set EMBATE_CHROMIUM to the path of Chromium or Chrome"
            .to_owned()
    })
}

/// Program names of Chromium and Chrome.
const CHROMIUM: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/// Full path of a program in `PATH`.
fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    // Joining an absolute path gives that path.
    std::env::split_paths(&path).map(|folder| folder.join(name)).find(|file| file.is_file())
}
