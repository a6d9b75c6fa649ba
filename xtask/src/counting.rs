//! Numbers of passed and failed tests, parsed from the summary lines of the test runners.

/// Test counts over all runners.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Count {
    pub(crate) passed: u64,
    pub(crate) failed: u64,
}

impl Count {
    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }

    /// Adds the counts of an output line, if it is a summary line of cargo test, nextest or Node
    /// (which prefixes three lines with one of two characters):
    ///
    /// ```text
    /// test result: ok. 17 passed; 0 failed; 0 ignored; 0 measured; …
    ///      Summary [   1.234s] 40 tests run: 39 passed, 1 failed, 0 skipped
    /// ℹ pass 12
    /// # fail 1
    /// ℹ cancelled 0
    /// ```
    pub(crate) fn read(&mut self, line: &str) {
        let line = line.trim();
        if line.starts_with("test result:") || line.starts_with("Summary [") {
            self.passed += number_before(line, " passed");
            self.failed += number_before(line, " failed");
        }
        let node_line = line.strip_prefix("ℹ ").or_else(|| line.strip_prefix("# "));
        if let Some((word, number)) = node_line.and_then(|rest| rest.split_once(' ')) {
            let number = number.parse().unwrap_or(0);
            match word {
                "pass" => self.passed += number,
                // A cancelled test did not pass.
                "fail" | "cancelled" => self.failed += number,
                _ => {}
            }
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
    fn only_summary_lines_of_cargo_test_and_nextest_are_counted() {
        let mut count = Count::default();
        count.read("test result: FAILED. 15 passed; 2 failed; 0 ignored; 0 measured");
        count
            .read("     Summary [   1.234s] 40 tests run: 39 passed (2 slow), 1 failed, 0 skipped");
        count.read("     Summary [   0.034s] 3 tests run: 3 passed, 0 skipped");
        count.read("9 passed 9 failed");
        assert_eq!(count, Count { passed: 57, failed: 3 });
    }

    #[test]
    fn node_summary_lines_are_counted_in_both_formats() {
        let mut count = Count::default();
        for line in ["ℹ tests 14", "ℹ suites 0", "ℹ pass 12", "ℹ fail 1", "ℹ cancelled 1"]
        {
            count.read(line);
        }
        for line in
            ["# tests 3", "# pass 3", "# fail 0", "# skipped 0", "# pass on", "ok 1 - pass 9"]
        {
            count.read(line);
        }
        assert_eq!(count, Count { passed: 15, failed: 2 });
    }
}
