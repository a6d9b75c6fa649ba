//! Is the structure that `auto` chooses the fastest? On every row of the random grid of Lorenzi 2014, on the house and the city, and on a few
//! triangles.

use std::hint::black_box;
use std::time::Instant;

use embate::advisor::{MeshFeatures, recommend_ray_index};
use embate::raycast::{AnyRayIndex, RayIndex, RayIndexKind};
use embate::{Ray, TriangleMesh};
use embate_lab::random::Random;
use embate_lab::scenes::{Family, city, house, random_rays, random_triangles};
use embate_studies::replica::lorenzi2014::UnitCubeMap;

use crate::table::Table;

/// What may follow `cargo xtask bench auto --`.
pub const HELP: &str = "--scenes N      scenes a row, instead of 3";
pub const SCENES: u32 = 3;

/// Fewer triangles than the study has: where does a tree begin to pay?
const FEWER: [u32; 7] = [4, 8, 12, 16, 24, 32, 64];
const RAYS: u32 = 1_000;
/// Rays timed at a stretch: so few that other work on the machine meets few stretches, and not the best of them.
const STRETCH: usize = 50;
const REPEATS: u32 = 9;
/// How much slower than the fastest the choice may be.
const WITHIN: f64 = 1.10;

const OURS: [RayIndexKind; 3] = [RayIndexKind::BruteForce, RayIndexKind::Octree, RayIndexKind::Bvh];

const COLUMNS: &str = "case,triangles,boxes_over_a_point,auto,fastest,auto_over_fastest,brute_ns,octree_ns,bvh_ns,\
                       brute_build_ms,octree_build_ms,bvh_build_ms,differing";

/// Measures every row, tells it, and in the end how many were within bounds.
pub fn run(table: &mut Table, scenes: u32) {
    table.line(COLUMNS);
    let mut ratios = Vec::new();
    for family in Family::ALL {
        let published = (100..1_000).step_by(100).chain((1_000..=11_000).step_by(500));
        for triangles in FEWER.into_iter().chain(published) {
            let scene = |number: u32| {
                let mut random = Random::for_purpose(1, &[u64::from(triangles), u64::from(number)]);
                let mesh = random_triangles(family, triangles, &mut random);
                (mesh, random_rays(UnitCubeMap::IDENTITY, RAYS, &mut random))
            };
            let scenes: Vec<_> = (0..scenes).map(scene).collect();
            ratios.push(row(table, &format!("random-{}", family.name()), &scenes));
        }
    }
    for (name, mesh) in [("house", house()), ("city", city())] {
        let rays = random_rays(UnitCubeMap::of(&mesh), RAYS, &mut Random::new(7));
        ratios.push(row(table, name, &[(mesh, rays)]));
    }
    let within = ratios.iter().filter(|ratio| **ratio <= WITHIN).count();
    let worst = ratios.iter().copied().fold(1.0, f64::max);
    println!(
        "auto: within {:.0} % of the fastest on {within} of {} rows; at worst {worst:.2} times its time",
        100.0 * (WITHIN - 1.0),
        ratios.len()
    );
}

/// What one structure took over all scenes of a row.
#[derive(Clone, Copy, Default)]
struct Cost {
    build_s: f64,
    ray_s: f64,
}

/// How many times the fastest's time the choice takes.
fn row(table: &mut Table, case: &str, scenes: &[(TriangleMesh, Vec<Ray<3>>)]) -> f64 {
    let mut costs = [Cost::default(); OURS.len()];
    let (mut differing, mut chosen_s) = (0, 0.0);
    for (mesh, rays) in scenes {
        let mut indices = Vec::new();
        for (technique, cost) in OURS.into_iter().zip(&mut costs) {
            let clock = Instant::now();
            indices.push(technique.build(mesh));
            cost.build_s += clock.elapsed().as_secs_f64();
        }
        differing += rays.iter().filter(|ray| !agree(&indices, ray)).count();
        let mut best = [0.0; OURS.len()];
        for rays in rays.chunks(STRETCH) {
            let mut shortest = [f64::INFINITY; OURS.len()];
            for _ in 0..REPEATS {
                for (index, shortest) in indices.iter().zip(&mut shortest) {
                    *shortest = shortest.min(time(index, rays));
                }
            }
            for (best, shortest) in best.iter_mut().zip(shortest) {
                *best += shortest;
            }
        }
        for (cost, best) in costs.iter_mut().zip(best) {
            cost.ray_s += best / f64::from(RAYS) / scenes.len() as f64;
        }
        let choice = recommend_ray_index(mesh).kind;
        let place = OURS.iter().position(|technique| *technique == choice).expect("one of ours");
        chosen_s += best[place] / f64::from(RAYS) / scenes.len() as f64;
    }
    let features = MeshFeatures::of(&scenes[0].0);
    let fastest = (0..OURS.len()).min_by(|a, b| costs[*a].ray_s.total_cmp(&costs[*b].ray_s));
    let fastest = fastest.expect("there are some");
    let ratio = chosen_s / costs[fastest].ray_s;
    let [brute, octree, bvh] = costs.map(|cost| cost.ray_s * 1e9);
    let [brute_build, octree_build, bvh_build] =
        costs.map(|cost| cost.build_s * 1e3 / scenes.len() as f64);
    table.line(&format!(
        "{case},{},{:.4},{},{},{ratio:.3},{brute:.0},{octree:.0},{bvh:.0},{brute_build:.3},{octree_build:.3},\
         {bvh_build:.3},{differing}",
        features.triangles,
        features.mean_aabb_overlap,
        recommend_ray_index(&scenes[0].0).kind.name(),
        OURS[fastest].name(),
    ));
    ratio
}

fn agree(indices: &[AnyRayIndex], ray: &Ray<3>) -> bool {
    let answers = indices.iter().map(|index| index.closest_hit(ray));
    let bits = answers.map(|hit| hit.map(|hit| (hit.triangle, hit.t.to_bits())));
    let bits: Vec<_> = bits.collect();
    bits.windows(2).all(|pair| pair[0] == pair[1])
}

/// Which structure it is, is asked once and not for each ray.
fn time(index: &AnyRayIndex, rays: &[Ray<3>]) -> f64 {
    fn each(index: &impl RayIndex, rays: &[Ray<3>]) -> f64 {
        let clock = Instant::now();
        for ray in rays {
            black_box(index.closest_hit(black_box(ray)));
        }
        clock.elapsed().as_secs_f64()
    }
    match index {
        AnyRayIndex::BruteForce(index) => each(index, rays),
        AnyRayIndex::Octree(index) => each(index, rays),
        AnyRayIndex::Bvh(index) => each(index, rays),
    }
}
