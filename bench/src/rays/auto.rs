//! Quality of the choice of `auto`: its time relative to the fastest structure, on the random cases
//! of Lorenzi 2014, on the house and the city, and on small meshes.

use std::hint::black_box;

use embate::advisor::{MeshFeatures, recommend_ray_index};
use embate::raycast::{AnyRayIndex, RayIndex, RayIndexKind};
use embate::{Ray, TriangleMesh};
use embate_replica::lorenzi2014::UnitCubeMap;
use embate_scene::generators::{Family, city, house, random_rays, random_triangles};
use embate_scene::random::Random;

use crate::harness::measure::timed;
use crate::harness::table::Table;

/// Help text.
pub const HELP: &str = "--scenes N      scenes per row, instead of 3";
/// Default number of scenes per row.
pub const SCENES: u32 = 3;

/// Triangle counts below those of the publication, around the break-even of a tree.
const SMALL_COUNTS: [u32; 7] = [4, 8, 12, 16, 24, 32, 64];
const RAYS: u32 = 1_000;
/// Rays per timed chunk: short enough that interruptions by other processes affect few chunks, and
/// not the fastest repeat of each.
const CHUNK: usize = 50;
const REPEATS: u32 = 9;
/// Tolerated ratio of the chosen structure's time to the fastest one's.
const TOLERANCE: f64 = 1.10;

const STRUCTURES: [RayIndexKind; 3] = RayIndexKind::AUTO_CANDIDATES;

const COLUMNS: &str = "case,triangles,boxes_over_a_point,auto,fastest,auto_over_fastest,brute_ns,octree_ns,bvh_ns,\
                       brute_build_ms,octree_build_ms,bvh_build_ms,differing";

/// Measures every row; prints the number of rows within the tolerance at the end.
pub fn run(table: &mut Table, scenes: u32) {
    table.row(COLUMNS);
    let mut ratios = Vec::new();
    for family in Family::ALL {
        let published = (100..1_000).step_by(100).chain((1_000..=11_000).step_by(500));
        for triangles in SMALL_COUNTS.into_iter().chain(published) {
            let scene = |number: u32| {
                let mut random = Random::for_purpose(1, &[u64::from(triangles), u64::from(number)]);
                let mesh = random_triangles(family, triangles, &mut random);
                (mesh, random_rays(UnitCubeMap::IDENTITY, RAYS, &mut random))
            };
            let scenes: Vec<_> = (0..scenes).map(scene).collect();
            ratios.push(measure_row(table, &format!("random-{}", family.name()), &scenes));
        }
    }
    for (name, mesh) in [("house", house()), ("city", city())] {
        let rays = random_rays(UnitCubeMap::of(&mesh), RAYS, &mut Random::new(7));
        ratios.push(measure_row(table, name, &[(mesh, rays)]));
    }
    let within = ratios.iter().filter(|ratio| **ratio <= TOLERANCE).count();
    let worst = ratios.iter().copied().fold(1.0, f64::max);
    println!(
        "auto: within {:.0} % of the fastest on {within} of {} rows; worst ratio {worst:.2}",
        100.0 * (TOLERANCE - 1.0),
        ratios.len()
    );
}

/// Costs of one structure over all scenes of a row.
#[derive(Clone, Copy, Default)]
struct Cost {
    build_s: f64,
    ray_s: f64,
}

/// Measures one row; returns the ratio of the chosen structure's time to the fastest one's.
fn measure_row(table: &mut Table, case: &str, scenes: &[(TriangleMesh, Vec<Ray<3>>)]) -> f64 {
    let mut costs = [Cost::default(); STRUCTURES.len()];
    let (mut differing, mut chosen_s) = (0, 0.0);
    for (mesh, rays) in scenes {
        let mut indices = Vec::new();
        for (structure, cost) in STRUCTURES.into_iter().zip(&mut costs) {
            let (index, build_s) = timed(|| structure.build(mesh));
            indices.push(index);
            cost.build_s += build_s;
        }
        differing += rays.iter().filter(|ray| !agree(&indices, ray)).count();
        let mut best = [0.0; STRUCTURES.len()];
        for rays in rays.chunks(CHUNK) {
            let mut shortest = [f64::INFINITY; STRUCTURES.len()];
            for _ in 0..REPEATS {
                for (index, shortest) in indices.iter().zip(&mut shortest) {
                    *shortest = shortest.min(cast_time(index, rays));
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
        let chosen = STRUCTURES.iter().position(|structure| *structure == choice);
        chosen_s += best[chosen.expect("auto chooses a structure of the engine")]
            / f64::from(RAYS)
            / scenes.len() as f64;
    }
    let features = MeshFeatures::of(&scenes[0].0);
    let fastest = (0..STRUCTURES.len()).min_by(|a, b| costs[*a].ray_s.total_cmp(&costs[*b].ray_s));
    let fastest = fastest.expect("there are structures");
    let ratio = chosen_s / costs[fastest].ray_s;
    let [brute, octree, bvh] = costs.map(|cost| cost.ray_s * 1e9);
    let [brute_build, octree_build, bvh_build] =
        costs.map(|cost| cost.build_s * 1e3 / scenes.len() as f64);
    table.row(&format!(
        "{case},{},{:.4},{},{},{ratio:.3},{brute:.0},{octree:.0},{bvh:.0},{brute_build:.3},\
         {octree_build:.3},{bvh_build:.3},{differing}",
        features.triangles,
        features.mean_aabb_overlap,
        recommend_ray_index(&scenes[0].0).kind.name(),
        STRUCTURES[fastest].name(),
    ));
    ratio
}

fn agree(indices: &[AnyRayIndex], ray: &Ray<3>) -> bool {
    let hits = indices.iter().map(|index| index.closest_hit(ray));
    let bits = hits.map(|hit| hit.map(|hit| (hit.triangle, hit.t.to_bits())));
    let bits: Vec<_> = bits.collect();
    bits.windows(2).all(|pair| pair[0] == pair[1])
}

/// Seconds of casting all rays, with one dispatch to the structure.
fn cast_time(index: &AnyRayIndex, rays: &[Ray<3>]) -> f64 {
    fn each(index: &impl RayIndex, rays: &[Ray<3>]) -> f64 {
        let ((), seconds) = timed(|| {
            for ray in rays {
                black_box(index.closest_hit(black_box(ray)));
            }
        });
        seconds
    }
    match index {
        AnyRayIndex::BruteForce(index) => each(index, rays),
        AnyRayIndex::Octree(index) => each(index, rays),
        AnyRayIndex::Bvh(index) => each(index, rays),
        AnyRayIndex::KdTree(index) => each(index, rays),
        AnyRayIndex::Bsp(index) => each(index, rays),
        AnyRayIndex::Grid(index) => each(index, rays),
        AnyRayIndex::CompactOctree(index) => each(index, rays),
    }
}
