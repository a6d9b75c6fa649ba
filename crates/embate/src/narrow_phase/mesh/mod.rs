//! Where does a convex body touch a mesh, so that it does not feel the edges between triangles?
//!
//! Every triangle that the body may reach, found by the mesh's tree, is asked by itself; its answer is then
//! held against what lies across its edges (`mesh_weld`). A normal that only the edge of a flat or hollow
//! surface would give becomes the face's, with the depths along it; what then lies over the neighbour is the
//! neighbour's to tell. Last, triangles that another one answers for are left out (`mesh_settle`).
//!
//! Meshes have two sides: a body is pushed out on the side of a triangle that its middle is on. So that a
//! body goes through, its middle has to.
//!
//! Promise: sliding over triangles of one plane, every normal is the plane's, and depths change as they
//! would on one face.

use std::cell::Cell;

use embate_geom::{Aabb, Frame, Mat3, Pose, Vec3, Wide, scalar};

use super::gjk;
use super::impact_motion::Axes;
use super::manifold::{Manifold, Separation};
use super::mesh_open::{Answer, Open};
use super::mesh_round as round;
use super::mesh_settle::{self, settle};
use super::mesh_solid as solid;
use super::mesh_way_out::WaysOut;
use super::mesh_weld::{self, Place, Weld};
use super::nearest::Nearest;
use super::pair::Body;
use super::polytope::Polytope;
use super::still_best;
use super::triangle::Triangle;
use crate::shapes::{MeshShape, Shape};

thread_local! {
    /// Numbers of triangles, kept so that nothing is allocated for each pair.
    static NEAR: Cell<Vec<u32>> = const { Cell::new(Vec::new()) };
}

/// A body as seen from a mesh.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    pub(super) axes: Mat3,
    pub(super) origin: Wide,
}

impl Seen {
    pub(super) fn new(from: &Pose, pose: &Pose) -> Self {
        let between = Wide::from(pose.position) - Wide::from(from.position);
        Self {
            axes: from.seen(pose).axes,
            origin: Axes::of(from.rotation).transposed_times(between),
        }
    }
}

/// A box along a body's own axes, which triangles outside of need not be asked.
#[derive(Clone, Copy)]
pub(super) struct Around {
    middle: Vec3,
    half: Vec3,
}

impl Around {
    /// Around a box in the body's frame, with a margin and room for the rounding of a body `seen` so far away.
    pub(super) fn new(bounds: &Aabb<3>, margin: f32, seen: &Seen) -> Self {
        let (min, max) = (Vec3::from(bounds.min), Vec3::from(bounds.max));
        let half = (max - min) * 0.5;
        let far = seen.origin.narrow().abs().largest() + half.largest();
        let room = margin + 16.0 * f32::EPSILON * far;
        Self { middle: (min + max) * 0.5, half: half + Vec3::splat(room) }
    }

    fn may_reach(&self, corners: [Vec3; 3], seen: &Seen) -> bool {
        let origin = seen.origin.narrow();
        let [a, b, c] =
            corners.map(|corner| seen.axes.transposed_times(corner - origin) - self.middle);
        let (min, max) = (a.min(b).min(c), a.max(b).max(c));
        // A NaN reaches everything.
        !(0..3).any(|axis| min[axis] > self.half[axis] || max[axis] < -self.half[axis])
    }
}

/// A triangle and how it and the other body are to each other.
pub(super) struct Facet<'a> {
    pub(super) triangle: Triangle,
    /// The triangle in the world.
    pub(super) frame: Frame,
    /// The body as seen from the triangle.
    pub(super) body: Frame,
    /// Its origin, not rounded: next to a large triangle a small body needs more than f32.
    pub(super) origin: Wide,
    mesh: &'a MeshShape,
    index: u32,
}

impl<'a> Facet<'a> {
    /// `None` for a triangle without an area. The body is `seen` from the mesh, which is at `frame`.
    pub(super) fn new(mesh: &'a MeshShape, index: u32, frame: &Frame, seen: &Seen) -> Option<Self> {
        let (triangle, middle) = Triangle::new(mesh.triangle(index), mesh.normal(index)?);
        // Places near each other are subtracted first.
        let origin = seen.origin - Wide::from(middle);
        let body = Frame { axes: seen.axes, origin: origin.narrow() };
        let frame = Frame { origin: frame.point(middle), ..*frame };
        Some(Self { triangle, frame, body, origin, mesh, index })
    }

    /// Whether nothing but the face can be touched on a side.
    pub(super) fn face_alone(&self, face: u32) -> bool {
        mesh_weld::face_alone(self.mesh, self.index, face)
    }

    /// See [`mesh_weld::touched_at`].
    pub(super) fn touched_at(&self, face: u32, place: Place, normal: Vec3) -> Option<bool> {
        mesh_weld::touched_at(self.mesh, self.index, face, place, normal)
    }

    pub(super) fn weld(&self, face: u32) -> Weld {
        Weld::new(self.mesh, self.index, &self.triangle, face)
    }

    /// The triangle as seen from the body.
    pub(super) fn seen(&self) -> Frame {
        let axes = self.body.axes.transposed();
        Frame { axes, origin: -(axes * self.body.origin) }
    }
}

/// A box around a body as seen from another.
pub(super) fn bounds_seen((body, pose): Body<'_>, from: &Pose) -> Aabb<3> {
    let rotation = (from.rotation.inverse() * pose.rotation).renormalised();
    body.aabb(&Pose { rotation, position: from.local_point(pose.position) })
}

/// A box larger by a margin.
pub(super) fn with_margin(bounds: &Aabb<3>, margin: f32) -> Aabb<3> {
    Aabb { min: bounds.min.map(|least| least - margin), max: bounds.max.map(|most| most + margin) }
}

/// A convex body near a mesh.
#[derive(Clone, Copy)]
pub(super) struct Visitor<'a> {
    pub(super) shape: &'a Shape,
    /// Where it is in the world.
    pub(super) frame: Frame,
    pub(super) mesh: (&'a MeshShape, &'a Pose),
    seen: Seen,
    /// A box around it as seen from the mesh, and along its own axes.
    bounds: Aabb<3>,
    own: Aabb<3>,
}

impl<'a> Visitor<'a> {
    pub(super) fn new((shape, pose): Body<'a>, mesh: (&'a MeshShape, &'a Pose)) -> Self {
        Self {
            shape,
            frame: pose.frame(),
            mesh,
            seen: Seen::new(mesh.1, pose),
            bounds: bounds_seen((shape, pose), mesh.1),
            own: shape.aabb(&Pose::IDENTITY),
        }
    }

    /// The same, having gone some way in the world. As seen from the mesh nothing is rounded to what the world's
    /// coordinates can tell.
    pub(super) fn moved(&self, way: Vec3) -> Self {
        let local = Axes::of(self.mesh.1.rotation).transposed_times(Wide::from(way));
        let by = local.narrow().to_array();
        let shifted = |corner: [f32; 3]| core::array::from_fn(|axis| corner[axis] + by[axis]);
        Self {
            frame: Frame { origin: self.frame.origin + way, ..self.frame },
            seen: Seen { origin: self.seen.origin + local, ..self.seen },
            bounds: Aabb { min: shifted(self.bounds.min), max: shifted(self.bounds.max) },
            ..*self
        }
    }

    /// What rounding may take from its box: some steps of the coordinates.
    fn room(&self) -> f32 {
        16.0 * f32::EPSILON * (most(&self.bounds) + most(self.mesh.0.bounds()))
    }

    /// How much farther than by a depth it has to go to be surely free of triangles that reach so far from their
    /// middles.
    pub(super) fn slack(&self, reach: f32) -> f32 {
        room_to_leave(&self.own, reach)
    }

    /// How far what is told of a triangle may be from the truth.
    pub(super) fn precision(&self, triangle: u32) -> f32 {
        let reach = self.facet(triangle).map_or(0.0, |facet| facet.triangle.reach());
        let smaller = scalar::min(size(&self.own), reach);
        gjk::slack(solid::WELDED, smaller, most(&self.own) + 2.0 * reach)
    }

    /// A point well inside, as seen from a triangle.
    pub(super) fn middle(&self, facet: &Facet<'_>) -> Vec3 {
        facet.body.point(still_best::middle(self.shape))
    }

    /// A triangle, if it has an area.
    pub(super) fn facet(&self, triangle: u32) -> Option<Facet<'a>> {
        Facet::new(self.mesh.0, triangle, &self.mesh.1.frame(), &self.seen)
    }

    /// How deep it is in a triangle; `None` if it is free of it.
    pub(super) fn depth_in(&self, triangle: u32) -> Option<Nearest> {
        nearest_of((self.shape, &self.frame), &self.facet(triangle)?, 0.0)
    }

    /// Hands the triangles within a margin to `tell`, one by one in ascending order, until it says that it has
    /// heard enough.
    pub(super) fn each_near(&self, margin: f32, tell: impl FnMut(u32, &Facet<'_>) -> bool) {
        let margin = margin + self.room();
        let around = Around::new(&self.own, margin, &self.seen);
        each_within(&with_margin(&self.bounds, margin), &around, &self.seen, self.mesh, tell);
    }

    /// The triangle that it is deepest in; `None` if in none.
    fn deepest(&self) -> Option<Nearest> {
        let mut deepest = None;
        self.each_near(0.0, |_, facet| {
            deepest = nearer(deepest, nearest_of((self.shape, &self.frame), facet, 0.0));
            false
        });
        deepest
    }
}

/// The largest coordinate of a box, without its sign.
pub(super) fn most(bounds: &Aabb<3>) -> f32 {
    Vec3::from(bounds.min).abs().max(Vec3::from(bounds.max).abs()).largest()
}

/// How much farther than by a depth a body within these bounds, in its own frame, has to go to be surely free of
/// triangles that reach so far from their middles.
pub(super) fn room_to_leave(own: &Aabb<3>, reach: f32) -> f32 {
    mesh_settle::slack(size(own), most(own) + 2.0 * reach)
}

/// The longest edge of a box.
fn size(bounds: &Aabb<3>) -> f32 {
    (Vec3::from(bounds.max) - Vec3::from(bounds.min)).largest()
}

/// The same for a body that is `seen` from the mesh, within `bounds` there and `around` itself.
pub(super) fn each_within(
    bounds: &Aabb<3>,
    around: &Around,
    seen: &Seen,
    (mesh, pose): (&MeshShape, &Pose),
    mut tell: impl FnMut(u32, &Facet<'_>) -> bool,
) {
    let frame = pose.frame();
    // Taken out while in use: whoever asks about a mesh within this begins with an empty one.
    let mut near = NEAR.take();
    near.clear();
    mesh.near(bounds, &mut near);
    for &index in &near {
        if around.may_reach(mesh.triangle(index), seen)
            && let Some(facet) = Facet::new(mesh, index, &frame, seen)
            && tell(index, &facet)
        {
            break;
        }
    }
    NEAR.set(near);
}

/// Appends where a convex body A touches a mesh B: a manifold for every triangle that it touches.
pub(super) fn contacts(
    (a, pose_a): Body<'_>,
    mesh: (&MeshShape, &Pose),
    margin: f32,
    found: &mut Vec<Manifold>,
) {
    let first = found.len();
    let visitor = Visitor::new((a, pose_a), mesh);
    let mut open = Open::default();
    visitor.each_near(margin, |index, facet| {
        let told = |manifold: Option<Manifold>| manifold.map_or(Answer::Nothing, Answer::Told);
        let answer = match a {
            Shape::Sphere(sphere) => round::sphere(*sphere, facet, margin),
            Shape::Capsule(capsule) => round::capsule(*capsule, facet, margin),
            Shape::Cuboid(cuboid) => solid::contact(cuboid, &visitor.frame, facet, margin),
            Shape::Hull(hull) => solid::contact(&**hull, &visitor.frame, facet, margin),
            Shape::HalfSpace(plane) => {
                told(solid::half_space(plane, &visitor.frame, facet, margin))
            }
            Shape::Mesh(_) | Shape::Compound(_) => Answer::Nothing,
        };
        open.hear(index, answer, found, first);
        false
    });
    open.drop_what_is_not_cut(&visitor, found, first);
    if !matches!(a, Shape::HalfSpace(_)) && !mesh_settle::agree(&found[first..]) {
        let slack = visitor.slack(reach_of(mesh.0, &found[first..]));
        settle(found, first, slack, |way, triangle| {
            visitor.moved(way).depth_in(triangle).is_none()
        });
    }
    open.speak_for_what_is_left(&visitor, margin, found, first);
}

/// How far the triangles of some contacts reach from their middles at most.
fn reach_of(mesh: &MeshShape, found: &[Manifold]) -> f32 {
    found.iter().fold(0.0, |most, contact| {
        let [a, b, c] = mesh.triangle(contact.parts[1]);
        scalar::max(most, scalar::max((b - a).abs().largest(), (c - a).abs().largest()))
    })
}

/// Where a triangle and a convex body are nearest; `None` if farther apart than `beyond`.
pub(super) fn nearest_of(
    (a, frame_a): (&Shape, &Frame),
    facet: &Facet<'_>,
    beyond: f32,
) -> Option<Nearest> {
    match a {
        Shape::Sphere(sphere) => round::nearest_sphere(*sphere, facet, beyond),
        Shape::Capsule(capsule) => round::nearest_capsule(*capsule, facet, beyond),
        Shape::Cuboid(cuboid) => solid::nearest(cuboid, frame_a, facet, beyond),
        Shape::Hull(hull) => solid::nearest(&**hull, frame_a, facet, beyond),
        Shape::HalfSpace(plane) => solid::nearest_half_space(plane, frame_a, facet, beyond),
        Shape::Mesh(_) | Shape::Compound(_) => None,
    }
}

/// How far a convex body A and a mesh B are apart, or by how much it leaves all triangles that it is in: see
/// [`WaysOut`].
pub(super) fn separation((a, pose_a): Body<'_>, (whole, pose): Body<'_>) -> Option<Separation> {
    let Shape::Mesh(mesh) = whole else { return None };
    let visitor = Visitor::new((a, pose_a), (mesh, pose));
    let mut best: Option<Nearest> = None;
    // Any triangle bounds the search; one that lies near the middle, well.
    let mut first = Vec::new();
    mesh.tree().nearest(&visitor.seen.origin.narrow().to_array(), 4, &mut first);
    for neighbour in first {
        if let Some(facet) = visitor.facet(neighbour.id) {
            best = nearer(best, nearest_of((a, &visitor.frame), &facet, f32::INFINITY));
        }
    }
    // Two ways to the same distance round differently.
    let slack = 1e-5 * most(&visitor.bounds);
    let limit = |best: &Option<Nearest>| {
        let least = best.as_ref().map_or(1e18, |best| scalar::max(best.distance, 0.0));
        scalar::min(least + slack, 1e18)
    };
    // Begun anew, so that the order of triangles decides between equals.
    let mut beyond = limit(&best);
    let mut again = None;
    let mut ways_out = WaysOut::default();
    visitor.each_near(beyond, |_, facet| {
        let told = nearest_of((a, &visitor.frame), facet, beyond);
        if let Some(told) = told.as_ref().filter(|told| told.distance <= 0.0) {
            let normal = facet.frame.axes * facet.triangle.normal;
            ways_out.add(told, &[normal], facet.triangle.reach());
        }
        again = nearer(again, told);
        beyond = scalar::min(beyond, limit(&again));
        false
    });
    // A half-space is left by the way of the lowest corner of all.
    if ways_out.are_several() && !matches!(a, Shape::HalfSpace(_)) {
        let mut found = Vec::new();
        contacts((a, pose_a), visitor.mesh, 0.0, &mut found);
        for contact in &found {
            ways_out.offer(contact);
        }
        let slack = visitor.slack(ways_out.reach());
        let bodies = [(a, pose_a), (whole, pose)];
        let left = |way: Vec3| visitor.moved(way).deepest();
        if let Some(out) = ways_out.shortest(bodies, f32::INFINITY, slack, left) {
            return Some(out);
        }
    }
    again.or(best).map(|nearest| nearest.separation())
}

pub(super) fn nearer(best: Option<Nearest>, next: Option<Nearest>) -> Option<Nearest> {
    match (best, next) {
        (Some(best), Some(next)) => Some(if next.distance < best.distance { next } else { best }),
        (best, next) => best.or(next),
    }
}

/// Whether a convex body A touches a mesh B.
pub(super) fn touching(a: Body<'_>, mesh: (&MeshShape, &Pose)) -> bool {
    let visitor = Visitor::new(a, mesh);
    let mut touches = false;
    visitor.each_near(0.0, |_, facet| {
        touches = nearest_of((a.0, &visitor.frame), facet, 0.0).is_some();
        touches
    });
    touches
}

#[cfg(test)]
#[path = "mesh_open_tests.rs"]
mod open_tests;
#[cfg(test)]
#[path = "mesh_overhang_tests.rs"]
mod overhang_tests;
#[cfg(test)]
#[path = "mesh_tests.rs"]
mod tests;
