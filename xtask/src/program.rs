//! How is another program run? Said first, its output passed on, and its failure named in one line.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Read, Write};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

use crate::counting::Count;

/// When all began: the first who asks begins it.
pub(crate) fn clock() -> Instant {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    *BEGAN.get_or_init(Instant::now)
}

/// The workspace's folder, wherever the command was given.
pub(crate) fn root() -> PathBuf {
    let xtask = Path::new(env!("CARGO_MANIFEST_DIR"));
    xtask.parent().unwrap_or(xtask).to_owned()
}

/// Where cargo puts what it builds. Cargo is asked, because variables and files may move it.
pub(crate) fn target_folder() -> Result<PathBuf, String> {
    const KEY: &str = "\"target_directory\":\"";
    let mut metadata = Command::new("cargo");
    metadata.args(["metadata", "--no-deps", "--format-version", "1"]).current_dir(root());
    let output =
        metadata.output().map_err(|error| format!("cannot run `cargo metadata`: {error}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let value = text.split_once(KEY).and_then(|(_, rest)| rest.split_once('"'));
    let (folder, _) = value.ok_or("`cargo metadata` does not tell the target folder")?;
    Ok(PathBuf::from(folder.replace("\\\\", "\\")))
}

pub(crate) fn cargo(arguments: &[&str]) -> Result<(), String> {
    run(Command::new("cargo").args(arguments))
}

/// Runs a command in the workspace's folder, unless it names another.
pub(crate) fn run(command: &mut Command) -> Result<(), String> {
    in_root(command);
    announce(command);
    let status = command.status();
    check(command, status)
}

/// Runs a command and passes its output on while counting tests in it.
pub(crate) fn counted(command: &mut Command, count: &mut Count) -> Result<(), String> {
    in_root(command);
    announce(command);
    // Colours would hide the closing lines from the count.
    command.env("CARGO_TERM_COLOR", "never").env("NO_COLOR", "1");
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
    check(command, status)
}

/// Something that may fail, done while others are.
pub(crate) type Task<'t> = Box<dyn FnOnce() -> Result<(), String> + Send + 't>;

/// Does all tasks at the same time. Of several that fail, the first one tells.
pub(crate) fn side_by_side(tasks: Vec<Task<'_>>) -> Result<(), String> {
    std::thread::scope(|scope| {
        let running: Vec<_> = tasks.into_iter().map(|task| scope.spawn(task)).collect();
        // Each is waited for, whatever became of those before.
        let outcomes = running
            .into_iter()
            .map(|task| task.join().unwrap_or_else(|panic| resume_unwind(panic)));
        outcomes.collect::<Vec<_>>().into_iter().collect()
    })
}

/// Becomes the command, where a process can: signals reach it at once, and its exit code is ours.
pub(crate) fn replace_by(command: &mut Command) -> Result<(), String> {
    announce(command);
    #[cfg(unix)]
    let status = Err(std::os::unix::process::CommandExt::exec(command));
    #[cfg(not(unix))]
    let status = command.status();
    check(command, status)
}

/// Does the command run and succeed? Its output is not shown.
pub(crate) fn works(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

/// What the command prints, if it succeeds.
pub(crate) fn answer(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

fn in_root(command: &mut Command) {
    if command.get_current_dir().is_none() {
        command.current_dir(root());
    }
    // What is built whole is built sooner than what is also made ready for the next change.
    command.env("CARGO_INCREMENTAL", "0");
}

fn announce(command: &Command) {
    println!("\n── {:.0} s: {}", clock().elapsed().as_secs_f64(), words(command));
    // Programs write to stderr at once; our line must come before it.
    let _ = std::io::stdout().flush();
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

fn check(command: &Command, status: std::io::Result<ExitStatus>) -> Result<(), String> {
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(_) => Err(format!("`{}` failed", words(command))),
        Err(error) => Err(format!("cannot run `{}`: {error}", words(command))),
    }
}

/// The command as one would type it in the workspace's folder.
fn words(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    let words = words.map(OsStr::to_string_lossy).collect::<Vec<_>>().join(" ");
    words.replace(&format!("{}{}", root().display(), std::path::MAIN_SEPARATOR), "")
}
