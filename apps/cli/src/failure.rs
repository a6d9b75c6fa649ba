//! Errors of a command: one line on stderr and an exit code.

use std::io::{self, Write};
use std::process::ExitCode;

/// Reason why a command stopped.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Invalid input file, failed I/O, or disagreement between techniques. Exit code 1.
    #[error("{0}")]
    Problem(String),
    /// Invalid arguments. Exit code 2.
    #[error("{0}")]
    Usage(String),
    /// The reader closed the output pipe (`embate … | head`), which is not an error. Exit code 0.
    #[error("output closed")]
    OutputClosed,
}

impl Failure {
    #[expect(clippy::needless_pass_by_value, reason = "so that `map_err` can name it")]
    pub(crate) fn problem(error: impl ToString) -> Self {
        Self::Problem(error.to_string())
    }

    /// Prints one line on stderr and returns the exit code.
    pub(crate) fn report(&self) -> ExitCode {
        let code = match self {
            Self::Problem(_) => 1,
            Self::Usage(_) => 2,
            Self::OutputClosed => return ExitCode::SUCCESS,
        };
        let line = sanitized_line(&self.to_string());
        // If stderr is closed too, only the exit code is left.
        let _ = writeln!(io::stderr(), "embate: {line}");
        ExitCode::from(code)
    }
}

/// Error text as one line of bounded length without control characters: text from an input file
/// must neither send escape sequences to the terminal nor fill it.
fn sanitized_line(text: &str) -> String {
    /// Characters kept of the beginning, which names file and place, and of the end, which gives
    /// the advice.
    const KEPT: [usize; 2] = [1_200, 400];
    let line = text.replace('\n', " ").replace(char::is_control, "\u{fffd}");
    let length = line.chars().count();
    if length <= KEPT[0] + KEPT[1] {
        return line;
    }
    let first: String = line.chars().take(KEPT[0]).collect();
    let last: String = line.chars().skip(length - KEPT[1]).collect();
    format!("{first} … {last}")
}

/// Prints help and version unchanged; an error in the arguments becomes one line.
pub(crate) fn report_clap_error(error: &clap::Error) -> ExitCode {
    if !error.use_stderr() {
        // A closed stdout leaves nothing to do.
        let _ = error.print();
        return ExitCode::SUCCESS;
    }
    let text = error.to_string();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let lines = lines.take_while(|line| !line.starts_with("Usage:"));
    // clap's tip about values that begin with a hyphen is wrong for negative numbers.
    let lines: Vec<&str> = lines.filter(|line| !line.starts_with("tip: to pass")).collect();
    let line = lines.join(" ").replace("For more information, try '--help'.", "");
    let line = line.replace(" tip:", ";");
    let line = line.trim().trim_start_matches("error: ");
    let line = without_rust_terms(line);
    Failure::Usage(format!("{line} (see --help)")).report()
}

/// Replaces the error texts of Rust's number parsers and ranges.
fn without_rust_terms(line: &str) -> String {
    let line = line
        .replace("invalid digit found in string", "not a whole number, 0 or above")
        .replace("cannot parse integer from empty string", "the number is missing")
        .replace("cannot parse float from empty string", "the number is missing")
        .replace("invalid float literal", "not a number")
        .replace("number too large to fit in target type", "the number is too large")
        .replace("number too small to fit in target type", "the number is too small");
    // `X is not in A..=B`
    match line.split_once(" is not in ") {
        Some((before, range)) if range.contains("..=") => {
            format!("{before} is not between {}", range.replacen("..=", " and ", 1))
        }
        _ => line,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A key of a scene sent an escape sequence, and one of 100,000 characters filled the terminal.
    #[test]
    fn error_lines_contain_no_control_characters_and_are_short() {
        assert_eq!(sanitized_line("a.json: `b\u{1b}[31m`\nc"), "a.json: `b\u{fffd}[31m` c");
        let long = format!("a.json, line 1: unknown key `{}`; remove it", "x".repeat(100_000));
        let line = sanitized_line(&long);
        assert!(line.chars().count() < 2_000);
        assert!(line.starts_with("a.json, line 1: unknown") && line.ends_with("`; remove it"));
        assert_eq!(sanitized_line("a.json: as it is"), "a.json: as it is");
    }

    #[test]
    fn errors_of_arguments_are_free_of_rust_terms() {
        for (clap, expected) in [
            ("-3 is not in 0..=1000000000", "-3 is not between 0 and 1000000000"),
            ("'abc': invalid digit found in string", "'abc': not a whole number, 0 or above"),
            ("'x': invalid float literal", "'x': not a number"),
            ("there is no 'x' in b", "there is no 'x' in b"),
        ] {
            assert_eq!(without_rust_terms(clap), expected);
        }
    }
}
