//! Which pairs touch, where, and with which impulses did the last step hold them?
//!
//! A pair lives while the rooms of its bodies overlap. Each step finds its manifolds anew; a point whose
//! feature was there before takes over its impulse, so that the solver begins where it ended.

use embate_geom::{Vec3, scalar};

use super::bodies::Bodies;
use super::body::{BodyId, Kind, Material};
use super::fast;
use super::settled::{self, Settled};
use super::threads::share;
use crate::contacts::{self, ContactPoint, MAX_POINTS, Manifold};
use crate::pairs::Pair;
use crate::shapes::Shape;

/// Pairs that one thread looks at at least, so that it is worth to wake another.
const FIND_LEAST: usize = 256;

/// What was needed to hold a contact point, in N·s.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct PointMemory {
    pub(super) feature: u32,
    /// Along the normal in the last sub-step.
    pub(super) impulse: f32,
    /// Along the normal in the whole step.
    pub(super) total: f32,
}

/// A contact point as it was when it was found.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FoundPoint {
    /// From each centre of mass, in the world.
    pub(super) arm_a: Vec3,
    pub(super) arm_b: Vec3,
    pub(super) point: Vec3,
    pub(super) depth: f32,
}

impl FoundPoint {
    fn new(contact: &ContactPoint, [center_a, center_b]: [Vec3; 2]) -> Self {
        let ContactPoint { point, depth, .. } = *contact;
        Self { arm_a: point - center_a, arm_b: point - center_b, point, depth }
    }
}

/// Where two convex parts touch, and what held them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// As it is now; what it acts on is as it was found.
    pub(super) manifold: Manifold,
    pub(super) found: [FoundPoint; MAX_POINTS],
    /// The manifold is that of so many seconds after the step began: the bodies fly at each other.
    pub(super) ahead: f32,
    pub(super) points: [PointMemory; MAX_POINTS],
    /// Along the surface, on B, in the world.
    pub(super) friction: Vec3,
    /// About the normal, on B.
    pub(super) twist: f32,
    /// Against rolling, on B, in the world.
    pub(super) rolling: Vec3,
}

impl Touch {
    /// Found between bodies whose centres are there.
    pub(super) fn new(manifold: Manifold, ahead: f32, centers: [Vec3; 2]) -> Self {
        let mut points = [PointMemory::default(); MAX_POINTS];
        let mut found = [FoundPoint::default(); MAX_POINTS];
        for ((memory, found), contact) in points.iter_mut().zip(&mut found).zip(manifold.points()) {
            memory.feature = contact.feature;
            *found = FoundPoint::new(contact, centers);
        }
        let friction = Vec3::ZERO;
        Self { manifold, found, ahead, points, friction, twist: 0.0, rolling: Vec3::ZERO }
    }

    /// Found again, elsewhere; what held the same points before is taken over.
    fn renew(&mut self, manifold: Manifold, centers: [Vec3; 2], near: f32) {
        let same = match (self.manifold.points(), manifold.points()) {
            ([before], [now]) => before.feature == now.feature,
            _ => false,
        };
        if same {
            // Most touches of round bodies: not worth to be copied to and fro.
            self.found[0] = FoundPoint::new(&manifold.points()[0], centers);
            (self.manifold, self.ahead) = (manifold, 0.0);
            return;
        }
        let before = *self;
        *self = Self::new(manifold, 0.0, centers);
        self.remember(&before, near);
    }

    /// Takes over what held the same points before: those of the same feature, then those nearest.
    ///
    /// Features alone would not do: where corners of two boxes lie on each other, the least motion gives the
    /// same point another name, and a stack that forgets what held it shakes.
    fn remember(&mut self, before: &Self, near: f32) {
        let old_points = before.manifold.points();
        let mut taken = [false; MAX_POINTS];
        let mut found = [false; MAX_POINTS];
        for (index, contact) in self.manifold.points().iter().enumerate() {
            let same = |&old: &usize| !taken[old] && old_points[old].feature == contact.feature;
            if let Some(old) = (0..old_points.len()).find(same) {
                (taken[old], found[index]) = (true, true);
                self.points[index].impulse = before.points[old].impulse;
            }
        }
        for (index, contact) in self.manifold.points().iter().enumerate() {
            if found[index] {
                continue;
            }
            let mut nearest = (near * near, None);
            for (old, point) in old_points.iter().enumerate().filter(|&(old, _)| !taken[old]) {
                let apart = (point.point - contact.point).length_squared();
                if apart < nearest.0 {
                    nearest = (apart, Some(old));
                }
            }
            if let Some(old) = nearest.1 {
                (taken[old], found[index]) = (true, true);
                self.points[index].impulse = before.points[old].impulse;
            }
        }
        if found.contains(&true) {
            self.friction = before.friction;
            self.twist = before.twist;
            self.rolling = before.rolling;
        }
    }

    /// Each point with what held it.
    pub(super) fn held(&self) -> impl Iterator<Item = (&ContactPoint, &PointMemory)> {
        self.manifold.points().iter().zip(&self.points)
    }
}

/// Two bodies near each other.
#[derive(Clone, Debug)]
pub(super) struct NearPair {
    /// Places, the smaller first: A and B.
    pub(super) bodies: Pair,
    /// Their names: a body may be gone when its last touch is told.
    pub(super) ids: [BodyId; 2],
    /// Where they were when their touches were found, while they move little.
    pub(super) settled: Option<Settled>,
    /// How far they may have moved since, by what they are.
    pub(super) settled_limit: f32,
    pub(super) material: Material,
    /// One of them only watches.
    pub(super) sensor: bool,
    /// Told as begun, and not yet as ended.
    pub(super) touching: bool,
    /// The velocity of B as seen from A at the first touch, where that was.
    pub(super) first_velocity: Vec3,
    /// Most pairs have one touch; bodies of several parts may have more.
    pub(super) touches: Vec<Touch>,
}

/// All pairs of bodies near each other, in the order of their places.
#[derive(Clone, Debug, Default)]
pub(super) struct Touches {
    pub(super) pairs: Vec<NearPair>,
}

impl Touches {
    /// Takes in pairs that began and lets go those that ended; both sorted. Told are the ended ones that
    /// touched.
    pub(super) fn change(
        &mut self,
        bodies: &Bodies,
        begun: &[Pair],
        ended: &[Pair],
        mut parted: impl FnMut(&NearPair),
    ) {
        if begun.is_empty() && ended.is_empty() {
            return;
        }
        // A pair may be unknown here: of a body that was removed, or of two that never touch.
        let mut gone = ended.iter().peekable();
        self.pairs.retain(|pair| {
            while gone.next_if(|gone| **gone < pair.bodies).is_some() {}
            let ends = gone.next_if(|gone| **gone == pair.bodies).is_some();
            if ends && pair.touching {
                parted(pair);
            }
            !ends
        });
        let before = core::mem::take(&mut self.pairs);
        self.pairs.reserve(before.len() + begun.len());
        let mut old = before.into_iter().peekable();
        for &bodies_of_pair in begun {
            while let Some(pair) = old.next_if(|pair| pair.bodies < bodies_of_pair) {
                self.pairs.push(pair);
            }
            // All pairs of a restored world begin, and are known.
            if old.peek().is_some_and(|pair| pair.bodies == bodies_of_pair) {
                continue;
            }
            self.pairs.extend(NearPair::of(bodies, bodies_of_pair));
        }
        self.pairs.extend(old);
    }

    /// Finds out where the pairs of which one is awake touch now.
    pub(super) fn collide(&mut self, bodies: &Bodies, margin: f32, time_step: f32, threads: usize) {
        share(threads, FIND_LEAST, &mut self.pairs, |pairs| {
            let mut found = Vec::new();
            for pair in pairs {
                let [a, b] = pair.bodies.map(|place| place as usize);
                if bodies.is_awake(a) || bodies.is_awake(b) {
                    pair.find(bodies, margin, time_step, &mut found);
                    if !pair.touching {
                        pair.note_approach(bodies);
                    }
                }
            }
        });
    }
}

impl NearPair {
    /// `None` if these two never touch: neither is moved by contacts, or their groups say so.
    pub(super) fn of(bodies: &Bodies, pair: Pair) -> Option<Self> {
        let [a, b] = pair.map(|place| place as usize);
        let apart = bodies.untouchable.binary_search(&pair).is_ok();
        if apart || !(bodies.lives(a) && bodies.lives(b)) {
            return None;
        }
        let ids = [bodies.id(a), bodies.id(b)];
        let (a, b) = (bodies.nature(a), bodies.nature(b));
        let moves = a.kind == Kind::Moving || b.kind == Kind::Moving;
        let sensor = a.sensor || b.sensor;
        let both_sense = a.sensor && b.sensor;
        // A sensor that is driven sees what stands still, too.
        let seen = sensor && !both_sense && !(a.kind == Kind::Still && b.kind == Kind::Still);
        if !(moves && !both_sense || seen) || !a.groups.touch(b.groups) {
            return None;
        }
        Some(Self {
            bodies: pair,
            ids,
            settled: None,
            settled_limit: settled::limit([a, b]),
            material: a.material.of_pair(&b.material),
            sensor,
            touching: false,
            first_velocity: Vec3::ZERO,
            touches: Vec::new(),
        })
    }

    fn find(&mut self, bodies: &Bodies, margin: f32, time_step: f32, found: &mut Vec<Manifold>) {
        let [a, b] = self.bodies.map(|place| place as usize);
        let (shape_a, shape_b) = (&bodies.nature(a).shape, &bodies.nature(b).shape);
        let (pose_a, pose_b) = (&bodies.poses[a], &bodies.poses[b]);
        let centers = [bodies.places[a].center, bodies.places[b].center];
        if self.sensor {
            let touch = contacts::touching(shape_a, pose_a, shape_b, pose_b);
            self.touches.clear();
            if touch {
                let at = contacts::contact(shape_a, pose_a, shape_b, pose_b, 0.0);
                self.touches.extend(at.map(|manifold| Touch::new(manifold, 0.0, centers)));
            }
            return;
        }
        // All that was within the margin was found. What was beyond it is not to come near unseen.
        let unseen = if self.touches.is_empty() { 0.5 * margin } else { margin };
        let limit = scalar::min(self.settled_limit, unseen);
        if let Some(settled) = &self.settled
            && let Some(moved) = settled.moved(bodies, [a, b], limit, time_step)
        {
            self.touches.iter_mut().for_each(|touch| moved.follow(touch));
            return;
        }
        self.settled = (self.settled_limit > 0.0).then(|| Settled::new(bodies, [a, b]));
        if is_convex(shape_a) && is_convex(shape_b) {
            let now = contacts::contact(shape_a, pose_a, shape_b, pose_b, margin);
            match (now, &mut *self.touches) {
                (Some(manifold), [touch]) => touch.renew(manifold, centers, margin),
                (Some(manifold), _) => self.touches.push(Touch::new(manifold, 0.0, centers)),
                (None, _) => {
                    self.touches.clear();
                    self.look_ahead(bodies, margin, time_step);
                }
            }
            return;
        }
        found.clear();
        contacts::contacts(shape_a, pose_a, shape_b, pose_b, margin, found);
        let before = core::mem::take(&mut self.touches);
        if found.is_empty() {
            self.look_ahead(bodies, margin, time_step);
            return;
        }
        self.touches.extend(found.iter().map(|&manifold| {
            let mut touch = Touch::new(manifold, 0.0, centers);
            let parts = manifold.parts;
            if let Some(before) = before.iter().find(|before| before.manifold.parts == parts) {
                touch.remember(before, margin);
            }
            touch
        }));
    }

    /// Finds out where two bodies that do not touch will, in this step.
    fn look_ahead(&mut self, bodies: &Bodies, margin: f32, time_step: f32) {
        let pair = self.bodies.map(|place| place as usize);
        if let Some((manifold, ahead)) = fast::contact_ahead(bodies, pair, margin, time_step) {
            let centers = pair
                .map(|place| bodies.places[place].center + bodies.motions[place].velocity * ahead);
            self.touches.push(Touch::new(manifold, ahead, centers));
            self.settled = None;
        }
    }

    /// How the bodies come at each other, where they are nearest.
    fn note_approach(&mut self, bodies: &Bodies) {
        let [a, b] = self.bodies.map(|place| place as usize);
        let points = self.touches.iter().flat_map(|touch| touch.manifold.points());
        let deepest =
            points.reduce(|deepest, next| if next.depth > deepest.depth { next } else { deepest });
        if let Some(&ContactPoint { point, .. }) = deepest {
            self.first_velocity = bodies.velocity_at(b, point) - bodies.velocity_at(a, point);
        }
    }

    /// The deepest that the bodies reached into each other when the step began; below 0, the distance;
    /// nothing if they were farther apart than contacts are watched.
    pub(super) fn depth(&self) -> Option<f32> {
        let here = self.touches.iter().filter(|touch| touch.ahead == 0.0);
        here.map(|touch| touch.manifold.depth()).reduce(
            |deepest, next| {
                if next > deepest { next } else { deepest }
            },
        )
    }

    /// What held them in the whole step, in N·s.
    pub(super) fn impulse(&self) -> f32 {
        self.touches.iter().flat_map(Touch::held).map(|(_, memory)| memory.total).sum()
    }
}

fn is_convex(shape: &Shape) -> bool {
    !matches!(shape, Shape::Mesh(_) | Shape::Compound(_))
}
