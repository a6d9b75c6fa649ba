//! Findings about times: judged on the ratios of the repeats.

use embate_report::{Finding, Verdict};

use super::super::case_rows::{CITY, CaseRows, STUDY_OCTREE};
use super::super::report_text::{ReportText, sentences};
use super::super::row::Row;
use super::{HIGH, LOW, NEAR, STATED_SIZE, incomplete, published, stated};
use crate::statistics::{self, ASSUMED_SPREAD, Range};
use crate::studies::timing_spread;

/// Triangles in which the published speedup grows by one.
const TRIANGLES_PER_UNIT: f64 = 4_000.0;

/// The band around a published figure.
fn band(figure: f64) -> [f64; 2] {
    [figure * (1.0 - NEAR), figure * (1.0 + NEAR)]
}

/// A note, with the reason if the verdict is undecided because of the spread.
pub(super) fn with_reason(
    note: String,
    verdict: Verdict,
    is_complete: bool,
    text: ReportText,
) -> String {
    if verdict == Verdict::Undecided && is_complete {
        return sentences(&[note, timing_spread::wider_than_margin(text.0)]);
    }
    note
}

/// Rows of the study's octree in a case, smallest first, with the range of their speedup.
fn ranges<'a>(cases: CaseRows<'a>, case: &'a str) -> Vec<(&'a Row, Option<Range>)> {
    let mut rows: Vec<_> = cases.of(case, STUDY_OCTREE).collect();
    rows.sort_by_key(|row| row.triangles);
    rows.into_iter().map(|row| (row, cases.speedup_range(row))).collect()
}

pub(super) fn slower_everywhere(
    id: &'static str,
    cases: CaseRows<'_>,
    text: ReportText,
) -> Finding {
    let ranges = ranges(cases, LOW);
    let is_complete = cases.is_complete(LOW);
    let of_sizes = ranges.iter().map(|(_, range)| timing_spread::verdict(*range, [0.0, 1.0]));
    let verdict = Verdict::over_all(of_sizes, is_complete);
    let fastest = super::fastest(ranges.iter().map(|(row, _)| *row));
    let note = match verdict {
        // One size is enough to refute it.
        Verdict::NotConfirmed => String::new(),
        _ => incomplete(cases, text, LOW),
    };
    Finding {
        claim: text.claim_low_slower(),
        published: text.slower_at_every_size(),
        ours: text.or_not_run(fastest.map(|row| super::at_best(row, text))),
        note: with_reason(note, verdict, is_complete, text),
        verdict,
        ..stated(id, text.place_of_table())
    }
}

/// The size from which the octree is faster at every larger size: within the spread it lies between
/// the first size at which some repeats say so and the first at which all do.
pub(super) fn faster_from(
    id: &'static str,
    cases: CaseRows<'_>,
    text: ReportText,
    case: &str,
    figure: u32,
) -> Finding {
    let ranges = ranges(cases, case);
    let index_from = |is_fast: &dyn Fn(&Row, Option<Range>) -> bool| {
        let last_slow = ranges.iter().rposition(|(row, range)| !is_fast(row, *range));
        last_slow.map_or(0, |last_slow| last_slow + 1)
    };
    let size_at = |index: usize| ranges.get(index).map(|(row, _)| row.triangles);
    let as_number = |size: Option<u32>| size.map_or(f64::INFINITY, f64::from);
    let by_median = index_from(&|row, _| row.speedup_over_brute > 1.0);
    let possible = index_from(&|_, range| range.is_none_or(|range| range.high > 1.0));
    let certain = index_from(&|_, range| range.is_some_and(|range| range.low > 1.0));
    let (possible, certain) = (size_at(possible), size_at(certain));
    let within = Range { low: as_number(possible), high: as_number(certain) };
    let is_complete = cases.is_complete(case);
    let verdict = if ranges.is_empty() {
        Verdict::NotRun
    } else if is_complete {
        timing_spread::verdict(Some(within), band(f64::from(figure)))
    } else {
        Verdict::Undecided
    };
    let ours = match size_at(by_median) {
        _ if ranges.is_empty() => text.not_run(),
        Some(size) if by_median == 0 => text.faster_at_every_size(size),
        Some(size) => text.faster_from(size),
        None => text.never_faster(),
    };
    let spread = if possible == certain {
        String::new()
    } else {
        text.faster_from_within_spread(possible, certain)
    };
    let note = sentences(&[text.rule_near(), spread, incomplete(cases, text, case)]);
    Finding {
        claim: text.claim_faster_from(case, figure),
        published: text.faster_from_about(figure),
        ours,
        note: with_reason(note, verdict, is_complete, text),
        verdict,
        ..stated(id, text.place_of_table())
    }
}

pub(super) fn ratio_at_stated_size(
    id: &'static str,
    cases: CaseRows<'_>,
    text: ReportText,
    case: &str,
    figure: f64,
) -> Finding {
    let row = cases.get(case, STUDY_OCTREE, STATED_SIZE);
    let range = row.and_then(|row| cases.speedup_range(row));
    let [low, high] = band(figure);
    let [low, high] = if figure > 1.0 { [low.max(1.0), high] } else { [low, high.min(1.0)] };
    let verdict = match row {
        Some(_) => timing_spread::verdict(range, [low, high]),
        None if cases.sizes(case).is_empty() => Verdict::NotRun,
        None => Verdict::Undecided,
    };
    let repeats =
        range.map_or(String::new(), |range| timing_spread::ratios_in_words(range, text.0));
    let note = sentences(&[text.rule_near_and_side(), repeats]);
    Finding {
        claim: text.claim_ratio(case, STATED_SIZE),
        published: text.against(figure),
        ours: text.or_not_run(row.map(|row| text.against(row.speedup_over_brute))),
        note: with_reason(note, verdict, row.is_some(), text),
        verdict,
        ..stated(id, text.place_of_table())
    }
}

/// "The ratio grows by 1 every 4,000 triangles": the slope of a line through all sizes, in each
/// repeat.
pub(super) fn growth(id: &'static str, cases: CaseRows<'_>, text: ReportText) -> Finding {
    let points = cases.points(HIGH, STUDY_OCTREE, |row| row.speedup_over_brute);
    let slope = statistics::slope(&points);
    let is_complete = cases.is_complete(HIGH);
    let verdict = match slope {
        Some(slope) if is_complete => {
            let [few, many] = band(TRIANGLES_PER_UNIT);
            timing_spread::verdict(slopes(cases, slope), [1.0 / many, 1.0 / few])
        }
        _ if points.is_empty() => Verdict::NotRun,
        _ => Verdict::Undecided,
    };
    let in_words = |slope: f64| {
        if slope > 0.0 { text.grows_every(1.0 / slope) } else { text.does_not_grow() }
    };
    let note = sentences(&[text.rule_near(), incomplete(cases, text, HIGH)]);
    Finding {
        claim: text.claim_growth(),
        published: text.grows_every(TRIANGLES_PER_UNIT),
        ours: text.or_not_run(slope.map(in_words)),
        note: with_reason(note, verdict, is_complete, text),
        verdict,
        ..stated(id, text.place_of_table())
    }
}

/// Range of the slopes over the repeats. With fewer than two repeats the given slope with the
/// assumed spread.
fn slopes(cases: CaseRows<'_>, slope: f64) -> Option<Range> {
    let sizes: Vec<(f64, Vec<f64>)> = cases
        .of(HIGH, STUDY_OCTREE)
        .map(|row| (f64::from(row.triangles), cases.speedups_of_repeats(row)))
        .collect();
    let repeats = sizes.iter().map(|(_, speedups)| speedups.len()).min().unwrap_or(0);
    if repeats < 2 {
        let spread = slope.abs() * ASSUMED_SPREAD;
        return Range::of(&[slope - spread, slope + spread]);
    }
    let of_repeat = |repeat: usize| {
        let points: Vec<_> = sizes.iter().map(|(size, ratios)| (*size, ratios[repeat])).collect();
        statistics::slope(&points)
    };
    Range::of(&(0..repeats).map(of_repeat).collect::<Option<Vec<_>>>()?)
}

/// The lost models of the study. Their stand-ins were built to have their counts and affinity: they
/// are shown, and decide nothing.
pub(super) fn stand_in(
    id: &'static str,
    cases: CaseRows<'_>,
    text: ReportText,
    case: &str,
) -> Finding {
    let row = cases.of(case, STUDY_OCTREE).next();
    let show = |tested: f64, ratio: f64, triangles: u32| {
        format!("{}; {}; {}", text.triangles(triangles), text.tested(tested), text.against(ratio))
    };
    let published = published(case).and_then(|figure| {
        figure.speedup.map(|(triangles, ratio)| show(figure.tested, ratio, triangles))
    });
    let ours = row.map(|row| show(row.tested_percent, row.speedup_over_brute, row.triangles));
    Finding {
        claim: text.claim_stand_in(case == CITY),
        published: text.or_not_run(published),
        ours: text.or_not_run(ours),
        verdict: if row.is_some() { Verdict::Undecided } else { Verdict::NotRun },
        note: text.stand_in_note(case),
        ..stated(id, text.place_of_table())
    }
}
