//! The replica of Lorenzi 2014 reproduces the published counts, which do not depend on the machine.

use embate::raycast::{RayIndex, TraversalStats};
use embate_replica::lorenzi2014::{BruteForce, Octree, OctreeAffinity, UnitCubeMap};
use embate_scene::generators::{Family, random_rays, random_triangles};
use embate_scene::random::Random;

const TRIANGLES: u32 = 1_000;
const SCENES: u64 = 10_000;

struct Means {
    tested_percent: f64,
    level_percent: [f64; 6],
    disagreements: u32,
}

/// A new scene for each ray, as in the study.
fn means(family: Family) -> Means {
    let mut counts = TraversalStats::default();
    let mut levels = [0_u64; 6];
    let mut disagreements = 0;
    for scene in 0..SCENES {
        let mut random = Random::for_purpose(11, &[scene]);
        let mesh = random_triangles(family, TRIANGLES, &mut random);
        let ray = random_rays(UnitCubeMap::IDENTITY, 1, &mut random)[0];
        let octree = Octree::with_map(&mesh, UnitCubeMap::IDENTITY, 6);
        let brute = BruteForce::with_map(&mesh, UnitCubeMap::IDENTITY);
        let answer = octree.closest_hit_observed(&ray, &mut counts);
        disagreements += u32::from(answer != brute.closest_hit(&ray));
        for (sum, n) in levels.iter_mut().zip(octree.triangles_per_level()) {
            *sum += u64::from(n);
        }
    }
    let percent = |n: u64| 100.0 * n as f64 / (SCENES * u64::from(TRIANGLES)) as f64;
    Means {
        tested_percent: percent(counts.triangle_tests),
        level_percent: levels.map(percent),
        disagreements,
    }
}

#[test]
fn octree_tests_the_published_share_of_triangles() {
    for (family, published, band) in
        [(Family::Low, 98.95, 0.3), (Family::Medium, 66.45, 0.5), (Family::High, 15.91, 0.3)]
    {
        let means = means(family);
        let difference = (means.tested_percent - published).abs();
        assert!(difference <= band, "{family:?}: {} against {published}", means.tested_percent);
        assert_eq!(means.disagreements, 0, "{family:?}");
    }
}

#[test]
fn small_triangles_sink_to_the_published_levels() {
    let published = [7.7, 14.2, 23.8, 32.1, 20.3, 1.9];
    for (ours, published) in means(Family::High).level_percent.into_iter().zip(published) {
        assert!((ours - published).abs() <= 0.3, "{ours} against {published}");
    }
}

#[test]
fn random_families_have_low_medium_and_high_affinity() {
    for (family, affinity) in [
        (Family::Low, OctreeAffinity::Low),
        (Family::Medium, OctreeAffinity::Medium),
        (Family::High, OctreeAffinity::High),
    ] {
        let mesh = random_triangles(family, 5_000, &mut Random::new(5));
        let octree = Octree::with_map(&mesh, UnitCubeMap::IDENTITY, 6);
        assert_eq!(OctreeAffinity::of(&octree.triangles_per_level()), affinity);
    }
}

/// Mesh and ray are both mapped into the study's cube, so neither position nor size of the mesh
/// matters.
#[test]
fn translated_and_scaled_mesh_yields_the_same_hits() {
    let mesh = random_triangles(Family::Medium, 500, &mut Random::new(9));
    let scale_and_shift = |p: &[f32; 3]| [p[0] * 8.0 + 1024.0, p[1] * 8.0 - 512.0, p[2] * 8.0];
    let far = embate::TriangleMesh::new(
        mesh.positions().iter().map(scale_and_shift).collect(),
        mesh.triangles().to_vec(),
    )
    .unwrap();
    let (near_index, far_index) = (Octree::new(&mesh), Octree::new(&far));
    for ray in random_rays(UnitCubeMap::of(&mesh), 1_000, &mut Random::new(10)) {
        let far_ray = embate::Ray::new(
            scale_and_shift(&ray.origin),
            ray.direction.map(|component| component * 8.0),
        );
        let (near, far) = (near_index.closest_hit(&ray), far_index.closest_hit(&far_ray));
        assert_eq!(near.map(|h| h.triangle), far.map(|h| h.triangle));
        if let (Some(near), Some(far)) = (near, far) {
            assert!((near.t - far.t).abs() <= 1e-3 * (1.0 + near.t), "{near:?} {far:?}");
        }
    }
}
