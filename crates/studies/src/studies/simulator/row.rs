//! Row: one measurement in a running world.

use std::io;

use serde::{Deserialize, Serialize};

use super::stages::Stages;
use crate::studies::number_format::float;

/// One case and technique: a line of `results.csv`, and part of a journal's record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// `broad`, `pairs`, `resolve`, `integrators` or `boxes`.
    pub part: String,
    /// World, pair of shapes with their distance, event, motion, or operation on boxes.
    pub case: String,
    /// Broad phase, pair query, method, integrator or box form.
    pub technique: String,
    /// Number of bodies in the world.
    pub bodies: u32,
    /// Number of steps or tested pairs.
    pub steps: u32,
    /// Seed of the world.
    pub seed: u64,
    /// Mean number of overlap tests of the broad phase.
    pub tests_per_step: Option<f64>,
    /// Mean number of pairs found.
    pub pairs_per_step: Option<f64>,
    /// Mean number of pairs in contact; for pair tests, the share in contact.
    pub contacts_per_step: Option<f64>,
    /// Mean time of each stage of a step; for pair tests, of one test.
    pub ms: Stages,
    /// Deviation of the energy from its expected value, in percent of the initial energy.
    pub energy_drift_percent: Option<f64>,
    /// Change of the momentum as a share of the initial momentum.
    pub momentum_error: Option<f64>,
    /// Penetration in meters; for pair tests, the error of the distance.
    pub mean_penetration: Option<f64>,
    /// Maximum of the same quantity.
    pub max_penetration: Option<f64>,
    /// Number of steps whose result differs from brute force; for pair tests, of wrong results.
    pub disagreements: Option<u64>,
    /// Time step in seconds; of the integrators, as the next three.
    #[serde(default)]
    pub time_step: Option<f64>,
    /// Maximum deviation of the energy from the initial one, in percent of it.
    #[serde(default)]
    pub max_energy_error_percent: Option<f64>,
    /// Time by which the phase at the end is ahead of the closed form, in ms.
    #[serde(default)]
    pub phase_error_ms: Option<f64>,
    /// Distance from the closed form after 3/8 s, in meters.
    #[serde(default)]
    pub position_error: Option<f64>,
    /// Speed of the bodies at the end of a pile, in m/s. For the report only.
    pub speed_at_end: Option<f64>,
    /// Nanoseconds of a box operation in each repeat. For the report only.
    #[serde(default)]
    pub ns_readings: Vec<f64>,
}

/// The columns of `results.csv`: a contract, because scripts read them.
pub const RESULTS_HEADER: [&str; 22] = [
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
    "time_step",
    "max_energy_error_percent",
    "phase_error_ms",
    "position_error",
];

/// `results.csv` as text, one line a row, in the order given.
///
/// # Errors
/// None in practice: the text is made in memory.
pub(super) fn results_csv(rows: &[Row]) -> io::Result<Vec<u8>> {
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
            float(row.time_step),
            float(row.max_energy_error_percent),
            float(row.phase_error_ms),
            float(row.position_error),
        ])?;
    }
    csv.into_inner().map_err(csv::IntoInnerError::into_error)
}
