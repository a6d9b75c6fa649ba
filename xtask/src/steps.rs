//! The steps of each command, in order. The first that fails ends the command.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use crate::counting::Count;
use crate::program::{cargo, counted, root, run};
use crate::setup;
use crate::{page, page_folder};

/// Everything that must hold before a change may land.
pub(crate) fn test() -> Result<(), String> {
    let clock = Instant::now();
    setup::components()?;
    setup::wasm_target()?;
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["fmt", "--check", "--manifest-path", "xtask/bindgen/Cargo.toml"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"])?;
    // The engine must build where there are no threads, files or AVX2.
    cargo(&["check", "--locked", "--package", "embate", "--target", "wasm32-unknown-unknown"])?;

    let mut count = Count::default();
    let tests = rust_tests(&mut count);
    let rest = tests.and_then(|()| examples()).and_then(|()| docs());
    println!("\n── {:.0} s", clock.elapsed().as_secs_f64());
    println!("{} passed, {} failed", count.passed, count.failed);
    rest
}

fn rust_tests(count: &mut Count) -> Result<(), String> {
    let test = |first: &[&str], last: &str, count: &mut Count| {
        counted(Command::new("cargo").args(first).args(["--workspace", "--locked", last]), count)
    };
    if setup::has_nextest() {
        // Without --no-fail-fast one failure would hide the others.
        test(&["nextest", "run"], "--no-fail-fast", count).and(test(&["test"], "--doc", count))
    } else {
        test(&["test"], "--no-fail-fast", count)
    }
}

/// Every example runs, because a reader will run it.
fn examples() -> Result<(), String> {
    let folder = root().join("crates/embate/examples");
    let mut names: Vec<String> = std::fs::read_dir(&folder)
        .map_err(|error| format!("{}: {error}", folder.display()))?
        .filter_map(|entry| Some(entry.ok()?.path().file_stem()?.to_str()?.to_owned()))
        .collect();
    names.sort();
    for name in names {
        cargo(&["run", "--quiet", "--locked", "--package", "embate", "--example", &name])?;
    }
    Ok(())
}

fn docs() -> Result<(), String> {
    let arguments = ["doc", "--workspace", "--no-deps", "--locked", "--document-private-items"];
    run(Command::new("cargo").args(arguments).env("RUSTDOCFLAGS", "-D warnings"))
}

/// A quick run of study A, until there is a page to serve.
pub(crate) fn lab(more: &[&str]) -> Result<(), String> {
    let mut arguments = vec!["run", "--release", "--locked", "--package", "embate-cli", "--"];
    arguments.extend(["study", "rays", "--quick", "--out", "embate-out/rays-quick"]);
    arguments.extend(more);
    cargo(&arguments)?;
    let report = root().join("embate-out/rays-quick/report.html");
    println!("\nThe report, to be opened in a browser: {}", report.display());
    Ok(())
}

/// The page as a folder that any web server can serve.
pub(crate) fn web(out: Option<&str>) -> Result<(), String> {
    let Some(out) = out.map(Path::new) else { return page::build().map(|_| ()) };
    // Before the work, not after it.
    page_folder::earlier(out)?;
    page_folder::copy(&page::build()?, out)
}

/// The contracts at full size.
pub(crate) fn soak(which: &str) -> Result<(), String> {
    let arguments = ["run", "--release", "--locked", "--package", "embate-contracts"];
    cargo(&[&arguments[..], &["--bin", "soak", "--", which]].concat())
}

/// Embate beside its peers. They live in a workspace of their own.
pub(crate) fn bench(which: &str, filters: &[&str]) -> Result<(), String> {
    let mut command = Command::new("cargo");
    command.args(["run", "--release", "--locked", "--manifest-path", "bench/Cargo.toml"]);
    command.args(["--", which]).args(filters);
    // Peers in C as their own builds make them: without this they keep their assertions.
    run(command.env("CFLAGS", "-O3 -DNDEBUG"))
}
