//! Viewers: back ends of the interactive views, without a browser.
//!
//! ```text
//! page ──JSON, numbers──► sandbox              edit, run, record and replay a 3D scene
//!                     ──► broad_phase_viewer   moving 2D world, one technique searching it
//!                     ──► raycast_inspector    a mesh, its structures, single rays and heat maps
//!      ◄─rows of numbers, JSON, error codes──
//! ```
//!
//! Guarantees: the views show the numbers that the command line prints; every input that a user can
//! type is accepted or answered by an error with a stable code or field name; nothing here opens
//! files or reads a clock: the host passes them in.

pub mod broad_phase_viewer;
pub mod heat_map;
pub mod localized_text;
pub mod panic_message;
pub mod raycast_inspector;
pub mod sandbox;
