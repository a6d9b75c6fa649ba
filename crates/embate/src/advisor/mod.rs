//! Which technique suits this?
//!
//! Features of the input → a choice, with the measured reason. The measurements are those of
//! `cargo xtask bench pairs` and `cargo xtask bench auto`; docs/decisions/0005-broad-phase.md and
//! docs/decisions/0011-which-structure-for-rays.md have the rules and the figures.

mod pairs;
mod rays;

pub use pairs::{BoxFeatures, PairAdvice, advise_pairs};
pub use rays::{MeshFeatures, RayAdvice, advise_rays};
