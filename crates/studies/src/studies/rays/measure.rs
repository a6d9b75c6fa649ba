//! Measurement of one case of the ray study.
//!
//! The counted replicas get a new scene for each ray, as published. All other structures get the
//! same rays in ten scenes per size: their builds take longer, and each is checked there by its own
//! brute force. The literal octree allocates 37,449 nodes per build.

use embate::{Ray, TriangleMesh};
use embate_replica::lorenzi2014::UnitCubeMap;
use embate_replica::structure::RayStructure;
use embate_scene::generators::{Family, random_rays, random_triangles};
use embate_scene::random::Random;

use super::plan::{Case, RaysPlan};
use super::row::Row;
use super::setting::Setting;
use super::tally::{Tally, Task, cast, rows};
use crate::runner::run_context::RunContext;

/// Scenes of one size that the other structures are measured on.
const SHARED_SCENES: u32 = 10;

/// All rows of one case; progress is in units of [`RaysPlan::work`].
pub(super) fn measure(plan: &RaysPlan, case: &Case<'_>, context: &RunContext<'_>) -> Vec<Row> {
    let tallies = plan.techniques_needed().into_iter().map(|t| Tally::new(t, plan, case));
    let (mut counted, others): (Vec<_>, Vec<_>) =
        tallies.partition(|tally| tally.technique.reference() == RayStructure::LorenziBruteForce);
    let (mut literal, mut ours): (Vec<_>, Vec<_>) =
        others.into_iter().partition(|tally| tally.technique.is_replica());
    match *case {
        Case::Random { family, triangles } => {
            let source = RandomCase { seed: plan.seed, family, triangles };
            let fit = UnitCubeMap::IDENTITY;
            for number in 0..plan.rays {
                let rays = [source.ray(number)];
                let mesh = &source.scene(number);
                cast(&mut counted, &Task { context, plan, mesh, fit, rays: &rays });
            }
            for scene_number in 0..SHARED_SCENES.min(plan.rays) {
                let rays = (scene_number..plan.rays).step_by(SHARED_SCENES as usize);
                let rays: Vec<Ray<3>> = rays.map(|number| source.ray(number)).collect();
                let mesh = &source.scene(scene_number);
                let task = Task { context, plan, mesh, fit, rays: &rays };
                cast(&mut literal, &task);
                cast(&mut ours, &task);
            }
        }
        Case::Model { mesh, .. } => {
            let fit = UnitCubeMap::of(mesh);
            let mut random = Random::for_purpose(plan.seed, &[RAYS_OF_MODELS]);
            let rays = random_rays(fit, plan.rays, &mut random);
            let task = Task { context, plan, mesh, fit, rays: &rays };
            cast(&mut counted, &task);
            cast(&mut literal, &task);
            let settings = Setting::of(plan).into_iter();
            ours.extend(settings.map(|setting| Tally::of_setting(setting, plan, case)));
            cast(&mut ours, &task);
        }
    }
    counted.append(&mut literal);
    counted.append(&mut ours);
    rows(plan, case, &counted)
}

/// Streams of random numbers under one seed; their values are arbitrary but fixed for ever.
const SCENES: u64 = 1;
const RAYS: u64 = 2;
const RAYS_OF_MODELS: u64 = 3;

/// The first scene of a random case: that of its first ray.
#[must_use]
pub fn random_scene(seed: u64, family: Family, triangles: u32) -> TriangleMesh {
    RandomCase { seed, family, triangles }.scene(0)
}

struct RandomCase {
    seed: u64,
    family: Family,
    triangles: u32,
}

impl RandomCase {
    fn stream(&self, purpose: u64, number: u32) -> Random {
        let size = u64::from(self.triangles);
        let edge = self.family.edge() as u64;
        Random::for_purpose(self.seed, &[purpose, edge, size, u64::from(number)])
    }

    fn scene(&self, number: u32) -> TriangleMesh {
        random_triangles(self.family, self.triangles, &mut self.stream(SCENES, number))
    }

    fn ray(&self, number: u32) -> Ray<3> {
        random_rays(UnitCubeMap::IDENTITY, 1, &mut self.stream(RAYS, number))[0]
    }
}
