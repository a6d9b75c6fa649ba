//! Benchmark of ray structures on a mesh, and the recommendation that follows from it.

use embate::dynamics::Clock;
use embate::raycast::RayIndex;
use embate::{Ray, TriangleMesh};
use embate_replica::lorenzi2014::UnitCubeMap;
use embate_replica::structure::{AnyRayStructure, RayStructure};

use embate_scene::generators::random_rays;
use embate_scene::random::Random;

/// Maximum number of rays per structure.
const BENCHMARK_RAYS: u32 = 10_000;

/// Rays between two clock readings: in a browser, a reading costs as much as a ray.
const CLOCK_STRIDE: usize = 16;

/// Memory and times of one ray structure on a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AccelTiming {
    /// Fastest structure of the engine.
    pub technique: RayStructure,
    /// Memory of the structure in bytes, without the mesh.
    pub bytes: usize,
    /// Build time, in seconds.
    pub build_s: f64,
    /// Mean time of a ray in seconds; `None` on a mesh without triangles.
    pub ray_s: Option<f64>,
}

/// Rays of the benchmark: those of Lorenzi 2014, from a fixed seed.
#[must_use]
pub fn benchmark_rays(mesh: &TriangleMesh) -> Vec<Ray<3>> {
    random_rays(UnitCubeMap::of(mesh), BENCHMARK_RAYS, &mut Random::new(1))
}

/// Mean time of a ray in seconds, over as many rays as fit into `seconds`; `None` without rays.
#[must_use]
pub fn mean_time(
    index: &AnyRayStructure,
    rays: &[Ray<3>],
    seconds: f64,
    clock: Clock,
) -> Option<f64> {
    let began = clock();
    let mut answered = 0;
    // The first look comes after one ray: on a large mesh that is long enough.
    let first = rays.len().min(1);
    for some in std::iter::once(&rays[..first]).chain(rays[first..].chunks(CLOCK_STRIDE)) {
        for ray in some {
            std::hint::black_box(index.closest_hit(std::hint::black_box(ray)));
        }
        answered += some.len();
        if clock() - began > seconds {
            break;
        }
    }
    (answered > 0).then(|| (clock() - began) / answered as f64)
}

/// The fastest structure of those that `auto` chooses among; `None` on a mesh without triangles.
#[must_use]
pub fn fastest_engine_structure(timings: &[AccelTiming]) -> Option<RayStructure> {
    let candidates = timings.iter().filter(|timing| timing.technique.is_auto_candidate());
    let measured = candidates.filter_map(|timing| Some((timing.technique, timing.ray_s?)));
    measured.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(technique, _)| technique)
}

#[cfg(test)]
mod tests {
    use super::*;
    use embate::raycast::RayIndexKind;
    use embate_scene::generators::house;

    fn seconds() -> f64 {
        use std::time::{SystemTime, UNIX_EPOCH};
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
    }

    #[test]
    fn fastest_candidate_of_auto_is_advised() {
        let timing = |technique, ray_s| AccelTiming { technique, bytes: 1, build_s: 1.0, ray_s };
        let timings = [
            timing(RayStructure::LorenziBruteForce, Some(4e-3)),
            timing(RayStructure::LorenziOctree, Some(1e-9)),
            timing(RayStructure::BRUTE_FORCE, Some(3e-3)),
            timing(RayStructure::OCTREE, Some(2e-6)),
            timing(RayStructure::BVH, Some(1e-6)),
            timing(RayIndexKind::KdTree.into(), Some(1e-7)),
        ];
        assert_eq!(fastest_engine_structure(&timings), Some(RayStructure::BVH));
        let untried = timings.map(|timing| AccelTiming { ray_s: None, ..timing });
        assert_eq!(fastest_engine_structure(&untried), None);
    }

    #[test]
    fn mean_time_is_positive_and_none_without_rays() {
        let mesh = house();
        let index = RayStructure::BVH.build(&mesh);
        let mean = mean_time(&index, &benchmark_rays(&mesh), 0.01, seconds);
        assert!(mean.is_some_and(|mean| mean > 0.0 && mean < 0.1), "{mean:?}");
        assert_eq!(mean_time(&index, &[], 0.01, seconds), None);
    }
}
