//! What holds two bodies to each other?
//!
//! Joints are solved in the same sub-steps as contacts:
//!
//! ```text
//! begin    where do both sides stand; slow springs pull; the impulses of the last sub-step
//! hold     undo the errors, and all speeds that are not allowed        ─ before the contacts
//!          (bodies move)
//! relax    with the arms as they are now: undo the speeds alone
//! ```
//!
//! What a joint holds whatever happens is solved for whole trees of joints at once (`forest`), so that no chain is
//! too long and no load on one too heavy. Limits, motors and fast springs are solved one after another (`row`), by
//! turns with the trees, and so are joints that close a ring: a net gives way under a heavy load.

mod dense;
mod forest;
mod held;
mod link;
mod plan;
mod row;
mod spring;
mod strain;
mod view;

use forest::Forest;
pub(super) use link::{Link, SLOTS};
pub use plan::{InvalidJoint, JointKind, JointPlan, Motor};
pub(super) use plan::{check_arm, is_arm};
use row::Single;
pub use view::{Joint, JointChange};

use super::bodies::{Bodies, name};
use super::body::Kind;
use super::prepare::{Softness, StepRules};
use crate::pairs::Pair;

/// Names a joint of a world. A joint that was taken apart takes its name with it: no later one has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

/// Swings of a limit's spring in a sub-step, and how strongly it is damped. Errors of what is held shrink as
/// fast: by 0.44 of themselves in a sub-step.
const SWINGS_A_SUBSTEP: f32 = 0.5;
const DAMPING: f32 = 2.0;
/// How much a joint yields to its impulse, as a share of what its bodies do. Under ten thousand times its own
/// bodies' weight it is then 0.1 mm off; and two hinges that do not quite agree bend instead of locking.
const YIELDS: f64 = 1e-6;
/// Times that trees and the rest are solved by turns before the contacts of each sweep, where there is a rest.
const ROUNDS: usize = 4;

/// All joints of a world.
#[derive(Clone, Debug, Default)]
pub(super) struct Joints {
    pub(super) generations: Vec<u32>,
    /// One more than the latest generation that was ever given, by place.
    pub(super) given: Vec<u32>,
    pub(super) links: Vec<Option<Link>>,
    /// Places to be given again: the last first.
    pub(super) free: Vec<u32>,
    /// Of the present sub-step: kept for their memory alone.
    forest: Forest,
    singles: Vec<Single>,
    crowds: Vec<f64>,
}

impl Joints {
    fn add(&mut self, link: Link) -> JointId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.generations.push(0);
            self.links.push(None);
            self.links.len() as u32 - 1
        });
        name(&mut self.generations, &mut self.given, index as usize);
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

    /// Pairs of bodies that are joined and do not touch each other, sorted; one for each joint.
    pub(super) fn untouchable(&self) -> Vec<Pair> {
        let apart = self.iter().filter(|link| !link.colliding);
        let mut pairs: Vec<Pair> = apart.map(Link::pair).collect();
        pairs.sort_unstable();
        pairs
    }

    pub(super) fn is_empty(&self) -> bool {
        self.links.len() == self.free.len()
    }

    /// How fast the springs of each body are for a sub-step, all together.
    fn count_springs(&mut self, bodies: &Bodies, h: f32) {
        self.crowds.clear();
        if self.iter().all(|link| link.kind != JointKind::Spring) {
            return;
        }
        let mut crowds = core::mem::take(&mut self.crowds);
        crowds.resize(bodies.natures.len(), 0.0);
        for link in self.iter() {
            if let Some(haste) = link.haste(bodies, h) {
                for &place in &link.bodies {
                    crowds[place] += haste;
                }
            }
        }
        // What stands still is not moved by its springs, however many.
        for (place, crowd) in crowds.iter_mut().enumerate() {
            let moves = bodies.lives(place) && bodies.nature(place).kind == Kind::Moving;
            *crowd = if moves { *crowd } else { 0.0 };
        }
        self.crowds = crowds;
    }

    fn measure(&mut self, bodies: &Bodies, rules: &StepRules, moved: bool) {
        self.forest.clear();
        self.singles.clear();
        let soft = Softness::new(SWINGS_A_SUBSTEP * rules.inverse_h, DAMPING, rules.h);
        for (number, link) in (0..).zip(&mut self.links) {
            let Some(link) = link else { continue };
            if is_solved(bodies, link) {
                let crowd = crowd(&self.crowds, link);
                let rules = (soft, rules, crowd, moved);
                link.rows(bodies, number, rules, &mut self.forest.helds, &mut self.singles);
            }
        }
        for single in &mut self.singles {
            *single = single.weighed(bodies);
        }
        self.forest.grow(bodies, YIELDS, rules.h);
    }

    /// Begins a sub-step with the impulses of the last one.
    pub(super) fn begin(&mut self, bodies: &mut Bodies, rules: &StepRules) {
        if self.is_empty() {
            return;
        }
        self.count_springs(bodies, rules.h);
        for link in self.links.iter().flatten() {
            if is_solved(bodies, link) {
                link.pull(bodies, crowd(&self.crowds, link), rules.h);
            }
        }
        self.measure(bodies, rules, false);
        self.forest.push(bodies);
        for single in &self.singles {
            if let Some(link) = &mut self.links[single.link as usize] {
                let impulse = &mut link.impulses[single.slot].x;
                single.begin(bodies, impulse);
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
        if self.is_empty() {
            return;
        }
        for link in self.links.iter().flatten() {
            for &place in &link.bodies {
                if bodies.is_solved(place) && !bodies.nature(place).mass.even {
                    bodies.turn_inertia(place);
                }
            }
        }
        self.measure(bodies, rules, true);
        self.keep_awake(bodies);
    }

    /// What is still on its way does not sleep, however slowly it goes.
    fn keep_awake(&self, bodies: &mut Bodies) {
        let far = self.forest.helds.iter().filter(|held| held.is_off()).map(|held| held.bodies);
        let driven = self.singles.iter().filter(|single| single.is_busy());
        for place in far.chain(driven.map(|single| single.bodies)).flatten() {
            bodies.calm[place] = 0.0;
        }
    }

    fn solve(&mut self, bodies: &mut Bodies, rules: &StepRules, pull: bool) {
        if self.is_empty() {
            return;
        }
        // Trees alone are solved at once.
        let alone = self.singles.is_empty() && !self.forest.has_rings();
        for _ in 0..if alone { 1 } else { ROUNDS } {
            for single in &self.singles {
                if let Some(link) = &mut self.links[single.link as usize] {
                    let impulse = &mut link.impulses[single.slot].x;
                    single.solve(bodies, impulse, rules.inverse_h, pull);
                }
            }
            self.forest.close_rings(bodies, pull);
            self.forest.solve(bodies, pull);
        }
        for held in &self.forest.helds {
            if let Some(link) = &mut self.links[held.link as usize] {
                held.remember(link);
            }
        }
    }

    /// What all springs hold, in J.
    pub(super) fn energy(&self, bodies: &Bodies) -> f64 {
        self.iter().map(|link| link.energy(bodies)).sum()
    }
}

/// Whether a joint has a body to hold. What sleeps is not held, even by a driven body, which never sleeps: nothing
/// would take the speed back that a spring gives it.
fn is_solved(bodies: &Bodies, link: &Link) -> bool {
    link.bodies.iter().any(|&place| bodies.is_solved(place))
}

/// How fast the springs of the busier of its two bodies are.
fn crowd(crowds: &[f64], link: &Link) -> f64 {
    let [a, b] = link.bodies.map(|place| crowds.get(place).copied().unwrap_or(0.0));
    if a > b { a } else { b }
}
