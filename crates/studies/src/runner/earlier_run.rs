//! Earlier run: the results of a finished run folder of study `rays`, read for comparison.
//!
//! Only `results.csv` is required. `run.json` names the build and the machine; a folder that holds
//! results exported from the page has none.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use embate_scene::io_error_message;
use serde::Deserialize;

use super::run_folder::Versions;
use crate::statistics::Range;

/// Results of another run of study `rays`.
#[derive(Clone, Debug, Default)]
pub struct EarlierRun {
    /// Name of its folder.
    pub name: String,
    /// Processor model, if known.
    pub cpu: Option<String>,
    /// System and architecture, such as `linux x86_64`; may be empty.
    pub platform: String,
    /// Compiler and build; the default if unknown.
    pub versions: Versions,
    /// Rows in the order of the file.
    pub rows: Vec<EarlierRow>,
}

/// Speedup of one technique in one case.
#[derive(Clone, Debug, PartialEq)]
pub struct EarlierRow {
    /// Value of the column `case`.
    pub case: String,
    /// Value of the column `technique`.
    pub technique: String,
    /// Number of triangles.
    pub triangles: u32,
    /// Speedup over the technique's own brute force.
    pub speedup: f64,
    /// Range of the speedup over the repeats.
    pub range: Range,
}

/// Why a folder cannot be compared with.
#[derive(Debug, thiserror::Error)]
pub enum EarlierRunError {
    /// The file cannot be read.
    #[error("{}: {}; name the output folder of a finished run", path.display(), io_error_message(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The folder belongs to another study.
    #[error("{}: results of study {study}; only those of study rays can be compared", path.display())]
    OtherStudy {
        /// The folder.
        path: PathBuf,
        /// The study that was run.
        study: String,
    },
    /// The file does not have the columns or values of study `rays`.
    #[error("{}, line {line}: no results of study rays; name the output folder of a finished run", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Line of the first fault, from 1.
        line: u64,
    },
}

impl EarlierRunError {
    /// Stable identifier of the error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Io { .. } => "earlier-run.io",
            Self::OtherStudy { .. } => "earlier-run.other-study",
            Self::Unreadable { .. } => "earlier-run.unreadable",
        }
    }
}

/// The parts of `run.json` that a comparison shows.
#[derive(Default, Deserialize)]
#[serde(default)]
struct RunJson {
    study: Option<String>,
    machine: MachineJson,
    versions: VersionsJson,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct MachineJson {
    cpu: Option<String>,
    os: String,
    arch: String,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct VersionsJson {
    embate: String,
    rustc: Option<String>,
    profile: String,
    opt_level: Option<String>,
    target_features: Vec<String>,
}

impl EarlierRun {
    /// Reads the results in a folder.
    ///
    /// # Errors
    /// [`EarlierRunError`].
    pub fn read(folder: &Path) -> Result<Self, EarlierRunError> {
        let file = folder.join("results.csv");
        let bytes =
            fs::read(&file).map_err(|source| EarlierRunError::Io { path: file.clone(), source })?;
        let rows = rows(&bytes)
            .map_err(|line| EarlierRunError::Unreadable { path: file.clone(), line })?;
        let run = fs::read(folder.join("run.json")).unwrap_or_default();
        let run: RunJson = serde_json::from_slice(&run).unwrap_or_default();
        if let Some(study) = run.study.filter(|study| study != "rays") {
            return Err(EarlierRunError::OtherStudy { path: folder.to_owned(), study });
        }
        let VersionsJson { embate, rustc, profile, opt_level, target_features } = run.versions;
        Ok(Self {
            name: folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned(),
            cpu: run.machine.cpu,
            platform: format!("{} {}", run.machine.os, run.machine.arch).trim().to_owned(),
            versions: Versions { embate, rustc, profile, opt_level, target_features },
            rows,
        })
    }

    /// The row of a technique in a case.
    #[must_use]
    pub fn get(&self, case: &str, technique: &str, triangles: u32) -> Option<&EarlierRow> {
        self.rows.iter().find(|row| {
            row.case == case && row.technique == technique && row.triangles == triangles
        })
    }
}

/// Rows of `results.csv`; otherwise the line of the first fault.
fn rows(bytes: &[u8]) -> Result<Vec<EarlierRow>, u64> {
    let mut reader = csv::Reader::from_reader(bytes);
    let header = reader.headers().map_err(|_| 1_u64)?.clone();
    let column = |name: &str| header.iter().position(|other| other == name);
    let required = |name: &str| column(name).ok_or(1_u64);
    let (case, technique) = (required("case")?, required("technique")?);
    let (triangles, speedup) = (required("triangles")?, required("speedup_over_brute")?);
    let (low, high) = (column("speedup_low"), column("speedup_high"));
    let mut rows = Vec::new();
    for (line, record) in (2_u64..).zip(reader.records()) {
        let record = record.map_err(|_| line)?;
        let number = |column: usize| record[column].parse::<f64>().ok();
        // Empty where the clock did not advance.
        let Some(ratio) = number(speedup) else { continue };
        let bounds = low.and_then(number).zip(high.and_then(number));
        let range = bounds.map(|(low, high)| Range { low, high }).or_else(|| Range::around(ratio));
        rows.push(EarlierRow {
            case: record[case].to_owned(),
            technique: record[technique].to_owned(),
            triangles: record[triangles].parse().map_err(|_| line)?,
            speedup: ratio,
            range: range.ok_or(line)?,
        });
    }
    if rows.is_empty() { Err(1) } else { Ok(rows) }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CSV: &str = "case,technique,triangles,speedup_over_brute,speedup_low,speedup_high\n\
                       house,study-octree,1566,0.5,0.48,0.52\nhouse,bvh,1566,,,\n";

    #[test]
    fn results_without_run_json_are_read() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("results.csv"), CSV).unwrap();
        let run = EarlierRun::read(home.path()).unwrap();
        let row = run.get("house", "study-octree", 1_566).unwrap();
        assert_eq!((row.speedup, row.range), (0.5, Range { low: 0.48, high: 0.52 }));
        assert_eq!((run.rows.len(), run.cpu, &*run.platform), (1, None, ""));
    }

    #[test]
    fn folders_without_results_of_this_study_are_rejected() {
        let home = tempfile::tempdir().unwrap();
        let code = || EarlierRun::read(home.path()).unwrap_err().code();
        assert_eq!(code(), "earlier-run.io");
        for text in ["", "a,b\n1,2\n", &CSV.replace("1566,0.5", "many,0.5")] {
            fs::write(home.path().join("results.csv"), text).unwrap();
            assert_eq!(code(), "earlier-run.unreadable", "{text}");
        }
        fs::write(home.path().join("results.csv"), CSV).unwrap();
        fs::write(home.path().join("run.json"), r#"{"study":"broad2d"}"#).unwrap();
        assert_eq!(code(), "earlier-run.other-study");
        let line = EarlierRun::read(home.path()).unwrap_err().to_string();
        assert!(line.contains("study broad2d") && line.contains("rays"), "{line}");
    }

    #[test]
    fn build_and_machine_come_from_run_json() {
        let home = tempfile::tempdir().unwrap();
        fs::write(home.path().join("results.csv"), CSV).unwrap();
        let json = r#"{"study":"rays","machine":{"cpu":"Z80","os":"linux","arch":"x86_64"},
            "versions":{"rustc":"rustc 1.93","opt_level":"0","target_features":["avx2"]}}"#;
        fs::write(home.path().join("run.json"), json).unwrap();
        let run = EarlierRun::read(home.path()).unwrap();
        assert_eq!((run.cpu.as_deref(), &*run.platform), (Some("Z80"), "linux x86_64"));
        assert_eq!(run.versions.target_features, ["avx2"]);
        assert_eq!(run.versions.opt_level.as_deref(), Some("0"));
    }
}
