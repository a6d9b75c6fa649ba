//! Is an answer of the engine true? How far off is it, in each way in which it can be wrong?
//!
//! A claimed normal is not compared with the judge's: of two concentric boxes six are as good. What is
//! asked is what it is worth: moved along it by the claimed distance, do the two only touch?

use super::parting::{gap_along, parting_of_point};
use super::solid::Solid;
use super::space::Point;
use super::{Parting, parting};

/// What the engine says of two shapes A and B.
#[derive(Clone, Copy, Debug)]
pub struct Claim {
    /// Negative where they overlap.
    pub distance: f64,
    /// Unit normal from A to B.
    pub normal: Point,
    /// On the surface of each.
    pub points: [Point; 2],
}

/// How far off a claim is. All lengths, in units of the world, but for `unit`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Errors {
    /// Of the distance or depth.
    pub distance: f64,
    /// By how much the normal parts the shapes less than the best one: a claimed separation that is
    /// none, or a depth that is not the least.
    pub normal: f64,
    /// How far the points are from the surfaces.
    pub surface: f64,
    /// How far the points are from being opposite each other, at the distance, along the normal.
    pub opposite: f64,
    /// How far the length of the normal is from 1.
    pub unit: f64,
}

impl Errors {
    /// The larger of each; a NaN counts as infinitely wrong.
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

    /// As parts of a length; `unit` stays.
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

/// Judges a claim of distance, normal and closest points. Also tells the truth.
#[must_use]
pub fn judge(a: &Solid, b: &Solid, claim: &Claim) -> (Errors, Parting) {
    let truth = parting(a, b);
    let mut errors = judge_normal(a, b, claim.normal, &truth);
    let [on_a, on_b] = claim.points;
    let surface = |solid, at| parting_of_point(solid, at).abs();
    let surfaces = [surface(a, on_a), surface(b, on_b)].map(Errors::surface);
    errors.distance = (claim.distance - truth.separation).abs();
    errors.opposite = (on_b - on_a - claim.normal * claim.distance).length();
    // Once more through `worst`, which makes NaN infinite.
    (Errors::default().worst(errors).worst(surfaces[0]).worst(surfaces[1]), truth)
}

/// Judges the normal of a claim alone.
#[must_use]
pub fn judge_normal(a: &Solid, b: &Solid, claimed: Point, truth: &Parting) -> Errors {
    let unit = (claimed.length() - 1.0).abs();
    let normal = match claimed.unit() {
        Some(normal) => truth.separation - gap_along(a, b, normal),
        None => f64::INFINITY,
    };
    Errors::default().worst(Errors { normal, unit, ..Errors::default() })
}

/// How far the two surfaces are from where a point of a manifold puts them: half the depth along the
/// normal to either side of the point, A's on the side of B. Positive where the place is outside of the
/// body: there is nothing to touch there.
#[must_use]
pub fn judge_point(a: &Solid, b: &Solid, normal: Point, point: Point, depth: f64) -> [f64; 2] {
    let half = normal * (depth / 2.0);
    [parting_of_point(a, point + half), parting_of_point(b, point - half)]
}

impl Errors {
    fn surface(surface: f64) -> Self {
        Self { surface, ..Self::default() }
    }
}
