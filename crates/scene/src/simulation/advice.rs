//! Advice for a scene: solver, broad phase and number of sub-steps, by short trial runs.
//!
//! Every candidate runs the scene for a moment, and the reasons quote the measurements.

use embate::dynamics::{Body, BodyType, Settings, SolverKind};
use embate_replica::lasch::{BroadPhase, Config};

use super::Depths;
use crate::scene_file::Scene;
use crate::scene_world::{Method, SceneWorld};

/// Features of a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features {
    /// Number of bodies.
    pub bodies: usize,
    /// Number of dynamic bodies.
    pub moving: usize,
    /// Number of fixed bodies.
    pub still: usize,
    /// Number of joints.
    pub joints: usize,
    /// Mass of the heaviest dynamic body over that of the lightest; 1 without dynamic bodies.
    pub mass_ratio: f32,
    /// Largest restitution of all bodies.
    pub restitution: f32,
    /// Whether energy is conserved: every dynamic body has restitution 1 and neither friction nor
    /// damping, and no force is applied.
    pub loses_nothing: bool,
    /// Largest initial speed of all bodies, in m/s.
    pub largest_speed: f32,
}

/// Measurements of a trial run of one solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// Solver of the engine, or the replica of Lasch.
    pub method: Method,
    /// Broad phase: `own` for an engine solver, else that of `baseline`.
    pub broad: &'static str,
    /// Sub-steps of a step; `None` for solvers without sub-steps.
    pub substeps: Option<u32>,
    /// Number of steps of the trial.
    pub steps: u32,
    /// Mean time of a step, in milliseconds.
    pub ms_per_step: f64,
    /// Mean time of the broad phase in a step, in milliseconds.
    pub ms_broad: f64,
    /// Mean penetration over the second half of the steps, in meters.
    pub mean_penetration: f32,
    /// Maximum penetration over the second half of the steps, in meters.
    pub max_penetration: f32,
    /// Change of the total energy since the start, in percent.
    pub energy_drift_percent: f64,
    /// Number of bodies that are asleep, or at rest in contact with another, after the last step.
    pub resting: usize,
}

/// Recommendation, reason and measurements.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// Features of the scene.
    pub features: Features,
    /// Recommended solver.
    pub method: Method,
    /// Recommended sub-steps of a step, for `soft-step`.
    pub substeps: u32,
    /// Recommended broad phase for `baseline`; other solvers have their own.
    pub broad: &'static str,
    /// Reasons of the recommendation, one sentence each.
    pub reasons: Vec<String>,
    /// Measurements of all trial runs.
    pub trials: Vec<Trial>,
}

/// Maximum number of steps of a trial: four seconds of most scenes, in which bodies fall and settle.
const MAX_STEPS: u32 = 240;
/// Minimum number of steps of a trial.
const MIN_STEPS: u32 = 8;
/// Body steps of a trial in scenes of many bodies.
const BODY_STEPS: u32 = 240_000;
/// Numbers of sub-steps to try, in ascending order.
const SUBSTEPS: [u32; 4] = [1, 2, 4, 8];
/// Ratio of masses from which stacks and chains need more sub-steps.
const HIGH_MASS_RATIO: f32 = 30.0;
/// Acceptable mean penetration of a world at rest, in multiples of the slop.
const MAX_MEAN_PENETRATION: f32 = 2.0;
/// Additional energy error, in percent, accepted with fewer sub-steps where energy is conserved.
const ADDED_DRIFT_TOLERANCE: f64 = 0.1;
/// Tolerated difference of lost energy, in percent, where energy is dissipated: a house of cards
/// that falls loses half of it.
const LOST_ENERGY_TOLERANCE: f64 = 1.0;

impl Features {
    fn of(scene: &Scene) -> Self {
        let world = scene.world();
        let larger = |a: f32, b: f32| if b > a { b } else { a };
        let masses = || {
            world
                .bodies()
                .filter(|body| body.body_type() == BodyType::Dynamic)
                .map(|body| body.mass())
        };
        let heaviest = masses().fold(0.0, larger);
        let lightest = masses().fold(f32::INFINITY, |a, b| if b < a { b } else { a });
        Self {
            bodies: scene.bodies.len(),
            moving: masses().count(),
            still: world.bodies().filter(|body| body.body_type() == BodyType::Fixed).count(),
            joints: scene.joints.len(),
            mass_ratio: if heaviest > 0.0 { heaviest / lightest } else { 1.0 },
            restitution: scene
                .bodies
                .iter()
                .map(|body| body.material.restitution)
                .fold(0.0, larger),
            loses_nothing: scene.forces.is_empty()
                && scene.bodies.iter().all(|body| {
                    body.body_type != BodyType::Dynamic
                        || (body.material.restitution == 1.0
                            && body.material.friction == 0.0
                            && body.linear_damping == 0.0
                            && body.angular_damping == 0.0)
                }),
            largest_speed: world
                .bodies()
                .map(|body| body.linear_velocity().length())
                .fold(0.0, larger),
        }
    }

    /// Whether bodies move without loss of energy and without joints, so that none comes to rest.
    fn is_elastic(&self) -> bool {
        self.loses_nothing && self.moving > 0 && self.joints == 0
    }
}

impl Trial {
    /// Whether the trial conserves about as much energy as the default number of sub-steps.
    ///
    /// Where energy is dissipated, no drift is an error; a large difference shows that the bodies
    /// moved differently, for instance that a house of cards fell. `finest` is the trial with most
    /// sub-steps: its difference to the default is the scale of differences by chance.
    fn keeps_energy(&self, default: &Self, finest: &Self, features: &Features) -> bool {
        let drift = self.energy_drift_percent;
        let [default, finest] = [default, finest].map(|trial| trial.energy_drift_percent);
        if features.loses_nothing {
            drift.abs() <= default.abs() + ADDED_DRIFT_TOLERANCE
        } else {
            (drift - default).abs() <= LOST_ENERGY_TOLERANCE.max(2.0 * (finest - default).abs())
        }
    }
}

/// Runs the candidates and returns the recommendation. `on_progress` receives the progress in
/// percent.
#[must_use]
pub fn advise(scene: &Scene, on_progress: &dyn Fn(u64)) -> Advice {
    let features = Features::of(scene);
    let steps = trial_steps(features.bodies);
    let mut trials = Vec::new();
    for substeps in SUBSTEPS {
        trials.extend(run(scene, SolverKind::SoftStep.into(), substeps, steps));
        on_progress(8);
    }
    if features.joints == 0 {
        // Only where it can be recommended: in piles it is slow, and it has no friction.
        if features.is_elastic() {
            trials.extend(run(scene, SolverKind::EventDriven.into(), 1, steps));
        }
        on_progress(8);
        // With the integrator and response of the scene, if `baseline` is its solver.
        let own = match scene.method {
            Method::Lasch(config) => config,
            Method::Engine(_) => Config::PUBLISHED,
        };
        for broad_phase in BroadPhase::ALL {
            let config = Config { broad_phase, ..own };
            trials.extend(run(scene, Method::Lasch(config), 1, steps));
            on_progress(6);
        }
    }
    choose(scene, features, trials)
}

/// Number of steps of every trial of a scene. By the number of bodies, not by a clock: trials of
/// solvers that move the scene identically report the same penetration and energy.
fn trial_steps(bodies: usize) -> u32 {
    let bodies = u32::try_from(bodies).unwrap_or(u32::MAX).max(1);
    (BODY_STEPS / bodies).clamp(MIN_STEPS, MAX_STEPS)
}

/// Trial run of a scene with one solver; `None` if the solver rejects the scene.
fn run(scene: &Scene, method: Method, substeps: u32, steps: u32) -> Option<Trial> {
    let settings = Settings { substeps, ..scene.settings };
    let mut world = scene.world_with(settings, method).ok()?;
    let before = world.total_energy();
    let (mut seconds, mut broad_seconds) = (0.0, 0.0);
    let mut depths = Vec::new();
    for _ in 0..steps {
        world.step();
        seconds += world.step_stats().profile.total();
        broad_seconds += world.step_stats().profile.broad_phase;
        depths.push(Depths::of(&world));
    }
    // The first half is for falling and settling.
    let late = &depths[depths.len() / 2..];
    let depth: f64 = late.iter().map(|depths| f64::from(depths.mean())).sum();
    let deepest = late
        .iter()
        .fold(0.0, |deepest, depths| if depths.max > deepest { depths.max } else { deepest });
    let per_step = 1e3 / f64::from(steps.max(1));
    let broad = match method {
        Method::Lasch(config) => config.broad_phase.name(),
        Method::Engine(_) => "own",
    };
    Some(Trial {
        method,
        broad,
        substeps: (method == SolverKind::SoftStep.into()).then_some(substeps),
        steps,
        ms_per_step: seconds * per_step,
        ms_broad: broad_seconds * per_step,
        mean_penetration: (depth / late.len().max(1) as f64) as f32,
        max_penetration: deepest,
        energy_drift_percent: drift(&world, before),
        resting: resting(&world),
    })
}

/// Speed in m/s below which a body in contact with another is at rest.
const AT_REST: f32 = 0.05;

fn resting(world: &SceneWorld) -> usize {
    let mut touching: Vec<_> = world.contacts().flat_map(|contact| contact.bodies).collect();
    touching.sort_unstable();
    touching.dedup();
    let rests = |body: &Body<'_>| {
        body.body_type() == BodyType::Dynamic
            && (body.is_sleeping() || body.linear_velocity().length() < AT_REST)
            && (body.is_sleeping() || touching.binary_search(&body.id()).is_ok())
    };
    world.bodies().filter(rests).count()
}

/// Change of the total energy, in percent of the larger of the initial total energy and the
/// current kinetic energy.
fn drift(world: &SceneWorld, before: f64) -> f64 {
    let kinetic: f64 = world.bodies().map(|body| body.kinetic_energy()).sum();
    let scale = before.abs().max(kinetic).max(1e-9);
    100.0 * (world.total_energy() - before) / scale
}

fn choose(scene: &Scene, features: Features, trials: Vec<Trial>) -> Advice {
    let mut reasons = Vec::new();
    let soft = || of_soft_step(&trials);
    let default_trial = soft().find(|trial| trial.substeps == Some(4));
    let elastic = trials.iter().find(|trial| trial.method == SolverKind::EventDriven.into());
    let method = match (elastic, default_trial) {
        (Some(elastic), Some(soft)) => {
            reasons.push(format!(
                "Restitution is 1 and there is no friction or damping, so no body comes to rest: over {} steps \
                 `event-driven` changed the energy by {:+.3}%, `soft-step` by {:+.3}%.",
                elastic.steps, elastic.energy_drift_percent, soft.energy_drift_percent
            ));
            SolverKind::EventDriven
        }
        (_, Some(soft)) => {
            let study = trials.iter().find(|trial| matches!(trial.method, Method::Lasch(_)));
            let study = study.map_or_else(String::new, |study| {
                format!(
                    "; with `baseline`, without friction and rotation, {:.2} mm",
                    study.mean_penetration * 1e3
                )
            });
            let why = match (features.moving, soft.resting) {
                (0, _) => "No body is dynamic, so every solver is suitable",
                (_, 0) if features.joints > 0 => "Only `soft-step` supports joints",
                (_, 0) => "Impacts, friction or damping dissipate energy",
                _ => "Bodies come to rest on each other",
            };
            reasons.push(format!(
                "{why}: over {} steps the mean penetration with `soft-step` is {:.2} mm{study}.",
                soft.steps,
                soft.mean_penetration * 1e3
            ));
            SolverKind::SoftStep
        }
        _ => SolverKind::SoftStep,
    };
    let keeps_energy = |trial: &Trial| keeps_energy(trial, &trials, &features);
    let (substeps, is_raised) =
        best_substeps(&trials, &features, scene.settings.linear_slop).unwrap_or((8, false));
    if let (Some(chosen), Some(one)) =
        (soft().find(|t| t.substeps == Some(substeps)), soft().next())
    {
        let why = if is_raised {
            format!(
                " The largest mass ratio is {:.0}, for which more sub-steps penetrate less.",
                features.mass_ratio
            )
        } else {
            String::new()
        };
        let only = if method == SolverKind::EventDriven { "With `soft-step`, " } else { "" };
        let leaves = |trial: &Trial| {
            let (depth, drift) = (trial.mean_penetration * 1e3, trial.energy_drift_percent);
            let energy = if features.loses_nothing {
                format!(" and an energy drift of {drift:+.2}%")
            } else {
                String::new()
            };
            format!(
                "a mean penetration of {depth:.2} mm{energy} at {:.3} ms a step",
                trial.ms_per_step
            )
        };
        let (this, other) = match (chosen.substeps, default_trial) {
            (Some(1), Some(default)) => ("one sub-step leaves".to_owned(), ("four leave", default)),
            _ => (format!("{substeps} sub-steps leave"), ("one leaves", one)),
        };
        let text =
            format!("{only}{this} {}; {} {}.{why}", leaves(chosen), other.0, leaves(other.1));
        reasons.push(capitalized(&text));
    }
    let fewer = soft().rfind(|trial| trial.substeps < Some(substeps));
    if let (Some(fewer), Some(default)) = (fewer, default_trial)
        && !features.loses_nothing
        && !keeps_energy(fewer)
    {
        reasons.push(format!(
            "Fewer sub-steps change the outcome: the total energy changes by {:+.2}% with {} and by {:+.2}% with 4.",
            fewer.energy_drift_percent,
            fewer.substeps.unwrap_or_default(),
            default.energy_drift_percent
        ));
    }
    let (broad, reason) = best_broad(&trials).unwrap_or(("auto", String::new()));
    reasons.extend((!reason.is_empty()).then_some(reason));
    Advice { features, method: method.into(), substeps, broad, reasons, trials }
}

/// Trials of the default solver, in ascending order of their sub-steps.
fn of_soft_step(trials: &[Trial]) -> impl DoubleEndedIterator<Item = &Trial> {
    trials.iter().filter(|trial| trial.method == SolverKind::SoftStep.into())
}

fn keeps_energy(trial: &Trial, trials: &[Trial], features: &Features) -> bool {
    let default = of_soft_step(trials).find(|trial| trial.substeps == Some(4));
    match (default, of_soft_step(trials).next_back()) {
        (Some(default), Some(finest)) => trial.keeps_energy(default, finest, features),
        _ => true,
    }
}

/// Least number of sub-steps that suffices, and whether a large mass ratio raised it. `None` if no
/// trial keeps the energy.
fn best_substeps(trials: &[Trial], features: &Features, slop: f32) -> Option<(u32, bool)> {
    let limit = MAX_MEAN_PENETRATION * slop;
    let default = of_soft_step(trials).find(|trial| trial.substeps == Some(4));
    let candidates = || of_soft_step(trials).filter(|trial| keeps_energy(trial, trials, features));
    // Fewer than the default four suffice in worlds without stacks.
    let enough = candidates().find(|trial| {
        let good = default.map_or(limit, |default| 1.5 * default.mean_penetration + 0.1 * slop);
        trial.mean_penetration <= limit && trial.mean_penetration <= good
    });
    // The least penetration of the trials with at least so many sub-steps.
    let least_penetration = |at_least: Option<u32>| {
        let candidates = candidates().filter(|trial| trial.substeps >= at_least);
        candidates.min_by(|a, b| a.mean_penetration.total_cmp(&b.mean_penetration))
    };
    let has_high_mass_ratio = features.mass_ratio >= HIGH_MASS_RATIO;
    let best = match enough {
        // A short trial understates what a large mass ratio needs, so the best trial is advised.
        Some(found) if has_high_mass_ratio => least_penetration(found.substeps),
        Some(found) => Some(found),
        None => least_penetration(None),
    };
    let substeps = best?.substeps?;
    let is_raised = has_high_mass_ratio && enough.is_some_and(|t| t.substeps < Some(substeps));
    Some((substeps, is_raised))
}

/// The fastest broad phase of `baseline`, and why.
fn best_broad(trials: &[Trial]) -> Option<(&'static str, String)> {
    let of_study = || trials.iter().filter(|trial| matches!(trial.method, Method::Lasch(_)));
    let best = of_study().min_by(|a, b| a.ms_broad.total_cmp(&b.ms_broad))?;
    let worst = of_study().max_by(|a, b| a.ms_broad.total_cmp(&b.ms_broad)).unwrap_or(best);
    let reason = format!(
        "With `baseline`, the fastest broad phase is `{}` at {:.4} ms a step, the slowest `{}` at {:.4} ms.",
        best.broad, best.ms_broad, worst.broad, worst.ms_broad
    );
    Some((best.broad, reason))
}

/// Text with an upper-case first letter.
fn capitalized(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scene_file::{SceneLimits, load_scene};

    #[test]
    fn trials_have_equal_numbers_of_steps_and_identical_runs_identical_rows() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/scenes");
        let limits = SceneLimits::default();
        let scene = load_scene(&folder.join("study-pile.json"), &limits).unwrap();
        let advice = advise(&scene, &|_| {});
        assert!(advice.trials.iter().all(|trial| trial.steps == trial_steps(scene.bodies.len())));
        let measured = |trial: &Trial| {
            (trial.mean_penetration, trial.max_penetration, trial.energy_drift_percent)
        };
        let of_lasch = || advice.trials.iter().filter(|t| matches!(t.method, Method::Lasch(_)));
        assert_eq!(of_lasch().count(), BroadPhase::ALL.len());
        let first = measured(of_lasch().next().unwrap());
        assert!(of_lasch().all(|trial| measured(trial) == first));
        // The recommended broad phase is the fastest of the table.
        let fastest = of_lasch().min_by(|a, b| a.ms_broad.total_cmp(&b.ms_broad)).unwrap();
        assert_eq!(advice.broad, fastest.broad);
    }

    #[test]
    fn trials_of_large_scenes_have_fewer_steps() {
        assert_eq!([1, 1_000, 10_000, 1_000_000].map(trial_steps), [240, 240, 24, 8]);
    }

    /// Regression: it fell with two sub-steps, and two were recommended: a fallen house penetrates
    /// less.
    #[test]
    fn substeps_with_a_collapsing_card_house_are_not_advised() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/scenes");
        let limits = SceneLimits::default();
        let scene = load_scene(&folder.join("card-house.json"), &limits).unwrap();
        let trial = |substeps: u32, depth: f32, drift: f64| Trial {
            method: SolverKind::SoftStep.into(),
            broad: "own",
            substeps: Some(substeps),
            steps: MAX_STEPS,
            ms_per_step: 0.1,
            ms_broad: 0.0,
            mean_penetration: depth,
            max_penetration: depth,
            energy_drift_percent: drift,
            resting: 26,
        };
        let trials = |two: f64| {
            vec![
                trial(1, 4e-3, -80.0),
                trial(2, 3e-4, two),
                trial(4, 3e-4, 0.14),
                trial(8, 2e-4, 0.1),
            ]
        };
        let advice = choose(&scene, Features::of(&scene), trials(-49.58));
        assert_eq!(advice.substeps, 4);
        assert!(advice.reasons.iter().any(|why| why.contains("changes by -49.58% with 2 ")));
        assert_eq!(choose(&scene, Features::of(&scene), trials(0.2)).substeps, 2);
        assert!(advice.reasons.iter().all(|why| !why.contains("drift")), "{:?}", advice.reasons);
        // Energies that differ by chance alone do not exclude a number of sub-steps.
        let by_chance = vec![
            trial(1, 4e-3, -80.0),
            trial(2, 3e-4, -3.0),
            trial(4, 3e-4, -5.0),
            trial(8, 3e-4, -7.0),
        ];
        assert_eq!(choose(&scene, Features::of(&scene), by_chance).substeps, 2);
        // Where no trial suffices, the one with the least penetration is advised.
        let deep = [(1, 0.09), (2, 0.05), (4, 0.06), (8, 0.07)];
        let deep = deep.map(|(substeps, depth)| trial(substeps, depth, -5.0));
        let advice = choose(&scene, Features::of(&scene), deep.to_vec());
        assert_eq!(advice.substeps, 2, "{:?}", advice.reasons);
        // Nor does a mass ratio raise the number beyond what measurably helps.
        let heavy = Features { mass_ratio: 100.0, ..Features::of(&scene) };
        let rising = [(1, 3e-4), (2, 2e-4), (4, 3e-4), (8, 4e-4)];
        let rising = rising.map(|(substeps, depth)| trial(substeps, depth, -5.0));
        assert_eq!(choose(&scene, heavy, rising.to_vec()).substeps, 2);
    }
}
