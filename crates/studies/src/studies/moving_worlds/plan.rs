//! Plan of a study of moving worlds: its scenes, and how much of each is measured.

use embate_replica::structure::PairStructure;
use embate_report::language::Language;
use embate_report::{Report, Table};
use embate_scene::generators::{Bounds, MovingWorld, MovingWorldDef, Span};
use embate_scene::random::Random;
use serde_json::{Map, Value, json};

use super::detector::Detector;
use super::limits;
use super::measure::Candidate;
use super::row::{Row, unique};
use crate::runner::config::ConfigError;
use crate::runner::run_folder::RunInfo;
use crate::study::StudyCase;
use crate::study_kind::StudyKind;

/// Work of a frame of a capacity search, over all techniques, times the frames per second: as long
/// as that of 5,000 objects, at 60 frames per second.
const WORK_OF_CAPACITY: u64 = 60 * 2_000_000;

/// Amount of measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Budget {
    /// Frames of each world; `None` leaves it to the study.
    pub frames: Option<u32>,
    /// First seed.
    pub seed: u64,
    /// Number of worlds of each kind, with consecutive seeds.
    pub seeds: u32,
    /// Number of timed runs of each world.
    pub repeats: u32,
    /// Techniques to report.
    pub techniques: Vec<PairStructure>,
    /// Number of cases to measure concurrently; more than one is quicker, but times are less
    /// certain.
    pub threads: usize,
}

/// A study of moving worlds in `D` dimensions.
#[derive(Clone, Debug)]
pub struct Plan<const D: usize> {
    /// [`StudyKind::Broad2d`] or [`StudyKind::Broad3d`].
    pub kind: StudyKind,
    /// The kinds of world.
    pub scenes: Vec<Scene<D>>,
    /// Amount of measurement per kind of world.
    pub budget: Budget,
    /// Reference technique of `speedup_over_study`.
    pub(crate) study: PairStructure,
}

/// The parts of a study of moving worlds that depend on the dimension.
pub trait MovingWorldStudy<const D: usize> {
    /// The detector of a candidate, ready for a world in its state before the first frame.
    fn detector(
        &self,
        candidate: &Candidate,
        scene: &Scene<D>,
        world: &MovingWorld<D>,
    ) -> Box<dyn Detector<D>>;

    /// The tables for a terminal.
    fn terminal_tables(&self, rows: &[Row], language: Language) -> Vec<Table>;

    /// The report as data.
    fn report(&self, rows: &[Row], info: &RunInfo, language: Language) -> Report;
}

/// A kind of world.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene<const D: usize> {
    /// Value of the column `case`.
    pub case: &'static str,
    /// Definition of the world before the first frame.
    pub world: MovingWorldDef<D>,
    /// Number of measured frames.
    pub frames: u32,
    /// Cell sizes of the study's grid.
    pub cell_sizes: Vec<f32>,
    /// Whether our own grid takes these cells too, instead of choosing.
    pub own_cells: bool,
    /// What is measured.
    pub measurement: Measurement,
}

/// What is measured in the worlds of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measurement {
    /// Time, tests and missed pairs of each technique of the budget.
    Frames,
    /// The same for the techniques of [`PairStructure::COHERENCE`].
    Coherence,
    /// The most objects for which each technique finds the pairs of a frame in time. The number of
    /// objects of the scene is the first one tried.
    Capacity {
        /// Frames per second to keep.
        fps: u32,
        /// Number of worlds, at most.
        seeds: u32,
    },
}

/// A kind of world with a seed: the unit of work that a killed run may lose.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a, const D: usize> {
    pub(crate) scene: &'a Scene<D>,
    pub(crate) seed: u64,
}

impl<const D: usize> Plan<D> {
    /// All cases, in the order of the report.
    #[must_use]
    pub fn cases<'a>(&'a self) -> Vec<Case<'a, D>> {
        let of_scene = |scene: &'a Scene<D>| {
            let seeds = match scene.measurement {
                Measurement::Capacity { seeds, .. } => seeds.min(self.budget.seeds),
                Measurement::Frames | Measurement::Coherence => self.budget.seeds,
            };
            let seed = |number: u32| self.budget.seed.wrapping_add(number.into());
            (0..seeds).map(move |number| Case { scene, seed: seed(number) })
        };
        self.scenes.iter().flat_map(of_scene).collect()
    }

    /// Parameters that identify a run, by the names of the command line.
    #[must_use]
    pub fn parameters(&self) -> Map<String, Value> {
        let worlds = || self.scenes.iter().map(|scene| &scene.world);
        let span = |span: Span| format!("{}..{}", span.min, span.max);
        let size = |sides: [f32; D]| sides.map(|side| side.to_string()).join("x");
        let mut cell_sizes: Vec<f32> =
            unique(self.scenes.iter().flat_map(|scene| scene.cell_sizes.iter().copied()));
        cell_sizes.sort_by(f32::total_cmp);
        let budget = &self.budget;
        let Value::Object(parameters) = json!({
            "case": unique(self.scenes.iter().map(|scene| scene.case)),
            "world": unique(worlds().map(|world| size(world.sides))),
            "objects": unique(worlds().map(|world| world.objects)),
            "bounds": unique(worlds().map(|world| world.bounds.name())),
            "size": unique(worlds().map(|world| span(world.size))),
            "speed": unique(worlds().map(|world| span(world.speed))),
            "cell-size": cell_sizes,
            "own-cells": self.scenes.iter().any(|scene| scene.own_cells),
            "frames": unique(self.scenes.iter().map(|scene| scene.frames)),
            "seed": budget.seed,
            "seeds": budget.seeds,
            "repeats": budget.repeats,
            "technique": budget.techniques.iter().map(|t| t.name()).collect::<Vec<_>>(),
            "threads": budget.threads,
        }) else {
            unreachable!("an object was written")
        };
        parameters
    }
}

impl<const D: usize> Scene<D> {
    /// Checks the world's parameters against the limits of a study.
    ///
    /// # Errors
    /// [`ConfigError`] names the flag to change.
    pub fn check_world(&self) -> Result<(), ConfigError> {
        let MovingWorldDef { sides, objects, size, speed, .. } = self.world;
        limits::check(sides, objects, size, speed)
    }

    /// These techniques, each with all cell sizes where these are chosen for it.
    #[must_use]
    pub fn candidates(&self, techniques: &[PairStructure]) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        for &technique in techniques {
            let chosen = technique == PairStructure::GoncalesGrid || self.own_cells;
            if technique.has_cell_size() && chosen {
                let with = |&cell_size: &f32| Candidate { technique, cell_size: Some(cell_size) };
                candidates.extend(self.cell_sizes.iter().map(with));
            } else {
                candidates.push(Candidate { technique, cell_size: None });
            }
        }
        candidates
    }

    pub(crate) fn bounds(&self) -> Bounds {
        self.world.bounds
    }

    pub(crate) fn objects(&self) -> u32 {
        self.world.objects
    }

    /// The world of a seed before its first frame: the same whatever else is run.
    #[must_use]
    pub fn world(&self, seed: u64) -> MovingWorld<D> {
        MovingWorld::new(&self.world, &mut Random::for_purpose(seed, &[]))
    }
}

impl<const D: usize> Case<'_, D> {
    /// Brute force takes most of it.
    pub(crate) fn work_of_a_frame(&self) -> u64 {
        if let Measurement::Capacity { fps, .. } = self.scene.measurement {
            return WORK_OF_CAPACITY / u64::from(fps);
        }
        let objects = u64::from(self.scene.world.objects);
        objects * objects / 1000 + objects * (1 + self.scene.cell_sizes.len() as u64)
    }
}

impl<const D: usize> StudyCase for Case<'_, D> {
    fn key(&self) -> String {
        let Scene { case, world, .. } = self.scene;
        format!("{case} {} {} seed {}", world.bounds.name(), world.objects, self.seed)
    }
}
