//! The chain of study B (Lasch; SOURCES B.1): move, broad phase, narrow phase, resolve, one after the other.
//!
//! ```text
//! move      v += a·dt, x += v·dt; nothing turns
//! broad     moving bodies among themselves: the technique that was chosen; each against the still ones: an
//!           octree over these
//! narrow    contact of each pair, within the tolerance
//! resolve   one by one, in the order of places:
//!             parting            nothing
//!             otherwise          moved apart by normal × depth, shared by inverse masses
//!             and by `impulse`   j = −(1+e)(v·n) / (1/m₁ + 1/m₂)
//! walls     back inside, and v turned round by the restitution
//! ```
//!
//! The study leaves the order of pairs to its broad phase; here they are sorted, so that all broad phases give
//! the same motion to the bit.

use embate_geom::{Aabb, Vec3, scalar};

use super::bodies::Bodies;
use super::body::Kind;
use super::events::{self, Event};
use super::integrate::{hold, slow_down, within_reach};
use super::method::{Broad, Finder, Method, Resolve};
use super::report::{Laps, Stage, StepReport};
use super::settings::{Bounds, Walls};
use super::touch::Touch;
use super::touches::NearPair;
use super::way::LOCKED;
use super::world::World;
use crate::contacts;
use crate::pairs::{Boxes, Octree, OctreeRule, Pair, PairCounts};

/// A still body longer than this does not count for the size of the octree: a half-space has no end.
const ENDLESS: f32 = 1e6;

/// What the chain keeps from step to step.
#[derive(Clone, Debug)]
pub(super) struct Study {
    broad: Broad,
    resolve: Resolve,
    tolerance: f32,
    /// The still bodies by place; `None` if one came, went or was moved.
    obstacles: Option<Octree<3>>,
    /// With the number of bodies it was chosen for.
    finder: Option<(usize, Finder)>,
    movers: Vec<u32>,
    boxes: Vec<Aabb<3>>,
    pairs: Vec<Pair>,
}

impl Study {
    /// `None` for another method.
    pub(super) fn of(method: Method) -> Option<Self> {
        let Method::Study { broad, resolve, tolerance } = method else { return None };
        Some(Self {
            broad,
            resolve,
            tolerance,
            obstacles: None,
            finder: None,
            movers: Vec::new(),
            boxes: Vec::new(),
            pairs: Vec::new(),
        })
    }

    /// Pairs of places that may touch, sorted.
    fn find_pairs(&mut self, bodies: &Bodies, bounds: Option<Bounds>, count: bool) -> Option<u64> {
        self.movers.clear();
        self.movers.extend(bodies.awake().map(|place| place as u32));
        let grown = 0.5 * self.tolerance;
        let box_of =
            |place: usize| bodies.nature(place).shape.aabb(&bodies.poses[place]).grown(grown);
        self.boxes.clear();
        self.boxes.extend(self.movers.iter().map(|&place| box_of(place as usize)));
        let obstacles = self.obstacles.get_or_insert_with(|| octree(bodies, bounds, box_of));
        let count_of = self.movers.len();
        if self.finder.as_ref().is_none_or(|(chosen_for, _)| *chosen_for != count_of) {
            self.finder = Some((count_of, self.broad.finder(count_of)));
        }
        self.pairs.clear();
        let mut counts = PairCounts::default();
        // Places are clamped to where boxes are valid.
        if let (Some((_, finder)), Ok(boxes)) = (&mut self.finder, Boxes::new(&self.boxes)) {
            if count {
                finder.find_observed(boxes, &mut self.pairs, &mut counts);
            } else {
                finder.find(boxes, &mut self.pairs);
            }
        }
        for pair in &mut self.pairs {
            *pair = pair.map(|index| self.movers[index as usize]);
        }
        for (&mover, bounds) in self.movers.iter().zip(&self.boxes) {
            let pairs = &mut self.pairs;
            let visit = |still: u32| pairs.push([mover, still]);
            if count {
                obstacles.query_box_observed(bounds, visit, &mut counts);
            } else {
                obstacles.query_box(bounds, visit);
            }
        }
        for pair in &mut self.pairs {
            pair.sort_unstable();
        }
        self.pairs.sort_unstable();
        count.then_some(counts.tests)
    }
}

/// The still bodies in an octree over the bounds of the world, or over themselves.
fn octree(bodies: &Bodies, bounds: Option<Bounds>, box_of: impl Fn(usize) -> Aabb<3>) -> Octree<3> {
    let is_still = |&place: &usize| bodies.lives(place) && bodies.nature(place).kind == Kind::Still;
    let still: Vec<(u32, Aabb<3>)> = (0..bodies.natures.len())
        .filter(is_still)
        .map(|place| (place as u32, box_of(place)))
        .collect();
    let ends = |bounds: &&Aabb<3>| bounds.size().iter().all(|&side| side <= ENDLESS);
    let corners = still.iter().map(|(_, bounds)| bounds).filter(ends);
    let around = Aabb::around(corners.flat_map(|bounds| [&bounds.min, &bounds.max]));
    let root = bounds.map(|bounds| Aabb { min: bounds.min.to_array(), max: bounds.max.to_array() });
    let unit = Aabb { min: [0.0; 3], max: [1.0; 3] };
    let root = root.or(around).unwrap_or(unit);
    let mut octree = Octree::new(root, OctreeRule::default())
        .or_else(|_| Octree::new(unit, OctreeRule::default()))
        .expect("the unit box is valid");
    for (place, bounds) in still {
        // The box was checked when the body was added or moved.
        let _ = octree.add(place, bounds);
    }
    octree
}

impl World {
    /// A body came, went or was moved from outside.
    pub(super) fn forget_places(&mut self) {
        self.asked.forget();
        if let Some(study) = &mut self.study {
            study.obstacles = None;
        }
    }

    /// One step of the study's chain.
    pub(super) fn go_on_as_study(&mut self, time_step: f32) {
        let Some(mut study) = self.study.take() else { return };
        let mut laps = Laps::start(self.clock);
        self.list_awake();
        self.move_all(time_step);
        laps.lap(Stage::Moving);
        let tests = study.find_pairs(&self.bodies, self.settings.bounds, self.counts_tests);
        laps.lap(Stage::Broad);
        self.keep_pairs(&study.pairs);
        for pair in &mut self.touches.pairs {
            find(&self.bodies, pair, study.tolerance);
        }
        self.report = StepReport::of(&self.bodies, &self.touches);
        self.report.tests = tests;
        laps.lap(Stage::Narrow);
        for pair in self.touches.pairs.iter_mut().filter(|pair| !pair.sensor) {
            resolve(&mut self.bodies, pair, study.resolve);
        }
        if let Some(bounds) = self.settings.bounds.filter(|bounds| bounds.walls == Walls::Bounce) {
            for &place in &self.awake {
                keep_inside(&mut self.bodies, place as usize, &bounds, study.resolve);
            }
        }
        for &place in &self.awake {
            self.bodies.follow(place as usize);
        }
        let Self { settings, events, touches, .. } = self;
        let within = (study.tolerance, settings.slop);
        for pair in &mut touches.pairs {
            events::tell(pair, within, settings.hit_speed, events);
        }
        laps.lap(Stage::Resolve);
        self.report.seconds = laps.seconds;
        self.study = Some(study);
    }

    /// Velocities, then places by the new velocities.
    fn move_all(&mut self, time_step: f32) {
        let Self { bodies, awake, settings, .. } = self;
        for &place in &*awake {
            let place = place as usize;
            let nature = bodies.natures[place].as_ref().expect("what is awake lives");
            let motion = &mut bodies.motions[place];
            if nature.kind == Kind::Moving {
                let force = core::mem::take(&mut bodies.pushes[place]).force;
                let pull = settings.gravity * nature.gravity_scale + force * nature.mass.inverse;
                let slows = 1.0 / (1.0 + time_step * nature.damping[0]);
                motion.velocity = (motion.velocity + pull * time_step) * slows;
                hold(motion, nature.locks.moving, nature.locks.turning);
            }
            slow_down(motion, settings.max_speed);
            let center = bodies.places[place].center + motion.velocity * time_step;
            bodies.places[place].center = within_reach(center);
            bodies.follow(place);
        }
    }

    /// The pairs of this step in place of the last one's; those that stay keep what is known of them.
    fn keep_pairs(&mut self, found: &[Pair]) {
        let before = core::mem::take(&mut self.touches.pairs);
        let mut before = before.into_iter().peekable();
        let events = &mut self.events;
        let mut end = |pair: &NearPair| {
            if pair.touching {
                events.push(Event::Ended { bodies: pair.ids, sensor: pair.sensor });
            }
        };
        for &pair in found {
            while let Some(gone) = before.next_if(|old| old.bodies < pair) {
                end(&gone);
            }
            let stays = before.next_if(|old| old.bodies == pair);
            self.touches.pairs.extend(stays.or_else(|| NearPair::of(&self.bodies, pair)));
        }
        before.for_each(|gone| end(&gone));
    }
}

/// The pair test.
fn find(bodies: &Bodies, pair: &mut NearPair, tolerance: f32) {
    let [a, b] = pair.bodies.map(|place| place as usize);
    let (shape_a, shape_b) = (&bodies.nature(a).shape, &bodies.nature(b).shape);
    let manifold =
        contacts::contact(shape_a, &bodies.poses[a], shape_b, &bodies.poses[b], tolerance);
    let centers = [bodies.places[a].center, bodies.places[b].center];
    pair.touches.clear();
    pair.touches.extend(manifold.map(|manifold| Touch::new(manifold, 0.0, centers)));
    if !pair.touching {
        pair.first_velocity = bodies.motions[b].velocity - bodies.motions[a].velocity;
    }
}

/// Where an impulse of 1 along a normal sends a body, and how much of that is along it: 1/m in the study, which knows
/// no locks, and less where they are.
fn way_along(bodies: &Bodies, place: usize, normal: Vec3) -> (Vec3, f32) {
    let nature = bodies.nature(place);
    if nature.locks.moving == [false; 3] {
        return (normal * nature.mass.inverse, nature.mass.inverse);
    }
    let way = normal.scaled_by(bodies.inverse_masses[place]);
    let along = way.dot(normal);
    if along > LOCKED * nature.mass.inverse { (way, along) } else { (Vec3::ZERO, 0.0) }
}

/// Moves two bodies that touch apart, and gives them the impulse of their collision.
fn resolve(bodies: &mut Bodies, pair: &mut NearPair, resolve: Resolve) {
    let [a, b] = pair.bodies.map(|place| place as usize);
    let Some(touch) = pair.touches.first_mut() else { return };
    let normal = touch.manifold.normal;
    let inverse = [a, b].map(|place| way_along(bodies, place, normal));
    let both = inverse[0].1 + inverse[1].1;
    let parting = (bodies.motions[b].velocity - bodies.motions[a].velocity).dot(normal);
    // Two that nothing moves; or a separating pair, which gets neither.
    if both == 0.0 || parting > 0.0 {
        return;
    }
    let apart = scalar::max(touch.manifold.depth(), 0.0) / both;
    bodies.places[a].center -= inverse[0].0 * apart;
    bodies.places[b].center += inverse[1].0 * apart;
    if resolve == Resolve::Impulse {
        let impulse = -(1.0 + pair.material.restitution) * parting / both;
        bodies.motions[a].velocity -= inverse[0].0 * impulse;
        bodies.motions[b].velocity += inverse[1].0 * impulse;
        touch.points[0].total = impulse;
    }
}

/// Brings a body back that left the bounds.
fn keep_inside(bodies: &mut Bodies, place: usize, bounds: &Bounds, resolve: Resolve) {
    let nature = bodies.natures[place].as_ref().expect("what is awake lives");
    if nature.kind != Kind::Moving {
        return;
    }
    let restitution = nature.material.restitution;
    let aabb = nature.shape.aabb(&bodies.poses[place]);
    let moved = bodies.places[place].center - bodies.poses[place].point(nature.mass.centroid);
    for axis in 0..3 {
        let under = bounds.min[axis] - (aabb.min[axis] + moved[axis]);
        let over = aabb.max[axis] + moved[axis] - bounds.max[axis];
        let velocity = &mut bodies.motions[place].velocity[axis];
        // Of a body larger than the room, the lower wall counts.
        let (back, leaves) = if under > 0.0 {
            (under, *velocity < 0.0)
        } else if over > 0.0 {
            (-over, *velocity > 0.0)
        } else {
            continue;
        };
        bodies.places[place].center[axis] += back;
        if leaves && resolve == Resolve::Impulse {
            *velocity *= -restitution;
        }
    }
}
