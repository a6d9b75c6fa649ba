//! Where do two meshes touch? Triangle by triangle, each of one against those of the other near it.

use embate_geom::{Aabb, Frame, Pose, Vec3, scalar};

use super::impact_motion::Axes;
use super::manifold::{Manifold, Separation};
use super::mesh::{Around, Facet, Seen, bounds_seen, each_within, nearer, with_margin};
use super::mesh_solid as solid;
use super::nearest::Nearest;
use super::polytope::Polytope;
use super::triangle::Triangle;
use super::triangle_triangle::triangle_overlap;
use super::wide::Wide;
use crate::shapes::{MeshShape, Shape};

type Placed<'a> = (&'a std::sync::Arc<MeshShape>, &'a Pose);

/// Hands every triangle of A near B, with a margin, to `tell`, until it says that it has heard enough: its
/// number, the triangle, and its frame in the world and as seen from B.
fn each_of_a(
    (a, pose_a): Placed<'_>,
    (b, pose_b): Placed<'_>,
    margin: f32,
    mut tell: impl FnMut(u32, &Triangle, &Frame, &Seen) -> bool,
) {
    let (frame, seen) = (pose_a.frame(), Seen::new(pose_b, pose_a));
    let turn = Axes::of(pose_b.rotation.inverse() * pose_a.rotation);
    let other = Shape::Mesh(std::sync::Arc::clone(b));
    let mut near = Vec::new();
    a.near(&with_margin(&bounds_seen((&other, pose_b), pose_a), margin), &mut near);
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

/// Appends where two meshes touch: a manifold for every two triangles that do.
pub(super) fn contacts(a: Placed<'_>, b: Placed<'_>, margin: f32, found: &mut Vec<Manifold>) {
    each_of_a(a, b, margin, |index_a, triangle, frame, seen| {
        let (bounds, around) = (bounds_of(triangle, seen, margin), around(triangle, seen, margin));
        each_within(&bounds, &around, seen, (b.0, b.1), |index_b, facet| {
            if let Some(mut manifold) = solid::contact(triangle, frame, facet, margin) {
                manifold.parts = [index_a, index_b];
                found.push(manifold);
            }
            false
        });
        false
    });
}

/// How far two meshes are apart, or how deep in each other their two deepest triangles.
pub(super) fn separation(a: Placed<'_>, b: Placed<'_>) -> Option<Separation> {
    let mut best: Option<Nearest> = None;
    let mut beyond: f32 = 1e18;
    each_of_a(a, b, beyond, |_, triangle, frame, seen| {
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
    best.map(|nearest| nearest.separation())
}

/// Whether two meshes touch, exactly but for the rounding of placing one in the frame of the other.
pub(super) fn touching(a: Placed<'_>, b: Placed<'_>) -> bool {
    let mut touches = false;
    each_of_a(a, b, 0.0, |_, triangle, _, seen| {
        let (bounds, around) = (bounds_of(triangle, seen, 0.0), around(triangle, seen, 0.0));
        each_within(&bounds, &around, seen, (b.0, b.1), |_, facet| {
            let own = [0, 1, 2].map(|corner| facet.triangle.corner(corner));
            let other = [0, 1, 2].map(|corner| facet.body.point(triangle.corner(corner)));
            touches = triangle_overlap(&own, &other).is_some();
            touches
        });
        touches
    });
    touches
}
