//! A capsule and a hull: the capsule's segment against the planes of the hull, then, where no plane
//! decides, against its edges.

use embate_geom::{
    Frame, Mat3, Pose, Vec3, Wide, scalar,
    shapes::{Capsule, Hull},
};

use super::feature::{Part, feature};
use super::gjk::{self, Apart, Distance};
use super::manifold::{ContactPoint, Manifold};
use super::nearest::Nearest;
use super::parted;
use super::polytope::Polytope;
use super::rods::{self, Places, Rods};
use super::sat::FACE_PREFERENCE;
use super::simplex::Simplex;
use super::support::Rod;

/// A segment that rises less, as a part of the smaller one's size, lies along a face.
const NEARLY_ALONG: f32 = 2e-5;

/// The segment in the frame of the hull: its middle, and from there to its upper end.
struct Segment<'a> {
    hull: &'a Hull,
    middle: Vec3,
    tip: Vec3,
    /// The size of the smaller body, and of the largest coordinate.
    smaller: f32,
    scale: f32,
}

/// Where the segment is nearest to or deepest in the hull; the normal points out of the hull.
#[derive(Clone, Copy)]
struct Found {
    normal: Vec3,
    distance: f32,
    /// −1 is its lower end, 1 its upper.
    place: f32,
    of: Of,
}

/// The part of the hull that is nearest.
#[derive(Clone, Copy, PartialEq)]
enum Of {
    Face(u32),
    Edge(u32),
    Corner(u32),
}

impl Of {
    fn part(self) -> Part {
        match self {
            Self::Face(face) => Part::face(face),
            Self::Edge(edge) => Part::edge(edge),
            Self::Corner(corner) => Part::corner(corner),
        }
    }
}

impl<'a> Segment<'a> {
    fn new((a, pose_a): (&Capsule, &Pose), (b, pose_b): (&'a Hull, &Pose)) -> Self {
        let seen = pose_b.seen(pose_a);
        let tip = seen.axes.columns[1] * a.half_height();
        let scale = b.reach() + seen.origin.abs().largest() + a.half_height();
        let smaller = scalar::min(b.size(), a.half_height() + a.radius());
        Self { hull: b, middle: seen.origin, tip, smaller, scale }
    }

    fn slack(&self, part: f32) -> f32 {
        gjk::slack(part, self.smaller, self.scale)
    }

    fn at(&self, place: f32) -> Vec3 {
        self.middle + self.tip * place
    }

    /// `None` if the segment is farther away than `beyond`.
    fn found(&self, beyond: f32) -> Option<Found> {
        let of_face = self.best_face();
        if of_face.distance > beyond {
            return None;
        }
        if of_face.distance > 0.0 {
            if self.is_over(&of_face) {
                return Some(of_face);
            }
            let apart = self.apart(beyond, of_face)?;
            // So little has no direction: the face that parts them has.
            let vague = apart.distance <= self.slack(0.0);
            return Some(if vague { self.parted(of_face) } else { apart });
        }
        let best = self.best_edge(of_face);
        // So little inside may be outside of the tip of a needle, along an axis that a face was preferred to.
        if best.distance > -2.0 * self.slack(FACE_PREFERENCE) {
            let apart = self.apart(beyond, best);
            // And so little outside has no direction.
            if apart.is_none_or(|apart| apart.distance > self.slack(0.0)) {
                return apart;
            }
        }
        Some(if best.of == of_face.of && !self.is_over(&best) { self.parted(best) } else { best })
    }

    /// The same where the place that is deepest behind a face lies beside it.
    fn parted(&self, found: Found) -> Found {
        let (seen, rod) = (self.seen(), Rod(self.tip));
        let room = (self.slack(parted::GAP), self.scale);
        let place = parted::place(self.hull, &rod, &seen, found.normal, found.distance, room);
        place.map_or(found, |place| Found { place: along(&place.simplex), ..found })
    }

    /// The segment as seen from the hull.
    fn seen(&self) -> Frame {
        Frame { axes: Mat3::IDENTITY, origin: self.middle }
    }

    fn best_face(&self) -> Found {
        let (face, distance) = self.hull.farthest_plane_of_segment(self.middle, self.tip);
        let rise = self.hull.plane(face).0.dot(self.tip);
        // The lower end; of a segment nearly along the face, as far as the face goes.
        let place = if rise.abs() <= self.slack(NEARLY_ALONG) {
            let [first, last] = self.stretch_over(face, self.hull.plane(face).0);
            if first > last || rise == 0.0 {
                0.5 * (clamped(first) + clamped(last))
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
        Found { normal: self.hull.plane(face).0, distance, place, of: Of::Face(face) }
    }

    /// Whether the nearest place lies over the face it was found with.
    fn is_over(&self, found: &Found) -> bool {
        let Of::Face(face) = found.of else { return false };
        let [first, last] = self.stretch_over(face, found.normal);
        first <= found.place && found.place <= last
    }

    /// The ends of the stretch over a face as seen along a normal, its own or nearly; the first beyond the last if there
    /// is none.
    fn stretch_over(&self, face: u32, normal: Vec3) -> [f32; 2] {
        let corners = Polytope::corners(self.hull, face);
        let (mut first, mut last) = (-1.0_f32, 1.0_f32);
        let mut from = self.hull.vertex(corners[corners.len() - 1]);
        for &corner in corners {
            let to = self.hull.vertex(corner);
            let inwards = normal.cross(to - from);
            let (inside, rise) = (inwards.dot(self.middle - from), inwards.dot(self.tip));
            if rise > 0.0 {
                let enter = -inside / rise;
                first = if enter > first { enter } else { first };
            } else if rise < 0.0 {
                let leave = -inside / rise;
                last = if leave < last { leave } else { last };
            } else if inside < 0.0 {
                return [1.0, -1.0];
            }
            from = to;
        }
        [first, last]
    }

    /// The edge across which the segment parts from the hull sooner than by `best`, or that.
    fn best_edge(&self, best: Found) -> Found {
        let mut best = best;
        let mut least = best.distance + self.slack(FACE_PREFERENCE);
        let tip = Wide::from(self.tip);
        for (index, edge) in (0..).zip(self.hull.edges()) {
            let [one, other] = edge.faces.map(|face| self.hull.plane(face).0);
            if one.dot(self.tip) * other.dot(self.tip) >= 0.0 {
                continue;
            }
            let [from, to] = edge.vertices.map(|vertex| self.hull.vertex(vertex));
            let along = Wide::from(to - from);
            let product = along.cross(tip);
            let square = product.length_squared();
            if square <= 1e-13 * along.length_squared() * tip.length_squared() {
                continue;
            }
            let mut normal = (product * (1.0 / square.sqrt())).narrow();
            if normal.dot(one + other) < 0.0 {
                normal = -normal;
            }
            if normal.dot(self.middle - from) <= least {
                continue;
            }
            // The farthest corner has the last word.
            let distance = normal.dot(self.middle - self.hull.support(normal));
            if distance > least {
                least = distance;
                best = Found { normal, distance, place: 0.0, of: Of::Edge(index) };
            }
        }
        if let Of::Edge(edge) = best.of {
            best.place = self.rods(edge).nearest().on_b as f32;
        }
        best
    }

    /// An edge of the hull, and the segment.
    fn rods(&self, edge: u32) -> Rods {
        let [from, to] = self.hull.edge(edge).0.map(|end| Wide::from(self.hull.vertex(end)));
        Rods {
            tip_a: (to - from) * 0.5,
            tip_b: Wide::from(self.tip),
            between: Wide::from(self.middle) - (from + to) * 0.5,
        }
    }

    /// The true way between the two; `touching` if there is none.
    fn apart(&self, beyond: f32, touching: Found) -> Option<Found> {
        let rod = Rod(self.tip);
        let farther = beyond + self.slack(0.0);
        match gjk::distance(self.hull, &rod, &self.seen(), touching.normal, farther, self.scale) {
            Distance::Beyond => None,
            Distance::Overlapping => Some(touching),
            Distance::Apart(apart) => Some(self.by_way(&apart, &touching)),
        }
    }

    fn by_way(&self, apart: &Apart, of_face: &Found) -> Found {
        let place = along(&apart.simplex);
        let normal = apart.normal();
        let of = self.of(&apart.simplex, normal);
        // No nearer than a plane: whether they touch is decided by that alone where it can be.
        let distance = scalar::max(apart.distance as f32, of_face.distance);
        // The same nearest points but for rounding: the face gives its exact normal.
        let way = of_face.normal * of_face.distance - normal * distance;
        if of == of_face.of && way.length() <= self.slack(1e-5) {
            return Found { place, ..*of_face };
        }
        Found { normal, distance, place, of }
    }

    /// What of the hull the corners of a simplex lie on.
    fn of(&self, simplex: &Simplex, normal: Vec3) -> Of {
        let first = simplex.corners[0].indices[0];
        let mut others = simplex.corners().iter().map(|corner| corner.indices[0]);
        let Some(second) = others.find(|&corner| corner != first) else {
            return Of::Corner(first);
        };
        let edge = self.hull.edge_between(first, second);
        match edge.filter(|_| others.all(|corner| corner == first || corner == second)) {
            Some(edge) => Of::Edge(edge),
            None => Of::Face(self.hull.face_at(first, normal)),
        }
    }

    /// The stretch along which the segment touches the hull, if it does along one.
    fn stretch(&self, found: &Found) -> Option<Stretch> {
        let faces = match found.of {
            Of::Face(face) => return self.over_face(face, found.normal),
            _ if found.distance <= 0.0 => return None,
            Of::Edge(edge) => {
                if let Some(stretch) = self.along_edge(edge, found) {
                    return Some(stretch);
                }
                self.hull.edge(edge).1
            }
            Of::Corner(corner) => [self.hull.face_at(corner, found.normal); 2],
        };
        // Nearest at the rim of a face that it lies along.
        let [one, other] = faces.map(|face| (found.normal.dot(self.hull.plane(face).0), face));
        let (steepness, face) = if one.0 >= other.0 { one } else { other };
        if steepness >= rods::ALONG_FACE { self.over_face(face, found.normal) } else { None }
    }

    /// The stretch over a face as seen along the normal; the distances are along that, too.
    fn over_face(&self, face: u32, normal: Vec3) -> Option<Stretch> {
        let [first, last] = self.stretch_over(face, normal);
        let (upwards, offset) = self.hull.plane(face);
        let steepness = upwards.dot(normal);
        let at = |place: f32| (place, (upwards.dot(self.at(place)) - offset) / steepness);
        // Ends closer than a thousandth of the segment are one; and a face of a needle may look quite another way than
        // what was found with it.
        let is_stretch = last - first > 2e-3 && steepness > 0.5;
        is_stretch.then(|| Stretch { part: Part::face(face), ends: [at(first), at(last)] })
    }

    fn along_edge(&self, edge: u32, found: &Found) -> Option<Stretch> {
        let rods = self.rods(edge);
        let ends = rods.stretch()?;
        let size = f64::from(self.smaller);
        let shares = |&places: &Places| rods::shares(rods.way(places), found.normal, 0.0, size);
        ends.iter().all(shares).then(|| Stretch {
            part: Part::edge(edge),
            ends: ends.map(|places| (places.on_b as f32, rods.way(places).length() as f32)),
        })
    }
}

/// Where a segment touches a part of a hull from one place to another.
struct Stretch {
    part: Part,
    /// Where on the segment it begins and ends, and how far from the hull that is.
    ends: [(f32, f32); 2],
}

fn in_world(segment: &Segment<'_>, found: &Found, radius: f32, pose_b: &Pose) -> Nearest {
    let frame = pose_b.frame();
    let at = segment.at(found.place);
    Nearest {
        normal: -(frame.axes * found.normal),
        distance: found.distance - radius,
        points: [
            frame.point(at - found.normal * radius),
            frame.point(at - found.normal * found.distance),
        ],
        parts: [Part::of_rod(f64::from(found.place)), found.of.part()],
    }
}

/// The place on the segment that a simplex of hull and segment holds.
fn along(simplex: &Simplex) -> f32 {
    simplex.corners().iter().fold(0.0, |place, corner| {
        place + if corner.indices[1] == 0 { -corner.weight } else { corner.weight }
    }) as f32
}

fn clamped(place: f32) -> f32 {
    place.clamp(-1.0, 1.0)
}

/// Where they are nearest; `None` if farther apart than `beyond`.
pub(super) fn nearest(
    (a, pose_a): (&Capsule, &Pose),
    (b, pose_b): (&Hull, &Pose),
    beyond: f32,
) -> Option<Nearest> {
    let segment = Segment::new((a, pose_a), (b, pose_b));
    let found = segment.found(beyond + a.radius())?;
    let nearest = in_world(&segment, &found, a.radius(), pose_b);
    (nearest.distance <= beyond).then_some(nearest)
}

/// One or two points: a segment over a face or along an edge touches with both ends of its stretch.
pub(super) fn contact(
    (a, pose_a): (&Capsule, &Pose),
    (b, pose_b): (&Hull, &Pose),
    margin: f32,
) -> Option<Manifold> {
    let segment = Segment::new((a, pose_a), (b, pose_b));
    let found = segment.found(margin + a.radius())?;
    let nearest = in_world(&segment, &found, a.radius(), pose_b);
    if nearest.distance > margin {
        return None;
    }
    let Some(Stretch { part, ends }) = segment.stretch(&found) else {
        return Some(nearest.manifold());
    };
    let frame = pose_b.frame();
    let mut manifold = Manifold::along(nearest.normal);
    for (number, (place, distance)) in ends.into_iter().enumerate() {
        let distance = distance - a.radius();
        if distance <= margin {
            let on_a = segment.at(place) - found.normal * a.radius();
            manifold.push(ContactPoint {
                point: frame.point(on_a - found.normal * (0.5 * distance)),
                depth: -distance,
                feature: feature(Part::of_stretch(f64::from(place), number), part),
            });
        }
    }
    // The deepest place is an end of the stretch, but where the segment is nearly along the face.
    let tolerance = segment.slack(4e-5);
    if manifold.points().is_empty() || manifold.depth() < -nearest.distance - tolerance {
        return Some(nearest.manifold());
    }
    Some(manifold)
}
