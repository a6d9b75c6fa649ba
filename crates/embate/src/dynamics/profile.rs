//! What did the last step do, and how long did each part of it take?
//!
//! The clock is read for this report alone: nothing that moves depends on it. In wasm there is none unless the
//! host [gives its own](World::use_clock); every time is then 0.

use super::bodies::Bodies;
use super::touches::Touches;
use super::world::World;

/// Counts and times of one step.
///
/// ```
/// use embate::{Vec3, motion::{BodyPlan, Settings, World}, shapes::{Plane, Sphere}};
///
/// let mut world = World::new(Settings::default())?;
/// world.add(BodyPlan::still(Plane::new(Vec3::Y)?))?;
/// world.add(BodyPlan::moving(Sphere::new(0.5)?, 1.0).at(Vec3::new(0.0, 0.5, 0.0)))?;
/// world.step();
/// let step = world.last_step();
/// assert_eq!((step.pairs, step.contacts), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Pairs of boxes that the broad phase tested, where it counts: in the study's chain, if
    /// [asked to](World::count_tests).
    pub tests: Option<u64>,
    /// Pairs of bodies near each other, as the broad phase found them; of those that are awake.
    pub pairs: u64,
    /// Pairs of bodies that touch, or are within the margin or tolerance.
    pub contacts: u64,
    /// How long each part took.
    pub seconds: StageSeconds,
}

impl StepReport {
    /// Counts the pairs that were looked at.
    pub(super) fn of(bodies: &Bodies, touches: &Touches) -> Self {
        let mut report = Self::default();
        for pair in &touches.pairs {
            if pair.bodies.iter().any(|&place| bodies.is_awake(place as usize)) {
                report.pairs += 1;
                report.contacts += u64::from(!pair.touches.is_empty());
            }
        }
        report
    }
}

/// How long each part of a step took, in seconds.
///
/// ```
/// use embate::motion::StageSeconds;
///
/// let seconds = StageSeconds { moving: 0.001, broad: 0.002, narrow: 0.003, resolve: 0.004 };
/// assert!((seconds.total() - 0.01).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageSeconds {
    /// Forces, velocities and places.
    pub moving: f64,
    /// Who is near whom?
    pub broad: f64,
    /// Where do they touch?
    pub narrow: f64,
    /// What is done about it; events and sleep.
    pub resolve: f64,
}

impl StageSeconds {
    /// All parts together.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.moving + self.broad + self.narrow + self.resolve
    }
}

/// A part of a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stage {
    Moving,
    Broad,
    Narrow,
    Resolve,
}

/// Adds up the time of each stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct Laps {
    clock: Option<Clock>,
    since: Moment,
    pub(super) seconds: StageSeconds,
}

impl Laps {
    pub(super) fn start(clock: Option<Clock>) -> Self {
        Self { clock, since: Moment::now(clock), seconds: StageSeconds::default() }
    }

    /// What was done since the last lap belongs to this stage.
    pub(super) fn lap(&mut self, stage: Stage) {
        let now = Moment::now(self.clock);
        let passed = now.seconds_since(self.since);
        self.since = now;
        match stage {
            Stage::Moving => self.seconds.moving += passed,
            Stage::Broad => self.seconds.broad += passed,
            Stage::Narrow => self.seconds.narrow += passed,
            Stage::Resolve => self.seconds.resolve += passed,
        }
    }
}

/// Tells seconds since some moment, always the same one.
pub type Clock = fn() -> f64;

/// As the host's clock tells it, or `std`'s, which panics in wasm.
#[derive(Clone, Copy, Debug)]
enum Moment {
    Told(f64),
    #[cfg(not(target_family = "wasm"))]
    Own(std::time::Instant),
}

impl Moment {
    fn now(clock: Option<Clock>) -> Self {
        match clock {
            Some(clock) => Self::Told(clock()),
            #[cfg(not(target_family = "wasm"))]
            None => Self::Own(std::time::Instant::now()),
            #[cfg(target_family = "wasm")]
            None => Self::Told(0.0),
        }
    }

    fn seconds_since(self, earlier: Self) -> f64 {
        match (self, earlier) {
            (Self::Told(now), Self::Told(then)) => now - then,
            #[cfg(not(target_family = "wasm"))]
            (Self::Own(now), Self::Own(then)) => now.duration_since(then).as_secs_f64(),
            #[cfg(not(target_family = "wasm"))]
            _ => 0.0,
        }
    }
}

impl World {
    /// What the last step did.
    #[must_use]
    pub fn last_step(&self) -> &StepReport {
        &self.report
    }

    /// Steps are timed by this clock from now on, not by the system's.
    ///
    /// ```
    /// use embate::motion::{Settings, World};
    ///
    /// let mut world = World::new(Settings::default())?;
    /// world.use_clock(|| 5.0);
    /// world.step();
    /// assert_eq!(world.last_step().seconds.total(), 0.0); // it stands still
    /// # Ok::<(), embate::motion::InvalidSettings>(())
    /// ```
    pub fn use_clock(&mut self, clock: Clock) {
        self.clock = Some(clock);
    }

    /// Whether the study's chain counts the tests of its broad phase from now on; it does not unless asked:
    /// some are slower when they count.
    pub fn count_tests(&mut self, count: bool) {
        self.counts_tests = count;
    }
}
