//! Which worlds does a run of study C consist of?

use embate::Aabb;
use embate::pairs::MOST_STUDY_CELLS;
use serde_json::{Map, Value, json};

use super::published::{CELL, CELLS, FIXED_SIZE, FRAMES, OBJECTS, WORLD};
use crate::language::Language;
use crate::random::Random;
use crate::scenes::{Bounds, MovingWorld, Places, Span, WorldPlan};
use crate::studies::broad::limits::{self, Unfit};
use crate::studies::broad::row::unique;
use crate::studies::broad::technique::Technique;
use crate::studies::resumable::Keyed;

/// The cell sizes of a world are measured side by side: all their grids exist at once.
const MOST_CELLS: u64 = MOST_STUDY_CELLS / 4;

/// Speeds of both experiments, in pixels a second.
const SPEED: Span = Span { min: 5.0, max: 50.0 };

/// What the user changes; `None` leaves the study's own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// 1 or 2; neither means both as published, or parameters of one's own on experiment 2.
    pub experiment: Option<u8>,
    /// Width and height.
    pub world: Option<[f32; 2]>,
    /// How many objects, each a world of its own.
    pub objects: Option<Vec<u32>>,
    /// Boxes or circles.
    pub bounds: Option<Bounds>,
    /// Sides of boxes, diameters of circles.
    pub size: Option<Span>,
    /// Pixels a second.
    pub speed: Option<Span>,
    /// Edges of the grids' cells.
    pub cell_sizes: Option<Vec<f32>>,
}

/// How much is measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Effort {
    /// Frames of each world.
    pub frames: u32,
    /// The first seed.
    pub seed: u64,
    /// Worlds of each kind, by seeds that follow each other.
    pub seeds: u32,
    /// How often each world is run and timed.
    pub repeats: u32,
    /// Techniques to report.
    pub techniques: Vec<Technique>,
    /// Cases measured at a time; more than one is quicker and makes times less sure.
    pub threads: usize,
}

/// What is run.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The kinds of world.
    pub scenes: Vec<Scene>,
    /// How much is measured of each.
    pub effort: Effort,
}

/// A kind of world.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// `experiment-1`, `experiment-2` or `custom`.
    pub case: &'static str,
    world: WorldPlan<2>,
    /// For the study's grid.
    pub(super) cell_sizes: Vec<f32>,
    /// Whether our own grid takes these cells too, instead of choosing.
    pub(super) own_cells: bool,
}

/// A kind of world with a seed: the unit of work that a killed run may lose.
#[derive(Clone, Copy, Debug)]
pub struct Case<'a> {
    pub(super) scene: &'a Scene,
    pub(super) seed: u64,
}

impl Effort {
    /// The study as printed, on five worlds of each kind.
    #[must_use]
    pub fn published() -> Self {
        Self {
            frames: FRAMES,
            seed: 1,
            seeds: 5,
            repeats: 1,
            techniques: Technique::of_2d(),
            threads: 1,
        }
    }

    /// A taste of it: a fifth of the frames, two worlds of each kind.
    #[must_use]
    pub fn quick() -> Self {
        Self { frames: 100, seeds: 2, ..Self::published() }
    }
}

impl Plan {
    /// The worlds that were asked for.
    ///
    /// # Errors
    /// [`Unfit`] if one of them makes no sense or is too large.
    pub fn new(request: &Request, effort: Effort) -> Result<Self, Unfit> {
        let mut scenes = Vec::new();
        if *request == Request::default() {
            scenes.extend(experiment(1, request));
            scenes.extend(experiment(2, request));
        } else {
            scenes.extend(experiment(request.experiment.unwrap_or(2), request));
        }
        for scene in &scenes {
            scene.check()?;
        }
        Ok(Self { scenes, effort })
    }

    /// Every case, in the order of the report.
    #[must_use]
    pub fn cases(&self) -> Vec<Case<'_>> {
        let seeds =
            (0..self.effort.seeds).map(|number| self.effort.seed.wrapping_add(number.into()));
        self.scenes
            .iter()
            .flat_map(|scene| seeds.clone().map(move |seed| Case { scene, seed }))
            .collect()
    }

    /// What makes two runs the same run, by the names of the command line.
    #[must_use]
    pub fn parameters(&self) -> Map<String, Value> {
        let worlds = || self.scenes.iter().map(|scene| &scene.world);
        let span = |span: Span| format!("{}..{}", span.min, span.max);
        let size = |[width, height]: [f32; 2]| format!("{width}x{height}");
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
            "frames": effort.frames,
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

    /// What a case costs, for a progress bar: brute force takes most of it.
    #[must_use]
    pub fn work(&self, case: &Case<'_>) -> u64 {
        case.work_of_a_frame() * u64::from(self.effort.frames) * u64::from(self.effort.repeats)
    }
}

/// The scenes of one experiment, with the user's changes. What the experiment itself varies stays the
/// experiment; whatever else is changed makes it `custom`.
fn experiment(number: u8, request: &Request) -> Vec<Scene> {
    let is_first = number == 1;
    let varied = if is_first {
        request.objects.is_some() || request.bounds.is_some()
    } else {
        request.cell_sizes.is_some()
    };
    let changed = request.world.is_some() || request.size.is_some() || request.speed.is_some();
    let case = match (request.experiment, number) {
        // Without a number, parameters can only be one's own.
        (None, _) if *request != Request::default() => "custom",
        _ if varied || changed => "custom",
        (_, 1) => "experiment-1",
        _ => "experiment-2",
    };
    let fixed = Span { min: FIXED_SIZE, max: FIXED_SIZE };
    let (sizes, bounds, objects, cells) = if is_first {
        (fixed, &Bounds::ALL[..1], vec![1000], CELLS.to_vec())
    } else {
        (SPEED, &Bounds::ALL[..], OBJECTS.to_vec(), vec![CELL])
    };
    let bounds = request.bounds.map_or(bounds.to_vec(), |bounds| vec![bounds]);
    let mut objects = request.objects.clone().unwrap_or(objects);
    objects.sort_unstable();
    objects.dedup();
    let mut cell_sizes = request.cell_sizes.clone().unwrap_or(cells);
    cell_sizes.sort_by(f32::total_cmp);
    cell_sizes.dedup();
    let scene = |bounds: Bounds, objects: u32| Scene {
        case,
        world: WorldPlan {
            sides: request.world.unwrap_or([WORLD; 2]),
            objects,
            movers: objects,
            bounds,
            size: request.size.unwrap_or(sizes),
            speed: request.speed.unwrap_or(SPEED),
            places: Places::Even,
        },
        cell_sizes: cell_sizes.clone(),
        own_cells: is_first || request.cell_sizes.is_some(),
    };
    bounds
        .iter()
        .flat_map(|&bounds| objects.iter().map(move |&n| (bounds, n)))
        .map(|(bounds, n)| scene(bounds, n))
        .collect()
}

impl Scene {
    fn check(&self) -> Result<(), Unfit> {
        let WorldPlan { sides, objects, size, speed, .. } = self.world;
        limits::check(sides, objects, size, speed)?;
        let mut all_cells = 0.0;
        for &cell_size in &self.cell_sizes {
            if !(cell_size > 0.0 && cell_size.is_finite()) {
                return Err(Unfit(format!("--cell-size {cell_size}: must be above 0")));
            }
            let along = |side: f32| f64::from((side / cell_size).ceil());
            all_cells += along(sides[0]) * along(sides[1]);
        }
        if all_cells > MOST_CELLS as f64 {
            let most = Language::English.integer(MOST_CELLS);
            return Err(Unfit(format!(
                "--cell-size: a world of {}x{} would have more than {most} cells; give larger ones",
                sides[0], sides[1]
            )));
        }
        Ok(())
    }

    pub(super) fn bounds(&self) -> Bounds {
        self.world.bounds
    }

    pub(super) fn objects(&self) -> u32 {
        self.world.objects
    }

    /// The whole world.
    pub(super) fn extent(&self) -> Aabb<2> {
        Aabb { min: [0.0; 2], max: self.world.sides }
    }

    /// The world of a seed before its first frame: the same whatever else is run.
    #[must_use]
    pub fn world(&self, seed: u64) -> MovingWorld<2> {
        MovingWorld::new(&self.world, &mut Random::for_purpose(seed, &[]))
    }
}

impl Case<'_> {
    /// Brute force takes most of it.
    pub(super) fn work_of_a_frame(&self) -> u64 {
        let objects = u64::from(self.scene.world.objects);
        objects * objects / 1000 + objects * (1 + self.scene.cell_sizes.len() as u64)
    }
}

impl Keyed for Case<'_> {
    fn key(&self) -> String {
        let Scene { case, world, .. } = self.scene;
        format!("{case} {} {} seed {}", world.bounds.name(), world.objects, self.seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scenes(request: &Request) -> Vec<Scene> {
        Plan::new(request, Effort::quick()).unwrap().scenes
    }

    #[test]
    fn nothing_asked_is_both_experiments_as_published() {
        let scenes = scenes(&Request::default());
        assert_eq!(scenes.len(), 1 + 2 * 9);
        assert_eq!((scenes[0].case, scenes[0].cell_sizes.len()), ("experiment-1", 16));
        assert!(scenes[1..].iter().all(|scene| scene.case == "experiment-2"));
        assert!(scenes[1..].iter().all(|scene| scene.cell_sizes == [100.0]));
    }

    #[test]
    fn what_an_experiment_varies_may_be_chosen_and_all_else_is_custom() {
        let request = |experiment| Request { experiment, ..Request::default() };
        let objects = Some(vec![500, 10, 500]);
        let case = |request: &Request| scenes(request)[0].case;
        let chosen = Request { objects: objects.clone(), ..request(Some(2)) };
        assert_eq!(
            scenes(&chosen).iter().map(Scene::objects).collect::<Vec<_>>(),
            [10, 500, 10, 500]
        );
        assert_eq!(case(&chosen), "experiment-2");
        let cells = Some(vec![50.0]);
        assert_eq!(
            case(&Request { cell_sizes: cells.clone(), ..request(Some(1)) }),
            "experiment-1"
        );
        assert_eq!(case(&Request { cell_sizes: cells, ..request(Some(2)) }), "custom");
        assert_eq!(case(&Request { objects: objects.clone(), ..request(Some(1)) }), "custom");
        assert_eq!(case(&Request { objects, ..request(None) }), "custom");
        let world = Some([500.0, 400.0]);
        assert_eq!(case(&Request { world, ..request(Some(2)) }), "custom");
    }

    #[test]
    fn cells_that_would_not_fit_into_memory_are_refused() {
        for cell_sizes in [vec![0.001], vec![0.0], vec![f32::NAN], vec![-3.0], vec![1e-30]] {
            let request = Request { cell_sizes: Some(cell_sizes), ..Request::default() };
            let Unfit(line) = Plan::new(&request, Effort::quick()).unwrap_err();
            assert!(line.starts_with("--cell-size"), "{line}");
        }
    }
}
