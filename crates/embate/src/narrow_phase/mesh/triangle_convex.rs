//! A box, a hull or a half-space and one triangle of a mesh.

use embate_geom::{Frame, Vec3, Wide, scalar, shapes::Plane};

use super::facing;
use super::feature::{Part, feature};
use super::flat::{self, View};
use super::gjk::{self, Distance};
use super::manifold::{ContactPoint, Manifold};
use super::meeting::Meeting;
use super::mesh::Facet;
use super::mesh_open::Answer;
use super::mesh_weld::Allowed;
use super::nearest::Nearest;
use super::polytope::{Placed, Polytope};
use super::polytopes::Pair;
use super::rods::Rods;
use super::sat::{Axis, AxisOf, FACE_PREFERENCE};
use super::support::Support;
use super::triangle::{BACK, FRONT, Triangle};

/// Edges closer to parallel have no axis of their own (sin² of the angle).
const PARALLEL: f64 = 1e-10;

/// A weld that makes a contact farther by more than this part of the smaller one's size leaves it to the neighbours to
/// tell the nearest: half of the promised precision.
pub(super) const WELDED: f32 = 5e-5;

/// Where a solid A with flat faces touches a triangle.
pub(super) fn contact<A: Polytope>(
    a: &A,
    frame_a: &Frame,
    facet: &Facet<'_>,
    margin: f32,
) -> Answer {
    let triangle = &facet.triangle;
    let middle = triangle.side_of(facet.body.point(a.inner_ball().0));
    let lowest = Lowest::new(a, facet, middle);
    // Whether they touch is decided in one way: what is apart by rounding alone does.
    let rounding = gjk::ROUNDING * scale(a, facet);
    if lowest.height > scalar::max(margin, rounding) {
        return Answer::Nothing;
    }
    let along = |normal: Vec3, face: u32, face_a: u32| {
        let (least, slack) = (f32::NEG_INFINITY, slack(a, facet, flat::SLACK));
        let view = View { normal, reference: face, incident: face_a, margin, least, slack };
        let reference = Placed { body: triangle, frame: facet.frame };
        let incident = Placed { body: a, frame: *frame_a };
        let manifold = facing::manifold(&reference, &incident, &facet.body, &view);
        (!manifold.points().is_empty()).then(|| manifold.turned_round())
    };
    if facet.face_alone(middle) {
        return match along(triangle.side(middle), middle, lowest.face(a)) {
            None => Answer::Perhaps,
            Some(told) if told.depth() <= 0.0 || is_cut(a, frame_a, &told) => Answer::Told(told),
            Some(told) => Answer::Behind(told, middle),
        };
    }
    let pair = pair(a, frame_a, facet);
    let Some(meeting) = meeting(&pair, margin, &[middle], lowest.down) else {
        return Answer::Nothing;
    };
    let out = -(facet.body.axes * meeting.normal);
    let apart = meeting.distance > 0.0;
    // Past a ridge the middle may be behind a triangle whose front the body is at.
    let face = if apart { triangle.side_along(out, middle) } else { middle };
    let lowest = if face == middle { lowest } else { Lowest::new(a, facet, face) };
    let normal = match facet.weld(face).allowed(out) {
        Allowed::Itself => return Answer::Told(pair.manifold(&meeting, margin)),
        Allowed::Face => triangle.side(face),
        Allowed::Beyond(normal) => normal,
    };
    // Where the lowest face is not the one that lies over this triangle, the nearest one may be.
    let told =
        along(normal, face, lowest.face(a)).or_else(|| along(normal, face, meeting.faces[0]));
    let nearer = meeting.distance + slack(a, facet, WELDED);
    match told {
        Some(told) if apart && -told.depth() > nearer => {
            Answer::Farther(told, pair.nearest_points(&meeting))
        }
        Some(told) if !apart || told.depth() <= 0.0 => Answer::Told(told),
        Some(told) if face == middle => Answer::Behind(told, face),
        _ => Answer::Refused(pair.nearest_points(&meeting)),
    }
}

/// What of a solid reaches farthest down to one side of a triangle.
struct Lowest {
    /// As seen from the solid.
    down: Vec3,
    height: f32,
    corner: u32,
}

impl Lowest {
    fn new<A: Polytope>(a: &A, facet: &Facet<'_>, side: u32) -> Self {
        let down = -facet.body.axes.transposed_times(facet.triangle.side(side));
        let (corner, point) = a.corner_along(down);
        let height = facet.triangle.height(side, facet.body.point(point));
        Self { down, height, corner }
    }

    fn face<A: Polytope>(&self, a: &A) -> u32 {
        a.face_at(self.corner, self.down)
    }
}

/// Whether a solid that is told to be deep behind a triangle surely cuts it: a point of the triangle under which it
/// is deep is inside of it, by more than the world's coordinates round that point.
fn is_cut<A: Polytope>(a: &A, frame_a: &Frame, told: &Manifold) -> bool {
    told.points().iter().any(|contact| {
        let on_triangle = contact.point - told.normal * (0.5 * contact.depth);
        let seen = frame_a.axes.transposed_times(on_triangle - frame_a.origin);
        let far = on_triangle.abs().max(frame_a.origin.abs()).largest();
        a.farthest_plane(seen).1 <= flat::SLACK * a.size() - gjk::ROUNDING * far
    })
}

/// The size of the coordinates that take part.
fn scale<A: Polytope>(a: &A, facet: &Facet<'_>) -> f32 {
    a.reach() + facet.triangle.reach() + facet.body.origin.abs().largest()
}

/// A part of the smaller one's size, and what rounding may do to the larger.
fn slack<A: Polytope>(a: &A, facet: &Facet<'_>, part: f32) -> f32 {
    gjk::slack(part, scalar::min(a.size(), facet.triangle.reach()), scale(a, facet))
}

fn pair<'a, A: Polytope>(a: &'a A, frame_a: &Frame, facet: &'a Facet<'_>) -> Pair<'a, A, Triangle> {
    Pair {
        a: Placed { body: a, frame: *frame_a },
        b: Placed { body: &facet.triangle, frame: facet.frame },
        seen: facet.seen(),
        seen_back: facet.body,
        scale: scale(a, facet),
    }
}

/// Where a solid is nearest; `None` if farther apart than `beyond`.
pub(super) fn nearest<A: Polytope>(
    a: &A,
    frame_a: &Frame,
    facet: &Facet<'_>,
    beyond: f32,
) -> Option<Nearest> {
    let pair = pair(a, frame_a, facet);
    let start = pair.seen.origin - a.inner_ball().0;
    meeting(&pair, beyond, &[FRONT, BACK], start).map(|meeting| pair.nearest_points(&meeting))
}

/// Where a solid and a triangle are nearest, or along which axis they part soonest if they overlap; `None`
/// if farther apart than `beyond`. `start` points roughly from the solid to the triangle.
fn meeting<A: Polytope>(
    pair: &Pair<'_, A, Triangle>,
    beyond: f32,
    sides: &[u32],
    start: Vec3,
) -> Option<Meeting> {
    let (a, b) = (pair.a.body, pair.b.body);
    let between = pair.seen.origin - a.inner_ball().0;
    let reach = a.outer_radius() + b.outer_radius() + beyond;
    if between.length_squared() > reach * reach {
        return None;
    }
    let rounding = gjk::ROUNDING * pair.scale;
    match gjk::distance(a, b, &pair.seen, start, scalar::max(beyond, rounding), pair.scale) {
        Distance::Beyond => None,
        Distance::Apart(apart) if apart.distance > f64::from(rounding) => {
            (apart.distance <= f64::from(beyond)).then(|| pair.apart(&apart))
        }
        // So little has no direction: they touch.
        Distance::Apart(_) | Distance::Overlapping => {
            let preference = pair.slack(FACE_PREFERENCE);
            Some(pair.along_axis(&deepest(a, b, &pair.seen, sides, preference)))
        }
    }
}

/// The axis along which a solid A parts soonest from a triangle that it overlaps, which leaves by one of its `sides`, if
/// by a face of the triangle.
///
/// The arcs of `sat` have no meaning for something as thin as this: its two faces look opposite ways.
/// Three edges are few enough to try all.
fn deepest<A: Polytope>(
    a: &A,
    triangle: &Triangle,
    seen: &Frame,
    sides: &[u32],
    preference: f32,
) -> Axis {
    let corners = [0, 1, 2].map(|corner| seen.point(triangle.vertex(corner)));
    let mut best: Option<Axis> = None;
    for &side in sides {
        let normal = -(seen.axes * triangle.side(side));
        let (vertex, point) = a.corner_along(normal);
        let separation = lowest(&corners, normal).1 - normal.dot(point);
        let axis = Axis { normal, separation, of: AxisOf::FaceOfB(side, vertex) };
        if best.is_none_or(|best| separation > best.separation) {
            best = Some(axis);
        }
    }
    let fallback = Axis {
        normal: -(seen.axes * triangle.normal),
        separation: 0.0,
        of: AxisOf::FaceOfB(FRONT, 0),
    };
    let mut best = best.unwrap_or(fallback);
    let mut least = best.separation + preference;
    for face in 0..a.face_count() {
        let (normal, offset) = a.plane(face);
        let (vertex, low) = lowest(&corners, normal);
        let separation = low - offset;
        if separation > least {
            (best, least) =
                (Axis { normal, separation, of: AxisOf::FaceOfA(face, vertex) }, separation);
        }
    }
    for edge_b in 0..3_u32 {
        let from_b = corners[edge_b as usize];
        let to_b = corners[(edge_b as usize + 1) % 3];
        let along_b = Wide::from(to_b - from_b);
        for edge_a in 0..a.edge_count() {
            let ([from, to], _) = a.edge(edge_a);
            let from_a = a.vertex(from);
            let along_a = Wide::from(a.vertex(to) - from_a);
            let product = along_a.cross(along_b);
            let square = product.length_squared();
            if square <= PARALLEL * along_a.length_squared() * along_b.length_squared() {
                continue;
            }
            let across = (product * (1.0 / square.sqrt())).narrow();
            for normal in [across, -across] {
                // No gap is wider than that between two points, here one of each edge.
                let between = normal.dot(from_b - from_a);
                if between <= least {
                    continue;
                }
                let separation = lowest(&corners, normal).1 - normal.dot(a.corner_along(normal).1);
                // If it is much wider, the edges that touch are others, parallel to these; and edges that lie
                // beside each other do not touch.
                if separation > least
                    && between <= separation + 0.5 * preference
                    && cross([from_a, a.vertex(to)], [from_b, to_b], normal, preference)
                {
                    let of = AxisOf::Edges(edge_a, edge_b);
                    (best, least) = (Axis { normal, separation, of }, separation);
                }
            }
        }
    }
    // They touch, whatever rounding makes of it.
    if best.separation > 0.0 {
        best.separation = 0.0;
    }
    best
}

/// Whether two edges cross, seen along a normal.
fn cross([from_a, to_a]: [Vec3; 2], [from_b, to_b]: [Vec3; 2], normal: Vec3, slack: f32) -> bool {
    let [from_a, to_a, from_b, to_b] = [from_a, to_a, from_b, to_b].map(Wide::from);
    let rods = Rods {
        tip_a: (to_a - from_a) * 0.5,
        tip_b: (to_b - from_b) * 0.5,
        between: (from_b + to_b) * 0.5 - (from_a + to_a) * 0.5,
    };
    let way = rods.way(rods.nearest());
    way.cross(Wide::from(normal)).length() <= f64::from(slack)
}

/// The corner that is least far along a direction, and how far.
fn lowest(corners: &[Vec3; 3], direction: Vec3) -> (u32, f32) {
    let along = corners.map(|corner| corner.dot(direction));
    let best = usize::from(along[1] < along[0]);
    let best = if along[2] < along[best] { 2 } else { best };
    (best as u32, along[best])
}

/// The normal of a half-space as seen from a triangle, and how high the triangle's middle is over its
/// border.
fn border(plane: &Plane, facet: &Facet<'_>) -> (Vec3, f32) {
    let normal = facet.body.axes * plane.normal();
    (normal, -normal.dot(facet.body.origin))
}

/// The corners of a triangle that are below the border of a half-space A.
pub(super) fn half_space(
    plane: &Plane,
    frame_a: &Frame,
    facet: &Facet<'_>,
    margin: f32,
) -> Option<Manifold> {
    let (normal, middle) = border(plane, facet);
    let world = frame_a.axes * plane.normal();
    let mut manifold = Manifold::along(world);
    for index in 0..3 {
        let corner = facet.triangle.vertex(index);
        let height = middle + normal.dot(corner);
        if height <= margin {
            manifold.push(ContactPoint {
                point: facet.frame.point(corner) - world * (0.5 * height),
                depth: -height,
                feature: feature(Part::face(0), Part::corner(index)),
            });
        }
    }
    (!manifold.points().is_empty()).then_some(manifold)
}

/// The corner of a triangle that is lowest over a half-space A; `None` if that is higher than `beyond`.
pub(super) fn nearest_half_space(
    plane: &Plane,
    frame_a: &Frame,
    facet: &Facet<'_>,
    beyond: f32,
) -> Option<Nearest> {
    let (normal, middle) = border(plane, facet);
    let (index, corner) = facet.triangle.corner_along(-normal);
    let height = middle + normal.dot(corner);
    (height <= beyond).then(|| {
        let (world, point) = (frame_a.axes * plane.normal(), facet.frame.point(corner));
        Nearest {
            normal: world,
            distance: height,
            points: [point - world * height, point],
            parts: [Part::face(0), Part::corner(index)],
        }
    })
}
