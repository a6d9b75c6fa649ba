//! The published studies, run again.

mod figures;
mod outputs;
pub mod rays;
pub mod resumable;
