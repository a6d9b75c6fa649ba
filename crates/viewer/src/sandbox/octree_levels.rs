//! Octree levels: the level of the strict octree of Lasch that each body lies in, for its color.
//!
//! Figure 2 of the study shades objects by level: an object cut by a dividing plane belongs to the
//! parent cell, so large objects and objects on a plane lie in upper levels.

use embate::Aabb;
use embate::broad_phase::LooseOctree;
use embate_replica::lasch::OctreeLimits;
use embate_scene::scene_world::Method;

use super::Sandbox;

/// Largest coordinate of a bounded body, in m: a half-space has no level.
const MAX_COORDINATE: f32 = 1e6;

impl Sandbox {
    /// Level of each body in the order of the list, 0 for the root; −1 for an unbounded body. The
    /// root is the box around all bounded bodies, the limits are those of the scene.
    #[must_use]
    pub fn octree_levels(&self) -> Vec<f32> {
        let world = &self.scene.world;
        let limits = match world.method() {
            Method::Lasch(config) => config.octree,
            Method::Engine(_) => OctreeLimits::DEFAULT,
        };
        let is_bounded =
            |aabb: &Aabb<3>| aabb.min.iter().chain(&aabb.max).all(|end| end.abs() < MAX_COORDINATE);
        let bounded = |id| Some(world.body(id)?.aabb()).filter(is_bounded);
        let boxes: Vec<Option<Aabb<3>>> = self.scene.ids.iter().map(|&id| bounded(id)).collect();
        let root = boxes.iter().flatten().copied().reduce(|all, next| all.merged(&next));
        let mut octree = root.and_then(|root| LooseOctree::new(root, limits.strict()).ok());
        let mut level = |(index, aabb): (usize, &Option<Aabb<3>>)| {
            let (octree, aabb) = (octree.as_mut()?, (*aabb)?);
            octree.insert(index as u32, aabb).ok()?;
            octree.depth_of(index as u32)
        };
        let levels = boxes.iter().enumerate().map(|body| level(body).map_or(-1.0, f32::from));
        levels.collect()
    }
}
