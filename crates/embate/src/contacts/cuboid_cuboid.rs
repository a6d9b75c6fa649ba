//! Two boxes: fifteen axes (Gottschalk 1996), in the frame of the first.
//!
//! Three faces of each, and nine products of their edges. A product is compared without its root: what is
//! negative and smaller in square over the square of its length is nearer to 0.

use embate_geom::{Vec3, scalar, shapes::Cuboid};

use super::cuboid::{self, others};
use super::gjk;
use super::manifold::Manifold;
use super::nearest::Nearest;
use super::polytopes::Pair;
use super::sat::{Axis, AxisOf, FACE_PREFERENCE};
use super::support::Support;

/// Edges closer to parallel than this have no axis of their own (sin² of the angle): a face is as good
/// within `FACE_PREFERENCE`, and the product of f32 still has a direction.
const PARALLEL: f32 = 1e-9;

type Boxes<'a> = Pair<'a, Cuboid, Cuboid>;

/// The axis along which two boxes part soonest, or are apart the most; `None` if farther than `beyond`.
pub(super) fn axis(pair: &Boxes<'_>, beyond: f32) -> Option<Axis> {
    let (half_a, half_b) = (pair.a.body.half(), pair.b.body.half());
    let (axes, between) = (&pair.seen.axes, pair.seen.origin);
    let [x, y, z] = axes.columns.map(Vec3::abs);
    let apart_a = between.abs() - half_a - (x * half_b.x + y * half_b.y + z * half_b.z);
    let best_a = cuboid::greatest(apart_a);
    if apart_a[best_a] > beyond {
        return None;
    }
    let in_b = axes.transposed_times(between);
    let apart_b = in_b.abs() - half_b - Vec3::new(x.dot(half_a), y.dot(half_a), z.dot(half_a));
    let best_b = cuboid::greatest(apart_b);
    if apart_b[best_b] > beyond {
        return None;
    }
    // Of the size of the smaller box, and what rounding may do to the larger.
    let preference = FACE_PREFERENCE * scalar::min(half_a.largest(), half_b.largest())
        + gjk::ROUNDING * pair.scale;
    let a_wins = apart_a[best_a] + preference >= apart_b[best_b];
    let of_face = if a_wins { apart_a[best_a] } else { apart_b[best_b] };
    let found = best_edges(pair, of_face + preference, beyond)?;
    Some(match found {
        Some((edge_a, edge_b, normal, separation)) => {
            edges(pair, edge_a, edge_b, normal, separation)
        }
        None if a_wins => face_of_a(pair, best_a, of_face),
        None => face_of_b(pair, best_b, in_b[best_b] < 0.0, of_face),
    })
}

fn face_of_a(pair: &Boxes<'_>, axis: usize, separation: f32) -> Axis {
    let negative = pair.seen.origin[axis] < 0.0;
    let face = cuboid::face_index(axis, negative);
    let normal = if negative { -Vec3::AXES[axis] } else { Vec3::AXES[axis] };
    let (vertex, _) = pair.b.body.corner_along(-pair.seen.axes.transposed_times(normal));
    Axis { normal, separation, of: AxisOf::FaceOfA(face, vertex) }
}

fn face_of_b(pair: &Boxes<'_>, axis: usize, negative: bool, separation: f32) -> Axis {
    // Out of A into B: against the face of B that looks to A.
    let face = cuboid::face_index(axis, !negative);
    let column = pair.seen.axes.columns[axis];
    let normal = if negative { -column } else { column };
    let (vertex, _) = pair.a.body.corner_along(normal);
    Axis { normal, separation, of: AxisOf::FaceOfB(face, vertex) }
}

fn edges(pair: &Boxes<'_>, axis_a: usize, axis_b: usize, normal: Vec3, separation: f32) -> Axis {
    let (corner_a, _) = pair.a.body.corner_along(normal);
    let (corner_b, _) = pair.b.body.corner_along(-pair.seen.axes.transposed_times(normal));
    let of = AxisOf::Edges(edge_at(axis_a, corner_a), edge_at(axis_b, corner_b));
    Axis { normal, separation, of }
}

/// The edge along an axis that meets a corner.
fn edge_at(axis: usize, corner: u32) -> u32 {
    let [next, last] = others(axis);
    4 * axis as u32 + (corner >> next & 1) + 2 * (corner >> last & 1)
}

type Edges = (usize, usize, Vec3, f32);

/// The product of edges along which they part sooner than `least`: the axes, the normal and the
/// separation. The outer `None` if farther apart than `beyond`.
#[allow(clippy::option_option)]
fn best_edges(pair: &Boxes<'_>, least: f32, beyond: f32) -> Option<Option<Edges>> {
    let half_a = pair.a.body.half();
    let half_b = pair.b.body.half();
    let between = pair.seen.origin;
    let columns = pair.seen.axes.columns;
    let mut best: Option<(usize, usize, f32, f32)> = None;
    let mut least = least;
    for axis_b in 0..3 {
        let along_b = columns[axis_b];
        let [j, k] = others(axis_b);
        for axis_a in 0..3 {
            let [u, v] = others(axis_a);
            // The product is 0 along its axis of A, and:
            let (on_u, on_v) = (-along_b[v], along_b[u]);
            let square = on_u * on_u + on_v * on_v;
            if square <= PARALLEL {
                continue;
            }
            let middle = between[u] * on_u + between[v] * on_v;
            let reach_a = half_a[u] * on_u.abs() + half_a[v] * on_v.abs();
            // Measured along this very product, so that nearly parallel edges lose nothing.
            let on_j = columns[j][u] * on_u + columns[j][v] * on_v;
            let on_k = columns[k][u] * on_u + columns[k][v] * on_v;
            let reach_b = half_b[j] * on_j.abs() + half_b[k] * on_k.abs();
            let apart = middle.abs() - reach_a - reach_b;
            if sooner(apart, square, least) {
                let separation = apart / square.sqrt();
                if separation > beyond {
                    return None;
                }
                if separation > least {
                    least = separation;
                    best = Some((axis_a, axis_b, middle, separation));
                }
            }
        }
    }
    Some(best.map(|(axis_a, axis_b, middle, separation)| {
        let normal = Vec3::AXES[axis_a].cross(columns[axis_b]);
        let normal = normal / normal.length();
        let normal = if middle < 0.0 { -normal } else { normal };
        (axis_a, axis_b, normal, separation)
    }))
}

/// Whether `apart / √square > least`.
#[inline]
fn sooner(apart: f32, square: f32, least: f32) -> bool {
    if apart < 0.0 {
        least < 0.0 && apart * apart < least * least * square
    } else {
        least < 0.0 || apart * apart > least * least * square
    }
}

/// Where they are nearest; `None` if farther apart than `beyond`.
pub(super) fn nearest(pair: &Boxes<'_>, beyond: f32) -> Option<Nearest> {
    let axis = axis(pair, beyond)?;
    let meeting = if axis.separation > 0.0 {
        pair.meeting_or(beyond, || axis)?
    } else {
        pair.along_axis(&axis)
    };
    Some(pair.nearest(&meeting))
}

/// All points of contact.
pub(super) fn contact(pair: &Boxes<'_>, margin: f32) -> Option<Manifold> {
    let axis = axis(pair, margin)?;
    let meeting = pair.along_axis(&axis);
    if axis.separation > 0.0 {
        // Apart, the axis tells the distance only where the nearest points face each other.
        return match pair.facing_manifold(&meeting, margin) {
            Some(manifold) => Some(manifold),
            None => pair.meeting_or(margin, || axis).map(|meeting| pair.manifold(&meeting, margin)),
        };
    }
    Some(pair.manifold(&meeting, margin))
}
