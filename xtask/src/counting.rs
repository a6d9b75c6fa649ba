//! How many tests passed and failed? Read from the runners' own closing lines.

/// Tests counted over all runners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Count {
    /// Adds what a line of output says, if it is a closing line of cargo test or of nextest:
    ///
    /// ```text
    /// test result: ok. 17 passed; 0 failed; 0 ignored; 0 measured; …
    ///      Summary [   1.234s] 40 tests run: 39 passed, 1 failed, 0 skipped
    /// ```
    pub(crate) fn read(&mut self, line: &str) {
        let line = line.trim();
        if line.starts_with("test result:") || line.starts_with("Summary [") {
            self.passed += number_before(line, " passed");
            self.failed += number_before(line, " failed");
        }
    }
}

fn number_before(line: &str, word: &str) -> u64 {
    let Some(end) = line.find(word) else { return 0 };
    let digits = line[..end].bytes().rev().take_while(u8::is_ascii_digit).count();
    line[end - digits..end].parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_of_both_runners_are_counted_and_nothing_else() {
        let mut count = Count::default();
        count.read("test result: FAILED. 15 passed; 2 failed; 0 ignored; 0 measured");
        count
            .read("     Summary [   1.234s] 40 tests run: 39 passed (2 slow), 1 failed, 0 skipped");
        count.read("     Summary [   0.034s] 3 tests run: 3 passed, 0 skipped");
        count.read("9 passed 9 failed");
        assert_eq!(count, Count { passed: 57, failed: 3 });
    }
}
