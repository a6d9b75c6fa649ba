//! Tables of the ray study: CSV, terminal, report.

use std::io;

use embate_report::Table;
use embate_report::language::{Language, NO_VALUE};

use super::case_rows::{
    CaseRows, LITERAL_BRUTE, LITERAL_OCTREE, REPLICAS, STUDY_BRUTE, STUDY_OCTREE,
    microseconds_per_ray,
};
use super::findings::published;
use super::memory_curve;
use super::report_text::ReportText;
use super::row::{MAX_LEVELS, PUBLISHED_LEVELS, Row};
use crate::statistics;
use crate::studies::number_format::{float, optional};
use crate::studies::timing_spread::{self, Spreads};
use crate::study_kind::StudyKind;

/// The columns of `results.csv`: a contract, because scripts read them.
pub const RESULTS_HEADER: [&str; 17 + MAX_LEVELS] = [
    "case",
    "technique",
    "triangles",
    "rays",
    "seed",
    "build_s",
    "query_s",
    "tested_percent",
    "boxes_per_ray",
    "errors",
    "bytes",
    "speedup_over_brute",
    "speedup_over_study",
    "level_1",
    "level_2",
    "level_3",
    "level_4",
    "level_5",
    "level_6",
    "traversal_s",
    "break_even_rays",
    "level_7",
    "level_8",
    "level_9",
    "level_10",
    "level_11",
    "level_12",
    "speedup_low",
    "speedup_high",
];

/// `results.csv` as text, one line a row, in the order given.
///
/// # Errors
/// None in practice: the text is made in memory.
pub(super) fn results_csv(rows: &[Row]) -> io::Result<Vec<u8>> {
    let cases = CaseRows::new(rows);
    let mut csv = csv::Writer::from_writer(Vec::new());
    csv.write_record(RESULTS_HEADER)?;
    for row in rows {
        let levels = row.levels.as_deref().unwrap_or_default();
        let levels: Vec<String> =
            (0..MAX_LEVELS).map(|level| float(levels.get(level).copied())).collect();
        let (published, deeper) = levels.split_at(PUBLISHED_LEVELS);
        let range = cases.speedup_range(row);
        let [low, high] = [range.map(|range| range.low), range.map(|range| range.high)];
        let costs = [row.traversal_s, row.break_even_rays()].map(float);
        let fields = [
            row.case.clone(),
            row.technique.clone(),
            row.triangles.to_string(),
            row.rays.to_string(),
            row.seed.to_string(),
            float(Some(row.build_s)),
            float(Some(row.query_s)),
            float(Some(row.tested_percent)),
            float(row.boxes_per_ray),
            row.errors.to_string(),
            row.bytes.to_string(),
            float(Some(row.speedup_over_brute)),
            float(Some(row.speedup_over_study)),
        ];
        let published = published.iter().cloned().chain(costs);
        let deeper = deeper.iter().cloned().chain([low, high].map(float));
        csv.write_record(fields.into_iter().chain(published).chain(deeper))?;
    }
    csv.into_inner().map_err(csv::IntoInnerError::into_error)
}

/// All tables for a terminal: one a case, then the summary with the published values.
pub(super) fn terminal_tables(rows: &[Row], language: Language) -> Vec<Table> {
    let (cases, text) = (CaseRows::new(rows), ReportText(language));
    cases
        .names()
        .into_iter()
        .flat_map(|case| tables(cases, case, text))
        .chain([summary_table(cases, text)])
        .chain(super::published_vs_measured::gains_table(cases, text))
        .collect()
}

/// All tables of one case.
pub(super) fn tables(
    cases: CaseRows<'_>,
    case: &str,
    text: ReportText,
) -> impl Iterator<Item = Table> {
    let of_case = [
        replica_table(cases, case, text),
        cost_table(cases, case, text),
        engine_table(cases, case, text),
        memory_curve::table(cases, case, text),
    ];
    of_case.into_iter().flatten()
}

/// Number of rays from which a structure repays its build; none for brute force itself.
fn break_even(row: &Row, text: ReportText) -> String {
    let is_brute = row.boxes_per_ray.is_none();
    match row.break_even_rays() {
        Some(rays) => text.0.integer(rays as u64),
        None if is_brute || row.speedup_over_brute.is_nan() => NO_VALUE.to_owned(),
        None => text.0.text("never", "nunca"),
    }
}

/// The study's octree counted and at the cost of its program: time, speedup, build, memory.
fn cost_table(cases: CaseRows<'_>, case: &str, text: ReportText) -> Option<Table> {
    let language = text.0;
    let mut rows = Vec::new();
    for size in cases.sizes(case) {
        for (brute, octree) in [(STUDY_BRUTE, STUDY_OCTREE), (LITERAL_BRUTE, LITERAL_OCTREE)] {
            let brute = cases.get(case, brute, size);
            let Some(octree) = cases.get(case, octree, size) else { continue };
            let us = |value: f64| language.significant(value, 3);
            rows.push(vec![
                language.integer(size.into()),
                text.technique(&octree.technique),
                optional(brute.map(microseconds_per_ray), us),
                us(microseconds_per_ray(octree)),
                language.times(octree.speedup_over_brute),
                optional(octree.traversal_s, |s| us(s / f64::from(octree.rays) * 1e6)),
                optional(octree.traversal_s, |s| language.percent(100.0 * s / octree.query_s, 1)),
                language.duration(octree.build_s),
                break_even(octree, text),
                language.bytes(octree.bytes),
            ]);
        }
    }
    let head = vec![
        text.0.text("Triangles", "Triângulos"),
        text.0.text("Structure", "Estrutura"),
        text.0.text("Its brute force,\u{a0}µs", "Sua força bruta,\u{a0}µs"),
        text.0.text("Time per ray,\u{a0}µs", "Tempo por raio,\u{a0}µs"),
        text.0.text("Speedup over it", "Ganho sobre ela"),
        text.0.text("Traversal,\u{a0}µs", "Percurso,\u{a0}µs"),
        text.0.text("Share of traversal", "Fração do percurso"),
        text.0.text("Build", "Construção"),
        text.0.text("Break-even, rays", "Compensa a partir de (raios)"),
        text.0.text("Memory of the program", "Memória do programa"),
    ];
    let label = text.case(case);
    let caption = text.0.text(
        format!("{label}: cost of the study's octree, counted and literal"),
        format!("{label}: custo da octree do estudo, contada e literal"),
    );
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}

/// The study's own table for one case: both replicas, their ratio, tests, errors, levels.
pub(super) fn replica_table(cases: CaseRows<'_>, case: &str, text: ReportText) -> Option<Table> {
    let language = text.0;
    let number = |value: Option<f64>| optional(value, |value| language.significant(value, 3));
    let mut head = vec![
        text.0.text("Triangles", "Triângulos"),
        text.0.text("Brute force,\u{a0}µs", "Força bruta,\u{a0}µs"),
        text.0.text("Octree,\u{a0}µs", "Octree,\u{a0}µs"),
        text.0.text("Speedup", "Ganho"),
        text.0.text("Tested,\u{a0}%", "Testados,\u{a0}%"),
        text.0.text("Errors", "Erros"),
    ];
    let level = |level: usize| text.0.text(format!("L{level}\u{a0}%"), format!("N{level}\u{a0}%"));
    let level_count = cases.level_count(case);
    head.extend((1..=level_count).map(level));
    let mut rows = Vec::new();
    for size in cases.sizes(case) {
        let (basic, octree) =
            (cases.get(case, STUDY_BRUTE, size), cases.get(case, STUDY_OCTREE, size));
        if basic.is_none() && octree.is_none() {
            continue;
        }
        let mut row = vec![
            language.integer(size.into()),
            number(basic.map(microseconds_per_ray)),
            number(octree.map(microseconds_per_ray)),
            optional(octree.map(|row| row.speedup_over_brute), |ratio| language.times(ratio)),
            optional(octree.map(|row| row.tested_percent), |share| language.number(share, 2)),
            octree.map_or(NO_VALUE.to_owned(), |row| language.integer(row.errors)),
        ];
        let levels = octree.and_then(|row| row.levels.as_deref()).unwrap_or_default();
        row.extend(
            (0..level_count).map(|level| {
                optional(levels.get(level).copied(), |share| language.number(share, 1))
            }),
        );
        rows.push(row);
    }
    let label = text.case(case);
    let caption = text.0.text(
        format!("{label}: the study's two structures (time per ray; triangles on levels 1–{level_count})"),
        format!("{label}: as duas estruturas do estudo (tempo por raio; triângulos nos níveis 1–{level_count})"),
    );
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}

/// Embate's structures in one case: time, speedup over the study's brute force, tests, memory.
pub(super) fn engine_table(cases: CaseRows<'_>, case: &str, text: ReportText) -> Option<Table> {
    let language = text.0;
    let mut rows = Vec::new();
    for size in cases.sizes(case) {
        let own = |row: &&Row| row.triangles == size && !REPLICAS.contains(&row.technique.as_str());
        for row in cases.of_case(case).filter(own) {
            rows.push(vec![
                language.integer(size.into()),
                text.technique(&row.technique),
                language.significant(microseconds_per_ray(row), 3),
                language.times(row.speedup_over_study),
                language.times(row.speedup_over_brute),
                language.percent(row.tested_percent, 2),
                optional(row.boxes_per_ray, |boxes| language.significant(boxes, 3)),
                language.integer(row.errors),
                language.duration(row.build_s),
                break_even(row, text),
                language.bytes(row.bytes),
            ]);
        }
    }
    let head = vec![
        text.0.text("Triangles", "Triângulos"),
        text.0.text("Structure", "Estrutura"),
        text.0.text("µs per ray", "µs por raio"),
        text.0.text("Speedup over brute force (study)", "Ganho sobre a força bruta (estudo)"),
        text.0.text("Speedup over brute force", "Ganho sobre a força bruta"),
        text.0.text("Tested", "Testados"),
        text.0.text("Nodes per ray", "Nós por raio"),
        text.0.text("Errors", "Erros"),
        text.0.text("Build", "Construção"),
        text.0.text("Break-even, rays", "Compensa a partir de (raios)"),
        text.0.text("Memory", "Memória"),
    ];
    let label = text.case(case);
    let caption = text
        .0
        .text(format!("{label}: Embate's structures"), format!("{label}: estruturas do Embate"));
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}

/// One line a case, the published values beside ours.
pub(super) fn summary_table(cases: CaseRows<'_>, text: ReportText) -> Table {
    let language = text.0;
    let rows = cases.names().into_iter().map(|case| {
        let figure = published(case);
        let sizes = cases.sizes(case);
        let size = figure
            .and_then(|figure| figure.speedup)
            .map(|(size, _)| size)
            .filter(|size| sizes.contains(size))
            .or(sizes.last().copied())
            .unwrap_or(0);
        let ours = cases.get(case, STUDY_OCTREE, size).map(|row| row.speedup_over_brute);
        let errors: u64 = cases.of_case(case).map(|row| row.errors).sum();
        let best = cases
            .of_case(case)
            .filter(|row| row.triangles == size)
            .max_by(|one, other| one.speedup_over_study.total_cmp(&other.speedup_over_study));
        vec![
            text.case(case),
            language.integer(size.into()),
            cases.affinity(case).map_or(NO_VALUE.to_owned(), |class| text.affinity(class)),
            optional(cases.mean_tested(case), |share| language.percent(share, 2)),
            optional(figure.map(|figure| figure.tested), |share| language.percent(share, 2)),
            optional(ours, |ratio| language.times(ratio)),
            match figure {
                None => NO_VALUE.to_owned(),
                Some(figure) => match figure.speedup {
                    Some((printed, ratio)) if printed == size => language.times(ratio),
                    // Of a size that is not in this run, and so not that of the measured value.
                    Some((printed, ratio)) => {
                        format!("{} ({})", language.times(ratio), text.triangles(printed))
                    }
                    None => "< 1×".to_owned(),
                },
            },
            best.map_or(NO_VALUE.to_owned(), |row| {
                format!(
                    "{}: {}",
                    text.technique(&row.technique),
                    language.times(row.speedup_over_study)
                )
            }),
            language.integer(errors),
        ]
    });
    Table {
        caption: text.0.text(
            "Published and measured values; speedups are over the study's brute force",
            "Valores publicados e medidos; ganhos em relação à força bruta do estudo",
        ),
        rows: rows.collect(),
        head: vec![
            text.0.text("Case", "Caso"),
            text.0.text("Triangles", "Triângulos"),
            text.0.text("Affinity", "Afinidade"),
            text.0.text("Tested, mean", "Testados, média"),
            text.0.text("published", "publicado"),
            text.0.text("Speedup, octree (study)", "Ganho, octree (estudo)"),
            text.0.text("published", "publicado"),
            text.0.text("Fastest here", "Mais rápida aqui"),
            text.0.text("Errors", "Erros"),
        ],
    }
}

/// Relative spreads of the repeats, of each case and structure.
pub(super) fn spreads(cases: CaseRows<'_>) -> Vec<Spreads<'_>> {
    let mut spreads = Vec::new();
    for case in cases.names() {
        for technique in cases.techniques() {
            let rows = cases.of(case, technique).filter(|row| row.query_s_repeats.len() > 1);
            let of_rows = rows.filter_map(|row| statistics::relative_spread(&row.query_s_repeats));
            spreads.push(Spreads { case, technique, of_rows: of_rows.collect() });
        }
    }
    spreads
}

/// Spread of the repeats of a query: median and maximum of each case.
pub(super) fn spread_table(cases: CaseRows<'_>, text: ReportText) -> Option<Table> {
    let caption = text.0.text(
        "Spread of repeats: (slowest − fastest) / median",
        "Dispersão das repetições: (mais lenta − mais rápida) / mediana",
    );
    timing_spread::table(caption, &spreads(cases), StudyKind::Rays, text.0)
}

#[cfg(test)]
mod tests {
    use super::super::sample_rows;
    use super::*;

    #[test]
    fn results_header_equals_the_documented_columns() {
        let csv = String::from_utf8(results_csv(&sample_rows::published()).unwrap()).unwrap();
        assert_eq!(
            csv.lines().next().unwrap(),
            "case,technique,triangles,rays,seed,build_s,query_s,tested_percent,boxes_per_ray,\
             errors,bytes,speedup_over_brute,speedup_over_study,level_1,level_2,level_3,level_4,\
             level_5,level_6,traversal_s,break_even_rays,level_7,level_8,level_9,level_10,level_11,\
             level_12,speedup_low,speedup_high"
        );
    }

    #[test]
    fn inapplicable_values_are_empty_and_row_order_is_kept() {
        let rows = sample_rows::published();
        let csv = String::from_utf8(results_csv(&rows).unwrap()).unwrap();
        let lines: Vec<_> = csv.lines().skip(1).collect();
        assert_eq!(lines.len(), rows.len());
        assert!(lines[0].starts_with("random-low,study-brute,100,10000,1,"));
        assert!(lines[0].contains(",,,,,,,,,,,,,,"), "{}", lines[0]);
        assert!(lines[1].contains(",98.5,1.4,0.1,0,0,0,"), "{}", lines[1]);
    }

    #[test]
    fn numbers_in_the_results_round_trip_exactly() {
        let rows = sample_rows::published();
        let csv = results_csv(&rows).unwrap();
        for (record, row) in csv::Reader::from_reader(&csv[..]).records().zip(&rows) {
            let record = record.unwrap();
            assert_eq!(record[6].parse(), Ok(row.query_s));
            assert_eq!(record[12].parse(), Ok(row.speedup_over_study));
            assert_eq!(record[0], row.case);
        }
    }

    fn in_terminal(rows: &[Row], language: Language) -> String {
        terminal_tables(rows, language).iter().map(Table::in_terminal).collect()
    }

    #[test]
    fn terminal_tables_have_every_case_and_the_published_values() {
        for language in Language::ALL {
            let tables = in_terminal(&sample_rows::published(), language);
            for case in ["random-low", "random-high", "house", "city", "dragão & <script>.ply"] {
                let label = ReportText(language).case(case);
                assert!(tables.contains(&label), "{label}");
            }
            assert!(tables.contains(&language.percent(66.45, 2)));
            assert!(!tables.contains('\u{1b}'), "no colors");
        }
    }

    /// Regression: 2.30×, published for 10,000 triangles, stood beside the value for 100.
    #[test]
    fn published_speedup_of_another_size_names_its_size() {
        let summary = |size: u32| {
            let mut rows = sample_rows::published();
            rows.retain(|row| row.case == "random-high" && row.triangles == size);
            summary_table(CaseRows::new(&rows), ReportText(Language::English)).rows.remove(0)
        };
        let (small, printed) = (summary(100), summary(10_000));
        assert_eq!((&*small[1], &*small[6]), ("100", "2.30× (10,000 triangles)"));
        assert_eq!((&*printed[1], &*printed[6]), ("10,000", "2.30×"));
        let text = ReportText(Language::BrazilianPortuguese);
        let chart = super::super::charts::speedup(CaseRows::new(&sample_rows::published()), text);
        let embate_report::chart::Kind::Lines(lines) = chart.kind else { panic!() };
        assert!(lines.series.iter().any(|s| s.name.ends_with("publicado (10.000 triângulos)")));
    }

    #[test]
    fn one_measured_size_is_singular() {
        for (language, one, two) in [
            (
                Language::English,
                "1 of the 30 published sizes was run",
                "2 of the 30 published sizes were run",
            ),
            (
                Language::BrazilianPortuguese,
                "1 dos 30 tamanhos publicados foi executado",
                "foram executados",
            ),
        ] {
            let text = ReportText(language);
            assert!(text.sizes_run(1, 30).contains(one) && text.sizes_run(2, 30).contains(two));
        }
    }

    #[test]
    fn control_characters_in_names_are_removed_from_terminal_tables() {
        let mut rows = sample_rows::quick();
        for row in &mut rows {
            row.case = "\u{1b}[2J\nfake".to_owned();
        }
        let tables = in_terminal(&rows, Language::English);
        assert!(!tables.contains('\u{1b}') && !tables.contains("\nfake"));
    }
}
