//! Watertightness: rays aimed at vertices and edges of closed meshes.
//!
//! Guarantee: no ray leaks, near to or far from the origin, and every structure returns the bits of
//! brute force.

use embate::raycast::{BruteForce, BuildQuality, Bvh, RayIndex, RayIndexKind, TriangleIndex};
use embate::{
    Ray, Triangle, TriangleMesh,
    geometry::{TriangleHit, WatertightRay},
};
use embate_scene::random::Random;
use rayon::prelude::*;

use crate::closed_meshes::{self, ClosedMesh, SHIFTS};

/// Number of rays per random stream and task.
const RAYS_PER_TASK: u32 = 10_000;

/// Result over many rays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RayOutcome {
    /// Number of rays.
    pub rays: u64,
    /// Rays from the interior without a hit.
    pub leaks: u64,
    /// Results that differ from the reference in any bit.
    pub differences: u64,
}

impl core::ops::Add for RayOutcome {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            rays: self.rays + other.rays,
            leaks: self.leaks + other.leaks,
            differences: self.differences + other.differences,
        }
    }
}

/// Brute force, and other indexes: every other structure, BVHs of every quality, a refitted and a
/// deserialized one.
fn indices(mesh: &TriangleMesh) -> (TriangleIndex, Vec<TriangleIndex>) {
    let bvh = TriangleIndex::build_with(mesh.clone(), Bvh::build);
    let saved = TriangleIndex::from_bytes(&bvh.to_bytes()).expect("bytes of to_bytes");
    let moved = refitted_index(mesh);
    let brute = TriangleIndex::build_with(mesh.clone(), BruteForce::new);
    let is_other =
        |kind: &RayIndexKind| !matches!(kind, RayIndexKind::BruteForce | RayIndexKind::Bvh);
    let mut others: Vec<TriangleIndex> = RayIndexKind::STRUCTURES
        .into_iter()
        .filter(is_other)
        .map(|kind| TriangleIndex::build_with(mesh.clone(), |mesh| kind.build(mesh)))
        .collect();
    let presets = [BuildQuality::Low, BuildQuality::High, BuildQuality::Compact].map(|preset| {
        TriangleIndex::build_with(mesh.clone(), |mesh| Bvh::build_with_quality(mesh, preset))
    });
    others.push(bvh);
    others.extend(presets);
    others.extend([moved, saved]);
    (brute, others)
}

/// A BVH built for other vertex positions and refitted to those of `mesh`.
///
/// # Panics
/// If the other positions exceed the range of a mesh.
#[must_use]
pub fn refitted_index(mesh: &TriangleMesh) -> TriangleIndex {
    // Scaled and sheared, so that the topology differs from that of a build.
    let elsewhere = mesh.positions().iter().map(|&[x, y, z]| [0.1 * x, 0.5 * (y - x), z]);
    let elsewhere = TriangleMesh::new(elsewhere.collect(), mesh.triangles().to_vec());
    let mut moved = TriangleIndex::build_with(elsewhere.expect("within the range"), Bvh::build);
    moved.refit(mesh.positions()).expect("positions of a mesh");
    moved
}

/// Casts `rays` rays from the interior of closed meshes: 1/3 at vertices, 1/3 at points on edges,
/// 1/3 in random directions. Calls `progress` with the number of finished rays, from any thread.
///
/// Brute force and, cyclically, one of the other indexes are compared with the reference, which
/// applies the triangle test alone; every batch is compared with one of them, too.
#[must_use]
pub fn aimed_rays(rays: u32, progress: &(dyn Fn(u32) + Sync)) -> RayOutcome {
    let scenes: Vec<ClosedMesh> = SHIFTS.into_iter().flat_map(closed_meshes::all).collect();
    let rays_per_scene = rays.div_ceil(scenes.len() as u32);

    let cast = |(scene_number, scene): (usize, &ClosedMesh)| {
        let triangles: Vec<Triangle> = scene.mesh.iter_triangles().collect();
        let (brute, others) = indices(&scene.mesh);
        let brute = &brute;
        let chunks = 0..rays_per_scene.div_ceil(RAYS_PER_TASK);
        let in_chunk = |chunk: u32| {
            let mut random = Random::for_purpose(3, &[scene_number as u64, u64::from(chunk)]);
            let mut outcome = RayOutcome::default();
            let (mut batch, mut batch_expected) = (Vec::new(), Vec::new());
            for number in 0..RAYS_PER_TASK.min(rays_per_scene - chunk * RAYS_PER_TASK) {
                let ray = aimed_ray(scene, number, &mut random);
                let expected = reference_hit(&triangles, &ray);
                outcome.rays += 1;
                outcome.leaks += u64::from(expected.is_none());
                // In turn for each of the 3 kinds of rays, so that every combination occurs.
                let other = &others[(number / 3) as usize % others.len()];
                for index in [brute, other] {
                    let same = bits(index.closest_hit(&ray)) == bits(expected);
                    outcome.differences += u64::from(!same);
                }
                outcome.differences += u64::from(other.any_hit(&ray) != expected.is_some());
                batch.push(ray);
                batch_expected.push(bits(expected));
            }
            let hits = others[chunk as usize % others.len()].closest_hits(&batch);
            let different = hits
                .iter()
                .zip(&batch_expected)
                .filter(|(hit, expected)| bits(**hit) != **expected);
            outcome.differences += different.count() as u64;
            progress(outcome.rays as u32);
            outcome
        };
        chunks.into_par_iter().map(in_chunk).reduce(RayOutcome::default, core::ops::Add::add)
    };
    scenes.iter().enumerate().map(cast).fold(RayOutcome::default(), core::ops::Add::add)
}

/// Closest hit by the scalar triangle test alone: no SIMD, no boxes, triangles in order.
fn reference_hit(triangles: &[Triangle], ray: &Ray<3>) -> Option<TriangleHit> {
    let watertight = WatertightRay::new(ray);
    let hits = (0..)
        .zip(triangles)
        .filter_map(|(i, triangle)| watertight.intersect_triangle(triangle, i, ray.t_max));
    hits.reduce(|closest, hit| if hit.is_before(&closest) { hit } else { closest })
}

fn aimed_ray(scene: &ClosedMesh, number: u32, random: &mut Random) -> Ray<3> {
    let origin = scene.inside[random.below(scene.inside.len() as u32) as usize];
    let triangle = scene.mesh.triangle(random.below(scene.mesh.triangles().len() as u32)).0;
    let target = match number % 3 {
        0 => triangle[0],
        1 => lerp(triangle[0], triangle[1], random.unit()),
        _ => {
            let direction = core::array::from_fn(|_| random.between(-1.0, 1.0));
            return Ray::new(origin, direction);
        }
    };
    Ray { t_max: f32::INFINITY, ..Ray::segment(origin, target) }
}

fn lerp(a: [f32; 3], b: [f32; 3], t: f32) -> [f32; 3] {
    core::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * t)
}

fn bits(hit: Option<TriangleHit>) -> Option<(u32, u32, u32, u32)> {
    hit.map(|h| (h.triangle, h.t.to_bits(), h.u.to_bits(), h.v.to_bits()))
}

/// Casts axis-parallel rays, with zeros of both signs, through every vertex, edge midpoint and cell
/// center of a wall with integer vertices, from both sides, along each axis. Returns the number of
/// rays and of misses.
#[must_use]
pub fn integer_wall(cells: u32) -> (u64, u64) {
    let (mut rays, mut misses) = (0, 0);
    for axis in 0..3 {
        let permuted = |[x, y, z]: [f32; 3]| {
            let mut point = [0.0; 3];
            (point[axis], point[(axis + 1) % 3], point[(axis + 2) % 3]) = (z, x, y);
            point
        };
        let mesh = wall(cells, permuted);
        for kind in RayIndexKind::ALL {
            let index = kind.build(&mesh);
            let half_steps = (0..=2 * cells).flat_map(|i| (0..=2 * cells).map(move |j| (i, j)));
            for (i, j) in half_steps {
                for (side, zero) in [(1.0, 0.0), (1.0, -0.0), (-1.0, 0.0), (-1.0, -0.0)] {
                    let mut direction = [zero; 3];
                    direction[axis] = -side;
                    let origin = permuted([i as f32 / 2.0, j as f32 / 2.0, 3.0 * side]);
                    let hit = index.closest_hit(&Ray::new(origin, direction));
                    rays += 1;
                    misses += u64::from(hit.is_none_or(|h| h.t != 3.0));
                }
            }
        }
    }
    (rays, misses)
}

fn wall(cells: u32, permuted: impl Fn([f32; 3]) -> [f32; 3]) -> TriangleMesh {
    let side = cells + 1;
    let positions = (0..side * side).map(|i| permuted([(i % side) as f32, (i / side) as f32, 0.0]));
    let triangles = (0..cells * cells).flat_map(|cell| {
        let a = cell / cells * side + cell % cells;
        let [b, c, d] = [a + 1, a + side + 1, a + side];
        [[a, b, c], [a, c, d]]
    });
    TriangleMesh::new(positions.collect(), triangles.collect()).expect("small integers")
}
