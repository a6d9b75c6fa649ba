//! When do two convex parts first come within a distance of each other?
//!
//! Conservative advancement (Mirtich 1996) along axes that turn. At a moment, the way between the parts
//! gives an axis `n` and the gap along it. From there on the gap is followed along `n(t)`, which turns
//! evenly, with two corners for each look instead of a search:
//!
//! ```text
//!   gap ▲                           A corner p of a body has p·n(t), whose second derivative is at most
//!       │╲    chord                 |p| · (how fast n turns as seen from the body)². The gap is a least of
//!       │ ╲╲                        such terms, so that it lies above its chord less a parabola:
//!       │  ╲ ╲╲
//!       │   ╲__ ╲╲___•              gap(t + s) ≥ chord(s) − C s (h − s) / 2
//!       └──────╳─────┴──► time
//!         safe ┘     h              Up to the first zero of that, nothing can have touched.
//! ```
//!
//! An axis that follows the face, edge or point it came from keeps its gap, so that a few searches
//! suffice. Whatever axis is taken, the bound holds: the choice costs time, never truth.
//!
//! Promise: the time returned is not after the first touch, but for the rounding of f64.

use embate_geom::Wide;

use super::impact_motion::{Axes, Path, Spin};
use super::impact_part::{Core, Part, Turned};
use super::simplex::{Corner, Simplex};

/// Parts this near to the distance asked for have reached it, as a part of their sizes: so little that even
/// bodies that graze each other are not told to touch much too soon.
const REACHED: f64 = 1e-10;

/// Searches before a touch is said to be where the bodies are known to be apart up to. Few casts need
/// more than ten.
const MAX_SEARCHES: u32 = 256;

/// Looks along one axis between two searches.
const MAX_LOOKS: u32 = 16;

/// The gap along an axis is followed down to this part of what it was; then a search finds a better one.
const WORTH_FOLLOWING: f64 = 0.25;

/// A step in time that f32 cannot tell.
const NO_STEP: f64 = 1e-12;

/// Steps of the search for the way between two cores; see `gjk`.
const MAX_STEPS: usize = 64;

/// A part of a body that moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover<'a> {
    pub(super) part: Part<'a>,
    pub(super) path: Path,
    reach: f64,
    /// None if turning changes nothing.
    spin: Spin,
}

impl<'a> Mover<'a> {
    pub(super) fn new(part: Part<'a>, path: Path) -> Self {
        let reach = part.reach();
        let endless = matches!(part.core, Core::HalfSpace(_));
        let spin = if reach > 0.0 || endless { path.spin } else { Spin::NONE };
        Self { part, path, reach, spin }
    }

    /// The ball about the point about which it turns that holds all places where turning takes it; itself if it is
    /// endless.
    pub(super) fn ball(&self) -> Self {
        if let Core::HalfSpace(_) = self.part.core {
            return *self;
        }
        let radius = self.reach + self.part.radius;
        let part = Part { core: Core::Point, radius, axes: Axes::IDENTITY, offset: Wide::ZERO };
        Self::new(part, self.path)
    }

    /// By how much it turns in a time.
    pub(super) fn turn(&self, time: f64) -> f64 {
        self.spin.rate * time
    }

    fn reach_along(&self, time: f64, direction: Wide) -> f64 {
        if self.spin.rate == 0.0 && self.reach == 0.0 {
            return self.part.radius;
        }
        self.part.reach_along(self.path.turned_back(time, direction))
    }

    fn turned(&self, time: f64) -> Turned<'_> {
        self.part.turned(&self.path.axes_at(time))
    }

    /// The second derivative of how far it reaches along an axis that turns is at most this.
    fn bend(&self, carry: &Spin) -> f64 {
        let apart = (carry.vector - self.spin.vector).length();
        self.reach * apart * (carry.rate + self.spin.rate)
    }
}

/// Two parts that move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'a> {
    a: &'a Mover<'a>,
    b: &'a Mover<'a>,
    /// From the centre of A to that of B at time 0.
    between: Wide,
    /// How that changes in a unit of time.
    drift: Wide,
}

/// Where two parts are at a moment.
#[derive(Clone, Copy, Debug)]
struct Near {
    /// From A to B, of length 1.
    axis: Wide,
    /// Between the surfaces along it; no farther than their distance.
    gap: f64,
    /// The nearest points of the cores, from A's centre, along the axes of the world.
    points: [Wide; 2],
    /// Whether a whole face of A, of B gives the axis.
    faces: [bool; 2],
    /// The corners of both that are nearest, from which the next search begins.
    corners: Corners,
}

/// Up to three corners of A, each with one of B.
#[derive(Clone, Copy, Debug, Default)]
struct Corners {
    indices: [[u32; 2]; 3],
    count: usize,
}

impl Corners {
    fn of(simplex: &Simplex) -> Self {
        let mut corners = Self::default();
        for corner in simplex.corners().iter().take(3) {
            corners.indices[corners.count] = corner.indices;
            corners.count += 1;
        }
        corners
    }
}

/// Where and when two parts come within the distance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meeting {
    pub(super) time: f64,
    /// From A to B, of length 1; `None` if the cores overlap.
    pub(super) axis: Option<Wide>,
    /// The nearest points of the surfaces, in the world.
    pub(super) points: [Wide; 2],
}

impl<'a> Pair<'a> {
    pub(super) fn new(a: &'a Mover<'a>, b: &'a Mover<'a>) -> Self {
        let between = b.path.centre - a.path.centre;
        Self { a, b, between, drift: b.path.velocity - a.path.velocity }
    }

    /// When they first come within `target`, from one time to another; `None` if they do not.
    /// Every search is taken from `searches`; when none are left, a touch is said to be where they are known to be
    /// apart up to.
    pub(super) fn first_within(
        &self,
        target: f64,
        from: f64,
        until: f64,
        searches: &mut u32,
    ) -> Option<Meeting> {
        let far = self.way(from).length().max(self.way(until).length());
        let reached = REACHED * (self.a.part.size() + self.b.part.size()) + 1e-14 * far;
        let mut time = from;
        if let (Core::Point, Core::Point, true) = self.cores() {
            return self.balls_within(target + 0.5 * reached, from, until);
        }
        let mut before: Option<(f64, Near)> = None;
        for _ in 0..MAX_SEARCHES {
            *searches = searches.saturating_sub(1);
            let Some(near) = self.near(time, before.as_ref().map(|(_, near)| near)) else {
                return Some(self.meeting(time, self.just_before(time, before.as_ref())));
            };
            // Half of what counts as touching stays as room for rounding.
            let room = near.gap - target - 0.5 * reached;
            if room <= 0.5 * reached {
                return Some(self.meeting(time, Some(near)));
            }
            let carry = self.carry(time, &near, before.as_ref());
            let next = self.follow(time, until, &near, room, &carry);
            if next >= until {
                return None;
            }
            if next - time < NO_STEP || *searches == 0 {
                return Some(self.meeting(time, Some(near)));
            }
            before = Some((time, near));
            time = next;
        }
        Some(self.meeting(time, before.map(|(_, near)| near)))
    }

    /// The way between cores that meet at a time, which after the start only rounding can have made them:
    /// a little earlier there is one.
    fn just_before(&self, time: f64, before: Option<&(f64, Near)>) -> Option<Near> {
        let (earlier, last) = before?;
        let back = |part: f64| self.near(time - (time - earlier) * part, Some(last));
        [1e-6, 1e-4, 1e-2].into_iter().find_map(back).or(Some(*last))
    }

    fn way(&self, time: f64) -> Wide {
        self.between + self.drift * time
    }

    fn meeting(&self, time: f64, near: Option<Near>) -> Meeting {
        let centre = self.a.path.centre + self.a.path.velocity * time;
        let Some(near) = near else {
            return Meeting { time, axis: None, points: [centre; 2] };
        };
        let [on_a, on_b] = near.points;
        let points = [
            centre + on_a + near.axis * self.a.part.radius,
            centre + on_b - near.axis * self.b.part.radius,
        ];
        Meeting { time, axis: Some(near.axis), points }
    }

    /// How the axis should turn to stay what it is: with the body whose face it belongs to, or else on as
    /// it has turned so far.
    fn carry(&self, time: f64, near: &Near, before: Option<&(f64, Near)>) -> Spin {
        let fastest = self.a.spin.rate + self.b.spin.rate;
        if fastest == 0.0 {
            return Spin::NONE;
        }
        match (near.faces, before) {
            ([true, _], _) => self.a.spin,
            ([_, true], _) => self.b.spin,
            (_, Some((earlier, last))) => {
                let turned = last.axis.cross(near.axis) * (1.0 / (time - earlier));
                // How fast points of one body go round those of the other.
                let (a, b) = (self.a, self.b);
                let speed = a.reach * a.spin.rate + b.reach * b.spin.rate + self.drift.length();
                let apart = a.part.radius + b.part.radius + 0.1 * a.part.size().min(b.part.size());
                // Faster than that, the axis has jumped to another part.
                let most = fastest + speed / apart;
                if turned.length() <= most { Spin::new(turned) } else { Spin::NONE }
            }
            _ => Spin::NONE,
        }
    }

    /// The gap along an axis at a time.
    fn gap(&self, time: f64, axis: Wide) -> f64 {
        axis.dot(self.way(time)) - self.a.reach_along(time, axis) - self.b.reach_along(time, -axis)
    }

    /// Up to when the gap along an axis cannot have closed. `room` is what of the gap may close, above 0.
    fn follow(&self, from: f64, until: f64, near: &Near, room: f64, carry: &Spin) -> f64 {
        let (mut time, mut axis, mut left) = (from, near.axis, room);
        let closed = near.gap - room;
        let bend = self.a.bend(carry) + self.b.bend(carry);
        for _ in 0..MAX_LOOKS {
            let far = self.way(time).length().max(self.way(until).length());
            // C of the head of this file: bends of both bodies and of the way between them.
            let bend = bend + carry.rate * (carry.rate * far + 2.0 * self.drift.length());
            let rest = until - time;
            // So far that the parabola takes half of the room.
            let span =
                if bend * rest * rest > 4.0 * left { (4.0 * left / bend).sqrt() } else { rest };
            let ahead = if carry.rate == 0.0 { axis } else { carry.over(span).turned(axis) };
            let left_ahead = self.gap(time + span, ahead) - closed;
            let slope = (left_ahead - left) / span - 0.5 * bend * span;
            let discriminant = slope * slope - 2.0 * bend * left;
            let closes = slope < 0.0 && discriminant >= 0.0;
            let step = if closes { 2.0 * left / (discriminant.sqrt() - slope) } else { span };
            if step < span {
                time += step;
                axis = if carry.rate == 0.0 { axis } else { carry.over(step).turned(axis) };
                left = self.gap(time, axis) - closed;
            } else if span == rest {
                return until;
            } else {
                (time, axis, left) = (time + span, ahead, left_ahead);
            }
            if left <= WORTH_FOLLOWING * room {
                break;
            }
        }
        time
    }

    /// The cores of both, and whether they lie in the points about which the bodies turn.
    fn cores(&self) -> (Core<'_>, Core<'_>, bool) {
        (self.a.part.core, self.b.part.core, self.a.reach == 0.0 && self.b.reach == 0.0)
    }

    /// When the middles of two balls come as near as their radii and `target`: a square equation.
    fn balls_within(&self, target: f64, from: f64, until: f64) -> Option<Meeting> {
        let apart = self.a.part.radius + self.b.part.radius + target;
        let way = self.way(from);
        let (speed, closing) = (self.drift.length_squared(), -way.dot(self.drift));
        let room = way.length_squared() - apart * apart;
        let time = if room <= 0.0 {
            from
        } else {
            let discriminant = closing * closing - speed * room;
            if closing <= 0.0 || discriminant < 0.0 {
                return None;
            }
            // The first of both times, written so that nothing cancels.
            from + room / (closing + discriminant.sqrt())
        };
        if time > until {
            return None;
        }
        let near = self.near(time, None);
        Some(self.meeting(time, near))
    }

    /// Up to when the parts cannot have come within `target` because they are on different sides of the
    /// plane of a triangle that one of them is.
    pub(super) fn clear_until(&self, target: f64, from: f64, until: f64) -> f64 {
        let (triangle, corners) = match (self.a.part.core, self.b.part.core) {
            // It is on both sides of every plane but its own.
            (Core::HalfSpace(_), _) | (_, Core::HalfSpace(_)) => return from,
            (_, Core::Triangle(corners)) => (self.b, corners),
            (Core::Triangle(corners), _) => (self.a, corners),
            _ => return from,
        };
        let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
        let normal = triangle.turned(from).axes.times(normal * (1.0 / normal.length()));
        let reached = REACHED * (self.a.part.size() + self.b.part.size());
        for axis in [normal, -normal] {
            let gap = self.gap(from, axis);
            let room = gap - target - reached;
            if room > 0.0 {
                let near = Near {
                    axis,
                    gap,
                    points: [Wide::ZERO; 2],
                    faces: [false; 2],
                    corners: Corners::default(),
                };
                return self.follow(from, until, &near, room, &triangle.spin);
            }
        }
        from
    }

    /// The way between the two at a time; `None` if their cores overlap. The search begins `from` another.
    fn near(&self, time: f64, from: Option<&Near>) -> Option<Near> {
        let (a, b, way) = (self.a.turned(time), self.b.turned(time), self.way(time));
        let radii = self.a.part.radius + self.b.part.radius;
        if let Core::HalfSpace(normal) = b.core {
            let axis = -b.axes.times(normal);
            let (_, lowest) = a.corner_along(axis);
            let gap = axis.dot(b.origin + way - lowest);
            let points = [lowest, lowest + axis * gap];
            return Some(Near {
                axis,
                gap: gap - radii,
                points,
                faces: [false, true],
                corners: Corners::default(),
            });
        }
        if let Core::HalfSpace(normal) = a.core {
            let axis = a.axes.times(normal);
            let (_, lowest) = b.corner_along(-axis);
            let lowest = lowest + way;
            let gap = axis.dot(lowest - a.origin);
            let points = [lowest - axis * gap, lowest];
            return Some(Near {
                axis,
                gap: gap - radii,
                points,
                faces: [true, false],
                corners: Corners::default(),
            });
        }
        let mut near = between_cores(&a, &b, way, from.map(|near| near.corners))?;
        near.gap -= radii;
        Some(near)
    }
}

/// The corner of `A − B` farthest towards B.
fn difference(a: &Turned<'_>, b: &Turned<'_>, way: Wide, towards_b: Wide) -> Corner {
    let (index_a, on_a) = a.corner_along(towards_b);
    let (index_b, on_b) = b.corner_along(-towards_b);
    Corner { difference: on_a - (on_b + way), on_a, indices: [index_a, index_b], weight: 0.0 }
}

/// As `gjk::distance`, but all of it in f64: the axis with the widest gap, and the nearest points.
fn between_cores(a: &Turned<'_>, b: &Turned<'_>, way: Wide, from: Option<Corners>) -> Option<Near> {
    let known = |[index_a, index_b]: [u32; 2]| {
        let (on_a, on_b) = (a.corner(index_a), b.corner(index_b));
        Corner { difference: on_a - (on_b + way), on_a, indices: [index_a, index_b], weight: 0.0 }
    };
    let from = from.unwrap_or_default();
    let first = if from.count > 0 { known(from.indices[0]) } else { difference(a, b, way, way) };
    let mut simplex = Simplex::of(first);
    let mut nearest = first.difference;
    for &indices in from.indices[..from.count].iter().skip(1) {
        nearest = simplex.nearest_with(known(indices), true)?;
    }
    let scale = way.length() + nearest.length() + a.origin.length() + first.on_a.length();
    let touching = 1e-14 * scale;
    let mut widest = (f64::NEG_INFINITY, Wide::ZERO);
    for _ in 0..MAX_STEPS {
        let length = nearest.length();
        if length <= touching {
            return None;
        }
        let axis = nearest * (-1.0 / length);
        let corner = difference(a, b, way, axis);
        let gap = -axis.dot(corner.difference);
        if gap > widest.0 {
            widest = (gap, axis);
        }
        let known = simplex.corners().iter().any(|kept| kept.indices == corner.indices);
        if known || length - gap <= 1e-13 * length + touching {
            break;
        }
        let before = simplex;
        let point = simplex.nearest_with(corner, gap > 0.0)?;
        if point.length_squared() >= nearest.length_squared() {
            simplex = before;
            break;
        }
        nearest = point;
    }
    let (gap, axis) = widest;
    // No axis parts them: rounding ended the walk before it was told.
    if gap <= 0.0 {
        return None;
    }
    let on_a = simplex.point_on_a();
    let faces = [0, 1].map(|side| {
        let corners = simplex.corners();
        simplex.count == 3 && {
            let [p, q, r] = [0, 1, 2].map(|corner: usize| corners[corner].indices[side]);
            p != q && q != r && r != p
        }
    });
    let corners = Corners::of(&simplex);
    Some(Near { axis, gap, points: [on_a, on_a - nearest], faces, corners })
}
