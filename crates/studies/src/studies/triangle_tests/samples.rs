//! Rays and triangles of a case.
//!
//! Every triangle has its front towards the ray's origin, because the study's test culls back
//! faces: closed meshes are wound inward.

use embate::{Ray, Triangle};
use embate_replica::triangle_tests::{ExactTest, TriangleTest};
use embate_scene::generators::Family;
use embate_scene::generators::closed_meshes::{self, ClosedMesh, SHIFTS};
use embate_scene::random::Random;

use super::plan::{Aim, Case};

/// Stream of random numbers of this study under a seed; arbitrary but fixed for ever.
const STREAM: u64 = 7;

/// Smallest share of a triangle by which a clear ray passes its edges.
const MARGIN: f32 = 0.05;

/// Edge of the cube that rays start in.
const CUBE: f32 = 100.0;

/// Size of a small triangle.
const SMALL: f32 = 0.1;

/// Rays and triangles that are tested against each other.
#[derive(Debug)]
pub(super) struct Batch {
    pub(super) rays: Vec<Ray<3>>,
    pub(super) triangles: Vec<Triangle>,
    pub(super) pairing: Pairing,
}

/// Which tests a batch consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pairing {
    /// Each ray against the triangle of the same index.
    OneToOne,
    /// Each ray against all triangles of a closed mesh that contains its origin.
    ClosedMesh,
}

impl Batch {
    /// Number of tests.
    pub(super) fn tests(&self) -> u64 {
        match self.pairing {
            Pairing::OneToOne => self.rays.len() as u64,
            Pairing::ClosedMesh => self.rays.len() as u64 * self.triangles.len() as u64,
        }
    }

    /// The triangles that a ray is tested against.
    pub(super) fn triangles_of(&self, ray: usize) -> &[Triangle] {
        match self.pairing {
            Pairing::OneToOne => &self.triangles[ray..=ray],
            Pairing::ClosedMesh => &self.triangles,
        }
    }
}

/// The batches of a case: one of pairs, or one of each closed mesh.
pub(super) fn batches(case: Case, rays: u32, seed: u64) -> Vec<Batch> {
    let number = Case::ALL.iter().position(|other| *other == case).unwrap_or(0);
    let mut random = Random::for_purpose(seed, &[STREAM, number as u64]);
    match case {
        Case::Near(aim) => aimed_batches(aim, SHIFTS[0], rays, &mut random),
        Case::Far(aim) => aimed_batches(aim, SHIFTS[1], rays, &mut random),
        _ => {
            let pairs = (0..rays).map(|pair| match case {
                Case::Hit => clear_pair(true, pair, &mut random),
                Case::EdgeOn => edge_on_pair(pair, &mut random),
                Case::Small => small_pair(&mut random),
                _ => clear_pair(false, pair, &mut random),
            });
            let (rays, triangles) = pairs.unzip();
            vec![Batch { rays, triangles, pairing: Pairing::OneToOne }]
        }
    }
}

/// A ray from a point to another, and beyond.
fn ray(from: [f32; 3], to: [f32; 3]) -> Ray<3> {
    Ray { t_max: f32::INFINITY, ..Ray::segment(from, to) }
}

/// A point in the cube.
fn point(random: &mut Random) -> [f32; 3] {
    core::array::from_fn(|_| random.between(0.0, CUBE))
}

/// Three vertices in a cube of edge `size` within the large one.
fn triangle(size: f32, random: &mut Random) -> Triangle {
    let corner: [f32; 3] = core::array::from_fn(|_| random.between(0.0, CUBE - size));
    Triangle([(); 3].map(|()| corner.map(|low| low + random.between(0.0, size))))
}

/// The triangle with its front towards the origin of the ray.
fn facing(ray: &Ray<3>, triangle: Triangle) -> Triangle {
    let [a, b, c] = triangle.0;
    let volume = embate::geometry::predicates::tetrahedron_volume(ray.origin, a, b, c);
    // Positive: counter-clockwise as seen from behind.
    Triangle(if volume > 0.0 { [a, c, b] } else { [a, b, c] })
}

/// The point with these weights of the second and third vertex.
fn at_weights(triangle: &Triangle, [u, v]: [f32; 2]) -> [f32; 3] {
    let [a, b, c] = triangle.0;
    core::array::from_fn(|axis| a[axis] + u * (b[axis] - a[axis]) + v * (c[axis] - a[axis]))
}

/// Weights of a point in the triangle.
fn inner_weights(random: &mut Random) -> [f32; 2] {
    let [u, v] = [random.unit(), random.unit()];
    if u + v > 1.0 { [1.0 - u, 1.0 - v] } else { [u, v] }
}

/// A ray and a triangle of the three families of Lorenzi 2014 in turn, that every test must decide
/// alike.
fn clear_pair(is_hit: bool, number: u32, random: &mut Random) -> (Ray<3>, Triangle) {
    let size = Family::ALL[number as usize % Family::ALL.len()].edge();
    loop {
        let triangle = triangle(size, random);
        let weights = if is_hit {
            inner_weights(random)
        } else {
            [random.between(-2.0, 3.0), random.between(-2.0, 3.0)]
        };
        let ray = ray(point(random), at_weights(&triangle, weights));
        let triangle = facing(&ray, triangle);
        let exact = ExactTest::new(&ray);
        if exact.is_clear(&triangle, MARGIN.into()) && exact.crossing(&triangle).is_some() == is_hit
        {
            return (ray, triangle);
        }
    }
}

/// A small triangle, and a ray at a point near it: half of them hit.
fn small_pair(random: &mut Random) -> (Ray<3>, Triangle) {
    let triangle = triangle(SMALL, random);
    let [u, v] = [random.unit(), random.unit()];
    let ray = ray(point(random), at_weights(&triangle, [u, v]));
    (ray, facing(&ray, triangle))
}

/// A triangle and a ray to a point in it, at an angle of 0.1 to 1e-6 rad to its plane.
fn edge_on_pair(number: u32, random: &mut Random) -> (Ray<3>, Triangle) {
    let size = Family::ALL[number as usize % Family::ALL.len()].edge();
    loop {
        let triangle = triangle(size, random);
        let Some(normal) = triangle.unit_normal() else { continue };
        let target = at_weights(&triangle, inner_weights(random));
        let along = at_weights(&triangle, [random.between(-1.0, 1.0), random.between(-1.0, 1.0)]);
        // The direction in the plane, as long as the triangle or more.
        let stretch = random.between(1.0, 3.0);
        let tilt = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6][number as usize / 3 % 6] * size;
        let normal = normal.to_array();
        let origin: [f32; 3] = core::array::from_fn(|axis| {
            target[axis] + stretch * (along[axis] - triangle.0[0][axis]) + tilt * normal[axis]
        });
        let ray = ray(origin, target);
        if ray.is_valid() {
            return (ray, facing(&ray, triangle));
        }
    }
}

/// Rays from inside the closed meshes, as many in each.
fn aimed_batches(aim: Aim, shift: [f32; 3], rays: u32, random: &mut Random) -> Vec<Batch> {
    let meshes = closed_meshes::all(shift);
    let count = meshes.len() as u32;
    let batch = |(number, closed): (u32, &ClosedMesh)| {
        let rays = rays / count + u32::from(number < rays % count);
        let inward = |Triangle([a, b, c])| Triangle([a, c, b]);
        Batch {
            rays: (0..rays).map(|_| aimed_ray(closed, aim, random)).collect(),
            triangles: closed.mesh.iter_triangles().map(inward).collect(),
            pairing: Pairing::ClosedMesh,
        }
    };
    (0..).zip(&meshes).map(batch).collect()
}

fn aimed_ray(closed: &ClosedMesh, aim: Aim, random: &mut Random) -> Ray<3> {
    let origin = closed.inside[random.below(closed.inside.len() as u32) as usize];
    let [a, b, _] = closed.mesh.triangle(random.below(closed.mesh.triangles().len() as u32)).0;
    match aim {
        Aim::Vertices => ray(origin, a),
        Aim::Edges => {
            let t = random.unit();
            ray(origin, core::array::from_fn(|axis| a[axis] + (b[axis] - a[axis]) * t))
        }
        Aim::Random => Ray::new(origin, random.direction::<3>()),
    }
}
