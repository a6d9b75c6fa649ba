//! The laboratory behind the page and the command line: scenes and studies as data.
//!
//! ```text
//! scenes ──► studies ──► journal ──► results.csv, charts/*.svg, report.html
//!            (runs)      (resumable)
//! ```

pub mod chart;
mod checksum;
pub mod contact_reference;
pub mod heat_map;
pub mod journal;
mod json_number;
pub mod language;
pub mod last_words;
pub mod live;
pub mod random;
pub mod ray_bench;
pub mod ray_trial;
pub mod reason;
pub mod report;
pub mod run_folder;
pub mod scene_file;
pub mod scene_world;
pub mod scenes;
pub mod simulation;
pub mod statistics;
pub mod studies;
pub mod workshop;
