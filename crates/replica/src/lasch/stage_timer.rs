//! Stage timer: duration of each stage of a step. The simulation does not read it.

use embate::dynamics::{Clock, Profile};

/// Stage of a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stage {
    Integrate,
    BroadPhase,
    NarrowPhase,
    Resolve,
}

/// Accumulates the seconds of each stage.
#[derive(Clone, Copy, Debug)]
pub(super) struct StageTimer {
    clock: Option<Clock>,
    since: Timestamp,
    pub(super) profile: Profile,
}

impl StageTimer {
    /// Reads `clock`, or the system clock. In wasm there is no system clock: every time is then 0.
    pub(super) fn start(clock: Option<Clock>) -> Self {
        Self { clock, since: Timestamp::now(clock), profile: Profile::default() }
    }

    /// Adds the time since the last call to `stage`.
    pub(super) fn split(&mut self, stage: Stage) {
        let now = Timestamp::now(self.clock);
        let elapsed = now.seconds_since(self.since);
        self.since = now;
        *match stage {
            Stage::Integrate => &mut self.profile.integrate,
            Stage::BroadPhase => &mut self.profile.broad_phase,
            Stage::NarrowPhase => &mut self.profile.narrow_phase,
            Stage::Resolve => &mut self.profile.solve,
        } += elapsed;
    }
}

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
