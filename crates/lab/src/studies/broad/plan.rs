//! Which worlds does a study of moving objects consist of, and how much is measured of each?

use serde_json::{Map, Value, json};

use super::detector::Detector;
use super::limits::{self, Unfit};
use super::measure::Contestant;
use super::row::{Row, results_csv, unique};
use crate::language::Language;
use crate::random::Random;
use crate::report::Report;
use crate::run_folder::{RunFolder, RunFolderError, RunInfo};
use crate::scenes::{Bounds, MovingWorld, Span, WorldPlan};
use crate::studies::host::Host;
use crate::studies::outputs;
use crate::studies::resumable::Keyed;
use embate_studies::structure::PairStructure;

/// How much is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Effort {
    /// Frames of each world; `None` leaves it to the study.
    pub frames: Option<u32>,
    /// The first seed.
    pub seed: u64,
    /// Worlds of each kind, by seeds that follow each other.
    pub seeds: u32,
    /// How often each world is run and timed.
    pub repeats: u32,
    /// Techniques to report.
    pub techniques: Vec<PairStructure>,
    /// Cases measured at a time; more than one is quicker and makes times less sure.
    pub threads: usize,
}

/// A study of moving worlds in `D` dimensions.
#[derive(Clone, Debug)]
pub struct Plan<const D: usize> {
    /// `broad2d` or `broad3d`.
    pub name: &'static str,
    /// The kinds of world.
    pub scenes: Vec<Scene<D>>,
    /// How much is measured of each.
    pub effort: Effort,
    /// What `speedup_over_study` compares with.
    pub(super) study: PairStructure,
}

/// How a study measures. A trait of its own and not a field of the plan, as is [`Told`]: whoever needs only one of them, as
/// a module that a browser has to fetch, is not burdened with the other.
pub trait Measures<const D: usize> {
    /// All rows of one case; the host is told of [`work`](Plan::work) done.
    fn measured(&self, case: &Case<'_, D>, host: &Host<'_>) -> Vec<Row>;
}

/// How a study's rows are told to people.
pub trait Told {
    /// The report as data.
    fn report(&self, rows: &[Row], info: &RunInfo, language: Language) -> Report;

    /// All tables for a terminal.
    fn terminal_tables(&self, rows: &[Row], language: Language) -> String;

    /// Writes `results.csv`, `charts/*.svg` and `report.html` into the folder.
    ///
    /// # Errors
    /// If a file cannot be written.
    fn write_outputs(
        &self,
        folder: &RunFolder,
        rows: &[Row],
        language: Language,
    ) -> Result<(), RunFolderError> {
        let path = folder.path().join("results.csv");
        let csv = results_csv(rows).map_err(|source| RunFolderError::Io { path, source })?;
        outputs::write(folder, &csv, &self.report(rows, folder.info(), language))
    }
}

/// Makes a technique ready for a world, from its state before the first frame.
pub(super) type Build<const D: usize> =
    fn(&Contestant, &Scene<D>, &MovingWorld<D>) -> Box<dyn Detector<D>>;

/// A kind of world.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene<const D: usize> {
    /// As in the column `case`.
    pub case: &'static str,
    /// What is drawn before the first frame.
    pub world: WorldPlan<D>,
    /// Frames measured.
    pub frames: u32,
    /// For the study's grid.
    pub(crate) cell_sizes: Vec<f32>,
    /// Whether our own grid takes these cells too, instead of choosing.
    pub(crate) own_cells: bool,
}

/// A kind of world with a seed: the unit of work that a killed run may lose.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a, const D: usize> {
    pub(super) scene: &'a Scene<D>,
    pub(super) seed: u64,
}

impl<const D: usize> Plan<D> {
    /// Every case, in the order of the report.
    #[must_use]
    pub fn cases(&self) -> Vec<Case<'_, D>> {
        let seeds =
            (0..self.effort.seeds).map(|number| self.effort.seed.wrapping_add(number.into()));
        let of_scene = |scene| seeds.clone().map(move |seed| Case { scene, seed });
        self.scenes.iter().flat_map(of_scene).collect()
    }

    /// What makes two runs the same run, by the names of the command line.
    #[must_use]
    pub fn parameters(&self) -> Map<String, Value> {
        let worlds = || self.scenes.iter().map(|scene| &scene.world);
        let span = |span: Span| format!("{}..{}", span.min, span.max);
        let size = |sides: [f32; D]| sides.map(|side| side.to_string()).join("x");
        let mut cell_sizes: Vec<f32> =
            unique(self.scenes.iter().flat_map(|scene| scene.cell_sizes.iter().copied()));
        cell_sizes.sort_by(f32::total_cmp);
        let effort = &self.effort;
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
            "seed": effort.seed,
            "seeds": effort.seeds,
            "repeats": effort.repeats,
            "technique": effort.techniques.iter().map(|t| t.name()).collect::<Vec<_>>(),
            "threads": effort.threads,
        }) else {
            unreachable!("an object was written")
        };
        parameters
    }

    /// What a case costs, for a progress bar.
    #[must_use]
    pub fn work(&self, case: &Case<'_, D>) -> u64 {
        case.work_of_a_frame() * u64::from(case.scene.frames) * u64::from(self.effort.repeats)
    }
}

impl<const D: usize> Scene<D> {
    pub(crate) fn check_world(&self) -> Result<(), Unfit> {
        let WorldPlan { sides, objects, size, speed, .. } = self.world;
        limits::check(sides, objects, size, speed)
    }

    /// These techniques, each with all cell sizes where these are chosen for it.
    pub(crate) fn contestants(&self, techniques: &[PairStructure]) -> Vec<Contestant> {
        let mut contestants = Vec::new();
        for &technique in techniques {
            let chosen = technique == PairStructure::GoncalesGrid || self.own_cells;
            if technique.has_cell_size() && chosen {
                let with = |&cell_size: &f32| Contestant { technique, cell_size: Some(cell_size) };
                contestants.extend(self.cell_sizes.iter().map(with));
            } else {
                contestants.push(Contestant { technique, cell_size: None });
            }
        }
        contestants
    }

    pub(super) fn bounds(&self) -> Bounds {
        self.world.bounds
    }

    pub(super) fn objects(&self) -> u32 {
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
    pub(super) fn work_of_a_frame(&self) -> u64 {
        let objects = u64::from(self.scene.world.objects);
        objects * objects / 1000 + objects * (1 + self.scene.cell_sizes.len() as u64)
    }
}

impl<const D: usize> Keyed for Case<'_, D> {
    fn key(&self) -> String {
        let Scene { case, world, .. } = self.scene;
        format!("{case} {} {} seed {}", world.bounds.name(), world.objects, self.seed)
    }
}
