//! Deterministic random numbers for tests: `SplitMix64` (Steele, Lea, Flood 2014).
//!
//! The same seed gives the same sequence on every platform. Vectors are plain arrays, so that the unit
//! tests of every crate can use this one without a dependency cycle.

/// `SplitMix64` generator. Period 2^64; every seed is valid.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// A generator whose sequence is a function of `seed` alone.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Uniform over all 64-bit integers.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    /// Uniform over all 32-bit integers.
    pub fn next_u32(&mut self) -> u32 {
        (self.next_u64() >> 32) as u32
    }

    /// Uniform in `0..end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        // Multiply and shift (Lemire 2019); the bias is below 2^-32 for the sizes tests use.
        ((u128::from(self.next_u64()) * end as u128) >> 64) as usize
    }

    /// `true` with probability 1/2.
    pub fn coin(&mut self) -> bool {
        self.next_u64() >> 63 == 1
    }

    /// Uniform in `0.0..1.0`, a multiple of 2^-24.
    pub fn unit(&mut self) -> f32 {
        (self.next_u64() >> 40) as f32 / 16_777_216.0
    }

    /// Uniform in `0.0..1.0`, a multiple of 2^-53.
    pub fn unit_f64(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// Uniform in `low..high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        low + self.unit() * (high - low)
    }

    /// Uniform in `-1.0..1.0`.
    pub fn signed_unit(&mut self) -> f32 {
        self.between(-1.0, 1.0)
    }

    /// A point whose coordinates are uniform in `low..high`.
    pub fn point(&mut self, low: f32, high: f32) -> [f32; 3] {
        [self.between(low, high), self.between(low, high), self.between(low, high)]
    }

    /// A direction of length 1, uniform on the sphere.
    pub fn unit_vector(&mut self) -> [f32; 3] {
        self.on_sphere::<3>()
    }

    /// A unit quaternion `[x, y, z, w]`, uniform over rotations.
    pub fn unit_quaternion(&mut self) -> [f32; 4] {
        self.on_sphere::<4>()
    }

    /// Rejection from the cube: no transcendental function, hence the same bits everywhere.
    fn on_sphere<const N: usize>(&mut self) -> [f32; N] {
        loop {
            let point: [f32; N] = core::array::from_fn(|_| self.signed_unit());
            let squared: f32 = point.iter().map(|x| x * x).sum();
            if (1e-3..=1.0).contains(&squared) {
                return point.map(|x| x / squared.sqrt());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequence_is_a_function_of_the_seed() {
        let sequence = |seed| {
            let mut rng = Rng::new(seed);
            [rng.next_u64(), rng.next_u64()]
        };
        assert_eq!(sequence(1), sequence(1));
        assert_ne!(sequence(1), sequence(2));
        // First output of the reference implementation for seed 0.
        assert_eq!(Rng::new(0).next_u64(), 0xE220_A839_7B1D_CDAF);
    }

    #[test]
    fn numbers_stay_in_their_ranges_and_fill_them() {
        let mut rng = Rng::new(7);
        let mut counts = [0; 10];
        for _ in 0..10_000 {
            counts[rng.below(10)] += 1;
            assert!((0.0..1.0).contains(&rng.unit()) && (0.0..1.0).contains(&rng.unit_f64()));
            assert!((-3.0..5.0).contains(&rng.between(-3.0, 5.0)));
            let length: f32 = rng.unit_vector().iter().map(|x| x * x).sum::<f32>().sqrt();
            assert!((length - 1.0).abs() < 1e-6);
        }
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
        assert_eq!(rng.below(0), 0);
    }
}
