//! 3D broad phases of Lasch: an octree of static objects against a sweep over all.

mod charts;
mod findings;
pub mod plan;
mod report;
mod table;

use embate_report::language::Language;
use embate_report::{Report, Table};
use embate_scene::generators::MovingWorld;

use crate::runner::run_folder::RunInfo;
use crate::studies::labels;
use crate::studies::moving_worlds::detector::Detector;
use crate::studies::moving_worlds::measure::Candidate;
use crate::studies::moving_worlds::{MovingWorldStudy, Plan, Row, Scene};
use crate::study_kind::StudyKind;

/// Label of a technique.
fn label(technique: &str, language: Language) -> String {
    labels::technique(StudyKind::Broad3d, technique, language)
}

/// Label of a kind of world.
fn world(case: &str, language: Language) -> String {
    labels::case(StudyKind::Broad3d, case, language)
}

impl MovingWorldStudy<3> for Plan<3> {
    fn detector(
        &self,
        candidate: &Candidate,
        scene: &Scene<3>,
        world: &MovingWorld<3>,
    ) -> Box<dyn Detector<3>> {
        plan::detector(candidate, scene, world)
    }

    fn terminal_tables(&self, rows: &[Row], language: Language) -> Vec<Table> {
        table::terminal_tables(rows, language)
    }

    fn report(&self, rows: &[Row], info: &RunInfo, language: Language) -> Report {
        report::report(rows, info, language)
    }
}
