//! Five worlds go on with the same bits however they are run.
//!
//! What the bits are is held by `golden.rs`, natively, and by `cargo xtask test` as WebAssembly.

use embate_contracts::golden_motion::RUNS;

#[test]
fn a_world_goes_on_alike_with_any_number_of_threads() {
    for run in RUNS {
        let one = run.number(1);
        for threads in [2, 3, 8] {
            assert_eq!(run.number(threads), one, "{} with {threads} threads", run.name);
        }
    }
}

#[test]
fn a_world_goes_on_alike_from_a_snapshot_of_any_step() {
    // Any will do: other steps at every optimisation level would not make the same run again.
    let mut random = 0x9E37_79B9_u32;
    for run in RUNS {
        let whole = run.number(1);
        for _ in 0..3 {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let at = (random >> 8) % run.steps;
            assert_eq!(run.number_restored(at), Some(whole), "{} from step {at}", run.name);
        }
    }
}
