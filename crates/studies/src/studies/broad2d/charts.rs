//! Charts of Gonçales et al. 2016 ("Experiments" in `docs/studies.md`): time against cell size,
//! time and tests against objects. Not in the study: memory, and boxes against circles.

use embate_report::chart::{Chart, Origin, Series};
use embate_report::language::Language;
use embate_scene::generators::Bounds;

use super::published;
use crate::studies::broad_phase::chart_style::{self, log_chart, series};
use crate::studies::broad_phase::row::{Summaries, Summary};
use crate::studies::broad_phase::table::cell;
use crate::studies::broad_phase::{EXPERIMENT_1, EXPERIMENT_2, STUDY_BRUTE, STUDY_GRID};

/// A figure of the study's table.
type Figure = fn(&published::Line) -> f64;

/// The times the study printed.
const PUBLISHED_MS: [(&str, Figure); 2] =
    [(STUDY_BRUTE, |line| line.brute_ms), (STUDY_GRID, |line| line.grid_ms)];

/// Experiment 1 in three pictures: time, tests and memory against cell size.
pub(super) fn of_cells(summaries: &Summaries<'_>, language: Language) -> Vec<Chart> {
    let x_label = || language.text("edge of a cell, px", "aresta da célula, px");
    let ms = |s: &Summary<'_>| s.ms;
    let (tests, bytes) = (|s: &Summary<'_>| s.tests, |s: &Summary<'_>| s.bytes / 1024.0);
    vec![
        log_chart(
            "cell-time",
            [
                language.text("Which cell size is fastest?", "Que tamanho de célula é mais rápido?"),
                format!(
                    "{} {}",
                    language.text(
                        "Time of a frame against the edge of a cell, 1,000 boxes of 50×50. Techniques without cells are level lines.",
                        "Tempo de um quadro conforme a aresta da célula, 1.000 caixas de 50×50. Técnicas sem células são linhas horizontais.",
                    ),
                    at_cells(summaries, language, |s| {
                        format!("{} ms", language.significant(s.ms, 3))
                    }),
                ),
                x_label(),
                language.text("ms a frame", "ms por quadro"),
            ],
            over_cells(summaries, ms, &[]),
            None,
        ),
        log_chart(
            "cell-tests",
            [
                language.text(
                    "How many tests does each cell size need?",
                    "Quantos testes cada tamanho de célula exige?",
                ),
                format!(
                    "{} {}",
                    language.text(
                        "Pairs tested in a frame. With cells smaller than the objects the study's grid tests little because it misses pairs; large cells hold many objects.",
                        "Pares testados em um quadro. Com células menores que os objetos a grade do estudo testa pouco porque perde pares; células grandes contêm muitos objetos.",
                    ),
                    at_cells(summaries, language, |s| language.number(s.tests, 0)),
                ),
                x_label(),
                language.text("tests a frame", "testes por quadro"),
            ],
            // Both brute forces test every pair: one line is enough.
            over_cells(summaries, tests, &["brute"]),
            None,
        ),
        log_chart(
            "cell-memory",
            [
                language.text("What does each cell size cost in memory?", "Quanta memória cada tamanho de célula ocupa?"),
                format!(
                    "{} {}",
                    language.text(
                        "Memory of the structure against the edge of a cell.",
                        "Memória da estrutura conforme a aresta da célula.",
                    ),
                    at_cells(summaries, language, |s| language.bytes(s.bytes as u64)),
                ),
                x_label(),
                "KiB".to_owned(),
            ],
            over_cells(summaries, bytes, &[STUDY_BRUTE]),
            None,
        ),
    ]
}

/// Lines over cell sizes; techniques without cells are level from the smallest to the largest.
fn over_cells(
    summaries: &Summaries<'_>,
    value: impl Fn(&Summary<'_>) -> f64,
    left_out: &[&str],
) -> Vec<Series> {
    let rows = || summaries.of_case(EXPERIMENT_1);
    let mut sizes: Vec<f64> = rows().filter_map(|s| s.cell_size).map(f64::from).collect();
    sizes.sort_by(f64::total_cmp);
    let techniques = summaries.techniques(EXPERIMENT_1);
    let mut lines = series(&techniques, &rows(), |s| s.cell_size.map(f64::from), &value);
    let ends = [sizes.first(), sizes.last()].map(Option::<&f64>::copied);
    for summary in rows().filter(|s| s.cell_size.is_none() && !left_out.contains(&s.technique)) {
        let Some(style) = chart_style::of(summary.technique) else { continue };
        let points = ends.iter().flatten().map(|&size| (size, value(summary))).collect();
        let name = summary.technique.to_owned();
        lines.push(Series { name, style, origin: Origin::Measured, points });
    }
    // Without cells there is nothing to be level over.
    if sizes.is_empty() { Vec::new() } else { lines }
}

/// What each grid has at its smallest, its fastest and its largest cells.
fn at_cells(
    summaries: &Summaries<'_>,
    language: Language,
    show: impl Fn(&Summary<'_>) -> String,
) -> String {
    let mut sentences = Vec::new();
    for technique in summaries.techniques(EXPERIMENT_1) {
        let own = || {
            let rows = summaries.of_case(EXPERIMENT_1);
            rows.filter(|s| s.technique == technique && s.cell_size.is_some())
        };
        let Some(fastest) = own().min_by(|one, other| one.ms.total_cmp(&other.ms)) else {
            continue;
        };
        let mut shown = vec![own().next(), Some(fastest), own().last()];
        shown.dedup();
        let figures: Vec<_> = shown
            .into_iter()
            .flatten()
            .map(|s| format!("{} px: {}", cell(s.cell_size.unwrap_or(0.0), language), show(s)))
            .collect();
        let words = language.text("smallest, fastest and largest", "menor, mais rápida e maior");
        sentences.push(format!("{technique} ({words}): {}.", figures.join(", ")));
    }
    sentences.join(" ")
}

/// Experiment 2: time against objects, each technique, the published times beside ours.
pub(super) fn time(summaries: &Summaries<'_>, bounds: Bounds, language: Language) -> Chart {
    let name = bounds.name();
    let rows = || summaries.of_case(EXPERIMENT_2).filter(move |s| s.bounds == name);
    let techniques = summaries.techniques(EXPERIMENT_2);
    let mut lines = series(&techniques, &rows(), |s| Some(f64::from(s.objects)), |s| s.ms);
    for (technique, figure) in PUBLISHED_MS {
        if techniques.contains(&technique) {
            lines.extend(published_line(technique, technique, bounds, figure, language));
        }
    }
    let largest = rows().map(|s| s.objects).max().unwrap_or(0);
    let at_largest: Vec<_> = rows()
        .filter(|s| s.objects == largest)
        .map(|s| format!("{} {} ms", s.technique, language.significant(s.ms, 3)))
        .collect();
    let count = language.integer(largest.into());
    let figures = at_largest.join(", ");
    let description = language.text(
        format!("Time of a frame against the number of objects, both axes logarithmic. With {count} objects: {figures}. The published times are those of a browser of 2015 on a laptop."),
        format!("Tempo de um quadro conforme o número de objetos, ambos os eixos logarítmicos. Com {count} objetos: {figures}. Os tempos publicados são os de um navegador de 2015 em um notebook."),
    );
    let title = language.text(
        format!("Time against objects, {name}"),
        format!("Tempo conforme os objetos, {name}"),
    );
    let labels = [
        title,
        description,
        language.text("objects", "objetos"),
        language.text("ms a frame", "ms por quadro"),
    ];
    log_chart(&format!("time-{name}"), labels, lines, None)
}

/// Experiment 2: tests of the study's techniques, the published counts beside ours.
pub(super) fn tests(summaries: &Summaries<'_>, language: Language) -> Chart {
    let mut lines = Vec::new();
    let mut figures = Vec::new();
    let x = |s: &Summary<'_>| Some(f64::from(s.objects));
    for (bounds, style) in Bounds::ALL.into_iter().zip([1, 4]) {
        let name = bounds.name();
        let rows = summaries.of_case(EXPERIMENT_2).filter(move |s| s.bounds == name);
        let label = format!("{STUDY_GRID}, {name}");
        let own = series(&[STUDY_GRID], &rows, x, |s| s.tests);
        if own.is_empty() {
            continue;
        }
        lines.extend(own.into_iter().map(|line| Series { name: label.clone(), style, ..line }));
        let beside = published_line(STUDY_GRID, &label, bounds, |line| line.grid_tests, language);
        lines.extend(beside.map(|line| Series { style, ..line }));
        if let Some(s) = rows.filter(|s| s.technique == STUDY_GRID).last() {
            let published = published::line(bounds, s.objects).map(|line| {
                let count = language.number(line.grid_tests, 0);
                language.text(format!(" (published {count})"), format!(" (publicado {count})"))
            });
            let objects = language.integer(s.objects.into());
            let tests = language.number(s.tests, 0);
            let published = published.unwrap_or_default();
            figures.push(language.text(
                format!("{name}, {objects} objects: {tests}{published}"),
                format!("{name}, {objects} objetos: {tests}{published}"),
            ));
        }
    }
    let brute = summaries.of_case(EXPERIMENT_2).filter(|s| s.bounds == Bounds::Aabb.name());
    lines.extend(series(&[STUDY_BRUTE], &brute, x, |s| s.tests));
    let description = language.text(
        format!("Pairs tested in a frame, both axes logarithmic: brute force tests them all, the grid far fewer. {}.", figures.join("; ")),
        format!("Pares testados em um quadro, ambos os eixos logarítmicos: a força bruta testa todos; a grade, bem menos. {}.", figures.join("; ")),
    );
    let labels = [
        language.text("Tests against objects", "Testes conforme os objetos"),
        description,
        language.text("objects", "objetos"),
        language.text("tests a frame", "testes por quadro"),
    ];
    log_chart("tests", labels, lines, None)
}

/// Experiment 2: are boxes or circles ahead?
pub(super) fn bounds(summaries: &Summaries<'_>, language: Language) -> Chart {
    let mut lines = Vec::new();
    for (technique, figure) in PUBLISHED_MS {
        let ratio = |s: &Summary<'_>| {
            let boxes = summaries.get(EXPERIMENT_2, technique, Bounds::Aabb.name(), s.objects);
            boxes.map_or(f64::NAN, |boxes| boxes.ms / s.ms)
        };
        let circles = summaries.of_case(EXPERIMENT_2).filter(|s| s.bounds == Bounds::Circle.name());
        let mut own = series(&[technique], &circles, |s| Some(f64::from(s.objects)), ratio);
        for line in &mut own {
            line.points.retain(|(_, ratio)| ratio.is_finite());
        }
        own.retain(|line| !line.points.is_empty());
        if own.is_empty() {
            continue;
        }
        lines.append(&mut own);
        let points = published::lines(Bounds::Aabb)
            .zip(published::lines(Bounds::Circle))
            .map(|(boxes, circles)| (f64::from(boxes.objects), figure(&boxes) / figure(&circles)));
        lines.extend(chart_style::of(technique).map(|style| Series {
            name: published_name(technique, language),
            style,
            origin: Origin::Published,
            points: points.collect(),
        }));
    }
    let labels = [
        language.text("Boxes or circles?", "Caixas ou círculos?"),
        language.text(
            "The time of boxes over the time of circles, with the same technique: above the line at 1 circles are ahead, below it boxes.",
            "O tempo das caixas dividido pelo dos círculos, com a mesma técnica: acima da linha em 1 os círculos estão à frente; abaixo, as caixas.",
        ),
        language.text("objects", "objetos"),
        language.text("time of boxes / time of circles", "tempo das caixas / tempo dos círculos"),
    ];
    let reference = Some((1.0, language.text("equally fast", "igualmente rápidos")));
    log_chart("bounds", labels, lines, reference)
}

fn published_line(
    technique: &str,
    name: &str,
    bounds: Bounds,
    figure: impl Fn(&published::Line) -> f64,
    language: Language,
) -> Option<Series> {
    let points =
        published::lines(bounds).map(|line| (f64::from(line.objects), figure(&line))).collect();
    let name = published_name(name, language);
    chart_style::of(technique).map(|style| Series {
        name,
        style,
        origin: Origin::Published,
        points,
    })
}

fn published_name(name: &str, language: Language) -> String {
    language.text(format!("{name}, published"), format!("{name}, publicado"))
}
