//! `golden`: computes and prints the golden hashes.
//!
//! The exit code is 0, or the position (from 1) of the first
//! hash that differs.
//!
//! As WebAssembly, without standard output, the exit code is the only result.

use std::process::ExitCode;

use embate_contracts::golden::GOLDEN_HASHES;

fn main() -> ExitCode {
    let mut first_difference = 0;
    for (position, golden) in (1..).zip(&GOLDEN_HASHES) {
        let hash = (golden.compute)();
        let is_equal = hash == golden.expected;
        println!("{} {hash:#018X}{}", golden.name, if is_equal { "" } else { " (differs)" });
        if !is_equal && first_difference == 0 {
            first_difference = position;
        }
    }
    ExitCode::from(first_difference)
}
