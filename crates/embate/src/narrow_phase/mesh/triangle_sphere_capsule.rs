//! Triangle–sphere and triangle–capsule contacts, for one triangle of a mesh.

use embate_geom::{
    DVec3, Mat3, RigidTransform, Vec3, scalar,
    shapes::{Capsule, Sphere},
};

use crate::narrow_phase::closest_points::ClosestFeatures;
use crate::narrow_phase::convex::gjk::{self, GjkResult};
use crate::narrow_phase::convex::polyhedron::PolyhedralShape;
use crate::narrow_phase::convex::simplex::Simplex;
use crate::narrow_phase::convex::support::SegmentSupport;
use crate::narrow_phase::convex::triangle::{BACK_FACE, FRONT_FACE, TrianglePolyhedron};
use crate::narrow_phase::convex::witness;
use crate::narrow_phase::feature_id::{FeatureId, pack_features};
use crate::narrow_phase::manifold::{ContactPoint, Manifold};
use crate::narrow_phase::mesh::TriangleContext;
use crate::narrow_phase::mesh::back_face_validation::TriangleResult;
use crate::narrow_phase::mesh::internal_edges::TriangleFeature;

/// A point projects into a triangle up to this fraction of the coordinates beyond an edge: a bound
/// of the rounding error. A point over a shared edge thus projects into at least one of its
/// triangles.
const PROJECTION_TOLERANCE: f32 = 4.0 * f32::EPSILON;

/// Whether the projection of a point along the normal lies in the triangle.
fn projects_inside(triangle: &TrianglePolyhedron, point: Vec3) -> bool {
    let tolerance = PROJECTION_TOLERANCE * (triangle.bounding_radius() + point.abs().max_element());
    triangle.edge_functions(point).iter().enumerate().all(|(edge, &inside)| {
        let length = (triangle.vertex_mod3(edge + 1) - triangle.vertex_mod3(edge)).length();
        inside >= -tolerance * length
    })
}

/// A point is on an edge if its distance to it is at most this fraction of the triangle's bounding
/// radius.
const EDGE_FEATURE_TOLERANCE: f32 = 2e-5;

/// A point near two edges is at their vertex if it is this close to it: at an angle of 30°, both
/// edges are as close as [`EDGE_FEATURE_TOLERANCE`].
const VERTEX_FEATURE_TOLERANCE: f32 = 4.0 * EDGE_FEATURE_TOLERANCE;

/// The feature of a triangle (face, edge or vertex) that contains a point of it.
fn feature_at(triangle: &TrianglePolyhedron, point: Vec3) -> TriangleFeature {
    let inside = triangle.edge_functions(point);
    let near_edge: [bool; 3] = core::array::from_fn(|edge| {
        let length = (triangle.vertex_mod3(edge + 1) - triangle.vertex_mod3(edge)).length();
        inside[edge] <= EDGE_FEATURE_TOLERANCE * triangle.bounding_radius() * length
    });
    match near_edge {
        [false, false, false] => TriangleFeature::Face,
        [true, false, false] => TriangleFeature::Edge(0),
        [false, true, false] => TriangleFeature::Edge(1),
        [false, false, true] => TriangleFeature::Edge(2),
        _ => {
            // In a sliver, a point far from every vertex may be near two or all three edges.
            let distance_to = |vertex: usize| (point - triangle.vertex_mod3(vertex)).length();
            let vertex =
                (1..3).fold(
                    0,
                    |best, next| if distance_to(next) < distance_to(best) { next } else { best },
                );
            if distance_to(vertex) <= VERTEX_FEATURE_TOLERANCE * triangle.bounding_radius() {
                return TriangleFeature::Vertex(vertex);
            }
            let distance_to_edge = |edge: usize| {
                let length = (triangle.vertex_mod3(edge + 1) - triangle.vertex_mod3(edge)).length();
                if near_edge[edge] { inside[edge] / length } else { f32::INFINITY }
            };
            let closest = usize::from(distance_to_edge(1) < distance_to_edge(0));
            TriangleFeature::Edge(if distance_to_edge(2) < distance_to_edge(closest) {
                2
            } else {
                closest
            })
        }
    }
}

/// A sphere of the body in contact with the triangle: sphere center, normal out of the triangle and
/// closest point of the triangle, all in the frame of the triangle.
struct SphereContact {
    center: Vec3,
    normal: Vec3,
    closest_point: Vec3,
    distance: f32,
    features: [FeatureId; 2],
}

impl SphereContact {
    fn in_world(&self, context: &TriangleContext<'_>, radius: f32) -> ClosestFeatures {
        let on_a = self.center - self.normal * radius;
        ClosestFeatures {
            normal: -(context.frame.basis * self.normal),
            distance: self.distance,
            points: [
                context.frame.transform_point(on_a),
                context.frame.transform_point(self.closest_point),
            ],
            features: self.features,
        }
    }
}

/// Contact of a sphere and a triangle.
pub(crate) fn sphere_contact(
    sphere: Sphere,
    context: &TriangleContext<'_>,
    margin: f32,
) -> TriangleResult {
    let (triangle, center, radius) =
        (&context.triangle, context.body_in_triangle.translation, sphere.radius());
    let face = triangle.face_toward(center);
    let height = triangle.height_above(face, center);
    if height - radius > margin {
        return TriangleResult::None;
    }
    let face_normal = triangle.face_normal(face);
    let face_contact = || {
        projects_inside(triangle, center).then(|| SphereContact {
            center,
            normal: face_normal,
            closest_point: center - face_normal * height,
            distance: height - radius,
            features: [FeatureId::ROUND, FeatureId::face(face)],
        })
    };
    let contact = if context.has_no_active_edge(face) {
        face_contact()
    } else {
        let closest = ClosestToCenter::new(context);
        if closest.separation(radius) > margin {
            return TriangleResult::None;
        }
        let (closest, feature) = closest.contact(context, radius, face);
        match context.voronoi_region_contains(face, feature, closest.normal) {
            Some(true) => Some(closest),
            Some(false) => None,
            None => face_contact(),
        }
    };
    match contact {
        Some(contact) if contact.distance <= margin => {
            TriangleResult::Contact(contact.in_world(context, radius).manifold())
        }
        Some(_) => TriangleResult::None,
        None => TriangleResult::Unknown,
    }
}

/// The point of a triangle closest to the center of a sphere.
struct ClosestToCenter {
    point: DVec3,
    /// From the point to the center.
    offset: DVec3,
    length: f64,
}

impl ClosestToCenter {
    fn new(context: &TriangleContext<'_>) -> Self {
        let point = context.triangle.closest_point(context.body_origin);
        let offset = context.body_origin - point;
        Self { point, offset, length: offset.length() }
    }

    /// Separation of the sphere and the triangle.
    fn separation(&self, radius: f32) -> f32 {
        (self.length - f64::from(radius)) as f32
    }

    /// The contact of the sphere at this point, and the feature of the triangle with the point.
    fn contact(
        &self,
        context: &TriangleContext<'_>,
        radius: f32,
        face: u32,
    ) -> (SphereContact, TriangleFeature) {
        let triangle = &context.triangle;
        let feature = feature_at(triangle, self.point.as_vec3());
        // An offset below the rounding error of its ends has no direction. Over the face, the face
        // normal is more accurate.
        let min_length =
            1e-12 * (f64::from(triangle.max_abs_coordinate()) + context.body_origin.length());
        let normal = if self.length > min_length && feature != TriangleFeature::Face {
            (self.offset * (1.0 / self.length)).as_vec3()
        } else {
            triangle.face_normal(face)
        };
        let contact = SphereContact {
            center: context.body_in_triangle.translation,
            normal,
            closest_point: self.point.as_vec3(),
            distance: self.separation(radius),
            features: [FeatureId::ROUND, feature.feature_id(face)],
        };
        (contact, feature)
    }
}

/// Closest features of a sphere and a triangle; `None` if they are farther apart than
/// `max_distance`.
pub(crate) fn closest_features_sphere(
    sphere: Sphere,
    context: &TriangleContext<'_>,
    max_distance: f32,
) -> Option<ClosestFeatures> {
    let radius = sphere.radius();
    let closest = ClosestToCenter::new(context);
    (closest.separation(radius) <= max_distance).then(|| {
        let face = context.triangle.face_toward(context.body_in_triangle.translation);
        closest.contact(context, radius, face).0.in_world(context, radius)
    })
}

/// The segment of a capsule in the frame of a triangle.
struct SegmentVsTriangle<'a> {
    triangle: &'a TrianglePolyhedron,
    center: Vec3,
    half_segment: Vec3,
}

impl<'a> SegmentVsTriangle<'a> {
    fn new(capsule: Capsule, context: &'a TriangleContext<'_>) -> Self {
        let half_segment = context.body_in_triangle.basis.columns[1] * capsule.half_height();
        Self {
            triangle: &context.triangle,
            center: context.body_in_triangle.translation,
            half_segment,
        }
    }

    fn point_at(&self, parameter: f32) -> Vec3 {
        self.center + self.half_segment * parameter
    }

    fn distance(&self, max_distance: f32) -> GjkResult {
        let segment_in_triangle =
            RigidTransform { basis: Mat3::IDENTITY, translation: self.center };
        let start = if self.center == Vec3::ZERO { self.triangle.normal } else { self.center };
        // The final distance is compared with the limit, so the search must not end earlier by
        // rounding of `margin + radius`.
        let search_distance = max_distance + gjk::SUPPORT_ROUNDING * self.scale();
        gjk::distance(
            self.triangle,
            &SegmentSupport(self.half_segment),
            &segment_in_triangle,
            start,
            search_distance,
            self.scale(),
        )
    }

    /// Parameter (−1 to 1) of the closest point on the segment.
    fn segment_parameter(simplex: &Simplex) -> f32 {
        simplex.vertices().iter().fold(0.0, |parameter, corner| {
            parameter + if corner.indices[1] == 0 { -corner.weight } else { corner.weight }
        }) as f32
    }

    /// Interval of the segment, in parameters from −1 to 1, that projects into the triangle; `None`
    /// if empty.
    fn interval_over_triangle(&self) -> Option<[f32; 2]> {
        let (inside_start, inside_end) = (
            self.triangle.edge_functions(self.point_at(-1.0)),
            self.triangle.edge_functions(self.point_at(1.0)),
        );
        let tolerance = PROJECTION_TOLERANCE * self.scale();
        let (mut first, mut last) = (-1.0_f32, 1.0_f32);
        for edge in 0..3 {
            let length =
                (self.triangle.vertex_mod3(edge + 1) - self.triangle.vertex_mod3(edge)).length();
            let (inside_start, inside_end) =
                (inside_start[edge] + tolerance * length, inside_end[edge] + tolerance * length);
            if inside_start < 0.0 && inside_end < 0.0 {
                return None;
            }
            let parameter = 1.0 - 2.0 * (inside_end / (inside_end - inside_start));
            if inside_start < 0.0 && parameter > first {
                first = parameter;
            } else if inside_end < 0.0 && parameter < last {
                last = parameter;
            }
        }
        (first <= last).then_some([first, last])
    }

    /// Contact at one point of the segment along a normal.
    fn contact_at(
        &self,
        parameter: f32,
        normal: Vec3,
        closest_point: Vec3,
        distance: f32,
        triangle_feature: FeatureId,
    ) -> SphereContact {
        let features = [FeatureId::on_segment(parameter.into()), triangle_feature];
        SphereContact {
            center: self.point_at(parameter),
            normal,
            closest_point,
            distance,
            features,
        }
    }

    /// Deepest contact of a segment that passes through the triangle.
    fn penetrating_contact(&self, radius: f32) -> SphereContact {
        let (normal, distance) = self.min_penetration_axis();
        let face = if normal.dot(self.triangle.normal) >= 0.0 { FRONT_FACE } else { BACK_FACE };
        let segment_in_triangle =
            RigidTransform { basis: Mat3::IDENTITY, translation: self.center };
        let (segment, scale) = (SegmentSupport(self.half_segment), self.scale());
        let smaller = scalar::min(self.half_segment.length(), self.triangle.max_abs_coordinate());
        let gap = gjk::tolerance(witness::SEPARATION_EPSILON, smaller, scale);
        let witness = witness::witness_after_separation(
            self.triangle,
            &segment,
            &segment_in_triangle,
            normal,
            distance,
            gap,
            scale,
        );
        let (midpoint, parameter) = match &witness {
            Some(witness) => (witness.midpoint, Self::segment_parameter(&witness.simplex)),
            None => (self.center - normal * (0.5 * distance), 0.0),
        };
        let half = normal * (0.5 * distance);
        let triangle_feature = feature_at(self.triangle, midpoint - half).feature_id(face);
        SphereContact {
            center: midpoint + half,
            normal,
            closest_point: midpoint - half,
            distance: distance - radius,
            features: [FeatureId::on_segment(parameter.into()), triangle_feature],
        }
    }

    /// Distances closer than this are equal: a fraction of the size of the smaller shape, plus the
    /// rounding error.
    fn tolerance(&self, radius: f32) -> f32 {
        let size = self.half_segment.length() + radius;
        gjk::tolerance(1e-5, scalar::min(size, self.triangle.max_abs_coordinate()), self.scale())
    }

    fn scale(&self) -> f32 {
        self.triangle.max_abs_coordinate()
            + self.center.abs().max_element()
            + self.half_segment.abs().max_element()
    }

    /// Axis of minimum penetration of a segment through the triangle (separating axis test), and
    /// the separation along it, below 0.
    fn min_penetration_axis(&self) -> (Vec3, f32) {
        let vertices = [0, 1, 2].map(|index| DVec3::from(self.triangle.vertex_mod3(index)));
        let (center, half_segment) = (DVec3::from(self.center), DVec3::from(self.half_segment));
        let face_normal = DVec3::from(self.triangle.normal);
        let mut best = (f64::NEG_INFINITY, face_normal);
        let mut test_axis = |axis: DVec3| {
            let max_projection =
                vertices.iter().fold(f64::NEG_INFINITY, |max_projection, &vertex| {
                    max_projection.max(axis.dot(vertex))
                });
            let separation = axis.dot(center) - axis.dot(half_segment).abs() - max_projection;
            if separation > best.0 {
                best = (separation, axis);
            }
        };
        test_axis(face_normal);
        test_axis(-face_normal);
        for edge in 0..3 {
            let edge_vector = vertices[(edge + 1) % 3] - vertices[edge];
            for axis in [edge_vector.cross(face_normal), edge_vector.cross(half_segment)] {
                let length = axis.length();
                if length > 1e-9 * edge_vector.length() * half_segment.length().max(1e-9) {
                    test_axis(axis * (1.0 / length));
                    test_axis(axis * (-1.0 / length));
                }
            }
        }
        (best.1.as_vec3(), best.0 as f32)
    }
}

/// Contact of a capsule and a triangle, one or two points: over the face, both ends of the interval
/// that projects into the triangle.
pub(crate) fn capsule_contact(
    capsule: Capsule,
    context: &TriangleContext<'_>,
    margin: f32,
) -> TriangleResult {
    let (triangle, radius) = (&context.triangle, capsule.radius());
    let segment = SegmentVsTriangle::new(capsule, context);
    let face = triangle.face_toward(segment.center);
    let end_heights =
        [-1.0, 1.0].map(|parameter| triangle.height_above(face, segment.point_at(parameter)));
    let min_height = if end_heights[0] < end_heights[1] { end_heights[0] } else { end_heights[1] };
    if min_height - radius > margin {
        return TriangleResult::None;
    }
    let face_contact = || face_contact(&segment, context, face, radius, margin);
    // A part of the segment is no farther behind the face than the radius.
    let is_within_radius = |manifold: &Manifold| {
        manifold.points().iter().any(|point| point.penetration <= 2.0 * radius)
    };
    let classify = |manifold: Option<Manifold>, is_verified: bool| match manifold {
        None => TriangleResult::Unknown,
        Some(manifold) if is_verified || is_within_radius(&manifold) => {
            TriangleResult::Contact(manifold)
        }
        Some(manifold) => TriangleResult::BackFace(manifold, face),
    };
    if context.has_no_active_edge(face) {
        return classify(face_contact(), false);
    }
    match segment.distance(margin + radius) {
        GjkResult::OutOfRange => TriangleResult::None,
        GjkResult::Overlapping => TriangleResult::Contact(face_contact().unwrap_or_else(|| {
            segment.penetrating_contact(radius).in_world(context, radius).manifold()
        })),
        GjkResult::Separated(separation) => {
            let (normal, closest_point) = (separation.normal(), separation.on_a.as_vec3());
            let feature = feature_at(triangle, closest_point);
            // If the separation along the face normal is as large, that normal is better
            // conditioned, and there may be two contact points.
            let separated_along_face =
                min_height >= separation.distance as f32 - segment.tolerance(radius);
            match context.voronoi_region_contains(face, feature, normal) {
                Some(false) => return TriangleResult::Unknown,
                Some(true) if !separated_along_face => {}
                region => {
                    let manifold = face_contact();
                    let min_penetration =
                        radius - separation.distance as f32 - segment.tolerance(radius);
                    if region.is_none()
                        || manifold.as_ref().is_some_and(|m| m.max_penetration() >= min_penetration)
                    {
                        let depth = manifold.as_ref().map_or(0.0, Manifold::max_penetration);
                        return classify(
                            manifold,
                            depth <= 0.0 || separation.distance <= radius.into(),
                        );
                    }
                }
            }
            let parameter = SegmentVsTriangle::segment_parameter(&separation.simplex);
            let distance = (segment.point_at(parameter) - closest_point).dot(normal) - radius;
            let triangle_feature = feature.feature_id(face);
            let contact =
                segment.contact_at(parameter, normal, closest_point, distance, triangle_feature);
            if distance <= margin {
                TriangleResult::Contact(contact.in_world(context, radius).manifold())
            } else {
                TriangleResult::None
            }
        }
    }
}

/// Clamps a point of the triangle's plane to the triangle: beyond a sharp vertex, the tolerance of
/// [`projects_inside`] is a long distance.
fn clamp_to_triangle(triangle: &TrianglePolyhedron, point: Vec3) -> Vec3 {
    let is_outside = triangle.edge_functions(point).iter().any(|&inside| inside < 0.0);
    if is_outside { triangle.closest_point(DVec3::from(point)).as_vec3() } else { point }
}

fn face_contact(
    segment: &SegmentVsTriangle<'_>,
    context: &TriangleContext<'_>,
    face: u32,
    radius: f32,
    margin: f32,
) -> Option<Manifold> {
    let (triangle, face_normal) = (&context.triangle, context.triangle.face_normal(face));
    let [first, last] = segment.interval_over_triangle()?;
    let height = |parameter: f32| triangle.height_above(face, segment.point_at(parameter));
    let normal = -(context.frame.basis * face_normal);
    let mut manifold = Manifold::with_normal(normal);
    // Ends closer than 1/1000 of the segment are merged into the lower one.
    let lower = if height(first) <= height(last) { first } else { last };
    let ends = if last - first > 2e-3 { [Some(first), Some(last)] } else { [Some(lower), None] };
    for (end_index, parameter) in ends.into_iter().flatten().enumerate() {
        let distance = height(parameter) - radius;
        if distance <= margin {
            let below = segment.point_at(parameter) - face_normal * height(parameter);
            manifold.push(ContactPoint {
                position: context.frame.transform_point(
                    clamp_to_triangle(triangle, below) + face_normal * (0.5 * distance),
                ),
                penetration: -distance,
                feature_id: pack_features(
                    FeatureId::interval_end(parameter.into(), end_index),
                    FeatureId::face(face),
                ),
            });
        }
    }
    (!manifold.points().is_empty()).then_some(manifold)
}

/// Closest features of a capsule and a triangle; `None` if they are farther apart than
/// `max_distance`.
pub(crate) fn closest_features_capsule(
    capsule: Capsule,
    context: &TriangleContext<'_>,
    max_distance: f32,
) -> Option<ClosestFeatures> {
    let (triangle, radius) = (&context.triangle, capsule.radius());
    let segment = SegmentVsTriangle::new(capsule, context);
    let contact = match segment.distance(max_distance + radius) {
        GjkResult::OutOfRange => return None,
        GjkResult::Separated(separation) => {
            let (parameter, normal) =
                (SegmentVsTriangle::segment_parameter(&separation.simplex), separation.normal());
            let closest_point = separation.on_a.as_vec3();
            let face = if normal.dot(triangle.normal) >= 0.0 { FRONT_FACE } else { BACK_FACE };
            let triangle_feature = feature_at(triangle, closest_point).feature_id(face);
            segment.contact_at(
                parameter,
                normal,
                closest_point,
                separation.distance as f32 - radius,
                triangle_feature,
            )
        }
        GjkResult::Overlapping => segment.penetrating_contact(radius),
    };
    (contact.distance <= max_distance).then(|| contact.in_world(context, radius))
}
