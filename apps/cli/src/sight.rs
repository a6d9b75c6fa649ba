//! `embate sight`: can one see from here to there, and if not, what is in the way?

use std::io;
use std::path::Path;
use std::time::Instant;

use embate::Ray;
use embate::geometry::TriangleHit;
use embate::raycast::{RayIndex, TraversalStats};
use embate_studies::structure::AnyRayStructure;
use rayon::prelude::*;

use crate::args::SightRequest;
use crate::cast_report::remark_on_faults;
use crate::costs::{Memory, Times};
use crate::failure::{Failure, output_error, print, remark};
use crate::number_table::{NumberTable, point};
use crate::progress::Bar;
use crate::sight_report::{Outcome, Sight, write_csv};
use crate::{meshes, threads, whole_file};

const COLUMNS: [&str; 6] = ["from_x", "from_y", "from_z", "to_x", "to_y", "to_z"];

/// Segments between two reports to the progress bar.
const CHUNK: usize = 4096;

/// From one point to another, both included up to rounding: where one lies on a surface, a clearance leaves it out.
pub(crate) type Segment = [[f32; 3]; 2];

pub(crate) fn run(request: &SightRequest) -> Result<(), Failure> {
    if !(request.clearance >= 0.0 && request.clearance.is_finite()) {
        return Err(Failure::Misuse("--clearance must be a length, 0 or more".into()));
    }
    let inputs = [Some(request.mesh.as_path()), request.segments.as_deref()];
    whole_file::refuse_to_overwrite("--out", request.out.as_deref(), &inputs)?;
    whole_file::refuse_other_kinds("--out", request.out.as_deref(), &["csv"])?;
    let segments = segments(request)?;
    let loaded = meshes::load_filled(&request.mesh, &request.limits)?;
    let pool = threads::pool(request.threads)?;
    let clock = Instant::now();
    let index = pool.install(|| request.structure.build(&loaded.mesh));
    let build_s = clock.elapsed().as_secs_f64();
    let clock = Instant::now();
    let ways: Vec<Option<Ray<3>>> =
        segments.iter().map(|ends| ray(ends, request.clearance)).collect();
    let rays: Vec<Ray<3>> = ways.iter().flatten().copied().collect();
    let mut hits = pool.install(|| closest_hits(&index, &rays)).into_iter();
    let hit = |way: &Option<Ray<3>>| way.and_then(|_| hits.next().flatten());
    let sights = ways.iter().map(hit).enumerate().map(Sight::new).collect();
    let query_s = clock.elapsed().as_secs_f64();
    // In a pass of its own, so that the time is that of uncounted queries.
    let counts = request.json.then(|| pool.install(|| count(&index, &rays)));

    let (times, memory) = (Times { build_s, query_s }, Memory { bytes: index.memory_usage() });
    let outcome = Outcome { request, loaded, segments, sights, times, memory };
    if let Some(out) = &request.out {
        whole_file::write(out, |file| {
            write_csv(io::BufWriter::new(file), &outcome.sights).map_err(|error| error.to_string())
        })?;
    }
    if let Some(counts) = counts {
        return print(&outcome.to_json(counts)?);
    }
    if request.out.is_none() {
        write_csv(io::BufWriter::new(io::stdout().lock()), &outcome.sights)
            .map_err(|error| output_error(&error))?;
    }
    remark(&outcome.words());
    remark_on_faults(request.structure);
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

fn count(index: &AnyRayStructure, rays: &[Ray<3>]) -> TraversalStats {
    let of_one = |ray: &Ray<3>| {
        let mut counts = TraversalStats::default();
        index.closest_hit_observed(ray, &mut counts);
        counts
    };
    rays.par_iter().map(of_one).reduce(TraversalStats::default, |mut sum, counts| {
        sum += counts;
        sum
    })
}

/// `None` if the clearance leaves nothing of the segment, or its ends are one point.
fn ray([from, to]: &Segment, clearance: f32) -> Option<Ray<3>> {
    let way: [f32; 3] = core::array::from_fn(|axis| to[axis] - from[axis]);
    let length = way.iter().map(|&c| f64::from(c) * f64::from(c)).sum::<f64>().sqrt();
    let share = if clearance > 0.0 { (f64::from(clearance) / length) as f32 } else { 0.0 };
    (length > 0.0 && share <= 0.5).then(|| Ray::new(*from, way).with_range(share, 1.0 - share))
}

fn segments(request: &SightRequest) -> Result<Vec<Segment>, Failure> {
    if let Some(path) = &request.segments {
        return read(path);
    }
    let from = point("--from", request.from.as_deref().unwrap_or_default())?;
    let to = point("--to", request.to.as_deref().unwrap_or_default())?;
    Ok(vec![[from, to]])
}

fn read(path: &Path) -> Result<Vec<Segment>, Failure> {
    let rows = NumberTable::open(path, "segments")?.read(COLUMNS)?;
    Ok(rows.into_iter().map(|(_, [a, b, c, x, y, z])| [[a, b, c], [x, y, z]]).collect())
}
