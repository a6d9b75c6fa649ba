//! Broad phase of a step: the chosen structure for moving bodies, an octree for static ones.

use embate::broad_phase::{AabbSlice, BroadPhaseStats, LooseOctree, OctreeConfig, OverlapPair};
use embate::dynamics::{World, WorldBounds};
use embate_geom::Aabb;

use super::body_state::{BodyState, BodyStates};
use super::config::{AnyFinder, BroadPhase, Config};
use super::parts::UserBroadPhase;

/// A static body with a longer side does not extend the root cell of the octree: a half-space has
/// no bounds.
const MAX_ROOT_SIDE: f32 = 1e6;

/// Finds candidate pairs. Keeps its structures from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct PairFinder {
    /// The static bodies by index; `None` after a body was inserted, removed or teleported.
    static_tree: Option<LooseOctree<3>>,
    /// The structure, and the number of movers it was created for.
    finder: Option<(usize, AnyFinder)>,
    boxes: Vec<Aabb<3>>,
    pub(super) pairs: Vec<OverlapPair>,
}

impl PairFinder {
    /// A static body may have been inserted, removed or teleported.
    pub(super) fn invalidate_static_bodies(&mut self) {
        self.static_tree = None;
    }

    /// Fills `pairs` with the candidate pairs by body index, sorted. Returns the number of AABB
    /// overlap tests if `count` is set.
    pub(super) fn find_pairs(
        &mut self,
        world: &World,
        bodies: &BodyStates,
        config: &Config,
        user: Option<&dyn UserBroadPhase>,
        bounds: Option<WorldBounds>,
        count: bool,
    ) -> Option<u64> {
        let margin = 0.5 * config.tolerance;
        let movers = &bodies.movers;
        self.boxes.clear();
        self.boxes.extend(movers.iter().map(|&mover| aabb(world, bodies.get(mover), margin)));
        let static_tree = self.static_tree.get_or_insert_with(|| {
            let fixed =
                bodies.fixed().map(|body| (body.id.index(), aabb(world, body, margin))).collect();
            let octree = match config.broad_phase {
                BroadPhase::StrictOctree => config.octree.strict(),
                _ => OctreeConfig::default(),
            };
            static_octree(fixed, bounds, octree)
        });
        let finder = finder_for(&mut self.finder, config, user, movers.len());
        let pairs = &mut self.pairs;
        pairs.clear();
        let mut stats = BroadPhaseStats::default();
        // Positions are clamped to the range in which AABBs are valid; a NaN yields no pairs.
        if let Ok(boxes) = AabbSlice::new(&self.boxes) {
            if count {
                finder.find_pairs_counted(boxes, pairs, &mut stats);
            } else {
                finder.find_pairs(boxes, pairs);
            }
        }
        if user.is_some() {
            let count = movers.len();
            pairs.retain(|[a, b]| a != b && [a, b].iter().all(|&&index| (index as usize) < count));
        }
        for pair in &mut *pairs {
            *pair = pair.map(|index| movers[index as usize]);
        }
        for (&mover, bounds) in movers.iter().zip(&self.boxes) {
            let visit = |fixed: u32| pairs.push([mover, fixed]);
            if count {
                static_tree.query_aabb_observed(bounds, visit, &mut stats);
            } else {
                static_tree.query_aabb(bounds, visit);
            }
        }
        for pair in &mut *pairs {
            pair.sort_unstable();
        }
        pairs.sort_unstable();
        if user.is_some() {
            pairs.dedup();
        }
        count.then_some(stats.overlap_tests)
    }
}

/// The structure for `count` movers; a new one if their number has changed.
fn finder_for<'a>(
    finder: &'a mut Option<(usize, AnyFinder)>,
    config: &Config,
    user: Option<&dyn UserBroadPhase>,
    count: usize,
) -> &'a mut AnyFinder {
    if finder.as_ref().is_some_and(|(created_for, _)| *created_for != count) {
        *finder = None;
    }
    let create = || match user {
        Some(user) => (count, AnyFinder::User(user.boxed_clone())),
        None => (count, config.broad_phase.create(count, config.octree)),
    };
    &mut finder.get_or_insert_with(create).1
}

/// AABB of a body, enlarged by `margin` on every side.
fn aabb(world: &World, body: &BodyState, margin: f32) -> Aabb<3> {
    let shape = world.body(body.id).map(|body| body.shape());
    shape.map_or(EMPTY_WORLD, |shape| shape.aabb(&body.pose)).loosened(margin)
}

/// Root cell without static bodies or bounds.
const EMPTY_WORLD: Aabb<3> = Aabb { min: [0.0; 3], max: [1.0; 3] };

/// Octree over the bounds of the world, or over the static bodies themselves.
fn static_octree(
    fixed: Vec<(u32, Aabb<3>)>,
    bounds: Option<WorldBounds>,
    config: OctreeConfig,
) -> LooseOctree<3> {
    let is_bounded = |aabb: &&Aabb<3>| aabb.extents().iter().all(|&side| side <= MAX_ROOT_SIDE);
    let bounded = fixed.iter().map(|(_, aabb)| aabb).filter(is_bounded);
    let around = Aabb::from_points(bounded.flat_map(|aabb| [&aabb.min, &aabb.max]));
    let root = bounds.map(|bounds| Aabb { min: bounds.min.to_array(), max: bounds.max.to_array() });
    let root = root.or(around).unwrap_or(EMPTY_WORLD);
    let mut octree = LooseOctree::new(root, config)
        .or_else(|_| LooseOctree::new(EMPTY_WORLD, config))
        .expect("the unit box is a valid root");
    for (index, aabb) in fixed {
        // The AABB was validated when the body was inserted or moved.
        let _ = octree.insert(index, aabb);
    }
    octree
}
