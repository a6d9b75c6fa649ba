//! The steps of each command, in order. The first that fails ends the command.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::Instant;

use crate::counting::Count;
use crate::setup;

/// Everything that must hold before a change may land.
pub(crate) fn test() -> Result<(), String> {
    let clock = Instant::now();
    setup::components()?;
    setup::wasm_target()?;
    cargo(&["fmt", "--all", "--check"])?;
    cargo(&["clippy", "--workspace", "--all-targets", "--locked", "--", "-D", "warnings"])?;
    // The engine must build where there are no threads, files or AVX2.
    cargo(&["check", "--locked", "--package", "embate", "--target", "wasm32-unknown-unknown"])?;

    let mut count = Count::default();
    let tests = if setup::has_nextest() {
        // Without --no-fail-fast one failure would hide the others.
        counted(&["nextest", "run", "--workspace", "--locked", "--no-fail-fast"], &mut count)
            .and(counted(&["test", "--workspace", "--locked", "--doc"], &mut count))
    } else {
        counted(&["test", "--workspace", "--locked", "--no-fail-fast"], &mut count)
    };
    let rest = tests.and_then(|()| examples()).and_then(|()| docs());
    println!("\n── {:.0} s", clock.elapsed().as_secs_f64());
    println!("{} passed, {} failed", count.passed, count.failed);
    rest
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
    announce(&arguments);
    let mut command = Command::new("cargo");
    run(command.args(arguments).env("RUSTDOCFLAGS", "-D warnings"))
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

/// The contracts at full size.
pub(crate) fn soak(which: &str) -> Result<(), String> {
    let arguments = ["run", "--release", "--locked", "--package", "embate-contracts"];
    cargo(&[&arguments[..], &["--bin", "soak", "--", which]].concat())
}

/// Embate beside its peers. They live in a workspace of their own.
pub(crate) fn bench(which: &str, filters: &[&str]) -> Result<(), String> {
    let manifest = ["--manifest-path", "bench/Cargo.toml"];
    let arguments =
        [&["run", "--release", "--locked"], &manifest[..], &["--", which], filters].concat();
    announce(&arguments);
    // Peers in C as their own builds make them: without this they keep their assertions.
    run(Command::new("cargo").args(arguments).env("CFLAGS", "-O3 -DNDEBUG"))
}

fn cargo(arguments: &[&str]) -> Result<(), String> {
    announce(arguments);
    run(Command::new("cargo").args(arguments))
}

fn announce(arguments: &[&str]) {
    println!("\n── cargo {}", arguments.join(" "));
    // Cargo writes to stderr at once; our line must come before it.
    let _ = std::io::stdout().flush();
}

fn run(command: &mut Command) -> Result<(), String> {
    let status = command.current_dir(root()).status();
    check(command, status)
}

/// Runs cargo and passes its output on while counting tests in it.
fn counted(arguments: &[&str], count: &mut Count) -> Result<(), String> {
    announce(arguments);
    let mut command = Command::new("cargo");
    // Colours would hide the closing lines from the count.
    command.args(arguments).current_dir(root()).env("CARGO_TERM_COLOR", "never");
    let spawned = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let status = spawned.and_then(|mut child| {
        let count = Mutex::new(count);
        let (out, err) = (child.stdout.take(), child.stderr.take());
        std::thread::scope(|scope| {
            scope.spawn(|| pass_on(err, &count));
            pass_on(out, &count);
        });
        child.wait()
    });
    check(&command, status)
}

fn pass_on(output: Option<impl Read>, count: &Mutex<&mut Count>) {
    let Some(output) = output else { return };
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        println!("{line}");
        if let Ok(mut count) = count.lock() {
            count.read(&line);
        }
    }
}

fn check(
    command: &Command,
    status: std::io::Result<std::process::ExitStatus>,
) -> Result<(), String> {
    let words: Vec<_> = command.get_args().map(|word| word.to_string_lossy()).collect();
    let command = format!("cargo {}", words.join(" "));
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("`{command}` failed")),
        Err(error) => Err(format!("cannot run `{command}`: {error}")),
    }
}

/// The workspace's folder, wherever the command was given.
fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}
