//! Charts of Lorenzi 2014 ("Test cases" in `docs/studies.md`): triangles per level, time against
//! triangles, a summary of all cases. Not in the study: share tested, memory.

use embate_report::chart::{Chart, Dots, Kind, Lines, Origin, Scale, Series, StackedBars, slug};

use super::case_rows::{
    CaseRows, FAMILIES, LITERAL_OCTREE, STUDY_BRUTE, STUDY_OCTREE, microseconds_per_ray,
    published_sizes,
};
use super::findings::PUBLISHED;
use super::report_text::ReportText;
use super::row::{PUBLISHED_LEVELS, Row};

/// Techniques of a chart, by style: no more than there are distinguishable markers.
pub(super) type Group = [&'static str; 7];

/// The study beside Embate. The literal brute force has almost the line of the counted one.
pub(super) const MAIN: Group =
    [STUDY_BRUTE, STUDY_OCTREE, LITERAL_OCTREE, "brute", "octree", "bvh", "auto"];

/// Further structures, of the literature and with less memory, beside Embate's.
pub(super) const FURTHER: Group =
    ["kd-tree", "grid", "bsp", "compact-octree", "octree", "bvh", "bvh-compact"];

/// The techniques of a group that were run, with their styles. Empty if all of them are in the main
/// group.
fn members(cases: CaseRows<'_>, group: &Group) -> Vec<(usize, &'static str)> {
    let run = cases.techniques();
    let members: Vec<_> = (0..).zip(*group).filter(|(_, name)| run.contains(name)).collect();
    let has_own = members.iter().any(|(_, name)| !MAIN.contains(name));
    if *group == MAIN || has_own { members } else { Vec::new() }
}

/// End of the title and identifier of a chart of a group.
fn of_group(group: &Group, text: ReportText) -> (&'static str, String) {
    if *group == MAIN {
        return ("", String::new());
    }
    ("-further", text.0.text(", further structures", ", outras estruturas"))
}

/// Speedup of the study's octree over the study's brute force, in every case.
pub(super) fn speedup(cases: CaseRows<'_>, text: ReportText) -> Chart {
    let mut series = measured(cases, text, |row| row.speedup_over_brute);
    for published in PUBLISHED {
        let Some((size, ratio)) = published.speedup else { continue };
        let Some(style) = style_of(cases, published.case) else { continue };
        let (name, triangles) = (published_name(published.case, text), text.triangles(size));
        series.push(Series {
            name: format!("{name} ({triangles})"),
            style,
            origin: Origin::Published,
            points: vec![(f64::from(size), ratio)],
            error_bars: Vec::new(),
        });
    }
    let at_largest = at_largest(cases, text, |row| text.0.times(row.speedup_over_brute));
    let description = text.0.text(
        "Above the line at 1 the study's octree is faster than the study's brute force, below it slower. At the largest size of each case:",
        "Acima da linha em 1 a octree do estudo é mais rápida que a força bruta do estudo; abaixo, mais lenta. No maior tamanho de cada caso:",
    );
    Chart {
        id: "speedup".to_owned(),
        title: text.0.text("When does the octree pay off?", "Quando a octree compensa?"),
        description: format!("{description} {at_largest}."),
        source: scene(cases, text),
        x_label: text.0.text("Triangles", "Triângulos"),
        y_label: text.0.text(
            "Speedup of the octree over brute force (×)",
            "Ganho da octree sobre a força bruta (×)",
        ),
        kind: Kind::Lines(Lines {
            series,
            x_scale: Scale::Log,
            y_scale: Scale::Log,
            reference: Some((1.0, text.0.text("equal speed", "velocidades iguais"))),
            marks: Vec::new(),
        }),
    }
}

/// The share of triangles that the octree still tests, with the published means.
pub(super) fn tested(cases: CaseRows<'_>, text: ReportText) -> Chart {
    let mut series = measured(cases, text, |row| row.tested_percent);
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
            error_bars: Vec::new(),
        });
    }
    let means: Vec<_> = cases
        .names()
        .into_iter()
        .filter_map(|case| {
            Some(format!("{} {}", text.case(case), text.0.percent(cases.mean_tested(case)?, 2)))
        })
        .collect();
    let description = text.0.text(
        "The share depends on the arrangement of the triangles, hardly on their number. Means:",
        "A fração depende da disposição dos triângulos, quase nada do número deles. Médias:",
    );
    Chart {
        id: "tested".to_owned(),
        title: text.0.text(
            "Share of triangles tested by the octree",
            "Fração de triângulos testada pela octree",
        ),
        description: format!("{description} {}.", means.join(", ")),
        source: scene(cases, text),
        x_label: text.0.text("Triangles", "Triângulos"),
        y_label: text.0.text("Triangles tested (%)", "Triângulos testados (%)"),
        kind: Kind::Lines(Lines {
            series,
            x_scale: Scale::Log,
            y_scale: Scale::Linear,
            reference: None,
            marks: Vec::new(),
        }),
    }
}

/// Triangles on each level, one bar a case. Levels that only a deeper tree than the published one
/// has are part of the sixth.
pub(super) fn levels(cases: CaseRows<'_>, text: ReportText) -> Chart {
    let mut is_deeper = false;
    let rows: Vec<_> = cases
        .names()
        .into_iter()
        .filter_map(|case| {
            let class = text.affinity(cases.affinity(case)?);
            let mut shares = cases.levels(case)?;
            shares[PUBLISHED_LEVELS - 1] = shares[PUBLISHED_LEVELS - 1..].iter().sum();
            shares.truncate(PUBLISHED_LEVELS);
            is_deeper |= cases.level_count(case) > PUBLISHED_LEVELS;
            Some((format!("{} ({class})", text.case(case)), shares))
        })
        .collect();
    let level = |level: usize| {
        if is_deeper && level == PUBLISHED_LEVELS {
            text.0.text("level 6 and deeper", "nível 6 e mais fundos")
        } else {
            text.0.text(format!("level {level}"), format!("nível {level}"))
        }
    };
    Chart {
        id: "levels".to_owned(),
        title: text.0.text("Triangles per level of the octree", "Triângulos por nível da octree"),
        description: text.0.text(
            "Each bar is a case, divided into the shares of its triangles on the six levels; level 1 is the root. The larger the share on deep levels (right), the higher the affinity (in parentheses).",
            "Cada barra é um caso, dividida nas frações de seus triângulos nos seis níveis; o nível 1 é a raiz. Quanto maior a fração nos níveis profundos (à direita), maior a afinidade (entre parênteses).",
        ),
        source: scene(cases, text),
        x_label: text.0.text("Share of the triangles (%)", "Fração dos triângulos (%)"),
        y_label: text.0.text("Case (affinity)", "Caso (afinidade)"),
        kind: Kind::StackedBars(StackedBars {
            parts: (1..=PUBLISHED_LEVELS).map(level).collect(),
            marks: (1..=PUBLISHED_LEVELS).map(|level| level.to_string()).collect(),
            rows,
        }),
    }
}

/// Time of one ray against triangles, each technique: one chart a family that has several sizes.
pub(super) fn time_of_family(
    cases: CaseRows<'_>,
    case: &str,
    group: &Group,
    text: ReportText,
) -> Option<Chart> {
    if cases.sizes(case).len() < 2 {
        return None;
    }
    let members = members(cases, group);
    let has_own = members
        .iter()
        .any(|(_, name)| !MAIN.contains(name) && cases.of(case, name).next().is_some());
    // Settings are measured on meshes only: a family may have nothing beside the main chart.
    if *group != MAIN && !has_own {
        return None;
    }
    let series: Vec<_> = members
        .into_iter()
        .map(|(style, technique)| Series {
            name: text.technique(technique),
            style,
            origin: Origin::Measured,
            points: cases.points(case, technique, microseconds_per_ray),
            error_bars: error_bars(cases, case, technique),
        })
        .filter(|series| !series.points.is_empty())
        .collect();
    if series.is_empty() {
        return None;
    }
    let largest = cases.sizes(case).last().copied().unwrap_or(0);
    let at_largest: Vec<_> = cases
        .of_case(case)
        .filter(|row| row.triangles == largest && group.contains(&row.technique.as_str()))
        .map(|row| {
            format!(
                "{} {} µs",
                text.technique(&row.technique),
                text.0.significant(microseconds_per_ray(row), 3)
            )
        })
        .collect();
    let size = text.triangles(largest);
    let begin = text.0.text(format!("At {size}:"), format!("Com {size}:"));
    let label = text.case(case);
    let (suffix, further) = of_group(group, text);
    let title = text.0.text(
        format!("{label}: time per ray by triangle count{further}"),
        format!("{label}: tempo por raio conforme o número de triângulos{further}"),
    );
    let description = format!("{begin} {}.", at_largest.join(", "));
    let kind = Kind::Lines(Lines {
        series,
        x_scale: Scale::Log,
        y_scale: Scale::Log,
        reference: None,
        marks: Vec::new(),
    });
    Some(Chart {
        id: format!("time-{}{suffix}", slug(case)),
        title,
        description,
        source: scene(cases, text),
        x_label: text.0.text("Triangles", "Triângulos"),
        y_label: text.0.text("Time per ray (µs)", "Tempo por raio (µs)"),
        kind,
    })
}

/// Minimum and maximum time per ray of the repeats, at each size; empty without repeats.
fn error_bars(cases: CaseRows<'_>, case: &str, technique: &str) -> Vec<(f64, f64)> {
    let mut rows: Vec<&Row> = cases.of(case, technique).collect();
    rows.sort_by_key(|row| row.triangles);
    if rows.iter().all(|row| row.query_s_repeats.len() < 2) {
        return Vec::new();
    }
    let range = |row: &&Row| {
        let repeats = row.query_s_repeats.iter().map(|s| s / f64::from(row.rays) * 1e6);
        repeats
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), us| (us.min(low), us.max(high)))
    };
    rows.iter().map(range).collect()
}

/// Rays and seed, as the source line of a chart.
pub(super) fn scene(cases: CaseRows<'_>, text: ReportText) -> String {
    let Some(row) = cases.study_octree().chain(cases.all()).next() else { return String::new() };
    let (rays, seed) = (text.0.integer(row.rays.into()), row.seed);
    text.0.text(
        format!("{rays} rays per point, seed {seed}"),
        format!("{rays} raios por ponto, semente {seed}"),
    )
}

/// Time of one ray in the cases of a single size: one row a mesh, one marker a technique.
pub(super) fn time_of_meshes(cases: CaseRows<'_>, group: &Group, text: ReportText) -> Chart {
    let single: Vec<_> =
        cases.names().into_iter().filter(|case| cases.sizes(case).len() == 1).collect();
    let dots = dots(cases, &single, group, |row| Some(microseconds_per_ray(row)), text);
    let (suffix, further) = of_group(group, text);
    Chart {
        id: format!("time-meshes{suffix}"),
        title: text.0.text(
            format!("Meshes: time per ray{further}"),
            format!("Malhas: tempo por raio{further}"),
        ),
        description: text.0.text(
            "Each row is a mesh, each marker a structure; further left is faster.",
            "Cada linha é uma malha, cada marcador uma estrutura; mais à esquerda é mais rápido.",
        ),
        source: scene(cases, text),
        x_label: text.0.text("Time per ray (µs)", "Tempo por raio (µs)"),
        y_label: text.0.text("Mesh, triangles", "Malha, triângulos"),
        kind: Kind::Dots(dots),
    }
}

/// Memory of each structure, at the largest size of each case.
pub(super) fn memory(cases: CaseRows<'_>, group: &Group, text: ReportText) -> Chart {
    let bytes = |row: &Row| Some(row.bytes as f64 / f64::from(row.triangles));
    let (suffix, further) = of_group(group, text);
    Chart {
        id: format!("memory{suffix}"),
        title: text.0.text(
            format!("Memory of each structure{further}"),
            format!("Memória de cada estrutura{further}"),
        ),
        description: text.0.text(
            "Bytes per triangle at the largest size of each case; further left is less. The memory of the study's octree is that of its program, which allocates all cells in advance: a small scene has many empty ones.",
            "Bytes por triângulo no maior tamanho de cada caso; mais à esquerda é menos. A memória da octree do estudo é a do programa dele, que aloca todas as células de antemão: uma cena pequena tem muitas vazias.",
        ),
        source: scene(cases, text),
        x_label: text.0.text("Memory per triangle (bytes)", "Memória por triângulo (bytes)"),
        y_label: text.0.text("Case, triangles", "Caso, triângulos"),
        kind: Kind::Dots(dots(cases, &cases.names(), group, bytes, text)),
    }
}

fn dots(
    cases: CaseRows<'_>,
    names: &[&str],
    group: &Group,
    value: impl Fn(&Row) -> Option<f64>,
    text: ReportText,
) -> Dots {
    let techniques = members(cases, group);
    let names = if techniques.is_empty() { &[] } else { names };
    let rows = names.iter().map(|case| {
        let size = cases.sizes(case).last().copied().unwrap_or(0);
        let values = techniques
            .iter()
            .map(|(_, technique)| cases.get(case, technique, size).and_then(&value))
            .collect();
        (format!("{}, {}", text.case(case), text.0.integer(size.into())), values)
    });
    Dots {
        rows: rows.collect(),
        series: techniques.iter().map(|(style, name)| (text.technique(name), *style)).collect(),
        scale: Scale::Log,
    }
}

/// One series a case, of the study's octree.
fn measured(cases: CaseRows<'_>, text: ReportText, value: impl Fn(&Row) -> f64) -> Vec<Series> {
    cases
        .names()
        .into_iter()
        .enumerate()
        .map(|(style, case)| Series {
            name: text.case(case),
            style,
            origin: Origin::Measured,
            points: cases.points(case, STUDY_OCTREE, &value),
            error_bars: Vec::new(),
        })
        .filter(|series| !series.points.is_empty())
        .collect()
}

/// A published case has the style of our own: they are compared.
fn style_of(cases: CaseRows<'_>, case: &str) -> Option<usize> {
    cases.names().into_iter().position(|name| name == case)
}

fn published_name(case: &str, text: ReportText) -> String {
    let case = text.case(case);
    text.0.text(format!("{case}, published"), format!("{case}, publicado"))
}

fn at_largest(cases: CaseRows<'_>, text: ReportText, show: impl Fn(&Row) -> String) -> String {
    let shown = cases.names().into_iter().filter_map(|case| {
        let size = cases.sizes(case).last().copied()?;
        let row = cases.get(case, STUDY_OCTREE, size)?;
        Some(format!("{} {} ({})", text.case(case), show(row), text.triangles(size)))
    });
    shown.collect::<Vec<_>>().join(", ")
}
