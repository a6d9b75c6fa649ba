//! Parallel execution: staged worker pool, parallel-for, and workers that spin for a whole step.

pub(crate) mod spin_wait;
pub(crate) mod worker_pool;
