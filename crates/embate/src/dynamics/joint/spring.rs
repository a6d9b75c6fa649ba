//! What does a spring do to two bodies in one sub-step?
//!
//! A sub-step maps distance and speed to the next: v' = d·v − s·x, x' = x + h·v'. Its determinant is d and its
//! trace 1 + d − h·s; those of the true motion of a damped spring over the time h are e^(−2a) and
//! 2·e^(−a)·cos b, with a = c·h/2m and b² = k·h²/m − a². Solved for d and s, a spring swings with its true
//! period, and without damping it goes on for ever, however many sub-steps it has.
//!
//! That holds for one spring. Several on one body add up, and stay stable while all of them together are slow for
//! the sub-step. Fast ones are solved with the joints instead, softly, as all others do with all springs: they
//! lose their swing, which nobody sees within a few sub-steps.

use super::super::prepare::Softness;

/// A spring whose angle in a sub-step is beyond this (in radians) is fast: 19 Hz at 240 sub-steps a second.
const SLOW: f64 = 0.5;

/// What a spring does in a sub-step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Swing {
    /// Takes `loss` of the speed, and gives `gain` for each metre of its error.
    Slow { loss: f32, gain: f32 },
    /// Is held softly.
    Fast(Softness),
}

impl Swing {
    /// How fast a spring is for a sub-step of length `h`, up to [`SLOW`] squared if it is slow. Those of several
    /// springs on one body add up to that of all.
    pub(super) fn haste(stiffness: f32, damping: f32, inverse_mass: f32, h: f32) -> f64 {
        let (inverse_mass, h) = (f64::from(inverse_mass), f64::from(h));
        let square = f64::from(stiffness) * inverse_mass * h * h;
        // As much of it as of `SLOW` the share is: shares add up, not their squares.
        let share = 0.5 * f64::from(damping) * inverse_mass * h * SLOW;
        if square > share { square } else { share }
    }

    /// Of a spring (N/m) with damping (N·s/m) that moves this inverse mass, for a sub-step of length `h`, where
    /// all springs of its bodies have the haste `crowd`.
    pub(super) fn new(stiffness: f32, damping: f32, inverse_mass: f32, crowd: f64, h: f32) -> Self {
        let (k, c) = (f64::from(stiffness), f64::from(damping));
        let (inverse_mass, h) = (f64::from(inverse_mass), f64::from(h));
        let square = k * inverse_mass * h * h;
        let a = 0.5 * c * inverse_mass * h;
        if crowd <= SLOW * SLOW && square <= SLOW * SLOW && a <= SLOW {
            let decay = exp_of_minus(a);
            let loss = 1.0 - decay * decay;
            let trace = 2.0 * decay * cos_of_root(square - a * a);
            let gain = (2.0 - loss - trace) / h;
            return Self::Slow { loss: loss as f32, gain: gain as f32 };
        }
        // An implicit step: λ = −(Ċ + C·k/q + λ·/(h·q)) / (1/m + 1/(h·q)), with q = c + h·k.
        let q = c + h * k;
        if q * inverse_mass <= 0.0 {
            return Self::Slow { loss: 0.0, gain: 0.0 };
        }
        let yields = 1.0 / (h * q * inverse_mass);
        let share = 1.0 / (1.0 + yields);
        Self::Fast(Softness {
            rate: (k / q) as f32,
            mass_share: share as f32,
            give: (yields * share) as f32,
        })
    }
}

/// e^(−x) for 0 ≤ x ≤ ½, right to 1e-9.
fn exp_of_minus(x: f64) -> f64 {
    let mut sum = 1.0;
    for term in (1..=9).rev() {
        sum = 1.0 - x / f64::from(term) * sum;
    }
    sum
}

/// cos √x for −¼ ≤ x ≤ ¼ (cosh √−x below 0), right to 1e-9.
fn cos_of_root(x: f64) -> f64 {
    let mut sum = 1.0;
    for term in (1..=5).rev() {
        let n = f64::from(2 * term);
        sum = 1.0 - x / (n * (n - 1.0)) * sum;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_are_right() {
        assert!((exp_of_minus(0.5) - 0.606_530_659_712_633_4).abs() < 1e-9);
        assert!((cos_of_root(0.25) - 0.877_582_561_890_372_8).abs() < 1e-9);
        assert!((cos_of_root(-0.25) - 1.127_625_965_206_380_7).abs() < 1e-9);
    }
}
