//! Scenes of boxes, generated from a seed.
//!
//! The cost of a scene is determined by the number of pairs per object: 2.1 for 2D uniform, 2.0 for
//! 3D uniform, 4.1 for clustered and 0.9 for heavy, for any number of boxes (tested within 10 %).

use embate::Aabb;
use embate_scene::random::Random;

/// The objects of Gonçales et al. 2016, with sizes 5 to 50, at the density of its world with 5,000
/// objects.
pub fn uniform_2d(count: u32) -> Vec<Aabb<2>> {
    let mut random = Random::for_purpose(1, &[2, u64::from(count)]);
    // The publication uses 2,000, which gives 1.9 pairs per object.
    let side = 1_910.0 * (count as f32 / 5_000.0).sqrt();
    let object = |_| {
        let size: [f32; 2] = core::array::from_fn(|_| random.between(5.0, 50.0));
        let min = core::array::from_fn(|axis| random.between(0.0, side - size[axis]));
        with_size(min, size)
    };
    (0..count).map(object).collect()
}

/// Uniform boxes with sizes 0.5 to 1.5.
pub fn uniform_3d(count: u32) -> Vec<Aabb<3>> {
    let mut random = Random::for_purpose(1, &[3, u64::from(count)]);
    let side = (count as f32 * 1.9).cbrt();
    (0..count).map(|_| cube(&mut random, side, 1.0)).collect()
}

/// Boxes of the same sizes in 64 clusters, denser in the center, some of which overlap.
pub fn clustered_3d(count: u32) -> Vec<Aabb<3>> {
    let mut random = Random::for_purpose(2, &[3, u64::from(count)]);
    let side = (count as f32 * 6.0).cbrt();
    let clusters: Vec<Aabb<3>> = (0..64).map(|_| cube(&mut random, side, 1.0)).collect();
    let object = |_| {
        let center = clusters[random.below(64) as usize].min;
        let mut b = cube(&mut random, side, 1.0);
        for axis in 0..3 {
            // The sum of three uniform numbers is densest in the middle.
            let spread = (random.unit() + random.unit() + random.unit() - 1.5) * side * 0.0775;
            let offset = center[axis] + spread - b.min[axis];
            b.min[axis] += offset;
            b.max[axis] += offset;
        }
        b
    };
    (0..count).map(object).collect()
}

/// Heavy-tailed sizes, 0.03 to 30: twice the size is half as frequent.
pub fn heavy<const D: usize>(count: u32) -> Vec<Aabb<D>> {
    let mut random = Random::for_purpose(3, &[D as u64, u64::from(count)]);
    let side = if D == 2 { (count as f32 * 1.38).sqrt() } else { (count as f32 * 12.6).cbrt() };
    let object = |_| {
        // A factor of 333 here and of 3 in `cube`.
        let size = 0.06 / (1.0 - random.unit() * 0.997);
        cube(&mut random, side, size)
    };
    (0..count).map(object).collect()
}

/// Moves the boxes `movers` by 5 % of their size: eight frames in a direction of their own, then
/// eight back, so that the pairs change and the density stays.
pub fn step<const D: usize>(boxes: &mut [Aabb<D>], movers: &[u32], frame: u32) {
    const STEP: f32 = 0.05;
    let step = if (frame / 8).is_multiple_of(2) { STEP } else { -STEP };
    for &mover in movers {
        let b = &mut boxes[mover as usize];
        // Consecutive boxes get different directions.
        let directions = mover.wrapping_mul(0x9e37_79b9) >> 16;
        for axis in 0..D {
            let size = b.max[axis] - b.min[axis];
            b.min[axis] += if directions >> axis & 1 == 0 { step } else { -step } * size;
            b.max[axis] = b.min[axis] + size;
        }
    }
}

fn cube<const D: usize>(random: &mut Random, side: f32, scale: f32) -> Aabb<D> {
    let size = core::array::from_fn(|_| scale * random.between(0.5, 1.5));
    with_size(core::array::from_fn(|_| random.between(0.0, side)), size)
}

fn with_size<const D: usize>(min: [f32; D], size: [f32; D]) -> Aabb<D> {
    Aabb { min, max: core::array::from_fn(|axis| min[axis] + size[axis]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use embate::broad_phase::overlapping_pairs;

    fn assert_pairs_per_object<const D: usize>(
        name: &str,
        scene: fn(u32) -> Vec<Aabb<D>>,
        expected: f64,
        counts: &[u32],
    ) {
        for &count in counts {
            let mut boxes = scene(count);
            let movers: Vec<u32> = (0..count).collect();
            for frame in 0..=8 {
                // At the initial positions and at the largest displacement.
                if frame % 8 == 0 {
                    let found = overlapping_pairs(&boxes).unwrap().len() as f64 / f64::from(count);
                    let off = found / expected - 1.0;
                    assert!(off.abs() < 0.1, "{name}, {count} boxes, frame {frame}: {found:.2}");
                }
                step(&mut boxes, &movers, frame);
            }
        }
    }

    #[test]
    fn uniform_scenes_have_two_pairs_per_object() {
        assert_pairs_per_object("2d-uniform", uniform_2d, 2.1, &[5_000, 100_000]);
        assert_pairs_per_object("3d-uniform", uniform_3d, 2.0, &[10_000, 100_000]);
    }

    #[test]
    fn clustered_scenes_have_four_pairs_per_object() {
        assert_pairs_per_object("3d-clustered", clustered_3d, 4.1, &[100_000, 1_000_000]);
    }

    #[test]
    fn heavy_scenes_have_one_pair_per_object_and_a_size_ratio_of_a_thousand() {
        assert_pairs_per_object("3d-heavy", heavy::<3>, 0.9, &[100_000, 1_000_000]);
        assert_pairs_per_object("2d-heavy", heavy::<2>, 0.9, &[100_000]);
        let mut sizes: Vec<f32> = heavy::<3>(100_000)
            .iter()
            .flat_map(|b| [0, 1, 2].map(|axis| b.max[axis] - b.min[axis]))
            .collect();
        sizes.sort_by(f32::total_cmp);
        let factor = sizes[sizes.len() - 1] / sizes[0];
        assert!((800.0..1_200.0).contains(&factor), "{factor}");
    }
}
