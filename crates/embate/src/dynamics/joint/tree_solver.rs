//! Which impulses keep whole chains of joints together, all at once?
//!
//! Solved one after another, twenty light links forget within a sub-step that something heavy hangs at their end:
//! each hands its pull to its neighbours alone. Here the joints of a tree are solved together, from the leaves
//! to the root and back, in time proportional to their number (Baraff 1996, "Linear-Time Dynamics using Lagrange
//! Multipliers"):
//!
//! ```text
//!  wall ── joint ── link ── joint ── link ── joint ── weight        M·Δv = Jᵀ·λ       for every body
//!           root     │                        leaf     ◄─ begin     J·Δv + C·λ = −r   for every joint
//!                  joint ── link
//! ```
//!
//! A body seen from above is as heavy as all that hangs on it: S = M + Σ Jᵀ·Q⁻¹·J over the joints below it; a joint
//! yields as the body below does: Q = C + J·S⁻¹·Jᵀ. What stands still is part of no tree, so a bridge
//! with two ends is one, too. A joint that closes a ring of moving bodies is solved on its own, between the trees.

use super::super::bodies::Bodies;
use super::super::body::Kind;
use super::dense::{Block, Six, Triangle, add, dot};
use super::held::{Held, Weight, hurry};

/// A joint that closes a ring gives way by this share: it is solved by turns with the rest.
const RING_YIELDS: f64 = 0.05;

/// A body that joints hold.
#[derive(Clone, Debug)]
struct Member {
    own: Triangle,
    /// With all that hangs on it; then as a triangle.
    sum: Block,
    seen: Triangle,
    /// While solving: what the joints below ask of it, then by how much it changes.
    change: Six,
}

/// A joint of a tree, the member that it hangs on and the one that hangs on it.
#[derive(Clone, Copy, Debug)]
struct Branch {
    held: usize,
    up: Option<usize>,
    down: Option<usize>,
}

/// All joints that hold something, as trees.
#[derive(Clone, Debug, Default)]
pub(super) struct Forest {
    pub(super) helds: Vec<Held>,
    /// Sorted.
    places: Vec<usize>,
    members: Vec<Member>,
    /// Members on top of a tree that nothing standing still holds.
    tops: Vec<usize>,
    /// Every joint after the one it hangs on.
    branches: Vec<Branch>,
    /// How each yields, with all below it.
    yields: Vec<Triangle>,
    wanted: Vec<Six>,
    /// Joints that close a ring, and how each yields.
    rings: Vec<(usize, Triangle)>,
    soft: f64,
    /// Which bodies and joints the trees were planted for: they stay while these do.
    planted: (Vec<usize>, Vec<[usize; 2]>),
    weights: Vec<Weight>,
}

impl Forest {
    pub(super) fn clear(&mut self) {
        self.helds.clear();
    }

    pub(super) fn has_rings(&self) -> bool {
        !self.rings.is_empty()
    }

    /// Makes trees of all joints that hold something. `soft`: how much each yields, as a share of what its two
    /// bodies alone do; `h`: the length of a sub-step.
    pub(super) fn grow(&mut self, bodies: &Bodies, soft: f64, h: f32) {
        self.soft = soft;
        self.weigh(bodies, h);
        if !self.is_planted() {
            self.plant();
        }
        self.weigh_rings();
        self.sum_up();
    }

    fn member(&self, place: usize) -> Option<usize> {
        self.places.binary_search(&place).ok()
    }

    fn weigh(&mut self, bodies: &Bodies, h: f32) {
        self.places.clear();
        let held = self.helds.iter().flat_map(|held| held.bodies);
        self.places.extend(held.filter(|&place| bodies.nature(place).kind == Kind::Moving));
        self.places.sort_unstable();
        self.places.dedup();
        self.members.clear();
        let mut weights = core::mem::take(&mut self.weights);
        weights.clear();
        for &place in &self.places {
            let weight = Weight::of(bodies, place);
            let own = Triangle::new(&weight.mass, 6);
            self.members.push(Member { own, sum: weight.mass, seen: own, change: [0.0; 6] });
            weights.push(weight);
        }
        let (places, members) = (&self.places, &self.members);
        for held in &mut self.helds {
            let sides = held.bodies.map(|place| {
                let member = places.binary_search(&place).ok()?;
                Some((&weights[member], &members[member].own))
            });
            held.weigh(sides);
            held.calm_down(sides.map(|side| side.map(|(_, own)| own)), h);
        }
        self.weights = weights;
    }

    fn is_planted(&self) -> bool {
        let (places, joints) = &self.planted;
        *places == self.places && self.helds.iter().map(|held| &held.bodies).eq(joints)
    }

    /// Orders the joints from the roots to the leaves: from what stands still, where there is such.
    fn plant(&mut self) {
        self.planted.0.clone_from(&self.places);
        self.planted.1.clear();
        self.planted.1.extend(self.helds.iter().map(|held| held.bodies));
        self.branches.clear();
        self.tops.clear();
        self.rings.clear();
        let mut joints_of: Vec<(usize, usize)> = Vec::with_capacity(2 * self.helds.len());
        let mut roots: Vec<(bool, usize)> = Vec::with_capacity(self.helds.len());
        for (number, held) in self.helds.iter().enumerate() {
            let members = held.bodies.map(|place| self.member(place));
            joints_of.extend(members.iter().flatten().map(|&member| (member, number)));
            roots.push((members.iter().all(Option::is_some), number));
        }
        joints_of.sort_unstable();
        roots.sort_unstable();
        let mut joint_seen = vec![false; self.helds.len()];
        let mut body_seen = vec![false; self.members.len()];
        for (free, root) in roots {
            let [a, b] = self.helds[root].bodies.map(|place| self.member(place));
            let Some(top) = a.or(b) else { continue };
            if joint_seen[root] || body_seen[top] {
                continue;
            }
            body_seen[top] = true;
            let mut next = vec![top];
            if free {
                self.tops.push(top);
            } else {
                joint_seen[root] = true;
                self.branches.push(Branch { held: root, up: None, down: Some(top) });
            }
            let mut done = 0;
            while let Some(&up) = next.get(done) {
                done += 1;
                let from = joints_of.partition_point(|&(member, _)| member < up);
                for &(_, number) in joints_of[from..].iter().take_while(|of| of.0 == up) {
                    if joint_seen[number] {
                        continue;
                    }
                    joint_seen[number] = true;
                    let others = self.helds[number].bodies.map(|place| self.member(place));
                    let down = others.into_iter().flatten().find(|&member| member != up);
                    if down.is_some_and(|down| body_seen[down]) {
                        self.rings.push((number, Triangle::new(&[[0.0; 6]; 6], 0)));
                        continue;
                    }
                    self.branches.push(Branch { held: number, up: Some(up), down });
                    if let Some(down) = down {
                        body_seen[down] = true;
                        next.push(down);
                    }
                }
            }
        }
    }

    fn weigh_rings(&mut self) {
        for (number, triangle) in &mut self.rings {
            let held = &mut self.helds[*number];
            held.only_hold();
            let mut yields = held.yields(RING_YIELDS);
            for (row, own) in yields.iter_mut().zip(&held.own) {
                add(row, 1.0, own);
            }
            *triangle = Triangle::new(&yields, held.count);
        }
    }

    /// From the leaves to the roots: how heavy is each body with all that hangs on it?
    fn sum_up(&mut self) {
        self.yields.clear();
        self.yields.resize(self.branches.len(), Triangle::new(&[[0.0; 6]; 6], 0));
        for (number, &Branch { held, up, down }) in self.branches.iter().enumerate().rev() {
            let held = &self.helds[held];
            let mut yields = held.yields(self.soft);
            if let Some(down) = down {
                let member = &mut self.members[down];
                member.seen = Triangle::new(&member.sum, 6);
                let ways = &held.ways[self.side(held, down)];
                let mut halves = [[0.0; 6]; 6];
                for (half, way) in halves.iter_mut().zip(&ways[..held.count]) {
                    *half = self.members[down].seen.half(way);
                }
                for row in 0..held.count {
                    for column in 0..held.count {
                        yields[row][column] += dot(&halves[row], &halves[column]);
                    }
                }
            }
            let yields = Triangle::new(&yields, held.count);
            self.yields[number] = yields;
            if let Some(up) = up {
                let ways = &held.ways[self.side(held, up)];
                let mut columns = [[0.0; 6]; 6];
                for (way, column) in columns.iter_mut().enumerate() {
                    let mut of_rows = [0.0; 6];
                    for row in 0..held.count {
                        of_rows[row] = ways[row][way];
                    }
                    *column = yields.half(&of_rows);
                }
                let sum = &mut self.members[up].sum;
                for row in 0..6 {
                    for column in 0..6 {
                        sum[row][column] += dot(&columns[row], &columns[column]);
                    }
                }
            }
        }
        for &top in &self.tops {
            self.members[top].seen = Triangle::new(&self.members[top].sum, 6);
        }
    }

    fn side(&self, held: &Held, member: usize) -> usize {
        usize::from(held.bodies[0] != self.places[member])
    }

    /// Begins with the impulses of the last sub-step.
    pub(super) fn push(&self, bodies: &mut Bodies) {
        for held in &self.helds {
            self.give(bodies, held, &held.impulse);
        }
    }

    fn give(&self, bodies: &mut Bodies, held: &Held, impulse: &Six) {
        for (side, &place) in held.bodies.iter().enumerate() {
            if let Some(member) = self.member(place) {
                let change = self.members[member].own.solve(&held.given(side, impulse));
                hurry(bodies, place, &change);
            }
        }
    }

    /// Changes velocities and impulses so that nothing moves where it is held; with `pull`, so that errors shrink.
    pub(super) fn solve(&mut self, bodies: &mut Bodies, pull: bool) {
        let pull_softly = pull.then_some(self.soft);
        for member in &mut self.members {
            member.change = [0.0; 6];
        }
        self.wanted.clear();
        self.wanted.resize(self.branches.len(), [0.0; 6]);
        for (number, &Branch { held, up, down }) in self.branches.iter().enumerate().rev() {
            let held = &self.helds[held];
            let mut wanted = held.excess(bodies, pull_softly).map(|speed| -speed);
            if let Some(down) = down {
                let member = &self.members[down];
                let asked = member.seen.solve(&member.change);
                let ways = &held.ways[self.side(held, down)];
                for (wanted, way) in wanted[..held.count].iter_mut().zip(ways) {
                    *wanted -= dot(way, &asked);
                }
            }
            self.wanted[number] = wanted;
            if let Some(up) = up {
                let impulse = self.yields[number].solve(&wanted);
                let given = held.given(self.side(held, up), &impulse);
                add(&mut self.members[up].change, 1.0, &given);
            }
        }
        for &top in &self.tops {
            let member = &mut self.members[top];
            member.change = member.seen.solve(&member.change);
        }
        for (number, &Branch { held: index, up, down }) in self.branches.iter().enumerate() {
            let held = &self.helds[index];
            let mut left = self.wanted[number];
            if let Some(up) = up {
                let ways = &held.ways[self.side(held, up)];
                for (left, way) in left[..held.count].iter_mut().zip(ways) {
                    *left -= dot(way, &self.members[up].change);
                }
            }
            let impulse = self.yields[number].solve(&left);
            if let Some(down) = down {
                let given = held.given(self.side(held, down), &impulse);
                let member = &mut self.members[down];
                add(&mut member.change, 1.0, &given);
                member.change = member.seen.solve(&member.change);
            }
            add(&mut self.helds[index].impulse, 1.0, &impulse);
        }
        for (&place, member) in self.places.iter().zip(&self.members) {
            hurry(bodies, place, &member.change);
        }
    }

    /// Each joint that closes a ring, one after another.
    pub(super) fn close_rings(&mut self, bodies: &mut Bodies, pull: bool) {
        let pull_softly = pull.then_some(RING_YIELDS);
        for number in 0..self.rings.len() {
            let (index, yields) = self.rings[number];
            let excess = self.helds[index].excess(bodies, pull_softly);
            let impulse = yields.solve(&excess.map(|speed| -speed));
            add(&mut self.helds[index].impulse, 1.0, &impulse);
            self.give(bodies, &self.helds[index], &impulse);
        }
    }
}
