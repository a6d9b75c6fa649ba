//! Triangle–convex contacts: a box, a convex hull or a half-space against one triangle of a mesh.

use embate_geom::{DVec3, RigidTransform, Vec3, scalar, shapes::HalfSpace};

use crate::narrow_phase::closest_points::ClosestFeatures;
use crate::narrow_phase::convex::clip;
use crate::narrow_phase::convex::clip::projection::{self, ClipInput};
use crate::narrow_phase::convex::contact_axis::ContactAxis;
use crate::narrow_phase::convex::convex_convex::ConvexPair;
use crate::narrow_phase::convex::gjk::{self, GjkResult};
use crate::narrow_phase::convex::polyhedron::{PolyhedralShape, PosedPolyhedron};
use crate::narrow_phase::convex::sat::{FACE_PREFERENCE, SatAxis, SatFeatures};
use crate::narrow_phase::convex::support::Support;
use crate::narrow_phase::convex::triangle::{BACK_FACE, FRONT_FACE, TrianglePolyhedron};
use crate::narrow_phase::feature_id::{FeatureId, pack_features};
use crate::narrow_phase::manifold::{ContactPoint, Manifold};
use crate::narrow_phase::mesh::TriangleContext;
use crate::narrow_phase::mesh::back_face_validation::TriangleResult;
use crate::narrow_phase::mesh::internal_edges::NormalCorrection;
use crate::narrow_phase::pairs::segment_segment::SegmentPair;

/// Edges closer to parallel define no separating axis (sin² of the angle).
const PARALLEL_TRIANGLE_EDGE_SIN_SQUARED: f64 = 1e-10;

/// If the edge correction moves a contact away by more than this fraction of the smaller shape's
/// size, the closest features are left to the neighbors: half of the guaranteed precision.
pub(crate) const EDGE_CORRECTION_TOLERANCE: f32 = 5e-5;

/// Contact of a convex polyhedron A and a triangle.
pub(crate) fn contact<A: PolyhedralShape>(
    a: &A,
    frame_a: &RigidTransform,
    context: &TriangleContext<'_>,
    margin: f32,
) -> TriangleResult {
    let triangle = &context.triangle;
    let body_side =
        triangle.face_toward(context.body_in_triangle.transform_point(a.inscribed_sphere().0));
    let deepest = DeepestVertex::new(a, context, body_side);
    // One criterion decides contact everywhere: shapes separated by no more than the rounding error
    // touch.
    let rounding = gjk::SUPPORT_ROUNDING * scale(a, context);
    if deepest.height > scalar::max(margin, rounding) {
        return TriangleResult::None;
    }
    let clip_along = |normal: Vec3, face: u32, face_a: u32| {
        let (least, tolerance) =
            (f32::NEG_INFINITY, tolerance(a, context, projection::CLIP_TOLERANCE));
        let input = ClipInput {
            normal,
            reference: face,
            incident: face_a,
            margin,
            min_separation: least,
            tolerance,
        };
        let reference = PosedPolyhedron { shape: triangle, frame: context.frame };
        let incident = PosedPolyhedron { shape: a, frame: *frame_a };
        let manifold = clip::manifold(&reference, &incident, &context.body_in_triangle, &input);
        (!manifold.points().is_empty()).then(|| manifold.flipped())
    };
    if context.has_no_active_edge(body_side) {
        return match clip_along(triangle.face_normal(body_side), body_side, deepest.face(a)) {
            None => TriangleResult::Unknown,
            Some(manifold)
                if manifold.max_penetration() <= 0.0
                    || certainly_intersects(a, frame_a, &manifold) =>
            {
                TriangleResult::Contact(manifold)
            }
            Some(manifold) => TriangleResult::BackFace(manifold, body_side),
        };
    }
    let pair = pair(a, frame_a, context);
    let Some(axis) = contact_axis(&pair, margin, &[body_side], deepest.direction) else {
        return TriangleResult::None;
    };
    let outward = -(context.body_in_triangle.basis * axis.normal);
    let separated = axis.distance > 0.0;
    // Beyond a convex edge the center can lie behind a triangle whose front the body is at.
    let face = if separated { triangle.face_along(outward, body_side) } else { body_side };
    let deepest = if face == body_side { deepest } else { DeepestVertex::new(a, context, face) };
    let normal = match context.edge_normal_cones(face).correct(outward) {
        NormalCorrection::Unchanged => {
            return TriangleResult::Contact(pair.manifold(&axis, margin));
        }
        NormalCorrection::FaceNormal => triangle.face_normal(face),
        NormalCorrection::ClampedTo(normal) => normal,
    };
    // If the face at the deepest vertex does not lie over this triangle, the face of the contact
    // axis may.
    let manifold = clip_along(normal, face, deepest.face(a))
        .or_else(|| clip_along(normal, face, axis.faces[0]));
    let max_distance = axis.distance + tolerance(a, context, EDGE_CORRECTION_TOLERANCE);
    match manifold {
        Some(manifold) if separated && -manifold.max_penetration() > max_distance => {
            TriangleResult::Deferred(manifold, pair.witness_features(&axis))
        }
        Some(manifold) if !separated || manifold.max_penetration() <= 0.0 => {
            TriangleResult::Contact(manifold)
        }
        Some(manifold) if face == body_side => TriangleResult::BackFace(manifold, face),
        _ => TriangleResult::Rejected(pair.witness_features(&axis)),
    }
}

/// The vertex of a polyhedron that reaches farthest towards, or behind, one side of a triangle.
struct DeepestVertex {
    /// Into the side, in the frame of the polyhedron.
    direction: Vec3,
    height: f32,
    vertex: u32,
}

impl DeepestVertex {
    fn new<A: PolyhedralShape>(a: &A, context: &TriangleContext<'_>, side: u32) -> Self {
        let direction =
            -context.body_in_triangle.basis.transpose_mul_vec3(context.triangle.face_normal(side));
        let (vertex, point) = a.support_vertex(direction);
        let height =
            context.triangle.height_above(side, context.body_in_triangle.transform_point(point));
        Self { direction, height, vertex }
    }

    fn face<A: PolyhedralShape>(&self, a: &A) -> u32 {
        a.most_aligned_face(self.vertex, self.direction)
    }
}

/// Whether a polyhedron with a penetration behind a triangle certainly intersects it: a contact
/// point on the triangle lies inside the polyhedron by more than the rounding error of world
/// coordinates.
fn certainly_intersects<A: PolyhedralShape>(
    a: &A,
    frame_a: &RigidTransform,
    manifold: &Manifold,
) -> bool {
    manifold.points().iter().any(|contact| {
        let on_triangle = contact.position - manifold.normal * (0.5 * contact.penetration);
        let local = frame_a.basis.transpose_mul_vec3(on_triangle - frame_a.translation);
        let max_coordinate = on_triangle.abs().max(frame_a.translation.abs()).max_element();
        a.max_separation_face(local).1
            <= projection::CLIP_TOLERANCE * a.size() - gjk::SUPPORT_ROUNDING * max_coordinate
    })
}

/// Magnitude of the coordinates involved, for tolerances.
fn scale<A: PolyhedralShape>(a: &A, context: &TriangleContext<'_>) -> f32 {
    a.max_abs_coordinate()
        + context.triangle.max_abs_coordinate()
        + context.body_in_triangle.translation.abs().max_element()
}

/// A fraction of the size of the smaller shape, plus the rounding error at the given scale.
fn tolerance<A: PolyhedralShape>(a: &A, context: &TriangleContext<'_>, ratio: f32) -> f32 {
    gjk::tolerance(
        ratio,
        scalar::min(a.size(), context.triangle.max_abs_coordinate()),
        scale(a, context),
    )
}

fn pair<'a, A: PolyhedralShape>(
    a: &'a A,
    frame_a: &RigidTransform,
    context: &'a TriangleContext<'_>,
) -> ConvexPair<'a, A, TrianglePolyhedron> {
    ConvexPair {
        a: PosedPolyhedron { shape: a, frame: *frame_a },
        b: PosedPolyhedron { shape: &context.triangle, frame: context.frame },
        b_in_a: context.triangle_in_body(),
        a_in_b: context.body_in_triangle,
        scale: scale(a, context),
    }
}

/// Closest features of a polyhedron and a triangle; `None` if they are farther apart than
/// `max_distance`.
pub(crate) fn closest_features<A: PolyhedralShape>(
    a: &A,
    frame_a: &RigidTransform,
    context: &TriangleContext<'_>,
    max_distance: f32,
) -> Option<ClosestFeatures> {
    let pair = pair(a, frame_a, context);
    let start = pair.b_in_a.translation - a.inscribed_sphere().0;
    contact_axis(&pair, max_distance, &[FRONT_FACE, BACK_FACE], start)
        .map(|axis| pair.witness_features(&axis))
}

/// Axis of the closest points of a polyhedron and a triangle, or the axis of minimum penetration if
/// they overlap; `None` if they are farther apart than `max_distance`. `start` points roughly from
/// the polyhedron to the triangle.
fn contact_axis<A: PolyhedralShape>(
    pair: &ConvexPair<'_, A, TrianglePolyhedron>,
    max_distance: f32,
    sides: &[u32],
    start: Vec3,
) -> Option<ContactAxis> {
    let (a, b) = (pair.a.shape, pair.b.shape);
    let offset = pair.b_in_a.translation - a.inscribed_sphere().0;
    let max_reach = a.bounding_radius() + b.bounding_radius() + max_distance;
    if offset.length_squared() > max_reach * max_reach {
        return None;
    }
    let rounding = gjk::SUPPORT_ROUNDING * pair.scale;
    match gjk::distance(a, b, &pair.b_in_a, start, scalar::max(max_distance, rounding), pair.scale)
    {
        GjkResult::OutOfRange => None,
        GjkResult::Separated(apart) if apart.distance > f64::from(rounding) => (apart.distance
            <= f64::from(max_distance))
        .then(|| pair.contact_axis_from_closest_points(&apart)),
        // Too short to have a direction: the shapes touch.
        GjkResult::Separated(_) | GjkResult::Overlapping => {
            let preference = pair.tolerance(FACE_PREFERENCE);
            Some(pair.contact_axis_from_sat(&min_penetration_axis(
                a,
                b,
                &pair.b_in_a,
                sides,
                preference,
            )))
        }
    }
}

/// Axis of minimum penetration of a polyhedron A and a triangle that overlap (separating axis
/// test). Of the faces of the triangle only `sides` are tested.
///
/// The Gauss map arcs of `sat` are not defined for a triangle, whose two faces have opposite
/// normals. Its three edges are few enough to test all pairs.
fn min_penetration_axis<A: PolyhedralShape>(
    a: &A,
    triangle: &TrianglePolyhedron,
    b_in_a: &RigidTransform,
    sides: &[u32],
    preference: f32,
) -> SatAxis {
    let vertices = [0, 1, 2].map(|index| b_in_a.transform_point(triangle.vertex(index)));
    let mut best: Option<SatAxis> = None;
    for &side in sides {
        let normal = -(b_in_a.basis * triangle.face_normal(side));
        let (vertex, point) = a.support_vertex(normal);
        let separation = min_projection(&vertices, normal).1 - normal.dot(point);
        let axis = SatAxis { normal, separation, features: SatFeatures::FaceOfB(side, vertex) };
        if best.is_none_or(|best| separation > best.separation) {
            best = Some(axis);
        }
    }
    let fallback = SatAxis {
        normal: -(b_in_a.basis * triangle.normal),
        separation: 0.0,
        features: SatFeatures::FaceOfB(FRONT_FACE, 0),
    };
    let mut best = best.unwrap_or(fallback);
    let mut threshold = best.separation + preference;
    for face in 0..a.face_count() {
        let (normal, offset) = a.plane(face);
        let (vertex, projection) = min_projection(&vertices, normal);
        let separation = projection - offset;
        if separation > threshold {
            (best, threshold) = (
                SatAxis { normal, separation, features: SatFeatures::FaceOfA(face, vertex) },
                separation,
            );
        }
    }
    for edge_b in 0..3_u32 {
        let from_b = vertices[edge_b as usize];
        let to_b = vertices[(edge_b as usize + 1) % 3];
        let along_b = DVec3::from(to_b - from_b);
        for edge_a in 0..a.edge_count() {
            let ([from, to], _) = a.edge(edge_a);
            let from_a = a.vertex(from);
            let along_a = DVec3::from(a.vertex(to) - from_a);
            let product = along_a.cross(along_b);
            let square = product.length_squared();
            if square
                <= PARALLEL_TRIANGLE_EDGE_SIN_SQUARED
                    * along_a.length_squared()
                    * along_b.length_squared()
            {
                continue;
            }
            let edge_normal = (product * (1.0 / square.sqrt())).as_vec3();
            for normal in [edge_normal, -edge_normal] {
                // The separation along an axis is at most the distance between any two points along
                // it, here one of each edge.
                let edge_separation = normal.dot(from_b - from_a);
                if edge_separation <= threshold {
                    continue;
                }
                let separation =
                    min_projection(&vertices, normal).1 - normal.dot(a.support_vertex(normal).1);
                // If the two edges are much farther apart than the shapes, other edges parallel to
                // them are in contact. Edges that do not cross along the normal are not in contact.
                if separation > threshold
                    && edge_separation <= separation + 0.5 * preference
                    && edges_cross([from_a, a.vertex(to)], [from_b, to_b], normal, preference)
                {
                    let of = SatFeatures::Edges(edge_a, edge_b);
                    (best, threshold) = (SatAxis { normal, separation, features: of }, separation);
                }
            }
        }
    }
    // The shapes touch, even if rounding leaves a gap.
    if best.separation > 0.0 {
        best.separation = 0.0;
    }
    best
}

/// Whether two edges cross in the projection along a normal.
fn edges_cross(
    [from_a, to_a]: [Vec3; 2],
    [from_b, to_b]: [Vec3; 2],
    normal: Vec3,
    tolerance: f32,
) -> bool {
    let [from_a, to_a, from_b, to_b] = [from_a, to_a, from_b, to_b].map(DVec3::from);
    let segments = SegmentPair {
        half_extent_a: (to_a - from_a) * 0.5,
        half_extent_b: (to_b - from_b) * 0.5,
        a_to_b: (from_b + to_b) * 0.5 - (from_a + to_a) * 0.5,
    };
    let offset = segments.vector_between(segments.closest_params());
    offset.cross(DVec3::from(normal)).length() <= f64::from(tolerance)
}

/// Vertex of minimum projection on a direction, and the projection.
fn min_projection(vertices: &[Vec3; 3], direction: Vec3) -> (u32, f32) {
    let along = vertices.map(|vertex| vertex.dot(direction));
    let best = usize::from(along[1] < along[0]);
    let best = if along[2] < along[best] { 2 } else { best };
    (best as u32, along[best])
}

/// Normal of a half-space in the frame of a triangle, and the height of the triangle's centroid
/// above its boundary plane.
fn half_space_plane(plane: &HalfSpace, context: &TriangleContext<'_>) -> (Vec3, f32) {
    let normal = context.body_in_triangle.basis * plane.normal();
    (normal, -normal.dot(context.body_in_triangle.translation))
}

/// Manifold of the triangle's vertices below the boundary plane of a half-space A.
pub(crate) fn half_space_contact(
    plane: &HalfSpace,
    frame_a: &RigidTransform,
    context: &TriangleContext<'_>,
    margin: f32,
) -> Option<Manifold> {
    let (normal, center_height) = half_space_plane(plane, context);
    let world_normal = frame_a.basis * plane.normal();
    let mut manifold = Manifold::with_normal(world_normal);
    for index in 0..3 {
        let vertex = context.triangle.vertex(index);
        let height = center_height + normal.dot(vertex);
        if height <= margin {
            manifold.push(ContactPoint {
                position: context.frame.transform_point(vertex) - world_normal * (0.5 * height),
                penetration: -height,
                feature_id: pack_features(FeatureId::face(0), FeatureId::vertex(index)),
            });
        }
    }
    (!manifold.points().is_empty()).then_some(manifold)
}

/// Closest features of a half-space A and the lowest vertex of a triangle; `None` if it is higher
/// than `max_distance`.
pub(crate) fn closest_features_half_space(
    plane: &HalfSpace,
    frame_a: &RigidTransform,
    context: &TriangleContext<'_>,
    max_distance: f32,
) -> Option<ClosestFeatures> {
    let (normal, center_height) = half_space_plane(plane, context);
    let (index, vertex) = context.triangle.support_vertex(-normal);
    let height = center_height + normal.dot(vertex);
    (height <= max_distance).then(|| {
        let (world_normal, point) =
            (frame_a.basis * plane.normal(), context.frame.transform_point(vertex));
        ClosestFeatures {
            normal: world_normal,
            distance: height,
            points: [point - world_normal * height, point],
            features: [FeatureId::face(0), FeatureId::vertex(index)],
        }
    })
}
