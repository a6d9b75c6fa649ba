//! The bits of all answers are those that are written down.

use embate_contracts::golden::LISTS;

/// The same at every optimisation level; `cargo xtask test` asks the engine as WebAssembly too.
#[test]
fn every_answer_has_the_bits_it_has_everywhere() {
    for list in &LISTS {
        let number = (list.ask)();
        assert_eq!(number, list.expected, "{}: {number:#018X}", list.name);
    }
}
