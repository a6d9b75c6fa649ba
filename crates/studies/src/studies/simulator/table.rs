//! Tables of the simulator study.

use embate_report::Table;
use embate_report::language::{Language, NO_VALUE};

use super::row::Row;
use crate::studies::broad_phase::unique;
use crate::studies::number_format::optional;

/// All tables for a terminal.
pub(super) fn terminal_tables(rows: &[Row], language: Language) -> Vec<Table> {
    let broad = unique(of_part(rows, "broad").map(|row| row.case.as_str()));
    let broad = broad.into_iter().filter_map(|case| broad_table(rows, case, language));
    let others = [pairs_table(rows, language), resolve_table(rows, language)];
    broad.chain(others.into_iter().flatten()).collect()
}

pub(super) fn of_part<'a>(
    rows: &'a [Row],
    part: &'static str,
) -> impl Iterator<Item = &'a Row> + Clone {
    rows.iter().filter(move |row| row.part == part)
}

/// Milliseconds of a step by stage, one row a technique and size.
pub(super) fn broad_table(rows: &[Row], case: &str, language: Language) -> Option<Table> {
    let figure = |value: Option<f64>| optional(value, |value| language.significant(value, 3));
    let row = |row: &Row| {
        vec![
            row.technique.clone(),
            language.integer(row.bodies.into()),
            figure(row.tests_per_step),
            figure(row.pairs_per_step),
            figure(row.contacts_per_step),
            figure(row.ms.moving),
            figure(row.ms.broad),
            figure(row.ms.narrow),
            figure(row.ms.resolve),
            row.disagreements.map_or(NO_VALUE.to_owned(), |count| language.integer(count)),
        ]
    };
    let of_case = of_part(rows, "broad").filter(|row| row.case == case);
    let rows: Vec<_> = of_case.map(row).collect();
    let head = vec![
        language.text("Broad phase", "Fase ampla"),
        language.text("Bodies", "Corpos"),
        language.text("Tests a step", "Testes por passo"),
        language.text("Pairs", "Pares"),
        language.text("Contacts", "Contatos"),
        language.text("ms moving", "ms mover"),
        language.text("ms broad", "ms fase ampla"),
        language.text("ms narrow", "ms fase fina"),
        language.text("ms resolving", "ms resolver"),
        language.text("Steps that differ", "Passos que diferem"),
    ];
    let caption = language.text(
        format!("{case}: what a step takes, broad phase by broad phase"),
        format!("{case}: o que um passo leva, fase ampla por fase ampla"),
    );
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}

/// Nanoseconds and errors, one row a test and standing.
pub(super) fn pairs_table(rows: &[Row], language: Language) -> Option<Table> {
    let cases = unique(of_part(rows, "pairs").map(|row| row.case.as_str()));
    let row = |case: &str| {
        let of = |technique: &str| {
            of_part(rows, "pairs").find(|row| row.case == case && row.technique == technique)
        };
        let ns = |technique| {
            optional(of(technique).and_then(|row| row.ms.narrow), |ms| {
                language.significant(ms * 1e6, 3)
            })
        };
        let error = |technique| {
            optional(of(technique).and_then(|row| row.max_penetration), |m| {
                language.significant(m * 1e9, 3)
            })
        };
        let wrong: u64 = of_part(rows, "pairs")
            .filter(|row| row.case == case)
            .filter_map(|row| row.disagreements)
            .sum();
        vec![
            case.to_owned(),
            ns("touching"),
            ns("separation"),
            ns("contact"),
            error("separation"),
            error("contact"),
            language.integer(wrong),
        ]
    };
    let rows: Vec<_> = cases.into_iter().map(row).collect();
    let head = vec![
        language.text("Pair", "Par"),
        language.text("Touching? ns", "Tocam-se? ns"),
        language.text("Distance, ns", "Distância, ns"),
        language.text("Contact, ns", "Contato, ns"),
        language.text("Largest error of distance, nm", "Maior erro da distância, nm"),
        language.text("Largest error of depth, nm", "Maior erro da profundidade, nm"),
        language.text("Wrong answers", "Respostas erradas"),
    ];
    let caption = language.text(
        "Pair tests: time of one, and error against the f64 reference",
        "Testes de pares: tempo de um, e erro em relação à referência em f64",
    );
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}

/// One row a case and method.
pub(super) fn resolve_table(rows: &[Row], language: Language) -> Option<Table> {
    let figure = |value: Option<f64>| optional(value, |value| language.significant(value, 3));
    let millimeters = |value: Option<f64>| figure(value.map(|meters| meters * 1e3));
    let row = |row: &Row| {
        vec![
            row.case.clone(),
            row.technique.clone(),
            optional(row.energy_drift_percent, |drift| language.number(drift + 0.0, 2)),
            figure(row.momentum_error),
            millimeters(row.mean_penetration),
            millimeters(row.max_penetration),
            figure(row.speed_at_end),
            language.significant(row.ms.total(), 3),
        ]
    };
    let rows: Vec<_> = of_part(rows, "resolve").map(row).collect();
    let head = vec![
        language.text("Case", "Caso"),
        language.text("Method", "Método"),
        language.text("Energy off by, %", "Desvio da energia, %"),
        language.text("Momentum off by (share)", "Desvio do momento (fração)"),
        language.text("Mean depth, mm", "Profundidade média, mm"),
        language.text("Largest depth, mm", "Maior profundidade, mm"),
        language.text("Speed at the end, m/s", "Velocidade no fim, m/s"),
        language.text("ms a step", "ms por passo"),
    ];
    let caption = language.text(
        "Resolution: what each method makes of collisions, bounces and piles",
        "Resolução: o que cada método faz de colisões, quiques e pilhas",
    );
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}
