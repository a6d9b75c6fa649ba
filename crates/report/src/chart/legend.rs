//! Legend: one entry per line, marker or shade.

use kuva::render::color::Color;
use kuva::render::render::{Primitive, Scene, TextAnchor};

use super::label::{self, TEXT_SIZE, TICK_SIZE};
use super::theme::Paint;
use super::{Kind, Origin, Series, Theme, marker};
use crate::language::Language;

/// How published values are drawn, here and in the plot.
pub(super) const PUBLISHED_DASH: &str = "6 4";

const SAMPLE: f64 = 30.0;
const GAP: f64 = 20.0;
const ROW_HEIGHT: f64 = 22.0;

/// Entries in as many rows as they need.
pub(super) struct Legend {
    rows: Vec<Vec<Entry>>,
}

struct Entry {
    name: String,
    sample: Sample,
    width: f64,
}

enum Sample {
    Line {
        style: usize,
    },
    /// Stands for the published values of every series: they share its color and marker.
    Published,
    /// Stands for the error bars of every series.
    ErrorBar,
    Dot {
        style: usize,
    },
    Box {
        level: usize,
        mark: String,
    },
}

impl Legend {
    /// The legend of a chart, `width` pixels wide.
    pub(super) fn of(kind: &Kind, language: Language, width: f64) -> Self {
        Self { rows: rows(entries(kind, language), width) }
    }

    pub(super) fn height(&self) -> f64 {
        ROW_HEIGHT * self.rows.len() as f64
    }

    /// Draws the legend with its upper left corner at `(left, top)`.
    pub(super) fn draw(&self, scene: &mut Scene, theme: Theme, (left, top): (f64, f64)) {
        let mut y = top + ROW_HEIGHT / 2.0;
        for entries in &self.rows {
            let mut x = left;
            for entry in entries {
                draw_sample(scene, &entry.sample, theme, (x, y));
                let (place, color) = ((x + SAMPLE + 6.0, y + 4.5), theme.paint(Paint::Text));
                scene.add(label::text(&entry.name, TEXT_SIZE, place, TextAnchor::Start, color));
                x += entry.width;
            }
            y += ROW_HEIGHT;
        }
    }
}

fn draw_sample(scene: &mut Scene, sample: &Sample, theme: Theme, (x, y): (f64, f64)) {
    let middle = (x + SAMPLE / 2.0, y);
    match sample {
        Sample::Line { style } => {
            let color = theme.paint(Paint::Series(*style));
            scene.add(sample_line(x, y, &color, None));
            marker::draw(scene, *style, middle, &color, false);
        }
        Sample::Published => {
            let color = theme.paint(Paint::Text);
            scene.add(sample_line(x, y, &color, Some(PUBLISHED_DASH.to_owned())));
            marker::draw(scene, 0, middle, &color, true);
        }
        Sample::ErrorBar => {
            let color = theme.paint(Paint::Text);
            let mut line = |x1: f64, y1: f64, x2: f64, y2: f64| {
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
            line(middle.0, y - 7.0, middle.0, y + 7.0);
            line(middle.0 - 3.0, y - 7.0, middle.0 + 3.0, y - 7.0);
            line(middle.0 - 3.0, y + 7.0, middle.0 + 3.0, y + 7.0);
        }
        Sample::Dot { style } => {
            let color = theme.paint(Paint::Series(*style));
            marker::draw(scene, *style, middle, &color, false);
        }
        Sample::Box { level, mark } => {
            scene.add(Primitive::Rect {
                x,
                y: y - 8.0,
                width: SAMPLE,
                height: 16.0,
                fill: Color::from(theme.paint(Paint::Level(*level))),
                stroke: Some(Color::from(theme.paint(Paint::Muted))),
                stroke_width: Some(0.75),
                opacity: None,
            });
            let place = (middle.0, y + 4.5);
            let color = theme.paint(Paint::OnLevel(*level));
            scene.add(label::text(mark, TICK_SIZE, place, TextAnchor::Middle, color));
        }
    }
}

fn entries(kind: &Kind, language: Language) -> Vec<Entry> {
    let entry = |name: &str, sample| {
        let width = SAMPLE + 6.0 + label::width(name, TEXT_SIZE) + GAP;
        Entry { name: name.to_owned(), sample, width }
    };
    match kind {
        Kind::Lines(lines) => {
            let is_measured = |series: &&Series| series.origin == Origin::Measured;
            let measured = lines.series.iter().filter(is_measured).map(|series| {
                entry(&label::shortened(&series.name), Sample::Line { style: series.style })
            });
            let all_measured = lines.series.iter().all(|series| is_measured(&series));
            let published = (!all_measured).then(|| {
                let name =
                    language.select("hollow, dashed: published", "vazado, tracejado: publicado");
                entry(name, Sample::Published)
            });
            let error_bars = lines.has_error_bars().then(|| {
                let name = language.select("bar: minimum to maximum", "barra: do mínimo ao máximo");
                entry(name, Sample::ErrorBar)
            });
            measured.chain(published).chain(error_bars).collect()
        }
        Kind::Dots(dots) => dots
            .series
            .iter()
            .map(|(name, style)| entry(&label::shortened(name), Sample::Dot { style: *style }))
            .collect(),
        Kind::StackedBars(bars) => bars
            .parts
            .iter()
            .zip(&bars.marks)
            .enumerate()
            .map(|(level, (name, mark))| entry(name, Sample::Box { level, mark: mark.clone() }))
            .collect(),
    }
}

fn sample_line(x: f64, y: f64, color: &str, dash: Option<String>) -> Primitive {
    Primitive::Line {
        x1: x,
        y1: y,
        x2: x + SAMPLE,
        y2: y,
        stroke: Color::from(color),
        stroke_width: 2.0,
        stroke_dasharray: dash,
    }
}

fn rows(entries: Vec<Entry>, width: f64) -> Vec<Vec<Entry>> {
    let mut rows: Vec<Vec<Entry>> = Vec::new();
    let mut used = f64::INFINITY;
    for entry in entries {
        if used + entry.width > width + GAP {
            rows.push(Vec::new());
            used = 0.0;
        }
        used += entry.width;
        if let Some(row) = rows.last_mut() {
            row.push(entry);
        }
    }
    rows
}
