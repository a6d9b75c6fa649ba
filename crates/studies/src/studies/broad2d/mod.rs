//! 2D broad phase of Gonçales et al. 2016: grid against brute force with many moving objects.

mod charts;
mod findings;
pub mod plan;
pub mod published;
mod report;
#[cfg(test)]
mod sample_rows;
mod table;
