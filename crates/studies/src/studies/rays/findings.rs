//! Published findings of Lorenzi 2014 ("Results" in `docs/studies.md`), confirmed or refuted.
//!
//! Shares of triangles do not depend on the machine: they must lie in a narrow band. Ratios of
//! times do: they must lie on the same side of 1 and within a quarter of the published figure. The
//! artists' models are lost: on their stand-ins only the direction is compared. A claim over all
//! sizes is refuted by one size, and confirmed only by all 30; with some of them it is undecided.

use embate_replica::lorenzi2014::OctreeAffinity;
use embate_report::{Finding, Verdict};

use super::case_rows::{CITY, CaseRows, FAMILIES, HOUSE, STUDY_OCTREE, published_sizes};
use super::report_text::{ReportText, sentences};
use super::row::{PUBLISHED_LEVELS, Row};
use crate::runner::run_folder::RunInfo;
use crate::statistics;

const LOW: &str = FAMILIES[0];
const MEDIUM: &str = FAMILIES[1];
const HIGH: &str = FAMILIES[2];

/// How near a figure that depends on the machine must come to the published one.
pub(super) const NEAR: f64 = 0.25;

/// Gains below this do not pay for a second structure. Ours: the study calls 1.07× no reason to use
/// an octree, and names no number of its own.
pub(super) const WORTHWHILE: f64 = 1.25;

/// "A few thousand": where the study's octree begins to win on triangles of high affinity.
const FEW_THOUSAND: u32 = 3_000;

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

/// Every published finding, in the study's order.
pub(super) fn findings(cases: CaseRows<'_>, info: &RunInfo, text: ReportText) -> Vec<Finding> {
    let mut findings = vec![
        mean_tested(cases, text, LOW, 0.3),
        mean_tested(cases, text, MEDIUM, 0.5),
        mean_tested(cases, text, HIGH, 0.3),
        slower_everywhere(cases, text),
        faster_from(cases, text, MEDIUM, 8_000),
        ratio_at_stated_size(cases, text, MEDIUM, 1.07),
        faster_from(cases, text, HIGH, 3_000),
        ratio_at_stated_size(cases, text, HIGH, 2.3),
        growth(cases, text),
        stand_in(cases, text, HOUSE),
        stand_in(cases, text, CITY),
        no_errors(cases, text),
        no_octree_for_low_and_medium(cases, text),
        no_octree_for_few(cases, text),
        affinity_of_models(cases, text),
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

fn mean_tested(cases: CaseRows<'_>, text: ReportText, case: &str, band: f64) -> Finding {
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
    }
}

fn slower_everywhere(cases: CaseRows<'_>, text: ReportText) -> Finding {
    let ratios = cases.points(LOW, STUDY_OCTREE, |row| row.speedup_over_brute);
    let fastest = largest(&ratios);
    let verdict = match fastest {
        Some((_, ratio)) if ratio >= 1.0 => Verdict::NotConfirmed,
        Some((_, ratio)) if ratio < 1.0 && cases.is_complete(LOW) => Verdict::Confirmed,
        Some(_) => Verdict::Undecided,
        None => Verdict::NotRun,
    };
    Finding {
        claim: text.claim_low_slower(),
        published: text.slower_at_every_size(),
        ours: text.or_not_run(fastest.map(|(size, ratio)| text.at_best(ratio, size, LOW))),
        note: match verdict {
            // One size is enough to refute it.
            Verdict::NotConfirmed => String::new(),
            _ => incomplete(cases, text, LOW),
        },
        verdict,
    }
}

fn faster_from(cases: CaseRows<'_>, text: ReportText, case: &str, figure: u32) -> Finding {
    let ratios = cases.points(case, STUDY_OCTREE, |row| row.speedup_over_brute);
    let last_slow = ratios.iter().rposition(|(_, ratio)| ratio.is_nan() || *ratio <= 1.0);
    let from = ratios.get(last_slow.map_or(0, |index| index + 1)).map(|(size, _)| *size);
    let is_near = |size: f64| near(size, f64::from(figure));
    let verdict = if cases.is_complete(case) {
        Verdict::of(from.is_some_and(is_near))
    } else if ratios.is_empty() {
        Verdict::NotRun
    } else {
        Verdict::Undecided
    };
    let ours = match from {
        _ if ratios.is_empty() => text.not_run(),
        Some(size) if last_slow.is_none() => text.faster_at_every_size(size as u32),
        Some(size) => text.faster_from(size as u32),
        None => text.never_faster(),
    };
    Finding {
        claim: text.claim_faster_from(case, figure),
        published: text.faster_from_about(figure),
        ours,
        verdict,
        note: sentences(&[text.rule_near(), incomplete(cases, text, case)]),
    }
}

fn ratio_at_stated_size(cases: CaseRows<'_>, text: ReportText, case: &str, figure: f64) -> Finding {
    let row = cases.get(case, STUDY_OCTREE, STATED_SIZE);
    let ours = row.map(|row| row.speedup_over_brute);
    let agrees = |ratio: f64| near(ratio, figure) && (ratio > 1.0) == (figure > 1.0);
    let verdict = match ours {
        Some(ratio) => Verdict::of(agrees(ratio)),
        None if cases.sizes(case).is_empty() => Verdict::NotRun,
        None => Verdict::Undecided,
    };
    Finding {
        claim: text.claim_ratio(case, STATED_SIZE),
        published: text.against(figure),
        ours: text.or_not_run(ours.map(|ratio| text.against(ratio))),
        verdict,
        note: text.rule_near_and_side(),
    }
}

/// "The ratio grows by 1 every 4,000 triangles": the slope of a line through all sizes.
fn growth(cases: CaseRows<'_>, text: ReportText) -> Finding {
    const TRIANGLES_PER_UNIT: f64 = 4_000.0;
    let ratios = cases.points(HIGH, STUDY_OCTREE, |row| row.speedup_over_brute);
    let slope = statistics::slope(&ratios);
    let verdict = match slope {
        Some(slope) if cases.is_complete(HIGH) => {
            Verdict::of(near(1.0 / slope, TRIANGLES_PER_UNIT))
        }
        _ if ratios.is_empty() => Verdict::NotRun,
        _ => Verdict::Undecided,
    };
    let ours =
        slope.map(
            |slope| {
                if slope > 0.0 { text.grows_every(1.0 / slope) } else { text.does_not_grow() }
            },
        );
    Finding {
        claim: text.claim_growth(),
        published: text.grows_every(TRIANGLES_PER_UNIT),
        ours: text.or_not_run(ours),
        verdict,
        note: sentences(&[text.rule_near(), incomplete(cases, text, HIGH)]),
    }
}

fn stand_in(cases: CaseRows<'_>, text: ReportText, case: &str) -> Finding {
    let row = cases.of(case, STUDY_OCTREE).next();
    let figure = published(case);
    let published_faster = case == CITY;
    let show = |tested: f64, ratio: f64, triangles: u32| {
        format!("{}; {}; {}", text.triangles(triangles), text.tested(tested), text.against(ratio))
    };
    let published = figure.and_then(|figure| {
        figure.speedup.map(|(triangles, ratio)| show(figure.tested, ratio, triangles))
    });
    let ours = row.map(|row| show(row.tested_percent, row.speedup_over_brute, row.triangles));
    Finding {
        claim: text.claim_stand_in(case),
        published: text.or_not_run(published),
        ours: text.or_not_run(ours),
        verdict: row.map_or(Verdict::NotRun, |row| {
            Verdict::of((row.speedup_over_brute > 1.0) == published_faster)
        }),
        note: text.stand_in_note(case),
    }
}

fn no_errors(cases: CaseRows<'_>, text: ReportText) -> Finding {
    let errors: u64 = cases.study_octree().map(|row| row.errors).sum();
    let rays: u64 = cases.study_octree().map(|row| u64::from(row.rays)).sum();
    let was_run = rays > 0;
    Finding {
        claim: text.claim_no_errors(),
        published: text.errors_of(0, None),
        ours: text.or_not_run(was_run.then(|| text.errors_of(errors, Some(rays)))),
        verdict: if was_run { Verdict::of(errors == 0) } else { Verdict::NotRun },
        note: text.rule_errors(),
    }
}

fn no_octree_for_low_and_medium(cases: CaseRows<'_>, text: ReportText) -> Finding {
    let unsuited = |case: &str| {
        matches!(cases.affinity(case), Some(OctreeAffinity::Low | OctreeAffinity::Medium))
    };
    let best = fastest(cases.study_octree().filter(|row| unsuited(&row.case)));
    let complete = cases.is_complete(LOW) && cases.is_complete(MEDIUM);
    Finding {
        claim: text.claim_no_octree_low_medium(),
        published: text.no_gain_published(),
        ours: text.or_not_run(best.map(|row| at_best(row, text))),
        verdict: no_gain(best, complete),
        note: text.rule_worthwhile(),
    }
}

fn no_octree_for_few(cases: CaseRows<'_>, text: ReportText) -> Finding {
    let best = fastest(cases.study_octree().filter(|row| row.triangles < FEW_THOUSAND));
    Finding {
        claim: text.claim_no_octree_few(FEW_THOUSAND),
        published: text.no_gain_few_published(),
        ours: text.or_not_run(best.map(|row| at_best(row, text))),
        verdict: no_gain(best, FAMILIES.iter().all(|family| cases.is_complete(family))),
        note: text.rule_worthwhile(),
    }
}

fn affinity_of_models(cases: CaseRows<'_>, text: ReportText) -> Finding {
    let classes: Vec<_> =
        cases.meshes().into_iter().filter_map(|case| Some((case, cases.affinity(case)?))).collect();
    let high = classes.iter().filter(|(_, class)| *class == OctreeAffinity::High).count();
    let low = classes.iter().filter(|(_, class)| *class == OctreeAffinity::Low).count();
    let ours: Vec<_> = classes.iter().map(|(case, class)| text.affinity_of(case, *class)).collect();
    let was_run = !classes.is_empty();
    Finding {
        claim: text.claim_models_high(),
        published: text.affinity_published(),
        ours: text.or_not_run(was_run.then(|| ours.join("; "))),
        verdict: if was_run {
            Verdict::of(low == 0 && high * 2 >= classes.len())
        } else {
            Verdict::NotRun
        },
        note: text.rule_models(),
    }
}

/// Refuted by one worthwhile gain, confirmed only by a complete run without any.
fn no_gain(best: Option<&Row>, complete: bool) -> Verdict {
    match best {
        Some(row) if row.speedup_over_brute >= WORTHWHILE => Verdict::NotConfirmed,
        Some(row) if row.speedup_over_brute < WORTHWHILE && complete => Verdict::Confirmed,
        Some(_) => Verdict::Undecided,
        None => Verdict::NotRun,
    }
}

fn at_best(row: &Row, text: ReportText) -> String {
    text.at_best(row.speedup_over_brute, f64::from(row.triangles), &row.case)
}

fn fastest<'a>(rows: impl Iterator<Item = &'a Row>) -> Option<&'a Row> {
    rows.max_by(|one, other| one.speedup_over_brute.total_cmp(&other.speedup_over_brute))
}

fn largest(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    points.iter().copied().max_by(|one, other| one.1.total_cmp(&other.1))
}

fn near(ours: f64, figure: f64) -> bool {
    (ours - figure).abs() <= NEAR * figure
}

fn incomplete(cases: CaseRows<'_>, text: ReportText, case: &str) -> String {
    let run = cases.published_sizes_run(case);
    if run == 0 || cases.is_complete(case) {
        return String::new();
    }
    text.sizes_run(run, published_sizes().count())
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, json};

    use super::super::sample_rows;
    use super::*;
    use embate_report::language::Language;

    fn verdicts(rows: &[Row], parameters: &serde_json::Value) -> Vec<Verdict> {
        let parameters = parameters.as_object().cloned().unwrap_or_else(Map::new);
        let info = RunInfo::new("rays", parameters, 1, Language::English);
        let findings = findings(CaseRows::new(rows), &info, ReportText(Language::English));
        findings.iter().map(|finding| finding.verdict).collect()
    }

    #[test]
    fn published_values_confirm_every_finding() {
        let found = verdicts(&sample_rows::published(), &json!({"depth": 6}));
        assert_eq!(found.iter().filter(|v| **v == Verdict::Confirmed).count(), 15, "{found:?}");
    }

    #[test]
    fn findings_without_rows_are_not_run() {
        for parameters in [json!({}), json!({"depth": 4})] {
            assert!(verdicts(&[], &parameters).iter().all(|v| *v == Verdict::NotRun));
        }
    }

    #[test]
    fn seven_sizes_leave_a_claim_about_thirty_sizes_undecided() {
        let found = verdicts(&sample_rows::quick(), &json!({}));
        assert_eq!(found[..4], [Verdict::Undecided; 4]);
        assert!(!found.contains(&Verdict::NotRun), "{found:?}");
        // Ratios at 10,000, both stand-ins and errors need no other size.
        for single in [5, 7, 9, 10, 11] {
            assert_eq!(found[single], Verdict::Confirmed, "finding {single}");
        }
    }

    #[test]
    fn one_size_refutes_a_claim_about_all_sizes() {
        let mut rows = sample_rows::quick();
        let low = rows.iter_mut().find(|row| row.case == LOW && row.technique == STUDY_OCTREE);
        low.unwrap().speedup_over_brute = 1.3;
        let found = verdicts(&rows, &json!({}));
        assert_eq!(found[3], Verdict::NotConfirmed);
        assert_eq!(found[12], Verdict::NotConfirmed);
    }

    #[test]
    fn mean_outside_its_band_and_wrong_hits_refute_a_claim() {
        let mut rows = sample_rows::published();
        for row in rows.iter_mut().filter(|row| row.case == HIGH) {
            row.tested_percent += 0.5;
        }
        let octree = rows.iter_mut().find(|row| row.technique == STUDY_OCTREE).unwrap();
        octree.errors = 1;
        let found = verdicts(&rows, &json!({}));
        assert_eq!((found[2], found[11]), (Verdict::NotConfirmed, Verdict::NotConfirmed));
        assert_eq!(found[0], Verdict::Confirmed);
    }

    #[test]
    fn ratio_near_one_must_be_on_the_published_side() {
        let mut rows = sample_rows::published();
        for row in rows.iter_mut().filter(|row| row.case == MEDIUM) {
            row.speedup_over_brute = 0.99;
        }
        assert_eq!(verdicts(&rows, &json!({}))[5], Verdict::NotConfirmed);
    }

    #[test]
    fn findings_at_another_octree_depth_are_undecided() {
        let found = verdicts(&sample_rows::published(), &json!({"depth": 4}));
        assert!(found.iter().all(|verdict| *verdict == Verdict::Undecided));
    }
}
