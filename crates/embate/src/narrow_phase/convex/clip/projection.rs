//! Projection of two faces along the contact normal.
//!
//! Coordinates are in the frame of the reference shape. A point is projected along the normal onto
//! a plane perpendicular to a coordinate axis: `position = u e₁ + v e₂ + w n`. This projection is
//! oblique, but it preserves containment, and its inverse costs as little.

use embate_geom::{RigidTransform, Vec3};

use crate::narrow_phase::convex::polyhedron::PolyhedralShape;

/// The two faces and the contact normal: a unit vector out of the reference shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClipInput {
    pub(crate) normal: Vec3,
    pub(crate) reference: u32,
    pub(crate) incident: u32,
    /// Points with a larger separation are dropped.
    pub(crate) margin: f32,
    /// Points with a smaller separation are dropped: it is the minimum separation of the shapes
    /// along the normal.
    pub(crate) min_separation: f32,
    /// Lateral and depth differences up to this length are rounding.
    pub(crate) tolerance: f32,
}

/// Clip tolerance, as a ratio of the smaller shape's size. A vertex up to this far outside a face
/// counts as inside, and one up to this much deeper than another counts as equally deep. It keeps
/// feature ids from alternating due to rounding.
pub(crate) const CLIP_TOLERANCE: f32 = 2e-5;

/// The projection and its inverse.
pub(crate) struct FaceProjection {
    /// Dot products with these give `u` and `v`.
    axes: [Vec3; 2],
    /// `e₁` and `e₂`: two axes of the frame, right-handed around the normal.
    plane: [Vec3; 2],
}

impl FaceProjection {
    /// The plane is perpendicular to the dominant axis of the normal, which bounds the stretch by
    /// √3.
    #[inline]
    pub(crate) fn new(normal: Vec3) -> Self {
        let [x, y, z] = normal.abs().to_array();
        // The two axes are right-handed around the dominant one.
        let (plane, dominant) = if x >= y && x >= z {
            ([Vec3::Y, Vec3::Z], Vec3::X)
        } else if y >= z {
            ([Vec3::Z, Vec3::X], Vec3::Y)
        } else {
            ([Vec3::X, Vec3::Y], Vec3::Z)
        };
        let component = normal.dot(dominant);
        // A normal against its axis reverses the orientation; exchanging the axes restores it.
        let plane = if component < 0.0 { [plane[1], plane[0]] } else { plane };
        let slope = dominant / component;
        Self { axes: plane.map(|axis| axis - slope * normal.dot(axis)), plane }
    }

    #[inline]
    pub(crate) fn project(&self, point: Vec3) -> [f32; 2] {
        [self.axes[0].dot(point), self.axes[1].dot(point)]
    }
}

/// Projects vertices of the incident shape: the projection axes and the plane of the reference
/// face, in the frame of the incident shape.
pub(crate) struct IncidentProjection {
    axes: [Vec3; 2],
    origin: [f32; 2],
    normal: Vec3,
    offset: f32,
}

impl IncidentProjection {
    #[inline]
    pub(crate) fn new(
        projection: &FaceProjection,
        normal: Vec3,
        offset: f32,
        input: &ClipInput,
        incident_in_reference: &RigidTransform,
    ) -> Self {
        let axes = projection.axes.map(|axis| incident_in_reference.basis.transpose_mul_vec3(axis));
        let mut normal_in_incident = incident_in_reference.basis.transpose_mul_vec3(normal);
        let mut offset = offset - normal.dot(incident_in_reference.translation);
        if normal != input.normal {
            // Along the contact normal, not the face normal.
            let scale = 1.0 / normal.dot(input.normal);
            (normal_in_incident, offset) = (normal_in_incident * scale, offset * scale);
        }
        Self {
            axes,
            origin: projection.project(incident_in_reference.translation),
            normal: normal_in_incident,
            offset,
        }
    }

    /// Projected position of a vertex, and its separation from the reference plane along the
    /// normal.
    #[inline]
    pub(crate) fn project(&self, vertex: Vec3) -> ([f32; 2], f32) {
        let uv =
            [self.axes[0].dot(vertex) + self.origin[0], self.axes[1].dot(vertex) + self.origin[1]];
        (uv, self.normal.dot(vertex) - self.offset)
    }
}

/// Maps projected points over the reference face back to world space.
pub(crate) struct Unprojection {
    origin: Vec3,
    axes: [Vec3; 2],
    pub(crate) normal: Vec3,
}

impl Unprojection {
    #[inline]
    pub(crate) fn new<R: PolyhedralShape>(
        projection: &FaceProjection,
        reference: &R,
        frame: &RigidTransform,
        input: &ClipInput,
    ) -> Self {
        let (normal, offset) = reference.plane(input.reference);
        let scale = 1.0 / normal.dot(input.normal);
        // On the plane of the face, `w` is constant, plus terms in `u` and `v` if the face is
        // inclined.
        let axes = projection
            .plane
            .map(|axis| frame.basis * (axis - input.normal * (normal.dot(axis) * scale)));
        let world_normal = frame.basis * input.normal;
        Self { origin: world_normal * (offset * scale), axes, normal: world_normal }
    }

    /// The point at `height` along the normal above a point of the reference face, relative to the
    /// shape's origin.
    #[inline]
    pub(crate) fn unproject(&self, [u, v]: [f32; 2], height: f32) -> Vec3 {
        self.axes[0] * u + self.axes[1] * v + self.normal * height + self.origin
    }
}
