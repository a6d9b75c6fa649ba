//! Plan of the 2D study: worlds of its two experiments, or custom ones.

use embate::Aabb;
use embate_replica::goncales2016::{Grid, MAX_CELLS};
use embate_replica::structure::PairStructure;
use embate_scene::generators::{Bounds, Distribution, MovingWorld, MovingWorldDef, Span};

use super::published::{CELL, CELLS, FIXED_SIZE, FRAMES, OBJECTS, WORLD};
use crate::runner::config::{ConfigError, Experiment, OwnExperiment};
use crate::studies::moving_worlds::detector::{Detector, GoncalesDetector, of_any_dimension};
use crate::studies::moving_worlds::measure::Candidate;
use crate::studies::moving_worlds::plan::{Budget, Measurement, Plan, Scene};
use crate::study_kind::StudyKind;

/// The cell sizes of a world are measured side by side: all their grids exist at once.
const CELL_BUDGET: u64 = MAX_CELLS / 4;

/// Speeds of both experiments, in pixels a second.
const SPEED: Span = Span { min: 5.0, max: 50.0 };

/// First number of objects of a capacity search.
const CAPACITY_START: u32 = 500;
/// Cases of the capacity search, with their frames per second: the study calls 30 to 60 real time.
pub(super) const CAPACITIES: [(&str, u32); 2] = [("capacity-60", 60), ("capacity-30", 30)];
/// Cases of temporal coherence, with the speed of every object in pixels a second.
pub(super) const COHERENCE: [(&str, f32); 6] = [
    ("coherence-0", 0.0),
    ("coherence-1", 1.0),
    ("coherence-5", 5.0),
    ("coherence-10", 10.0),
    ("coherence-25", 25.0),
    ("coherence-50", 50.0),
];
/// Numbers of objects of these cases.
pub(super) const COHERENCE_OBJECTS: [u32; 2] = [1000, 5000];

/// Parameters of the study that the user changes; `None` keeps the value of the study.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// `None` means all as published, or custom parameters on experiment 2.
    pub experiment: Option<Experiment>,
    /// Width and height.
    pub world: Option<[f32; 2]>,
    /// Object counts, with a world for each.
    pub objects: Option<Vec<u32>>,
    /// Shape of the objects.
    pub bounds: Option<Bounds>,
    /// Side of a box, diameter of a circle.
    pub size: Option<Span>,
    /// Speed in pixels per second.
    pub speed: Option<Span>,
    /// Cell sizes of the grids.
    pub cell_sizes: Option<Vec<f32>>,
}

impl Request {
    /// The same with ascending lists, each entry once.
    fn in_order(&self) -> Self {
        let mut ordered = self.clone();
        if let Some(objects) = &mut ordered.objects {
            objects.sort_unstable();
            objects.dedup();
        }
        if let Some(cell_sizes) = &mut ordered.cell_sizes {
            cell_sizes.sort_by(f32::total_cmp);
            cell_sizes.dedup();
        }
        ordered
    }
}

/// The study as printed, on five worlds of each kind.
#[must_use]
pub fn published() -> Budget {
    Budget {
        frames: None,
        seed: 1,
        seeds: 5,
        repeats: 1,
        techniques: PairStructure::all_2d(),
        threads: 1,
    }
}

/// A reduced study: a fifth of the frames, two worlds of each kind.
#[must_use]
pub fn quick() -> Budget {
    Budget { frames: Some(FRAMES / 5), seeds: 2, ..published() }
}

/// Numbers of objects of experiment 2.
pub(crate) fn objects() -> &'static [u32] {
    &OBJECTS
}

/// Frames of each world.
pub(crate) fn frames(budget: &Budget) -> u32 {
    budget.frames.unwrap_or(FRAMES)
}

/// The requested worlds.
///
/// # Errors
/// [`ConfigError`] if one of them is invalid or too large.
pub fn plan(request: &Request, budget: Budget) -> Result<Plan<2>, ConfigError> {
    let frames = frames(&budget);
    let request = &request.in_order();
    let mut scenes = Vec::new();
    match request.experiment {
        None if *request == Request::default() => {
            scenes.extend(experiment(1, request, frames));
            scenes.extend(experiment(2, request, frames));
            scenes.extend(capacity(request, &budget));
            // The compared techniques are no choices of the user.
            if budget.techniques == PairStructure::all_2d() {
                scenes.extend(coherence(frames));
            }
        }
        None => scenes.extend(experiment(2, request, frames)),
        Some(Experiment::Published(number)) => scenes.extend(experiment(number, request, frames)),
        Some(Experiment::Own(own)) => {
            check_fixed_worlds(own, request)?;
            match own {
                OwnExperiment::Capacity => scenes.extend(capacity(request, &budget)),
                OwnExperiment::Coherence => scenes.extend(coherence(frames)),
            }
        }
    }
    for scene in &scenes {
        scene.check_world()?;
        check_cells(scene)?;
    }
    let study = PairStructure::GoncalesBruteForce;
    Ok(Plan { kind: StudyKind::Broad2d, scenes, budget, study })
}

/// The scenes of one experiment, with the user's changes. What the experiment itself varies stays
/// the experiment; whatever else is changed makes it `custom`.
#[must_use]
pub fn experiment(number: u8, request: &Request, frames: u32) -> Vec<Scene<2>> {
    let is_first = number == 1;
    let varied = if is_first {
        request.objects.is_some() || request.bounds.is_some()
    } else {
        request.cell_sizes.is_some()
    };
    let changed = request.world.is_some() || request.size.is_some() || request.speed.is_some();
    let case = match (request.experiment, number) {
        // Without a number, changed parameters make the case custom.
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
    let objects = request.objects.clone().unwrap_or(objects);
    let cell_sizes = request.cell_sizes.clone().unwrap_or(cells);
    let scene = |bounds: Bounds, objects: u32| Scene {
        case,
        world: MovingWorldDef {
            sides: request.world.unwrap_or([WORLD; 2]),
            objects,
            movers: objects,
            bounds,
            size: request.size.unwrap_or(sizes),
            speed: request.speed.unwrap_or(SPEED),
            distribution: Distribution::Even,
        },
        frames,
        cell_sizes: cell_sizes.clone(),
        own_cells: is_first || request.cell_sizes.is_some(),
        measurement: Measurement::Frames,
    };
    bounds
        .iter()
        .flat_map(|&bounds| objects.iter().map(move |&n| (bounds, n)))
        .map(|(bounds, n)| scene(bounds, n))
        .collect()
}

/// A world of experiment 2.
fn world(bounds: Bounds, objects: u32, speed: Span) -> MovingWorldDef<2> {
    MovingWorldDef {
        sides: [WORLD; 2],
        objects,
        movers: objects,
        bounds,
        size: SPEED,
        speed,
        distribution: Distribution::Even,
    }
}

/// The search for the most objects of experiment 2 at 60 and at 30 frames per second.
pub(super) fn capacity(request: &Request, budget: &Budget) -> Vec<Scene<2>> {
    let is_reduced = budget.frames.is_some_and(|frames| frames < FRAMES);
    // The search takes seconds per technique and world.
    let (frames, seeds) = if is_reduced { (3, 1) } else { (10, 3) };
    let scene = |(case, fps), bounds| Scene {
        case,
        world: world(bounds, CAPACITY_START, SPEED),
        frames,
        cell_sizes: vec![CELL],
        own_cells: false,
        measurement: Measurement::Capacity { fps, seeds },
    };
    let bounds = request.bounds.map_or(Bounds::ALL.to_vec(), |bounds| vec![bounds]);
    let of_rate = |rate| bounds.iter().map(move |&bounds| scene(rate, bounds));
    CAPACITIES.into_iter().flat_map(of_rate).collect()
}

/// Boxes of experiment 2 at one speed after the other, half of the frames.
fn coherence(frames: u32) -> Vec<Scene<2>> {
    let scene = |objects, (case, speed)| Scene {
        case,
        world: world(Bounds::Aabb, objects, Span { min: speed, max: speed }),
        frames: frames.div_ceil(2),
        cell_sizes: Vec::new(),
        own_cells: false,
        measurement: Measurement::Coherence,
    };
    let of_count = |objects| COHERENCE.into_iter().map(move |speed| scene(objects, speed));
    COHERENCE_OBJECTS.into_iter().flat_map(of_count).collect()
}

/// Rejects options that would change the worlds of an experiment of ours.
fn check_fixed_worlds(own: OwnExperiment, request: &Request) -> Result<(), ConfigError> {
    let boxes_only = own == OwnExperiment::Coherence;
    let given = [
        ("world", request.world.is_some()),
        ("objects", request.objects.is_some()),
        ("bounds", boxes_only && request.bounds.is_some()),
        ("size", request.size.is_some()),
        ("speed", request.speed.is_some()),
        ("cell-size", request.cell_sizes.is_some()),
    ];
    match given.into_iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => {
            let experiment = Experiment::Own(own).to_string();
            Err(ConfigError::FixedWorlds { option, experiment })
        }
        None => Ok(()),
    }
}

fn check_cells(scene: &Scene<2>) -> Result<(), ConfigError> {
    let sides = scene.world.sides;
    let mut all_cells = 0.0;
    for &cell_size in &scene.cell_sizes {
        if !(cell_size > 0.0 && cell_size.is_finite()) {
            return Err(ConfigError::CellSize { size: cell_size });
        }
        let along = |side: f32| f64::from((side / cell_size).ceil());
        all_cells += along(sides[0]) * along(sides[1]);
    }
    if all_cells > CELL_BUDGET as f64 {
        let [width, height] = sides;
        return Err(ConfigError::TooManyCells { width, height, max: CELL_BUDGET });
    }
    Ok(())
}

/// The detector of a candidate for a scene, without those that only the experiment on temporal
/// coherence compares.
///
/// # Panics
/// If a grid of the study has more cells than [`plan`] accepts.
#[must_use]
pub fn detector(
    candidate: &Candidate,
    scene: &Scene<2>,
    _: &MovingWorld<2>,
) -> Box<dyn Detector<2>> {
    match (candidate.technique, candidate.cell_size) {
        (PairStructure::GoncalesGrid, Some(cell_size)) => {
            let extent = Aabb { min: [0.0; 2], max: scene.world.sides };
            let grid = Grid::new(&extent, cell_size);
            Box::new(GoncalesDetector::Grid(grid.expect("the plan counted the cells")))
        }
        (PairStructure::GoncalesBruteForce, _) => Box::new(GoncalesDetector::BruteForce),
        (technique, cell_size) => of_any_dimension(technique, cell_size, scene.objects())
            .expect("the caller has the detectors of the experiment on temporal coherence"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runner::run_context::RunContext;
    use crate::studies::moving_worlds::capacity::most_objects;
    use crate::studies::moving_worlds::row::Row;
    use crate::study::Study;

    fn scenes(request: &Request) -> Vec<Scene<2>> {
        plan(request, quick()).unwrap().scenes
    }

    #[test]
    fn default_request_is_both_published_experiments() {
        let scenes = scenes(&Request::default());
        assert_eq!((scenes[0].case, scenes[0].cell_sizes.len()), ("experiment-1", 16));
        let second = &scenes[1..=2 * 9];
        assert!(second.iter().all(|scene| scene.case == "experiment-2"));
        assert!(second.iter().all(|scene| scene.cell_sizes == [100.0]));
        let others = &scenes[1 + 2 * 9..];
        assert_eq!(others.len(), 2 * 2 + 2 * 6);
        assert!(others.iter().all(|scene| scene.measurement != Measurement::Frames));
    }

    #[test]
    fn changing_a_fixed_parameter_makes_the_case_custom() {
        let request = |experiment: Option<u8>| {
            let experiment = experiment.map(Experiment::Published);
            Request { experiment, ..Request::default() }
        };
        let objects = Some(vec![500, 10, 500]);
        let case = |request: &Request| scenes(request)[0].case;
        let chosen = Request { objects: objects.clone(), ..request(Some(2)) };
        assert_eq!(
            scenes(&chosen).iter().map(Scene::<2>::objects).collect::<Vec<_>>(),
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
    fn invalid_and_too_small_cell_sizes_are_rejected() {
        for cell_sizes in [vec![0.001], vec![0.0], vec![f32::NAN], vec![-3.0], vec![1e-30]] {
            let request = Request { cell_sizes: Some(cell_sizes), ..Request::default() };
            let line = plan(&request, quick()).unwrap_err().to_string();
            assert!(line.starts_with("--cell-size"), "{line}");
        }
    }

    fn run(request: &Request, frames: u32) -> Vec<Row> {
        let budget = Budget { frames: Some(frames), seeds: 1, ..quick() };
        plan(request, budget).unwrap().all_rows()
    }

    /// Counts depend on the seed alone. If one changes, so did the world or a technique.
    #[test]
    fn counts_of_a_seed_are_reproducible() {
        let request = Request {
            experiment: Some(Experiment::Published(2)),
            objects: Some(vec![500]),
            ..Request::default()
        };
        let rows = run(&request, 20);
        let tests: Vec<(&str, &str, f64, f64, u64)> = rows
            .iter()
            .filter(|row| row.technique.starts_with("study"))
            .map(|row| {
                let Row { technique, bounds, tests_per_frame, pairs_per_frame, .. } = row;
                (
                    technique.as_str(),
                    bounds.as_str(),
                    *tests_per_frame,
                    *pairs_per_frame,
                    row.missed_pairs,
                )
            })
            .collect();
        assert_eq!(
            tests,
            [
                ("study-brute", "aabb", 124_750.0, 93.75, 0),
                ("study-grid", "aabb", 780.2, 93.75, 0),
                ("study-brute", "circle", 124_750.0, 90.95, 0),
                ("study-grid", "circle", 751.35, 90.95, 0),
            ]
        );
    }

    #[test]
    fn engine_techniques_report_exactly_the_overlapping_pairs() {
        let request = Request {
            objects: Some(vec![1, 2, 40, 300]),
            world: Some([400.0, 300.0]),
            cell_sizes: Some(vec![7.0, 60.0]),
            ..Request::default()
        };
        let rows = run(&request, 25);
        assert!(rows.iter().all(|row| row.wrong_pairs == 0));
        let ours = rows.iter().filter(|row| row.technique != "study-grid");
        assert!(ours.clone().all(|row| row.missed_pairs == 0));
        let study = rows.iter().filter(|row| row.technique == "study-grid");
        assert!(study.clone().any(|row| row.missed_pairs > 0), "cells of 7 are too small");
        assert!(rows.iter().any(|row| row.pairs_per_frame > 50.0));
    }

    #[test]
    fn brute_force_tests_every_pair() {
        let request = Request { objects: Some(vec![10, 77]), ..Request::default() };
        for row in run(&request, 3).iter().filter(|row| row.technique.ends_with("brute")) {
            let n = f64::from(row.objects);
            assert_eq!(row.tests_per_frame, n * (n - 1.0) / 2.0);
        }
    }

    #[test]
    fn capacity_has_a_row_per_technique_with_its_number_of_objects() {
        let experiment = Some(Experiment::CAPACITY);
        let request = Request { experiment, bounds: Some(Bounds::Circle), ..Request::default() };
        let techniques = vec![PairStructure::GoncalesGrid];
        let mut plan = plan(&request, Budget { techniques, ..quick() }).unwrap();
        let names: Vec<_> = plan.scenes.iter().map(|scene| scene.case).collect();
        assert_eq!(names, ["capacity-60", "capacity-30"]);
        plan.scenes.truncate(1);
        // A clock that stands still: every number of objects holds.
        let context = RunContext { clock: || 0.0, on_progress: &|_| {} };
        let most = most_objects(&plan.scenes[0]);
        assert!((40_000..60_000).contains(&most), "{most}");
        let rows: Vec<Row> =
            plan.cases().iter().flat_map(|case| plan.measure(case, &context)).collect();
        let cases: Vec<_> = rows.iter().map(|row| (row.case.as_str(), row.objects)).collect();
        assert_eq!(cases, [("capacity-60", most)]);
        assert!(rows.iter().all(|row| row.technique == "study-grid" && row.wrong_pairs == 0));
        assert!(rows.iter().all(|row| row.tests_per_frame > 1e6 && row.cell_size == Some(100.0)));
    }

    #[test]
    fn incremental_and_rebuilt_find_the_same_pairs() {
        let request = Request { experiment: Some(Experiment::COHERENCE), ..Request::default() };
        let budget = Budget { frames: Some(12), seeds: 1, ..quick() };
        let rows = plan(&request, budget).unwrap().all_rows();
        assert_eq!(rows.len(), 6 * 2 * 5);
        assert!(rows.iter().all(|row| row.missed_pairs == 0 && row.wrong_pairs == 0));
        assert!(rows.iter().any(|row| row.pairs_per_frame > 5_000.0));
        let still = rows.iter().filter(|row| row.case == "coherence-0" && row.objects == 1000);
        let pairs: Vec<f64> = still.map(|row| row.pairs_per_frame).collect();
        assert!(pairs.iter().all(|found| *found == pairs[0]), "{pairs:?}");
    }

    #[test]
    fn rows_have_only_the_requested_techniques() {
        let request = Request { objects: Some(vec![10]), ..Request::default() };
        let techniques = vec![PairStructure::GoncalesGrid];
        let budget = Budget { frames: Some(2), seeds: 1, techniques, ..quick() };
        let rows = plan(&request, budget).unwrap().all_rows();
        assert_eq!(rows.len(), 2, "boxes and circles");
        assert_eq!((rows[0].technique.as_str(), rows[0].cell_size), ("study-grid", Some(100.0)));
        assert!(rows[0].speedup_over_brute.is_some() && rows[0].speedup_over_study.is_some());
    }
}
