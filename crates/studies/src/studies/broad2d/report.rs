//! Report of the 2D study.

use embate_report::language::Language;
use embate_report::{Block, Report, provenance, push_charts};
use embate_scene::generators::Bounds;

use super::{charts, findings, table};
use crate::runner::run_folder::RunInfo;
use crate::studies::broad_phase::row::{Row, Summaries, unique};
use crate::studies::broad_phase::table::{detail_table, spread_table};
use crate::studies::broad_phase::{EXPERIMENT_1, EXPERIMENT_2, STUDY_BRUTE};
use crate::studies::report_page::{method_section, page, section, spread_section};

/// The report as data.
pub(super) fn report(rows: &[Row], info: &RunInfo, language: Language) -> Report {
    let summaries = &Summaries::of(rows);
    let sections = vec![
        section(
            "findings",
            language.text("What held, and what did not", "O que se confirmou e o que não"),
            findings_blocks(summaries, language),
        ),
        section(
            "cells",
            language
                .text("Experiment 1: which cell size?", "Experimento 1: que tamanho de célula?"),
            cell_blocks(summaries, language),
        ),
        section(
            "objects",
            language.text("Experiment 2: how many objects?", "Experimento 2: quantos objetos?"),
            object_blocks(summaries, language),
        ),
        section(
            "custom",
            language.text("A world of one's own", "Um mundo próprio"),
            custom_blocks(summaries, language),
        ),
        method_section(method_blocks(language), language),
        section(
            "rulings",
            language.text(
                "Where the study is silent or at fault, and our rulings",
                "Onde o estudo silencia ou falha, e nossas decisões",
            ),
            ruling_blocks(language),
        ),
        section(
            "full",
            language.text("Every technique in full", "Todas as técnicas por extenso"),
            full_blocks(summaries, language),
        ),
        spread_section(spread_blocks(summaries, info, language), language),
    ];
    let title = language
        .text("Gonçales et al. 2016: broad phase in 2D", "Gonçales et al. 2016: fase ampla em 2D");
    let lead = language.text(
            "Many objects move; which technique finds the pairs that collide and holds the frame rate? The study of V. H. P. Gonçales et al. (UNOESTE, 2016), run again and held against its own figures, with our own techniques beside it.",
            "Muitos objetos se movem; que técnica encontra os pares que colidem e mantém a taxa de quadros? O estudo de V. H. P. Gonçales et al. (UNOESTE, 2016), executado de novo e confrontado com os próprios números, com nossas técnicas ao lado.",
        );
    page([title, lead], sections, info, language)
}

fn findings_blocks(summaries: &Summaries<'_>, language: Language) -> Vec<Block> {
    vec![
        Block::Paragraph(language.text(
            "Each line is a finding as published, with the figure found here. Counts of tests do not depend on the machine; times do, and a browser of 2015 is not a program of today: of times, only who is ahead is judged. Worlds of one's own decide nothing here.",
            "Cada item é uma conclusão publicada, com o número obtido aqui. Contagens de testes não dependem da máquina; tempos dependem, e um navegador de 2015 não é um programa de hoje: dos tempos só se julga quem está à frente. Mundos próprios nada decidem aqui.",
        )),
        Block::Findings(findings::findings(summaries, language)),
    ]
}

fn cell_blocks(summaries: &Summaries<'_>, language: Language) -> Vec<Block> {
    let Some(table) = table::cell_table(summaries, language) else { return Vec::new() };
    let mut blocks = vec![Block::Paragraph(language.text(
        "1,000 boxes of 50×50 in a world of 2000×2000. The study prints charts of this experiment without its cell sizes; these sixteen are ours. Missed pairs are those that overlap and share no cell that lists both.",
        "1.000 caixas de 50×50 em um mundo de 2000×2000. O estudo mostra gráficos deste experimento sem os tamanhos de célula; estes dezesseis são nossos. Pares perdidos são os que se sobrepõem sem que nenhuma célula liste os dois.",
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
        "Sizes of 5–50 px, speeds of 5–50 px a second, cells of 100 px. “Published” is what the study printed: one run of 500 frames in a browser (Chrome 43, Core i7-4500U).",
        "Tamanhos de 5–50 px, velocidades de 5–50 px por segundo, células de 100 px. “Publicado” é o que o estudo imprimiu: uma execução de 500 quadros em um navegador (Chrome 43, Core i7-4500U).",
    ))];
    push_charts(&mut blocks, [charts::tests(summaries, language)]);
    for bounds in Bounds::ALL {
        if !summaries.bounds(EXPERIMENT_2).contains(&bounds.name()) {
            continue;
        }
        blocks.push(Block::Subheading(bounds.name().to_owned()));
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
    let table = detail_table(summaries, "custom", STUDY_BRUTE, language);
    table.map(Block::Table).into_iter().collect()
}

fn method_blocks(language: Language) -> Vec<Block> {
    vec![
        Block::Paragraph(language.text(
            "A frame is exactly 1/60 s: everything moves, then the pairs are found. Only finding them is timed, and nothing is drawn, so there are no frames a second to report. A value is the mean of all frames of a world, counted from the first; counts are then means over the worlds of different seeds, times medians.",
            "Um quadro dura exatamente 1/60 s: tudo se move e depois se encontram os pares. Só o encontrá-los é cronometrado e nada é desenhado, de modo que não há quadros por segundo a relatar. Um valor é a média de todos os quadros de um mundo, contados do primeiro; as contagens são então médias entre os mundos de sementes diferentes, e os tempos, medianas.",
        )),
        Block::Paragraph(language.text(
            "study-brute tests every pair, one after the other. study-grid lists an object once in each distinct cell of its four key points (the corners of a box; the leftmost, rightmost, highest and lowest point of a circle), and tests all pairs of each cell; a pair that shares two cells is tested and counted twice. Both test the shapes themselves. Ours find the boxes that overlap and, for circles, then test these exactly; making those boxes is timed too. Their tests are tests of boxes.",
            "study-brute testa todos os pares, um após o outro. study-grid lista um objeto uma vez em cada célula distinta de seus quatro pontos-chave (os cantos de uma caixa; os pontos mais à esquerda, à direita, acima e abaixo de um círculo) e testa todos os pares de cada célula; um par que divide duas células é testado e contado duas vezes. Ambas testam as próprias formas. As nossas encontram as caixas que se sobrepõem e, para círculos, testam depois essas com exatidão; fazer essas caixas também é cronometrado. Seus testes são testes de caixas.",
        )),
        Block::Paragraph(language.text(
            "In every frame of the first run, what a technique told is compared with what our brute force found: a pair missing is counted as missed, and one too many makes the run fail.",
            "Em todo quadro da primeira execução, o que uma técnica relatou é comparado com o que a nossa força bruta encontrou: um par ausente conta como perdido, e um par a mais faz a execução falhar.",
        )),
    ]
}

fn ruling_blocks(language: Language) -> Vec<Block> {
    vec![Block::List(vec![
        language.text(
            "An object larger than a cell is missed by the cells between its key points, and a circle also where only its bulge reaches into a cell. study-grid keeps this, as the published counts need it. Ruling: ours miss no pair.",
            "Um objeto maior que a célula escapa às células entre seus pontos-chave, e um círculo também onde só o seu bojo entra em uma célula. study-grid mantém isso, pois as contagens publicadas dependem disso. Decisão: as nossas não perdem nenhum par.",
        ),
        language.text(
            "The cell size of experiment 2 is not printed. Cells of 100 px reproduce the published counts; 50, 80 and 125 px miss them by 14–50 %.",
            "O tamanho da célula do experimento 2 não está impresso. Células de 100 px reproduzem as contagens publicadas; 50, 80 e 125 px erram por 14–50 %.",
        ),
        language.text(
            "Width and height of a box are drawn independently, a circle's size is its diameter, objects begin wholly inside the world; at a wall the velocity turns round and the object is put back inside.",
            "Largura e altura de uma caixa são sorteadas em separado, o tamanho de um círculo é o seu diâmetro, os objetos começam inteiros dentro do mundo; em uma parede a velocidade se inverte e o objeto é posto de volta para dentro.",
        ),
        language.text(
            "The study says in one place that circles are slightly ahead everywhere and in another that boxes are with few objects. Ruling: both are checked above.",
            "O estudo diz em um trecho que os círculos ficam um pouco à frente em todos os casos e em outro que as caixas ficam com poucos objetos. Decisão: ambos são verificados acima.",
        ),
    ])]
}

fn full_blocks(summaries: &Summaries<'_>, language: Language) -> Vec<Block> {
    let cases = unique(summaries.0.iter().map(|summary| summary.case));
    let published = cases.into_iter().filter(|case| [EXPERIMENT_1, EXPERIMENT_2].contains(case));
    let tables = published.filter_map(|case| detail_table(summaries, case, STUDY_BRUTE, language));
    tables.map(Block::Table).collect()
}

fn spread_blocks(summaries: &Summaries<'_>, info: &RunInfo, language: Language) -> Vec<Block> {
    let mut blocks = vec![Block::Paragraph(language.text(
        "Techniques take turns of a few frames each. The spread says how far the times of different worlds lie apart: differences between techniques that are smaller than it mean nothing. With ten objects a frame takes less than a microsecond, and reading the clock is part of it.",
        "As técnicas se revezam a cada poucos quadros. A dispersão diz quão distantes ficam os tempos de mundos diferentes: diferenças entre técnicas menores que ela nada significam. Com dez objetos um quadro leva menos de um microssegundo, e ler o relógio faz parte dele.",
    ))];
    blocks.extend(provenance::measurement_conditions(&info.provenance(), language));
    blocks.extend(spread_table(summaries, language).map(Block::Table));
    blocks
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

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
                // Names that one types, units, and figures alone.
                let is_name = text.len() < 3
                    || rows.iter().any(|row| text.starts_with(&row.technique))
                    || ["aabb", "circle", "KiB"].contains(&text.as_str())
                    || text.starts_with("--");
                assert!(is_name, "in both reports: {text:?}");
            }
        }
    }

    #[test]
    fn every_chart_has_a_description_and_a_data_table() {
        for language in Language::ALL {
            let report = report(&sample_rows::published(2), &info(), language);
            let ids: BTreeSet<_> = report.charts().map(|chart| chart.id.clone()).collect();
            assert_eq!((ids.len(), report.charts().count()), (7, 7), "{ids:?}");
            for chart in report.charts() {
                assert!(chart.description.len() > 60, "{}", chart.id);
                assert!(!chart.data_table(language).rows.is_empty(), "{}", chart.id);
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
        assert_eq!(fs::read_dir(home.path().join("charts")).unwrap().count(), 14);
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
