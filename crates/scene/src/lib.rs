//! Scenes: scene files, running and recording them, and generators of meshes and moving worlds.
//!
//! ```text
//! JSON ──scene_file──► Scene ──scene_world──► SceneWorld ──simulation──► states, hash per step
//!        validated             engine world             │
//!                              or Lasch replica         └──► Recording ──► Replay, checkpoint
//! seed ──generators──► meshes, rays, moving worlds
//! ```
//!
//! Guarantees: a [`Scene`](scene_file::Scene) that exists is valid; an error names file, line and
//! column; a recording that is killed at any byte continues from its last whole record
//! ([`journal`]); a seed gives the same scene on every platform ([`random`]).

pub mod atomic_file;
pub mod checksum;
pub mod generators;
mod io_error_message;
pub mod journal;
pub mod json_number;
pub mod random;
pub mod scene_file;
pub mod scene_world;
pub mod simulation;

pub use io_error_message::io_error_message;
