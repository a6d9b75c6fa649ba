//! The same study in other builds and on other machines: the claim that the ratio of the two times
//! is the same everywhere.

use embate_report::language::NO_VALUE;
use embate_report::{Block, Finding, FindingKind, Table, Verdict};

use super::case_rows::{CaseRows, LITERAL_OCTREE, STUDY_OCTREE};
use super::findings::{NEAR, SOURCE};
use super::report_text::ReportText;
use crate::runner::earlier_run::EarlierRun;
use crate::runner::run_folder::{RunInfo, Versions};
use crate::statistics::Range;
use crate::studies::timing_spread;

/// Speedup of one structure of the study in one case, in this run and in the earlier ones.
struct Comparison<'a> {
    case: &'a str,
    triangles: u32,
    technique: &'a str,
    /// This run first; `None` where a run lacks the case.
    speedups: Vec<Option<(f64, Range)>>,
}

impl Comparison<'_> {
    fn ranges(&self) -> impl Iterator<Item = Range> {
        self.speedups.iter().flatten().map(|(_, range)| *range)
    }

    /// Smallest and largest possible ratio of the largest speedup to the smallest, within the
    /// spread of the repeats.
    fn variation(&self) -> Option<Range> {
        let largest = |bound: fn(Range) -> f64| self.ranges().map(bound).fold(f64::NAN, f64::max);
        let smallest = |bound: fn(Range) -> f64| self.ranges().map(bound).fold(f64::NAN, f64::min);
        let low = largest(|range| range.low) / smallest(|range| range.high);
        let high = largest(|range| range.high) / smallest(|range| range.low);
        Range::of(&[low.max(1.0), high])
    }
}

/// The cases that this run and at least one other have in common.
fn comparisons<'a>(cases: CaseRows<'a>, earlier: &[EarlierRun]) -> Vec<Comparison<'a>> {
    let rows = cases
        .all()
        .filter(|row| [STUDY_OCTREE, LITERAL_OCTREE].contains(&row.technique.as_str()))
        .filter(|row| row.speedup_over_brute.is_finite());
    let compared = rows.map(|row| {
        let here = cases.speedup_range(row).map(|range| (row.speedup_over_brute, range));
        let there = earlier.iter().map(|run| {
            let row = run.get(&row.case, &row.technique, row.triangles)?;
            Some((row.speedup, row.range))
        });
        Comparison {
            case: &row.case,
            triangles: row.triangles,
            technique: &row.technique,
            speedups: core::iter::once(here).chain(there).collect(),
        }
    });
    compared.filter(|comparison| comparison.ranges().count() > 1).collect()
}

/// "The ratio of the two times is the same on any processor and with any compiler."
pub(super) fn finding(cases: CaseRows<'_>, earlier: &[EarlierRun], text: ReportText) -> Finding {
    let comparisons = comparisons(cases, earlier);
    let verdicts = comparisons
        .iter()
        .map(|comparison| timing_spread::verdict(comparison.variation(), [1.0, 1.0 + NEAR]));
    let verdict = Verdict::over_all(verdicts, true);
    let widest = comparisons
        .iter()
        .filter_map(|comparison| Some((comparison, comparison.variation()?)))
        .max_by(|(_, one), (_, other)| one.low.total_cmp(&other.low));
    let ours = widest.map(|(comparison, _)| {
        let speedups = comparison.speedups.iter().flatten().map(|(speedup, _)| *speedup);
        let (low, high) = speedups
            .fold((f64::INFINITY, 0.0_f64), |(low, high), s| (low.min(s), high.max(s)));
        let (low, high) = (text.0.times(low), text.0.times(high));
        let (case, size) = (text.case(comparison.case), text.triangles(comparison.triangles));
        let technique = text.technique(comparison.technique);
        let runs = text.0.integer(comparison.ranges().count() as u64);
        text.0.text(
            format!("farthest apart: {low} to {high} in {runs} runs ({case}, {size}, {technique})"),
            format!("mais distantes: de {low} a {high} em {runs} execuções ({case}, {size}, {technique})"),
        )
    });
    let near = text.0.number(NEAR * 100.0, 0);
    Finding {
        claim: text.0.text(
            "The ratio of the two times is the same on any processor and with any compiler",
            "A razão entre os dois tempos é a mesma em qualquer processador e com qualquer compilador",
        ),
        published: text.0.text("stated without values", "afirmado sem valores"),
        ours: text.or_not_run(ours),
        verdict,
        note: text.0.text(
            format!("Needs the folders of other runs (--compare). Confirmed if in every case the speedups of all runs lie within {near}%, a number of Embate's; refuted by one case that differs more, whatever the spread of its repeats."),
            format!("Precisa das pastas de outras execuções (--compare). Confirmado se em todo caso os ganhos de todas as execuções ficam a até {near} %, número do Embate; refutado por um caso que difere mais, qualquer que seja a dispersão das suas repetições."),
        ),
        ..Finding::new("same-ratio", FindingKind::Published, SOURCE, text.place_of_claims())
    }
}

/// Blocks of the section; empty without other runs.
pub(super) fn blocks(
    cases: CaseRows<'_>,
    earlier: &[EarlierRun],
    info: &RunInfo,
    text: ReportText,
) -> Vec<Block> {
    if earlier.is_empty() {
        return Vec::new();
    }
    let lead = text.0.text(
        "Speedup of the study's octree over the study's brute force in several runs, with the range over the repeats. The study states that this ratio does not depend on processor and compiler.",
        "Ganho da octree do estudo sobre a força bruta do estudo em várias execuções, com a faixa das repetições. O estudo afirma que essa razão não depende do processador nem do compilador.",
    );
    vec![
        Block::Paragraph(lead),
        Block::Table(runs_table(earlier, info, text)),
        Block::Table(speedups_table(&comparisons(cases, earlier), earlier, text)),
    ]
}

fn here(text: ReportText) -> String {
    text.0.text("this run", "esta execução")
}

/// Machine and build of each run.
fn runs_table(earlier: &[EarlierRun], info: &RunInfo, text: ReportText) -> Table {
    let known = |value: Option<&str>| match value {
        Some(value) if !value.is_empty() => value.to_owned(),
        _ => NO_VALUE.to_owned(),
    };
    let line = |name: String, cpu: Option<&str>, platform: &str, versions: &Versions| {
        vec![
            name,
            known(cpu),
            known(Some(platform)),
            known(Some(&versions.target_features.join(", "))),
            known(versions.opt_level.as_deref()),
            known(versions.rustc.as_deref()),
        ]
    };
    let machine = &info.machine;
    let platform = format!("{} {}", machine.os, machine.arch);
    let mut rows = vec![line(here(text), machine.cpu.as_deref(), &platform, &info.versions)];
    for run in earlier {
        rows.push(line(run.name.clone(), run.cpu.as_deref(), &run.platform, &run.versions));
    }
    Table {
        caption: text.0.text("Compared runs", "Execuções comparadas"),
        head: vec![
            text.0.text("Run", "Execução"),
            text.0.text("Processor", "Processador"),
            text.0.text("System", "Sistema"),
            text.0.text("Vector instructions", "Instruções vetoriais"),
            text.0.text("Optimization level", "Nível de otimização"),
            text.0.text("Compiler", "Compilador"),
        ],
        rows,
    }
}

fn speedups_table(
    comparisons: &[Comparison<'_>],
    earlier: &[EarlierRun],
    text: ReportText,
) -> Table {
    let mut head = vec![
        text.0.text("Case", "Caso"),
        text.0.text("Triangles", "Triângulos"),
        text.0.text("Structure", "Estrutura"),
        here(text),
    ];
    head.extend(earlier.iter().map(|run| run.name.clone()));
    let cell = |speedup: &Option<(f64, Range)>| match speedup {
        None => NO_VALUE.to_owned(),
        Some((speedup, range)) => format!(
            "{} ({}–{})",
            text.0.times(*speedup),
            text.0.significant(range.low, 3),
            text.0.significant(range.high, 3)
        ),
    };
    let row = |comparison: &Comparison<'_>| {
        let begin = [
            text.case(comparison.case),
            text.0.integer(comparison.triangles.into()),
            text.technique(comparison.technique),
        ];
        begin.into_iter().chain(comparison.speedups.iter().map(cell)).collect()
    };
    Table {
        caption: text.0.text(
            "Speedup over the own brute force in each run, with the range of the repeats",
            "Ganho sobre a própria força bruta em cada execução, com a faixa das repetições",
        ),
        head,
        rows: comparisons.iter().map(row).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample_rows;
    use super::*;
    use crate::runner::earlier_run::EarlierRow;
    use embate_report::language::Language;
    use serde_json::Map;

    fn earlier(factor: f64, spread: f64) -> EarlierRun {
        let rows = sample_rows::quick();
        let octree = rows.iter().filter(|row| row.technique == STUDY_OCTREE);
        let row = |row: &super::super::row::Row| {
            let speedup = row.speedup_over_brute * factor;
            EarlierRow {
                case: row.case.clone(),
                technique: row.technique.clone(),
                triangles: row.triangles,
                speedup,
                range: Range { low: speedup / spread, high: speedup * spread },
            }
        };
        EarlierRun {
            name: "sse2".to_owned(),
            rows: octree.map(row).collect(),
            ..EarlierRun::default()
        }
    }

    fn verdict(runs: &[EarlierRun]) -> Verdict {
        let rows = sample_rows::quick();
        finding(CaseRows::new(&rows), runs, ReportText(Language::English)).verdict
    }

    #[test]
    fn ratio_of_several_runs_is_judged_with_the_spread() {
        assert_eq!(verdict(&[]), Verdict::NotRun);
        assert_eq!(verdict(&[EarlierRun::default()]), Verdict::NotRun);
        assert_eq!(verdict(&[earlier(1.05, 1.01)]), Verdict::Confirmed);
        assert_eq!(verdict(&[earlier(1.05, 1.01), earlier(0.5, 1.01)]), Verdict::NotConfirmed);
        assert_eq!(verdict(&[earlier(1.2, 1.4)]), Verdict::Undecided);
    }

    #[test]
    fn section_lists_every_run_with_its_build() {
        let rows = sample_rows::quick();
        let (cases, text) = (CaseRows::new(&rows), ReportText(Language::English));
        let info = RunInfo::new("rays", Map::new(), 1, Language::English);
        assert!(blocks(cases, &[], &info, text).is_empty());
        let blocks = blocks(cases, &[earlier(1.1, 1.02)], &info, text);
        let [_, Block::Table(runs), Block::Table(speedups)] = &blocks[..] else { panic!() };
        assert_eq!((runs.rows.len(), &*runs.rows[1][0]), (2, "sse2"));
        assert_eq!(speedups.head.last().map(String::as_str), Some("sse2"));
        assert!(speedups.rows.iter().all(|row| row.len() == speedups.head.len()));
    }
}
