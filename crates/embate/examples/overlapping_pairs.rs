//! Broad phase of one frame: all overlapping pairs, the recommended structure, and statistics of
//! each.
//!
//! `cargo run -p embate --example overlapping_pairs`

use embate::Aabb;
use embate::advisor::recommend_broad_phase;
use embate::broad_phase::{
    AabbError, AabbSlice, BroadPhase, BroadPhaseKind, BroadPhaseStats, overlapping_pairs,
};

fn main() -> Result<(), AabbError> {
    // A wall of 1,000 bricks, each 10 % wider than its spacing.
    let brick = |number: u16| {
        let min = [f32::from(number % 40), f32::from(number / 40), 0.0];
        Aabb { min, max: [min[0] + 1.1, min[1] + 0.9, 1.0] }
    };
    let bricks: Vec<Aabb<3>> = (0..1_000).map(brick).collect();
    let pairs = overlapping_pairs(&bricks)?;
    println!("{} pairs, the first {:?}", pairs.len(), pairs.first());

    let boxes = AabbSlice::new(&bricks)?;
    println!("recommended: {}", recommend_broad_phase(boxes, 1.0));
    for kind in BroadPhaseKind::ALL {
        let (mut pairs, mut stats) = (Vec::new(), BroadPhaseStats::default());
        kind.create(boxes.len()).find_pairs_observed(boxes, &mut pairs, &mut stats);
        println!("{}: {} pairs, {} overlap tests", kind.name(), pairs.len(), stats.overlap_tests);
    }
    Ok(())
}
