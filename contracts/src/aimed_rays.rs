//! No ray slips through a closed mesh: not between two triangles, not through a vertex, not far from
//! the origin; and every structure answers as brute force does, to the bit.

use embate::rays::{RayIndex, RayTechnique};
use embate::{Hit, Ray, ShearedRay, Triangle, TriangleMesh};
use embate_lab::random::Random;
use rayon::prelude::*;

use crate::closed_meshes::{self, ClosedMesh};

/// Where the mesh lies: at the origin, and where one bit of f32 is 1/64.
pub const SHIFTS: [[f32; 3]; 2] = [[0.0; 3], [148_376.0, 1_234.0, -223_423.0]];

/// Rays a thread draws from one stream of random numbers.
const CHUNK: u32 = 10_000;

/// What was found over many rays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Rays cast, each once on every structure.
    pub rays: u64,
    /// Rays from the inside that hit nothing.
    pub leaks: u64,
    /// Answers that differ from brute force in any bit.
    pub differences: u64,
}

impl core::ops::Add for Outcome {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            rays: self.rays + other.rays,
            leaks: self.leaks + other.leaks,
            differences: self.differences + other.differences,
        }
    }
}

/// Casts `rays` rays from inside closed meshes: a third at vertices, a third at points of edges, a
/// third at random. `progress` is told how many are done, from any thread.
#[must_use]
pub fn aimed_rays(rays: u32, progress: &(dyn Fn(u32) + Sync)) -> Outcome {
    let scenes: Vec<ClosedMesh> = SHIFTS.into_iter().flat_map(closed_meshes::all).collect();
    let rays_per_scene = rays.div_ceil(scenes.len() as u32);
    let ours = RayTechnique::ALL.into_iter().filter(|t| t.judge() == RayTechnique::Brute);
    let ours: Vec<RayTechnique> = ours.collect();

    let cast = |(scene_number, scene): (usize, &ClosedMesh)| {
        let triangles: Vec<Triangle> = scene.mesh.corners().collect();
        let indices: Vec<_> = ours.iter().map(|technique| technique.build(&scene.mesh)).collect();
        let chunks = 0..rays_per_scene.div_ceil(CHUNK);
        let in_chunk = |chunk: u32| {
            let mut random = Random::for_purpose(3, &[scene_number as u64, u64::from(chunk)]);
            let mut outcome = Outcome::default();
            for number in 0..CHUNK.min(rays_per_scene - chunk * CHUNK) {
                let ray = aimed_ray(scene, number, &mut random);
                let expected = judge(&triangles, &ray);
                outcome.rays += 1;
                outcome.leaks += u64::from(expected.is_none());
                for index in &indices {
                    let same = bits(index.closest_hit(&ray)) == bits(expected)
                        && index.any_hit(&ray) == expected.is_some();
                    outcome.differences += u64::from(!same);
                }
            }
            progress(outcome.rays as u32);
            outcome
        };
        chunks.into_par_iter().map(in_chunk).reduce(Outcome::default, core::ops::Add::add)
    };
    scenes.iter().enumerate().map(cast).fold(Outcome::default(), core::ops::Add::add)
}

/// The nearest hit by the definition alone: no lanes, no boxes, no order but the triangles' own.
fn judge(triangles: &[Triangle], ray: &Ray<3>) -> Option<Hit> {
    let sheared = ShearedRay::new(ray);
    let hits = (0..).zip(triangles).filter_map(|(i, triangle)| sheared.hit(triangle, i, ray.t_max));
    hits.reduce(|nearest, hit| if hit.precedes(&nearest) { hit } else { nearest })
}

fn aimed_ray(scene: &ClosedMesh, number: u32, random: &mut Random) -> Ray<3> {
    let origin = scene.inside[random.below(scene.inside.len() as u32) as usize];
    let triangle = scene.mesh.triangle(random.below(scene.mesh.triangles().len() as u32)).0;
    let target = match number % 3 {
        0 => triangle[0],
        1 => between(triangle[0], triangle[1], random.unit()),
        _ => {
            let direction = core::array::from_fn(|_| random.between(-1.0, 1.0));
            return Ray::new(origin, direction);
        }
    };
    Ray { t_max: f32::INFINITY, ..Ray::between(origin, target) }
}

fn between(a: [f32; 3], b: [f32; 3], share: f32) -> [f32; 3] {
    core::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * share)
}

fn bits(hit: Option<Hit>) -> Option<(u32, u32, u32, u32)> {
    hit.map(|h| (h.triangle, h.t.to_bits(), h.u.to_bits(), h.v.to_bits()))
}

/// Casts axis-parallel rays, with zeros of both signs, through every vertex, edge middle and cell
/// centre of a wall with integer vertices, from both sides, across each axis. Returns how many were
/// cast and how many missed.
#[must_use]
pub fn integer_wall(cells: u32) -> (u64, u64) {
    let (mut rays, mut misses) = (0, 0);
    for axis in 0..3 {
        let turned = |[x, y, z]: [f32; 3]| {
            let mut point = [0.0; 3];
            (point[axis], point[(axis + 1) % 3], point[(axis + 2) % 3]) = (z, x, y);
            point
        };
        let mesh = wall(cells, turned);
        for technique in RayTechnique::ALL {
            if technique.judge() != RayTechnique::Brute {
                continue;
            }
            let index = technique.build(&mesh);
            let half_steps = (0..=2 * cells).flat_map(|i| (0..=2 * cells).map(move |j| (i, j)));
            for (i, j) in half_steps {
                for (side, zero) in [(1.0, 0.0), (1.0, -0.0), (-1.0, 0.0), (-1.0, -0.0)] {
                    let mut direction = [zero; 3];
                    direction[axis] = -side;
                    let origin = turned([i as f32 / 2.0, j as f32 / 2.0, 3.0 * side]);
                    let hit = index.closest_hit(&Ray::new(origin, direction));
                    rays += 1;
                    misses += u64::from(hit.is_none_or(|h| h.t != 3.0));
                }
            }
        }
    }
    (rays, misses)
}

fn wall(cells: u32, turned: impl Fn([f32; 3]) -> [f32; 3]) -> TriangleMesh {
    let side = cells + 1;
    let positions = (0..side * side).map(|i| turned([(i % side) as f32, (i / side) as f32, 0.0]));
    let triangles = (0..cells * cells).flat_map(|cell| {
        let a = cell / cells * side + cell % cells;
        let [b, c, d] = [a + 1, a + side + 1, a + side];
        [[a, b, c], [a, c, d]]
    });
    TriangleMesh::new(positions.collect(), triangles.collect()).expect("small integers")
}
