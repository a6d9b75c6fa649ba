//! The one door to arithmetic whose bits a platform could choose.
//!
//! `+ - * /` and `sqrt` are exact by IEEE 754 and need no door. `std`'s sin, cos and their like
//! call the platform's own library (measured: they differ between native and wasm), and `f32::min`
//! leaves the sign of a zero open. Everything in Embate that needs these takes them from here.
#![expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]

use fearless_simd::{f32x8, prelude::*};

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

/// [`min`] of eight at once, to the bit.
#[inline(always)]
#[must_use]
pub fn min8<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> f32x8<S> {
    // x86's own minimum is defined so, with NaN and ±0 too, and a fifth of a box test faster. Others differ.
    if cfg!(target_arch = "x86_64") { a.min(b) } else { a.simd_lt(b).select(a, b) }
}

/// [`max`] of eight at once, to the bit.
#[inline(always)]
#[must_use]
pub fn max8<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> f32x8<S> {
    if cfg!(target_arch = "x86_64") { a.max(b) } else { a.simd_gt(b).select(a, b) }
}

/// Sine and cosine of an angle in radians.
#[inline]
#[must_use]
pub fn sin_cos(angle: f32) -> (f32, f32) {
    libm::sincosf(angle)
}

/// Sine and cosine of an angle in radians, in f64.
#[inline]
#[must_use]
pub fn sin_cos_wide(angle: f64) -> (f64, f64) {
    libm::sincos(angle)
}

/// The angle in radians from the first axis to the point `(x, y)`, from −π to π, in f64.
#[inline]
#[must_use]
pub fn atan2_wide(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{Level, dispatch};

    #[test]
    fn a_nan_and_a_tie_give_the_second_argument() {
        assert_eq!(min(f32::NAN, 1.0), 1.0);
        assert!(min(1.0, f32::NAN).is_nan());
        assert!(max(0.0, -0.0).is_sign_negative());
        assert!(max(-0.0, 0.0).is_sign_positive());
    }

    #[test]
    fn eight_at_once_are_as_one() {
        let all = [f32::NAN, 0.0, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, 1e-45];
        let bits = |lanes: [f32; 8]| lanes.map(f32::to_bits);
        for level in [Level::new(), Level::baseline()] {
            for b in all {
                let [least, most] = dispatch!(level, simd => {
                    let (a, b) = (f32x8::simd_from(simd, all), f32x8::splat(simd, b));
                    [min8(a, b).into(), max8(a, b).into()]
                });
                assert_eq!(bits(least), bits(all.map(|a| min(a, b))));
                assert_eq!(bits(most), bits(all.map(|a| max(a, b))));
            }
        }
    }

    #[test]
    fn sine_and_cosine_have_the_same_bits_everywhere() {
        let (sin, cos) = sin_cos(1.0);
        assert_eq!((sin.to_bits(), cos.to_bits()), (0x3f57_6aa4, 0x3f0a_5140));
        let (sin, cos) = sin_cos_wide(1.0);
        assert_eq!((sin.to_bits(), cos.to_bits()), (0x3fea_ed54_8f09_0cee, 0x3fe1_4a28_0fb5_068c));
        assert_eq!(atan2_wide(sin, cos), 1.0);
    }
}
