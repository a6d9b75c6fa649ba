//! Which faces and edges of a solid cannot part it from another?
//!
//! Any point of B bounds them: the separation along a face of A is at most the point's own distance from
//! that plane, and along a direction between two faces, square to their edge, at most the larger of the two
//! distances while both are below 0. A corner of B that is deep in A and a ball inside B leave a handful.
//!
//! ```text
//!      ╲   f₁   ╱           p is 3 behind f₁ and 2 behind f₂: along any direction between their normals
//!       ╲______╱  ← edge    no point of B, being no farther out than p, is less than 2 deep
//!       ╱  · p  ╲
//!      ╱   f₂    ╲
//! ```

use embate_geom::Vec3;

use super::polytope::Polytope;

/// Faces that are remembered; of more, all are asked.
const MOST_FACES: usize = 64;

/// Edges that are remembered; of more, every one is held against the bound whenever it is needed.
const MOST_EDGES: usize = 128;

/// What is known of a solid B, as seen from A: a ball inside, and a corner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) middle: Vec3,
    pub(super) radius: f32,
    pub(super) corner: Vec3,
}

impl Bound {
    /// Of the distance of a point from a plane, in units of the coordinates' size.
    pub(super) const ROUNDING: f32 = 4.0 * f32::EPSILON;

    /// Whether along a direction between two faces B may be less deep than `least`, which is below 0.
    #[inline]
    fn is_open(&self, planes: [(Vec3, f32); 2], least: f32) -> bool {
        let out = |point: Vec3| {
            let [one, other] = planes.map(|(normal, offset)| normal.dot(point) - offset);
            if one > other { one } else { other }
        };
        let least_of_ball = if least + self.radius < 0.0 { least + self.radius } else { 0.0 };
        out(self.corner) >= least && out(self.middle) >= least_of_ball
    }
}

/// Faces along which the other may be less deep than something known, in ascending order.
pub(super) struct OpenFaces {
    faces: [u32; MOST_FACES],
    count: usize,
}

impl OpenFaces {
    #[inline]
    pub(super) fn new() -> Self {
        Self { faces: [0; MOST_FACES], count: 0 }
    }

    #[inline]
    pub(super) fn add(&mut self, face: u32) {
        if let Some(free) = self.faces.get_mut(self.count) {
            *free = face;
        }
        self.count += 1;
    }

    /// `None` if they are too many to be remembered.
    #[inline]
    pub(super) fn faces(&self) -> Option<&[u32]> {
        self.faces.get(..self.count)
    }
}

/// Edges square to which the other may be less deep than something known.
pub(super) struct OpenEdges {
    bound: Bound,
    least: f32,
    edges: [u32; MOST_EDGES],
    /// One more than there is room for if they are too many.
    count: usize,
}

impl OpenEdges {
    /// Of A, where B is no less deep than `least`, which is below 0 or nearly so.
    pub(super) fn new<A: Polytope>(a: &A, bound: &Bound, least: f32) -> Self {
        let least = if least < 0.0 { least } else { 0.0 };
        let mut open = Self { bound: *bound, least, edges: [0; MOST_EDGES], count: 0 };
        let mut faces = OpenFaces::new();
        let by_corner = Bound { middle: bound.corner, radius: 0.0, corner: bound.corner };
        a.faces_within(&by_corner, least, &mut faces);
        let Some(faces) = faces.faces() else {
            open.count = MOST_EDGES + 1;
            return open;
        };
        for &face in faces {
            for &edge in a.edges_around(face) {
                let (_, [first, second]) = a.edge(edge);
                // An edge between two open faces is that of the first.
                let met_before = second == face && faces.contains(&first);
                if !met_before && open.holds(a, edge) && open.count <= MOST_EDGES {
                    if let Some(free) = open.edges.get_mut(open.count) {
                        *free = edge;
                    }
                    open.count += 1;
                }
            }
        }
        open
    }

    #[inline]
    fn holds<A: Polytope>(&self, a: &A, edge: u32) -> bool {
        let (_, faces) = a.edge(edge);
        self.bound.is_open(faces.map(|face| a.plane(face)), self.least)
    }

    /// Whether they are more than are remembered.
    #[inline]
    pub(super) fn are_many(&self) -> bool {
        self.count > MOST_EDGES
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Calls `ask` with each of them.
    #[inline]
    pub(super) fn each<A: Polytope>(&self, a: &A, mut ask: impl FnMut(u32)) {
        if let Some(edges) = self.edges.get(..self.count) {
            for &edge in edges {
                ask(edge);
            }
        } else {
            (0..a.edge_count()).filter(|&edge| self.holds(a, edge)).for_each(ask);
        }
    }
}
