//! `embate heatmap`: how much work is each pixel of a picture to each structure?

use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

use embate::Aabb;
use embate::geometry::{Camera, PrimaryRays};
use embate::raycast::RayIndex;
use embate_lab::heat_map::{HeatMap, whole_in_view};
use embate_lab::language::Language;
use embate_studies::structure::RayStructure;

use crate::args::HeatmapRequest;
use crate::costs::{Memory, Times};
use crate::failure::{Failure, print, remark};
use crate::heatmap_picture::{self, Panel};
use crate::heatmap_report::{MapOf, Outcome};
use crate::number_table;
use crate::progress::Bar;
use crate::{meshes, threads, whole_file};

/// Pixels of all pictures together: their heat is held in memory.
const MOST_PIXELS: u64 = 1 << 28;

#[derive(Clone, Copy)]
enum Format {
    Png,
    Csv,
}

pub(crate) fn run(request: &HeatmapRequest) -> Result<(), Failure> {
    let format = format_of(&request.out)?;
    let structures = structures(request)?;
    let size = request.size.0;
    let pixels = u64::from(size[0]) * u64::from(size[1]) * structures.len() as u64;
    if pixels > MOST_PIXELS {
        let most = Language::English.integer(MOST_PIXELS);
        return Err(Failure::Misuse(format!(
            "--size {}x{}: {pixels} pixels over all structures, at most {most}",
            size[0], size[1]
        )));
    }
    whole_file::refuse_to_overwrite("--out", Some(&request.out), &[Some(&request.mesh)])?;
    let loaded = meshes::load_filled(&request.mesh, &request.limits)?;
    let (view, rays) = camera(request, loaded.mesh.bounds())?;
    let pool = threads::pool(request.threads)?;
    let bar = Bar::new(u64::from(size[1]) * structures.len() as u64);
    let map_of = |structure: RayStructure| {
        bar.say(structure.name().to_owned());
        let clock = Instant::now();
        let index = pool.install(|| structure.build(&loaded.mesh));
        let build_s = clock.elapsed().as_secs_f64();
        let clock = Instant::now();
        let row_done = || bar.advance(1);
        let map = pool.install(|| HeatMap::new(&index, &rays, size, request.metric, &row_done));
        let query_s = clock.elapsed().as_secs_f64();
        let memory = Memory { bytes: index.memory_usage() };
        MapOf { structure, map, times: Times { build_s, query_s }, memory }
    };
    let maps: Vec<MapOf> = structures.into_iter().map(map_of).collect();
    drop(bar);
    whole_file::write(&request.out, |file| match format {
        Format::Png => {
            let panels: Vec<Panel<'_>> = maps
                .iter()
                .map(|of| Panel { name: of.structure.name(), heat: &of.map.heat })
                .collect();
            heatmap_picture::write(file, &panels, size, request.metric.name())
        }
        Format::Csv => {
            write_csv(io::BufWriter::new(file), &maps, size).map_err(|error| error.to_string())
        }
    })?;
    let outcome = Outcome { request, loaded, view, maps };
    if request.json {
        return print(&outcome.to_json()?);
    }
    print(&outcome.table())?;
    let written = match format {
        Format::Png => "picture",
        Format::Csv => "numbers",
    };
    remark(&format!("{written}: {}", request.out.display()));
    Ok(())
}

fn format_of(out: &Path) -> Result<Format, Failure> {
    match out.extension().unwrap_or_default().to_string_lossy().to_lowercase().as_str() {
        "png" => Ok(Format::Png),
        "csv" => Ok(Format::Csv),
        _ => Err(Failure::Misuse(format!("--out {}: name a .png or .csv file", out.display()))),
    }
}

/// Those asked for, each once; without a wish all that prune.
fn structures(request: &HeatmapRequest) -> Result<Vec<RayStructure>, Failure> {
    let Some(names) = &request.structure else {
        let prunes = |technique: &RayStructure| technique.reference() != *technique;
        return Ok(RayStructure::STRUCTURES.into_iter().filter(prunes).collect());
    };
    let mut structures = Vec::new();
    for name in names {
        let structure = crate::args::technique(name)
            .map_err(|error| Failure::Misuse(format!("--structure {name}: {error}")))?;
        if !structures.contains(&structure) {
            structures.push(structure);
        }
    }
    Ok(structures)
}

/// The camera that was asked for; what was not said of it is as for the whole mesh.
fn camera(
    request: &HeatmapRequest,
    bounds: Option<Aabb<3>>,
) -> Result<(Camera, PrimaryRays), Failure> {
    let [width, height] = request.size.0;
    if !(request.fov > 0.0 && request.fov < 180.0) {
        return Err(Failure::Misuse(format!(
            "--fov {}: must be above 0 and below 180 degrees",
            request.fov
        )));
    }
    let bounds = bounds.unwrap_or(Aabb { min: [0.0; 3], max: [0.0; 3] });
    let usual = whole_in_view(&bounds, request.fov.to_radians(), width as f32 / height as f32);
    let point = |flag: &str, text: &Option<String>, usual: [f32; 3]| match text {
        Some(text) => number_table::point(flag, text),
        None => Ok(usual),
    };
    let view = Camera {
        eye: point("--eye", &request.eye, usual.eye)?,
        target: point("--at", &request.at, usual.target)?,
        up: point("--up", &request.up, usual.up)?,
        ..usual
    };
    let rays = view.primary_rays(width, height).ok_or_else(|| {
        Failure::Misuse(
            "the camera looks nowhere: --eye and --at are one point, or --up is along the view"
                .into(),
        )
    })?;
    Ok((view, rays))
}

/// `x,y`, then a column for each structure.
fn write_csv(mut out: impl Write, maps: &[MapOf], size: [u32; 2]) -> io::Result<()> {
    let names: Vec<&str> = maps.iter().map(|of| of.structure.name()).collect();
    writeln!(out, "x,y,{}", names.join(","))?;
    for y in 0..size[1] {
        for x in 0..size[0] {
            write!(out, "{x},{y}")?;
            for of in maps {
                write!(out, ",{}", of.map.heat[(y * size[0] + x) as usize])?;
            }
            writeln!(out)?;
        }
    }
    out.flush()
}
