//! Findings of Gonçales et al. 2016, of authors whom it cites, and of this repetition, confirmed or
//! refuted.
//!
//! Counts do not depend on the machine: brute force must agree exactly, the grid within 5 % of the
//! published single run, as a mean of at least five worlds. Times depend on it: only their order is
//! compared, world by world, and a difference within the spread decides nothing. A claim over all
//! sizes is refuted by one size, and undecided while sizes are missing.

mod cells;
mod counts;
mod objects;
#[cfg(test)]
mod tests;

use embate_report::language::Language;
use embate_report::{Finding, FindingKind, Verdict};
use embate_scene::generators::Bounds;

use crate::studies::moving_worlds::row::Summaries;
use crate::studies::timing_spread;

const STUDY: &str = "Gonçales et al. 2016";

/// Every finding: published ones in the study's order, cited ones, those of this repetition.
pub(super) fn findings(summaries: &Summaries<'_>, language: Language) -> Vec<Finding> {
    vec![
        counts::brute_tests(summaries, language),
        counts::grid_tests(summaries, Bounds::Aabb, language),
        counts::grid_tests(summaries, Bounds::Circle, language),
        cells::best_cell(summaries, language),
        objects::few_objects(summaries, language),
        objects::many_objects(summaries, language),
        objects::circles_everywhere(summaries, language),
        objects::boxes_with_few(summaries, language),
        cells::cell_rule_of_hastings(summaries, language),
        cells::memory(summaries, language),
        cells::missed_pairs(summaries, language),
    ]
}

/// A finding that the study states in this part of its text.
fn published(id: &'static str, place: String) -> Finding {
    Finding::new(id, FindingKind::Published, STUDY, place)
}

/// A finding that the study cites from Hastings, Mesit and Guha.
fn cited(id: &'static str, language: Language) -> Finding {
    let source = language.text(
        format!("Hastings et al. 2005, cited by {STUDY}"),
        format!("Hastings et al. 2005, citados por {STUDY}"),
    );
    let place = language.text("rules for the cell size", "regras para o tamanho da célula");
    Finding::new(id, FindingKind::Cited, source, place)
}

/// A finding of this repetition.
fn found_here(id: &'static str) -> Finding {
    Finding::new(id, FindingKind::FoundHere, "Embate", "")
}

/// Place of a finding in the study's table of experiment 2.
fn table_of_experiment_2(language: Language) -> String {
    language.text("experiment 2, table", "experimento 2, tabela")
}

/// The finding with its measured value and verdict; *not run* without.
fn measured(finding: Finding, measured: Option<(String, Verdict)>, language: Language) -> Finding {
    let not_run =
        || (language.text("not part of this run", "fora desta execução"), Verdict::NotRun);
    let (ours, verdict) = measured.unwrap_or_else(not_run);
    Finding { ours, verdict, ..finding }
}

/// A note on a claim over all sizes, with the reason why it is undecided.
fn note_with_reason(note: String, verdict: Verdict, is_complete: bool, lang: Language) -> String {
    match (verdict, is_complete) {
        (Verdict::Undecided, true) => {
            format!("{note} {}", timing_spread::wider_than_margin(lang))
        }
        (Verdict::Undecided, false) => {
            let reason = lang.text(
                "Incomplete: some of the published sizes were not run.",
                "Incompleto: alguns dos tamanhos publicados não foram executados.",
            );
            format!("{note} {reason}")
        }
        _ => note,
    }
}
