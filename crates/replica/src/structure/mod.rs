//! Structures by name: those of the engine and those of the replicas, in one list for every front
//! end.
//!
//! The names are a contract: they appear on the command line, in CSV and JSON files and in reports.

mod pair_structure;
mod ray_structure;

pub use pair_structure::PairStructure;
pub use ray_structure::{AnyRayStructure, RayStructure};
