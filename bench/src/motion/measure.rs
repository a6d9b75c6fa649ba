//! Steps by turns; then one judge for both: how deep do bodies lie in each other, how far have they come?

use std::time::Instant;

use embate::contacts::{Manifold, contacts};
use embate::pairs::{Boxes, Pair, PairFinder, PairTechnique};
use embate::{Aabb, Pose};

use super::Options;
use super::ours::Ours;
use super::rapier::Rapier;
use super::scenes::Scene;

/// One who can be asked to go on.
pub trait Engine {
    fn step(&mut self);
    /// In the order of the scene.
    fn poses(&self) -> Vec<Pose>;
}

/// Of both: ours, rapier's.
pub struct Figures {
    milliseconds: [f64; 2],
    mean_depth: [f64; 2],
    max_depth: [f64; 2],
    drift: [f64; 2],
}

impl Figures {
    pub fn ratio(&self) -> f64 {
        self.milliseconds[1] / self.milliseconds[0]
    }

    pub fn line(&self, scene: &Scene, threads: u32) -> String {
        let moving = scene.bodies.iter().filter(|body| body.mass.is_some()).count();
        let [ours, rapier] = self.milliseconds;
        let drift = |which: usize| {
            if scene.should_stand { format!("{:.4}", self.drift[which]) } else { String::new() }
        };
        format!(
            "{},{moving},{threads},{},{ours:.4},{rapier:.4},{:.3},{:.3},{:.3},{:.2},{:.2},{},{}",
            scene.name,
            scene.steps,
            self.ratio(),
            self.mean_depth[0] * 1e3,
            self.mean_depth[1] * 1e3,
            self.max_depth[0] * 1e3,
            self.max_depth[1] * 1e3,
            drift(0),
            drift(1),
        )
    }
}

/// Steps of one before it is the other's turn.
const TURN: u32 = 10;

/// Runs the scene by both, so many times.
pub fn measure(scene: &Scene, number: usize, options: &Options) -> Figures {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads as usize).build();
    let pool = pool.expect("threads can be started");
    let mut best = [f64::INFINITY; 2];
    let mut last = Vec::new();
    for repeat in 0..options.repeats as usize {
        let mut engines: [Box<dyn Engine + Send>; 2] =
            [Box::new(Ours::new(scene)), Box::new(Rapier::new(scene))];
        let mut seconds = [0.0; 2];
        let mut done = 0;
        while done < scene.steps {
            let steps = TURN.min(scene.steps - done);
            for turn in 0..2 {
                // Each begins in its turn: to come after the other may be an advantage.
                let which = (turn + repeat + number) % 2;
                let clock = Instant::now();
                pool.install(|| (0..steps).for_each(|_| engines[which].step()));
                seconds[which] += clock.elapsed().as_secs_f64();
            }
            done += steps;
        }
        for which in 0..2 {
            best[which] = best[which].min(seconds[which] * 1e3 / f64::from(scene.steps));
        }
        last = engines.iter().map(|engine| engine.poses()).collect();
    }
    let judged: Vec<[f64; 3]> = last.iter().map(|poses| judge(scene, poses)).collect();
    let of = |what: usize| [judged[0][what], judged[1][what]];
    Figures { milliseconds: best, mean_depth: of(0), max_depth: of(1), drift: of(2) }
}

/// Mean and largest depth, and the longest way from home, in metres.
fn judge(scene: &Scene, poses: &[Pose]) -> [f64; 3] {
    let boxes: Vec<Aabb<3>> =
        scene.bodies.iter().zip(poses).map(|(body, pose)| body.shape.aabb(pose)).collect();
    let mut pairs: Vec<Pair> = Vec::new();
    let mut finder = PairTechnique::Auto.finder(boxes.len());
    finder.find(Boxes::new(&boxes).expect("bodies are where boxes are valid"), &mut pairs);
    let (mut sum, mut count, mut deepest) = (0.0, 0_u32, 0.0_f64);
    let mut found: Vec<Manifold> = Vec::new();
    for pair in pairs {
        let [a, b] = pair.map(|body| body as usize);
        if scene.bodies[a].mass.is_none() && scene.bodies[b].mass.is_none() {
            continue;
        }
        found.clear();
        contacts(
            &scene.bodies[a].shape,
            &poses[a],
            &scene.bodies[b].shape,
            &poses[b],
            0.0,
            &mut found,
        );
        for point in found.iter().flat_map(Manifold::points) {
            let depth = f64::from(point.depth).max(0.0);
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
