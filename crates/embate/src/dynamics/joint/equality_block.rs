//! Which speeds does a joint forbid, whatever happens?

use embate_geom::Vec3;

use super::super::bodies::Bodies;
use super::super::body::Kind;
use super::dense::{Block, Six, Triangle, add, dot, independent};
use super::link::Link;
use super::row::{CRAWL, Row};
use super::strain::Strain;

/// A direction that follows from others to this share of itself says nothing of its own. Far above the rounding of
/// f64, and below what the longest arm leaves of a joint's pull along it.
const NOTHING_NEW: f64 = 1e-12;
/// Where axes are locked, less than this is left of a direction by rounding alone.
const NOTHING_FREE: f64 = 1e-8;

/// An impulse that alone would part its two bodies faster than this, in m/s or rad/s, is of a joint that was torn, and
/// is forgotten: what nothing can obey would grow without end. A thousand times the largest speed of any world: under
/// ten million times its own weight a joint is far below, if its arms are about as long as its bodies.
pub(super) const TORN: f64 = 1e9;

/// Up to six directions along which a joint holds its bodies to each other.
#[derive(Clone, Debug)]
pub(super) struct Held {
    pub(super) link: u32,
    pub(super) bodies: [usize; 2],
    pub(super) count: usize,
    /// Where the impulse of each is kept: which of the joint's, and along which axis of it.
    slots: [[usize; 2]; 6],
    /// How each body's six ways to move count along each direction.
    pub(super) ways: [Block; 2],
    /// The speed that undoes the error.
    back: Six,
    pub(super) strain: Option<Strain>,
    pub(super) impulse: Six,
    /// What unit impulses do to the speeds, as if nothing else held the two.
    pub(super) own: Block,
    /// Directions from this one on are not held, but calmed: each yields to its impulse by so much.
    firm: usize,
    calmed: Six,
}

/// The six ways of a body: how heavy it is along each, and which of them it has at all.
#[derive(Clone, Debug)]
pub(super) struct Weight {
    pub(super) mass: Block,
    pub(super) free: [bool; 6],
    /// As if nothing were locked.
    whole: Triangle,
}

impl Weight {
    pub(super) fn of(bodies: &Bodies, place: usize) -> Self {
        let nature = bodies.nature(place);
        let mut free = [nature.kind == Kind::Moving; 6];
        for axis in 0..3 {
            free[axis] &= !nature.locks.moving[axis];
            free[axis + 3] &= !nature.locks.turning[axis];
        }
        let mut mass = [[0.0; 6]; 6];
        let axes = bodies.places[place].rotation.matrix().columns;
        let axes = axes.map(|axis| axis.to_array().map(f64::from));
        let inertia = nature.mass.inertia.columns;
        for row in 0..3 {
            mass[row][row] = f64::from(nature.mass.kilograms);
            for column in 0..3 {
                let mut sum = 0.0;
                for (i, a) in axes.iter().enumerate() {
                    for (j, b) in axes.iter().enumerate() {
                        sum += a[row] * f64::from(inertia[j][i]) * b[column];
                    }
                }
                mass[row + 3][column + 3] = sum;
            }
        }
        let whole = Triangle::new(&mass, 6);
        for way in (0..6).filter(|&way| !free[way]) {
            for other in 0..6 {
                (mass[way][other], mass[other][way]) = (0.0, 0.0);
            }
            mass[way][way] = 1.0;
        }
        Self { mass, free, whole }
    }

    /// How easily the body would move along a direction if nothing were locked; but one that cannot turn at all is
    /// no easier to move for its arm.
    fn unlocked(&self, way: &Six) -> f64 {
        let mut way = *way;
        if !self.free[3..].contains(&true) {
            way[3..].fill(0.0);
        }
        let half = self.whole.half(&way);
        dot(&half, &half)
    }
}

fn six(along: Vec3, turn: Vec3) -> Six {
    let ([a, b, c], [d, e, f]) = (along.to_array(), turn.to_array());
    [a, b, c, d, e, f].map(f64::from)
}

impl Held {
    pub(super) fn new(link: u32, bodies: [usize; 2]) -> Self {
        Self {
            link,
            bodies,
            count: 0,
            slots: [[0; 2]; 6],
            ways: [[[0.0; 6]; 6]; 2],
            back: [0.0; 6],
            strain: None,
            impulse: [0.0; 6],
            own: [[0.0; 6]; 6],
            firm: 0,
            calmed: [0.0; 6],
        }
    }

    /// One direction more, at most six.
    pub(super) fn push(&mut self, slot: [usize; 2], row: &Row, back: f32, impulse: f32) {
        let index = self.count;
        self.slots[index] = slot;
        self.ways[0][index] = six(-row.along, -row.turn_a);
        self.ways[1][index] = six(row.along, row.turn_b);
        self.back[index] = f64::from(back);
        self.impulse[index] = f64::from(impulse);
        self.count += 1;
    }

    /// Once both bodies are weighed: leaves out every direction that they cannot obey, or that follows from the
    /// others, as in the plane of a planar world.
    pub(super) fn weigh(&mut self, sides: [Option<(&Weight, &Triangle)>; 2]) {
        let mut own = [[0.0; 6]; 6];
        let mut unlocked = [0.0; 6];
        let mut least = NOTHING_NEW;
        for (ways, side) in self.ways.iter_mut().zip(sides) {
            let Some((weight, triangle)) = side else { continue };
            let mut halves = [[0.0; 6]; 6];
            if weight.free.contains(&false) {
                least = NOTHING_FREE;
            }
            for (row, half) in halves[..self.count].iter_mut().enumerate() {
                let way = &mut ways[row];
                unlocked[row] += weight.unlocked(way);
                for (value, free) in way.iter_mut().zip(weight.free) {
                    *value = if free { *value } else { 0.0 };
                }
                *half = triangle.half(way);
            }
            for row in 0..self.count {
                for column in 0..self.count {
                    own[row][column] += dot(&halves[row], &halves[column]);
                }
            }
        }
        // Written so that a NaN is torn, too.
        let whole = |row: usize| (self.impulse[row] * own[row][row]).abs() <= TORN;
        if !(0..self.count).all(whole) {
            self.impulse = [0.0; 6];
        }
        let (chosen, count) = independent(&own, &unlocked[..self.count], least);
        let before = self.clone();
        (self.count, self.firm) = (count, count);
        for (to, &from) in chosen[..count].iter().enumerate() {
            self.slots[to] = before.slots[from];
            self.back[to] = before.back[from];
            self.impulse[to] = before.impulse[from];
            for side in 0..2 {
                self.ways[side][to] = before.ways[side][from];
            }
            for (column, &other) in chosen[..count].iter().enumerate() {
                self.own[to][column] = own[from][other];
            }
        }
    }

    /// How fast the bodies move along each direction, and with `pull` how much faster than they should, if each
    /// yields to its impulse by `soft`.
    pub(super) fn excess(&self, bodies: &Bodies, pull: Option<f64>) -> Six {
        let mut speed = [0.0; 6];
        for (side, &place) in self.bodies.iter().enumerate() {
            let motion = &bodies.motions[place];
            let moves = six(motion.velocity, motion.spin);
            for (speed, way) in speed[..self.count].iter_mut().zip(&self.ways[side]) {
                *speed += dot(way, &moves);
            }
        }
        if let Some(soft) = pull {
            for (row, speed) in speed[..self.count].iter_mut().enumerate() {
                *speed += if row < self.firm {
                    self.back[row] + soft * dot(&self.own[row], &self.impulse)
                } else {
                    self.calmed[row] * self.impulse[row]
                };
            }
        }
        speed
    }

    /// How it yields, if what is held does by `soft` as a share of what its two bodies alone do.
    pub(super) fn yields(&self, soft: f64) -> Block {
        let mut yields = [[0.0; 6]; 6];
        for row in 0..self.count {
            for column in 0..self.firm {
                yields[row][column] =
                    if row < self.firm { soft * self.own[row][column] } else { 0.0 };
            }
            if row >= self.firm {
                yields[row][row] = self.calmed[row];
            }
        }
        yields
    }

    /// Calms what its own pull would shake. After it was weighed.
    pub(super) fn calm_down(&mut self, sides: [Option<&Triangle>; 2], h: f32) {
        let Some(strain) = self.strain else { return };
        for (row, stiff) in strain.calms(h).into_iter().flatten() {
            if self.count == 6 {
                return;
            }
            let index = self.count;
            self.ways[0][index] = six(-row.along, -row.turn_a);
            self.ways[1][index] = six(row.along, row.turn_b);
            let mut own = 0.0;
            for (ways, side) in self.ways.iter().zip(sides) {
                if let Some(side) = side {
                    let half = side.half(&ways[index]);
                    own += dot(&half, &half);
                }
            }
            // Only what is too fast for a sub-step.
            let fast = own * f64::from(stiff);
            if fast > 1.0 {
                self.calmed[index] = own / (fast - 1.0);
                self.impulse[index] = 0.0;
                self.count += 1;
            }
        }
    }

    /// Forgets what is calmed: where it closes a ring.
    pub(super) fn only_hold(&mut self) {
        self.count = self.firm;
    }

    /// Whether its error is undone at more than a crawl.
    pub(super) fn is_off(&self) -> bool {
        dot(&self.back, &self.back) > f64::from(CRAWL * CRAWL)
    }

    /// What an impulse gives to a body's six momenta.
    pub(super) fn given(&self, side: usize, impulse: &Six) -> Six {
        let mut sum = [0.0; 6];
        for (way, &impulse) in self.ways[side][..self.count].iter().zip(impulse) {
            add(&mut sum, impulse, way);
        }
        sum
    }

    /// Keeps its impulses for the next sub-step.
    pub(super) fn remember(&self, link: &mut Link) {
        for (row, [slot, axis]) in self.slots[..self.firm].iter().enumerate() {
            link.impulses[*slot][*axis] = self.impulse[row] as f32;
        }
    }
}

/// Changes how a body moves.
pub(super) fn hurry(bodies: &mut Bodies, place: usize, change: &Six) {
    let [a, b, c, d, e, f] = change.map(|value| value as f32);
    bodies.motions[place].velocity += Vec3::new(a, b, c);
    bodies.motions[place].spin += Vec3::new(d, e, f);
}
