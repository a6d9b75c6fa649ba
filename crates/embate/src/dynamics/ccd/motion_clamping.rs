//! Motion clamping after the solver: moves bodies that tunneled in this step back to the surface.
//!
//! Speculative contacts use the velocities at the beginning of the step. A box that lands on one
//! vertex rotates about it within the step, and its other vertices have no contact points; a sphere
//! that bounces, is hit or is pushed during the step reaches walls that it had no speculative
//! contact with. So before the poses are finalized, displacements are clamped: if a
//! [core sphere](crate::dynamics::ccd::core_spheres) of one body passed through a surface of
//! another, the awake dynamic body of the pair, of two the one that moved farther, is translated so
//! that the sphere is back at that surface. The bodies touch in the next step. What can still
//! tunnel is listed in [`ccd`](crate::dynamics::ccd).
//!
//! ```text
//!   ┌ fat AABB ────┐            The wall is outside the fat AABB: there is no pair. A body that
//!   │ ○ → ╲        │  ┃         leaves its fat AABB within a step gets a larger one, of its whole
//!   └──────╲───────┘  ┃         path, and its pairs are added in the same step.
//!           ╲ ▬ ▬ ▬ ▬ ╋ ▬ ○
//! ```
//!
//! Skipped unless [`is_fast`] holds for some awake body. Displacements of such bodies are first
//! limited to `max_linear_speed` times the time step.

use embate_geom::{Pose, Ray, Vec3, scalar};

use crate::dynamics::body::body_data::BodyState;
use crate::dynamics::body::body_index::BodyIndex;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::broad_phase::BroadPhaseProxies;
use crate::dynamics::ccd::core_spheres::CoreSphere;
use crate::dynamics::narrow_phase::NarrowPhase;
use crate::dynamics::narrow_phase::contact_pair::ContactPair;
use crate::dynamics::settings::Settings;

/// Maximum number of passes: a clamped body can be in the path of another, and an enlarged fat AABB
/// adds pairs; both are handled by the next pass. Pairs that the last pass adds, and paths that it
/// changes, are not checked in this step.
const MAX_CONTINUOUS_PASSES: usize = 4;

/// Clamps the displacements of bodies that would pass through another body. Called before the poses
/// are finalized.
pub(crate) fn solve_continuous(
    bodies: &mut BodySet,
    awake: &[BodyIndex],
    broad_phase: &mut BroadPhaseProxies,
    narrow_phase: &mut NarrowPhase,
    settings: &Settings,
    time_step: f32,
) {
    let max_displacement = settings.max_linear_speed * time_step;
    let mut any_fast = false;
    for &index in awake {
        if is_fast(bodies, index) {
            any_fast = true;
            // An impact within a sub-step can displace a body by more than its maximum speed
            // allows: the speed is limited only afterwards.
            let delta_position = &mut bodies.state_mut(index).delta_position;
            let length = delta_position.length();
            if length > max_displacement {
                *delta_position *= max_displacement / length;
            }
        }
    }
    if !any_fast {
        return;
    }
    for _ in 0..MAX_CONTINUOUS_PASSES {
        let any_clamped = clamp_pairs(bodies, narrow_phase.pairs());
        let indices = awake.iter().copied();
        let any_enlarged = broad_phase.enlarge_proxies(
            bodies,
            indices.filter(|&index| is_fast(bodies, index)),
            settings.speculative_distance(),
        );
        if any_enlarged {
            // Enlarged AABBs remove no pair.
            narrow_phase.apply_broad_phase_changes(bodies, broad_phase.update(), |_| {});
        }
        if !any_clamped && !any_enlarged {
            return;
        }
    }
}

/// Whether a body is fast: it moved so far that one of its core spheres can have passed through a
/// surface. A central core sphere does not move by rotation; others move by at most the rotation
/// angle times `max_extent` in addition. A body without core spheres is fast if its center of mass
/// moved at all.
fn is_fast(bodies: &BodySet, index: BodyIndex) -> bool {
    let (data, state) = (bodies.data(index), bodies.state(index));
    if data.part_core_spheres.is_empty() {
        return state.delta_position.length_squared() > data.inner_radius * data.inner_radius;
    }
    state.delta_position.length() + state.delta_rotation.length() * data.max_extent
        > data.min_inner_radius()
}

/// Clamps bodies in all non-sensor pairs with a fast body; returns whether any was clamped.
fn clamp_pairs(bodies: &mut BodySet, pairs: &[ContactPair]) -> bool {
    let mut any_clamped = false;
    for pair in pairs.iter().filter(|pair| !pair.is_sensor()) {
        let [a, b] = pair.bodies();
        if !(is_fast(bodies, a) || is_fast(bodies, b)) {
            continue;
        }
        for (mover, other) in [(a, b), (b, a)] {
            let Some((clamped, sign)) = choose_body_to_clamp(bodies, mover, other) else {
                continue;
            };
            for core_index in 0..bodies.data(mover).core_spheres().count() {
                let core = bodies.data(mover).core_spheres().nth(core_index);
                if let Some(offset) = core.and_then(|core| clamp_offset(bodies, mover, core, other))
                {
                    bodies.state_mut(clamped).delta_position += offset * sign;
                    any_clamped = true;
                }
            }
        }
    }
    any_clamped
}

/// Which body of a pair is moved back, and the sign of the offset that is computed for `mover`:
/// only an awake dynamic body; of two, the one that moved farther. Otherwise a body that was hit
/// and stopped at a wall would be pushed through it by the body that hit it.
fn choose_body_to_clamp(
    bodies: &BodySet,
    mover: BodyIndex,
    other: BodyIndex,
) -> Option<(BodyIndex, f32)> {
    let displacement_squared =
        |index: BodyIndex| bodies.state(index).delta_position.length_squared();
    match (bodies.is_awake_dynamic(mover), bodies.is_awake_dynamic(other)) {
        (true, true) if displacement_squared(other) > displacement_squared(mover) => {
            Some((other, -1.0))
        }
        (true, _) => Some((mover, 1.0)),
        (false, true) => Some((other, -1.0)),
        (false, false) => None,
    }
}

/// Translation that moves a core sphere of `mover` back to where it touches `other` from outside;
/// `None` if its center does not enter `other`, or was inside it at the beginning of the step. The
/// path of the center is approximated by its chord.
fn clamp_offset(
    bodies: &BodySet,
    mover: BodyIndex,
    core: CoreSphere,
    other: BodyIndex,
) -> Option<Vec3> {
    let CoreSphere { center: local_center, radius } = core;
    // Between solver and finalization `com_pose` has the rotation of the end of the step and the
    // center of mass of its beginning, to which `delta_position` is to be added; `pose` is that of
    // the beginning.
    let center = bodies.com_pose(mover).center_of_mass;
    let start = center + bodies.pose(mover).rotation.rotate(local_center);
    let end = center
        + bodies.state(mover).delta_position
        + bodies.com_pose(mover).rotation.rotate(local_center);
    let other_data = bodies.data(other);
    // In the frame of the other body, which can move as well.
    let start_pose = *bodies.pose(other);
    let from = start_pose.inverse_transform_point(start);
    // In the frame of a rotating body the sphere moves along an arc, which its chord approximates.
    // Where the sagitta exceeds the radius, the rotation is ignored: otherwise every body around a
    // spinning sphere would hit it.
    let BodyState { delta_position, delta_rotation, .. } = *bodies.state(other);
    let sagitta =
        0.125 * delta_rotation.length_squared() * (from - other_data.mass.center_of_mass).length();
    let includes_rotation = sagitta <= radius;
    let rotation =
        if includes_rotation { bodies.com_pose(other).rotation } else { start_pose.rotation };
    let position = bodies.com_pose(other).center_of_mass + delta_position
        - rotation.rotate(other_data.mass.center_of_mass);
    let end_pose = Pose { rotation, position };
    let path = end_pose.inverse_transform_point(end) - from;
    let ray = Ray::new(from.to_array(), path.to_array()).with_range(0.0, 1.0);
    let hit = other_data.shape.cast_ray(&Pose::IDENTITY, &ray)?;
    let approach = -path.dot(hit.normal);
    // A sphere that was inside before is pushed out by the solver.
    if hit.t <= 0.0 || approach <= 0.0 {
        return None;
    }
    let stop = scalar::max(hit.t - radius / approach, 0.0);
    Some(end_pose.transform_point(from + path * stop) - end)
}
