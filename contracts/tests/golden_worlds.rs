//! Golden worlds: the same bits for any worker count and from a snapshot of any step.
//!
//! `golden.rs` checks the hashes natively, `cargo xtask test` as WebAssembly.

use embate_contracts::golden_worlds::RUNS;
use embate_test_util::Rng;

#[test]
fn state_does_not_depend_on_the_worker_count() {
    for run in RUNS {
        let expected = run.hash(1);
        for threads in [2, 3, 8] {
            assert_eq!(run.hash(threads), expected, "{} with {threads} workers", run.name);
        }
    }
}

#[test]
fn state_is_the_same_from_a_snapshot_of_any_step() {
    let mut rng = Rng::new(1);
    for run in RUNS {
        let expected = run.hash(1);
        for _ in 0..3 {
            let step = rng.below(run.steps as usize) as u32;
            assert_eq!(run.hash_restored(step), Some(expected), "{} from step {step}", run.name);
        }
    }
}
