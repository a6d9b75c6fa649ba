//! Marks: labeled vertical lines at values of x.

use kuva::render::color::Color;
use kuva::render::layout::ComputedLayout;
use kuva::render::render::{Primitive, Scene, TextAnchor};

use super::label::{self, TICK_SIZE};
use super::theme::Paint;
use super::{Lines, Theme, axis};

/// Dashes of a mark.
const DASH: &str = "3 3";
/// Distance of a label from its line, and of the labels from each other.
const GAP: f64 = 4.0;
const LABEL_HEIGHT: f64 = 15.0;

/// Draws every mark from the top to the bottom of the plot. Labels stand at the top, each one line
/// lower than the one before, so that labels of near marks do not overlap.
pub(super) fn draw(scene: &mut Scene, lines: &Lines, computed: &ComputedLayout, theme: Theme) {
    let top = computed.margin_top;
    let (bottom, right) =
        (computed.height - computed.margin_bottom, computed.width - computed.margin_right);
    let shown = lines.marks.iter().filter(|(x, _)| axis::shows(lines.x_scale, *x));
    for (row, (x, text)) in shown.enumerate() {
        let x = computed.map_x(*x);
        scene.add(Primitive::Line {
            x1: x,
            y1: top,
            x2: x,
            y2: bottom,
            stroke: Color::from(theme.paint(Paint::Muted)),
            stroke_width: 1.2,
            stroke_dasharray: Some(DASH.to_owned()),
        });
        let fits = x + GAP + label::width(text, TICK_SIZE) <= right;
        let (x, anchor) =
            if fits { (x + GAP, TextAnchor::Start) } else { (x - GAP, TextAnchor::End) };
        let y = top + LABEL_HEIGHT * (row + 1) as f64;
        scene.add(label::text(text, TICK_SIZE, (x, y), anchor, theme.paint(Paint::Text)));
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::lines;
    use super::super::{Kind, Scale};
    use super::*;
    use crate::language::Language;

    #[test]
    fn marks_are_drawn_labeled_and_listed_in_the_table() {
        let mut chart = lines(vec![(1.0, 2.0), (100.0, 3.0)], Scale::Log);
        let without = chart.svg(Theme::Light, Language::English);
        let Kind::Lines(of_chart) = &mut chart.kind else { unreachable!() };
        of_chart.marks = vec![(50.0, "largest <object>".to_owned()), (0.0, "hidden".to_owned())];
        let with = chart.svg(Theme::Light, Language::English);
        assert_eq!(with.matches("<line").count(), without.matches("<line").count() + 1);
        assert!(with.contains("largest &lt;object&gt;") && !with.contains("hidden"));
        let table = chart.data_table(Language::English);
        assert_eq!(table.rows[2][..2], ["largest <object>", "50.00"]);
        assert!(table.rows.iter().all(|row| row.len() == table.head.len()));
    }

    /// A mark beyond the points would be drawn outside the axes.
    #[test]
    fn axis_contains_the_marks() {
        let mut chart = lines(vec![(1.0, 2.0), (10.0, 3.0)], Scale::Log);
        let Kind::Lines(of_chart) = &mut chart.kind else { unreachable!() };
        of_chart.marks = vec![(1e4, "far".to_owned())];
        assert!(chart.svg(Theme::Light, Language::English).contains("10,000"));
    }
}
