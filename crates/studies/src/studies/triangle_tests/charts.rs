//! Charts of the study of ray–triangle tests.

use embate_report::chart::{Chart, Dots, Kind, Scale};
use embate_report::language::Language;

use super::row::Row;
use super::table::{cases, find, techniques};
use super::{case_label, label};

/// One row per case, one marker per test.
fn dots(
    rows: &[Row],
    id: &str,
    [title, description, x_label]: [String; 3],
    language: Language,
    value: impl Fn(&Row) -> Option<f64>,
) -> Chart {
    let techniques = techniques(rows);
    let line = |case: &str| {
        let values = techniques
            .iter()
            .map(|technique| find(rows, case, technique).and_then(&value))
            .collect::<Vec<_>>();
        (case_label(case, language), values)
    };
    let has_value = |(_, values): &(String, Vec<Option<f64>>)| values.iter().any(Option::is_some);
    let series = (0..).zip(&techniques).map(|(style, name)| (label(name, language), style));
    let lines = cases(rows).into_iter().map(line).filter(has_value).collect();
    Chart {
        id: id.to_owned(),
        title,
        description,
        source: source(rows, language),
        x_label,
        y_label: language.text("Case", "Caso"),
        kind: Kind::Dots(Dots { series: series.collect(), rows: lines, scale: Scale::Log }),
    }
}

/// Rays and seed, as the source line of a chart.
fn source(rows: &[Row], language: Language) -> String {
    let Some(row) = rows.first() else { return String::new() };
    let (rays, seed) = (language.integer(row.rays.into()), row.seed);
    language.text(
        format!("{rays} rays per case, seed {seed}"),
        format!("{rays} raios por caso, semente {seed}"),
    )
}

/// Nanoseconds of a test.
pub(super) fn times(rows: &[Row], language: Language) -> Chart {
    let labels = [
        language.text("Time of a ray–triangle test", "Tempo de um teste raio–triângulo"),
        language.text(
            "Each row is a case, each marker a test; further left is faster. The time contains the preparation of the ray, in the pairs for each test, in the closed meshes once per ray.",
            "Cada linha é um caso, cada marcador um teste; mais à esquerda é mais rápido. O tempo contém a preparação do raio, nos pares a cada teste, nas malhas fechadas uma vez por raio.",
        ),
        language.text("Time per test (ns)", "Tempo por teste (ns)"),
    ];
    dots(rows, "times", labels, language, Row::ns)
}

/// Leaks per million rays.
pub(super) fn leaks(rows: &[Row], language: Language) -> Chart {
    let labels = [
        language.text("Leaks out of closed meshes", "Vazamentos de malhas fechadas"),
        language.text(
            "Rays from inside a closed mesh that hit nothing, per million rays. A test without a marker in a row leaks nothing there.",
            "Raios que partem de dentro de uma malha fechada e não atingem nada, por milhão de raios. Um teste sem marcador em uma linha não vaza ali.",
        ),
        language.text("Leaks per million rays", "Vazamentos por milhão de raios"),
    ];
    dots(rows, "leaks", labels, language, |row| {
        row.leaks_per_million().filter(|&leaks| leaks > 0.0)
    })
}

/// Wrong results per million tests.
pub(super) fn wrong(rows: &[Row], language: Language) -> Chart {
    let labels = [
        language.text("Wrong results", "Resultados errados"),
        language.text(
            "Tests that decide hit or miss unlike the exact test, per million tests. A test without a marker in a row is always right there. A leak is a wrong miss in every triangle around an edge or vertex; most wrong results are no leaks, because the ray hits the neighbor instead.",
            "Testes que decidem se há acerto de modo diferente do teste exato, por milhão de testes. Um teste sem marcador em uma linha está sempre certo ali. Um vazamento é um acerto perdido em todos os triângulos em torno de uma aresta ou de um vértice; a maioria dos resultados errados não é vazamento, pois o raio atinge o vizinho.",
        ),
        language.text("Wrong results per million tests", "Resultados errados por milhão de testes"),
    ];
    let per_million = |row: &Row| 1e6 * row.wrong() as f64 / row.pairs.max(1) as f64;
    dots(rows, "wrong", labels, language, |row| Some(per_million(row)).filter(|&wrong| wrong > 0.0))
}

/// Largest relative error of `t`.
pub(super) fn t_errors(rows: &[Row], language: Language) -> Chart {
    let labels = [
        language.text("Error of the ray parameter t", "Erro do parâmetro t do raio"),
        language.text(
            "Largest relative error of t among the hits that the exact test confirms, in millionths. Rounding t to f32 alone makes 0.06.",
            "Maior erro relativo de t entre os acertos que o teste exato confirma, em milionésimos. Só o arredondamento de t para f32 causa 0,06.",
        ),
        language.text("Largest relative error (millionths)", "Maior erro relativo (milionésimos)"),
    ];
    let millionths = |row: &Row| row.max_t_error.map(|error| error * 1e6);
    dots(rows, "t-errors", labels, language, |row| millionths(row).filter(|&error| error > 0.0))
}
