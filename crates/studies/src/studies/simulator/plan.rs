//! Plan of the simulator study: its cases, and how much of each is measured.

use embate_replica::lasch::{BroadPhase, IntegratorKind};
use serde_json::{Map, Value, json};

use super::boxes::{BoxCase, FORMS, Operation};
use super::broad_phase::BroadCase;
use super::integrators::{IntegratorCase, Motion};
use super::narrow_phase::{PairCase, PairQuery, Placement, TESTS};
use super::response::{Event, METHODS, ResolveCase};
use super::row::Row;
use super::worlds::Kind;
use crate::runner::run_context::RunContext;
use crate::study::StudyCase;

/// Everything that can be compared, by the names of the column `technique`: broad phases,
/// queries, methods, integrators, box forms.
pub const TECHNIQUES: [&str; 23] = [
    "brute",
    "sweep-x",
    "sweep-y",
    "sweep-z",
    "sweep-variance",
    "sweep",
    "tree",
    "grid",
    "octree",
    "octree-strict",
    "touching",
    "separation",
    "contact",
    "impulse",
    "positions",
    "soft",
    "explicit-euler",
    "semi-implicit-euler",
    "verlet",
    "rk4",
    "min-max",
    "center-half",
    "min-edges",
];

/// Boxes of a form: as many fit in the first-level cache.
const BOXES: u32 = 1_000;

/// Amount of measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    /// Whether to run the short version.
    pub quick: bool,
    /// First seed.
    pub seed: u64,
    /// Number of repetitions of each timing.
    pub repeats: u32,
    /// Names of the techniques to report, a subset of [`TECHNIQUES`].
    pub techniques: Vec<String>,
    /// Number of cases to measure concurrently; more than one is quicker, but times are less
    /// certain.
    pub threads: usize,
}

impl Budget {
    /// All of it, once.
    #[must_use]
    pub fn new(quick: bool) -> Self {
        let techniques = TECHNIQUES.iter().map(|&name| name.to_owned()).collect();
        Self { quick, seed: 1, repeats: 3, techniques, threads: 1 }
    }
}

/// Evaluation of Lasch's simulator.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(super) budget: Budget,
}

/// The unit of work that a killed run may lose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Case(Part);

#[derive(Clone, Copy, Debug, PartialEq)]
enum Part {
    Broad(BroadCase),
    Pairs(PairCase),
    Resolve(ResolveCase),
    Integrators(IntegratorCase),
    Boxes(BoxCase),
}

impl StudyCase for Case {
    fn key(&self) -> String {
        match &self.0 {
            Part::Broad(case) => {
                format!("broad {} {} {}", case.kind.name(), case.bodies, case.seed)
            }
            Part::Pairs(case) => format!("pairs {} {}", case.name(), case.seed),
            Part::Resolve(case) => format!("resolve {} {}", case.name(), case.seed),
            Part::Integrators(case) => {
                format!("integrators {} {}", case.motion.name(), case.seed)
            }
            Part::Boxes(case) => format!("boxes {} {}", case.operation.name(), case.seed),
        }
    }
}

impl Plan {
    /// The plan for a budget.
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        Self { budget }
    }

    /// All cases, in the order of the report.
    #[must_use]
    pub fn cases(&self) -> Vec<Case> {
        let Budget { quick, seed, .. } = self.budget;
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
            Placement::ALL.map(|placement| Part::Pairs(PairCase { solids, placement, pairs, seed }))
        });
        let ratios = [1.0, 10.0, 100.0];
        let (bodies, steps) = if quick { (60, 240) } else { (200, 600) };
        let resolve = [0.0, 0.5, 1.0].into_iter().flat_map(move |restitution| {
            let collisions = ratios.map(|ratio| Event::Collision { ratio });
            let piles = ratios.map(|ratio| Event::Pile { ratio, bodies, steps });
            let events = collisions.into_iter().chain([Event::Bounce]).chain(piles);
            events.map(move |event| Part::Resolve(ResolveCase { event, restitution, seed }))
        });
        let boxes =
            Operation::ALL.map(|operation| Part::Boxes(BoxCase { operation, boxes: BOXES, seed }));
        let integrators =
            Motion::ALL.map(|motion| Part::Integrators(IntegratorCase { motion, seed }));
        let all = broad.chain(pairs).chain(resolve).chain(integrators).chain(boxes);
        all.map(Case).collect()
    }

    /// Parameters that identify a run, by the names of the command line.
    #[must_use]
    pub fn parameters(&self) -> Map<String, Value> {
        let budget = &self.budget;
        let Value::Object(parameters) = json!({
            "quick": budget.quick,
            "seed": budget.seed,
            "repeats": budget.repeats,
            "technique": budget.techniques,
            "threads": budget.threads,
        }) else {
            unreachable!("an object was written")
        };
        parameters
    }

    /// Amount of work of a case, for a progress bar.
    #[must_use]
    pub fn work(&self, case: &Case) -> u64 {
        self.ticks(case) * tick(case)
    }

    /// Number of progress reports of a case.
    fn ticks(&self, case: &Case) -> u64 {
        let repeats = u64::from(self.budget.repeats.max(1));
        match &case.0 {
            Part::Broad(case) => u64::from(case.steps) * (1 + repeats),
            Part::Pairs(case) => case.pairs.into(),
            Part::Resolve(case) => u64::from(case.steps()) * repeats * METHODS.len() as u64,
            Part::Integrators(_) => IntegratorCase::steps() * IntegratorKind::ALL.len() as u64,
            Part::Boxes(_) => 1,
        }
    }

    /// All rows of one case; progress is in units of [`work`](Self::work).
    pub(super) fn measure(&self, case: &Case, context: &RunContext<'_>) -> Vec<Row> {
        let on_progress = |ticks| (context.on_progress)(ticks * tick(case));
        self.rows(case, &RunContext { clock: context.clock, on_progress: &on_progress })
    }

    /// The same; progress is in ticks.
    fn rows(&self, case: &Case, context: &RunContext<'_>) -> Vec<Row> {
        let Budget { repeats, techniques, .. } = &self.budget;
        let is_requested = |name: &str| techniques.iter().any(|technique| technique == name);
        match &case.0 {
            Part::Broad(case) => {
                let broads: Vec<BroadPhase> = BroadPhase::ALL
                    .into_iter()
                    .filter(|broad| is_requested(broad.name()))
                    .collect();
                if broads.is_empty() { Vec::new() } else { case.rows(&broads, *repeats, context) }
            }
            Part::Pairs(case) => {
                let queries: Vec<PairQuery> =
                    PairQuery::ALL.into_iter().filter(|query| is_requested(query.name())).collect();
                if queries.is_empty() { Vec::new() } else { case.rows(&queries, *repeats, context) }
            }
            Part::Resolve(case) => {
                let methods: Vec<&str> =
                    METHODS.into_iter().filter(|name| is_requested(name)).collect();
                case.rows(&methods, *repeats, context)
            }
            Part::Integrators(case) => {
                let integrators: Vec<IntegratorKind> = IntegratorKind::ALL
                    .into_iter()
                    .filter(|kind| is_requested(kind.name()))
                    .collect();
                case.rows(&integrators, context)
            }
            Part::Boxes(case) => {
                let forms: Vec<&str> =
                    FORMS.into_iter().filter(|name| is_requested(name)).collect();
                if forms.is_empty() { Vec::new() } else { case.rows(&forms, *repeats, context) }
            }
        }
    }

    /// All rows, without progress.
    #[cfg(test)]
    pub(super) fn all_rows(&self, wanted: impl Fn(&str) -> bool) -> Vec<Row> {
        use crate::runner::run_context::system_clock;
        let cases = self.cases().into_iter().filter(|case| wanted(&case.key()));
        let context = RunContext { clock: system_clock, on_progress: &|_| {} };
        cases.flat_map(|case| self.rows(&case, &context)).collect()
    }
}

/// Approximate cost of one tick of a case in microseconds, for the progress bar.
fn tick(case: &Case) -> u64 {
    match &case.0 {
        Part::Broad(case) => u64::from(case.bodies) * 20 + u64::from(case.bodies).pow(2) / 500,
        Part::Pairs(case) if case.solids == TESTS[5] => 3_000,
        Part::Pairs(_) => 300,
        Part::Resolve(case) => match case.event {
            Event::Pile { bodies, .. } => u64::from(bodies) * 4,
            _ => 5,
        },
        Part::Integrators(_) => 1,
        Part::Boxes(_) => 100_000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn technique_names_are_complete_and_case_keys_are_unique() {
        let broads = BroadPhase::ALL.map(BroadPhase::name);
        let queries = PairQuery::ALL.map(PairQuery::name);
        let integrators = IntegratorKind::ALL.map(IntegratorKind::name);
        let all = broads.into_iter().chain(queries).chain(METHODS).chain(integrators).chain(FORMS);
        assert_eq!(all.collect::<Vec<&str>>(), TECHNIQUES);
        for quick in [true, false] {
            let plan = Plan::new(Budget::new(quick));
            let mut keys: Vec<String> = plan.cases().iter().map(StudyCase::key).collect();
            let count = keys.len();
            assert!(count >= 3 * 3 + 18 + 3 * 7, "{count}");
            keys.sort();
            keys.dedup();
            assert_eq!(keys.len(), count);
        }
    }

    #[test]
    fn broad_phases_and_pair_tests_agree_with_the_reference() {
        let plan = Plan::new(Budget::new(true));
        let rows = plan.all_rows(|key| {
            key.starts_with("broad") && key.contains(" 100 ") || key.starts_with("pairs sphere-")
        });
        assert_eq!(rows.len(), 3 * 10 + 9 * 3);
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
    fn energy_and_momentum_of_collisions_equal_the_theory_and_positions_are_inelastic() {
        let plan = Plan::new(Budget::new(true));
        let rows = plan.all_rows(|key| key.starts_with("resolve collision"));
        assert_eq!(rows.len(), 9 * 3);
        for row in rows {
            let (drift, momentum) =
                (row.energy_drift_percent.unwrap(), row.momentum_error.unwrap());
            assert!(momentum < 1e-5, "{row:?}");
            // Without restitution: e² of the energy of the relative motion is missing.
            let number = |key: &str| -> f64 {
                let value = row.case.split(' ').find_map(|word| word.strip_prefix(key));
                value.unwrap().parse().unwrap()
            };
            let missing = 100.0 * number("e=").powi(2) / (1.0 + number("m="));
            let expected = if row.technique == "positions" { -missing } else { 0.0 };
            assert!((drift - expected).abs() < 1e-3, "{expected}: {row:?}");
        }
    }
}
