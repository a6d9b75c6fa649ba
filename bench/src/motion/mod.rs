//! What moves next: piles, stacks and a pyramid, beside rapier and Box3D.
//!
//! | file | what |
//! |---|---|
//! | `scenes.rs` | the bodies, the same for all |
//! | `ours.rs`, `rapier.rs`, `box3d.rs` | a world of them by each, sleeping off, settings as they come |
//! | `measure.rs` | steps by turns, and how deep and how far from home the bodies end, by one judge |
//!
//! Columns: milliseconds of a step, mean over all steps and best of the repeats; how deep bodies reach into
//! each other at the end, in millimetres, mean and largest over all contact points that our contact test
//! finds in the poses of either; and, of what should stand, how far the body that moved most has come, in
//! metres.

mod box3d;
mod measure;
mod options;
mod ours;
mod rapier;
mod scenes;

use crate::table::Table;

pub use options::{HELP, Options};

const COLUMNS: &str = "scene,bodies,threads,steps,ours_ms,rapier_ms,box3d_ms,rapier_over_ours,box3d_over_ours,\
                       ours_mean_mm,rapier_mean_mm,box3d_mean_mm,ours_max_mm,rapier_max_mm,box3d_max_mm,\
                       ours_drift_m,rapier_drift_m,box3d_drift_m";

/// Measures what is wanted, tells each figure as it comes and the mean at the end.
pub fn run(table: &mut Table, options: &Options) {
    table.line(COLUMNS);
    let mut ratios = Vec::new();
    for (number, scene) in scenes::all(options).into_iter().enumerate() {
        let figures = measure::measure(&scene, number, options);
        table.line(&figures.line(&scene, options.threads));
        ratios.push(figures.ratios());
    }
    if ratios.is_empty() {
        println!("\nnothing is left by these filters");
        return;
    }
    for (peer, name) in ["rapier", "Box3D"].into_iter().enumerate() {
        let of_peer = || ratios.iter().map(|ratios| ratios[peer]);
        let mean = f64::exp(of_peer().map(f64::ln).sum::<f64>() / ratios.len() as f64);
        let worst = of_peer().fold(f64::INFINITY, f64::min);
        println!("{name}'s time over ours: geometric mean {mean:.2}, worst {worst:.2}");
    }
}
