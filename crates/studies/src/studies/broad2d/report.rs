//! Report of the 2D study.

use embate_report::language::Language;
use embate_report::{Block, Report, provenance, push_charts};
use embate_scene::generators::Bounds;

use super::{capacity, charts, coherence, custom_charts, findings, table};
use crate::runner::run_folder::RunInfo;
use crate::studies::moving_worlds::row::{Row, Summaries, unique};
use crate::studies::moving_worlds::table::{detail_table, spread_table, spreads};
use crate::studies::moving_worlds::{EXPERIMENT_1, EXPERIMENT_2, STUDY_BRUTE};
use crate::studies::report_page::{
    findings_section, method_section, page, section, spread_section,
};
use crate::studies::{labels, timing_spread};
use crate::study_kind::StudyKind;

/// The baseline of speedups.
const BASELINE: (StudyKind, &str) = (StudyKind::Broad2d, STUDY_BRUTE);

/// The report as data.
pub(super) fn report(rows: &[Row], info: &RunInfo, language: Language) -> Report {
    let (capacities, others) = &capacity::split(rows);
    let summaries = &Summaries::of(others);
    let sections = vec![
        findings_section(findings_blocks(summaries, capacities, language), language),
        section(
            "cells",
            language.text("Experiment 1: cell size", "Experimento 1: tamanho da célula"),
            cell_blocks(summaries, language),
        ),
        section(
            "objects",
            language.text("Experiment 2: number of objects", "Experimento 2: número de objetos"),
            object_blocks(summaries, language),
        ),
        section(
            "capacity",
            language.text("Capacity: objects in real time", "Capacidade: objetos em tempo real"),
            capacity::blocks(capacities, language),
        ),
        section(
            "coherence",
            language.text("Temporal coherence", "Coerência temporal"),
            coherence::blocks(summaries, language),
        ),
        section(
            "custom",
            language.text("Custom world", "Mundo personalizado"),
            custom_blocks(summaries, language),
        ),
        method_section(method_blocks(rows, language), language),
        section(
            "rulings",
            language.text(
                "Gaps and faults of the study and how they are handled",
                "Lacunas e falhas do estudo e como são tratadas",
            ),
            ruling_blocks(language),
        ),
        section(
            "full",
            language.text("All techniques in full", "Todas as técnicas por extenso"),
            full_blocks(summaries, language),
        ),
        spread_section(spread_blocks(summaries, info, language), language),
    ];
    let title = language
        .text("Gonçales et al. 2016: broad phase in 2D", "Gonçales et al. 2016: fase ampla em 2D");
    let lead = language.text(
        "Which broad phase keeps the frame rate with many moving objects? Repetition of the study of V. H. P. Gonçales et al. (UNOESTE, 2016), with the published values beside the measured ones and Embate's techniques in addition.",
        "Que fase ampla mantém a taxa de quadros com muitos objetos em movimento? Repetição do estudo de V. H. P. Gonçales et al. (UNOESTE, 2016), com os valores publicados ao lado dos medidos e, além deles, as técnicas do Embate.",
    );
    let mut report = page([title, lead], sections, StudyKind::Broad2d, info, language);
    report.notices.extend(timing_spread::warning(&spreads(summaries), language));
    report
}

fn findings_blocks(
    summaries: &Summaries<'_>,
    capacities: &[Row],
    language: Language,
) -> Vec<Block> {
    vec![
        Block::Paragraph(language.text(
            "Each item is a finding with the value of this run and its source. Counts of tests do not depend on the machine. Times do, and a browser of 2015 is not a native program of today: of times, only the order is compared, and it is undecided where the spread of the worlds is wider than the difference. Custom worlds are not part of the findings.",
            "Cada item é uma conclusão com o valor desta execução e a sua fonte. Contagens de testes não dependem da máquina. Tempos dependem, e um navegador de 2015 não é um programa nativo de hoje: dos tempos só a ordem é comparada, e ela é inconclusiva quando a dispersão dos mundos é maior que a diferença. Mundos personalizados não entram nas conclusões.",
        )),
        Block::Findings(findings::findings(summaries, capacities, language)),
    ]
}

fn cell_blocks(summaries: &Summaries<'_>, language: Language) -> Vec<Block> {
    let Some(table) = table::cell_table(summaries, language) else { return Vec::new() };
    let mut blocks = vec![Block::Paragraph(language.text(
        "1,000 boxes of 50×50 px in a world of 2000×2000 px. The study prints charts of this experiment without the cell sizes; these sixteen were chosen for Embate. A missed pair overlaps, but no cell lists both objects.",
        "1.000 caixas de 50×50 px em um mundo de 2000×2000 px. O estudo mostra gráficos deste experimento sem os tamanhos de célula; estes dezesseis foram escolhidos para o Embate. Um par perdido se sobrepõe, mas nenhuma célula lista os dois objetos.",
    ))];
    push_charts(&mut blocks, charts::of_cells(summaries, language));
    blocks.push(Block::Table(table));
    blocks
}

fn object_blocks(summaries: &Summaries<'_>, language: Language) -> Vec<Block> {
    if summaries.of_case(EXPERIMENT_2).next().is_none() {
        return Vec::new();
    }
    let mut blocks = vec![Block::Paragraph(language.text(
        "Sizes of 5–50 px, speeds of 5–50 px/s, cells of 100 px. “Published” is one run of 500 frames in a browser (Chrome 43, Core i7-4500U).",
        "Tamanhos de 5–50 px, velocidades de 5–50 px/s, células de 100 px. “Publicado” é uma execução de 500 quadros em um navegador (Chrome 43, Core i7-4500U).",
    ))];
    push_charts(&mut blocks, [charts::tests(summaries, language)]);
    for bounds in Bounds::ALL {
        if !summaries.bounds(EXPERIMENT_2).contains(&bounds.name()) {
            continue;
        }
        blocks.push(Block::Subheading(labels::bounds(bounds.name(), language)));
        push_charts(&mut blocks, [charts::time(summaries, bounds, language)]);
        let tables = [
            table::study_table(summaries, bounds, language),
            table::engine_table(summaries, bounds, language),
        ];
        blocks.extend(tables.into_iter().flatten().map(Block::Table));
    }
    push_charts(&mut blocks, [charts::bounds(summaries, language)]);
    blocks
}

fn custom_blocks(summaries: &Summaries<'_>, language: Language) -> Vec<Block> {
    let mut blocks = Vec::new();
    push_charts(&mut blocks, custom_charts::charts(summaries, language));
    let table = detail_table(summaries, "custom", BASELINE, language);
    blocks.extend(table.map(Block::Table));
    blocks
}

fn method_blocks(rows: &[Row], language: Language) -> Vec<Block> {
    let mut blocks = vec![
        Block::Paragraph(language.text(
            "A frame is exactly 1/60 s: all objects move, then the pairs are found. Only finding the pairs is timed, and nothing is drawn, so no frame rate is reported. A value is the mean over all frames of a world. Over the worlds of different seeds, counts are means and times are medians.",
            "Um quadro dura exatamente 1/60 s: todos os objetos se movem, depois os pares são encontrados. Só a busca dos pares é cronometrada e nada é desenhado, por isso não se relata taxa de quadros. Um valor é a média de todos os quadros de um mundo. Entre os mundos de sementes diferentes, as contagens são médias e os tempos, medianas.",
        )),
        Block::Paragraph(language.text(
            "The study's brute force tests every pair, one at a time. The study's grid lists an object once in each distinct cell of its four key points (the corners of a box; the leftmost, rightmost, highest and lowest point of a circle) and tests all pairs of each cell; a pair that shares two cells is tested and counted twice. Both test the shapes themselves. Embate's techniques find overlapping boxes and then, for circles, apply the exact test; building those boxes is part of the time. Their tests are box tests.",
            "A força bruta do estudo testa todos os pares, um por vez. A grade do estudo lista um objeto uma vez em cada célula distinta de seus quatro pontos-chave (os cantos de uma caixa; os pontos mais à esquerda, à direita, acima e abaixo de um círculo) e testa todos os pares de cada célula; um par que divide duas células é testado e contado duas vezes. Ambas testam as próprias formas. As técnicas do Embate encontram caixas que se sobrepõem e depois, para círculos, aplicam o teste exato; construir essas caixas faz parte do tempo. Seus testes são testes de caixas.",
        )),
        Block::Paragraph(language.text(
            "In every frame of the first repeat, the pairs of each technique are compared with those of Embate's brute force. Absent pairs are counted as missed; a pair that does not overlap makes the run fail.",
            "Em todo quadro da primeira repetição, os pares de cada técnica são comparados com os da força bruta do Embate. Pares ausentes contam como perdidos; um par que não se sobrepõe faz a execução falhar.",
        )),
    ];
    let cases = unique(rows.iter().map(|row| row.case.as_str()));
    let techniques = unique(rows.iter().map(|row| row.technique.as_str()));
    let names = labels::table(StudyKind::Broad2d, cases, techniques, language);
    blocks.extend(names.map(Block::Table));
    blocks
}

fn ruling_blocks(language: Language) -> Vec<Block> {
    vec![Block::List(vec![
        language.text(
            "Found by Embate, not stated by the study: an object larger than a cell is missed by the cells between its key points, and a circle also where only its arc reaches into a cell. The replica of the study's grid keeps this fault, because the published counts depend on it. Embate's techniques miss no pair.",
            "Encontrado pelo Embate, não afirmado pelo estudo: um objeto maior que a célula não é listado nas células entre seus pontos-chave, e um círculo tampouco onde só o seu arco entra em uma célula. A réplica da grade do estudo mantém essa falha, pois as contagens publicadas dependem dela. As técnicas do Embate não perdem nenhum par.",
        ),
        language.text(
            "The cell size of experiment 2 is not printed. Cells of 100 px reproduce the published counts; with 50, 80 and 125 px they differ by 14–50%.",
            "O tamanho da célula do experimento 2 não está impresso. Células de 100 px reproduzem as contagens publicadas; com 50, 80 e 125 px elas diferem em 14–50%.",
        ),
        language.text(
            "Width and height of a box are drawn independently, the size of a circle is its diameter, objects start inside the world; at a wall the velocity is reflected and the object is moved back inside.",
            "Largura e altura de uma caixa são sorteadas em separado, o tamanho de um círculo é o seu diâmetro, os objetos começam dentro do mundo; em uma parede a velocidade é refletida e o objeto é movido de volta para dentro.",
        ),
        language.text(
            "One passage of the study says that circles are slightly faster in all cases, another that boxes are faster with few objects. Both claims are checked above.",
            "Um trecho do estudo diz que os círculos são um pouco mais rápidos em todos os casos; outro, que as caixas são mais rápidas com poucos objetos. As duas afirmações são verificadas acima.",
        ),
        language.text(
            "One time of the study's table is out of order: the grid with 100 circles, 0.554 ms, is 5.3 times its brute force (0.104 ms) and 4.7 times the grid with 250 circles (0.119 ms). It may be a misprint of 0.0554 or a single disturbed run; the study does not tell. Brute force with 3,000 circles (53.82 ms) is low beside 2,000 (46.5 ms) and 4,000 (179.2 ms). Both are shown as published.",
            "Um tempo da tabela do estudo está fora de ordem: a grade com 100 círculos, 0,554 ms, é 5,3 vezes a sua força bruta (0,104 ms) e 4,7 vezes a grade com 250 círculos (0,119 ms). Pode ser um erro de impressão de 0,0554 ou uma única execução perturbada; o estudo não esclarece. A força bruta com 3.000 círculos (53,82 ms) é baixa ao lado de 2.000 (46,5 ms) e 4.000 (179,2 ms). Ambos são mostrados como publicados.",
        ),
        language.text(
            "The study cites spherical octrees and temporal coherence by title only, without a specification or a result. Temporal coherence is measured above. Spherical octrees are not: the study gives nothing to reproduce.",
            "O estudo cita octrees esféricas e coerência temporal só por título, sem especificação nem resultado. A coerência temporal é medida acima. As octrees esféricas não: o estudo não dá nada a reproduzir.",
        ),
    ])]
}

fn full_blocks(summaries: &Summaries<'_>, language: Language) -> Vec<Block> {
    let cases = unique(summaries.0.iter().map(|summary| summary.case));
    let published = cases.into_iter().filter(|case| [EXPERIMENT_1, EXPERIMENT_2].contains(case));
    let tables = published.filter_map(|case| detail_table(summaries, case, BASELINE, language));
    tables.map(Block::Table).collect()
}

fn spread_blocks(summaries: &Summaries<'_>, info: &RunInfo, language: Language) -> Vec<Block> {
    let mut blocks = vec![Block::Paragraph(language.text(
        "Techniques take turns of a few frames. The spread is the range of the times over the worlds, or over the repeats of a single world: a difference between techniques that is smaller than the spread is not significant. With ten objects a frame takes less than a microsecond, and reading the clock is part of it.",
        "As técnicas se revezam a cada poucos quadros. A dispersão é a faixa dos tempos entre os mundos, ou entre as repetições de um único mundo: uma diferença entre técnicas menor que a dispersão não é significativa. Com dez objetos um quadro leva menos de um microssegundo, e ler o relógio faz parte dele.",
    ))];
    blocks.extend(provenance::measurement_conditions(&info.provenance(), language));
    blocks.extend(spread_table(summaries, StudyKind::Broad2d, language).map(Block::Table));
    blocks
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use embate_report::chart::Kind;
    use serde_json::Map;

    use super::super::{plan, sample_rows};
    use super::*;
    use crate::runner::run_folder::RunFolder;
    use crate::runner::write_outputs::write_outputs;

    fn info() -> RunInfo {
        RunInfo::new("broad2d", Map::new(), 7, Language::English)
    }

    #[test]
    fn every_text_differs_between_the_languages() {
        for rows in [sample_rows::published(2), Vec::new()] {
            let english = report(&rows, &info(), Language::English).texts();
            let portuguese = report(&rows, &info(), Language::BrazilianPortuguese).texts();
            assert_eq!(english.len(), portuguese.len());
            for text in english.intersection(&portuguese) {
                // Names that are equal in both languages, and numbers.
                let is_name =
                    text.len() < 3 || text.starts_with("Quadtree") || text.starts_with("--");
                assert!(is_name, "in both reports: {text:?}");
            }
        }
    }

    #[test]
    fn every_chart_has_a_description_and_a_data_table() {
        for language in Language::ALL {
            let report = report(&sample_rows::published(2), &info(), language);
            let ids: BTreeSet<_> = report.charts().map(|chart| chart.id.clone()).collect();
            assert_eq!((ids.len(), report.charts().count()), (10, 10), "{ids:?}");
            for chart in report.charts() {
                assert!(chart.description.len() > 60, "{}", chart.id);
                assert!(!chart.data_table(language).rows.is_empty(), "{}", chart.id);
            }
        }
    }

    /// Regression: cells smaller than the objects, which miss pairs, were named as the fastest.
    #[test]
    fn fastest_cell_of_the_charts_misses_no_pair() {
        let mut rows = sample_rows::published(2);
        for row in &mut rows {
            if row.case == EXPERIMENT_1 && row.cell_size.is_some_and(|size| size < 50.0) {
                row.missed_pairs = 9;
                row.ms_per_frame = 1e-6;
            }
        }
        let report = report(&rows, &info(), Language::English);
        let chart = report.charts().find(|chart| chart.id == "cell-time").unwrap();
        let words = "(smallest, fastest that misses no pair, and largest): ";
        let (_, values) = chart.description.split_once(words).unwrap();
        let fastest = values.split(", ").nth(1).unwrap();
        let (size, _) = fastest.split_once(" px").unwrap();
        assert!(size.parse::<f32>().unwrap() >= 50.0, "{}", chart.description);
    }

    #[test]
    fn cell_rules_are_marked_in_the_curve_of_experiment_1() {
        for language in Language::ALL {
            let report = report(&sample_rows::published(2), &info(), language);
            let chart = report.charts().find(|chart| chart.id == "cell-time").unwrap();
            let Kind::Lines(lines) = &chart.kind else { panic!("no lines") };
            let at = |x: f64| &lines.marks.iter().find(|(mark, _)| *mark == x).unwrap().1;
            assert!(at(50.0).contains("Souza") && at(50.0).contains("Hastings"));
            assert!(at(200.0).contains("Hastings") && at(200.0).contains("Embate"));
        }
    }

    #[test]
    fn custom_world_has_charts() {
        let all = sample_rows::published(2);
        let as_custom = |case: &str| -> Vec<Row> {
            let of_case = all.iter().filter(|row| row.case == case).cloned();
            of_case.map(|row| Row { case: "custom".to_owned(), ..row }).collect()
        };
        let (by_objects, by_cells) = (as_custom(EXPERIMENT_2), as_custom(EXPERIMENT_1));
        let single: Vec<Row> =
            by_objects.iter().filter(|row| row.objects == 500).cloned().collect();
        for (rows, ids) in [
            (
                by_objects,
                &[
                    "custom-time-aabb",
                    "custom-tests-aabb",
                    "custom-time-circle",
                    "custom-tests-circle",
                ][..],
            ),
            (by_cells, &["custom-time-aabb", "custom-tests-aabb"]),
            (single, &["custom-time-aabb", "custom-time-circle"]),
        ] {
            for language in Language::ALL {
                let report = report(&rows, &info(), language);
                let found: Vec<_> = report.charts().map(|chart| chart.id.as_str()).collect();
                assert_eq!(found, ids);
                for chart in report.charts() {
                    assert!(!chart.data_table(language).rows.is_empty(), "{}", chart.id);
                }
            }
        }
    }

    #[test]
    fn every_row_of_a_table_has_a_cell_for_each_column() {
        let report = report(&sample_rows::published(2), &info(), Language::English);
        for block in report.sections.iter().flat_map(|section| &section.blocks) {
            if let Block::Table(table) = block {
                assert!(table.rows.iter().all(|row| row.len() == table.head.len()));
            }
        }
    }

    #[test]
    fn all_outputs_are_written_with_the_documented_results_header() {
        let home = tempfile::tempdir().unwrap();
        let folder = RunFolder::open(home.path(), &info(), false).unwrap();
        let rows = sample_rows::published(1);
        let plan = plan::plan(&plan::Request::default(), plan::quick()).unwrap();
        write_outputs(&plan, &folder, &rows, Language::BrazilianPortuguese).unwrap();
        assert_eq!(fs::read_dir(home.path().join("charts")).unwrap().count(), 20);
        assert!(home.path().join("report.html").exists());
        let csv = fs::read_to_string(home.path().join("results.csv")).unwrap();
        assert_eq!(
            csv.lines().next().unwrap(),
            "case,technique,bounds,objects,cell_size,frames,seed,tests_per_frame,pairs_per_frame,\
             ms_per_frame,fps,bytes,cells_per_object,speedup_over_brute,speedup_over_study,\
             missed_pairs"
        );
        assert_eq!(csv.lines().count(), 1 + rows.len());
    }
}
