//! Which technique suits this?
//!
//! Features of the input → a choice, with the measured reason. The measurements are those of
//! `cargo xtask bench pairs`; docs/decisions/0005-broad-phase.md has the rules and the figures.

mod pairs;

pub use pairs::{BoxFeatures, PairAdvice, advise_pairs};
