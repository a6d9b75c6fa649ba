//! Report of the 3D study.

use embate_report::language::Language;
use embate_report::{Block, Report, provenance, push_charts};

use super::{charts, findings, table, world};
use crate::runner::run_folder::RunInfo;
use crate::studies::moving_worlds::row::{Row, Summaries, unique};
use crate::studies::moving_worlds::table::{detail_table, spread_table, spreads};
use crate::studies::report_page::{method_section, page, section, spread_section};
use crate::studies::{labels, timing_spread};
use crate::study_kind::StudyKind;

/// The baseline of speedups.
const BASELINE: (StudyKind, &str) = (StudyKind::Broad3d, "sweep-variance");

/// The report as data.
pub(super) fn report(rows: &[Row], info: &RunInfo, language: Language) -> Report {
    let summaries = &Summaries::of(rows);
    let sections = vec![
        section(
            "answers",
            language.text("Results", "Resultados"),
            answer_blocks(summaries, language),
        ),
        section(
            "worlds",
            language.text("Kinds of world", "Tipos de mundo"),
            world_blocks(summaries, language),
        ),
        method_section(method_blocks(summaries, language), language),
        section(
            "full",
            language.text("All techniques in full", "Todas as técnicas por extenso"),
            full_blocks(summaries, language),
        ),
        spread_section(spread_blocks(summaries, info, language), language),
    ];
    let title = language.text("Lasch: broad phase in 3D", "Lasch: fase ampla em 3D");
    let lead = language.text(
        "Sort and sweep compared with an octree, by number, distribution and static share of the objects. R. M. Lasch (IFSul) plans this evaluation of a simulator and publishes no numbers; Embate's techniques are measured in addition.",
        "Ordenação e varredura em comparação com uma octree, por número, distribuição e fração estática dos objetos. R. M. Lasch (IFSul) planeja esta avaliação de um simulador e não publica números; as técnicas do Embate são medidas além disso.",
    );
    let mut report = page([title, lead], sections, StudyKind::Broad3d, info, language);
    report.notices.extend(timing_spread::warning(&spreads(summaries), language));
    report
}

fn answer_blocks(summaries: &Summaries<'_>, language: Language) -> Vec<Block> {
    let answers = findings::findings(summaries, language);
    if answers.is_empty() {
        return Vec::new();
    }
    let mut blocks = vec![
        Block::Paragraph(language.text(
            "Found here: the study publishes no numbers. Computed from the rows of this run; a difference of less than 5% counts as equal. Missed pairs are in the table of all techniques.",
            "Encontrado aqui: o estudo não publica números. Calculado das linhas desta execução; uma diferença de menos de 5% conta como igualdade. Os pares perdidos estão na tabela de todas as técnicas.",
        )),
        Block::List(answers),
    ];
    push_charts(&mut blocks, [charts::octree_against_sweep(summaries, language)]);
    blocks
}

fn world_blocks(summaries: &Summaries<'_>, language: Language) -> Vec<Block> {
    let mut blocks = Vec::new();
    for case in unique(summaries.0.iter().map(|summary| summary.case)) {
        blocks.push(Block::Subheading(world(case, language)));
        push_charts(&mut blocks, [charts::time(summaries, case, language)]);
        let tables = [
            table::time_table(summaries, case, language),
            table::tests_table(summaries, case, language),
        ];
        blocks.extend(tables.into_iter().flatten().map(Block::Table));
    }
    blocks
}

fn method_blocks(summaries: &Summaries<'_>, language: Language) -> Vec<Block> {
    let mut blocks = vec![
        Block::Paragraph(language.text(
            "Boxes with edges of 0.5–1.5 units move at 0.5–1.5 units per second; a frame is exactly 1/60 s, and only finding the pairs is timed. The world has two cubic units per object. In every frame the pairs of each technique are compared with those of brute force.",
            "Caixas com arestas de 0,5–1,5 unidade movem-se a 0,5–1,5 unidade por segundo; um quadro dura exatamente 1/60 s, e só a busca dos pares é cronometrada. O mundo tem duas unidades cúbicas por objeto. Em todo quadro os pares de cada técnica são comparados com os da força bruta.",
        )),
        Block::List(vec![
            language.text(
                "Uniform: a cube, uniform positions, all objects move.",
                "Uniforme: um cubo, posições uniformes, todos os objetos se movem.",
            ),
            language.text(
                "Long axis: the world is a hundred times longer along z than along x and y.",
                "Eixo longo: o mundo é cem vezes mais longo em z do que em x e y.",
            ),
            language.text(
                "Clustered: the same cube; objects start in clusters of about a hundred.",
                "Aglomerado: o mesmo cubo; os objetos começam em aglomerados de cerca de cem.",
            ),
            language.text(
                "Half static, nine tenths static: the same cube; this share of the objects are obstacles that never move. Techniques return only pairs with at least one moving object. An octree stores the obstacles and is built once; a sweep along the axis of largest variance finds the pairs among the moving objects, as in the study: once with the study's strict octree, once with Embate's loose one. The tree technique has one BVH of the obstacles, built once, and one of the moving objects. All other techniques start from scratch in each frame.",
                "Metade estática, nove décimos estáticos: o mesmo cubo; essa fração dos objetos são obstáculos que nunca se movem. As técnicas retornam só pares com ao menos um objeto móvel. Uma octree guarda os obstáculos e é construída uma vez; uma varredura no eixo de maior variância encontra os pares entre os objetos móveis, como no estudo: uma vez com a octree estrita do estudo, uma vez com a frouxa do Embate. A técnica de árvore tem uma BVH dos obstáculos, construída uma vez, e uma dos objetos móveis. Todas as outras técnicas começam do zero a cada quadro.",
            ),
        ]),
        Block::List(vec![
            language.text(
                "Brute force tests every pair, eight at a time, and is the reference.",
                "A força bruta testa todos os pares, oito por vez, e é a referência.",
            ),
            language.text(
                "The study's sweep sorts the boxes along one axis and sweeps along it: the axis on which the centers had the largest variance in the frame before. Sweeps that keep the axis x, y or z are variants of Embate.",
                "A varredura do estudo ordena as caixas em um eixo e varre ao longo dele: o eixo em que os centros tinham a maior variância no quadro anterior. Varreduras que mantêm o eixo x, y ou z são variantes do Embate.",
            ),
            language.text(
                "The study's octree has strict cells: a box that a dividing plane cuts belongs to the parent cell. Division stops at a maximum depth or a smallest cell; the study publishes no values, here the depth is 8. If all objects move, it is rebuilt in each frame, which the study does not propose.",
                "A octree do estudo tem células estritas: uma caixa cortada por um plano de divisão pertence à célula acima. A divisão para em uma profundidade máxima ou em uma menor célula; o estudo não publica valores, aqui a profundidade é 8. Se todos os objetos se movem, ela é reconstruída a cada quadro, o que o estudo não propõe.",
            ),
            language.text(
                "Sweep, grid, loose octree and tree are Embate's.",
                "Varredura, grade, octree frouxa e árvore são do Embate.",
            ),
        ]),
    ];
    let cases = unique(summaries.0.iter().map(|summary| summary.case));
    let techniques = unique(summaries.0.iter().map(|summary| summary.technique));
    let names = labels::table(StudyKind::Broad3d, cases, techniques, language);
    blocks.extend(names.map(Block::Table));
    blocks
}

fn full_blocks(summaries: &Summaries<'_>, language: Language) -> Vec<Block> {
    let cases = unique(summaries.0.iter().map(|summary| summary.case)).into_iter();
    let tables = cases.filter_map(|case| detail_table(summaries, case, BASELINE, language));
    tables.map(Block::Table).collect()
}

fn spread_blocks(summaries: &Summaries<'_>, info: &RunInfo, language: Language) -> Vec<Block> {
    let mut blocks = vec![Block::Paragraph(language.text(
        "Techniques take turns of a few frames. The spread is the range of the times over the worlds, or over the repeats of a single world: a difference between techniques that is smaller than the spread is not significant.",
        "As técnicas se revezam a cada poucos quadros. A dispersão é a faixa dos tempos entre os mundos, ou entre as repetições de um único mundo: uma diferença entre técnicas menor que a dispersão não é significativa.",
    ))];
    blocks.extend(provenance::measurement_conditions(&info.provenance(), language));
    blocks.extend(spread_table(summaries, StudyKind::Broad3d, language).map(Block::Table));
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
                let is_name = text.len() < 3 || text == "Octree" || text.starts_with("--");
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
