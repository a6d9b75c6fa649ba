//! Where and how do two bodies touch: every pair of kinds, touching, deep and apart, beside parry.
//!
//! | file | what |
//! |---|---|
//! | `scenes.rs` | the pairs, the same for both, and how they move from frame to frame |
//! | `ours.rs`, `parry.rs` | a pass over all pairs by each |
//! | `measure.rs` | passes in turn, every answer checked by the judge of `contracts` |
//! | `summary.rs` | means, and the worst |
//! | `ground.rs` | bodies on a mesh |
//! | `casts.rs` | bodies that fly at each other, and at a mesh |
//!
//! Queries, in the column `query`:
//!
//! | query | definition |
//! |---|---|
//! | `cold` | contact points within a margin, without a cache |
//! | `moving` | the same with a cache; bodies have moved by 5 mm and half a degree |
//! | `resting` | the same; bodies have moved by a hundredth of a millimetre |
//! | `closest` | distance or depth, normal and the nearest points |
//! | `cast` | when two moving bodies first touch: `sliding` without a turn, `turning` with one |
//!
//! Resting bodies are a separate case: parry then transforms its cached contact points without a
//! new query, as long as they are within a millimetre and a degree of the cached pose.

mod casts;
mod ground;
mod measure;
mod options;
mod ours;
mod parry;
mod scenes;
mod summary;

use crate::table::Table;

pub use options::{HELP, Options};

const COLUMNS: &str = "kinds,state,query,pairs,frames,ours_ns,parry_ns,parry_over_ours,ours_wrong,parry_wrong,\
                       ours_worst,parry_worst";

/// Measures what is wanted, tells each figure as it comes and the means at the end.
pub fn run(table: &mut Table, options: &Options) {
    table.line(COLUMNS);
    let mut summary = summary::Summary::default();
    for (number, work) in (0..).zip(scenes::all(options)) {
        for figures in measure::measure(&work, number, options.repeats) {
            table.line(&figures.line(&work));
            summary.add(&work, &figures);
        }
    }
    summary.print();
    ground::run(table, options);
    casts::run(table, options);
}
