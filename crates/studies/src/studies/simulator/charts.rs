//! Charts of the simulator study.

use embate_report::chart::{Chart, Dots, Kind, Origin, Scale, Series};
use embate_report::language::Language;

use super::row::Row;
use super::table::of_part;
use super::{case_label, label};
use crate::studies::moving_worlds::{log_chart, style_of, unique};

/// Time of the broad phase against bodies, in one kind of world.
pub(super) fn broad_time(rows: &[Row], case: &str, language: Language) -> Chart {
    let of_case = || of_part(rows, "broad").filter(|row| row.case == case);
    let line = |technique: &str| {
        let points = of_case().filter(|row| row.technique == technique);
        let points =
            points.filter_map(|row| Some((f64::from(row.bodies), row.ms.broad?))).collect();
        let (name, style) = (label(technique, language), style_of(technique)?);
        Some(Series { name, style, origin: Origin::Measured, points, error_bars: Vec::new() })
    };
    let techniques = unique(of_case().map(|row| row.technique.as_str()));
    let lines = techniques.into_iter().filter_map(line).collect();
    let largest = of_case().map(|row| row.bodies).max().unwrap_or(0);
    let values: Vec<String> = of_case()
        .filter(|row| row.bodies == largest)
        .filter_map(|row| {
            let ms = language.significant(row.ms.broad?, 3);
            Some(format!("{} {ms} ms", label(&row.technique, language)))
        })
        .collect();
    let (count, values) = (language.integer(largest.into()), values.join(", "));
    let name = case_label(case, language);
    let labels = [
        language.text(
            format!("{name}: time of the broad phase by number of bodies"),
            format!("{name}: tempo da fase ampla por número de corpos"),
        ),
        language.text(
            format!("Time of the broad phase in a step by number of bodies. With {count} bodies: {values}. The sweeps along y and z are only in the table."),
            format!("Tempo da fase ampla em um passo por número de corpos. Com {count} corpos: {values}. As varreduras em y e z estão só na tabela."),
        ),
        steps(of_case(), language),
        language.text("Bodies", "Corpos"),
        language.text("Time per step (ms)", "Tempo por passo (ms)"),
    ];
    log_chart(&format!("broad-{case}"), labels, lines, None)
}

/// Steps and seed, as the source line of a chart.
fn steps<'a>(rows: impl Iterator<Item = &'a Row>, language: Language) -> String {
    let rows: Vec<&Row> = rows.collect();
    let all = || rows.iter().map(|row| row.steps);
    let (Some(min), Some(max), Some(first)) = (all().min(), all().max(), rows.first()) else {
        return String::new();
    };
    let [min, max] = [min, max].map(|count| language.integer(count.into()));
    let count = if min == max { min } else { format!("{min}–{max}") };
    let seed = first.seed;
    if first.part == "pairs" {
        language.text(
            format!("{count} pairs per case, seed {seed}"),
            format!("{count} pares por caso, semente {seed}"),
        )
    } else {
        language.text(
            format!("{count} steps per case, seed {seed}"),
            format!("{count} passos por caso, semente {seed}"),
        )
    }
}

/// One row per case, one marker per technique.
fn dots(
    rows: &[&Row],
    id: &str,
    [title, description, x_label, y_label]: [String; 4],
    (scale, language): (Scale, Language),
    value: impl Fn(&Row) -> Option<f64>,
) -> Chart {
    let source = steps(rows.iter().copied(), language);
    let techniques = unique(rows.iter().map(|row| row.technique.as_str()));
    let cases = unique(rows.iter().map(|row| row.case.as_str()));
    let of = |case: &str, technique: &str| {
        let row = rows.iter().find(|row| row.case == case && row.technique == technique);
        row.and_then(|row| value(row))
    };
    let line = |case: &str| {
        (case_label(case, language), techniques.iter().map(|one| of(case, one)).collect())
    };
    let series = techniques.iter().enumerate().map(|(style, name)| (label(name, language), style));
    let rows = cases.into_iter().map(line).collect();
    let kind = Kind::Dots(Dots { series: series.collect(), rows, scale });
    Chart { id: id.to_owned(), title, description, source, x_label, y_label, kind }
}

/// Nanoseconds of each pair query.
pub(super) fn pair_times(rows: &[Row], language: Language) -> Chart {
    let of_pairs: Vec<&Row> = of_part(rows, "pairs").collect();
    let labels = [
        language.text("Time of a pair query", "Tempo de uma consulta de par"),
        language.text(
            "One row per pair of shapes and placement, one marker per query: intersection test, distance, contact points.",
            "Uma linha por par de formas e posicionamento, um marcador por consulta: teste de interseção, distância, pontos de contato.",
        ),
        language.text("Time per query (ns)", "Tempo por consulta (ns)"),
        language.text("Pair, placement", "Par, posicionamento"),
    ];
    let ns = |row: &Row| row.ms.narrow.map(|ms| ms * 1e6);
    dots(&of_pairs, "pair-times", labels, (Scale::Log, language), ns)
}

/// The largest error of each pair query that returns a distance.
pub(super) fn pair_errors(rows: &[Row], language: Language) -> Chart {
    let with_distance = of_part(rows, "pairs").filter(|row| row.technique != "touching");
    let of_pairs: Vec<&Row> = with_distance.collect();
    let labels = [
        language.text("Error of the distance", "Erro da distância"),
        language.text(
            "Largest difference between the returned distance or penetration depth and that of the f64 reference. The shapes are about one meter wide, where the rounding error of f32 is 60 to 120 nm.",
            "Maior diferença entre a distância ou profundidade de penetração retornada e a da referência em f64. As formas têm cerca de um metro, onde o erro de arredondamento de f32 é de 60 a 120 nm.",
        ),
        language.text("Largest error (nm)", "Maior erro (nm)"),
        language.text("Pair, placement", "Par, posicionamento"),
    ];
    let nm = |row: &Row| row.max_penetration.map(|m| m * 1e9);
    dots(&of_pairs, "pair-errors", labels, (Scale::Log, language), nm)
}

/// Energy against theory, of collisions and bounces.
pub(super) fn energy(rows: &[Row], language: Language) -> Chart {
    let impacts = of_part(rows, "resolve").filter(|row| !row.case.starts_with("pile"));
    let impacts: Vec<&Row> = impacts.collect();
    let labels = [
        language.text("Energy after an impact compared with theory", "Energia após um impacto em comparação com a teoria"),
        language.text(
            "Absolute difference between the energy after a collision, or the height after a bounce, and its theoretical value from mass and restitution, in percent of the initial value. The exact value is 0.",
            "Diferença absoluta entre a energia após uma colisão, ou a altura após um quique, e seu valor teórico pela massa e pela restituição, em porcentagem do valor inicial. O valor exato é 0.",
        ),
        language.text("Absolute difference (%)", "Diferença absoluta (%)"),
        language.text("Case", "Caso"),
    ];
    let value = |row: &Row| row.energy_drift_percent.map(f64::abs);
    dots(&impacts, "resolve-energy", labels, (Scale::Linear, language), value)
}

/// Mean penetration in piles.
pub(super) fn depth(rows: &[Row], language: Language) -> Chart {
    let piles: Vec<&Row> =
        of_part(rows, "resolve").filter(|row| row.case.starts_with("pile")).collect();
    let labels = [
        language.text("Penetration in a pile", "Penetração em uma pilha"),
        language.text(
            "Mean penetration of all contacts over all steps: one row per restitution and mass ratio, one marker per solver.",
            "Penetração média de todos os contatos em todos os passos: uma linha por restituição e razão de massas, um marcador por método de resolução.",
        ),
        language.text("Mean penetration (mm)", "Penetração média (mm)"),
        language.text("Case", "Caso"),
    ];
    let value = |row: &Row| row.mean_penetration.map(|meters| meters * 1e3);
    dots(&piles, "resolve-depth", labels, (Scale::Log, language), value)
}
