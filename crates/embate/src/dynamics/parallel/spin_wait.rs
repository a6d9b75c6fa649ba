//! How do helpers stay awake from one stage of a step to the next?
//!
//! What one thread does alone, between stages that are shared out, is long enough for the others to fall asleep, and
//! to wake them takes as long as some stages. So for as long as a step goes on they have something to do: to look
//! whether there is something to do.

use core::cell::Cell;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;

use super::threads::{several, wait_until};

/// Pauses of a thread that waits for work, between one look and the next: about a microsecond.
const PAUSES: u32 = 16;

/// Helpers that were called and have not come. Where all threads are busy with worlds of their own none comes before these end, and
/// calls of step after step would pile up.
static NOT_BEGUN: AtomicUsize = AtomicUsize::new(0);
const MOST_NOT_BEGUN: usize = 256;

thread_local! {
    /// This thread is in a step, or waits for work of one.
    static ATTENDS: Cell<bool> = const { Cell::new(false) };
}

/// Sets [`ATTENDS`] for as long as it lives, unless it was set.
struct Attending;

impl Attending {
    fn begin() -> Option<Self> {
        (!ATTENDS.replace(true)).then_some(Self)
    }
}

impl Drop for Attending {
    fn drop(&mut self) {
        ATTENDS.set(false);
    }
}

/// While `work` goes on, the helpers of all that it shares out stay awake: to wake them takes as long as some of it.
/// Nobody waits for one that has not come, or is still about to go.
pub(super) fn attended(threads: usize, work: impl FnOnce()) {
    let helpers = if several(threads) { threads.min(rayon::current_num_threads()) - 1 } else { 0 };
    if helpers == 0 {
        return work();
    }
    let over = Ended(Arc::default());
    for _ in 0..helpers {
        if NOT_BEGUN.load(Ordering::Relaxed) >= MOST_NOT_BEGUN {
            break;
        }
        NOT_BEGUN.fetch_add(1, Ordering::Relaxed);
        let over = Arc::clone(&over.0);
        rayon::spawn(move || {
            NOT_BEGUN.fetch_sub(1, Ordering::Relaxed);
            attend(&over);
        });
    }
    let _attending = Attending::begin();
    work();
}

/// Does what others share out until it is over.
fn attend(over: &AtomicBool) {
    // Who waits for helpers within a step may be given this to do, and would wait for himself.
    let Some(_attending) = Attending::begin() else { return };
    wait_until(|| {
        while rayon::yield_now() == Some(rayon::Yield::Executed) {}
        // To look is work, and a processor may be half of one: the other half is the leader's.
        (0..PAUSES).for_each(|_| core::hint::spin_loop());
        over.load(Ordering::Acquire)
    });
}

/// Tells that it is over, even if a panic ended it.
struct Ended(Arc<AtomicBool>);

impl Drop for Ended {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::attended;
    use crate::motion::threads::share;
    use crate::motion::threads::tests::{add_one, on_pool};

    #[test]
    fn steps_that_share_a_pool_do_not_keep_each_other_waiting_for_helpers() {
        for threads in [1, 2, 3] {
            on_pool(threads, || {
                let step = || {
                    let mut items = vec![1_u64; 1_000];
                    for _ in 0..50 {
                        attended(3, || {
                            for _ in 0..4 {
                                share(3, 16, &mut items, add_one);
                            }
                        });
                    }
                    items.iter().sum::<u64>()
                };
                let (sums, more) =
                    rayon::join(|| rayon::join(step, step), || rayon::join(step, step));
                assert_eq!((sums, more), ((201_000, 201_000), (201_000, 201_000)));
            });
        }
    }
}
