//! How do two faces look, seen along the normal of a contact?
//!
//! In the frame of the body whose face is the reference, a point is where the line through it along the
//! normal meets a plane square to an axis: `point = u e₁ + v e₂ + w n`. That is not a view at a right angle,
//! but what lies inside of what is the same in both, and the way back is as short.

use embate_geom::{Frame, Vec3};

use super::polytope::Polytope;

/// The two faces, and the direction they are seen along: out of the reference body, of length 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) normal: Vec3,
    pub(super) reference: u32,
    pub(super) incident: u32,
    /// Points farther apart are not kept.
    pub(super) margin: f32,
    /// Points nearer are none: that is as near as the bodies come along the normal.
    pub(super) least: f32,
    /// What lies no farther beside something, or is no deeper than something, is so by rounding: see [`SLACK`].
    pub(super) slack: f32,
}

/// A corner counts as inside of a face up to this part of the smaller body's size beyond its rim, and as no
/// deeper than another up to the same, so that rounding does not name it now so, now so.
pub(super) const SLACK: f32 = 2e-5;

/// How points are flattened, and how they come back.
pub(super) struct Flat {
    /// Give `u` and `v`.
    axes: [Vec3; 2],
    /// `e₁` and `e₂`: two axes of the frame, turning right-handed about the normal.
    plane: [Vec3; 2],
}

impl Flat {
    /// The plane is square to the axis that the normal leans to most, so that nothing is stretched to more
    /// than √3.
    #[inline]
    pub(super) fn along(normal: Vec3) -> Self {
        let [x, y, z] = normal.abs().to_array();
        // The two axes turn right-handed about the normal's own.
        let (plane, own) = if x >= y && x >= z {
            ([Vec3::Y, Vec3::Z], Vec3::X)
        } else if y >= z {
            ([Vec3::Z, Vec3::X], Vec3::Y)
        } else {
            ([Vec3::X, Vec3::Y], Vec3::Z)
        };
        let along = normal.dot(own);
        // A normal against its axis is seen from behind: exchanged, the axes turn about it again.
        let plane = if along < 0.0 { [plane[1], plane[0]] } else { plane };
        let slope = own / along;
        Self { axes: plane.map(|axis| axis - slope * normal.dot(axis)), plane }
    }

    #[inline]
    pub(super) fn point(&self, point: Vec3) -> [f32; 2] {
        [self.axes[0].dot(point), self.axes[1].dot(point)]
    }
}

/// Makes corners of the incident body flat: the axes of the view and the plane of the reference face, as
/// seen from the incident body.
pub(super) struct Incident {
    axes: [Vec3; 2],
    origin: [f32; 2],
    normal: Vec3,
    offset: f32,
}

impl Incident {
    #[inline]
    pub(super) fn new(
        flat: &Flat,
        (normal, offset): (Vec3, f32),
        view: &View,
        seen: &Frame,
    ) -> Self {
        let axes = flat.axes.map(|axis| seen.axes.transposed_times(axis));
        let mut turned = seen.axes.transposed_times(normal);
        let mut offset = offset - normal.dot(seen.origin);
        if normal != view.normal {
            // Along the normal of the contact, not of the face.
            let scale = 1.0 / normal.dot(view.normal);
            (turned, offset) = (turned * scale, offset * scale);
        }
        Self { axes, origin: flat.point(seen.origin), normal: turned, offset }
    }

    /// Where a corner is, and how far from the plane of the reference face along the normal.
    #[inline]
    pub(super) fn corner(&self, vertex: Vec3) -> ([f32; 2], f32) {
        let at =
            [self.axes[0].dot(vertex) + self.origin[0], self.axes[1].dot(vertex) + self.origin[1]];
        (at, self.normal.dot(vertex) - self.offset)
    }
}

/// Brings points from over the reference face back into the world.
pub(super) struct Back {
    origin: Vec3,
    axes: [Vec3; 2],
    pub(super) normal: Vec3,
}

impl Back {
    #[inline]
    pub(super) fn new<R: Polytope>(flat: &Flat, reference: &R, frame: &Frame, view: &View) -> Self {
        let (normal, offset) = reference.plane(view.reference);
        let scale = 1.0 / normal.dot(view.normal);
        // On the plane of the face, `w` is a number, and rises with `u` and `v` where the face is slanted.
        let axes =
            flat.plane.map(|axis| frame.axes * (axis - view.normal * (normal.dot(axis) * scale)));
        let world = frame.axes * view.normal;
        Self { origin: world * (offset * scale), axes, normal: world }
    }

    /// The point over a place of the reference face by `height` along the normal, from the origin of the
    /// body.
    #[inline]
    pub(super) fn point(&self, [u, v]: [f32; 2], height: f32) -> Vec3 {
        self.axes[0] * u + self.axes[1] * v + self.normal * height + self.origin
    }
}
