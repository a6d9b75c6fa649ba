//! Speculative contacts: contacts of bodies that are separated now but touch within this step.
//!
//! Manifolds within the speculative distance, a few slops, are speculative in the sense of `Box2D`,
//! too; the narrow phase creates those. This file adds those beyond it (compare the soft CCD of
//! rapier): a body that moves farther than this in a step can pass through a wall without ever
//! being that close at the end of a step. Bodies that approach by more than this distance in a step
//! are therefore advanced to where they are about to touch, by conservative advancement (Mirtich
//! 1996) along their velocities at the beginning of the step, before forces are integrated. The
//! manifold at that time, with the separation at the beginning of the step, is a contact like any
//! other, and wakes a sleeping body: bodies that move as predicted do not tunnel, and do not
//! collide with bodies that they pass by. Pairs that stay separated return early by the bounds of
//! [`culling`](crate::dynamics::narrow_phase::culling).
//!
//! A body in contact with one sub-shape of a mesh or compound can hit another in the same step: see
//! [`core_sweep`](crate::dynamics::ccd::core_sweep).
//!
//! Where the solver changes the motion and a core sphere passes through a surface,
//! [`motion_clamping`](crate::dynamics::ccd::motion_clamping) clamps the displacement.

use embate_geom::{Pose, Rotation, Vec3, scalar};

use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::ccd::core_sweep::core_sphere_contacts;
use crate::dynamics::narrow_phase::contact_pair::ContactPair;
use crate::dynamics::narrow_phase::culling::{
    MAX_ADVANCEMENT_STEPS, RelativeMotion, advancement_converges,
};
use crate::narrow_phase::{self, Manifold, SeparatingAxis};

/// A speculative contact duplicates an existing manifold of the same sub-shapes if the cosine
/// between the normals is above this: 26 degrees.
const SAME_NORMAL_COSINE: f32 = 0.9;

/// Manifold of two bodies at the time at which they are about to touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PredictedManifold {
    pub(super) manifold: Manifold,
    /// In seconds since the beginning of the step.
    pub(super) time_to_contact: f32,
}

/// Adds the speculative contacts of a pair within `time_step`. If the pair has manifolds already,
/// only contacts of sub-shapes that a core sphere of either body hits are added. The narrow phase
/// does not call it for sensor pairs, recycled manifolds, and convex shapes in contact.
pub(crate) fn add_speculative_contacts(
    bodies: &BodySet,
    pair: &mut ContactPair,
    separating_axis: &SeparatingAxis,
    speculative_distance: f32,
    time_step: f32,
) {
    let indices = pair.bodies();
    let before = pair.manifolds().len();
    let mut add = |PredictedManifold { manifold, time_to_contact }: PredictedManifold| {
        let is_duplicate = pair.manifolds()[..before].iter().any(|persistent| {
            persistent.manifold.sub_shapes == manifold.sub_shapes
                && persistent.manifold.normal.dot(manifold.normal) > SAME_NORMAL_COSINE
        });
        if !is_duplicate {
            let centers = predicted_centers(bodies, indices, time_to_contact);
            pair.push_manifold(manifold, time_to_contact, centers);
        }
    };
    if before == 0 {
        let first =
            first_contact(bodies, indices, separating_axis, speculative_distance, time_step);
        first.into_iter().for_each(add);
    } else {
        core_sphere_contacts(bodies, indices, speculative_distance, time_step, &mut add);
    }
    if pair.manifolds().len() > before {
        // A speculative manifold is valid for this step only.
        pair.disable_recycling();
    }
}

/// First contact within `time_step` of two bodies that are farther apart than the speculative
/// distance; `None` if they stay apart. `separating_axis` is a known axis, to return early.
fn first_contact(
    bodies: &BodySet,
    [a, b]: [BodyIndex; 2],
    separating_axis: &SeparatingAxis,
    speculative_distance: f32,
    time_step: f32,
) -> Option<PredictedManifold> {
    let motion = RelativeMotion::new(bodies, [a, b], speculative_distance);
    let max_approach_speed = motion.max_approach_speed();
    let max_approach = max_approach_speed * time_step;
    if max_approach <= speculative_distance
        || advancement_converges(max_approach, speculative_distance)
            && motion.gap_stays_open(separating_axis, time_step)
    {
        return None;
    }
    let (shape_a, shape_b) = (&bodies.data(a).shape, &bodies.data(b).shape);
    let (mut time, mut distance) = (0.0, 0.0);
    for _ in 0..MAX_ADVANCEMENT_STEPS {
        let (pose_a, pose_b) = (predicted_pose(bodies, a, time), predicted_pose(bodies, b, time));
        // Bodies farther apart cannot touch in the remaining time.
        let max_distance = max_approach_speed * (time_step - time) + motion.clearance;
        let closest =
            narrow_phase::closest_points_within(shape_a, &pose_a, shape_b, &pose_b, max_distance)?;
        if closest.distance <= speculative_distance {
            return narrow_phase::contact_manifold(
                shape_a,
                &pose_a,
                shape_b,
                &pose_b,
                speculative_distance,
            )
            .map(|manifold| PredictedManifold { manifold, time_to_contact: time });
        }
        let approach_speed = motion.approach_speed_along(closest.normal);
        // The target is half the speculative distance, so that the next iteration is within it.
        let advance = closest.distance - 0.5 * speculative_distance;
        if approach_speed * (time_step - time) <= closest.distance - speculative_distance {
            return None;
        }
        (time, distance) =
            (scalar::min(time + advance / approach_speed, time_step), closest.distance);
    }
    // Not converged: the bodies are near each other and approach. Their manifold at the last time,
    // with the remaining separation, becomes the contact.
    let (pose_a, pose_b) = (predicted_pose(bodies, a, time), predicted_pose(bodies, b, time));
    let max_distance = distance + speculative_distance;
    narrow_phase::contact_manifold(shape_a, &pose_a, shape_b, &pose_b, max_distance)
        .map(|manifold| PredictedManifold { manifold, time_to_contact: time })
}

/// Centers of mass of two bodies after `time` seconds at constant velocity.
fn predicted_centers(bodies: &BodySet, pair: [BodyIndex; 2], time: f32) -> [Vec3; 2] {
    pair.map(|index| {
        bodies.com_pose(index).center_of_mass + bodies.state(index).linear_velocity * time
    })
}

/// Pose of a body's shape after `time` seconds at constant velocity.
pub(super) fn predicted_pose(bodies: &BodySet, index: BodyIndex, time: f32) -> Pose {
    let (state, pose) = (bodies.state(index), bodies.com_pose(index));
    let delta_rotation =
        Rotation::from_axis_angle(state.angular_velocity, state.angular_velocity.length() * time);
    let rotation = delta_rotation.map_or(pose.rotation, |delta| delta * pose.rotation);
    let center = pose.center_of_mass + state.linear_velocity * time;
    Pose { rotation, position: center - rotation.rotate(bodies.data(index).mass.center_of_mass) }
}

#[cfg(test)]
mod tests {
    use embate_test_util::Rng;

    use super::*;
    use crate::dynamics::body::body_index::BodyPair;
    use crate::dynamics::narrow_phase::culling::bounding_spheres_stay_apart;
    use crate::dynamics::{BodyDef, Settings, World};
    use crate::shapes::{Capsule, ConvexHull, Cuboid, Shape};

    const PAIR: BodyPair = [BodyIndex(0), BodyIndex(1)];

    fn vector(rng: &mut Rng, max: f32) -> Vec3 {
        Vec3::from(rng.point(-max, max))
    }

    /// Two bodies that approach or pass each other, slow or fast.
    fn two_moving_bodies(rng: &mut Rng, case: usize) -> World {
        let mut world = World::new(Settings::default()).unwrap();
        for shape_type in [case % 3, case / 3 % 3] {
            let shape: Shape = match shape_type {
                0 => Cuboid::new(vector(rng, 0.3).abs() + Vec3::splat(0.2)).unwrap().into(),
                1 => ConvexHull::cone(0.4, 0.5, 9).unwrap().into(),
                _ => Capsule::new(0.4, 0.2).unwrap().into(),
            };
            let speed = [1.0, 5.0, 20.0, 200.0][case % 4];
            let rotation = Rotation::from_axis_angle(vector(rng, 1.0), 2.0).unwrap_or_default();
            let def = BodyDef::dynamic(shape, 1.0)
                .position(vector(rng, 1.0))
                .rotation(rotation)
                .linear_velocity(vector(rng, speed))
                .angular_velocity(vector(rng, speed));
            world.insert_body(def).unwrap();
        }
        world
    }

    #[test]
    fn culled_pairs_have_no_contact_during_the_step() {
        let mut rng = Rng::new(0x9E37_79B9_7F4A_7C15);
        let (speculative_distance, time_step) = (0.02, 1.0 / 60.0);
        let (mut culled_by_spheres, mut culled_by_axis, mut contacts) = (0, 0, 0);
        for case in 0..6000 {
            let world = two_moving_bodies(&mut rng, case);
            let bodies = world.body_set();
            let [(a, pose_a), (b, pose_b)] =
                PAIR.map(|index| (&bodies.data(index).shape, bodies.pose(index)));
            let mut axis = SeparatingAxis::UNKNOWN;
            let contact_at_start = narrow_phase::contact_or_separating_axis(
                a,
                pose_a,
                b,
                pose_b,
                speculative_distance,
                &mut axis,
            );
            let spheres_stay_apart =
                bounding_spheres_stay_apart(bodies, PAIR, speculative_distance, time_step);
            assert!(!spheres_stay_apart || contact_at_start.is_none(), "case {case}");
            if contact_at_start.is_some() {
                continue;
            }
            let contact_with = |axis: &SeparatingAxis| {
                first_contact(bodies, PAIR, axis, speculative_distance, time_step)
            };
            let contact = contact_with(&SeparatingAxis::UNKNOWN);
            assert_eq!(contact_with(&axis), contact, "case {case}: the axis changes the result");
            assert!(!spheres_stay_apart || contact.is_none(), "case {case}");
            for sample in (0..=64).take_while(|_| contact.is_none()) {
                let time = time_step * sample as f32 / 64.0;
                let [pose_a, pose_b] = PAIR.map(|index| predicted_pose(bodies, index, time));
                let distance = narrow_phase::closest_points(a, &pose_a, b, &pose_b).distance;
                assert!(
                    distance > speculative_distance - 1e-4,
                    "case {case}: distance {distance} m after {time} s"
                );
            }
            let motion = RelativeMotion::new(bodies, PAIR, speculative_distance);
            let max_approach = motion.max_approach_speed() * time_step;
            let converges = advancement_converges(max_approach, speculative_distance);
            culled_by_spheres += u32::from(spheres_stay_apart);
            culled_by_axis += u32::from(converges && motion.gap_stays_open(&axis, time_step));
            contacts += u32::from(contact.is_some());
        }
        assert!(
            culled_by_spheres > 100 && culled_by_axis > 100 && contacts > 100,
            "too few cases: {culled_by_spheres} culled by spheres, {culled_by_axis} by the axis, \
             {contacts} contacts"
        );
    }
}
