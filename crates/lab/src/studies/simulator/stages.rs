//! How long does each stage of a step take, over many steps?

use embate::motion::{StageSeconds, World};
use serde::{Deserialize, Serialize};

use crate::statistics::median;

/// Milliseconds of each stage; `None` for a stage that there is not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Stages {
    /// Forces, velocities and places.
    pub moving: Option<f64>,
    /// Who is near whom?
    pub broad: Option<f64>,
    /// Where do they touch?
    pub narrow: Option<f64>,
    /// What is done about it.
    pub resolve: Option<f64>,
}

impl Stages {
    /// All of them together.
    #[must_use]
    pub fn total(&self) -> f64 {
        [self.moving, self.broad, self.narrow, self.resolve].into_iter().flatten().sum()
    }

    /// The middle of several runs, stage by stage.
    pub(super) fn median_of(runs: &[Self]) -> Self {
        let middle = |stage: fn(&Self) -> Option<f64>| {
            median(&runs.iter().filter_map(stage).collect::<Vec<f64>>())
        };
        Self {
            moving: middle(|stages| stages.moving),
            broad: middle(|stages| stages.broad),
            narrow: middle(|stages| stages.narrow),
            resolve: middle(|stages| stages.resolve),
        }
    }
}

/// Adds up what the steps of a world took and found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sums {
    steps: u32,
    seconds: StageSeconds,
    pairs: u64,
    contacts: u64,
    tests: u64,
}

impl Sums {
    /// The last step of a world.
    pub(super) fn add(&mut self, world: &World) {
        let step = world.last_step();
        self.steps += 1;
        self.seconds.moving += step.seconds.moving;
        self.seconds.broad += step.seconds.broad;
        self.seconds.narrow += step.seconds.narrow;
        self.seconds.resolve += step.seconds.resolve;
        self.pairs += step.pairs;
        self.contacts += step.contacts;
        self.tests += step.tests.unwrap_or(0);
    }

    fn mean(&self, sum: f64) -> f64 {
        sum / f64::from(self.steps.max(1))
    }

    /// Milliseconds of a step.
    pub(super) fn ms(&self) -> Stages {
        let ms = |seconds: f64| Some(self.mean(seconds * 1e3));
        Stages {
            moving: ms(self.seconds.moving),
            broad: ms(self.seconds.broad),
            narrow: ms(self.seconds.narrow),
            resolve: ms(self.seconds.resolve),
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
