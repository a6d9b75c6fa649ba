//! Who is faster, on the whole and on each kind?

use super::measure::{Figures, Query};
use super::scenes::Work;

/// Ratios as they come: kinds, state, query.
#[derive(Default)]
pub struct Summary {
    ratios: Vec<(String, &'static str, Query, f64)>,
    wrong: [usize; 2],
    asked: usize,
}

impl Summary {
    pub fn add(&mut self, work: &Work, figures: &Figures) {
        self.ratios.push((work.kinds.clone(), work.state_name(), figures.query, figures.ratio()));
        self.asked += work.pairs.len();
        for which in 0..2 {
            self.wrong[which] += figures.wrong[which];
        }
    }

    /// Geometric means, on the terminal alone: all figures are in the file.
    pub fn print(&self) {
        if self.ratios.is_empty() {
            println!("\nnothing is left by these filters");
            return;
        }
        let mut kinds: Vec<&str> = self.ratios.iter().map(|(kinds, ..)| kinds.as_str()).collect();
        kinds.dedup();
        println!("\nparry's time over ours    all    cold  moving resting closest   worst");
        let row = |name: &str, holds: &dyn Fn(&str) -> bool| {
            let of = |query: Option<&str>| {
                let wanted = self.ratios.iter().filter(|(kinds, _, asked, _)| {
                    holds(kinds) && query.is_none_or(|query| query == asked.name())
                });
                mean(wanted.map(|(.., ratio)| *ratio))
            };
            let held = self.ratios.iter().filter(|(kinds, ..)| holds(kinds));
            let worst = held.min_by(|a, b| a.3.total_cmp(&b.3));
            let worst = worst.map_or(String::new(), |(_, state, query, ratio)| {
                format!("{ratio:.2} ({state}, {})", query.name())
            });
            let [all, cold, moving, resting, closest] =
                [None, Some("cold"), Some("moving"), Some("resting"), Some("closest")].map(of);
            println!(
                "{name:<22} {all:>6.2} {cold:>7.2} {moving:>7.2} {resting:>7.2} {closest:>7.2}   {worst}"
            );
        };
        for kind in kinds {
            row(kind, &|other| other == kind);
        }
        row("geometric mean", &|_| true);
        let [ours, parry] = self.wrong;
        println!(
            "\nanswers off by more than a thousandth of the size, or missing: ours {ours}, parry {parry}, of {}",
            self.asked
        );
    }
}

fn mean(ratios: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) =
        ratios.fold((0.0, 0.0), |(sum, count), ratio| (sum + ratio.ln(), count + 1.0));
    f64::exp(sum / f64::max(count, 1.0))
}
