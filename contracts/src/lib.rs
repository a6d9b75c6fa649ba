//! Contracts: guarantees that span several crates, as tests.
//!
//! `cargo xtask test` runs them at 1/10 of the size or less, `cargo xtask soak` at full size.

pub mod aimed_rays;
pub mod box_scenes;
pub mod broad_phase_agreement;
pub mod contact_comparison;
pub use embate_reference as contact_reference;
pub use embate_scene::generators::closed_meshes;
pub mod contact_scenes;
pub mod golden;
pub mod golden_worlds;
pub mod hostile;
pub mod stability;
pub mod tunneling;
