//! Who is fastest? A short table for the end of a run.

use crate::measure::Figures;
use crate::options::Moving;
use crate::peers;

/// Collects scene after scene.
#[derive(Default)]
pub struct Verdict {
    lines: Vec<String>,
}

impl Verdict {
    /// Compares ours, the first of `all`, with the fastest that is not ours.
    pub fn add(&mut self, scene: &str, count: u32, moving: Moving, all: &[Figures]) {
        let Some(ours) = all[0].median() else { return };
        let nanoseconds = ours * 1e6 / f64::from(count);
        let head =
            format!("{scene:<13} {count:>9} {:>6} {ours:>10.3} {nanoseconds:>9.1}", moving.name());
        let fastest = all
            .iter()
            .filter(|figures| peers::is_foreign(figures.peer))
            .filter_map(|figures| Some((figures.median()?, figures.peer)))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let tail = fastest.map_or(String::new(), |(theirs, peer)| {
            format!(" {peer:>10} {theirs:>10.3} {:>6.2}x", theirs / ours)
        });
        self.lines.push(head + &tail);
    }

    /// The table, on the terminal alone: its figures are all in the file.
    pub fn print(&self) {
        if self.lines.is_empty() {
            println!("\nno scene is left by these filters");
            return;
        }
        println!(
            "\nscene           objects moving    auto ms ns/object    fastest    peer ms  peer/auto"
        );
        for line in &self.lines {
            println!("{line}");
        }
    }
}
