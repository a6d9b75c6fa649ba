//! Equality of the viewer with `study broad2d`, to the last digit, for every technique.

use embate::broad_phase::BroadPhaseKind;
use embate_replica::structure::PairStructure;
use embate_scene::generators::{Bounds, Span};
use embate_studies::Study;
use embate_studies::broad2d::plan::{Request, plan, published};
use embate_studies::moving_worlds::{Budget, Row};
use embate_studies::runner::config::Experiment;
use embate_studies::runner::run_context::{RunContext, system_clock};

use super::techniques;
use super::viewer_run::{FrameTotals, ViewerRun};

const FRAMES: u32 = 500;
const SEED: u64 = 7;

fn rows(request: &Request) -> Vec<Row> {
    let effort = Budget {
        frames: Some(FRAMES),
        seed: SEED,
        seeds: 1,
        techniques: techniques::all(),
        ..published()
    };
    let plan = plan(request, effort).unwrap();
    let context = RunContext { clock: system_clock, on_progress: &|_| {} };
    plan.cases().iter().flat_map(|case| plan.measure(case, &context)).collect()
}

fn viewer_run(request: &Request, row: &Row) -> ViewerRun {
    let [width, height] = request.world.unwrap();
    let (size, speed) = (request.size.unwrap(), request.speed.unwrap());
    let json = format!(
        r#"{{"width":{width},"height":{height},"objects":{},"bounds":"{}","minSize":{},"maxSize":{},
            "minSpeed":{},"maxSpeed":{},"technique":"{}","cellSize":{},"seed":{SEED}}}"#,
        row.objects,
        row.bounds,
        size.min,
        size.max,
        speed.min,
        speed.max,
        row.technique,
        row.cell_size.unwrap_or(0.0),
    );
    let mut run = ViewerRun::new(&json).unwrap();
    for _ in 0..FRAMES {
        run.advance();
        run.detect();
        run.settle();
    }
    run
}

fn assert_equal(request: &Request) -> Vec<Row> {
    let rows = rows(request);
    for row in &rows {
        let run = viewer_run(request, row);
        let FrameTotals { frames, tests, places, pairs, missed } = run.totals();
        let mean = |sum: u64| sum as f64 / f64::from(FRAMES);
        let of_study = (row.tests_per_frame, row.pairs_per_frame, row.missed_pairs, row.bytes);
        assert_eq!(
            (mean(tests), mean(pairs), missed, run.bytes() as u64),
            of_study,
            "{} {} {:?}",
            row.technique,
            row.bounds,
            row.cell_size
        );
        assert_eq!(frames, u64::from(FRAMES));
        let each = (places > 0).then(|| mean(places) / f64::from(row.objects));
        assert_eq!(each, row.cells_per_object, "{} {:?}", row.technique, row.cell_size);
    }
    rows
}

/// Few objects, which a sweep sorts with temporal coherence; many, which it cuts into tiles; cells
/// far too small, and larger than any object.
#[test]
fn counts_of_every_technique_equal_the_study() {
    let request = Request {
        world: Some([420.0, 300.0]),
        objects: Some(vec![1, 60, 320]),
        size: Some(Span { min: 3.0, max: 24.5 }),
        speed: Some(Span { min: 10.0, max: 300.0 }),
        cell_sizes: Some(vec![7.25, 40.0]),
        ..Request::default()
    };
    let rows = assert_equal(&request);
    for technique in techniques::all() {
        for bounds in Bounds::ALL {
            let is_of =
                |row: &Row| row.technique == technique.name() && row.bounds == bounds.name();
            assert!(rows.iter().any(is_of), "{} {bounds:?}", technique.name());
        }
    }
    let of_grid = |row: &&Row| row.technique == PairStructure::GoncalesGrid.name();
    assert!(rows.iter().filter(of_grid).any(|row| row.missed_pairs > 1_000));
}

/// Without a cell size, the engine's grid chooses the same size in both.
#[test]
fn counts_of_a_grid_with_automatic_cells_equal_the_study() {
    let request = Request {
        experiment: Some(Experiment::Published(2)),
        world: Some([2000.0; 2]),
        objects: Some(vec![250]),
        bounds: Some(Bounds::Aabb),
        size: Some(Span { min: 5.0, max: 50.0 }),
        speed: Some(Span { min: 5.0, max: 50.0 }),
        ..Request::default()
    };
    let rows = assert_equal(&request);
    let grid = PairStructure::Engine(BroadPhaseKind::Grid).name();
    assert!(rows.iter().any(|row| row.technique == grid && row.cell_size.is_none()));
}
