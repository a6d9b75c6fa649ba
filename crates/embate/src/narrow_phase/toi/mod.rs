//! When do two moving bodies first touch, and where?
//!
//! [`time_of_impact`] asks it of any two shapes, moving and turning; without a spin it is the shape cast
//! that others call sweep. Bodies of several parts are asked part by part, those of a mesh through its
//! tree: a long way is cut into stretches, and the first stretch in which anything touches is the last.
//!
//! Promise: the time is never after the first touch, and before it by what f32 can tell of times and of
//! shapes (`impact_advance`).

use core::cmp::Ordering;

use embate_geom::{Aabb, Pose, Vec3, Wide};
use embate_mesh::TriangleMesh;

use super::impact_advance::{Meeting, Mover, Pair};
use super::impact_motion::{Axes, Motion, Path};
use super::impact_part::{Core, Part};
use super::impact_swept::{box_of, own_box, seen_from, stretches, swept};
use super::{order, separation};
use crate::shapes::{MeshShape, Shape};

/// Searches in all before the parts of a body are said to touch where they are known to be apart up to: a fraction of a
/// second. Only what turns hundreds of times over thousands of triangles needs more than some hundreds.
const MAX_SEARCHES: u32 = 100_000;

/// What turns by more than this (in radians) in a stretch is taken for the ball of all its places first.
const FAST_TURN: f64 = 2.0;

/// The first touch of two moving bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Impact {
    /// From 0 to 1.
    pub time: f32,
    /// From A to B, of length 1, in the world.
    pub normal: Vec3,
    /// Where the surface of A is touched, and that of B, in the world at that time. They are one point but
    /// for the distance asked for, unless the bodies began within each other.
    pub points: [Vec3; 2],
    /// Which parts touch, as in [`Manifold`](super::Manifold).
    pub parts: [u32; 2],
    /// Whether the bodies touch from the start: the time is then 0, and if they overlap, normal and points
    /// are those of the [`separation`] of these parts.
    pub at_start: bool,
}

impl Impact {
    /// The same with A and B exchanged.
    #[must_use]
    pub fn turned_round(self) -> Self {
        let ([on_a, on_b], [a, b]) = (self.points, self.parts);
        Self { normal: -self.normal, points: [on_b, on_a], parts: [b, a], ..self }
    }
}

/// When two moving bodies first come within `distance` of each other, between time 0 and time 1; `None` if
/// they do not.
///
/// A distance of 0 (as is one below 0, or NaN) asks for a touch. Somewhat more is what a simulation wants:
/// bodies left there do not overlap, whatever rounding makes of their poses.
///
/// Meshes are touched from both sides. Two half-spaces never touch, nor does anything that is not finite.
///
/// ```
/// use embate::{Pose, Vec3, contacts::{Motion, time_of_impact}, shapes::{Cuboid, Shape, Sphere}};
///
/// let wall = Shape::from(Cuboid::new(Vec3::new(0.1, 5.0, 5.0))?);
/// let bullet = Shape::from(Sphere::new(0.05)?);
/// let stands = Motion::resting(Pose::at(Vec3::new(3.0, 0.0, 0.0)));
/// let flies = Motion::sliding(Pose::IDENTITY, Vec3::new(10.0, 0.0, 0.0));
/// let impact = time_of_impact(&bullet, &flies, &wall, &stands, 0.0).unwrap();
/// assert!((impact.time - 0.285).abs() < 1e-6); // 2.85 of 10
/// assert_eq!(impact.normal, Vec3::X); // from the bullet to the wall
///
/// // A door that turns by a quarter meets what stands behind it, though its own place never changes.
/// let door = Shape::from(Cuboid::new(Vec3::new(1.0, 1.0, 0.05))?);
/// let turns = Motion::new(Pose::IDENTITY, Vec3::ZERO, Vec3::new(0.0, 1.57, 0.0));
/// let stands = Motion::resting(Pose::at(Vec3::new(0.5, 0.0, -0.5)));
/// assert!(time_of_impact(&door, &turns, &bullet, &stands, 0.0).is_some());
/// # Ok::<(), embate::shapes::InvalidShape>(())
/// ```
#[must_use]
pub fn time_of_impact(
    a: &Shape,
    motion_a: &Motion,
    b: &Shape,
    motion_b: &Motion,
    distance: f32,
) -> Option<Impact> {
    let distance = if distance > 0.0 && distance < f32::INFINITY { distance } else { 0.0 };
    if !motion_a.in_range() || !motion_b.in_range() {
        return None;
    }
    let in_order = match order::compare(a, &motion_a.start, b, &motion_b.start) {
        Ordering::Equal => motion_a.bits() <= motion_b.bits(),
        order => order.is_lt(),
    };
    if in_order {
        first(&Body::new(a, motion_a), &Body::new(b, motion_b), distance)
    } else {
        first(&Body::new(b, motion_b), &Body::new(a, motion_a), distance).map(Impact::turned_round)
    }
}

/// A shape and how it moves.
pub(super) struct Body<'a> {
    pub(super) shape: &'a Shape,
    pub(super) motion: &'a Motion,
    pub(super) path: Path,
}

impl<'a> Body<'a> {
    fn new(shape: &'a Shape, motion: &'a Motion) -> Self {
        Self { shape, motion, path: Path::new(motion) }
    }

    /// Its only part, if it is convex.
    pub(super) fn single(&self) -> Option<Mover<'a>> {
        let core = core_of(self.shape)?;
        let offset = -Wide::from(self.motion.centre);
        Some(Mover::new(part(core, Axes::IDENTITY, offset), self.path))
    }

    /// Appends the parts that reach into a box in the shape's frame.
    fn parts_near(&self, bounds: &Aabb<3>, found: &mut Vec<(u32, Mover<'a>)>) {
        let centre = Wide::from(self.motion.centre);
        match self.shape {
            Shape::Mesh(_) => each_triangle(self.shape, bounds, |triangle, corners| {
                let core = (Core::Triangle(corners), 0.0);
                found.push((triangle, Mover::new(part(core, Axes::IDENTITY, -centre), self.path)));
            }),
            Shape::Compound(compound) => {
                let mut near = Vec::new();
                compound.near(bounds, &mut near);
                for index in near {
                    let (pose, shape) = &compound.parts()[index as usize];
                    let axes = Axes::of(pose.rotation);
                    let offset = Wide::from(pose.position) - centre;
                    if let Some(core) = core_of(shape) {
                        found.push((index, Mover::new(part(core, axes, offset), self.path)));
                    }
                    let within = seen_from(bounds, &axes, Wide::from(pose.position));
                    each_triangle(shape, &within, |_, corners| {
                        let core = (Core::Triangle(corners), 0.0);
                        found.push((index, Mover::new(part(core, axes, offset), self.path)));
                    });
                }
            }
            _ => found.extend(self.single().map(|mover| (0, mover))),
        }
    }

    /// A part and where it is at a time.
    fn part_at(&self, index: u32, time: f32) -> (Shape, Pose) {
        let pose = if time == 0.0 { self.motion.start } else { self.motion.at(time) };
        match self.shape {
            Shape::Compound(compound) => {
                (compound.parts()[index as usize].1.clone(), compound.part_pose(&pose, index))
            }
            Shape::Mesh(mesh) => {
                let corners = mesh.triangle(index).map(Vec3::to_array).to_vec();
                let alone = TriangleMesh::new(corners, vec![[0, 1, 2]]).ok();
                let alone = alone.and_then(|triangle| MeshShape::new(triangle).ok());
                (alone.map_or_else(|| self.shape.clone(), Shape::from), pose)
            }
            _ => (self.shape.clone(), pose),
        }
    }

    pub(super) fn holds_a_mesh(&self) -> bool {
        match self.shape {
            Shape::Mesh(_) => true,
            Shape::Compound(compound) => {
                compound.parts().iter().any(|(_, shape)| matches!(shape, Shape::Mesh(_)))
            }
            _ => false,
        }
    }
}

fn part(core: (Core<'_>, f64), axes: Axes, offset: Wide) -> Part<'_> {
    Part { core: core.0, radius: core.1, axes, offset }
}

/// What is hit of a convex shape; `None` for a mesh or a compound.
fn core_of(shape: &Shape) -> Option<(Core<'_>, f64)> {
    Some(match shape {
        Shape::Sphere(sphere) => (Core::Point, sphere.radius().into()),
        Shape::Capsule(capsule) => {
            (Core::Rod(capsule.half_height().into()), capsule.radius().into())
        }
        Shape::Cuboid(cuboid) => (Core::Cuboid(cuboid.half().into()), 0.0),
        Shape::Hull(hull) => (Core::Hull(hull), 0.0),
        Shape::HalfSpace(plane) => {
            let normal = Wide::from(plane.normal());
            (Core::HalfSpace(normal * (1.0 / normal.length())), 0.0)
        }
        Shape::Mesh(_) | Shape::Compound(_) => return None,
    })
}

/// The triangles of a mesh that reach into a box, but those without an area.
fn each_triangle(shape: &Shape, bounds: &Aabb<3>, mut tell: impl FnMut(u32, [Wide; 3])) {
    if let Shape::Mesh(mesh) = shape {
        let mut near = Vec::new();
        mesh.near(bounds, &mut near);
        for triangle in near {
            if mesh.normal(triangle).is_some() {
                tell(triangle, mesh.triangle(triangle).map(Wide::from));
            }
        }
    }
}

/// The first touch of two bodies in order.
fn first(a: &Body<'_>, b: &Body<'_>, distance: f32) -> Option<Impact> {
    if let (Shape::HalfSpace(_), Shape::HalfSpace(_)) = (a.shape, b.shape) {
        return None;
    }
    if let (Some(single_a), Some(single_b)) = (a.single(), b.single()) {
        let pair = Pair::new(&single_a, &single_b);
        let meeting = pair.first_within(distance.into(), 0.0, 1.0, &mut { MAX_SEARCHES })?;
        return Some(impact(a, b, &meeting, [0; 2]));
    }
    let stretches = stretches(a, b);
    let mut parts = (Vec::new(), Vec::new(), Vec::new());
    let mut searches = MAX_SEARCHES;
    for stretch in 0..stretches {
        let from = f64::from(stretch) / f64::from(stretches);
        let until = f64::from(stretch + 1) / f64::from(stretches);
        if let Some(found) =
            first_of_parts(a, b, distance, [from, until], &mut searches, &mut parts)
        {
            return Some(found);
        }
    }
    None
}

type Movers<'a> = Vec<(u32, Mover<'a>)>;

/// Lists that are used again: parts of A, parts of B, and from when on each of these may be touched.
type Lists<'a> = (Movers<'a>, Movers<'a>, Vec<(f64, usize)>);

/// The first touch of any two parts between two times; of equal times, that of the parts that may be touched
/// first, and of these of the first ones.
fn first_of_parts<'a>(
    a: &Body<'a>,
    b: &Body<'a>,
    distance: f32,
    [from, until]: [f64; 2],
    searches: &mut u32,
    (parts_a, parts_b, order): &mut Lists<'a>,
) -> Option<Impact> {
    let mut best: Option<(Meeting, [u32; 2])> = None;
    let mut limit = until;
    parts_a.clear();
    a.parts_near(&swept(b, &own_box(b), a, [from, until], distance), parts_a);
    for (index_a, part_a) in parts_a.iter() {
        parts_b.clear();
        let around = swept(a, &box_of(a, part_a), b, [from, limit], distance);
        b.parts_near(&around, parts_b);
        // Those that may be touched first, first: the others then have less time to be touched in.
        order.clear();
        order.extend(parts_b.iter().enumerate().map(|(place, (_, part_b))| {
            let pair = Pair::new(part_a, part_b);
            (pair.clear_until(distance.into(), from, limit), place)
        }));
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for &(clear, place) in order.iter() {
            if clear >= limit && best.is_some() || clear >= until {
                break;
            }
            let (index_b, part_b) = &parts_b[place];
            let pair = Pair::new(part_a, part_b);
            let Some(clear) =
                balls_clear_until([part_a, part_b], distance, [clear, limit], searches)
            else {
                continue;
            };
            if let Some(meeting) = pair.first_within(distance.into(), clear, limit, searches)
                && best.as_ref().is_none_or(|(earliest, _)| meeting.time < earliest.time)
            {
                limit = meeting.time;
                best = Some((meeting, [*index_a, *index_b]));
            }
        }
    }
    best.map(|(meeting, parts)| impact(a, b, &meeting, parts))
}

/// Up to when two parts cannot have touched, the one that turns fast taken for a ball; `None` if they never do.
fn balls_clear_until(
    [a, b]: [&Mover<'_>; 2],
    distance: f32,
    [from, until]: [f64; 2],
    searches: &mut u32,
) -> Option<f64> {
    let fast = [a, b].map(|part| part.turn(until - from) > FAST_TURN);
    if fast == [false; 2] {
        return Some(from);
    }
    let a = if fast[0] { a.ball() } else { *a };
    let b = if fast[1] { b.ball() } else { *b };
    let met = Pair::new(&a, &b).first_within(distance.into(), from, until, searches)?;
    Some(met.time)
}

fn impact(a: &Body<'_>, b: &Body<'_>, meeting: &Meeting, parts: [u32; 2]) -> Impact {
    // Rounded down: later than the touch would be wrong.
    let time = meeting.time as f32;
    let time = if f64::from(time) > meeting.time { time.next_down() } else { time };
    let Some(normal) = meeting.axis else {
        let ((part_a, pose_a), (part_b, pose_b)) =
            (a.part_at(parts[0], time), b.part_at(parts[1], time));
        let told = separation(&part_a, &pose_a, &part_b, &pose_b);
        return Impact {
            time,
            normal: told.normal_ab,
            points: told.points,
            parts,
            at_start: meeting.time == 0.0,
        };
    };
    Impact {
        time,
        normal: normal.narrow(),
        points: meeting.points.map(Wide::narrow),
        parts,
        at_start: meeting.time == 0.0,
    }
}

#[cfg(test)]
#[path = "impact_tests.rs"]
mod tests;
