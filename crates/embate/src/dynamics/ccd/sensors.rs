//! Continuous sensor overlaps: bodies that pass through a sensor within one step.

use embate_geom::Pose;

use crate::dynamics::body::body_data::BodyState;
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::narrow_phase::contact_pair::ContactPair;
use crate::dynamics::narrow_phase::{MIN_PAIRS_PER_TASK, NarrowPhase};
use crate::dynamics::parallel::worker_pool::parallel_for;
use crate::narrow_phase::{self, ContactPoint, Manifold};

/// Adds a manifold to each sensor pair whose bodies overlapped during the step, though not at its
/// beginning. Called before the poses are finalized.
pub(crate) fn sensor_overlaps(
    bodies: &BodySet,
    narrow_phase: &mut NarrowPhase,
    speculative_distance: f32,
    worker_count: usize,
) {
    parallel_for(worker_count, MIN_PAIRS_PER_TASK, narrow_phase.pairs_mut(), |_, pairs| {
        for pair in pairs.iter_mut().filter(|pair| pair.is_sensor() && pair.manifolds().is_empty())
        {
            add_sensor_overlap(bodies, pair, speculative_distance);
        }
    });
}

/// Adds the overlap of one sensor pair, unless its bodies moved by at most `speculative_distance`.
fn add_sensor_overlap(bodies: &BodySet, pair: &mut ContactPair, speculative_distance: f32) {
    let [a, b] = pair.bodies();
    let max_displacement = |index: BodyIndex| {
        let BodyState { delta_position, delta_rotation, .. } = *bodies.state(index);
        delta_position.length() + delta_rotation.length() * bodies.data(index).max_extent
    };
    if max_displacement(a) + max_displacement(b) <= speculative_distance {
        return;
    }
    let [sweep_a, sweep_b] = [a, b].map(|index| {
        let (start, local_center) = (*bodies.pose(index), bodies.data(index).mass.center_of_mass);
        let end = Pose { rotation: bodies.com_pose(index).rotation, ..start };
        let translation = bodies.state(index).delta_position;
        narrow_phase::Sweep {
            translation,
            local_center,
            ..narrow_phase::Sweep::from_poses(start, &end)
        }
    });
    let (shape_a, shape_b) = (&bodies.data(a).shape, &bodies.data(b).shape);
    if let Some(impact) = narrow_phase::time_of_impact(shape_a, &sweep_a, shape_b, &sweep_b, 0.0) {
        let position = (impact.witness_points[0] + impact.witness_points[1]) * 0.5;
        let mut manifold = Manifold::with_normal(impact.normal);
        manifold.sub_shapes = impact.sub_shapes;
        manifold.push(ContactPoint { position, penetration: 0.0, feature_id: 0 });
        let centers = [a, b].map(|index| bodies.com_pose(index).center_of_mass);
        pair.push_manifold(manifold, 0.0, centers);
    }
}
