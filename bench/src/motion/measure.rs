//! Steps by turns; then one judge for all: how deep do bodies lie in each other, how far have they come?

use std::time::Instant;

use embate::broad_phase::{AabbSlice, BroadPhase, BroadPhaseKind, OverlapPair};
use embate::narrow_phase::{Manifold, contact_manifolds};
use embate::{Aabb, Pose};

use super::Options;
use super::box3d::Box3d;
use super::ours::Ours;
use super::rapier::Rapier;
use super::scenes::Scene;

/// One who can be asked to go on.
pub trait Engine {
    fn step(&mut self);
    /// In the order of the scene.
    fn poses(&self) -> Vec<Pose>;
}

/// How many are measured: ours, rapier, Box3D.
const ENGINES: usize = 3;

/// Of each of them.
pub struct Figures {
    milliseconds: [f64; ENGINES],
    mean_depth: [f64; ENGINES],
    max_depth: [f64; ENGINES],
    drift: [f64; ENGINES],
}

impl Figures {
    /// The time of each peer over ours.
    pub fn ratios(&self) -> [f64; ENGINES - 1] {
        core::array::from_fn(|peer| self.milliseconds[peer + 1] / self.milliseconds[0])
    }

    pub fn line(&self, scene: &Scene, threads: u32) -> String {
        let moving = scene.bodies.iter().filter(|body| body.mass.is_some()).count();
        let mut line = format!("{},{moving},{threads},{}", scene.name, scene.steps);
        let figures = |values: &[f64], decimals: usize, scale: f64| -> String {
            values.iter().map(|value| format!(",{:.decimals$}", value * scale)).collect()
        };
        line += &figures(&self.milliseconds, 4, 1.0);
        line += &figures(&self.ratios(), 3, 1.0);
        line += &figures(&self.mean_depth, 3, 1e3);
        line += &figures(&self.max_depth, 2, 1e3);
        line +=
            &if scene.should_stand { figures(&self.drift, 4, 1.0) } else { ",".repeat(ENGINES) };
        line
    }
}

/// Steps of one before it is the next one's turn.
const TURN: u32 = 10;

/// Runs the scene by every engine, by turns, so many times.
pub fn measure(scene: &Scene, number: usize, options: &Options) -> Figures {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads as usize).build();
    let pool = pool.expect("threads can be started");
    let mut best = [f64::INFINITY; ENGINES];
    let mut last = Vec::new();
    for repeat in 0..options.repeats as usize {
        let mut engines: [Box<dyn Engine + Send>; ENGINES] = [
            Box::new(Ours::new(scene, options.threads)),
            Box::new(Rapier::new(scene)),
            Box::new(Box3d::new(scene, options.threads)),
        ];
        let mut seconds = [0.0; ENGINES];
        let mut done = 0;
        while done < scene.steps {
            let steps = TURN.min(scene.steps - done);
            for turn in 0..ENGINES {
                // Each begins in its turn: to come after the other may be an advantage.
                let which = (turn + repeat + number) % ENGINES;
                let clock = Instant::now();
                pool.install(|| (0..steps).for_each(|_| engines[which].step()));
                seconds[which] += clock.elapsed().as_secs_f64();
            }
            done += steps;
        }
        for which in 0..ENGINES {
            best[which] = best[which].min(seconds[which] * 1e3 / f64::from(scene.steps));
        }
        last = engines.iter().map(|engine| engine.poses()).collect();
    }
    let judged: Vec<[f64; 3]> = last.iter().map(|poses| judge(scene, poses)).collect();
    let of = |what: usize| core::array::from_fn(|engine| judged[engine][what]);
    Figures { milliseconds: best, mean_depth: of(0), max_depth: of(1), drift: of(2) }
}

/// Mean and largest depth, and the longest way from home, in metres.
fn judge(scene: &Scene, poses: &[Pose]) -> [f64; 3] {
    let boxes: Vec<Aabb<3>> =
        scene.bodies.iter().zip(poses).map(|(body, pose)| body.shape.aabb(pose)).collect();
    let mut pairs: Vec<OverlapPair> = Vec::new();
    let mut finder = BroadPhaseKind::Auto.create(boxes.len());
    finder
        .find_pairs(AabbSlice::new(&boxes).expect("bodies are where boxes are valid"), &mut pairs);
    let (mut sum, mut count, mut deepest) = (0.0, 0_u32, 0.0_f64);
    let mut found: Vec<Manifold> = Vec::new();
    for pair in pairs {
        let [a, b] = pair.map(|body| body as usize);
        if scene.bodies[a].mass.is_none() && scene.bodies[b].mass.is_none() {
            continue;
        }
        found.clear();
        contact_manifolds(
            &scene.bodies[a].shape,
            &poses[a],
            &scene.bodies[b].shape,
            &poses[b],
            0.0,
            &mut found,
        );
        for point in found.iter().flat_map(Manifold::points) {
            let depth = f64::from(point.penetration).max(0.0);
            sum += depth;
            count += 1;
            deepest = deepest.max(depth);
        }
    }
    let way = scene
        .bodies
        .iter()
        .zip(poses)
        .map(|(body, pose)| f64::from((pose.position - body.pose.position).length()));
    [sum / f64::from(count.max(1)), deepest, way.fold(0.0, f64::max)]
}
