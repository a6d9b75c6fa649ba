//! Study B's broad phases (Lasch): when does an octree of the static beat a sweep over all?

mod answers;
mod charts;
pub mod plan;
mod report;
mod table;
