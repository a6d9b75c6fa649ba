//! How is the work of a step shared out?
//!
//! Promise: nothing depends on the number of threads. Each part is worked on by itself, and writes to itself alone.
//!
//! A step has hundreds of short stages, and to wake a thread takes longer than most of them. So helpers are called
//! once for many stages, and wait for the next one with their eyes open. No stage waits for a helper that has not come:
//! whoever is there takes the next part, and waits for parts that others took. Helpers are those of the pool that the
//! step is called in, or of the common one; only at the end all must have come, if only to find that nothing is left.
//!
//! Everybody begins with the parts that were his in the stage before: they lie in the cache of his processor.

use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// `WebAssembly` has no threads: to say so here keeps all that would start them out of a page.
const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

/// Times that a thread looks again before it lets another have its processor: some microseconds.
const LOOKS: u32 = 1 << 8;

/// Parts a thread has of a list, so that one that is slow or late holds nobody up for long.
const PARTS_A_THREAD: usize = 32;

/// Are there threads to share work out to?
pub(super) fn several(threads: usize) -> bool {
    HAS_THREADS && threads > 1
}

/// A list in parts, each of which one thread at a time may change.
pub(super) type Parts<'l, T> = Vec<Mutex<&'l mut [T]>>;

/// Cuts a list into parts of at least so many items, for so many threads.
pub(super) fn cut<T>(items: &mut [T], least: usize, parts: usize) -> Parts<'_, T> {
    let size = items.len().div_ceil(parts).max(least);
    items.chunks_mut(size).map(Mutex::new).collect()
}

/// A part, for whoever has taken it.
pub(super) fn open<T>(part: &Mutex<T>) -> MutexGuard<'_, T> {
    part.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does `work` on all items, by so many threads; one does at least `least` at a time. It is told the number of the
/// first.
pub(super) fn share<T: Send>(
    threads: usize,
    least: usize,
    items: &mut [T],
    work: impl Fn(usize, &mut [T]) + Sync,
) {
    if !several(threads) || items.len() < 2 * least {
        return work(0, items);
    }
    let parts = cut(items, least, threads * PARTS_A_THREAD);
    let size = open(&parts[0]).len();
    together(
        threads,
        [parts.len()],
        &|_, part| work(part * size, &mut open(&parts[part])),
        |crew| {
            crew.reach(1);
        },
    );
}

/// Threads that go through stages together. In each, all parts are worked on at the same time.
pub(super) struct Crew<'w> {
    threads: usize,
    stages: Vec<Stage>,
    /// How many parts are taken of those with which each thread begins, stage by stage.
    taken: Vec<Taken>,
    /// How many stages have begun, or [`OVER`].
    begun: AtomicUsize,
    /// What is done, by the numbers of the stage and of the part.
    work: &'w (dyn Fn(usize, usize) + Sync),
}

const OVER: usize = usize::MAX;

/// On cache lines of its own: threads wait for one while they count in another.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Stage {
    parts: usize,
    done: AtomicUsize,
}

#[derive(Debug, Default)]
#[repr(align(64))]
struct Taken(AtomicUsize);

/// Calls helpers for stages of so many parts each. They begin when `lead` says so.
pub(super) fn together(
    threads: usize,
    parts: impl IntoIterator<Item = usize>,
    work: &(dyn Fn(usize, usize) + Sync),
    lead: impl FnOnce(&Crew<'_>),
) {
    // More would only take turns with each other.
    let threads = threads.min(rayon::current_num_threads());
    let stage = |parts| Stage { parts, ..Stage::default() };
    let stages: Vec<Stage> = parts.into_iter().map(stage).collect();
    let mut taken = Vec::new();
    taken.resize_with(threads * stages.len(), Taken::default);
    let crew = Crew { threads, stages, taken, begun: AtomicUsize::new(0), work };
    rayon::in_place_scope(|scope| {
        let crew = &crew;
        for who in 1..threads {
            scope.spawn(move |_| crew.help(who));
        }
        let _over = Over(crew);
        lead(crew);
    });
}

impl Crew<'_> {
    /// Goes on until so many stages are done.
    pub(super) fn reach(&self, stages: usize) {
        let before = self.begun.swap(stages, Ordering::AcqRel);
        for number in before..stages {
            self.take_part(number, 0);
        }
    }

    fn help(&self, who: usize) {
        for number in 0..self.stages.len() {
            let mut begun = 0;
            wait_until(|| {
                begun = self.begun.load(Ordering::Acquire);
                begun > number
            });
            if begun == OVER {
                return;
            }
            self.take_part(number, who);
        }
    }

    fn take_part(&self, number: usize, who: usize) {
        let Stage { parts, done } = &self.stages[number];
        let first_of = |whose: usize| whose * parts / self.threads;
        // First one's own, then what is left of the next one's.
        for whose in (who..self.threads).chain(0..who) {
            let Taken(taken) = &self.taken[number * self.threads + whose];
            loop {
                let part = first_of(whose) + taken.fetch_add(1, Ordering::Relaxed);
                if part >= first_of(whose + 1) {
                    break;
                }
                let _done = Done(done);
                (self.work)(number, part);
            }
        }
        // What the others wrote in this stage is seen from here on.
        wait_until(|| done.load(Ordering::Acquire) >= *parts);
    }
}

/// Lets the helpers go, even if a panic ends the work: nobody is to wait for what does not come.
struct Over<'c, 'w>(&'c Crew<'w>);

impl Drop for Over<'_, '_> {
    fn drop(&mut self) {
        self.0.begun.store(OVER, Ordering::Release);
    }
}

/// Counts a part as done, even if it ended in a panic.
struct Done<'s>(&'s AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::Release);
    }
}

pub(super) fn wait_until(mut ready: impl FnMut() -> bool) {
    let mut looks = 0;
    while !ready() {
        if looks < LOOKS {
            looks += 1;
            core::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    use super::{share, together};

    /// Runs on a pool of so many threads.
    pub(in crate::motion) fn on_pool(threads: usize, work: impl FnOnce() + Send) {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(work);
    }

    pub(in crate::motion) fn add_one(_: usize, part: &mut [u64]) {
        for item in part {
            *item += 1;
        }
    }

    #[test]
    fn every_item_is_worked_on_once_whatever_the_number_of_threads() {
        for threads in [1, 2, 3, 8] {
            for count in [0, 1, 7, 64, 1000] {
                let mut items = vec![0; count];
                share(threads, 4, &mut items, add_one);
                assert!(items.iter().all(|&item| item == 1), "{threads} threads, {count} items");
                share(threads, 4, &mut items, |first, part| {
                    for (number, item) in (first as u64..).zip(part) {
                        *item = number;
                    }
                });
                assert!(items.into_iter().eq(0..count as u64), "each is told its number");
            }
        }
    }

    #[test]
    fn no_part_begins_before_the_stage_before_it_is_done() {
        const PARTS: usize = 5;
        let done = AtomicUsize::new(0);
        let work = |stage: usize, _: usize| {
            let before = done.fetch_add(1, Relaxed);
            assert!((stage * PARTS..(stage + 1) * PARTS).contains(&before));
        };
        together(4, [PARTS; 100], &work, |crew| {
            crew.reach(30);
            assert_eq!(done.load(Relaxed), 30 * PARTS);
            crew.reach(100);
        });
        assert_eq!(done.load(Relaxed), 100 * PARTS);
    }

    #[test]
    fn no_stage_waits_for_a_helper_that_cannot_come() {
        on_pool(1, || {
            let done = AtomicUsize::new(0);
            let work = |_: usize, _: usize| {
                done.fetch_add(1, Relaxed);
            };
            together(8, [3, 0, 2], &work, |crew| crew.reach(3));
            assert_eq!(done.load(Relaxed), 5);
        });
    }

    #[test]
    fn crews_that_share_a_pool_do_not_wait_for_each_other() {
        on_pool(2, || {
            let sum = || {
                let mut items = vec![1_u64; 10_000];
                for _ in 0..50 {
                    share(2, 16, &mut items, add_one);
                }
                items.iter().sum::<u64>()
            };
            let (one, other) = rayon::join(sum, sum);
            assert_eq!((one, other), (510_000, 510_000));
        });
    }

    #[test]
    fn a_panic_in_a_part_reaches_the_caller_and_ends_the_work() {
        let outcome = std::panic::catch_unwind(|| {
            let mut items = [0; 100];
            share(3, 1, &mut items, |_, part| assert!(part.is_empty(), "a part is not empty"));
        });
        assert!(outcome.is_err());
    }
}
