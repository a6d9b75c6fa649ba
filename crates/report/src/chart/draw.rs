//! SVG drawing of a chart.
//!
//! ```text
//! title                              only in a stand-alone file
//! ─●─ series   ─■─ series            legend, in as many rows as it needs
//! y label
//! │                                  kuva: grid, axes, ticks, reference line
//! │      ■──■──■                     this module: lines, error bars, markers, bars, their labels
//! └──────────────
//!     x label
//! source                             only in a stand-alone file
//! ```
//!
//! The parts of kuva are called one by one. Its `render_multiple` contains every kind of plot that
//! it supports, which doubles the code size of the page's reports.

use std::sync::Arc;

use kuva::prelude::{Layout, ReferenceLine, SvgBackend, TickFormat};
use kuva::render::annotations::add_reference_lines;
use kuva::render::axis::add_axes_and_grid;
use kuva::render::color::Color;
use kuva::render::layout::ComputedLayout;
use kuva::render::render::{Primitive, Scene, TextAnchor};

use super::label::{self, TEXT_SIZE, TICK_SIZE, TITLE_SIZE};
use super::legend::{Legend, PUBLISHED_DASH};
use super::theme::Paint;
use super::{
    Chart, Dots, Kind, Lines, Origin, Scale, Series, StackedBars, Theme, axis, marker, marks,
};
use crate::language::Language;
use crate::report::escape;

const WIDTH: f64 = 760.0;
/// Height of the plot area of a line chart, and of one row of bars or dots.
const LINES_HEIGHT: f64 = 300.0;
const ROW_HEIGHT: f64 = 40.0;

const MARGIN: f64 = 14.0;
const LINE_HEIGHT: f64 = 22.0;
/// Room between the legend and the label of the y axis.
const Y_LABEL_GAP: f64 = 8.0;
/// Room below the plot for tick labels and the x label.
const BELOW: f64 = 52.0;
const SOURCE_LINE_HEIGHT: f64 = 16.0;
/// Half the width of the end of an error bar.
const BAR_END: f64 = 3.0;

struct Canvas<'a> {
    chart: &'a Chart,
    theme: Theme,
    language: Language,
    legend: Legend,
    /// Source line, wrapped; empty in a page, which shows it as text.
    source: Vec<String>,
    left: f64,
    top: f64,
    plot_height: f64,
}

pub(super) fn svg(chart: &Chart, theme: Theme, language: Language) -> String {
    let canvas = Canvas::new(chart, theme, language);
    let scene = match &chart.kind {
        Kind::Lines(lines) => canvas.lines(lines),
        Kind::Dots(dots) => canvas.dots(dots),
        Kind::StackedBars(bars) => canvas.bars(bars),
    };
    canvas.finish(scene)
}

impl<'a> Canvas<'a> {
    fn new(chart: &'a Chart, theme: Theme, language: Language) -> Self {
        let legend = Legend::of(&chart.kind, language, WIDTH - 2.0 * MARGIN);
        let title_height = if theme == Theme::Page { 0.0 } else { LINE_HEIGHT + 8.0 };
        let top = MARGIN + title_height + legend.height() + Y_LABEL_GAP + LINE_HEIGHT;
        let row_labels: &mut dyn Iterator<Item = &String> = match &chart.kind {
            Kind::Lines(_) => &mut std::iter::empty(),
            Kind::Dots(dots) => &mut dots.rows.iter().map(|(label, _)| label),
            Kind::StackedBars(bars) => &mut bars.rows.iter().map(|(label, _)| label),
        };
        let widest = row_labels
            .map(|label| label::width(&label::shortened(label), TICK_SIZE))
            .fold(0.0, f64::max);
        let rows = match &chart.kind {
            Kind::Lines(_) => LINES_HEIGHT / ROW_HEIGHT,
            Kind::Dots(dots) => dots.rows.len() as f64,
            Kind::StackedBars(bars) => bars.rows.len() as f64,
        };
        let ticks =
            y_ends(&chart.kind).map(|end| label::width(&axis::tick(end, language), TICK_SIZE));
        let widest = ticks.into_iter().fold(widest, f64::max);
        let left = MARGIN + 14.0 + widest.max(label::width("10,000", TICK_SIZE));
        let source = match theme {
            Theme::Page => Vec::new(),
            Theme::Light | Theme::Dark => {
                label::wrapped(&chart.source, TICK_SIZE, WIDTH - 2.0 * MARGIN)
            }
        };
        let plot_height = rows * ROW_HEIGHT;
        Self { chart, theme, language, legend, source, left, top, plot_height }
    }

    /// Room below the plot.
    fn below(&self) -> f64 {
        BELOW + SOURCE_LINE_HEIGHT * self.source.len() as f64
    }

    fn height(&self) -> f64 {
        self.top + self.plot_height + self.below()
    }

    /// The last tick's label is centered on the end of the axis.
    fn right(&self, last_tick: f64) -> f64 {
        MARGIN + label::width(&axis::tick(last_tick, self.language), TICK_SIZE) / 2.0
    }

    /// Margins are ours, so that legend and labels know where the plot lies.
    fn layout(&self, x: (Scale, (f64, f64)), y: (Scale, (f64, f64))) -> Layout {
        let (language, theme) = (self.language, self.theme);
        let format = TickFormat::Custom(Arc::new(move |value| axis::tick(value, language)));
        let text = theme.paint(Paint::Text);
        let colors = kuva::prelude::Theme {
            background: theme.paint(Paint::Background),
            axis_color: theme.paint(Paint::Muted),
            grid_color: theme.paint(Paint::Grid),
            tick_color: theme.paint(Paint::Muted),
            text_color: text,
            ..kuva::prelude::Theme::light()
        };
        let ((x_scale, x_range), (y_scale, y_range)) = (x, y);
        let mut layout = Layout::new(x_range, y_range)
            .with_x_axis_min(x_range.0)
            .with_x_axis_max(x_range.1)
            .with_y_axis_min(y_range.0)
            .with_y_axis_max(y_range.1)
            .with_width(WIDTH)
            .with_height(self.height())
            .with_force_margins(self.left, self.right(x_range.1))
            .with_force_margins_y(self.top, self.below())
            .with_theme(colors)
            .with_font_family("system-ui, sans-serif")
            .with_tick_size(TICK_SIZE)
            .with_tick_format(format);
        if x_scale == Scale::Log {
            layout = layout.with_log_x();
        }
        if y_scale == Scale::Log {
            layout = layout.with_log_y();
        }
        layout
    }

    fn lines(&self, lines: &Lines) -> Scene {
        let points = || lines.series.iter().flat_map(|series| &series.points);
        let marks = lines.marks.iter().map(|(x, _)| *x);
        let x_range = axis::range(lines.x_scale, points().map(|(x, _)| *x).chain(marks));
        let y_range = y_range(lines);
        let mut layout = self.layout((lines.x_scale, x_range), (lines.y_scale, y_range));
        if let Some((value, label)) = &lines.reference {
            layout = layout.with_reference_line(
                ReferenceLine::horizontal(*value)
                    .with_color(self.theme.paint(Paint::Text))
                    .with_dasharray("1 0")
                    .with_stroke_width(1.4)
                    .with_label(label::plain(label)),
            );
        }
        let (mut scene, computed) = axes(&layout);
        let drawable = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
            let shown = |(x, y): &(f64, f64)| {
                axis::shows(lines.x_scale, *x) && axis::shows(lines.y_scale, *y)
            };
            points.iter().copied().filter(shown).collect()
        };
        let polylines: Vec<(&Series, Vec<(f64, f64)>)> = lines
            .series
            .iter()
            .map(|series| {
                let points = drawable(&series.points).into_iter();
                (series, points.map(|(x, y)| (computed.map_x(x), computed.map_y(y))).collect())
            })
            .collect();
        self.clip(&mut scene, &computed);
        for series in &lines.series {
            self.error_bars(&mut scene, lines, series, &computed);
        }
        for (series, points) in polylines.iter().filter(|(_, points)| points.len() >= 2) {
            // Published lines often lie on ours, so they are drawn over them in another color.
            let (paint, stroke_dasharray, stroke_width) = match series.origin {
                Origin::Measured => (Paint::Series(series.style), None, 2.0),
                Origin::Published => (Paint::Text, Some(PUBLISHED_DASH.to_owned()), 1.4),
            };
            scene.add(Primitive::PolyLine {
                points: points.clone(),
                stroke: Color::from(self.theme.paint(paint)),
                stroke_width,
                stroke_dasharray,
            });
        }
        add_reference_lines(&layout.reference_lines, &mut scene, &computed);
        scene.add(Primitive::ClipEnd);
        marks::draw(&mut scene, lines, &computed, self.theme);
        for (series, points) in polylines {
            for point in apart(points.into_iter()) {
                self.marker(&mut scene, series.style, series.origin, point);
            }
        }
        scene
    }

    /// A vertical line from minimum to maximum at each point, with short ends.
    fn error_bars(
        &self,
        scene: &mut Scene,
        lines: &Lines,
        series: &Series,
        computed: &ComputedLayout,
    ) {
        let color = self.theme.paint(Paint::Series(series.style));
        let mut line = |(x1, y1): (f64, f64), (x2, y2): (f64, f64)| {
            scene.add(Primitive::Line {
                x1,
                y1,
                x2,
                y2,
                stroke: Color::from(color.clone()),
                stroke_width: 1.0,
                stroke_dasharray: None,
            });
        };
        for ((x, _), (low, high)) in series.points.iter().zip(&series.error_bars) {
            let is_shown = axis::shows(lines.x_scale, *x)
                && [low, high].into_iter().all(|end| axis::shows(lines.y_scale, *end));
            if !is_shown {
                continue;
            }
            let (x, low, high) = (computed.map_x(*x), computed.map_y(*low), computed.map_y(*high));
            line((x, low), (x, high));
            for end in [low, high] {
                line((x - BAR_END, end), (x + BAR_END, end));
            }
        }
    }

    /// Clips the following elements to the plot area, until `ClipEnd`.
    fn clip(&self, scene: &mut Scene, computed: &ComputedLayout) {
        let id = format!("{}-clip", self.chart.id);
        let (x, y) = (computed.margin_left, computed.margin_top);
        let (width, height) = (computed.plot_width(), computed.plot_height());
        scene.defs.push(format!(
            r#"<clipPath id="{id}"><rect x="{}" y="{}" width="{}" height="{}"/></clipPath>"#,
            hundredths(x),
            hundredths(y),
            hundredths(width),
            hundredths(height),
        ));
        scene.add(Primitive::ClipStart { x, y, width, height, id });
    }

    fn dots(&self, dots: &Dots) -> Scene {
        let values = dots.rows.iter().flat_map(|(_, values)| values).flatten().copied();
        let x_range = axis::range(dots.scale, values);
        let (mut scene, computed) =
            self.rows(dots.rows.len(), (dots.scale, x_range), |row| &dots.rows[row].0);
        for (row, (_, values)) in dots.rows.iter().enumerate() {
            let middle = computed.map_y(row_position(row, dots.rows.len()));
            // Each series has a lane of its own within the row, so that equal values all show.
            let lane = (ROW_HEIGHT - 14.0) / dots.series.len() as f64;
            let first = middle - lane * (dots.series.len() as f64 - 1.0) / 2.0;
            for (index, ((_, style), value)) in dots.series.iter().zip(values).enumerate() {
                let Some(value) = value.filter(|value| axis::shows(dots.scale, *value)) else {
                    continue;
                };
                let y = first + lane * index as f64;
                self.marker(&mut scene, *style, Origin::Measured, (computed.map_x(value), y));
            }
        }
        scene
    }

    fn bars(&self, bars: &StackedBars) -> Scene {
        let count = bars.rows.len();
        let (mut scene, computed) =
            self.rows(count, (Scale::Linear, (0.0, 100.0)), |row| &bars.rows[row].0);
        for (row, (_, parts)) in bars.rows.iter().enumerate() {
            let (mut begin, y) = (0.0, computed.map_y(row_position(row, count)));
            for (level, part) in parts.iter().enumerate() {
                let (x, end) = (computed.map_x(begin), computed.map_x(begin + part));
                begin += part;
                self.bar_part(&mut scene, bars, level, *part, (x, end), y);
            }
        }
        scene
    }

    /// Labels a part by its mark and share where there is room, by its mark alone where there is
    /// little, and leaves slivers to the table.
    fn bar_part(
        &self,
        scene: &mut Scene,
        bars: &StackedBars,
        level: usize,
        part: f64,
        (x, end): (f64, f64),
        y: f64,
    ) {
        const BAR_HEIGHT: f64 = 24.0;
        let width = end - x;
        if !width.is_finite() || width <= 0.0 {
            return;
        }
        scene.add(Primitive::Rect {
            x,
            y: y - BAR_HEIGHT / 2.0,
            width,
            height: BAR_HEIGHT,
            fill: Color::from(self.theme.paint(Paint::Level(level))),
            stroke: Some(Color::from(self.theme.paint(Paint::Muted))),
            stroke_width: Some(0.75),
            opacity: None,
        });
        let mark = bars.marks.get(level).map_or("", String::as_str);
        let share = self.language.percent(part, 1);
        let labels = [format!("{mark}: {share}"), mark.to_owned()];
        let fits = |label: &String| label::width(label, TICK_SIZE) + 6.0 <= width;
        if let Some(label) = labels.iter().find(|label| fits(label)) {
            let place = (x + width / 2.0, y + 4.5);
            self.text(scene, label, TICK_SIZE, place, TextAnchor::Middle, Paint::OnLevel(level));
        }
    }

    /// Axes of a chart of rows, with grid lines along x; row 0 is on top.
    fn rows<'b>(
        &self,
        count: usize,
        x: (Scale, (f64, f64)),
        label: impl Fn(usize) -> &'b String,
    ) -> (Scene, ComputedLayout) {
        let labels =
            (0..count).rev().map(|row| label::plain(&label::shortened(label(row)))).collect();
        let layout =
            self.layout(x, (Scale::Linear, (0.5, count as f64 + 0.5))).with_y_categories(labels);
        let (mut scene, computed) = axes(&layout);
        let grid = |(x1, y1): (f64, f64), (x2, y2): (f64, f64)| Primitive::Line {
            x1,
            y1,
            x2,
            y2,
            stroke: Color::from(self.theme.paint(Paint::Grid)),
            stroke_width: 1.0,
            stroke_dasharray: None,
        };
        let (scale, (low, high)) = x;
        for tick in axis::ticks(scale, low, high, computed.x_ticks) {
            let x = computed.map_x(tick);
            scene.add(grid((x, self.top), (x, self.top + self.plot_height)));
        }
        for row in 1..count {
            let y = self.top + ROW_HEIGHT * row as f64;
            scene.add(grid((self.left, y), (computed.map_x(high), y)));
        }
        (scene, computed)
    }

    fn marker(&self, scene: &mut Scene, style: usize, origin: Origin, place: (f64, f64)) {
        let color = self.theme.paint(Paint::Series(style));
        // Published figures lie close to ours: a marker filled with the background would hide them.
        marker::draw(scene, style, place, &color, origin == Origin::Published);
    }

    fn text(
        &self,
        scene: &mut Scene,
        text: &str,
        size: u32,
        place: (f64, f64),
        anchor: TextAnchor,
        paint: Paint,
    ) {
        scene.add(label::text(text, size, place, anchor, self.theme.paint(paint)));
    }

    fn finish(&self, mut scene: Scene) -> String {
        let Chart { id, title, description, .. } = self.chart;
        let (x_label, y_label) = self.axis_titles();
        if self.theme != Theme::Page {
            let place = (MARGIN, MARGIN + 16.0);
            self.text(&mut scene, title, TITLE_SIZE, place, TextAnchor::Start, Paint::Text);
        }
        let legend_top = self.top - LINE_HEIGHT - Y_LABEL_GAP - self.legend.height();
        self.legend.draw(&mut scene, self.theme, (MARGIN, legend_top));
        let above = (MARGIN, self.top - 10.0);
        self.text(&mut scene, &y_label, TEXT_SIZE, above, TextAnchor::Start, Paint::Muted);
        let below = (WIDTH - MARGIN, self.top + self.plot_height + BELOW - 12.0);
        self.text(&mut scene, &x_label, TEXT_SIZE, below, TextAnchor::End, Paint::Muted);
        for (row, source) in self.source.iter().enumerate() {
            let y = below.1 + SOURCE_LINE_HEIGHT * (row + 1) as f64;
            let (place, anchor) = ((MARGIN, y), TextAnchor::Start);
            self.text(&mut scene, source, TICK_SIZE, place, anchor, Paint::Muted);
        }
        scene.background_color =
            (self.theme != Theme::Page).then(|| self.theme.paint(Paint::Background));

        let drawn = SvgBackend::new().render_scene(&scene);
        let content = drawn.split_once('>').map_or("", |(_, content)| content);
        let (text, height) = (self.theme.paint(Paint::Text), self.height());
        let size = if self.theme == Theme::Page {
            String::new()
        } else {
            format!(r#" width="{WIDTH}" height="{height}""#)
        };
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"{size} role="img" aria-labelledby="{id}-title {id}-description" font-family="system-ui, sans-serif" fill="{text}"><title id="{id}-title">{}</title><desc id="{id}-description">{}</desc>{content}"#,
            escape(title),
            escape(description),
        )
    }
}

impl Canvas<'_> {
    /// Titles of the x and the y axis; a logarithmic scale is named.
    fn axis_titles(&self) -> (String, String) {
        let title = |label: &str, scale: Scale| match scale {
            Scale::Linear => label.to_owned(),
            Scale::Log => self
                .language
                .text(format!("{label}, log scale"), format!("{label}, escala logarítmica")),
        };
        let (x, y) = match &self.chart.kind {
            Kind::Lines(lines) => (lines.x_scale, lines.y_scale),
            Kind::Dots(dots) => (dots.scale, Scale::Linear),
            Kind::StackedBars(_) => (Scale::Linear, Scale::Linear),
        };
        (title(&self.chart.x_label, x), title(&self.chart.y_label, y))
    }
}

/// Scene with axes, grid and tick labels.
fn axes(layout: &Layout) -> (Scene, ComputedLayout) {
    let computed = ComputedLayout::from_layout(layout);
    let mut scene = Scene::new(computed.width, computed.height);
    scene.font_family.clone_from(&computed.font_family);
    scene.text_color = Some(computed.theme.text_color.clone());
    add_axes_and_grid(&mut scene, &computed, layout);
    (scene, computed)
}

/// Rounded to 1/100 of a pixel.
fn hundredths(length: f64) -> f64 {
    (length * 100.0).round() / 100.0
}

/// The ends of an axis of numbers along y: no tick is wider than the wider of them.
fn y_ends(kind: &Kind) -> [f64; 2] {
    let Kind::Lines(lines) = kind else { return [0.0; 2] };
    let (low, high) = y_range(lines);
    [low, high]
}

fn y_range(lines: &Lines) -> (f64, f64) {
    let values = lines.series.iter().flat_map(|series| &series.points).map(|(_, y)| *y);
    let bars = lines.series.iter().flat_map(|series| &series.error_bars);
    let bars = bars.flat_map(|(low, high)| [*low, *high]);
    let reference = lines.reference.iter().map(|(value, _)| *value);
    axis::range(lines.y_scale, values.chain(bars).chain(reference))
}

/// Omits positions too close to the one before: overlapping markers are illegible.
fn apart(positions: impl Iterator<Item = (f64, f64)>) -> Vec<(f64, f64)> {
    const CLOSEST: f64 = 10.0;
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for (x, y) in positions {
        let is_near = |(kept_x, kept_y): &(f64, f64)| (x - kept_x).hypot(y - kept_y) < CLOSEST;
        if !kept.last().is_some_and(is_near) {
            kept.push((x, y));
        }
    }
    kept
}

/// Row 0 is on top, and kuva counts its rows from 1 at the bottom.
fn row_position(row: usize, count: usize) -> f64 {
    (count - row) as f64
}

#[cfg(test)]
mod tests {
    use super::super::tests::lines;
    use super::*;

    #[test]
    fn chart_has_an_accessible_title_and_description() {
        for theme in [Theme::Light, Theme::Dark, Theme::Page] {
            let svg = svg(&lines(vec![(1.0, 2.0)], Scale::Log), theme, Language::English);
            assert!(svg.starts_with("<svg "));
            assert!(svg.contains(r#"role="img""#));
            assert!(svg.contains(r#"<title id="test-title">Title &amp; co</title>"#));
            assert!(svg.contains("Falls from &quot;left&quot; to right.</desc>"));
        }
    }

    #[test]
    fn series_names_are_escaped_once() {
        let svg = svg(&lines(vec![(1.0, 2.0)], Scale::Log), Theme::Light, Language::English);
        assert!(svg.contains("a &lt;b&gt; &amp; $c$"));
    }

    #[test]
    fn logarithmic_axes_are_named_in_both_languages() {
        let chart = lines(vec![(1.0, 2.0)], Scale::Log);
        assert!(svg(&chart, Theme::Page, Language::English).contains("x, log scale"));
        let portuguese = svg(&chart, Theme::Page, Language::BrazilianPortuguese);
        assert!(portuguese.contains("y, escala logarítmica"));
        let linear = lines(vec![(1.0, 2.0)], Scale::Linear);
        assert!(!svg(&linear, Theme::Page, Language::English).contains("log scale"));
    }

    #[test]
    fn source_line_is_drawn_in_files_and_left_to_the_page() {
        let chart = super::super::Chart {
            source: "10,000 rays · embate 1.0 · a machine".to_owned(),
            ..lines(vec![(1.0, 2.0)], Scale::Log)
        };
        assert!(svg(&chart, Theme::Light, Language::English).contains("10,000 rays"));
        assert!(!svg(&chart, Theme::Page, Language::English).contains("10,000 rays"));
    }

    #[test]
    fn error_bars_are_drawn_and_explained_in_the_legend() {
        let mut chart = lines(vec![(1.0, 2.0)], Scale::Log);
        let without = svg(&chart, Theme::Light, Language::English);
        let Kind::Lines(of_chart) = &mut chart.kind else { unreachable!() };
        of_chart.series[0].error_bars = vec![(1.5, 3.0)];
        let with = svg(&chart, Theme::Light, Language::English);
        assert!(with.matches("<line").count() >= without.matches("<line").count() + 3);
        assert!(with.contains("minimum to maximum") && !without.contains("minimum to maximum"));
    }

    #[test]
    fn svg_of_a_chart_is_deterministic() {
        let chart = lines(vec![(1.0, 2.0), (3.0, 4.0)], Scale::Linear);
        let first = svg(&chart, Theme::Dark, Language::English);
        assert_eq!(first, svg(&chart, Theme::Dark, Language::English));
        assert!(!first.contains("kuva-clip"));
    }

    #[test]
    fn svg_has_no_nan_or_infinity_for_extreme_values() {
        for odd in [f64::NAN, f64::INFINITY, 0.0, -1.0, f64::MAX, f64::MIN_POSITIVE] {
            for scale in [Scale::Linear, Scale::Log] {
                let points = vec![(odd, 1.0), (1.0, odd), (2.0, 2.0)];
                let mut chart = lines(points, scale);
                let Kind::Lines(of_chart) = &mut chart.kind else { unreachable!() };
                of_chart.series[0].error_bars = vec![(odd, 2.0), (0.5, odd), (odd, odd)];
                let svg = svg(&chart, Theme::Light, Language::English);
                assert!(!svg.contains("NaN") && !svg.contains("inf"), "{odd} on {scale:?}");
            }
        }
    }
}
