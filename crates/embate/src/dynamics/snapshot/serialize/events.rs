//! What happened, as bytes.

use super::super::body::BodyId;
use super::super::events::Event;
use super::InvalidSnapshot;
use super::bytes::{In, Out};

pub(super) fn write(out: &mut Out, events: &[Event]) {
    out.count(events.len());
    for event in events {
        let (kind, bodies) = match *event {
            Event::Begun { bodies, sensor } => (u8::from(sensor), bodies),
            Event::Ended { bodies, sensor } => (2 + u8::from(sensor), bodies),
            Event::Hit { bodies, .. } => (4, bodies),
        };
        out.u8(kind);
        for BodyId { index, generation } in bodies {
            out.u32(index);
            out.u32(generation);
        }
        if let Event::Hit { bodies: _, point, normal, speed, impulse } = *event {
            out.vec3(point);
            out.vec3(normal);
            out.f32(speed);
            out.f32(impulse);
        }
    }
}

pub(super) fn read(input: &mut In<'_>) -> Result<Vec<Event>, InvalidSnapshot> {
    let count = input.count(17)?;
    let mut events = Vec::with_capacity(count);
    for _ in 0..count {
        let kind = input.u8()?;
        let mut id = || Ok(BodyId { index: input.u32()?, generation: input.u32()? });
        let bodies = [id()?, id()?];
        events.push(match kind {
            0 | 1 => Event::Begun { bodies, sensor: kind == 1 },
            2 | 3 => Event::Ended { bodies, sensor: kind == 3 },
            4 => Event::Hit {
                bodies,
                point: input.vec3()?,
                normal: input.vec3()?,
                speed: input.f32()?,
                impulse: input.f32()?,
            },
            _ => return input.wrong("there is no such event"),
        });
    }
    Ok(events)
}
