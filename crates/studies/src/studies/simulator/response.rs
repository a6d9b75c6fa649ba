//! Response: energy, momentum and penetration, solver by solver.

use embate::dynamics::{BodyType, SolverKind};
use embate_replica::lasch::{BroadPhase, Config, Response};
use embate_scene::scene_world::{Method, SceneWorld};
use embate_scene::simulation::Depths;

use super::row::Row;
use super::stages::Sums;
use super::worlds::{self, COLLISION_SPEED, DROP, Pile};
use crate::runner::run_context::RunContext;

/// An event of the study.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Event {
    /// A ball, `ratio` times as heavy, meets another at rest.
    Collision { ratio: f32 },
    /// A ball falls on the floor.
    Bounce,
    /// Many fall into a basin, every second one `ratio` times as heavy.
    Pile { ratio: f32, bodies: u32, steps: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ResolveCase {
    pub(super) event: Event,
    pub(super) restitution: f32,
    pub(super) seed: u64,
}

/// Solvers by name, in the order of the report.
pub(super) const METHODS: [&str; 3] = ["impulse", "positions", "soft"];

/// Enough for a collision, and for a fall and the bounce after it, which take 1.3 s.
const IMPACT_STEPS: u32 = 120;

fn method(name: &str) -> Method {
    match Response::from_name(name) {
        Some(response) => {
            let broad_phase = BroadPhase::AUTO;
            Method::Lasch(Config { broad_phase, response, ..Config::PUBLISHED })
        }
        None => SolverKind::SoftStep.into(),
    }
}

/// Counters of a running world.
#[derive(Default)]
struct Counters {
    sums: Sums,
    depths: f64,
    deepest: f64,
}

impl Counters {
    fn step(&mut self, world: &mut SceneWorld) {
        world.step();
        self.sums.add(world);
        let depths = Depths::of(world);
        self.depths += f64::from(depths.mean());
        self.deepest = self.deepest.max(depths.max.into());
    }
}

/// Quantities of the event.
#[derive(Default)]
struct Outcome {
    energy_drift_percent: Option<f64>,
    momentum_error: Option<f64>,
    speed_at_end: Option<f64>,
}

impl ResolveCase {
    pub(super) fn name(&self) -> String {
        let e = self.restitution;
        match self.event {
            Event::Collision { ratio } => format!("collision e={e} m={ratio}"),
            Event::Bounce => format!("bounce e={e}"),
            Event::Pile { ratio, .. } => format!("pile e={e} m={ratio}"),
        }
    }

    pub(super) fn steps(&self) -> u32 {
        match self.event {
            Event::Pile { steps, .. } => steps,
            _ => IMPACT_STEPS,
        }
    }

    /// One row per solver.
    pub(super) fn rows(
        &self,
        methods: &[&str],
        repeats: u32,
        context: &RunContext<'_>,
    ) -> Vec<Row> {
        methods.iter().map(|name| self.row(name, repeats, context)).collect()
    }

    fn row(&self, name: &str, repeats: u32, context: &RunContext<'_>) -> Row {
        let (counts, outcome, bodies) = self.run(method(name), context);
        let again: Vec<Counters> =
            (1..repeats).map(|_| self.run(method(name), context).0).collect();
        let runs: Vec<&Sums> = again.iter().chain([&counts]).map(|counts| &counts.sums).collect();
        Row {
            part: "resolve".to_owned(),
            case: self.name(),
            technique: name.to_owned(),
            bodies,
            steps: self.steps(),
            seed: self.seed,
            pairs_per_step: Some(counts.sums.pairs()),
            contacts_per_step: Some(counts.sums.contacts()),
            ms: Sums::best_ms(&runs),
            energy_drift_percent: outcome.energy_drift_percent,
            momentum_error: outcome.momentum_error,
            mean_penetration: Some(counts.depths / f64::from(self.steps().max(1))),
            max_penetration: Some(counts.deepest),
            speed_at_end: outcome.speed_at_end,
            ..Row::default()
        }
    }

    fn run(&self, method: Method, context: &RunContext<'_>) -> (Counters, Outcome, u32) {
        let mut counts = Counters::default();
        let mut go = |world: &mut SceneWorld| {
            counts.step(world);
            (context.on_progress)(1);
        };
        let (outcome, bodies) = match self.event {
            Event::Collision { ratio } => {
                let mut world = worlds::collision(self.restitution, ratio, method);
                world.set_clock(context.clock);
                let before = (world.world().total_energy(), world.world().linear_momentum().into());
                (0..IMPACT_STEPS).for_each(|_| go(&mut world));
                (collision_outcome(self.restitution, ratio, before, &world), 2)
            }
            Event::Bounce => (bounce_outcome(self.restitution, method, context, go), 1),
            Event::Pile { ratio, bodies, steps } => {
                let plan = Pile { bodies, restitution: self.restitution, ratio };
                let mut world = worlds::pile(&plan, self.seed, method);
                world.set_clock(context.clock);
                let before = world.world().total_energy();
                (0..steps).for_each(|_| go(&mut world));
                let drift = 100.0 * (world.world().total_energy() - before) / before.abs();
                let (energy_drift_percent, speed_at_end) = (Some(drift), Some(speed(&world)));
                (Outcome { energy_drift_percent, speed_at_end, ..Outcome::default() }, bodies)
            }
        };
        (counts, outcome, bodies)
    }
}

/// Deviation from the theoretical energy after the collision.
fn collision_outcome(
    restitution: f32,
    ratio: f32,
    (energy, momentum): (f64, [f64; 3]),
    world: &SceneWorld,
) -> Outcome {
    let (e, m) = (f64::from(restitution), f64::from(ratio));
    let speed = f64::from(COLLISION_SPEED);
    let first = speed * (m - e) / (m + 1.0);
    let second = speed * m * (1.0 + e) / (m + 1.0);
    let left = 0.5 * (m * first * first + second * second);
    let world = world.world();
    let moved: f64 =
        (0..3).map(|axis| (world.linear_momentum()[axis] - momentum[axis]).powi(2)).sum();
    Outcome {
        energy_drift_percent: Some(100.0 * (world.total_energy() - left) / energy),
        momentum_error: Some(moved.sqrt() / (m * speed)),
        speed_at_end: None,
    }
}

/// A ball that fell from h rises to e²h.
fn bounce_outcome(
    restitution: f32,
    method: Method,
    context: &RunContext<'_>,
    mut go: impl FnMut(&mut SceneWorld),
) -> Outcome {
    let (mut world, ball) = worlds::bounce(restitution, method);
    world.set_clock(context.clock);
    let height = |world: &SceneWorld| {
        world.body(ball).map_or(0.0, |ball| f64::from(ball.position().y) - 0.5)
    };
    let drop = f64::from(DROP);
    let (mut lowest, mut rise) = (drop, 0.0_f64);
    for _ in 0..IMPACT_STEPS {
        go(&mut world);
        let height = height(&world);
        // Below 0.1 m the fall is over; the rise begins.
        if lowest < 0.1 {
            rise = rise.max(height);
        }
        lowest = lowest.min(height);
    }
    let expected = f64::from(restitution).powi(2) * drop;
    Outcome { energy_drift_percent: Some(100.0 * (rise - expected) / drop), ..Outcome::default() }
}

/// Root mean square of the speeds of the dynamic bodies.
fn speed(world: &SceneWorld) -> f64 {
    let moving = || world.bodies().filter(|body| body.body_type() == BodyType::Dynamic);
    let squares: f64 =
        moving().map(|body| f64::from(body.linear_velocity().length()).powi(2)).sum();
    (squares / moving().count().max(1) as f64).sqrt()
}
