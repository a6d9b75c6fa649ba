//! Markers: series differ by shape as well as by color.

use std::f64::consts::TAU;
use std::fmt::Write;

use kuva::render::color::Color;
use kuva::render::render::{PathData, Primitive, Scene};

/// Half the width of a marker in pixels: large enough to distinguish shapes in print.
const RADIUS: f64 = 4.6;
const OUTLINE: f64 = 1.6;

/// A hollow marker is larger, so that it rings a filled one in the same place instead of hiding it.
const HOLLOW: f64 = 1.5;

/// Draws the marker of `style` at a place on the canvas.
pub(super) fn draw(scene: &mut Scene, style: usize, (x, y): (f64, f64), color: &str, hollow: bool) {
    let radius = if hollow { RADIUS * HOLLOW } else { RADIUS };
    scene.add(Primitive::Path(Box::new(PathData {
        d: outline(style, x, y, radius),
        fill: (!hollow).then(|| Color::from(color)),
        stroke: Color::from(color),
        stroke_width: OUTLINE,
        opacity: None,
        stroke_dasharray: None,
    })));
}

fn outline(style: usize, x: f64, y: f64, radius: f64) -> String {
    // Corners, the turn of the first corner from "up", and a size that makes areas look alike.
    let (corners, turn, size) = match style % 7 {
        0 => return circle(x, y, radius),
        1 => (4, 0.125, 1.15),
        2 => (3, 0.0, 1.25),
        3 => (4, 0.0, 1.25),
        4 => (3, 0.5, 1.25),
        5 => (6, 0.0, 1.05),
        _ => return plus(x, y, radius),
    };
    let corner = |number: u32| {
        let angle = TAU * (f64::from(number) / f64::from(corners) + turn);
        (x + radius * size * angle.sin(), y - radius * size * angle.cos())
    };
    polygon((0..corners).map(corner))
}

fn circle(x: f64, y: f64, radius: f64) -> String {
    let (left, right) = (x - radius, x + radius);
    format!(
        "M{left:.2} {y:.2}A{radius} {radius} 0 1 1 {right:.2} {y:.2}\
         A{radius} {radius} 0 1 1 {left:.2} {y:.2}Z"
    )
}

fn plus(x: f64, y: f64, radius: f64) -> String {
    let (arm, half) = (radius * 1.15, radius * 0.4);
    let corners = [
        (-half, -arm),
        (half, -arm),
        (half, -half),
        (arm, -half),
        (arm, half),
        (half, half),
        (half, arm),
        (-half, arm),
        (-half, half),
        (-arm, half),
        (-arm, -half),
        (-half, -half),
    ];
    polygon(corners.into_iter().map(|(dx, dy)| (x + dx, y + dy)))
}

fn polygon(corners: impl Iterator<Item = (f64, f64)>) -> String {
    let mut path = String::new();
    for (place, (x, y)) in corners.enumerate() {
        let _ = write!(path, "{}{x:.2} {y:.2}", if place == 0 { 'M' } else { 'L' });
    }
    path.push('Z');
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_seven_series_have_distinct_markers() {
        let shapes: std::collections::BTreeSet<_> =
            (0..7).map(|style| outline(style, 10.0, 10.0, RADIUS)).collect();
        assert_eq!(shapes.len(), 7);
    }
}
