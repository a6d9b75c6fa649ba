//! Two boxes: fifteen axes (Gottschalk 1996), in the frame of the first.
//!
//! Three faces of each, and nine products of their edges, three at a time: the products of the edges of A
//! with one edge of B lie side by side in lanes.

use embate_geom::{Vec3, shapes::Cuboid};

use super::cuboid::{self, edge_at, others};
use super::manifold::{Gap, Manifold};
use super::nearest::Nearest;
use super::polytopes::Pair;
use super::sat::{Axis, AxisOf, FACE_PREFERENCE};
use super::support::Support;

/// Edges closer to parallel than this have no axis of their own (sin² of the angle): a face is as good
/// within `FACE_PREFERENCE`, and the product of f32 still has a direction.
const PARALLEL: f32 = 1e-9;

type Boxes<'a> = Pair<'a, Cuboid, Cuboid>;

/// The best axis among the faces of two boxes.
struct Faces {
    axis: Axis,
    /// What a product of edges must be better by.
    preference: f32,
}

/// The face along which two boxes part soonest, or are apart the most; if farther than `beyond`, some
/// face along which they are.
#[inline]
fn best_face(pair: &Boxes<'_>, beyond: f32) -> Result<Faces, Axis> {
    let (half_a, half_b) = (pair.a.body.half(), pair.b.body.half());
    let (axes, between) = (&pair.seen.axes, pair.seen.origin);
    let [x, y, z] = axes.columns.map(Vec3::abs);
    let apart_a = between.abs() - half_a - (x * half_b.x + y * half_b.y + z * half_b.z);
    let best_a = cuboid::greatest(apart_a);
    if apart_a[best_a] > beyond {
        return Err(face_of_a(pair, best_a, apart_a[best_a]));
    }
    let in_b = axes.transposed_times(between);
    let apart_b = in_b.abs() - half_b - Vec3::new(x.dot(half_a), y.dot(half_a), z.dot(half_a));
    let best_b = cuboid::greatest(apart_b);
    if apart_b[best_b] > beyond {
        return Err(face_of_b(pair, best_b, in_b[best_b] < 0.0, apart_b[best_b]));
    }
    // No face along which they overlap wins over one along which they do not.
    let preference = pair.slack(FACE_PREFERENCE);
    let parts = apart_b[best_b] > 0.0 && apart_a[best_a] <= 0.0;
    let axis = if !parts && apart_a[best_a] + preference >= apart_b[best_b] {
        face_of_a(pair, best_a, apart_a[best_a])
    } else {
        face_of_b(pair, best_b, in_b[best_b] < 0.0, apart_b[best_b])
    };
    Ok(Faces { axis, preference })
}

/// The better axis among the products of their edges, if they overlap along all faces; `None` if farther
/// apart than `beyond`.
#[inline]
fn best_axis(pair: &Boxes<'_>, faces: &Faces, beyond: f32) -> Option<Axis> {
    match best_edges(pair, faces.axis.separation + faces.preference) {
        Some(found) if found.separation > beyond => None,
        Some(found) => Some(edges(pair, &found)),
        None => Some(faces.axis),
    }
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

fn edges(pair: &Boxes<'_>, found: &Edges) -> Axis {
    let product = Vec3::AXES[found.axis_a].cross(pair.seen.axes.columns[found.axis_b]);
    let normal = product / product.length();
    let normal = if found.backwards { -normal } else { normal };
    let (corner_a, _) = pair.a.body.corner_along(normal);
    let (corner_b, _) = pair.b.body.corner_along(-pair.seen.axes.transposed_times(normal));
    let of = AxisOf::Edges(edge_at(found.axis_a, corner_a), edge_at(found.axis_b, corner_b));
    Axis { normal, separation: found.separation, of }
}

/// Three numbers, one for each axis of A, and a lane without meaning.
type Lanes = [f32; 4];

#[inline]
fn lanes(value: impl Fn(usize) -> f32) -> Lanes {
    core::array::from_fn(value)
}

/// Component `axis + 1` in lane `axis`.
#[inline]
fn next(vector: Vec3) -> Lanes {
    [vector.y, vector.z, vector.x, 0.0]
}

/// Component `axis + 2` in lane `axis`.
#[inline]
fn last(vector: Vec3) -> Lanes {
    [vector.z, vector.x, vector.y, 0.0]
}

/// A product of an edge of A and one of B along which they part sooner than along a face.
struct Edges {
    axis_a: usize,
    axis_b: usize,
    separation: f32,
    backwards: bool,
}

/// The separations along the products of the edges of A with edge `axis_b` of B, and their signs.
///
/// The product of `e₀` and `b` is `(0, −b₂, b₁)`, and so on round; its length is the root of its square, and
/// everything is measured along this very product, so that nearly parallel edges lose nothing.
#[inline]
fn along_products(pair: &Boxes<'_>, axis_b: usize) -> (Lanes, Lanes) {
    let columns = &pair.seen.axes.columns;
    let [j, k] = others(axis_b);
    let (half_a, half_b) = (pair.a.body.half(), pair.b.body.half().to_array());
    let (b_next, b_last) = (next(columns[axis_b]), last(columns[axis_b]));
    let square = lanes(|lane| b_next[lane] * b_next[lane] + b_last[lane] * b_last[lane]);
    let product = |vector: Vec3| {
        let (next, last) = (next(vector), last(vector));
        lanes(|lane| last[lane] * b_next[lane] - next[lane] * b_last[lane])
    };
    let middle = product(pair.seen.origin);
    let (on_j, on_k) = (product(columns[j]), product(columns[k]));
    let (half_next, half_last) = (next(half_a), last(half_a));
    let apart = lanes(|lane| {
        let reach_a = half_next[lane] * b_last[lane].abs() + half_last[lane] * b_next[lane].abs();
        let reach_b = half_b[j] * on_j[lane].abs() + half_b[k] * on_k[lane].abs();
        middle[lane].abs() - reach_a - reach_b
    });
    let separations = lanes(|lane| apart[lane] / square[lane].sqrt());
    let parallel =
        lanes(|lane| if square[lane] > PARALLEL { separations[lane] } else { f32::NEG_INFINITY });
    (parallel, middle)
}

/// The product of edges along which they are least deep or farthest apart, if that is beyond `least`.
#[inline]
fn best_edges(pair: &Boxes<'_>, least: f32) -> Option<Edges> {
    let mut best = None;
    let mut least = least;
    for axis_b in 0..3 {
        let (separations, middle) = along_products(pair, axis_b);
        for axis_a in 0..3 {
            if separations[axis_a] > least {
                least = separations[axis_a];
                let backwards = middle[axis_a] < 0.0;
                best = Some(Edges { axis_a, axis_b, separation: least, backwards });
            }
        }
    }
    best
}

/// Whether they touch.
pub(super) fn touching(pair: &Boxes<'_>) -> bool {
    best_face(pair, 0.0).is_ok_and(|faces| best_axis(pair, &faces, 0.0).is_some())
}

/// Where they are nearest; `None` if farther apart than `beyond`.
pub(super) fn nearest(pair: &Boxes<'_>, beyond: f32) -> Option<Nearest> {
    let faces = best_face(pair, beyond).ok()?;
    let axis =
        if faces.axis.separation > 0.0 { faces.axis } else { best_axis(pair, &faces, beyond)? };
    if axis.separation > 0.0 && !pair.is_over(&axis) {
        return pair.nearest_by_way(beyond, axis);
    }
    Some(pair.nearest_points(&pair.along_axis(&axis)))
}

/// All points of contact; `None` if farther apart than `margin`, perhaps by a `gap` that is told.
pub(super) fn contact(pair: &Boxes<'_>, margin: f32, gap: &mut Gap) -> Option<Manifold> {
    let faces = match best_face(pair, margin) {
        Ok(faces) => faces,
        Err(axis) => {
            *gap = pair.gap(&axis);
            return None;
        }
    };
    let axis =
        if faces.axis.separation > 0.0 { faces.axis } else { best_axis(pair, &faces, margin)? };
    let meeting = pair.along_axis(&axis);
    if axis.separation > 0.0 {
        // Apart, the axis tells the distance only where the nearest points face each other.
        return match pair.facing_manifold(&meeting, margin) {
            Some(manifold) => Some(manifold),
            None => pair.by_way(margin, axis).map(|meeting| pair.manifold(&meeting, margin)),
        };
    }
    Some(pair.manifold(&meeting, margin))
}
