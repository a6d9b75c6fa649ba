//! Run folder: the files of a run, and whether a later run may continue it.
//!
//! ```text
//! DIR/run.json       request, machine, versions; written first
//!     journal        finished rows, locked while a run is active
//!     results.csv    ┐
//!     report.html    ├ written whole under another name, then renamed: never seen half-written
//!     charts/*.svg   ┘
//! ```
//!
//! Invariant: rows of two different requests never mix, and no file of the user is touched.

mod machine;
mod run_info;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

pub use machine::Machine;
pub use run_info::{RunInfo, Versions};

use embate_scene::atomic_file::write_atomically;
use embate_scene::io_error_message;
use embate_scene::journal::{Journal, JournalError, Record};

const RUN_INFO: &str = "run.json";
const JOURNAL: &str = "journal";
const CHARTS: &str = "charts";
/// How the names of our charts end; others in that folder are the user's.
const CHART_ENDINGS: [&str; 2] = ["-light.svg", "-dark.svg"];
/// What a finished run leaves beside its charts.
const RESULTS: [&str; 2] = ["results.csv", "report.html"];

/// An open folder of results. While it lives, no other run can write there.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    info: RunInfo,
    journal: Journal,
    records: Vec<Record>,
}

/// The part of a `run.json` that decides about going on. Read by itself, so that the file of an
/// older version, with fewer things about the machine, still counts as ours.
#[derive(Deserialize)]
struct EarlierRun {
    study: String,
    parameters: Map<String, Value>,
    started: String,
    #[serde(default)]
    resumed: u32,
}

/// Why a folder cannot take this run's results.
#[derive(Debug, thiserror::Error)]
pub enum RunFolderError {
    /// The folder holds another request's rows. Misuse, not failure: exit code 2.
    #[error(
        "{}: {parameter} was {theirs} there and is {ours} now; --fresh discards the old \
         results, --out names another folder",
        path.display()
    )]
    OtherParameters {
        /// The folder.
        path: PathBuf,
        /// The first parameter that differs, by its name on the command line.
        parameter: String,
        /// Its value in the folder, as JSON, or `absent`.
        theirs: String,
        /// Its value in this request, as JSON, or `absent`.
        ours: String,
    },
    /// Files with our names that we did not write. Misuse: exit code 2.
    #[error(
        "{}: exists, but was not written by embate; move it away, or name another folder with --out",
        path.display()
    )]
    NotOurs {
        /// The file that would be overwritten.
        path: PathBuf,
    },
    /// The journal cannot be opened or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The disk, the rights or the path.
    #[error("{}: {}", path.display(), io_error_message(source))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

impl RunFolderError {
    /// True where the user can put it right by asking otherwise: exit code 2, not 1.
    #[must_use]
    pub fn is_misuse(&self) -> bool {
        match self {
            Self::OtherParameters { .. } | Self::NotOurs { .. } => true,
            Self::Journal(error) => {
                matches!(error, JournalError::InUse { .. } | JournalError::NotAJournal { .. })
            }
            Self::Io { .. } => false,
        }
    }
}

impl RunFolder {
    /// Opens `path` for the run that `info` describes, creating it where needed, and reads the
    /// rows that an earlier run finished. With `fresh`, an earlier run's files (and only
    /// those) are removed first.
    ///
    /// # Errors
    /// [`RunFolderError::OtherParameters`] if the folder belongs to another request and `fresh` is
    /// not set, [`RunFolderError::NotOurs`], [`RunFolderError::Journal`], [`RunFolderError::Io`].
    pub fn open(path: &Path, info: &RunInfo, fresh: bool) -> Result<Self, RunFolderError> {
        fs::create_dir_all(path).map_err(io_error(path))?;
        // Checked twice: before the lock, so that a folder we must refuse is left without even a
        // journal in it, and behind the lock, when no other run can change the answer.
        earlier_run(path)?;
        let (journal, records) = Journal::open(&path.join(JOURNAL))?;
        let earlier = earlier_run(path)?;
        let mut folder = Self { path: path.to_owned(), info: info.clone(), journal, records };
        if fresh {
            folder.remove_earlier_run()?;
        } else if let Some(earlier) = earlier {
            folder.require_same_request(&earlier)?;
            if let Some(finished) = finished_run(path) {
                // Nothing is left to measure: only the language of the report may change.
                folder.info = RunInfo { language: info.language, ..finished };
            } else {
                folder.info.started = earlier.started;
                folder.info.resumed = earlier.resumed + 1;
            }
        } else {
            // Rows without a `run.json` belong to an unknown request.
            folder.journal.clear()?;
            folder.records.clear();
        }
        folder.write_info()?;
        Ok(folder)
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The run as `run.json` describes it: `started` is that of the first run.
    #[must_use]
    pub fn info(&self) -> &RunInfo {
        &self.info
    }

    /// The rows of earlier runs, in the order in which they were finished.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// Number of damaged rows of an earlier run, which must be measured again.
    #[must_use]
    pub fn dropped_records(&self) -> usize {
        self.journal.dropped()
    }

    /// Keeps one finished row: when this returns, no kill can lose it.
    ///
    /// # Errors
    /// [`RunFolderError::Journal`].
    pub fn append<T: Serialize>(&mut self, key: &str, value: &T) -> Result<(), RunFolderError> {
        Ok(self.journal.append(key, value)?)
    }

    /// Writes `DIR/name` whole or not at all; `name` may lie in a folder below, such as
    /// `charts/summary.svg`.
    ///
    /// # Errors
    /// [`RunFolderError::Io`].
    pub fn write(&self, name: &str, contents: &[u8]) -> Result<(), RunFolderError> {
        let path = self.path.join(name);
        let folder = path.parent().unwrap_or(&self.path);
        fs::create_dir_all(folder).map_err(io_error(folder))?;
        write_atomically(&path, contents).map_err(io_error(&path))
    }

    /// Notes in `run.json` that every row is there.
    ///
    /// # Errors
    /// [`RunFolderError::Io`].
    pub fn finish(&mut self) -> Result<(), RunFolderError> {
        self.info.finished.get_or_insert_with(run_info::utc_now);
        self.write_info()
    }

    fn write_info(&self) -> Result<(), RunFolderError> {
        let path = self.path.join(RUN_INFO);
        let mut json = serde_json::to_string_pretty(&self.info)
            .map_err(|error| RunFolderError::Io { path, source: error.into() })?;
        json.push('\n');
        self.write(RUN_INFO, json.as_bytes())
    }

    fn require_same_request(&self, earlier: &EarlierRun) -> Result<(), RunFolderError> {
        let show = |value: Option<&Value>| value.map_or("absent".to_owned(), Value::to_string);
        let refuse = |parameter: &str, theirs: String, ours: String| {
            let (path, parameter) = (self.path.clone(), parameter.to_owned());
            Err(RunFolderError::OtherParameters { path, parameter, theirs, ours })
        };
        if earlier.study != self.info.study {
            return refuse("study", earlier.study.clone(), self.info.study.clone());
        }
        let (theirs, ours) = (&earlier.parameters, &self.info.parameters);
        for name in ours.keys().chain(theirs.keys()) {
            if theirs.get(name) != ours.get(name) {
                return refuse(name, show(theirs.get(name)), show(ours.get(name)));
            }
        }
        Ok(())
    }

    /// The journal goes first: killed half-way, the folder has an unfinished run of the old
    /// request, never old rows under a new one.
    fn remove_earlier_run(&mut self) -> Result<(), RunFolderError> {
        self.journal.clear()?;
        self.records.clear();
        let charts = self.path.join(CHARTS);
        let mut ours: Vec<_> = RESULTS.iter().map(|name| self.path.join(name)).collect();
        if charts.is_dir() {
            for entry in fs::read_dir(&charts).map_err(io_error(&charts))? {
                let file = entry.map_err(io_error(&charts))?.path();
                let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
                if CHART_ENDINGS.iter().any(|ending| name.ends_with(ending)) {
                    ours.push(file);
                }
            }
        }
        for file in ours {
            match fs::remove_file(&file) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(RunFolderError::Io { path: file, source: error });
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// What `run.json` says, or `None` in a folder that never held a run.
fn earlier_run(path: &Path) -> Result<Option<EarlierRun>, RunFolderError> {
    let file = path.join(RUN_INFO);
    match fs::read(&file) {
        // Ours is always written whole, so an unreadable one is foreign.
        Ok(bytes) => serde_json::from_slice(&bytes)
            .map(Some)
            .map_err(|_| RunFolderError::NotOurs { path: file }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // `run.json` is written before any result: results without one are the user's.
            match RESULTS.iter().map(|name| path.join(name)).find(|file| file.exists()) {
                Some(path) => Err(RunFolderError::NotOurs { path }),
                None => Ok(None),
            }
        }
        Err(source) => Err(RunFolderError::Io { path: file, source }),
    }
}

/// The earlier run whole, if it came to its end.
fn finished_run(path: &Path) -> Option<RunInfo> {
    let bytes = fs::read(path.join(RUN_INFO)).ok()?;
    serde_json::from_slice(&bytes).ok().filter(|info: &RunInfo| info.finished.is_some())
}

fn io_error(path: &Path) -> impl FnOnce(io::Error) -> RunFolderError + '_ {
    move |source| RunFolderError::Io { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use embate_report::language::Language;

    fn info(parameters: &Value) -> RunInfo {
        let parameters = parameters.as_object().unwrap().clone();
        RunInfo::new("rays", parameters, 1, Language::English)
    }

    fn names_in(path: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn resumed_run_keeps_its_rows_and_start_time() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("deep/out");
        let mut request = info(&json!({"sizes": [100, 200], "seed": 7, "depth": 0.1}));
        request.started = "2020-01-01T00:00:00Z".to_owned();
        let mut folder = RunFolder::open(&path, &request, false).unwrap();
        folder.append("a", &1.5).unwrap();
        drop(folder);

        let mut later = info(&json!({"sizes": [100, 200], "seed": 7, "depth": 0.1}));
        later.language = Language::BrazilianPortuguese;
        later.machine.cpu = Some("another".to_owned());
        let mut folder = RunFolder::open(&path, &later, false).unwrap();
        assert_eq!(folder.records().len(), 1);
        assert_eq!(folder.records()[0].key, "a");
        assert_eq!(folder.info().started, "2020-01-01T00:00:00Z");
        assert_eq!((folder.info().resumed, folder.dropped_records()), (1, 0));
        assert_eq!(folder.info().finished, None);
        folder.finish().unwrap();
        let written: RunInfo =
            serde_json::from_slice(&fs::read(path.join("run.json")).unwrap()).unwrap();
        assert!(written.finished.is_some());
    }

    #[test]
    fn other_parameters_are_rejected_and_the_error_names_the_difference() {
        let home = tempfile::tempdir().unwrap();
        drop(RunFolder::open(home.path(), &info(&json!({"rays": 10_000})), false).unwrap());
        for (parameters, words) in [
            (json!({"rays": 500}), ["rays", "10000", "500"]),
            (json!({"rays": 10_000, "depth": 4}), ["depth", "absent", "4"]),
            (json!({}), ["rays", "10000", "absent"]),
        ] {
            let error = RunFolder::open(home.path(), &info(&parameters), false).unwrap_err();
            assert!(error.is_misuse());
            let message = error.to_string();
            for word in words.into_iter().chain(["--fresh", "--out"]) {
                assert!(message.contains(word), "{message} lacks {word}");
            }
            assert_eq!(message.lines().count(), 1);
        }
        let mut other_study = info(&json!({"rays": 10_000}));
        other_study.study = "broad2d".to_owned();
        let message = RunFolder::open(home.path(), &other_study, false).unwrap_err().to_string();
        assert!(message.contains("study was rays there and is broad2d now"), "{message}");
    }

    #[test]
    fn fresh_removes_only_generated_files() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path();
        for theirs in ["notes.txt", "charts/picture.png", "charts/own.svg", "data.csv"] {
            fs::create_dir_all(path.join("charts")).unwrap();
            fs::write(path.join(theirs), "mine").unwrap();
        }
        let mut folder = RunFolder::open(path, &info(&json!({"rays": 1})), false).unwrap();
        folder.append("old", &1).unwrap();
        for ours in ["results.csv", "report.html", "charts/a-light.svg", "charts/a-dark.svg"] {
            folder.write(ours, b"old").unwrap();
        }
        drop(folder);

        let folder = RunFolder::open(path, &info(&json!({"rays": 2})), true).unwrap();
        assert!(folder.records().is_empty());
        assert_eq!((folder.info().resumed, folder.path()), (0, path));
        assert_eq!(names_in(path), ["charts", "data.csv", "journal", "notes.txt", "run.json"]);
        assert_eq!(names_in(&path.join("charts")), ["own.svg", "picture.png"]);
        assert_eq!(fs::read_to_string(path.join("notes.txt")).unwrap(), "mine");
    }

    #[test]
    fn user_files_with_reserved_names_are_not_overwritten() {
        for name in ["results.csv", "report.html", "run.json", "journal"] {
            for fresh in [false, true] {
                let home = tempfile::tempdir().unwrap();
                let theirs = home.path().join(name);
                fs::write(&theirs, "{\"mine\": 1}").unwrap();
                let error = RunFolder::open(home.path(), &info(&json!({})), fresh).unwrap_err();
                assert!(error.is_misuse(), "{error}");
                assert!(error.to_string().contains(name), "{error}");
                assert_eq!(fs::read_to_string(&theirs).unwrap(), "{\"mine\": 1}");
            }
        }
    }

    #[test]
    fn concurrent_run_on_a_folder_is_rejected_even_with_fresh() {
        let home = tempfile::tempdir().unwrap();
        let mut first = RunFolder::open(home.path(), &info(&json!({})), false).unwrap();
        for fresh in [false, true] {
            let error = RunFolder::open(home.path(), &info(&json!({})), fresh).unwrap_err();
            assert!(matches!(error, RunFolderError::Journal(JournalError::InUse { .. })));
            assert!(error.is_misuse());
        }
        first.append("still ours", &1).unwrap();
        drop(first);
        let again = RunFolder::open(home.path(), &info(&json!({})), false).unwrap();
        assert_eq!(again.records().len(), 1);
    }

    /// State of a run killed after the creation of the journal and before that of `run.json`.
    #[test]
    fn run_starts_on_a_folder_with_an_empty_journal() {
        let home = tempfile::tempdir().unwrap();
        drop(Journal::open(&home.path().join("journal")).unwrap());
        assert!(RunFolder::open(home.path(), &info(&json!({})), false).is_ok());
    }

    /// Regression: without `run.json`, a run with other parameters resumed the rows of an earlier
    /// one.
    #[test]
    fn rows_without_run_info_are_discarded() {
        let home = tempfile::tempdir().unwrap();
        let mut folder = RunFolder::open(home.path(), &info(&json!({"seed": 1})), false).unwrap();
        folder.append("random-low 100", &1).unwrap();
        drop(folder);
        fs::remove_file(home.path().join("run.json")).unwrap();
        let folder = RunFolder::open(home.path(), &info(&json!({"seed": 99})), false).unwrap();
        assert_eq!(folder.records(), []);
    }

    #[test]
    fn reopened_finished_run_keeps_its_run_info() {
        let home = tempfile::tempdir().unwrap();
        let request = info(&json!({}));
        let mut folder = RunFolder::open(home.path(), &request, false).unwrap();
        folder.finish().unwrap();
        let first = folder.info().clone();
        drop(folder);
        let portuguese = RunInfo { language: Language::BrazilianPortuguese, ..request };
        let mut folder = RunFolder::open(home.path(), &portuguese, false).unwrap();
        folder.finish().unwrap();
        assert_eq!(folder.info(), &RunInfo { language: Language::BrazilianPortuguese, ..first });
    }

    #[test]
    fn overwritten_results_leave_no_temporary_files() {
        let home = tempfile::tempdir().unwrap();
        let folder = RunFolder::open(home.path(), &info(&json!({})), false).unwrap();
        folder.write("results.csv", b"one").unwrap();
        folder.write("results.csv", b"two").unwrap();
        assert_eq!(fs::read(home.path().join("results.csv")).unwrap(), b"two");
        assert_eq!(names_in(home.path()), ["journal", "results.csv", "run.json"]);
    }
}
