//! Rounding tolerance of a hull: the distance below which a point counts as lying on a plane.

use crate::shapes::convex_hull::DVec3;

/// Tolerance in ulps of the largest coordinate: rotating and translating a point in f32 costs about
/// 3.
const TOLERANCE_ULPS: f64 = 4.0;
/// Upper limit relative to the hull's thickness: more would change the form of thin hulls.
const MAX_THICKNESS_RATIO: f64 = 1.0 / 256.0;

/// Effect of input rounding on a distance along a direction.
///
/// Along `n` it is `4 ε (|n.x| X + |n.y| Y + |n.z| Z)`, where X, Y, Z are the largest absolute
/// coordinates: an axis-aligned plate keeps its full precision, however thin it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tolerance {
    scale: DVec3,
    max: f64,
}

impl Tolerance {
    /// Tolerance for coordinates of these magnitudes, without an upper limit.
    pub(super) fn of_points(points: &[DVec3]) -> Self {
        let max_abs = |axis: fn(&DVec3) -> f64| {
            points.iter().map(|point| axis(point).abs()).fold(0.0, |a, b| if b > a { b } else { a })
        };
        let scale = DVec3 { x: max_abs(|p| p.x), y: max_abs(|p| p.y), z: max_abs(|p| p.z) };
        Self { scale: scale * (TOLERANCE_ULPS * f64::from(f32::EPSILON)), max: f64::INFINITY }
    }

    /// Limited for a hull of this thickness.
    pub(super) fn for_thickness(self, thickness: f64) -> Self {
        Self { max: thickness * MAX_THICKNESS_RATIO, ..self }
    }

    /// Scaled by `factor`.
    pub(super) fn scaled(self, factor: f64) -> Self {
        Self { scale: self.scale * factor, max: self.max * factor }
    }

    /// Tolerance along a unit direction.
    pub(super) fn along(&self, direction: DVec3) -> f64 {
        let tolerance = direction.abs().dot(self.scale);
        if tolerance < self.max { tolerance } else { self.max }
    }

    /// Error of storing normals and offsets as f32, along a unit direction. The upper limit does
    /// not apply to it.
    pub(super) fn storage_error(&self, direction: DVec3) -> f64 {
        direction.abs().dot(self.scale) / TOLERANCE_ULPS
    }

    /// Whether `offset` is within rounding of zero.
    pub(super) fn is_negligible(&self, offset: DVec3) -> bool {
        offset.length() <= self.along(offset.normalize())
    }
}
