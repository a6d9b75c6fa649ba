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
//! Everything happens in the frame of the body whose face is the reference, and flat: a point is where the
//! line through it along the normal meets a plane square to an axis. That is not a view at a right angle,
//! but what lies inside of what is the same in both.

use embate_geom::{Frame, Vec3, scalar};

use super::polytope::Polytope;
use super::reduce::Candidate;

/// A corner counts as inside up to this part of the size of the reference face beyond a line, so that
/// rounding does not name a corner that lies on a line now so, now so.
const INSIDE: f32 = 2e-5;

/// A face that stands steeper on the other has no overlap worth the name, and its depths would be rounding:
/// cos of 84°.
const STEEP: f32 = 0.1;

/// What two bodies have in a point of the overlap.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Touch {
    /// A corner of the incident body, over the reference face.
    Incident(u32),
    /// An edge of the incident face from one corner to the next, so far along, over the edge of the
    /// reference face that begins in the last corner.
    Crossing { from: u32, to: u32, share: f32, edge: u32 },
    /// A corner of the reference body, under the incident face.
    Reference(u32),
}

/// The overlap as it grows: at most `M` points.
#[derive(Clone, Debug)]
pub(super) struct Overlap<const M: usize> {
    candidates: [Candidate; M],
    touches: [Touch; M],
    count: usize,
}

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
}

impl<const M: usize> Overlap<M> {
    #[inline]
    fn new() -> Self {
        Self { candidates: [Candidate::default(); M], touches: [Touch::Incident(0); M], count: 0 }
    }

    /// Where its points are, and how deep.
    #[inline]
    pub(super) fn candidates(&self) -> &[Candidate] {
        &self.candidates[..self.count]
    }

    /// What they are.
    #[inline]
    pub(super) fn touches(&self) -> &[Touch] {
        &self.touches[..self.count]
    }

    #[inline]
    fn keep(&mut self, at: [f32; 2], gap: f32, view: &View, touch: Touch) {
        if gap <= view.margin && gap >= view.least && self.count < M {
            self.candidates[self.count] = Candidate { at, depth: -gap };
            self.touches[self.count] = touch;
            self.count += 1;
        }
    }
}

/// How points are flattened.
struct Flat {
    axes: [Vec3; 2],
}

impl Flat {
    /// The plane is square to the axis that the normal leans to most, so that nothing is stretched to more
    /// than √3.
    #[inline]
    fn along(normal: Vec3) -> Self {
        let [x, y, z] = normal.abs().to_array();
        // The two axes turn right-handed about the normal's own.
        let (axes, own) = if x >= y && x >= z {
            ([Vec3::Y, Vec3::Z], Vec3::X)
        } else if y >= z {
            ([Vec3::Z, Vec3::X], Vec3::Y)
        } else {
            ([Vec3::X, Vec3::Y], Vec3::Z)
        };
        let along = normal.dot(own);
        let slope = own / along;
        let [u, v] = axes.map(|axis| axis - slope * normal.dot(axis));
        // A normal against its axis is seen from behind: exchanged, the axes turn about it again.
        Self { axes: if along < 0.0 { [v, u] } else { [u, v] } }
    }

    #[inline]
    fn point(&self, point: Vec3) -> [f32; 2] {
        [self.axes[0].dot(point), self.axes[1].dot(point)]
    }
}

/// Lines along the edges of the reference face: `a u + b v + c` is above 0 inside. What is not a line has
/// everything inside.
struct Lines<const N: usize> {
    a: [f32; N],
    b: [f32; N],
    c: [f32; N],
    slack: [f32; N],
    count: usize,
}

impl<const N: usize> Lines<N> {
    #[inline]
    fn new<R: Polytope>(reference: &R, corners: &[u32], step: usize, flat: &Flat) -> Self {
        let mut lines = Self { a: [0.0; N], b: [0.0; N], c: [1.0; N], slack: [0.0; N], count: 0 };
        let count = corners.len().div_ceil(step);
        let first = flat.point(reference.vertex(corners[0]));
        let mut from = first;
        let mut span = 0.0_f32;
        for index in 0..count.min(N) {
            let to = if index + 1 < count {
                flat.point(reference.vertex(corners[(index + 1) * step]))
            } else {
                first
            };
            let [u, v] = [to[0] - from[0], to[1] - from[1]];
            let length = u.abs() + v.abs();
            span = if length > span { length } else { span };
            lines.a[index] = -v;
            lines.b[index] = u;
            lines.c[index] = v * from[0] - u * from[1];
            lines.slack[index] = length;
            from = to;
        }
        lines.count = count.min(N);
        for slack in &mut lines.slack {
            *slack *= -INSIDE * span;
        }
        lines
    }
}

/// A corner of the incident face.
#[derive(Clone, Copy)]
struct Corner<const N: usize> {
    index: u32,
    at: [f32; 2],
    /// From the plane of the reference face, along the normal.
    gap: f32,
    /// How far inside of each line.
    inside: [f32; N],
    /// Bit `line` is set beyond that line.
    outside: u32,
    /// Beyond some line, if only by the slack.
    doubtful: bool,
}

/// Makes corners of the incident body flat: the axes of the view and the plane of the reference face, as
/// seen from the incident body.
struct Incident {
    axes: [Vec3; 2],
    origin: [f32; 2],
    normal: Vec3,
    offset: f32,
}

impl Incident {
    #[inline]
    fn new(flat: &Flat, (normal, offset): (Vec3, f32), view: &View, seen: &Frame) -> Self {
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

    #[inline]
    fn corner<const N: usize>(&self, index: u32, vertex: Vec3, lines: &Lines<N>) -> Corner<N> {
        let at =
            [self.axes[0].dot(vertex) + self.origin[0], self.axes[1].dot(vertex) + self.origin[1]];
        let gap = self.normal.dot(vertex) - self.offset;
        let mut inside = [0.0; N];
        for line in 0..N {
            inside[line] = lines.a[line] * at[0] + lines.b[line] * at[1] + lines.c[line];
        }
        let (mut outside, mut doubtful) = (0, false);
        for line in 0..N {
            outside |= u32::from(inside[line] < lines.slack[line]) << line;
            doubtful |= inside[line] < 0.0;
        }
        Corner { index, at, gap, inside, outside, doubtful }
    }
}

/// Whether the faces have at most four corners each.
#[inline]
pub(super) fn is_small<R: Polytope, I: Polytope>(reference: &R, incident: &I, view: &View) -> bool {
    reference.corners(view.reference).len() <= 4 && incident.corners(view.incident).len() <= 4
}

/// The corners of the overlap of two faces, the incident body `seen` from the reference one. Of a face
/// with more than `N` corners as many, evenly spread, take part; `M` is twice `N`.
pub(super) fn overlap<R: Polytope, I: Polytope, const N: usize, const M: usize>(
    reference: &R,
    incident: &I,
    seen: &Frame,
    view: &View,
) -> Overlap<M> {
    let mut overlap = Overlap::new();
    let plane = reference.plane(view.reference);
    let incident_normal = seen.axes * incident.plane(view.incident).0;
    if plane.0.dot(view.normal) <= STEEP || incident_normal.dot(view.normal) >= -STEEP {
        return overlap;
    }
    let flat = Flat::along(view.normal);
    let walk = Walk::<R, I, N> {
        reference,
        incident,
        view,
        reference_corners: reference.corners(view.reference),
        incident_corners: incident.corners(view.incident),
        incident_normal,
        seen,
        make: Incident::new(&flat, plane, view, seen),
        flat,
    };
    walk.sides(&mut overlap);
    overlap
}

struct Walk<'a, R, I, const N: usize> {
    reference: &'a R,
    incident: &'a I,
    view: &'a View,
    reference_corners: &'a [u32],
    incident_corners: &'a [u32],
    incident_normal: Vec3,
    seen: &'a Frame,
    flat: Flat,
    make: Incident,
}

impl<R: Polytope, I: Polytope, const N: usize> Walk<'_, R, I, N> {
    #[inline]
    fn corner(&self, index: u32, lines: &Lines<N>) -> Corner<N> {
        self.make.corner(index, self.incident.vertex(index), lines)
    }

    /// Walks along the incident face, clockwise about its own normal: counter-clockwise as seen here.
    #[inline]
    fn sides<const M: usize>(&self, overlap: &mut Overlap<M>) {
        let corners = self.incident_corners;
        let reference_step = self.reference_corners.len().div_ceil(N);
        let lines =
            Lines::<N>::new(self.reference, self.reference_corners, reference_step, &self.flat);
        let step = corners.len().div_ceil(N);
        let turns = corners.len().div_ceil(step);
        // The line through which the walk has left, and that through which it first came in.
        let (mut left, mut opening): (Option<usize>, Option<usize>) = (None, None);
        let mut crossed = false;
        let first = self.corner(corners[(turns - 1) * step], &lines);
        let mut from = first;
        for before in (0..turns).rev() {
            let to =
                if before > 0 { self.corner(corners[(before - 1) * step], &lines) } else { first };
            if from.outside == 0 && (!from.doubtful || self.reference_spans(from.at)) {
                overlap.keep(from.at, from.gap, self.view, Touch::Incident(from.index));
            }
            if from.outside & to.outside == 0
                && from.outside | to.outside != 0
                && let Some((enter, leave)) = crossing(&from, &to)
            {
                crossed = true;
                let mut keep = |line: usize, share: f32| {
                    let at = core::array::from_fn(|axis| {
                        from.at[axis] + (to.at[axis] - from.at[axis]) * share
                    });
                    let gap = from.gap + (to.gap - from.gap) * share;
                    let edge = self.reference_corners[line * reference_step];
                    let touch = Touch::Crossing { from: from.index, to: to.index, share, edge };
                    overlap.keep(at, gap, self.view, touch);
                };
                if let Some((line, share)) = enter {
                    keep(line, share);
                }
                if let Some((line, share)) = leave {
                    keep(line, share);
                }
                if let Some((line, _)) = enter {
                    match left.take() {
                        Some(left) => self.keep_between(left, line, lines.count, overlap),
                        None => opening = Some(line),
                    }
                }
                if let Some((line, _)) = leave {
                    left = Some(line);
                }
            }
            from = to;
        }
        if let (Some(left), Some(line)) = (left, opening) {
            self.keep_between(left, line, lines.count, overlap);
        }
        // Not one line was crossed: either the incident face lies inside, which is told by its corners,
        // or it covers the reference face whole, or they lie apart, which is told by the corners of that.
        if !crossed && first.outside != 0 {
            // In the order in which they would come if the faces were exchanged: `reduce` prefers early ones.
            for line in (0..lines.count).rev() {
                self.keep_reference(self.reference_corners[line * reference_step], overlap);
            }
        }
    }

    /// Whether a point is no farther than the reference face on both axes. The lines of a face that is thin
    /// as a needle do not tell how long it is: beyond its tip they are within their slack for long.
    fn reference_spans(&self, at: [f32; 2]) -> bool {
        let corners = self.reference_corners;
        let mut span = Span::new();
        for &index in corners {
            span.add(self.flat.point(self.reference.vertex(index)));
        }
        span.holds(at)
    }

    /// Whether a corner of the reference face lies under the incident face, or beside it within the slack.
    fn is_covered(&self, [u, v]: [f32; 2]) -> bool {
        let at = |index: u32| {
            let vertex = self.incident.vertex(index);
            [
                self.make.axes[0].dot(vertex) + self.make.origin[0],
                self.make.axes[1].dot(vertex) + self.make.origin[1],
            ]
        };
        let corners = self.incident_corners;
        let mut to = at(corners[corners.len() - 1]);
        let mut span = Span::new();
        let (mut doubtful, mut beyond) = (false, 0.0_f32);
        for &index in corners {
            let from = at(index);
            span.add(from);
            let [along, across] = [to[0] - from[0], to[1] - from[1]];
            let inside = along * (v - from[1]) - across * (u - from[0]);
            if inside < 0.0 {
                doubtful = true;
                // By how much it is beyond the line, of a length no shorter than the true one.
                let out = -inside / (along.abs() + across.abs());
                beyond = if out > beyond { out } else { beyond };
            }
            to = from;
        }
        !doubtful || (beyond <= INSIDE * span.length() && span.holds([u, v]))
    }

    /// The corners of the reference face after the line `left` up to the line `entered`.
    fn keep_between<const M: usize>(
        &self,
        left: usize,
        entered: usize,
        count: usize,
        overlap: &mut Overlap<M>,
    ) {
        let step = self.reference_corners.len().div_ceil(N);
        let mut line = left;
        // A line entered right after it was left has no corner in between.
        while line != entered {
            line = if line + 1 == count { 0 } else { line + 1 };
            self.keep_reference(self.reference_corners[line * step], overlap);
        }
    }

    /// A corner of the reference face, and how far over it the incident one is.
    fn keep_reference<const M: usize>(&self, index: u32, overlap: &mut Overlap<M>) {
        let corner = self.reference.vertex(index);
        let normal = self.incident_normal;
        let offset = self.incident.plane(self.view.incident).1 + normal.dot(self.seen.origin);
        let gap = (offset - normal.dot(corner)) / normal.dot(self.view.normal);
        let at = self.flat.point(corner);
        // Where two faces touch in a point, rounding may have walked the wrong way round.
        if self.is_covered(at) {
            overlap.keep(at, gap, self.view, Touch::Reference(index));
        }
    }
}

/// The smallest and largest coordinates of a face.
struct Span {
    least: [f32; 2],
    most: [f32; 2],
}

impl Span {
    fn new() -> Self {
        Self { least: [f32::INFINITY; 2], most: [f32::NEG_INFINITY; 2] }
    }

    fn add(&mut self, at: [f32; 2]) {
        for axis in 0..2 {
            self.least[axis] = scalar::min(self.least[axis], at[axis]);
            self.most[axis] = scalar::max(self.most[axis], at[axis]);
        }
    }

    fn length(&self) -> f32 {
        scalar::max(self.most[0] - self.least[0], self.most[1] - self.least[1])
    }

    fn holds(&self, at: [f32; 2]) -> bool {
        let slack = INSIDE * self.length();
        (0..2)
            .all(|axis| at[axis] >= self.least[axis] - slack && at[axis] <= self.most[axis] + slack)
    }
}

type Cut = Option<(usize, f32)>;

/// Where the edge between two corners comes in and where it goes out, as line and share of the way;
/// `None` if it passes by.
#[inline]
fn crossing<const N: usize>(from: &Corner<N>, to: &Corner<N>) -> Option<(Cut, Cut)> {
    let share = |line: usize| from.inside[line] / (from.inside[line] - to.inside[line]);
    let (mut enter, mut leave): (Cut, Cut) = (None, None);
    let mut beyond = from.outside;
    while beyond != 0 {
        let line = beyond.trailing_zeros() as usize;
        beyond &= beyond - 1;
        // A corner within the slack beyond a line comes in where it is.
        let share = share(line);
        let share = if share < 1.0 { share } else { 1.0 };
        if enter.is_none_or(|(_, latest)| share > latest) {
            enter = Some((line, share));
        }
    }
    let mut beyond = to.outside;
    while beyond != 0 {
        let line = beyond.trailing_zeros() as usize;
        beyond &= beyond - 1;
        // A corner within the slack beyond a line leaves where it is.
        let share = share(line);
        let share = if share > 0.0 { share } else { 0.0 };
        if leave.is_none_or(|(_, earliest)| share < earliest) {
            leave = Some((line, share));
        }
    }
    match (enter, leave) {
        (Some((_, enter)), Some((_, leave))) if enter >= leave => None,
        _ => Some((enter, leave)),
    }
}
