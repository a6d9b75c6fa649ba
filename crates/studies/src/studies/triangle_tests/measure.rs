//! Measurement of one case: each test is timed in turn, then compared with the exact test.

use embate::{Ray, Triangle};
use embate_replica::triangle_tests::{
    Crossing, ExactTest, MollerTrumbore, Plucker, SeguraFeito, StudyMollerTrumbore, TriangleTest,
    TriangleTestKind, WatertightRay,
};

use super::plan::{Case, TriangleTestsPlan};
use super::row::Row;
use super::samples::{Batch, Pairing, batches};
use crate::runner::run_context::RunContext;

/// Tests per reading of the clock, at least: half a millisecond, a hundred of the finest ticks of
/// browsers.
const MIN_TESTS: u64 = 100_000;

/// All rows of one case; progress is in units of [`TriangleTestsPlan::work`].
pub(super) fn measure(plan: &TriangleTestsPlan, case: Case, context: &RunContext<'_>) -> Vec<Row> {
    let batches = batches(case, plan.rays, plan.seed);
    let tests: u64 = batches.iter().map(Batch::tests).sum();
    let times = MIN_TESTS.div_ceil(tests.max(1));
    let turn = u64::from(plan.rays) * case.tests_per_ray();
    let tools: Vec<Tools> = plan.techniques.iter().map(|&kind| Tools::of_kind(kind)).collect();
    let mut ns_repeats = vec![Vec::new(); tools.len()];
    for _ in 0..plan.repeats {
        for (tools, ns) in tools.iter().zip(&mut ns_repeats) {
            let hits = || batches.iter().map(tools.count_hits).sum::<u64>();
            let work = || (0..times).map(|_| std::hint::black_box(hits())).max();
            let (_, seconds) = context.time(work);
            ns.push(1e9 * seconds / (times * tests.max(1)) as f64);
            (context.on_progress)(turn);
        }
    }
    let mut outcomes = vec![Outcome::default(); tools.len()];
    for batch in &batches {
        for (number, ray) in batch.rays.iter().enumerate() {
            let triangles = batch.triangles_of(number);
            let exact = ExactTest::new(ray);
            let crossings: Vec<_> = triangles.iter().map(|one| exact.crossing(one)).collect();
            for (tools, outcome) in tools.iter().zip(&mut outcomes) {
                (tools.compare)(ray, triangles, &crossings, outcome);
            }
        }
        let compared = batch.rays.len() as u64 * case.tests_per_ray();
        (context.on_progress)(compared * tools.len() as u64);
    }
    let is_closed = batches.iter().any(|batch| batch.pairing == Pairing::ClosedMesh);
    let row = |((kind, outcome), ns_repeats): ((&TriangleTestKind, Outcome), Vec<f64>)| Row {
        case: case.name().to_owned(),
        technique: kind.name().to_owned(),
        pairs: tests,
        rays: plan.rays,
        seed: plan.seed,
        ns_repeats,
        wrong_hits: outcome.wrong_hits,
        wrong_misses: outcome.wrong_misses,
        leaks: is_closed.then_some(outcome.rays_without_hit),
        max_t_error: (outcome.right_hits > 0).then_some(outcome.max_t_error),
    };
    plan.techniques.iter().zip(outcomes).zip(ns_repeats).map(row).collect()
}

/// Comparison of one test with the exact one.
#[derive(Clone, Copy, Debug, Default)]
struct Outcome {
    right_hits: u64,
    wrong_hits: u64,
    wrong_misses: u64,
    rays_without_hit: u64,
    max_t_error: f64,
}

/// The functions of a test, compiled for it.
struct Tools {
    count_hits: fn(&Batch) -> u64,
    compare: fn(&Ray<3>, &[Triangle], &[Option<Crossing>], &mut Outcome),
}

impl Tools {
    fn of<T: TriangleTest>() -> Self {
        Self { count_hits: count_hits::<T>, compare: compare::<T> }
    }

    fn of_kind(kind: TriangleTestKind) -> Self {
        match kind {
            TriangleTestKind::StudyMollerTrumbore => Self::of::<StudyMollerTrumbore>(),
            TriangleTestKind::MollerTrumbore => Self::of::<MollerTrumbore>(),
            TriangleTestKind::SeguraFeito => Self::of::<SeguraFeito>(),
            TriangleTestKind::Plucker => Self::of::<Plucker>(),
            TriangleTestKind::Woop => Self::of::<WatertightRay>(),
            TriangleTestKind::Exact => Self::of::<ExactTest>(),
        }
    }
}

/// All tests of a batch, as timed.
fn count_hits<T: TriangleTest>(batch: &Batch) -> u64 {
    let mut hits = 0;
    match batch.pairing {
        Pairing::OneToOne => {
            for (ray, triangle) in batch.rays.iter().zip(&batch.triangles) {
                hits += u64::from(T::new(ray).intersect(triangle, 0, ray.t_max).is_some());
            }
        }
        Pairing::ClosedMesh => {
            for ray in &batch.rays {
                let test = T::new(ray);
                for triangle in &batch.triangles {
                    hits += u64::from(test.intersect(triangle, 0, ray.t_max).is_some());
                }
            }
        }
    }
    hits
}

/// Compares the results of a ray with the exact crossings.
fn compare<T: TriangleTest>(
    ray: &Ray<3>,
    triangles: &[Triangle],
    crossings: &[Option<Crossing>],
    outcome: &mut Outcome,
) {
    let test = T::new(ray);
    let mut is_any_hit = false;
    for (triangle, crossing) in triangles.iter().zip(crossings) {
        let found = test.intersect(triangle, 0, ray.t_max);
        is_any_hit |= found.is_some();
        match (found, crossing.and_then(|crossing| expected_t(T::KIND, crossing))) {
            (Some(hit), Some(t)) => {
                outcome.right_hits += 1;
                let error = (f64::from(hit.t) - t).abs() / t;
                if error > outcome.max_t_error {
                    outcome.max_t_error = error;
                }
            }
            (Some(_), None) => outcome.wrong_hits += 1,
            (None, Some(_)) => outcome.wrong_misses += 1,
            (None, None) => {}
        }
    }
    outcome.rays_without_hit += u64::from(!is_any_hit);
}

/// The parameter of a hit by the definition of a test: the study's counts front faces only, also
/// behind the origin.
fn expected_t(kind: TriangleTestKind, crossing: Crossing) -> Option<f64> {
    if kind == TriangleTestKind::StudyMollerTrumbore {
        crossing.is_front.then_some(crossing.t.abs())
    } else {
        (crossing.t >= 0.0).then_some(crossing.t)
    }
}

#[cfg(test)]
mod tests {
    use super::super::plan::Aim;
    use super::*;

    fn rows(case: Case, rays: u32) -> Vec<Row> {
        let plan = TriangleTestsPlan { rays, repeats: 1, ..TriangleTestsPlan::new(true) };
        measure(&plan, case, &RunContext { clock: || 0.0, on_progress: &|_| {} })
    }

    fn of(rows: &[Row], kind: TriangleTestKind) -> &Row {
        rows.iter().find(|row| row.technique == kind.name()).unwrap()
    }

    #[test]
    fn all_tests_agree_with_the_exact_one_on_clear_pairs() {
        for case in [Case::Hit, Case::Miss] {
            for row in rows(case, 1_500) {
                assert_eq!((row.wrong_hits, row.wrong_misses), (0, 0), "{row:?}");
                assert_eq!(row.max_t_error.is_some(), case == Case::Hit, "{row:?}");
                assert!(row.max_t_error.unwrap_or(0.0) < 1e-3, "{row:?}");
            }
        }
    }

    #[test]
    fn woop_and_exact_leak_nothing_and_leaks_of_moller_trumbore_are_counted() {
        let mut leaks_of_moller_trumbore = 0;
        for case in [Case::Near(Aim::Vertices), Case::Near(Aim::Edges), Case::Far(Aim::Vertices)] {
            let rows = rows(case, 1_200);
            for kind in TriangleTestKind::ALL {
                let row = of(&rows, kind);
                assert_eq!((row.pairs, row.rays), (300 * (12 + 128 + 512 + 576), 1_200));
                assert!(!kind.is_watertight() || row.leaks == Some(0), "{row:?}");
                assert_eq!(row.broken_guarantees(), 0, "{row:?}");
            }
            assert_eq!(of(&rows, TriangleTestKind::Exact).wrong(), 0);
            leaks_of_moller_trumbore += of(&rows, TriangleTestKind::MollerTrumbore).leaks.unwrap();
        }
        assert!(leaks_of_moller_trumbore > 0);
    }

    /// The meshes are wound inward, so that the study's culling removes no hit from inside.
    #[test]
    fn random_rays_from_inside_are_decided_alike_by_all_tests() {
        for row in rows(Case::Near(Aim::Random), 400) {
            assert!(row.agreement_percent() > 99.99, "{row:?}");
            assert_eq!(row.leaks, Some(0), "{row:?}");
        }
    }
}
