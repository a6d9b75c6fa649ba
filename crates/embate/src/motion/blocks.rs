//! Which touches can be solved at the same time?
//!
//! Touches get colours: no two of a colour move the same body. So eight of a colour are solved side by side in
//! one block, and what comes out depends on the colours alone, not on how many lanes a machine has. A body
//! that nothing moves may be in all of them.

use super::bodies::Bodies;
use super::lanes::{LANES, Row, Rows3, Rows6, get3, set3, set6};
use super::prepare::{Constraint, Point, Softness, StepRules, prepare};
use super::threads::share;
use super::touch::Touch;
use super::touches::NearPair;
use crate::contacts::MAX_POINTS;

/// Colours; touches of a body that has all of them are solved one by one at the end. A body in a dense pile
/// has a dozen touches.
const COLOURS: usize = 24;

/// Blocks that one thread fills in at least, so that it is worth to wake another.
const FILL_LEAST: usize = 16;

/// A contact point of each of eight touches; where a touch has fewer points, one that does nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointRows {
    pub(super) turn_a: Rows3,
    pub(super) turn_b: Rows3,
    pub(super) gap: Row,
    pub(super) mass: Row,
    pub(super) lever: Row,
    pub(super) impulse: Row,
    pub(super) total: Row,
}

/// Eight touches of a colour.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// Places of A and B.
    pub(super) a: [u32; LANES],
    pub(super) b: [u32; LANES],
    /// Which touch each is: the pair's number, and the touch's within it.
    pub(super) pair: [u32; LANES],
    pub(super) touch: [u32; LANES],
    /// Lanes in use.
    pub(super) lanes: usize,
    /// Points of the touch that has most.
    pub(super) count: usize,
    /// One of them resists rolling.
    pub(super) rolls: bool,
    /// One of them resists turning about the normal.
    pub(super) twists: bool,
    /// Of A and B: whether anything moves it, and its inverse mass along each axis.
    pub(super) moved: [[bool; 2]; LANES],
    pub(super) mass_a: Rows3,
    pub(super) mass_b: Rows3,
    pub(super) inertia_a: Rows6,
    pub(super) inertia_b: Rows6,
    pub(super) normal: Rows3,
    pub(super) tangent: Rows3,
    pub(super) bitangent: Rows3,
    pub(super) points: [PointRows; MAX_POINTS],
    /// How it gives way: see [`Softness`].
    pub(super) rate: Row,
    pub(super) mass_share: Row,
    pub(super) give: Row,
    pub(super) restitution: Row,
    pub(super) friction_share: Row,
    pub(super) rolling_share: Row,
    pub(super) spinning_share: Row,
    pub(super) arm_a: Rows3,
    pub(super) arm_b: Rows3,
    pub(super) friction_mass: Rows3,
    pub(super) friction: [Row; 2],
    pub(super) twist_mass: Row,
    pub(super) twist: Row,
    pub(super) rolling_mass: Rows3,
    pub(super) rolling: [Row; 2],
    /// What the last round made of the velocities and spins of A, then of B.
    pub(super) after: [Rows3; 4],
}

const NOTHING: Row = [0.0; LANES];

impl PointRows {
    const EMPTY: Self = Self {
        turn_a: [NOTHING; 3],
        turn_b: [NOTHING; 3],
        gap: NOTHING,
        mass: NOTHING,
        lever: NOTHING,
        impulse: NOTHING,
        total: NOTHING,
    };

    /// Of a touch that is new: nothing has held it in this step.
    fn set(&mut self, lane: usize, point: &Point) {
        set3(&mut self.turn_a, lane, point.turn_a);
        set3(&mut self.turn_b, lane, point.turn_b);
        self.gap[lane] = point.gap;
        self.mass[lane] = point.mass;
        self.lever[lane] = point.lever;
        self.impulse[lane] = point.impulse;
        self.total[lane] = 0.0;
    }
}

impl Block {
    const EMPTY: Self = Self {
        a: [0; LANES],
        b: [0; LANES],
        pair: [0; LANES],
        touch: [0; LANES],
        lanes: 0,
        count: 0,
        rolls: false,
        twists: false,
        moved: [[false; 2]; LANES],
        mass_a: [NOTHING; 3],
        mass_b: [NOTHING; 3],
        inertia_a: [NOTHING; 6],
        inertia_b: [NOTHING; 6],
        normal: [NOTHING; 3],
        tangent: [NOTHING; 3],
        bitangent: [NOTHING; 3],
        points: [PointRows::EMPTY; MAX_POINTS],
        rate: NOTHING,
        mass_share: NOTHING,
        give: NOTHING,
        restitution: NOTHING,
        friction_share: NOTHING,
        rolling_share: NOTHING,
        spinning_share: NOTHING,
        arm_a: [NOTHING; 3],
        arm_b: [NOTHING; 3],
        friction_mass: [NOTHING; 3],
        friction: [NOTHING; 2],
        twist_mass: NOTHING,
        twist: NOTHING,
        rolling_mass: [NOTHING; 3],
        rolling: [NOTHING; 2],
        after: [[NOTHING; 3]; 4],
    };

    /// Gives a touch the next lane; what it is like is filled in later.
    fn take_in(&mut self, bodies: [usize; 2], pair: u32, touch: u32, points: usize) {
        let lane = self.lanes;
        self.lanes += 1;
        self.count = self.count.max(points);
        (self.a[lane], self.b[lane]) = (bodies[0] as u32, bodies[1] as u32);
        (self.pair[lane], self.touch[lane]) = (pair, touch);
    }

    /// Fills in what the touches are like.
    fn fill(&mut self, bodies: &Bodies, pairs: &[NearPair], rules: &StepRules) {
        (self.rolls, self.twists) = (false, false);
        for lane in 0..self.lanes {
            let pair = &pairs[self.pair[lane] as usize];
            let touch = &pair.touches[self.touch[lane] as usize];
            let touch = (self.touch[lane], touch);
            let ready = prepare(bodies, rules.margin, (self.pair[lane], pair), touch);
            let Softness { rate, mass_share, give } = rules.softness(ready.strain);
            (self.rate[lane], self.mass_share[lane], self.give[lane]) = (rate, mass_share, give);
            self.set(bodies, lane, &ready);
        }
    }

    fn set(&mut self, bodies: &Bodies, lane: usize, touch: &Constraint) {
        let [a, b] = touch.bodies;
        self.rolls |= touch.material.rolling > 0.0;
        // One point alone has no lever.
        self.twists |= touch.count > 1 || touch.material.spinning > 0.0;
        self.moved[lane] = [bodies.is_moved(a), bodies.is_moved(b)];
        set3(&mut self.mass_a, lane, bodies.inverse_masses[a]);
        set3(&mut self.mass_b, lane, bodies.inverse_masses[b]);
        set6(&mut self.inertia_a, lane, &touch.inverse_inertias[0]);
        set6(&mut self.inertia_b, lane, &touch.inverse_inertias[1]);
        set3(&mut self.normal, lane, touch.normal);
        set3(&mut self.tangent, lane, touch.tangent);
        set3(&mut self.bitangent, lane, touch.bitangent);
        // Beyond those that the touch has, all is 0: points that do nothing.
        for (rows, point) in self.points[..self.count].iter_mut().zip(&touch.points) {
            rows.set(lane, point);
        }
        self.restitution[lane] = touch.material.restitution;
        self.friction_share[lane] = touch.material.friction;
        self.rolling_share[lane] = touch.material.rolling;
        self.spinning_share[lane] = touch.material.spinning;
        set3(&mut self.arm_a, lane, touch.arm_a);
        set3(&mut self.arm_b, lane, touch.arm_b);
        for (row, value) in self.friction_mass.iter_mut().zip(touch.friction_mass) {
            row[lane] = value;
        }
        self.friction[0][lane] = touch.friction[0];
        self.friction[1][lane] = touch.friction[1];
        self.twist_mass[lane] = touch.twist_mass;
        self.twist[lane] = touch.twist;
        for (row, value) in self.rolling_mass.iter_mut().zip(touch.rolling_mass) {
            row[lane] = value;
        }
        self.rolling[0][lane] = touch.rolling[0];
        self.rolling[1][lane] = touch.rolling[1];
    }

    /// Hands back what held a touch. Impacts may have added to the totals before.
    pub(super) fn hand_back(&self, lane: usize, touch: &mut Touch) {
        let count = touch.manifold.points().len();
        for (memory, point) in touch.points.iter_mut().zip(&self.points[..count]) {
            memory.impulse = point.impulse[lane];
            memory.total = point.total[lane];
        }
        let (tangent, bitangent) = (get3(&self.tangent, lane), get3(&self.bitangent, lane));
        let along = |of: &[Row; 2]| tangent * of[0][lane] + bitangent * of[1][lane];
        touch.friction = along(&self.friction);
        touch.rolling = along(&self.rolling);
        touch.twist = self.twist[lane];
    }
}

/// The blocks of a colour. They are kept from step to step for their memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Colour {
    blocks: Vec<Block>,
    used: usize,
}

/// All touches of a step by colours, and those without a colour at the end.
#[derive(Clone, Debug, Default)]
pub(super) struct Blocks {
    colours: Vec<Colour>,
    /// A bit for each colour that a body has.
    taken: Vec<u32>,
}

impl Blocks {
    /// Nothing yet, for so many places of bodies.
    pub(super) fn clear(&mut self, places: usize) {
        self.colours.resize(COLOURS + 1, Colour::default());
        self.colours.iter_mut().for_each(|colour| colour.used = 0);
        self.taken.clear();
        self.taken.resize(places, 0);
    }

    /// Finds a place for a touch.
    pub(super) fn place(&mut self, bodies: &Bodies, pair: &NearPair, number: u32, touch: u32) {
        let places = pair.bodies.map(|place| place as usize);
        let moved = places.map(|place| bodies.is_moved(place));
        let [a, b] = places;
        let taken =
            if moved[0] { self.taken[a] } else { 0 } | if moved[1] { self.taken[b] } else { 0 };
        let colour = (!taken).trailing_zeros() as usize;
        let colour = colour.min(COLOURS);
        if colour < COLOURS {
            for (place, moved) in places.into_iter().zip(moved) {
                if moved {
                    self.taken[place] |= 1 << colour;
                }
            }
        }
        let room = if colour < COLOURS { LANES } else { 1 };
        let Colour { blocks, used } = &mut self.colours[colour];
        if *used == 0 || blocks[*used - 1].lanes == room {
            if *used == blocks.len() {
                blocks.push(Block::EMPTY);
            }
            (blocks[*used].lanes, blocks[*used].count) = (0, 0);
            *used += 1;
        }
        let points = pair.touches[touch as usize].manifold.points().len();
        blocks[*used - 1].take_in(places, number, touch, points);
    }

    /// Fills in what the touches are like.
    pub(super) fn fill(
        &mut self,
        bodies: &Bodies,
        pairs: &[NearPair],
        rules: &StepRules,
        threads: usize,
    ) {
        let mut all: Vec<&mut Block> = self.colours().flat_map(|(blocks, _)| blocks).collect();
        share(threads, FILL_LEAST, &mut all, |blocks| {
            for block in blocks {
                block.fill(bodies, pairs, rules);
            }
        });
    }

    /// Every block, in the order in which they are solved.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Block> {
        self.colours.iter().flat_map(|colour| &colour.blocks[..colour.used])
    }

    /// How many blocks there are.
    pub(super) fn len(&self) -> usize {
        self.colours.iter().map(|colour| colour.used).sum()
    }

    /// Every colour, in the order in which they are solved: all blocks of one at the same time, but those of
    /// the last one by one.
    pub(super) fn colours(&mut self) -> impl Iterator<Item = (&mut [Block], bool)> {
        let colours = self.colours.iter_mut().enumerate().filter(|(_, colour)| colour.used > 0);
        colours.map(|(number, colour)| (&mut colour.blocks[..colour.used], number < COLOURS))
    }
}
