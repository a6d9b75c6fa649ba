//! The published studies, run again.

pub mod broad;
mod figures;
mod outputs;
mod page;
pub mod rays;
pub mod resumable;
pub mod simulator;
mod spread;
