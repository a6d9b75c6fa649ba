//! Clipping of the incident face against the reference face, projected along the contact normal.
//!
//! ```text
//!          n ▲     incident face       seen along n:      ┌────────┐
//!            │   ╲______________╱                        ╱│       ╱│   result: vertices of the
//!     ───────┴──────────────  reference face            ╱ │______╱ │   intersection, each with its
//!                                                       ╲_│_____╱──┘   own separation
//! ```
//!
//! The result is the polygon of Sutherland–Hodgman clipping: vertices of the incident face inside
//! the reference face, crossings of their edges, and vertices of the reference face inside the
//! incident face. It is computed in one walk along the incident face. Each incident edge is clipped
//! once, with outcodes and entry and exit parameters (Cyrus–Beck); the reference vertices between
//! an exit and the next entry are inserted.

use embate_geom::{RigidTransform, Vec3};

use crate::narrow_phase::convex::clip::polygon::ProjectedPolygon;
use crate::narrow_phase::convex::clip::projection::{
    ClipInput, FaceProjection, IncidentProjection,
};
use crate::narrow_phase::convex::clip::reduce_points::CandidatePoint;
use crate::narrow_phase::convex::polyhedron::PolyhedralShape;
use crate::narrow_phase::feature_id::FeatureId;

/// Minimum cosine between a face normal and the contact normal (84°). A steeper face has no
/// meaningful overlap, and its separations would be rounding noise.
const MIN_FACE_COSINE: f32 = 0.1;

/// A tolerance larger than this ratio of the reference face's perimeter may place a crossing
/// outside the face: the other shape is so large that its rounding exceeds the usual ratio of the
/// smaller shape's size (2e-5).
const COARSE_TOLERANCE_RATIO: f32 = 1e-4;

/// Faces with more vertices are subsampled.
pub(crate) const MAX_CLIP_VERTICES: usize = 32;

/// The clipped polygon, at most `M` points.
#[derive(Clone, Debug)]
pub(crate) struct ClippedPolygon<const M: usize> {
    points: [CandidatePoint; M],
    /// Features of the reference shape and of the incident shape.
    features: [[FeatureId; 2]; M],
    count: usize,
}

impl<const M: usize> ClippedPolygon<M> {
    #[inline]
    fn new() -> Self {
        let (points, features) = ([CandidatePoint::default(); M], [[FeatureId::ROUND; 2]; M]);
        Self { points, features, count: 0 }
    }

    /// The points with their penetrations.
    #[inline]
    pub(crate) fn points(&self) -> &[CandidatePoint] {
        &self.points[..self.count]
    }

    /// The features that meet in a point.
    #[inline]
    pub(crate) fn features(&self, index: usize) -> [FeatureId; 2] {
        self.features[index]
    }

    #[inline]
    fn push(&mut self, uv: [f32; 2], separation: f32, input: &ClipInput, features: [FeatureId; 2]) {
        if separation <= input.margin && separation >= input.min_separation && self.count < M {
            self.points[self.count] = CandidatePoint { uv, penetration: -separation };
            self.features[self.count] = features;
            self.count += 1;
        }
    }
}

/// Number of vertices of the larger of the two faces.
#[inline]
pub(crate) fn max_vertex_count<R: PolyhedralShape, I: PolyhedralShape>(
    reference: &R,
    incident: &I,
    input: &ClipInput,
) -> usize {
    reference.face_vertices(input.reference).len().max(incident.face_vertices(input.incident).len())
}

/// Clips the incident face against the reference face. Faces with more than `N` vertices are
/// subsampled evenly; `M` is twice `N`.
#[inline]
pub(crate) fn clip<R: PolyhedralShape, I: PolyhedralShape, const N: usize, const M: usize>(
    reference: &R,
    incident: &I,
    incident_in_reference: &RigidTransform,
    projection: &FaceProjection,
    input: &ClipInput,
) -> ClippedPolygon<M> {
    let mut clipped = ClippedPolygon::new();
    let (reference_normal, reference_offset) = reference.plane(input.reference);
    let (own_normal, own_offset) = incident.plane(input.incident);
    let incident_normal = incident_in_reference.basis * own_normal;
    if reference_normal.dot(input.normal) <= MIN_FACE_COSINE
        || incident_normal.dot(input.normal) >= -MIN_FACE_COSINE
    {
        return clipped;
    }
    let mut reference_polygon = ProjectedPolygon::<N>::new();
    let vertices = reference.face_vertices(input.reference);
    let edges = reference.edges_of_face(input.reference);
    for (&index, &edge) in vertices.iter().zip(edges).step_by(vertices.len().div_ceil(N)) {
        reference_polygon.push([index, edge], projection.project(reference.vertex(index)));
    }
    // The incident face is counter-clockwise around its own normal, hence clockwise in projection.
    // In reversed order the edge that starts at a vertex there ends in it here.
    let mut incident_polygon = ProjectedPolygon::<N>::new();
    let mut separations = [0.0; N];
    let incident_projection = IncidentProjection::new(
        projection,
        reference_normal,
        reference_offset,
        input,
        incident_in_reference,
    );
    let vertices = incident.face_vertices(input.incident);
    let edges = incident.edges_of_face(input.incident);
    for (&index, &edge) in vertices.iter().zip(edges).step_by(vertices.len().div_ceil(N)).rev() {
        let (uv, separation) = incident_projection.project(incident.vertex(index));
        separations[incident_polygon.count] = separation;
        incident_polygon.push([index, edge], uv);
    }
    let offset = own_offset + incident_normal.dot(incident_in_reference.translation);
    let clipper = Clipper {
        reference_shape: reference,
        input,
        reference_polygon,
        incident_polygon,
        separations,
        incident_plane: (incident_normal, offset),
    };
    clipper.clip_boundary(&mut clipped);
    clipped
}

/// Both faces in projection.
struct Clipper<'a, R, const N: usize> {
    reference_shape: &'a R,
    input: &'a ClipInput,
    /// The reference face.
    reference_polygon: ProjectedPolygon<N>,
    /// The incident face, and the separation of its vertices from the reference plane.
    incident_polygon: ProjectedPolygon<N>,
    separations: [f32; N],
    /// Plane of the incident face.
    incident_plane: (Vec3, f32),
}

/// Incident vertices classified against the edge lines of the reference face.
struct VertexClassification<const N: usize> {
    /// Unnormalized distance inside, by line and vertex.
    inside: [[f32; N]; N],
    /// Outcodes (Cohen–Sutherland): bit `line` is set if the vertex is outside that line by more
    /// than the tolerance.
    outcodes: [u32; N],
    /// Nonzero if the vertex is outside some line, even if within the tolerance.
    is_outside_any: [u32; N],
    /// See [`COARSE_TOLERANCE_RATIO`].
    has_coarse_tolerance: bool,
}

impl<R: PolyhedralShape, const N: usize> Clipper<'_, R, N> {
    #[inline]
    fn classify_vertices(&self) -> VertexClassification<N> {
        let mut classes = VertexClassification {
            inside: [[0.0; N]; N],
            outcodes: [0; N],
            is_outside_any: [0; N],
            has_coarse_tolerance: false,
        };
        let (mut edge_lengths, mut perimeter) = ([0.0; N], 0.0);
        for line in 0..self.reference_polygon.count {
            let (edge, length) = self.reference_polygon.line(line);
            edge_lengths[line] = length;
            perimeter += length;
            let inside = &mut classes.inside[line];
            for vertex in 0..N {
                inside[vertex] = edge.a * self.incident_polygon.u[vertex]
                    + edge.b * self.incident_polygon.v[vertex]
                    + edge.c;
            }
        }
        classes.has_coarse_tolerance = self.input.tolerance > COARSE_TOLERANCE_RATIO * perimeter;
        for line in 0..self.reference_polygon.count {
            let min_inside = -self.input.tolerance * edge_lengths[line];
            for vertex in 0..N {
                let inside = classes.inside[line][vertex];
                classes.outcodes[vertex] |= u32::from(inside < min_inside) << line;
                classes.is_outside_any[vertex] |= u32::from(inside < 0.0);
            }
        }
        classes
    }

    /// Walks along the boundary of the incident face.
    #[inline]
    fn clip_boundary<const M: usize>(&self, clipped: &mut ClippedPolygon<M>) {
        let classes = self.classify_vertices();
        let mut common_outcode = u32::MAX;
        for vertex in 0..self.incident_polygon.count {
            common_outcode &= classes.outcodes[vertex];
        }
        if common_outcode != 0 {
            return;
        }
        // The line of the last exit, and the line of the first entry.
        let (mut last_exit, mut first_entry): (Option<usize>, Option<usize>) = (None, None);
        let mut has_crossings = false;
        for from in 0..self.incident_polygon.count {
            let to = self.incident_polygon.next(from);
            let (outcode_from, outcode_to) = (classes.outcodes[from], classes.outcodes[to]);
            if outcode_from == 0
                && (classes.is_outside_any[from] == 0
                    || self
                        .reference_polygon
                        .bounds_contain(self.incident_polygon.at(from), self.input.tolerance))
            {
                let features = [
                    FeatureId::face(self.input.reference),
                    FeatureId::vertex(self.incident_polygon.vertex[from]),
                ];
                clipped.push(
                    self.incident_polygon.at(from),
                    self.separations[from],
                    self.input,
                    features,
                );
            }
            if outcode_from & outcode_to == 0
                && outcode_from | outcode_to != 0
                && let Some((enter, leave)) = classes.clip_edge(from, to)
            {
                has_crossings = true;
                for &crossing in [enter, leave].iter().flatten() {
                    self.push_crossing([from, to], crossing, classes.has_coarse_tolerance, clipped);
                }
                if let Some(LineCrossing { line, .. }) = enter {
                    match last_exit.take() {
                        Some(exit) => self.push_reference_chain(exit, line, clipped),
                        None => first_entry = Some(line),
                    }
                }
                if let Some(LineCrossing { line, .. }) = leave {
                    last_exit = Some(line);
                }
            }
        }
        if let (Some(exit), Some(entry)) = (last_exit, first_entry) {
            self.push_reference_chain(exit, entry, clipped);
        }
        // No line was crossed. Either the incident face lies inside, and its vertices have been
        // emitted; or it contains the reference face, or both are disjoint, which the vertices of
        // the reference face decide.
        if !has_crossings && classes.outcodes[0] != 0 {
            // In the order of the exchanged faces: `reduce_points` prefers early points.
            for vertex in (0..self.reference_polygon.count).rev() {
                self.push_reference_vertex(vertex, clipped);
            }
        }
    }

    /// Emits the crossing of an incident edge with a line of the reference face.
    #[inline]
    fn push_crossing<const M: usize>(
        &self,
        [from, to]: [usize; 2],
        LineCrossing { line, t }: LineCrossing,
        has_coarse_tolerance: bool,
        clipped: &mut ClippedPolygon<M>,
    ) {
        let incident = &self.incident_polygon;
        let lerp = |a: f32, b: f32| a + (b - a) * t;
        let uv = [lerp(incident.u[from], incident.u[to]), lerp(incident.v[from], incident.v[to])];
        if has_coarse_tolerance && !self.reference_polygon.contains(uv, self.input.tolerance) {
            return;
        }
        let separation = lerp(self.separations[from], self.separations[to]);
        let features = [
            FeatureId::edge(self.reference_polygon.edge[line]),
            FeatureId::edge(incident.edge[to]),
        ];
        clipped.push(uv, separation, self.input, features);
    }

    /// Emits the vertices of the reference face after the line `exit` up to the line `entry`.
    #[inline]
    fn push_reference_chain<const M: usize>(
        &self,
        exit: usize,
        entry: usize,
        clipped: &mut ClippedPolygon<M>,
    ) {
        let mut line = exit;
        // If the entry follows the exit through the same line, there is no vertex in between.
        while line != entry {
            line = self.reference_polygon.next(line);
            self.push_reference_vertex(line, clipped);
        }
    }

    /// Emits a vertex of the reference face with the separation of the incident plane above it.
    #[inline]
    fn push_reference_vertex<const M: usize>(
        &self,
        vertex: usize,
        clipped: &mut ClippedPolygon<M>,
    ) {
        let uv = self.reference_polygon.at(vertex);
        // If two faces touch in a point, rounding may have sent the walk the wrong way around.
        if self.incident_polygon.contains(uv, self.input.tolerance) {
            let index = self.reference_polygon.vertex[vertex];
            let (normal, offset) = self.incident_plane;
            let height = offset - normal.dot(self.reference_shape.vertex(index));
            let separation = height / normal.dot(self.input.normal);
            let features = [FeatureId::vertex(index), FeatureId::face(self.input.incident)];
            clipped.push(uv, separation, self.input, features);
        }
    }
}

/// Crossing of an incident edge with a line of the reference face.
#[derive(Clone, Copy)]
struct LineCrossing {
    line: usize,
    /// Parameter along the incident edge, 0 to 1.
    t: f32,
}

impl<const N: usize> VertexClassification<N> {
    /// Entry and exit of the edge between two vertices; `None` if it passes outside.
    #[inline]
    fn clip_edge(
        &self,
        from: usize,
        to: usize,
    ) -> Option<(Option<LineCrossing>, Option<LineCrossing>)> {
        // A vertex outside a line but within the tolerance enters or leaves at its own position.
        let crossing_at = |line: usize| {
            let (start, end) = (self.inside[line][from], self.inside[line][to]);
            LineCrossing { line, t: (start / (start - end)).clamp(0.0, 1.0) }
        };
        let (mut enter, mut leave): (Option<LineCrossing>, Option<LineCrossing>) = (None, None);
        let mut outcode = self.outcodes[from];
        while outcode != 0 {
            let line = outcode.trailing_zeros() as usize;
            outcode &= outcode - 1;
            let crossing = crossing_at(line);
            if enter.is_none_or(|latest| crossing.t > latest.t) {
                enter = Some(crossing);
            }
        }
        let mut outcode = self.outcodes[to];
        while outcode != 0 {
            let line = outcode.trailing_zeros() as usize;
            outcode &= outcode - 1;
            let crossing = crossing_at(line);
            if leave.is_none_or(|earliest| crossing.t < earliest.t) {
                leave = Some(crossing);
            }
        }
        match (enter, leave) {
            (Some(enter), Some(leave)) if enter.t >= leave.t => None,
            _ => Some((enter, leave)),
        }
    }
}
