//! How does the time of a ray grow with the mesh? From a thousand triangles to ten million.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use embate::raycast::{Bvh, Octree, RayIndex};
use embate::{Ray, TriangleMesh, math::scalar};
use embate_lab::chart::{Chart, Kind, Lines, Origin, Scale, Series, Theme};
use embate_lab::language::Language;
use embate_lab::random::Random;
use embate_lab::statistics::slope;

use crate::table::Table;

/// What may follow `cargo xtask bench growth --`.
pub const HELP: &str = "--most N        only meshes of up to N triangles, instead of 10000000";
pub const MOST: u32 = 10_000_000;

const SIZES: [u32; 9] =
    [1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000];
/// An octree is built so far: it takes five times as long, and what it is for are other meshes.
const MOST_FOR_OCTREE: u32 = 1_000_000;
const RAYS: u32 = 200_000;
const REPEATS: u32 = 3;
const COLUMNS: &str =
    "structure,triangles,rays,hits,closest_ns,batch_ns,build_s,bytes_per_triangle,peak_mib";

/// Tells every size, how steep the growth is, and draws it.
pub fn run(table: &mut Table, most: u32) -> std::io::Result<()> {
    table.line(COLUMNS);
    let mut series = Vec::new();
    for (name, limit) in [("bvh", most), ("octree", most.min(MOST_FOR_OCTREE))] {
        let mut points = Vec::new();
        for triangles in SIZES.into_iter().filter(|triangles| *triangles <= limit) {
            let mesh = bumpy_ball(triangles);
            let rays = rays();
            let clock = Instant::now();
            let ns = if name == "bvh" {
                let index = Bvh::build(&mesh);
                tell(table, name, &mesh, &index, &rays, clock.elapsed().as_secs_f64())
            } else {
                let index = Octree::build(&mesh);
                tell(table, name, &mesh, &index, &rays, clock.elapsed().as_secs_f64())
            };
            points.push((mesh.triangles().len() as f64, ns));
        }
        let logarithms: Vec<_> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
        let exponent = slope(&logarithms).unwrap_or(f64::NAN);
        println!("{name}: the time of a ray grows as the triangles to the power of {exponent:.3}");
        series.push((name, exponent, points));
    }
    if most >= MOST {
        draw(&series)?;
    }
    Ok(())
}

fn tell(
    table: &mut Table,
    name: &str,
    mesh: &TriangleMesh,
    index: &impl RayIndex,
    rays: &[Ray<3>],
    build_s: f64,
) -> f64 {
    let (mut closest, mut batch, mut hits) = (f64::INFINITY, f64::INFINITY, 0);
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    for _ in 0..REPEATS {
        let clock = Instant::now();
        hits = rays.iter().filter(|ray| black_box(index.closest_hit(ray)).is_some()).count();
        closest = closest.min(clock.elapsed().as_secs_f64());
        let clock = Instant::now();
        black_box(alone.install(|| index.closest_hits(rays)));
        batch = batch.min(clock.elapsed().as_secs_f64());
    }
    let (triangles, count) = (mesh.triangles().len(), rays.len());
    let [closest, batch] = [closest, batch].map(|seconds| seconds * 1e9 / count as f64);
    table.line(&format!(
        "{name},{triangles},{count},{hits},{closest:.1},{batch:.1},{build_s:.4},{:.1},{}",
        index.memory_usage() as f64 / triangles as f64,
        peak_mib().map_or(String::new(), |mib| mib.to_string()),
    ));
    closest
}

/// A ball of radius 10 with bumps: a grid of latitudes and longitudes, of about so many triangles.
fn bumpy_ball(triangles: u32) -> TriangleMesh {
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
            // Bumps as wide as a cell and as high: a surface that is rough at every size.
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
    TriangleMesh::new(positions, squares.collect()).expect("a small ball")
}

/// From anywhere in and around the ball, to anywhere.
fn rays() -> Vec<Ray<3>> {
    let mut random = Random::new(7);
    let ray = |_| {
        let origin = core::array::from_fn(|_| random.between(-12.0, 12.0));
        Ray::new(origin, random.direction::<3>())
    };
    (0..RAYS).map(ray).collect()
}

/// The most memory this process has held, where the system tells.
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
    });
    let chart = Chart {
        id: "rays-growth".to_owned(),
        title: "Time of one ray as the mesh grows".to_owned(),
        description: format!(
            "Nanoseconds a ray on a bumpy ball of a thousand to ten million triangles, one thread, rays that have nothing to do \
             with each other. Exponents: {}.",
            exponents.join(", ")
        ),
        x_label: "triangles".to_owned(),
        y_label: "ns a ray".to_owned(),
        kind: Kind::Lines(Lines {
            series: lines.collect(),
            x_scale: Scale::Log,
            y_scale: Scale::Log,
            reference: None,
        }),
    };
    let picture = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures/rays-growth.svg");
    fs::write(picture, chart.svg(Theme::Light, Language::English))
}
