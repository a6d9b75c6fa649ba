//! Summary of a run: parry's time relative to Embate's, per shape pair and overall.

use super::measure::{Measurement, Query};
use super::scenes::Workload;
use crate::harness::verdict::{NOTHING_SELECTED, geometric_mean};

/// Ratios with shape pair, state and query.
#[derive(Default)]
pub struct Summary {
    ratios: Vec<(String, &'static str, Query, f64)>,
    wrong: [usize; 2],
    queries: usize,
}

impl Summary {
    pub fn add(&mut self, workload: &Workload, measurement: &Measurement) {
        let (kinds, state) = (workload.kinds.clone(), workload.state_name());
        self.ratios.push((kinds, state, measurement.query, measurement.ratio()));
        self.queries += workload.pairs.len();
        for peer in 0..2 {
            self.wrong[peer] += measurement.wrong[peer];
        }
    }

    /// Prints geometric means and the worst ratios.
    pub fn print(&self) {
        if self.ratios.is_empty() {
            println!("{NOTHING_SELECTED}");
            return;
        }
        let mut kinds: Vec<&str> = self.ratios.iter().map(|(kinds, ..)| kinds.as_str()).collect();
        kinds.dedup();
        println!("\nparry's time over ours    all    cold  moving resting closest   worst");
        let row = |name: &str, is_included: &dyn Fn(&str) -> bool| {
            let mean_of = |query: Option<&str>| {
                let selected = self.ratios.iter().filter(|(kinds, _, other, _)| {
                    is_included(kinds) && query.is_none_or(|query| query == other.name())
                });
                geometric_mean(selected.map(|(.., ratio)| *ratio)).unwrap_or(f64::NAN)
            };
            let included = self.ratios.iter().filter(|(kinds, ..)| is_included(kinds));
            let worst = included.min_by(|a, b| a.3.total_cmp(&b.3));
            let worst = worst.map_or(String::new(), |(_, state, query, ratio)| {
                format!("{ratio:.2} ({state}, {})", query.name())
            });
            let [all, cold, moving, resting, closest] =
                [None, Some("cold"), Some("moving"), Some("resting"), Some("closest")].map(mean_of);
            println!(
                "{name:<22} {all:>6.2} {cold:>7.2} {moving:>7.2} {resting:>7.2} {closest:>7.2}   \
                 {worst}"
            );
        };
        for kind in kinds {
            row(kind, &|other| other == kind);
        }
        row("geometric mean", &|_| true);
        let [ours, parry] = self.wrong;
        println!(
            "\nresults missing or with an error above 1/1000 of the size: ours {ours}, parry \
             {parry}, of {}",
            self.queries
        );
    }
}
