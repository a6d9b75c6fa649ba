//! Tables of the 3D study.

use super::{label, world};
use crate::studies::moving_worlds::row::{Row, Summaries, Summary, unique};
use crate::studies::number_format::optional;
use embate_report::Table;
use embate_report::language::{Language, NO_VALUE};

/// All tables for a terminal: milliseconds of each technique, one table per kind of world.
pub(super) fn terminal_tables(rows: &[Row], language: Language) -> Vec<Table> {
    let summaries = Summaries::of(rows);
    let cases = unique(summaries.0.iter().map(|summary| summary.case));
    let tables = cases.into_iter().filter_map(|case| time_table(&summaries, case, language));
    tables.collect()
}

/// Milliseconds of a frame.
pub(super) fn time_table(
    summaries: &Summaries<'_>,
    case: &str,
    language: Language,
) -> Option<Table> {
    let name = world(case, language);
    let caption = language.text(
        format!("{name}: milliseconds per frame"),
        format!("{name}: milissegundos por quadro"),
    );
    by_technique(summaries, case, caption, language, |s| language.significant(s.ms, 3))
}

/// Tests of a frame.
pub(super) fn tests_table(
    summaries: &Summaries<'_>,
    case: &str,
    language: Language,
) -> Option<Table> {
    let name = world(case, language);
    let caption =
        language.text(format!("{name}: tests per frame"), format!("{name}: testes por quadro"));
    by_technique(summaries, case, caption, language, |s| language.number(s.tests, 0))
}

/// One row per number of objects, one column per technique.
fn by_technique(
    summaries: &Summaries<'_>,
    case: &str,
    caption: String,
    language: Language,
    show: impl Fn(&Summary<'_>) -> String,
) -> Option<Table> {
    let techniques = summaries.techniques(case);
    let mut rows = Vec::new();
    for objects in summaries.objects(case) {
        let get = |technique: &&str| summaries.get(case, technique, "aabb", objects);
        let pairs = techniques.iter().find_map(get).map(|summary| summary.pairs);
        let mut row = vec![
            language.integer(objects.into()),
            optional(pairs, |pairs| language.number(pairs, 0)),
        ];
        let figure = |technique: &&str| get(technique).map_or(NO_VALUE.to_owned(), &show);
        row.extend(techniques.iter().map(figure));
        rows.push(row);
    }
    let mut head = vec![language.text("Objects", "Objetos"), language.text("Pairs", "Pares")];
    head.extend(techniques.iter().map(|technique| label(technique, language)));
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}
