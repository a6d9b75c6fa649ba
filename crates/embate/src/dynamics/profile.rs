//! Step statistics and profile: counters and stage times of the last step.
//!
//! Guarantee: the simulation never depends on the clock; it is read for these numbers alone. Wasm
//! has no system clock: unless the host [installs one](crate::dynamics::World::set_clock), every
//! time is 0.

use core::ops::AddAssign;

/// Counters and stage times of one step.
///
/// ```
/// use embate::{Vec3, dynamics::{BodyDef, Settings, World}, shapes::{HalfSpace, Sphere}};
///
/// let mut world = World::new(Settings::default())?;
/// world.insert_body(BodyDef::fixed(HalfSpace::new(Vec3::Y)?))?;
/// let sphere = BodyDef::dynamic(Sphere::new(0.5)?, 1.0);
/// world.insert_body(sphere.position(Vec3::new(0.0, 0.5, 0.0)))?;
/// world.step();
/// let stats = world.step_stats();
/// assert_eq!((stats.candidate_pairs, stats.manifold_pairs), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "StepReport")]
#[doc(alias = "Counters")]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepStats {
    /// Pairs of bodies reported by the broad phase of which at least one body is awake.
    #[doc(alias = "pairs")]
    pub candidate_pairs: u64,
    /// Candidate pairs with a contact manifold: touching, or within the speculative distance.
    #[doc(alias("contacts", "touching_pairs"))]
    pub manifold_pairs: u64,
    /// Time spent in each stage.
    #[doc(alias = "seconds")]
    pub profile: Profile,
}

/// Pairs that the narrow phase updated, with at least one awake body.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PairCounts {
    pub(crate) candidate_pairs: u64,
    /// Candidate pairs with a contact manifold.
    pub(crate) manifold_pairs: u64,
}

impl AddAssign for PairCounts {
    fn add_assign(&mut self, more: Self) {
        self.candidate_pairs += more.candidate_pairs;
        self.manifold_pairs += more.manifold_pairs;
    }
}

/// Time spent in each stage of a step, in seconds.
///
/// ```
/// use embate::dynamics::Profile;
///
/// let profile =
///     Profile { integrate: 0.001, broad_phase: 0.002, narrow_phase: 0.003, solve: 0.004 };
/// assert!((profile.total() - 0.01).abs() < 1e-12);
/// ```
#[doc(alias = "StageSeconds")]
#[doc(alias = "timings")]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Profile {
    /// Integration of velocities and positions.
    #[doc(alias = "moving")]
    pub integrate: f64,
    /// Broad phase: update of the fat AABBs and of the candidate pairs.
    #[doc(alias = "broad")]
    pub broad_phase: f64,
    /// Narrow phase: contact manifolds, including speculative contacts.
    #[doc(alias = "narrow")]
    pub narrow_phase: f64,
    /// Constraint solver, continuous collision, contact events, finalization of poses and sleeping.
    #[doc(alias = "resolve")]
    pub solve: f64,
}

impl Profile {
    /// Sum of all stages.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.integrate + self.broad_phase + self.narrow_phase + self.solve
    }
}

/// A timed stage of a step; one for each field of [`Profile`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum Stage {
    Integrate,
    BroadPhase,
    NarrowPhase,
    Solve,
}

/// Split timer that accumulates the time of each stage.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StageTimer {
    clock: Option<Clock>,
    last_split: Timestamp,
    seconds: Profile,
}

impl StageTimer {
    fn start(clock: Option<Clock>) -> Self {
        Self { clock, last_split: Timestamp::now(clock), seconds: Profile::default() }
    }

    /// Adds the time since the previous split, or since the start, to `stage`.
    pub(crate) fn split(&mut self, stage: Stage) {
        let now = Timestamp::now(self.clock);
        let elapsed = now.seconds_since(self.last_split);
        self.last_split = now;
        match stage {
            Stage::Integrate => self.seconds.integrate += elapsed,
            Stage::BroadPhase => self.seconds.broad_phase += elapsed,
            Stage::NarrowPhase => self.seconds.narrow_phase += elapsed,
            Stage::Solve => self.seconds.solve += elapsed,
        }
    }
}

/// Returns seconds since a fixed epoch chosen by the host.
pub type Clock = fn() -> f64;

/// Reading of the host's clock, or of `std::time::Instant`, which panics in wasm.
#[derive(Clone, Copy, Debug)]
enum Timestamp {
    Host(f64),
    #[cfg(not(target_family = "wasm"))]
    System(std::time::Instant),
}

impl Timestamp {
    fn now(clock: Option<Clock>) -> Self {
        match clock {
            Some(clock) => Self::Host(clock()),
            #[cfg(not(target_family = "wasm"))]
            None => Self::System(std::time::Instant::now()),
            #[cfg(target_family = "wasm")]
            None => Self::Host(0.0),
        }
    }

    fn seconds_since(self, earlier: Self) -> f64 {
        match (self, earlier) {
            (Self::Host(now), Self::Host(then)) => now - then,
            #[cfg(not(target_family = "wasm"))]
            (Self::System(now), Self::System(then)) => now.duration_since(then).as_secs_f64(),
            #[cfg(not(target_family = "wasm"))]
            _ => 0.0,
        }
    }
}

/// Statistics of the last step, and the clock that times the next one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StepProfile {
    stats: StepStats,
    /// `None` for the system's clock.
    clock: Option<Clock>,
}

impl StepProfile {
    pub(crate) fn stats(&self) -> &StepStats {
        &self.stats
    }

    pub(crate) fn set_clock(&mut self, clock: Clock) {
        self.clock = Some(clock);
    }

    /// Timer of a step that begins now.
    pub(crate) fn start_timer(&self) -> StageTimer {
        StageTimer::start(self.clock)
    }

    /// Stores the statistics of a step that ends now.
    pub(crate) fn finish_step(&mut self, counts: PairCounts, timer: &StageTimer) {
        let PairCounts { candidate_pairs, manifold_pairs } = counts;
        self.stats = StepStats { candidate_pairs, manifold_pairs, profile: timer.seconds };
    }
}
