//! Two bodies, in every way two bodies can be to each other, made from a seed.
//!
//! Scene 7 of a seed is the same whether or not scenes 0 to 6 were made before it, so that a failing one
//! can be made again alone: its name holds all it takes.

mod bodies;
mod casts;
mod placing;

pub use bodies::{KIND_PAIRS, Kind, Stock, TRIANGLE_PAIRS, Twin, any_direction, size_between};
pub use casts::{CAST_PAIRS, Cast};

use embate::{Pose, Rotation};
use embate_lab::random::Random;

use crate::contact_reference::{Form, Place, Point, Solid, Turn};
use placing::{Feature, outward, touching_points};

/// How two bodies are turned to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Posture {
    /// Anyhow.
    Random,
    /// Both along the axes of the world.
    Aligned,
    /// A face on a face, but for a tilt of 1e-7 to 1e-2.
    NearlyAligned,
    /// A face on a face.
    FaceOnFace,
    /// A face on an edge.
    EdgeOn,
    /// A face on a corner.
    CornerOn,
    /// Two edges across each other.
    EdgeOnEdge,
}

/// How near two bodies are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Apart, by 0.01 to 2 sizes of the larger.
    Apart,
    /// Apart, by 1e-4 to 1e-2 sizes of the smaller.
    Near,
    /// Touching, but for the rounding of f32.
    Touching,
    /// Overlapping by 1e-4 to 1e-2 sizes of the smaller.
    Shallow,
    /// Overlapping by 0.05 to 1 sizes of the smaller.
    Deep,
    /// With one origin.
    Concentric,
}

const POSTURES: [Posture; 7] = [
    Posture::Random,
    Posture::Aligned,
    Posture::NearlyAligned,
    Posture::FaceOnFace,
    Posture::EdgeOn,
    Posture::CornerOn,
    Posture::EdgeOnEdge,
];

const STATES: [State; 6] =
    [State::Apart, State::Near, State::Touching, State::Shallow, State::Deep, State::Concentric];

/// How far from the origin a fourth of all scenes is.
pub const FAR: f64 = 10_000.0;

/// Two bodies.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Which scene of the seed.
    pub number: u64,
    /// How they are turned.
    pub posture: Posture,
    /// How near they are.
    pub state: State,
    /// Whether they are [`FAR`] from the origin.
    pub far: bool,
    /// Their shapes.
    pub twins: [Twin; 2],
    /// Their poses.
    pub poses: [Pose; 2],
}

impl Scene {
    /// The scene of a number; every fourteenth is of the same two kinds.
    #[must_use]
    pub fn new(stock: &Stock, seed: u64, number: u64) -> Self {
        Self::of(stock, seed, number, &KIND_PAIRS)
    }

    /// The scene of a number, the kinds being these one after the other.
    #[must_use]
    pub fn of(stock: &Stock, seed: u64, number: u64, pairs: &[[Kind; 2]]) -> Self {
        let mut random = Random::for_purpose(seed, &[0x70_75_63_68, number]);
        let kinds = pairs[(number % pairs.len() as u64) as usize];
        let size = size_between(&mut random, 1e-3, 1e4);
        // Half of all pairs are about as large as each other, the others anything.
        let other = if random.below(2) == 0 {
            (size * size_between(&mut random, 0.3, 3.0)).clamp(1e-3, 1e4)
        } else {
            size_between(&mut random, 1e-3, 1e4)
        };
        let twins =
            [stock.shape(kinds[0], size, &mut random), stock.shape(kinds[1], other, &mut random)];
        let posture = POSTURES[random.below(POSTURES.len() as u32) as usize];
        let state = STATES[random.below(STATES.len() as u32) as usize];
        let far = random.below(4) == 0;
        let gap = gap(&twins, state, &mut random);
        let mut scene = Self::placed(twins, posture, gap, far, &mut random);
        (scene.number, scene.state) = (number, state);
        if random.below(2) == 0 {
            scene.twins.swap(0, 1);
            scene.poses.swap(0, 1);
        }
        scene
    }

    /// Two shapes, the second put to the first in a posture with a gap between them, which is an overlap
    /// if it is negative; without a gap both have one origin. Both are then moved to anywhere in the world.
    #[must_use]
    pub fn placed(
        twins: [Twin; 2],
        posture: Posture,
        gap: Option<f64>,
        far: bool,
        random: &mut Random,
    ) -> Self {
        let (_, larger) = sizes(&twins);
        let (turns, normal) = turned(&twins, posture, random);
        let [on_a, on_b] = touching_points(&twins, turns, normal, larger, random);
        let offset = gap.map_or(Point::ZERO, |gap| on_a - on_b + normal * gap);
        // A common motion, so that nothing depends on where the first of them is.
        let at_rest = posture == Posture::Aligned || random.below(4) == 0;
        let common = if at_rest { Turn::NONE } else { any_turn(random) };
        let origin = match (far, at_rest) {
            (true, _) => any_direction(random) * FAR,
            (false, true) => Point::ZERO,
            (false, false) => any_direction(random) * (larger * random.unit_f64()),
        };
        let pose = |turn: Turn, at: Point| pose(turn.then(common), common.turn(at) + origin);
        let poses = [pose(turns[0], Point::ZERO), pose(turns[1], offset)];
        Self { number: 0, posture, state: State::Touching, far, twins, poses }
    }

    /// Both as the judge sees them.
    #[must_use]
    pub fn solids(&self) -> [Solid; 2] {
        let solid = |body: usize| self.twins[body].form.placed(&Place::of(&self.poses[body]));
        [solid(0), solid(1)]
    }

    /// The size of the larger.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.twins[0].form.size().max(self.twins[1].form.size())
    }

    /// The size of the smaller.
    #[must_use]
    pub fn smaller(&self) -> f64 {
        sizes(&self.twins).0
    }

    /// The largest distance of a point from its body's origin.
    fn reach(&self) -> f64 {
        self.twins[0].form.reach().max(self.twins[1].form.reach())
    }

    /// What f32 can lose of the larger one, as far as it reaches, and of the way between the two: eight steps.
    #[must_use]
    pub fn rounding(&self) -> f64 {
        let between = Point::of(self.poses[1].position) - Point::of(self.poses[0].position);
        8.0 * f64::from(f32::EPSILON) * (self.reach() + between.length())
    }

    /// What errors are measured by: the size of the smaller, and the length of which [`Scene::rounding`] is
    /// one part in ten thousand.
    #[must_use]
    pub fn measure(&self) -> f64 {
        self.smaller() + 1e4 * self.rounding()
    }

    /// How far a point of the world near the bodies can be from where f32 puts it: a few steps of the
    /// largest coordinate.
    #[must_use]
    pub fn world_rounding(&self) -> f64 {
        let reach = |body: usize| Point::of(self.poses[body].position).length();
        (reach(0).max(reach(1)) + self.reach()) * f64::from(f32::EPSILON)
    }
}

/// The sizes of the smaller and the larger. A half-space has none.
fn sizes(twins: &[Twin; 2]) -> (f64, f64) {
    match [twins[0].form.size(), twins[1].form.size()] {
        [size, 0.0] | [0.0, size] => (size, size),
        [a, b] => (a.min(b), a.max(b)),
    }
}

/// What a state means for two shapes.
fn gap(twins: &[Twin; 2], state: State, random: &mut Random) -> Option<f64> {
    let (smaller, larger) = sizes(twins);
    match state {
        State::Apart => Some(larger * size_between(random, 0.01, 2.0)),
        State::Near => Some(smaller * size_between(random, 1e-4, 1e-2)),
        State::Touching => Some(0.0),
        State::Shallow => Some(-smaller * size_between(random, 1e-4, 1e-2)),
        State::Deep => Some(-smaller * size_between(random, 0.05, 1.0)),
        State::Concentric => None,
    }
}

/// The turns of both, and the normal from the first to the second along which they are to meet.
fn turned(twins: &[Twin; 2], posture: Posture, random: &mut Random) -> ([Turn; 2], Point) {
    let features = match posture {
        Posture::Random => {
            let turns = [any_turn(random), any_turn(random)];
            return (turns, normal_of(twins, turns, Feature::Any, random));
        }
        Posture::Aligned => {
            let turns = [quarter_turns(random), quarter_turns(random)];
            return (turns, normal_of(twins, turns, Feature::Face, random));
        }
        Posture::NearlyAligned | Posture::FaceOnFace => [Feature::Face, Feature::Face],
        Posture::EdgeOn => [Feature::Face, Feature::Edge],
        Posture::CornerOn => [Feature::Face, Feature::Corner],
        Posture::EdgeOnEdge => [Feature::Edge, Feature::Edge],
    };
    let normal = outward(&twins[0].form, features[0], random);
    let opposite = outward(&twins[1].form, features[1], random);
    let spin = Turn::about(normal, random.unit_f64() * core::f64::consts::TAU);
    let mut turn = Turn::from_to(opposite, -normal).then(spin);
    if posture == Posture::NearlyAligned {
        turn = turn.then(Turn::about(any_direction(random), size_between(random, 1e-7, 1e-2)));
    }
    ([Turn::NONE, turn], normal)
}

/// Out of the first; or into the second, if it is a half-space, which can be met along no other.
fn normal_of(twins: &[Twin; 2], turns: [Turn; 2], first: Feature, random: &mut Random) -> Point {
    match &twins[1].form {
        Form::HalfSpace { normal } => -turns[1].turn(*normal),
        Form::Round { .. } => turns[0].turn(outward(&twins[0].form, first, random)),
    }
}

/// Every turn equally often, or near enough.
#[must_use]
pub fn any_turn(random: &mut Random) -> Turn {
    Turn::about(any_direction(random), random.unit_f64() * core::f64::consts::TAU)
}

/// Turns that take axes to axes.
fn quarter_turns(random: &mut Random) -> Turn {
    let quarter = core::f64::consts::FRAC_PI_2;
    let about =
        |axis: Point, random: &mut Random| Turn::about(axis, f64::from(random.below(4)) * quarter);
    about(Point::new(1.0, 0.0, 0.0), random)
        .then(about(Point::new(0.0, 1.0, 0.0), random))
        .then(about(Point::new(0.0, 0.0, 1.0), random))
}

/// The engine's pose nearest to a turn and a place.
///
/// # Panics
/// If the turn is none.
#[must_use]
pub fn pose(turn: Turn, at: Point) -> Pose {
    // What is 0 but for the rounding of f64 is to be 0.
    let clean = turn.0.map(|c| if c.abs() < 1e-15 { 0.0 } else { c as f32 });
    let rotation = Rotation::from_quaternion(clean).expect("a turn has a length");
    Pose { rotation, position: at.rounded() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact_reference::parting;

    /// What the names say: the judge finds apart what is called so, and touching what touches.
    #[test]
    fn scenes_are_in_the_state_they_are_said_to_be_in() {
        let stock = Stock::new(60);
        for number in 0..3_000 {
            let scene = Scene::new(&stock, 1, number);
            let [a, b] = scene.solids();
            let told = parting(&a, &b).separation;
            // Rounding the poses moves a body.
            let slack = 4.0 * scene.world_rounding();
            let name = format!("{:?}, {:?}, {number}: {told:e}", scene.posture, scene.state);
            match scene.state {
                // A tilt moves the farthest corner, by less than a gap between larger bodies.
                State::Apart => assert!(told > -slack - 0.01 * scene.size(), "{name}"),
                State::Near | State::Touching if scene.posture != Posture::NearlyAligned => {
                    assert!(told > -slack && told < 0.011 * scene.size() + slack, "{name}");
                }
                State::Shallow if scene.posture != Posture::NearlyAligned => {
                    assert!(told < slack && told > -0.011 * scene.size() - slack, "{name}");
                }
                // A thin body is pushed through to the other side, and a hull need not hold its origin.
                _ => {}
            }
        }
    }
}
