//! Published gains beside the measured ones of every technique.

use embate_report::Table;
use embate_report::chart::{Chart, Dots, Kind, Scale};
use embate_report::language::NO_VALUE;

use super::case_rows::{CaseRows, STUDY_BRUTE, STUDY_OCTREE};
use super::charts::{MAIN, scene};
use super::findings::published;
use super::report_text::ReportText;
use crate::studies::number_format::optional;

/// One case at the size whose gain was published, or its largest.
struct Line<'a> {
    case: &'a str,
    triangles: u32,
    /// Speedup of the octree over brute force, as printed.
    published: Option<f64>,
    /// Speedup of each structure over the study's brute force; the study's octree first.
    gains: Vec<Option<f64>>,
}

/// The compared structures: those of the main charts but the study's brute force, which is the
/// baseline.
fn techniques(cases: CaseRows<'_>) -> Vec<&str> {
    let all = cases
        .techniques()
        .into_iter()
        .filter(|technique| *technique != STUDY_BRUTE && MAIN.contains(technique));
    let (study, ours): (Vec<_>, Vec<_>) = all.partition(|technique| *technique == STUDY_OCTREE);
    study.into_iter().chain(ours).collect()
}

fn lines<'a>(cases: CaseRows<'a>) -> Vec<Line<'a>> {
    let techniques = techniques(cases);
    let line = |case: &'a str| {
        let sizes = cases.sizes(case);
        let figure = published(case).and_then(|figure| figure.speedup);
        let is_model = sizes.len() == 1;
        let printed = figure.filter(|(size, _)| is_model || sizes.contains(size));
        let triangles = match printed {
            Some((size, _)) if !is_model => size,
            _ => sizes.last().copied().unwrap_or(0),
        };
        let gain = |technique: &&str| {
            cases.get(case, technique, triangles).map(|row| row.speedup_over_study)
        };
        Line {
            case,
            triangles,
            published: printed.map(|(_, ratio)| ratio),
            gains: techniques.iter().map(gain).collect(),
        }
    };
    cases.names().into_iter().map(line).collect()
}

fn label(technique: &str, text: ReportText) -> String {
    if technique == STUDY_OCTREE {
        text.0.text("Octree (study), here", "Octree (estudo), aqui")
    } else {
        text.technique(technique)
    }
}

fn published_label(text: ReportText) -> String {
    text.0.text("Octree (study), published", "Octree (estudo), publicado")
}

/// Speedups over the study's brute force, one row per case.
pub(super) fn gains_table(cases: CaseRows<'_>, text: ReportText) -> Option<Table> {
    let language = text.0;
    let lines = lines(cases);
    let mut head = vec![
        text.0.text("Case", "Caso"),
        text.0.text("Triangles", "Triângulos"),
        published_label(text),
    ];
    head.extend(techniques(cases).into_iter().map(|technique| label(technique, text)));
    let rows = lines.iter().map(|line| {
        let times = |ratio: f64| language.times(ratio);
        let published = line.published.map_or(NO_VALUE.to_owned(), times);
        let begin = [text.case(line.case), language.integer(line.triangles.into()), published];
        begin.into_iter().chain(line.gains.iter().map(|gain| optional(*gain, times))).collect()
    });
    let caption = text.0.text(
        "Speedup over the study's brute force: the published octree and the structures of this run",
        "Ganho sobre a força bruta do estudo: a octree publicada e as estruturas desta execução",
    );
    (!lines.is_empty()).then(|| Table { caption, head, rows: rows.collect() })
}

/// The same as a chart.
pub(super) fn gains_chart(cases: CaseRows<'_>, text: ReportText) -> Chart {
    let lines = lines(cases);
    let techniques = techniques(cases);
    let mut series = vec![(published_label(text), 0)];
    series.extend((1..).zip(&techniques).map(|(style, name)| (label(name, text), style)));
    let rows = lines.iter().map(|line| {
        let size = text.0.integer(line.triangles.into());
        let values = core::iter::once(line.published).chain(line.gains.iter().copied());
        (format!("{}, {size}", text.case(line.case)), values.collect())
    });
    let best = lines.iter().filter_map(|line| {
        let gains = line.gains.iter().zip(&techniques);
        let gains = gains.filter_map(|(gain, name)| Some((gain.as_ref().copied()?, *name)));
        let (gain, name) = gains.max_by(|one, other| one.0.total_cmp(&other.0))?;
        Some(format!("{}: {}, {}", text.case(line.case), text.technique(name), text.0.times(gain)))
    });
    let best = best.collect::<Vec<_>>().join("; ");
    let description = text.0.text(
        "Each row is a case, each marker a structure; further right is faster, and 1 is the study's brute force. Fastest structure of each case:",
        "Cada linha é um caso, cada marcador uma estrutura; mais à direita é mais rápido, e 1 é a força bruta do estudo. Estrutura mais rápida de cada caso:",
    );
    Chart {
        id: "gains".to_owned(),
        title: text.0.text(
            "Speedup over brute force, published and measured",
            "Ganho sobre a força bruta, publicado e medido",
        ),
        description: format!("{description} {best}."),
        source: scene(cases, text),
        x_label: text
            .0
            .text("Speedup over brute force (study), ×", "Ganho sobre a força bruta (estudo), ×"),
        y_label: text.0.text("Case, triangles", "Caso, triângulos"),
        kind: Kind::Dots(Dots { series, rows: rows.collect(), scale: Scale::Log }),
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample_rows;
    use super::*;
    use embate_report::language::Language;

    #[test]
    fn published_gains_are_compared_at_equal_size() {
        let rows = sample_rows::published();
        let table = gains_table(CaseRows::new(&rows), ReportText(Language::English)).unwrap();
        let of = |case: &str| {
            let label = ReportText(Language::English).case(case);
            table.rows.iter().find(|row| row[0] == label).unwrap().clone()
        };
        assert_eq!(table.head[3..], ["Octree (study), here", "Brute force", "BVH", "Octree"]);
        assert_eq!(of("random-high")[1..3], ["10,000", "2.30×"]);
        assert_eq!(of("house")[2], "0.366×");
        assert_eq!(of("city")[2], "5.20×");
        assert_eq!(of("random-low")[2], NO_VALUE);
        assert!(gains_table(CaseRows::new(&[]), ReportText(Language::English)).is_none());
    }
}
