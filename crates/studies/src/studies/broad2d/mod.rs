//! 2D broad phase of Gonçales et al. 2016: grid against brute force with many moving objects.

mod capacity;
mod charts;
mod coherence;
mod custom_charts;
mod findings;
pub mod plan;
pub mod published;
mod report;
#[cfg(test)]
mod sample_rows;
mod table;

use embate_report::language::Language;
use embate_report::{Report, Table};
use embate_scene::generators::MovingWorld;

use crate::runner::run_folder::RunInfo;
use crate::studies::labels;
use crate::studies::moving_worlds::coherent_detector::coherence_detector;
use crate::studies::moving_worlds::detector::Detector;
use crate::studies::moving_worlds::measure::Candidate;
use crate::studies::moving_worlds::{MovingWorldStudy, Plan, Row, Scene};
use crate::study_kind::StudyKind;

/// Label of a technique.
fn label(technique: &str, language: Language) -> String {
    labels::technique(StudyKind::Broad2d, technique, language)
}

impl MovingWorldStudy<2> for Plan<2> {
    fn detector(
        &self,
        candidate: &Candidate,
        scene: &Scene<2>,
        world: &MovingWorld<2>,
    ) -> Box<dyn Detector<2>> {
        coherence_detector(candidate.technique)
            .unwrap_or_else(|| plan::detector(candidate, scene, world))
    }

    fn terminal_tables(&self, rows: &[Row], language: Language) -> Vec<Table> {
        table::terminal_tables(rows, language)
    }

    fn report(&self, rows: &[Row], info: &RunInfo, language: Language) -> Report {
        report::report(rows, info, language)
    }
}
