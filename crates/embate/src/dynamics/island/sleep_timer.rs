//! Sleep timer: how long a body has been slow, without acceleration and without drift.

use embate_geom::Vec3;

use crate::dynamics::body::body_data::{BodyData, BodyPose, BodyState, SleepReference};

/// Maximum speed of any point of a resting body, in m/s: a step of 1/60 s moves it by less than 1
/// mm.
const SLEEP_SPEED_THRESHOLD: f32 = 0.05;
/// Maximum drift of any point of a resting body from the sleep reference, in meters. Settling
/// bodies come to a stop, so they eventually stay within it: a swaying stack of 20 cubes after 4 s,
/// with half of this threshold after 10 s. Bodies that slide by 2 mm/s or more do not.
const SLEEP_DRIFT_THRESHOLD: f32 = 1e-3;
/// Maximum change of the velocity of any point of a resting body from the sleep reference, in m/s.
/// A ball that rolls up an incline of 0.1 degrees is slow and in place at its turning point, but
/// accelerates; below 8 mm/s² a body counts as resting. Swaying stacks fall asleep as early as
/// without it; with 3/5 of this threshold a stack of 20 cubes takes 2 s longer, with 2/5 it never
/// sleeps.
const SLEEP_VELOCITY_CHANGE_THRESHOLD: f32 = 5e-3;

/// Sleep timer of a body, and its state when the timer started.
pub(crate) struct SleepTimer<'b> {
    /// In seconds; 0 while the body moves.
    pub(crate) seconds: &'b mut f32,
    pub(crate) reference: &'b mut SleepReference,
}

impl SleepTimer<'_> {
    /// Advances the timer of a resting body by `time_step`; resets that of a moving one.
    ///
    /// A speed threshold alone is not sufficient: a body that slides on ice at 1 cm/s is slow
    /// forever, but not at rest.
    pub(crate) fn update(
        self,
        data: &BodyData,
        state: &BodyState,
        pose: &BodyPose,
        time_step: f32,
    ) {
        let BodyState { linear_velocity, angular_velocity, .. } = *state;
        let Self { seconds, reference } = self;
        let max_speed = linear_velocity.length() + angular_velocity.length() * data.max_extent;
        if !(max_speed <= SLEEP_SPEED_THRESHOLD && data.can_sleep) {
            *seconds = 0.0;
            return;
        }
        let has_drifted = max_drift(&reference.pose, pose, data.max_extent) > SLEEP_DRIFT_THRESHOLD;
        let velocity_change = (linear_velocity - reference.linear_velocity).length()
            + (angular_velocity - reference.angular_velocity).length() * data.max_extent;
        if *seconds == 0.0 || has_drifted || velocity_change > SLEEP_VELOCITY_CHANGE_THRESHOLD {
            *reference = SleepReference { pose: *pose, linear_velocity, angular_velocity };
            *seconds = 0.0;
        }
        *seconds += time_step;
    }
}

/// Upper bound of the displacement of any point of a body between two poses.
fn max_drift(from: &BodyPose, to: &BodyPose, max_extent: f32) -> f32 {
    let [x, y, z, _] = (to.rotation * from.rotation.inverse()).to_array();
    (to.center_of_mass - from.center_of_mass).length()
        + 2.0 * Vec3::new(x, y, z).length() * max_extent
}
