//! Tables that both studies of moving worlds share.

use embate_report::Table;
use embate_report::language::{Language, NO_VALUE};

use super::row::{Summaries, Summary, unique};
use crate::statistics;
use crate::studies::labels;
use crate::studies::number_format::optional;
use crate::studies::timing_spread::{self, Spreads};
use crate::study_kind::StudyKind;

/// Every technique of one case in full.
pub(crate) fn detail_table(
    summaries: &Summaries<'_>,
    case: &str,
    (kind, study): (StudyKind, &str),
    language: Language,
) -> Option<Table> {
    let rows: Vec<_> =
        summaries.of_case(case).map(|summary| detail(summary, kind, language)).collect();
    let study = labels::technique(kind, study, language);
    let case = labels::case(kind, case, language);
    let head = vec![
        language.text("Technique", "Técnica"),
        language.text("Bounding shape", "Envoltório"),
        language.text("Objects", "Objetos"),
        language.text("Cell", "Célula"),
        language.text("Tests per frame", "Testes por quadro"),
        language.text("Pairs per frame", "Pares por quadro"),
        language.text("ms per frame", "ms por quadro"),
        language.text("Speedup over brute force", "Ganho sobre a força bruta"),
        language.text(format!("Speedup over {study}"), format!("Ganho sobre {study}")),
        language.text("Memory", "Memória"),
        language.text("Missed pairs", "Pares perdidos"),
    ];
    let caption = language.text(
        format!("{case}: every technique (counts: means over the seeds; times: medians)"),
        format!("{case}: todas as técnicas (contagens: médias das sementes; tempos: medianas)"),
    );
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}

fn detail(summary: &Summary<'_>, kind: StudyKind, language: Language) -> Vec<String> {
    vec![
        labels::technique(kind, summary.technique, language),
        labels::bounds(summary.bounds, language),
        language.integer(summary.objects.into()),
        summary.cell_size.map_or(NO_VALUE.to_owned(), |size| cell(size, language)),
        language.significant(summary.tests, 4),
        language.significant(summary.pairs, 4),
        language.significant(summary.ms, 3),
        optional(summary.over_brute, |gain| language.times(gain)),
        optional(summary.over_study, |gain| language.times(gain)),
        language.bytes(summary.bytes as u64),
        missed(summary, language),
    ]
}

/// A cell size without trailing zeros.
pub(crate) fn cell(size: f32, language: Language) -> String {
    let decimals = if size.fract() == 0.0 { 0 } else { 2 };
    language.number(size.into(), decimals)
}

/// Missed pairs as a share of all overlapping pairs: `0`, or `12.34%`.
pub(crate) fn missed(summary: &Summary<'_>, language: Language) -> String {
    if summary.missed == 0 {
        return "0".to_owned();
    }
    let found = summary.pairs * f64::from(summary.frames) * summary.seeds as f64;
    let share = 100.0 * summary.missed as f64 / (found + summary.missed as f64);
    language.with_percent_sign(language.significant(share, 3))
}

/// Relative spreads of the worlds, of each case and technique.
pub(crate) fn spreads<'a>(summaries: &Summaries<'a>) -> Vec<Spreads<'a>> {
    let mut spreads = Vec::new();
    for case in unique(summaries.0.iter().map(|summary| summary.case)) {
        for technique in summaries.techniques(case) {
            let own = summaries.of_case(case).filter(|summary| summary.technique == technique);
            let repeated = own.filter(|summary| summary.ms_samples.len() > 1);
            let of_rows = repeated.filter_map(|row| statistics::relative_spread(&row.ms_values()));
            spreads.push(Spreads { case, technique, of_rows: of_rows.collect() });
        }
    }
    spreads
}

/// Spread of the times over the worlds: median and maximum of each case.
pub(crate) fn spread_table(
    summaries: &Summaries<'_>,
    kind: StudyKind,
    language: Language,
) -> Option<Table> {
    let caption = language.text(
        "Spread of the worlds: (slowest − fastest) / median",
        "Dispersão dos mundos: (mais lento − mais rápido) / mediana",
    );
    timing_spread::table(caption, &spreads(summaries), kind, language)
}
