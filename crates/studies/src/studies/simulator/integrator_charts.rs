//! Charts of the integrators: energy and phase error by time step.

use embate_replica::lasch::IntegratorKind;
use embate_report::chart::{Chart, Origin, Series};
use embate_report::language::Language;

use super::integrators::Motion;
use super::row::Row;
use super::table::of_part;
use super::{case_label, label};
use crate::studies::moving_worlds::log_chart;

/// The charts of every motion that was run.
pub(super) fn charts(rows: &[Row], language: Language) -> Vec<Chart> {
    let is_run = |motion: &Motion| rows_of(rows, *motion).next().is_some();
    let both = |motion| [energy(rows, motion, language), phase(rows, motion, language)];
    Motion::ALL.into_iter().filter(is_run).flat_map(both).collect()
}

fn rows_of(rows: &[Row], motion: Motion) -> impl Iterator<Item = &Row> + Clone {
    of_part(rows, "integrators").filter(move |row| row.case == motion.name())
}

fn energy(rows: &[Row], motion: Motion, language: Language) -> Chart {
    let name = case_label(motion.name(), language);
    let texts = [
        language.text(
            format!("{name}: energy error by time step"),
            format!("{name}: erro da energia por passo de tempo"),
        ),
        language.text(
            "Largest deviation of the energy from that at the start, by time step, one line per integrator. An exact energy is not on the logarithmic axis.",
            "Maior desvio da energia em relação à do início, por passo de tempo, uma linha por integrador. Uma energia exata não aparece no eixo logarítmico.",
        ),
        language.text("Largest energy error (%)", "Maior erro da energia (%)"),
    ];
    let id = format!("integrator-energy-{}", motion.name());
    chart(&id, &rows_of(rows, motion), texts, language, |row| row.max_energy_error_percent)
}

fn phase(rows: &[Row], motion: Motion, language: Language) -> Chart {
    let name = case_label(motion.name(), language);
    let texts = [
        language.text(
            format!("{name}: phase error by time step"),
            format!("{name}: erro de fase por passo de tempo"),
        ),
        language.text(
            "Absolute time by which the motion is ahead of or behind the closed form after two seconds, by time step, one line per integrator.",
            "Tempo absoluto que o movimento está adiantado ou atrasado em relação à forma fechada após dois segundos, por passo de tempo, uma linha por integrador.",
        ),
        language.text("Phase error (ms)", "Erro de fase (ms)"),
    ];
    let id = format!("integrator-phase-{}", motion.name());
    chart(&id, &rows_of(rows, motion), texts, language, |row| row.phase_error_ms.map(f64::abs))
}

fn chart<'a>(
    id: &str,
    rows: &(impl Iterator<Item = &'a Row> + Clone),
    [title, description, y_label]: [String; 3],
    language: Language,
    value: impl Fn(&Row) -> Option<f64>,
) -> Chart {
    let line = |(style, kind): (usize, IntegratorKind)| {
        let own = rows.clone().filter(|row| row.technique == kind.name());
        // Zero has no place on a logarithmic axis.
        let point = |row: &Row| Some((1e3 * row.time_step?, value(row).filter(|it| *it > 0.0)?));
        let mut points: Vec<(f64, f64)> = own.filter_map(point).collect();
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        let name = label(kind.name(), language);
        Series { name, style, origin: Origin::Measured, points, error_bars: Vec::new() }
    };
    let series = IntegratorKind::ALL.into_iter().enumerate().map(line);
    let series = series.filter(|series| !series.points.is_empty()).collect();
    let source =
        language.text("One body, 2 s of simulated time", "Um corpo, 2 s de tempo simulado");
    let x_label = language.text("Time step (ms)", "Passo de tempo (ms)");
    log_chart(id, [title, description, source, x_label, y_label], series, None)
}
