//! `embate pairs`: all overlapping pairs of boxes, circles or spheres (broad phase).

mod report;

use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::time::Instant;

use clap::Args;
use embate::broad_phase::{
    AabbSlice, AnyBroadPhase, BroadPhase, BroadPhaseKind, BroadPhaseStats, HierarchicalGrid,
    OctreeBroadPhase, OverlapPair, SweepAndPrune, SweepAxis, center_variances, connected_groups,
    sort_pairs,
};
use embate::{Aabb, geometry::BoundingSphere};
use embate_replica::goncales2016::{self, Grid, MAX_CELLS};
use embate_replica::lasch::OctreeLimits;
use embate_replica::structure::PairStructure;
use embate_report::language::Language;

use crate::args::{ThreadArguments, possible_values};
use crate::failure::Failure;
use crate::io::boxes_file::{self, Bounds};
use crate::io::output::{log, output_error, print};
use crate::io::output_file;
use report::{Groups, Report};

#[derive(Debug, Args)]
pub(crate) struct PairsRequest {
    /// CSV file of boxes (`min_x,min_y,max_x,max_y` or `min_x,min_y,min_z,max_x,max_y,max_z`),
    /// circles (`x,y,radius`) or spheres (`x,y,z,radius`)
    pub(crate) boxes: PathBuf,
    /// Broad phase: auto, brute, sweep (tiled), tree, grid, octree; sweep-x, sweep-y, sweep-z or
    /// sweep-variance (sort and sweep along one axis) and octree-strict, as in Lasch; study-brute
    /// or study-grid, which replicate Gonçales et al. 2016
    #[arg(long, visible_alias = "technique", value_name = "NAME", default_value = "auto",
          value_parser = pair_structure)]
    pub(crate) structure: PairStructure,
    /// Cell edge of study-grid [default: 100], or of the finest level of grid [default: chosen from
    /// the boxes]
    #[arg(long, value_name = "X")]
    pub(crate) cell_size: Option<f32>,
    /// Levels of octree-strict below its root, 1 to 64 [default: 8]
    #[arg(long, value_name = "N")]
    pub(crate) octree_depth: Option<u8>,
    /// Smallest cell of octree-strict; 0 if only the depth is limited [default: 0]
    #[arg(long, value_name = "X")]
    pub(crate) octree_cell: Option<f32>,
    #[command(flatten)]
    pub(crate) workers: ThreadArguments,
    /// Maximum number of pairs held in memory, 16 bytes each
    #[arg(long, value_name = "N", default_value_t = 50_000_000)]
    pub(crate) max_pairs: u64,
    /// Print groups instead of pairs: objects connected by pairs, directly or through others
    #[arg(long)]
    pub(crate) groups: bool,
    /// Write the pairs or groups to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

fn pair_structure(name: &str) -> Result<PairStructure, String> {
    let all = PairStructure::choices();
    PairStructure::from_name(name, &all).ok_or_else(|| {
        let names = all.iter().map(|structure| structure.name());
        possible_values(&["auto"].into_iter().chain(names).collect::<Vec<_>>())
    })
}

/// Cell size of the second experiment of Gonçales et al. 2016, in px.
const GONCALES_CELL_SIZE: f32 = 100.0;

/// Pairs found, with costs.
struct Search {
    pairs: Vec<OverlapPair>,
    stats: BroadPhaseStats,
    bytes: usize,
    query_s: f64,
    sweep: Option<Sweep>,
}

/// Axes of a sort and sweep along one axis.
struct Sweep {
    axis: usize,
    next_axis: usize,
    /// Variance of the centers along each axis.
    variances: Vec<f64>,
}

impl Sweep {
    fn of<const D: usize>(broad_phase: &AnyBroadPhase<D>, boxes: AabbSlice<'_, D>) -> Option<Self> {
        let AnyBroadPhase::SweepAndPrune(sweep) = broad_phase else { return None };
        let [axis, next_axis] = [sweep.axis(), sweep.next_axis()];
        Some(Self { axis, next_axis, variances: center_variances(boxes).to_vec() })
    }
}

pub(crate) fn run(request: &PairsRequest) -> Result<(), Failure> {
    let out = request.out.as_deref();
    output_file::reject_input_as_output("--out", out, &[Some(&request.boxes)])?;
    output_file::require_extension("--out", out, &["csv"])?;
    if request.cell_size.is_some() && !request.structure.has_cell_size() {
        let name = request.structure.name();
        return Err(Failure::Usage(format!(
            "--cell-size: {name} has no fixed cell size; use --structure grid or study-grid"
        )));
    }
    octree_limits(request)?;
    let bounds = boxes_file::read(&request.boxes)?;
    let (objects, kind) = match &bounds {
        Bounds::Boxes2(boxes) => (boxes.len(), "boxes in 2D"),
        Bounds::Boxes3(boxes) => (boxes.len(), "boxes in 3D"),
        Bounds::Circles(circles) => (circles.len(), "circles"),
        Bounds::Spheres(spheres) => (spheres.len(), "spheres"),
    };
    let pool = request.workers.pool()?;
    let search = pool.install(|| find(request, &bounds, kind))?;
    let groups = request.groups.then(|| Groups::new(connected_groups(objects, &search.pairs)));
    let report = Report { request, kind, objects, search, groups };
    if let Some(out) = &request.out {
        output_file::write(out, |file| report.write_csv(file).map_err(|e| e.to_string()))?;
    }
    if request.json {
        return print(&format!("{:#}\n", report.to_json()));
    }
    if request.out.is_none() {
        let stdout = BufWriter::new(io::stdout().lock());
        report.write_csv(stdout).map_err(|error| output_error(&error))?;
    }
    log(&report.summary());
    Ok(())
}

fn find(request: &PairsRequest, bounds: &Bounds, kind: &str) -> Result<Search, Failure> {
    let is_2d = matches!(bounds, Bounds::Boxes2(_) | Bounds::Circles(_));
    if is_2d && request.structure == PairStructure::SweepAndPrune(SweepAxis::Fixed(2)) {
        let file = request.boxes.display();
        return Err(Failure::Usage(format!(
            "--structure sweep-z is for 3D, but {file} holds {kind}; choose sweep-x or sweep-y"
        )));
    }
    match (bounds, request.structure.is_goncales()) {
        (Bounds::Boxes2(boxes), false) => engine(request, boxes),
        (Bounds::Boxes3(boxes), false) => engine(request, boxes),
        (Bounds::Circles(circles), false) => engine_spheres(request, circles),
        (Bounds::Spheres(spheres), false) => engine_spheres(request, spheres),
        (Bounds::Boxes2(boxes), true) => goncales(request, boxes, boxes),
        (Bounds::Circles(circles), true) => {
            let boxes: Vec<Aabb<2>> = circles.iter().map(BoundingSphere::padded_aabb).collect();
            goncales(request, circles, &boxes)
        }
        _ => {
            let name = request.structure.name();
            let file = request.boxes.display();
            Err(Failure::Usage(format!(
                "--structure {name} is for 2D, but {file} holds {kind}; choose another structure"
            )))
        }
    }
}

/// A broad phase of the engine, or the sweep of Lasch. Statistics are counted in a second pass, so
/// that the measured time is that of a search without them.
fn engine<const D: usize>(request: &PairsRequest, boxes: &[Aabb<D>]) -> Result<Search, Failure> {
    let boxes = boxes_file::validated(&request.boxes, boxes)?;
    boxes_file::reject_too_many_pairs(&request.boxes, boxes, request.max_pairs)?;
    let mut broad_phase = broad_phase(request, boxes.len())?;
    let mut counted = broad_phase.clone();
    let mut pairs = Vec::new();
    let clock = Instant::now();
    broad_phase.find_pairs(boxes, &mut pairs);
    let query_s = clock.elapsed().as_secs_f64();
    let mut stats = BroadPhaseStats::default();
    if request.json {
        counted.find_pairs_observed(boxes, &mut Vec::new(), &mut stats);
    }
    sort_pairs(&mut pairs, boxes.len() as u32);
    let bytes = broad_phase.memory_usage();
    Ok(Search { pairs, stats, bytes, query_s, sweep: Sweep::of(&broad_phase, boxes) })
}

fn broad_phase<const D: usize>(
    request: &PairsRequest,
    boxes: usize,
) -> Result<AnyBroadPhase<D>, Failure> {
    match (request.structure, request.cell_size) {
        (PairStructure::Engine(BroadPhaseKind::Grid), Some(size)) => {
            let grid = HierarchicalGrid::with_cell_size(size).ok_or_else(|| {
                Failure::Usage(format!("--cell-size {size}: must be finite and above 0"))
            })?;
            Ok(AnyBroadPhase::Grid(grid))
        }
        (PairStructure::StrictOctree, _) => {
            let strict = octree_limits(request)?.strict();
            Ok(AnyBroadPhase::Octree(OctreeBroadPhase::with_config(strict)))
        }
        (PairStructure::Engine(kind), _) => Ok(kind.create(boxes)),
        (PairStructure::SweepAndPrune(axis), _) => {
            Ok(AnyBroadPhase::SweepAndPrune(SweepAndPrune::new(axis)))
        }
        _ => unreachable!("`find` selects the replicas; the others are no choices"),
    }
}

/// Limits of `octree-strict`; an error if they are out of range, or given for another structure.
fn octree_limits(request: &PairsRequest) -> Result<OctreeLimits, Failure> {
    let PairsRequest { structure, octree_depth, octree_cell, .. } = request;
    for (option, is_given) in
        [("--octree-depth", octree_depth.is_some()), ("--octree-cell", octree_cell.is_some())]
    {
        if is_given && *structure != PairStructure::StrictOctree {
            return Err(Failure::Usage(format!("{option}: is for --structure octree-strict")));
        }
    }
    let OctreeLimits { max_depth, min_cell_size } = OctreeLimits::DEFAULT;
    let limits =
        OctreeLimits::new(octree_depth.unwrap_or(max_depth), octree_cell.unwrap_or(min_cell_size));
    limits.map_err(|error| Failure::Usage(error.to_string()))
}

/// Overlapping AABBs of spheres, then an exact sphere test per pair.
fn engine_spheres<const D: usize>(
    request: &PairsRequest,
    spheres: &[BoundingSphere<D>],
) -> Result<Search, Failure> {
    let boxes: Vec<Aabb<D>> = spheres.iter().map(BoundingSphere::padded_aabb).collect();
    let mut search = engine(request, &boxes)?;
    let clock = Instant::now();
    search.pairs.retain(|&[a, b]| spheres[a as usize].overlaps(&spheres[b as usize]));
    search.query_s += clock.elapsed().as_secs_f64();
    Ok(search)
}

/// A replica of Gonçales et al. 2016.
fn goncales<S: goncales2016::Shape>(
    request: &PairsRequest,
    objects: &[S],
    boxes: &[Aabb<2>],
) -> Result<Search, Failure> {
    let checked = boxes_file::validated(&request.boxes, boxes)?;
    boxes_file::reject_too_many_pairs(&request.boxes, checked, request.max_pairs)?;
    let mut pairs = Vec::new();
    let corners = boxes.iter().flat_map(|b| [&b.min, &b.max]);
    let world = Aabb::from_points(corners).unwrap_or(Aabb { min: [0.0; 2], max: [0.0; 2] });
    if request.structure == PairStructure::GoncalesBruteForce {
        let clock = Instant::now();
        let stats = goncales2016::brute_force(objects, &mut pairs);
        let query_s = clock.elapsed().as_secs_f64();
        return Ok(Search { pairs, stats, bytes: 0, query_s, sweep: None });
    }
    let size = request.cell_size.unwrap_or(GONCALES_CELL_SIZE);
    let mut grid = Grid::new(&world, size).ok_or_else(|| {
        let max = Language::English.integer(MAX_CELLS);
        Failure::Usage(format!("--cell-size {size}: must be above 0 and give at most {max} cells"))
    })?;
    let clock = Instant::now();
    let stats = grid.find_pairs(objects, &mut pairs);
    let query_s = clock.elapsed().as_secs_f64();
    Ok(Search { pairs, stats, bytes: grid.memory_usage(), query_s, sweep: None })
}
