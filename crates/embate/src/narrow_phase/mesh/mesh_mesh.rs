//! Where do two meshes touch? Triangle by triangle, each of one against those of the other near it.

use embate_geom::{Aabb, Frame, Pose, Vec3, Wide, scalar};

use super::feature::{Part, feature};
use super::impact_motion::Axes;
use super::manifold::{ContactPoint, Manifold, Separation};
use super::mesh::{
    Around, Facet, Seen, bounds_seen, each_within, most, nearer, room_to_leave, with_margin,
};
use super::mesh_open::Answer;
use super::mesh_settle::agree;
use super::mesh_solid as solid;
use super::mesh_way_out::WaysOut;
use super::nearest::Nearest;
use super::polytope::Polytope;
use super::triangle::Triangle;
use crate::shapes::{MeshShape, Shape};

type Placed<'a> = (&'a std::sync::Arc<MeshShape>, &'a Pose);

/// Two meshes that touch in more places are told all of them: to find a way out takes a while for each.
const SETTLED: usize = 64;

/// A contact whose normal is farther than this (as a cosine, 45°) from the way out of all is another way.
const SAME_WAY: f32 = 0.7;

/// Hands every triangle of A, which has gone some way, near B, with a margin, to `tell`, until it says that it has
/// heard enough: its number, the triangle, and its frame in the world and as seen from B.
fn each_of_a(
    (a, pose_a): Placed<'_>,
    (b, pose_b): Placed<'_>,
    way: Vec3,
    margin: f32,
    mut tell: impl FnMut(u32, &Triangle, &Frame, &Seen) -> bool,
) {
    let mut frame = pose_a.frame();
    frame.origin += way;
    let mut seen = Seen::new(pose_b, pose_a);
    // Not in the world, whose coordinates may be coarse.
    seen.origin = seen.origin + Axes::of(pose_b.rotation).transposed_times(Wide::from(way));
    let turn = Axes::of(pose_b.rotation.inverse() * pose_a.rotation);
    let other = Shape::Mesh(std::sync::Arc::clone(b));
    let bounds = bounds_seen((&other, pose_b), pose_a);
    let back = -Axes::of(pose_a.rotation).transposed_times(Wide::from(way)).narrow();
    let shifted = |corner: [f32; 3]| (Vec3::from(corner) + back).to_array();
    let bounds = Aabb { min: shifted(bounds.min), max: shifted(bounds.max) };
    let rounding = 16.0 * f32::EPSILON * (most(&bounds) + most(a.bounds()));
    let mut near = Vec::new();
    a.near(&with_margin(&bounds, margin + rounding), &mut near);
    for index in near {
        if let Some(normal) = a.normal(index) {
            let (triangle, middle) = Triangle::new(a.triangle(index), normal);
            let placed = Frame { origin: frame.point(middle), ..frame };
            let seen = Seen { origin: seen.origin + turn.times(Wide::from(middle)), ..seen };
            if tell(index, &triangle, &placed, &seen) {
                return;
            }
        }
    }
}

/// A box around a triangle in its own frame.
fn around(triangle: &Triangle, seen: &Seen, margin: f32) -> Around {
    let corners = [0, 1, 2].map(|corner| triangle.corner(corner));
    let (min, max) =
        (corners[0].min(corners[1]).min(corners[2]), corners[0].max(corners[1]).max(corners[2]));
    Around::new(&Aabb { min: min.to_array(), max: max.to_array() }, margin, seen)
}

/// A box around a triangle that is seen from elsewhere, with a margin and room for rounding.
fn bounds_of(triangle: &Triangle, seen: &Seen, margin: f32) -> Aabb<3> {
    let origin = seen.origin.narrow();
    let corners = [0, 1, 2].map(|corner| seen.axes * triangle.corner(corner) + origin);
    let (mut min, mut max) = (corners[0], corners[0]);
    for &corner in &corners[1..] {
        (min, max) = (min.min(corner), max.max(corner));
    }
    let rounding = 8.0 * f32::EPSILON * scalar::max(min.abs().largest(), max.abs().largest());
    let room = Vec3::splat(margin + rounding);
    Aabb { min: (min - room).to_array(), max: (max + room).to_array() }
}

/// By which way A leaves B whole, if by none longer than `longest`. Contacts offer theirs, and so do all triangles
/// that touch.
fn way_out(a: Placed<'_>, b: Placed<'_>, found: &[Manifold], longest: f32) -> Option<Separation> {
    let mut ways_out = WaysOut::default();
    each_touching(a, b, Vec3::ZERO, |told, normals, reach| ways_out.add(told, &normals, reach));
    if !ways_out.are_several() {
        return None;
    }
    for contact in found {
        ways_out.offer(contact);
    }
    let left = |way: Vec3| {
        let mut deepest = None;
        each_touching(a, b, way, |told, _, _| deepest = nearer(deepest, Some(*told)));
        deepest
    };
    let [of_a, of_b] = [a.0, b.0].map(|mesh| Shape::Mesh(std::sync::Arc::clone(mesh)));
    let bodies = [(&of_a, a.1), (&of_b, b.1)];
    let slack = room_to_leave(a.0.bounds(), ways_out.reach());
    ways_out.shortest(bodies, longest, slack, left)
}

/// Tells where every two triangles that touch when A has gone some way are deepest in each other, their normals, and
/// how far they reach from their middles.
fn each_touching(
    a: Placed<'_>,
    b: Placed<'_>,
    way: Vec3,
    mut tell: impl FnMut(&Nearest, [Vec3; 2], f32),
) {
    each_of_a(a, b, way, 0.0, |_, triangle, frame, seen| {
        let (bounds, around) = (bounds_of(triangle, seen, 0.0), around(triangle, seen, 0.0));
        each_within(&bounds, &around, seen, (b.0, b.1), |_, facet| {
            if let Some(told) = solid::nearest(triangle, frame, facet, 0.0) {
                let of_b = facet.frame.axes * facet.triangle.normal;
                let reach = scalar::max(triangle.reach(), facet.triangle.reach());
                tell(&told, [frame.axes * triangle.normal, of_b], reach);
            }
            false
        });
        false
    });
}

/// Appends where two meshes touch: a manifold for every two triangles that do. If there is a way by which they leave
/// each other whole, contacts that would push another way, and no less far, are not told, and it is.
pub(super) fn contacts(a: Placed<'_>, b: Placed<'_>, margin: f32, found: &mut Vec<Manifold>) {
    let mut all = Vec::new();
    each_contact(a, b, margin, &mut all);
    let deepest = all.iter().fold(0.0, |most, contact| scalar::max(most, contact.depth()));
    if all.len() <= SETTLED
        && !agree(&all)
        && let Some(out) = way_out(a, b, &all, deepest * (1.0 + 1e-4))
    {
        let other = |contact: &Manifold| {
            contact.normal.dot(out.normal_ab) < SAME_WAY
                && contact.depth() * (1.0 + 1e-4) >= -out.distance
        };
        let parts = all.iter().reduce(|a, b| if b.depth() > a.depth() { b } else { a });
        let parts = parts.map_or([0; 2], |deepest| deepest.parts);
        all.retain(|contact| !other(contact));
        // Often no two triangles say so by themselves.
        let says_so = |contact: &Manifold| contact.depth() * (1.0 + 1e-4) >= -out.distance;
        if !all.iter().any(says_so) {
            all.push(whole(&out, parts));
        }
    }
    found.append(&mut all);
}

/// A way out as a contact in one point.
fn whole(out: &Separation, parts: [u32; 2]) -> Manifold {
    let point = (out.points[0] + out.points[1]) * 0.5;
    let feature = feature(Part::WHOLE, Part::WHOLE);
    let contact = ContactPoint { point, depth: -out.distance, feature };
    let mut manifold = Manifold::single(out.normal_ab, contact);
    manifold.parts = parts;
    manifold
}

fn each_contact(a: Placed<'_>, b: Placed<'_>, margin: f32, found: &mut Vec<Manifold>) {
    let mut first: Option<Manifold> = None;
    each_of_a(a, b, Vec3::ZERO, margin, |index_a, triangle, frame, seen| {
        let (bounds, around) = (bounds_of(triangle, seen, margin), around(triangle, seen, margin));
        each_within(&bounds, &around, seen, (b.0, b.1), |index_b, facet| {
            let nearest = |beyond: f32| solid::nearest(triangle, frame, facet, beyond);
            let told = match solid::contact(triangle, frame, facet, margin) {
                Answer::Told(manifold) | Answer::Farther(manifold, _) => Some(manifold),
                Answer::Behind(manifold, _) => nearest(0.0).map(|_| manifold),
                Answer::Refused(_) | Answer::Perhaps if found.is_empty() => {
                    let told = nearest(margin).map(|nearest| nearest.manifold());
                    if let Some(mut told) = told
                        && first.as_ref().is_none_or(|first| told.depth() > first.depth())
                    {
                        told.parts = [index_a, index_b];
                        first = Some(told);
                    }
                    None
                }
                _ => None,
            };
            if let Some(mut manifold) = told {
                manifold.parts = [index_a, index_b];
                found.push(manifold);
            }
            false
        });
        false
    });
    // Where each leaves it to a neighbour to speak, the deepest does.
    if found.is_empty() {
        found.extend(first);
    }
}

/// How far two meshes are apart, or by how much they leave each other: see [`WaysOut`].
pub(super) fn separation(a: Placed<'_>, b: Placed<'_>) -> Option<Separation> {
    let mut best: Option<Nearest> = None;
    let mut beyond: f32 = 1e18;
    each_of_a(a, b, Vec3::ZERO, beyond, |_, triangle, frame, seen| {
        // Two ways to the same distance round differently.
        let size = seen.origin.narrow().abs().largest() + triangle.reach();
        let least = |told: &Nearest| scalar::max(told.distance, 0.0) + 1e-5 * size;
        // One triangle near the middle bounds how far the others have to be looked for.
        let mut first = Vec::new();
        b.0.tree().nearest(&seen.origin.narrow().to_array(), 1, &mut first);
        let told = first.first().and_then(|neighbour| {
            let facet = Facet::new(b.0, neighbour.id, &b.1.frame(), seen)?;
            solid::nearest(triangle, frame, &facet, beyond)
        });
        if let Some(told) = &told {
            beyond = scalar::min(beyond, least(told));
        }
        best = nearer(best, told);
        let (bounds, around) = (bounds_of(triangle, seen, beyond), around(triangle, seen, beyond));
        each_within(&bounds, &around, seen, (b.0, b.1), |_, facet| {
            best = nearer(best, solid::nearest(triangle, frame, facet, beyond));
            if let Some(best) = &best {
                beyond = scalar::min(beyond, least(best));
            }
            false
        });
        false
    });
    if best.as_ref().is_some_and(|best| best.distance <= 0.0) {
        let mut found = Vec::new();
        each_contact(a, b, 0.0, &mut found);
        if let Some(out) = way_out(a, b, &found, f32::INFINITY) {
            return Some(out);
        }
    }
    best.map(|nearest| nearest.separation())
}

/// Whether two meshes touch: decided as their distance is.
pub(super) fn touching(a: Placed<'_>, b: Placed<'_>) -> bool {
    let mut touches = false;
    each_of_a(a, b, Vec3::ZERO, 0.0, |_, triangle, frame, seen| {
        let (bounds, around) = (bounds_of(triangle, seen, 0.0), around(triangle, seen, 0.0));
        each_within(&bounds, &around, seen, (b.0, b.1), |_, facet| {
            touches = solid::nearest(triangle, frame, facet, 0.0).is_some();
            touches
        });
        touches
    });
    touches
}
