//! Tally of one case: time, tests and errors, technique by technique.

use std::hint::black_box;

use embate::advisor::recommend_ray_index;
use embate::geometry::TriangleHit;
use embate::raycast::{AnyRayIndex, RayIndex, TraversalStats};
use embate::{Ray, TriangleMesh};
use embate_replica::lorenzi2014::{self, UnitCubeMap};
use embate_replica::structure::{AnyRayStructure, RayStructure};

use super::plan::{Case, RaysPlan};
use super::row::{PUBLISHED_LEVELS, Row};
use super::setting::Setting;
use crate::runner::run_context::RunContext;
use crate::statistics::median;

/// The largest difference of `t` the study did not call an error.
const STUDY_TOLERANCE: f32 = 0.01;

/// On the city a hundred rays take about a tenth of a second: often enough for a progress bar.
const RAYS_BETWEEN_REPORTS: usize = 100;

/// Rays that a structure answers per turn: enough that the caches hold its own nodes, not those of
/// the structure before, for most of them.
const RAYS_PER_TURN: usize = 10_000;

/// Totals of one technique within a case.
pub(super) struct Tally {
    pub(super) technique: RayStructure,
    setting: Option<Setting>,
    triangles: u32,
    builds: u32,
    build_s: f64,
    bytes: u64,
    rays: u32,
    query_s_repeats: Vec<f64>,
    /// Empty for structures without a separate traversal.
    traversal_s_repeats: Vec<f64>,
    /// Seconds of the latest turn.
    turn_s: f64,
    counts: TraversalStats,
    errors: u64,
    triangles_per_level: Option<Vec<u64>>,
}

impl Tally {
    pub(super) fn new(technique: RayStructure, plan: &RaysPlan, case: &Case<'_>) -> Self {
        Self {
            technique,
            setting: None,
            triangles: case.triangles(),
            builds: 0,
            build_s: 0.0,
            bytes: 0,
            rays: 0,
            query_s_repeats: vec![0.0; plan.repeats as usize],
            traversal_s_repeats: Vec::new(),
            turn_s: 0.0,
            counts: TraversalStats::default(),
            errors: 0,
            triangles_per_level: None,
        }
    }

    /// A structure with other settings than its own technique.
    pub(super) fn of_setting(setting: Setting, plan: &RaysPlan, case: &Case<'_>) -> Self {
        Self { setting: Some(setting), ..Self::new(setting.structure(), plan, case) }
    }

    fn build(&mut self, task: &Task<'_>, built: &[Built]) -> Built {
        let own = match self.technique {
            // The chosen structure is usually built already; a second build takes as long.
            RayStructure::AUTO => {
                let (advice, choosing) = task.context.time(|| recommend_ray_index(task.mesh));
                let is_chosen = |other: &Built| other.index.structure() == advice.kind.into();
                built.iter().position(is_chosen).map(|chosen| Built {
                    index: built[chosen].index.clone(),
                    seconds: built[chosen].seconds + choosing,
                    shared_with: Some(chosen),
                })
            }
            _ => None,
        };
        let own = own.unwrap_or_else(|| {
            let (index, seconds) = task.context.time(|| match self.setting {
                Some(setting) => AnyRayStructure::Engine(setting.build(task.mesh)),
                None => build(self.technique, task),
            });
            Built { index, seconds, shared_with: None }
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
            let counts = octree.triangles_per_level();
            let levels = self
                .triangles_per_level
                .get_or_insert_with(|| vec![0; counts.len().max(PUBLISHED_LEVELS)]);
            for (sum, count) in levels.iter_mut().zip(counts) {
                *sum += u64::from(count);
            }
        }
    }

    fn query_s(&self) -> f64 {
        median(&self.query_s_repeats).unwrap_or(f64::NAN)
    }
}

/// A built structure.
struct Built {
    index: AnyRayStructure,
    /// Build time.
    seconds: f64,
    /// Position of the technique that is the same structure. It is not timed twice: whichever came
    /// second would find its nodes in the caches.
    shared_with: Option<usize>,
}

/// One scene and the rays that are cast at it.
pub(super) struct Task<'a> {
    /// Called with triangles times rays.
    pub(super) context: &'a RunContext<'a>,
    pub(super) plan: &'a RaysPlan,
    pub(super) mesh: &'a TriangleMesh,
    pub(super) fit: UnitCubeMap,
    pub(super) rays: &'a [Ray<3>],
}

/// Answers the rays with every technique; the first is the reference of the others. In each repeat
/// the techniques take turns, so that other load of the machine affects all alike.
pub(super) fn cast(tallies: &mut [Tally], task: &Task<'_>) {
    let mut built: Vec<Built> = Vec::with_capacity(tallies.len());
    for tally in tallies.iter_mut() {
        built.push(tally.build(task, &built));
    }
    let repeats = task.plan.repeats as usize;
    for rays in task.rays.chunks(RAYS_PER_TURN) {
        let mut answers = vec![Vec::new(); tallies.len()];
        for repeat in 0..repeats {
            for index in 0..tallies.len() {
                let progress = PassProgress { task, pass: repeat, passes: repeats + 1 };
                let turn_s = if let Some(chosen) = built[index].shared_with {
                    let (known, rest) = answers.split_at_mut(index);
                    rest[0].clone_from(&known[chosen]);
                    progress.report(rays.len());
                    tallies[chosen].turn_s
                } else {
                    answers[index].clear();
                    time_turn(&built[index].index, rays, &mut answers[index], &progress)
                };
                tallies[index].turn_s = turn_s;
                tallies[index].query_s_repeats[repeat] += turn_s;
                if let Some(seconds) = time_traversal(&built[index].index, rays, task.context) {
                    let repeats = &mut tallies[index].traversal_s_repeats;
                    repeats.resize(task.plan.repeats as usize, 0.0);
                    repeats[repeat] += seconds;
                }
            }
        }
        let progress = PassProgress { task, pass: repeats, passes: repeats + 1 };
        for ((tally, built), own) in tallies.iter_mut().zip(&built).zip(&answers) {
            tally.count(&built.index, rays);
            let pairs = own.iter().zip(&answers[0]);
            let reference = tally.technique.reference();
            tally.errors += pairs.filter(|(a, b)| differ(reference, **a, **b)).count() as u64;
            progress.report(rays.len());
        }
    }
}

/// Progress of one pass of a technique over some rays, of several passes with equal shares.
struct PassProgress<'a> {
    task: &'a Task<'a>,
    pass: usize,
    passes: usize,
}

impl PassProgress<'_> {
    /// Reports the share of these rays; all passes add up to rays times triangles. In the same
    /// portions in every pass, since each is rounded down.
    fn report(&self, rays: usize) {
        let mut left = rays;
        while left > 0 {
            let portion = left.min(RAYS_BETWEEN_REPORTS);
            let work = portion as u64 * self.task.mesh.triangles().len() as u64;
            let up_to = |pass: usize| work * pass as u64 / self.passes as u64;
            (self.task.context.on_progress)(up_to(self.pass + 1) - up_to(self.pass));
            left -= portion;
        }
    }
}

/// Answers the rays and returns the seconds.
fn time_turn(
    index: &AnyRayStructure,
    rays: &[Ray<3>],
    answers: &mut Vec<Option<TriangleHit>>,
    progress: &PassProgress<'_>,
) -> f64 {
    let mut seconds = 0.0;
    for rays in rays.chunks(RAYS_BETWEEN_REPORTS) {
        seconds += time_queries(index, rays, answers, progress.task.context);
        progress.report(rays.len());
    }
    seconds
}

/// Appends the hits, and returns the seconds. The structure is dispatched once, not per ray.
fn time_queries(
    index: &AnyRayStructure,
    rays: &[Ray<3>],
    answers: &mut Vec<Option<TriangleHit>>,
    context: &RunContext<'_>,
) -> f64 {
    fn time(
        index: &impl RayIndex,
        rays: &[Ray<3>],
        answers: &mut Vec<Option<TriangleHit>>,
        context: &RunContext<'_>,
    ) -> f64 {
        answers.reserve(rays.len());
        context.time(|| answers.extend(rays.iter().map(|ray| index.closest_hit(ray)))).1
    }
    match index {
        AnyRayStructure::LorenziBruteForce(index) => time(index, rays, answers, context),
        AnyRayStructure::LorenziOctree(index) => time(index, rays, answers, context),
        AnyRayStructure::TestedBruteForce(index) => time(index, rays, answers, context),
        AnyRayStructure::LiteralBruteForce(index) => time(index, rays, answers, context),
        AnyRayStructure::LiteralOctree(index) => time(index, rays, answers, context),
        AnyRayStructure::Engine(AnyRayIndex::BruteForce(index)) => {
            time(index, rays, answers, context)
        }
        AnyRayStructure::Engine(AnyRayIndex::Octree(index)) => time(index, rays, answers, context),
        AnyRayStructure::Engine(AnyRayIndex::Bvh(index)) => time(index, rays, answers, context),
        AnyRayStructure::Engine(AnyRayIndex::KdTree(index)) => time(index, rays, answers, context),
        AnyRayStructure::Engine(AnyRayIndex::Bsp(index)) => time(index, rays, answers, context),
        AnyRayStructure::Engine(AnyRayIndex::Grid(index)) => time(index, rays, answers, context),
        AnyRayStructure::Engine(AnyRayIndex::CompactOctree(index)) => {
            time(index, rays, answers, context)
        }
    }
}

/// Seconds that an octree of the study traverses for these rays, without triangle tests.
fn time_traversal(
    index: &AnyRayStructure,
    rays: &[Ray<3>],
    context: &RunContext<'_>,
) -> Option<f64> {
    let time = |candidates: &dyn Fn() -> usize| context.time(|| black_box(candidates())).1;
    match index {
        AnyRayStructure::LorenziOctree(octree) => {
            Some(time(&|| rays.iter().map(|ray| octree.candidates(ray)).sum()))
        }
        AnyRayStructure::LiteralOctree(octree) => {
            Some(time(&|| rays.iter().map(|ray| octree.candidates(ray)).sum()))
        }
        _ => None,
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
        RayStructure::LiteralBruteForce => {
            AnyRayStructure::LiteralBruteForce(lorenzi2014::LiteralBruteForce::with_map(mesh, fit))
        }
        RayStructure::LiteralOctree => AnyRayStructure::LiteralOctree(
            lorenzi2014::LiteralOctree::with_map(mesh, fit, task.plan.depth),
        ),
        RayStructure::Engine(_) | RayStructure::TestedBruteForce(_) => technique.build(mesh),
    }
}

/// The study tolerates a small difference of `t`; the engine's structures tolerate none.
fn differ(
    reference: RayStructure,
    answer: Option<TriangleHit>,
    expected: Option<TriangleHit>,
) -> bool {
    match (answer, expected) {
        (None, None) => false,
        (Some(a), Some(b)) if reference.is_replica() => (a.t - b.t).abs() > STUDY_TOLERANCE,
        (Some(a), Some(b)) => a.triangle != b.triangle || a.t.to_bits() != b.t.to_bits(),
        _ => true,
    }
}

pub(super) fn rows(plan: &RaysPlan, case: &Case<'_>, tallies: &[Tally]) -> Vec<Row> {
    let query_s = |technique: RayStructure| {
        let tally = tallies.iter().find(|tally| tally.technique == technique);
        tally.map_or(f64::NAN, Tally::query_s)
    };
    let is_reported =
        |tally: &&Tally| tally.setting.is_some() || plan.techniques.contains(&tally.technique);
    let reported = tallies.iter().filter(is_reported);
    let row = |tally: &Tally| {
        let all_tests = f64::from(case.triangles()) * f64::from(tally.rays);
        let has_boxes = tally.counts.nodes_visited > 0;
        Row {
            case: case.name(),
            technique: tally.setting.map_or(tally.technique.name(), Setting::name).to_owned(),
            triangles: case.triangles(),
            rays: tally.rays,
            seed: plan.seed,
            build_s: tally.build_s / f64::from(tally.builds),
            query_s: tally.query_s(),
            query_s_repeats: tally.query_s_repeats.clone(),
            traversal_s: median(&tally.traversal_s_repeats),
            traversal_s_repeats: tally.traversal_s_repeats.clone(),
            tested_percent: 100.0 * tally.counts.triangle_tests as f64 / all_tests,
            boxes_per_ray: has_boxes
                .then(|| tally.counts.nodes_visited as f64 / f64::from(tally.rays)),
            errors: tally.errors,
            bytes: tally.bytes / u64::from(tally.builds),
            speedup_over_brute: query_s(tally.technique.reference()) / tally.query_s(),
            speedup_over_study: query_s(RayStructure::LorenziBruteForce) / tally.query_s(),
            levels: tally.triangles_per_level.as_ref().map(|levels| {
                let all: u64 = levels.iter().sum();
                levels.iter().map(|&count| 100.0 * count as f64 / all as f64).collect()
            }),
        }
    };
    reported.map(row).collect()
}
