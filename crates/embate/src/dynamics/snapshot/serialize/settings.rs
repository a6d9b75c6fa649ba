//! What holds for all bodies, as bytes.

use super::super::method::{Broad, Method, Resolve};
use super::super::settings::{Bounds, Settings, Walls};
use super::InvalidSnapshot;
use super::bytes::{In, Out};
use crate::pairs::PairTechnique;

pub(super) fn write(out: &mut Out, settings: &Settings) {
    let Settings {
        gravity,
        time_step,
        substeps,
        slop,
        rest_speed,
        hit_speed,
        max_speed,
        sleeping,
        bounds,
        method,
        threads,
    } = *settings;
    out.vec3(gravity);
    out.f32(time_step);
    out.u32(substeps);
    out.u32(threads);
    out.f32(slop);
    out.f32(hit_speed);
    out.f32(max_speed);
    out.flags(&[sleeping, rest_speed.is_some(), bounds.is_some()]);
    if let Some(speed) = rest_speed {
        out.f32(speed);
    }
    if let Some(Bounds { min, max, walls }) = bounds {
        out.vec3(min);
        out.vec3(max);
        out.u8(u8::from(walls == Walls::Open));
    }
    match method {
        Method::Soft => out.u8(0),
        Method::Elastic => out.u8(1),
        Method::Study { broad, resolve, tolerance } => {
            out.u8(2);
            let place = Broad::ALL.iter().position(|&other| other == broad);
            // Not in the list: the one that chooses by itself.
            out.u8(place.map_or(u8::MAX, |place| place as u8));
            out.u8(u8::from(resolve == Resolve::Impulse));
            out.f32(tolerance);
        }
    }
}

pub(super) fn read(input: &mut In<'_>) -> Result<Settings, InvalidSnapshot> {
    let gravity = input.vec3()?;
    let time_step = input.f32()?;
    let (substeps, threads) = (input.u32()?, input.u32()?);
    let (slop, hit_speed, max_speed) = (input.f32()?, input.f32()?, input.f32()?);
    let [sleeping, rests, bounded] = input.flags()?;
    let rest_speed = if rests { Some(input.f32()?) } else { None };
    let bounds = if bounded {
        let (min, max) = (input.vec3()?, input.vec3()?);
        let [open] = input.flags()?;
        Some(Bounds { min, max, walls: if open { Walls::Open } else { Walls::Bounce } })
    } else {
        None
    };
    let method = match input.u8()? {
        0 => Method::Soft,
        1 => Method::Elastic,
        2 => {
            let broad = match input.u8()? {
                u8::MAX => Broad::Technique(PairTechnique::Auto),
                place => match Broad::ALL.get(usize::from(place)) {
                    Some(&broad) => broad,
                    None => return input.wrong("there is no such broad phase"),
                },
            };
            let [impulse] = input.flags()?;
            let resolve = if impulse { Resolve::Impulse } else { Resolve::Positions };
            Method::Study { broad, resolve, tolerance: input.f32()? }
        }
        _ => return input.wrong("there is no such method"),
    };
    let settings = Settings {
        gravity,
        time_step,
        substeps,
        slop,
        rest_speed,
        hit_speed,
        max_speed,
        sleeping,
        threads,
        bounds,
        method,
    };
    input.need(settings.check().is_ok(), "a setting is out of its range")?;
    Ok(settings)
}
