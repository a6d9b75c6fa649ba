//! Summary of a run: Embate and the fastest peer, per scene.

use super::measure::Measurement;
use super::options::Moving;
use super::peers;
use crate::harness::verdict::NOTHING_SELECTED;

/// Lines of the summary, one per scene.
#[derive(Default)]
pub struct Summary {
    lines: Vec<String>,
}

impl Summary {
    /// Adds a scene. The first measurement is that of Embate, which is compared with the fastest
    /// peer.
    pub fn add(&mut self, scene: &str, count: u32, moving: Moving, measurements: &[Measurement]) {
        let Some(ours) = measurements[0].median() else { return };
        let nanoseconds = ours * 1e6 / f64::from(count);
        let head =
            format!("{scene:<13} {count:>9} {:>6} {ours:>10.3} {nanoseconds:>9.1}", moving.name());
        let fastest = measurements
            .iter()
            .filter(|measurement| peers::is_other_library(measurement.peer))
            .filter_map(|measurement| Some((measurement.median()?, measurement.peer)))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        let tail = fastest.map_or(String::new(), |(theirs, peer)| {
            format!(" {peer:>10} {theirs:>10.3} {:>6.2}x", theirs / ours)
        });
        self.lines.push(head + &tail);
    }

    pub fn print(&self) {
        if self.lines.is_empty() {
            println!("{NOTHING_SELECTED}");
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
