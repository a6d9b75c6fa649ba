//! The one door to arithmetic whose bits a platform could choose.
//!
//! `+ - * /` and `sqrt` are exact by IEEE 754 and need no door. `std`'s sin, cos and their like
//! call the platform's own library (measured: they differ between native and wasm), and `f32::min`
//! leaves the sign of a zero open. Everything in Embate that needs these takes them from here.

/// The smaller of two; `b` when either is NaN or both are equal.
#[inline]
#[must_use]
pub fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The larger of two; `b` when either is NaN or both are equal.
#[inline]
#[must_use]
pub fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Sine and cosine of an angle in radians.
#[inline]
#[must_use]
pub fn sin_cos(angle: f32) -> (f32, f32) {
    libm::sincosf(angle)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_nan_and_a_tie_give_the_second_argument() {
        assert_eq!(min(f32::NAN, 1.0), 1.0);
        assert!(min(1.0, f32::NAN).is_nan());
        assert!(max(0.0, -0.0).is_sign_negative());
        assert!(max(-0.0, 0.0).is_sign_positive());
    }

    #[test]
    fn sine_and_cosine_have_the_same_bits_everywhere() {
        let (sin, cos) = sin_cos(1.0);
        assert_eq!((sin.to_bits(), cos.to_bits()), (0x3f57_6aa4, 0x3f0a_5140));
    }
}
