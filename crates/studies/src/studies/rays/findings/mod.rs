//! Published findings of Lorenzi 2014 ("Results" in `docs/studies.md`), confirmed or refuted.
//!
//! Shares of triangles do not depend on the machine: they must lie in a narrow band. Ratios of
//! times do: they must lie on the same side of 1 and within a quarter of the published figure in
//! every repeat, and are undecided where the spread of the repeats is wider. The artists' models
//! are lost: their stand-ins were built to fit and decide nothing. A claim over all sizes is
//! refuted by one size, and confirmed only by all 30; with some of them it is undecided.

mod costs;
mod models;
#[cfg(test)]
mod tests;
mod times;

use embate_replica::lorenzi2014::OctreeAffinity;
use embate_report::{Finding, FindingKind, Verdict};

use super::case_rows::{CITY, CaseRows, FAMILIES, HOUSE, published_sizes};
use super::report_text::{ReportText, sentences};
use super::row::{PUBLISHED_LEVELS, Row};
use crate::runner::run_folder::RunInfo;
use crate::studies::timing_spread;

const LOW: &str = FAMILIES[0];
const MEDIUM: &str = FAMILIES[1];
const HIGH: &str = FAMILIES[2];

/// How near a figure that depends on the machine must come to the published one.
pub(super) const NEAR: f64 = 0.25;

/// Gains below this do not pay for a second structure. Ours: the study calls 1.07× no reason to use
/// an octree, and names no number of its own.
pub(super) const WORTHWHILE: f64 = 1.25;

/// "A few thousand": where the study's octree begins to win on triangles of high affinity. The
/// number is Embate's.
const FEW_THOUSAND: u32 = 3_000;

/// Minimum number of artists' models for a verdict about such models. Ours: the study has two.
pub(super) const MIN_MODELS: usize = 3;

/// The size at which the study states its ratios.
const STATED_SIZE: u32 = 10_000;

/// What the study printed about a case.
#[derive(Clone, Copy, Debug)]
pub(super) struct Published {
    /// Our name for the case.
    pub(super) case: &'static str,
    /// Mean share of triangles tested, in percent.
    pub(super) tested: f64,
    /// Triangles and how many times faster than basic detection the octree is there.
    pub(super) speedup: Option<(u32, f64)>,
}

/// The study's table of results.
pub(super) const PUBLISHED: [Published; 5] = [
    Published { case: LOW, tested: 98.95, speedup: None },
    Published { case: MEDIUM, tested: 66.45, speedup: Some((STATED_SIZE, 1.07)) },
    Published { case: HIGH, tested: 15.91, speedup: Some((STATED_SIZE, 2.3)) },
    Published { case: HOUSE, tested: 40.91, speedup: Some((1_567, 1.0 / 2.73)) },
    Published { case: CITY, tested: 12.35, speedup: Some((118_026, 5.2)) },
];

/// What the study printed about a case; `None` for a user's mesh.
pub(super) fn published(case: &str) -> Option<&'static Published> {
    PUBLISHED.iter().find(|published| published.case == case)
}

/// Every published finding, in the study's order. Claims about the study's cases are judged on
/// `cases`, the claim about artists' models on the other meshes of `all`.
pub(super) fn findings(
    cases: CaseRows<'_>,
    all: CaseRows<'_>,
    info: &RunInfo,
    text: ReportText,
) -> Vec<Finding> {
    let mut findings = vec![
        mean_tested("tested-low", cases, text, LOW, 0.3),
        mean_tested("tested-medium", cases, text, MEDIUM, 0.5),
        mean_tested("tested-high", cases, text, HIGH, 0.3),
        times::slower_everywhere("low-slower", cases, text),
        times::faster_from("medium-faster-from", cases, text, MEDIUM, 8_000),
        times::ratio_at_stated_size("medium-ratio", cases, text, MEDIUM, 1.07),
        times::faster_from("high-faster-from", cases, text, HIGH, 3_000),
        times::ratio_at_stated_size("high-ratio", cases, text, HIGH, 2.3),
        times::growth("high-growth", cases, text),
        times::stand_in("house-slower", cases, text, HOUSE),
        times::stand_in("city-faster", cases, text, CITY),
        no_errors("no-errors", cases, text),
        no_octree_for_low_and_medium("no-octree-low-medium", cases, text),
        no_octree_for_few("no-octree-few", cases, text),
        models::affinity("models-affinity", all, text),
        costs::traversal("traversal-negligible", cases, text),
        costs::many_rays("many-rays", cases, text),
        models::affinity_by_size("affinity-by-size", all, text),
    ];
    let depth = info.parameters.get("depth").and_then(serde_json::Value::as_u64);
    if let Some(depth) = depth.filter(|depth| *depth != PUBLISHED_LEVELS as u64) {
        // Another tree than the published one: its figures are shown without a verdict.
        for finding in findings.iter_mut().filter(|finding| finding.verdict != Verdict::NotRun) {
            finding.verdict = Verdict::Undecided;
            finding.note = text.other_depth(depth);
        }
    }
    findings
}

/// Source of the published findings.
pub(super) const SOURCE: &str = "Lorenzi 2014";

/// A finding that the study states in this part of its text.
fn stated(id: &'static str, place: String) -> Finding {
    Finding::new(id, FindingKind::Published, SOURCE, place)
}

fn mean_tested(
    id: &'static str,
    cases: CaseRows<'_>,
    text: ReportText,
    case: &str,
    band: f64,
) -> Finding {
    let figure = published(case).map_or(f64::NAN, |published| published.tested);
    let ours = cases.mean_tested(case);
    let verdict = match ours {
        Some(ours) if cases.is_complete(case) => Verdict::of((ours - figure).abs() <= band),
        Some(_) => Verdict::Undecided,
        None => Verdict::NotRun,
    };
    Finding {
        claim: text.claim_tested(case),
        published: text.percent(figure),
        ours: text.or_not_run(ours.map(|ours| text.percent(ours))),
        verdict,
        note: sentences(&[text.rule_band(band), incomplete(cases, text, case)]),
        ..stated(id, text.place_of_table())
    }
}

fn no_errors(id: &'static str, cases: CaseRows<'_>, text: ReportText) -> Finding {
    let errors: u64 = cases.study_octree().map(|row| row.errors).sum();
    let rays: u64 = cases.study_octree().map(|row| u64::from(row.rays)).sum();
    let was_run = rays > 0;
    Finding {
        claim: text.claim_no_errors(),
        published: text.errors_of(0, None),
        ours: text.or_not_run(was_run.then(|| text.errors_of(errors, Some(rays)))),
        verdict: if was_run { Verdict::of(errors == 0) } else { Verdict::NotRun },
        note: text.rule_errors(),
        ..stated(id, text.place_of_table())
    }
}

fn no_octree_for_low_and_medium(
    id: &'static str,
    cases: CaseRows<'_>,
    text: ReportText,
) -> Finding {
    let unsuited = |case: &str| {
        matches!(cases.affinity(case), Some(OctreeAffinity::Low | OctreeAffinity::Medium))
    };
    let rows = || cases.study_octree().filter(|row| unsuited(&row.case));
    let best = fastest(rows());
    let complete = cases.is_complete(LOW) && cases.is_complete(MEDIUM);
    let verdict = no_gain(rows(), cases, complete);
    Finding {
        claim: text.claim_no_octree_low_medium(),
        published: text.no_gain_published(),
        ours: text.or_not_run(best.map(|row| at_best(row, text))),
        note: times::with_reason(text.rule_worthwhile(), verdict, complete, text),
        verdict,
        ..stated(id, text.place_of_conclusion())
    }
}

fn no_octree_for_few(id: &'static str, cases: CaseRows<'_>, text: ReportText) -> Finding {
    let rows = || cases.study_octree().filter(|row| row.triangles < FEW_THOUSAND);
    let best = fastest(rows());
    let complete = FAMILIES.iter().all(|family| cases.is_complete(family));
    let verdict = no_gain(rows(), cases, complete);
    let note = sentences(&[text.rule_few(FEW_THOUSAND), text.rule_worthwhile()]);
    Finding {
        claim: text.claim_no_octree_few(),
        published: text.no_gain_few_published(),
        ours: text.or_not_run(best.map(|row| at_best(row, text))),
        note: times::with_reason(note, verdict, complete, text),
        verdict,
        ..stated(id, text.place_of_conclusion())
    }
}

/// Refuted by one worthwhile gain, confirmed only by a complete run without any.
fn no_gain<'a>(
    rows: impl Iterator<Item = &'a Row>,
    cases: CaseRows<'_>,
    complete: bool,
) -> Verdict {
    let of_row = |row| timing_spread::verdict(cases.speedup_range(row), [0.0, WORTHWHILE]);
    Verdict::over_all(rows.map(of_row), complete)
}

fn at_best(row: &Row, text: ReportText) -> String {
    text.at_best(row.speedup_over_brute, f64::from(row.triangles), &row.case)
}

fn fastest<'a>(rows: impl Iterator<Item = &'a Row>) -> Option<&'a Row> {
    rows.max_by(|one, other| one.speedup_over_brute.total_cmp(&other.speedup_over_brute))
}

fn incomplete(cases: CaseRows<'_>, text: ReportText, case: &str) -> String {
    let run = cases.published_sizes_run(case);
    if run == 0 || cases.is_complete(case) {
        return String::new();
    }
    text.sizes_run(run, published_sizes().count())
}
