//! Pairs near each other, where they touch and what held them, as bytes.

use super::super::bodies::Bodies;
use super::super::settled::Settled;
use super::super::touch::{FoundPoint, PointMemory, Touch};
use super::super::touches::{NearPair, Touches};
use super::InvalidSnapshot;
use super::bytes::{In, Out};
use crate::contacts::{ContactPoint, MAX_POINTS, Manifold};

pub(super) fn write(out: &mut Out, touches: &Touches) {
    out.count(touches.pairs.len());
    for pair in &touches.pairs {
        let NearPair {
            bodies,
            settled,
            anew,
            touching,
            first_velocity,
            touches,
            // These follow from the bodies.
            ids: _,
            settled_limit: _,
            material: _,
            sensor: _,
        } = pair;
        for &place in bodies {
            out.u32(place);
        }
        out.flags(&[*touching, settled.is_some(), *anew]);
        out.vec3(*first_velocity);
        if let Some(Settled { centers, rotations }) = settled {
            for &center in centers {
                out.vec3(center);
            }
            for &rotation in rotations {
                out.rotation(rotation);
            }
        }
        out.count(touches.len());
        for touch in touches {
            write_touch(out, touch);
        }
    }
}

fn write_touch(out: &mut Out, touch: &Touch) {
    let Touch { manifold, found, ahead, points, friction, twist, rolling } = touch;
    out.vec3(manifold.normal);
    for &part in &manifold.parts {
        out.u32(part);
    }
    out.f32(*ahead);
    out.vec3(*friction);
    out.f32(*twist);
    out.vec3(*rolling);
    out.u8(manifold.points().len() as u8);
    for ((contact, found), memory) in manifold.points().iter().zip(found).zip(points) {
        let ContactPoint { point, depth, feature } = *contact;
        out.vec3(point);
        out.f32(depth);
        out.u32(feature);
        out.vec3(found.arm_a);
        out.vec3(found.arm_b);
        out.vec3(found.point);
        out.f32(found.depth);
        // The feature that it is remembered by is the contact's.
        out.f32(memory.impulse);
        out.f32(memory.total);
    }
}

pub(super) fn read(input: &mut In<'_>, bodies: &Bodies) -> Result<Touches, InvalidSnapshot> {
    let count = input.count(25)?;
    let mut touches = Touches::default();
    for _ in 0..count {
        let places = [input.u32()?, input.u32()?];
        let last = touches.pairs.last().map(|pair: &NearPair| pair.bodies);
        let in_order = places[0] < places[1] && last.is_none_or(|last| last < places);
        input.need(in_order, "pairs are not in order")?;
        let Some(mut pair) = NearPair::of(bodies, places) else {
            return input.wrong("a pair is of two that never touch");
        };
        let [touching, settled, anew] = input.flags()?;
        (pair.touching, pair.anew) = (touching, anew);
        pair.first_velocity = input.vec3()?;
        if settled {
            let centers = [input.vec3()?, input.vec3()?];
            let rotations = [input.rotation()?, input.rotation()?];
            pair.settled = Some(Settled { centers, rotations });
        }
        let count = input.count(90)?;
        for _ in 0..count {
            pair.touches.push(read_touch(input)?);
        }
        touches.pairs.push(pair);
    }
    Ok(touches)
}

fn read_touch(input: &mut In<'_>) -> Result<Touch, InvalidSnapshot> {
    let mut manifold = Manifold::along(input.vec3()?);
    let length = manifold.normal.length_squared();
    input.need((length - 1.0).abs() <= 1e-3, "a normal does not have length 1")?;
    manifold.parts = [input.u32()?, input.u32()?];
    let ahead = input.f32()?;
    let friction = input.vec3()?;
    let twist = input.f32()?;
    let rolling = input.vec3()?;
    let count = usize::from(input.u8()?);
    input.need((1..=MAX_POINTS).contains(&count), "a touch has no points, or too many")?;
    let mut found = [FoundPoint::default(); MAX_POINTS];
    let mut points = [PointMemory::default(); MAX_POINTS];
    for (found, memory) in found.iter_mut().zip(&mut points).take(count) {
        let (point, depth, feature) = (input.vec3()?, input.f32()?, input.u32()?);
        manifold.push(ContactPoint { point, depth, feature });
        let (arm_a, arm_b) = (input.vec3()?, input.vec3()?);
        *found = FoundPoint { arm_a, arm_b, point: input.vec3()?, depth: input.f32()? };
        *memory = PointMemory { feature, impulse: input.f32()?, total: input.f32()? };
    }
    Ok(Touch { manifold, found, ahead, points, friction, twist, rolling })
}
