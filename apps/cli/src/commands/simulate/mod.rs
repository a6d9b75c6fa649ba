//! `embate simulate`: simulates the bodies of a scene, and optionally records every step.

mod report;

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;
use embate_report::language::Language;
use embate_scene::scene_file::{Scene, SceneLimits, load_scene};
use embate_scene::simulation::{Outcome, Recorded, Recording, RecordingError, Simulation};
use embate_viewer::sandbox::Sandbox;

use crate::args::ThreadArguments;
use crate::failure::Failure;
use crate::io::output::{log, print, printable};
use crate::io::output_file;
use crate::progress::Bar;
pub(crate) use report::{add_outcome, bodies_text, facts};

#[derive(Debug, Args)]
pub(crate) struct SimulateRequest {
    /// Scene file: JSON, described in docs/files.md and docs/scene.schema.json
    pub(crate) scene: PathBuf,
    /// Number of steps [default: as the scene says, or 600]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = clap::value_parser!(u32).range(0..=1_000_000_000))]
    pub(crate) steps: Option<u32>,
    #[command(flatten)]
    pub(crate) workers: ThreadArguments,
    /// Record the state hash of every step to this file, for `replay`; an incomplete recording of
    /// the same scene is resumed
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Extensions of mesh files.
const MESH_EXTENSIONS: [&str; 7] = ["obj", "stl", "ply", "gltf", "glb", "tri", "gz"];
/// Bytes of a file by which a recording is recognized; recordings saved by the page are JSON, read
/// as a whole.
const RECORDING_START: u64 = 64_000_000;

/// A finished run and its times.
struct Run {
    outcome: Outcome,
    build_s: f64,
    query_s: f64,
}

pub(crate) fn run(request: &SimulateRequest) -> Result<(), Failure> {
    let clock = Instant::now();
    let scene = load(&request.scene)?;
    let build_s = clock.elapsed().as_secs_f64();
    let steps = request.steps.unwrap_or(scene.steps);
    let mut recording = match &request.record {
        Some(path) => Some(open_recording(path, &request.scene, &scene)?),
        None => None,
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = request.workers.threads.map_or(cores, usize::from);
    let pool = request.workers.pool()?;
    let (outcome, query_s) =
        pool.install(|| run_steps(&scene, steps, threads, recording.as_mut()))?;
    if let Some(recording) = recording {
        recording.finish().map_err(recording_failure)?;
    }
    let run = Run { outcome, build_s, query_s };
    if let Some(body) = run.outcome.first_lost() {
        return Err(Failure::Problem(format!(
            "{}: the state of body {body} ({}) is NaN or infinite after {steps} steps; reduce the \
             mass and size ratios of bodies that touch or are joined, or use more sub-steps",
            request.scene.display(),
            printable(&scene.body_name(body)),
        )));
    }
    if request.json {
        return print(&format!("{:#}\n", report::to_json(request, &scene, steps, &run)));
    }
    print(&report::to_text(request, &scene, &run))
}

/// Loads a scene. The error of a recording or a mesh names the command or the key for it.
fn load(path: &Path) -> Result<Scene, Failure> {
    load_scene(path, &SceneLimits::default()).map_err(|error| {
        let file = path.display();
        if is_recording(path) {
            return Failure::Problem(format!(
                "{file}: is a recording, not a scene; repeat it with `embate replay {file}`"
            ));
        }
        let is_other_format = matches!(error.code(), "scene.not-an-object" | "scene.not-utf8");
        let extension = path.extension().unwrap_or_default();
        if is_other_format
            && MESH_EXTENSIONS.iter().any(|mesh| extension.eq_ignore_ascii_case(mesh))
        {
            return Failure::Problem(format!(
                "{file}: is a mesh, not a scene; write a scene with a body of shape \
                 {{\"mesh\":{{\"file\":\"...\"}}}}, or show the mesh with `embate inspect`"
            ));
        }
        Failure::problem(error)
    })
}

fn is_recording(path: &Path) -> bool {
    let mut start = Vec::new();
    let file = path.is_file().then(|| File::open(path).ok()).flatten();
    let read = file.map(|file| file.take(RECORDING_START).read_to_end(&mut start));
    let text = String::from_utf8_lossy(&start);
    read.is_some() && (Recorded::is_one(&text) || Sandbox::is_recording(&text))
}

fn open_recording(path: &Path, file: &Path, scene: &Scene) -> Result<Recording, Failure> {
    if output_file::is_same(path, file) {
        let path = path.display();
        return Err(Failure::Usage(format!(
            "--record {path}: is the scene file itself; name another file"
        )));
    }
    let recording = Recording::open(path, &file.display().to_string(), scene);
    let recording = recording.map_err(recording_failure)?;
    let earlier = recording.earlier_steps();
    if earlier > 0 {
        let earlier = Language::English.integer(earlier as u64);
        log(&format!("resuming a recording of {earlier} steps"));
    }
    Ok(recording)
}

/// Runs the steps; returns the outcome and the seconds spent in the engine.
fn run_steps(
    scene: &Scene,
    steps: u32,
    threads: usize,
    mut recording: Option<&mut Recording>,
) -> Result<(Outcome, f64), Failure> {
    let bar = Bar::new(steps.into());
    let mut simulation = Simulation::on_threads(scene, threads);
    if let Some(recording) = &mut recording {
        recording.resume(&mut simulation, steps);
        bar.advance(simulation.steps().into());
    }
    while simulation.steps() < steps {
        let hash = simulation.step();
        if let Some(recording) = &mut recording {
            recording.record_step(&simulation, hash).map_err(recording_failure)?;
        }
        bar.advance(1);
    }
    Ok((simulation.outcome(), simulation.seconds()))
}

fn recording_failure(error: RecordingError) -> Failure {
    if error.is_misuse() { Failure::Usage(error.to_string()) } else { Failure::problem(error) }
}
