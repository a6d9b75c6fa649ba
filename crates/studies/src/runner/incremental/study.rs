//! Incremental study: any study behind one interface of texts; the host stores the rows.

use std::collections::BTreeMap;
use std::fmt;

use embate_report::Report;
use embate_report::language::Language;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::catalog;
use crate::runner::config::{ConfigError, StudyConfig};
use crate::runner::run_context::RunContext;
use crate::runner::run_folder::{Machine, RunInfo};
use crate::studies::labels;
use crate::study::{Study, StudyCase};
use crate::study_kind::StudyKind;

/// A study that a host runs case by case.
pub struct IncrementalStudy {
    config: StudyConfig,
    study: Box<dyn TextStudy>,
}

/// Key, label and approximate cost of a case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CaseInfo {
    /// Key of the case in the journal of the command line.
    pub key: String,
    /// Amount of work in units of the study, for a progress bar.
    pub work: u64,
    /// Label of the case by language tag.
    pub label: BTreeMap<&'static str, String>,
}

/// Facts about a run that only the host can supply.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct RunEnvironment {
    /// Platform of the run as the platform identifies itself, such as a browser's user agent.
    pub agent: String,
    /// Number of hardware threads; 0 if unknown.
    pub cores: usize,
    /// Start time in UTC, ISO 8601.
    pub started: String,
    /// End time in UTC, ISO 8601; `None` for an incomplete run.
    pub finished: Option<String>,
    /// Number of times the run was resumed.
    pub resumed: u32,
}

/// Error of an incremental study.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// Invalid configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// Rows that this study did not write.
    #[error("corrupt or incompatible rows: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// Case number out of range.
    #[error("there is no case {0}")]
    NoSuchCase(usize),
    /// Unknown study name.
    #[error("there is no study {0}")]
    NoSuchStudy(String),
}

/// A [`Study`] whose rows are JSON texts, so that studies with different rows have one type.
trait TextStudy {
    fn kind(&self) -> StudyKind;
    fn cases(&self) -> Vec<CaseInfo>;
    fn measure(&self, case: usize, context: &RunContext<'_>) -> Result<String, StudyError>;
    fn csv(&self, rows: &str) -> Result<String, StudyError>;
    fn report(&self, rows: &str, info: &RunInfo, language: Language) -> Result<Report, StudyError>;
    fn disagreements(&self, rows: &str) -> Result<u64, StudyError>;
    /// The run as `run.json` would describe it.
    fn info(
        &self,
        environment: &RunEnvironment,
        command: Vec<String>,
        language: Language,
    ) -> RunInfo;
}

impl<S: Study> TextStudy for S {
    fn kind(&self) -> StudyKind {
        Study::kind(self)
    }

    fn cases(&self) -> Vec<CaseInfo> {
        let info = |case: &S::Case<'_>| {
            let key = case.key();
            let label = |language| labels::case_of_key(self.kind(), &key, language);
            let label = Language::ALL.map(|language| (language.tag(), label(language)));
            CaseInfo { label: BTreeMap::from(label), work: self.work(case), key }
        };
        Study::cases(self).iter().map(info).collect()
    }

    fn measure(&self, case: usize, context: &RunContext<'_>) -> Result<String, StudyError> {
        let cases = Study::cases(self);
        let case = cases.get(case).ok_or(StudyError::NoSuchCase(case))?;
        Ok(serde_json::to_string(&Study::measure(self, case, context))?)
    }

    fn csv(&self, rows: &str) -> Result<String, StudyError> {
        let bytes = Study::csv(self, &read::<S::Row>(rows)?);
        // Written in memory, in UTF-8.
        Ok(String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default())
    }

    fn report(&self, rows: &str, info: &RunInfo, language: Language) -> Result<Report, StudyError> {
        Ok(Study::report(self, &read::<S::Row>(rows)?, info, language))
    }

    fn disagreements(&self, rows: &str) -> Result<u64, StudyError> {
        Ok(Study::disagreements(self, &read::<S::Row>(rows)?).count)
    }

    fn info(
        &self,
        environment: &RunEnvironment,
        command: Vec<String>,
        language: Language,
    ) -> RunInfo {
        let machine = Machine {
            cores: environment.cores,
            os: environment.agent.clone(),
            arch: std::env::consts::ARCH.to_owned(),
            ..Machine::default()
        };
        let (started, name) = (environment.started.clone(), Study::kind(self).name());
        RunInfo {
            finished: environment.finished.clone(),
            resumed: environment.resumed,
            ..RunInfo::at(started, name, self.parameters(), self.seed(), language, machine, command)
        }
    }
}

impl IncrementalStudy {
    /// The study of this name, with options in JSON by the names of the command line.
    ///
    /// # Errors
    /// [`StudyError`] in a line that names what to change.
    pub fn new(name: &str, config: &str) -> Result<Self, StudyError> {
        let config: StudyConfig = serde_json::from_str(config)?;
        catalog::check(&config)?;
        let Some(kind) = StudyKind::from_name(name) else {
            return Err(StudyError::NoSuchStudy(name.to_owned()));
        };
        let study: Box<dyn TextStudy> = match kind {
            StudyKind::Rays => Box::new(config.rays_plan()?),
            StudyKind::Broad2d => Box::new(config.broad2d_plan()?),
            StudyKind::Broad3d => Box::new(config.broad3d_plan()?),
            StudyKind::Simulator => Box::new(config.simulator_plan()?),
            StudyKind::TriangleTests => Box::new(config.triangle_tests_plan()?),
        };
        Ok(Self { config, study })
    }

    /// All cases, in the order of the report.
    #[must_use]
    pub fn cases(&self) -> Vec<CaseInfo> {
        self.study.cases()
    }

    /// The rows of a case as a JSON list, to be stored unchanged. Reports progress to the context.
    ///
    /// # Errors
    /// [`StudyError::NoSuchCase`].
    pub fn measure(&self, case: usize, context: &RunContext<'_>) -> Result<String, StudyError> {
        self.study.measure(case, context)
    }

    /// `results.csv` of these rows: a list of what [`measure`](Self::measure) returned.
    ///
    /// # Errors
    /// [`StudyError::Unreadable`].
    pub fn csv(&self, rows: &str) -> Result<String, StudyError> {
        self.study.csv(rows)
    }

    /// The report of these rows as data.
    ///
    /// # Errors
    /// [`StudyError::Unreadable`].
    pub fn report(
        &self,
        rows: &str,
        environment: &RunEnvironment,
        language: Language,
    ) -> Result<Report, StudyError> {
        let info = self.study.info(environment, self.command(), language);
        self.study.report(rows, &info, language)
    }

    /// Number of results that differ from brute force or from the reference: 0, or a bug of ours.
    ///
    /// # Errors
    /// [`StudyError::Unreadable`].
    pub fn disagreements(&self, rows: &str) -> Result<u64, StudyError> {
        self.study.disagreements(rows)
    }

    /// Equivalent command line.
    #[must_use]
    pub fn command(&self) -> Vec<String> {
        self.config.command(self.study.kind().name())
    }
}

impl fmt::Debug for IncrementalStudy {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = self.study.kind();
        text.debug_struct("IncrementalStudy").field("kind", &kind).finish_non_exhaustive()
    }
}

fn read<R: DeserializeOwned>(rows: &str) -> serde_json::Result<Vec<R>> {
    let cases: Vec<Vec<R>> = serde_json::from_str(rows)?;
    Ok(cases.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::run_context::system_clock;

    /// Small, and something of every part.
    const SMALL: [(&str, &str); 5] = [
        ("rays", r#"{"sizes":[40],"families":["high"],"rays":3,"repeats":1}"#),
        ("broad2d", r#"{"experiment":2,"objects":[30],"frames":3,"seeds":2,"technique":["tree"]}"#),
        ("broad3d", r#"{"objects":[30],"frames":2,"seeds":1,"technique":["octree","sweep-x"]}"#),
        ("simulator", r#"{"quick":true,"repeats":1,"technique":["separation","impulse"]}"#),
        ("triangle-tests", r#"{"rays":5,"repeats":1}"#),
    ];

    fn measured(study: &IncrementalStudy, clock: fn() -> f64) -> String {
        let context = RunContext { clock, on_progress: &|_| {} };
        let cases = 0..study.cases().len();
        let rows: Vec<String> = cases.map(|case| study.measure(case, &context).unwrap()).collect();
        format!("[{}]", rows.join(","))
    }

    fn environment() -> RunEnvironment {
        let text = r#"{"agent":"a browser","cores":2,"started":"2026-01-01T00:00:00Z","finished":null,"resumed":1}"#;
        serde_json::from_str(text).unwrap()
    }

    /// Browsers round their clocks: a search of few objects takes no time at all. Ratios of such
    /// times, which are no numbers, once could not be read back.
    #[test]
    fn zero_times_yield_finite_results_and_complete_reports() {
        for (name, config) in SMALL {
            let study = IncrementalStudy::new(name, config).unwrap();
            let rows = measured(&study, || 5.0);
            let csv = study.csv(&rows).unwrap();
            assert!(
                csv.lines().count() > 1 && !csv.contains("NaN") && !csv.contains("inf"),
                "{csv}"
            );
            for language in Language::ALL {
                let report = study.report(&rows, &environment(), language).unwrap();
                let html = report.html();
                assert!(html.contains("a browser") && html.contains("</html>"));
                assert!(!html.contains("NaN"), "{name}");
                assert!(!serde_json::to_string(&report).unwrap().is_empty());
            }
        }
    }

    /// Regression: the page named the case "pairs sphere-box touching 1" after the technique
    /// `touching`, and showed all others by their keys.
    #[test]
    fn labels_of_cases_have_no_identifiers() {
        for kind in StudyKind::ALL {
            let study = IncrementalStudy::new(kind.name(), r#"{"quick":true}"#).unwrap();
            for CaseInfo { key, label, .. } in study.cases() {
                assert_ne!(label["en"], label["pt-BR"], "{key}");
                for label in label.values() {
                    assert!(!label.is_empty() && *label != key, "{key}: {label}");
                    for identifier in [
                        "random-",
                        "experiment-",
                        "static-",
                        "long-",
                        "sphere-",
                        "aabb",
                        "circle ",
                        "Intersection",
                        "Interseção",
                    ] {
                        assert!(!label.contains(identifier), "{key}: {label}");
                    }
                }
            }
        }
    }

    #[test]
    fn counts_are_independent_of_clock_and_case_order() {
        let [_, (name, config), ..] = SMALL;
        let (one, other) = (
            IncrementalStudy::new(name, config).unwrap(),
            IncrementalStudy::new(name, config).unwrap(),
        );
        let context = RunContext { clock: system_clock, on_progress: &|_| {} };
        let last_first: Vec<String> =
            (0..one.cases().len()).rev().map(|case| one.measure(case, &context).unwrap()).collect();
        let last_first =
            format!("[{}]", last_first.into_iter().rev().collect::<Vec<_>>().join(","));
        let counts = |csv: &str| -> Vec<Vec<String>> {
            let counted = |line: &str| {
                line.split(',').take(9).chain(line.split(',').skip(15)).map(str::to_owned).collect()
            };
            csv.lines().map(counted).collect()
        };
        let still = other.csv(&measured(&other, || 0.0)).unwrap();
        assert_eq!(counts(&one.csv(&last_first).unwrap()), counts(&still));
    }

    #[test]
    fn progress_sums_to_the_work_of_the_case() {
        for (name, config) in SMALL {
            let study = IncrementalStudy::new(name, config).unwrap();
            for (number, case) in study.cases().into_iter().enumerate().take(4) {
                let done = std::cell::Cell::new(0);
                let on_progress = |work| done.set(done.get() + work);
                study
                    .measure(number, &RunContext { clock: || 0.0, on_progress: &on_progress })
                    .unwrap();
                // Parts of the simulator that are not selected have no work.
                assert!([0, case.work].contains(&done.get()) || name == "simulator", "{case:?}");
                assert!(done.get() <= case.work, "{case:?}: {}", done.get());
            }
        }
    }

    #[test]
    fn invalid_cases_rows_and_configurations_yield_one_line_errors() {
        let study = IncrementalStudy::new("rays", SMALL[0].1).unwrap();
        let context = RunContext { clock: || 0.0, on_progress: &|_| {} };
        assert!(matches!(study.measure(1_000, &context), Err(StudyError::NoSuchCase(1_000))));
        for rows in ["", "{}", "[1]", r#"[[{"case":"x"}]]"#] {
            assert!(matches!(study.csv(rows), Err(StudyError::Unreadable(_))), "{rows}");
        }
        for (name, config) in [
            ("planes", "{}"),
            ("rays", "{"),
            ("rays", r#"{"sizes":[9999999]}"#),
            ("broad2d", r#"{"seeds":0}"#),
        ] {
            let line = IncrementalStudy::new(name, config).unwrap_err().to_string();
            assert_eq!(line.lines().count(), 1, "{line}");
        }
    }

    #[test]
    fn report_has_the_command_and_the_environment() {
        let study = IncrementalStudy::new("broad2d", r#"{"quick":true,"threads":3}"#).unwrap();
        let html = study.report("[]", &environment(), Language::English).unwrap().html();
        assert!(html.contains("embate study broad2d --quick --threads 3"));
        assert!(html.contains("Cases were measured 3 at a time"));
        assert!(html.contains("interrupted and resumed"));
    }
}
