//! After the last sub-step: where is each body now, and is it calm there?

use embate_geom::{Mat3, Pose, Vec3};

use super::bodies::{
    Bodies, Calm, Motion, Place, Push, STRETCH, awake_within, inverse_inertia, pose_of,
};
use super::integrate::{slow_down, within_reach};
use super::islands::calm_down;
use super::threads::share;

/// Stretches that one thread sees to at least, so that it is worth to call another.
const STRETCHES_LEAST: usize = 2;

/// What changes of bodies next to each other in their lists.
struct Stretch<'b> {
    first: usize,
    motions: &'b mut [Motion],
    places: &'b mut [Place],
    poses: &'b mut [Pose],
    pushes: &'b mut [Push],
    inverse_inertias: &'b mut [Mat3],
    calm: &'b mut [f32],
    calm_at: &'b mut [Calm],
}

/// Places and frames by how far each body has come. What contacts made faster than `max_speed` when it had moved is
/// cut, too. Where bodies may fall asleep, counts how long each has been calm, by the length of the step.
pub(super) fn arrive(
    bodies: &mut Bodies,
    awake: &[u32],
    max_speed: f32,
    calm_for: Option<f32>,
    threads: usize,
) {
    let Bodies { natures, motions, places, poses, pushes, inverse_inertias, calm, calm_at, .. } =
        bodies;
    let mut firsts = (0..).step_by(STRETCH);
    let (mut motions, mut places) = (motions.chunks_mut(STRETCH), places.chunks_mut(STRETCH));
    let (mut poses, mut pushes) = (poses.chunks_mut(STRETCH), pushes.chunks_mut(STRETCH));
    let mut inverse_inertias = inverse_inertias.chunks_mut(STRETCH);
    let (mut calm, mut calm_at) = (calm.chunks_mut(STRETCH), calm_at.chunks_mut(STRETCH));
    let next = || {
        Some(Stretch {
            first: firsts.next()?,
            motions: motions.next()?,
            places: places.next()?,
            poses: poses.next()?,
            pushes: pushes.next()?,
            inverse_inertias: inverse_inertias.next()?,
            calm: calm.next()?,
            calm_at: calm_at.next()?,
        })
    };
    let mut stretches: Vec<Stretch<'_>> = core::iter::from_fn(next).collect();
    share(threads, STRETCHES_LEAST, &mut stretches, |_, stretches| {
        for stretch in stretches {
            for place in awake_within(awake, stretch.first, stretch.places.len()) {
                let nature = natures[place].as_ref().expect("what is awake lives");
                let here = place - stretch.first;
                let (motion, place) = (&mut stretch.motions[here], &mut stretch.places[here]);
                place.center = within_reach(place.center + motion.moved);
                (motion.moved, motion.turned) = (Vec3::ZERO, Vec3::ZERO);
                slow_down(motion, max_speed);
                stretch.pushes[here] = Push::default();
                stretch.poses[here] = pose_of(nature, place);
                if !nature.mass.even {
                    stretch.inverse_inertias[here] = inverse_inertia(nature, place);
                }
                if let Some(time_step) = calm_for {
                    let calm = (&mut stretch.calm[here], &mut stretch.calm_at[here]);
                    calm_down(nature, motion, place, calm, time_step);
                }
            }
        }
    });
}
