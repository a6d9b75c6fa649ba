//! Two solids with flat faces: box and hull, hull and hull.
//!
//! ```text
//!   sat ──apart along a face, a corner over it──┐
//!    │ ╲                                        ├──► a face of each ──overlay──► points ──reduce──► four
//!    │  ╲─apart otherwise, or nearly──► gjk ────┤
//!    └──overlapping: an axis ───────────────────┘
//! ```

use embate_geom::{Frame, Pose, Vec3, scalar};

use super::feature::Part;
use super::gjk::{self, Apart, Distance};
use super::manifold::{Gap, Manifold};
use super::meeting::Meeting;
use super::nearest::Nearest;
use super::polytope::{Placed, Polytope};
use super::sat::{self, Axis, AxisOf, Behind, FACE_PREFERENCE, Solids, Start};

/// What lies between two bodies.
#[expect(clippy::large_enum_variant, reason = "it lives on the stack and is taken apart at once")]
enum Way {
    Beyond,
    Apart(Apart),
    Touching(Axis),
}

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

    #[inline]
    fn solids(&self) -> Solids<'_, A, B> {
        let (a, b) = (self.a.body, self.b.body);
        let preference = self.slack(FACE_PREFERENCE);
        Solids { a, b, seen: &self.seen, seen_back: &self.seen_back, preference }
    }

    /// A part of the smaller body's size, and what rounding may do to the larger.
    #[inline]
    pub(super) fn slack(&self, part: f32) -> f32 {
        gjk::slack(part, scalar::min(self.a.body.size(), self.b.body.size()), self.scale)
    }

    /// Whether they are farther apart than `beyond` by the balls around them.
    #[inline]
    fn are_far(&self, beyond: f32) -> bool {
        let (a, b) = (self.a.body, self.b.body);
        let between = self.seen.point(b.inner_ball().0) - a.inner_ball().0;
        let reach = a.outer_radius() + b.outer_radius() + beyond;
        between.length_squared() > reach * reach
    }

    /// Where to begin; if they are seen to be farther apart than `beyond`, by what.
    fn start(&self, beyond: f32) -> Result<Start, Gap> {
        if self.are_far(beyond) {
            return Err(Gap::UNKNOWN);
        }
        Start::new(&self.solids(), beyond).map_err(|axis| self.gap(&axis))
    }

    #[inline]
    pub(super) fn gap(&self, axis: &Axis) -> Gap {
        Gap { normal_ab: self.a.frame.axes * axis.normal, width: axis.separation }
    }

    /// Whether they touch.
    pub(super) fn touching(&self) -> bool {
        self.start(0.0).is_ok_and(|start| self.overlapping(&start, 0.0).is_some())
    }

    /// Where they are nearest; `None` if farther apart than `beyond`.
    pub(super) fn nearest(&self, beyond: f32) -> Option<Nearest> {
        if self.are_far(beyond) {
            return None;
        }
        let of_a = Behind::first(&self.solids());
        let mut axis = of_a.axis(&self.solids());
        if axis.separation <= 0.0 {
            let start = Start::after(of_a, &self.solids(), beyond).ok()?;
            axis = start.axis(&self.solids());
            if axis.separation <= 0.0 {
                return self.overlapping(&start, beyond).map(|met| self.nearest_points(&met));
            }
        }
        // Apart, and if a corner is over the face, nothing is nearer.
        if self.is_over(&axis) {
            (axis.separation <= beyond).then(|| self.nearest_points(&self.along_axis(&axis)))
        } else {
            self.nearest_by_way(beyond, axis)
        }
    }

    /// All points of contact; `None` if farther apart than `margin`, perhaps by a `gap` that is told.
    pub(super) fn contact(&self, margin: f32, gap: &mut Gap) -> Option<Manifold> {
        let start = match self.start(margin) {
            Ok(start) => start,
            Err(found) => {
                *gap = found;
                return None;
            }
        };
        let axis = start.axis(&self.solids());
        if axis.separation <= 0.0 {
            let meeting = self.overlapping(&start, margin)?;
            return Some(self.manifold(&meeting, margin));
        }
        // If faces that are apart lie over each other, nothing is nearer than they are.
        let facing = self.facing_manifold(&self.along_axis(&axis), margin);
        facing.or_else(|| self.by_way(margin, axis).map(|meeting| self.manifold(&meeting, margin)))
    }

    /// Where bodies meet that do not seem to be apart; `None` if they are, by more than `beyond`.
    fn overlapping(&self, start: &Start, beyond: f32) -> Option<Meeting> {
        let axis = sat::deepest(&self.solids(), start);
        // An axis so short of 0 may have been preferred to one along which they are apart.
        if axis.separation > -2.0 * self.slack(FACE_PREFERENCE) {
            self.by_way(beyond, axis)
        } else {
            Some(self.along_axis(&axis))
        }
    }

    /// Whether the other's nearest corner is over the face whose normal the axis is: if they are apart along
    /// it, nothing is nearer then.
    pub(super) fn is_over(&self, axis: &Axis) -> bool {
        let (a, b) = (self.a.body, self.b.body);
        match axis.of {
            AxisOf::FaceOfA(face, vertex) => a.is_over(face, self.seen.point(b.vertex(vertex))),
            AxisOf::FaceOfB(face, vertex) => {
                b.is_over(face, self.seen_back.point(a.vertex(vertex)))
            }
            AxisOf::Edges(..) => false,
        }
    }

    /// By the way between two bodies that are apart, or touch along `axis`.
    pub(super) fn by_way(&self, beyond: f32, axis: Axis) -> Option<Meeting> {
        match self.way(beyond, axis) {
            Way::Beyond => None,
            Way::Apart(apart) => Some(self.apart(&apart)),
            Way::Touching(axis) => Some(self.along_axis(&axis)),
        }
    }

    /// The same, where the nearest points alone are wanted.
    pub(super) fn nearest_by_way(&self, beyond: f32, axis: Axis) -> Option<Nearest> {
        match self.way(beyond, axis) {
            Way::Beyond => None,
            Way::Apart(apart) => Some(Nearest {
                normal: self.a.frame.axes * apart.normal(),
                distance: apart.distance as f32,
                points: [apart.on_a, apart.on_a + apart.between]
                    .map(|point| self.a.frame.point(point.narrow())),
                parts: [Part::WHOLE; 2],
            }),
            Way::Touching(axis) => Some(self.nearest_points(&self.along_axis(&axis))),
        }
    }

    fn way(&self, beyond: f32, axis: Axis) -> Way {
        let (a, b) = (self.a.body, self.b.body);
        // Whether they touch is decided in one way, however much farther is asked for.
        let rounding = gjk::ROUNDING * self.scale;
        let farther = scalar::max(beyond, rounding);
        match gjk::distance(a, b, &self.seen, axis.normal, farther, self.scale) {
            Distance::Apart(apart)
                if axis.separation > 0.0 || apart.distance > f64::from(rounding) =>
            {
                if apart.distance > f64::from(beyond) { Way::Beyond } else { Way::Apart(apart) }
            }
            // So little has no direction: they touch, unless a face has said that they do not.
            Distance::Apart(_) | Distance::Overlapping if axis.separation <= beyond => {
                Way::Touching(axis)
            }
            _ => Way::Beyond,
        }
    }

    /// The corner of A that reaches farthest to B along a normal.
    pub(super) fn corner_of_a(&self, normal: Vec3) -> u32 {
        self.a.body.corner_along(normal).0
    }
}
