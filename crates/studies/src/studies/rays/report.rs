//! Report of the ray study.
//!
//! Findings first, then a summary of all cases, the method, each case in full, the faults of the
//! study and how they are treated, and the machine.

use embate_report::language::Language;
use embate_report::{Block, Report, Section, provenance, push_charts};

use super::case_rows::CaseRows;
use super::plan::CASE_NAMES;
use super::report_text::ReportText;
use super::row::Row;
use super::{charts, findings, published_vs_measured, table};
use crate::runner::run_folder::RunInfo;

/// The report as data.
pub(super) fn report(rows: &[Row], info: &RunInfo, language: Language) -> Report {
    let (cases, text) = (CaseRows::new(rows), ReportText(language));
    let section =
        |id: &str, heading: String, blocks| Section { id: id.to_owned(), heading, blocks };
    let finished = info.finished.as_deref().unwrap_or(&info.started);
    Report {
        language,
        title: text.0.text(
            "Lorenzi 2014: rays against triangles, with an octree",
            "Lorenzi 2014: raios contra triângulos, com uma octree",
        ),
        lead: text.0.text(
            "Does an octree help a ray find the triangle it hits? The study of H. Lorenzi (thesis, 2014) and of H. Lorenzi and V. Brandi Jr. (article, 2015), run again and held against its own figures.",
            "Uma octree ajuda um raio a encontrar o triângulo que atinge? O estudo de H. Lorenzi (monografia, 2014) e de H. Lorenzi e V. Brandi Jr. (artigo, 2015), executado de novo e confrontado com os próprios números.",
        ),
        sections: vec![
            section("findings", text.0.text("What held, and what did not", "O que se confirmou e o que não"), findings_blocks(rows, info, text)),
            section("summary", text.0.text("All cases at a glance", "Todos os casos de relance"), summary_blocks(cases, text)),
            section("method", text.0.text("How it was measured", "Como foi medido"), method_blocks(text)),
            section("cases", text.0.text("Case by case", "Caso a caso"), case_blocks(cases, text)),
            section("faults", text.0.text("Faults of the study, and our rulings", "Falhas do estudo e nossas decisões"), fault_blocks(text)),
            section("spread", text.0.text("How sure are the times?", "Quão seguros são os tempos?"), spread_blocks(cases, info, text)),
            section("machine", text.0.text("Machine and parameters", "Máquina e parâmetros"), provenance::machine(&info.provenance(), language)),
        ],
        footer: format!("embate {} · {finished}", info.versions.embate),
    }
}

/// A mesh of the user can neither confirm nor refute claims about other meshes.
fn findings_blocks(rows: &[Row], info: &RunInfo, text: ReportText) -> Vec<Block> {
    let of_study = rows.iter().filter(|row| CASE_NAMES.contains(&row.case.as_str()));
    let of_study: Vec<Row> = of_study.cloned().collect();
    let cases = CaseRows::new(&of_study);
    vec![
        Block::Paragraph(text.0.text(
            "Each line is a finding as published, with the figure found here. Shares of triangles do not depend on the machine and must agree closely; ratios of times do, and processors and compilers have changed since 2014.",
            "Cada item é uma conclusão publicada, com o número obtido aqui. Frações de triângulos não dependem da máquina e têm de coincidir de perto; razões de tempos dependem, e processadores e compiladores mudaram desde 2014.",
        )),
        Block::Findings(findings::findings(cases, info, text)),
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

fn method_blocks(text: ReportText) -> Vec<Block> {
    vec![
        Block::Paragraph(text.0.text(
            "Basic detection (study-brute) gives every triangle the Möller–Trumbore test and keeps the nearest hit. The study's octree (study-octree) puts each triangle into the smallest cell that holds it whole, in at most six levels; a ray enters every cell it crosses, each grown by one unit, and tests all triangles found there.",
            "A detecção básica (study-brute) aplica a todo triângulo o teste de Möller–Trumbore e fica com o ponto atingido mais próximo. A octree do estudo (study-octree) guarda cada triângulo na menor célula que o contém por inteiro, em até seis níveis; o raio entra em toda célula que cruza, cada uma ampliada em uma unidade, e testa todos os triângulos que encontra.",
        )),
        Block::Paragraph(text.0.text(
            "In the random cases every ray meets a new scene, as in the study, and only the queries are timed; our own techniques answer the same rays on fewer scenes, because their builds cost more. In the cases of a mesh each structure is built once. Rays begin anywhere in the cube around the scene and go in any direction.",
            "Nos casos aleatórios cada raio encontra uma cena nova, como no estudo, e só as consultas são cronometradas; nossas próprias técnicas respondem aos mesmos raios em menos cenas, porque construí-las custa mais. Nos casos de malha cada estrutura é construída uma vez. Os raios partem de qualquer ponto do cubo em torno da cena, em qualquer direção.",
        )),
        Block::Paragraph(text.0.text(
            "Ours are brute (every triangle, eight at a time), octree (cells that fit the mesh, triangles cut where that pays), bvh (a tree of boxes) and auto, which is the one of these three that the mesh's features speak for; all give the same answers.",
            "As nossas são brute (todos os triângulos, oito por vez), octree (células ajustadas à malha, com triângulos cortados onde compensa), bvh (uma árvore de caixas) e auto, que é a que as características da malha indicam entre essas três; todas dão as mesmas respostas.",
        )),
        Block::Paragraph(text.0.text(
            "Errors are answers that differ from the technique's own brute force: those of study-octree are counted against study-brute, which keeps the study's faults, and those of ours, to the bit, against brute, which does not. A brute force has none by definition; brute itself is held to an independent test by the project's contracts.",
            "Erros são respostas que diferem da força bruta da própria técnica: os da study-octree contam-se contra a study-brute, que mantém as falhas do estudo, e os das nossas, bit a bit, contra a brute, que não as tem. Uma força bruta não tem erros por definição; a própria brute é verificada de modo independente pelos contratos do projeto.",
        )),
        Block::Paragraph(text.0.text(
            "Affinity says how well a scene suits the octree: low when at least 90 % of its triangles stay on level 1; otherwise high when more than half lie on level 4 or deeper; otherwise medium. The words are the study's, the numbers are ours.",
            "A afinidade diz quanto uma cena combina com a octree: baixa quando ao menos 90 % dos triângulos ficam no nível 1; senão, alta quando mais da metade fica no nível 4 ou abaixo dele; senão, média. As palavras são do estudo, os números são nossos.",
        )),
        Block::List(vec![
            text.0.text(
                "random-low, random-medium, random-high: triangles with three random corners in a cube of edge 100, 30 or 5, placed at random in the cube of edge 100.",
                "random-low, random-medium, random-high: triângulos com três vértices aleatórios num cubo de aresta 100, 30 ou 5, postos ao acaso no cubo de aresta 100.",
            ),
            text.0.text(
                "house and city: our stand-ins for the artists' models building (1,567 triangles) and scificity (118,026), which are lost.",
                "house e city: nossos substitutos para os modelos de artistas building (1.567 triângulos) e scificity (118.026), que se perderam.",
            ),
            text.0.text(
                "Any other case is a mesh given with --mesh.",
                "Qualquer outro caso é uma malha dada com --mesh.",
            ),
        ]),
    ]
}

fn case_blocks(cases: CaseRows<'_>, text: ReportText) -> Vec<Block> {
    let mut blocks = Vec::new();
    push_charts(&mut blocks, [charts::time_of_meshes(cases, text), charts::memory(cases, text)]);
    for case in cases.names() {
        blocks.push(Block::Subheading(case.to_owned()));
        push_charts(&mut blocks, charts::time_of_family(cases, case, text));
        let tables =
            [table::replica_table(cases, case, text), table::engine_table(cases, case, text)];
        blocks.extend(tables.into_iter().flatten().map(Block::Table));
    }
    blocks
}

fn fault_blocks(text: ReportText) -> Vec<Block> {
    vec![
        Block::Paragraph(text.0.text(
            "To reproduce the published percentages, the two study techniques keep what the study's program does, faults included. Everything else here follows the ruling.",
            "Para reproduzir as porcentagens publicadas, as duas técnicas do estudo fazem o que o programa dele faz, com as falhas. Todo o resto aqui segue a decisão.",
        )),
        Block::List(vec![
            text.0.text(
                "The program takes the absolute value of the distance, so triangles behind the ray's origin count as hit, and its box test does not ask whether the box lies behind; the text says that only hits in front count. Ruling: ours count distances of zero or more.",
                "O programa usa o valor absoluto da distância, de modo que triângulos atrás da origem do raio contam como atingidos, e o teste de caixa não pergunta se a caixa está atrás; o texto diz que só vale o que está à frente. Decisão: as nossas contam distâncias maiores ou iguais a zero.",
            ),
            text.0.text(
                "A direction with a component of zero makes the box test divide zero by zero. Ruling: ours are right there too, and never lose a hit.",
                "Uma direção com componente zero faz o teste de caixa dividir zero por zero. Decisão: as nossas acertam também aí e nunca perdem um triângulo atingido.",
            ),
            text.0.text(
                "Two tolerances are published, 1e-6 in the text and 1e-5 in the program. Ruling: the study techniques use the program's; ours have none, and let no ray slip between two triangles that share an edge.",
                "Há duas tolerâncias publicadas, 1e-6 no texto e 1e-5 no programa. Decisão: as técnicas do estudo usam a do programa; as nossas não têm nenhuma e não deixam um raio passar entre dois triângulos que compartilham uma aresta.",
            ),
            text.0.text(
                "Triangles are seen from their front only. Ruling: in ours the caller chooses, and both sides count by default.",
                "Triângulos são vistos só pela frente. Decisão: nas nossas quem chama escolhe, e por padrão valem os dois lados.",
            ),
        ]),
    ]
}

fn spread_blocks(cases: CaseRows<'_>, info: &RunInfo, text: ReportText) -> Vec<Block> {
    let mut blocks = vec![Block::Paragraph(text.0.text(
        "Every query is timed several times, the techniques taking turns, and the median is reported. The spread says how far the repeats lie apart: differences between techniques that are smaller than it mean nothing.",
        "Cada consulta é cronometrada várias vezes, com as técnicas se revezando, e vale a mediana. A dispersão diz quão distantes ficam as repetições: diferenças entre técnicas menores que ela nada significam.",
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

    use super::super::plan::Plan;
    use super::super::sample_rows;
    use super::*;
    use crate::runner::run_folder::RunFolder;
    use crate::runner::write_outputs::write_outputs;
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
            // Names of cases and of parameters, and words both languages share.
            for text in same {
                let is_name = ["", "Octree,\u{a0}µs"].contains(&text.as_str())
                    || text.starts_with("--")
                    || rows.iter().any(|row| row.case == *text || row.technique == *text);
                assert!(is_name, "in both reports: {text:?}");
            }
            assert_eq!(english.len(), portuguese.len(), "both say as much");
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
            "held",
            "measured",
            "published",
            "case",
            "affinity",
            "errors",
            "time",
            "unknown",
            "yes",
        ] {
            let found = body.match_indices(word).find(|(place, _)| {
                let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphanumeric);
                let before = body[..*place].chars().next_back();
                let after = body[place + word.len()..].chars().next();
                // Part of a name or of an attribute, not a word in a sentence.
                let in_name = |letter: Option<char>| {
                    matches!(letter, Some('-' | '=' | '"' | '#' | '_' | '/'))
                };
                !is_letter(before) && !is_letter(after) && !in_name(before) && !in_name(after)
            });
            let Some((place, _)) = found else { continue };
            let context: String = body[place..].chars().take(60).collect();
            // The command and the parameters are what one typed.
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
            assert_eq!(ids.len(), 9);
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
    fn all_outputs_are_written() {
        let home = tempfile::tempdir().unwrap();
        let folder = RunFolder::open(home.path(), &info(), false).unwrap();
        let rows = sample_rows::published();
        write_outputs(&Plan::quick(), &folder, &rows, Language::BrazilianPortuguese).unwrap();
        for name in ["results.csv", "report.html", "charts/speedup-light.svg", "run.json"] {
            assert!(home.path().join(name).exists(), "{name}");
        }
        assert_eq!(fs::read_dir(home.path().join("charts")).unwrap().count(), 18);
    }
}
