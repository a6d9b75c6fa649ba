//! Box scenes: difficult distributions of AABBs, each a function of a seed.

use embate::{Aabb, math::scalar};
use embate_scene::random::Random;

/// The distributions, named by their difficulty.
pub const KINDS: [&str; 12] = [
    "uniform",
    "clustered",
    "lattice",
    "heavy",
    "points",
    "identical",
    "one-giant",
    "flat",
    "far-away",
    "stray",
    "denormal",
    "floor",
];

/// `count` boxes of one of the [`KINDS`].
///
/// # Panics
/// If `kind` is not one of them.
#[must_use]
pub fn boxes<const D: usize>(kind: &str, count: u32, seed: u64) -> Vec<Aabb<D>> {
    let mut random = Random::for_purpose(seed, &[D as u64, u64::from(count)]);
    // About four overlaps per box, in 2D and 3D.
    let side = edge_length(count.max(1) as f32 * if D == 2 { 1.2 } else { 2.0 }, D);
    let mut uniform = |size: f32, side: f32| {
        let min: [f32; D] = core::array::from_fn(|_| random.unit() * side);
        let max = core::array::from_fn(|axis| min[axis] + size * random.between(0.5, 1.5));
        Aabb { min, max }
    };
    let mut all: Vec<Aabb<D>> = (0..count).map(|_| uniform(1.0, side)).collect();
    match kind {
        "uniform" => {}
        "clustered" => {
            let centers: Vec<Aabb<D>> = (0..20).map(|_| uniform(1.0, side)).collect();
            for (number, b) in all.iter_mut().enumerate() {
                let center = centers[number % centers.len()].min;
                shift(b, center.map(|c| c - side * 0.5), 0.2);
            }
        }
        // Adjacent cells of equal size: neighbors touch exactly, none overlaps by more.
        "lattice" => {
            let row = (edge_length(count as f32, D) as u32).max(1);
            for (number, b) in (0..).zip(&mut all) {
                b.min = core::array::from_fn(|axis| (number / row.pow(axis as u32) % row) as f32);
                b.max = b.min.map(|min| min + 1.0);
            }
        }
        // Heavy-tailed sizes: the largest is 1,000 times the smallest.
        "heavy" => {
            for (number, b) in all.iter_mut().enumerate() {
                let size = [0.03, 0.1, 0.3, 1.0, 0.03, 0.1, 0.3, 30.0][number % 8];
                let size = if size == 30.0 && number % 64 != 7 { 3.0 } else { size };
                b.max =
                    core::array::from_fn(|axis| b.min[axis] + size * (b.max[axis] - b.min[axis]));
            }
        }
        "points" => all.iter_mut().for_each(|b| {
            b.min = b.min.map(f32::floor);
            b.max = b.min;
        }),
        "identical" => all.iter_mut().for_each(|b| *b = Aabb { min: [3.5; D], max: [4.5; D] }),
        "one-giant" => all[0] = Aabb { min: [-10.0 * side; D], max: [10.0 * side; D] },
        "flat" => all.iter_mut().for_each(|b| {
            b.min[0] = 0.0;
            b.max[0] = 0.0;
        }),
        // The first box lies at the largest allowed distance.
        "stray" => all[0] = Aabb { min: [-1e18; D], max: [-9e17; D] },
        // Subnormal coordinates with few significant bits, and zeros of both signs.
        "denormal" => {
            for (number, b) in all.iter_mut().enumerate() {
                let bits = |n: usize| f32::from_bits((n % 7) as u32);
                b.min = core::array::from_fn(|axis| -bits(number * (axis + 3)));
                b.max = core::array::from_fn(|axis| bits(number * (axis + 2)));
            }
        }
        // Small, sparse boxes on a floor that overlaps all of them.
        "floor" => {
            for b in &mut all[1..] {
                shift(b, [0.0; D], 20.0);
            }
            all[0] = Aabb { min: [-1.0; D], max: [40.0 * side; D] };
            all[0].max[D - 1] = 20.0 * side;
        }
        "far-away" => all.iter_mut().for_each(|b| shift(b, [200_000.0; D], 1.0)),
        _ => panic!("unknown kind of boxes: {kind}"),
    }
    all
}

/// Scales the position of a box, then translates it by `offset`; its size is unchanged.
fn shift<const D: usize>(b: &mut Aabb<D>, offset: [f32; D], scale: f32) {
    for axis in 0..D {
        let size = b.max[axis] - b.min[axis];
        b.min[axis] = b.min[axis] * scale + offset[axis];
        b.max[axis] = scalar::max(b.min[axis] + size, b.min[axis]);
    }
}

/// Edge length of the square or cube with this area or volume.
fn edge_length(volume: f32, dimensions: usize) -> f32 {
    if dimensions == 2 { volume.sqrt() } else { volume.cbrt() }
}
