//! The scenes every peer is measured on, made from a seed.

use embate::Aabb;
use embate_lab::random::Random;

/// Study C's world, kept at the density it has with 5,000 objects: sizes 5 to 50.
pub fn uniform_2d(count: u32) -> Vec<Aabb<2>> {
    let mut random = Random::for_purpose(1, &[2, u64::from(count)]);
    let side = 2_000.0 * (count as f32 / 5_000.0).sqrt();
    let object = |_| {
        let size: [f32; 2] = core::array::from_fn(|_| random.between(5.0, 50.0));
        let min = core::array::from_fn(|axis| random.between(0.0, side - size[axis]));
        with_size(min, size)
    };
    (0..count).map(object).collect()
}

/// Sizes 0.5 to 1.5, about two pairs an object.
pub fn uniform_3d(count: u32) -> Vec<Aabb<3>> {
    let mut random = Random::for_purpose(1, &[3, u64::from(count)]);
    let side = (count as f32 * 2.0).cbrt();
    (0..count).map(|_| cube(&mut random, side, 1.0)).collect()
}

/// The same in clumps, about four pairs an object.
pub fn clustered_3d(count: u32) -> Vec<Aabb<3>> {
    let mut random = Random::for_purpose(2, &[3, u64::from(count)]);
    let side = (count as f32 * 6.0).cbrt();
    let clumps: Vec<Aabb<3>> = (0..64).map(|_| cube(&mut random, side, 1.0)).collect();
    let object = |_| {
        let centre = clumps[random.below(64) as usize].min;
        let mut b = cube(&mut random, side, 1.0);
        for axis in 0..3 {
            // The sum of three is densest in the middle of a clump.
            let spread = (random.unit() + random.unit() + random.unit() - 1.5) * side * 0.22;
            let move_by = centre[axis] + spread - b.min[axis];
            b.min[axis] += move_by;
            b.max[axis] += move_by;
        }
        b
    };
    (0..count).map(object).collect()
}

/// Sizes over a factor of a thousand, small ones most frequent; about one pair an object.
pub fn heavy_3d(count: u32) -> Vec<Aabb<3>> {
    let mut random = Random::for_purpose(3, &[3, u64::from(count)]);
    let side = (count as f32 * 2.0).cbrt();
    let object = |_| {
        // Pareto: half are below 0.2, one in a thousand is above 5.
        let share = random.unit();
        let size = 0.03 / (1.0 - share * 0.999).max(1e-3);
        cube(&mut random, side, size)
    };
    (0..count).map(object).collect()
}

fn cube(random: &mut Random, side: f32, scale: f32) -> Aabb<3> {
    let size = core::array::from_fn(|_| scale * random.between(0.5, 1.5));
    with_size(core::array::from_fn(|_| random.between(0.0, side)), size)
}

fn with_size<const D: usize>(min: [f32; D], size: [f32; D]) -> Aabb<D> {
    Aabb { min, max: core::array::from_fn(|axis| min[axis] + size[axis]) }
}
