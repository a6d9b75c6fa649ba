//! Charts: measurements as lines, dots or stacked bars.
//!
//! A [`Chart`] is data; `draw` lays it out and writes SVG through the crate kuva. A chart carries a
//! text alternative and its numbers as a table. Series differ by marker as well as by color, parts
//! of a bar by their label.

mod axis;
mod draw;
mod label;
mod legend;
mod marker;
mod marks;
mod theme;

use serde::Serialize;

use crate::language::{Language, NO_VALUE};
use crate::report::Table;

pub use theme::{Theme, page_colors};

/// A chart of measurements.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Chart {
    /// File name without extension, and anchor in a page: lower-case letters, digits, hyphens
    /// (see [`slug`]). Unique within a report.
    pub id: String,
    /// Title.
    pub title: String,
    /// Text alternative of the chart.
    pub description: String,
    /// Source line below the chart: scene, version, machine and date; may be empty.
    pub source: String,
    /// Quantity and unit along x; the drawing adds that a scale is logarithmic.
    pub x_label: String,
    /// Quantity and unit along y; for bars and dots, the kind of the rows.
    pub y_label: String,
    /// Data and layout.
    pub kind: Kind,
}

/// Layout of a chart with its data.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "layout", rename_all = "camelCase")]
pub enum Kind {
    /// Series of points joined by lines.
    Lines(Lines),
    /// One row per item, one marker per series: for unordered items.
    Dots(Dots),
    /// One row per item, divided into parts that add up to a whole.
    StackedBars(StackedBars),
}

/// Series of points joined by lines.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Lines {
    /// Series in drawing order, later ones on top.
    pub series: Vec<Series>,
    /// Scale of the x axis.
    pub x_scale: Scale,
    /// Scale of the y axis.
    pub y_scale: Scale,
    /// Labeled horizontal reference line, for instance "equally fast" at 1.
    pub reference: Option<(f64, String)>,
    /// Labeled vertical lines at values of x, for instance the size of the largest object.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<(f64, String)>,
}

/// Scale of an axis. On a logarithmic axis, values that are not positive are omitted; the table has
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Scale {
    /// Linear scale, from zero.
    Linear,
    /// Logarithmic scale.
    Log,
}

/// One line of a chart.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Series {
    /// Name in the legend.
    pub name: String,
    /// Index of color and marker; the same item has the same style in every chart.
    pub style: usize,
    /// Origin of the values: published ones are dashed and hollow, measured ones solid and filled.
    pub origin: Origin,
    /// Points `(x, y)` in the order of the line.
    pub points: Vec<(f64, f64)>,
    /// Minimum and maximum of the repeats at each point; empty if nothing was repeated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub error_bars: Vec<(f64, f64)>,
}

/// Origin of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Origin {
    /// This run.
    Measured,
    /// The study.
    Published,
}

/// One row per item, one marker per series.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Dots {
    /// Names of the series with their styles.
    pub series: Vec<(String, usize)>,
    /// Rows from top to bottom: a label, and a value per series or `None`.
    pub rows: Vec<(String, Vec<Option<f64>>)>,
    /// Scale of the x axis.
    pub scale: Scale,
}

/// One row per item, divided into parts. The parts are ordered, and so are their colors.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StackedBars {
    /// Names of the parts, at most [`StackedBars::MAX_PARTS`], by color.
    pub parts: Vec<String>,
    /// Short names, printed inside the parts.
    pub marks: Vec<String>,
    /// Rows from top to bottom: a label, and the size of each part in percent.
    pub rows: Vec<(String, Vec<f64>)>,
}

impl Lines {
    /// Whether any point has an error bar.
    #[must_use]
    pub fn has_error_bars(&self) -> bool {
        self.series.iter().any(|series| !series.error_bars.is_empty())
    }
}

impl StackedBars {
    /// Number of colors in the ordered palette.
    pub const MAX_PARTS: usize = theme::LEVELS;
}

impl Chart {
    /// Draws the chart. [`Theme::Light`] and [`Theme::Dark`] make files that stand alone, with
    /// their title; [`Theme::Page`] makes an element of a page that defines [`page_colors`].
    #[must_use]
    pub fn svg(&self, theme: Theme, language: Language) -> String {
        draw::svg(self, theme, language)
    }

    /// The numbers behind the picture.
    #[must_use]
    pub fn data_table(&self, language: Language) -> Table {
        let number = |value: f64| language.significant(value, 4);
        let (mut head, mut rows) = (Vec::new(), Vec::new());
        match &self.kind {
            Kind::Lines(lines) => {
                head.extend([language.text("Series", "Série")]);
                head.extend([self.x_label.clone(), self.y_label.clone()]);
                let has_error_bars = lines.has_error_bars();
                if has_error_bars {
                    head.push(language.text("Minimum", "Mínimo"));
                    head.push(language.text("Maximum", "Máximo"));
                }
                for series in &lines.series {
                    for (index, (x, y)) in series.points.iter().enumerate() {
                        let mut row = vec![series.name.clone(), number(*x), number(*y)];
                        if has_error_bars {
                            let bar = series.error_bars.get(index).copied();
                            let (low, high) = bar.unwrap_or((f64::NAN, f64::NAN));
                            row.extend([number(low), number(high)]);
                        }
                        rows.push(row);
                    }
                }
                for (x, label) in &lines.marks {
                    let mut row = vec![label.clone(), number(*x)];
                    row.resize(head.len(), NO_VALUE.to_owned());
                    rows.push(row);
                }
            }
            Kind::Dots(dots) => {
                head.push(self.y_label.clone());
                head.extend(dots.series.iter().map(|(name, _)| name.clone()));
                for (label, values) in &dots.rows {
                    let values = values.iter().map(|value| number(value.unwrap_or(f64::NAN)));
                    rows.push([label.clone()].into_iter().chain(values).collect());
                }
            }
            Kind::StackedBars(bars) => {
                head.push(self.y_label.clone());
                head.extend(bars.parts.iter().cloned());
                for (label, parts) in &bars.rows {
                    let parts = parts.iter().map(|part| language.percent(*part, 1));
                    rows.push([label.clone()].into_iter().chain(parts).collect());
                }
            }
        }
        Table { caption: self.title.clone(), head, rows }
    }

    /// False where nothing was measured: such a chart is left out.
    #[must_use]
    pub fn has_data(&self) -> bool {
        match &self.kind {
            Kind::Lines(lines) => lines
                .series
                .iter()
                .any(|series| series.origin == Origin::Measured && !series.points.is_empty()),
            Kind::Dots(dots) => {
                dots.rows.iter().flat_map(|(_, values)| values).any(Option::is_some)
            }
            Kind::StackedBars(bars) => !bars.rows.is_empty(),
        }
    }
}

/// A name made safe as a file name and as an anchor: `My House.obj` becomes `my-house-obj`.
/// Different names may become equal; callers that mix in user text number their charts.
#[must_use]
pub fn slug(name: &str) -> String {
    let mut slug = String::new();
    for letter in name.chars() {
        if letter.is_ascii_alphanumeric() {
            slug.push(letter.to_ascii_lowercase());
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() { "unnamed".to_owned() } else { slug.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn lines(points: Vec<(f64, f64)>, scale: Scale) -> Chart {
        let series = Series {
            name: "a <b> & $c$".to_owned(),
            style: 0,
            origin: Origin::Measured,
            points,
            error_bars: Vec::new(),
        };
        Chart {
            id: "test".to_owned(),
            title: "Title & co".to_owned(),
            description: "Falls from \"left\" to right.".to_owned(),
            source: String::new(),
            x_label: "x".to_owned(),
            y_label: "y".to_owned(),
            kind: Kind::Lines(Lines {
                series: vec![series],
                x_scale: scale,
                y_scale: scale,
                reference: None,
                marks: Vec::new(),
            }),
        }
    }

    #[test]
    fn slug_is_a_safe_file_name() {
        assert_eq!(slug("random-low"), "random-low");
        assert_eq!(slug("../My House.obj"), "my-house-obj");
        assert_eq!(slug("città<script>"), "citt-script");
        assert_eq!(slug("日本"), "unnamed");
    }

    #[test]
    fn data_table_has_every_point() {
        let chart = lines(vec![(1.0, 0.5), (1000.0, f64::NAN)], Scale::Log);
        let table = chart.data_table(Language::BrazilianPortuguese);
        assert_eq!(table.head, ["Série", "x", "y"]);
        assert_eq!(table.rows[0][1..], ["1,000", "0,5000"]);
        assert_eq!(table.rows[1][1..], ["1.000", "–"]);
    }

    #[test]
    fn data_table_has_the_error_bars() {
        let mut chart = lines(vec![(1.0, 2.0), (2.0, 3.0)], Scale::Log);
        let Kind::Lines(of_chart) = &mut chart.kind else { unreachable!() };
        of_chart.series[0].error_bars = vec![(1.5, 2.5)];
        let table = chart.data_table(Language::English);
        assert_eq!(table.head[3..], ["Minimum", "Maximum"]);
        assert_eq!(table.rows[0][3..], ["1.500", "2.500"]);
        assert_eq!(table.rows[1][3..], ["–", "–"]);
    }

    #[test]
    fn chart_without_points_has_no_data() {
        assert!(!lines(Vec::new(), Scale::Linear).has_data());
        assert!(lines(vec![(1.0, 1.0)], Scale::Linear).has_data());
    }
}
