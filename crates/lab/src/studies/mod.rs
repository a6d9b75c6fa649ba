//! The published studies, run again.

pub mod broad;
mod figures;
mod outputs;
pub mod rays;
pub mod resumable;
mod spread;
