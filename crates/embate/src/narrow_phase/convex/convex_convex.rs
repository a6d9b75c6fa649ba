//! Two convex polyhedra: SAT with GJK fallback, then face clipping and point reduction.
//!
//! ```text
//!   SAT ──separated along a face, vertex over it──┐
//!    │ ╲                                          ├─► a face of each ─clip─► points ─reduce─► four
//!    │  ╲─separated otherwise, or nearly──► GJK ──┤
//!    └──overlapping: axis of min. penetration ────┘
//! ```

use embate_geom::{RigidTransform, Vec3, scalar};

use crate::narrow_phase::closest_points::ClosestFeatures;
use crate::narrow_phase::convex::contact_axis::ContactAxis;
use crate::narrow_phase::convex::gjk::{self, GjkClosestPoints, GjkResult};
use crate::narrow_phase::convex::polyhedron::{PolyhedralShape, PosedPolyhedron};
use crate::narrow_phase::convex::sat::{
    self, FACE_PREFERENCE, FaceQuery, FaceQueryResult, SatAxis, SatFeatures, SatInput,
};
use crate::narrow_phase::feature_id::FeatureId;
use crate::narrow_phase::manifold::{Manifold, SeparatingAxis};
use crate::narrow_phase::posed::Posed;

/// Result of the GJK fallback.
#[expect(clippy::large_enum_variant, reason = "short-lived stack value, matched at once")]
enum GjkOutcome {
    OutOfRange,
    Separated(GjkClosestPoints),
    Touching(SatAxis),
}

/// Two polyhedra and their relative poses.
pub(crate) struct ConvexPair<'a, A, B> {
    pub(crate) a: PosedPolyhedron<'a, A>,
    pub(crate) b: PosedPolyhedron<'a, B>,
    pub(crate) b_in_a: RigidTransform,
    pub(crate) a_in_b: RigidTransform,
    /// Size of the coordinates involved, for tolerances.
    pub(crate) scale: f32,
}

impl<'a, A: PolyhedralShape, B: PolyhedralShape> ConvexPair<'a, A, B> {
    #[inline]
    pub(crate) fn new(a: Posed<'a, A>, b: Posed<'a, B>) -> Self {
        let a = PosedPolyhedron { shape: a.shape, frame: a.pose.to_rigid_transform() };
        let b = PosedPolyhedron { shape: b.shape, frame: b.pose.to_rigid_transform() };
        let to_a = a.frame.basis.transpose();
        let b_in_a = RigidTransform {
            basis: to_a * b.frame.basis,
            translation: to_a * (b.frame.translation - a.frame.translation),
        };
        let to_b = b_in_a.basis.transpose();
        let a_in_b = RigidTransform { basis: to_b, translation: -(to_b * b_in_a.translation) };
        let scale = a.shape.max_abs_coordinate()
            + b.shape.max_abs_coordinate()
            + b_in_a.translation.abs().max_element();
        Self { a, b, b_in_a, a_in_b, scale }
    }

    #[inline]
    fn sat_input(&self) -> SatInput<'_, A, B> {
        let (a, b) = (self.a.shape, self.b.shape);
        let face_preference = self.tolerance(FACE_PREFERENCE);
        SatInput { a, b, b_in_a: &self.b_in_a, a_in_b: &self.a_in_b, face_preference }
    }

    /// Error bound: a ratio of the smaller shape's size plus the rounding of the coordinates.
    #[inline]
    pub(crate) fn tolerance(&self, ratio: f32) -> f32 {
        gjk::tolerance(ratio, scalar::min(self.a.shape.size(), self.b.shape.size()), self.scale)
    }

    /// Whether the bounding spheres are farther apart than `max_distance`.
    #[inline]
    fn bounding_spheres_apart(&self, max_distance: f32) -> bool {
        let (a, b) = (self.a.shape, self.b.shape);
        let center_offset =
            self.b_in_a.transform_point(b.inscribed_sphere().0) - a.inscribed_sphere().0;
        let max_center_distance = a.bounding_radius() + b.bounding_radius() + max_distance;
        center_offset.length_squared() > max_center_distance * max_center_distance
    }

    /// Initial faces for SAT. `Err` if the shapes are farther apart than `max_distance`, with a
    /// separating axis if one was found.
    fn query_faces(&self, max_distance: f32) -> Result<FaceQuery, SeparatingAxis> {
        if self.bounding_spheres_apart(max_distance) {
            return Err(SeparatingAxis::UNKNOWN);
        }
        FaceQuery::new(&self.sat_input(), max_distance).map_err(|axis| self.separating_axis(&axis))
    }

    #[inline]
    pub(crate) fn separating_axis(&self, axis: &SatAxis) -> SeparatingAxis {
        SeparatingAxis { normal: self.a.frame.basis * axis.normal, separation: axis.separation }
    }

    /// Whether the shapes touch or overlap.
    pub(crate) fn intersects(&self) -> bool {
        self.query_faces(0.0).is_ok_and(|initial| self.penetration_axis(&initial, 0.0).is_some())
    }

    /// Closest features; `None` if farther apart than `max_distance`.
    pub(crate) fn closest_features(&self, max_distance: f32) -> Option<ClosestFeatures> {
        if self.bounding_spheres_apart(max_distance) {
            return None;
        }
        let of_a = FaceQueryResult::of_a(&self.sat_input());
        let mut axis = of_a.axis(&self.sat_input());
        if axis.separation <= 0.0 {
            let initial = FaceQuery::with_face_of_a(of_a, &self.sat_input(), max_distance).ok()?;
            axis = initial.axis(&self.sat_input());
            if axis.separation <= 0.0 {
                return self
                    .penetration_axis(&initial, max_distance)
                    .map(|contact_axis| self.witness_features(&contact_axis));
            }
        }
        // Separated, and a vertex is over the face: nothing is closer.
        if self.has_vertex_over_face(&axis) {
            (axis.separation <= max_distance)
                .then(|| self.witness_features(&self.contact_axis_from_sat(&axis)))
        } else {
            self.closest_features_from_gjk(max_distance, axis)
        }
    }

    /// Contact manifold; `None` if farther apart than `margin`, with `separating_axis` stored if
    /// one was found.
    pub(crate) fn contact_manifold(
        &self,
        margin: f32,
        separating_axis: &mut SeparatingAxis,
    ) -> Option<Manifold> {
        let initial = match self.query_faces(margin) {
            Ok(initial) => initial,
            Err(axis) => {
                *separating_axis = axis;
                return None;
            }
        };
        let axis = initial.axis(&self.sat_input());
        if axis.separation <= 0.0 {
            let contact_axis = self.penetration_axis(&initial, margin)?;
            return Some(self.manifold(&contact_axis, margin));
        }
        // If separated faces overlap in projection, nothing is closer than they are.
        let clipped = self.face_manifold(&self.contact_axis_from_sat(&axis), margin);
        clipped.or_else(|| {
            self.contact_axis_from_gjk(margin, axis)
                .map(|contact_axis| self.manifold(&contact_axis, margin))
        })
    }

    /// Contact axis of shapes that seem to overlap; `None` if they are separated by more than
    /// `max_distance`.
    fn penetration_axis(&self, initial: &FaceQuery, max_distance: f32) -> Option<ContactAxis> {
        let axis = sat::min_penetration_axis(&self.sat_input(), initial);
        // An axis this close to 0 may have been preferred to a separating axis.
        if axis.separation > -2.0 * self.tolerance(FACE_PREFERENCE) {
            self.contact_axis_from_gjk(max_distance, axis)
        } else {
            Some(self.contact_axis_from_sat(&axis))
        }
    }

    /// Whether the support vertex lies over the face that defines the axis. If the shapes are
    /// separated along it, nothing is closer.
    pub(crate) fn has_vertex_over_face(&self, axis: &SatAxis) -> bool {
        let (a, b) = (self.a.shape, self.b.shape);
        match axis.features {
            SatFeatures::FaceOfA(face, vertex) => {
                a.is_over_face(face, self.b_in_a.transform_point(b.vertex(vertex)))
            }
            SatFeatures::FaceOfB(face, vertex) => {
                b.is_over_face(face, self.a_in_b.transform_point(a.vertex(vertex)))
            }
            SatFeatures::Edges(..) => false,
        }
    }

    /// GJK fallback: contact axis of shapes that are separated, or touch along `axis`.
    pub(crate) fn contact_axis_from_gjk(
        &self,
        max_distance: f32,
        axis: SatAxis,
    ) -> Option<ContactAxis> {
        match self.run_gjk(max_distance, axis) {
            GjkOutcome::OutOfRange => None,
            GjkOutcome::Separated(closest) => Some(self.contact_axis_from_closest_points(&closest)),
            GjkOutcome::Touching(axis) => Some(self.contact_axis_from_sat(&axis)),
        }
    }

    /// GJK fallback for the closest features alone.
    pub(crate) fn closest_features_from_gjk(
        &self,
        max_distance: f32,
        axis: SatAxis,
    ) -> Option<ClosestFeatures> {
        match self.run_gjk(max_distance, axis) {
            GjkOutcome::OutOfRange => None,
            GjkOutcome::Separated(closest) => Some(ClosestFeatures {
                normal: self.a.frame.basis * closest.normal(),
                distance: closest.distance as f32,
                points: [closest.on_a, closest.on_a + closest.a_to_b]
                    .map(|point| self.a.frame.transform_point(point.as_vec3())),
                features: [FeatureId::ROUND; 2],
            }),
            GjkOutcome::Touching(axis) => {
                Some(self.witness_features(&self.contact_axis_from_sat(&axis)))
            }
        }
    }

    fn run_gjk(&self, max_distance: f32, axis: SatAxis) -> GjkOutcome {
        let (a, b) = (self.a.shape, self.b.shape);
        // Whether the shapes touch must not depend on `max_distance`.
        let rounding = gjk::SUPPORT_ROUNDING * self.scale;
        let gjk_max_distance = scalar::max(max_distance, rounding);
        match gjk::distance(a, b, &self.b_in_a, axis.normal, gjk_max_distance, self.scale) {
            GjkResult::Separated(closest)
                if axis.separation > 0.0 || closest.distance > f64::from(rounding) =>
            {
                if closest.distance > f64::from(max_distance) {
                    GjkOutcome::OutOfRange
                } else {
                    GjkOutcome::Separated(closest)
                }
            }
            // A distance within rounding has no direction: the shapes touch, unless a face
            // separates them.
            GjkResult::Separated(_) | GjkResult::Overlapping if axis.separation <= max_distance => {
                GjkOutcome::Touching(axis)
            }
            _ => GjkOutcome::OutOfRange,
        }
    }

    /// The support vertex of A along a normal.
    pub(crate) fn support_vertex_of_a(&self, normal: Vec3) -> u32 {
        self.a.shape.support_vertex(normal).0
    }
}
