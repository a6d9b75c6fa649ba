//! Rigid-body dynamics against rapier and Box3D: piles, stacks and a pyramid.
//!
//! | file | content |
//! |---|---|
//! | `scenes.rs` | the bodies |
//! | `ours.rs`, `rapier.rs`, `box3d.rs` | a world of each engine, default settings, sleeping disabled |
//! | `measure.rs` | interleaved steps; penetration and drift of the final poses |
//!
//! Columns: milliseconds per step, mean over all steps and minimum of the repeats; penetration at
//! the end in mm, mean and maximum over all contact points that Embate finds in the poses of each
//! engine; and, for stacks and the pyramid, the maximum drift of a body in m.

mod box3d;
mod measure;
mod options;
mod ours;
mod rapier;
mod scenes;

use crate::harness::table::Table;
use crate::harness::verdict::{NOTHING_SELECTED, geometric_mean};

pub use options::{HELP, Options};

const COLUMNS: &str = "scene,bodies,threads,steps,ours_ms,rapier_ms,box3d_ms,rapier_over_ours,box3d_over_ours,\
                       ours_mean_mm,rapier_mean_mm,box3d_mean_mm,ours_max_mm,rapier_max_mm,box3d_max_mm,\
                       ours_drift_m,rapier_drift_m,box3d_drift_m";

/// Measures the selected scenes; writes one row per scene and prints the means at the end.
pub fn run(table: &mut Table, options: &Options) {
    table.row(COLUMNS);
    let mut ratios = Vec::new();
    for (number, scene) in scenes::all(options).into_iter().enumerate() {
        let measurement = measure::measure(&scene, number, options);
        table.row(&measurement.row(&scene, options.threads));
        ratios.push(measurement.ratios());
    }
    if ratios.is_empty() {
        println!("{NOTHING_SELECTED}");
        return;
    }
    for (peer, name) in ["rapier", "Box3D"].into_iter().enumerate() {
        let of_peer = || ratios.iter().map(|ratios| ratios[peer]);
        let mean = geometric_mean(of_peer()).unwrap_or(f64::NAN);
        let worst = of_peer().fold(f64::INFINITY, f64::min);
        println!("{name}'s time over ours: geometric mean {mean:.2}, worst {worst:.2}");
    }
}
