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

use embate_geom::{Frame, Vec3};

use super::feature::Part;
use super::flat::{Flat, Incident, View};
use super::polygon::Polygon;
use super::polytope::Polytope;
use super::reduce::Candidate;

/// A face that stands steeper on the other has no overlap worth the name, and its depths would be rounding:
/// cos of 84°.
const STEEP: f32 = 0.1;

/// A slack that is a larger part of the way round the reference face may put a crossing beside it: the other body is so large
/// that its rounding is more than the part of the smaller one's size that is usual (2e-5).
const COARSE: f32 = 1e-4;

/// Of faces with more corners only some take part.
pub(super) const MOST_CORNERS: usize = 32;

/// The overlap as it grows: at most `M` points.
#[derive(Clone, Debug)]
pub(super) struct Overlap<const M: usize> {
    candidates: [Candidate; M],
    /// Of the reference body, of the incident one.
    parts: [[Part; 2]; M],
    count: usize,
}

impl<const M: usize> Overlap<M> {
    #[inline]
    fn new() -> Self {
        let (candidates, parts) = ([Candidate::default(); M], [[Part::WHOLE; 2]; M]);
        Self { candidates, parts, count: 0 }
    }

    /// Where its points are, and how deep.
    #[inline]
    pub(super) fn candidates(&self) -> &[Candidate] {
        &self.candidates[..self.count]
    }

    /// What meets in a point.
    #[inline]
    pub(super) fn parts(&self, index: usize) -> [Part; 2] {
        self.parts[index]
    }

    #[inline]
    fn keep(&mut self, at: [f32; 2], gap: f32, view: &View, parts: [Part; 2]) {
        if gap <= view.margin && gap >= view.least && self.count < M {
            self.candidates[self.count] = Candidate { at, depth: -gap };
            self.parts[self.count] = parts;
            self.count += 1;
        }
    }
}

/// How many corners the larger of two faces has.
#[inline]
pub(super) fn most_corners<R: Polytope, I: Polytope>(
    reference: &R,
    incident: &I,
    view: &View,
) -> usize {
    reference.corners(view.reference).len().max(incident.corners(view.incident).len())
}

/// The corners of the overlap of two faces, the incident body `seen` from the reference one. Of a face with more
/// than `N` corners some, evenly spread, take part; `M` is twice `N`.
#[inline]
pub(super) fn overlap<R: Polytope, I: Polytope, const N: usize, const M: usize>(
    reference: &R,
    incident: &I,
    seen: &Frame,
    flat: &Flat,
    view: &View,
) -> Overlap<M> {
    let mut overlap = Overlap::new();
    let plane = reference.plane(view.reference);
    let (own_normal, own_offset) = incident.plane(view.incident);
    let incident_normal = seen.axes * own_normal;
    if plane.0.dot(view.normal) <= STEEP || incident_normal.dot(view.normal) >= -STEEP {
        return overlap;
    }
    let mut under = Polygon::<N>::new();
    let corners = reference.corners(view.reference);
    let edges = reference.edges_around(view.reference);
    for (&index, &edge) in corners.iter().zip(edges).step_by(corners.len().div_ceil(N)) {
        under.add([index, edge], flat.point(reference.vertex(index)));
    }
    // Counter-clockwise about its own normal is clockwise as seen here: the edge that begins in a corner there
    // ends in it here.
    let mut over = Polygon::<N>::new();
    let mut gaps = [0.0; N];
    let make = Incident::new(flat, plane, view, seen);
    let corners = incident.corners(view.incident);
    let edges = incident.edges_around(view.incident);
    for (&index, &edge) in corners.iter().zip(edges).step_by(corners.len().div_ceil(N)).rev() {
        let (at, gap) = make.corner(incident.vertex(index));
        gaps[over.count] = gap;
        over.add([index, edge], at);
    }
    let offset = own_offset + incident_normal.dot(seen.origin);
    let walk = Walk { reference, view, under, over, gaps, plane: (incident_normal, offset) };
    walk.sides(&mut overlap);
    overlap
}

/// Two faces made flat.
struct Walk<'a, R, const N: usize> {
    reference: &'a R,
    view: &'a View,
    /// The reference face.
    under: Polygon<N>,
    /// The incident one, and how far its corners are from the plane of the other.
    over: Polygon<N>,
    gaps: [f32; N],
    /// The plane of the incident face.
    plane: (Vec3, f32),
}

/// How far inside of each line of the reference face each corner of the incident one is.
struct Sides<const N: usize> {
    /// By line, by corner.
    inside: [[f32; N]; N],
    /// Bit `line` is set for a corner beyond that line.
    outside: [u32; N],
    /// Not 0 for a corner that is beyond some line, if only by the slack.
    doubtful: [u32; N],
    /// See [`COARSE`].
    coarse: bool,
}

impl<R: Polytope, const N: usize> Walk<'_, R, N> {
    #[inline]
    fn by_lines(&self) -> Sides<N> {
        let mut sides =
            Sides { inside: [[0.0; N]; N], outside: [0; N], doubtful: [0; N], coarse: false };
        let (mut lengths, mut round) = ([0.0; N], 0.0);
        for line in 0..self.under.count {
            let (edge, length) = self.under.line(line);
            lengths[line] = length;
            round += length;
            let inside = &mut sides.inside[line];
            for corner in 0..N {
                inside[corner] =
                    edge.a * self.over.u[corner] + edge.b * self.over.v[corner] + edge.c;
            }
        }
        sides.coarse = self.view.slack > COARSE * round;
        for line in 0..self.under.count {
            let slack = -self.view.slack * lengths[line];
            for corner in 0..N {
                let inside = sides.inside[line][corner];
                sides.outside[corner] |= u32::from(inside < slack) << line;
                sides.doubtful[corner] |= u32::from(inside < 0.0);
            }
        }
        sides
    }

    /// Walks along the incident face.
    #[inline]
    fn sides<const M: usize>(&self, overlap: &mut Overlap<M>) {
        let sides = self.by_lines();
        let mut outside_all = u32::MAX;
        for corner in 0..self.over.count {
            outside_all &= sides.outside[corner];
        }
        if outside_all != 0 {
            return;
        }
        // The line through which the walk has left, and that through which it first came in.
        let (mut left, mut opening): (Option<usize>, Option<usize>) = (None, None);
        let mut crossed = false;
        for from in 0..self.over.count {
            let to = self.over.next(from);
            let (out_from, out_to) = (sides.outside[from], sides.outside[to]);
            if out_from == 0
                && (sides.doubtful[from] == 0
                    || self.under.spans(self.over.at(from), self.view.slack))
            {
                let parts = [Part::face(self.view.reference), Part::corner(self.over.index[from])];
                overlap.keep(self.over.at(from), self.gaps[from], self.view, parts);
            }
            if out_from & out_to == 0
                && out_from | out_to != 0
                && let Some((enter, leave)) = sides.crossing(from, to)
            {
                crossed = true;
                for &(line, share) in [enter, leave].iter().flatten() {
                    self.keep_crossing([from, to], (line, share), sides.coarse, overlap);
                }
                if let Some((line, _)) = enter {
                    match left.take() {
                        Some(left) => self.keep_between(left, line, overlap),
                        None => opening = Some(line),
                    }
                }
                if let Some((line, _)) = leave {
                    left = Some(line);
                }
            }
        }
        if let (Some(left), Some(line)) = (left, opening) {
            self.keep_between(left, line, overlap);
        }
        // Not one line was crossed: either the incident face lies inside, which is told by its corners,
        // or it covers the reference face whole, or they lie apart, which is told by the corners of that.
        if !crossed && sides.outside[0] != 0 {
            // In the order in which they would come if the faces were exchanged: `reduce` prefers early ones.
            for corner in (0..self.under.count).rev() {
                self.keep_reference(corner, overlap);
            }
        }
    }

    /// Where an incident edge crosses a line.
    #[inline]
    fn keep_crossing<const M: usize>(
        &self,
        [from, to]: [usize; 2],
        (line, share): (usize, f32),
        coarse: bool,
        overlap: &mut Overlap<M>,
    ) {
        let over = &self.over;
        let between = |a: f32, b: f32| a + (b - a) * share;
        let at = [between(over.u[from], over.u[to]), between(over.v[from], over.v[to])];
        if coarse && !self.under.holds(at, self.view.slack) {
            return;
        }
        let gap = between(self.gaps[from], self.gaps[to]);
        let parts = [Part::edge(self.under.edge[line]), Part::edge(over.edge[to])];
        overlap.keep(at, gap, self.view, parts);
    }

    /// The corners of the reference face after the line `left` up to the line `entered`.
    #[inline]
    fn keep_between<const M: usize>(&self, left: usize, entered: usize, overlap: &mut Overlap<M>) {
        let mut line = left;
        // A line entered right after it was left has no corner in between.
        while line != entered {
            line = self.under.next(line);
            self.keep_reference(line, overlap);
        }
    }

    /// A corner of the reference face, and how far over it the incident one is.
    #[inline]
    fn keep_reference<const M: usize>(&self, corner: usize, overlap: &mut Overlap<M>) {
        let at = self.under.at(corner);
        // Where two faces touch in a point, rounding may have walked the wrong way round.
        if self.over.holds(at, self.view.slack) {
            let index = self.under.index[corner];
            let (normal, offset) = self.plane;
            let above = offset - normal.dot(self.reference.vertex(index));
            let gap = above / normal.dot(self.view.normal);
            let parts = [Part::corner(index), Part::face(self.view.incident)];
            overlap.keep(at, gap, self.view, parts);
        }
    }
}

type Cut = Option<(usize, f32)>;

impl<const N: usize> Sides<N> {
    /// Where the edge between two corners comes in and where it goes out, as line and share of the way;
    /// `None` if it passes by.
    #[inline]
    fn crossing(&self, from: usize, to: usize) -> Option<(Cut, Cut)> {
        // A corner within the slack beyond a line comes in or leaves where it is.
        let share = |line: usize| {
            let (start, end) = (self.inside[line][from], self.inside[line][to]);
            (start / (start - end)).clamp(0.0, 1.0)
        };
        let (mut enter, mut leave): (Cut, Cut) = (None, None);
        let mut beyond = self.outside[from];
        while beyond != 0 {
            let line = beyond.trailing_zeros() as usize;
            beyond &= beyond - 1;
            let share = share(line);
            if enter.is_none_or(|(_, latest)| share > latest) {
                enter = Some((line, share));
            }
        }
        let mut beyond = self.outside[to];
        while beyond != 0 {
            let line = beyond.trailing_zeros() as usize;
            beyond &= beyond - 1;
            let share = share(line);
            if leave.is_none_or(|(_, earliest)| share < earliest) {
                leave = Some((line, share));
            }
        }
        match (enter, leave) {
            (Some((_, enter)), Some((_, leave))) if enter >= leave => None,
            _ => Some((enter, leave)),
        }
    }
}
