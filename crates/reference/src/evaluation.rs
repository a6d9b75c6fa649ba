//! Errors of an answer of the engine: distance, normal, closest points and manifold points.
//!
//! A normal is not compared with the reference normal: two concentric boxes have six of minimum
//! penetration. Its error is the separation along it, compared with the true separation.

use super::math::Point;
use super::separation::{SeparationTruth, true_separation};
use super::separation::{separation_along_axis, true_separation_of_point};
use super::solid::Solid;

/// Closest points of two shapes A and B, as returned by the engine.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    /// Negative where they overlap.
    pub distance: f64,
    /// Unit normal from A to B.
    pub normal: Point,
    /// On the surface of each.
    pub points: [Point; 2],
}

/// Errors of an [`Answer`], in units of length except `unit`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    /// Of the distance or depth.
    pub distance: f64,
    /// True separation minus the separation along the normal.
    pub normal: f64,
    /// Distance of the points from the surfaces.
    pub surface: f64,
    /// Deviation of the offset of the points from `normal * distance`.
    pub opposite: f64,
    /// Deviation of the length of the normal from 1.
    pub unit: f64,
}

impl Errors {
    /// Component-wise maximum; NaN counts as infinity.
    #[must_use]
    pub fn worst(self, other: Self) -> Self {
        let worse = |a: f64, b: f64| {
            if a.is_nan() || b.is_nan() { f64::INFINITY } else { a.max(b) }
        };
        Self {
            distance: worse(self.distance, other.distance),
            normal: worse(self.normal, other.normal),
            surface: worse(self.surface, other.surface),
            opposite: worse(self.opposite, other.opposite),
            unit: worse(self.unit, other.unit),
        }
    }

    /// Relative to a length; `unit` is unchanged.
    #[must_use]
    pub fn relative_to(self, length: f64) -> Self {
        Self {
            distance: self.distance / length,
            normal: self.normal / length,
            surface: self.surface / length,
            opposite: self.opposite / length,
            unit: self.unit,
        }
    }
}

/// Errors of distance, normal and closest points, and the true separation.
#[must_use]
pub fn evaluate(a: &Solid, b: &Solid, answer: &Answer) -> (Errors, SeparationTruth) {
    let truth = true_separation(a, b);
    let mut errors = evaluate_normal(a, b, answer.normal, &truth);
    let [on_a, on_b] = answer.points;
    let surface = |solid, at| true_separation_of_point(solid, at).abs();
    let surfaces = [surface(a, on_a), surface(b, on_b)].map(Errors::surface);
    errors.distance = (answer.distance - truth.separation).abs();
    errors.opposite = (on_b - on_a - answer.normal * answer.distance).length();
    // `worst` maps NaN to infinity.
    (Errors::default().worst(errors).worst(surfaces[0]).worst(surfaces[1]), truth)
}

/// Errors of the normal alone.
#[must_use]
pub fn evaluate_normal(a: &Solid, b: &Solid, normal: Point, truth: &SeparationTruth) -> Errors {
    let unit = (normal.length() - 1.0).abs();
    let normal = match normal.unit() {
        Some(normal) => truth.separation - separation_along_axis(a, b, normal),
        None => f64::INFINITY,
    };
    Errors::default().worst(Errors { normal, unit, ..Errors::default() })
}

/// Signed distances of a manifold point, moved by half the penetration along the normal to either
/// side, from the surfaces of A (moved towards B) and B. Positive outside the body.
#[must_use]
pub fn evaluate_point(a: &Solid, b: &Solid, normal: Point, point: Point, depth: f64) -> [f64; 2] {
    let half = normal * (depth / 2.0);
    [true_separation_of_point(a, point + half), true_separation_of_point(b, point - half)]
}

impl Errors {
    fn surface(surface: f64) -> Self {
        Self { surface, ..Self::default() }
    }
}
