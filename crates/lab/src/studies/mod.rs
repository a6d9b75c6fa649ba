//! The published studies, run again.

pub mod asked;
pub mod broad;
mod figures;
pub mod host;
pub mod hosted;
mod outputs;
mod page;
pub mod rays;
pub mod resumable;
pub mod simulator;
mod spread;
