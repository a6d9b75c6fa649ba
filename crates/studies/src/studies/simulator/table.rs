//! Tables of the simulator study.

use embate_report::Table;
use embate_report::language::{Language, NO_VALUE};

use super::row::Row;
use super::{box_report, case_label, integrator_report, label};
use crate::studies::moving_worlds::unique;
use crate::studies::number_format::optional;

/// All tables for a terminal.
pub(super) fn terminal_tables(rows: &[Row], language: Language) -> Vec<Table> {
    let broad = unique(of_part(rows, "broad").map(|row| row.case.as_str()));
    let broad = broad.into_iter().filter_map(|case| broad_table(rows, case, language));
    let others = [
        pairs_table(rows, language),
        resolve_table(rows, language),
        integrator_report::summary(rows, language),
        box_report::table(rows, language),
    ];
    broad.chain(others.into_iter().flatten()).collect()
}

pub(super) fn of_part<'a>(
    rows: &'a [Row],
    part: &'static str,
) -> impl Iterator<Item = &'a Row> + Clone {
    rows.iter().filter(move |row| row.part == part)
}

/// Milliseconds of a step by stage, one row per technique and size.
pub(super) fn broad_table(rows: &[Row], case: &str, language: Language) -> Option<Table> {
    let figure = |value: Option<f64>| optional(value, |value| language.significant(value, 3));
    let row = |row: &Row| {
        vec![
            label(&row.technique, language),
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
        language.text("Tests per step", "Testes por passo"),
        language.text("Pairs", "Pares"),
        language.text("Contacts", "Contatos"),
        language.text("Integration, ms", "Integração, ms"),
        language.text("Broad phase, ms", "Fase ampla, ms"),
        language.text("Narrow phase, ms", "Fase estreita, ms"),
        language.text("Response, ms", "Resposta, ms"),
        language.text("Differing steps", "Passos divergentes"),
    ];
    let name = case_label(case, language);
    let caption = language.text(
        format!("{name}: time per step by broad phase and stage"),
        format!("{name}: tempo por passo, por fase ampla e etapa"),
    );
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}

/// Nanoseconds and errors, one row per pair and placement.
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
            case_label(case, language),
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
        language.text("Intersection test, ns", "Teste de interseção, ns"),
        language.text("Distance, ns", "Distância, ns"),
        language.text("Contact points, ns", "Pontos de contato, ns"),
        language.text("Largest error of distance, nm", "Maior erro da distância, nm"),
        language.text("Largest error of depth, nm", "Maior erro da profundidade, nm"),
        language.text("Wrong results", "Resultados errados"),
    ];
    let caption = language.text(
        "Pair queries: time per query, and error compared with the f64 reference",
        "Consultas de pares: tempo por consulta e erro em relação à referência em f64",
    );
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}

/// One row per case and solver.
pub(super) fn resolve_table(rows: &[Row], language: Language) -> Option<Table> {
    let figure = |value: Option<f64>| optional(value, |value| language.significant(value, 3));
    let millimeters = |value: Option<f64>| figure(value.map(|meters| meters * 1e3));
    let row = |row: &Row| {
        vec![
            case_label(&row.case, language),
            label(&row.technique, language),
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
        language.text("Solver", "Método de resolução"),
        language.text("Energy error, %", "Erro da energia, %"),
        language.text("Momentum error (share)", "Erro do momento (fração)"),
        language.text("Mean penetration, mm", "Penetração média, mm"),
        language.text("Largest penetration, mm", "Maior penetração, mm"),
        language.text("Final speed, m/s", "Velocidade final, m/s"),
        language.text("ms per step", "ms por passo"),
    ];
    let caption = language.text(
        "Collision response in collisions, bounces and piles",
        "Resposta a colisões em colisões, quiques e pilhas",
    );
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}
