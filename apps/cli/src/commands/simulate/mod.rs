//! `embate simulate`: simulates the bodies of a scene, and optionally records every step.

mod report;
mod series;

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
          value_parser = clap::value_parser!(u32).range(0..=i64::from(MAX_STEPS)))]
    pub(crate) steps: Option<u32>,
    /// Simulated time in seconds, instead of a number of steps: the steps that reach it
    #[arg(long, value_name = "S", conflicts_with = "steps", allow_negative_numbers = true,
          value_parser = positive_seconds)]
    pub(crate) seconds: Option<f64>,
    #[command(flatten)]
    pub(crate) workers: ThreadArguments,
    /// Record the state hash of every step to this file, for `replay`; an incomplete recording of
    /// the same scene is resumed
    #[arg(long, value_name = "FILE")]
    pub(crate) record: Option<PathBuf>,
    /// Write a row per step to this CSV or Parquet file: time, energy, momentum, contacts, and
    /// positions and velocities of bodies
    #[arg(long, value_name = "FILE.csv|.parquet")]
    pub(crate) series: Option<PathBuf>,
    /// Bodies of the series by name, or by #index [default: the first 20 dynamic bodies]
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "series")]
    pub(crate) series_bodies: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Maximum number of steps of a run.
const MAX_STEPS: u32 = 1_000_000_000;
/// Maximum time of `--seconds`: the maximum number of steps of the longest time step.
const MAX_SECONDS: f64 = 1e9;
/// Relative error of a time step that was rounded to f32, with a margin.
const TIME_STEP_ERROR: f64 = 1e-6;

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
    let steps = match request.seconds {
        Some(seconds) => steps_of(seconds, &scene)?,
        None => request.steps.unwrap_or(scene.steps),
    };
    let series = series::SeriesPlan::of(request, &scene)?;
    let mut recording = match &request.record {
        Some(path) => Some(open_recording(path, &request.scene, &scene)?),
        None => None,
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = request.workers.threads.map_or(cores, usize::from);
    let pool = request.workers.pool()?;
    let (outcome, query_s) = pool.install(|| match &series {
        Some(plan) => plan.write(|rows| {
            run_steps(
                &scene,
                steps,
                threads,
                Outputs { recording: recording.as_mut(), series: Some(rows) },
            )
        }),
        None => run_steps(
            &scene,
            steps,
            threads,
            Outputs { recording: recording.as_mut(), series: None },
        ),
    })?;
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

/// Files that grow with every step.
struct Outputs<'a> {
    recording: Option<&'a mut Recording>,
    series: Option<&'a mut series::SeriesFile>,
}

/// Runs the steps; returns the outcome and the seconds spent in the engine.
fn run_steps(
    scene: &Scene,
    steps: u32,
    threads: usize,
    Outputs { mut recording, mut series }: Outputs<'_>,
) -> Result<(Outcome, f64), Failure> {
    let bar = Bar::new(steps.into());
    let mut simulation = Simulation::on_threads(scene, threads);
    // A series has a row of every step: recorded steps are computed again.
    if let Some(recording) = recording.as_mut().filter(|_| series.is_none()) {
        recording.resume(&mut simulation, steps);
        bar.advance(simulation.steps().into());
    }
    if let Some(series) = &mut series {
        series.write_row(&simulation)?;
    }
    while simulation.steps() < steps {
        let hash = simulation.step();
        if let Some(recording) = &mut recording {
            recording.record_step(&simulation, hash).map_err(recording_failure)?;
        }
        if let Some(series) = &mut series {
            series.write_row(&simulation)?;
        }
        bar.advance(1);
    }
    Ok((simulation.outcome(), simulation.seconds()))
}

/// Parses the argument of `--seconds`.
fn positive_seconds(text: &str) -> Result<f64, String> {
    let seconds: Option<f64> = text.trim().parse().ok();
    seconds
        .filter(|seconds| (0.0..=MAX_SECONDS).contains(seconds))
        .ok_or_else(|| format!("give a number of seconds from 0 to {MAX_SECONDS:e}"))
}

/// Number of steps that reach a time.
fn steps_of(seconds: f64, scene: &Scene) -> Result<u32, Failure> {
    let steps = seconds / f64::from(scene.settings.time_step);
    // The time step is an f32: 1 s of steps of 0.01 s is 100 steps, not 101.
    let steps = (steps * (1.0 - TIME_STEP_ERROR)).ceil();
    if steps <= f64::from(MAX_STEPS) {
        return Ok(steps as u32);
    }
    Err(Failure::Usage(format!(
        "--seconds {seconds}: needs {steps} steps of {} s, more than {MAX_STEPS}; give fewer seconds",
        scene.settings.time_step
    )))
}

fn recording_failure(error: RecordingError) -> Failure {
    if error.is_misuse() { Failure::Usage(error.to_string()) } else { Failure::problem(error) }
}
