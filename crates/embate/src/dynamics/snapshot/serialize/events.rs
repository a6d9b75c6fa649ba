//! Serialization of contact events.

use crate::dynamics::body::body_def::BodyId;
use crate::dynamics::contact_events::{ContactEvent, ContactEvents};
use crate::dynamics::snapshot::serialize::reader_writer::{Reader, Writer};
use crate::dynamics::snapshot::serialize::{SnapshotDefect, SnapshotError};

/// Type and two body ids.
const MIN_EVENT_BYTES: usize = 17;

pub(crate) fn write(out: &mut Writer, events: &ContactEvents) {
    write_list(out, events.current());
    write_list(out, events.ended_by_edits());
}

fn write_list(out: &mut Writer, events: &[ContactEvent]) {
    out.count(events.len());
    for event in events {
        let (event_type, bodies) = match *event {
            ContactEvent::Begin { bodies, sensor } => (u8::from(sensor), bodies),
            ContactEvent::End { bodies, sensor } => (2 + u8::from(sensor), bodies),
            ContactEvent::Hit { bodies, .. } => (4, bodies),
        };
        out.u8(event_type);
        for BodyId { index, generation } in bodies {
            out.u32(index);
            out.u32(generation);
        }
        if let ContactEvent::Hit { bodies: _, point, normal, approach_speed, normal_impulse } =
            *event
        {
            out.vec3(point);
            out.vec3(normal);
            out.f32(approach_speed);
            out.f32(normal_impulse);
        }
    }
}

pub(crate) fn read(input: &mut Reader<'_>) -> Result<ContactEvents, SnapshotError> {
    let current = read_list(input)?;
    Ok(ContactEvents::new(current, read_list(input)?))
}

fn read_list(input: &mut Reader<'_>) -> Result<Vec<ContactEvent>, SnapshotError> {
    let count = input.count(MIN_EVENT_BYTES)?;
    let mut events = Vec::with_capacity(count);
    for _ in 0..count {
        let event_type = input.u8()?;
        let mut id = || Ok(BodyId { index: input.u32()?, generation: input.u32()? });
        let bodies = [id()?, id()?];
        events.push(match event_type {
            0 | 1 => ContactEvent::Begin { bodies, sensor: event_type == 1 },
            2 | 3 => ContactEvent::End { bodies, sensor: event_type == 3 },
            4 => ContactEvent::Hit {
                bodies,
                point: input.vec3()?,
                normal: input.vec3()?,
                approach_speed: input.finite_f32()?,
                normal_impulse: input.finite_f32()?,
            },
            _ => return input.error(SnapshotDefect::UnknownEventType),
        });
    }
    Ok(events)
}
