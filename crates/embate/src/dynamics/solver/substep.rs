//! The sub-steps of a step: what is done to bodies, joints and touches by turns.

use super::bodies::{Bodies, Motion};
use super::integrate::{self, Flight};
use super::joints::Joints;
use super::prepare::{Constraint, StepRules};
use super::report::{Laps, Stage};
use super::settings::Settings;
use super::solve::{Round, solve};
use super::threads::several;
use super::{bounce, world::World};

/// What is done with all touches before the bodies move, and after it. To relax once is enough for stacks and
/// pyramids; a house of seven levels of cards wants two.
pub(super) const BEFORE: [Round; 2] = [Round::WarmStart, Round::PushApart];
pub(super) const AFTER: [Round; 2] = [Round::Relax { last: false }, Round::Relax { last: true }];

/// Blocks that are worth a second thread.
const SHARED_LEAST: usize = 64;

impl World {
    /// Goes through all sub-steps of a step.
    pub(super) fn substeps(&mut self, rules: &StepRules, laps: &mut Laps) {
        let shared = several(self.settings.threads as usize) && self.blocks.len() >= SHARED_LEAST;
        laps.lap(Stage::Resolve);
        match shared {
            false => self.substeps_alone(rules, laps),
            true if self.joints.is_empty() && self.bouncy.is_empty() => {
                self.substeps_together(rules, laps);
            }
            true => self.substeps_led(rules, laps),
        }
    }

    fn substeps_alone(&mut self, rules: &StepRules, laps: &mut Laps) {
        let Self { bodies, blocks, joints, bouncy, flights, awake, settings, level, .. } = self;
        let mut parts = Substep { bodies, joints, bouncy, flights, awake, settings, rules };
        for _ in 0..settings.substeps {
            parts.go(laps, |motions, rounds| {
                for &round in rounds {
                    for (colour, _) in blocks.colours() {
                        solve(*level, &mut *motions, colour, rules, round);
                    }
                }
            });
        }
    }
}

/// What a sub-step changes, but for the touches.
pub(super) struct Substep<'w> {
    pub(super) bodies: &'w mut Bodies,
    pub(super) joints: &'w mut Joints,
    pub(super) bouncy: &'w mut [Constraint],
    pub(super) flights: &'w mut [Flight],
    pub(super) awake: &'w [u32],
    pub(super) settings: &'w Settings,
    pub(super) rules: &'w StepRules,
}

impl Substep<'_> {
    /// `solve` goes through rounds over all touches; those of a sub-step are [`BEFORE`], then [`AFTER`].
    pub(super) fn go(&mut self, laps: &mut Laps, mut solve: impl FnMut(&mut [Motion], &[Round])) {
        let Self { bodies, joints, bouncy, flights, awake, settings, rules } = self;
        integrate::push(bodies, awake, flights, settings.gravity, rules.h);
        laps.lap(Stage::Moving);
        bounce::bounce(bodies, bouncy, flights, rules);
        integrate::take_off(bodies, awake, flights);
        if joints.is_empty() {
            solve(&mut bodies.motions, &BEFORE);
        } else {
            joints.begin(bodies, rules);
            for round in BEFORE {
                solve(&mut bodies.motions, &[round]);
                joints.hold(bodies, rules);
            }
        }
        laps.lap(Stage::Resolve);
        integrate::go(bodies, awake, flights, settings, rules.h);
        laps.lap(Stage::Moving);
        if joints.is_empty() {
            solve(&mut bodies.motions, &AFTER);
        } else {
            joints.follow(bodies, rules);
            for round in AFTER {
                joints.relax(bodies, rules);
                solve(&mut bodies.motions, &[round]);
            }
        }
        laps.lap(Stage::Resolve);
    }
}
