//! A sphere or a capsule and one triangle of a mesh.

use embate_geom::{
    Frame, Mat3, Vec3, Wide, scalar,
    shapes::{Capsule, Sphere},
};

use super::feature::{Part, feature};
use super::gjk::{self, Distance};
use super::manifold::{ContactPoint, Manifold};
use super::mesh::Facet;
use super::mesh_open::Answer;
use super::mesh_weld::Place;
use super::nearest::Nearest;
use super::parted;
use super::polytope::Polytope;
use super::simplex::Simplex;
use super::support::Rod;
use super::triangle::{BACK, FRONT, Triangle};

/// A point counts as over a triangle up to this part of the coordinates beyond an edge, so that over the edge
/// between two of them it is over one at least: what rounding may do to it.
const OVER: f32 = 4.0 * f32::EPSILON;

/// Whether a point lies over a triangle, seen along its normal.
fn is_over(triangle: &Triangle, point: Vec3) -> bool {
    let slack = OVER * (triangle.outer_radius() + point.abs().largest());
    triangle.inside(point).iter().enumerate().all(|(edge, &inside)| {
        let length = (triangle.corner(edge + 1) - triangle.corner(edge)).length();
        inside >= -slack * length
    })
}

/// A point of a triangle is on an edge if it is no farther from it than this part of the triangle's size.
const AT_AN_EDGE: f32 = 2e-5;

/// On two of them it is in their corner if it is no farther from that: at a corner of 30°, both lines are as near.
const AT_A_CORNER: f32 = 4.0 * AT_AN_EDGE;

/// What of a triangle is at a point of it.
fn place_at(triangle: &Triangle, point: Vec3) -> Place {
    let inside = triangle.inside(point);
    let near: [bool; 3] = core::array::from_fn(|edge| {
        let length = (triangle.corner(edge + 1) - triangle.corner(edge)).length();
        inside[edge] <= AT_AN_EDGE * triangle.outer_radius() * length
    });
    match near {
        [false, false, false] => Place::Face,
        [true, false, false] => Place::Edge(0),
        [false, true, false] => Place::Edge(1),
        [false, false, true] => Place::Edge(2),
        _ => {
            // A sliver is near two lines, or all three, far from where they meet.
            let to = |corner: usize| (point - triangle.corner(corner)).length();
            let corner = (1..3).fold(0, |best, next| if to(next) < to(best) { next } else { best });
            if to(corner) <= AT_A_CORNER * triangle.outer_radius() {
                return Place::Corner(corner);
            }
            let beside = |edge: usize| {
                let length = (triangle.corner(edge + 1) - triangle.corner(edge)).length();
                if near[edge] { inside[edge] / length } else { f32::INFINITY }
            };
            let first = usize::from(beside(1) < beside(0));
            Place::Edge(if beside(2) < beside(first) { 2 } else { first })
        }
    }
}

/// A ball of the body's, against the triangle: its middle, the normal out of the triangle, and the nearest
/// point of the triangle, all as seen from the triangle.
struct Ball {
    middle: Vec3,
    normal: Vec3,
    nearest: Vec3,
    distance: f32,
    parts: [Part; 2],
}

impl Ball {
    fn in_world(&self, facet: &Facet<'_>, radius: f32) -> Nearest {
        let on_a = self.middle - self.normal * radius;
        Nearest {
            normal: -(facet.frame.axes * self.normal),
            distance: self.distance,
            points: [facet.frame.point(on_a), facet.frame.point(self.nearest)],
            parts: self.parts,
        }
    }
}

/// Where a sphere touches.
pub(super) fn sphere(sphere: Sphere, facet: &Facet<'_>, margin: f32) -> Answer {
    let (triangle, middle, radius) = (&facet.triangle, facet.body.origin, sphere.radius());
    let face = triangle.side_of(middle);
    let height = triangle.height(face, middle);
    if height - radius > margin {
        return Answer::Nothing;
    }
    let side = triangle.side(face);
    let on_face = || {
        is_over(triangle, middle).then(|| Ball {
            middle,
            normal: side,
            nearest: middle - side * height,
            distance: height - radius,
            parts: [Part::WHOLE, Part::face(face)],
        })
    };
    let ball = if facet.face_alone(face) {
        on_face()
    } else {
        let (found, place) = ball_at(facet, radius, face);
        if found.distance > margin {
            return Answer::Nothing;
        }
        match facet.touched_at(face, place, found.normal) {
            Some(true) => Some(found),
            Some(false) => None,
            None => on_face(),
        }
    };
    match ball {
        Some(ball) if ball.distance <= margin => {
            Answer::Told(ball.in_world(facet, radius).manifold())
        }
        Some(_) => Answer::Nothing,
        None => Answer::Perhaps,
    }
}

/// The ball of a sphere against the nearest point of a triangle.
fn ball_at(facet: &Facet<'_>, radius: f32, face: u32) -> (Ball, Place) {
    let (triangle, middle) = (&facet.triangle, facet.body.origin);
    let nearest = triangle.nearest(facet.origin);
    let way = facet.origin - nearest;
    let length = way.length();
    let place = place_at(triangle, nearest.narrow());
    // Below the rounding of its ends a way has no direction, and over the face there is a better one.
    let vague = 1e-12 * (f64::from(triangle.reach()) + facet.origin.length());
    let normal = if length > vague && place != Place::Face {
        (way * (1.0 / length)).narrow()
    } else {
        triangle.side(face)
    };
    let ball = Ball {
        middle,
        normal,
        nearest: nearest.narrow(),
        distance: (length - f64::from(radius)) as f32,
        parts: [Part::WHOLE, place.part(face)],
    };
    (ball, place)
}

/// Where a sphere is nearest; `None` if farther apart than `beyond`.
pub(super) fn nearest_sphere(sphere: Sphere, facet: &Facet<'_>, beyond: f32) -> Option<Nearest> {
    let middle = facet.body.origin;
    let face = facet.triangle.side_of(middle);
    let (found, _) = ball_at(facet, sphere.radius(), face);
    (found.distance <= beyond).then(|| found.in_world(facet, sphere.radius()))
}

/// The segment of a capsule as seen from the triangle.
struct Segment<'a> {
    triangle: &'a Triangle,
    middle: Vec3,
    tip: Vec3,
}

impl<'a> Segment<'a> {
    fn new(capsule: Capsule, facet: &'a Facet<'_>) -> Self {
        let tip = facet.body.axes.columns[1] * capsule.half_height();
        Self { triangle: &facet.triangle, middle: facet.body.origin, tip }
    }

    fn at(&self, place: f32) -> Vec3 {
        self.middle + self.tip * place
    }

    fn distance(&self, beyond: f32) -> Distance {
        let seen = Frame { axes: Mat3::IDENTITY, origin: self.middle };
        let start = if self.middle == Vec3::ZERO { self.triangle.normal } else { self.middle };
        // What is told in the end decides, not what rounding makes of the sum of margin and radius.
        let farther = beyond + gjk::ROUNDING * self.scale();
        gjk::distance(self.triangle, &Rod(self.tip), &seen, start, farther, self.scale())
    }

    /// Where on the segment the nearest point is.
    fn place(simplex: &Simplex) -> f32 {
        simplex.corners().iter().fold(0.0, |place, corner| {
            place + if corner.indices[1] == 0 { -corner.weight } else { corner.weight }
        }) as f32
    }

    /// The stretch of the segment over the triangle, from −1 to 1; `None` if there is none.
    fn stretch(&self) -> Option<[f32; 2]> {
        let (low, high) = (self.triangle.inside(self.at(-1.0)), self.triangle.inside(self.at(1.0)));
        let slack = OVER * self.scale();
        let (mut first, mut last) = (-1.0_f32, 1.0_f32);
        for edge in 0..3 {
            let length = (self.triangle.corner(edge + 1) - self.triangle.corner(edge)).length();
            let (low, high) = (low[edge] + slack * length, high[edge] + slack * length);
            if low < 0.0 && high < 0.0 {
                return None;
            }
            let place = 1.0 - 2.0 * (high / (high - low));
            if low < 0.0 && place > first {
                first = place;
            } else if high < 0.0 && place < last {
                last = place;
            }
        }
        (first <= last).then_some([first, last])
    }

    /// A point of the segment against the triangle along a normal.
    fn ball(&self, place: f32, normal: Vec3, nearest: Vec3, distance: f32, part: Part) -> Ball {
        let parts = [Part::of_rod(place.into()), part];
        Ball { middle: self.at(place), normal, nearest, distance, parts }
    }

    /// The ball that is deepest where the segment goes through the triangle.
    fn overlapping(&self, radius: f32) -> Ball {
        let (normal, distance) = self.deepest();
        let face = if normal.dot(self.triangle.normal) >= 0.0 { FRONT } else { BACK };
        let seen = Frame { axes: Mat3::IDENTITY, origin: self.middle };
        let (rod, scale) = (Rod(self.tip), self.scale());
        let smaller = scalar::min(self.tip.length(), self.triangle.reach());
        let gap = gjk::slack(parted::GAP, smaller, scale);
        let place = parted::place(self.triangle, &rod, &seen, normal, distance, (gap, scale));
        let (middle, along) = match &place {
            Some(place) => (place.middle, Self::place(&place.simplex)),
            None => (self.middle - normal * (0.5 * distance), 0.0),
        };
        let half = normal * (0.5 * distance);
        let part = place_at(self.triangle, middle - half).part(face);
        Ball {
            middle: middle + half,
            normal,
            nearest: middle - half,
            distance: distance - radius,
            parts: [Part::of_rod(along.into()), part],
        }
    }

    /// Nearer points are the same: by a part of the smaller one's size, and by rounding.
    fn slack(&self, radius: f32) -> f32 {
        let size = self.tip.length() + radius;
        gjk::slack(1e-5, scalar::min(size, self.triangle.reach()), self.scale())
    }

    fn scale(&self) -> f32 {
        self.triangle.reach() + self.middle.abs().largest() + self.tip.abs().largest()
    }

    /// The axis along which a segment through a triangle parts from it soonest: with its distance, below 0.
    fn deepest(&self) -> (Vec3, f32) {
        let corners = [0, 1, 2].map(|corner| Wide::from(self.triangle.corner(corner)));
        let (middle, tip) = (Wide::from(self.middle), Wide::from(self.tip));
        let side = Wide::from(self.triangle.normal);
        let mut best = (f64::NEG_INFINITY, side);
        let mut offer = |axis: Wide| {
            let top = corners.iter().fold(f64::NEG_INFINITY, |top, &c| top.max(axis.dot(c)));
            let gap = axis.dot(middle) - axis.dot(tip).abs() - top;
            if gap > best.0 {
                best = (gap, axis);
            }
        };
        offer(side);
        offer(-side);
        for edge in 0..3 {
            let along = corners[(edge + 1) % 3] - corners[edge];
            for axis in [along.cross(side), along.cross(tip)] {
                let length = axis.length();
                if length > 1e-9 * along.length() * tip.length().max(1e-9) {
                    offer(axis * (1.0 / length));
                    offer(axis * (-1.0 / length));
                }
            }
        }
        (best.1.narrow(), best.0 as f32)
    }
}

/// One or two points where a capsule touches: over the face, both ends of what lies over it.
pub(super) fn capsule(capsule: Capsule, facet: &Facet<'_>, margin: f32) -> Answer {
    let (triangle, radius) = (&facet.triangle, capsule.radius());
    let segment = Segment::new(capsule, facet);
    let face = triangle.side_of(segment.middle);
    let ends = [-1.0, 1.0].map(|place| triangle.height(face, segment.at(place)));
    let lowest = if ends[0] < ends[1] { ends[0] } else { ends[1] };
    if lowest - radius > margin {
        return Answer::Nothing;
    }
    let over_face = || over_face(&segment, facet, face, radius, margin);
    // Some of it is no farther behind the face than the radius.
    let is_cut = |told: &Manifold| told.points().iter().any(|point| point.depth <= 2.0 * radius);
    let over = |told: Option<Manifold>, cut: bool| match told {
        None => Answer::Perhaps,
        Some(told) if cut || is_cut(&told) => Answer::Told(told),
        Some(told) => Answer::Behind(told, face),
    };
    if facet.face_alone(face) {
        return over(over_face(), false);
    }
    match segment.distance(margin + radius) {
        Distance::Beyond => Answer::Nothing,
        Distance::Overlapping => Answer::Told(
            over_face()
                .unwrap_or_else(|| segment.overlapping(radius).in_world(facet, radius).manifold()),
        ),
        Distance::Apart(apart) => {
            let (normal, nearest) = (apart.normal(), apart.on_a.narrow());
            let on_triangle = place_at(triangle, nearest);
            // If they are apart along the normal of the face by as much, that is the better one, and there may be
            // two points.
            let along = lowest >= apart.distance as f32 - segment.slack(radius);
            match facet.touched_at(face, on_triangle, normal) {
                Some(false) => return Answer::Perhaps,
                Some(true) if !along => {}
                told => {
                    let manifold = over_face();
                    let deep = radius - apart.distance as f32 - segment.slack(radius);
                    if told.is_none() || manifold.as_ref().is_some_and(|m| m.depth() >= deep) {
                        let depth = manifold.as_ref().map_or(0.0, Manifold::depth);
                        return over(manifold, depth <= 0.0 || apart.distance <= radius.into());
                    }
                }
            }
            let place = Segment::place(&apart.simplex);
            let distance = (segment.at(place) - nearest).dot(normal) - radius;
            let part = on_triangle.part(face);
            let ball = segment.ball(place, normal, nearest, distance, part);
            if distance <= margin {
                Answer::Told(ball.in_world(facet, radius).manifold())
            } else {
                Answer::Nothing
            }
        }
    }
}

/// The same point of a triangle's plane if it is one of the triangle's: beyond a sharp corner, what rounding allows
/// is far.
fn within(triangle: &Triangle, point: Vec3) -> Vec3 {
    let beside = triangle.inside(point).iter().any(|&inside| inside < 0.0);
    if beside { triangle.nearest(Wide::from(point)).narrow() } else { point }
}

fn over_face(
    segment: &Segment<'_>,
    facet: &Facet<'_>,
    face: u32,
    radius: f32,
    margin: f32,
) -> Option<Manifold> {
    let (triangle, side) = (&facet.triangle, facet.triangle.side(face));
    let [first, last] = segment.stretch()?;
    let height = |place: f32| triangle.height(face, segment.at(place));
    let normal = -(facet.frame.axes * side);
    let mut manifold = Manifold::along(normal);
    // Ends closer than a thousandth of the segment are one: the lower.
    let lower = if height(first) <= height(last) { first } else { last };
    let ends = if last - first > 2e-3 { [Some(first), Some(last)] } else { [Some(lower), None] };
    for (number, place) in ends.into_iter().flatten().enumerate() {
        let distance = height(place) - radius;
        if distance <= margin {
            let below = segment.at(place) - side * height(place);
            manifold.push(ContactPoint {
                point: facet.frame.point(within(triangle, below) + side * (0.5 * distance)),
                depth: -distance,
                feature: feature(Part::of_stretch(place.into(), number), Part::face(face)),
            });
        }
    }
    (!manifold.points().is_empty()).then_some(manifold)
}

/// Where a capsule is nearest; `None` if farther apart than `beyond`.
pub(super) fn nearest_capsule(capsule: Capsule, facet: &Facet<'_>, beyond: f32) -> Option<Nearest> {
    let (triangle, radius) = (&facet.triangle, capsule.radius());
    let segment = Segment::new(capsule, facet);
    let found = match segment.distance(beyond + radius) {
        Distance::Beyond => return None,
        Distance::Apart(apart) => {
            let (place, normal) = (Segment::place(&apart.simplex), apart.normal());
            let nearest = apart.on_a.narrow();
            let face = if normal.dot(triangle.normal) >= 0.0 { FRONT } else { BACK };
            let part = place_at(triangle, nearest).part(face);
            segment.ball(place, normal, nearest, apart.distance as f32 - radius, part)
        }
        Distance::Overlapping => segment.overlapping(radius),
    };
    (found.distance <= beyond).then(|| found.in_world(facet, radius))
}
