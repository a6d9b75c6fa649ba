//! Which broad phase, how many sub-steps and which method suit a scene? Every candidate runs the scene for a
//! moment, and the reasons quote what was measured.

use std::time::{Duration, Instant};

use embate::dynamics::{Body, BodyType, Settings, SolverKind};
use embate_studies::replica::lasch::{BroadPhase, Config};

use super::Depths;
use crate::scene_file::Scene;
use crate::scene_world::{Method, SceneWorld};

/// What there is in a scene.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Features {
    /// All bodies.
    pub bodies: usize,
    /// Those that contacts move.
    pub moving: usize,
    /// Those that never move.
    pub still: usize,
    /// What holds them together.
    pub joints: usize,
    /// The heaviest over the lightest; 1 if nothing moves.
    pub mass_ratio: f32,
    /// The largest of all bodies.
    pub restitution: f32,
    /// Whether every body that moves gives back all of its speed and rubs on nothing.
    pub loses_nothing: bool,
    /// At the beginning, in m/s.
    pub largest_speed: f32,
}

/// How the scene went by one way of going on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trial {
    /// `soft`, `elastic` or `study`.
    pub method: &'static str,
    /// The broad phase: our own, or one of the study's chain.
    pub broad: &'static str,
    /// `None` where there are none.
    pub substeps: Option<u32>,
    /// Steps that were run.
    pub steps: u32,
    /// Mean.
    pub ms_per_step: f64,
    /// Of it, finding near pairs.
    pub ms_broad: f64,
    /// Mean over the second half of the steps that were run, in metres.
    pub mean_penetration: f32,
    /// Over the second half of the steps that were run, in metres.
    pub max_penetration: f32,
    /// Of all energy, from the beginning on.
    pub energy_drift_percent: f64,
    /// Bodies that touched another at the end, and hardly moved.
    pub resting: usize,
}

/// What to use, why, and what was measured.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// What there is.
    pub features: Features,
    /// The method.
    pub method: &'static str,
    /// Sub-steps of a step, if the method is `soft`.
    pub substeps: u32,
    /// For the study's chain; the other methods have their own.
    pub broad: &'static str,
    /// Why: one sentence each.
    pub reasons: Vec<String>,
    /// All that was tried.
    pub trials: Vec<Trial>,
}

/// Steps of a trial, and how long it may take.
const STEPS: u32 = 240;
const PATIENCE: Duration = Duration::from_millis(700);
/// Fewer say nothing.
const LEAST_STEPS: usize = 4;
/// Sub-steps that are tried, fewest first.
const SUBSTEPS: [u32; 4] = [1, 2, 4, 8];
/// A mean depth below twice the slop is what a world at rest should have.
const SLOPS: f32 = 2.0;
/// By so much more of the energy, in percent, may fewer sub-steps be off where none should be lost.
const DRIFT: f64 = 0.1;
/// Where some is lost anyway, it may be so much more or less, in percent: a house of cards that falls loses half of it.
const FALLS: f64 = 1.0;

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
            loses_nothing: scene.bodies.iter().all(|body| {
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

    /// Nothing is lost here, and so nothing comes to rest, whether it has weight or not.
    fn is_elastic(&self) -> bool {
        self.loses_nothing && self.moving > 0 && self.joints == 0
    }
}

impl Trial {
    /// Whether about as much energy is left as by the usual sub-steps.
    fn keeps_energy(&self, usual: &Self, features: &Features) -> bool {
        let (drift, usual) = (self.energy_drift_percent, usual.energy_drift_percent);
        if features.loses_nothing {
            drift.abs() <= usual.abs() + DRIFT
        } else {
            (drift - usual).abs() <= FALLS
        }
    }
}

/// Tries the candidates and chooses. `advanced` is told shares of a hundred.
#[must_use]
pub fn advise(scene: &Scene, advanced: &dyn Fn(u64)) -> Advice {
    let features = Features::of(scene);
    let mut trials = Vec::new();
    for substeps in SUBSTEPS {
        trials.extend(run(scene, SolverKind::SoftStep.into(), substeps));
        advanced(8);
    }
    if features.joints == 0 {
        // Tried only where it may be advised: in piles it is slow, and loses what friction should take.
        if features.is_elastic() {
            trials.extend(run(scene, SolverKind::EventDriven.into(), 1));
        }
        advanced(8);
        for broad_phase in BroadPhase::ALL {
            let config = Config { broad_phase, ..Config::PUBLISHED };
            trials.extend(run(scene, Method::Lasch(config), 1));
            advanced(6);
        }
    }
    choose(scene, features, trials)
}

/// The scene for a moment by one method; `None` if it cannot be so.
fn run(scene: &Scene, method: Method, substeps: u32) -> Option<Trial> {
    let settings = Settings { substeps, ..scene.settings };
    let mut world = scene.world_with(settings, method).ok()?;
    let before = world.world().total_energy();
    let (mut seconds, mut broad_seconds) = (0.0, 0.0);
    let mut depths = Vec::new();
    let clock = Instant::now();
    while depths.len() < STEPS as usize
        && (depths.len() < LEAST_STEPS || clock.elapsed() < PATIENCE)
    {
        world.step();
        seconds += world.step_stats().profile.total();
        broad_seconds += world.step_stats().profile.broad_phase;
        depths.push(Depths::of(&world));
    }
    // The first half is for falling and settling.
    let steps = depths.len() as u32;
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
        method: method.name(),
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

/// Slower than this, in m/s, a body that touches another rests on it.
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

/// Change of the energy as a share of what there was to move.
fn drift(world: &SceneWorld, before: f64) -> f64 {
    let kinetic: f64 = world.bodies().map(|body| body.kinetic_energy()).sum();
    let scale = before.abs().max(kinetic).max(1e-9);
    100.0 * (world.world().total_energy() - before) / scale
}

fn choose(scene: &Scene, features: Features, trials: Vec<Trial>) -> Advice {
    let mut reasons = Vec::new();
    let soft = || trials.iter().filter(|trial| trial.method == "soft");
    let usual = soft().find(|trial| trial.substeps == Some(4));
    let elastic = trials.iter().find(|trial| trial.method == "elastic");
    let method = match (elastic, usual) {
        (Some(elastic), Some(soft)) => {
            reasons.push(format!(
                "Restitution is 1 and nothing rubs, so nothing comes to rest: over {} steps elastic changed the energy by \
                 {:+.3} %, soft by {:+.3} %.",
                elastic.steps, elastic.energy_drift_percent, soft.energy_drift_percent
            ));
            "elastic"
        }
        (_, Some(soft)) => {
            let study = trials.iter().find(|trial| trial.method == "study");
            let study = study.map_or_else(String::new, |study| {
                format!(
                    "; the study's chain, without friction or turning, leaves {:.2} mm",
                    study.mean_penetration * 1e3
                )
            });
            let why = match (features.moving, soft.resting) {
                (0, _) => "Nothing moves here, and any method will do",
                (_, 0) if features.joints > 0 => "Bodies are joined, which only soft can do",
                (_, 0) => "Impacts here lose speed, or bodies rub",
                _ => "Bodies come to rest on each other",
            };
            reasons.push(format!(
                "{why}: over {} steps soft holds them apart to {:.2} mm in the mean{study}.",
                soft.steps,
                soft.mean_penetration * 1e3
            ));
            "soft"
        }
        _ => "soft",
    };
    let limit = SLOPS * scene.settings.linear_slop;
    let keeps_energy =
        |trial: &Trial| usual.is_none_or(|usual| trial.keeps_energy(usual, &features));
    // Fewer than the usual four are for worlds in which little is stacked: there they are as good.
    let enough = soft().find(|trial| {
        let good = usual
            .map_or(limit, |usual| 1.5 * usual.mean_penetration + 0.1 * scene.settings.linear_slop);
        trial.mean_penetration <= limit && trial.mean_penetration <= good && keeps_energy(trial)
    });
    let ratio_asks = features.mass_ratio >= 30.0;
    let substeps = match enough.and_then(|trial| trial.substeps) {
        Some(found) if ratio_asks => found.max(8),
        Some(found) => found,
        None => 8,
    };
    if let (Some(chosen), Some(one)) =
        (soft().find(|t| t.substeps == Some(substeps)), soft().next())
    {
        let why = if ratio_asks {
            format!(
                " A body is {:.0} times as heavy as another, which more sub-steps hold better.",
                features.mass_ratio
            )
        } else {
            String::new()
        };
        let only = if method == "elastic" { "If soft, then " } else { "" };
        let leaves = |trial: &Trial| {
            let (depth, drift) = (trial.mean_penetration * 1e3, trial.energy_drift_percent);
            let energy = if features.loses_nothing {
                format!(" and the energy {drift:+.2} % off")
            } else {
                String::new()
            };
            format!("{depth:.2} mm deep{energy} in {:.3} ms a step", trial.ms_per_step)
        };
        let (this, other) = match (chosen.substeps, usual) {
            (Some(1), Some(usual)) => ("one sub-step leaves".to_owned(), ("four leave", usual)),
            _ => (format!("{substeps} sub-steps leave"), ("one leaves", one)),
        };
        let text = format!(
            "{only}{this} bodies {}; {} {}.{why}",
            leaves(chosen),
            other.0,
            leaves(other.1)
        );
        reasons.push(capitalised(&text));
    }
    let fewer = soft().rfind(|trial| trial.substeps < Some(substeps));
    if let (Some(fewer), Some(usual)) = (fewer, usual)
        && !features.loses_nothing
        && !keeps_energy(fewer)
    {
        reasons.push(format!(
            "Fewer let the bodies go another way: {} change the energy by {:+.2} %, four by {:+.2} %.",
            fewer.substeps.unwrap_or_default(),
            fewer.energy_drift_percent,
            usual.energy_drift_percent
        ));
    }
    let (broad, reason) = best_broad(&trials).unwrap_or(("auto", String::new()));
    reasons.extend((!reason.is_empty()).then_some(reason));
    Advice { features, method, substeps, broad, reasons, trials }
}

/// The fastest broad phase of the study's chain, and why.
fn best_broad(trials: &[Trial]) -> Option<(&'static str, String)> {
    let of_study = || trials.iter().filter(|trial| trial.method == "study");
    let best = of_study().min_by(|a, b| a.ms_broad.total_cmp(&b.ms_broad))?;
    let worst = of_study().max_by(|a, b| a.ms_broad.total_cmp(&b.ms_broad)).unwrap_or(best);
    let reason = format!(
        "In the study's chain {} finds the near pairs in {:.4} ms a step, {} in {:.4} ms.",
        best.broad, best.ms_broad, worst.broad, worst.ms_broad
    );
    Some((best.broad, reason))
}

/// As the beginning of a sentence.
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scene_file::{SceneLimits, load_scene};

    /// With two sub-steps it fell, and two were advised: what has fallen lies no deeper.
    #[test]
    fn sub_steps_that_let_a_house_of_cards_fall_are_not_advised() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/scenes");
        let limits = SceneLimits::default();
        let scene = load_scene(&folder.join("card-house.json"), &limits).unwrap();
        let trial = |substeps: u32, depth: f32, drift: f64| Trial {
            method: "soft",
            broad: "own",
            substeps: Some(substeps),
            steps: STEPS,
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
        assert!(advice.reasons.iter().any(|why| why.contains("2 change the energy by -49.58 %")));
        assert_eq!(choose(&scene, Features::of(&scene), trials(0.2)).substeps, 2);
    }
}
