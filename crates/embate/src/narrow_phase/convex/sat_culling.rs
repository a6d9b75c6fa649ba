//! SAT culling: faces and edges that cannot be the axis of minimum penetration.
//!
//! Any point of B bounds the separation. Along a face normal of A it is at most the signed distance
//! of that point from the plane. Along a direction between two face normals, perpendicular to their
//! common edge, it is at most the larger of the two distances while both are negative. A vertex of
//! B deep inside A and a sphere inscribed in B leave a handful of candidates.
//!
//! ```text
//!      ╲   f₁   ╱           p is 3 behind f₁ and 2 behind f₂: along any direction between their
//!       ╲______╱  ← edge    normals the penetration of B, which contains p, is at least 2
//!       ╱  · p  ╲
//!      ╱   f₂    ╲
//! ```

use embate_geom::Vec3;

use crate::narrow_phase::convex::polyhedron::PolyhedralShape;

/// Capacity of the list of candidate faces; if exceeded, all faces are tested.
const MAX_CANDIDATE_FACES: usize = 64;

/// Capacity of the list of candidate edges; if exceeded, every edge is tested against the bound on
/// each iteration.
const MAX_CANDIDATE_EDGES: usize = 128;

/// Upper bound of separations: a sphere inside B and a vertex of B, in A's frame.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AxisBound {
    pub(crate) center: Vec3,
    pub(crate) radius: f32,
    pub(crate) vertex: Vec3,
}

impl AxisBound {
    /// Rounding of the distance of a point from a plane, relative to the coordinates' size.
    pub(crate) const PLANE_DISTANCE_ROUNDING: f32 = 4.0 * f32::EPSILON;

    /// Whether the separation along some direction between two face normals may reach `threshold`,
    /// which is negative.
    #[inline]
    fn admits(&self, planes: [(Vec3, f32); 2], threshold: f32) -> bool {
        let max_distance = |point: Vec3| {
            let [first, second] = planes.map(|(normal, offset)| normal.dot(point) - offset);
            if first > second { first } else { second }
        };
        let sphere_threshold =
            if threshold + self.radius < 0.0 { threshold + self.radius } else { 0.0 };
        max_distance(self.vertex) >= threshold && max_distance(self.center) >= sphere_threshold
    }
}

/// Faces whose separation may reach a threshold, in ascending order.
pub(crate) struct CandidateFaces {
    faces: [u32; MAX_CANDIDATE_FACES],
    count: usize,
}

impl CandidateFaces {
    #[inline]
    pub(crate) fn new() -> Self {
        Self { faces: [0; MAX_CANDIDATE_FACES], count: 0 }
    }

    #[inline]
    pub(crate) fn push(&mut self, face: u32) {
        if let Some(slot) = self.faces.get_mut(self.count) {
            *slot = face;
        }
        self.count += 1;
    }

    /// `None` if the capacity was exceeded.
    #[inline]
    pub(crate) fn faces(&self) -> Option<&[u32]> {
        self.faces.get(..self.count)
    }
}

/// Edges whose separation may reach a threshold.
pub(crate) struct CandidateEdges {
    bound: AxisBound,
    threshold: f32,
    edges: [u32; MAX_CANDIDATE_EDGES],
    /// One more than the capacity if it was exceeded.
    count: usize,
}

impl CandidateEdges {
    /// Candidate edges of A; `threshold` is the best separation known, negative or nearly so.
    pub(crate) fn new<A: PolyhedralShape>(a: &A, bound: &AxisBound, threshold: f32) -> Self {
        let threshold = if threshold < 0.0 { threshold } else { 0.0 };
        let mut candidates =
            Self { bound: *bound, threshold, edges: [0; MAX_CANDIDATE_EDGES], count: 0 };
        let mut faces = CandidateFaces::new();
        let vertex_bound = AxisBound { center: bound.vertex, radius: 0.0, vertex: bound.vertex };
        a.collect_candidate_faces(&vertex_bound, threshold, &mut faces);
        let Some(faces) = faces.faces() else {
            candidates.count = MAX_CANDIDATE_EDGES + 1;
            return candidates;
        };
        for &face in faces {
            for &edge in a.edges_of_face(face) {
                let (_, [first, second]) = a.edge(edge);
                // An edge between two candidate faces belongs to the first.
                let is_duplicate = second == face && faces.contains(&first);
                if !is_duplicate
                    && candidates.admits(a, edge)
                    && candidates.count <= MAX_CANDIDATE_EDGES
                {
                    if let Some(slot) = candidates.edges.get_mut(candidates.count) {
                        *slot = edge;
                    }
                    candidates.count += 1;
                }
            }
        }
        candidates
    }

    #[inline]
    fn admits<A: PolyhedralShape>(&self, a: &A, edge: u32) -> bool {
        let (_, faces) = a.edge(edge);
        self.bound.admits(faces.map(|face| a.plane(face)), self.threshold)
    }

    /// Whether the capacity was exceeded.
    #[inline]
    pub(crate) fn overflowed(&self) -> bool {
        self.count > MAX_CANDIDATE_EDGES
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Calls `visit` with each candidate.
    #[inline]
    pub(crate) fn for_each<A: PolyhedralShape>(&self, a: &A, mut visit: impl FnMut(u32)) {
        if let Some(edges) = self.edges.get(..self.count) {
            for &edge in edges {
                visit(edge);
            }
        } else {
            (0..a.edge_count()).filter(|&edge| self.admits(a, edge)).for_each(visit);
        }
    }
}
