//! Broad phases in running worlds.
//!
//! Every technique has its own copy of the world, and all copies step side by side: they must stay
//! equal bit for bit, and each is timed in turn. Tests are counted in further copies, because some
//! techniques are slower when they count.

use embate_replica::lasch::{BroadPhase, Config};
use embate_scene::scene_world::{Method, SceneWorld};

use super::row::Row;
use super::stages::Sums;
use super::worlds::Kind;
use crate::runner::run_context::RunContext;

/// A kind of world at a size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BroadCase {
    pub(super) kind: Kind,
    pub(super) bodies: u32,
    pub(super) steps: u32,
    pub(super) seed: u64,
}

/// The reference of all others.
pub(super) const REFERENCE: &str = "brute";

struct Candidate {
    broad: BroadPhase,
    world: SceneWorld,
    sums: Sums,
    disagreements: u64,
}

impl BroadCase {
    fn candidates(
        &self,
        techniques: &[BroadPhase],
        counting: bool,
        context: &RunContext<'_>,
    ) -> Vec<Candidate> {
        let world = |broad: BroadPhase| {
            let method = Method::Lasch(Config { broad_phase: broad, ..Config::PUBLISHED });
            let mut world = self.kind.world(self.bodies, self.seed, method);
            world.set_clock(context.clock);
            world.count_overlap_tests(counting);
            Candidate { broad, world, sums: Sums::default(), disagreements: 0 }
        };
        techniques.iter().copied().map(world).collect()
    }

    fn run(
        &self,
        techniques: &[BroadPhase],
        counting: bool,
        context: &RunContext<'_>,
    ) -> Vec<Candidate> {
        let mut candidates = self.candidates(techniques, counting, context);
        for step in 0..self.steps {
            // The first technique finds cold caches, so each is first in turn.
            let count = candidates.len().max(1);
            for turn in 0..count {
                if let Some(candidate) = candidates.get_mut((turn + step as usize) % count) {
                    candidate.world.step();
                    candidate.sums.add(&candidate.world);
                }
            }
            let reference = candidates.iter().find(|candidate| candidate.broad.name() == REFERENCE);
            if let Some(expected) = reference.map(|reference| reference.world.state_hash()) {
                for candidate in &mut candidates {
                    candidate.disagreements += u64::from(candidate.world.state_hash() != expected);
                }
            }
            (context.on_progress)(1);
        }
        candidates
    }

    /// One row per technique.
    pub(super) fn rows(
        &self,
        techniques: &[BroadPhase],
        repeats: u32,
        context: &RunContext<'_>,
    ) -> Vec<Row> {
        let reference = BroadPhase::ALL.into_iter().find(|broad| broad.name() == REFERENCE);
        let mut all: Vec<BroadPhase> = techniques.to_vec();
        all.extend(reference.filter(|reference| !techniques.contains(reference)));
        let counted = self.run(&all, true, context);
        let timed: Vec<Vec<Candidate>> =
            (0..repeats.max(1)).map(|_| self.run(&all, false, context)).collect();
        let row = |(index, broad): (usize, &BroadPhase)| {
            let counts = &counted[index];
            let runs: Vec<&Sums> = timed.iter().map(|run| &run[index].sums).collect();
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
                disagreements: Some(timed.iter().map(|run| run[index].disagreements).sum()),
                ..Row::default()
            }
        };
        techniques.iter().enumerate().map(row).collect()
    }
}
