//! Run context of a case: the clock and the progress callback of the caller.

use std::fmt;
use std::sync::OnceLock;
use std::time::Instant;

pub use embate::dynamics::Clock;

/// Clock and progress callback of a case.
pub struct RunContext<'a> {
    /// Seconds since a fixed moment.
    pub clock: Clock,
    /// Called with the work done since the last call.
    pub on_progress: &'a dyn Fn(u64),
}

impl RunContext<'_> {
    /// The result of `work`, and its seconds.
    pub(crate) fn time<T>(&self, work: impl FnOnce() -> T) -> (T, f64) {
        let began = (self.clock)();
        let done = work();
        (done, (self.clock)() - began)
    }
}

impl fmt::Debug for RunContext<'_> {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.debug_struct("RunContext").finish_non_exhaustive()
    }
}

/// System clock, from its first call. WebAssembly has none: a host there passes its own.
#[must_use]
pub fn system_clock() -> f64 {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timed_function_runs_once_and_is_timed_by_the_clock() {
        // A clock that advances by two per reading.
        fn ticking() -> f64 {
            use std::sync::atomic::{AtomicU32, Ordering};
            static READINGS: AtomicU32 = AtomicU32::new(0);
            f64::from(2 * READINGS.fetch_add(1, Ordering::Relaxed))
        }
        let context = RunContext { clock: ticking, on_progress: &|_| {} };
        assert_eq!(context.time(|| 7), (7, 2.0));
    }

    #[test]
    fn system_clock_is_monotonic() {
        let (one, other) = (system_clock(), system_clock());
        assert!(one >= 0.0 && other >= one);
    }
}
