//! Properties that a stand-in for a lost model must have, measured alike for all.

use embate::raycast::{BruteForce, RayIndex, TraversalStats};
use embate::{Ray, TriangleMesh};
use embate_replica::lorenzi2014::{self, OctreeAffinity, UnitCubeMap};

use super::random_rays;
use crate::random::Random;

pub(super) fn affinity(mesh: &TriangleMesh) -> (OctreeAffinity, Vec<u32>) {
    let levels = lorenzi2014::Octree::new(mesh).triangles_per_level();
    (OctreeAffinity::of(&levels), levels)
}

/// Mean percentage of the triangles that the study's octree tests for a ray of the study.
pub(super) fn percent_tested(mesh: &TriangleMesh, rays: u32) -> f64 {
    let octree = lorenzi2014::Octree::new(mesh);
    let mut counts = TraversalStats::default();
    for ray in random_rays(UnitCubeMap::of(mesh), rays, &mut Random::new(1)) {
        octree.closest_hit_observed(&ray, &mut counts);
    }
    100.0 * counts.triangle_tests as f64 / (f64::from(rays) * mesh.triangles().len() as f64)
}

/// Of `rays` rays from far around towards the mesh, the percentage that meet the same triangle
/// whether or not back faces count; rays that meet none are not counted.
pub(super) fn percent_front_first(mesh: &TriangleMesh, rays: u32) -> f64 {
    let (brute, bounds) = (BruteForce::new(mesh), mesh.bounds().unwrap());
    let mut random = Random::new(2);
    let (mut hits, mut front) = (0, 0);
    for _ in 0..rays {
        let inside: [f32; 3] =
            core::array::from_fn(|axis| random.between(bounds.min[axis], bounds.max[axis]));
        let direction: [f32; 3] = core::array::from_fn(|_| random.between(-1.0, 1.0));
        let away = core::array::from_fn(|axis| inside[axis] - 1000.0 * direction[axis]);
        let ray = Ray::new(away, direction);
        if let Some(hit) = brute.closest_hit(&ray) {
            hits += 1;
            front += u32::from(brute.closest_hit(&ray.with_backface_culling()) == Some(hit));
        }
    }
    100.0 * f64::from(front) / f64::from(hits)
}

/// FNV-1a over the bits of every corner, triangle by triangle.
pub(super) fn fingerprint(mesh: &TriangleMesh) -> u64 {
    let coordinates = mesh.iter_triangles().flat_map(|triangle| triangle.0).flatten();
    let bytes = coordinates.flat_map(|coordinate| coordinate.to_bits().to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
