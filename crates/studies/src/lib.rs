//! Replicas of three published studies of collision detection, and the structures they compare.
//!
//! - [`replica`]: the published algorithms, as published.
//! - [`structure`]: every structure that can be chosen by name, of the engine and of the replicas.
//!
//! The engine, `embate`, does not depend on this crate.

pub mod replica;
pub mod structure;
