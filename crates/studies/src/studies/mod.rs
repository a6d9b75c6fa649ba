//! Studies: rays (Lorenzi 2014), 2D broad phase (Gonçales et al. 2016), 3D broad phase and
//! simulator (Lasch), ray–triangle tests.
//!
//! Each has a plan of its cases, measures them into rows, and turns rows into tables, charts,
//! findings and a report.

pub mod broad2d;
pub mod broad3d;
pub(crate) mod citation;
pub(crate) mod labels;
pub mod moving_worlds;
pub(crate) mod number_format;
pub mod rays;
pub(crate) mod report_page;
pub mod simulator;
pub(crate) mod timing_spread;
pub mod triangle_tests;
