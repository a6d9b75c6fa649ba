//! Capsule–hull: the capsule's segment against the planes of the hull, then, where no plane
//! decides, against its edges; separated, GJK.

use embate_geom::{
    DVec3, Mat3, Pose, RigidTransform, Vec3, scalar,
    shapes::{Capsule, ConvexHull},
};

use crate::narrow_phase::closest_points::ClosestFeatures;
use crate::narrow_phase::convex::gjk::{self, GjkClosestPoints, GjkResult};
use crate::narrow_phase::convex::polyhedron::PolyhedralShape;
use crate::narrow_phase::convex::sat::FACE_PREFERENCE;
use crate::narrow_phase::convex::simplex::Simplex;
use crate::narrow_phase::convex::support::SegmentSupport;
use crate::narrow_phase::convex::witness;
use crate::narrow_phase::feature_id::{FeatureId, pack_features};
use crate::narrow_phase::manifold::{ContactPoint, Manifold};
use crate::narrow_phase::pairs::segment_segment::{self, SegmentPair, SegmentParams};
use crate::narrow_phase::posed::Posed;

/// Rise of the segment over a face, as a ratio of the smaller shape's size, below which it lies
/// along the face.
const ALONG_FACE_RISE: f32 = 2e-5;

/// The segment in the frame of the hull: its center, and the vector from there to its upper end.
struct SegmentVsHull<'a> {
    hull: &'a ConvexHull,
    center: Vec3,
    half_segment: Vec3,
    /// Size of the smaller shape, and of the largest coordinate.
    smaller_size: f32,
    scale: f32,
}

/// The axis of minimum penetration or the closest points; the normal points out of the hull.
#[derive(Clone, Copy)]
struct SegmentHullAxis {
    normal: Vec3,
    distance: f32,
    /// Parameter on the segment; −1 is its lower end, 1 its upper.
    param: f32,
    feature: HullFeature,
}

/// The closest feature of the hull.
#[derive(Clone, Copy, PartialEq)]
enum HullFeature {
    Face(u32),
    Edge(u32),
    Vertex(u32),
}

impl HullFeature {
    fn id(self) -> FeatureId {
        match self {
            Self::Face(face) => FeatureId::face(face),
            Self::Edge(edge) => FeatureId::edge(edge),
            Self::Vertex(vertex) => FeatureId::vertex(vertex),
        }
    }
}

impl<'a> SegmentVsHull<'a> {
    fn new(a: Posed<'_, Capsule>, b: Posed<'a, ConvexHull>) -> Self {
        let segment_frame = b.pose.inv_mul(a.pose);
        let half_segment = segment_frame.basis.columns[1] * a.shape.half_height();
        let scale = b.shape.max_abs_coordinate()
            + segment_frame.translation.abs().max_element()
            + a.shape.half_height();
        let smaller_size = scalar::min(b.shape.size(), a.shape.half_height() + a.shape.radius());
        Self { hull: b.shape, center: segment_frame.translation, half_segment, smaller_size, scale }
    }

    fn tolerance(&self, ratio: f32) -> f32 {
        gjk::tolerance(ratio, self.smaller_size, self.scale)
    }

    fn point_at(&self, param: f32) -> Vec3 {
        self.center + self.half_segment * param
    }

    /// `None` if the segment is farther away than `max_distance`.
    fn axis(&self, max_distance: f32) -> Option<SegmentHullAxis> {
        let of_face = self.query_faces();
        if of_face.distance > max_distance {
            return None;
        }
        if of_face.distance > 0.0 {
            if self.is_over_face(&of_face) {
                return Some(of_face);
            }
            let separated = self.run_gjk(max_distance, of_face)?;
            // A distance within rounding has no direction; the separating face has one.
            let is_touching = separated.distance <= self.tolerance(0.0);
            return Some(if is_touching { self.with_witness_param(of_face) } else { separated });
        }
        let best = self.query_edges(of_face);
        // A penetration this small may be outside the tip of a needle, along an axis that a face
        // was preferred to.
        if best.distance > -2.0 * self.tolerance(FACE_PREFERENCE) {
            let separated = self.run_gjk(max_distance, best);
            // And a distance this small has no direction.
            if separated.is_none_or(|separated| separated.distance > self.tolerance(0.0)) {
                return separated;
            }
        }
        Some(if best.feature == of_face.feature && !self.is_over_face(&best) {
            self.with_witness_param(best)
        } else {
            best
        })
    }

    /// The same axis with the parameter of the witness point: the deepest point behind a face may
    /// lie beside it.
    fn with_witness_param(&self, axis: SegmentHullAxis) -> SegmentHullAxis {
        let (segment_in_hull, segment) =
            (self.segment_in_hull(), SegmentSupport(self.half_segment));
        let witness = witness::witness_after_separation(
            self.hull,
            &segment,
            &segment_in_hull,
            axis.normal,
            axis.distance,
            self.tolerance(witness::SEPARATION_EPSILON),
            self.scale,
        );
        witness.map_or(axis, |witness| SegmentHullAxis {
            param: segment_param(&witness.simplex),
            ..axis
        })
    }

    /// Pose of the segment in the hull's frame.
    fn segment_in_hull(&self) -> RigidTransform {
        RigidTransform { basis: Mat3::IDENTITY, translation: self.center }
    }

    fn query_faces(&self) -> SegmentHullAxis {
        let (face, distance) =
            self.hull.max_separation_face_of_segment(self.center, self.half_segment);
        let rise = self.hull.plane(face).0.dot(self.half_segment);
        // The lower end; of a segment nearly along the face, the end of the interval over it.
        let param = if rise.abs() <= self.tolerance(ALONG_FACE_RISE) {
            let [first, last] = self.params_over_face(face, self.hull.plane(face).0);
            if first > last || rise == 0.0 {
                0.5 * (clamp_param(first) + clamp_param(last))
            } else if rise > 0.0 {
                first
            } else {
                last
            }
        } else if rise > 0.0 {
            -1.0
        } else {
            1.0
        };
        SegmentHullAxis {
            normal: self.hull.plane(face).0,
            distance,
            param,
            feature: HullFeature::Face(face),
        }
    }

    /// Whether the closest point lies over the face that defines the axis.
    fn is_over_face(&self, axis: &SegmentHullAxis) -> bool {
        let HullFeature::Face(face) = axis.feature else { return false };
        let [first, last] = self.params_over_face(face, axis.normal);
        first <= axis.param && axis.param <= last
    }

    /// Parameters of the interval over a face, projected along a normal equal or close to its own;
    /// first > last if there is none.
    fn params_over_face(&self, face: u32, normal: Vec3) -> [f32; 2] {
        let vertices = PolyhedralShape::face_vertices(self.hull, face);
        let (mut first, mut last) = (-1.0_f32, 1.0_f32);
        let mut from = self.hull.vertex(vertices[vertices.len() - 1]);
        for &vertex in vertices {
            let to = self.hull.vertex(vertex);
            let inward = normal.cross(to - from);
            let (inside, rise) = (inward.dot(self.center - from), inward.dot(self.half_segment));
            if rise > 0.0 {
                let entry = -inside / rise;
                first = if entry > first { entry } else { first };
            } else if rise < 0.0 {
                let exit = -inside / rise;
                last = if exit < last { exit } else { last };
            } else if inside < 0.0 {
                return [1.0, -1.0];
            }
            from = to;
        }
        [first, last]
    }

    /// The edge whose cross product with the segment separates more than `best`, or `best`.
    fn query_edges(&self, best: SegmentHullAxis) -> SegmentHullAxis {
        /// sin² of the angle below which an edge counts as parallel to the segment.
        const PARALLEL_HULL_EDGE_SIN_SQUARED: f64 = 1e-13;
        let mut best = best;
        let mut threshold = best.distance + self.tolerance(FACE_PREFERENCE);
        let half_segment = DVec3::from(self.half_segment);
        for (index, edge) in (0..).zip(self.hull.edges()) {
            let [first, second] = edge.faces.map(|face| self.hull.plane(face).0);
            if first.dot(self.half_segment) * second.dot(self.half_segment) >= 0.0 {
                continue;
            }
            let [from, to] = edge.vertices.map(|vertex| self.hull.vertex(vertex));
            let direction = DVec3::from(to - from);
            let product = direction.cross(half_segment);
            let product_squared = product.length_squared();
            if product_squared
                <= PARALLEL_HULL_EDGE_SIN_SQUARED
                    * direction.length_squared()
                    * half_segment.length_squared()
            {
                continue;
            }
            let mut normal = (product * (1.0 / product_squared.sqrt())).as_vec3();
            if normal.dot(first + second) < 0.0 {
                normal = -normal;
            }
            if normal.dot(self.center - from) <= threshold {
                continue;
            }
            // The support point decides.
            let distance = normal.dot(self.center - self.hull.support_point(normal));
            if distance > threshold {
                threshold = distance;
                best = SegmentHullAxis {
                    normal,
                    distance,
                    param: 0.0,
                    feature: HullFeature::Edge(index),
                };
            }
        }
        if let HullFeature::Edge(edge) = best.feature {
            best.param = self.edge_and_segment(edge).closest_params().on_b as f32;
        }
        best
    }

    /// An edge of the hull, and the segment.
    fn edge_and_segment(&self, edge: u32) -> SegmentPair {
        let [from, to] = self.hull.edge(edge).0.map(|vertex| DVec3::from(self.hull.vertex(vertex)));
        SegmentPair {
            half_extent_a: (to - from) * 0.5,
            half_extent_b: DVec3::from(self.half_segment),
            a_to_b: DVec3::from(self.center) - (from + to) * 0.5,
        }
    }

    /// GJK distance; `touching` if the segment intersects the hull.
    fn run_gjk(&self, max_distance: f32, touching: SegmentHullAxis) -> Option<SegmentHullAxis> {
        let segment = SegmentSupport(self.half_segment);
        let gjk_max_distance = max_distance + self.tolerance(0.0);
        match gjk::distance(
            self.hull,
            &segment,
            &self.segment_in_hull(),
            touching.normal,
            gjk_max_distance,
            self.scale,
        ) {
            GjkResult::OutOfRange => None,
            GjkResult::Overlapping => Some(touching),
            GjkResult::Separated(closest) => Some(self.axis_from_gjk(&closest, &touching)),
        }
    }

    fn axis_from_gjk(
        &self,
        closest: &GjkClosestPoints,
        of_face: &SegmentHullAxis,
    ) -> SegmentHullAxis {
        let param = segment_param(&closest.simplex);
        let normal = closest.normal();
        let feature = self.simplex_feature(&closest.simplex, normal);
        // At least the plane distance: wherever the plane decides whether they touch, it decides
        // alone.
        let distance = scalar::max(closest.distance as f32, of_face.distance);
        // The same closest points up to rounding: the face provides the exact normal.
        let lateral = of_face.normal * of_face.distance - normal * distance;
        if feature == of_face.feature && lateral.length() <= self.tolerance(1e-5) {
            return SegmentHullAxis { param, ..*of_face };
        }
        SegmentHullAxis { normal, distance, param, feature }
    }

    /// The feature of the hull that contains the vertices of a simplex.
    fn simplex_feature(&self, simplex: &Simplex, normal: Vec3) -> HullFeature {
        let first = simplex.vertices[0].indices[0];
        let mut others = simplex.vertices().iter().map(|vertex| vertex.indices[0]);
        let Some(second) = others.find(|&vertex| vertex != first) else {
            return HullFeature::Vertex(first);
        };
        let edge = self.hull.edge_between(first, second);
        match edge.filter(|_| others.all(|vertex| vertex == first || vertex == second)) {
            Some(edge) => HullFeature::Edge(edge),
            None => HullFeature::Face(self.hull.most_aligned_face(first, normal)),
        }
    }

    /// The interval along which the segment touches the hull, if there is one.
    fn contact_interval(&self, axis: &SegmentHullAxis) -> Option<HullInterval> {
        let faces = match axis.feature {
            HullFeature::Face(face) => return self.interval_over_face(face, axis.normal),
            _ if axis.distance <= 0.0 => return None,
            HullFeature::Edge(edge) => {
                if let Some(interval) = self.interval_along_edge(edge, axis) {
                    return Some(interval);
                }
                self.hull.edge(edge).1
            }
            HullFeature::Vertex(vertex) => [self.hull.most_aligned_face(vertex, axis.normal); 2],
        };
        // Closest at the border of a face that it lies along.
        let [first, second] = faces.map(|face| (axis.normal.dot(self.hull.plane(face).0), face));
        let (cosine, face) = if first.0 >= second.0 { first } else { second };
        if cosine >= segment_segment::ALONG_FACE_COSINE {
            self.interval_over_face(face, axis.normal)
        } else {
            None
        }
    }

    /// The interval over a face projected along the normal; distances are along the normal, too.
    fn interval_over_face(&self, face: u32, normal: Vec3) -> Option<HullInterval> {
        let [first, last] = self.params_over_face(face, normal);
        let (face_normal, offset) = self.hull.plane(face);
        let cosine = face_normal.dot(normal);
        let end = |param: f32| HullIntervalEnd {
            param,
            distance: (face_normal.dot(self.point_at(param)) - offset) / cosine,
        };
        // Ends closer than 1/1000 of the segment are one. A face of a needle may point in quite
        // another direction than the axis found with it.
        let is_interval = last - first > 2e-3 && cosine > 0.5;
        is_interval
            .then(|| HullInterval { feature: FeatureId::face(face), ends: [end(first), end(last)] })
    }

    fn interval_along_edge(&self, edge: u32, axis: &SegmentHullAxis) -> Option<HullInterval> {
        let segments = self.edge_and_segment(edge);
        let ends = segments.overlap_interval()?;
        let size = f64::from(self.smaller_size);
        let shares_normal = |&params: &SegmentParams| {
            segment_segment::shares_normal(segments.vector_between(params), axis.normal, 0.0, size)
        };
        ends.iter().all(shares_normal).then(|| HullInterval {
            feature: FeatureId::edge(edge),
            ends: ends.map(|params| HullIntervalEnd {
                param: params.on_b as f32,
                distance: segments.vector_between(params).length() as f32,
            }),
        })
    }
}

/// Interval along which a segment touches a feature of a hull.
struct HullInterval {
    feature: FeatureId,
    ends: [HullIntervalEnd; 2],
}

/// End of a [`HullInterval`].
struct HullIntervalEnd {
    /// Parameter on the segment, −1 to 1.
    param: f32,
    /// Distance of that point from the hull.
    distance: f32,
}

fn closest_features_in_world(
    segment: &SegmentVsHull<'_>,
    axis: &SegmentHullAxis,
    radius: f32,
    pose_b: &Pose,
) -> ClosestFeatures {
    let frame = pose_b.to_rigid_transform();
    let point = segment.point_at(axis.param);
    ClosestFeatures {
        normal: -(frame.basis * axis.normal),
        distance: axis.distance - radius,
        points: [
            frame.transform_point(point - axis.normal * radius),
            frame.transform_point(point - axis.normal * axis.distance),
        ],
        features: [FeatureId::on_segment(f64::from(axis.param)), axis.feature.id()],
    }
}

/// The parameter on the segment of a simplex of hull and segment.
fn segment_param(simplex: &Simplex) -> f32 {
    simplex.vertices().iter().fold(0.0, |param, vertex| {
        param + if vertex.indices[1] == 0 { -vertex.weight } else { vertex.weight }
    }) as f32
}

fn clamp_param(param: f32) -> f32 {
    param.clamp(-1.0, 1.0)
}

/// Closest features; `None` if farther apart than `max_distance`.
pub(crate) fn closest_features(
    a: Posed<'_, Capsule>,
    b: Posed<'_, ConvexHull>,
    max_distance: f32,
) -> Option<ClosestFeatures> {
    let segment = SegmentVsHull::new(a, b);
    let axis = segment.axis(max_distance + a.shape.radius())?;
    let closest = closest_features_in_world(&segment, &axis, a.shape.radius(), b.pose);
    (closest.distance <= max_distance).then_some(closest)
}

/// One or two points: a segment over a face or along an edge touches at both ends of its interval.
pub(crate) fn contact_manifold(
    a: Posed<'_, Capsule>,
    b: Posed<'_, ConvexHull>,
    margin: f32,
) -> Option<Manifold> {
    let segment = SegmentVsHull::new(a, b);
    let axis = segment.axis(margin + a.shape.radius())?;
    let closest = closest_features_in_world(&segment, &axis, a.shape.radius(), b.pose);
    if closest.distance > margin {
        return None;
    }
    let Some(HullInterval { feature: hull_feature, ends }) = segment.contact_interval(&axis) else {
        return Some(closest.manifold());
    };
    let frame = b.pose.to_rigid_transform();
    let mut manifold = Manifold::with_normal(closest.normal);
    for (number, HullIntervalEnd { param, distance }) in ends.into_iter().enumerate() {
        let distance = distance - a.shape.radius();
        if distance <= margin {
            let on_a = segment.point_at(param) - axis.normal * a.shape.radius();
            manifold.push(ContactPoint {
                position: frame.transform_point(on_a - axis.normal * (0.5 * distance)),
                penetration: -distance,
                feature_id: pack_features(
                    FeatureId::interval_end(f64::from(param), number),
                    hull_feature,
                ),
            });
        }
    }
    // The deepest point is an end of the interval, unless the segment is nearly along the face.
    let tolerance = segment.tolerance(4e-5);
    if manifold.points().is_empty() || manifold.max_penetration() < -closest.distance - tolerance {
        return Some(closest.manifold());
    }
    Some(manifold)
}
