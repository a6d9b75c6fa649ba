//! Shape casts: two bodies that move towards each other, or past.

use embate::narrow_phase::Sweep;
use embate::{Pose, Vec3};
use embate_scene::random::Random;

use super::{
    HullPool, RelativeOrientation, SHAPE_PAIRS, Scene, ShapeKind, ShapeWithReference,
    TRIANGLE_PAIRS, any_direction, log_uniform, pose,
};
use crate::contact_reference::toi::MovingShape;
use crate::contact_reference::{Point, Quaternion};

/// All pairs of types that can touch, each once, including mesh triangles.
pub const CAST_PAIRS: [[ShapeKind; 2]; SHAPE_PAIRS.len() + TRIANGLE_PAIRS.len()] = {
    let mut pairs = [[ShapeKind::Triangle; 2]; SHAPE_PAIRS.len() + TRIANGLE_PAIRS.len()];
    let mut index = 0;
    while index < pairs.len() {
        let has_triangle = index >= SHAPE_PAIRS.len();
        pairs[index] = if has_triangle {
            TRIANGLE_PAIRS[index - SHAPE_PAIRS.len()]
        } else {
            SHAPE_PAIRS[index]
        };
        index += 1;
    }
    pairs
};

const ORIENTATIONS: [RelativeOrientation; 5] = [
    RelativeOrientation::Random,
    RelativeOrientation::FaceOnFace,
    RelativeOrientation::EdgeOn,
    RelativeOrientation::VertexOn,
    RelativeOrientation::EdgeOnEdge,
];

/// Two bodies at time 0 and their sweeps until time 1.
#[derive(Clone, Debug)]
pub struct Cast {
    /// Index of the cast under its seed.
    pub number: u64,
    /// Shapes.
    pub shapes: [ShapeWithReference; 2],
    /// Poses at time 0.
    pub poses: [Pose; 2],
    /// Translations of their origins.
    pub translations: [Vec3; 2],
    /// Rotation vectors: axis times angle.
    pub rotation_vectors: [Vec3; 2],
    /// Distance at which they count as touching.
    pub distance: f32,
}

impl Cast {
    /// The cast with index `number`. Most are constructed backwards, from a contact at a time
    /// between 0 and 1; the bodies may touch earlier, or overlap initially. The rest miss.
    #[must_use]
    pub fn new(pool: &HullPool, seed: u64, number: u64) -> Self {
        let mut random = Random::for_purpose(seed, &[0x63_61_73_74, number]);
        let kinds = CAST_PAIRS[(number % CAST_PAIRS.len() as u64) as usize];
        let size = log_uniform(&mut random, 0.01, 100.0);
        let other = size * log_uniform(&mut random, 0.1, 10.0);
        let shapes =
            [pool.shape(kinds[0], size, &mut random), pool.shape(kinds[1], other, &mut random)];
        let larger = shapes[0].reference.size().max(shapes[1].reference.size());
        let orientation = ORIENTATIONS[random.below(ORIENTATIONS.len() as u32) as usize];
        let miss = random.below(4) == 0;
        let gap = if miss { larger * log_uniform(&mut random, 0.01, 1.0) } else { 0.0 };
        let scene = Scene::placed(shapes, orientation, Some(gap), false, &mut random);
        let contact_time = 0.05 + 0.9 * random.unit_f64();
        let mut poses = scene.poses;
        let (mut translations, mut rotation_vectors) = ([Vec3::ZERO; 2], [Vec3::ZERO; 2]);
        for body in 0..2 {
            let speed = log_uniform(&mut random, 0.1, 10.0) * larger;
            // 1/3 of the bodies do not translate, 1/3 do not rotate; half-spaces never rotate.
            let translation =
                any_direction(&mut random) * if random.below(3) == 0 { 0.0 } else { speed };
            let is_rotating = kinds[body] != ShapeKind::HalfSpace && random.below(3) > 0;
            let angle = if is_rotating { log_uniform(&mut random, 0.01, 6.0) } else { 0.0 };
            let rotation_vector = any_direction(&mut random) * angle;
            let rotation = Quaternion(poses[body].rotation.to_array().map(f64::from));
            let back = rotation_vector.unit().map_or(rotation, |axis| {
                rotation.then(Quaternion::about(axis, -angle * contact_time))
            });
            poses[body] = pose(back, Point::of(poses[body].position) - translation * contact_time);
            (translations[body], rotation_vectors[body]) =
                (translation.rounded(), rotation_vector.rounded());
        }
        let distance = if random.below(3) == 0 { larger * 0.01 } else { 0.0 } as f32;
        Self { number, shapes: scene.shapes, poses, translations, rotation_vectors, distance }
    }

    /// Sweep of a body.
    #[must_use]
    pub fn sweep(&self, body: usize) -> Sweep {
        Sweep::new(self.poses[body], self.translations[body], self.rotation_vectors[body])
    }

    /// The moving reference shape of a body.
    #[must_use]
    pub fn moving(&self, body: usize) -> MovingShape {
        MovingShape {
            shape: self.shapes[body].reference.clone(),
            rotation: Quaternion(self.poses[body].rotation.to_array().map(f64::from)),
            origin: Point::of(self.poses[body].position),
            velocity: Point::of(self.translations[body]),
            angular_velocity: Point::of(self.rotation_vectors[body]),
        }
    }

    /// Size of the larger body: the unit of errors.
    #[must_use]
    pub fn size(&self) -> f64 {
        self.shapes[0].reference.size().max(self.shapes[1].reference.size())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contact_reference::toi::first_time_within;

    #[test]
    fn most_casts_hit_and_some_miss() {
        let pool = HullPool::new(100);
        let (mut hits, mut misses, mut overlapping) = (0, 0, 0);
        for number in 0..560 {
            let cast = Cast::new(&pool, 1, number);
            match first_time_within(&cast.moving(0), &cast.moving(1), 1.0, 0.0) {
                Some(0.0) => overlapping += 1,
                Some(_) => hits += 1,
                None => misses += 1,
            }
        }
        assert!(hits > 250 && misses > 50 && overlapping < 200, "{hits} {misses} {overlapping}");
    }
}
