//! Golden hashes: all results have the expected bits.

use embate_contracts::golden::GOLDEN_HASHES;

/// The same at every optimization level; `cargo xtask test` also checks the engine as WebAssembly.
#[test]
fn golden_hashes_are_unchanged() {
    for golden in &GOLDEN_HASHES {
        let hash = (golden.compute)();
        assert_eq!(hash, golden.expected, "{}: {hash:#018X}", golden.name);
    }
}
