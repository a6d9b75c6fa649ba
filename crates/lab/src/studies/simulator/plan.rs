//! What does the evaluation consist of, and how much is measured of each?

use embate_studies::replica::lasch::BroadPhase;
use serde_json::{Map, Value, json};

use super::broad::BroadCase;
use super::pairs::{PairCase, Question, Standing, TESTS};
use super::report::report;
use super::resolve::{Event, METHODS, ResolveCase};
use super::row::{Row, results_csv};
use super::worlds::Kind;
use crate::language::Language;
use crate::report::Report;
use crate::run_folder::{RunFolder, RunFolderError, RunInfo};
use crate::studies::broad::Progress;
use crate::studies::host::{Host, system_clock};
use crate::studies::outputs;
use crate::studies::resumable::{self, Keyed};

/// Everything that can be compared, by the names of the column `technique`: broad phases, questions, methods.
pub const TECHNIQUES: [&str; 15] = [
    "brute",
    "sweep-x",
    "sweep-y",
    "sweep-z",
    "sweep-variance",
    "sweep",
    "tree",
    "grid",
    "octree",
    "touching",
    "separation",
    "contact",
    "impulse",
    "positions",
    "soft",
];

/// How much is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Effort {
    /// A taste of it.
    pub quick: bool,
    /// The first seed.
    pub seed: u64,
    /// How often each time is taken.
    pub repeats: u32,
    /// Those of [`TECHNIQUES`] to report.
    pub techniques: Vec<String>,
    /// Cases measured at a time; more than one is quicker and makes times less sure.
    pub threads: usize,
}

impl Effort {
    /// All of it, once.
    #[must_use]
    pub fn new(quick: bool) -> Self {
        let techniques = TECHNIQUES.iter().map(|&name| name.to_owned()).collect();
        Self { quick, seed: 1, repeats: 3, techniques, threads: 1 }
    }
}

/// The evaluation of study B.
#[derive(Clone, Debug)]
pub struct Plan {
    effort: Effort,
}

/// The unit of work that a killed run may lose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case(Part);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Broad(BroadCase),
    Pairs(PairCase),
    Resolve(ResolveCase),
}

impl Keyed for Case {
    fn key(&self) -> String {
        match &self.0 {
            Part::Broad(case) => {
                format!("broad {} {} {}", case.kind.name(), case.bodies, case.seed)
            }
            Part::Pairs(case) => format!("pairs {} {}", case.name(), case.seed),
            Part::Resolve(case) => format!("resolve {} {}", case.name(), case.seed),
        }
    }
}

impl Plan {
    /// The plan for so much effort.
    #[must_use]
    pub fn new(effort: Effort) -> Self {
        Self { effort }
    }

    /// Every case, in the order of the report.
    #[must_use]
    pub fn cases(&self) -> Vec<Case> {
        let Effort { quick, seed, .. } = self.effort;
        // Steps enough that a pile has fallen and lies, fewer where a step of brute force is long.
        let sizes: &[(u32, u32)] = if quick {
            &[(100, 60), (500, 60), (1_000, 40)]
        } else {
            &[(100, 300), (500, 200), (1_000, 200), (2_000, 150), (5_000, 100)]
        };
        let broad = Kind::ALL.into_iter().flat_map(|kind| {
            sizes
                .iter()
                .map(move |&(bodies, steps)| Part::Broad(BroadCase { kind, bodies, steps, seed }))
        });
        let pairs = if quick { 200 } else { 2_000 };
        let pairs = TESTS.into_iter().flat_map(move |solids| {
            Standing::ALL.map(|standing| Part::Pairs(PairCase { solids, standing, pairs, seed }))
        });
        let ratios = [1.0, 10.0, 100.0];
        let (bodies, steps) = if quick { (60, 240) } else { (200, 600) };
        let resolve = [0.0, 0.5, 1.0].into_iter().flat_map(move |restitution| {
            let collisions = ratios.map(|ratio| Event::Collision { ratio });
            let piles = ratios.map(|ratio| Event::Pile { ratio, bodies, steps });
            let events = collisions.into_iter().chain([Event::Bounce]).chain(piles);
            events.map(move |event| Part::Resolve(ResolveCase { event, restitution, seed }))
        });
        broad.chain(pairs).chain(resolve).map(Case).collect()
    }

    /// What makes two runs the same run, by the names of the command line.
    #[must_use]
    pub fn parameters(&self) -> Map<String, Value> {
        let effort = &self.effort;
        let Value::Object(parameters) = json!({
            "quick": effort.quick,
            "seed": effort.seed,
            "repeats": effort.repeats,
            "technique": effort.techniques,
            "threads": effort.threads,
        }) else {
            unreachable!("an object was written")
        };
        parameters
    }

    pub(in crate::studies) fn seed(&self) -> u64 {
        self.effort.seed
    }

    /// What a case costs, for a progress bar.
    #[must_use]
    pub fn work(&self, case: &Case) -> u64 {
        self.ticks(case) * tick(case)
    }

    /// How often a case tells that it went on.
    fn ticks(&self, case: &Case) -> u64 {
        let repeats = u64::from(self.effort.repeats.max(1));
        match &case.0 {
            Part::Broad(case) => u64::from(case.steps) * (1 + repeats),
            Part::Pairs(case) => case.pairs.into(),
            Part::Resolve(case) => u64::from(case.steps()) * repeats * METHODS.len() as u64,
        }
    }

    /// How many of the cases the journal has already.
    #[must_use]
    pub fn finished_cases(cases: &[Case], folder: &RunFolder) -> usize {
        resumable::finished_cases::<Row>(cases, folder)
    }

    /// Runs what the journal does not have yet and returns every row, in the order of the plan.
    ///
    /// # Errors
    /// If the journal cannot be written, or no thread started.
    pub fn run(
        &self,
        cases: &[Case],
        folder: &mut RunFolder,
        progress: &(dyn Fn(Progress) + Sync),
    ) -> Result<Vec<Row>, RunFolderError> {
        let measure = |case: &Case| {
            progress(Progress::Begin(case.key()));
            let advanced = |work| progress(Progress::Work(work));
            self.measured(case, &Host { clock: system_clock, advanced: &advanced })
        };
        let skip = |case: &Case| progress(Progress::Work(self.work(case)));
        resumable::run(cases, self.effort.threads, folder, measure, skip)
    }

    /// All rows of one case; the host is told of [`work`](Self::work) done.
    #[must_use]
    pub fn measured(&self, case: &Case, host: &Host<'_>) -> Vec<Row> {
        let advanced = |ticks| (host.advanced)(ticks * tick(case));
        self.rows(case, &Host { clock: host.clock, advanced: &advanced })
    }

    /// The same; the host is told of ticks.
    fn rows(&self, case: &Case, host: &Host<'_>) -> Vec<Row> {
        let Effort { repeats, techniques, .. } = &self.effort;
        let asked = |name: &str| techniques.iter().any(|technique| technique == name);
        match &case.0 {
            Part::Broad(case) => {
                let broads: Vec<BroadPhase> =
                    BroadPhase::ALL.into_iter().filter(|broad| asked(broad.name())).collect();
                if broads.is_empty() { Vec::new() } else { case.rows(&broads, *repeats, host) }
            }
            Part::Pairs(case) => {
                let questions: Vec<Question> =
                    Question::ALL.into_iter().filter(|question| asked(question.name())).collect();
                if questions.is_empty() {
                    Vec::new()
                } else {
                    case.rows(&questions, *repeats, host)
                }
            }
            Part::Resolve(case) => {
                let methods: Vec<&str> = METHODS.into_iter().filter(|name| asked(name)).collect();
                case.rows(&methods, *repeats, host)
            }
        }
    }

    /// Writes `results.csv`, `charts/*.svg` and `report.html` into the folder.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write_outputs(
        &self,
        folder: &RunFolder,
        rows: &[Row],
        language: Language,
    ) -> Result<(), RunFolderError> {
        let path = folder.path().join("results.csv");
        let csv = results_csv(rows).map_err(|source| RunFolderError::Io { path, source })?;
        outputs::write(folder, &csv, &self.report(rows, folder.info(), language))
    }

    /// The report as data.
    #[must_use]
    pub fn report(&self, rows: &[Row], info: &RunInfo, language: Language) -> Report {
        report(rows, info, language)
    }

    /// All rows, with nobody watching.
    #[cfg(test)]
    pub(super) fn all_rows(&self, wanted: impl Fn(&str) -> bool) -> Vec<Row> {
        let cases = self.cases().into_iter().filter(|case| wanted(&case.key()));
        let host = Host { clock: system_clock, advanced: &|_| {} };
        cases.flat_map(|case| self.rows(&case, &host)).collect()
    }
}

/// What one tick of a case costs, about, in microseconds: for the bar alone.
fn tick(case: &Case) -> u64 {
    match &case.0 {
        Part::Broad(case) => u64::from(case.bodies) * 20 + u64::from(case.bodies).pow(2) / 500,
        Part::Pairs(case) if case.solids == TESTS[5] => 3_000,
        Part::Pairs(_) => 300,
        Part::Resolve(case) => match case.event {
            Event::Pile { bodies, .. } => u64::from(bodies) * 4,
            _ => 5,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_one_of_the_techniques_and_no_case_comes_twice() {
        let broads = BroadPhase::ALL.map(BroadPhase::name);
        let questions = Question::ALL.map(Question::name);
        let all: Vec<&str> = broads.into_iter().chain(questions).chain(METHODS).collect();
        assert_eq!(all, TECHNIQUES);
        for quick in [true, false] {
            let plan = Plan::new(Effort::new(quick));
            let mut keys: Vec<String> = plan.cases().iter().map(Keyed::key).collect();
            let count = keys.len();
            assert!(count >= 3 * 3 + 18 + 3 * 7, "{count}");
            keys.sort();
            keys.dedup();
            assert_eq!(keys.len(), count);
        }
    }

    #[test]
    fn all_broad_phases_move_the_small_worlds_alike_and_no_pair_test_is_wrong() {
        let plan = Plan::new(Effort::new(true));
        let rows = plan.all_rows(|key| {
            key.starts_with("broad") && key.contains(" 100 ") || key.starts_with("pairs sphere-")
        });
        assert_eq!(rows.len(), 3 * 9 + 9 * 3);
        for row in &rows {
            assert_eq!(row.disagreements, Some(0), "{row:?}");
        }
        let touched = rows.iter().filter(|row| row.part == "pairs" && row.technique == "contact");
        for row in touched {
            let expected = match row.case.rsplit(' ').next() {
                Some("apart") => 0.0..=0.0,
                Some("deep") => 1.0..=1.0,
                _ => 0.3..=0.7,
            };
            assert!(expected.contains(&row.contacts_per_step.unwrap()), "{row:?}");
        }
    }

    #[test]
    fn the_impulse_and_ours_keep_what_theory_says_and_positions_alone_do_not() {
        let plan = Plan::new(Effort::new(true));
        let rows = plan.all_rows(|key| key.starts_with("resolve collision"));
        assert_eq!(rows.len(), 9 * 3);
        for row in rows {
            let (drift, momentum) =
                (row.energy_drift_percent.unwrap(), row.momentum_error.unwrap());
            assert!(momentum < 1e-5, "{row:?}");
            match row.technique.as_str() {
                // Velocities stay: what an inelastic collision takes is not taken.
                "positions" if !row.case.contains("e=1") => assert!(drift > 0.5, "{row:?}"),
                _ => assert!(drift.abs() < 1e-3, "{row:?}"),
            }
        }
    }
}
