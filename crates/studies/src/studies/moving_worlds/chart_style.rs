//! Chart style of a technique: its color and marker, the same in every chart.

use embate_report::chart::{Chart, Kind, Lines, Origin, Scale, Series};
use embate_report::language::Language;

use super::row::Summary;

/// In the order of the styles; a chart has seven distinguishable ones.
const STYLES: [&[&str]; 7] = [
    &["study-brute", "octree-strict", "sweep-fresh"],
    &["study-grid", "sweep-variance"],
    &["brute", "incremental"],
    &["sweep"],
    &["grid"],
    &["octree"],
    &["tree"],
];

/// The style of a technique, or `None` for one that only the tables show.
pub(crate) fn of(technique: &str) -> Option<usize> {
    STYLES.iter().position(|names| names.contains(&technique))
}

/// One measured line per technique, with the name that `label` returns. Techniques without a
/// style are omitted.
pub(crate) fn series<'a>(
    techniques: &[&str],
    summaries: &(impl Iterator<Item = &'a Summary<'a>> + Clone),
    x: impl Fn(&Summary<'_>) -> Option<f64>,
    y: impl Fn(&Summary<'_>) -> f64,
    label: impl Fn(&str) -> String,
) -> Vec<Series> {
    let of_technique = |technique: &&str| {
        let own = summaries.clone().filter(|summary| summary.technique == *technique);
        let mut points: Vec<_> = own.filter_map(|s| Some((x(s)?, y(s)))).collect();
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        let (name, style) = (label(technique), of(technique)?);
        Some(Series { name, style, origin: Origin::Measured, points, error_bars: Vec::new() })
    };
    let lines = techniques.iter().filter_map(of_technique);
    lines.filter(|line| !line.points.is_empty()).collect()
}

/// The same for times, with error bars over the worlds, or over the repeats of a single world.
pub(crate) fn time_series<'a>(
    techniques: &[&str],
    summaries: &(impl Iterator<Item = &'a Summary<'a>> + Clone),
    x: impl Fn(&Summary<'_>) -> Option<f64> + Copy,
    label: impl Fn(&str) -> String,
) -> Vec<Series> {
    let mut lines = Vec::new();
    for technique in techniques {
        let Some(style) = of(technique) else { continue };
        let own = summaries.clone().filter(|summary| summary.technique == *technique);
        let mut own: Vec<(f64, &Summary<'_>)> = own.filter_map(|s| Some((x(s)?, s))).collect();
        if own.is_empty() {
            continue;
        }
        own.sort_by(|one, other| one.0.total_cmp(&other.0));
        let is_repeated = own.iter().any(|(_, summary)| summary.ms_samples.len() > 1);
        let bars = own.iter().filter(|_| is_repeated).map(|(_, summary)| summary.ms_range());
        lines.push(Series {
            name: label(technique),
            style,
            origin: Origin::Measured,
            error_bars: bars.collect(),
            points: own.iter().map(|(x, summary)| (*x, summary.ms)).collect(),
        });
    }
    lines
}

/// Frames and worlds of a case, as the source line of a chart.
pub(crate) fn scene<'a>(
    mut summaries: impl Iterator<Item = &'a Summary<'a>>,
    language: Language,
) -> String {
    let Some(first) = summaries.next() else { return String::new() };
    let (mut frames, mut worlds) = ([first.frames; 2], first.seeds);
    for summary in summaries {
        frames = [frames[0].min(summary.frames), frames[1].max(summary.frames)];
        worlds = worlds.max(summary.seeds);
    }
    let [low, high] = frames.map(|count| language.integer(count.into()));
    let frames = if low == high { low } else { format!("{low}–{high}") };
    language.text(
        format!("{frames} frames per world, worlds (seeds): {worlds}"),
        format!("{frames} quadros por mundo, mundos (sementes): {worlds}"),
    )
}

/// A chart of lines on two logarithmic axes.
pub(crate) fn log_chart(
    id: &str,
    [title, description, source, x_label, y_label]: [String; 5],
    series: Vec<Series>,
    reference: Option<(f64, String)>,
) -> Chart {
    let (x_scale, y_scale, marks) = (Scale::Log, Scale::Log, Vec::new());
    let kind = Kind::Lines(Lines { series, x_scale, y_scale, reference, marks });
    Chart { id: id.to_owned(), title, description, source, x_label, y_label, kind }
}
