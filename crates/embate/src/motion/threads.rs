//! How is the work of a step shared out?
//!
//! Promise: nothing depends on the number of threads. Each item is worked on by itself, and writes to itself alone.

use rayon::prelude::*;

/// `WebAssembly` has no threads: to say so here keeps all that would start them out of a page.
const HAS_THREADS: bool = cfg!(not(target_family = "wasm"));

/// Does `work` on all items, in at most `threads` parts of at least `least` items at a time.
pub(super) fn share<T: Send>(
    threads: usize,
    least: usize,
    items: &mut [T],
    work: impl Fn(&mut [T]) + Send + Sync,
) {
    let parts = threads.min(items.len() / least);
    if !HAS_THREADS || parts < 2 {
        work(items);
    } else {
        let size = items.len().div_ceil(parts);
        items.par_chunks_mut(size).for_each(work);
    }
}
