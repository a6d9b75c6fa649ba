//! Report of the study of ray–triangle tests.

use embate_report::language::Language;
use embate_report::{Block, Report, provenance, push_charts};

use super::row::Row;
use super::{charts, findings, table};
use crate::runner::run_folder::RunInfo;
use crate::studies::report_page::{
    findings_section, method_section, page, section, spread_section,
};
use crate::studies::{labels, timing_spread};
use crate::study_kind::StudyKind;

/// The report as data.
pub(super) fn report(rows: &[Row], info: &RunInfo, language: Language) -> Report {
    let title = language.text(
        "Ray–triangle tests: time, agreement, leaks",
        "Testes raio–triângulo: tempo, concordância, vazamentos",
    );
    let lead = language.text(
        "Which ray–triangle test should a ray caster use? H. Lorenzi (2014) uses that of Möller and Trumbore and names that of Segura and Feito as an alternative. Embate compares them with the Plücker test and with the watertight test of Woop, Benthin and Wald, which it uses itself; an exact test is the reference.",
        "Que teste raio–triângulo um lançador de raios deve usar? H. Lorenzi (2014) usa o de Möller e Trumbore e cita o de Segura e Feito como alternativa. O Embate os compara com o teste de Plücker e com o teste estanque de Woop, Benthin e Wald, que ele próprio usa; um teste exato é a referência.",
    );
    let mut times = Vec::new();
    push_charts(&mut times, [charts::times(rows, language)]);
    times.extend(table::times(rows, language).map(Block::Table));
    let mut results = Vec::new();
    push_charts(&mut results, [charts::leaks(rows, language), charts::wrong(rows, language)]);
    results.extend(table::results(rows, language).map(Block::Table));
    let mut errors = Vec::new();
    push_charts(&mut errors, [charts::t_errors(rows, language)]);
    errors.extend(table::t_errors(rows, language).map(Block::Table));
    let sections = vec![
        findings_section(findings_blocks(rows, language), language),
        section("times", language.text("Time", "Tempo"), times),
        section(
            "results",
            language.text("Leaks and wrong results", "Vazamentos e resultados errados"),
            results,
        ),
        section("t-errors", language.text("Error of t", "Erro de t"), errors),
        method_section(method_blocks(rows, language), language),
        spread_section(spread_blocks(rows, info, language), language),
    ];
    let mut report = page([title, lead], sections, StudyKind::TriangleTests, info, language);
    report.notices.extend(timing_spread::warning(&table::spreads(rows), language));
    report
}

fn findings_blocks(rows: &[Row], language: Language) -> Vec<Block> {
    vec![
        Block::Paragraph(language.text(
            "Counts depend on rays and seed, not on the machine; times depend on it. A finding about time is undecided where the spread of the repeats is wider than the margin.",
            "As contagens dependem dos raios e da semente, não da máquina; os tempos dependem dela. Uma conclusão sobre tempo é inconclusiva quando a dispersão das repetições é maior que a margem.",
        )),
        Block::Findings(findings::findings(rows, language)),
    ]
}

fn method_blocks(rows: &[Row], language: Language) -> Vec<Block> {
    let mut blocks = vec![Block::List(vec![
        language.text(
            "Tests. Möller and Trumbore (1997), two-sided, f32, with early exits; its epsilon is 0, because an absolute one depends on the unit of the scene. The study’s version (Lorenzi 2014): f64, back faces and determinants below 1e-5 culled, hits behind the origin counted. Segura and Feito (2001): the signs of three tetrahedra that the ray spans with the edges, f32, with early exits; the published test answers yes or no for a segment, so t is that of the triangle’s plane, computed afterwards. Plücker: the products of ray and edges in Plücker coordinates, f32, from the ray’s origin. Woop, Benthin and Wald (2013): the test of Embate, f32, with a fallback to f64. Exact: signs of volumes without rounding.",
            "Testes. Möller e Trumbore (1997), de dois lados, f32, com saídas antecipadas; seu épsilon é 0, pois um absoluto depende da unidade da cena. A versão do estudo (Lorenzi 2014): f64, faces traseiras e determinantes abaixo de 1e-5 descartados, acertos atrás da origem contados. Segura e Feito (2001): os sinais de três tetraedros que o raio forma com as arestas, f32, com saídas antecipadas; o teste publicado responde sim ou não para um segmento, por isso t é o do plano do triângulo, calculado depois. Plücker: os produtos do raio e das arestas em coordenadas de Plücker, f32, a partir da origem do raio. Woop, Benthin e Wald (2013): o teste do Embate, f32, com recurso a f64. Exato: sinais de volumes sem arredondamento.",
        ),
        language.text(
            "Pairs: one ray and one triangle in a cube of edge 100, triangles of the three families of Lorenzi 2014. Clear hits and misses pass every edge at 5% of the triangle or more and must be decided alike by every test. Edge-on: the ray meets the plane at 0.1 to 1e-6 rad. Small: triangles of size 0.1, and rays at points near them.",
            "Pares: um raio e um triângulo em um cubo de aresta 100, com triângulos das três famílias de Lorenzi 2014. Claramente dentro ou fora: o raio passa por cada aresta a 5 % do triângulo ou mais, e todos os testes devem decidir igual. De perfil: o raio encontra o plano a um ângulo de 0,1 a 1e-6 rad. Pequenos: triângulos de tamanho 0,1 e raios para pontos perto deles.",
        ),
        language.text(
            "Closed meshes: a cube, two spheres and a torus of 12 to 576 triangles and size 20 to 28. Rays start inside and are aimed at vertices, at points on edges, or anywhere; every ray must hit. Far: the same meshes where neighboring f32 numbers are 1/64 apart. Each ray is tested against all triangles. A leak is a ray without any hit. The study’s test counts hits behind the origin, which can hide a leak in the torus.",
            "Malhas fechadas: um cubo, duas esferas e um toro de 12 a 576 triângulos e tamanho de 20 a 28. Os raios partem de dentro e são apontados para vértices, para pontos em arestas, ou para qualquer lugar; todo raio deve acertar. Longe: as mesmas malhas onde números f32 vizinhos distam 1/64. Cada raio é testado contra todos os triângulos. Um vazamento é um raio sem nenhum acerto. O teste do estudo conta acertos atrás da origem, o que pode esconder um vazamento no toro.",
        ),
        language.text(
            "The tests are compared one triangle at a time, without vector instructions and without a tree, as the published code is. The study’s test is judged by its own definition of a hit: front faces, also behind the origin; all triangles have their front towards the ray.",
            "Os testes são comparados um triângulo por vez, sem instruções vetoriais e sem árvore, como o código publicado. O teste do estudo é julgado por sua própria definição de acerto: faces frontais, também atrás da origem; todos os triângulos têm a frente voltada para o raio.",
        ),
    ])];
    let names = labels::table(
        StudyKind::TriangleTests,
        table::cases(rows),
        table::techniques(rows),
        language,
    );
    blocks.extend(names.map(Block::Table));
    blocks
}

fn spread_blocks(rows: &[Row], info: &RunInfo, language: Language) -> Vec<Block> {
    let mut blocks = vec![Block::Paragraph(language.text(
        "The tests take turns in every repeat, and the median is reported. A reading of the clock covers at least 100,000 tests. A difference that is smaller than the spread of the repeats is not significant.",
        "Os testes se revezam em cada repetição, e a mediana é informada. Uma leitura do relógio cobre pelo menos 100.000 testes. Uma diferença menor que a dispersão das repetições não é significativa.",
    ))];
    blocks.extend(table::spread_table(rows, language).map(Block::Table));
    blocks.extend(provenance::measurement_conditions(&info.provenance(), language));
    blocks
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::Map;

    use super::super::measure::measure;
    use super::super::plan::{Case, TriangleTestsPlan};
    use super::*;
    use crate::runner::run_context::RunContext;
    use crate::runner::run_folder::RunFolder;
    use crate::runner::write_outputs::write_outputs;
    use crate::studies::triangle_tests::row::results_csv;

    fn plan() -> TriangleTestsPlan {
        TriangleTestsPlan { rays: 40, repeats: 2, ..TriangleTestsPlan::new(true) }
    }

    fn rows() -> Vec<Row> {
        let context = RunContext { clock: || 0.0, on_progress: &|_| {} };
        let mut rows: Vec<Row> =
            Case::ALL.into_iter().flat_map(|case| measure(&plan(), case, &context)).collect();
        for (number, row) in rows.iter_mut().enumerate() {
            row.ns_repeats = vec![5.0 + number as f64; 2];
        }
        rows
    }

    fn info() -> RunInfo {
        RunInfo::new("triangle-tests", Map::new(), 7, Language::English)
    }

    #[test]
    fn every_text_differs_between_the_languages() {
        for rows in [rows(), Vec::new()] {
            let english = report(&rows, &info(), Language::English).texts();
            let portuguese = report(&rows, &info(), Language::BrazilianPortuguese).texts();
            assert_eq!(english.len(), portuguese.len());
            for text in english.intersection(&portuguese) {
                let names = ["Möller–Trumbore", "Segura–Feito", "Plücker"];
                let is_publication =
                    ["1997", "2001", "2013"].iter().any(|year| text.ends_with(year));
                let is_name = names.contains(&text.as_str()) || text.starts_with("--");
                assert!(is_name || is_publication || text.len() < 3, "in both reports: {text:?}");
            }
        }
    }

    #[test]
    fn every_section_has_a_chart_and_a_table() {
        let report = report(&rows(), &info(), Language::English);
        let ids: Vec<&str> = report.charts().map(|chart| chart.id.as_str()).collect();
        assert_eq!(ids, ["times", "leaks", "wrong", "t-errors"]);
        assert!(report.charts().all(|chart| chart.description.len() > 60));
        for section in &report.sections[1..4] {
            let is_table = |block: &Block| matches!(block, Block::Table(_));
            assert!(section.blocks.iter().any(is_table), "{}", section.id);
        }
    }

    #[test]
    fn all_outputs_are_written_and_the_columns_are_those_of_the_contract() {
        let home = tempfile::tempdir().unwrap();
        let folder = RunFolder::open(home.path(), &info(), false).unwrap();
        let rows = rows();
        write_outputs(&plan(), &folder, &rows, Language::BrazilianPortuguese).unwrap();
        for name in ["results.csv", "report.html", "charts/times-light.svg", "run.json"] {
            assert!(home.path().join(name).exists(), "{name}");
        }
        assert_eq!(fs::read_dir(home.path().join("charts")).unwrap().count(), 8);
        let csv = String::from_utf8(results_csv(&rows).unwrap()).unwrap();
        assert!(csv.starts_with(
            "case,technique,pairs,rays,seed,ns_per_test,agreement_percent,wrong_hits,wrong_misses,leaks,max_t_error\n"
        ));
        assert_eq!(csv.lines().count(), 1 + 10 * 6);
    }
}
