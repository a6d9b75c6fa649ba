//! Time of impact (TOI) of two shapes that translate and rotate, by conservative advancement.
//!
//! [`time_of_impact`] takes any two shapes and a [`Sweep`] for each. Without rotation it is a
//! linear shape cast.
//!
//! ```text
//!   convex pair:         conservative_advancement
//!   compound or mesh:    sweep ──► intervals ──► swept AABB ──► BVH query ──► pairs of parts
//!                                     first interval with an impact ends the search
//! ```
//!
//! Guarantee: the fraction is never later than the first contact, and earlier by no more than the
//! resolution of f32 in fractions and shapes (`conservative_advancement`).

pub(crate) mod conservative_advancement;
pub(crate) mod convex_part;
pub(crate) mod sweep;
pub(crate) mod swept_aabb;

use core::cmp::Ordering;

use embate_geom::{Aabb, DMat3, DVec3, Pose, Vec3, scalar};
use embate_mesh::TriangleMesh;

use crate::narrow_phase::composite::ClosestParts;
use crate::narrow_phase::toi::conservative_advancement::{MovingPair, MovingPart, PartImpact};
use crate::narrow_phase::toi::convex_part::{ConvexPart, Core};
use crate::narrow_phase::toi::sweep::{Sweep, SweepF64};
use crate::narrow_phase::toi::swept_aabb::{
    aabb_in_frame, interval_count, local_box, part_box, swept_aabb,
};
use crate::narrow_phase::{canonical_order, closest_parts_within, closest_points};
use crate::shapes::{Shape, TriMesh};

/// Distance queries of one call. When they are used up, which takes a fraction of a second, the
/// impact is reported at the last fraction known to be free of contact. Only bodies that rotate
/// hundreds of times above thousands of triangles need more than some hundreds.
const MAX_TOTAL_DISTANCE_QUERIES: u32 = 100_000;

/// A part that rotates by more than this angle (radians) in one interval is first replaced by the
/// bounding sphere of its rotation.
const BOUNDING_SPHERE_ROTATION: f64 = 2.0;

/// First contact of two swept shapes.
#[doc(alias("Impact", "ShapeCastHit", "b2TOIOutput", "toi"))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeOfImpact {
    /// Fraction of the sweep, from 0 to 1.
    #[doc(alias("time", "time_of_impact"))]
    pub fraction: f32,
    /// Unit normal from A to B, in world space.
    pub normal: Vec3,
    /// Witness points on the surfaces of A and B, in the world at that fraction. Their distance is
    /// the `distance` of the query, unless the shapes overlap at the start.
    #[doc(alias = "points")]
    pub witness_points: [Vec3; 2],
    /// Sub-shape indices of both shapes, as in [`Manifold`](crate::narrow_phase::Manifold).
    #[doc(alias = "parts")]
    pub sub_shapes: [u32; 2],
    /// Whether the shapes touch at the start. The fraction is then 0. If they overlap, normal and
    /// witness points are the [`closest_points()`] of the shapes, and the sub-shapes those that
    /// contain them: the deepest parts of compounds, and the triangle on the way out of a mesh.
    #[doc(alias("at_start", "penetrating"))]
    pub initially_overlapping: bool,
    /// Penetration depth at the start: translating B by it along the normal separates the shapes,
    /// or with compounds these sub-shapes. 0 unless the shapes overlap at the start.
    #[doc(alias("depth", "mPenetrationDepth"))]
    pub penetration: f32,
}

impl TimeOfImpact {
    /// The same impact with A and B exchanged.
    #[doc(alias("turned_round", "swapped"))]
    #[must_use]
    pub fn flipped(self) -> Self {
        let ([on_a, on_b], [a, b]) = (self.witness_points, self.sub_shapes);
        Self { normal: -self.normal, witness_points: [on_b, on_a], sub_shapes: [b, a], ..self }
    }
}

/// First fraction of two sweeps at which the shapes come within `distance` of each other; `None` if
/// they do not.
///
/// A distance of 0 is contact; negative and NaN distances count as 0. A simulation should use a
/// small positive distance: bodies posed at that fraction then do not overlap, in spite of rounding
/// of the pose.
///
/// Meshes are two-sided. Two half-spaces never touch. A sweep with a coordinate that is not finite
/// or above 1e18 touches nothing.
///
/// ```
/// use embate::narrow_phase::{Sweep, time_of_impact};
/// use embate::shapes::{Cuboid, Shape, Sphere};
/// use embate::{Pose, Vec3};
///
/// let wall = Shape::from(Cuboid::new(Vec3::new(0.1, 5.0, 5.0))?);
/// let bullet = Shape::from(Sphere::new(0.05)?);
/// let stationary = Sweep::stationary(Pose::from_translation(Vec3::new(3.0, 0.0, 0.0)));
/// let flight = Sweep::linear(Pose::IDENTITY, Vec3::new(10.0, 0.0, 0.0));
/// let impact = time_of_impact(&bullet, &flight, &wall, &stationary, 0.0).unwrap();
/// assert!((impact.fraction - 0.285).abs() < 1e-6); // 2.85 of 10
/// assert_eq!(impact.normal, Vec3::X); // from the bullet to the wall
///
/// // A door that rotates by 90° hits a body behind it, though its position does not change.
/// let door = Shape::from(Cuboid::new(Vec3::new(1.0, 1.0, 0.05))?);
/// let swing = Sweep::new(Pose::IDENTITY, Vec3::ZERO, Vec3::new(0.0, 1.57, 0.0));
/// let stationary = Sweep::stationary(Pose::from_translation(Vec3::new(0.5, 0.0, -0.5)));
/// assert!(time_of_impact(&door, &swing, &bullet, &stationary, 0.0).is_some());
/// # Ok::<(), embate::shapes::ShapeError>(())
/// ```
#[doc(alias("toi", "shape_cast", "cast_shapes", "b2TimeOfImpact", "ccd"))]
#[must_use]
pub fn time_of_impact(
    a: &Shape,
    sweep_a: &Sweep,
    b: &Shape,
    sweep_b: &Sweep,
    distance: f32,
) -> Option<TimeOfImpact> {
    let distance = if distance > 0.0 && distance < f32::INFINITY { distance } else { 0.0 };
    if !sweep_a.in_range() || !sweep_b.in_range() {
        return None;
    }
    let in_order = match canonical_order::compare_posed_shapes(a, &sweep_a.start, b, &sweep_b.start)
    {
        Ordering::Equal => sweep_a.motion_bits() <= sweep_b.motion_bits(),
        order => order.is_lt(),
    };
    if in_order {
        first_impact(&SweptBody::new(a, sweep_a), &SweptBody::new(b, sweep_b), distance)
    } else {
        first_impact(&SweptBody::new(b, sweep_b), &SweptBody::new(a, sweep_a), distance)
            .map(TimeOfImpact::flipped)
    }
}

/// A shape and its sweep.
pub(crate) struct SweptBody<'a> {
    pub(crate) shape: &'a Shape,
    pub(crate) sweep: &'a Sweep,
    pub(crate) sweep_f64: SweepF64,
}

impl<'a> SweptBody<'a> {
    fn new(shape: &'a Shape, sweep: &'a Sweep) -> Self {
        Self { shape, sweep, sweep_f64: SweepF64::new(sweep) }
    }

    /// The single part of a convex shape; `None` for a mesh or a compound.
    pub(crate) fn convex_part(&self) -> Option<MovingPart<'a>> {
        let (core, radius) = convex_core(self.shape)?;
        let offset = -DVec3::from(self.sweep.local_center);
        let part = ConvexPart { core, radius, basis: DMat3::IDENTITY, offset };
        Some(MovingPart::new(part, self.sweep_f64))
    }

    /// Appends the parts that intersect an AABB in the frame of the shape, each with its sub-shape
    /// index.
    fn parts_in_aabb(&self, bounds: &Aabb<3>, parts: &mut Vec<(u32, MovingPart<'a>)>) {
        let center = DVec3::from(self.sweep.local_center);
        match self.shape {
            Shape::TriMesh(_) => for_each_triangle_in(self.shape, bounds, |triangle, vertices| {
                let core = Core::Triangle(vertices);
                let (basis, offset) = (DMat3::IDENTITY, -center);
                let part = ConvexPart { core, radius: 0.0, basis, offset };
                parts.push((triangle, MovingPart::new(part, self.sweep_f64)));
            }),
            Shape::Compound(compound) => {
                let mut indices = Vec::new();
                compound.parts_in_aabb(bounds, &mut indices);
                for index in indices {
                    let (pose, shape) = &compound.sub_shapes()[index as usize];
                    let basis = DMat3::from_rotation(pose.rotation);
                    let offset = DVec3::from(pose.position) - center;
                    if let Some((core, radius)) = convex_core(shape) {
                        let part = ConvexPart { core, radius, basis, offset };
                        parts.push((index, MovingPart::new(part, self.sweep_f64)));
                    }
                    let bounds_in_part = aabb_in_frame(bounds, &basis, DVec3::from(pose.position));
                    for_each_triangle_in(shape, &bounds_in_part, |_, vertices| {
                        let core = Core::Triangle(vertices);
                        let part = ConvexPart { core, radius: 0.0, basis, offset };
                        parts.push((index, MovingPart::new(part, self.sweep_f64)));
                    });
                }
            }
            _ => parts.extend(self.convex_part().map(|part| (0, part))),
        }
    }

    /// A sub-shape and its pose at a fraction of the sweep.
    fn sub_shape_at(&self, index: u32, fraction: f32) -> (Shape, Pose) {
        let pose = if fraction == 0.0 { self.sweep.start } else { self.sweep.pose_at(fraction) };
        match self.shape {
            Shape::Compound(compound) => (
                compound.sub_shapes()[index as usize].1.clone(),
                compound.sub_shape_pose(&pose, index),
            ),
            Shape::TriMesh(mesh) => {
                let vertices = mesh.triangle(index).map(Vec3::to_array).to_vec();
                let single_triangle = TriangleMesh::new(vertices, vec![[0, 1, 2]]).ok();
                let single_triangle =
                    single_triangle.and_then(|triangle| TriMesh::new(triangle).ok());
                (single_triangle.map_or_else(|| self.shape.clone(), Shape::from), pose)
            }
            _ => (self.shape.clone(), pose),
        }
    }

    pub(crate) fn contains_mesh(&self) -> bool {
        match self.shape {
            Shape::TriMesh(_) => true,
            Shape::Compound(compound) => {
                compound.sub_shapes().iter().any(|(_, shape)| matches!(shape, Shape::TriMesh(_)))
            }
            _ => false,
        }
    }
}

/// Core and radius of a convex shape; `None` for a mesh or a compound.
pub(crate) fn convex_core(shape: &Shape) -> Option<(Core<'_>, f64)> {
    Some(match shape {
        Shape::Sphere(sphere) => (Core::Point, sphere.radius().into()),
        Shape::Capsule(capsule) => {
            (Core::Segment(capsule.half_height().into()), capsule.radius().into())
        }
        Shape::Cuboid(cuboid) => (Core::Cuboid(cuboid.half_extents().into()), 0.0),
        Shape::ConvexHull(hull) => (Core::ConvexHull(hull), 0.0),
        Shape::HalfSpace(plane) => {
            let normal = DVec3::from(plane.normal());
            (Core::HalfSpace(normal * (1.0 / normal.length())), 0.0)
        }
        Shape::TriMesh(_) | Shape::Compound(_) => return None,
    })
}

/// Calls `visit` for each triangle of a mesh that intersects an AABB, except degenerate ones.
fn for_each_triangle_in(shape: &Shape, bounds: &Aabb<3>, mut visit: impl FnMut(u32, [DVec3; 3])) {
    if let Shape::TriMesh(mesh) = shape {
        let mut indices = Vec::new();
        mesh.triangles_in_aabb(bounds, &mut indices);
        for triangle in indices {
            if mesh.triangle_normal(triangle).is_some() {
                visit(triangle, mesh.triangle(triangle).map(DVec3::from));
            }
        }
    }
}

/// First impact of two bodies in canonical order.
fn first_impact(a: &SweptBody<'_>, b: &SweptBody<'_>, distance: f32) -> Option<TimeOfImpact> {
    if let (Shape::HalfSpace(_), Shape::HalfSpace(_)) = (a.shape, b.shape) {
        return None;
    }
    if let (Some(part_a), Some(part_b)) = (a.convex_part(), b.convex_part()) {
        let pair = MovingPair::new(&part_a, &part_b);
        let mut query_budget = MAX_TOTAL_DISTANCE_QUERIES;
        let impact = pair.first_fraction_within(distance.into(), 0.0, 1.0, &mut query_budget)?;
        return Some(to_time_of_impact(a, b, &impact, [0; 2]));
    }
    let intervals = interval_count(a, b);
    let mut scratch = PartScratch::default();
    let mut query_budget = MAX_TOTAL_DISTANCE_QUERIES;
    for interval in 0..intervals {
        let from = f64::from(interval) / f64::from(intervals);
        let until = f64::from(interval + 1) / f64::from(intervals);
        let found =
            first_impact_of_parts(a, b, distance, [from, until], &mut query_budget, &mut scratch);
        if let Some(impact) = found {
            let deepest = || deepest_at_start(a, b).unwrap_or(impact);
            return Some(if impact.initially_overlapping { deepest() } else { impact });
        }
    }
    None
}

/// Impact of two composite shapes that touch at the start: of the closest, or deepest, sub-shapes.
fn deepest_at_start(a: &SweptBody<'_>, b: &SweptBody<'_>) -> Option<TimeOfImpact> {
    let (pose_a, pose_b) = (&a.sweep.start, &b.sweep.start);
    let ClosestParts { points, sub_shapes } =
        closest_parts_within(a.shape, pose_a, b.shape, pose_b, f32::INFINITY)?;
    Some(TimeOfImpact {
        fraction: 0.0,
        normal: points.normal,
        witness_points: points.points,
        sub_shapes,
        initially_overlapping: true,
        penetration: scalar::max(-points.distance, 0.0),
    })
}

/// Buffers reused by all intervals of a sweep.
#[derive(Default)]
struct PartScratch<'a> {
    parts_a: Vec<(u32, MovingPart<'a>)>,
    parts_b: Vec<(u32, MovingPart<'a>)>,
    /// For each part of B, the fraction up to which it cannot touch, and its position in `parts_b`.
    order: Vec<(f64, usize)>,
}

/// First impact of any two parts between two fractions. Of equal fractions, the pair with the lower
/// bound wins, then the pair with the lower indices.
fn first_impact_of_parts<'a>(
    a: &SweptBody<'a>,
    b: &SweptBody<'a>,
    distance: f32,
    [from, until]: [f64; 2],
    query_budget: &mut u32,
    PartScratch { parts_a, parts_b, order }: &mut PartScratch<'a>,
) -> Option<TimeOfImpact> {
    let mut best: Option<(PartImpact, [u32; 2])> = None;
    let mut limit = until;
    parts_a.clear();
    a.parts_in_aabb(&swept_aabb(b, &local_box(b), a, [from, until], distance), parts_a);
    for (index_a, part_a) in parts_a.iter() {
        parts_b.clear();
        let bounds = swept_aabb(a, &part_box(a, part_a), b, [from, limit], distance);
        b.parts_in_aabb(&bounds, parts_b);
        // The lowest bound first: an early impact shortens the interval that remains for the other
        // parts.
        order.clear();
        order.extend(parts_b.iter().enumerate().map(|(position, (_, part_b))| {
            let pair = MovingPair::new(part_a, part_b);
            (pair.plane_clear_until(distance.into(), from, limit), position)
        }));
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        for &(clear_until, position) in order.iter() {
            if clear_until >= limit && best.is_some() || clear_until >= until {
                break;
            }
            let (index_b, part_b) = &parts_b[position];
            let pair = MovingPair::new(part_a, part_b);
            let Some(clear_until) = bounding_spheres_clear_until(
                [part_a, part_b],
                distance,
                [clear_until, limit],
                query_budget,
            ) else {
                continue;
            };
            if let Some(impact) =
                pair.first_fraction_within(distance.into(), clear_until, limit, query_budget)
                && best.as_ref().is_none_or(|(earliest, _)| impact.fraction < earliest.fraction)
            {
                limit = impact.fraction;
                best = Some((impact, [*index_a, *index_b]));
            }
        }
    }
    best.map(|(impact, parts)| to_time_of_impact(a, b, &impact, parts))
}

/// Fraction up to which two parts cannot touch, with each part that rotates far replaced by its
/// bounding sphere; `None` if they do not touch before `until`.
fn bounding_spheres_clear_until(
    [a, b]: [&MovingPart<'_>; 2],
    distance: f32,
    [from, until]: [f64; 2],
    query_budget: &mut u32,
) -> Option<f64> {
    let rotates_far =
        [a, b].map(|part| part.rotation_angle(until - from) > BOUNDING_SPHERE_ROTATION);
    if rotates_far == [false; 2] {
        return Some(from);
    }
    let a = if rotates_far[0] { a.bounding_sphere() } else { *a };
    let b = if rotates_far[1] { b.bounding_sphere() } else { *b };
    let impact = MovingPair::new(&a, &b).first_fraction_within(
        distance.into(),
        from,
        until,
        query_budget,
    )?;
    Some(impact.fraction)
}

fn to_time_of_impact(
    a: &SweptBody<'_>,
    b: &SweptBody<'_>,
    impact: &PartImpact,
    sub_shapes: [u32; 2],
) -> TimeOfImpact {
    // Rounded down: the fraction must not be later than the contact.
    let fraction = impact.fraction as f32;
    let fraction =
        if f64::from(fraction) > impact.fraction { fraction.next_down() } else { fraction };
    let initially_overlapping = impact.fraction == 0.0;
    let initial_penetration =
        |depth: f32| if initially_overlapping { scalar::max(depth, 0.0) } else { 0.0 };
    let Some(normal) = impact.normal else {
        let ((part_a, pose_a), (part_b, pose_b)) =
            (a.sub_shape_at(sub_shapes[0], fraction), b.sub_shape_at(sub_shapes[1], fraction));
        let closest = closest_points(&part_a, &pose_a, &part_b, &pose_b);
        return TimeOfImpact {
            fraction,
            normal: closest.normal,
            witness_points: closest.points,
            sub_shapes,
            initially_overlapping,
            penetration: initial_penetration(-closest.distance),
        };
    };
    let [on_a, on_b] = impact.points;
    TimeOfImpact {
        fraction,
        normal: normal.as_vec3(),
        witness_points: impact.points.map(DVec3::as_vec3),
        sub_shapes,
        initially_overlapping,
        // Round shapes overlap by less than their radii: their cores are separated.
        penetration: initial_penetration((on_a - on_b).dot(normal) as f32),
    }
}
