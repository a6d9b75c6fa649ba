//! Joints as bytes.

use embate_geom::Vec3;

use super::super::bodies::Bodies;
use super::super::body::Kind;
use super::super::joints::{JointKind, Joints, Link, Motor, SLOTS, is_arm};
use super::InvalidSnapshot;
use super::bytes::{In, Out};

pub(super) fn write(out: &mut Out, joints: &Joints) {
    out.count(joints.links.len());
    for (link, &generation) in joints.links.iter().zip(&joints.generations) {
        out.u32(generation);
        out.u8(u8::from(link.is_some()));
        if let Some(link) = link {
            write_link(out, link);
        }
    }
    out.count(joints.free.len());
    for &index in &joints.free {
        out.u32(index);
    }
}

fn write_link(out: &mut Out, link: &Link) {
    let Link {
        ids: _,
        bodies,
        kind,
        colliding,
        anchors,
        frames,
        limits,
        motor,
        length,
        stiffness,
        damping,
        angle,
        impulses,
    } = link;
    for &place in bodies {
        out.u32(place as u32);
    }
    let kind = JointKind::ALL.iter().position(|other| other == kind);
    out.u8(kind.unwrap_or(0) as u8);
    out.flags(&[*colliding, limits.is_some(), motor.is_some()]);
    for &anchor in anchors {
        out.vec3(anchor);
    }
    for &frame in frames {
        out.rotation(frame);
    }
    for &limit in limits.iter().flatten() {
        out.f32(limit);
    }
    if let Some(Motor { speed, strength }) = motor {
        out.f32(*speed);
        out.f32(*strength);
    }
    for value in [*length, *stiffness, *damping, *angle] {
        out.f32(value);
    }
    for &impulse in impulses {
        out.vec3(impulse);
    }
}

pub(super) fn read(input: &mut In<'_>, bodies: &Bodies) -> Result<Joints, InvalidSnapshot> {
    let count = input.count(5)?;
    let mut joints = Joints::default();
    let mut free = Vec::new();
    for index in 0..count {
        joints.generations.push(input.u32()?);
        let [lives] = input.flags()?;
        joints.links.push(if lives { Some(read_link(input, bodies)?) } else { None });
        if !lives {
            free.push(index as u32);
        }
    }
    let count = input.count(4)?;
    for _ in 0..count {
        joints.free.push(input.u32()?);
    }
    let mut sorted = joints.free.clone();
    sorted.sort_unstable();
    input.need(sorted == free, "the names to be given again are not those without a joint")?;
    Ok(joints)
}

fn read_link(input: &mut In<'_>, bodies: &Bodies) -> Result<Link, InvalidSnapshot> {
    let places = [input.u32()? as usize, input.u32()? as usize];
    let there = places.iter().all(|&place| bodies.lives(place));
    input.need(there && places[0] != places[1], "a joint does not hold two bodies")?;
    let moves = places.iter().any(|&place| bodies.nature(place).kind == Kind::Moving);
    input.need(moves, "a joint holds nothing that moves")?;
    let Some(&kind) = JointKind::ALL.get(usize::from(input.u8()?)) else {
        return input.wrong("there is no such joint");
    };
    let [colliding, limited, driven] = input.flags()?;
    let anchors = [input.vec3()?, input.vec3()?];
    let near = |side: usize| {
        let nature = bodies.nature(places[side]);
        is_arm(&nature.mass, nature.locks, anchors[side].length())
    };
    input.need(near(0) && near(1), "a joint is too far from its body")?;
    let frames = [input.rotation()?, input.rotation()?];
    let limits = if limited { Some([input.any_f32()?, input.any_f32()?]) } else { None };
    let motor =
        if driven { Some(Motor { speed: input.f32()?, strength: input.f32()? }) } else { None };
    let (length, stiffness, damping) = (input.f32()?, input.f32()?, input.f32()?);
    let angle = input.f32()?;
    let mut impulses = [Vec3::ZERO; SLOTS];
    for impulse in &mut impulses {
        *impulse = input.vec3()?;
    }
    let link = Link {
        ids: places.map(|place| bodies.id(place)),
        bodies: places,
        kind,
        colliding,
        anchors,
        frames,
        limits,
        motor,
        length,
        stiffness,
        damping,
        angle,
        impulses,
    };
    input.need(link.is_valid(), "a joint is not valid")?;
    Ok(link)
}
