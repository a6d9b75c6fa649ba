//! What does each ray structure cost on a mesh, and which suits it? Tried, not guessed.

use embate::dynamics::Clock;
use embate::raycast::RayIndex;
use embate::{Ray, TriangleMesh};
use embate_studies::replica::lorenzi2014::UnitCubeMap;
use embate_studies::structure::{AnyRayStructure, RayStructure};

use crate::language::Language;
use crate::random::Random;
use crate::scenes::random_rays;

/// Rays each structure is tried on, at most.
const TRIAL_RAYS: u32 = 10_000;

/// Rays between two looks at the clock, which in a browser costs as much as a ray.
const LOOK_EVERY: usize = 16;

/// What one structure costs on a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// Which.
    pub technique: RayStructure,
    /// That it holds, beside the mesh.
    pub bytes: usize,
    /// Seconds of building it.
    pub build_s: f64,
    /// Mean seconds over the rays tried; `None` on a mesh without triangles.
    pub ray_s: Option<f64>,
}

/// The rays that every structure is tried on: those of study A, from a fixed seed.
#[must_use]
pub fn trial_rays(mesh: &TriangleMesh) -> Vec<Ray<3>> {
    random_rays(UnitCubeMap::of(mesh), TRIAL_RAYS, &mut Random::new(1))
}

/// Mean seconds of a ray, over as many of them as `seconds` allow; `None` without any.
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
    for some in std::iter::once(&rays[..first]).chain(rays[first..].chunks(LOOK_EVERY)) {
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

/// Which structure of ours to use, and what was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayAdvice {
    /// Our fastest.
    pub technique: RayStructure,
    ray_s: f64,
    study_octree_s: f64,
    study_brute_s: f64,
}

impl RayAdvice {
    /// What follows from these trials, which must hold both of the study's; `None` on a mesh without triangles.
    #[must_use]
    pub fn of(trials: &[Trial]) -> Option<Self> {
        let ours =
            trials.iter().filter(|trial| trial.technique.reference() == RayStructure::BRUTE_FORCE);
        let measured = ours.filter_map(|trial| Some((trial.technique, trial.ray_s?)));
        let (technique, ray_s) = measured.min_by(|a, b| a.1.total_cmp(&b.1))?;
        let of = |technique| trials.iter().find(|trial| trial.technique == technique)?.ray_s;
        Some(Self {
            technique,
            ray_s,
            study_octree_s: of(RayStructure::LorenziOctree)?,
            study_brute_s: of(RayStructure::LorenziBruteForce)?,
        })
    }

    /// Why, in words.
    #[must_use]
    pub fn reason(&self, language: Language) -> String {
        let Self { ray_s, study_octree_s, study_brute_s, .. } = *self;
        let is_faster = study_octree_s < study_brute_s;
        let times = language.times(if is_faster {
            study_brute_s / study_octree_s
        } else {
            study_octree_s / study_brute_s
        });
        let (ray, octree) = (language.duration(ray_s), language.duration(study_octree_s));
        match language {
            Language::English => {
                let word = if is_faster { "faster" } else { "slower" };
                format!(
                    "the fastest of ours at {ray} a ray, and watertight. Study A's octree takes {octree} ({times} {word} \
                     than its own brute force), but repeats the study's faults: hits behind the origin count"
                )
            }
            Language::BrazilianPortuguese => {
                let word = if is_faster { "mais rápida" } else { "mais lenta" };
                format!(
                    "a mais rápida das nossas, com {ray} por raio, e sem frestas. A octree do estudo A leva {octree} ({times} {word} \
                     que a força bruta dele), mas repete as falhas do estudo: acertos atrás da origem contam"
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenes::house;

    fn seconds() -> f64 {
        use std::time::{SystemTime, UNIX_EPOCH};
        SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64())
    }

    #[test]
    fn the_fastest_of_ours_is_advised_whatever_the_studys_do() {
        let trial = |technique, ray_s| Trial { technique, bytes: 1, build_s: 1.0, ray_s };
        let trials = [
            trial(RayStructure::LorenziBruteForce, Some(4e-3)),
            trial(RayStructure::LorenziOctree, Some(1e-9)),
            trial(RayStructure::BRUTE_FORCE, Some(3e-3)),
            trial(RayStructure::OCTREE, Some(2e-6)),
            trial(RayStructure::BVH, Some(1e-6)),
        ];
        let advice = RayAdvice::of(&trials).unwrap();
        assert_eq!(advice.technique, RayStructure::BVH);
        assert!(advice.reason(Language::English).contains("faster than its own brute force"));
        assert!(advice.reason(Language::BrazilianPortuguese).contains("mais rápida que"));
        let untried = trials.map(|trial| Trial { ray_s: None, ..trial });
        assert_eq!(RayAdvice::of(&untried), None);
    }

    #[test]
    fn a_structure_is_timed_over_some_rays_and_an_empty_list_is_not() {
        let mesh = house();
        let index = RayStructure::BVH.build(&mesh);
        let mean = mean_time(&index, &trial_rays(&mesh), 0.01, seconds);
        assert!(mean.is_some_and(|mean| mean > 0.0 && mean < 0.1), "{mean:?}");
        assert_eq!(mean_time(&index, &[], 0.01, seconds), None);
    }
}
