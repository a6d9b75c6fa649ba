//! Report of the simulator study.

use embate_report::language::Language;
use embate_report::{Block, Report, provenance, push_charts};

use super::row::Row;
use super::table::{broad_table, of_part, pairs_table, resolve_table};
use super::{box_report, case_label, charts, findings, integrator_report};
use crate::runner::run_folder::RunInfo;
use crate::studies::labels;
use crate::studies::moving_worlds::unique;
use crate::studies::report_page::{method_section, page, section, spread_section};
use crate::study_kind::StudyKind;

/// The report as data.
pub(super) fn report(rows: &[Row], info: &RunInfo, language: Language) -> Report {
    let title = language.text(
        "Lasch: a collision simulator, part by part",
        "Lasch: um simulador de colisões, parte por parte",
    );
    let lead = language.text(
        "Broad phases, pair queries and collision response in running simulations. R. M. Lasch (IFSul) plans this evaluation of a simulator and publishes no numbers; Embate's solver is measured in addition.",
        "Fases amplas, consultas de pares e resposta a colisões em simulações em execução. R. M. Lasch (IFSul) planeja esta avaliação de um simulador e não publica números; o método de resolução do Embate é medido além disso.",
    );
    let sections = vec![
        section(
            "broad",
            language.text("Broad phases in running simulations", "Fases amplas em simulações"),
            broad_blocks(rows, language),
        ),
        section(
            "pairs",
            language.text("The six pair queries", "As seis consultas de pares"),
            pair_blocks(rows, language),
        ),
        section(
            "resolve",
            language.text("Collision response", "Resposta a colisões"),
            resolve_blocks(rows, language),
        ),
        section(
            "integrators",
            language.text("Integrators", "Integradores"),
            integrator_report::blocks(rows, language),
        ),
        section(
            "boxes",
            language.text("Three forms of a box", "Três formas de uma caixa"),
            box_report::blocks(rows, language),
        ),
        method_section(method_blocks(rows, language), language),
        spread_section(spread_blocks(info, language), language),
    ];
    page([title, lead], sections, StudyKind::Simulator, info, language)
}

fn paragraph(sentences: &[String]) -> Vec<Block> {
    if sentences.is_empty() { Vec::new() } else { vec![Block::Paragraph(sentences.join(" "))] }
}

fn broad_blocks(rows: &[Row], language: Language) -> Vec<Block> {
    let mut blocks = paragraph(&findings::broad_phase(rows, language));
    for case in unique(of_part(rows, "broad").map(|row| row.case.as_str())) {
        blocks.push(Block::Subheading(case_label(case, language)));
        push_charts(&mut blocks, [charts::broad_time(rows, case, language)]);
        blocks.extend(broad_table(rows, case, language).map(Block::Table));
    }
    blocks
}

fn pair_blocks(rows: &[Row], language: Language) -> Vec<Block> {
    let mut blocks = paragraph(&findings::narrow_phase(rows, language));
    push_charts(
        &mut blocks,
        [charts::pair_times(rows, language), charts::pair_errors(rows, language)],
    );
    blocks.extend(pairs_table(rows, language).map(Block::Table));
    blocks
}

fn resolve_blocks(rows: &[Row], language: Language) -> Vec<Block> {
    let mut blocks = paragraph(&findings::response(rows, language));
    push_charts(&mut blocks, [charts::energy(rows, language), charts::depth(rows, language)]);
    blocks.extend(resolve_table(rows, language).map(Block::Table));
    blocks
}

fn method_blocks(rows: &[Row], language: Language) -> Vec<Block> {
    let mut blocks = vec![Block::List(vec![
        language.text(
            "Broad phases: the pipeline of the study (integrate, broad phase, narrow phase, impulse; bodies do not rotate) in three kinds of world. Gas: spheres in a box. Obstacles: the same, but half of the bodies are static boxes stored in an octree, which is strict, as in the study, with the strict octree as broad phase, and loose with the others. Pile: spheres and boxes that fall into a basin. Every technique has its own copy of the world. The copies take turns step by step, and after every step their state hashes must equal that of brute force. Tests are counted in separate copies.",
            "Fases amplas: as etapas do estudo (integração, fase ampla, fase estreita, impulso; os corpos não giram) em três tipos de mundo. Gás: esferas em uma caixa. Obstáculos: o mesmo, mas metade dos corpos são caixas estáticas guardadas em uma octree, que é estrita, como no estudo, com a octree estrita como fase ampla, e frouxa com as outras. Pilha: esferas e caixas que caem em uma bacia. Cada técnica tem a sua cópia do mundo. As cópias se revezam passo a passo, e após cada passo seus hashes de estado devem ser iguais ao da força bruta. Os testes são contados em cópias à parte.",
        ),
        language.text(
            "Pair queries: random spheres, boxes and polyhedra of up to twelve vertices, about one meter wide, apart (5 cm to 1 m), touching (within 1 mm) or deep (5 to 25 cm). The reference tests every axis and every pair of features in f64. A result is wrong if it differs in touching by more than 10 µm, or in distance by more than 0.1 mm, the guarantee for bodies of one meter; the table has the largest error of each case.",
            "Consultas de pares: esferas, caixas e poliedros aleatórios de até doze vértices, de cerca de um metro, separados (5 cm a 1 m), em contato (até 1 mm) ou profundos (5 a 25 cm). A referência testa todos os eixos e todos os pares de elementos em f64. Um resultado está errado se difere no contato por mais de 10 µm, ou na distância por mais de 0,1 mm, a garantia para corpos de um metro; a tabela tem o maior erro de cada caso.",
        ),
        language.text(
            "Collision response: a sphere of 1, 10 or 100 kg hits one of 1 kg at 2 m/s; a sphere falls 2 m; spheres and boxes, every second pair of them 1, 10 or 100 times as heavy, fall into a basin; each with restitution 0, 0.5 and 1. Impulse is the solver of the study, which publishes its formula for one moving body; the formula for two moving bodies and the choice of the larger of two restitutions are Embate's. Positions only is the alternative that the study names without details, which are Embate's: position-based dynamics without restitution. Soft contacts, with four sub-steps, are Embate's. In piles the energy error is the change over the run: bodies that fall without bouncing lose energy.",
            "Resposta a colisões: uma esfera de 1, 10 ou 100 kg atinge uma de 1 kg a 2 m/s; uma esfera cai 2 m; esferas e caixas, metade delas 1, 10 ou 100 vezes mais pesadas, caem em uma bacia; cada caso com restituição 0, 0,5 e 1. Impulso é o método de resolução do estudo, que publica a fórmula para um corpo móvel; a fórmula para dois corpos móveis e a escolha da maior das duas restituições são do Embate. Só posições é a alternativa que o estudo nomeia sem detalhes, que são do Embate: dinâmica baseada em posições, sem restituição. Contatos suaves, com quatro subpassos, são do Embate. Nas pilhas o erro da energia é a mudança na execução: corpos que caem sem quicar perdem energia.",
        ),
        language.text(
            "Integrators: one body of 2 kg for two simulated seconds, at 16 to 512 steps per second, against the closed form: thrown under gravity, on a spring and on an ellipse of eccentricity 0.2 around a center of force, both with a period of one second. Energy is compared with that at the start; its drift is the change from the mean of the first period to that of the second. The phase error is the time by which the motion is ahead at the end. Orders are measured from the errors of the position after 3/8 s, at the two shortest time steps at which they are above the rounding of f32. Lasch names an exchangeable integrator and publishes none: the four are Embate's choice.",
            "Integradores: um corpo de 2 kg por dois segundos simulados, com 16 a 512 passos por segundo, contra a forma fechada: lançado sob gravidade, em uma mola e em uma elipse de excentricidade 0,2 em torno de um centro de força, ambas com período de um segundo. A energia é comparada com a do início; sua deriva é a mudança da média do primeiro período para a do segundo. O erro de fase é o tempo que o movimento está adiantado no fim. As ordens são medidas pelos erros da posição após 3/8 s, nos dois menores passos de tempo em que eles estão acima do arredondamento de f32. Lasch menciona um integrador substituível e não publica nenhum: os quatro são escolha do Embate.",
        ),
        language.text(
            "Box forms: 1,000 boxes with whole coordinates, so that no form rounds and all return the same results, in five uses: overlap test of neighbors, motion by a vector, union of neighbors, descent of an octree of up to eight levels to the smallest cell that contains the box, and clipping by a window. Every form does its arithmetic in f32 without SIMD instructions of its own.",
            "Formas da caixa: 1.000 caixas com coordenadas inteiras, de modo que nenhuma forma arredonda e todas dão os mesmos resultados, em cinco usos: teste de sobreposição de vizinhas, movimento por um vetor, união de vizinhas, descida em uma octree de até oito níveis até a menor célula que contém a caixa, e recorte por uma janela. Cada forma faz a sua aritmética em f32, sem instruções SIMD próprias.",
        ),
    ])];
    let techniques = unique(rows.iter().map(|row| row.technique.as_str()));
    let cases = unique(of_part(rows, "broad").map(|row| row.case.as_str()));
    let names = labels::table(StudyKind::Simulator, cases, techniques, language);
    blocks.extend(names.map(Block::Table));
    blocks
}

fn spread_blocks(info: &RunInfo, language: Language) -> Vec<Block> {
    let mut blocks = vec![Block::Paragraph(language.text(
        "Broad phases take turns step by step. Of several runs of the same world the minimum of each step and stage counts; of pair queries the minimum of several rounds. Differences of a tenth are not significant on a machine that runs other programs.",
        "As fases amplas se revezam passo a passo. De várias execuções do mesmo mundo conta o mínimo de cada passo e etapa; das consultas de pares, o mínimo de várias rodadas. Diferenças de um décimo não são significativas em uma máquina que executa outros programas.",
    ))];
    blocks.extend(provenance::measurement_conditions(&info.provenance(), language));
    blocks
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::super::plan::{Budget, Plan};
    use super::*;

    fn info() -> RunInfo {
        RunInfo::new("simulator", Map::new(), 7, Language::English)
    }

    fn some_rows() -> Vec<Row> {
        let plan = Plan::new(Budget::new(true));
        plan.all_rows(|key| {
            key.starts_with("broad gas 100")
                || key.starts_with("boxes overlap")
                || key.starts_with("pairs sphere-sphere")
                || key.contains("bounce")
                || key.starts_with("integrators spring")
        })
    }

    #[test]
    fn every_text_differs_between_the_languages() {
        for rows in [some_rows(), Vec::new()] {
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
    fn every_part_has_a_chart_a_paragraph_and_a_table() {
        let rows = some_rows();
        let report = report(&rows, &info(), Language::English);
        let ids: Vec<&str> = report.charts().map(|chart| chart.id.as_str()).collect();
        let expected = [
            "broad-gas",
            "pair-times",
            "pair-errors",
            "resolve-energy",
            "integrator-energy-spring",
            "integrator-phase-spring",
        ];
        assert_eq!(ids, expected);
        assert!(report.charts().all(|chart| chart.description.len() > 60));
        for section in report.sections.iter().take(3) {
            let has = |wanted: fn(&Block) -> bool| section.blocks.iter().any(wanted);
            assert!(has(|block| matches!(block, Block::Paragraph(_))), "{}", section.id);
            assert!(has(|block| matches!(block, Block::Table(_))), "{}", section.id);
        }
    }
}
