//! Chart style of a technique: its color and marker, the same in every chart.

use embate_report::chart::{Chart, Kind, Lines, Origin, Scale, Series};

use super::row::Summary;

/// In the order of the styles; a chart has seven distinguishable ones.
const STYLES: [&[&str]; 7] = [
    &["study-brute", "sweep-x"],
    &["study-grid", "sweep-variance"],
    &["brute"],
    &["sweep"],
    &["grid"],
    &["octree"],
    &["tree"],
];

/// The style of a technique, or `None` for one that charts leave to the tables.
pub(crate) fn of(technique: &str) -> Option<usize> {
    STYLES.iter().position(|names| names.contains(&technique))
}

/// One measured line a technique, over whatever `x` says.
pub(crate) fn series<'a>(
    techniques: &[&str],
    summaries: &(impl Iterator<Item = &'a Summary<'a>> + Clone),
    x: impl Fn(&Summary<'_>) -> Option<f64>,
    y: impl Fn(&Summary<'_>) -> f64,
) -> Vec<Series> {
    let of_technique = |technique: &&str| {
        let own = summaries.clone().filter(|summary| summary.technique == *technique);
        let mut points: Vec<_> = own.filter_map(|s| Some((x(s)?, y(s)))).collect();
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        let name = (*technique).to_owned();
        Some(Series { name, style: of(technique)?, origin: Origin::Measured, points })
    };
    let lines = techniques.iter().filter_map(of_technique);
    lines.filter(|line| !line.points.is_empty()).collect()
}

/// A chart of lines on two logarithmic axes.
pub(crate) fn log_chart(
    id: &str,
    [title, description, x_label, y_label]: [String; 4],
    series: Vec<Series>,
    reference: Option<(f64, String)>,
) -> Chart {
    let kind = Kind::Lines(Lines { series, x_scale: Scale::Log, y_scale: Scale::Log, reference });
    Chart { id: id.to_owned(), title, description, x_label, y_label, kind }
}
