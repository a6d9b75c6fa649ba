//! Charts of Gonçales et al. 2016 ("Experiments" in `docs/studies.md`): time against cell size,
//! time and tests against objects. Not in the study: memory, and boxes against circles.

use embate_report::chart::{Chart, Kind, Origin, Series};
use embate_report::language::Language;
use embate_scene::generators::Bounds;

use super::findings::SMALL_BESIDE_WORLD;
use super::published::FIXED_SIZE;
use super::{label, published};
use crate::studies::labels;
use crate::studies::moving_worlds::chart_style::{self, log_chart, scene, series, time_series};
use crate::studies::moving_worlds::row::{Summaries, Summary};
use crate::studies::moving_worlds::table::cell;
use crate::studies::moving_worlds::{EXPERIMENT_1, EXPERIMENT_2, STUDY_BRUTE, STUDY_GRID};

/// A value of the study's table.
type Value = fn(&published::Line) -> f64;

/// The published times.
const PUBLISHED_MS: [(&str, Value); 2] =
    [(STUDY_BRUTE, |line| line.brute_ms), (STUDY_GRID, |line| line.grid_ms)];

/// World of experiment 1, as the source line of its charts.
fn scene_1(summaries: &Summaries<'_>, language: Language) -> String {
    let world = language.text(
        "1,000 boxes of 50×50 px, world 2000×2000 px",
        "1.000 caixas de 50×50 px, mundo 2000×2000 px",
    );
    format!("{world}, {}", scene(summaries.of_case(EXPERIMENT_1), language))
}

/// Worlds of experiment 2, as the source line of its charts.
fn scene_2(summaries: &Summaries<'_>, language: Language) -> String {
    let world = language.text(
        "objects of 5–50 px, world 2000×2000 px, cells of 100 px",
        "objetos de 5–50 px, mundo 2000×2000 px, células de 100 px",
    );
    format!("{world}, {}", scene(summaries.of_case(EXPERIMENT_2), language))
}

/// Experiment 1: time, tests and memory by cell size.
pub(super) fn of_cells(summaries: &Summaries<'_>, language: Language) -> Vec<Chart> {
    let x_label = || language.text("Cell size (px)", "Tamanho da célula (px)");
    let source = || scene_1(summaries, language);
    let tests = |s: &Summary<'_>| (s.tests, None);
    let bytes = |s: &Summary<'_>| (s.bytes / 1000.0, None);
    let ms = |s: &Summary<'_>| (s.ms, (s.ms_samples.len() > 1).then(|| s.ms_range()));
    let chart = |id: &str, [title, description, y_label]: [String; 3], series: Vec<Series>| {
        log_chart(id, [title, description, source(), x_label(), y_label], series, None)
    };
    let mut charts = vec![
        chart(
            "cell-time",
            [
                language.text("Time by cell size", "Tempo por tamanho de célula"),
                format!(
                    "{} {}",
                    language.text(
                        "Time to find the pairs of a frame by cell size. Techniques without cells are horizontal lines.",
                        "Tempo para encontrar os pares de um quadro por tamanho de célula. Técnicas sem células são linhas horizontais.",
                    ),
                    at_cells(summaries, language, |s| {
                        format!("{} ms", language.significant(s.ms, 3))
                    }),
                ),
                language.text("Time per frame (ms)", "Tempo por quadro (ms)"),
            ],
            over_cells(summaries, language, ms, &[]),
        ),
        chart(
            "cell-tests",
            [
                language.text("Tests by cell size", "Testes por tamanho de célula"),
                format!(
                    "{} {}",
                    language.text(
                        "Overlap tests per frame. With cells smaller than the objects the study's grid makes few tests because it misses pairs; large cells contain many objects.",
                        "Testes de sobreposição por quadro. Com células menores que os objetos a grade do estudo faz poucos testes porque perde pares; células grandes contêm muitos objetos.",
                    ),
                    at_cells(summaries, language, |s| language.number(s.tests, 0)),
                ),
                language.text("Tests per frame", "Testes por quadro"),
            ],
            // Both brute forces test every pair: one line is enough.
            over_cells(summaries, language, tests, &["brute"]),
        ),
        chart(
            "cell-memory",
            [
                language.text("Memory by cell size", "Memória por tamanho de célula"),
                format!(
                    "{} {}",
                    language.text(
                        "Memory of the structures of Embate and of its replica of the study's grid by cell size. The study measured no memory.",
                        "Memória das estruturas do Embate e de sua réplica da grade do estudo por tamanho de célula. O estudo não mediu memória.",
                    ),
                    at_cells(summaries, language, |s| language.bytes(s.bytes as u64)),
                ),
                language.text("Memory (kB)", "Memória (kB)"),
            ],
            over_cells(summaries, language, bytes, &[STUDY_BRUTE]),
        ),
    ];
    if let Kind::Lines(lines) = &mut charts[0].kind {
        lines.marks = cell_rules(language);
    }
    charts
}

/// The rules for the cell size that the study cites, as marks.
fn cell_rules(language: Language) -> Vec<(f64, String)> {
    let largest = language.text(
        "largest object (Souza), mean (Hastings et al.)",
        "maior objeto (Souza), média (Hastings et al.)",
    );
    let tenth = language.text(
        "tenth of the world (Hastings et al.; number of Embate)",
        "décimo do mundo (Hastings et al.; número do Embate)",
    );
    vec![(FIXED_SIZE.into(), largest), (SMALL_BESIDE_WORLD.into(), tenth)]
}

/// Lines over cell sizes; a technique without cells is a horizontal line over their range.
fn over_cells(
    summaries: &Summaries<'_>,
    language: Language,
    value: impl Fn(&Summary<'_>) -> (f64, Option<(f64, f64)>),
    left_out: &[&str],
) -> Vec<Series> {
    let rows = || summaries.of_case(EXPERIMENT_1);
    let mut sizes: Vec<f64> = rows().filter_map(|s| s.cell_size).map(f64::from).collect();
    sizes.sort_by(f64::total_cmp);
    let [Some(&smallest), Some(&largest)] = [sizes.first(), sizes.last()] else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    for technique in summaries.techniques(EXPERIMENT_1) {
        let Some(style) = chart_style::of(technique) else { continue };
        let own = || rows().filter(move |s| s.technique == technique);
        let mut by_size: Vec<_> =
            own().filter_map(|s| Some((f64::from(s.cell_size?), value(s)))).collect();
        by_size.sort_by(|one, other| one.0.total_cmp(&other.0));
        if by_size.is_empty() && !left_out.contains(&technique) {
            let level = own().next().map(&value);
            by_size.extend(level.into_iter().flat_map(|v| [(smallest, v), (largest, v)]));
        }
        if by_size.is_empty() {
            continue;
        }
        let bars: Vec<_> = by_size.iter().filter_map(|(_, (_, range))| *range).collect();
        lines.push(Series {
            name: label(technique, language),
            style,
            origin: Origin::Measured,
            error_bars: if bars.len() == by_size.len() { bars } else { Vec::new() },
            points: by_size.iter().map(|(x, (y, _))| (*x, *y)).collect(),
        });
    }
    lines
}

/// Values of each grid at its smallest, its fastest and its largest cells. The fastest is one that
/// misses no pair, if there is one: cells smaller than the objects are fast because they miss pairs.
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
        let is_exact = own().any(|s| s.missed == 0);
        let candidates = own().filter(|s| !is_exact || s.missed == 0);
        let Some(fastest) = candidates.min_by(|one, other| one.ms.total_cmp(&other.ms)) else {
            continue;
        };
        let mut shown = vec![own().next(), Some(fastest), own().last()];
        shown.dedup();
        let values: Vec<_> = shown
            .into_iter()
            .flatten()
            .map(|s| format!("{} px: {}", cell(s.cell_size.unwrap_or(0.0), language), show(s)))
            .collect();
        let words = if is_exact {
            language.text(
                "smallest, fastest that misses no pair, and largest",
                "menor, mais rápida que não perde pares e maior",
            )
        } else {
            language.text(
                "smallest, fastest and largest; all miss pairs",
                "menor, mais rápida e maior; todas perdem pares",
            )
        };
        let name = label(technique, language);
        sentences.push(format!("{name} ({words}): {}.", values.join(", ")));
    }
    sentences.join(" ")
}

/// Experiment 2: time by number of objects, with the published times.
pub(super) fn time(summaries: &Summaries<'_>, bounds: Bounds, language: Language) -> Chart {
    let name = bounds.name();
    let rows = || summaries.of_case(EXPERIMENT_2).filter(move |s| s.bounds == name);
    let techniques = summaries.techniques(EXPERIMENT_2);
    let x = |s: &Summary<'_>| Some(f64::from(s.objects));
    let mut lines = time_series(&techniques, &rows(), x, |name| label(name, language));
    for (technique, value) in PUBLISHED_MS {
        if techniques.contains(&technique) {
            let name = label(technique, language);
            lines.extend(published_line(technique, &name, bounds, value, language));
        }
    }
    let largest = rows().map(|s| s.objects).max().unwrap_or(0);
    let at_largest: Vec<_> = rows()
        .filter(|s| s.objects == largest)
        .map(|s| format!("{} {} ms", label(s.technique, language), language.significant(s.ms, 3)))
        .collect();
    let count = language.integer(largest.into());
    let values = at_largest.join(", ");
    let description = language.text(
        format!("Time to find the pairs of a frame by number of objects. With {count} objects: {values}. The published times are those of a browser of 2015 on a laptop."),
        format!("Tempo para encontrar os pares de um quadro por número de objetos. Com {count} objetos: {values}. Os tempos publicados são os de um navegador de 2015 em um notebook."),
    );
    let shape = labels::bounds(name, language);
    let title = language.text(
        format!("{shape}: time by number of objects"),
        format!("{shape}: tempo por número de objetos"),
    );
    let labels = [
        title,
        description,
        scene_2(summaries, language),
        language.text("Objects", "Objetos"),
        language.text("Time per frame (ms)", "Tempo por quadro (ms)"),
    ];
    log_chart(&format!("time-{name}"), labels, lines, None)
}

/// Experiment 2: tests of the study's techniques, with the published counts.
pub(super) fn tests(summaries: &Summaries<'_>, language: Language) -> Chart {
    let mut lines = Vec::new();
    let mut values = Vec::new();
    let x = |s: &Summary<'_>| Some(f64::from(s.objects));
    for (bounds, style) in Bounds::ALL.into_iter().zip([1, 4]) {
        let name = bounds.name();
        let rows = summaries.of_case(EXPERIMENT_2).filter(move |s| s.bounds == name);
        let shape = labels::bounds(name, language);
        let series_name = format!("{}, {}", label(STUDY_GRID, language), shape.to_lowercase());
        let own = series(&[STUDY_GRID], &rows, x, |s| s.tests, |_| series_name.clone());
        if own.is_empty() {
            continue;
        }
        lines.extend(own.into_iter().map(|line| Series { style, ..line }));
        let beside =
            published_line(STUDY_GRID, &series_name, bounds, |line| line.grid_tests, language);
        lines.extend(beside.map(|line| Series { style, ..line }));
        if let Some(s) = rows.filter(|s| s.technique == STUDY_GRID).last() {
            let published = published::line(bounds, s.objects).map(|line| {
                let count = language.number(line.grid_tests, 0);
                language.text(format!(" (published {count})"), format!(" (publicado {count})"))
            });
            let objects = language.integer(s.objects.into());
            let tests = language.number(s.tests, 0);
            let published = published.unwrap_or_default();
            values.push(format!("{shape}, {objects}: {tests}{published}"));
        }
    }
    let brute = summaries.of_case(EXPERIMENT_2).filter(|s| s.bounds == Bounds::Aabb.name());
    lines.extend(series(&[STUDY_BRUTE], &brute, x, |s| s.tests, |name| label(name, language)));
    let values = values.join("; ");
    let description = language.text(
        format!("Overlap tests per frame: brute force tests all pairs, the grid far fewer. At the largest number of objects: {values}."),
        format!("Testes de sobreposição por quadro: a força bruta testa todos os pares; a grade, bem menos. No maior número de objetos: {values}."),
    );
    let labels = [
        language.text("Tests by number of objects", "Testes por número de objetos"),
        description,
        scene_2(summaries, language),
        language.text("Objects", "Objetos"),
        language.text("Tests per frame", "Testes por quadro"),
    ];
    log_chart("tests", labels, lines, None)
}

/// Experiment 2: ratio of the times of boxes and circles.
pub(super) fn bounds(summaries: &Summaries<'_>, language: Language) -> Chart {
    let mut lines = Vec::new();
    for (technique, value) in PUBLISHED_MS {
        let ratio = |s: &Summary<'_>| {
            let boxes = summaries.get(EXPERIMENT_2, technique, Bounds::Aabb.name(), s.objects);
            boxes.map_or(f64::NAN, |boxes| boxes.ms / s.ms)
        };
        let circles = summaries.of_case(EXPERIMENT_2).filter(|s| s.bounds == Bounds::Circle.name());
        let x = |s: &Summary<'_>| Some(f64::from(s.objects));
        let mut own = series(&[technique], &circles, x, ratio, |name| label(name, language));
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
            .map(|(boxes, circles)| (f64::from(boxes.objects), value(&boxes) / value(&circles)));
        lines.extend(chart_style::of(technique).map(|style| Series {
            name: published_name(&label(technique, language), language),
            style,
            origin: Origin::Published,
            points: points.collect(),
            error_bars: Vec::new(),
        }));
    }
    let labels = [
        language.text("Boxes compared with circles", "Caixas em comparação com círculos"),
        language.text(
            "Time of boxes divided by time of circles, same technique: above the line at 1 circles are faster, below it boxes.",
            "Tempo das caixas dividido pelo dos círculos, mesma técnica: acima da linha em 1 os círculos são mais rápidos; abaixo, as caixas.",
        ),
        scene_2(summaries, language),
        language.text("Objects", "Objetos"),
        language.text("Time of boxes / time of circles", "Tempo das caixas / tempo dos círculos"),
    ];
    let reference = Some((1.0, language.text("equal speed", "velocidades iguais")));
    log_chart("bounds", labels, lines, reference)
}

fn published_line(
    technique: &str,
    name: &str,
    bounds: Bounds,
    value: impl Fn(&published::Line) -> f64,
    language: Language,
) -> Option<Series> {
    let points =
        published::lines(bounds).map(|line| (f64::from(line.objects), value(&line))).collect();
    let name = published_name(name, language);
    let error_bars = Vec::new();
    chart_style::of(technique).map(|style| Series {
        name,
        style,
        origin: Origin::Published,
        points,
        error_bars,
    })
}

fn published_name(name: &str, language: Language) -> String {
    language.text(format!("{name}, published"), format!("{name}, publicado"))
}
