//! Tables of the study of ray–triangle tests.

use embate_report::Table;
use embate_report::language::{Language, NO_VALUE};

use super::row::Row;
use super::{case_label, label};
use crate::statistics;
use crate::studies::moving_worlds::unique;
use crate::studies::number_format::optional;
use crate::studies::timing_spread::{self, Spreads};
use crate::study_kind::StudyKind;

/// The tables for a terminal.
pub(super) fn terminal_tables(rows: &[Row], language: Language) -> Vec<Table> {
    [times(rows, language), results(rows, language)].into_iter().flatten().collect()
}

/// Names of the tests in the rows.
pub(super) fn techniques(rows: &[Row]) -> Vec<&str> {
    unique(rows.iter().map(|row| row.technique.as_str()))
}

/// Names of the cases in the rows.
pub(super) fn cases(rows: &[Row]) -> Vec<&str> {
    unique(rows.iter().map(|row| row.case.as_str()))
}

pub(super) fn find<'a>(rows: &'a [Row], case: &str, technique: &str) -> Option<&'a Row> {
    rows.iter().find(|row| row.case == case && row.technique == technique)
}

/// One row per case, one column per test.
fn by_case(
    rows: &[Row],
    caption: String,
    language: Language,
    cell: impl Fn(&Row) -> String,
) -> Option<Table> {
    let techniques = techniques(rows);
    let of_case = |case: &str| {
        let cells = techniques
            .iter()
            .map(|technique| find(rows, case, technique).map_or(NO_VALUE.to_owned(), &cell));
        core::iter::once(case_label(case, language)).chain(cells).collect()
    };
    let names = techniques.iter().map(|technique| label(technique, language));
    let head = core::iter::once(language.text("Case", "Caso")).chain(names).collect();
    let rows: Vec<Vec<String>> = cases(rows).into_iter().map(of_case).collect();
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}

/// Nanoseconds of a test.
pub(super) fn times(rows: &[Row], language: Language) -> Option<Table> {
    let caption = language.text(
        "Time of one test in nanoseconds, median of the repeats",
        "Tempo de um teste em nanossegundos, mediana das repetições",
    );
    let cell = |row: &Row| optional(row.ns(), |ns| language.significant(ns, 3));
    by_case(rows, caption, language, cell)
}

/// Largest relative error of `t`.
pub(super) fn t_errors(rows: &[Row], language: Language) -> Option<Table> {
    let caption = language.text(
        "Largest relative error of t among the right hits, in millionths",
        "Maior erro relativo de t entre os acertos corretos, em milionésimos",
    );
    let cell = |row: &Row| optional(row.max_t_error, |error| language.significant(error * 1e6, 2));
    by_case(rows, caption, language, cell)
}

/// Wrong hits, wrong misses and leaks, one row per case and test.
pub(super) fn results(rows: &[Row], language: Language) -> Option<Table> {
    let line = |row: &Row| {
        vec![
            case_label(&row.case, language),
            label(&row.technique, language),
            language.integer(row.pairs),
            language.number(row.agreement_percent(), 4),
            language.integer(row.wrong_hits),
            language.integer(row.wrong_misses),
            language.integer(row.rays.into()),
            row.leaks.map_or(NO_VALUE.to_owned(), |leaks| language.integer(leaks)),
        ]
    };
    let caption = language.text(
        "Results compared with those of the exact test",
        "Resultados em comparação com os do teste exato",
    );
    let head = vec![
        language.text("Case", "Caso"),
        language.text("Test", "Teste"),
        language.text("Tests", "Testes"),
        language.text("Agreement, %", "Concordância, %"),
        language.text("Wrong hits", "Acertos falsos"),
        language.text("Wrong misses", "Acertos perdidos"),
        language.text("Rays", "Raios"),
        language.text("Leaks", "Vazamentos"),
    ];
    let rows: Vec<Vec<String>> = rows.iter().map(line).collect();
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}

/// Relative spread of the repeats.
pub(super) fn spreads(rows: &[Row]) -> Vec<Spreads<'_>> {
    fn of_row(row: &Row) -> Option<Spreads<'_>> {
        let Row { case, technique, ns_repeats, .. } = row;
        let spread = statistics::relative_spread(ns_repeats).filter(|_| ns_repeats.len() > 1)?;
        Some(Spreads { case, technique, of_rows: vec![spread] })
    }
    rows.iter().filter_map(of_row).collect()
}

/// The same as a table.
pub(super) fn spread_table(rows: &[Row], language: Language) -> Option<Table> {
    let caption = language.text(
        "Spread of the repeats: (largest − smallest) / median",
        "Dispersão das repetições: (maior − menor) / mediana",
    );
    timing_spread::table(caption, &spreads(rows), StudyKind::TriangleTests, language)
}
