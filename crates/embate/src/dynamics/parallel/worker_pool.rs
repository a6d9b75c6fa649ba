//! Worker pool: staged workers, parallel-for and work stealing on rayon's threads.
//!
//! Guarantee: results do not depend on the number of workers. Each task works on its own chunk and
//! writes to that chunk alone.
//!
//! A step has hundreds of short stages, and waking a thread takes longer than most of them. Workers
//! are therefore woken once for many stages and spin between them. Stages use work stealing and
//! never wait for a worker that has not started; they only wait for tasks that were claimed.
//! Workers are threads of the rayon pool in which the step is called, or of the global one. Only at
//! the end must all of them have started, if only to find that nothing is left.
//!
//! Each worker first claims the tasks it had in the previous stage: their data is in its cache.

use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::parallel::{self, HAS_THREADS};

/// Polls before a waiting thread yields its processor: some microseconds.
const SPIN_LIMIT: u32 = 1 << 8;

/// Tasks per worker of a parallel-for: a slow or late worker delays the others only briefly.
const TASKS_PER_WORKER: usize = 32;

/// Value of `WorkerGroup::started_stages` that ends the worker loops.
const SHUTDOWN: usize = usize::MAX;

/// Whether work is distributed to several threads.
pub(crate) fn is_parallel(worker_count: usize) -> bool {
    HAS_THREADS && worker_count > 1
}

/// Disjoint chunks of a slice. Each is locked by the task that processes it; the lock is never
/// contended.
pub(crate) type LockedChunks<'l, T> = Vec<Mutex<&'l mut [T]>>;

/// Splits a slice into at most `task_count` chunks of at least `min_items` each.
pub(crate) fn split<T>(
    items: &mut [T],
    min_items: usize,
    task_count: usize,
) -> LockedChunks<'_, T> {
    let size = items.len().div_ceil(task_count).max(min_items);
    items.chunks_mut(size).map(Mutex::new).collect()
}

/// Locks a mutex and ignores poisoning: a panic in a task ends the step anyway.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Parallel for: calls `work(first_index, chunk)` for disjoint chunks of at least `min_items` that
/// cover `items`.
pub(crate) fn parallel_for<T: Send>(
    worker_count: usize,
    min_items: usize,
    items: &mut [T],
    work: impl Fn(usize, &mut [T]) + Sync,
) {
    if !is_parallel(worker_count) || items.len() < 2 * min_items {
        return work(0, items);
    }
    let chunks = split(items, min_items, worker_count * TASKS_PER_WORKER);
    let size = lock(&chunks[0]).len();
    run_staged(
        worker_count,
        [chunks.len()],
        &|_, task| work(task * size, &mut lock(&chunks[task])),
        |workers| workers.advance_to_stage(1),
    );
}

/// Workers that run stages one after another. The tasks of a stage run concurrently.
pub(crate) struct WorkerGroup<'w> {
    worker_count: usize,
    stages: Vec<StageProgress>,
    /// By stage and worker: number of claimed tasks of the range with which the worker begins.
    claims: Vec<ClaimCounter>,
    /// Number of stages that may run, or [`SHUTDOWN`].
    started_stages: AtomicUsize,
    /// Runs one task, given the indices of its stage and of the task.
    run_task: &'w (dyn Fn(usize, usize) + Sync),
}

/// On cache lines of its own: threads poll one stage while they count in another.
#[derive(Debug, Default)]
#[repr(align(128))]
struct StageProgress {
    task_count: usize,
    finished: AtomicUsize,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct ClaimCounter(AtomicUsize);

/// Spawns workers for stages of `task_counts` tasks each. A stage starts when `lead`, which runs on
/// the calling thread, [advances](WorkerGroup::advance_to_stage) beyond it.
pub(crate) fn run_staged(
    worker_count: usize,
    task_counts: impl IntoIterator<Item = usize>,
    run_task: &(dyn Fn(usize, usize) + Sync),
    lead: impl FnOnce(&WorkerGroup<'_>),
) {
    // More workers than threads would only take turns.
    let worker_count = worker_count.min(parallel::thread_count());
    let stage = |task_count| StageProgress { task_count, ..StageProgress::default() };
    let stages: Vec<StageProgress> = task_counts.into_iter().map(stage).collect();
    let mut claims = Vec::new();
    claims.resize_with(worker_count * stages.len(), ClaimCounter::default);
    let started_stages = AtomicUsize::new(0);
    let workers = WorkerGroup { worker_count, stages, claims, started_stages, run_task };
    let lead = || {
        let _shutdown = ShutdownOnDrop(&workers);
        lead(&workers);
    };
    parallel::with_workers(worker_count, |worker| workers.worker_loop(worker), lead);
}

impl WorkerGroup<'_> {
    /// Runs all stages before `stage`; returns when they are finished.
    pub(crate) fn advance_to_stage(&self, stage: usize) {
        let before = self.started_stages.swap(stage, Ordering::AcqRel);
        for index in before..stage {
            self.run_stage(index, 0);
        }
    }

    fn worker_loop(&self, worker: usize) {
        for stage in 0..self.stages.len() {
            let mut started = 0;
            wait_until(|| {
                started = self.started_stages.load(Ordering::Acquire);
                started > stage
            });
            if started == SHUTDOWN {
                return;
            }
            self.run_stage(stage, worker);
        }
    }

    fn run_stage(&self, stage: usize, worker: usize) {
        let StageProgress { task_count, finished } = &self.stages[stage];
        let first_task_of = |owner: usize| owner * task_count / self.worker_count;
        // Own tasks first, then those the next workers have left.
        for owner in (worker..self.worker_count).chain(0..worker) {
            let ClaimCounter(claimed) = &self.claims[stage * self.worker_count + owner];
            loop {
                let task = first_task_of(owner) + claimed.fetch_add(1, Ordering::Relaxed);
                if task >= first_task_of(owner + 1) {
                    break;
                }
                let _finished = CountOnDrop(finished);
                (self.run_task)(stage, task);
            }
        }
        // Acquire: writes of the other workers in this stage are visible from here on.
        wait_until(|| finished.load(Ordering::Acquire) >= *task_count);
    }
}

/// Ends the worker loops, even if the leader panics: otherwise the scope would wait forever.
struct ShutdownOnDrop<'c, 'w>(&'c WorkerGroup<'w>);

impl Drop for ShutdownOnDrop<'_, '_> {
    fn drop(&mut self) {
        self.0.started_stages.store(SHUTDOWN, Ordering::Release);
    }
}

/// Counts a task as finished, even if it panics.
struct CountOnDrop<'s>(&'s AtomicUsize);

impl Drop for CountOnDrop<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

/// Spins until `ready` returns true; yields the processor after [`SPIN_LIMIT`] polls.
pub(crate) fn wait_until(mut ready: impl FnMut() -> bool) {
    let mut polls = 0;
    while !ready() {
        if polls < SPIN_LIMIT {
            polls += 1;
            core::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::{parallel_for, run_staged};
    use crate::parallel::{join, on_pool};

    pub(crate) fn add_one(_: usize, chunk: &mut [u64]) {
        for item in chunk {
            *item += 1;
        }
    }

    #[test]
    fn parallel_for_processes_every_item_once_for_any_worker_count() {
        for workers in [1, 2, 3, 8] {
            for count in [0, 1, 7, 64, 1000] {
                let mut items = vec![0; count];
                parallel_for(workers, 4, &mut items, add_one);
                assert!(items.iter().all(|&item| item == 1), "{workers} workers, {count} items");
                parallel_for(workers, 4, &mut items, |first, chunk| {
                    for (index, item) in (first as u64..).zip(chunk) {
                        *item = index;
                    }
                });
                assert!(items.into_iter().eq(0..count as u64), "wrong first index of a chunk");
            }
        }
    }

    #[test]
    fn no_task_starts_before_the_previous_stage_is_finished() {
        const TASKS: usize = 5;
        let finished = AtomicUsize::new(0);
        let run_task = |stage: usize, _: usize| {
            let before = finished.fetch_add(1, Relaxed);
            assert!((stage * TASKS..(stage + 1) * TASKS).contains(&before));
        };
        run_staged(4, [TASKS; 100], &run_task, |workers| {
            workers.advance_to_stage(30);
            assert_eq!(finished.load(Relaxed), 30 * TASKS);
            workers.advance_to_stage(100);
        });
        assert_eq!(finished.load(Relaxed), 100 * TASKS);
    }

    #[test]
    fn stages_do_not_wait_for_workers_that_cannot_start() {
        on_pool(1, || {
            let finished = AtomicUsize::new(0);
            let run_task = |_: usize, _: usize| {
                finished.fetch_add(1, Relaxed);
            };
            run_staged(8, [3, 0, 2], &run_task, |workers| workers.advance_to_stage(3));
            assert_eq!(finished.load(Relaxed), 5);
        });
    }

    #[test]
    fn worker_groups_on_one_pool_do_not_block_each_other() {
        on_pool(2, || {
            let sum = || {
                let mut items = vec![1_u64; 10_000];
                for _ in 0..50 {
                    parallel_for(2, 16, &mut items, add_one);
                }
                items.iter().sum::<u64>()
            };
            let (first, second) = join(sum, sum);
            assert_eq!((first, second), (510_000, 510_000));
        });
    }

    #[test]
    fn panic_in_a_task_propagates_to_the_caller() {
        let outcome = std::panic::catch_unwind(|| {
            let mut items = [0; 100];
            parallel_for(3, 1, &mut items, |_, chunk| {
                assert!(chunk.is_empty(), "the chunk is not empty");
            });
        });
        assert!(outcome.is_err());
    }
}
