//! As many threads as were asked for.

use crate::failure::Failure;

/// Threads for the work to come; one a core unless told otherwise.
pub(crate) fn pool(threads: Option<u16>) -> Result<rayon::ThreadPool, Failure> {
    let threads = threads.map_or(0, usize::from);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().map_err(Failure::problem)
}
