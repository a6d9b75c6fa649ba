//! Parts shared by all benchmarks.

pub mod measure;
pub mod options;
pub mod table;
pub mod verdict;
