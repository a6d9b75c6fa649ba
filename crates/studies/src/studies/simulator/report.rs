//! Report of the simulator study.

use embate_report::language::Language;
use embate_report::{Block, Report, provenance, push_charts};

use super::row::Row;
use super::table::{broad_table, of_part, pairs_table, resolve_table};
use super::{charts, findings};
use crate::runner::run_folder::RunInfo;
use crate::studies::broad_phase::unique;
use crate::studies::report_page::{method_section, page, section, spread_section};

/// The report as data.
pub(super) fn report(rows: &[Row], info: &RunInfo, language: Language) -> Report {
    let title = language.text(
        "Lasch: a collision simulator, part by part",
        "Lasch: um simulador de colisões, parte por parte",
    );
    let lead = language.text(
        "How do broad phases, pair tests and the impulse method behave inside running worlds? What R. M. Lasch's simulator (IFSul) sets out to evaluate and publishes no numbers of; with our own method beside.",
        "Como se comportam as fases amplas, os testes de pares e o método do impulso dentro de mundos em movimento? O que o simulador de R. M. Lasch (IFSul) se propõe a avaliar e do qual não publica números; com o nosso método ao lado.",
    );
    let sections = vec![
        section(
            "broad",
            language.text("Broad phases in running worlds", "Fases amplas em mundos em movimento"),
            broad_blocks(rows, language),
        ),
        section(
            "pairs",
            language.text("The six pair tests", "Os seis testes de pares"),
            pair_blocks(rows, language),
        ),
        section(
            "resolve",
            language.text("Impulse, positions alone, and ours", "Impulso, só posições, e o nosso"),
            resolve_blocks(rows, language),
        ),
        method_section(method_blocks(language), language),
        spread_section(spread_blocks(info, language), language),
    ];
    page([title, lead], sections, info, language)
}

fn told(sentences: &[String]) -> Vec<Block> {
    if sentences.is_empty() { Vec::new() } else { vec![Block::Paragraph(sentences.join(" "))] }
}

fn broad_blocks(rows: &[Row], language: Language) -> Vec<Block> {
    let mut blocks = told(&findings::broad_phase(rows, language));
    for case in unique(of_part(rows, "broad").map(|row| row.case.as_str())) {
        blocks.push(Block::Subheading(case.to_owned()));
        push_charts(&mut blocks, [charts::broad_time(rows, case, language)]);
        blocks.extend(broad_table(rows, case, language).map(Block::Table));
    }
    blocks
}

fn pair_blocks(rows: &[Row], language: Language) -> Vec<Block> {
    let mut blocks = told(&findings::narrow_phase(rows, language));
    push_charts(
        &mut blocks,
        [charts::pair_times(rows, language), charts::pair_errors(rows, language)],
    );
    blocks.extend(pairs_table(rows, language).map(Block::Table));
    blocks
}

fn resolve_blocks(rows: &[Row], language: Language) -> Vec<Block> {
    let mut blocks = told(&findings::response(rows, language));
    push_charts(&mut blocks, [charts::energy(rows, language), charts::depth(rows, language)]);
    blocks.extend(resolve_table(rows, language).map(Block::Table));
    blocks
}

fn method_blocks(language: Language) -> Vec<Block> {
    vec![Block::List(vec![
        language.text(
            "Broad phases: the study's chain (move, broad phase, pair tests, impulse; bodies do not turn) in three kinds of world: gas, balls in a box; obstacles, the same, but half of the bodies are blocks that never move and lie in an octree; pile, balls and blocks that fall into a basin. Every technique has its own copy, all go step by step by turns, and after every step all states must be equal to brute force's, bit for bit. Tests are counted in copies of their own.",
            "Fases amplas: a cadeia do estudo (mover, fase ampla, testes de pares, impulso; os corpos não giram) em três tipos de mundo: gas, bolas em uma caixa; obstacles, o mesmo, mas metade dos corpos são blocos que nunca se movem e ficam em uma octree; pile, bolas e blocos que caem em uma bacia. Cada técnica tem a sua cópia, todas avançam passo a passo em rodízio, e após cada passo todos os estados devem ser iguais ao da força bruta, bit a bit. Os testes são contados em cópias à parte.",
        ),
        language.text(
            "Pair tests: random spheres, boxes and polyhedra of up to twelve corners, about a metre across, apart (5 cm to 1 m), touching (within 1 mm) or deep (5 to 25 cm). The reference tries every axis and every pair of features in f64. An answer is wrong if it tells touching otherwise by more than 10 µm, or a distance that is off by more than 0.1 mm, which is what contacts promise for bodies of a metre; the largest error of each case is in the table.",
            "Testes de pares: esferas, caixas e poliedros aleatórios de até doze cantos, de cerca de um metro, afastados (5 cm a 1 m), em contato (até 1 mm) ou profundos (5 a 25 cm). A referência tenta todos os eixos e todos os pares de elementos em f64. Uma resposta está errada se diz o contato de outro modo por mais de 10 µm, ou uma distância que erra por mais de 0,1 mm, o que os contatos prometem para corpos de um metro; o maior erro de cada caso está na tabela.",
        ),
        language.text(
            "Resolution: a ball of 1, 10 or 100 kg meets one of 1 kg at 2 m/s; a ball falls 2 m; balls and blocks, every second pair of them 1, 10 or 100 times as heavy, fall into a basin; each with restitution 0, 0.5 and 1. Impulse and positions are the study's two ways to resolve, soft is ours with four sub-steps. In piles the energy is told as its change over the run: what falls and does not bounce must lose it.",
            "Resolução: uma bola de 1, 10 ou 100 kg encontra uma de 1 kg a 2 m/s; uma bola cai 2 m; bolas e blocos, metade deles 1, 10 ou 100 vezes mais pesados, caem em uma bacia; cada caso com restituição 0, 0,5 e 1. Impulse e positions são os dois modos de resolver do estudo; soft é o nosso, com quatro subpassos. Nas pilhas a energia é dita como a sua mudança na execução: o que cai e não quica deve perdê-la.",
        ),
    ])]
}

fn spread_blocks(info: &RunInfo, language: Language) -> Vec<Block> {
    let mut blocks = vec![Block::Paragraph(language.text(
        "Broad phases take turns step by step; of several runs of the same world the best of each step counts, stage by stage; of pair tests the best of several rounds, which take turns too. Differences of a tenth mean nothing on a machine that does anything else.",
        "As fases amplas se revezam passo a passo; de várias execuções do mesmo mundo conta o melhor de cada passo, etapa por etapa; dos testes de pares, a melhor de várias rodadas, que também se revezam. Diferenças de um décimo nada significam em uma máquina que faz qualquer outra coisa.",
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
                || key.starts_with("pairs sphere-sphere")
                || key.contains("bounce")
        })
    }

    #[test]
    fn every_text_differs_between_the_languages() {
        for rows in [some_rows(), Vec::new()] {
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
    fn every_part_has_a_chart_a_paragraph_and_a_table() {
        let rows = some_rows();
        let report = report(&rows, &info(), Language::English);
        let ids: Vec<&str> = report.charts().map(|chart| chart.id.as_str()).collect();
        assert_eq!(ids, ["broad-gas", "pair-times", "pair-errors", "resolve-energy"]);
        assert!(report.charts().all(|chart| chart.description.len() > 60));
        for section in report.sections.iter().take(3) {
            let has = |wanted: fn(&Block) -> bool| section.blocks.iter().any(wanted);
            assert!(has(|block| matches!(block, Block::Paragraph(_))), "{}", section.id);
            assert!(has(|block| matches!(block, Block::Table(_))), "{}", section.id);
        }
    }
}
