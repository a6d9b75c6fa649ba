//! Two solids meet along a normal: in which points?

use embate_geom::{Vec3, Wide};

use super::facing;
use super::feature::Part;
use super::flat::{self, View};
use super::gjk::Apart;
use super::manifold::Manifold;
use super::nearest::Nearest;
use super::overlay;
use super::parted;
use super::polytope::Polytope;
use super::polytopes::Pair;
use super::rods::Rods;
use super::sat::{Axis, AxisOf};
use super::simplex::Simplex;

/// The deepest point of two faces laid over each other may be less deep than the axis says by this part of
/// the smaller one's size: of two faces that are nearly parallel, the deepest corner may lie beside the overlap.
pub(super) const MISSED: f32 = 3e-5;

/// Nearest points that lie no farther aside, as a part of the smaller one's size, are the same.
const SNAPPED: f32 = 1e-5;

/// Where two bodies touch, before it is known in how many points: in the frame of A.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    /// From A to B, of length 1.
    pub(super) normal: Vec3,
    /// Between the surfaces; below 0 inside.
    pub(super) distance: f32,
    /// Faces to lay over each other.
    pub(super) faces: [u32; 2],
    /// Where the nearest points are.
    pub(super) spot: Spot,
    /// Whether the normal is that of B's face, or of A's.
    pub(super) normal_of: Owner,
}

/// Where two bodies are nearest.
#[derive(Clone, Copy, Debug)]
pub(super) enum Spot {
    /// Midway between these two parts.
    Middle(Vec3, [Part; 2]),
    /// A corner of A, over the face of B if not beside it.
    CornerOfA(u32),
    /// A corner of B, over the face of A if not beside it.
    CornerOfB(u32),
    /// An edge of each, if they are not beside each other.
    Edges(u32, u32),
}

/// Whose face gives the normal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    A,
    B,
    Neither,
}

impl<A: Polytope, B: Polytope> Pair<'_, A, B> {
    /// From the way between them.
    pub(super) fn apart(&self, apart: &Apart) -> Meeting {
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
        let aside = self.slack(SNAPPED);
        for (of, face) in [(Owner::A, faces[0]), (Owner::B, faces[1])] {
            if let Some((exact, distance, parts)) = self.along_face(of, face, normal) {
                // The same nearest points but for rounding: the face gives its exact normal.
                let way = exact * distance - apart.between.narrow();
                if way.length_squared() <= aside * aside {
                    // Along the face rounding may have made nothing of the way between them.
                    let distance = if distance > 0.0 { distance } else { apart.distance as f32 };
                    let spot = Spot::Middle(on_a + exact * (0.5 * distance), parts);
                    return Meeting { normal: exact, distance, faces, spot, normal_of: of };
                }
            }
        }
        let parts = self.parts(&apart.simplex, normal);
        Meeting {
            normal,
            distance: apart.distance as f32,
            faces,
            spot: Spot::Middle((apart.on_a + apart.between * 0.5).narrow(), parts),
            normal_of: Owner::Neither,
        }
    }

    /// Normal, distance and parts along the normal of a face that is nearly `normal`.
    fn along_face(&self, of: Owner, face: u32, normal: Vec3) -> Option<(Vec3, f32, [Part; 2])> {
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
        Some(if of == Owner::A {
            let (vertex, point) = self.b.body.corner_along(-self.seen.axes.transposed_times(exact));
            let distance = exact.dot(self.seen.point(point)) - offset;
            (turned, distance, [Part::face(face), Part::corner(vertex)])
        } else {
            let (vertex, point) = self.a.body.corner_along(turned);
            let distance = exact.dot(self.seen_back.point(point)) - offset;
            (turned, distance, [Part::corner(vertex), Part::face(face)])
        })
    }

    /// From the axis along which they part soonest.
    #[inline]
    pub(super) fn along_axis(&self, axis: &Axis) -> Meeting {
        let (a, b) = (self.a.body, self.b.body);
        let in_b = -self.seen.axes.transposed_times(axis.normal);
        let (faces, spot, normal_of) = match axis.of {
            AxisOf::FaceOfA(face, vertex) => {
                ([face, b.face_at(vertex, in_b)], Spot::CornerOfB(vertex), Owner::A)
            }
            AxisOf::FaceOfB(face, vertex) => {
                ([a.face_at(vertex, axis.normal), face], Spot::CornerOfA(vertex), Owner::B)
            }
            AxisOf::Edges(edge_a, edge_b) => {
                let face_a = better(a.edge(edge_a).1, |face| a.plane(face).0.dot(axis.normal));
                let face_b = better(b.edge(edge_b).1, |face| b.plane(face).0.dot(in_b));
                ([face_a, face_b], Spot::Edges(edge_a, edge_b), Owner::Neither)
            }
        };
        Meeting { normal: axis.normal, distance: axis.separation, faces, spot, normal_of }
    }

    /// All points of a meeting.
    #[inline]
    pub(super) fn manifold(&self, meeting: &Meeting, margin: f32) -> Manifold {
        let laid = self.laid_over(meeting, margin);
        if self.holds_deepest(&laid, meeting) {
            return laid;
        }
        let nearest = self.nearest_points(meeting);
        let [face_a, face_b] = meeting.faces;
        let some = self.a.body.corners(face_a).len().max(self.b.body.corners(face_b).len());
        // Of very many corners only some took part, and the deepest was not among them.
        if some > overlay::MOST_CORNERS && !laid.points().is_empty() {
            return laid.with(nearest.contact_point());
        }
        nearest.manifold()
    }

    /// All points of a meeting, if the faces that meet hold its nearest point: a corner against a corner
    /// may lie beside both.
    #[inline]
    pub(super) fn facing_manifold(&self, meeting: &Meeting, margin: f32) -> Option<Manifold> {
        let manifold = self.laid_over(meeting, margin);
        self.holds_deepest(&manifold, meeting).then_some(manifold)
    }

    #[inline]
    fn holds_deepest(&self, manifold: &Manifold, meeting: &Meeting) -> bool {
        !manifold.points().is_empty() && manifold.depth() >= -meeting.distance - self.slack(MISSED)
    }

    /// The faces that meet, laid over each other.
    #[inline]
    fn laid_over(&self, meeting: &Meeting, margin: f32) -> Manifold {
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
        let slack = self.slack(flat::SLACK);
        let least = meeting.distance - self.slack(MISSED);
        if a_is_reference {
            let normal = meeting.normal;
            let view = View { normal, reference: face_a, incident: face_b, margin, least, slack };
            facing::manifold(&self.a, &self.b, &self.seen, &view)
        } else {
            let normal = if meeting.normal_of == Owner::B {
                self.b.body.plane(face_b).0
            } else {
                -normal_in_b
            };
            let view = View { normal, reference: face_b, incident: face_a, margin, least, slack };
            facing::manifold(&self.b, &self.a, &self.seen_back, &view).turned_round()
        }
    }

    /// The nearest points alone, in the world.
    pub(super) fn nearest_points(&self, meeting: &Meeting) -> Nearest {
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
        let (a, b) = (self.a.body, self.b.body);
        let [face_a, face_b] = meeting.faces;
        let half = meeting.normal * (0.5 * meeting.distance);
        let known = match meeting.spot {
            Spot::Middle(middle, parts) => Some((middle, parts)),
            Spot::CornerOfA(vertex) => {
                let point = a.vertex(vertex);
                let over = b.is_over(face_b, self.seen_back.point(point));
                over.then(|| (point + half, [Part::corner(vertex), Part::face(face_b)]))
            }
            Spot::CornerOfB(vertex) => {
                let point = self.seen.point(b.vertex(vertex));
                let over = a.is_over(face_a, point);
                over.then(|| (point - half, [Part::face(face_a), Part::corner(vertex)]))
            }
            Spot::Edges(edge_a, edge_b) => self.crossing(edge_a, edge_b, meeting),
        };
        known.unwrap_or_else(|| self.parted(meeting))
    }

    /// Where they would touch if they were moved apart.
    fn parted(&self, meeting: &Meeting) -> (Vec3, [Part; 2]) {
        let (normal, distance) = (meeting.normal, meeting.distance);
        let (a, b) = (self.a.body, self.b.body);
        let room = (self.slack(parted::GAP), self.scale);
        let place = parted::place(a, b, &self.seen, normal, distance, room);
        if let Some(parted::Place { middle, simplex }) = place {
            return (middle, self.parts(&simplex, normal));
        }
        let vertex = self.corner_of_a(normal);
        let parts = [Part::corner(vertex), Part::face(meeting.faces[1])];
        (a.vertex(vertex) + normal * (0.5 * distance), parts)
    }

    /// What the corners of a simplex lie on.
    fn parts(&self, simplex: &Simplex, normal: Vec3) -> [Part; 2] {
        let in_b = -self.seen.axes.transposed_times(normal);
        [parted::part(self.a.body, simplex, 0, normal), parted::part(self.b.body, simplex, 1, in_b)]
    }

    /// Where two edges cross; `None` if they do not: of parallel edges others may be as good, and the ones
    /// that were found lie beside each other.
    fn crossing(&self, edge_a: u32, edge_b: u32, meeting: &Meeting) -> Option<(Vec3, [Part; 2])> {
        let (a, b) = (self.a.body, self.b.body);
        let ((ends_a, _), (ends_b, _)) = (a.edge(edge_a), b.edge(edge_b));
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
        let aside = way.cross(Wide::from(meeting.normal)).length();
        (aside <= f64::from(self.slack(SNAPPED))).then(|| {
            let middle = (middle_a + rods.tip_a * places.on_a + way * 0.5).narrow();
            (middle, [Part::edge(edge_a), Part::edge(edge_b)])
        })
    }
}

/// The one of two faces with the larger measure.
#[inline]
fn better([one, other]: [u32; 2], measure: impl Fn(u32) -> f32) -> u32 {
    if measure(one) >= measure(other) { one } else { other }
}
