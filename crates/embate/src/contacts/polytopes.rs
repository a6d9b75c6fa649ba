//! Two solids with flat faces: box and hull, hull and hull.
//!
//! ```text
//!   sat ──apart along a face, a corner over it──┐
//!    │ ╲                                        ├──► a face of each ──overlay──► points ──reduce──► four
//!    │  ╲─apart otherwise, or nearly──► gjk ────┤
//!    └──overlapping: an axis ───────────────────┘
//! ```

use embate_geom::{Frame, Pose, Vec3, scalar};

use super::gjk::{self, Distance};
use super::meeting::Meeting;
use super::polytope::{Placed, Polytope};
use super::sat::{self, Axis, AxisOf, Solids};

/// A way between two bodies that is shorter, in units of the coordinates' size, has no direction.
const VAGUE: f32 = 4e-6;

/// Two bodies, each seen from the other.
pub(super) struct Pair<'a, A, B> {
    pub(super) a: Placed<'a, A>,
    pub(super) b: Placed<'a, B>,
    pub(super) seen: Frame,
    pub(super) seen_back: Frame,
    /// The size of the coordinates that take part, for tolerances.
    pub(super) scale: f32,
}

impl<'a, A: Polytope, B: Polytope> Pair<'a, A, B> {
    #[inline]
    pub(super) fn new((a, pose_a): (&'a A, &Pose), (b, pose_b): (&'a B, &Pose)) -> Self {
        let a = Placed { body: a, frame: pose_a.frame() };
        let b = Placed { body: b, frame: pose_b.frame() };
        let to_a = a.frame.axes.transposed();
        let seen =
            Frame { axes: to_a * b.frame.axes, origin: to_a * (b.frame.origin - a.frame.origin) };
        let back = seen.axes.transposed();
        let seen_back = Frame { axes: back, origin: -(back * seen.origin) };
        let scale = a.body.reach() + b.body.reach() + seen.origin.abs().largest();
        Self { a, b, seen, seen_back, scale }
    }

    /// Whether they touch.
    pub(super) fn touching(&self) -> bool {
        self.meeting(0.0, [None; 2]).is_some()
    }

    /// Where they are nearest; `None` if farther apart than `beyond`. `start` are faces of both that may
    /// be the ones that meet.
    pub(super) fn meeting(&self, beyond: f32, start: [Option<u32>; 2]) -> Option<Meeting> {
        let (a, b) = (self.a.body, self.b.body);
        let between = self.seen.point(b.inner_ball().0) - a.inner_ball().0;
        let reach = a.outer_radius() + b.outer_radius() + beyond;
        if between.length_squared() > reach * reach {
            return None;
        }
        let solids = Solids { a, b, seen: &self.seen, seen_back: &self.seen_back };
        let axis = sat::deepest(&solids, beyond, start)?;
        // An axis so short of 0 may have been preferred to one along which they are apart.
        if axis.separation > -2.0 * sat::preference(a, b) && !self.is_over(&axis) {
            self.by_way(beyond, axis)
        } else {
            Some(self.along_axis(&axis))
        }
    }

    /// Whether they are apart along the normal of a face that the other's nearest corner is over: nothing
    /// is nearer then.
    fn is_over(&self, axis: &Axis) -> bool {
        let (a, b) = (self.a.body, self.b.body);
        axis.separation > 0.0
            && match axis.of {
                AxisOf::FaceOfA(face, vertex) => a.is_over(face, self.seen.point(b.vertex(vertex))),
                AxisOf::FaceOfB(face, vertex) => {
                    b.is_over(face, self.seen_back.point(a.vertex(vertex)))
                }
                AxisOf::Edges(..) => false,
            }
    }

    /// By the way between two bodies that are apart, or touch along `axis`.
    pub(super) fn by_way(&self, beyond: f32, axis: Axis) -> Option<Meeting> {
        let (a, b) = (self.a.body, self.b.body);
        match gjk::distance(a, b, &self.seen, axis.normal, beyond, self.scale) {
            Distance::Beyond => None,
            Distance::Apart(apart)
                if axis.separation > 0.0 || apart.distance > f64::from(VAGUE * self.scale) =>
            {
                Some(self.apart(&apart))
            }
            // They touch, whatever rounding makes of it.
            Distance::Apart(_) | Distance::Overlapping => {
                let separation = scalar::min(axis.separation, 0.0);
                Some(self.along_axis(&Axis { separation, ..axis }))
            }
        }
    }

    /// The corner of A that reaches farthest to B along a normal.
    pub(super) fn corner_of_a(&self, normal: Vec3) -> u32 {
        self.a.body.corner_along(normal).0
    }
}
