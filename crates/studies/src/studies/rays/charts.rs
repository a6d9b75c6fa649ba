//! Charts of Lorenzi 2014 ("Test cases" in `docs/studies.md`): triangles per level, time against
//! triangles, a summary of all cases. Not in the study: share tested, memory.

use embate_report::chart::{Chart, Dots, Kind, Lines, Origin, Scale, Series, StackedBars, slug};

use super::case_rows::{CaseRows, FAMILIES, STUDY_OCTREE, microseconds_per_ray, published_sizes};
use super::findings::PUBLISHED;
use super::report_text::ReportText;
use super::row::{MAX_LEVELS, Row};

/// How fast the octree is against basic detection, in every case.
pub(super) fn speedup(cases: CaseRows<'_>, text: ReportText) -> Chart {
    let mut series = measured(cases, |row| row.speedup_over_brute);
    for published in PUBLISHED {
        let Some((size, ratio)) = published.speedup else { continue };
        let Some(style) = style_of(cases, published.case) else { continue };
        series.push(Series {
            name: published_name(published.case, text),
            style,
            origin: Origin::Published,
            points: vec![(f64::from(size), ratio)],
        });
    }
    let at_largest = at_largest(cases, text, |row| text.0.times(row.speedup_over_brute));
    let description = text.0.text(
        "Above the line at 1 the study's octree is faster than its basic detection, below it slower. At the largest size of each case:",
        "Acima da linha em 1 a octree do estudo é mais rápida que a detecção básica dele; abaixo, mais lenta. No maior tamanho de cada caso:",
    );
    Chart {
        id: "speedup".to_owned(),
        title: text.0.text("When does the octree pay?", "Quando a octree compensa?"),
        description: format!("{description} {at_largest}."),
        x_label: text.0.text("triangles", "triângulos"),
        y_label: text.0.text(
            "basic detection's time / octree's time",
            "tempo da detecção básica / tempo da octree",
        ),
        kind: Kind::Lines(Lines {
            series,
            x_scale: Scale::Log,
            y_scale: Scale::Log,
            reference: Some((1.0, text.0.text("equally fast", "igualmente rápidas"))),
        }),
    }
}

/// The share of triangles that the octree still tests, with the published means.
pub(super) fn tested(cases: CaseRows<'_>, text: ReportText) -> Chart {
    let mut series = measured(cases, |row| row.tested_percent);
    for published in PUBLISHED {
        let Some(style) = style_of(cases, published.case) else { continue };
        // A mean over sizes is a level, drawn from the smallest size to the largest.
        let ends = match published.speedup {
            Some((size, _)) if !FAMILIES.contains(&published.case) => vec![size],
            _ => [published_sizes().min(), published_sizes().max()].into_iter().flatten().collect(),
        };
        series.push(Series {
            name: published_name(published.case, text),
            style,
            origin: Origin::Published,
            points: ends.into_iter().map(|size| (f64::from(size), published.tested)).collect(),
        });
    }
    let means: Vec<_> = cases
        .names()
        .into_iter()
        .filter_map(|case| Some(format!("{case} {}", text.0.percent(cases.mean_tested(case)?, 2))))
        .collect();
    let description = text.0.text(
        "The share hardly depends on how many triangles there are, only on how they lie. Means:",
        "A fração quase não depende de quantos triângulos há, e sim de como estão dispostos. Médias:",
    );
    Chart {
        id: "tested".to_owned(),
        title: text.0.text(
            "How many triangles does the octree still test?",
            "Quantos triângulos a octree ainda testa?",
        ),
        description: format!("{description} {}.", means.join(", ")),
        x_label: text.0.text("triangles", "triângulos"),
        y_label: text.0.text("% of all triangles tested", "% de todos os triângulos testados"),
        kind: Kind::Lines(Lines {
            series,
            x_scale: Scale::Log,
            y_scale: Scale::Linear,
            reference: None,
        }),
    }
}

/// Triangles on each level, one bar a case.
pub(super) fn levels(cases: CaseRows<'_>, text: ReportText) -> Chart {
    let rows: Vec<_> = cases
        .names()
        .into_iter()
        .filter_map(|case| {
            let class = text.affinity(cases.affinity(case)?);
            Some((format!("{case} ({class})"), cases.levels(case)?.to_vec()))
        })
        .collect();
    let level = |level: usize| text.0.text(format!("level {level}"), format!("nível {level}"));
    Chart {
        id: "levels".to_owned(),
        title: text.0.text("On which level of the octree do triangles lie?", "Em que nível da octree ficam os triângulos?"),
        description: text.0.text(
            "Each bar is a case, cut into the shares of its triangles on the six levels; level 1 is the root. The more lies to the right, at deep levels, the higher the affinity (in parentheses).",
            "Cada barra é um caso, dividida nas frações de seus triângulos nos seis níveis; o nível 1 é a raiz. Quanto mais à direita, nos níveis profundos, maior a afinidade (entre parênteses).",
        ),
        x_label: text.0.text("% of the case's triangles", "% dos triângulos do caso"),
        y_label: text.0.text("case (affinity)", "caso (afinidade)"),
        kind: Kind::StackedBars(StackedBars {
            parts: (1..=MAX_LEVELS).map(level).collect(),
            marks: (1..=MAX_LEVELS).map(|level| level.to_string()).collect(),
            rows,
        }),
    }
}

/// Time of one ray against triangles, each technique: one chart a family that has several sizes.
pub(super) fn time_of_family(cases: CaseRows<'_>, case: &str, text: ReportText) -> Option<Chart> {
    if cases.sizes(case).len() < 2 {
        return None;
    }
    let series: Vec<_> = cases
        .techniques()
        .into_iter()
        .enumerate()
        .map(|(style, technique)| Series {
            name: technique.to_owned(),
            style,
            origin: Origin::Measured,
            points: cases.points(case, technique, microseconds_per_ray),
        })
        .filter(|series| !series.points.is_empty())
        .collect();
    let largest = cases.sizes(case).last().copied().unwrap_or(0);
    let at_largest: Vec<_> = cases
        .of_case(case)
        .filter(|row| row.triangles == largest)
        .map(|row| {
            format!("{} {} µs", row.technique, text.0.significant(microseconds_per_ray(row), 3))
        })
        .collect();
    let size = text.triangles(largest);
    let begin = text.0.text(format!("At {size}:"), format!("Com {size}:"));
    let title = text.0.text(
        format!("{case}: time of one ray against triangles"),
        format!("{case}: tempo de um raio em função dos triângulos"),
    );
    let description = format!("{begin} {}.", at_largest.join(", "));
    Some(time_chart(&format!("time-{}", slug(case)), title, description, series, text))
}

fn time_chart(
    id: &str,
    title: String,
    description: String,
    series: Vec<Series>,
    text: ReportText,
) -> Chart {
    let kind =
        Kind::Lines(Lines { series, x_scale: Scale::Log, y_scale: Scale::Log, reference: None });
    Chart {
        id: id.to_owned(),
        title,
        description,
        x_label: text.0.text("triangles", "triângulos"),
        y_label: text.0.text("µs a ray", "µs por raio"),
        kind,
    }
}

/// Time of one ray in the cases of a single size: one row a mesh, one marker a technique.
pub(super) fn time_of_meshes(cases: CaseRows<'_>, text: ReportText) -> Chart {
    let single: Vec<_> =
        cases.names().into_iter().filter(|case| cases.sizes(case).len() == 1).collect();
    let dots = dots(cases, &single, |row| Some(microseconds_per_ray(row)), text);
    Chart {
        id: "time-meshes".to_owned(),
        title: text.0.text("Meshes: time of one ray", "Malhas: tempo de um raio"),
        description: text.0.text(
            "Each row is a mesh, each marker a technique; further left is faster, and each grid line is a fixed factor.",
            "Cada linha é uma malha, cada marcador uma técnica; mais à esquerda é mais rápido, e cada linha da grade é um fator fixo.",
        ),
        x_label: text.0.text("µs a ray", "µs por raio"),
        y_label: text.0.text("mesh", "malha"),
        kind: Kind::Dots(dots),
    }
}

/// Memory of each structure, at the largest size of each case.
pub(super) fn memory(cases: CaseRows<'_>, text: ReportText) -> Chart {
    let bytes = |row: &Row| Some(row.bytes as f64 / f64::from(row.triangles));
    Chart {
        id: "memory".to_owned(),
        title: text.0.text("Memory of each structure", "Memória de cada estrutura"),
        description: text.0.text(
            "Bytes a triangle at the largest size of each case; further left is less. The study's octree makes all its cells beforehand, so a small scene pays for many empty ones.",
            "Bytes por triângulo no maior tamanho de cada caso; mais à esquerda é menos. A octree do estudo cria todas as células de antemão, de modo que uma cena pequena paga por muitas vazias.",
        ),
        x_label: text.0.text("bytes a triangle", "bytes por triângulo"),
        y_label: text.0.text("case, triangles", "caso, triângulos"),
        kind: Kind::Dots(dots(cases, &cases.names(), bytes, text)),
    }
}

fn dots(
    cases: CaseRows<'_>,
    names: &[&str],
    value: impl Fn(&Row) -> Option<f64>,
    text: ReportText,
) -> Dots {
    let techniques = cases.techniques();
    let rows = names.iter().map(|case| {
        let size = cases.sizes(case).last().copied().unwrap_or(0);
        let values = techniques
            .iter()
            .map(|technique| cases.get(case, technique, size).and_then(&value))
            .collect();
        (format!("{case}, {}", text.0.integer(size.into())), values)
    });
    Dots {
        rows: rows.collect(),
        series: (0..).zip(&techniques).map(|(style, name)| ((*name).to_owned(), style)).collect(),
        scale: Scale::Log,
    }
}

/// One series a case, of the study's octree.
fn measured(cases: CaseRows<'_>, value: impl Fn(&Row) -> f64) -> Vec<Series> {
    cases
        .names()
        .into_iter()
        .enumerate()
        .map(|(style, case)| Series {
            name: case.to_owned(),
            style,
            origin: Origin::Measured,
            points: cases.points(case, STUDY_OCTREE, &value),
        })
        .filter(|series| !series.points.is_empty())
        .collect()
}

/// A published case has the style of our own: they are compared.
fn style_of(cases: CaseRows<'_>, case: &str) -> Option<usize> {
    cases.names().into_iter().position(|name| name == case)
}

fn published_name(case: &str, text: ReportText) -> String {
    text.0.text(format!("{case}, published"), format!("{case}, publicado"))
}

fn at_largest(cases: CaseRows<'_>, text: ReportText, show: impl Fn(&Row) -> String) -> String {
    let shown = cases.names().into_iter().filter_map(|case| {
        let size = cases.sizes(case).last().copied()?;
        let row = cases.get(case, STUDY_OCTREE, size)?;
        Some(format!("{case} {} ({})", show(row), text.triangles(size)))
    });
    shown.collect::<Vec<_>>().join(", ")
}
