//! Spin wait: keeps workers awake from one stage of a step to the next.
//!
//! The serial parts between parallel stages are long enough for idle workers to go to sleep, and
//! waking one takes as long as some stages. Workers therefore busy-wait for the duration of the
//! step.

use core::cell::Cell;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;

use crate::dynamics::parallel::worker_pool::{is_parallel, wait_until};
use crate::parallel;

/// `spin_loop` hints between two polls for work: about a microsecond.
const SPIN_PAUSES: u32 = 16;

/// Spinners that were spawned and have not started. If all threads of the pool are busy with other
/// worlds, no spinner starts before those steps end, and the spawned ones of step after step would
/// pile up.
static PENDING_SPINNERS: AtomicUsize = AtomicUsize::new(0);
const MAX_PENDING_SPINNERS: usize = 256;

thread_local! {
    /// This thread runs a step, or spins for one.
    static IN_STEP: Cell<bool> = const { Cell::new(false) };
}

/// Sets [`IN_STEP`] for its lifetime.
struct InStepGuard;

impl InStepGuard {
    /// `None` if the thread is in a step already.
    fn enter() -> Option<Self> {
        (!IN_STEP.replace(true)).then_some(Self)
    }
}

impl Drop for InStepGuard {
    fn drop(&mut self) {
        IN_STEP.set(false);
    }
}

/// Runs `step` while up to `worker_count - 1` threads of the pool spin, ready for its parallel
/// stages. Does not wait for spinners that have not started or have not stopped yet.
pub(crate) fn with_spinning_workers(worker_count: usize, step: impl FnOnce()) {
    let spinners =
        if is_parallel(worker_count) { worker_count.min(parallel::thread_count()) - 1 } else { 0 };
    if spinners == 0 {
        return step();
    }
    let stop = StopOnDrop(Arc::default());
    for _ in 0..spinners {
        if PENDING_SPINNERS.load(Ordering::Relaxed) >= MAX_PENDING_SPINNERS {
            break;
        }
        PENDING_SPINNERS.fetch_add(1, Ordering::Relaxed);
        let stop = Arc::clone(&stop.0);
        parallel::spawn(move || {
            PENDING_SPINNERS.fetch_sub(1, Ordering::Relaxed);
            spin(&stop);
        });
    }
    let _in_step = InStepGuard::enter();
    step();
}

/// Executes tasks of the pool until `stop` is set.
fn spin(stop: &AtomicBool) {
    // A thread that waits for workers within a step may steal this very task, and would then wait
    // for itself.
    let Some(_in_step) = InStepGuard::enter() else { return };
    wait_until(|| {
        parallel::run_pending_tasks();
        // Polling uses execution units, and with simultaneous multithreading the leader may share
        // this core.
        (0..SPIN_PAUSES).for_each(|_| core::hint::spin_loop());
        stop.load(Ordering::Acquire)
    });
}

/// Stops the spinners, even if the step panics.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::with_spinning_workers;
    use crate::dynamics::parallel::worker_pool::parallel_for;
    use crate::dynamics::parallel::worker_pool::tests::add_one;
    use crate::parallel::{join, on_pool};

    #[test]
    fn concurrent_steps_on_one_pool_do_not_block_each_other() {
        for threads in [1, 2, 3] {
            on_pool(threads, || {
                let step = || {
                    let mut items = vec![1_u64; 1_000];
                    for _ in 0..50 {
                        with_spinning_workers(3, || {
                            for _ in 0..4 {
                                parallel_for(3, 16, &mut items, add_one);
                            }
                        });
                    }
                    items.iter().sum::<u64>()
                };
                let (first, second) = join(|| join(step, step), || join(step, step));
                assert_eq!((first, second), ((201_000, 201_000), (201_000, 201_000)));
            });
        }
    }
}
