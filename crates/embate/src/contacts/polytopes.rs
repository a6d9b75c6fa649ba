//! Two solids with flat faces: box and hull, hull and hull.
//!
//! ```text
//!   gjk ──apart──► the way between them ──┐
//!    │                                    ├──► a face of each ──overlay──► points ──reduce──► four
//!    └─overlapping──► sat: an axis ───────┘
//! ```

use embate_geom::{Frame, Pose, Vec3, scalar};

use super::facing;
use super::feature::Part;
use super::gjk::{self, Apart, Distance};
use super::manifold::Manifold;
use super::nearest::Nearest;
use super::overlay::View;
use super::parted;
use super::polytope::{Placed, Polytope};
use super::rods::Rods;
use super::sat::{self, Axis, AxisOf};
use super::wide::Wide;

/// The deepest point of two faces laid over each other may be less deep than the axis says by this part of
/// the sizes: of two faces that are nearly parallel, the deepest corner may lie beside the overlap.
const MISSED: f32 = 4e-5;

/// Nearest points that lie no farther aside, as a part of the sizes, are the same.
const SNAPPED: f32 = 1e-5;

/// Two bodies, each seen from the other.
pub(super) struct Pair<'a, A, B> {
    pub(super) a: Placed<'a, A>,
    pub(super) b: Placed<'a, B>,
    pub(super) seen: Frame,
    pub(super) seen_back: Frame,
    /// The size of the coordinates that take part, for tolerances.
    pub(super) scale: f32,
}

/// Where two bodies touch, before it is known in how many points: in the frame of A.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// From A to B, of length 1.
    pub(super) normal: Vec3,
    /// Between the surfaces; below 0 inside.
    pub(super) distance: f32,
    /// Midway between the nearest points, where that is known.
    pub(super) middle: Option<Vec3>,
    /// Faces to lay over each other.
    pub(super) faces: [u32; 2],
    /// The parts that are nearest.
    pub(super) parts: [Part; 2],
    /// Whether the normal is that of B's face, or of A's.
    pub(super) normal_of: Owner,
}

/// Whose face gives the normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    A,
    B,
    Neither,
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

    fn distance(&self, beyond: f32) -> Distance {
        let start = self.seen.point(self.b.body.inner_ball().0) - self.a.body.inner_ball().0;
        let reach = self.a.body.outer_radius() + self.b.body.outer_radius() + beyond;
        if start.length_squared() > reach * reach {
            return Distance::Beyond;
        }
        gjk::distance(self.a.body, self.b.body, &self.seen, start, beyond, self.scale)
    }

    /// Whether they touch.
    pub(super) fn touching(&self) -> bool {
        !matches!(self.distance(0.0), Distance::Beyond)
    }

    /// Where they are nearest; `None` if farther apart than `beyond`.
    pub(super) fn meeting(&self, beyond: f32) -> Option<Meeting> {
        self.meeting_or(beyond, || {
            let mut axis = sat::deepest(self.a.body, self.b.body, &self.seen, &self.seen_back);
            // They touch, whatever rounding makes of it.
            axis.separation = scalar::min(axis.separation, 0.0);
            axis
        })
    }

    /// The same, where the axis of overlapping bodies is known otherwise.
    pub(super) fn meeting_or(
        &self,
        beyond: f32,
        overlapping: impl FnOnce() -> Axis,
    ) -> Option<Meeting> {
        match self.distance(beyond) {
            Distance::Beyond => None,
            Distance::Apart(apart) => Some(self.apart(&apart)),
            Distance::Overlapping => Some(self.along_axis(&overlapping())),
        }
    }

    /// From the way between them.
    fn apart(&self, apart: &Apart) -> Meeting {
        let normal = apart.normal();
        let normal_in_b = self.seen.axes.transposed_times(normal);
        let heaviest =
            apart.simplex.corners().iter().fold(&apart.simplex.corners[0], |best, corner| {
                if corner.weight > best.weight { corner } else { best }
            });
        let [vertex_a, vertex_b] = heaviest.indices;
        let faces =
            [self.a.body.face_at(vertex_a, normal), self.b.body.face_at(vertex_b, -normal_in_b)];
        let on_a = apart.on_a.narrow();
        let aside = SNAPPED * (self.a.body.reach() + self.b.body.reach());
        for (of, face) in [(Owner::A, faces[0]), (Owner::B, faces[1])] {
            if let Some(meeting) = self.along_face(of, face, normal) {
                // The same nearest points but for rounding: the face gives its exact normal.
                let way = meeting.normal * meeting.distance - apart.between.narrow();
                if way.length_squared() <= aside * aside {
                    let middle = on_a + meeting.normal * (0.5 * meeting.distance);
                    return Meeting { middle: Some(middle), faces, ..meeting };
                }
            }
        }
        Meeting {
            normal,
            distance: apart.distance as f32,
            middle: Some((apart.on_a + apart.between * 0.5).narrow()),
            faces,
            parts: [parted::part(&apart.simplex, 0), parted::part(&apart.simplex, 1)],
            normal_of: Owner::Neither,
        }
    }

    /// The meeting along the normal of a face that is nearly `normal`.
    fn along_face(&self, of: Owner, face: u32, normal: Vec3) -> Option<Meeting> {
        // Farther off, the nearest points could not be the same.
        const NEARLY: f32 = 0.999_99;
        let (exact, offset) = match of {
            Owner::A => self.a.body.plane(face),
            _ => self.b.body.plane(face),
        };
        let turned = if of == Owner::A { exact } else { -(self.seen.axes * exact) };
        if turned.dot(normal) < NEARLY {
            return None;
        }
        let (distance, parts) = if of == Owner::A {
            let (vertex, point) = self.b.body.corner_along(-self.seen.axes.transposed_times(exact));
            let distance = exact.dot(self.seen.point(point)) - offset;
            (distance, [Part::face(face), Part::corner(vertex)])
        } else {
            let (vertex, point) = self.a.body.corner_along(turned);
            let distance = exact.dot(self.seen_back.point(point)) - offset;
            (distance, [Part::corner(vertex), Part::face(face)])
        };
        Some(Meeting {
            normal: turned,
            distance,
            middle: None,
            faces: [face; 2],
            parts,
            normal_of: of,
        })
    }

    /// From the axis along which they part soonest.
    pub(super) fn along_axis(&self, axis: &Axis) -> Meeting {
        let (a, b) = (self.a.body, self.b.body);
        let half = axis.normal * (0.5 * axis.separation);
        let in_b = -self.seen.axes.transposed_times(axis.normal);
        let (middle, faces, parts, normal_of) = match axis.of {
            AxisOf::FaceOfA(face, vertex) => (
                {
                    let point = self.seen.point(b.vertex(vertex));
                    a.is_over(face, point).then(|| point - half)
                },
                [face, b.face_at(vertex, in_b)],
                [Part::face(face), Part::corner(vertex)],
                Owner::A,
            ),
            AxisOf::FaceOfB(face, vertex) => (
                b.is_over(face, self.seen_back.point(a.vertex(vertex)))
                    .then(|| a.vertex(vertex) + half),
                [a.face_at(vertex, axis.normal), face],
                [Part::corner(vertex), Part::face(face)],
                Owner::B,
            ),
            AxisOf::Edges(edge_a, edge_b) => self.edges(edge_a, edge_b, axis.normal, in_b),
        };
        Meeting { normal: axis.normal, distance: axis.separation, middle, faces, parts, normal_of }
    }

    /// Where two edges cross.
    fn edges(
        &self,
        edge_a: u32,
        edge_b: u32,
        normal: Vec3,
        in_b: Vec3,
    ) -> (Option<Vec3>, [u32; 2], [Part; 2], Owner) {
        let (a, b) = (self.a.body, self.b.body);
        let (ends_a, faces_a) = a.edge(edge_a);
        let (ends_b, faces_b) = b.edge(edge_b);
        let (face_a, start_a) = better(faces_a, ends_a, |face| a.plane(face).0.dot(normal));
        let (face_b, start_b) = better(faces_b, ends_b, |face| b.plane(face).0.dot(in_b));
        let [from_a, to_a] = ends_a.map(|end| Wide::from(a.vertex(end)));
        let [from_b, to_b] = ends_b.map(|end| Wide::placed(b.vertex(end), &self.seen));
        let middle_a = (from_a + to_a) * 0.5;
        let rods = Rods {
            tip_a: (to_a - from_a) * 0.5,
            tip_b: (to_b - from_b) * 0.5,
            between: (from_b + to_b) * 0.5 - middle_a,
        };
        let places = rods.nearest();
        let way = rods.way(places);
        // Of parallel edges others may be as good, and the ones that were found lie beside each other.
        let aside = way.cross(Wide::from(normal)).length();
        let middle = (aside <= f64::from(SNAPPED * self.scale)).then(|| {
            let on_a = middle_a + rods.tip_a * places.on_a;
            (on_a + way * 0.5).narrow()
        });
        let parts = [Part::edge(start_a), Part::edge(start_b)];
        (middle, [face_a, face_b], parts, Owner::Neither)
    }

    /// All points of a meeting.
    pub(super) fn manifold(&self, meeting: &Meeting, margin: f32) -> Manifold {
        self.facing_manifold(meeting, margin).unwrap_or_else(|| self.nearest(meeting).manifold())
    }

    /// All points of a meeting, if the faces that meet hold its nearest point: a corner against a corner
    /// may lie beside both.
    pub(super) fn facing_manifold(&self, meeting: &Meeting, margin: f32) -> Option<Manifold> {
        let normal_in_b = self.seen.axes.transposed_times(meeting.normal);
        let a_is_reference = match meeting.normal_of {
            Owner::A => true,
            Owner::B => false,
            Owner::Neither => {
                let along_a = self.a.body.plane(meeting.faces[0]).0.dot(meeting.normal);
                let along_b = self.b.body.plane(meeting.faces[1]).0.dot(normal_in_b);
                along_a >= -along_b
            }
        };
        let [face_a, face_b] = meeting.faces;
        let missed = MISSED * (self.a.body.reach() + self.b.body.reach());
        let least = meeting.distance - missed;
        let manifold = if a_is_reference {
            let normal = meeting.normal;
            let view = View { normal, reference: face_a, incident: face_b, margin, least };
            facing::manifold(&self.a, &self.b, &self.seen, &view)
        } else {
            let normal = if meeting.normal_of == Owner::B {
                self.b.body.plane(face_b).0
            } else {
                -normal_in_b
            };
            let view = View { normal, reference: face_b, incident: face_a, margin, least };
            facing::manifold(&self.b, &self.a, &self.seen_back, &view).turned_round()
        };
        let faces = !manifold.points().is_empty();
        (faces && manifold.depth() >= -meeting.distance - missed).then_some(manifold)
    }

    /// The nearest points alone, in the world.
    pub(super) fn nearest(&self, meeting: &Meeting) -> Nearest {
        let half = meeting.normal * (0.5 * meeting.distance);
        let (middle, parts) = self.place(meeting);
        Nearest {
            normal: self.a.frame.axes * meeting.normal,
            distance: meeting.distance,
            points: [self.a.frame.point(middle - half), self.a.frame.point(middle + half)],
            parts,
        }
    }

    /// Midway between the nearest points, and what is there.
    fn place(&self, meeting: &Meeting) -> (Vec3, [Part; 2]) {
        if let Some(middle) = meeting.middle {
            return (middle, meeting.parts);
        }
        let (normal, distance) = (meeting.normal, meeting.distance);
        let (a, b) = (self.a.body, self.b.body);
        match parted::place(a, b, &self.seen, normal, distance, self.scale) {
            Some(place) => {
                let parts = [parted::part(&place.simplex, 0), parted::part(&place.simplex, 1)];
                (place.middle, parts)
            }
            None => (a.corner_along(normal).1 + normal * (0.5 * distance), meeting.parts),
        }
    }
}

/// The face of an edge with the larger measure, and where the edge starts as seen on it.
fn better(faces: [u32; 2], ends: [u32; 2], measure: impl Fn(u32) -> f32) -> (u32, u32) {
    if measure(faces[0]) >= measure(faces[1]) { (faces[0], ends[0]) } else { (faces[1], ends[1]) }
}
