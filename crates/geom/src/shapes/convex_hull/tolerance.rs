//! How far may a point lie off a plane and still count as on it?

use super::Wide;

/// In steps of f32 at the points' coordinates: turning and moving a point in f32 costs about 3.
const STEPS: f64 = 4.0;
/// A tolerance never takes more than this part of the hull's thickness, or thin hulls would lose their
/// form.
const PART_OF_THICKNESS: f64 = 1.0 / 256.0;

/// What rounding of the input can do to a distance along some direction.
///
/// Along `n` it is `4 ε (|n.x| X + |n.y| Y + |n.z| Z)`, where X, Y, Z are the largest coordinates without
/// their signs: a plate that lies square to an axis keeps all of its precision, however thin it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tolerance {
    scale: Wide,
    cap: f64,
}

impl Tolerance {
    pub(super) fn of(points: &[Wide]) -> Self {
        let largest = |axis: fn(&Wide) -> f64| {
            points.iter().map(|point| axis(point).abs()).fold(0.0, |a, b| if b > a { b } else { a })
        };
        let scale = Wide { x: largest(|p| p.x), y: largest(|p| p.y), z: largest(|p| p.z) };
        Self { scale: scale * (STEPS * f64::from(f32::EPSILON)), cap: f64::INFINITY }
    }

    /// For a hull of this thickness.
    pub(super) fn for_thickness(self, thickness: f64) -> Self {
        Self { cap: thickness * PART_OF_THICKNESS, ..self }
    }

    /// A part of it.
    pub(super) fn times(self, factor: f64) -> Self {
        Self { scale: self.scale * factor, cap: self.cap * factor }
    }

    /// Along a direction of length 1.
    pub(super) fn along(&self, unit: Wide) -> f64 {
        let tolerance = unit.abs().dot(self.scale);
        if tolerance < self.cap { tolerance } else { self.cap }
    }

    /// What storing normals and offsets as f32 adds, which no cap prevents.
    pub(super) fn of_storing(&self, unit: Wide) -> f64 {
        unit.abs().dot(self.scale) / STEPS
    }

    /// Whether an offset is so small that rounding explains it.
    pub(super) fn forgives(&self, offset: Wide) -> bool {
        offset.length() <= self.along(offset.unit())
    }
}
