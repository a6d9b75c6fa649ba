//! Integrators in the report: findings, tables and charts of energy and phase error.

use embate_replica::lasch::IntegratorKind;
use embate_report::language::{Language, NO_VALUE};
use embate_report::{Block, Finding, FindingKind, Table, Verdict, push_charts};

use super::integrators::{Motion, order};
use super::row::Row;
use super::table::of_part;
use super::{case_label, integrator_charts, label};
use crate::studies::number_format::optional;

/// Steps per second of the summary: near the 60 that most scenes have.
const USUAL_RATE: f64 = 64.0;
/// Largest difference of a measured order from that of the theory.
const ORDER_TOLERANCE: f64 = 0.3;
/// Share of the largest energy error that a drift may be, of a method without drift.
const NO_DRIFT: f64 = 0.2;
/// Drift by the rounding of f32, in percent.
const ROUNDING_DRIFT: f64 = 0.01;

/// Findings, charts and tables; empty without rows.
pub(super) fn blocks(rows: &[Row], language: Language) -> Vec<Block> {
    let Some(summary) = summary(rows, language) else { return Vec::new() };
    let intro = language.text(
        "The study has an exchangeable integrator and publishes none. Energy and phase of four integrators are compared with the closed forms of three motions.",
        "O estudo tem um integrador substituível e não publica nenhum. A energia e a fase de quatro integradores são comparadas com as formas fechadas de três movimentos.",
    );
    let findings =
        IntegratorKind::ALL.into_iter().map(|kind| finding(rows, kind, language)).collect();
    let mut blocks =
        vec![Block::Paragraph(intro), Block::Findings(findings), Block::Table(summary)];
    push_charts(&mut blocks, integrator_charts::charts(rows, language));
    blocks.extend(details(rows, language).map(Block::Table));
    blocks
}

fn rows_of<'a>(
    rows: &'a [Row],
    motion: Motion,
    technique: &'a str,
) -> impl Iterator<Item = &'a Row> + Clone {
    of_part(rows, "integrators")
        .filter(move |row| row.case == motion.name() && row.technique == technique)
}

fn usual(rows: &[Row], motion: Motion, technique: &str) -> Option<Row> {
    let mut own = rows_of(rows, motion, technique);
    own.find(|row| row.time_step == Some(1.0 / USUAL_RATE)).cloned()
}

fn figure(value: Option<f64>, language: Language) -> String {
    optional(value, |value| language.significant(value, 3))
}

/// One row per integrator: measured order of every motion, and the errors at the usual time step.
pub(super) fn summary(rows: &[Row], language: Language) -> Option<Table> {
    let line = |kind: IntegratorKind| {
        let name = kind.name();
        let mut cells = vec![label(name, language)];
        for motion in Motion::ALL {
            cells.push(order_text(rows, motion, name, language));
        }
        for motion in Motion::ALL.into_iter().filter(|motion| motion.is_periodic()) {
            let row = usual(rows, motion, name);
            let value = |of: fn(&Row) -> Option<f64>| figure(row.as_ref().and_then(of), language);
            cells.push(value(|row| row.max_energy_error_percent));
            cells.push(value(|row| row.energy_drift_percent));
            cells.push(value(|row| row.phase_error_ms));
        }
        cells
    };
    let is_run = |kind: &IntegratorKind| {
        of_part(rows, "integrators").any(|row| row.technique == kind.name())
    };
    let lines: Vec<_> = IntegratorKind::ALL.into_iter().filter(is_run).map(line).collect();
    let mut head = vec![language.text("Integrator", "Integrador")];
    for motion in Motion::ALL {
        let motion = case_label(motion.name(), language);
        head.push(language.text(format!("{motion}: order"), format!("{motion}: ordem")));
    }
    for motion in Motion::ALL.into_iter().filter(|motion| motion.is_periodic()) {
        let motion = case_label(motion.name(), language);
        head.push(language.text(format!("{motion}: energy, %"), format!("{motion}: energia, %")));
        head.push(language.text(format!("{motion}: drift, %"), format!("{motion}: deriva, %")));
        head.push(language.text(format!("{motion}: phase, ms"), format!("{motion}: fase, ms")));
    }
    let caption = language.text(
        "Integrators: measured order of convergence, and errors at 64 steps per second",
        "Integradores: ordem de convergência medida e erros com 64 passos por segundo",
    );
    (!lines.is_empty()).then_some(Table { caption, head, rows: lines })
}

/// `1.98`, `exact` or no value.
fn order_text(rows: &[Row], motion: Motion, technique: &str, language: Language) -> String {
    match order(rows, motion, technique) {
        Some(order) => language.number(order, 2),
        None if rows_of(rows, motion, technique).next().is_some() => {
            language.text("exact", "exato")
        }
        None => NO_VALUE.to_owned(),
    }
}

/// All figures: one row per motion, integrator and time step.
fn details(rows: &[Row], language: Language) -> Option<Table> {
    let line = |row: &Row| {
        vec![
            case_label(&row.case, language),
            label(&row.technique, language),
            figure(row.time_step.map(|seconds| 1e3 * seconds), language),
            figure(row.max_energy_error_percent, language),
            figure(row.energy_drift_percent, language),
            figure(row.phase_error_ms, language),
            figure(row.position_error.map(|meters| 1e3 * meters), language),
        ]
    };
    let lines: Vec<_> = of_part(rows, "integrators").map(line).collect();
    let head = vec![
        language.text("Motion", "Movimento"),
        language.text("Integrator", "Integrador"),
        language.text("Time step, ms", "Passo de tempo, ms"),
        language.text("Largest energy error, %", "Maior erro da energia, %"),
        language.text("Energy drift, %", "Deriva da energia, %"),
        language.text("Phase error, ms", "Erro de fase, ms"),
        language.text("Position error after 3/8 s, mm", "Erro da posição após 3/8 s, mm"),
    ];
    let caption = language.text(
        "Integrators: errors in two seconds by time step",
        "Integradores: erros em dois segundos por passo de tempo",
    );
    (!lines.is_empty()).then_some(Table { caption, head, rows: lines })
}

/// What the theory states of an integrator.
struct Theory {
    id: &'static str,
    order: f64,
    claim: String,
    /// Whether a row of a periodic motion agrees with the statement about the energy.
    energy: fn(drift: f64, largest: f64) -> bool,
}

fn theory(kind: IntegratorKind, language: Language) -> Theory {
    let swings = |drift: f64, largest: f64| drift.abs() <= NO_DRIFT * largest + ROUNDING_DRIFT;
    match kind {
        IntegratorKind::ExplicitEuler => Theory {
            id: "explicit-euler-energy",
            order: 1.0,
            claim: language.text(
                "Explicit Euler converges with order 1, and the energy of oscillation and orbit grows at every time step",
                "Euler explícito converge com ordem 1, e a energia de oscilação e órbita cresce com qualquer passo de tempo",
            ),
            energy: |drift, _| drift > 0.0,
        },
        IntegratorKind::SemiImplicitEuler => Theory {
            id: "semi-implicit-euler-energy",
            order: 1.0,
            claim: language.text(
                "Semi-implicit Euler, the default, converges with order 1; the energy swings within a period and does not drift",
                "Euler semi-implícito, o padrão, converge com ordem 1; a energia oscila dentro de um período e não deriva",
            ),
            energy: swings,
        },
        IntegratorKind::Verlet => Theory {
            id: "verlet-energy",
            order: 2.0,
            claim: language.text(
                "Position Verlet, with the study's lastPosition, converges with order 2 and is exact in free flight; the energy swings and does not drift",
                "Verlet de posição, com a lastPosition do estudo, converge com ordem 2 e é exato em voo livre; a energia oscila e não deriva",
            ),
            energy: swings,
        },
        IntegratorKind::Rk4 => Theory {
            id: "rk4-energy",
            order: 4.0,
            claim: language.text(
                "Runge–Kutta converges with order 4 and is exact in free flight; its energy error is below 2% at 16 steps per period, and below that of the other three at 64",
                "Runge–Kutta converge com ordem 4 e é exato em voo livre; seu erro de energia fica abaixo de 2% com 16 passos por período e abaixo do dos outros três com 64",
            ),
            energy: |_, largest| largest < 2.0,
        },
    }
}

fn finding(rows: &[Row], kind: IntegratorKind, language: Language) -> Finding {
    let name = kind.name();
    let theory = theory(kind, language);
    let is_run = |motion: &Motion| rows_of(rows, *motion, name).next().is_some();
    let run: Vec<Motion> = Motion::ALL.into_iter().filter(is_run).collect();
    let verdict_of = |motion: Motion| {
        let converges = match order(rows, motion, name) {
            Some(order) => (order - theory.order).abs() <= ORDER_TOLERANCE,
            // A parabola is a polynomial of degree 2.
            None => !motion.is_periodic() && theory.order >= 2.0,
        };
        let energy = |row: &Row| {
            let figures = row.energy_drift_percent.zip(row.max_energy_error_percent);
            figures.is_some_and(|(drift, largest)| (theory.energy)(drift, largest))
        };
        let has_energy = !motion.is_periodic() || rows_of(rows, motion, name).all(energy);
        Verdict::of(converges && has_energy && is_least(rows, motion, kind))
    };
    let is_complete = run.len() == Motion::ALL.len();
    let verdict = Verdict::over_all(run.iter().map(|motion| verdict_of(*motion)), is_complete);
    let orders: Vec<String> = run
        .iter()
        .map(|&motion| {
            let motion_name = case_label(motion.name(), language).to_lowercase();
            format!("{motion_name} {}", order_text(rows, motion, name, language))
        })
        .collect();
    let errors: Vec<String> = run
        .iter()
        .filter(|motion| motion.is_periodic())
        .filter_map(|&motion| {
            let row = usual(rows, motion, name)?;
            let motion = case_label(motion.name(), language).to_lowercase();
            let energy = figure(row.max_energy_error_percent, language);
            let phase = figure(row.phase_error_ms, language);
            Some(language.text(
                format!("{motion} {energy}% of the energy, {phase} ms of phase"),
                format!("{motion} {energy}% da energia, {phase} ms de fase"),
            ))
        })
        .collect();
    let (orders, errors) = (orders.join(", "), errors.join("; "));
    Finding {
        claim: theory.claim,
        ours: if run.is_empty() {
            language.text("not part of this run", "fora desta execução")
        } else {
            language.text(
                format!("orders: {orders}; errors at 64 steps per second: {errors}"),
                format!("ordens: {orders}; erros com 64 passos por segundo: {errors}"),
            )
        },
        verdict,
        ..Finding::new(theory.id, FindingKind::FoundHere, "Embate", "")
    }
}

/// Whether Runge–Kutta has the smallest energy error of those that were run; true of the others.
fn is_least(rows: &[Row], motion: Motion, kind: IntegratorKind) -> bool {
    if kind != IntegratorKind::Rk4 || !motion.is_periodic() {
        return true;
    }
    let error = |kind: IntegratorKind| usual(rows, motion, kind.name())?.max_energy_error_percent;
    let own = error(kind);
    IntegratorKind::ALL
        .into_iter()
        .filter_map(error)
        .all(|other| own.is_some_and(|own| own <= other))
}

#[cfg(test)]
mod tests {
    use super::super::integrators::IntegratorCase;
    use super::*;
    use crate::runner::run_context::{RunContext, system_clock};

    fn rows(motions: &[Motion]) -> Vec<Row> {
        let context = RunContext { clock: system_clock, on_progress: &|_| {} };
        let of = |&motion: &Motion| {
            IntegratorCase { motion, seed: 1 }.rows(&IntegratorKind::ALL, &context)
        };
        motions.iter().flat_map(of).collect()
    }

    #[test]
    fn every_integrator_has_a_finding_of_ours_that_the_rows_confirm() {
        let rows = rows(&Motion::ALL);
        for kind in IntegratorKind::ALL {
            let finding = finding(&rows, kind, Language::English);
            assert_eq!(finding.kind, FindingKind::FoundHere);
            assert_eq!(finding.verdict, Verdict::Confirmed, "{}", finding.ours);
        }
    }

    #[test]
    fn finding_is_undecided_without_one_motion_and_not_run_without_all() {
        let kind = IntegratorKind::Verlet;
        let some = finding(&rows(&[Motion::Spring]), kind, Language::English);
        assert_eq!(some.verdict, Verdict::Undecided);
        assert_eq!(finding(&[], kind, Language::English).verdict, Verdict::NotRun);
        assert!(blocks(&[], Language::English).is_empty());
    }
}
