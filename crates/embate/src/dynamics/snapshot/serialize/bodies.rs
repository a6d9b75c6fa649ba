//! Bodies and their rooms as bytes.

use embate_geom::Aabb;

use super::super::bodies::{Bodies, Calm, Motion, Nature, Place, Push, Rest};
use super::super::body::{BodyPlan, Groups, Kind, Locks, Material};
use super::super::broad::ROUNDING;
use super::super::method::Method;
use super::super::settings::Settings;
use super::InvalidSnapshot;
use super::bytes::{In, Out};
use super::shapes::{self, Table};
use crate::pairs::Boxes;

pub(super) fn write(out: &mut Out, bodies: &Bodies) {
    let mut table = Table::new();
    let numbers: Vec<Option<u32>> = bodies
        .natures
        .iter()
        .map(|nature| nature.as_ref().map(|nature| table.number(&nature.shape)))
        .collect();
    out.count(table.shapes.len());
    for shape in &table.shapes {
        out.raw(shape);
    }
    out.count(bodies.natures.len());
    for (place, number) in numbers.into_iter().enumerate() {
        out.u32(bodies.generations[place]);
        out.u8(u8::from(number.is_some()));
        if let Some(number) = number {
            out.u32(number);
            write_body(out, bodies, place);
        }
    }
    out.count(bodies.free.len());
    for &place in &bodies.free {
        out.u32(place);
    }
}

fn write_body(out: &mut Out, bodies: &Bodies, place: usize) {
    let Nature {
        shape: _,
        kind,
        mass,
        material,
        damping,
        gravity_scale,
        locks,
        groups,
        sensor,
        may_sleep,
        wall,
        // These follow from the shape.
        reach: _,
        core: _,
        part_cores: _,
    } = bodies.nature(place);
    let push = &bodies.pushes[place];
    let (pushed, asleep) = (*push != Push::default(), bodies.rests[place] != Rest::Awake);
    out.u8(match kind {
        Kind::Moving => 0,
        Kind::Driven => 1,
        Kind::Still => 2,
    });
    out.flags(&[*sensor, *may_sleep, *wall, pushed, asleep]);
    let ([a, b, c], [d, e, f]) = (locks.moving, locks.turning);
    out.flags(&[a, b, c, d, e, f]);
    out.f32(mass.kilograms);
    let Material { restitution, friction, rolling, spinning } = *material;
    for value in [restitution, friction, rolling, spinning] {
        out.f32(value);
    }
    for &rate in damping {
        out.f32(rate);
    }
    out.f32(*gravity_scale);
    out.u32(groups.of);
    out.u32(groups.with);
    let Place { center, rotation } = bodies.places[place];
    out.vec3(center);
    out.rotation(rotation);
    // Of a body that has not moved yet, as it was given, not as its centre says.
    out.vec3(bodies.poses[place].position);
    let Motion { velocity, spin, moved: _, turned: _ } = bodies.motions[place];
    out.vec3(velocity);
    out.vec3(spin);
    out.f32(bodies.calm[place]);
    if bodies.calm[place] > 0.0 {
        let Calm { place: Place { center, rotation }, velocity, spin } = bodies.calm_at[place];
        out.vec3(center);
        out.rotation(rotation);
        out.vec3(velocity);
        out.vec3(spin);
    }
    if pushed {
        out.vec3(push.force);
        out.vec3(push.torque);
    }
    if let Rest::Asleep(island) = bodies.rests[place] {
        out.u32(island);
    }
}

pub(super) fn read(input: &mut In<'_>) -> Result<Bodies, InvalidSnapshot> {
    let count = input.count(5)?;
    let mut shapes = Vec::with_capacity(count);
    for _ in 0..count {
        shapes.push(shapes::read(input)?);
    }
    let count = input.count(5)?;
    let mut bodies = Bodies::default();
    let mut free = Vec::new();
    for place in 0..count {
        let generation = input.u32()?;
        let [lives] = input.flags()?;
        if lives {
            let number = input.u32()? as usize;
            let Some(shape) = shapes.get(number) else {
                return input.wrong("a body has a shape that there is not");
            };
            read_body(input, &mut bodies, BodyPlan::still(shape.clone()))?;
        } else {
            bodies.add_nobody();
            free.push(place as u32);
        }
        bodies.generations[place] = generation;
    }
    let count = input.count(4)?;
    for _ in 0..count {
        let place = input.u32()?;
        bodies.free.push(place);
    }
    // Every place without a body once, in any order.
    let mut sorted = bodies.free.clone();
    sorted.sort_unstable();
    input.need(sorted == free, "the places to be given again are not those without a body")?;
    Ok(bodies)
}

fn read_body(
    input: &mut In<'_>,
    bodies: &mut Bodies,
    mut plan: BodyPlan,
) -> Result<(), InvalidSnapshot> {
    plan.kind = match input.u8()? {
        0 => Kind::Moving,
        1 => Kind::Driven,
        2 => Kind::Still,
        _ => return input.wrong("there is no such kind of body"),
    };
    let [sensor, may_sleep, wall, pushed, asleep] = input.flags()?;
    (plan.sensor, plan.may_sleep) = (sensor, may_sleep);
    let [a, b, c, d, e, f] = input.flags()?;
    plan.locks = Locks { moving: [a, b, c], turning: [d, e, f] };
    plan.mass = input.f32()?;
    plan.material = Material {
        restitution: input.f32()?,
        friction: input.f32()?,
        rolling: input.f32()?,
        spinning: input.f32()?,
    };
    plan.damping = [input.f32()?, input.f32()?];
    plan.gravity_scale = input.f32()?;
    plan.groups = Groups { of: input.u32()?, with: input.u32()? };
    let place = Place { center: input.vec3()?, rotation: input.rotation()? };
    plan.pose.position = input.vec3()?;
    plan.pose.rotation = place.rotation;
    let (velocity, spin) = (input.vec3()?, input.vec3()?);
    let calm = input.f32()?;
    let calm_at = if calm > 0.0 {
        let place = Place { center: input.vec3()?, rotation: input.rotation()? };
        Calm { place, velocity: input.vec3()?, spin: input.vec3()? }
    } else {
        Calm::default()
    };
    let push =
        if pushed { Push { force: input.vec3()?, torque: input.vec3()? } } else { Push::default() };
    let rest = if asleep { Rest::Asleep(input.u32()?) } else { Rest::Awake };

    let Ok(mass) = plan.check() else { return input.wrong("a body is not valid") };
    let bounds = plan.shape.aabb(&plan.pose);
    input.need(Boxes::check(0, &bounds).is_ok(), "a body reaches too far out")?;
    let away = (place.center - plan.pose.point(mass.centroid)).length();
    let near = away <= 1e-3 * (1.0 + place.center.abs().largest());
    input.need(near, "a body is not where its centre is")?;
    let index = bodies.add(plan, mass).index as usize;
    bodies.places[index] = place;
    bodies.motions[index] = Motion { velocity, spin, ..Motion::default() };
    bodies.pushes[index] = push;
    bodies.rests[index] = rest;
    (bodies.calm[index], bodies.calm_at[index]) = (calm, calm_at);
    if let Some(nature) = &mut bodies.natures[index] {
        nature.wall = wall;
    }
    Ok(())
}

pub(super) fn write_rooms(out: &mut Out, rooms: &[(u32, Aabb<3>)]) {
    out.count(rooms.len());
    for (place, room) in rooms {
        out.u32(*place);
        for &value in room.min.iter().chain(&room.max) {
            out.f32(value);
        }
    }
}

/// No room reaches farther from its body than it could go in the three seconds that the longest step looks ahead,
/// and once more for what has stopped since: then not everything is near everything, whatever the bytes say. Worlds of
/// the study's method have no rooms.
pub(super) fn read_rooms(
    input: &mut In<'_>,
    bodies: &Bodies,
    settings: &Settings,
) -> Result<Vec<(u32, Aabb<3>)>, InvalidSnapshot> {
    let farthest = 6.0 * settings.max_speed + settings.margin() + 1.0;
    let count = input.count(28)?;
    let mut rooms = Vec::with_capacity(count);
    for _ in 0..count {
        let place = input.u32()?;
        let (min, max) = (input.vec3()?.to_array(), input.vec3()?.to_array());
        let room = Aabb { min, max };
        input.need(Boxes::check(0, &room).is_ok(), "a room is not valid")?;
        let body = bodies.natures.get(place as usize).and_then(Option::as_ref);
        let Some(nature) = body else { return input.wrong("a room is nobody's") };
        // What spins fast has room to turn, too. Far away, boxes are rounded.
        let center = bodies.places[place as usize].center.abs().largest();
        let farthest = farthest + nature.reach + ROUNDING * (center + nature.reach);
        let own = nature.shape.aabb(&bodies.poses[place as usize]).grown(farthest);
        let near = (0..3).all(|axis| own.min[axis] <= min[axis] && max[axis] <= own.max[axis]);
        input.need(near, "a room is larger than the body ever needs")?;
        rooms.push((place, room));
    }
    let theirs = rooms.iter().map(|(place, _)| *place as usize);
    let has_rooms = !matches!(settings.method, Method::Study { .. });
    let living = (0..bodies.natures.len()).filter(|&place| has_rooms && bodies.lives(place));
    input.need(theirs.eq(living), "rooms are not those of the bodies")?;
    Ok(rooms)
}
