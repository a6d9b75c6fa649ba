//! `embate heatmap`: traversal cost per pixel, one picture per acceleration structure.

pub(crate) mod args;
mod picture;
mod report;

use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use embate::Aabb;
use embate::geometry::{Camera, PrimaryRays};
use embate::raycast::RayIndex;
use embate_replica::structure::RayStructure;
use embate_report::language::Language;
use embate_viewer::heat_map::{HeatMap, whole_in_view};

use crate::args::ray_structure;
use crate::failure::Failure;
use crate::io::csv_table::parse_point;
use crate::io::output::{Memory, Times, log, print};
use crate::io::{mesh_file, output_file};
use crate::progress::Bar;
use args::HeatmapRequest;
use picture::Panel;
use report::{Report, StructureMap};

/// Maximum number of pixels of all pictures together, whose counts are held in memory.
const MAX_PIXELS: u64 = 1 << 28;

#[derive(Clone, Copy)]
enum Format {
    Png,
    Csv,
}

pub(crate) fn run(request: &HeatmapRequest) -> Result<(), Failure> {
    let format = format_of(&request.out)?;
    let structures = structures_of_request(request)?;
    let size = request.size.0;
    let pixels = u64::from(size[0]) * u64::from(size[1]) * structures.len() as u64;
    if pixels > MAX_PIXELS {
        let max = Language::English.integer(MAX_PIXELS);
        return Err(Failure::Usage(format!(
            "--size {}x{}: {pixels} pixels over all structures, but at most {max} are possible; \
             give a smaller size",
            size[0], size[1]
        )));
    }
    output_file::reject_input_as_output("--out", Some(&request.out), &[Some(&request.mesh)])?;
    let loaded = mesh_file::load_nonempty(&request.mesh, &request.limits)?;
    let (camera, rays) = camera_of_request(request, loaded.mesh.bounds())?;
    let pool = request.workers.pool()?;
    let bar = Bar::new(u64::from(size[1]) * structures.len() as u64);
    let map_with = |structure: RayStructure| {
        bar.set_message(structure.name().to_owned());
        let clock = Instant::now();
        let index = pool.install(|| structure.build(&loaded.mesh));
        let build_s = clock.elapsed().as_secs_f64();
        let clock = Instant::now();
        let row_done = || bar.advance(1);
        let map = pool.install(|| HeatMap::new(&index, &rays, size, request.metric, &row_done));
        let query_s = clock.elapsed().as_secs_f64();
        let memory = Memory { bytes: index.memory_usage() };
        StructureMap { structure, map, times: Times { build_s, query_s }, memory }
    };
    let maps: Vec<StructureMap> = structures.into_iter().map(map_with).collect();
    drop(bar);
    output_file::write(&request.out, |file| match format {
        Format::Png => {
            let panels: Vec<Panel<'_>> = maps
                .iter()
                .map(|entry| Panel { name: entry.structure.name(), heat: &entry.map.heat })
                .collect();
            picture::write(file, &panels, size, request.metric.name())
        }
        Format::Csv => {
            write_csv(io::BufWriter::new(file), &maps, size).map_err(|error| error.to_string())
        }
    })?;
    let report = Report { request, loaded, camera, maps };
    if request.json {
        return print(&report.to_json()?);
    }
    print(&report.table())?;
    let written = match format {
        Format::Png => "picture",
        Format::Csv => "counts",
    };
    log(&format!("{written}: {}", request.out.display()));
    Ok(())
}

fn format_of(out: &Path) -> Result<Format, Failure> {
    match out.extension().unwrap_or_default().to_string_lossy().to_lowercase().as_str() {
        "png" => Ok(Format::Png),
        "csv" => Ok(Format::Csv),
        _ => Err(Failure::Usage(format!("--out {}: name a .png or .csv file", out.display()))),
    }
}

/// The requested structures, each once; by default all but the brute-force ones.
fn structures_of_request(request: &HeatmapRequest) -> Result<Vec<RayStructure>, Failure> {
    let Some(names) = &request.structure else {
        let prunes = |structure: &RayStructure| structure.reference() != *structure;
        return Ok(RayStructure::STRUCTURES.into_iter().filter(prunes).collect());
    };
    let mut structures = Vec::new();
    for name in names {
        let structure = ray_structure(name)
            .map_err(|error| Failure::Usage(format!("--structure {name}: {error}")))?;
        if !structures.contains(&structure) {
            structures.push(structure);
        }
    }
    Ok(structures)
}

/// The requested camera and its rays; defaults show the whole mesh.
fn camera_of_request(
    request: &HeatmapRequest,
    bounds: Option<Aabb<3>>,
) -> Result<(Camera, PrimaryRays), Failure> {
    let [width, height] = request.size.0;
    if !(request.fov > 0.0 && request.fov < 180.0) {
        return Err(Failure::Usage(format!(
            "--fov {}: must be above 0 and below 180 degrees",
            request.fov
        )));
    }
    let bounds = bounds.unwrap_or(Aabb { min: [0.0; 3], max: [0.0; 3] });
    let default = whole_in_view(&bounds, request.fov.to_radians(), width as f32 / height as f32);
    let point = |flag: &str, text: &Option<String>, default: [f32; 3]| match text {
        Some(text) => parse_point(flag, text),
        None => Ok(default),
    };
    let camera = Camera {
        eye: point("--eye", &request.eye, default.eye)?,
        target: point("--at", &request.at, default.target)?,
        up: point("--up", &request.up, default.up)?,
        ..default
    };
    let rays = camera.primary_rays(width, height).ok_or_else(|| {
        Failure::Usage(
            "the camera has no view direction: --eye and --at coincide, or --up is parallel to the \
             view; change one of them"
                .into(),
        )
    })?;
    Ok((camera, rays))
}

/// Writes `x,y`, then one column per structure.
fn write_csv(mut out: impl Write, maps: &[StructureMap], size: [u32; 2]) -> io::Result<()> {
    let names: Vec<&str> = maps.iter().map(|entry| entry.structure.name()).collect();
    writeln!(out, "x,y,{}", names.join(","))?;
    for y in 0..size[1] {
        for x in 0..size[0] {
            write!(out, "{x},{y}")?;
            for entry in maps {
                write!(out, ",{}", entry.map.heat[(y * size[0] + x) as usize])?;
            }
            writeln!(out)?;
        }
    }
    out.flush()
}
