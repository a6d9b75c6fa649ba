//! Advisor: recommends a structure for the given input, with the measured reason.
//!
//! Features of the input determine the choice. The measurements are those of `cargo xtask bench
//! pairs` and `cargo xtask bench auto`; `docs/decisions/0005-broad-phase.md` and
//! `docs/decisions/0011-which-structure-for-rays.md` contain the rules and the figures.

#[cfg(feature = "broad-phase")]
mod broad_phase;
#[cfg(feature = "raycast")]
mod raycast;

#[cfg(feature = "broad-phase")]
pub use broad_phase::{BoxFeatures, BroadPhaseAdvice, recommend_broad_phase};
#[cfg(feature = "raycast")]
pub use raycast::{MeshFeatures, RayIndexAdvice, recommend_ray_index};
