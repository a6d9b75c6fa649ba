//! Two bodies on their way to each other, or past.

use embate::contacts::Motion;
use embate::{Pose, Vec3};
use embate_lab::random::Random;

use super::{
    KIND_PAIRS, Kind, Posture, Scene, Stock, TRIANGLE_PAIRS, Twin, any_direction, pose,
    size_between,
};
use crate::contact_reference::impact::Moving;
use crate::contact_reference::{Point, Turn};

/// Every two kinds that can touch, once; triangles of meshes among them.
pub const CAST_PAIRS: [[Kind; 2]; KIND_PAIRS.len() + TRIANGLE_PAIRS.len()] = {
    let mut pairs = [[Kind::Triangle; 2]; KIND_PAIRS.len() + TRIANGLE_PAIRS.len()];
    let mut kind = 0;
    while kind < pairs.len() {
        let triangles = kind >= KIND_PAIRS.len();
        pairs[kind] =
            if triangles { TRIANGLE_PAIRS[kind - KIND_PAIRS.len()] } else { KIND_PAIRS[kind] };
        kind += 1;
    }
    pairs
};

const POSTURES: [Posture; 5] =
    [Posture::Random, Posture::FaceOnFace, Posture::EdgeOn, Posture::CornerOn, Posture::EdgeOnEdge];

/// Two bodies at time 0 and how they move until time 1.
#[derive(Clone, Debug)]
pub struct Cast {
    /// Which cast of the seed.
    pub number: u64,
    /// Their shapes.
    pub twins: [Twin; 2],
    /// Where they are at time 0.
    pub poses: [Pose; 2],
    /// How far their origins move.
    pub velocities: [Vec3; 2],
    /// By how much they turn, as an axis as long as the angle.
    pub spins: [Vec3; 2],
    /// The distance at which they count as touching.
    pub distance: f32,
}

impl Cast {
    /// The cast of a number. Most are made backwards, from two bodies that touch at some time between 0
    /// and 1; on the way there they may meet earlier, or begin within each other. The rest pass by.
    #[must_use]
    pub fn new(stock: &Stock, seed: u64, number: u64) -> Self {
        let mut random = Random::for_purpose(seed, &[0x63_61_73_74, number]);
        let kinds = CAST_PAIRS[(number % CAST_PAIRS.len() as u64) as usize];
        let size = size_between(&mut random, 0.01, 100.0);
        let other = size * size_between(&mut random, 0.1, 10.0);
        let twins =
            [stock.shape(kinds[0], size, &mut random), stock.shape(kinds[1], other, &mut random)];
        let larger = twins[0].form.size().max(twins[1].form.size());
        let posture = POSTURES[random.below(POSTURES.len() as u32) as usize];
        let miss = random.below(4) == 0;
        let gap = if miss { larger * size_between(&mut random, 0.01, 1.0) } else { 0.0 };
        let scene = Scene::placed(twins, posture, Some(gap), false, &mut random);
        let when = 0.05 + 0.9 * random.unit_f64();
        let mut poses = scene.poses;
        let (mut velocities, mut spins) = ([Vec3::ZERO; 2], [Vec3::ZERO; 2]);
        for body in 0..2 {
            let speed = size_between(&mut random, 0.1, 10.0) * larger;
            // A third of all bodies stands still, a third does not turn; half-spaces never do.
            let velocity =
                any_direction(&mut random) * if random.below(3) == 0 { 0.0 } else { speed };
            let turning = kinds[body] != Kind::HalfSpace && random.below(3) > 0;
            let angle = if turning { size_between(&mut random, 0.01, 6.0) } else { 0.0 };
            let spin = any_direction(&mut random) * angle;
            let turn = Turn(poses[body].rotation.to_array().map(f64::from));
            let back = spin.unit().map_or(turn, |axis| turn.then(Turn::about(axis, -angle * when)));
            poses[body] = pose(back, Point::of(poses[body].position) - velocity * when);
            (velocities[body], spins[body]) = (velocity.rounded(), spin.rounded());
        }
        let distance = if random.below(3) == 0 { larger * 0.01 } else { 0.0 } as f32;
        Self { number, twins: scene.twins, poses, velocities, spins, distance }
    }

    /// How a body moves.
    #[must_use]
    pub fn motion(&self, body: usize) -> Motion {
        Motion::new(self.poses[body], self.velocities[body], self.spins[body])
    }

    /// A body as the judge sees it.
    #[must_use]
    pub fn moving(&self, body: usize) -> Moving {
        Moving {
            form: self.twins[body].form.clone(),
            turn: Turn(self.poses[body].rotation.to_array().map(f64::from)),
            origin: Point::of(self.poses[body].position),
            velocity: Point::of(self.velocities[body]),
            spin: Point::of(self.spins[body]),
        }
    }

    /// What errors are measured by: the size of the larger.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.twins[0].form.size().max(self.twins[1].form.size())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact_reference::impact::first_within;

    #[test]
    fn most_casts_meet_on_the_way_and_some_pass_by() {
        let stock = Stock::new(100);
        let (mut hits, mut misses, mut within) = (0, 0, 0);
        for number in 0..560 {
            let cast = Cast::new(&stock, 1, number);
            match first_within(&cast.moving(0), &cast.moving(1), 1.0, 0.0) {
                Some(0.0) => within += 1,
                Some(_) => hits += 1,
                None => misses += 1,
            }
        }
        assert!(hits > 250 && misses > 50 && within < 200, "{hits} {misses} {within}");
    }
}
