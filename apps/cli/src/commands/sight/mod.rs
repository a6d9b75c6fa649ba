//! `embate sight`: line of sight between two points, and the first triangle that blocks it.

mod report;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use embate::Ray;
use embate::geometry::TriangleHit;
use embate::raycast::{RayIndex, TraversalStats};
use embate_replica::structure::{AnyRayStructure, RayStructure};
use rayon::prelude::*;

use crate::args::{LimitArguments, ThreadArguments, ray_structure};
use crate::commands::cast::warn_about_replica;
use crate::failure::Failure;
use crate::io::csv_table::{CsvTable, parse_point};
use crate::io::output::{Memory, Times, log, output_error, print};
use crate::io::{mesh_file, output_file};
use crate::progress::Bar;
use report::{Report, Visibility, write_csv};

#[derive(Debug, Args)]
#[command(group = clap::ArgGroup::new("ends").required(true).args(["from", "segments"]))]
pub(crate) struct SightRequest {
    /// Mesh: OBJ, STL, PLY, glTF, GLB, or text with nine numbers per triangle; may be gzipped
    pub(crate) mesh: PathBuf,
    /// First end point of one segment
    #[arg(long, value_name = "X,Y,Z", requires = "to", allow_hyphen_values = true)]
    pub(crate) from: Option<String>,
    /// Second end point
    #[arg(
        long,
        value_name = "X,Y,Z",
        requires = "from",
        required_unless_present = "segments",
        conflicts_with = "segments",
        allow_hyphen_values = true
    )]
    pub(crate) to: Option<String>,
    /// CSV file of segments with the header `from_x,from_y,from_z,to_x,to_y,to_z`
    #[arg(long, value_name = "FILE")]
    pub(crate) segments: Option<PathBuf>,
    /// Length left out at both ends. With 0, rounding decides whether a point on a surface is
    /// occluded by that surface
    #[arg(long, value_name = "LENGTH", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) clearance: f32,
    /// Acceleration structure, as for `cast`
    #[arg(long, visible_alias = "technique", value_name = "NAME", default_value = "auto",
          value_parser = ray_structure)]
    pub(crate) structure: RayStructure,
    #[command(flatten)]
    pub(crate) workers: ThreadArguments,
    /// Write the results to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

const COLUMNS: [&str; 6] = ["from_x", "from_y", "from_z", "to_x", "to_y", "to_z"];

/// Segments per task of the thread pool; the progress bar advances by as many.
const CHUNK: usize = 4096;

/// The two end points of a segment. Both belong to it up to rounding, so that a surface at an end
/// point may block it unless a clearance is given.
pub(crate) type Segment = [[f32; 3]; 2];

pub(crate) fn run(request: &SightRequest) -> Result<(), Failure> {
    if !(request.clearance >= 0.0 && request.clearance.is_finite()) {
        return Err(Failure::Usage("--clearance must be finite and at least 0".into()));
    }
    let inputs = [Some(request.mesh.as_path()), request.segments.as_deref()];
    output_file::reject_input_as_output("--out", request.out.as_deref(), &inputs)?;
    output_file::require_extension("--out", request.out.as_deref(), &["csv"])?;
    let segments = segments_of_request(request)?;
    reject_too_large_clearance(request.clearance, &segments)?;
    let loaded = mesh_file::load_nonempty(&request.mesh, &request.limits)?;
    let pool = request.workers.pool()?;
    let clock = Instant::now();
    let index = pool.install(|| request.structure.build(&loaded.mesh));
    let build_s = clock.elapsed().as_secs_f64();
    let clock = Instant::now();
    let segment_rays: Vec<Option<Ray<3>>> =
        segments.iter().map(|segment| ray_along(segment, request.clearance)).collect();
    let rays: Vec<Ray<3>> = segment_rays.iter().flatten().copied().collect();
    let mut hits = pool.install(|| closest_hits(&index, &rays)).into_iter();
    let hit = |ray: &Option<Ray<3>>| ray.and_then(|_| hits.next().flatten());
    let results = segment_rays.iter().map(hit).enumerate().map(Visibility::new).collect();
    let query_s = clock.elapsed().as_secs_f64();
    // Counted in a second pass, so that the measured time is that of queries without statistics.
    let stats = request.json.then(|| pool.install(|| traversal_stats(&index, &rays)));

    let (times, memory) = (Times { build_s, query_s }, Memory { bytes: index.memory_usage() });
    let report = Report { request, loaded, segments, results, times, memory };
    if let Some(out) = &request.out {
        output_file::write(out, |file| {
            write_csv(io::BufWriter::new(file), &report.results).map_err(|error| error.to_string())
        })?;
    }
    if let Some(stats) = stats {
        return print(&report.to_json(stats)?);
    }
    if request.out.is_none() {
        write_csv(io::BufWriter::new(io::stdout().lock()), &report.results)
            .map_err(|error| output_error(&error))?;
    }
    log(&report.summary());
    warn_about_replica(request.structure);
    Ok(())
}

fn closest_hits(index: &AnyRayStructure, rays: &[Ray<3>]) -> Vec<Option<TriangleHit>> {
    let bar = Bar::new(rays.len() as u64);
    let hits_of_chunk = |rays: &[Ray<3>]| {
        let hits = index.closest_hits(rays);
        bar.advance(rays.len() as u64);
        hits
    };
    rays.par_chunks(CHUNK).flat_map_iter(hits_of_chunk).collect()
}

fn traversal_stats(index: &AnyRayStructure, rays: &[Ray<3>]) -> TraversalStats {
    let stats_of_ray = |ray: &Ray<3>| {
        let mut stats = TraversalStats::default();
        index.closest_hit_observed(ray, &mut stats);
        stats
    };
    rays.par_iter().map(stats_of_ray).reduce(TraversalStats::default, |mut sum, stats| {
        sum += stats;
        sum
    })
}

/// A clearance that leaves nothing of a segment would make it visible whatever is in between.
fn reject_too_large_clearance(clearance: f32, segments: &[Segment]) -> Result<(), Failure> {
    let is_too_short = |segment: &&Segment| {
        let length = length(segment);
        length > 0.0 && 2.0 * f64::from(clearance) >= length
    };
    match segments.iter().zip(0_usize..).find(|(segment, _)| is_too_short(segment)) {
        None => Ok(()),
        Some((segment, number)) => Err(Failure::Usage(format!(
            "--clearance {clearance}: leaves nothing of segment {number}, which is {} long; give \
             less than half of that",
            length(segment)
        ))),
    }
}

fn length([from, to]: &Segment) -> f64 {
    let squares = from.iter().zip(to).map(|(&from, &to)| (f64::from(to) - f64::from(from)).powi(2));
    squares.sum::<f64>().sqrt()
}

/// The ray along a segment; `None` if the end points coincide.
fn ray_along(segment: &Segment, clearance: f32) -> Option<Ray<3>> {
    let [from, to] = segment;
    let direction: [f32; 3] = core::array::from_fn(|axis| to[axis] - from[axis]);
    let length = length(segment);
    let margin = if clearance > 0.0 { (f64::from(clearance) / length) as f32 } else { 0.0 };
    (length > 0.0 && margin <= 0.5)
        .then(|| Ray::new(*from, direction).with_range(margin, 1.0 - margin))
}

fn segments_of_request(request: &SightRequest) -> Result<Vec<Segment>, Failure> {
    if let Some(path) = &request.segments {
        return read_segments(path);
    }
    let from = parse_point("--from", request.from.as_deref().unwrap_or_default())?;
    let to = parse_point("--to", request.to.as_deref().unwrap_or_default())?;
    Ok(vec![[from, to]])
}

fn read_segments(path: &Path) -> Result<Vec<Segment>, Failure> {
    let rows = CsvTable::open(path, "segments")?.read(COLUMNS)?;
    Ok(rows.into_iter().map(|(_, [a, b, c, x, y, z])| [[a, b, c], [x, y, z]]).collect())
}
