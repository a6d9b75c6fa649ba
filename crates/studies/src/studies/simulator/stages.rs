//! Stage times of a step, summed over many steps.

use embate::dynamics::Profile;
use serde::{Deserialize, Serialize};

use embate_scene::scene_world::SceneWorld;

/// Milliseconds of each stage; `None` for an absent stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stages {
    /// Integration of velocities and positions.
    pub moving: Option<f64>,
    /// Broad phase.
    pub broad: Option<f64>,
    /// Narrow phase.
    pub narrow: Option<f64>,
    /// Response.
    pub resolve: Option<f64>,
}

impl Stages {
    /// All of them together.
    #[must_use]
    pub fn total(&self) -> f64 {
        [self.moving, self.broad, self.narrow, self.resolve].into_iter().flatten().sum()
    }
}

/// Sums of times and counts over the steps of a world.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    /// Of each step.
    seconds: Vec<Profile>,
    pairs: u64,
    contacts: u64,
    tests: u64,
}

impl Sums {
    /// The last step of a world.
    pub(super) fn add(&mut self, world: &SceneWorld) {
        let step = world.step_stats();
        self.seconds.push(step.profile);
        self.pairs += step.candidate_pairs;
        self.contacts += step.manifold_pairs;
        self.tests += world.overlap_tests().unwrap_or(0);
    }

    fn mean(&self, sum: f64) -> f64 {
        sum / self.seconds.len().max(1) as f64
    }

    /// Milliseconds of a step, mean over the steps. Of several runs of the same world the minimum of
    /// each step and stage counts: the work is equal, and other load only adds time.
    pub(super) fn best_ms(runs: &[&Self]) -> Stages {
        let steps = runs.iter().map(|run| run.seconds.len()).min().unwrap_or(0);
        let mean = |stage: fn(&Profile) -> f64| {
            let best = |step: usize| {
                runs.iter().map(|run| stage(&run.seconds[step])).fold(f64::INFINITY, f64::min)
            };
            Some((0..steps).map(best).sum::<f64>() * 1e3 / steps.max(1) as f64)
        };
        Stages {
            moving: mean(|seconds| seconds.integrate),
            broad: mean(|seconds| seconds.broad_phase),
            narrow: mean(|seconds| seconds.narrow_phase),
            resolve: mean(|seconds| seconds.solve),
        }
    }

    pub(super) fn tests(&self) -> f64 {
        self.mean(self.tests as f64)
    }

    pub(super) fn pairs(&self) -> f64 {
        self.mean(self.pairs as f64)
    }

    pub(super) fn contacts(&self) -> f64 {
        self.mean(self.contacts as f64)
    }
}
