//! Islands: dynamic bodies connected by contacts or joints.

use embate::Aabb;
use embate::dynamics::{BodyId, BodyType};

use embate_scene::scene_world::SceneWorld;

/// Groups of two moving bodies and more that touch or are joined.
#[derive(Clone, Debug, Default)]
pub(super) struct Islands {
    /// A box around each.
    pub(super) boxes: Vec<Aabb<3>>,
}

impl Islands {
    pub(super) fn of(world: &SceneWorld) -> Self {
        let moving: Vec<BodyId> = world
            .bodies()
            .filter(|body| body.body_type() == BodyType::Dynamic)
            .map(|body| body.id())
            .collect();
        // The world iterates bodies in the order of their ids.
        let index_of = |id: BodyId| moving.binary_search(&id).ok();
        let mut parents: Vec<usize> = (0..moving.len()).collect();
        let touching = world.contacts().map(|contact| contact.bodies);
        let joined = world.world().joints().map(|joint| joint.bodies());
        for [a, b] in touching.chain(joined) {
            if let (Some(a), Some(b)) = (index_of(a), index_of(b)) {
                let (a, b) = (find_root(&mut parents, a), find_root(&mut parents, b));
                // The smaller place leads, so that the order of the touches does not show.
                parents[a.max(b)] = a.min(b);
            }
        }
        let mut groups: Vec<(usize, Option<Aabb<3>>)> = vec![(0, None); moving.len()];
        for (index, &id) in moving.iter().enumerate() {
            let group = &mut groups[find_root(&mut parents, index)];
            let Some(body) = world.body(id) else { continue };
            let bounds = body.aabb();
            group.0 += 1;
            group.1 = Some(group.1.map_or(bounds, |all| all.merged(&bounds)));
        }
        let several = groups.into_iter().filter(|(count, _)| *count > 1);
        Self { boxes: several.filter_map(|(_, bounds)| bounds).collect() }
    }
}

fn find_root(parents: &mut [usize], mut index: usize) -> usize {
    while parents[index] != index {
        parents[index] = parents[parents[index]];
        index = parents[index];
    }
    index
}
