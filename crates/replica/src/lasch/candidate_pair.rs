//! Candidate pair: two bodies whose AABBs overlap, with their contact and its events.

use embate::broad_phase::OverlapPair;
use embate::dynamics::{
    Body, BodyId, BodyType, ContactEvent, ContactManifold, ManifoldPoint, World,
};
use embate::narrow_phase::{ContactPoint, MAX_MANIFOLD_POINTS, Manifold};
use embate_geom::{Vec3, scalar};

/// Contact of a pair in the last step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    /// From the first body to the second, unit length.
    pub(super) normal: Vec3,
    pub(super) sub_shapes: [u32; 2],
    pub(super) points: [ContactPoint; MAX_MANIFOLD_POINTS],
    pub(super) point_count: u8,
    /// Normal impulse of the last step, in N·s; applied at the first point.
    pub(super) impulse: f32,
}

impl Contact {
    pub(super) fn new(manifold: &Manifold) -> Self {
        let mut points = [ContactPoint::default(); MAX_MANIFOLD_POINTS];
        let found = manifold.points();
        points[..found.len()].copy_from_slice(found);
        Self {
            normal: manifold.normal,
            sub_shapes: manifold.sub_shapes,
            points,
            point_count: found.len() as u8,
            impulse: 0.0,
        }
    }

    pub(super) fn points(&self) -> &[ContactPoint] {
        &self.points[..usize::from(self.point_count)]
    }

    /// Largest penetration of all points, in m; negative: the distance.
    pub(super) fn max_penetration(&self) -> f32 {
        self.points().iter().fold(f32::NEG_INFINITY, |deepest, point| {
            if point.penetration > deepest { point.penetration } else { deepest }
        })
    }
}

/// Distances that begin and end a contact, and the approach speed of a hit.
#[derive(Clone, Copy, Debug)]
pub(super) struct EventThresholds {
    /// A contact begins at this distance, in m.
    pub(super) tolerance: f32,
    /// It ends beyond this distance, or beyond the tolerance if that is larger, in m.
    pub(super) slop: f32,
    /// In m/s.
    pub(super) hit_speed: f32,
}

/// Two bodies that the broad phase found.
#[derive(Clone, Debug)]
pub(super) struct CandidatePair {
    /// Body indices, the smaller first.
    pub(super) bodies: OverlapPair,
    pub(super) ids: [BodyId; 2],
    pub(super) sensor: bool,
    /// New, or one body was teleported since the last step.
    pub(super) needs_update: bool,
    /// A begin event was emitted and no end event since.
    pub(super) is_touching: bool,
    /// Velocity of the second body relative to the first when they began to touch, in m/s.
    pub(super) approach_velocity: Vec3,
    pub(super) contact: Option<Contact>,
}

impl CandidatePair {
    /// `None` if the two bodies never touch: neither is dynamic, both are sensors, or their
    /// collision filters exclude each other. A kinematic sensor detects static bodies.
    pub(super) fn new(world: &World, ids: [BodyId; 2]) -> Option<Self> {
        let [a, b] = [world.body(ids[0])?, world.body(ids[1])?];
        let sensor = a.is_sensor() || b.is_sensor();
        let both_sensors = a.is_sensor() && b.is_sensor();
        let is = |body_type| move |body: &Body<'_>| body.body_type() == body_type;
        let any_dynamic = [a, b].iter().any(is(BodyType::Dynamic));
        let both_fixed = [a, b].iter().all(is(BodyType::Fixed));
        let detects = sensor && !both_sensors && !both_fixed;
        let (filter_a, filter_b) = (a.collision_filter(), b.collision_filter());
        let filters_match =
            filter_a.category & filter_b.mask != 0 && filter_b.category & filter_a.mask != 0;
        let touches = (any_dynamic && !both_sensors || detects) && filters_match;
        touches.then(|| Self {
            bodies: ids.map(BodyId::index),
            ids,
            sensor,
            needs_update: true,
            is_touching: false,
            approach_velocity: Vec3::ZERO,
            contact: None,
        })
    }

    /// The end event of a pair that goes, if it touched.
    pub(super) fn end_event(&self) -> Option<ContactEvent> {
        let end = ContactEvent::End { bodies: self.ids, sensor: self.sensor };
        self.is_touching.then_some(end)
    }

    /// Emits begin, hit and end events of the step.
    pub(super) fn emit_events(
        &mut self,
        thresholds: &EventThresholds,
        events: &mut Vec<ContactEvent>,
    ) {
        self.needs_update = false;
        let (bodies, sensor) = (self.ids, self.sensor);
        let EventThresholds { tolerance, slop, hit_speed } = *thresholds;
        let impulse = self.contact.map_or(0.0, |contact| contact.impulse);
        let depth = self.contact.map_or(f32::NEG_INFINITY, |contact| contact.max_penetration());
        if !self.is_touching && (depth >= -tolerance || impulse > 0.0) {
            self.is_touching = true;
            events.push(ContactEvent::Begin { bodies, sensor });
            events.extend(self.hit_event(hit_speed));
        } else if self.is_touching && depth < -scalar::max(slop, tolerance) && impulse <= 0.0 {
            self.is_touching = false;
            events.push(ContactEvent::End { bodies, sensor });
        }
    }

    fn hit_event(&self, hit_speed: f32) -> Option<ContactEvent> {
        let contact = self.contact?;
        let speed = -self.approach_velocity.dot(contact.normal);
        let hits = !self.sensor && speed >= hit_speed && contact.impulse > 0.0;
        hits.then_some(ContactEvent::Hit {
            bodies: self.ids,
            point: contact.points[0].position,
            normal: contact.normal,
            approach_speed: speed,
            normal_impulse: contact.impulse,
        })
    }

    /// The contact as users see it; `None` if the pair does not touch.
    pub(super) fn manifold(&self) -> Option<ContactManifold> {
        let contact = self.contact.as_ref().filter(|_| self.is_touching)?;
        let mut points = [ManifoldPoint::default(); MAX_MANIFOLD_POINTS];
        for (number, (out, point)) in points.iter_mut().zip(contact.points()).enumerate() {
            *out = ManifoldPoint {
                position: point.position,
                penetration: point.penetration,
                total_normal_impulse: if number == 0 { contact.impulse } else { 0.0 },
            };
        }
        Some(ContactManifold::from_points(
            self.ids,
            contact.sub_shapes,
            contact.normal,
            self.approach_velocity,
            &points[..contact.points().len()],
        ))
    }
}
