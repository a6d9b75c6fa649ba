//! Deterministic scalar functions: min, max and trigonometry with the same bits on every platform.
//!
//! `+ - * /` and `sqrt` are fully defined by IEEE 754. `std`'s transcendental functions call the
//! platform's library (measured: they differ between native and wasm), and `f32::min` leaves the
//! sign of zero unspecified. All of Embate uses the functions of this module instead.
#![expect(clippy::inline_always, reason = "vector code belongs inside the dispatched caller")]

use fearless_simd::{f32x8, prelude::*};

/// Minimum; `b` if either is NaN or both are equal.
#[inline]
#[must_use]
pub fn min(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// Maximum; `b` if either is NaN or both are equal.
#[inline]
#[must_use]
pub fn max(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// [`min`] in eight lanes, bit for bit.
#[inline(always)]
#[must_use]
#[doc(alias = "min8")]
pub fn simd_min<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> f32x8<S> {
    // `minps` of x86 has exactly these semantics, including NaN and ±0; a box test is 20 % faster
    // with it. Other architectures differ.
    if cfg!(target_arch = "x86_64") { a.min(b) } else { a.simd_lt(b).select(a, b) }
}

/// [`max`] in eight lanes, bit for bit.
#[inline(always)]
#[must_use]
#[doc(alias = "max8")]
pub fn simd_max<S: Simd>(a: f32x8<S>, b: f32x8<S>) -> f32x8<S> {
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
#[doc(alias = "sin_cos_wide")]
pub fn sin_cos_f64(angle: f64) -> (f64, f64) {
    libm::sincos(angle)
}

/// Angle in radians of the point `(x, y)`, from −π to π, in f64.
#[inline]
#[must_use]
#[doc(alias = "atan2_wide")]
pub fn atan2_f64(y: f64, x: f64) -> f64 {
    libm::atan2(y, x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fearless_simd::{Level, dispatch};

    #[test]
    fn nan_and_ties_return_the_second_argument() {
        assert_eq!(min(f32::NAN, 1.0), 1.0);
        assert!(min(1.0, f32::NAN).is_nan());
        assert!(max(0.0, -0.0).is_sign_negative());
        assert!(max(-0.0, 0.0).is_sign_positive());
    }

    #[test]
    fn simd_min_max_equal_scalar() {
        let all = [f32::NAN, 0.0, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, 1e-45];
        let bits = |lanes: [f32; 8]| lanes.map(f32::to_bits);
        for level in [Level::new(), Level::baseline()] {
            for b in all {
                let [minima, maxima] = dispatch!(level, simd => {
                    let (a, b) = (f32x8::simd_from(simd, all), f32x8::splat(simd, b));
                    [simd_min(a, b).into(), simd_max(a, b).into()]
                });
                assert_eq!(bits(minima), bits(all.map(|a| min(a, b))));
                assert_eq!(bits(maxima), bits(all.map(|a| max(a, b))));
            }
        }
    }

    #[test]
    fn trigonometry_has_pinned_bits() {
        let (sin, cos) = sin_cos(1.0);
        assert_eq!((sin.to_bits(), cos.to_bits()), (0x3f57_6aa4, 0x3f0a_5140));
        let (sin, cos) = sin_cos_f64(1.0);
        assert_eq!((sin.to_bits(), cos.to_bits()), (0x3fea_ed54_8f09_0cee, 0x3fe1_4a28_0fb5_068c));
        assert_eq!(atan2_f64(sin, cos), 1.0);
    }
}
