//! Long-term stability, at 1/50 of the steps of `cargo xtask soak motion`.

use embate_contracts::stability::{run_scene, stability_scenes};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

#[test]
fn difficult_scenes_stay_finite_at_rest_and_within_their_memory() {
    for scene in stability_scenes() {
        let name = scene.name;
        let outcome = run_scene(scene, 2_000, &|| ALLOCATOR.current_usage(), &|| {});
        assert!(outcome.is_stable(), "{name}: {outcome:?}");
    }
}
