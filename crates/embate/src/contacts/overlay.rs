//! Where do two faces lie over each other, seen along the normal of a contact?
//!
//! ```text
//!          n ▲     incident face         seen along n:      ┌────────┐
//!            │   ╲______________╱                          ╱│       ╱│   kept: corners of the overlap,
//!     ───────┴──────────────  reference face              ╱ │______╱ │   each with its own depth
//!                                                         ╲_│_____╱──┘
//! ```
//!
//! The corners of the overlap are corners of the incident face over the reference face, crossings of
//! their edges, and corners of the reference face under the incident one. Its sides are walked once:
//! an edge of the incident face leaves the reference face through one of its lines and comes back through
//! another, and the corners of the reference face between the two belong to the overlap.
//!
//! Everything happens in the frame of the body whose face is the reference.

use embate_geom::{Frame, Vec3};

use super::feature::Part;
use super::polytope::Polytope;
use super::reduce::Candidate;

/// Corners of a face that take part; of more, as many, evenly spread.
const MAX_CORNERS: usize = 32;

/// A corner counts as inside up to this part of the size of the reference face beyond a line, so that
/// rounding does not name a corner that lies on a line now so, now so.
const INSIDE: f32 = 2e-5;

/// A face that stands steeper on the other has no overlap worth the name: cos of 89°.
const STEEP: f32 = 0.0175;

/// A point of the overlap.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// Midway between the faces.
    pub(super) middle: Vec3,
    /// Of the reference body, of the incident one.
    pub(super) parts: [Part; 2],
}

/// The overlap as it grows: at most `N` points.
#[derive(Clone, Debug)]
pub(super) struct Overlap<const N: usize> {
    pub(super) candidates: [Candidate; N],
    pub(super) touches: [Touch; N],
    pub(super) count: usize,
}

/// The two faces, and the direction they are seen along: out of the reference body, of length 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) normal: Vec3,
    pub(super) reference: u32,
    pub(super) incident: u32,
    /// Points farther apart are not kept.
    pub(super) margin: f32,
}

/// A line along an edge of the reference face: `a u + b v + c` is above 0 inside.
#[derive(Clone, Copy, Debug, Default)]
struct Line {
    a: f32,
    b: f32,
    c: f32,
    slack: f32,
}

/// What is asked of both faces again and again.
struct Walk<'a, R, I, const N: usize> {
    reference: &'a R,
    incident: &'a I,
    seen: &'a Frame,
    view: View,
    axes: [Vec3; 2],
    plane: (Vec3, f32),
    incident_plane: (Vec3, f32),
    reference_corners: &'a [u32],
    overlap: Overlap<N>,
}

/// Whether `N = 8` is enough.
pub(super) fn is_small<R: Polytope, I: Polytope>(reference: &R, incident: &I, view: &View) -> bool {
    reference.corners(view.reference).len() <= 4 && incident.corners(view.incident).len() <= 4
}

/// The corners of the overlap of two faces, the incident body `seen` from the reference one.
pub(super) fn overlap<R: Polytope, I: Polytope, const N: usize>(
    reference: &R,
    incident: &I,
    seen: &Frame,
    view: View,
) -> Overlap<N> {
    let across = view.normal.any_perpendicular();
    let (incident_normal, incident_offset) = incident.plane(view.incident);
    let turned = seen.axes * incident_normal;
    let mut walk = Walk {
        reference,
        incident,
        seen,
        view,
        axes: [across, view.normal.cross(across)],
        plane: reference.plane(view.reference),
        incident_plane: (turned, incident_offset + turned.dot(seen.origin)),
        reference_corners: reference.corners(view.reference),
        overlap: Overlap {
            candidates: [Candidate::default(); N],
            touches: [Touch { middle: Vec3::ZERO, parts: [Part::WHOLE; 2] }; N],
            count: 0,
        },
    };
    let facing = walk.plane.0.dot(view.normal) > STEEP && turned.dot(view.normal) < -STEEP;
    if facing {
        walk.sides();
    }
    walk.overlap
}

/// Every how many corners of a face one is taken.
fn stride(corners: &[u32], most: usize) -> usize {
    corners.len().div_ceil(most)
}

impl<R: Polytope, I: Polytope, const N: usize> Walk<'_, R, I, N> {
    /// Half of the points can come from either face.
    const MOST: usize = if N / 2 < MAX_CORNERS { N / 2 } else { MAX_CORNERS };

    #[inline]
    fn flat(&self, point: Vec3) -> [f32; 2] {
        [point.dot(self.axes[0]), point.dot(self.axes[1])]
    }

    /// The lines along the edges of the reference face.
    fn lines(&self) -> ([Line; N], usize) {
        let corners = self.reference_corners;
        let step = stride(corners, Self::MOST);
        let count = corners.len().div_ceil(step);
        let at = |index: usize| self.flat(self.reference.vertex(corners[index * step]));
        let mut lines = [Line::default(); N];
        let mut from = at(0);
        let first = from;
        let mut span = 0.0_f32;
        for index in 0..count {
            let to = if index + 1 < count { at(index + 1) } else { first };
            let [u, v] = [to[0] - from[0], to[1] - from[1]];
            let length = u.abs() + v.abs();
            span = if length > span { length } else { span };
            lines[index] = Line { a: -v, b: u, c: v * from[0] - u * from[1], slack: length };
            from = to;
        }
        for line in &mut lines[..count] {
            line.slack *= INSIDE * span;
        }
        (lines, count)
    }

    fn corner(&self, index: u32, lines: &[Line]) -> Corner<N> {
        let point = self.seen.point(self.incident.vertex(index));
        Corner::new(index, point, self.flat(point), lines)
    }

    /// Walks along the incident face, clockwise about its own normal: counter-clockwise as seen here.
    fn sides(&mut self) {
        let (lines, count) = self.lines();
        let lines = &lines[..count];
        let corners = self.incident.corners(self.view.incident);
        let step = stride(corners, Self::MOST);
        let turns = corners.len().div_ceil(step);
        let (mut pending, mut opening): (Option<usize>, Option<usize>) = (None, None);
        let mut crossed = false;
        let mut from = self.corner(corners[(turns - 1) * step], lines);
        let first = from;
        for left in (0..turns).rev() {
            let to = if left > 0 { self.corner(corners[(left - 1) * step], lines) } else { first };
            if from.outside == 0 {
                self.keep_incident(&from);
            }
            if from.outside & to.outside == 0
                && from.outside | to.outside != 0
                && let Some((enter, leave)) = crossing(&from, &to, lines.len())
            {
                crossed = true;
                if let Some((line, share)) = enter {
                    match pending.take() {
                        Some(left) => self.keep_corners(left, line, lines.len()),
                        None => opening = Some(line),
                    }
                    self.keep_crossing(line, &from, &to, share);
                }
                if let Some((line, share)) = leave {
                    self.keep_crossing(line, &from, &to, share);
                    pending = Some(line);
                }
            }
            from = to;
        }
        if let (Some(left), Some(line)) = (pending, opening) {
            self.keep_corners(left, line, lines.len());
        }
        // Not one line was crossed: either the incident face lies inside, which is told by its corners,
        // or it covers the reference face whole, or they lie apart.
        if !crossed && first.outside != 0 && self.covers() {
            self.keep_corners(0, lines.len(), lines.len());
        }
    }

    /// Whether the incident face covers a corner of the reference face.
    fn covers(&self) -> bool {
        let [u, v] = self.flat(self.reference.vertex(self.reference_corners[0]));
        let corners = self.incident.corners(self.view.incident);
        let at = |index: usize| {
            self.flat(self.seen.point(self.incident.vertex(corners[index % corners.len()])))
        };
        (0..corners.len()).all(|index| {
            let (from, to) = (at(index + 1), at(index));
            (to[0] - from[0]) * (v - from[1]) >= (to[1] - from[1]) * (u - from[0])
        })
    }

    /// A corner of the incident face over the reference face.
    fn keep_incident(&mut self, corner: &Corner<N>) {
        let parts = [Part::face(self.view.reference), Part::corner(corner.index)];
        self.keep_above(corner.point, corner.at, parts);
    }

    /// Where an incident edge crosses a line: on that edge, over the edge of the reference face.
    fn keep_crossing(&mut self, line: usize, from: &Corner<N>, to: &Corner<N>, share: f32) {
        let point = from.point + (to.point - from.point) * share;
        let at = [
            from.at[0] + (to.at[0] - from.at[0]) * share,
            from.at[1] + (to.at[1] - from.at[1]) * share,
        ];
        let step = stride(self.reference_corners, Self::MOST);
        // About its own normal, the incident face runs from `to` to `from`.
        let parts = [Part::edge(self.reference_corners[line * step]), Part::edge(to.index)];
        self.keep_above(point, at, parts);
    }

    /// A point of the incident face, its depth below the plane of the reference face.
    fn keep_above(&mut self, point: Vec3, at: [f32; 2], parts: [Part; 2]) {
        let (normal, offset) = self.plane;
        let mut gap = normal.dot(point) - offset;
        if normal != self.view.normal {
            gap /= normal.dot(self.view.normal);
        }
        self.keep(gap, at, point - self.view.normal * (0.5 * gap), parts);
    }

    /// The corners of the reference face after the line `left` up to the line `entered`.
    fn keep_corners(&mut self, left: usize, entered: usize, count: usize) {
        let step = stride(self.reference_corners, Self::MOST);
        let mut line = left;
        // A line entered right after it was left has no corner in between.
        while line != entered {
            line = if entered == count { line + 1 } else { (line + 1) % count };
            let index = self.reference_corners[line % count * step];
            let point = self.reference.vertex(index);
            let (normal, offset) = self.incident_plane;
            let gap = (offset - normal.dot(point)) / normal.dot(self.view.normal);
            let parts = [Part::corner(index), Part::face(self.view.incident)];
            let middle = point + self.view.normal * (0.5 * gap);
            self.keep(gap, self.flat(point), middle, parts);
        }
    }

    fn keep(&mut self, gap: f32, at: [f32; 2], middle: Vec3, parts: [Part; 2]) {
        let overlap = &mut self.overlap;
        if gap <= self.view.margin && overlap.count < N {
            overlap.candidates[overlap.count] = Candidate { at, depth: -gap };
            overlap.touches[overlap.count] = Touch { middle, parts };
            overlap.count += 1;
        }
    }
}

/// A corner of the incident face.
#[derive(Clone, Copy)]
struct Corner<const N: usize> {
    index: u32,
    point: Vec3,
    at: [f32; 2],
    /// How far inside of each line.
    inside: [f32; N],
    /// Bit `line` is set beyond that line.
    outside: u32,
}

impl<const N: usize> Corner<N> {
    fn new(index: u32, point: Vec3, at: [f32; 2], lines: &[Line]) -> Self {
        let mut inside = [0.0; N];
        let mut outside = 0;
        for (number, (line, inside)) in lines.iter().zip(&mut inside).enumerate() {
            *inside = line.a * at[0] + line.b * at[1] + line.c;
            outside |= u32::from(*inside < -line.slack) << number;
        }
        Self { index, point, at, inside, outside }
    }
}

type Cut = Option<(usize, f32)>;

/// Where the edge between two corners comes in and where it goes out, as line and share of the way;
/// `None` if it passes by.
fn crossing<const N: usize>(from: &Corner<N>, to: &Corner<N>, lines: usize) -> Option<(Cut, Cut)> {
    let (mut enter, mut leave): (Cut, Cut) = (None, None);
    let share = |line: usize| from.inside[line] / (from.inside[line] - to.inside[line]);
    for line in 0..lines {
        if from.outside >> line & 1 == 1 {
            let share = share(line);
            // A corner within the slack beyond a line comes in where it is.
            let share = if share < 1.0 { share } else { 1.0 };
            if enter.is_none_or(|(_, latest)| share > latest) {
                enter = Some((line, share));
            }
        } else if to.outside >> line & 1 == 1 {
            let share = share(line);
            // A corner within the slack beyond a line leaves where it is.
            let share = if share > 0.0 { share } else { 0.0 };
            if leave.is_none_or(|(_, earliest)| share < earliest) {
                leave = Some((line, share));
            }
        }
    }
    match (enter, leave) {
        (Some((_, enter)), Some((_, leave))) if enter >= leave => None,
        _ => Some((enter, leave)),
    }
}
