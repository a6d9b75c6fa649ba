//! Random numbers of scenes: `SplitMix64` (Steele, Lea, Flood 2014).
//!
//! Implemented here because a library may change how it converts bits to numbers, and then every
//! published seed would give another scene.

use embate::math::scalar;

/// A stream of random numbers, the same on every platform.
#[derive(Clone, Debug)]
pub struct Random {
    state: u64,
}

impl Random {
    /// The stream of a seed.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    /// A stream of its own for each `purpose` under one seed: scene 7 is the same scene whether or
    /// not scenes 0 to 6 were made before it.
    #[must_use]
    pub fn for_purpose(seed: u64, purpose: &[u64]) -> Self {
        let mut random = Self::new(seed);
        for &word in purpose {
            random.state = random.bits() ^ word;
        }
        random.state = random.bits();
        random
    }

    /// 64 random bits.
    #[inline]
    pub fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform in `0.0..1.0`, in steps of 2⁻²⁴, every one of them exact.
    #[inline]
    pub fn unit(&mut self) -> f32 {
        (self.bits() >> 40) as f32 / 16_777_216.0
    }

    /// Uniform in `0.0..1.0`, in steps of 2⁻⁵³.
    #[inline]
    pub fn unit_f64(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// Uniform between `low` and `high`.
    #[inline]
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    /// Uniform in `0..n`. The bias of at most n / 2⁶⁴ shows in no experiment.
    ///
    /// # Panics
    /// If `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "nothing is below 0");
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u32
    }

    /// A unit vector, every direction as likely: by a uniform angle, in 3D and a uniform height
    /// (Archimedes: slices of a sphere of equal height have equal area).
    pub fn direction<const D: usize>(&mut self) -> [f32; D] {
        let (sin, cos) = scalar::sin_cos(core::f32::consts::TAU * self.unit());
        let mut direction = [0.0; D];
        let around = if D == 3 {
            let height = self.between(-1.0, 1.0);
            direction[2] = height;
            (1.0 - height * height).sqrt()
        } else {
            1.0
        };
        direction[0] = cos * around;
        direction[1] = sin * around;
        direction
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of the published generator for seed 1234567.
    #[test]
    fn generator_yields_the_published_stream() {
        let mut random = Random::new(1_234_567);
        assert_eq!(random.bits(), 6_457_827_717_110_365_317);
        assert_eq!(random.bits(), 3_203_168_211_198_807_973);
    }

    #[test]
    fn numbers_are_within_their_range() {
        let mut random = Random::new(7);
        for _ in 0..10_000 {
            assert!((0.0..1.0).contains(&random.unit()));
            assert!((0.0..1.0).contains(&random.unit_f64()));
            assert!((-5.0..=5.0).contains(&random.between(-5.0, 5.0)));
            assert!(random.below(3) < 3);
        }
    }

    #[test]
    fn streams_of_different_purposes_differ() {
        let first = |purpose: &[u64]| Random::for_purpose(42, purpose).bits();
        let streams = [first(&[]), first(&[0]), first(&[1]), first(&[0, 1]), first(&[1, 0])];
        for (i, a) in streams.iter().enumerate() {
            assert!(streams[..i].iter().all(|b| a != b));
        }
    }
}
