//! Comparison of two methods on one scene: a copy of the world that another method continues.
//!
//! Both worlds start from the same state and are stepped and sought alike; what differs afterwards
//! is due to the method.

use embate::dynamics::BodyType;

use super::Sandbox;
use super::error::EditError;
use super::keyframes::Keyframes;

/// Differences of the bodies of two worlds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PositionDifference {
    /// Greatest distance between the two positions of a body, in m.
    pub max: f64,
    /// Key of that body; `None` if all positions are equal.
    pub key: Option<u32>,
    /// Mean distance of the dynamic bodies, in m.
    pub mean: f64,
}

impl Sandbox {
    /// A copy that continues from the current step with changed settings, as
    /// [`change_settings`](Self::change_settings) takes them. It has the edits of this world, also
    /// those of later steps, but nothing can be undone in it, and it seeks no step before this one.
    ///
    /// # Errors
    /// [`EditError`], if the settings are invalid or do not suit the scene.
    pub fn fork(&self, settings: &str) -> Result<Self, EditError> {
        let mut fork = Self::of(self.scene.clone());
        fork.step = self.step;
        fork.pull = self.pull;
        fork.actions.clone_from(&self.actions);
        fork.done = self.done;
        fork.last = self.last;
        fork.clock = self.clock;
        let action = self.settings_action(settings)?;
        let resolved = fork.resolve(&action)?;
        fork.apply(resolved)?;
        // The first keyframe has the changed settings, so that every seek leads to them.
        fork.frames = Keyframes::default();
        fork.store_keyframe();
        Ok(fork)
    }

    /// Distances between the positions of the bodies here and in another world of the same scene. A
    /// body that only one world has is not compared.
    #[must_use]
    pub fn position_difference(&self, other: &Self) -> PositionDifference {
        let mut difference = PositionDifference::default();
        let mut dynamic = 0_u32;
        let bodies = self.scene.document.bodies.iter().zip(self.scene.ids.iter());
        for (index, (body, &id)) in bodies.enumerate() {
            // Forks list their bodies in the same order; a search for each would be quadratic.
            let same = other.scene.document.bodies.get(index).filter(|it| it.key == body.key);
            let other_id = match same {
                Some(_) => other.scene.ids.get(index).copied(),
                None => other.scene.id_of(body.key),
            };
            let here = self.scene.world.body(id);
            let there = other_id.and_then(|id| other.scene.world.body(id));
            let (Some(here), Some(there)) = (here, there) else { continue };
            let distance = here
                .position()
                .to_array()
                .into_iter()
                .zip(there.position().to_array())
                .map(|(a, b)| (f64::from(a) - f64::from(b)) * (f64::from(a) - f64::from(b)))
                .sum::<f64>()
                .sqrt();
            if distance > difference.max {
                (difference.max, difference.key) = (distance, Some(body.key));
            }
            if here.body_type() == BodyType::Dynamic {
                difference.mean += distance;
                dynamic += 1;
            }
        }
        difference.mean /= f64::from(dynamic.max(1));
        difference
    }
}
