//! Interleaved steps of all engines, then penetration and drift of their final poses.

use embate::broad_phase::{AabbSlice, BroadPhase, BroadPhaseKind, OverlapPair};
use embate::narrow_phase::{Manifold, contact_manifolds};
use embate::{Aabb, Pose};

use super::Options;
use super::box3d::Box3d;
use super::ours::Ours;
use super::rapier::Rapier;
use super::scenes::Scene;
use crate::harness::measure::{thread_pool, timed, turn_order};

/// A simulated scene.
pub trait Engine {
    fn step(&mut self);
    /// Poses of the bodies, in the order of the scene.
    fn poses(&self) -> Vec<Pose>;
}

/// Number of engines: Embate, rapier, Box3D.
const ENGINES: usize = 3;

/// Results of all engines on one scene.
pub struct Measurement {
    milliseconds: [f64; ENGINES],
    mean_depth: [f64; ENGINES],
    max_depth: [f64; ENGINES],
    drift: [f64; ENGINES],
}

impl Measurement {
    /// Time of each peer relative to Embate.
    pub fn ratios(&self) -> [f64; ENGINES - 1] {
        core::array::from_fn(|peer| self.milliseconds[peer + 1] / self.milliseconds[0])
    }

    pub fn row(&self, scene: &Scene, threads: u32) -> String {
        let moving = scene.bodies.iter().filter(|body| body.mass.is_some()).count();
        let mut row = format!("{},{moving},{threads},{}", scene.name, scene.steps);
        let cells = |values: &[f64], decimals: usize, scale: f64| -> String {
            values.iter().map(|value| format!(",{:.decimals$}", value * scale)).collect()
        };
        row += &cells(&self.milliseconds, 4, 1.0);
        row += &cells(&self.ratios(), 3, 1.0);
        row += &cells(&self.mean_depth, 3, 1e3);
        row += &cells(&self.max_depth, 2, 1e3);
        row += &if scene.should_stand { cells(&self.drift, 4, 1.0) } else { ",".repeat(ENGINES) };
        row
    }
}

/// Number of steps per turn of an engine.
const STEPS_PER_TURN: u32 = 10;

/// Simulates the scene with every engine, interleaved, and repeats that.
pub fn measure(scene: &Scene, number: usize, options: &Options) -> Measurement {
    let pool = thread_pool(options.threads as usize);
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
            let steps = STEPS_PER_TURN.min(scene.steps - done);
            for engine in turn_order(ENGINES, repeat + number) {
                let world = &mut engines[engine];
                let ((), time) = timed(|| pool.install(|| (0..steps).for_each(|_| world.step())));
                seconds[engine] += time;
            }
            done += steps;
        }
        for engine in 0..ENGINES {
            best[engine] = best[engine].min(seconds[engine] * 1e3 / f64::from(scene.steps));
        }
        last = engines.iter().map(|engine| engine.poses()).collect();
    }
    let errors: Vec<[f64; 3]> = last.iter().map(|poses| errors(scene, poses)).collect();
    let column = |index: usize| core::array::from_fn(|engine| errors[engine][index]);
    Measurement {
        milliseconds: best,
        mean_depth: column(0),
        max_depth: column(1),
        drift: column(2),
    }
}

/// Mean and maximum penetration, and maximum drift from the initial position, in m.
fn errors(scene: &Scene, poses: &[Pose]) -> [f64; 3] {
    let boxes: Vec<Aabb<3>> =
        scene.bodies.iter().zip(poses).map(|(body, pose)| body.shape.aabb(pose)).collect();
    let mut pairs: Vec<OverlapPair> = Vec::new();
    let mut broad_phase = BroadPhaseKind::Auto.create(boxes.len());
    let slice = AabbSlice::new(&boxes).expect("bodies are within the valid range");
    broad_phase.find_pairs(slice, &mut pairs);
    let (mut sum, mut count, mut deepest) = (0.0, 0_u32, 0.0_f64);
    let mut manifolds: Vec<Manifold> = Vec::new();
    for pair in pairs {
        let [a, b] = pair.map(|body| body as usize);
        if scene.bodies[a].mass.is_none() && scene.bodies[b].mass.is_none() {
            continue;
        }
        manifolds.clear();
        contact_manifolds(
            &scene.bodies[a].shape,
            &poses[a],
            &scene.bodies[b].shape,
            &poses[b],
            0.0,
            &mut manifolds,
        );
        for point in manifolds.iter().flat_map(Manifold::points) {
            let depth = f64::from(point.penetration).max(0.0);
            sum += depth;
            count += 1;
            deepest = deepest.max(depth);
        }
    }
    let drift = scene
        .bodies
        .iter()
        .zip(poses)
        .map(|(body, pose)| f64::from((pose.position - body.pose.position).length()));
    [sum / f64::from(count.max(1)), deepest, drift.fold(0.0, f64::max)]
}
