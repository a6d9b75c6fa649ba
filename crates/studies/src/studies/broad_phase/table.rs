//! Tables that both studies of moving worlds share.

use embate_report::Table;
use embate_report::language::{Language, NO_VALUE};

use super::row::{Summaries, Summary, unique};
use crate::statistics;
use crate::studies::number_format::optional;
use crate::studies::timing_spread;

/// Every technique of one case in full.
pub(crate) fn detail_table(
    summaries: &Summaries<'_>,
    case: &str,
    study: &str,
    language: Language,
) -> Option<Table> {
    let rows: Vec<_> = summaries.of_case(case).map(|summary| detail(summary, language)).collect();
    let head = vec![
        language.text("Technique", "Técnica"),
        language.text("Bounds", "Envoltória"),
        language.text("Objects", "Objetos"),
        language.text("Cell", "Célula"),
        language.text("Tests a frame", "Testes por quadro"),
        language.text("Pairs a frame", "Pares por quadro"),
        language.text("ms a frame", "ms por quadro"),
        language.text("Gain over brute force", "Ganho sobre a força bruta"),
        language.text(format!("Gain over {study}"), format!("Ganho sobre {study}")),
        language.text("Memory", "Memória"),
        language.text("Pairs missed", "Pares perdidos"),
    ];
    let caption = language.text(
        format!("{case}: every technique (counts are means over the seeds, times medians)"),
        format!("{case}: todas as técnicas (contagens são médias das sementes; tempos, medianas)"),
    );
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}

fn detail(summary: &Summary<'_>, language: Language) -> Vec<String> {
    vec![
        summary.technique.to_owned(),
        summary.bounds.to_owned(),
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

/// A cell size without digits that say nothing.
pub(crate) fn cell(size: f32, language: Language) -> String {
    let decimals = if size.fract() == 0.0 { 0 } else { 2 };
    language.number(size.into(), decimals)
}

/// Missed pairs as a share of all that overlap: `0`, or `12.34 %`.
pub(crate) fn missed(summary: &Summary<'_>, language: Language) -> String {
    if summary.missed == 0 {
        return "0".to_owned();
    }
    let told = summary.pairs * f64::from(summary.frames) * summary.seeds as f64;
    let share = 100.0 * summary.missed as f64 / (told + summary.missed as f64);
    let digits = language.significant(share, 3);
    format!("{digits}\u{a0}%")
}

/// How far the worlds of different seeds lie apart in time: the usual and the worst row.
pub(crate) fn spread_table(summaries: &Summaries<'_>, language: Language) -> Option<Table> {
    let caption = language.text(
        "Spread of the seeds: (slowest − fastest) / median",
        "Dispersão das sementes: (mais lenta − mais rápida) / mediana",
    );
    let mut spreads = Vec::new();
    for case in unique(summaries.0.iter().map(|summary| summary.case)) {
        for technique in summaries.techniques(case) {
            let rows = summaries.of_case(case).filter(|s| s.technique == technique && s.seeds > 1);
            let of_rows = rows.filter_map(|row| statistics::relative_spread(&row.ms_of_seeds));
            spreads.push((case.to_owned(), technique.to_owned(), of_rows.collect()));
        }
    }
    timing_spread::table(caption, spreads.into_iter(), language)
}
