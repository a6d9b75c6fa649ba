//! Charts of custom worlds: time and tests by what varies, the number of objects or the cell size.

use embate_report::chart::{Chart, Dots, Kind, Scale};
use embate_report::language::Language;
use embate_scene::generators::Bounds;

use super::label;
use crate::studies::labels;
use crate::studies::moving_worlds::chart_style::{
    log_chart, of as style_of, scene, series, time_series,
};
use crate::studies::moving_worlds::row::{Summaries, Summary, unique};

const CUSTOM: &str = "custom";

/// What varies between the worlds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Varied {
    Objects,
    CellSize,
    Nothing,
}

impl Varied {
    fn of(rows: &[&Summary<'_>]) -> Self {
        if unique(rows.iter().map(|s| s.objects)).len() > 1 {
            return Self::Objects;
        }
        let sizes = unique(rows.iter().filter_map(|s| s.cell_size));
        if sizes.len() > 1 { Self::CellSize } else { Self::Nothing }
    }

    fn x(self, summary: &Summary<'_>) -> Option<f64> {
        match self {
            Self::Objects => Some(summary.objects.into()),
            Self::CellSize => summary.cell_size.map(f64::from),
            Self::Nothing => None,
        }
    }

    fn x_label(self, language: Language) -> String {
        match self {
            Self::CellSize => language.text("Cell size (px)", "Tamanho da célula (px)"),
            Self::Objects | Self::Nothing => language.text("Objects", "Objetos"),
        }
    }
}

/// The charts of boxes, then those of circles.
pub(super) fn charts(summaries: &Summaries<'_>, language: Language) -> Vec<Chart> {
    let mut charts = Vec::new();
    for bounds in Bounds::ALL {
        let of_bounds = summaries.of_case(CUSTOM).filter(|s| s.bounds == bounds.name());
        let rows: Vec<&Summary<'_>> = of_bounds.collect();
        let varied = Varied::of(&rows);
        let rows = if varied == Varied::CellSize { rows } else { fastest_cells(&rows) };
        if rows.is_empty() {
            continue;
        }
        if varied == Varied::Nothing {
            charts.push(dots(&rows, bounds, language));
        } else {
            charts.extend(lines(&rows, varied, bounds, language));
        }
    }
    charts
}

/// Of each technique and number of objects, the cell size with the least time: one that misses no
/// pair, if there is one.
fn fastest_cells<'a>(rows: &[&'a Summary<'a>]) -> Vec<&'a Summary<'a>> {
    let mut fastest: Vec<&Summary<'_>> = Vec::new();
    for &row in rows {
        let is_alike = |other: &&mut &Summary<'_>| {
            other.technique == row.technique && other.objects == row.objects
        };
        match fastest.iter_mut().find(is_alike) {
            Some(other) => {
                if (row.missed > 0, row.ms) < (other.missed > 0, other.ms) {
                    *other = row;
                }
            }
            None => fastest.push(row),
        }
    }
    fastest
}

fn lines(rows: &[&Summary<'_>], varied: Varied, bounds: Bounds, language: Language) -> [Chart; 2] {
    let techniques = unique(rows.iter().map(|s| s.technique));
    let (own, x) = (rows.iter().copied(), |s: &Summary<'_>| varied.x(s));
    let times = time_series(&techniques, &own, x, |name| label(name, language));
    let tests = series(&techniques, &own, x, |s| s.tests, |name| label(name, language));
    let shape = labels::bounds(bounds.name(), language);
    let by = match varied {
        Varied::CellSize => language.text("by cell size", "por tamanho de célula"),
        Varied::Objects | Varied::Nothing => {
            language.text("by number of objects", "por número de objetos")
        }
    };
    let fastest = match varied {
        Varied::Objects => language.text(
            "Of several cell sizes, the fastest that misses no pair is shown.",
            "De vários tamanhos de célula, mostra-se o mais rápido que não perde pares.",
        ),
        Varied::CellSize | Varied::Nothing => language.text(
            "Techniques without cells are in the table only.",
            "Técnicas sem células estão só na tabela.",
        ),
    };
    let source = scene(own.clone(), language);
    let chart = |id: &str, [title, description, y_label]: [String; 3], series| {
        let id = format!("custom-{id}-{}", bounds.name());
        let description = format!("{description} {fastest}");
        let x_label = varied.x_label(language);
        log_chart(&id, [title, description, source.clone(), x_label, y_label], series, None)
    };
    [
        chart(
            "time",
            [
                language.text(
                    format!("Custom world, {shape}: time {by}"),
                    format!("Mundo personalizado, {shape}: tempo {by}"),
                ),
                language.text(
                    format!("Time to find the pairs of a frame, {by}."),
                    format!("Tempo para encontrar os pares de um quadro, {by}."),
                ),
                language.text("Time per frame (ms)", "Tempo por quadro (ms)"),
            ],
            times,
        ),
        chart(
            "tests",
            [
                language.text(
                    format!("Custom world, {shape}: tests {by}"),
                    format!("Mundo personalizado, {shape}: testes {by}"),
                ),
                language.text(
                    format!("Overlap tests per frame, {by}."),
                    format!("Testes de sobreposição por quadro, {by}."),
                ),
                language.text("Tests per frame", "Testes por quadro"),
            ],
            tests,
        ),
    ]
}

fn dots(rows: &[&Summary<'_>], bounds: Bounds, language: Language) -> Chart {
    let shape = labels::bounds(bounds.name(), language);
    let time = language.text("Time per frame (ms)", "Tempo por quadro (ms)");
    let values = rows.iter().map(|s| (label(s.technique, language), vec![Some(s.ms)]));
    let objects = rows.first().map_or(0, |s| s.objects);
    let (count, world) = (language.integer(objects.into()), scene(rows.iter().copied(), language));
    Chart {
        id: format!("custom-time-{}", bounds.name()),
        title: language.text(
            format!("Custom world, {shape}: time of each technique"),
            format!("Mundo personalizado, {shape}: tempo de cada técnica"),
        ),
        description: language.text(
            format!("Time to find the pairs of a frame with each technique; objects: {count}."),
            format!(
                "Tempo para encontrar os pares de um quadro com cada técnica; objetos: {count}."
            ),
        ),
        source: world,
        x_label: time.clone(),
        y_label: language.text("Technique", "Técnica"),
        kind: Kind::Dots(Dots {
            series: vec![(time, style_of("study-grid").unwrap_or(0))],
            rows: values.collect(),
            scale: Scale::Log,
        }),
    }
}
