//! Promises that cross crates. `cargo xtask test` keeps them at a tenth of the size or less,
//! `cargo xtask soak` whole.

pub mod agreeing_pairs;
pub mod aimed_rays;
pub mod box_scenes;
pub mod closed_meshes;
pub use embate_lab::contact_reference;
pub mod contact_scenes;
pub mod contact_trial;
pub mod fast_bodies;
pub mod golden;
pub mod golden_motion;
pub mod hostile;
pub mod long_motion;
