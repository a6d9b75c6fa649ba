//! Worlds that run for long stay sane: a fiftieth of what `cargo xtask soak motion` runs.

use embate_contracts::long_motion::{endure, hard_scenes};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

#[test]
fn five_hard_scenes_stay_finite_at_rest_and_in_their_memory() {
    for hard in hard_scenes() {
        let name = hard.name;
        let outcome = endure(hard, 2_000, &|| ALLOCATOR.current_usage(), &|| {});
        assert!(outcome.holds(), "{name}: {outcome:?}");
    }
}
