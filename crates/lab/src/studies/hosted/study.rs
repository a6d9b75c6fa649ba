//! A study in the hands of somebody who keeps its rows.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::catalogue;
use crate::language::Language;
use crate::report::Report;
use crate::run_folder::{Machine, RunInfo};
use crate::studies::asked::Asked;
use crate::studies::broad::{self, Measures, Told, Unfit};
use crate::studies::host::Host;
use crate::studies::resumable::Keyed;
use crate::studies::{rays, simulator};

/// A study that somebody may run case by case.
#[derive(Debug)]
pub struct Study {
    asked: Asked,
    plan: Plan,
}

#[derive(Debug)]
enum Plan {
    Rays(Box<(rays::plan::Plan, rays::plan::Models)>),
    Broad2d(broad::Plan<2>),
    Broad3d(broad::Plan<3>),
    Simulator(simulator::Plan),
}

/// A case, and what it costs about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Listed {
    /// As the journal of the command line names it.
    pub key: String,
    /// In units of the study, for a progress bar.
    pub work: u64,
}

/// What a host knows of a run and nobody else can.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Circumstances {
    /// In what it runs, by its own words.
    pub agent: String,
    /// Threads that the machine may run at once; 0 if unknown.
    pub cores: usize,
    /// UTC, ISO 8601.
    pub started: String,
    /// UTC, ISO 8601; `None` while rows are missing.
    pub finished: Option<String>,
    /// How often the run was stopped and taken up again.
    pub resumed: u32,
}

/// Why a host did not get what it asked for.
#[derive(Debug, thiserror::Error)]
pub enum Trouble {
    /// What was asked makes no study.
    #[error(transparent)]
    Unfit(#[from] Unfit),
    /// The text is not what was handed out before.
    #[error("not as it was handed out: {0}")]
    Unreadable(#[from] serde_json::Error),
    /// There are fewer.
    #[error("there is no case {0}")]
    NoSuchCase(usize),
    /// There is no such study.
    #[error("there is no study {0}")]
    NoSuchStudy(String),
}

impl Study {
    /// The study of this name, as asked for in JSON by the names of the command line.
    ///
    /// # Errors
    /// [`Trouble`] in a line that names what to change.
    pub fn new(name: &str, asked: &str) -> Result<Self, Trouble> {
        let asked: Asked = serde_json::from_str(asked)?;
        catalogue::check(&asked)?;
        let plan = match name {
            "rays" => Plan::Rays(Box::new((asked.of_rays()?, rays::plan::Models::new()))),
            "broad2d" => Plan::Broad2d(asked.of_broad2d()?),
            "broad3d" => Plan::Broad3d(asked.of_broad3d()?),
            "simulator" => Plan::Simulator(asked.of_simulator()?),
            _ => return Err(Trouble::NoSuchStudy(name.to_owned())),
        };
        Ok(Self { asked, plan })
    }

    fn name(&self) -> &'static str {
        match self.plan {
            Plan::Rays(_) => "rays",
            Plan::Broad2d(_) => "broad2d",
            Plan::Broad3d(_) => "broad3d",
            Plan::Simulator(_) => "simulator",
        }
    }

    /// Every case, in the order of the report.
    #[must_use]
    pub fn cases(&self) -> Vec<Listed> {
        fn listed<C: Keyed>(cases: &[C], work: impl Fn(&C) -> u64) -> Vec<Listed> {
            cases.iter().map(|case| Listed { key: case.key(), work: work(case) }).collect()
        }
        match &self.plan {
            Plan::Rays(of) => listed(&of.0.cases(&of.1), |case| of.0.work(case)),
            Plan::Broad2d(plan) => listed(&plan.cases(), |case| plan.work(case)),
            Plan::Broad3d(plan) => listed(&plan.cases(), |case| plan.work(case)),
            Plan::Simulator(plan) => listed(&plan.cases(), |case| plan.work(case)),
        }
    }

    /// The rows of a case as JSON: a list, to be kept as it is. The host is told of work done.
    ///
    /// # Errors
    /// [`Trouble::NoSuchCase`].
    pub fn measure(&self, case: usize, host: &Host<'_>) -> Result<String, Trouble> {
        fn written<C, R: Serialize>(
            cases: &[C],
            number: usize,
            measured: impl Fn(&C) -> Vec<R>,
        ) -> Result<String, Trouble> {
            let case = cases.get(number).ok_or(Trouble::NoSuchCase(number))?;
            Ok(serde_json::to_string(&measured(case))?)
        }
        match &self.plan {
            Plan::Rays(of) => {
                let measured = |each: &rays::plan::Case<'_>| rays::run::measured(&of.0, each, host);
                written(&of.0.cases(&of.1), case, measured)
            }
            Plan::Broad2d(plan) => written(&plan.cases(), case, |each| plan.measured(each, host)),
            Plan::Broad3d(plan) => written(&plan.cases(), case, |each| plan.measured(each, host)),
            Plan::Simulator(plan) => written(&plan.cases(), case, |each| plan.measured(each, host)),
        }
    }

    /// `results.csv` of these rows: a list of what [`measure`](Self::measure) returned.
    ///
    /// # Errors
    /// [`Trouble::Unreadable`].
    pub fn csv(&self, rows: &str) -> Result<String, Trouble> {
        let bytes = match &self.plan {
            Plan::Rays(_) => rays::table::results_csv(&read(rows)?),
            Plan::Broad2d(_) | Plan::Broad3d(_) => broad::results_csv(&read(rows)?),
            Plan::Simulator(_) => simulator::results_csv(&read(rows)?),
        };
        // Both are made in memory from our own words.
        Ok(String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default())
    }

    /// The report of these rows as data.
    ///
    /// # Errors
    /// [`Trouble::Unreadable`].
    pub fn report(
        &self,
        rows: &str,
        around: &Circumstances,
        language: Language,
    ) -> Result<Report, Trouble> {
        let info = self.info(around, language);
        Ok(match &self.plan {
            Plan::Rays(_) => rays::report::report(&read(rows)?, &info, language),
            Plan::Broad2d(plan) => plan.report(&read(rows)?, &info, language),
            Plan::Broad3d(plan) => plan.report(&read(rows)?, &info, language),
            Plan::Simulator(plan) => plan.report(&read(rows)?, &info, language),
        })
    }

    /// How many answers of these rows are not what brute force, or the judge, says: 0, or a bug of ours.
    ///
    /// # Errors
    /// [`Trouble::Unreadable`].
    pub fn disagreements(&self, rows: &str) -> Result<u64, Trouble> {
        Ok(match &self.plan {
            Plan::Rays(_) => rays::disagreements(&read(rows)?),
            Plan::Broad2d(_) | Plan::Broad3d(_) => {
                broad::disagreements(&read(rows)?).iter().sum::<u64>()
            }
            Plan::Simulator(_) => simulator::disagreements(&read(rows)?).iter().sum::<u64>(),
        })
    }

    /// The same by the command line.
    #[must_use]
    pub fn command(&self) -> Vec<String> {
        self.asked.command(self.name())
    }

    /// The run as `run.json` would describe it.
    fn info(&self, around: &Circumstances, language: Language) -> RunInfo {
        let (parameters, seed) = match &self.plan {
            Plan::Rays(of) => (of.0.parameters(), of.0.seed),
            Plan::Broad2d(plan) => (plan.parameters(), plan.effort.seed),
            Plan::Broad3d(plan) => (plan.parameters(), plan.effort.seed),
            Plan::Simulator(plan) => (plan.parameters(), plan.seed()),
        };
        let machine = Machine {
            cores: around.cores,
            os: around.agent.clone(),
            arch: std::env::consts::ARCH.to_owned(),
            ..Machine::default()
        };
        let started = around.started.clone();
        let info =
            RunInfo::at(started, self.name(), parameters, seed, language, machine, self.command());
        RunInfo { finished: around.finished.clone(), resumed: around.resumed, ..info }
    }
}

fn read<R: DeserializeOwned>(rows: &str) -> serde_json::Result<Vec<R>> {
    let cases: Vec<Vec<R>> = serde_json::from_str(rows)?;
    Ok(cases.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::studies::host::system_clock;

    /// Small, and something of every part.
    const SMALL: [(&str, &str); 4] = [
        ("rays", r#"{"sizes":[40],"families":["high"],"rays":3,"repeats":1}"#),
        ("broad2d", r#"{"experiment":2,"objects":[30],"frames":3,"seeds":2,"technique":["tree"]}"#),
        ("broad3d", r#"{"objects":[30],"frames":2,"seeds":1,"technique":["octree","sweep-x"]}"#),
        ("simulator", r#"{"quick":true,"repeats":1,"technique":["separation","impulse"]}"#),
    ];

    fn measured(study: &Study, clock: fn() -> f64) -> String {
        let host = Host { clock, advanced: &|_| {} };
        let cases = 0..study.cases().len();
        let rows: Vec<String> = cases.map(|case| study.measure(case, &host).unwrap()).collect();
        format!("[{}]", rows.join(","))
    }

    fn around() -> Circumstances {
        let text = r#"{"agent":"a browser","cores":2,"started":"2026-01-01T00:00:00Z","finished":null,"resumed":1}"#;
        serde_json::from_str(text).unwrap()
    }

    /// Browsers round their clocks: a search of few objects takes no time at all. Ratios of such times, which are no
    /// numbers, once could not be read back.
    #[test]
    fn a_clock_that_stands_still_leaves_times_empty_and_breaks_nothing() {
        for (name, asked) in SMALL {
            let study = Study::new(name, asked).unwrap();
            let rows = measured(&study, || 5.0);
            let csv = study.csv(&rows).unwrap();
            assert!(
                csv.lines().count() > 1 && !csv.contains("NaN") && !csv.contains("inf"),
                "{csv}"
            );
            for language in Language::ALL {
                let report = study.report(&rows, &around(), language).unwrap();
                let html = report.html();
                assert!(html.contains("a browser") && html.contains("</html>"));
                assert!(!html.contains("NaN"), "{name}");
                assert!(!serde_json::to_string(&report).unwrap().is_empty());
            }
        }
    }

    #[test]
    fn counts_do_not_depend_on_the_clock_nor_on_the_order_of_the_cases() {
        let [_, (name, asked), ..] = SMALL;
        let (one, other) = (Study::new(name, asked).unwrap(), Study::new(name, asked).unwrap());
        let host = Host { clock: system_clock, advanced: &|_| {} };
        let last_first: Vec<String> =
            (0..one.cases().len()).rev().map(|case| one.measure(case, &host).unwrap()).collect();
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
    fn progress_comes_to_all_the_work_there_is() {
        for (name, asked) in SMALL {
            let study = Study::new(name, asked).unwrap();
            for (number, case) in study.cases().into_iter().enumerate().take(4) {
                let done = std::cell::Cell::new(0);
                let advanced = |work| done.set(done.get() + work);
                study.measure(number, &Host { clock: || 0.0, advanced: &advanced }).unwrap();
                // Parts of the simulator that nobody asked for take none.
                assert!([0, case.work].contains(&done.get()) || name == "simulator", "{case:?}");
                assert!(done.get() <= case.work, "{case:?}: {}", done.get());
            }
        }
    }

    #[test]
    fn what_was_not_handed_out_is_refused_in_a_line() {
        let study = Study::new("rays", SMALL[0].1).unwrap();
        let host = Host { clock: || 0.0, advanced: &|_| {} };
        assert!(matches!(study.measure(1_000, &host), Err(Trouble::NoSuchCase(1_000))));
        for rows in ["", "{}", "[1]", r#"[[{"case":"x"}]]"#] {
            assert!(matches!(study.csv(rows), Err(Trouble::Unreadable(_))), "{rows}");
        }
        for (name, asked) in [
            ("planes", "{}"),
            ("rays", "{"),
            ("rays", r#"{"sizes":[9999999]}"#),
            ("broad2d", r#"{"seeds":0}"#),
        ] {
            let line = Study::new(name, asked).unwrap_err().to_string();
            assert_eq!(line.lines().count(), 1, "{line}");
        }
    }

    #[test]
    fn the_report_says_where_and_by_which_command_it_ran() {
        let study = Study::new("broad2d", r#"{"quick":true,"threads":3}"#).unwrap();
        let html = study.report("[]", &around(), Language::English).unwrap().html();
        assert!(html.contains("embate study broad2d --quick --threads 3"));
        assert!(html.contains("Cases were measured 3 at a time"));
        assert!(html.contains("taken up again"));
    }
}
