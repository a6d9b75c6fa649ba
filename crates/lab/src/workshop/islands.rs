//! Which bodies hang together, by touching or by joints?

use embate::Aabb;
use embate::dynamics::{BodyId, BodyType};

use crate::scene_world::SceneWorld;

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
        // The world tells its bodies in the order of their names.
        let place_of = |id: BodyId| moving.binary_search(&id).ok();
        let mut chiefs: Vec<usize> = (0..moving.len()).collect();
        let touching = world.contacts().map(|contact| contact.bodies);
        let joined = world.world().joints().map(|joint| joint.bodies());
        for [a, b] in touching.chain(joined) {
            if let (Some(a), Some(b)) = (place_of(a), place_of(b)) {
                let (a, b) = (chief(&mut chiefs, a), chief(&mut chiefs, b));
                // The smaller place leads, so that the order of the touches does not show.
                chiefs[a.max(b)] = a.min(b);
            }
        }
        let mut groups: Vec<(usize, Option<Aabb<3>>)> = vec![(0, None); moving.len()];
        for (place, &id) in moving.iter().enumerate() {
            let group = &mut groups[chief(&mut chiefs, place)];
            let Some(body) = world.body(id) else { continue };
            let bounds = body.aabb();
            group.0 += 1;
            group.1 = Some(group.1.map_or(bounds, |all| all.merged(&bounds)));
        }
        let several = groups.into_iter().filter(|(count, _)| *count > 1);
        Self { boxes: several.filter_map(|(_, bounds)| bounds).collect() }
    }
}

fn chief(chiefs: &mut [usize], mut place: usize) -> usize {
    while chiefs[place] != place {
        chiefs[place] = chiefs[chiefs[place]];
        place = chiefs[place];
    }
    place
}
