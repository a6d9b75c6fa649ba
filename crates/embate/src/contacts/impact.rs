//! When do two moving bodies first touch, and where?
//!
//! [`time_of_impact`] asks it of any two shapes, moving and turning; without a spin it is the shape cast
//! that others call sweep. Bodies of several parts are asked part by part, those of a mesh through its
//! tree: a long way is cut into stretches, and the first stretch in which anything touches is the last.
//!
//! Promise: the time is never after the first touch, and before it by what f32 can tell of times and of
//! shapes (`impact_advance`).

use core::cmp::Ordering;

use embate_geom::{Aabb, Pose, Vec3};
use embate_mesh::TriangleMesh;

use super::impact_advance::{Meeting, Mover, Pair};
use super::impact_motion::{Axes, Motion, Path};
use super::impact_part::{Core, Part};
use super::wide::Wide;
use super::{order, separation};
use crate::shapes::{MeshShape, Shape};

/// Stretches into which the way past a mesh is cut, at most.
const MAX_STRETCHES: u32 = 32;

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
struct Body<'a> {
    shape: &'a Shape,
    motion: &'a Motion,
    path: Path,
}

impl<'a> Body<'a> {
    fn new(shape: &'a Shape, motion: &'a Motion) -> Self {
        Self { shape, motion, path: Path::new(motion) }
    }

    /// Its only part, if it is convex.
    fn single(&self) -> Option<Mover<'a>> {
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

    fn holds_a_mesh(&self) -> bool {
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
        let meeting = Pair::new(&single_a, &single_b).first_within(distance.into(), 0.0, 1.0)?;
        return Some(impact(a, b, &meeting, [0; 2]));
    }
    let stretches = stretches(a, b);
    let mut parts = (Vec::new(), Vec::new(), Vec::new());
    for stretch in 0..stretches {
        let from = f64::from(stretch) / f64::from(stretches);
        let until = f64::from(stretch + 1) / f64::from(stretches);
        if let Some(found) = first_of_parts(a, b, distance, from, until, &mut parts) {
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
    from: f64,
    until: f64,
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
            if let Some(meeting) = pair.first_within(distance.into(), clear, limit)
                && best.as_ref().is_none_or(|(earliest, _)| meeting.time < earliest.time)
            {
                limit = meeting.time;
                best = Some((meeting, [*index_a, *index_b]));
            }
        }
    }
    best.map(|(meeting, parts)| impact(a, b, &meeting, parts))
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

/// A box in a frame.
#[derive(Clone, Copy)]
struct Box3 {
    middle: Wide,
    half: Wide,
}

impl Box3 {
    fn of(bounds: &Aabb<3>) -> Self {
        let (min, max) = (Wide::from(Vec3::from(bounds.min)), Wide::from(Vec3::from(bounds.max)));
        Self { middle: (min + max) * 0.5, half: (max - min) * 0.5 }
    }
}

/// The box of a body in its own frame.
fn own_box(body: &Body<'_>) -> Box3 {
    Box3::of(&body.shape.aabb(&Pose::IDENTITY))
}

/// The box of a part in its body's frame.
fn box_of(body: &Body<'_>, mover: &Mover<'_>) -> Box3 {
    if body.single().is_some() {
        return own_box(body);
    }
    let centre = Wide::from(body.motion.centre);
    let reach = |direction: Wide| mover.part.reach_along(direction);
    let [x, y, z] = Axes::IDENTITY.columns;
    let (high, low) =
        (Wide::new(reach(x), reach(y), reach(z)), Wide::new(reach(-x), reach(-y), reach(-z)));
    Box3 { middle: (high - low) * 0.5 + centre, half: (high + low) * 0.5 }
}

/// A box seen from a frame that is turned and moved within its own.
fn seen_from(bounds: &Aabb<3>, axes: &Axes, origin: Wide) -> Aabb<3> {
    let Box3 { middle, half } = Box3::of(bounds);
    grown(axes.transposed_times(middle - origin), turned_half(axes, half), 0.0)
}

/// Half the extent of a box along axes of another frame.
fn turned_half(axes: &Axes, half: Wide) -> Wide {
    let [x, y, z] = axes
        .columns
        .map(|axis| (axis.x * half.x).abs() + (axis.y * half.y).abs() + (axis.z * half.z).abs());
    Wide::new(x, y, z)
}

/// A box in f32, larger by `margin` and by what rounding may take.
fn grown(middle: Wide, half: Wide, margin: f64) -> Aabb<3> {
    let size = middle.length() + half.length();
    let half = half + Wide::new(1.0, 1.0, 1.0) * (margin + 1e-6 * size);
    // What is out of f32's range reaches everywhere.
    let clamped = |vector: Wide| vector.narrow().to_array().map(|c| c.clamp(-1e18, 1e18));
    Aabb { min: clamped(middle - half), max: clamped(middle + half) }
}

/// A box around all places where the box of one body can be between two times, in the other's frame.
fn swept(
    body: &Body<'_>,
    bounds: &Box3,
    viewer: &Body<'_>,
    times: [f64; 2],
    distance: f32,
) -> Aabb<3> {
    if let Shape::HalfSpace(_) = body.shape {
        return Aabb { min: [-1e18; 3], max: [1e18; 3] };
    }
    let centre = Wide::from(body.motion.centre);
    let drift = body.path.velocity - viewer.path.velocity;
    let mut far = 0.0_f64;
    let ends = times.map(|time| {
        let way = body.path.centre - viewer.path.centre + drift * time;
        far = far.max(way.length());
        let (own, views) = (body.path.axes_at(time), viewer.path.axes_at(time));
        let middle = views.transposed_times(way + own.times(bounds.middle - centre));
        // The viewer's axes in the body's frame.
        let seen = Axes { columns: views.columns.map(|axis| own.transposed_times(axis)) };
        grown(middle + Wide::from(viewer.motion.centre), turned_half(&seen, bounds.half), 0.0)
    });
    // Between the two, no point leaves the line between its places by more than this: see the head of
    // `impact_advance`.
    let (spin, turn) = (&body.path.spin, &viewer.path.spin);
    let reach = (bounds.middle - centre).length() + bounds.half.length();
    let bend = reach * (spin.vector - turn.vector).length() * (spin.rate + turn.rate)
        + turn.rate * (turn.rate * far + 2.0 * drift.length());
    let span = times[1] - times[0];
    // No farther, either, than twice its way round.
    let aside = (bend * span * span / 8.0).min(2.0 * (reach + far));
    let both = Box3::of(&ends[0].joined(&ends[1]));
    grown(both.middle, both.half, aside + f64::from(distance))
}

/// Into how many stretches the way of two bodies is cut: as many as the smaller one is long, if a mesh is
/// there whose tree can tell them apart.
fn stretches(a: &Body<'_>, b: &Body<'_>) -> u32 {
    if !(a.holds_a_mesh() || b.holds_a_mesh()) {
        return 1;
    }
    let size = |body: &Body<'_>| own_box(body).half.length();
    let (size_a, size_b) = (size(a), size(b));
    let turned = (size_a + size_b) * (a.path.spin.rate + b.path.spin.rate);
    let way = (b.path.velocity - a.path.velocity).length() + turned;
    // Saturates.
    ((way / (2.0 * size_a.min(size_b))).ceil() as u32).clamp(1, MAX_STRETCHES)
}

#[cfg(test)]
#[path = "impact_tests.rs"]
mod tests;
