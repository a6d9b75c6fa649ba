//! 3D broad phases of Lasch: an octree of static objects against a sweep over all.

mod charts;
mod findings;
pub mod plan;
mod report;
mod table;
