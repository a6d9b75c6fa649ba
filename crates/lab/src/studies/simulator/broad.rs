//! How do broad phases behave where their pairs move the world?
//!
//! Every technique has a world of its own, and all of them go step by step side by side: they must stay equal
//! to the last bit, and each is timed in turn. Tests are counted in worlds of their own, because some
//! techniques are slower when they count.

use embate_studies::replica::lasch::{BroadPhase, Config};

use super::row::Row;
use super::stages::Sums;
use super::worlds::Kind;
use crate::scene_world::{Method, SceneWorld};
use crate::studies::host::Host;

/// A kind of world at a size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BroadCase {
    pub(super) kind: Kind,
    pub(super) bodies: u32,
    pub(super) steps: u32,
    pub(super) seed: u64,
}

/// The judge of all others.
pub(super) const JUDGE: &str = "brute";

struct Contestant {
    broad: BroadPhase,
    world: SceneWorld,
    sums: Sums,
    disagreements: u64,
}

impl BroadCase {
    fn contestants(
        &self,
        techniques: &[BroadPhase],
        counting: bool,
        host: &Host<'_>,
    ) -> Vec<Contestant> {
        let world = |broad: BroadPhase| {
            let method = Method::Lasch(Config { broad_phase: broad, ..Config::PUBLISHED });
            let mut world = self.kind.world(self.bodies, self.seed, method);
            world.set_clock(host.clock);
            world.count_overlap_tests(counting);
            Contestant { broad, world, sums: Sums::default(), disagreements: 0 }
        };
        techniques.iter().copied().map(world).collect()
    }

    fn run(&self, techniques: &[BroadPhase], counting: bool, host: &Host<'_>) -> Vec<Contestant> {
        let mut contestants = self.contestants(techniques, counting, host);
        for step in 0..self.steps {
            // Whoever comes first finds the caches cold: each in turn.
            let count = contestants.len().max(1);
            for turn in 0..count {
                if let Some(contestant) = contestants.get_mut((turn + step as usize) % count) {
                    contestant.world.step();
                    contestant.sums.add(&contestant.world);
                }
            }
            let judge = contestants.iter().find(|contestant| contestant.broad.name() == JUDGE);
            if let Some(truth) = judge.map(|judge| judge.world.state_hash()) {
                for contestant in &mut contestants {
                    contestant.disagreements += u64::from(contestant.world.state_hash() != truth);
                }
            }
            (host.advanced)(1);
        }
        contestants
    }

    /// One row a technique.
    pub(super) fn rows(
        &self,
        techniques: &[BroadPhase],
        repeats: u32,
        host: &Host<'_>,
    ) -> Vec<Row> {
        let judge = BroadPhase::ALL.into_iter().find(|broad| broad.name() == JUDGE);
        let mut all: Vec<BroadPhase> = techniques.to_vec();
        all.extend(judge.filter(|judge| !techniques.contains(judge)));
        let counted = self.run(&all, true, host);
        let timed: Vec<Vec<Contestant>> =
            (0..repeats.max(1)).map(|_| self.run(&all, false, host)).collect();
        let row = |(place, broad): (usize, &BroadPhase)| {
            let counts = &counted[place];
            let runs: Vec<&Sums> = timed.iter().map(|run| &run[place].sums).collect();
            Row {
                part: "broad".to_owned(),
                case: self.kind.name().to_owned(),
                technique: broad.name().to_owned(),
                bodies: self.bodies,
                steps: self.steps,
                seed: self.seed,
                tests_per_step: Some(counts.sums.tests()),
                pairs_per_step: Some(counts.sums.pairs()),
                contacts_per_step: Some(counts.sums.contacts()),
                ms: Sums::best_ms(&runs),
                disagreements: Some(timed.iter().map(|run| run[place].disagreements).sum()),
                ..Row::default()
            }
        };
        techniques.iter().enumerate().map(row).collect()
    }
}
