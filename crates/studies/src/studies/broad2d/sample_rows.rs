//! Sample rows for tests: published figures, and invented ones near them.

use embate_scene::generators::Bounds;

use super::plan::{self, CAPACITIES, COHERENCE, COHERENCE_OBJECTS, Request};
use super::published::{self, CELLS};
use crate::studies::moving_worlds::capacity::most_objects;
use crate::studies::moving_worlds::row::Row;
use crate::studies::moving_worlds::{EXPERIMENT_1, EXPERIMENT_2, STUDY_BRUTE, STUDY_GRID};

/// Both experiments, with `seeds` seeds.
pub(super) fn published(seeds: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    for seed in 1..=seeds {
        let row = |technique: &str, tests: f64, ms: f64| Row {
            seed,
            ..sample(EXPERIMENT_1, technique, Bounds::Aabb, 1000, tests, ms)
        };
        rows.push(row(STUDY_BRUTE, 499_500.0, 23.51));
        for cell_size in CELLS {
            let x = f64::from(cell_size);
            let mut grid = row(STUDY_GRID, 40.0 * x, 0.5 + 60.0 / x + x / 100.0);
            grid.cell_size = Some(cell_size);
            grid.bytes = (1e8 / x) as u64;
            grid.missed_pairs = u64::from(cell_size < 50.0) * 1000;
            grid.cells_per_object = Some(1.5);
            rows.push(Row { technique: "grid".to_owned(), missed_pairs: 0, ..grid.clone() });
            rows.push(grid);
        }
        rows.push(row("brute", 499_500.0, 0.2));
        rows.push(row("sweep", 900.0, 0.02));
        for bounds in Bounds::ALL {
            for line in published::lines(bounds) {
                let row = |technique: &str, tests: f64, ms: f64| Row {
                    seed,
                    ..sample(EXPERIMENT_2, technique, bounds, line.objects, tests, ms)
                };
                let all = published::brute_tests(line.objects);
                rows.push(row(STUDY_BRUTE, all, line.brute_ms));
                let mut grid = row(STUDY_GRID, line.grid_tests, line.grid_ms);
                grid.cell_size = Some(published::CELL);
                rows.push(grid);
                rows.push(row("brute", all, line.brute_ms / 20.0));
                rows.push(row("sweep", line.grid_tests / 3.0, line.grid_ms / 10.0));
            }
        }
    }
    rows.extend(capacities(seeds));
    rows.extend(coherence(seeds));
    rows
}

/// Capacities of three techniques; the fastest reaches the end of the search.
fn capacities(seeds: u64) -> Vec<Row> {
    let most = most_objects(&plan::capacity(&Request::default(), &plan::published())[0]);
    let mut rows = Vec::new();
    for (case, fps) in CAPACITIES {
        for bounds in Bounds::ALL {
            for seed in 1..=seeds {
                let factor = 60 / fps;
                for (technique, objects) in [
                    (STUDY_BRUTE, 1_500 * factor),
                    (STUDY_GRID, 12_000 * factor + seed as u32),
                    ("sweep", most),
                ] {
                    let ms = 1e3 / f64::from(fps);
                    let row = sample(case, technique, bounds, objects, 9e4, ms);
                    rows.push(Row { seed, frames: 10, ..row });
                }
            }
        }
    }
    rows
}

/// A kept order is twice as fast; the incremental broad phase pays at rest only.
fn coherence(seeds: u64) -> Vec<Row> {
    let mut rows = Vec::new();
    for objects in COHERENCE_OBJECTS {
        for (case, speed) in COHERENCE {
            for seed in 1..=seeds {
                for (technique, ms) in [
                    ("sweep-variance", 0.2),
                    ("sweep-fresh", 0.4),
                    ("incremental", if speed == 0.0 { 0.01 } else { 0.12 }),
                    ("sweep", 0.1),
                    ("grid", 0.15),
                ] {
                    let ms = ms * f64::from(objects) / 1e3;
                    let row = sample(case, technique, Bounds::Aabb, objects, 3e3, ms);
                    rows.push(Row { seed, ..row });
                }
            }
        }
    }
    rows
}

fn sample(
    case: &str,
    technique: &str,
    bounds: Bounds,
    objects: u32,
    tests_per_frame: f64,
    ms_per_frame: f64,
) -> Row {
    Row {
        case: case.to_owned(),
        technique: technique.to_owned(),
        bounds: bounds.name().to_owned(),
        objects,
        cell_size: None,
        frames: 500,
        seed: 1,
        tests_per_frame,
        pairs_per_frame: f64::from(objects) / 4.0,
        ms_per_frame,
        ms_repeats: vec![ms_per_frame],
        bytes: u64::from(objects) * 16,
        cells_per_object: None,
        speedup_over_brute: Some(2.0),
        speedup_over_study: Some(3.0),
        missed_pairs: 0,
        wrong_pairs: 0,
    }
}
