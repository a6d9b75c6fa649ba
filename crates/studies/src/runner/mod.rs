//! Runner of studies: configuration, run folder, resume, and a study run case by case by a host.

pub mod config;
pub mod earlier_run;
pub mod incremental;
pub mod resume;
pub mod run_context;
pub mod run_folder;
pub mod write_outputs;
