//! What one measurement inside a running world says.

use std::io;

use serde::{Deserialize, Serialize};

use super::stages::Stages;
use crate::studies::figures::float;

/// One case and technique: a line of `results.csv`, and part of a journal's record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// `broad`, `pairs` or `resolve`.
    pub part: String,
    /// The world, the pair of shapes and how they stand, or the event.
    pub case: String,
    /// The broad phase, the question asked of a pair, or the method.
    pub technique: String,
    /// Bodies in the world.
    pub bodies: u32,
    /// Steps, or pairs tested.
    pub steps: u32,
    /// Seed of the world.
    pub seed: u64,
    /// Pairs of boxes that the broad phase tested, mean.
    pub tests_per_step: Option<f64>,
    /// Pairs that it told, mean.
    pub pairs_per_step: Option<f64>,
    /// Pairs that touch, mean; of the pair tests, the share that does.
    pub contacts_per_step: Option<f64>,
    /// How long each stage of a step took, mean; of the pair tests, one test.
    pub ms: Stages,
    /// What the energy is more or less than it should be, as a share of what there was.
    pub energy_drift_percent: Option<f64>,
    /// What the momentum changed by, as a share of what there was.
    pub momentum_error: Option<f64>,
    /// How deep bodies reach into each other, in metres; of the pair tests, how far the told distance is off.
    pub mean_penetration: Option<f64>,
    /// The largest of the same.
    pub max_penetration: Option<f64>,
    /// Steps that ended otherwise than with brute force; of the pair tests, answers that are wrong.
    pub disagreements: Option<u64>,
    /// How fast bodies still move at the end of a pile, in m/s. For the report alone.
    pub speed_at_end: Option<f64>,
}

/// The columns of `results.csv`: a contract, because scripts read them.
pub const RESULTS_HEADER: [&str; 18] = [
    "part",
    "case",
    "technique",
    "bodies",
    "steps",
    "seed",
    "tests_per_step",
    "pairs_per_step",
    "contacts_per_step",
    "ms_move",
    "ms_broad",
    "ms_narrow",
    "ms_resolve",
    "energy_drift_percent",
    "momentum_error",
    "mean_penetration",
    "max_penetration",
    "disagreements",
];

/// `results.csv` as text, one line a row, in the order given.
///
/// # Errors
/// None in practice: the text is made in memory.
pub fn results_csv(rows: &[Row]) -> io::Result<Vec<u8>> {
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(RESULTS_HEADER)?;
    for row in rows {
        csv.write_record([
            row.part.clone(),
            row.case.clone(),
            row.technique.clone(),
            row.bodies.to_string(),
            row.steps.to_string(),
            row.seed.to_string(),
            float(row.tests_per_step),
            float(row.pairs_per_step),
            float(row.contacts_per_step),
            float(row.ms.moving),
            float(row.ms.broad),
            float(row.ms.narrow),
            float(row.ms.resolve),
            float(row.energy_drift_percent),
            float(row.momentum_error),
            float(row.mean_penetration),
            float(row.max_penetration),
            row.disagreements.map_or(String::new(), |count| count.to_string()),
        ])?;
    }
    csv.into_inner().map_err(csv::IntoInnerError::into_error)
}
