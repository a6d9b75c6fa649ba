//! Who runs a case? Somebody who has a clock, and hears how far the case is.

use std::fmt;
use std::sync::OnceLock;
use std::time::Instant;

pub use embate::dynamics::Clock;

/// Whoever lets a case run.
pub struct Host<'a> {
    /// Tells seconds since some moment, always the same one.
    pub clock: Clock,
    /// Is told what was done since it was told last.
    pub advanced: &'a dyn Fn(u64),
}

impl Host<'_> {
    /// What comes of this, and how many seconds it takes.
    pub(super) fn time<T>(&self, work: impl FnOnce() -> T) -> (T, f64) {
        let began = (self.clock)();
        let done = work();
        (done, (self.clock)() - began)
    }
}

impl fmt::Debug for Host<'_> {
    fn fmt(&self, text: &mut fmt::Formatter<'_>) -> fmt::Result {
        text.debug_struct("Host").finish_non_exhaustive()
    }
}

/// The system's clock, from when it was first asked. In wasm there is none: a host there brings its own.
#[must_use]
pub fn system_clock() -> f64 {
    static BEGAN: OnceLock<Instant> = OnceLock::new();
    BEGAN.get_or_init(Instant::now).elapsed().as_secs_f64()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_timed_is_done_once_and_takes_what_the_clock_says() {
        // A clock that moves by two whenever it is looked at.
        fn ticking() -> f64 {
            use std::sync::atomic::{AtomicU32, Ordering};
            static LOOKS: AtomicU32 = AtomicU32::new(0);
            f64::from(2 * LOOKS.fetch_add(1, Ordering::Relaxed))
        }
        let host = Host { clock: ticking, advanced: &|_| {} };
        assert_eq!(host.time(|| 7), (7, 2.0));
    }

    #[test]
    fn the_systems_clock_goes_forwards() {
        let (one, other) = (system_clock(), system_clock());
        assert!(one >= 0.0 && other >= one);
    }
}
