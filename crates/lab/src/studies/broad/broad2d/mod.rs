//! Study C: does a grid hold the frame rate where many objects move? (Gonçales et al. 2016)

mod charts;
mod findings;
pub mod plan;
pub(crate) mod published;
mod report;
#[cfg(test)]
mod sample_rows;
mod table;
