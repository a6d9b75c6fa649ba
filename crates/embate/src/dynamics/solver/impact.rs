//! Which impulses, all at one instant, make the points of a touch part as they should?

use embate_geom::{Vec3, scalar};

use super::bodies::Bodies;
use super::prepare::{Constraint, Point};
use crate::contacts::MAX_POINTS;

/// What the impulses of an impact change: velocity and spin of A and of B.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Jump {
    pub(super) velocity: [Vec3; 2],
    pub(super) spin: [Vec3; 2],
}

impl Jump {
    /// How much faster the bodies part at a point.
    pub(super) fn parting(&self, normal: Vec3, point: &Point) -> f32 {
        normal.dot(self.velocity[1] - self.velocity[0]) + point.turn_b.dot(self.spin[1])
            - point.turn_a.dot(self.spin[0])
    }

    /// Pushes B by an impulse and A back by the same; each is also turned.
    pub(super) fn push(
        &mut self,
        bodies: &Bodies,
        touch: &Constraint,
        impulse: Vec3,
        [turn_a, turn_b]: [Vec3; 2],
    ) {
        let [a, b] = touch.bodies;
        self.velocity[0] -= impulse.scaled_by(bodies.inverse_masses[a]);
        self.velocity[1] += impulse.scaled_by(bodies.inverse_masses[b]);
        // By the inertias that the masses of the points are made of. Joints turn those of the bodies within a step: of a
        // needle that had turned, each round then gave a hundred times what the one before had asked.
        self.spin[0] -= touch.inverse_inertias[0] * turn_a;
        self.spin[1] += touch.inverse_inertias[1] * turn_b;
    }

    /// The impulses along the normal that bring each point at least what it is missing of the speed of parting, and
    /// what they change. Points without a number take no part. Goes over them so many times at most.
    pub(super) fn that_parts(
        bodies: &Bodies,
        touch: &Constraint,
        missing: &[Option<f32>; MAX_POINTS],
        rounds: usize,
    ) -> (Self, [f32; MAX_POINTS]) {
        let mut jump = Self::default();
        let mut impulses = [0.0; MAX_POINTS];
        for _ in 0..rounds {
            let (mut changed, mut largest) = (0.0, 0.0);
            for (index, point) in touch.points[..touch.count].iter().enumerate() {
                let Some(missing) = missing[index] else { continue };
                let still = jump.parting(touch.normal, point) - missing;
                let impulse = scalar::max(impulses[index] - point.mass * still, 0.0);
                let change = impulse - impulses[index];
                let turns = [point.turn_a * change, point.turn_b * change];
                jump.push(bodies, touch, touch.normal * change, turns);
                impulses[index] = impulse;
                changed = scalar::max(change.abs(), changed);
                largest = scalar::max(impulse, largest);
            }
            if changed <= largest * f32::EPSILON {
                break;
            }
        }
        (jump, impulses)
    }
}
