//! Does a live world count what `study broad2d` counts?
//!
//! To the last digit, for every technique: a page that showed other numbers than the study's report would
//! be worth nothing.

use embate::broad_phase::BroadPhaseKind;

use super::run::{Run, Sums};
use super::techniques;
use crate::scenes::{Bounds, Span};
use crate::studies::broad::broad2d::plan::{Request, plan, published};
use crate::studies::broad::{Effort, Row};
use embate_studies::structure::PairStructure;

const FRAMES: u32 = 500;
const SEED: u64 = 7;

fn rows(request: &Request) -> Vec<Row> {
    let effort = Effort {
        frames: Some(FRAMES),
        seed: SEED,
        seeds: 1,
        techniques: techniques::all(),
        ..published()
    };
    plan(request, effort).unwrap().all_rows()
}

fn live(request: &Request, row: &Row) -> Run {
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
    let mut run = Run::new(&json).unwrap();
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
        let run = live(request, row);
        let Sums { frames, tests, places, pairs, missed } = run.sums();
        let mean = |sum: u64| sum as f64 / f64::from(FRAMES);
        let told = (row.tests_per_frame, row.pairs_per_frame, row.missed_pairs, row.bytes);
        assert_eq!(
            (mean(tests), mean(pairs), missed, run.bytes() as u64),
            told,
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

/// So few that a sweep sorts instead of cutting tiles, and learns from the frame before; so many that it
/// cuts; cells far too small, and larger than any object.
#[test]
fn every_technique_counts_what_the_study_counts() {
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

/// Without a cell size our own grid chooses one, there and here.
#[test]
fn a_grid_that_chooses_its_cells_counts_what_the_studys_does() {
    let request = Request {
        experiment: Some(2),
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
