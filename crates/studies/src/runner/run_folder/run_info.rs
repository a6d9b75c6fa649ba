//! Run information: the contents of `run.json`.

use std::time::{SystemTime, UNIX_EPOCH};

use embate_report::language::Language;
use embate_report::provenance::Provenance;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::machine::Machine;

/// Everything needed to repeat a study, and to assess its times.
///
/// Only `study` and `parameters` decide whether a folder may be resumed: the run may be finished
/// on another day, in another language, or even on another machine (which the file then names).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunInfo {
    /// `rays`, `broad2d`, …
    pub study: String,
    /// Options by the names of the command line; every option that changes a result.
    pub parameters: Map<String, Value>,
    /// Seed of all random numbers of the run.
    pub seed: u64,
    /// The command line, one entry an argument.
    pub command: Vec<String>,
    /// Language of the report.
    pub language: Language,
    /// Machine of the latest part of the run.
    pub machine: Machine,
    /// Versions of program and compiler.
    pub versions: Versions,
    /// Start time in UTC, ISO 8601. A resumed run keeps its first start.
    pub started: String,
    /// End time in UTC, ISO 8601; `None` for an incomplete run.
    pub finished: Option<String>,
    /// Number of times the run was resumed. Times of rows from different parts of the run may
    /// differ.
    pub resumed: u32,
}

/// The versions that produced the numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// Version of this workspace.
    pub embate: String,
    /// Version of the compiler, if the build set `EMBATE_RUSTC_VERSION`.
    pub rustc: Option<String>,
    /// Build profile, `release` or `debug`: times of a debug build are not significant.
    pub profile: String,
    /// Optimization level of the compiler; unknown in runs of earlier versions.
    #[serde(default)]
    pub opt_level: Option<String>,
    /// Vector instructions that the compiler could use everywhere, for instance `avx2`; others are
    /// used only where the program selects them at run time.
    #[serde(default)]
    pub target_features: Vec<String>,
}

impl RunInfo {
    /// Describes a run that begins now, on this machine, from this process's command line.
    #[must_use]
    pub fn new(study: &str, parameters: Map<String, Value>, seed: u64, language: Language) -> Self {
        let command = std::env::args_os();
        let command = command.map(|argument| argument.to_string_lossy().into_owned()).collect();
        let machine = Machine::this();
        Self::at(utc_now(), study, parameters, seed, language, machine, command)
    }

    /// Describes a run with this start, machine and command: for hosts without a system.
    #[must_use]
    pub fn at(
        started: String,
        study: &str,
        parameters: Map<String, Value>,
        seed: u64,
        language: Language,
        machine: Machine,
        command: Vec<String>,
    ) -> Self {
        Self {
            study: study.to_owned(),
            parameters,
            seed,
            command,
            language,
            machine,
            versions: Versions {
                embate: env!("CARGO_PKG_VERSION").to_owned(),
                rustc: option_env!("EMBATE_RUSTC_VERSION").map(str::to_owned),
                profile: if cfg!(debug_assertions) { "debug" } else { "release" }.to_owned(),
                opt_level: option_env!("EMBATE_OPT_LEVEL").map(str::to_owned),
                target_features: target_features(),
            },
            started,
            finished: None,
            resumed: 0,
        }
    }

    /// Machine, versions, command and parameters, as a report shows them.
    #[must_use]
    pub fn provenance(&self) -> Provenance<'_> {
        let (machine, versions) = (&self.machine, &self.versions);
        Provenance {
            cpu: machine.cpu.as_deref(),
            cores: machine.cores,
            cpu_features: &machine.cpu_features,
            memory_bytes: machine.memory_bytes,
            os: &machine.os,
            arch: &machine.arch,
            embate: &versions.embate,
            profile: &versions.profile,
            rustc: versions.rustc.as_deref(),
            started: &self.started,
            finished: self.finished.as_deref(),
            command_line: self.command_line(),
            seed: self.seed,
            parameters: &self.parameters,
            resumed: self.resumed,
        }
    }

    /// The command line as one would type it again.
    #[must_use]
    pub fn command_line(&self) -> String {
        let quoted = self.command.iter().enumerate().map(|(index, argument)| {
            // The path of the program is private to the machine.
            let argument = if index == 0 { file_name(argument) } else { argument };
            let is_plain = |c: char| c.is_alphanumeric() || "-_=.,:/+@".contains(c);
            if !argument.is_empty() && argument.chars().all(is_plain) {
                argument.to_owned()
            } else {
                format!("'{}'", argument.replace('\'', r"'\''"))
            }
        });
        quoted.collect::<Vec<_>>().join(" ")
    }
}

/// Vector instructions of this build, in ascending order.
fn target_features() -> Vec<String> {
    [
        ("sse2", cfg!(target_feature = "sse2")),
        ("sse4.2", cfg!(target_feature = "sse4.2")),
        ("avx", cfg!(target_feature = "avx")),
        ("avx2", cfg!(target_feature = "avx2")),
        ("fma", cfg!(target_feature = "fma")),
        ("avx512f", cfg!(target_feature = "avx512f")),
        ("neon", cfg!(target_feature = "neon")),
        ("simd128", cfg!(target_feature = "simd128")),
    ]
    .into_iter()
    .filter(|(_, is_enabled)| *is_enabled)
    .map(|(name, _)| name.to_owned())
    .collect()
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// Now, as `2026-03-01T12:34:56Z`.
pub(super) fn utc_now() -> String {
    // A clock before 1970 is a clock that was never set.
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    utc(seconds)
}

fn utc(seconds: u64) -> String {
    let (year, month, day) = civil_from_days(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The Gregorian date `days` after 1970-01-01 (H. Hinnant, "chrono-compatible low-level date
/// algorithms", `civil_from_days`). Years begin in March there, so that the leap day comes last.
fn civil_from_days(days: u64) -> (u64, u64, u64) {
    let days = days + 719_468;
    let era = days / 146_097;
    let day_of_era = days % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
    (era * 400 + year_of_era + u64::from(month <= 2), month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unix_time_is_converted_to_utc() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (951_868_800, "2000-03-01T00:00:00Z"),
            (1_000_000_000, "2001-09-09T01:46:40Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(utc(seconds), expected);
        }
    }

    #[test]
    fn command_line_is_quoted_for_a_shell() {
        let mut info = RunInfo::new("rays", Map::new(), 1, Language::English);
        info.command =
            ["/home/x/embate", "study", "--mesh", "my 'house'.obj", ""].map(str::to_owned).to_vec();
        assert_eq!(info.command_line(), r"embate study --mesh 'my '\''house'\''.obj' ''");
    }

    #[test]
    fn run_info_round_trips_through_json() {
        let info = RunInfo::new("rays", Map::new(), u64::MAX, Language::BrazilianPortuguese);
        let text = serde_json::to_string(&info).unwrap();
        assert_eq!(serde_json::from_str::<RunInfo>(&text).unwrap(), info);
    }
}
