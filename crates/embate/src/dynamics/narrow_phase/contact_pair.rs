//! Which pairs touch, and where?
//!
//! A pair lives while the rooms of its bodies overlap. Each step finds its touches anew, or lets them follow the
//! bodies.

use core::sync::atomic::{AtomicU64, Ordering};

use embate_geom::{Vec3, scalar};

use super::bodies::Bodies;
use super::body::{BodyId, Kind, Material};
use super::fast;
use super::settled::{self, Settled};
use super::threads::share;
use super::touch::Touch;
use crate::contacts::{self, ContactPoint, Gap, Manifold};
use crate::pairs::Pair;
use crate::shapes::Shape;

/// Pairs that one thread looks at at least, so that it is worth to wake another.
const FIND_LEAST: usize = 256;

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
    /// To be looked at in the next step, even if nobody is awake: it is new, or one was put elsewhere.
    pub(super) anew: bool,
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
    /// While bodies are removed, one after another.
    leaving: Option<Leaving>,
}

/// What is known of pairs from the first removal to the next change of another kind.
#[derive(Clone, Debug)]
struct Leaving {
    /// Bodies and the numbers of their pairs, sorted.
    of_body: Vec<(u32, u32)>,
    /// By number: one of its bodies was removed.
    gone: Vec<bool>,
}

impl Leaving {
    fn of(pairs: &[NearPair]) -> Self {
        let places = (0..)
            .zip(pairs)
            .flat_map(|(number, pair)| pair.bodies.into_iter().map(move |place| (place, number)));
        let mut of_body: Vec<(u32, u32)> = places.collect();
        of_body.sort_unstable();
        Self { of_body, gone: vec![false; pairs.len()] }
    }
}

impl Touches {
    /// Of pairs that are sorted.
    pub(super) fn of(pairs: Vec<NearPair>) -> Self {
        Self { pairs, leaving: None }
    }

    /// Lets all pairs of a body go, and tells each. They are kept until [`tidy`](Self::tidy), but nobody is to see them any
    /// more: whoever removes many bodies does not go through all pairs for each.
    pub(super) fn let_go(&mut self, place: u32, mut tell: impl FnMut(&NearPair)) {
        let pairs = &mut self.pairs;
        let Leaving { of_body, gone } = self.leaving.get_or_insert_with(|| Leaving::of(pairs));
        let from = of_body.partition_point(|entry| entry.0 < place);
        for &(_, number) in of_body[from..].iter().take_while(|entry| entry.0 == place) {
            let number = number as usize;
            if !core::mem::replace(&mut gone[number], true) {
                tell(&pairs[number]);
                pairs[number].touching = false;
            }
        }
    }

    /// Before pairs are changed or counted: drops those that are gone.
    pub(super) fn tidy(&mut self) {
        if let Some(Leaving { gone, .. }) = self.leaving.take() {
            let mut gone = gone.into_iter();
            self.pairs.retain(|_| gone.next() == Some(false));
        }
    }

    /// Those that are not gone.
    pub(super) fn present(&self) -> impl Iterator<Item = &NearPair> {
        let gone = |number: usize| self.leaving.as_ref().is_some_and(|all| all.gone[number]);
        self.pairs
            .iter()
            .enumerate()
            .filter(move |&(number, _)| !gone(number))
            .map(|(_, pair)| pair)
    }

    /// The pair of two places, the smaller first.
    pub(super) fn find(&self, bodies: Pair) -> Result<usize, usize> {
        self.pairs.binary_search_by_key(&bodies, |pair| pair.bodies)
    }

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
        // And known before it begins: all pairs of a restored world begin.
        let mut came = begun.iter().copied().peekable();
        let mut new = Vec::new();
        self.pairs.retain(|pair| {
            while let Some(earlier) = came.next_if(|came| *came < pair.bodies) {
                new.push(earlier);
            }
            while gone.next_if(|gone| **gone < pair.bodies).is_some() {}
            let ends = gone.next_if(|gone| **gone == pair.bodies).is_some();
            if ends && pair.touching {
                parted(pair);
            } else if !ends {
                came.next_if_eq(&pair.bodies);
            }
            !ends
        });
        new.extend(came);
        let before = self.pairs.len();
        self.pairs.extend(new.into_iter().filter_map(|pair| NearPair::of(bodies, pair)));
        if self.pairs.len() > before {
            // Of two lists that are sorted, one behind the other, this makes one, where they are.
            self.pairs.sort_by_key(|pair| pair.bodies);
        }
    }

    /// Finds out where the pairs of which one is awake, or which are new, touch now. Tells how many there are of
    /// which one is awake, and how many of these touch.
    pub(super) fn collide(
        &mut self,
        bodies: &Bodies,
        margin: f32,
        time_step: f32,
        threads: usize,
    ) -> [u64; 2] {
        let counts = [const { AtomicU64::new(0) }; 2];
        share(threads, FIND_LEAST, &mut self.pairs, |_, pairs| {
            let mut found = Vec::new();
            let (mut looked_at, mut touching) = (0, 0);
            for pair in pairs {
                let awake = pair.bodies.iter().any(|&place| bodies.is_awake(place as usize));
                if pair.anew || awake {
                    pair.find(bodies, margin, time_step, &mut found);
                    if !pair.touching {
                        pair.note_approach(bodies);
                    }
                }
                looked_at += u64::from(awake);
                touching += u64::from(awake && !pair.touches.is_empty());
            }
            for (count, more) in counts.iter().zip([looked_at, touching]) {
                count.fetch_add(more, Ordering::Relaxed);
            }
        });
        counts.map(AtomicU64::into_inner)
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
            anew: true,
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
            // Shapes that are asked in no time are asked.
            if self.settled_limit > 0.0 && fast::stay_far(bodies, [a, b], margin, time_step) {
                self.touches.clear();
                return;
            }
            let mut gap = Gap::UNKNOWN;
            let now = contacts::contact_or_gap(shape_a, pose_a, shape_b, pose_b, margin, &mut gap);
            match (now, &mut *self.touches) {
                (Some(manifold), [touch]) => touch.renew(manifold, centers, margin),
                (Some(manifold), _) => self.put(manifold, 0.0, centers),
                (None, _) => {
                    self.touches.clear();
                    self.look_ahead(bodies, &gap, margin, time_step);
                }
            }
            return;
        }
        found.clear();
        contacts::contacts(shape_a, pose_a, shape_b, pose_b, margin, found);
        let before = core::mem::take(&mut self.touches);
        if found.is_empty() {
            self.look_ahead(bodies, &Gap::UNKNOWN, margin, time_step);
            return;
        }
        self.touches.reserve_exact(found.len());
        self.touches.extend(found.iter().map(|&manifold| {
            let mut touch = Touch::new(manifold, 0.0, centers);
            let parts = manifold.parts;
            if let Some(before) = before.iter().find(|before| before.manifold.parts == parts) {
                touch.remember(before, margin);
            }
            touch
        }));
        self.look_past(bodies, margin, time_step);
    }

    /// Finds out whether a fast body that is near some part of another will meet a further part, in this step.
    #[inline(never)]
    fn look_past(&mut self, bodies: &Bodies, margin: f32, time_step: f32) {
        let pair = self.bodies.map(|place| place as usize);
        let before = self.touches.len();
        fast::contacts_past(bodies, pair, margin, time_step, |manifold, ahead| {
            let known = self.touches[..before].iter().any(|touch| {
                touch.manifold.parts == manifold.parts
                    && touch.manifold.normal.dot(manifold.normal) > 0.9
            });
            if !known {
                self.put(manifold, ahead, centers_after(bodies, pair, ahead));
            }
        });
        if self.touches.len() > before {
            self.settled = None;
        }
    }

    /// Finds out where two bodies that do not touch, apart by `gap`, will in this step.
    fn look_ahead(&mut self, bodies: &Bodies, gap: &Gap, margin: f32, time_step: f32) {
        let pair = self.bodies.map(|place| place as usize);
        if let Some((manifold, ahead)) = fast::contact_ahead(bodies, pair, gap, margin, time_step) {
            self.put(manifold, ahead, centers_after(bodies, pair, ahead));
            self.settled = None;
        }
    }

    /// Most pairs have one touch, which is a third of a kilobyte: no room is kept for more.
    #[inline(never)]
    fn put(&mut self, manifold: Manifold, ahead: f32, centers: [Vec3; 2]) {
        self.touches.reserve_exact(1);
        self.touches.push(Touch::new(manifold, ahead, centers));
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

/// Where the centres of two bodies are after so many seconds of free flight.
fn centers_after(bodies: &Bodies, pair: [usize; 2], time: f32) -> [Vec3; 2] {
    pair.map(|place| bodies.places[place].center + bodies.motions[place].velocity * time)
}

pub(super) fn is_convex(shape: &Shape) -> bool {
    !matches!(shape, Shape::Mesh(_) | Shape::Compound(_))
}
