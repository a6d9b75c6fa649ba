//! Box–box: SAT with 15 axes (Gottschalk 1996), in the frame of the first box.
//!
//! Three face normals of each box and nine cross products of edges. The cross products of the edges
//! of A with one edge of B are computed three at a time, in lanes.

use embate_geom::{Vec3, shapes::Cuboid};

use crate::narrow_phase::closest_points::ClosestFeatures;
use crate::narrow_phase::convex::convex_convex::ConvexPair;
use crate::narrow_phase::convex::cuboid::{self, edge_at, other_axes};
use crate::narrow_phase::convex::sat::{FACE_PREFERENCE, SatAxis, SatFeatures};
use crate::narrow_phase::convex::support::Support;
use crate::narrow_phase::manifold::{Manifold, SeparatingAxis};

/// sin² of the angle below which two edges count as parallel and have no axis of their own: a face
/// is as good within `FACE_PREFERENCE`, and above it the f32 cross product has a direction.
const PARALLEL_CUBOID_EDGE_SIN_SQUARED: f32 = 1e-9;

type CuboidPair<'a> = ConvexPair<'a, Cuboid, Cuboid>;

/// The best axis among the face normals of two boxes.
struct BestFaceAxis {
    axis: SatAxis,
    /// Amount by which an edge pair must exceed it.
    face_preference: f32,
}

/// The face with the largest separation; `Err` with some separating face if that exceeds
/// `max_distance`.
#[inline]
fn query_faces(pair: &CuboidPair<'_>, max_distance: f32) -> Result<BestFaceAxis, SatAxis> {
    let (half_a, half_b) = (pair.a.shape.half_extents(), pair.b.shape.half_extents());
    let (axes, a_to_b) = (&pair.b_in_a.basis, pair.b_in_a.translation);
    let [x, y, z] = axes.columns.map(Vec3::abs);
    let separations_a = a_to_b.abs() - half_a - (x * half_b.x + y * half_b.y + z * half_b.z);
    let best_a = cuboid::max_axis(separations_a);
    if separations_a[best_a] > max_distance {
        return Err(face_axis_of_a(pair, best_a, separations_a[best_a]));
    }
    let in_b = axes.transpose_mul_vec3(a_to_b);
    let separations_b =
        in_b.abs() - half_b - Vec3::new(x.dot(half_a), y.dot(half_a), z.dot(half_a));
    let best_b = cuboid::max_axis(separations_b);
    if separations_b[best_b] > max_distance {
        return Err(face_axis_of_b(pair, best_b, in_b[best_b] < 0.0, separations_b[best_b]));
    }
    // A face along which they overlap is never preferred to a separating one.
    let face_preference = pair.tolerance(FACE_PREFERENCE);
    let only_b_separates = separations_b[best_b] > 0.0 && separations_a[best_a] <= 0.0;
    let axis =
        if !only_b_separates && separations_a[best_a] + face_preference >= separations_b[best_b] {
            face_axis_of_a(pair, best_a, separations_a[best_a])
        } else {
            face_axis_of_b(pair, best_b, in_b[best_b] < 0.0, separations_b[best_b])
        };
    Ok(BestFaceAxis { axis, face_preference })
}

/// The best axis of boxes that overlap along all face normals: an edge pair if it exceeds the best
/// face; `None` if that pair is farther apart than `max_distance`.
#[inline]
fn best_axis(pair: &CuboidPair<'_>, faces: &BestFaceAxis, max_distance: f32) -> Option<SatAxis> {
    match query_edges(pair, faces.axis.separation + faces.face_preference) {
        Some(edges) if edges.separation > max_distance => None,
        Some(edges) => Some(edge_axis(pair, &edges)),
        None => Some(faces.axis),
    }
}

fn face_axis_of_a(pair: &CuboidPair<'_>, axis: usize, separation: f32) -> SatAxis {
    let negative = pair.b_in_a.translation[axis] < 0.0;
    let face = cuboid::face_index(axis, negative);
    let normal = if negative { -Vec3::AXES[axis] } else { Vec3::AXES[axis] };
    let (vertex, _) = pair.b.shape.support_vertex(-pair.b_in_a.basis.transpose_mul_vec3(normal));
    SatAxis { normal, separation, features: SatFeatures::FaceOfA(face, vertex) }
}

fn face_axis_of_b(pair: &CuboidPair<'_>, axis: usize, negative: bool, separation: f32) -> SatAxis {
    // From A to B: against the normal of the face of B that faces A.
    let face = cuboid::face_index(axis, !negative);
    let column = pair.b_in_a.basis.columns[axis];
    let normal = if negative { -column } else { column };
    let (vertex, _) = pair.a.shape.support_vertex(normal);
    SatAxis { normal, separation, features: SatFeatures::FaceOfB(face, vertex) }
}

fn edge_axis(pair: &CuboidPair<'_>, edges: &EdgePair) -> SatAxis {
    let product = Vec3::AXES[edges.axis_a].cross(pair.b_in_a.basis.columns[edges.axis_b]);
    let normal = product / product.length();
    let normal = if edges.is_reversed { -normal } else { normal };
    let (vertex_a, _) = pair.a.shape.support_vertex(normal);
    let (vertex_b, _) = pair.b.shape.support_vertex(-pair.b_in_a.basis.transpose_mul_vec3(normal));
    let of = SatFeatures::Edges(edge_at(edges.axis_a, vertex_a), edge_at(edges.axis_b, vertex_b));
    SatAxis { normal, separation: edges.separation, features: of }
}

/// One value per axis of A, and an unused lane.
type AxisLanes = [f32; 4];

#[inline]
fn lanes(value: impl Fn(usize) -> f32) -> AxisLanes {
    core::array::from_fn(value)
}

/// Component `axis + 1` in lane `axis`.
#[inline]
fn yzx(vector: Vec3) -> AxisLanes {
    [vector.y, vector.z, vector.x, 0.0]
}

/// Component `axis + 2` in lane `axis`.
#[inline]
fn zxy(vector: Vec3) -> AxisLanes {
    [vector.z, vector.x, vector.y, 0.0]
}

/// An edge of A and an edge of B whose cross product separates more than a face normal.
struct EdgePair {
    axis_a: usize,
    axis_b: usize,
    separation: f32,
    is_reversed: bool,
}

/// Separations along the cross products of the edges of A with edge `axis_b` of B, and the signs of
/// the directions.
///
/// The cross product of `e₀` and `b` is `(0, −b₂, b₁)`, and cyclically. Everything is projected
/// onto the unnormalized product and divided by its length, so that nearly parallel edges lose no
/// precision.
#[inline]
fn separations_along_cross_products(
    pair: &CuboidPair<'_>,
    axis_b: usize,
) -> (AxisLanes, AxisLanes) {
    let columns = &pair.b_in_a.basis.columns;
    let [j, k] = other_axes(axis_b);
    let (half_a, half_b) = (pair.a.shape.half_extents(), pair.b.shape.half_extents().to_array());
    let (b_next, b_last) = (yzx(columns[axis_b]), zxy(columns[axis_b]));
    let length_squared = lanes(|lane| b_next[lane] * b_next[lane] + b_last[lane] * b_last[lane]);
    let product = |vector: Vec3| {
        let (next, last) = (yzx(vector), zxy(vector));
        lanes(|lane| last[lane] * b_next[lane] - next[lane] * b_last[lane])
    };
    let center_offset = product(pair.b_in_a.translation);
    let (on_j, on_k) = (product(columns[j]), product(columns[k]));
    let (half_next, half_last) = (yzx(half_a), zxy(half_a));
    let unnormalized = lanes(|lane| {
        let extent_a = half_next[lane] * b_last[lane].abs() + half_last[lane] * b_next[lane].abs();
        let extent_b = half_b[j] * on_j[lane].abs() + half_b[k] * on_k[lane].abs();
        center_offset[lane].abs() - extent_a - extent_b
    });
    let separations = lanes(|lane| unnormalized[lane] / length_squared[lane].sqrt());
    let valid = lanes(|lane| {
        if length_squared[lane] > PARALLEL_CUBOID_EDGE_SIN_SQUARED {
            separations[lane]
        } else {
            f32::NEG_INFINITY
        }
    });
    (valid, center_offset)
}

/// The edge pair with the largest separation, if that exceeds `threshold`.
#[inline]
fn query_edges(pair: &CuboidPair<'_>, threshold: f32) -> Option<EdgePair> {
    let mut best = None;
    let mut threshold = threshold;
    for axis_b in 0..3 {
        let (separations, center_offset) = separations_along_cross_products(pair, axis_b);
        for axis_a in 0..3 {
            if separations[axis_a] > threshold {
                threshold = separations[axis_a];
                let is_reversed = center_offset[axis_a] < 0.0;
                best = Some(EdgePair { axis_a, axis_b, separation: threshold, is_reversed });
            }
        }
    }
    best
}

/// Whether the boxes touch or overlap.
pub(crate) fn intersects(pair: &CuboidPair<'_>) -> bool {
    query_faces(pair, 0.0).is_ok_and(|faces| best_axis(pair, &faces, 0.0).is_some())
}

/// Closest features; `None` if farther apart than `max_distance`.
pub(crate) fn closest_features(
    pair: &CuboidPair<'_>,
    max_distance: f32,
) -> Option<ClosestFeatures> {
    let faces = query_faces(pair, max_distance).ok()?;
    let axis = if faces.axis.separation > 0.0 {
        faces.axis
    } else {
        best_axis(pair, &faces, max_distance)?
    };
    if axis.separation > 0.0 && !pair.has_vertex_over_face(&axis) {
        return pair.closest_features_from_gjk(max_distance, axis);
    }
    Some(pair.witness_features(&pair.contact_axis_from_sat(&axis)))
}

/// Contact manifold; `None` if farther apart than `margin`, with `separating_axis` stored if one
/// was found.
pub(crate) fn contact_manifold(
    pair: &CuboidPair<'_>,
    margin: f32,
    separating_axis: &mut SeparatingAxis,
) -> Option<Manifold> {
    let faces = match query_faces(pair, margin) {
        Ok(faces) => faces,
        Err(axis) => {
            *separating_axis = pair.separating_axis(&axis);
            return None;
        }
    };
    let axis =
        if faces.axis.separation > 0.0 { faces.axis } else { best_axis(pair, &faces, margin)? };
    let contact_axis = pair.contact_axis_from_sat(&axis);
    if axis.separation > 0.0 {
        // If separated, the axis gives the distance only where the closest points lie on facing
        // features.
        return match pair.face_manifold(&contact_axis, margin) {
            Some(manifold) => Some(manifold),
            None => pair
                .contact_axis_from_gjk(margin, axis)
                .map(|contact_axis| pair.manifold(&contact_axis, margin)),
        };
    }
    Some(pair.manifold(&contact_axis, margin))
}
