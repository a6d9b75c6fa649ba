//! Report of the ray study.
//!
//! Findings first, then a summary of all cases, the method, each case in full, the faults of the
//! study and how they are handled, and the machine.

use embate_report::language::Language;
use embate_report::{Block, FindingKind, Report, provenance, push_charts};

use super::case_rows::CaseRows;
use super::plan::STUDY_CASES;
use super::report_text::ReportText;
use super::row::Row;
use super::{builds, charts, findings, memory_curve, published_vs_measured, table};
use crate::runner::earlier_run::EarlierRun;
use crate::runner::run_folder::RunInfo;
use crate::studies::report_page::{
    findings_section, method_section, page, section, spread_section,
};
use crate::studies::{labels, timing_spread};
use crate::study_kind::StudyKind;

/// The report as data.
pub(super) fn report(
    rows: &[Row],
    earlier: &[EarlierRun],
    info: &RunInfo,
    language: Language,
) -> Report {
    let (cases, text) = (CaseRows::new(rows), ReportText(language));
    let title = text.0.text(
        "Lorenzi 2014: rays against triangles, with an octree",
        "Lorenzi 2014: raios contra triângulos, com uma octree",
    );
    let lead = text.0.text(
        "Does an octree help a ray find the triangle that it hits? Repetition of the study of H. Lorenzi (thesis, 2014) and of H. Lorenzi and V. Brandi Jr. (article, 2015), with the published values beside the measured ones.",
        "Uma octree ajuda um raio a encontrar o triângulo que ele atinge? Repetição do estudo de H. Lorenzi (monografia, 2014) e de H. Lorenzi e V. Brandi Jr. (artigo, 2015), com os valores publicados ao lado dos medidos.",
    );
    let mut sections = vec![
        findings_section(findings_blocks(rows, earlier, info, text), language),
        section(
            "summary",
            text.0.text("Summary of all cases", "Resumo de todos os casos"),
            summary_blocks(cases, text),
        ),
        method_section(method_blocks(cases, text), language),
        section("cases", text.0.text("Case by case", "Caso a caso"), case_blocks(cases, text)),
        section(
            "faults",
            text.0.text(
                "Faults of the study and how they are handled",
                "Falhas do estudo e como são tratadas",
            ),
            fault_blocks(text),
        ),
        spread_section(spread_blocks(cases, info, text), language),
    ];
    let other_runs = builds::blocks(cases, earlier, info, text);
    if !other_runs.is_empty() {
        let title = text.0.text(
            "The same study in other builds and on other machines",
            "O mesmo estudo em outras compilações e em outras máquinas",
        );
        sections.insert(2, section("builds", title, other_runs));
    }
    let mut report = page([title, lead], sections, StudyKind::Rays, info, language);
    report.notices.extend(timing_spread::warning(&table::spreads(cases), language));
    report
}

/// A mesh of the user can neither confirm nor refute claims about other meshes; claims about
/// artists' models are judged on nothing else.
fn findings_blocks(
    rows: &[Row],
    earlier: &[EarlierRun],
    info: &RunInfo,
    text: ReportText,
) -> Vec<Block> {
    let of_study = rows.iter().filter(|row| STUDY_CASES.contains(&row.case.as_str()));
    let of_study: Vec<Row> = of_study.cloned().collect();
    let (cases, all) = (CaseRows::new(&of_study), CaseRows::new(rows));
    let mut found = findings::findings(cases, all, info, text);
    let own = found.iter().position(|finding| finding.kind == FindingKind::FoundHere);
    found.insert(own.unwrap_or(found.len()), builds::finding(all, earlier, text));
    vec![
        Block::Paragraph(text.0.text(
            "Each item is a finding with the value of this run and its source. Shares of triangles do not depend on the machine and must agree closely. Ratios of times depend on it: processors and compilers have changed since 2014. A finding about time is undecided where the spread of the repeats is wider than the margin.",
            "Cada item é uma conclusão com o valor desta execução e a sua fonte. Frações de triângulos não dependem da máquina e devem coincidir de perto. Razões de tempos dependem dela: processadores e compiladores mudaram desde 2014. Uma conclusão sobre tempo é inconclusiva quando a dispersão das repetições é maior que a margem.",
        )),
        Block::Findings(found),
    ]
}

fn summary_blocks(cases: CaseRows<'_>, text: ReportText) -> Vec<Block> {
    let mut blocks = vec![Block::Table(table::summary_table(cases, text))];
    blocks.extend(published_vs_measured::gains_table(cases, text).map(Block::Table));
    push_charts(
        &mut blocks,
        [
            published_vs_measured::gains_chart(cases, text),
            charts::speedup(cases, text),
            charts::tested(cases, text),
            charts::levels(cases, text),
        ],
    );
    blocks
}

fn method_blocks(cases: CaseRows<'_>, text: ReportText) -> Vec<Block> {
    let mut blocks = vec![
        Block::Paragraph(text.0.text(
            "The study's brute force applies the Möller–Trumbore test to every triangle and returns the closest hit. The study's octree stores each triangle in the smallest cell that contains it, in at most six levels. A ray visits every cell that it crosses, each enlarged by one unit, and tests all triangles stored there.",
            "A força bruta do estudo aplica o teste de Möller–Trumbore a todo triângulo e retorna a interseção mais próxima. A octree do estudo guarda cada triângulo na menor célula que o contém, em no máximo seis níveis. O raio visita toda célula que cruza, cada uma ampliada em uma unidade, e testa todos os triângulos guardados nela.",
        )),
        Block::Paragraph(text.0.text(
            "Both structures of the study are measured twice. The counted ones are made for counting: triangles in one array, no unpredictable branches. The literal ones return the same hits at the cost of the published program: 37,449 nodes of pointers allocated in advance, divisions in the box test, triangle tests given up at the first comparison that fails. Memory of the study's structures is that of its program; the allocator's overhead is not counted. The traversal is timed apart by repeating the queries without their triangle tests. Break-even is the build time over the time that a ray saves compared with the own brute force.",
            "As duas estruturas do estudo são medidas de duas formas. As contadas são feitas para contar: triângulos num só vetor, sem desvios imprevisíveis. As literais retornam as mesmas interseções com o custo do programa publicado: 37.449 nós de ponteiros alocados de antemão, divisões no teste de caixa, testes de triângulo abandonados na primeira comparação que falha. A memória das estruturas do estudo é a do programa dele; o custo adicional do alocador não é contado. O percurso é cronometrado à parte, repetindo as consultas sem os testes de triângulos. Compensar é o tempo de construção dividido pelo tempo que um raio economiza em relação à própria força bruta.",
        )),
        Block::Paragraph(text.0.text(
            "In the random cases every ray gets a new scene, as in the study, and only the queries are timed. The literal replicas and Embate's structures answer the same rays in ten scenes, because their builds take longer. In the cases of a mesh each structure is built once. Ray origins are uniform in the cube around the scene, direction components uniform in −5..5.",
            "Nos casos aleatórios cada raio recebe uma cena nova, como no estudo, e só as consultas são cronometradas. As réplicas literais e as estruturas do Embate respondem aos mesmos raios em dez cenas, porque a construção delas demora mais. Nos casos de malha cada estrutura é construída uma vez. As origens dos raios são uniformes no cubo em torno da cena, e os componentes da direção, uniformes em −5..5.",
        )),
        Block::Paragraph(text.0.text(
            "Embate's structures are brute force (eight triangles at a time), an octree (cells that fit the mesh, triangles clipped where that pays off), a BVH (bounding volume hierarchy), and the automatic choice among these three from features of the mesh. A k-d tree (axis-aligned planes by the surface area heuristic), a BSP tree (planes of any orientation) and a uniform grid (equal cells, traversed by 3D-DDA) are for comparison with the literature; a compact octree takes a tenth of the octree's memory. All return the same hits.",
            "As estruturas do Embate são força bruta (oito triângulos por vez), uma octree (células ajustadas à malha, com triângulos recortados onde compensa), uma BVH (hierarquia de volumes envolventes) e a escolha automática entre as três pelas características da malha. Uma árvore k-d (planos ao longo dos eixos pela heurística de área de superfície), uma árvore BSP (planos de qualquer orientação) e uma grade uniforme (células iguais, percorridas por 3D-DDA) servem de comparação com a literatura; uma octree compacta ocupa um décimo da memória da octree. Todas retornam as mesmas interseções.",
        )),
        Block::Paragraph(text.0.text(
            "Errors are hits that differ from the reference. The reference of the study's octree is the study's brute force, faults included; the reference of Embate's structures is Embate's brute force, bit for bit. A reference has no errors by definition; Embate's brute force is checked by an independent test of the project.",
            "Erros são interseções que diferem da referência. A referência da octree do estudo é a força bruta do estudo, com suas falhas; a das estruturas do Embate é a força bruta do Embate, bit a bit. Uma referência não tem erros por definição; a força bruta do Embate é verificada por um teste independente do projeto.",
        )),
        Block::Paragraph(text.0.text(
            "Affinity describes how well a scene suits the octree: low if at least 90% of its triangles stay on level 1; otherwise high if more than half lie on level 4 or deeper; otherwise medium. The classes are the study's, the thresholds are Embate's.",
            "A afinidade descreve quanto uma cena combina com a octree: baixa se ao menos 90% dos triângulos ficam no nível 1; senão, alta se mais da metade fica no nível 4 ou mais fundo; senão, média. As classes são do estudo; os limites, do Embate.",
        )),
        Block::List(vec![
            text.0.text(
                "Random, low, medium and high affinity: triangles with three random vertices in a cube of edge 100, 30 or 5, placed at random in the cube of edge 100.",
                "Aleatório, baixa, média e alta afinidade: triângulos com três vértices aleatórios num cubo de aresta 100, 30 ou 5, colocado ao acaso no cubo de aresta 100.",
            ),
            text.0.text(
                "House and city: stand-ins for the models building (1,567 triangles) and scificity (118,026 triangles), which are lost. Embate built them to have these triangle counts and the published affinity.",
                "Casa e cidade: substitutos dos modelos building (1.567 triângulos) e scificity (118.026 triângulos), que se perderam. O Embate os construiu para ter esses números de triângulos e a afinidade publicada.",
            ),
            text.0.text(
                "Houses A and C, trees: three models by Kenney (CC0), made by an artist and not chosen by their affinity.",
                "Casas A e C, árvores: três modelos de Kenney (CC0), feitos por um artista e não escolhidos pela afinidade.",
            ),
            text.0.text(
                "Any other case is a mesh given with --mesh.",
                "Qualquer outro caso é uma malha dada com --mesh.",
            ),
        ]),
    ];
    let names = labels::table(StudyKind::Rays, cases.names(), cases.techniques(), text.0);
    blocks.extend(names.map(Block::Table));
    blocks
}

fn case_blocks(cases: CaseRows<'_>, text: ReportText) -> Vec<Block> {
    let mut blocks = Vec::new();
    for group in [&charts::MAIN, &charts::FURTHER] {
        let time = charts::time_of_meshes(cases, group, text);
        push_charts(&mut blocks, [time, charts::memory(cases, group, text)]);
    }
    for case in cases.names() {
        blocks.push(Block::Subheading(text.case(case)));
        for group in [&charts::MAIN, &charts::FURTHER] {
            push_charts(&mut blocks, charts::time_of_family(cases, case, group, text));
        }
        push_charts(&mut blocks, memory_curve::chart(cases, case, text));
        blocks.extend(table::tables(cases, case, text).map(Block::Table));
    }
    blocks
}

fn fault_blocks(text: ReportText) -> Vec<Block> {
    vec![
        Block::Paragraph(text.0.text(
            "The two replicas of the study keep the faults of its program, because the published percentages depend on them. Embate's structures follow the rules given here.",
            "As duas réplicas do estudo mantêm as falhas do programa original, porque as porcentagens publicadas dependem delas. As estruturas do Embate seguem as regras dadas aqui.",
        )),
        Block::List(vec![
            text.0.text(
                "The program takes the absolute value of t, so triangles behind the ray origin count as hits, and its box test ignores whether the box lies behind the origin. The text says that only hits in front count. Embate: t ≥ 0.",
                "O programa usa o valor absoluto de t, de modo que triângulos atrás da origem do raio contam como atingidos, e o teste de caixa ignora se a caixa está atrás da origem. O texto diz que só vale o que está à frente. Embate: t ≥ 0.",
            ),
            text.0.text(
                "A direction with a component of zero makes the box test divide zero by zero. Embate: defined for every direction, no hit is lost.",
                "Uma direção com componente zero faz o teste de caixa dividir zero por zero. Embate: definido para toda direção, nenhuma interseção se perde.",
            ),
            text.0.text(
                "Two tolerances are published, 1e-6 in the text and 1e-5 in the program. The replicas use the program's. Embate: no tolerance, and watertight: no ray passes between two triangles that share an edge.",
                "Há duas tolerâncias publicadas, 1e-6 no texto e 1e-5 no programa. As réplicas usam a do programa. Embate: sem tolerância e sem frestas: nenhum raio passa entre dois triângulos que compartilham uma aresta.",
            ),
            text.0.text(
                "Back faces are culled. Embate: the caller chooses; both sides count by default.",
                "Faces traseiras são descartadas. Embate: quem chama escolhe; por padrão valem os dois lados.",
            ),
        ]),
    ]
}

fn spread_blocks(cases: CaseRows<'_>, info: &RunInfo, text: ReportText) -> Vec<Block> {
    let mut blocks = vec![Block::Paragraph(text.0.text(
        "Every query is timed several times; the structures take turns, and the median is reported. The spread is the range of the repeats: a difference between structures that is smaller than the spread is not significant.",
        "Cada consulta é cronometrada várias vezes; as estruturas se revezam, e a mediana é relatada. A dispersão é a faixa das repetições: uma diferença entre estruturas menor que a dispersão não é significativa.",
    ))];
    blocks.extend(provenance::measurement_conditions(&info.provenance(), text.0));
    blocks.push(match table::spread_table(cases, text) {
        Some(table) => Block::Table(table),
        None => Block::Paragraph(text.0.text(
            "No query was repeated in this run.",
            "Nenhuma consulta foi repetida nesta execução.",
        )),
    });
    blocks
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;

    use serde_json::json;

    use super::super::plan::RaysPlan;
    use super::super::sample_rows;
    use super::*;
    use crate::runner::run_folder::RunFolder;
    use crate::runner::write_outputs::write_outputs;

    fn report(rows: &[Row], info: &RunInfo, language: Language) -> Report {
        super::report(rows, &[], info, language)
    }

    use embate_report::chart::Theme;

    fn info() -> RunInfo {
        let parameters = json!({
            "rays": 10_000, "depth": 6, "sizes": [100, 200], "quick": false,
            "mesh": [{"name": "<b>.obj", "triangles": 12, "crc32": 7}],
        });
        let parameters = parameters.as_object().unwrap().clone();
        let mut info = RunInfo::new("rays", parameters, 7, Language::English);
        info.command = ["embate", "study", "rays"].map(str::to_owned).to_vec();
        info
    }

    #[test]
    fn every_text_differs_between_the_languages() {
        for rows in [sample_rows::published(), sample_rows::quick(), Vec::new()] {
            let english = report(&rows, &info(), Language::English).texts();
            let portuguese = report(&rows, &info(), Language::BrazilianPortuguese).texts();
            let same: Vec<_> = english.intersection(&portuguese).collect();
            // Names of meshes and of parameters, and words both languages share.
            for text in same {
                let is_name = ["", "Octree,\u{a0}µs", "Octree", "BVH", "quick"]
                    .contains(&text.as_str())
                    || text.starts_with("--")
                    || rows.iter().any(|row| row.case == *text);
                assert!(is_name, "in both reports: {text:?}");
            }
            assert_eq!(english.len(), portuguese.len(), "both have as many texts");
        }
    }

    #[test]
    fn portuguese_page_has_no_english_words() {
        let rows = sample_rows::published();
        let html = report(&rows, &info(), Language::BrazilianPortuguese).html();
        let body = html.split_once("<body>").unwrap().1.replace("random-", "");
        for word in [
            "the",
            "of",
            "and",
            "with",
            "triangles",
            "faster",
            "slower",
            "rays",
            "level",
            "confirmed",
            "measured",
            "published",
            "case",
            "affinity",
            "errors",
            "time",
            "unknown",
            "yes",
        ] {
            let found = body.match_indices(word).find(|(at, _)| {
                let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
                let before = body[..*at].chars().next_back();
                let after = body[at + word.len()..].chars().next();
                // Part of a name or of an attribute, not a word in a sentence.
                let in_name = |letter: Option<char>| {
                    matches!(letter, Some('-' | '=' | '"' | '#' | '_' | '/'))
                };
                !is_letter(before) && !is_letter(after) && !in_name(before) && !in_name(after)
            });
            let Some((at, _)) = found else { continue };
            let context: String = body[at..].chars().take(60).collect();
            // The command is shown as typed.
            let typed = context.starts_with("rays</dd>") || context.starts_with("triangles 12");
            assert!(typed, "{word}: {context}");
        }
    }

    #[test]
    fn mesh_names_are_escaped() {
        let rows = sample_rows::published();
        for language in Language::ALL {
            let report = report(&rows, &info(), language);
            let html = report.html();
            assert!(!html.contains("<script"));
            assert!(html.contains("dragão &amp; &lt;script&gt;.ply"));
            for chart in report.charts() {
                for theme in [Theme::Light, Theme::Dark] {
                    assert!(!chart.svg(theme, language).contains("<script"));
                }
            }
        }
    }

    #[test]
    fn every_chart_has_a_description_and_a_data_table() {
        let rows = sample_rows::published();
        for language in Language::ALL {
            let report = report(&rows, &info(), language);
            let ids: BTreeSet<_> = report.charts().map(|chart| chart.id.clone()).collect();
            assert_eq!(ids.len(), report.charts().count(), "ids are unique");
            assert_eq!(ids.len(), 14);
            for chart in report.charts() {
                assert!(chart.description.len() > 40, "{}", chart.id);
                let table = chart.data_table(language);
                assert!(!table.rows.is_empty(), "{}", chart.id);
                for row in &table.rows {
                    assert_eq!(row.len(), table.head.len(), "{}", chart.id);
                }
            }
            let details = report.html().matches("<details>").count();
            assert_eq!(details, ids.len());
        }
    }

    #[test]
    fn every_row_of_a_table_has_a_cell_for_each_column() {
        let report = report(&sample_rows::published(), &info(), Language::English);
        let blocks = report.sections.iter().flat_map(|section| &section.blocks);
        for block in blocks {
            if let Block::Table(table) = block {
                assert!(table.rows.iter().all(|row| row.len() == table.head.len()));
            }
        }
    }

    #[test]
    fn report_without_rows_is_complete() {
        for language in Language::ALL {
            let report = report(&[], &info(), language);
            assert_eq!(report.charts().count(), 0);
            assert!(report.html().contains("</html>"));
        }
    }

    #[test]
    fn noisy_times_are_a_notice_of_the_report() {
        let finished = RunInfo { finished: Some("2026-01-01T00:00:00Z".to_owned()), ..info() };
        let mut rows = sample_rows::quick();
        assert_eq!(report(&rows, &finished, Language::English).notices, Vec::<String>::new());
        for row in &mut rows {
            row.query_s_repeats = vec![row.query_s, 2.0 * row.query_s];
        }
        let notices = report(&rows, &finished, Language::English).notices;
        assert!(notices.len() == 1 && notices[0].starts_with("Noisy times"), "{notices:?}");
    }

    #[test]
    fn all_outputs_are_written() {
        let home = tempfile::tempdir().unwrap();
        let folder = RunFolder::open(home.path(), &info(), false).unwrap();
        let rows = sample_rows::published();
        write_outputs(&RaysPlan::quick(), &folder, &rows, Language::BrazilianPortuguese).unwrap();
        for name in ["results.csv", "report.html", "charts/speedup-light.svg", "run.json"] {
            assert!(home.path().join(name).exists(), "{name}");
        }
        assert_eq!(fs::read_dir(home.path().join("charts")).unwrap().count(), 28);
    }
}
