//! Groups of near objects: dynamic bodies connected by the candidate pairs of the broad phase.
//!
//! Figure 3 of Lasch gathers pairs into such groups. Fixed bodies connect none: on a floor all
//! would be one group. [Islands](super::islands) are connected by contacts and joints instead.

use embate::Aabb;
use embate::broad_phase::{connected_groups, overlapping_pairs};
use embate::dynamics::BodyType;

use super::Sandbox;

impl Sandbox {
    /// Minimum and maximum corner of the box around each group of two bodies and more.
    #[must_use]
    pub fn near_groups(&self) -> Vec<f32> {
        let world = &self.scene.world;
        let dynamic = world.bodies().zip(world.candidate_aabbs());
        let dynamic = dynamic.filter(|(body, _)| body.body_type() == BodyType::Dynamic);
        let boxes: Vec<Aabb<3>> = dynamic.map(|(_, aabb)| aabb).collect();
        // A world that has diverged has no valid boxes, and no groups.
        let pairs = overlapping_pairs(&boxes).unwrap_or_default();
        let mut groups: Vec<(u32, Option<Aabb<3>>)> = vec![(0, None); boxes.len()];
        for (&group, bounds) in connected_groups(boxes.len(), &pairs).iter().zip(&boxes) {
            let (count, all) = &mut groups[group as usize];
            *count += 1;
            *all = Some(all.map_or(*bounds, |all| all.merged(bounds)));
        }
        let several = groups.into_iter().filter(|(count, _)| *count > 1);
        let boxes = several.filter_map(|(_, bounds)| bounds);
        boxes.flat_map(|bounds| bounds.min.into_iter().chain(bounds.max)).collect()
    }
}
