//! Fork-join parallelism: tasks on the threads of the current rayon pool, or on the calling thread.
//!
//! The calling thread runs everything without the feature `parallel`, and in WebAssembly, which has
//! no threads. Guarantee: results do not depend on it, nor on the number of threads.
#![cfg_attr(
    not(all(feature = "raycast", feature = "dynamics")),
    allow(dead_code, unused_imports, reason = "each subsystem uses a part of this module")
)]

#[cfg(all(feature = "parallel", not(target_family = "wasm")))]
pub(crate) use on_rayon::*;
#[cfg(any(not(feature = "parallel"), target_family = "wasm"))]
pub(crate) use serial::*;

/// Whether there can be more than one thread. A constant, so that code for several threads is
/// removed where there are none.
pub(crate) const HAS_THREADS: bool = cfg!(all(feature = "parallel", not(target_family = "wasm")));

#[cfg(all(feature = "parallel", not(target_family = "wasm")))]
mod on_rayon {
    use rayon::prelude::*;

    pub(crate) use rayon::{current_num_threads as thread_count, join, spawn};

    /// `work` of each index below `count`, in order; at least `min_len` of them per task.
    pub(crate) fn map<R: Send>(
        count: usize,
        min_len: usize,
        work: impl Fn(usize) -> R + Send + Sync,
    ) -> Vec<R> {
        (0..count).into_par_iter().with_min_len(min_len).map(work).collect()
    }

    /// The results of `work` that are not `None`, in order.
    pub(crate) fn filter_map<T: Sync, R: Send>(
        items: &[T],
        work: impl Fn(&T) -> Option<R> + Send + Sync,
    ) -> Vec<R> {
        items.par_iter().filter_map(work).collect()
    }

    /// Calls `work(index, item)` for each item.
    pub(crate) fn for_each<T: Send>(items: &mut [T], work: impl Fn(usize, &mut T) + Send + Sync) {
        items.par_iter_mut().enumerate().for_each(|(index, item)| work(index, item));
    }

    /// Calls `work(first_index, chunk)` for chunks of `size` items.
    pub(crate) fn for_each_chunk<T: Send>(
        items: &mut [T],
        size: usize,
        work: impl Fn(usize, &mut [T]) + Send + Sync,
    ) {
        let chunks = items.par_chunks_mut(size).enumerate();
        chunks.for_each(|(index, chunk)| work(index * size, chunk));
    }

    /// Runs `lead` on the calling thread while the pool runs `work` of each worker from 1 to below
    /// `worker_count`; returns when all have returned.
    pub(crate) fn with_workers(
        worker_count: usize,
        work: impl Fn(usize) + Send + Sync,
        lead: impl FnOnce(),
    ) {
        rayon::in_place_scope(|scope| {
            let work = &work;
            for worker in 1..worker_count {
                scope.spawn(move |_| work(worker));
            }
            lead();
        });
    }

    /// Runs tasks that wait in the pool, until there are none.
    pub(crate) fn run_pending_tasks() {
        while rayon::yield_now() == Some(rayon::Yield::Executed) {}
    }

    /// Runs `work` on a pool of its own.
    #[cfg(test)]
    pub(crate) fn on_pool<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
    }
}

/// The same functions on the calling thread.
#[cfg(any(not(feature = "parallel"), target_family = "wasm"))]
mod serial {
    pub(crate) fn thread_count() -> usize {
        1
    }

    pub(crate) fn join<A, B>(a: impl FnOnce() -> A, b: impl FnOnce() -> B) -> (A, B) {
        (a(), b())
    }

    pub(crate) fn map<R>(count: usize, _: usize, work: impl Fn(usize) -> R) -> Vec<R> {
        (0..count).map(work).collect()
    }

    pub(crate) fn filter_map<T, R>(items: &[T], work: impl Fn(&T) -> Option<R>) -> Vec<R> {
        items.iter().filter_map(work).collect()
    }

    pub(crate) fn for_each<T>(items: &mut [T], work: impl Fn(usize, &mut T)) {
        items.iter_mut().enumerate().for_each(|(index, item)| work(index, item));
    }

    pub(crate) fn for_each_chunk<T>(items: &mut [T], size: usize, work: impl Fn(usize, &mut [T])) {
        let chunks = items.chunks_mut(size).enumerate();
        chunks.for_each(|(index, chunk)| work(index * size, chunk));
    }

    /// There are no workers beside the calling thread: `worker_count` is at most [`thread_count`].
    pub(crate) fn with_workers(_: usize, _: impl Fn(usize), lead: impl FnOnce()) {
        lead();
    }

    pub(crate) fn spawn(task: impl FnOnce()) {
        task();
    }

    pub(crate) fn run_pending_tasks() {}

    #[cfg(test)]
    pub(crate) fn on_pool<R>(_: usize, work: impl FnOnce() -> R) -> R {
        work()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_on_any_number_of_threads() {
        for threads in [1, 3] {
            on_pool(threads, || {
                assert_eq!(join(|| 1, || 2), (1, 2));
                assert_eq!(map(1_000, 1, |index| index), (0..1_000).collect::<Vec<_>>());
                let even = |&item: &usize| (item % 2 == 0).then_some(item);
                assert_eq!(filter_map(&[0, 1, 2, 3, 4], even), [0, 2, 4]);
                let mut items = [0; 100];
                for_each(&mut items, |index, item| *item = index);
                for_each_chunk(&mut items, 7, |first, chunk| {
                    assert_eq!(chunk[0], first);
                    chunk.fill(first);
                });
                assert_eq!((items[6], items[7], items[99]), (0, 7, 98));
            });
        }
    }
}
