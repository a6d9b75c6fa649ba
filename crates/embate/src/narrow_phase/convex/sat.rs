//! Separating axis test (SAT) of two convex polyhedra, with Gauss map culling.
//!
//! The axis of minimum penetration is a face normal of one shape or perpendicular to an edge of
//! each (Gottschalk 1996). A pair of edges counts only if the arcs between its face normals
//! intersect on the Gauss map (Gregorius, "The separating axis test between convex polyhedra",
//! 2013). Testing every face and every pair of edges would dominate the cost of a contact;
//! `sat_culling` reduces them to a handful.
//!
//! Guarantee: a returned separating axis separates. Its separation is measured with the support
//! vertices of both shapes.

use embate_geom::{DVec3, RigidTransform, Vec3};

use crate::narrow_phase::convex::gauss_map_grid::GaussMapGrid;
use crate::narrow_phase::convex::polyhedron::PolyhedralShape;
use crate::narrow_phase::convex::sat_culling::{AxisBound, CandidateEdges, CandidateFaces};

/// Bias towards faces, as a ratio of the smaller shape's size: a face is preferred to an axis with
/// less penetration by at most this. Faces give more points and stable normals. 1/5 of the
/// guaranteed accuracy of penetrations.
pub(crate) const FACE_PREFERENCE: f32 = 2e-5;

/// sin² of the angle below which two edges count as parallel and have no axis of their own: a face
/// is as good within `FACE_PREFERENCE`.
const PARALLEL_EDGE_SIN_SQUARED: f64 = 1e-12;

/// Number of edges of A per pass over the edges of B.
const EDGE_CHUNK: usize = 32;

/// The axis of minimum penetration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SatAxis {
    /// Unit normal from A to B, in A's frame.
    pub(crate) normal: Vec3,
    /// Separation along the axis; negative if the shapes overlap along it.
    pub(crate) separation: f32,
    pub(crate) features: SatFeatures,
}

/// The features that define the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SatFeatures {
    /// A face of A, and the vertex of B deepest behind it.
    FaceOfA(u32, u32),
    /// A face of B, and the vertex of A deepest behind it.
    FaceOfB(u32, u32),
    /// An edge of A and an edge of B.
    Edges(u32, u32),
}

/// Two polyhedra and their relative poses.
pub(crate) struct SatInput<'a, A, B> {
    pub(crate) a: &'a A,
    pub(crate) b: &'a B,
    pub(crate) b_in_a: &'a RigidTransform,
    pub(crate) a_in_b: &'a RigidTransform,
    /// Bias towards faces: [`FACE_PREFERENCE`] as a length.
    pub(crate) face_preference: f32,
}

/// Initial face of each polyhedron: the one with the largest signed distance to the other's center.
pub(crate) struct FaceQuery {
    of_a: FaceQueryResult,
    of_b: FaceQueryResult,
}

impl FaceQuery {
    /// `Err` with the axis if the shapes are farther apart than `max_distance` along one of the two
    /// faces.
    pub(crate) fn new<A: PolyhedralShape, B: PolyhedralShape>(
        input: &SatInput<'_, A, B>,
        max_distance: f32,
    ) -> Result<Self, SatAxis> {
        Self::with_face_of_a(FaceQueryResult::of_a(input), input, max_distance)
    }

    /// [`FaceQuery::new`] with the face of A already known.
    pub(crate) fn with_face_of_a<A: PolyhedralShape, B: PolyhedralShape>(
        of_a: FaceQueryResult,
        input: &SatInput<'_, A, B>,
        max_distance: f32,
    ) -> Result<Self, SatAxis> {
        if of_a.separation > max_distance {
            return Err(of_a.axis(input));
        }
        let of_b = FaceQueryResult::toward_center(input.b, input.a, input.a_in_b);
        if of_b.separation <= max_distance {
            Ok(Self { of_a, of_b })
        } else {
            Err(input.along_face_of_b(of_b.face, of_b.vertex, of_b.separation))
        }
    }

    /// The better of the two axes.
    pub(crate) fn axis<A: PolyhedralShape, B: PolyhedralShape>(
        &self,
        input: &SatInput<'_, A, B>,
    ) -> SatAxis {
        preferred_face_axis(input, &self.of_a, &self.of_b)
    }
}

/// The axis of minimum penetration of two overlapping polyhedra.
///
/// If they turn out to be disjoint, some separating axis.
pub(crate) fn min_penetration_axis<A: PolyhedralShape, B: PolyhedralShape>(
    input: &SatInput<'_, A, B>,
    initial: &FaceQuery,
) -> SatAxis {
    let SatInput { a, b, b_in_a, a_in_b, face_preference } = *input;
    let of_a = query_faces(a, b, b_in_a, &initial.of_a, f32::NEG_INFINITY);
    let of_b = query_faces(b, a, a_in_b, &initial.of_b, of_a.separation + face_preference);
    let axis = preferred_face_axis(input, &of_a, &of_b);
    if axis.separation > 0.0 {
        return axis;
    }
    query_edges(input, axis, face_preference, &of_a.bound, &of_b.bound)
}

fn preferred_face_axis<A: PolyhedralShape, B: PolyhedralShape>(
    input: &SatInput<'_, A, B>,
    of_a: &FaceQueryResult,
    of_b: &FaceQueryResult,
) -> SatAxis {
    let only_b_separates = of_b.separation > 0.0 && of_a.separation <= 0.0;
    if only_b_separates || of_b.separation > of_a.separation + input.face_preference {
        input.along_face_of_b(of_b.face, of_b.vertex, of_b.separation)
    } else {
        input.along_face_of_a(of_a.face, of_a.vertex, of_a.separation)
    }
}

impl<A: PolyhedralShape, B: PolyhedralShape> SatInput<'_, A, B> {
    #[inline]
    pub(crate) fn along_face_of_a(&self, face: u32, vertex: u32, separation: f32) -> SatAxis {
        SatAxis {
            normal: self.a.plane(face).0,
            separation,
            features: SatFeatures::FaceOfA(face, vertex),
        }
    }

    #[inline]
    pub(crate) fn along_face_of_b(&self, face: u32, vertex: u32, separation: f32) -> SatAxis {
        let normal = -(self.b_in_a.basis * self.b.plane(face).0);
        SatAxis { normal, separation, features: SatFeatures::FaceOfB(face, vertex) }
    }
}

/// A face of one polyhedron, and the support vertex of the other behind it.
#[derive(Clone, Copy)]
pub(crate) struct FaceQueryResult {
    face: u32,
    vertex: u32,
    separation: f32,
    /// Bound of the other polyhedron known so far.
    bound: AxisBound,
}

impl FaceQueryResult {
    /// The initial face of A.
    pub(crate) fn of_a<A: PolyhedralShape, B: PolyhedralShape>(input: &SatInput<'_, A, B>) -> Self {
        Self::toward_center(input.a, input.b, input.b_in_a)
    }

    /// The axis along this face of A.
    pub(crate) fn axis<A: PolyhedralShape, B: PolyhedralShape>(
        &self,
        input: &SatInput<'_, A, B>,
    ) -> SatAxis {
        input.along_face_of_a(self.face, self.vertex, self.separation)
    }

    fn toward_center<A: PolyhedralShape, B: PolyhedralShape>(
        a: &A,
        b: &B,
        b_in_a: &RigidTransform,
    ) -> Self {
        let (center, radius) = b.inscribed_sphere();
        let center = b_in_a.transform_point(center);
        let (face, _) = a.max_separation_face(center);
        let (vertex, point, separation) = face_separation(a, b, b_in_a, face);
        Self { face, vertex, separation, bound: AxisBound { center, radius, vertex: point } }
    }
}

/// The support vertex of B behind a face of A, its position and its signed distance from the plane.
#[inline]
fn face_separation<A: PolyhedralShape, B: PolyhedralShape>(
    a: &A,
    b: &B,
    b_in_a: &RigidTransform,
    face: u32,
) -> (u32, Vec3, f32) {
    let (normal, offset) = a.plane(face);
    let (vertex, point) = b.support_vertex(-b_in_a.basis.transpose_mul_vec3(normal));
    let point = b_in_a.transform_point(point);
    (vertex, point, normal.dot(point) - offset)
}

/// The face of A with the largest separation, if that exceeds `known_separation`; otherwise any
/// face. The first of equal ones.
fn query_faces<A: PolyhedralShape, B: PolyhedralShape>(
    a: &A,
    b: &B,
    b_in_a: &RigidTransform,
    initial: &FaceQueryResult,
    known_separation: f32,
) -> FaceQueryResult {
    let mut best = *initial;
    let bound = initial.bound;
    let mut candidates = CandidateFaces::new();
    let rounding = AxisBound::PLANE_DISTANCE_ROUNDING
        * (a.max_abs_coordinate() + bound.vertex.abs().max_element());
    let threshold = |best: &FaceQueryResult| {
        if best.separation > known_separation {
            best.separation - rounding
        } else {
            known_separation - rounding
        }
    };
    a.collect_candidate_faces(&bound, threshold(&best), &mut candidates);
    let mut last_support = bound.vertex;
    let mut test_face = |face: u32| {
        let (normal, offset) = a.plane(face);
        // The last support vertex bounds this face too.
        if face == initial.face || normal.dot(last_support) - offset < threshold(&best) {
            return;
        }
        let (vertex, point, separation) = face_separation(a, b, b_in_a, face);
        last_support = point;
        if separation > best.separation || (separation == best.separation && face < best.face) {
            let bound = AxisBound { vertex: point, ..bound };
            best = FaceQueryResult { face, vertex, separation, bound };
        }
    };
    match candidates.faces() {
        Some(faces) => faces.iter().for_each(|&face| test_face(face)),
        None => (0..a.face_count()).for_each(test_face),
    }
    best
}

/// An edge and its arc on the Gauss map, between the normals of its two faces.
#[derive(Clone, Copy, Default)]
struct GaussArc {
    from: Vec3,
    direction: Vec3,
    normals: [Vec3; 2],
    edge: u32,
}

fn gauss_arc<A: PolyhedralShape>(a: &A, edge: u32) -> GaussArc {
    let ([from, to], faces) = a.edge(edge);
    let from = a.vertex(from);
    GaussArc {
        from,
        direction: a.vertex(to) - from,
        normals: faces.map(|face| a.plane(face).0),
        edge,
    }
}

impl GaussArc {
    fn transformed(&self, transform: &RigidTransform) -> Self {
        Self {
            from: transform.transform_point(self.from),
            direction: transform.basis * self.direction,
            normals: self.normals.map(|normal| transform.basis * normal),
            edge: self.edge,
        }
    }

    /// Whether the arc of A's edge intersects the negated arc of B's edge on the Gauss map. Only
    /// then do the two edges form a face of the Minkowski difference `A − B` (Gregorius 2013).
    #[inline]
    fn forms_minkowski_face(&self, b: &Self) -> bool {
        let b0 = -b.normals[0].dot(self.direction);
        let b1 = -b.normals[1].dot(self.direction);
        let a0 = self.normals[0].dot(b.direction);
        let a1 = self.normals[1].dot(b.direction);
        b0 * b1 < 0.0 && a0 * a1 < 0.0 && a0 * b1 > 0.0
    }
}

/// The edge pair with a larger separation than `axis`, or `axis`. `bound_of_b` is in A's frame,
/// `bound_of_a` in B's.
fn query_edges<A: PolyhedralShape, B: PolyhedralShape>(
    input: &SatInput<'_, A, B>,
    axis: SatAxis,
    face_preference: f32,
    bound_of_b: &AxisBound,
    bound_of_a: &AxisBound,
) -> SatAxis {
    let SatInput { a, b, b_in_a, .. } = *input;
    let threshold = axis.separation + face_preference;
    let edges_of_a = CandidateEdges::new(a, bound_of_b, threshold);
    if edges_of_a.is_empty() {
        return axis;
    }
    let edges_of_b = CandidateEdges::new(b, bound_of_a, threshold);
    if edges_of_b.is_empty() {
        return axis;
    }
    let mut best = axis;
    let mut query = EdgeQuery {
        a,
        b,
        b_in_a,
        interior_point: a.inscribed_sphere().0,
        threshold,
        best: &mut best,
    };
    if edges_of_a.overflowed() && edges_of_b.overflowed() {
        let mut arcs_b = Vec::new();
        edges_of_b.for_each(b, |edge| arcs_b.push(gauss_arc(b, edge).transformed(b_in_a)));
        let grid = GaussMapGrid::new(arcs_b.iter().map(|arc| arc.normals.map(|normal| -normal)));
        edges_of_a.for_each(a, |edge| {
            let arc_a = gauss_arc(a, edge);
            grid.for_each_near(arc_a.normals, |index| {
                query.test_pairs(&[arc_a], &arcs_b[index as usize]);
            });
        });
        return best;
    }
    let mut arcs = [GaussArc::default(); EDGE_CHUNK];
    let mut count = 0;
    edges_of_a.for_each(a, |edge| {
        arcs[count] = gauss_arc(a, edge);
        count += 1;
        if count == EDGE_CHUNK {
            edges_of_b.for_each(b, |edge| {
                query.test_pairs(&arcs, &gauss_arc(b, edge).transformed(b_in_a));
            });
            count = 0;
        }
    });
    edges_of_b.for_each(b, |edge| {
        query.test_pairs(&arcs[..count], &gauss_arc(b, edge).transformed(b_in_a));
    });
    best
}

/// Search for the best edge pair.
struct EdgeQuery<'a, A, B> {
    a: &'a A,
    b: &'a B,
    b_in_a: &'a RigidTransform,
    /// A point inside A, to orient normals outward.
    interior_point: Vec3,
    threshold: f32,
    best: &'a mut SatAxis,
}

impl<A: PolyhedralShape, B: PolyhedralShape> EdgeQuery<'_, A, B> {
    #[inline]
    fn test_pairs(&mut self, arcs: &[GaussArc], arc_b: &GaussArc) {
        for arc_a in arcs {
            if arc_a.forms_minkowski_face(arc_b) {
                self.test_axis(arc_a, arc_b);
            }
        }
    }

    /// Updates the best axis with the cross product of two edges; the first of equal ones is kept.
    fn test_axis(&mut self, arc_a: &GaussArc, arc_b: &GaussArc) {
        let (direction_a, direction_b) =
            (DVec3::from(arc_a.direction), DVec3::from(arc_b.direction));
        let product = direction_a.cross(direction_b);
        let product_squared = product.length_squared();
        if product_squared
            <= PARALLEL_EDGE_SIN_SQUARED
                * direction_a.length_squared()
                * direction_b.length_squared()
        {
            return;
        }
        let mut normal = (product * (1.0 / product_squared.sqrt())).as_vec3();
        if normal.dot(arc_a.from - self.interior_point) < 0.0 {
            normal = -normal;
        }
        if normal.dot(arc_b.from - arc_a.from) < self.threshold {
            return;
        }
        // The support vertices decide: by rounding, arcs that do not intersect may have passed the
        // test.
        let (_, on_a) = self.a.support_vertex(normal);
        let (_, on_b) = self.b.support_vertex(-self.b_in_a.basis.transpose_mul_vec3(normal));
        let separation = normal.dot(self.b_in_a.transform_point(on_b)) - normal.dot(on_a);
        let of = SatFeatures::Edges(arc_a.edge, arc_b.edge);
        let precedes = match self.best.features {
            SatFeatures::Edges(edge_a, edge_b) => (arc_a.edge, arc_b.edge) < (edge_a, edge_b),
            _ => false,
        };
        if separation > self.threshold || (separation == self.threshold && precedes) {
            self.threshold = separation;
            *self.best = SatAxis { normal, separation, features: of };
        }
    }
}

#[cfg(test)]
mod tests {
    use embate_geom::{
        Pose, Rotation,
        shapes::{ConvexHull, Cuboid},
    };
    use embate_test_util::Rng;

    use super::*;

    fn vector(rng: &mut Rng) -> Vec3 {
        Vec3::from(rng.point(-1.0, 1.0))
    }

    fn pose(rng: &mut Rng, max_offset: f32) -> Pose {
        let angle = 3.0 * rng.signed_unit();
        let rotation = Rotation::from_axis_angle(vector(rng), angle).unwrap_or_default();
        Pose { rotation, position: vector(rng) * max_offset }
    }

    fn hull(rng: &mut Rng) -> ConvexHull {
        loop {
            let points: Vec<Vec3> = (0..6 + rng.below(16)).map(|_| vector(rng)).collect();
            if let Ok(hull) = ConvexHull::new(&points) {
                return hull;
            }
        }
    }

    /// Separation along `normal`, by the support vertices.
    fn along<A: PolyhedralShape, B: PolyhedralShape>(
        a: &A,
        b: &B,
        b_in_a: &RigidTransform,
        normal: Vec3,
    ) -> f32 {
        let (_, on_a) = a.support_vertex(normal);
        let (_, on_b) = b.support_vertex(-b_in_a.basis.transpose_mul_vec3(normal));
        normal.dot(b_in_a.transform_point(on_b) - on_a)
    }

    /// The largest separation over all faces and all pairs of edges.
    fn exhaustive<A: PolyhedralShape, B: PolyhedralShape>(
        a: &A,
        b: &B,
        b_in_a: &RigidTransform,
    ) -> f32 {
        let mut best = f32::NEG_INFINITY;
        let mut test = |normal: Vec3| {
            let separation = along(a, b, b_in_a, normal);
            best = if separation > best { separation } else { best };
        };
        for face in 0..a.face_count() {
            test(a.plane(face).0);
        }
        for face in 0..b.face_count() {
            test(-(b_in_a.basis * b.plane(face).0));
        }
        for edge_a in 0..a.edge_count() {
            for edge_b in 0..b.edge_count() {
                let normal = gauss_arc(a, edge_a)
                    .direction
                    .cross(b_in_a.basis * gauss_arc(b, edge_b).direction);
                if let Some(normal) = normal.try_normalize() {
                    test(normal);
                    test(-normal);
                }
            }
        }
        best
    }

    fn check<A: PolyhedralShape, B: PolyhedralShape>(a: &A, b: &B, pose: &Pose) {
        let b_in_a = pose.to_rigid_transform();
        let to_b = b_in_a.basis.transpose();
        let a_in_b = RigidTransform { basis: to_b, translation: -(to_b * b_in_a.translation) };
        let face_preference = FACE_PREFERENCE * (a.max_abs_coordinate() + b.max_abs_coordinate());
        let input = SatInput { a, b, b_in_a: &b_in_a, a_in_b: &a_in_b, face_preference };
        let initial = FaceQuery::new(&input, f32::INFINITY).unwrap();
        let axis = min_penetration_axis(&input, &initial);
        let expected = exhaustive(a, b, &b_in_a);
        assert!((along(a, b, &b_in_a, axis.normal) - axis.separation).abs() < 1e-6, "{axis:?}");
        if expected < 0.0 {
            assert!((axis.separation - expected).abs() < 1e-4, "{axis:?}, but {expected}");
        } else {
            assert!(axis.separation > -1e-4, "{axis:?}, but {expected}");
        }
    }

    /// More faces and edges than the candidate lists hold.
    #[test]
    fn culled_sat_of_large_hulls_finds_the_axis_of_the_exhaustive_search() {
        let mut rng = Rng::new(0x2545_F491_4F6C_DD1D);
        let spherical_hull = |rng: &mut Rng, count: usize| {
            let points: Vec<Vec3> =
                (0..count).filter_map(|_| vector(rng).try_normalize()).collect();
            ConvexHull::new(&points).unwrap()
        };
        let hulls = [
            spherical_hull(&mut rng, 300),
            spherical_hull(&mut rng, 120),
            ConvexHull::cylinder(0.4, 1.0, 64).unwrap(),
            ConvexHull::cone(1.0, 0.7, 100).unwrap(),
        ];
        for case in 0..24 {
            let (a, b) = (&hulls[case % 4], &hulls[case / 4 % 4]);
            let pose = pose(&mut rng, [0.0, 0.2, 0.7, 1.1][case % 3]);
            check(a, b, &pose);
        }
    }

    #[test]
    fn culled_sat_finds_the_axis_of_the_exhaustive_search() {
        let mut rng = Rng::new(0x9E37_79B9_7F4A_7C15);
        for case in 0..2000 {
            let (a, b) = (hull(&mut rng), hull(&mut rng));
            let cuboid = Cuboid::new(vector(&mut rng).abs() + Vec3::splat(0.05)).unwrap();
            let pose = pose(&mut rng, [0.0, 0.1, 0.5, 1.2][case % 4]);
            check(&a, &b, &pose);
            check(&cuboid, &b, &pose);
            check(&a, &cuboid, &pose);
        }
    }
}
