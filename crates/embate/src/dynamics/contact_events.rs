//! What happened in a step, and who touches whom now?

use embate_geom::{Vec3, scalar};

use super::body::BodyId;
use super::touch::Touch;
use super::touches::NearPair;
use crate::contacts::MAX_POINTS;

/// What happened between two bodies in a step. Of the two the smaller place is the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// They touch, and did not before.
    Begun {
        /// Who.
        bodies: [BodyId; 2],
        /// One of them is a sensor.
        sensor: bool,
    },
    /// They touched, and no longer do, or one of them was removed.
    Ended {
        /// Who.
        bodies: [BodyId; 2],
        /// One of them is a sensor.
        sensor: bool,
    },
    /// They met faster than the settings' `hit_speed`.
    Hit {
        /// Who.
        bodies: [BodyId; 2],
        /// Where, in the world.
        point: Vec3,
        /// From the first to the second, of length 1.
        normal: Vec3,
        /// How fast they approached along the normal, in m/s.
        speed: f32,
        /// What the touch took in this step, in N·s.
        impulse: f32,
    },
}

impl Event {
    /// Between whom; the smaller place first.
    #[must_use]
    pub fn bodies(&self) -> [BodyId; 2] {
        match *self {
            Self::Begun { bodies, .. } | Self::Ended { bodies, .. } | Self::Hit { bodies, .. } => {
                bodies
            }
        }
    }
}

/// One point of a [`Contact`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HeldPoint {
    /// Midway between the surfaces, in the world, as the step began.
    pub point: Vec3,
    /// How far the bodies reach into each other here; below 0, how far they are apart.
    pub depth: f32,
    /// What held them apart here in the last step, in N·s; in worlds of `Method::Elastic`, in its last part.
    pub impulse: f32,
}

/// Where two bodies touch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Contact {
    /// Who; the smaller place first.
    pub bodies: [BodyId; 2],
    /// Which parts of them, of compounds and meshes; otherwise 0.
    pub parts: [u32; 2],
    /// From the first to the second, of length 1, in the world.
    pub normal: Vec3,
    /// The velocity of the second as seen from the first when they first touched, in m/s.
    pub first_velocity: Vec3,
    points: [HeldPoint; MAX_POINTS],
    count: u8,
}

impl Contact {
    pub(super) fn new(pair: &NearPair, touch: &Touch) -> Self {
        let mut points = [HeldPoint::default(); MAX_POINTS];
        for (out, (contact, memory)) in points.iter_mut().zip(touch.held()) {
            *out = HeldPoint { point: contact.point, depth: contact.depth, impulse: memory.total };
        }
        Self {
            bodies: pair.ids,
            parts: touch.manifold.parts,
            normal: touch.manifold.normal,
            first_velocity: pair.first_velocity,
            points,
            count: touch.manifold.points().len() as u8,
        }
    }

    /// One to four points.
    #[must_use]
    pub fn points(&self) -> &[HeldPoint] {
        &self.points[..usize::from(self.count)]
    }
}

/// Tells what began, ended and hit, of a pair that was looked at in this step. What is no farther apart than
/// `tolerance` touches; it ends where they are more than the slop apart.
pub(super) fn tell(
    pair: &mut NearPair,
    (tolerance, slop): (f32, f32),
    hit_speed: f32,
    events: &mut Vec<Event>,
) {
    pair.anew = false;
    let (bodies, sensor) = (pair.ids, pair.sensor);
    let impulse = pair.impulse();
    let depth = pair.depth().unwrap_or(f32::NEG_INFINITY);
    if !pair.touching && (depth >= -tolerance || impulse > 0.0) {
        pair.touching = true;
        events.push(Event::Begun { bodies, sensor });
        events.extend(hit(pair, impulse, hit_speed));
    } else if pair.touching && depth < -scalar::max(slop, tolerance) && impulse <= 0.0 {
        pair.touching = false;
        events.push(Event::Ended { bodies, sensor });
    }
}

/// The hit that a touch began with, if it was fast enough.
fn hit(pair: &NearPair, impulse: f32, hit_speed: f32) -> Option<Event> {
    let hardest = pair.touches.iter().flat_map(|touch| {
        touch.held().map(move |(contact, memory)| (contact, memory.total, touch.manifold.normal))
    });
    let (contact, _, normal) =
        hardest.reduce(|hardest, next| if next.1 > hardest.1 { next } else { hardest })?;
    let speed = -pair.first_velocity.dot(normal);
    let hits = !pair.sensor && speed >= hit_speed && impulse > 0.0;
    hits.then_some(Event::Hit { bodies: pair.ids, point: contact.point, normal, speed, impulse })
}
