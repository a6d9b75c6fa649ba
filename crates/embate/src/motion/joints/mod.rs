//! What holds two bodies to each other?
//!
//! Joints are soft constraints like contacts, and solved in the same sub-steps, in the order in which they were
//! made:
//!
//! ```text
//! begin    where do both sides stand; slow springs pull; the impulses of the last sub-step
//! hold     undo the errors, softly, and all speeds that are not allowed        ─ before the contacts
//!          (bodies move)
//! relax    with the arms as they are now: undo the speeds alone
//! ```

mod link;
mod plan;
mod row;
mod spring;
mod view;

pub(super) use link::{Link, SLOTS};
pub use plan::{InvalidJoint, JointKind, JointPlan, Motor};
use row::Group;
pub use view::{Joint, JointChange};

use super::bodies::Bodies;
use super::prepare::{Softness, StepRules};
use crate::pairs::Pair;

/// Names a joint of a world. A joint that was taken apart takes its name with it: no later one has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

/// Swings of a joint's spring in a sub-step, and how strongly it is damped. Measured on chains with a heavy
/// end: stiffer ones shake, softer ones are longer.
const SWINGS_A_SUBSTEP: f32 = 0.5;
const DAMPING: f32 = 2.0;
/// Times that joints are solved before the contacts of each sweep.
const ROUNDS: usize = 4;

/// All joints of a world.
#[derive(Clone, Debug, Default)]
pub(super) struct Joints {
    pub(super) generations: Vec<u32>,
    pub(super) links: Vec<Option<Link>>,
    /// Places to be given again: the last first.
    pub(super) free: Vec<u32>,
    /// Kept for its memory alone.
    groups: Vec<Group>,
}

impl Joints {
    fn add(&mut self, link: Link) -> JointId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.generations.push(0);
            self.links.push(None);
            self.links.len() as u32 - 1
        });
        self.links[index as usize] = Some(link);
        JointId { index, generation: self.generations[index as usize] }
    }

    fn find(&self, id: JointId) -> Option<usize> {
        let index = id.index as usize;
        let lives = *self.generations.get(index)? == id.generation && self.links[index].is_some();
        lives.then_some(index)
    }

    fn remove(&mut self, index: usize) -> Option<Link> {
        let link = self.links[index].take()?;
        self.generations[index] = self.generations[index].wrapping_add(1);
        self.free.push(index as u32);
        Some(link)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Link> {
        self.links.iter().flatten()
    }

    /// Places of the bodies that each joint holds.
    pub(super) fn pairs(&self) -> impl Iterator<Item = Pair> {
        self.iter().map(|link| link.bodies.map(|place| place as u32))
    }

    /// Pairs of bodies that are joined and do not touch each other, sorted.
    pub(super) fn untouchable(&self) -> Vec<Pair> {
        let apart = self.iter().filter(|link| !link.colliding);
        let mut pairs: Vec<Pair> = apart
            .map(|link| {
                let [a, b] = link.bodies.map(|place| place as u32);
                [a.min(b), a.max(b)]
            })
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    fn measure(&mut self, bodies: &Bodies, rules: &StepRules) {
        self.groups.clear();
        let soft = Softness::new(SWINGS_A_SUBSTEP * rules.inverse_h, DAMPING, rules.h);
        for (number, link) in (0..).zip(&mut self.links) {
            let Some(link) = link else { continue };
            if link.bodies.iter().any(|&place| bodies.is_awake(place)) {
                link.groups(bodies, number, soft, rules.h, &mut self.groups);
            }
        }
    }

    /// Begins a sub-step with the impulses of the last one.
    pub(super) fn begin(&mut self, bodies: &mut Bodies, rules: &StepRules) {
        if self.links.len() == self.free.len() {
            return;
        }
        for link in self.links.iter().flatten() {
            if link.bodies.iter().any(|&place| bodies.is_awake(place)) {
                link.pull(bodies, rules.h);
            }
        }
        self.measure(bodies, rules);
        for group in &self.groups {
            if let Some(link) = &self.links[group.link as usize] {
                group.push(bodies, link.impulses[group.slot]);
            }
        }
    }

    /// Undoes errors and speeds.
    pub(super) fn hold(&mut self, bodies: &mut Bodies, rules: &StepRules) {
        self.solve(bodies, rules, true);
    }

    /// After the bodies moved: undoes speeds alone.
    pub(super) fn relax(&mut self, bodies: &mut Bodies, rules: &StepRules) {
        self.solve(bodies, rules, false);
    }

    /// The bodies have moved within the step: arms and axes have, too.
    pub(super) fn follow(&mut self, bodies: &mut Bodies, rules: &StepRules) {
        if self.links.len() == self.free.len() {
            return;
        }
        for link in self.links.iter().flatten() {
            for &place in &link.bodies {
                if bodies.is_awake(place) && !bodies.nature(place).mass.even {
                    bodies.turn_inertia(place);
                }
            }
        }
        self.measure(bodies, rules);
    }

    fn solve(&mut self, bodies: &mut Bodies, rules: &StepRules, pull: bool) {
        for _ in 0..ROUNDS {
            for group in &self.groups {
                if let Some(link) = &mut self.links[group.link as usize] {
                    group.solve(bodies, &mut link.impulses[group.slot], rules.inverse_h, pull);
                }
            }
        }
    }

    /// What all springs hold, in J.
    pub(super) fn energy(&self, bodies: &Bodies) -> f64 {
        self.iter().map(|link| link.energy(bodies)).sum()
    }
}
