//! How does a command end when it cannot do what was asked?

use std::io::{self, Write};
use std::process::ExitCode;

/// Why a command stopped. Each becomes one line on stderr and an exit code.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The work found a problem: a bad file, techniques that disagree. Exit code 1.
    #[error("{0}")]
    Problem(String),
    /// The request makes no sense as given. Exit code 2.
    #[error("{0}")]
    Misuse(String),
    /// Nobody reads our output any more (`embate … | head`): that is no failure.
    #[error("output closed")]
    OutputClosed,
}

impl Failure {
    #[expect(clippy::needless_pass_by_value, reason = "so that `map_err` can name it")]
    pub(crate) fn problem(error: impl ToString) -> Self {
        Self::Problem(error.to_string())
    }

    /// Says it in one line and names the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        let code = match self {
            Self::Problem(_) => 1,
            Self::Misuse(_) => 2,
            Self::OutputClosed => return ExitCode::SUCCESS,
        };
        let line = shown(&self.to_string());
        // If stderr is closed too, the exit code must speak for itself.
        let _ = writeln!(io::stderr(), "embate: {line}");
        ExitCode::from(code)
    }
}

/// What a terminal can show in one line: what a file holds must neither draw on it nor flood it.
fn shown(text: &str) -> String {
    /// Letters of the beginning, where the file and the place are told, and of the end, where it is told what to do.
    const KEPT: [usize; 2] = [1_200, 400];
    let line = text.replace('\n', " ").replace(char::is_control, "\u{fffd}");
    let letters = line.chars().count();
    if letters <= KEPT[0] + KEPT[1] {
        return line;
    }
    let first: String = line.chars().take(KEPT[0]).collect();
    let last: String = line.chars().skip(letters - KEPT[1]).collect();
    format!("{first} … {last}")
}

/// Help and version are printed as they are; a mistake in the arguments becomes one line.
pub(crate) fn misread(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // Nothing can be done if nobody reads it.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines = lines.take_while(|line| !line.starts_with("Usage:"));
    // Its tip about values that begin with a hyphen guesses wrong about negative numbers.
    let lines: Vec<&str> = lines.filter(|line| !line.starts_with("tip: to pass")).collect();
    let line = lines.join(" ").replace("For more information, try '--help'.", "");
    let line = line.replace(" tip:", ";");
    let line = line.trim().trim_start_matches("error: ");
    Failure::Misuse(format!("{line} (--help tells what there is)")).report()
}

/// Writes to stdout; unlike `print!`, a closed pipe is not a panic.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()).map_err(|e| output_error(&e))
}

/// Writes a remark to stderr, where it does not mix with results.
pub(crate) fn remark(text: &str) {
    // A remark that nobody can read is not worth stopping for.
    let _ = writeln!(io::stderr(), "{text}");
}

/// What an error while writing to stdout means.
pub(crate) fn output_error(error: &io::Error) -> Failure {
    if error.kind() == io::ErrorKind::BrokenPipe {
        Failure::OutputClosed
    } else {
        Failure::Problem(format!("standard output: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A key of a scene drew on the terminal, and one of 100,000 letters filled it.
    #[test]
    fn what_a_file_holds_neither_draws_on_the_terminal_nor_floods_it() {
        assert_eq!(shown("a.json: `b\u{1b}[31m`\nc"), "a.json: `b\u{fffd}[31m` c");
        let long = format!("a.json, line 1: unknown key `{}`; remove it", "x".repeat(100_000));
        let line = shown(&long);
        assert!(line.chars().count() < 2_000);
        assert!(line.starts_with("a.json, line 1: unknown") && line.ends_with("`; remove it"));
        assert_eq!(shown("a.json: as it is"), "a.json: as it is");
    }
}
