//! Runs other programs: prints the command, forwards its output, and reports failure in one line.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

use crate::counting::Count;

/// Start time of the run: the time of the first call.
pub(crate) fn clock() -> Instant {
    static START: OnceLock<Instant> = OnceLock::new();
    *START.get_or_init(Instant::now)
}

/// Root folder of the workspace, whatever the current directory.
pub(crate) fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}

/// Cargo's target folder, from `cargo metadata`, since variables and configuration files may move
/// it.
pub(crate) fn target_folder() -> Result<PathBuf, String> {
    const KEY: &str = "\"target_directory\":\"";
    let mut metadata = Command::new("cargo");
    metadata.args(["metadata", "--no-deps", "--format-version", "1"]).current_dir(root());
    let output =
        metadata.output().map_err(|error| format!("cannot run `cargo metadata`: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let value = text.split_once(KEY).and_then(|(_, rest)| rest.split_once('"'));
    let (folder, _) = value.ok_or("`cargo metadata` does not contain the target folder")?;
    Ok(PathBuf::from(folder.replace("\\\\", "\\")))
}

pub(crate) fn cargo(arguments: &[&str]) -> Result<(), String> {
    run(Command::new("cargo").args(arguments))
}

/// Runs a command in the workspace root, unless it sets another folder.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    in_root(command);
    announce(command);
    let status = command.status();
    check(command, status)
}

/// Runs a test command, forwards its output and counts its tests.
pub(crate) fn run_counting_tests(command: &mut Command, count: &mut Count) -> Result<(), String> {
    in_root(command);
    announce(command);
    // Color codes would hide the summary lines from the counter.
    command.env("CARGO_TERM_COLOR", "never").env("NO_COLOR", "1");
    let spawned = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let status = spawned.and_then(|mut child| {
        let count = Mutex::new(count);
        let (out, err) = (child.stdout.take(), child.stderr.take());
        std::thread::scope(|scope| {
            scope.spawn(|| forward(err, &count));
            forward(out, &count);
        });
        child.wait()
    });
    check(command, status)
}

/// A fallible task of [`run_parallel`].
pub(crate) type Task<'t> = Box<dyn FnOnce() -> Result<(), String> + Send + 't>;

/// Runs all tasks in parallel. If several fail, the error of the first in the list is returned.
pub(crate) fn run_parallel(tasks: Vec<Task<'_>>) -> Result<(), String> {
    std::thread::scope(|scope| {
        let running: Vec<_> = tasks.into_iter().map(|task| scope.spawn(task)).collect();
        // Joins all tasks, even after a failure.
        let outcomes = running
            .into_iter()
            .map(|task| task.join().unwrap_or_else(|panic| resume_unwind(panic)));
        outcomes.collect::<Vec<_>>().into_iter().collect()
    })
}

/// Replaces this process by the command on Unix, so that it receives signals and sets the exit
/// code; elsewhere runs it as a child.
pub(crate) fn exec(command: &mut Command) -> Result<(), String> {
    announce(command);
    #[cfg(unix)]
    let status = Err(std::os::unix::process::CommandExt::exec(command));
    #[cfg(not(unix))]
    let status = command.status();
    check(command, status)
}

/// Whether the command can be run and succeeds. Its output is discarded.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// Trimmed stdout of the command, if it succeeds.
pub(crate) fn stdout_of(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn in_root(command: &mut Command) {
    if command.get_current_dir().is_none() {
        command.current_dir(root());
    }
    // A full build is faster without incremental compilation.
    command.env("CARGO_INCREMENTAL", "0");
}

fn announce(command: &Command) {
    println!("\n── {:.0} s: {}", clock().elapsed().as_secs_f64(), command_line(command));
    // Flushed, so that this line precedes the program's unbuffered stderr.
    let _ = std::io::stdout().flush();
}

fn forward(output: Option<impl Read>, count: &Mutex<&mut Count>) {
    let Some(output) = output else { return };
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        println!("{line}");
        if let Ok(mut count) = count.lock() {
            count.read(&line);
        }
    }
}

fn check(command: &Command, status: std::io::Result<ExitStatus>) -> Result<(), String> {
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("`{}` failed", command_line(command))),
        Err(error) => Err(format!("cannot run `{}`: {error}", command_line(command))),
    }
}

/// The command line as typed in the workspace root.
fn command_line(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    let words = words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ");
    words.replace(&format!("{}{}", root().display(), std::path::MAIN_SEPARATOR), "")
}
