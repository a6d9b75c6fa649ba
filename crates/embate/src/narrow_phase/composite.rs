//! Bodies of several parts: every part of one against those parts of the other that it may reach.
//!
//! Parts are placed about A's own position and the answers moved there at the end: far from the origin
//! the place of a part in the world would lose what the poses of the bodies still tell.

use embate_geom::{Pose, Vec3, scalar};

use super::contact;
use super::manifold::{Manifold, Separation};
use super::mesh;
use super::mesh_mesh;
use super::pair::Body;
use crate::shapes::{Compound, Shape};

/// Whether a body is one convex part.
pub(super) fn is_convex(shape: &Shape) -> bool {
    !matches!(shape, Shape::Mesh(_) | Shape::Compound(_))
}

/// Parts of `compound` that may come within `margin` of a body, in ascending order.
fn near(compound: &Compound, pose: &Pose, (other, pose_other): Body<'_>, margin: f32) -> Vec<u32> {
    // The other body's box as seen from the compound.
    let rotation = pose.rotation.inverse() * pose_other.rotation;
    let seen =
        Pose { rotation: rotation.renormalised(), position: pose.local_point(pose_other.position) };
    let bounds = other.aabb(&seen);
    // A box in f32 may be smaller than the body by some rounding of its coordinates.
    let margin =
        margin + 16.0 * f32::EPSILON * (mesh::most(&bounds) + mesh::most(compound.bounds()));
    let bounds = mesh::with_margin(&bounds, scalar::min(margin, 1e18));
    let mut parts = Vec::new();
    compound.near(&bounds, &mut parts);
    parts
}

/// Where A is, and both poses as seen from there, not turned. Of bodies of one part, which keep what their
/// poses tell by themselves, the poses as they are.
fn about_a((a, pose_a): Body<'_>, (b, pose_b): Body<'_>) -> (Vec3, Pose, Pose) {
    if !matches!((a, b), (Shape::Compound(_), _) | (_, Shape::Compound(_))) {
        return (Vec3::ZERO, *pose_a, *pose_b);
    }
    let origin = pose_a.position;
    let moved = |pose: &Pose| Pose { position: pose.position - origin, ..*pose };
    (origin, moved(pose_a), moved(pose_b))
}

/// Appends a manifold for every pair of convex parts that touch: part by part of A, for each part by part
/// of B.
pub(super) fn contacts(a: Body<'_>, b: Body<'_>, margin: f32, found: &mut Vec<Manifold>) {
    let first = found.len();
    let (origin, pose_a, pose_b) = about_a(a, b);
    contacts_of_parts((a.0, &pose_a), (b.0, &pose_b), margin, found);
    if origin != Vec3::ZERO {
        found[first..].iter_mut().for_each(|manifold| manifold.move_by(origin));
    }
}

fn contacts_of_parts(
    (a, pose_a): Body<'_>,
    (b, pose_b): Body<'_>,
    margin: f32,
    found: &mut Vec<Manifold>,
) {
    let first = found.len();
    match (a, b) {
        (Shape::Compound(compound), _) => {
            for part in near(compound, pose_a, (b, pose_b), margin) {
                let before = found.len();
                let pose = compound.part_pose(pose_a, part);
                let part_of_a = (&compound.parts()[part as usize].1, &pose);
                contacts_of_parts(part_of_a, (b, pose_b), margin, found);
                found[before..].iter_mut().for_each(|manifold| manifold.parts[0] = part);
            }
        }
        (_, Shape::Compound(compound)) => {
            for part in near(compound, pose_b, (a, pose_a), margin) {
                let before = found.len();
                let pose = compound.part_pose(pose_b, part);
                let part_of_b = (&compound.parts()[part as usize].1, &pose);
                contacts_of_parts((a, pose_a), part_of_b, margin, found);
                found[before..].iter_mut().for_each(|manifold| manifold.parts[1] = part);
            }
        }
        (Shape::Mesh(a), Shape::Mesh(b)) => {
            mesh_mesh::contacts((a, pose_a), (b, pose_b), margin, found);
        }
        (_, Shape::Mesh(b)) => mesh::contacts((a, pose_a), (b, pose_b), margin, found),
        (Shape::Mesh(a), _) => {
            mesh::contacts((b, pose_b), (a, pose_a), margin, found);
            found[first..].iter_mut().for_each(|manifold| *manifold = manifold.turned_round());
        }
        _ => found.extend(contact(a, pose_a, b, pose_b, margin)),
    }
    debug_assert!(found[first..].iter().all(|manifold| !manifold.points().is_empty()));
}

/// The parts that are nearest, or deepest in each other.
pub(super) fn separation(a: Body<'_>, b: Body<'_>) -> Option<Separation> {
    let (origin, pose_a, pose_b) = about_a(a, b);
    let found = nearest_parts((a.0, &pose_a), (b.0, &pose_b), f32::INFINITY)?;
    Some(Separation { points: found.points.map(|point| point + origin), ..found })
}

/// The same, if any two are no farther apart than `beyond`; if none are, perhaps `None`.
fn nearest_parts((a, pose_a): Body<'_>, (b, pose_b): Body<'_>, beyond: f32) -> Option<Separation> {
    match (a, b) {
        (Shape::Compound(compound), _) => {
            nearest_part((compound, pose_a), (b, pose_b), beyond, |part, pose, beyond| {
                nearest_parts((part, pose), (b, pose_b), beyond)
            })
        }
        (_, Shape::Compound(compound)) => {
            nearest_part((compound, pose_b), (a, pose_a), beyond, |part, pose, beyond| {
                nearest_parts((a, pose_a), (part, pose), beyond)
            })
        }
        (Shape::Mesh(a), Shape::Mesh(b)) => mesh_mesh::separation((a, pose_a), (b, pose_b)),
        (_, Shape::Mesh(_)) => mesh::separation((a, pose_a), (b, pose_b)),
        (Shape::Mesh(_), _) => {
            mesh::separation((b, pose_b), (a, pose_a)).map(Separation::turned_round)
        }
        _ => Some(super::separation(a, pose_a, b, pose_b)),
    }
}

/// Of the parts of a compound that may be as near to a body as any, the first of those that are.
fn nearest_part(
    (compound, pose): (&Compound, &Pose),
    other: Body<'_>,
    beyond: f32,
    ask: impl Fn(&Shape, &Pose, f32) -> Option<Separation>,
) -> Option<Separation> {
    let asked = |part: u32, beyond: f32| {
        ask(&compound.parts()[part as usize].1, &compound.part_pose(pose, part), beyond)
    };
    // Any part bounds how far the others have to be looked for; one near the other body's middle, well.
    let mut first = Vec::new();
    let middle = pose.local_point(other.1.position).to_array();
    compound.tree().nearest(&middle, 1, &mut first);
    let told = first.first().and_then(|neighbour| asked(neighbour.id, beyond));
    let least = told.map_or(beyond, |told| scalar::min(beyond, scalar::max(told.distance, 0.0)));
    let mut best: Option<Separation> = None;
    // Begun anew, so that the order of parts decides between equals.
    for part in near(compound, pose, other, least) {
        let least = best.map_or(least, |best| scalar::min(least, scalar::max(best.distance, 0.0)));
        let told = asked(part, least);
        best = match (best, told) {
            (Some(best), Some(told)) if told.distance >= best.distance => Some(best),
            (best, told) => told.or(best),
        };
    }
    best.or(told)
}

/// Whether any two parts touch.
pub(super) fn touching(a: Body<'_>, b: Body<'_>) -> bool {
    let (_, pose_a, pose_b) = about_a(a, b);
    touching_parts((a.0, &pose_a), (b.0, &pose_b))
}

fn touching_parts((a, pose_a): Body<'_>, (b, pose_b): Body<'_>) -> bool {
    match (a, b) {
        (Shape::Compound(compound), _) => {
            near(compound, pose_a, (b, pose_b), 0.0).into_iter().any(|part| {
                let pose = compound.part_pose(pose_a, part);
                touching_parts((&compound.parts()[part as usize].1, &pose), (b, pose_b))
            })
        }
        (_, Shape::Compound(compound)) => {
            near(compound, pose_b, (a, pose_a), 0.0).into_iter().any(|part| {
                let pose = compound.part_pose(pose_b, part);
                touching_parts((a, pose_a), (&compound.parts()[part as usize].1, &pose))
            })
        }
        (Shape::Mesh(a), Shape::Mesh(b)) => mesh_mesh::touching((a, pose_a), (b, pose_b)),
        (_, Shape::Mesh(b)) => mesh::touching((a, pose_a), (b, pose_b)),
        (Shape::Mesh(a), _) => mesh::touching((b, pose_b), (a, pose_a)),
        _ => super::touching(a, pose_a, b, pose_b),
    }
}
