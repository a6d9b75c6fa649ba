//! Eight touches side by side: all that the solver reads and writes of them.
//!
//! Which of them may be in one block is a matter of their [colours](super::colours).

use super::bodies::Bodies;
use super::lanes::{LANES, Row, Rows3, Rows6, get3, set3, set6};
use super::prepare::{Constraint, Point, Softness, StepRules, prepare};
use super::touch::Touch;
use super::touches::NearPair;
use crate::contacts::MAX_POINTS;

/// Which touch it is: the pair's number, and the touch's within it.
#[derive(Clone, Copy, Debug)]
pub(super) struct TouchName {
    pub(super) pair: u32,
    pub(super) touch: u32,
}

/// A contact point of each of eight touches; where a touch has fewer points, one that does nothing.
#[derive(Clone, Copy, Debug)]
pub(super) struct PointRows {
    pub(super) turn_a: Rows3,
    pub(super) turn_b: Rows3,
    /// Apart when the bodies last moved; below 0, in each other.
    pub(super) gap: Row,
    /// The same, when the step began.
    pub(super) first_gap: Row,
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
}

const NOTHING: Row = [0.0; LANES];

impl PointRows {
    const EMPTY: Self = Self {
        turn_a: [NOTHING; 3],
        turn_b: [NOTHING; 3],
        gap: NOTHING,
        first_gap: NOTHING,
        mass: NOTHING,
        lever: NOTHING,
        impulse: NOTHING,
        total: NOTHING,
    };

    /// Of a touch that is new: nothing has held it in this step.
    fn set(&mut self, lane: usize, point: &Point) {
        set3(&mut self.turn_a, lane, point.turn_a);
        set3(&mut self.turn_b, lane, point.turn_b);
        (self.gap[lane], self.first_gap[lane]) = (point.gap, point.gap);
        self.mass[lane] = point.mass;
        self.lever[lane] = point.lever;
        self.impulse[lane] = point.impulse;
        self.total[lane] = 0.0;
    }
}

impl Block {
    pub(super) const EMPTY: Self = Self {
        a: [0; LANES],
        b: [0; LANES],
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
    };

    /// Fills in what the touches are like.
    pub(super) fn fill(
        &mut self,
        touches: &[TouchName],
        bodies: &Bodies,
        pairs: &[NearPair],
        rules: &StepRules,
    ) {
        let named = |name: &TouchName| {
            let pair = &pairs[name.pair as usize];
            (pair, &pair.touches[name.touch as usize])
        };
        let points = touches.iter().map(|name| named(name).1.manifold.points().len());
        self.count = points.max().unwrap_or(0);
        self.lanes = touches.len();
        (self.rolls, self.twists) = (false, false);
        for (lane, name) in touches.iter().enumerate() {
            let (pair, touch) = named(name);
            let ready = prepare(bodies, rules.margin, (name.pair, pair), (name.touch, touch));
            let Softness { rate, mass_share, give } = rules.softness(ready.strain);
            (self.rate[lane], self.mass_share[lane], self.give[lane]) = (rate, mass_share, give);
            self.set(bodies, lane, &ready);
        }
    }

    fn set(&mut self, bodies: &Bodies, lane: usize, touch: &Constraint) {
        let [a, b] = touch.bodies;
        (self.a[lane], self.b[lane]) = (a as u32, b as u32);
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
