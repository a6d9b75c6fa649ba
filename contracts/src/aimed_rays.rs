//! No ray slips through a closed mesh: not between two triangles, not through a vertex, not far from
//! the origin; and every structure answers as brute force does, to the bit.

use embate::rays::{Brute, Bvh, Octree, Preset, RayIndex, RayTechnique, TriangleIndex};
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
    /// Rays cast.
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

/// Brute force over a mesh, and the others: every structure of ours, trees of every preset; one that was built
/// for other places of its vertices and followed them; one that was saved and loaded.
fn indices(mesh: &TriangleMesh) -> (TriangleIndex, [TriangleIndex; 7]) {
    let bvh = TriangleIndex::by(Bvh::new, mesh.clone());
    let saved = TriangleIndex::from_bytes(&bvh.to_bytes()).expect("what was just saved");
    let moved = after_a_move(mesh);
    let octree = TriangleIndex::by(Octree::new, mesh.clone());
    let brute = TriangleIndex::by(Brute::new, mesh.clone());
    let [fast, best, compact] = [Preset::Fast, Preset::Best, Preset::Compact]
        .map(|preset| TriangleIndex::by(|mesh| Bvh::with(mesh, preset), mesh.clone()));
    (brute, [octree, bvh, fast, best, compact, moved, saved])
}

/// An index whose tree was built for other places of the vertices.
///
/// # Panics
/// If a vertex is so far out that the other places are beyond the range of a mesh.
#[must_use]
pub fn after_a_move(mesh: &TriangleMesh) -> TriangleIndex {
    // Squeezed and sheared: another tree than the mesh's own.
    let elsewhere = mesh.positions().iter().map(|&[x, y, z]| [0.1 * x, 0.5 * (y - x), z]);
    let elsewhere = TriangleMesh::new(elsewhere.collect(), mesh.triangles().to_vec());
    let mut moved = TriangleIndex::by(Bvh::new, elsewhere.expect("within the range"));
    moved.refit(mesh.positions()).expect("positions of a mesh");
    moved
}

/// Casts `rays` rays from inside closed meshes: a third at vertices, a third at points of edges, a
/// third at random. `progress` is told how many are done, from any thread.
///
/// Every ray is asked of brute force and, in turn, of one of the other structures, and judged by the definition alone; every
/// batch of rays goes to one of them as well.
#[must_use]
pub fn aimed_rays(rays: u32, progress: &(dyn Fn(u32) + Sync)) -> Outcome {
    let scenes: Vec<ClosedMesh> = SHIFTS.into_iter().flat_map(closed_meshes::all).collect();
    let rays_per_scene = rays.div_ceil(scenes.len() as u32);

    let cast = |(scene_number, scene): (usize, &ClosedMesh)| {
        let triangles: Vec<Triangle> = scene.mesh.corners().collect();
        let (brute, others) = indices(&scene.mesh);
        let brute = &brute;
        let chunks = 0..rays_per_scene.div_ceil(CHUNK);
        let in_chunk = |chunk: u32| {
            let mut random = Random::for_purpose(3, &[scene_number as u64, u64::from(chunk)]);
            let mut outcome = Outcome::default();
            let (mut cast, mut judged) = (Vec::new(), Vec::new());
            for number in 0..CHUNK.min(rays_per_scene - chunk * CHUNK) {
                let ray = aimed_ray(scene, number, &mut random);
                let expected = judge(&triangles, &ray);
                outcome.rays += 1;
                outcome.leaks += u64::from(expected.is_none());
                // (Kinds of rays come in threes, structures in sevens: each gets all of them.)
                let other = &others[number as usize % others.len()];
                for index in [brute, other] {
                    let same = bits(index.closest_hit(&ray)) == bits(expected);
                    outcome.differences += u64::from(!same);
                }
                outcome.differences += u64::from(other.any_hit(&ray) != expected.is_some());
                cast.push(ray);
                judged.push(bits(expected));
            }
            let batch = others[chunk as usize % others.len()].closest_hits(&cast);
            let differ =
                batch.iter().zip(&judged).filter(|(hit, expected)| bits(**hit) != **expected);
            outcome.differences += differ.count() as u64;
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
