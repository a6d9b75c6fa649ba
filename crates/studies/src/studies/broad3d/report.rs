//! Report of the 3D study.

use embate_report::language::Language;
use embate_report::{Block, Report, provenance, push_charts};

use super::{charts, findings, table};
use crate::runner::run_folder::RunInfo;
use crate::studies::broad_phase::row::{Row, Summaries, unique};
use crate::studies::broad_phase::table::{detail_table, spread_table};
use crate::studies::report_page::{method_section, page, section, spread_section};

/// The report as data.
pub(super) fn report(rows: &[Row], info: &RunInfo, language: Language) -> Report {
    let summaries = &Summaries::of(rows);
    let sections = vec![
        section(
            "answers",
            language.text("What was found", "O que se encontrou"),
            answer_blocks(summaries, language),
        ),
        section(
            "worlds",
            language.text("World by world", "Mundo a mundo"),
            world_blocks(summaries, language),
        ),
        method_section(method_blocks(language), language),
        section(
            "full",
            language.text("Every technique in full", "Todas as técnicas por extenso"),
            full_blocks(summaries, language),
        ),
        spread_section(spread_blocks(summaries, info, language), language),
    ];
    let title = language.text("Lasch: broad phase in 3D", "Lasch: fase ampla em 3D");
    let lead = language.text(
            "How do sort-and-sweep and octree behave as objects grow in number, cluster, line up or stand still? The evaluation that R. M. Lasch's simulator (IFSul) sets out to make and publishes no numbers of, with our own techniques beside.",
            "Como se comportam a ordenação com varredura e a octree quando os objetos aumentam, se agrupam, se alinham ou ficam parados? A avaliação que o simulador de R. M. Lasch (IFSul) se propõe a fazer e da qual não publica números, com nossas técnicas ao lado.",
        );
    page([title, lead], sections, info, language)
}

fn answer_blocks(summaries: &Summaries<'_>, language: Language) -> Vec<Block> {
    let answers = findings::findings(summaries, language);
    if answers.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![
        Block::Paragraph(language.text(
            "Computed from the rows of this run; a lead of less than 5 % counts as none. No technique missed a pair unless the table of all techniques says so.",
            "Calculado das linhas desta execução; uma vantagem de menos de 5 % não conta. Nenhuma técnica perdeu um par, a menos que a tabela de todas as técnicas o diga.",
        )),
        Block::List(answers),
    ];
    push_charts(&mut blocks, [charts::octree_against_sweep(summaries, language)]);
    blocks
}

fn world_blocks(summaries: &Summaries<'_>, language: Language) -> Vec<Block> {
    let mut blocks = Vec::new();
    for case in unique(summaries.0.iter().map(|summary| summary.case)) {
        blocks.push(Block::Subheading(case.to_owned()));
        push_charts(&mut blocks, [charts::time(summaries, case, language)]);
        let tables = [
            table::time_table(summaries, case, language),
            table::tests_table(summaries, case, language),
        ];
        blocks.extend(tables.into_iter().flatten().map(Block::Table));
    }
    blocks
}

fn method_blocks(language: Language) -> Vec<Block> {
    vec![
        Block::Paragraph(language.text(
            "Boxes with edges of 0.5–1.5 move at 0.5–1.5 units a second; a frame is exactly 1/60 s, and only finding the pairs is timed. Worlds leave two cubic units to an object. In every frame what a technique told is compared with what brute force found.",
            "Caixas com arestas de 0,5–1,5 movem-se a 0,5–1,5 unidades por segundo; um quadro dura exatamente 1/60 s, e só o encontrar os pares é cronometrado. Os mundos deixam duas unidades cúbicas a cada objeto. Em todo quadro o que uma técnica relatou é comparado com o que a força bruta encontrou.",
        )),
        Block::List(vec![
            language.text(
                "uniform: a cube, objects anywhere, all of them moving.",
                "uniform: um cubo, objetos em qualquer lugar, todos em movimento.",
            ),
            language.text(
                "long-axis: the world is a hundred times longer along z than along x and y.",
                "long-axis: o mundo é cem vezes mais longo em z do que em x e y.",
            ),
            language.text(
                "clustered: the cube again, objects begin in clumps of about a hundred.",
                "clustered: de novo o cubo; os objetos começam em aglomerados de cerca de cem.",
            ),
            language.text(
                "static-50, static-90: the cube, but half or nine tenths of the objects are obstacles that never move. Only pairs with at least one mover are asked for, of every technique. The octree then holds the obstacles, built once, and a sweep along the axis of largest variance finds the pairs among the movers, as the study describes; of the tree there are two, one of the obstacles, built once, and one of the movers. All others begin anew in each frame.",
                "static-50, static-90: o cubo, mas metade ou nove décimos dos objetos são obstáculos que nunca se movem. Só se pedem, de todas as técnicas, pares com ao menos um objeto móvel. A octree então guarda os obstáculos, construída uma vez, e uma varredura pelo eixo de maior variância encontra os pares entre os móveis, como o estudo descreve; da árvore há duas, uma dos obstáculos, construída uma vez, e uma dos móveis. Todas as outras recomeçam a cada quadro.",
            ),
        ]),
        Block::List(vec![
            language.text(
                "brute tests every pair, eight at a time, and is the reference.",
                "brute testa todos os pares, oito por vez, e é a referência.",
            ),
            language.text(
                "sweep-x, sweep-y, sweep-z sort by one axis and sweep along it; sweep-variance along the axis on which the centres were spread widest in the frame before, as the study describes.",
                "sweep-x, sweep-y, sweep-z ordenam por um eixo e varrem ao longo dele; sweep-variance, ao longo do eixo em que os centros estavam mais espalhados no quadro anterior, como o estudo descreve.",
            ),
            language.text(
                "sweep, grid, octree and tree are our own.",
                "sweep, grid, octree e tree são nossas.",
            ),
        ]),
    ]
}

fn full_blocks(summaries: &Summaries<'_>, language: Language) -> Vec<Block> {
    let cases = unique(summaries.0.iter().map(|summary| summary.case)).into_iter();
    let tables = cases.filter_map(|case| detail_table(summaries, case, "sweep-variance", language));
    tables.map(Block::Table).collect()
}

fn spread_blocks(summaries: &Summaries<'_>, info: &RunInfo, language: Language) -> Vec<Block> {
    let mut blocks = vec![Block::Paragraph(language.text(
        "Techniques take turns of a few frames each. The spread says how far the times of different worlds lie apart: differences between techniques that are smaller than it mean nothing.",
        "As técnicas se revezam a cada poucos quadros. A dispersão diz quão distantes ficam os tempos de mundos diferentes: diferenças entre técnicas menores que ela nada significam.",
    ))];
    blocks.extend(provenance::measurement_conditions(&info.provenance(), language));
    blocks.extend(spread_table(summaries, language).map(Block::Table));
    blocks
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Map;

    use super::super::findings::tests::sample;
    use super::*;

    fn info() -> RunInfo {
        RunInfo::new("broad3d", Map::new(), 7, Language::English)
    }

    #[test]
    fn every_text_differs_between_the_languages() {
        for rows in [sample(), Vec::new()] {
            let english = report(&rows, &info(), Language::English).texts();
            let portuguese = report(&rows, &info(), Language::BrazilianPortuguese).texts();
            assert_eq!(english.len(), portuguese.len());
            for text in english.intersection(&portuguese) {
                let is_name = text.len() < 3
                    || rows.iter().any(|row| *text == row.technique || *text == row.case)
                    || text.starts_with("--");
                assert!(is_name, "in both reports: {text:?}");
            }
        }
    }

    #[test]
    fn every_chart_has_a_description_and_every_row_a_cell_per_column() {
        for language in Language::ALL {
            let report = report(&sample(), &info(), language);
            let ids: BTreeSet<_> = report.charts().map(|chart| chart.id.clone()).collect();
            assert_eq!((ids.len(), report.charts().count()), (6, 6), "{ids:?}");
            assert!(report.charts().all(|chart| chart.description.len() > 60));
            for block in report.sections.iter().flat_map(|section| &section.blocks) {
                if let Block::Table(table) = block {
                    assert!(table.rows.iter().all(|row| row.len() == table.head.len()));
                }
            }
        }
    }
}
