//! Narrow phase against parry: contact manifolds, closest points and time of impact of every shape
//! pair, touching, deeply penetrating and separated.
//!
//! | file | content |
//! |---|---|
//! | `scenes.rs` | pairs of bodies and their motion from frame to frame |
//! | `ours.rs`, `parry.rs` | passes over all pairs |
//! | `measure.rs` | interleaved passes, every result checked against the reference |
//! | `summary.rs` | means and worst ratios |
//! | `ground.rs` | bodies on a mesh |
//! | `casts.rs` | moving bodies, against each other and a mesh |
//!
//! Queries, in the column `query`:
//!
//! | query | definition |
//! |---|---|
//! | `cold` | contact points within a margin, without a cache |
//! | `moving` | the same with a cache; bodies have moved by 5 mm and 0.5° |
//! | `resting` | the same; bodies have moved by 0.01 mm |
//! | `closest` | signed distance, normal and closest points |
//! | `cast` | time of impact: `sliding` without rotation, `turning` with rotation |
//!
//! Resting bodies are a separate case: parry then transforms its cached contact points without a
//! new query, as long as they are within 1 mm and 1° of the cached pose.

mod casts;
mod ground;
mod measure;
mod options;
mod ours;
mod parry;
mod scenes;
mod summary;

use crate::harness::table::Table;

pub use options::{HELP, Options};

const COLUMNS: &str = "kinds,state,query,pairs,frames,ours_ns,parry_ns,parry_over_ours,ours_wrong,parry_wrong,\
                       ours_worst,parry_worst";

/// Measures the selected pairs; writes one row per query, and prints the means of the shape pairs.
pub fn run(table: &mut Table, options: &Options) {
    table.row(COLUMNS);
    let mut summary = summary::Summary::default();
    for (number, workload) in (0..).zip(scenes::all(options)) {
        for measurement in measure::measure(&workload, number, options.repeats) {
            table.row(&measurement.row(&workload));
            summary.add(&workload, &measurement);
        }
    }
    summary.print();
    ground::run(table, options);
    casts::run(table, options);
}
