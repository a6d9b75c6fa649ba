//! Interleaved timing: peers take turns, so that other load on the machine affects all of them
//! alike.

use std::time::Instant;

/// Order in which `count` peers take their turns in a round. Every round starts with the next peer,
/// since running after a certain other one may be an advantage.
pub fn turn_order(count: usize, round: usize) -> impl Iterator<Item = usize> {
    (0..count).map(move |turn| (turn + round) % count)
}

/// Result and duration of a call, in seconds.
pub fn timed<T>(run: impl FnOnce() -> T) -> (T, f64) {
    let clock = Instant::now();
    let result = run();
    (result, clock.elapsed().as_secs_f64())
}

/// Minimum time of each of `N` peers over the repeats, in seconds. `run` receives the index of the
/// peer; `offset` shifts the order of turns.
pub fn best_of<const N: usize>(
    repeats: u32,
    offset: usize,
    mut run: impl FnMut(usize),
) -> [f64; N] {
    let mut best = [f64::INFINITY; N];
    for repeat in 0..repeats as usize {
        for peer in turn_order(N, repeat + offset) {
            let ((), seconds) = timed(|| run(peer));
            best[peer] = best[peer].min(seconds);
        }
    }
    best
}

/// A rayon pool of `threads` threads.
///
/// # Panics
/// If the threads cannot be started.
pub fn thread_pool(threads: usize) -> rayon::ThreadPool {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads can be started")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_peer_starts_once_in_as_many_rounds_as_peers() {
        let orders: Vec<Vec<usize>> = (0..3).map(|round| turn_order(3, round).collect()).collect();
        assert_eq!(orders, [[0, 1, 2], [1, 2, 0], [2, 0, 1]]);
    }
}
