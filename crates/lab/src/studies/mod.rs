//! The published studies, run again.

pub mod rays;
