//! `embate pairs`: which of these boxes overlap?

use std::io::{self, BufWriter, Write};
use std::time::Instant;

use embate::broad_phase::{
    AnyBroadPhase, BroadPhase, BroadPhaseKind, BroadPhaseStats, HierarchicalGrid, OverlapPair,
    sort_pairs,
};
use embate::{Aabb, geometry::BoundingSphere};
use embate_lab::language::Language;
use embate_studies::replica::goncales2016::{self, Grid, MAX_CELLS};
use embate_studies::structure::PairStructure;
use serde_json::json;

use crate::args::PairsRequest;
use crate::boxes_file::{self, Bounds};
use crate::failure::{Failure, output_error, print, remark};
use crate::threads;
use crate::whole_file;

/// Cell size of the second experiment of Gonçales et al. 2016, in px.
const GONCALES_CELL_SIZE: f32 = 100.0;

/// Pairs and what it took to find them.
struct Outcome {
    pairs: Vec<OverlapPair>,
    counts: BroadPhaseStats,
    bytes: usize,
    query_s: f64,
}

pub(crate) fn run(request: &PairsRequest) -> Result<(), Failure> {
    whole_file::refuse_to_overwrite("--out", request.out.as_deref(), &[Some(&request.boxes)])?;
    whole_file::refuse_other_kinds("--out", request.out.as_deref(), &["csv"])?;
    if request.cell_size.is_some() && !request.structure.has_cell_size() {
        let name = request.structure.name();
        return Err(Failure::Misuse(format!(
            "--cell-size: {name} has no cells of a given size; use it with --structure grid or study-grid"
        )));
    }
    let bounds = boxes_file::read(&request.boxes)?;
    let (objects, kind) = match &bounds {
        Bounds::Boxes2(boxes) => (boxes.len(), "boxes in 2D"),
        Bounds::Boxes3(boxes) => (boxes.len(), "boxes in 3D"),
        Bounds::Circles(balls) => (balls.len(), "circles"),
        Bounds::Spheres(balls) => (balls.len(), "spheres"),
    };
    let pool = threads::pool(request.threads)?;
    let outcome = pool.install(|| find(request, &bounds, kind))?;
    if let Some(out) = &request.out {
        whole_file::write(out, |file| write_csv(file, &outcome.pairs).map_err(|e| e.to_string()))?;
    }
    if request.json {
        let mut json = json!({
            "asked": {
                "command": "pairs",
                "boxes": request.boxes.display().to_string(),
                "kind": kind,
                "objects": objects,
                "structure": request.structure.name(),
                "cell_size": request.cell_size,
                "threads": request.threads,
            },
            "counts": {
                "objects": objects,
                "pairs": outcome.pairs.len(),
                "tests": outcome.counts.overlap_tests,
                "cells": outcome.counts.cells_visited,
                "places": outcome.counts.cell_entries,
            },
            "times": { "build_s": 0.0, "query_s": outcome.query_s },
            "memory": { "bytes": outcome.bytes },
        });
        match &request.out {
            Some(out) => json["out"] = out.display().to_string().into(),
            None => json["results"] = outcome.pairs.iter().map(|pair| json!(pair)).collect(),
        }
        return print(&format!("{json:#}\n"));
    }
    if request.out.is_none() {
        let stdout = BufWriter::new(io::stdout().lock());
        write_csv(stdout, &outcome.pairs).map_err(|error| output_error(&error))?;
    }
    let english = Language::English;
    remark(&format!(
        "{} {kind}, {} overlapping pairs; {}: {}",
        english.integer(objects as u64),
        english.integer(outcome.pairs.len() as u64),
        request.structure.name(),
        english.duration(outcome.query_s),
    ));
    Ok(())
}

fn find(request: &PairsRequest, bounds: &Bounds, kind: &str) -> Result<Outcome, Failure> {
    match (bounds, request.structure) {
        (Bounds::Boxes2(boxes), PairStructure::Engine(technique)) => {
            ours(technique, request, boxes)
        }
        (Bounds::Boxes3(boxes), PairStructure::Engine(technique)) => {
            ours(technique, request, boxes)
        }
        (Bounds::Circles(balls), PairStructure::Engine(technique)) => {
            of_balls(technique, request, balls)
        }
        (Bounds::Spheres(balls), PairStructure::Engine(technique)) => {
            of_balls(technique, request, balls)
        }
        (Bounds::Boxes2(boxes), _) => goncales(request, boxes, boxes),
        (Bounds::Circles(balls), _) => {
            let boxes: Vec<Aabb<2>> = balls.iter().map(BoundingSphere::padded_aabb).collect();
            goncales(request, balls, &boxes)
        }
        _ => {
            let name = request.structure.name();
            let file = request.boxes.display();
            Err(Failure::Misuse(format!("--structure {name} is for 2D; {file} holds {kind}")))
        }
    }
}

/// Timed uncounted, counted in a pass of its own.
fn ours<const D: usize>(
    technique: BroadPhaseKind,
    request: &PairsRequest,
    boxes: &[Aabb<D>],
) -> Result<Outcome, Failure> {
    let boxes = boxes_file::checked(&request.boxes, boxes)?;
    boxes_file::refuse_crowd(&request.boxes, boxes, request.max_pairs)?;
    let mut finder = finder(technique, request, boxes.len())?;
    let mut counting = finder.clone();
    let mut pairs = Vec::new();
    let clock = Instant::now();
    finder.find_pairs(boxes, &mut pairs);
    let query_s = clock.elapsed().as_secs_f64();
    let mut counts = BroadPhaseStats::default();
    if request.json {
        counting.find_pairs_observed(boxes, &mut Vec::new(), &mut counts);
    }
    sort_pairs(&mut pairs, boxes.len() as u32);
    Ok(Outcome { pairs, counts, bytes: finder.memory_usage(), query_s })
}

fn finder<const D: usize>(
    technique: BroadPhaseKind,
    request: &PairsRequest,
    boxes: usize,
) -> Result<AnyBroadPhase<D>, Failure> {
    match (technique, request.cell_size) {
        (BroadPhaseKind::Grid, Some(size)) => {
            let grid = HierarchicalGrid::with_cell_size(size).ok_or_else(|| {
                Failure::Misuse(format!("--cell-size {size}: must be finite and above 0"))
            })?;
            Ok(AnyBroadPhase::Grid(grid))
        }
        _ => Ok(technique.create(boxes)),
    }
}

fn of_balls<const D: usize>(
    technique: BroadPhaseKind,
    request: &PairsRequest,
    balls: &[BoundingSphere<D>],
) -> Result<Outcome, Failure> {
    let boxes: Vec<Aabb<D>> = balls.iter().map(BoundingSphere::padded_aabb).collect();
    let mut outcome = ours(technique, request, &boxes)?;
    let clock = Instant::now();
    outcome.pairs.retain(|&[a, b]| balls[a as usize].overlaps(&balls[b as usize]));
    outcome.query_s += clock.elapsed().as_secs_f64();
    Ok(outcome)
}

fn goncales<S: goncales2016::Shape>(
    request: &PairsRequest,
    objects: &[S],
    boxes: &[Aabb<2>],
) -> Result<Outcome, Failure> {
    let checked = boxes_file::checked(&request.boxes, boxes)?;
    boxes_file::refuse_crowd(&request.boxes, checked, request.max_pairs)?;
    let mut pairs = Vec::new();
    let corners = boxes.iter().flat_map(|b| [&b.min, &b.max]);
    let world = Aabb::from_points(corners).unwrap_or(Aabb { min: [0.0; 2], max: [0.0; 2] });
    if request.structure == PairStructure::GoncalesBruteForce {
        let clock = Instant::now();
        let counts = goncales2016::brute_force(objects, &mut pairs);
        return Ok(Outcome { pairs, counts, bytes: 0, query_s: clock.elapsed().as_secs_f64() });
    }
    let size = request.cell_size.unwrap_or(GONCALES_CELL_SIZE);
    let mut grid = Grid::new(&world, size).ok_or_else(|| {
        let most = Language::English.integer(MAX_CELLS);
        Failure::Misuse(format!(
            "--cell-size {size}: must be above 0 and give at most {most} cells"
        ))
    })?;
    let clock = Instant::now();
    let counts = grid.find_pairs(objects, &mut pairs);
    let query_s = clock.elapsed().as_secs_f64();
    Ok(Outcome { pairs, counts, bytes: grid.memory_usage(), query_s })
}

/// `a,b` with a < b, sorted.
fn write_csv(mut out: impl Write, pairs: &[OverlapPair]) -> io::Result<()> {
    writeln!(out, "a,b")?;
    for [a, b] in pairs {
        writeln!(out, "{a},{b}")?;
    }
    out.flush()
}
