//! Contact axis: from a SAT axis or a GJK result to witness points and a clipped manifold.

use embate_geom::{DVec3, Vec3};

use crate::narrow_phase::closest_points::ClosestFeatures;
use crate::narrow_phase::convex::clip;
use crate::narrow_phase::convex::clip::clip_polygon;
use crate::narrow_phase::convex::clip::projection::{self, ClipInput};
use crate::narrow_phase::convex::convex_convex::ConvexPair;
use crate::narrow_phase::convex::gjk::GjkClosestPoints;
use crate::narrow_phase::convex::polyhedron::PolyhedralShape;
use crate::narrow_phase::convex::sat::{SatAxis, SatFeatures};
use crate::narrow_phase::convex::simplex::Simplex;
use crate::narrow_phase::convex::witness;
use crate::narrow_phase::feature_id::FeatureId;
use crate::narrow_phase::manifold::Manifold;
use crate::narrow_phase::pairs::segment_segment::SegmentPair;

/// Tolerance of clipping, as a ratio of the smaller shape's size: the deepest clipped point may be
/// less deep than the axis by this. If two faces are nearly parallel, the deepest vertex may lie
/// outside their intersection.
pub(crate) const CLIP_DEPTH_TOLERANCE: f32 = 3e-5;

/// Lateral distance, as a ratio of the smaller shape's size, within which two pairs of closest
/// points are the same.
const SNAP_TOLERANCE: f32 = 1e-5;

/// Contact of two polyhedra before the number of points is known, in A's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactAxis {
    /// Unit normal from A to B.
    pub(crate) normal: Vec3,
    /// Signed distance of the surfaces; negative inside.
    pub(crate) distance: f32,
    /// The faces of A and B to be clipped.
    pub(crate) faces: [u32; 2],
    /// The features that contain the witness points.
    pub(crate) witness: WitnessFeature,
    /// The face whose normal this is, if any.
    pub(crate) reference: ReferenceFace,
}

/// Location of the witness points.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WitnessFeature {
    /// Midpoint between two features.
    Midpoint(Vec3, [FeatureId; 2]),
    /// A vertex of A, if it lies over the face of B.
    VertexOfA(u32),
    /// A vertex of B, if it lies over the face of A.
    VertexOfB(u32),
    /// An edge of each, if they cross.
    Edges(u32, u32),
}

/// The shape whose face defines the normal: the reference face of clipping.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReferenceFace {
    A,
    B,
    Neither,
}

impl<A: PolyhedralShape, B: PolyhedralShape> ConvexPair<'_, A, B> {
    /// Contact axis from a GJK result. If a face normal explains the same closest points, that
    /// exact normal is used.
    pub(crate) fn contact_axis_from_closest_points(
        &self,
        closest: &GjkClosestPoints,
    ) -> ContactAxis {
        let normal = closest.normal();
        let normal_in_b = self.b_in_a.basis.transpose_mul_vec3(normal);
        let dominant =
            closest.simplex.vertices().iter().fold(&closest.simplex.vertices[0], |best, vertex| {
                if vertex.weight > best.weight { vertex } else { best }
            });
        let [vertex_a, vertex_b] = dominant.indices;
        let faces = [
            self.a.shape.most_aligned_face(vertex_a, normal),
            self.b.shape.most_aligned_face(vertex_b, -normal_in_b),
        ];
        let on_a = closest.on_a.as_vec3();
        let tolerance = self.tolerance(SNAP_TOLERANCE);
        for (reference, face) in [(ReferenceFace::A, faces[0]), (ReferenceFace::B, faces[1])] {
            if let Some((exact, distance, features)) = self.snap_to_face(reference, face, normal) {
                // The same closest points up to rounding: the face provides the exact normal.
                let lateral = exact * distance - closest.a_to_b.as_vec3();
                if lateral.length_squared() <= tolerance * tolerance {
                    // Along the face, rounding may have reduced the distance to zero.
                    let distance = if distance > 0.0 { distance } else { closest.distance as f32 };
                    let witness =
                        WitnessFeature::Midpoint(on_a + exact * (0.5 * distance), features);
                    return ContactAxis { normal: exact, distance, faces, witness, reference };
                }
            }
        }
        let features = self.simplex_features(&closest.simplex, normal);
        ContactAxis {
            normal,
            distance: closest.distance as f32,
            faces,
            witness: WitnessFeature::Midpoint(
                (closest.on_a + closest.a_to_b * 0.5).as_vec3(),
                features,
            ),
            reference: ReferenceFace::Neither,
        }
    }

    /// Normal, distance and features along the normal of a face that nearly equals `normal`.
    fn snap_to_face(
        &self,
        reference: ReferenceFace,
        face: u32,
        normal: Vec3,
    ) -> Option<(Vec3, f32, [FeatureId; 2])> {
        // Beyond this cosine the closest points cannot be the same.
        const MIN_COSINE: f32 = 0.999_99;
        let (exact, offset) = match reference {
            ReferenceFace::A => self.a.shape.plane(face),
            _ => self.b.shape.plane(face),
        };
        let normal_in_a =
            if reference == ReferenceFace::A { exact } else { -(self.b_in_a.basis * exact) };
        if normal_in_a.dot(normal) < MIN_COSINE {
            return None;
        }
        Some(if reference == ReferenceFace::A {
            let (vertex, point) =
                self.b.shape.support_vertex(-self.b_in_a.basis.transpose_mul_vec3(exact));
            let distance = exact.dot(self.b_in_a.transform_point(point)) - offset;
            (normal_in_a, distance, [FeatureId::face(face), FeatureId::vertex(vertex)])
        } else {
            let (vertex, point) = self.a.shape.support_vertex(normal_in_a);
            let distance = exact.dot(self.a_in_b.transform_point(point)) - offset;
            (normal_in_a, distance, [FeatureId::vertex(vertex), FeatureId::face(face)])
        })
    }

    /// Contact axis from the SAT axis of minimum penetration.
    #[inline]
    pub(crate) fn contact_axis_from_sat(&self, axis: &SatAxis) -> ContactAxis {
        let (a, b) = (self.a.shape, self.b.shape);
        let direction_in_b = -self.b_in_a.basis.transpose_mul_vec3(axis.normal);
        let (faces, witness, reference) = match axis.features {
            SatFeatures::FaceOfA(face, vertex) => (
                [face, b.most_aligned_face(vertex, direction_in_b)],
                WitnessFeature::VertexOfB(vertex),
                ReferenceFace::A,
            ),
            SatFeatures::FaceOfB(face, vertex) => (
                [a.most_aligned_face(vertex, axis.normal), face],
                WitnessFeature::VertexOfA(vertex),
                ReferenceFace::B,
            ),
            SatFeatures::Edges(edge_a, edge_b) => {
                let face_a =
                    max_by_measure(a.edge(edge_a).1, |face| a.plane(face).0.dot(axis.normal));
                let face_b =
                    max_by_measure(b.edge(edge_b).1, |face| b.plane(face).0.dot(direction_in_b));
                ([face_a, face_b], WitnessFeature::Edges(edge_a, edge_b), ReferenceFace::Neither)
            }
        };
        ContactAxis { normal: axis.normal, distance: axis.separation, faces, witness, reference }
    }

    /// All points of the manifold.
    #[inline]
    pub(crate) fn manifold(&self, contact_axis: &ContactAxis, margin: f32) -> Manifold {
        let clipped = self.clip_faces(contact_axis, margin);
        if self.contains_deepest(&clipped, contact_axis) {
            return clipped;
        }
        let closest = self.witness_features(contact_axis);
        let [face_a, face_b] = contact_axis.faces;
        let max_vertices =
            self.a.shape.face_vertices(face_a).len().max(self.b.shape.face_vertices(face_b).len());
        // Faces with more vertices than the limit were subsampled, and the deepest vertex was
        // skipped.
        if max_vertices > clip_polygon::MAX_CLIP_VERTICES && !clipped.points().is_empty() {
            return clipped.with_point(closest.contact_point());
        }
        closest.manifold()
    }

    /// All points of the manifold, if the clipped faces contain the deepest point. Two vertices
    /// that face each other may lie outside both faces.
    #[inline]
    pub(crate) fn face_manifold(
        &self,
        contact_axis: &ContactAxis,
        margin: f32,
    ) -> Option<Manifold> {
        let manifold = self.clip_faces(contact_axis, margin);
        self.contains_deepest(&manifold, contact_axis).then_some(manifold)
    }

    #[inline]
    fn contains_deepest(&self, manifold: &Manifold, contact_axis: &ContactAxis) -> bool {
        !manifold.points().is_empty()
            && manifold.max_penetration()
                >= -contact_axis.distance - self.tolerance(CLIP_DEPTH_TOLERANCE)
    }

    /// Clips the incident face against the reference face.
    #[inline]
    fn clip_faces(&self, contact_axis: &ContactAxis, margin: f32) -> Manifold {
        let normal_in_b = self.b_in_a.basis.transpose_mul_vec3(contact_axis.normal);
        let a_is_reference = match contact_axis.reference {
            ReferenceFace::A => true,
            ReferenceFace::B => false,
            ReferenceFace::Neither => {
                let along_a = self.a.shape.plane(contact_axis.faces[0]).0.dot(contact_axis.normal);
                let along_b = self.b.shape.plane(contact_axis.faces[1]).0.dot(normal_in_b);
                along_a >= -along_b
            }
        };
        let [face_a, face_b] = contact_axis.faces;
        let tolerance = self.tolerance(projection::CLIP_TOLERANCE);
        let min_separation = contact_axis.distance - self.tolerance(CLIP_DEPTH_TOLERANCE);
        if a_is_reference {
            let normal = contact_axis.normal;
            let input = ClipInput {
                normal,
                reference: face_a,
                incident: face_b,
                margin,
                min_separation,
                tolerance,
            };
            clip::manifold(&self.a, &self.b, &self.b_in_a, &input)
        } else {
            let normal = if contact_axis.reference == ReferenceFace::B {
                self.b.shape.plane(face_b).0
            } else {
                -normal_in_b
            };
            let input = ClipInput {
                normal,
                reference: face_b,
                incident: face_a,
                margin,
                min_separation,
                tolerance,
            };
            clip::manifold(&self.b, &self.a, &self.a_in_b, &input).flipped()
        }
    }

    /// The witness points alone, in world space.
    pub(crate) fn witness_features(&self, contact_axis: &ContactAxis) -> ClosestFeatures {
        let half = contact_axis.normal * (0.5 * contact_axis.distance);
        let (midpoint, features) = self.witness(contact_axis);
        ClosestFeatures {
            normal: self.a.frame.basis * contact_axis.normal,
            distance: contact_axis.distance,
            points: [
                self.a.frame.transform_point(midpoint - half),
                self.a.frame.transform_point(midpoint + half),
            ],
            features,
        }
    }

    /// Midpoint between the witness points, and their features.
    fn witness(&self, contact_axis: &ContactAxis) -> (Vec3, [FeatureId; 2]) {
        let (a, b) = (self.a.shape, self.b.shape);
        let [face_a, face_b] = contact_axis.faces;
        let half = contact_axis.normal * (0.5 * contact_axis.distance);
        let known = match contact_axis.witness {
            WitnessFeature::Midpoint(midpoint, features) => Some((midpoint, features)),
            WitnessFeature::VertexOfA(vertex) => {
                let point = a.vertex(vertex);
                let is_over = b.is_over_face(face_b, self.a_in_b.transform_point(point));
                is_over
                    .then(|| (point + half, [FeatureId::vertex(vertex), FeatureId::face(face_b)]))
            }
            WitnessFeature::VertexOfB(vertex) => {
                let point = self.b_in_a.transform_point(b.vertex(vertex));
                let is_over = a.is_over_face(face_a, point);
                is_over
                    .then(|| (point - half, [FeatureId::face(face_a), FeatureId::vertex(vertex)]))
            }
            WitnessFeature::Edges(edge_a, edge_b) => {
                self.edge_crossing(edge_a, edge_b, contact_axis)
            }
        };
        known.unwrap_or_else(|| self.witness_after_separation(contact_axis))
    }

    /// Witness points after separation along the normal.
    fn witness_after_separation(&self, contact_axis: &ContactAxis) -> (Vec3, [FeatureId; 2]) {
        let (normal, distance) = (contact_axis.normal, contact_axis.distance);
        let (a, b) = (self.a.shape, self.b.shape);
        let gap = self.tolerance(witness::SEPARATION_EPSILON);
        let witness = witness::witness_after_separation(
            a,
            b,
            &self.b_in_a,
            normal,
            distance,
            gap,
            self.scale,
        );
        if let Some(witness::Witness { midpoint, simplex }) = witness {
            return (midpoint, self.simplex_features(&simplex, normal));
        }
        let vertex = self.support_vertex_of_a(normal);
        let features = [FeatureId::vertex(vertex), FeatureId::face(contact_axis.faces[1])];
        (a.vertex(vertex) + normal * (0.5 * distance), features)
    }

    /// The features that contain the vertices of a simplex.
    fn simplex_features(&self, simplex: &Simplex, normal: Vec3) -> [FeatureId; 2] {
        let direction_in_b = -self.b_in_a.basis.transpose_mul_vec3(normal);
        [
            witness::simplex_feature(self.a.shape, simplex, 0, normal),
            witness::simplex_feature(self.b.shape, simplex, 1, direction_in_b),
        ]
    }

    /// Midpoint between two crossing edges; `None` if they do not cross. Of several parallel edges
    /// the ones found may lie beside each other.
    fn edge_crossing(
        &self,
        edge_a: u32,
        edge_b: u32,
        contact_axis: &ContactAxis,
    ) -> Option<(Vec3, [FeatureId; 2])> {
        let (a, b) = (self.a.shape, self.b.shape);
        let ((vertices_a, _), (vertices_b, _)) = (a.edge(edge_a), b.edge(edge_b));
        let [from_a, to_a] = vertices_a.map(|vertex| DVec3::from(a.vertex(vertex)));
        let [from_b, to_b] =
            vertices_b.map(|vertex| DVec3::from_transformed(b.vertex(vertex), &self.b_in_a));
        let center_a = (from_a + to_a) * 0.5;
        let segments = SegmentPair {
            half_extent_a: (to_a - from_a) * 0.5,
            half_extent_b: (to_b - from_b) * 0.5,
            a_to_b: (from_b + to_b) * 0.5 - center_a,
        };
        let params = segments.closest_params();
        let a_to_b = segments.vector_between(params);
        let lateral = a_to_b.cross(DVec3::from(contact_axis.normal)).length();
        (lateral <= f64::from(self.tolerance(SNAP_TOLERANCE))).then(|| {
            let midpoint =
                (center_a + segments.half_extent_a * params.on_a + a_to_b * 0.5).as_vec3();
            (midpoint, [FeatureId::edge(edge_a), FeatureId::edge(edge_b)])
        })
    }
}

/// The face with the larger measure; the first of equal ones.
#[inline]
fn max_by_measure([first, second]: [u32; 2], measure: impl Fn(u32) -> f32) -> u32 {
    if measure(first) >= measure(second) { first } else { second }
}
