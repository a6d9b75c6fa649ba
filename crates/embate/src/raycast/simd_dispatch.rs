//! SIMD dispatch of ray queries and builders to AVX-512, AVX2 or SSE2; elsewhere to the only level.
//!
//! SSE4.2 is left out: its machine code hardly differs from that for SSE2, and each level lengthens
//! the compile time (`docs/decisions/0012-compile-times.md`).

/// `fearless_simd::dispatch!` without SSE4.2.
macro_rules! dispatch {
    ($level:expr, $simd:ident => $body:expr) => {{
        let level = $level;
        #[cfg(target_arch = "x86_64")]
        {
            if let Some($simd) = level.as_avx512() {
                fearless_simd::Simd::vectorize(
                    $simd,
                    #[inline(always)]
                    || $body,
                )
            } else if let Some($simd) = level.as_avx2() {
                fearless_simd::Simd::vectorize(
                    $simd,
                    #[inline(always)]
                    || $body,
                )
            } else if let Some($simd) = level.as_sse2() {
                fearless_simd::Simd::vectorize(
                    $simd,
                    #[inline(always)]
                    || $body,
                )
            } else {
                unreachable!("x86-64 includes SSE2")
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            fearless_simd::dispatch!(level, $simd => $body)
        }
    }};
}

/// [`dispatch!`] for short queries, which returns from the function. AVX-512 and AVX2 are
/// dispatched inline. SSE2 goes through [`cold`], so that its stack frame is not set up on the hot
/// path.
macro_rules! dispatch_hot {
    ($level:expr, $simd:ident => $body:expr) => {{
        #[cfg(target_arch = "x86_64")]
        {
            if let Some($simd) = $level.as_avx512() {
                return fearless_simd::Simd::vectorize(
                    $simd,
                    #[inline(always)]
                    move || $body,
                );
            }
            if let Some($simd) = $level.as_avx2() {
                return fearless_simd::Simd::vectorize(
                    $simd,
                    #[inline(always)]
                    move || $body,
                );
            }
            if let Some($simd) = $level.as_sse2() {
                return $crate::raycast::simd_dispatch::cold(move || $body);
            }
            unreachable!("x86-64 includes SSE2")
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            fearless_simd::dispatch!($level, $simd => $body)
        }
    }};
}

/// Calls `body` out of line.
#[cfg(target_arch = "x86_64")]
#[inline(never)]
pub(crate) fn cold<R>(body: impl FnOnce() -> R) -> R {
    body()
}
