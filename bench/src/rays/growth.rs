//! Scaling of the time per ray with the size of the mesh, from 10^3 to 10^7 triangles.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use embate::raycast::{Bvh, Octree, RayIndex};
use embate::{Ray, TriangleMesh, math::scalar};
use embate_report::chart::{Chart, Kind, Lines, Origin, Scale, Series, Theme};
use embate_report::language::Language;
use embate_scene::random::Random;
use embate_studies::statistics::slope;

use crate::harness::measure::{best_of, thread_pool, timed};
use crate::harness::table::{Table, optional};

/// Help text.
pub const HELP: &str = "--most N        only meshes of up to N triangles, instead of 10000000";
/// Default maximum number of triangles.
pub const MAX_TRIANGLES: u32 = 10_000_000;

const SIZES: [u32; 9] =
    [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000];
/// Maximum number of triangles for the octree, whose build takes five times as long and which is
/// meant for other meshes.
const MAX_TRIANGLES_FOR_OCTREE: u32 = 1_000_000;
const RAYS: u32 = 200_000;
const REPEATS: u32 = 3;
const COLUMNS: &str =
    "structure,triangles,rays,hits,closest_ns,batch_ns,build_s,bytes_per_triangle,peak_mib";

/// Measures every size, prints the exponent of the growth, and draws the chart.
pub fn run(table: &mut Table, max_triangles: u32) -> std::io::Result<()> {
    table.row(COLUMNS);
    let mut series = Vec::new();
    for (name, limit) in
        [("bvh", max_triangles), ("octree", max_triangles.min(MAX_TRIANGLES_FOR_OCTREE))]
    {
        let mut points = Vec::new();
        for triangles in SIZES.into_iter().filter(|triangles| *triangles <= limit) {
            let mesh = bumpy_sphere(triangles);
            let rays = rays();
            let ns = if name == "bvh" {
                let (index, build_s) = timed(|| Bvh::build(&mesh));
                measure_row(table, name, &mesh, &index, &rays, build_s)
            } else {
                let (index, build_s) = timed(|| Octree::build(&mesh));
                measure_row(table, name, &mesh, &index, &rays, build_s)
            };
            points.push((mesh.triangles().len() as f64, ns));
        }
        let logarithms: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
        let exponent = slope(&logarithms).unwrap_or(f64::NAN);
        println!("{name}: the time per ray grows as triangles^{exponent:.3}");
        series.push((name, exponent, points));
    }
    if max_triangles >= MAX_TRIANGLES {
        draw(&series)?;
    }
    Ok(())
}

/// Measures single rays and a batch, writes a row, and returns nanoseconds per single ray.
fn measure_row(
    table: &mut Table,
    name: &str,
    mesh: &TriangleMesh,
    index: &impl RayIndex,
    rays: &[Ray<3>],
    build_s: f64,
) -> f64 {
    let mut hits = 0;
    let single_thread = thread_pool(1);
    let best = best_of::<2>(REPEATS, 0, |query| {
        if query == 0 {
            hits = rays.iter().filter(|ray| black_box(index.closest_hit(ray)).is_some()).count();
        } else {
            black_box(single_thread.install(|| index.closest_hits(rays)));
        }
    });
    let (triangles, count) = (mesh.triangles().len(), rays.len());
    let [closest, batch] = best.map(|seconds| seconds * 1e9 / count as f64);
    table.row(&format!(
        "{name},{triangles},{count},{hits},{closest:.1},{batch:.1},{build_s:.4},{:.1},{}",
        index.memory_usage() as f64 / triangles as f64,
        optional(peak_mib().map(|mib| mib as f64), 0),
    ));
    closest
}

/// A sphere of radius 10 with bumps: a latitude-longitude grid of about the given number of
/// triangles.
fn bumpy_sphere(triangles: u32) -> TriangleMesh {
    let rows = (f64::from(triangles) / 4.0).sqrt() as u32;
    let columns = 2 * rows;
    let mut random = Random::new(11);
    let mut positions = Vec::with_capacity((rows as usize + 1) * columns as usize);
    for row in 0..=rows {
        let (sin_down, cos_down) =
            scalar::sin_cos(core::f32::consts::PI * row as f32 / rows as f32);
        for column in 0..columns {
            let turn = 2.0 * core::f32::consts::PI * column as f32 / columns as f32;
            let (sin, cos) = scalar::sin_cos(turn);
            // Bumps as wide and high as a cell, so that the roughness is the same at every size.
            let radius = 10.0 + random.between(-15.0, 15.0) / rows as f32;
            positions.push([radius * sin_down * cos, radius * cos_down, radius * sin_down * sin]);
        }
    }
    let squares = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    let squares = squares.flat_map(|(row, column)| {
        let next = (column + 1) % columns;
        let at = |row: u32, column: u32| row * columns + column;
        let (a, b) = (at(row, column), at(row, next));
        let (c, d) = (at(row + 1, next), at(row + 1, column));
        [[a, b, c], [a, c, d]]
    });
    TriangleMesh::new(positions, squares.collect()).expect("a valid mesh")
}

/// Incoherent rays: uniform origins in and around the sphere, uniform directions.
fn rays() -> Vec<Ray<3>> {
    let mut random = Random::new(7);
    let ray = |_| {
        let origin = core::array::from_fn(|_| random.between(-12.0, 12.0));
        Ray::new(origin, random.direction::<3>())
    };
    (0..RAYS).map(ray).collect()
}

/// Peak resident memory of this process, on systems with `/proc`.
fn peak_mib() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

type Growth<'a> = (&'a str, f64, Vec<(f64, f64)>);

fn draw(series: &[Growth<'_>]) -> std::io::Result<()> {
    let exponents: Vec<_> =
        series.iter().map(|(name, exponent, _)| format!("{name} {exponent:.2}")).collect();
    let lines = series.iter().enumerate().map(|(style, (name, exponent, points))| Series {
        name: format!("{name} (exponent {exponent:.2})"),
        style,
        origin: Origin::Measured,
        points: points.clone(),
        error_bars: Vec::new(),
    });
    let chart = Chart {
        id: "rays-growth".to_owned(),
        title: "Time per ray against mesh size".to_owned(),
        description: format!(
            "Nanoseconds per ray on a bumpy sphere of a thousand to ten million triangles; one \
             thread, incoherent rays. Exponents: {}.",
            exponents.join(", ")
        ),
        source: String::new(),
        x_label: "triangles".to_owned(),
        y_label: "ns per ray".to_owned(),
        kind: Kind::Lines(Lines {
            series: lines.collect(),
            x_scale: Scale::Log,
            y_scale: Scale::Log,
            reference: None,
            marks: Vec::new(),
        }),
    };
    let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures/rays-growth.svg");
    fs::write(picture, chart.svg(Theme::Light, Language::English))
}
