//! Spring integration: exact for slow springs, implicit for stiff ones.
//!
//! A sub-step maps distance and velocity to the next: v' = d·v − s·x, x' = x + h·v'. Its
//! determinant is d and its trace 1 + d − h·s; those of the true motion of a damped spring over the
//! time h are e^(−2a) and 2·e^(−a)·cos b, with a = c·h/2m and b² = k·h²/m − a². Solved for d and s,
//! a spring oscillates with its true period, and without damping it never loses amplitude, whatever
//! the number of sub-steps.
//!
//! That holds for one spring. Several springs on one body add up, and stay stable while all of them
//! together are slow for the sub-step. Stiff ones are solved implicitly with the joints, as soft
//! constraints, as other engines do with all springs. They lose their oscillation, which only lasts
//! a few sub-steps.

use crate::dynamics::solver::Softness;

/// Phase angle per sub-step above which a spring is stiff, in radians: 19 Hz at 240 sub-steps per
/// second.
const STIFF_ANGLE: f64 = 0.5;

/// Integration of a spring over one sub-step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SpringStep {
    /// Velocity change −(`loss` · velocity + `gain` · error), exact for a single spring.
    Explicit { loss: f32, gain: f32 },
    /// Soft constraint, solved with the joints.
    Implicit(Softness),
}

impl SpringStep {
    /// Squared phase angle of a spring per sub-step of `h` seconds, at most [`STIFF_ANGLE`] squared
    /// if it is slow. The ratios of several springs on one body add up to that of all.
    pub(super) fn stiffness_ratio(stiffness: f32, damping: f32, inverse_mass: f32, h: f32) -> f64 {
        let (inverse_mass, h) = (f64::from(inverse_mass), f64::from(h));
        let angle_squared = f64::from(stiffness) * inverse_mass * h * h;
        // Damping as a share of its own limit: shares add up, their squares do not.
        let damping_share = 0.5 * f64::from(damping) * inverse_mass * h * STIFF_ANGLE;
        if angle_squared > damping_share { angle_squared } else { damping_share }
    }

    /// For a spring of `stiffness` N/m and `damping` N·s/m between bodies of this inverse effective
    /// mass, where `total_stiffness_ratio` is the sum over all springs of its bodies.
    pub(super) fn new(
        stiffness: f32,
        damping: f32,
        inverse_mass: f32,
        total_stiffness_ratio: f64,
        h: f32,
    ) -> Self {
        let (k, c) = (f64::from(stiffness), f64::from(damping));
        let (inverse_mass, h) = (f64::from(inverse_mass), f64::from(h));
        let angle_squared = k * inverse_mass * h * h;
        let a = 0.5 * c * inverse_mass * h;
        let limit_squared = STIFF_ANGLE * STIFF_ANGLE;
        if total_stiffness_ratio <= limit_squared
            && angle_squared <= limit_squared
            && a <= STIFF_ANGLE
        {
            let decay = exp_neg(a);
            let loss = 1.0 - decay * decay;
            let trace = 2.0 * decay * cos_sqrt(angle_squared - a * a);
            let gain = (2.0 - loss - trace) / h;
            return Self::Explicit { loss: loss as f32, gain: gain as f32 };
        }
        // An implicit step: λ = −(Ċ + C·k/q + λ·/(h·q)) / (1/m + 1/(h·q)), with q = c + h·k.
        let q = c + h * k;
        if q * inverse_mass <= 0.0 {
            return Self::Explicit { loss: 0.0, gain: 0.0 };
        }
        let compliance = 1.0 / (h * q * inverse_mass);
        let mass_scale = 1.0 / (1.0 + compliance);
        Self::Implicit(Softness {
            bias_rate: (k / q) as f32,
            mass_scale: mass_scale as f32,
            impulse_scale: (compliance * mass_scale) as f32,
        })
    }
}

/// e^(−x) for 0 ≤ x ≤ ½, with an error below 1e-9 (Taylor series).
fn exp_neg(x: f64) -> f64 {
    let mut sum = 1.0;
    for term in (1..=9).rev() {
        sum = 1.0 - x / f64::from(term) * sum;
    }
    sum
}

/// cos √x for −¼ ≤ x ≤ ¼ (cosh √−x for negative x), with an error below 1e-9 (Taylor series).
fn cos_sqrt(x: f64) -> f64 {
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
    fn series_are_accurate_at_the_ends_of_their_ranges() {
        assert!((exp_neg(0.5) - 0.606_530_659_712_633_4).abs() < 1e-9);
        assert!((cos_sqrt(0.25) - 0.877_582_561_890_372_8).abs() < 1e-9);
        assert!((cos_sqrt(-0.25) - 1.127_625_965_206_380_7).abs() < 1e-9);
    }
}
