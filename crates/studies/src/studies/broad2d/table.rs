//! Tables of the 2D study, published values beside measured ones.

use embate_report::Table;
use embate_report::language::{Language, NO_VALUE};
use embate_scene::generators::Bounds;

use super::plan::COHERENCE_OBJECTS;
use super::{capacity, coherence, label, published};
use crate::studies::labels;
use crate::studies::moving_worlds::row::{Row, Summaries, Summary};
use crate::studies::moving_worlds::table::{cell, detail_table, missed};
use crate::studies::moving_worlds::{EXPERIMENT_1, EXPERIMENT_2, STUDY_BRUTE, STUDY_GRID};
use crate::studies::number_format::optional;
use crate::study_kind::StudyKind;

/// All tables for a terminal.
pub(super) fn terminal_tables(rows: &[Row], language: Language) -> Vec<Table> {
    let (capacities, others) = capacity::split(rows);
    let summaries = Summaries::of(&others);
    let mut tables: Vec<Table> = cell_table(&summaries, language).into_iter().collect();
    for bounds in Bounds::ALL {
        tables.extend(study_table(&summaries, bounds, language));
        tables.extend(engine_table(&summaries, bounds, language));
    }
    tables.extend(capacity::table(&capacities, language));
    let of_coherence = COHERENCE_OBJECTS.into_iter();
    tables.extend(of_coherence.filter_map(|n| coherence::table(&summaries, n, language)));
    let study = (StudyKind::Broad2d, STUDY_BRUTE);
    tables.extend(detail_table(&summaries, "custom", study, language));
    tables
}

/// Experiment 1: time, tests and memory by cell size, of the study's grid and of Embate's.
pub(super) fn cell_table(summaries: &Summaries<'_>, language: Language) -> Option<Table> {
    let of = |technique: &'static str| {
        summaries.of_case(EXPERIMENT_1).filter(move |summary| summary.technique == technique)
    };
    let sizes: Vec<f32> = of(STUDY_GRID).filter_map(|summary| summary.cell_size).collect();
    let has_own = of("grid").next().is_some();
    let values = |summary: Option<&Summary<'_>>| {
        [
            optional(summary.map(|s| s.ms), |ms| language.significant(ms, 3)),
            optional(summary.map(|s| s.tests), |tests| language.number(tests, 0)),
            optional(summary.map(|s| s.bytes), |bytes| language.bytes(bytes as u64)),
            summary.map_or(NO_VALUE.to_owned(), |summary| missed(summary, language)),
        ]
    };
    let rows: Vec<Vec<String>> = sizes
        .iter()
        .map(|&size| {
            let with = |technique| of(technique).find(|s| s.cell_size == Some(size));
            let mut row = vec![cell(size, language)];
            row.extend(values(with(STUDY_GRID)));
            if has_own {
                row.extend(values(with("grid")));
            }
            row
        })
        .collect();
    let mut head = vec![language.text("Cell, px", "Célula, px")];
    for technique in [STUDY_GRID, "grid"].into_iter().take(1 + usize::from(has_own)) {
        head.push(format!("{}, ms", label(technique, language)));
        head.push(language.text("Tests", "Testes"));
        head.push(language.text("Memory", "Memória"));
        head.push(language.text("Missed", "Perdidos"));
    }
    let caption = language.text(
        "Experiment 1: cell size (1,000 boxes of 50×50 px; means per frame)",
        "Experimento 1: tamanho da célula (1.000 caixas de 50×50 px; médias por quadro)",
    );
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}

/// Experiment 2: the study's two techniques, published and measured.
pub(super) fn study_table(
    summaries: &Summaries<'_>,
    bounds: Bounds,
    language: Language,
) -> Option<Table> {
    let ms = |value: Option<f64>| optional(value, |ms| language.significant(ms, 3));
    // Two decimals as in the study, none where they are noise.
    let decimals = |tests: f64| if tests < 1000.0 { 2 } else { 0 };
    let tests =
        |value: Option<f64>| optional(value, |tests| language.number(tests, decimals(tests)));
    let mut rows = Vec::new();
    for objects in summaries.objects(EXPERIMENT_2) {
        let get = |technique| summaries.get(EXPERIMENT_2, technique, bounds.name(), objects);
        let (brute, grid) = (get(STUDY_BRUTE), get(STUDY_GRID));
        if brute.is_none() && grid.is_none() {
            continue;
        }
        let line = published::line(bounds, objects);
        let off = grid.zip(line).map(|(grid, line)| 100.0 * (grid.tests / line.grid_tests - 1.0));
        rows.push(vec![
            language.integer(objects.into()),
            tests(brute.map(|s| s.tests)),
            ms(brute.map(|s| s.ms)),
            ms(line.map(|line| line.brute_ms)),
            tests(grid.map(|s| s.tests)),
            tests(line.map(|line| line.grid_tests)),
            optional(off, |off| language.percent(off, 1)),
            ms(grid.map(|s| s.ms)),
            ms(line.map(|line| line.grid_ms)),
            grid.map_or(NO_VALUE.to_owned(), |grid| missed(grid, language)),
        ]);
    }
    let published = || language.text("published", "publicado");
    let head = vec![
        language.text("Objects", "Objetos"),
        language.text("Brute force, tests", "Força bruta, testes"),
        language.text("Brute force, ms", "Força bruta, ms"),
        published(),
        language.text("Grid, tests", "Grade, testes"),
        published(),
        language.text("difference", "diferença"),
        language.text("Grid, ms", "Grade, ms"),
        published(),
        language.text("Missed", "Perdidos"),
    ];
    let name = labels::bounds(bounds.name(), language).to_lowercase();
    let caption = language.text(
        format!("Experiment 2, {name}: the study's two techniques, per frame"),
        format!("Experimento 2, {name}: as duas técnicas do estudo, por quadro"),
    );
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}

/// Experiment 2: milliseconds of Embate's techniques, and the speedup of the fastest.
pub(super) fn engine_table(
    summaries: &Summaries<'_>,
    bounds: Bounds,
    language: Language,
) -> Option<Table> {
    let mut techniques = summaries.techniques(EXPERIMENT_2);
    techniques.retain(|technique| ![STUDY_BRUTE, STUDY_GRID].contains(technique));
    let mut rows = Vec::new();
    for objects in summaries.objects(EXPERIMENT_2) {
        let get = |technique: &&str| summaries.get(EXPERIMENT_2, technique, bounds.name(), objects);
        let ours: Vec<_> = techniques.iter().filter_map(get).collect();
        let Some(fastest) = ours.iter().min_by(|one, other| one.ms.total_cmp(&other.ms)) else {
            continue;
        };
        let mut row =
            vec![language.integer(objects.into()), language.significant(fastest.pairs, 4)];
        row.extend(techniques.iter().map(|technique| {
            optional(get(technique).map(|s| s.ms), |ms| language.significant(ms, 3))
        }));
        row.push(label(fastest.technique, language));
        row.push(optional(fastest.over_study, |gain| language.times(gain)));
        rows.push(row);
    }
    let mut head = vec![language.text("Objects", "Objetos"), language.text("Pairs", "Pares")];
    head.extend(techniques.iter().map(|technique| format!("{}, ms", label(technique, language))));
    head.push(language.text("Fastest", "Mais rápida"));
    head.push(
        language.text("Speedup over brute force (study)", "Ganho sobre a força bruta (estudo)"),
    );
    let name = labels::bounds(bounds.name(), language).to_lowercase();
    let caption = language.text(
        format!("Experiment 2, {name}: Embate's techniques, per frame; none misses a pair"),
        format!("Experimento 2, {name}: técnicas do Embate, por quadro; nenhuma perde um par"),
    );
    (!rows.is_empty()).then_some(Table { caption, head, rows })
}
