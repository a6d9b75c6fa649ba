//! Exit distance: how far a convex body has to move along a direction to leave a triangle.
//!
//! The displacements of the body for which it overlaps the triangle form a convex set, the
//! Minkowski difference of the two. A ray leaves it once. The end of the overlap is found by a
//! linear shape cast back from a displacement beyond it (GJK ray cast, van den Bergen 2004):
//!
//! ```text
//!   0 ├──── overlap ────┤ exit         ┊ upper bound by the supports along one axis
//!     ●─────────────────╳◄──┴──◄──┴────┊ each step: the gap along the axis of the closest points
//! ```
//!
//! All in f64 and relative to the position of the body. At the exit the two touch, so that the
//! closest points lie on both surfaces, whatever the size of the triangle.

use embate_geom::{DMat3, DVec3};

use crate::narrow_phase::posed::Posed;
use crate::narrow_phase::toi::conservative_advancement::{CoreSeparation, gjk_separation};
use crate::narrow_phase::toi::convex_core;
use crate::narrow_phase::toi::convex_part::{Core, PosedPart};
use crate::shapes::{Shape, TriMesh};

/// The cast ends at this gap, relative to the sizes: far below the resolution of f32.
const TOUCHING_GAP: f64 = 1e-9;

/// Steps of one cast. Polyhedra need about three, one per face of the Minkowski difference that is
/// passed; round bodies converge quadratically.
const MAX_CAST_STEPS: u32 = 64;

/// An axis less inclined to the direction than this (cosine) gives no useful bound.
const MIN_BOUND_COSINE: f64 = 1e-3;

/// A convex body and a mesh, in f64, in the axes of the world and relative to the body's position.
pub(crate) struct BodyAndMesh<'a> {
    body: PosedPart<'a>,
    radius: f64,
    pub(crate) position: DVec3,
    mesh: &'a TriMesh,
    mesh_basis: DMat3,
    mesh_offset: DVec3,
}

/// End of the overlap of a moving body and a triangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Exit {
    pub(crate) triangle: u32,
    /// Distance along the direction.
    pub(crate) distance: f64,
    /// Unit normal of the Minkowski difference there, out of the triangle.
    pub(crate) normal: DVec3,
    /// Where the body, displaced by the distance, and the triangle touch: the point of the body
    /// before the displacement, and that of the triangle.
    pub(crate) points: [DVec3; 2],
}

impl<'a> BodyAndMesh<'a> {
    /// `None` for a body that is not a convex shape with a support point in every direction.
    pub(crate) fn new(body: Posed<'a, Shape>, mesh: Posed<'a, TriMesh>) -> Option<Self> {
        let (core, radius) = convex_core(body.shape)?;
        if let Core::HalfSpace(_) = core {
            return None;
        }
        let basis = DMat3::from_rotation(body.pose.rotation);
        let position = DVec3::from(body.pose.position);
        Some(Self {
            body: PosedPart { core, basis, origin: DVec3::ZERO },
            radius,
            position,
            mesh: mesh.shape,
            mesh_basis: DMat3::from_rotation(mesh.pose.rotation),
            mesh_offset: DVec3::from(mesh.pose.position) - position,
        })
    }

    /// Vertices of a triangle.
    pub(crate) fn triangle(&self, triangle: u32) -> [DVec3; 3] {
        let [a, b, c] = self.mesh.triangle(triangle);
        let transformed = |vertex| self.mesh_basis.mul_vec3(DVec3::from(vertex)) + self.mesh_offset;
        [transformed(a), transformed(b), transformed(c)]
    }

    /// All triangles but degenerate ones.
    pub(crate) fn triangles(&self) -> impl Iterator<Item = u32> {
        let mesh = self.mesh;
        (0..mesh.mesh().triangles().len() as u32)
            .filter(|&triangle| mesh.triangle_normal(triangle).is_some())
    }

    /// Least coordinate of the body along a unit direction.
    pub(crate) fn lowest(&self, direction: DVec3) -> f64 {
        self.body.support_vertex(-direction).1.dot(direction) - self.radius
    }

    /// Upper bound of the exit distance along a unit direction, in which `lowest` is the least
    /// coordinate of the body: by the supports along the direction and along the triangle's normal.
    pub(crate) fn exit_bound(&self, direction: DVec3, lowest: f64, vertices: &[DVec3; 3]) -> f64 {
        let [a, b, c] = *vertices;
        let bound = direction.dot(a).max(direction.dot(b)).max(direction.dot(c)) - lowest;
        let normal = (b - a).cross(c - a).normalize();
        let cosine = normal.dot(direction);
        if cosine.abs() < MIN_BOUND_COSINE {
            return bound;
        }
        let (normal, cosine) = if cosine < 0.0 { (-normal, -cosine) } else { (normal, cosine) };
        let height = normal.dot(a).max(normal.dot(b)).max(normal.dot(c));
        bound.min((height - self.lowest(normal)) / cosine)
    }

    /// Separation of the body, displaced by a vector, and a triangle, and its axis from the body to
    /// the triangle; `None` where the cores overlap.
    pub(crate) fn separation(
        &self,
        displacement: DVec3,
        vertices: &[DVec3; 3],
    ) -> Option<(f64, DVec3)> {
        let apart = self.core_separation(displacement, vertices)?;
        Some((apart.gap - self.radius, apart.axis))
    }

    fn core_separation(
        &self,
        displacement: DVec3,
        vertices: &[DVec3; 3],
    ) -> Option<CoreSeparation> {
        // Relative to a vertex, so that a triangle far from the body loses no digits.
        let [a, b, c] = *vertices;
        let core = Core::Triangle([DVec3::ZERO, b - a, c - a]);
        let triangle = PosedPart { core, basis: DMat3::IDENTITY, origin: DVec3::ZERO };
        gjk_separation(&self.body, &triangle, a - displacement, None)
    }

    /// Exit of the body from a triangle along a unit direction, if it is farther than `after`.
    /// `bound` is an upper bound of its distance.
    pub(crate) fn exit(
        &self,
        direction: DVec3,
        triangle: u32,
        [after, bound]: [f64; 2],
    ) -> Option<Exit> {
        let vertices = self.triangle(triangle);
        let [a, b, c] = vertices;
        let size = self.body.core.bounding_sphere().1
            + self.radius
            + (b - a).length().max((c - a).length())
            + bound.abs();
        let touching_gap = TOUCHING_GAP * size;
        // Where the body touches, the closest points have no direction; a little farther they do.
        let mut distance = bound + touching_gap;
        let mut last: Option<(f64, CoreSeparation)> = None;
        let mut step = touching_gap;
        let mut step_ratio = 1.0;
        for _ in 0..MAX_CAST_STEPS {
            let Some(apart) = self.core_separation(direction * distance, &vertices) else {
                if let Some((separated, _)) = last {
                    // The plane of the last axis still separates the two, but by so little that
                    // the query cannot tell, for instance at two nearly parallel edges.
                    step_ratio = 0.5;
                    distance = 0.5 * (separated + distance);
                    continue;
                }
                distance += step;
                step *= 2.0;
                continue;
            };
            let gap = apart.gap - self.radius;
            last = Some((distance, apart));
            if gap <= touching_gap {
                break;
            }
            let approach = -apart.axis.dot(direction);
            // Moving back does not close the gap: there is no overlap on this line.
            if approach <= 1e-12 {
                return None;
            }
            let next = distance - step_ratio * (gap - 0.5 * touching_gap) / approach;
            if next <= after {
                return None;
            }
            distance = next;
        }
        let (distance, apart) = last?;
        if distance <= after {
            return None;
        }
        let [on_body, on_triangle] = apart.points;
        Some(Exit {
            triangle,
            distance,
            normal: -apart.axis,
            points: [on_body + apart.axis * self.radius, on_triangle + direction * distance],
        })
    }
}
