//! Contact events (begin, end, hit) and the contact manifolds of the public API.

use std::sync::Mutex;

use embate_geom::Vec3;

use crate::dynamics::body::body_def::BodyId;
use crate::dynamics::body::body_set::BodySet;
use crate::dynamics::narrow_phase::contact_pair::ContactPair;
use crate::dynamics::narrow_phase::manifold::PersistentManifold;
use crate::dynamics::narrow_phase::{MIN_PAIRS_PER_TASK, NarrowPhase};
use crate::dynamics::parallel::worker_pool::{lock, parallel_for};
use crate::dynamics::settings::Settings;
use crate::narrow_phase::MAX_MANIFOLD_POINTS;

/// Contact event between two bodies in a step. The body with the smaller [`BodyId::index`] is
/// first.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "CollisionEvent")]
#[doc(alias = "b2ContactEvents")]
#[doc(alias = "Event")]
pub enum ContactEvent {
    /// The bodies began to touch.
    #[doc(alias = "Begun")]
    Begin {
        /// The two bodies.
        bodies: [BodyId; 2],
        /// Whether one of them is a sensor.
        sensor: bool,
    },
    /// The bodies ceased to touch, or one of them was removed.
    #[doc(alias = "Ended")]
    End {
        /// The two bodies.
        bodies: [BodyId; 2],
        /// Whether one of them is a sensor.
        sensor: bool,
    },
    /// The bodies began to touch with an approach speed of at least
    /// [`hit_event_threshold`](crate::dynamics::Settings::hit_event_threshold).
    Hit {
        /// The two bodies.
        bodies: [BodyId; 2],
        /// Contact point with the largest impulse, in world space.
        point: Vec3,
        /// Unit normal from the first to the second body, in world space.
        normal: Vec3,
        /// Approach speed along the normal, in m/s.
        #[doc(alias = "speed")]
        approach_speed: f32,
        /// Normal impulse of all contact points in this step, in N·s.
        #[doc(alias = "impulse")]
        normal_impulse: f32,
    },
}

impl ContactEvent {
    /// The two bodies; the one with the smaller [`BodyId::index`] is first.
    #[must_use]
    pub fn bodies(&self) -> [BodyId; 2] {
        match *self {
            Self::Begin { bodies, .. } | Self::End { bodies, .. } | Self::Hit { bodies, .. } => {
                bodies
            }
        }
    }
}

/// Contact point of a [`ContactManifold`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[doc(alias = "HeldPoint")]
#[doc(alias = "b2ManifoldPoint")]
pub struct ManifoldPoint {
    /// Midpoint between the two surfaces at the beginning of the step, in world space.
    #[doc(alias = "point")]
    pub position: Vec3,
    /// Penetration depth in meters; negative if the surfaces are separated.
    #[doc(alias = "depth")]
    pub penetration: f32,
    /// Total normal impulse of the last step, in N·s: the sum over its sub-steps. With
    /// `SolverKind::EventDriven`: of its last sub-step.
    #[doc(alias("impulse", "normal_impulse", "totalNormalImpulse"))]
    pub total_normal_impulse: f32,
}

/// Contact manifold: the contact points of two bodies that share one normal.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "Contact")]
pub struct ContactManifold {
    /// The two bodies; the one with the smaller [`BodyId::index`] is first.
    pub bodies: [BodyId; 2],
    /// Sub-shape indices within compounds and meshes; 0 for other shapes.
    #[doc(alias = "parts")]
    #[doc(alias = "SubShapeID")]
    pub sub_shapes: [u32; 2],
    /// Unit normal from the first to the second body, in world space.
    pub normal: Vec3,
    /// Velocity of the second body relative to the first when they began to touch, in m/s.
    #[doc(alias = "first_velocity")]
    pub approach_velocity: Vec3,
    points: [ManifoldPoint; MAX_MANIFOLD_POINTS],
    count: u8,
}

impl ContactManifold {
    pub(crate) fn new(pair: &ContactPair, persistent: &PersistentManifold) -> Self {
        let mut points = [ManifoldPoint::default(); MAX_MANIFOLD_POINTS];
        for (point, (contact, impulse)) in points.iter_mut().zip(persistent.points_with_impulses())
        {
            *point = ManifoldPoint {
                position: contact.position,
                penetration: contact.penetration,
                total_normal_impulse: impulse.total_normal_impulse,
            };
        }
        Self {
            bodies: pair.ids(),
            sub_shapes: persistent.manifold.sub_shapes,
            normal: persistent.manifold.normal,
            approach_velocity: pair.approach_velocity(),
            points,
            count: persistent.manifold.points().len() as u8,
        }
    }

    /// Manifold of the first four of `points`, for contacts found outside of a world.
    #[must_use]
    pub fn from_points(
        bodies: [BodyId; 2],
        sub_shapes: [u32; 2],
        normal: Vec3,
        approach_velocity: Vec3,
        points: &[ManifoldPoint],
    ) -> Self {
        let mut stored = [ManifoldPoint::default(); MAX_MANIFOLD_POINTS];
        let count = points.len().min(MAX_MANIFOLD_POINTS);
        stored[..count].copy_from_slice(&points[..count]);
        Self { bodies, sub_shapes, normal, approach_velocity, points: stored, count: count as u8 }
    }

    /// The contact points: 1 to 4.
    #[must_use]
    pub fn points(&self) -> &[ManifoldPoint] {
        &self.points[..usize::from(self.count)]
    }
}

/// Contact events of a world.
#[derive(Clone, Debug, Default)]
pub(crate) struct ContactEvents {
    /// Events of the last step, or of the step that is running.
    current: Vec<ContactEvent>,
    /// End events caused by edits of the world since the last step; the next step emits them.
    ended_by_edits: Vec<ContactEvent>,
}

impl ContactEvents {
    pub(crate) fn new(current: Vec<ContactEvent>, ended_by_edits: Vec<ContactEvent>) -> Self {
        Self { current, ended_by_edits }
    }

    pub(crate) fn current(&self) -> &[ContactEvent] {
        &self.current
    }

    pub(crate) fn ended_by_edits(&self) -> &[ContactEvent] {
        &self.ended_by_edits
    }

    /// Replaces the events of the last step by those of the edits since.
    pub(crate) fn begin_step(&mut self) {
        self.current.clear();
        self.current.append(&mut self.ended_by_edits);
    }

    /// Sorts the events of the step by bodies.
    pub(crate) fn end_step(&mut self) {
        // A stable sort: events of the same two bodies stay in chronological order.
        self.current.sort_by_key(|event| event.bodies().map(|id| id.index));
    }

    /// Emits the end event of a pair whose fat AABBs ceased to overlap in this step.
    pub(crate) fn end_pair(&mut self, pair: &ContactPair) {
        self.current.extend(end_event(pair));
    }

    /// Emits the end event of a pair that an edit removed, with the events of the next step.
    pub(crate) fn end_pair_by_edit(&mut self, pair: &ContactPair) {
        self.ended_by_edits.extend(end_event(pair));
    }

    /// Emits the begin, end and hit events of all pairs that were updated in this step.
    pub(crate) fn emit(
        &mut self,
        bodies: &BodySet,
        narrow_phase: &mut NarrowPhase,
        settings: &Settings,
    ) {
        let thresholds = TouchThresholds {
            begin_distance: 0.0,
            end_distance: settings.linear_slop,
            hit_speed: settings.hit_event_threshold,
        };
        let worker_count = settings.worker_count as usize;
        // Tasks append in any order; `end_step` sorts the events.
        let events = Mutex::new(&mut self.current);
        parallel_for(worker_count, MIN_PAIRS_PER_TASK, narrow_phase.pairs_mut(), |_, pairs| {
            let mut task_events = Vec::new();
            for pair in pairs {
                if pair.needs_update() || pair.is_awake(bodies) {
                    emit_pair_events(pair, &thresholds, &mut task_events);
                }
            }
            lock(&events).append(&mut task_events);
        });
    }
}

/// End event of a pair that is dropped; `None` if it did not touch.
fn end_event(pair: &ContactPair) -> Option<ContactEvent> {
    let (bodies, sensor) = (pair.ids(), pair.is_sensor());
    pair.is_touching().then_some(ContactEvent::End { bodies, sensor })
}

/// When a pair begins and ceases to touch, and when that is a hit.
struct TouchThresholds {
    /// The pair begins to touch within this distance, in meters.
    begin_distance: f32,
    /// The pair ceases to touch beyond this distance, in meters; larger than `begin_distance` to
    /// prevent flickering events (hysteresis).
    end_distance: f32,
    /// Approach speed of a hit, in m/s.
    hit_speed: f32,
}

/// Updates the touching state of a pair and appends the resulting events.
fn emit_pair_events(
    pair: &mut ContactPair,
    thresholds: &TouchThresholds,
    events: &mut Vec<ContactEvent>,
) {
    pair.mark_updated();
    let (bodies, sensor) = (pair.ids(), pair.is_sensor());
    let impulse = pair.total_normal_impulse();
    let penetration = pair.max_penetration().unwrap_or(f32::NEG_INFINITY);
    if !pair.is_touching() && (penetration >= -thresholds.begin_distance || impulse > 0.0) {
        pair.set_touching(true);
        events.push(ContactEvent::Begin { bodies, sensor });
        events.extend(hit_event(pair, impulse, thresholds.hit_speed));
    } else if pair.is_touching() && penetration < -thresholds.end_distance && impulse <= 0.0 {
        pair.set_touching(false);
        events.push(ContactEvent::End { bodies, sensor });
    }
}

/// Hit event of a beginning contact, at the point with the largest impulse; `None` if the approach
/// speed is below `hit_speed`.
fn hit_event(pair: &ContactPair, normal_impulse: f32, hit_speed: f32) -> Option<ContactEvent> {
    let points = pair.manifolds().iter().flat_map(|manifold| {
        manifold.points_with_impulses().map(move |(contact, point_impulse)| {
            (contact, point_impulse.total_normal_impulse, manifold.manifold.normal)
        })
    });
    let (contact, _, normal) =
        points.reduce(|hardest, next| if next.1 > hardest.1 { next } else { hardest })?;
    let approach_speed = -pair.approach_velocity().dot(normal);
    let is_hit = !pair.is_sensor() && approach_speed >= hit_speed && normal_impulse > 0.0;
    is_hit.then_some(ContactEvent::Hit {
        bodies: pair.ids(),
        point: contact.position,
        normal,
        approach_speed,
        normal_impulse,
    })
}
