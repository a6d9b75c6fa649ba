//! Tally of one case: time, tests and errors, technique by technique.

use embate::advisor::recommend_ray_index;
use embate::geometry::TriangleHit;
use embate::raycast::{AnyRayIndex, RayIndex, TraversalStats};
use embate::{Ray, TriangleMesh};
use embate_replica::lorenzi2014::{self, UnitCubeMap};
use embate_replica::structure::{AnyRayStructure, RayStructure};

use super::plan::{Case, Plan};
use super::row::{MAX_LEVELS, Row};
use crate::runner::run_context::RunContext;
use crate::statistics::median;

/// The largest difference of `t` the study did not call an error.
const STUDY_TOLERANCE: f32 = 0.01;

/// On the city a hundred rays take about a tenth of a second: often enough for a progress bar.
const RAYS_BETWEEN_REPORTS: usize = 100;

/// Totals of one technique within a case.
pub(super) struct Tally {
    pub(super) technique: RayStructure,
    triangles: u32,
    builds: u32,
    build_s: f64,
    bytes: u64,
    rays: u32,
    query_s_repeats: Vec<f64>,
    counts: TraversalStats,
    errors: u64,
    triangles_per_level: Option<[u64; MAX_LEVELS]>,
}

impl Tally {
    pub(super) fn new(technique: RayStructure, plan: &Plan, case: &Case<'_>) -> Self {
        Self {
            technique,
            triangles: case.triangles(),
            builds: 0,
            build_s: 0.0,
            bytes: 0,
            rays: 0,
            query_s_repeats: vec![0.0; plan.repeats as usize],
            counts: TraversalStats::default(),
            errors: 0,
            triangles_per_level: None,
        }
    }

    fn build(&mut self, task: &Task<'_>, built: &[Built]) -> Built {
        let own = match self.technique {
            // What it comes to is mostly there already; its build takes as long the second time.
            RayStructure::AUTO => {
                let (advice, choosing) = task.context.time(|| recommend_ray_index(task.mesh));
                let known =
                    built.iter().find(|other| other.index.structure() == advice.kind.into());
                known.map(|known| Built { seconds: known.seconds + choosing, ..known.clone() })
            }
            _ => None,
        };
        let own = own.unwrap_or_else(|| {
            let (index, seconds) = task.context.time(|| build(self.technique, task));
            Built { index, seconds }
        });
        self.build_s += own.seconds;
        self.builds += 1;
        self.bytes += own.index.memory_usage() as u64;
        self.add_levels(&own.index);
        own
    }

    fn count(&mut self, index: &AnyRayStructure, rays: &[Ray<3>]) {
        self.rays += rays.len() as u32;
        if self.technique == self.technique.reference() {
            // Brute force tests everything; that need not be counted one by one.
            self.counts.triangle_tests += rays.len() as u64 * u64::from(self.triangles);
        } else {
            for ray in rays {
                index.closest_hit_observed(ray, &mut self.counts);
            }
        }
    }

    fn add_levels(&mut self, index: &AnyRayStructure) {
        if let AnyRayStructure::LorenziOctree(octree) = index {
            let levels = self.triangles_per_level.get_or_insert([0; MAX_LEVELS]);
            for (sum, count) in levels.iter_mut().zip(octree.triangles_per_level()) {
                *sum += u64::from(count);
            }
        }
    }

    fn query_s(&self) -> f64 {
        median(&self.query_s_repeats).unwrap_or(f64::NAN)
    }
}

/// A structure, and what its build took.
#[derive(Clone)]
struct Built {
    index: AnyRayStructure,
    seconds: f64,
}

/// One scene and the rays that are cast at it.
pub(super) struct Task<'a> {
    /// Called with triangles times rays.
    pub(super) context: &'a RunContext<'a>,
    pub(super) plan: &'a Plan,
    pub(super) mesh: &'a TriangleMesh,
    pub(super) fit: UnitCubeMap,
    pub(super) rays: &'a [Ray<3>],
}

/// Answers the rays with every technique; the first is the reference of the others. In each repeat
/// all take their turn, so that whatever else the machine does meets them alike.
pub(super) fn cast(tallies: &mut [Tally], task: &Task<'_>) {
    let mut built: Vec<Built> = Vec::with_capacity(tallies.len());
    for tally in tallies.iter_mut() {
        built.push(tally.build(task, &built));
    }
    let indices: Vec<AnyRayStructure> = built.into_iter().map(|built| built.index).collect();
    for rays in task.rays.chunks(RAYS_BETWEEN_REPORTS) {
        let mut answers = vec![Vec::new(); tallies.len()];
        for repeat in 0..task.plan.repeats as usize {
            for ((tally, index), answers) in tallies.iter_mut().zip(&indices).zip(&mut answers) {
                let seconds;
                (*answers, seconds) = time_queries(index, rays, task.context);
                tally.query_s_repeats[repeat] += seconds;
            }
        }
        for ((tally, index), own) in tallies.iter_mut().zip(&indices).zip(&answers) {
            tally.count(index, rays);
            let pairs = own.iter().zip(&answers[0]);
            let reference = tally.technique.reference();
            tally.errors += pairs.filter(|(a, b)| differ(reference, **a, **b)).count() as u64;
            (task.context.on_progress)(rays.len() as u64 * u64::from(tally.triangles));
        }
    }
}

/// Hits and seconds. The structure is dispatched once, not per ray.
fn time_queries(
    index: &AnyRayStructure,
    rays: &[Ray<3>],
    context: &RunContext<'_>,
) -> (Vec<Option<TriangleHit>>, f64) {
    fn time(
        index: &impl RayIndex,
        rays: &[Ray<3>],
        context: &RunContext<'_>,
    ) -> (Vec<Option<TriangleHit>>, f64) {
        let mut answers = Vec::with_capacity(rays.len());
        let ((), seconds) =
            context.time(|| answers.extend(rays.iter().map(|ray| index.closest_hit(ray))));
        (answers, seconds)
    }
    match index {
        AnyRayStructure::LorenziBruteForce(index) => time(index, rays, context),
        AnyRayStructure::LorenziOctree(index) => time(index, rays, context),
        AnyRayStructure::Engine(AnyRayIndex::BruteForce(index)) => time(index, rays, context),
        AnyRayStructure::Engine(AnyRayIndex::Octree(index)) => time(index, rays, context),
        AnyRayStructure::Engine(AnyRayIndex::Bvh(index)) => time(index, rays, context),
    }
}

fn build(technique: RayStructure, task: &Task<'_>) -> AnyRayStructure {
    let (mesh, fit) = (task.mesh, task.fit);
    match technique {
        RayStructure::LorenziBruteForce => {
            AnyRayStructure::LorenziBruteForce(lorenzi2014::BruteForce::with_map(mesh, fit))
        }
        RayStructure::LorenziOctree => AnyRayStructure::LorenziOctree(
            lorenzi2014::Octree::with_map(mesh, fit, task.plan.depth),
        ),
        RayStructure::Engine(_) => technique.build(mesh),
    }
}

/// The study forgives a small difference of `t`; ours forgive not a bit.
fn differ(
    reference: RayStructure,
    answer: Option<TriangleHit>,
    expected: Option<TriangleHit>,
) -> bool {
    match (answer, expected) {
        (None, None) => false,
        (Some(a), Some(b)) if reference == RayStructure::LorenziBruteForce => {
            (a.t - b.t).abs() > STUDY_TOLERANCE
        }
        (Some(a), Some(b)) => a.triangle != b.triangle || a.t.to_bits() != b.t.to_bits(),
        _ => true,
    }
}

pub(super) fn rows(plan: &Plan, case: &Case<'_>, tallies: &[Tally]) -> Vec<Row> {
    let query_s = |technique: RayStructure| {
        let tally = tallies.iter().find(|tally| tally.technique == technique);
        tally.map_or(f64::NAN, Tally::query_s)
    };
    let reported = tallies.iter().filter(|tally| plan.techniques.contains(&tally.technique));
    let row = |tally: &Tally| {
        let asked = f64::from(case.triangles()) * f64::from(tally.rays);
        let has_boxes = tally.counts.nodes_visited > 0;
        Row {
            case: case.name(),
            technique: tally.technique.name().to_owned(),
            triangles: case.triangles(),
            rays: tally.rays,
            seed: plan.seed,
            build_s: tally.build_s / f64::from(tally.builds),
            query_s: tally.query_s(),
            query_s_repeats: tally.query_s_repeats.clone(),
            tested_percent: 100.0 * tally.counts.triangle_tests as f64 / asked,
            boxes_per_ray: has_boxes
                .then(|| tally.counts.nodes_visited as f64 / f64::from(tally.rays)),
            errors: tally.errors,
            bytes: tally.bytes / u64::from(tally.builds),
            speedup_over_brute: query_s(tally.technique.reference()) / tally.query_s(),
            speedup_over_study: query_s(RayStructure::LorenziBruteForce) / tally.query_s(),
            levels: tally.triangles_per_level.map(|levels| {
                let all: u64 = levels.iter().sum();
                levels.map(|count| 100.0 * count as f64 / all as f64)
            }),
        }
    };
    reported.map(row).collect()
}
