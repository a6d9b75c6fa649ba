//! Charts of the simulator study.

use embate_report::chart::{Chart, Dots, Kind, Origin, Scale, Series};
use embate_report::language::Language;

use super::row::Row;
use super::table::of_part;
use crate::studies::broad_phase::{log_chart, style_of, unique};

/// Time of the broad phase against bodies, in one kind of world.
pub(super) fn broad_time(rows: &[Row], case: &str, language: Language) -> Chart {
    let of_case = || of_part(rows, "broad").filter(|row| row.case == case);
    let line = |technique: &str| {
        let points = of_case().filter(|row| row.technique == technique);
        let points =
            points.filter_map(|row| Some((f64::from(row.bodies), row.ms.broad?))).collect();
        let (name, style) = (technique.to_owned(), style_of(technique)?);
        Some(Series { name, style, origin: Origin::Measured, points })
    };
    let techniques = unique(of_case().map(|row| row.technique.as_str()));
    let lines = techniques.into_iter().filter_map(line).collect();
    let largest = of_case().map(|row| row.bodies).max().unwrap_or(0);
    let figures: Vec<String> = of_case()
        .filter(|row| row.bodies == largest)
        .filter_map(|row| {
            Some(format!("{} {} ms", row.technique, language.significant(row.ms.broad?, 3)))
        })
        .collect();
    let (count, figures) = (language.integer(largest.into()), figures.join(", "));
    let labels = [
        language.text(
            format!("{case}: time of the broad phase against bodies"),
            format!("{case}: tempo da fase ampla conforme os corpos"),
        ),
        language.text(
            format!("Time that the broad phase takes of a step against the number of bodies, both axes logarithmic. With {count} bodies: {figures}. The sweeps along y and z are left to the table."),
            format!("Tempo que a fase ampla leva em um passo conforme o número de corpos, ambos os eixos logarítmicos. Com {count} corpos: {figures}. As varreduras por y e z ficam na tabela."),
        ),
        language.text("bodies", "corpos"),
        language.text("ms a step", "ms por passo"),
    ];
    log_chart(&format!("broad-{case}"), labels, lines, None)
}

/// One row a case, one marker a technique.
fn dots(
    rows: &[&Row],
    id: &str,
    [title, description, x_label, y_label]: [String; 4],
    scale: Scale,
    value: impl Fn(&Row) -> Option<f64>,
) -> Chart {
    let techniques = unique(rows.iter().map(|row| row.technique.as_str()));
    let cases = unique(rows.iter().map(|row| row.case.as_str()));
    let of = |case: &str, technique: &str| {
        let row = rows.iter().find(|row| row.case == case && row.technique == technique);
        row.and_then(|row| value(row))
    };
    let line = |case: &str| (case.to_owned(), techniques.iter().map(|one| of(case, one)).collect());
    let series = techniques.iter().enumerate().map(|(style, name)| ((*name).to_owned(), style));
    let rows = cases.into_iter().map(line).collect();
    let kind = Kind::Dots(Dots { series: series.collect(), rows, scale });
    Chart { id: id.to_owned(), title, description, x_label, y_label, kind }
}

/// Nanoseconds of each pair test.
pub(super) fn pair_times(rows: &[Row], language: Language) -> Chart {
    let of_pairs: Vec<&Row> = of_part(rows, "pairs").collect();
    let labels = [
        language.text("How long a pair test takes", "Quanto leva um teste de par"),
        language.text(
            "One row a pair of shapes and how they stand, one marker a question: do they touch, how far apart are they, where do they touch? Time in nanoseconds, logarithmic.",
            "Uma linha por par de formas e como estão, um marcador por pergunta: tocam-se, a que distância estão, onde se tocam? Tempo em nanossegundos, logarítmico.",
        ),
        language.text("ns a test", "ns por teste"),
        language.text("pair", "par"),
    ];
    dots(&of_pairs, "pair-times", labels, Scale::Log, |row| row.ms.narrow.map(|ms| ms * 1e6))
}

/// The largest error of each pair test.
pub(super) fn pair_errors(rows: &[Row], language: Language) -> Chart {
    let told = of_part(rows, "pairs").filter(|row| row.technique != "touching");
    let of_pairs: Vec<&Row> = told.collect();
    let labels = [
        language.text("How true the distance is", "Quão verdadeira é a distância"),
        language.text(
            "The largest difference between the reported distance or depth and that of the f64 reference, in nanometres, logarithmic; the shapes are about a metre across, where one rounding of f32 is 60 to 120 nm.",
            "A maior diferença entre a distância ou profundidade informada e a da referência em f64, em nanômetros, logarítmica; as formas têm cerca de um metro, onde um arredondamento de f32 é de 60 a 120 nm.",
        ),
        language.text("largest error, nm", "maior erro, nm"),
        language.text("pair", "par"),
    ];
    dots(&of_pairs, "pair-errors", labels, Scale::Log, |row| row.max_penetration.map(|m| m * 1e9))
}

/// Energy against theory, of collisions and bounces.
pub(super) fn energy(rows: &[Row], language: Language) -> Chart {
    let meetings = of_part(rows, "resolve").filter(|row| !row.case.starts_with("pile"));
    let meetings: Vec<&Row> = meetings.collect();
    let labels = [
        language.text("Energy after a meeting, against theory", "Energia após um encontro, perante a teoria"),
        language.text(
            "By how much the energy left after a collision, or the height after a bounce, differs from what mass and restitution say, either way, in percent of what there was. Zero is right.",
            "Em quanto a energia que resta após uma colisão, ou a altura após um quique, difere do que dizem massa e restituição, para mais ou para menos, em porcentagem do que havia. Zero é o certo.",
        ),
        language.text("difference, % (either way)", "diferença, % (para mais ou para menos)"),
        language.text("case", "caso"),
    ];
    let value = |row: &Row| row.energy_drift_percent.map(f64::abs);
    dots(&meetings, "resolve-energy", labels, Scale::Linear, value)
}

/// How deep bodies lie in each other in piles.
pub(super) fn depth(rows: &[Row], language: Language) -> Chart {
    let piles: Vec<&Row> =
        of_part(rows, "resolve").filter(|row| row.case.starts_with("pile")).collect();
    let labels = [
        language.text("How deep bodies lie in each other in a pile", "Quão fundo os corpos de uma pilha entram uns nos outros"),
        language.text(
            "Mean depth of all contacts over all steps, in millimetres, logarithmic: one row a restitution and ratio of masses, one marker a method.",
            "Profundidade média de todos os contatos em todos os passos, em milímetros, logarítmica: uma linha por restituição e razão de massas, um marcador por método.",
        ),
        language.text("mean depth, mm", "profundidade média, mm"),
        language.text("case", "caso"),
    ];
    let value = |row: &Row| row.mean_penetration.map(|meters| meters * 1e3);
    dots(&piles, "resolve-depth", labels, Scale::Log, value)
}
