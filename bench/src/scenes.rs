//! The scenes every peer is measured on, made from a seed.
//!
//! What decides a scene's cost is how many pairs an object has: 2D uniform 2.1, 3D uniform 2.0,
//! clustered 4.1, heavy 0.9, whatever the number of boxes (the tests hold them within a tenth).

use embate::Aabb;
use embate_lab::random::Random;

/// Study C's objects, sizes 5 to 50, at the density its world has with 5,000 of them.
pub fn uniform_2d(count: u32) -> Vec<Aabb<2>> {
    let mut random = Random::for_purpose(1, &[2, u64::from(count)]);
    // 2,000 in the study, with 1.9 pairs an object.
    let side = 1_910.0 * (count as f32 / 5_000.0).sqrt();
    let object = |_| {
        let size: [f32; 2] = core::array::from_fn(|_| random.between(5.0, 50.0));
        let min = core::array::from_fn(|axis| random.between(0.0, side - size[axis]));
        with_size(min, size)
    };
    (0..count).map(object).collect()
}

/// Sizes 0.5 to 1.5.
pub fn uniform_3d(count: u32) -> Vec<Aabb<3>> {
    let mut random = Random::for_purpose(1, &[3, u64::from(count)]);
    let side = (count as f32 * 1.9).cbrt();
    (0..count).map(|_| cube(&mut random, side, 1.0)).collect()
}

/// The same in 64 clumps, denser in their middle, which overlap each other here and there.
pub fn clustered_3d(count: u32) -> Vec<Aabb<3>> {
    let mut random = Random::for_purpose(2, &[3, u64::from(count)]);
    let side = (count as f32 * 6.0).cbrt();
    let clumps: Vec<Aabb<3>> = (0..64).map(|_| cube(&mut random, side, 1.0)).collect();
    let object = |_| {
        let centre = clumps[random.below(64) as usize].min;
        let mut b = cube(&mut random, side, 1.0);
        for axis in 0..3 {
            // The sum of three is densest in the middle of a clump.
            let spread = (random.unit() + random.unit() + random.unit() - 1.5) * side * 0.0775;
            let move_by = centre[axis] + spread - b.min[axis];
            b.min[axis] += move_by;
            b.max[axis] += move_by;
        }
        b
    };
    (0..count).map(object).collect()
}

/// Sizes 0.03 to 30, small ones most frequent: twice the size is half as frequent.
pub fn heavy<const D: usize>(count: u32) -> Vec<Aabb<D>> {
    let mut random = Random::for_purpose(3, &[D as u64, u64::from(count)]);
    let side = if D == 2 { (count as f32 * 1.38).sqrt() } else { (count as f32 * 12.6).cbrt() };
    let object = |_| {
        // A factor of 333 here, of three in `cube`.
        let size = 0.06 / (1.0 - random.unit() * 0.997);
        cube(&mut random, side, size)
    };
    (0..count).map(object).collect()
}

/// Moves the boxes of these numbers by a twentieth of their size: eight frames away in a direction of
/// their own, then eight back, so that boxes meet new neighbours and no scene thins out.
pub fn step<const D: usize>(boxes: &mut [Aabb<D>], movers: &[u32], frame: u32) {
    const STEP: f32 = 0.05;
    let home = if (frame / 8).is_multiple_of(2) { STEP } else { -STEP };
    for &mover in movers {
        let b = &mut boxes[mover as usize];
        // Neighbours in the list get unlike directions.
        let ways = mover.wrapping_mul(0x9e37_79b9) >> 16;
        for axis in 0..D {
            let size = b.max[axis] - b.min[axis];
            b.min[axis] += if ways >> axis & 1 == 0 { home } else { -home } * size;
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

    fn holds<const D: usize>(
        name: &str,
        scene: fn(u32) -> Vec<Aabb<D>>,
        pairs_an_object: f64,
        counts: &[u32],
    ) {
        for &count in counts {
            let mut boxes = scene(count);
            let movers: Vec<u32> = (0..count).collect();
            for frame in 0..=8 {
                // As made, and as far away as they go.
                if frame % 8 == 0 {
                    let found = overlapping_pairs(&boxes).unwrap().len() as f64 / f64::from(count);
                    let off = found / pairs_an_object - 1.0;
                    assert!(off.abs() < 0.1, "{name}, {count} boxes, frame {frame}: {found:.2}");
                }
                step(&mut boxes, &movers, frame);
            }
        }
    }

    #[test]
    fn uniform_scenes_have_two_pairs_an_object() {
        holds("2d-uniform", uniform_2d, 2.1, &[5_000, 100_000]);
        holds("3d-uniform", uniform_3d, 2.0, &[10_000, 100_000]);
    }

    #[test]
    fn clustered_scenes_have_four_pairs_an_object() {
        holds("3d-clustered", clustered_3d, 4.1, &[100_000, 1_000_000]);
    }

    #[test]
    fn heavy_scenes_have_one_pair_an_object_and_sizes_over_a_factor_of_a_thousand() {
        holds("3d-heavy", heavy::<3>, 0.9, &[100_000, 1_000_000]);
        holds("2d-heavy", heavy::<2>, 0.9, &[100_000]);
        let mut sizes: Vec<f32> = heavy::<3>(100_000)
            .iter()
            .flat_map(|b| [0, 1, 2].map(|axis| b.max[axis] - b.min[axis]))
            .collect();
        sizes.sort_by(f32::total_cmp);
        let factor = sizes[sizes.len() - 1] / sizes[0];
        assert!((800.0..1_200.0).contains(&factor), "{factor}");
    }
}
