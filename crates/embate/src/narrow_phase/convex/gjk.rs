//! GJK distance between two convex cores, with an f64 simplex.
//!
//! Gilbert, Johnson and Keerthi 1988: the point of the Minkowski difference `A − B` closest to the
//! origin is the vector between the closest points. A simplex of its vertices converges to that
//! point. The support mapping runs in f32, because it dominates the cost; the simplex is f64, so
//! that the iteration ends when f32 finds no better vertex, not when the volume of the simplex is
//! lost in rounding.
//!
//! Guarantee: the distance is exact within the rounding of the vertices (`4 ε · scale`), and cores
//! closer than `max_distance` by more than that rounding are never reported as out of range.

use embate_geom::{DVec3, RigidTransform, Vec3};

use crate::narrow_phase::convex::simplex::{Simplex, SimplexVertex};
use crate::narrow_phase::convex::support::Support;

/// Rounding of a vertex position and of the choice among vertices, relative to the coordinates'
/// size.
pub(crate) const SUPPORT_ROUNDING: f32 = 4.0 * f32::EPSILON;

/// Error bound of a query: a ratio of the smaller shape's size plus the rounding of coordinates of
/// this `scale`.
#[inline]
pub(crate) fn tolerance(ratio: f32, smaller_size: f32, scale: f32) -> f32 {
    ratio * smaller_size + SUPPORT_ROUNDING * scale
}

/// Iteration limit. Few pairs need more than ten. Every iteration reduces the distance, except
/// within rounding, so this limit only ends cycles caused by rounding.
const MAX_ITERATIONS: usize = 64;

/// Cores closer than this, relative to the coordinates' size, touch: the vector between them has no
/// direction.
const TOUCHING_TOLERANCE: f64 = 1e-10;

/// The iteration has converged if the next vertex reduces the squared distance by a smaller ratio
/// than this. The direction is then accurate to 1e-6.
const CONVERGENCE_TOLERANCE: f64 = 1e-12;

/// Result of a GJK distance query.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::large_enum_variant, reason = "short-lived stack value, matched at once")]
pub(crate) enum GjkResult {
    /// Farther apart than the maximum distance.
    OutOfRange,
    /// Separated.
    Separated(GjkClosestPoints),
    /// Touching or overlapping.
    Overlapping,
}

/// Closest points of two separated cores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GjkClosestPoints {
    /// From the closest point of A to that of B, in A's frame; not zero.
    pub(crate) a_to_b: DVec3,
    /// Length of `a_to_b`.
    pub(crate) distance: f64,
    /// The closest point of A, in A's frame.
    pub(crate) on_a: DVec3,
    /// The simplex of `A − B` that contains the closest point.
    pub(crate) simplex: Simplex,
}

impl GjkClosestPoints {
    /// Unit vector from A to B.
    pub(crate) fn normal(&self) -> Vec3 {
        (self.a_to_b * (1.0 / self.distance)).as_vec3()
    }
}

/// GJK distance from `a` to `b`, whose pose in A's frame is `b_in_a`. `initial_direction` points
/// roughly from A to B; `scale` is the size of the largest coordinate of the query.
pub(crate) fn distance<A: Support, B: Support>(
    a: &A,
    b: &B,
    b_in_a: &RigidTransform,
    initial_direction: Vec3,
    max_distance: f32,
    scale: f32,
) -> GjkResult {
    let (max_distance, touching_distance) =
        (f64::from(max_distance), TOUCHING_TOLERANCE * f64::from(scale));
    let first_vertex = minkowski_support(a, b, b_in_a, initial_direction);
    let mut simplex = Simplex::new(first_vertex);
    let mut closest = first_vertex.difference;
    let mut distance_squared = closest.length_squared();
    for _ in 0..MAX_ITERATIONS {
        if distance_squared <= touching_distance * touching_distance {
            return GjkResult::Overlapping;
        }
        let length = distance_squared.sqrt();
        let direction = (closest * (-1.0 / length)).as_vec3();
        let vertex = minkowski_support(a, b, b_in_a, direction);
        let projection = closest.dot(vertex.difference);
        if projection > max_distance * length {
            return GjkResult::OutOfRange;
        }
        // No vertex is closer: converged.
        let is_known = simplex.vertices().iter().any(|held| held.indices == vertex.indices);
        if is_known || distance_squared - projection <= CONVERGENCE_TOLERANCE * distance_squared {
            break;
        }
        let Some(sub_simplex) = simplex.closest_sub_simplex(vertex, projection > 0.0) else {
            return GjkResult::Overlapping;
        };
        let new_distance_squared = sub_simplex.point.length_squared();
        if new_distance_squared >= distance_squared {
            break;
        }
        simplex.reduce(&sub_simplex);
        (closest, distance_squared) = (sub_simplex.point, new_distance_squared);
    }
    let length = distance_squared.sqrt();
    if length <= touching_distance {
        return GjkResult::Overlapping;
    }
    if length > max_distance {
        return GjkResult::OutOfRange;
    }
    GjkResult::Separated(GjkClosestPoints {
        a_to_b: -closest,
        distance: length,
        on_a: simplex.point_on_a(),
        simplex,
    })
}

/// Support vertex of the Minkowski difference `A − B`: that of A along `direction` minus that of B
/// against it.
#[inline]
fn minkowski_support<A: Support, B: Support>(
    a: &A,
    b: &B,
    b_in_a: &RigidTransform,
    direction: Vec3,
) -> SimplexVertex {
    let (index_a, on_a) = a.support_vertex(direction);
    let (index_b, on_b) = b.support_vertex(-b_in_a.basis.transpose_mul_vec3(direction));
    let on_a = DVec3::from(on_a);
    SimplexVertex {
        difference: on_a - DVec3::from_transformed(on_b, b_in_a),
        on_a,
        indices: [index_a, index_b],
        weight: 0.0,
    }
}
