//! Along which normals may something touch a triangle that has neighbours?
//!
//! ```text
//!   n ▲   ▲ n'        ridge: all between n and n'         n ▲ ▲ n'    flat: n alone; there is no edge
//!      ╲ ╱                                                 ─┴─┴─
//!     ╱   ╲                                               n ↗   ↖ n'
//!    ╱     ╲          border: all round it                ╲ ╱         valley: n alone; only a face is there
//! ```
//!
//! A body that slides from one triangle to the next sinks into both by a little, and the shortest way out of
//! the second is back over its edge: it would trip. So a normal that leans over an edge farther than the
//! neighbour's own is brought back to that.

use embate_geom::Vec3;

use crate::shapes::{EdgeKind, MeshShape};

use super::feature::Part;
use super::triangle::{FRONT, Triangle};

/// A normal that leans over an edge by less does not lean: some steps of f32, and below what can be felt.
const LEAN: f32 = 1e-4;

/// What becomes of a normal along which something touches a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Allowed {
    /// It stays.
    Itself,
    /// Only the face can be touched there, and if the body is not over it, the neighbour is.
    Face,
    /// It is brought back to this one, of length 1.
    Beyond(Vec3),
}

/// Whether an edge can be touched from a side of its triangle.
pub(super) fn can_be_touched(kind: EdgeKind, face: u32) -> bool {
    match kind {
        EdgeKind::Border => true,
        EdgeKind::Flat => false,
        // From behind, a ridge is a valley.
        EdgeKind::Convex => face == FRONT,
        EdgeKind::Concave => face != FRONT,
    }
}

/// Whether nothing but the face of a triangle can be touched from one of its sides.
pub(super) fn face_alone(mesh: &MeshShape, index: u32, face: u32) -> bool {
    !mesh.edges(index).iter().any(|edge| can_be_touched(edge.kind, face))
}

/// What a normal may not lean over, for one side of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weld {
    /// Out of the side, of length 1.
    normal: Vec3,
    edges: [Edge; 3],
}

#[derive(Clone, Copy, Debug, Default)]
struct Edge {
    /// Whether something can touch it.
    touched: bool,
    /// Its direction, of length 1.
    along: Vec3,
    /// Square to the edge and to the side, out of the triangle, of length 1.
    out: Vec3,
    /// What a normal may have no part of, of length 1; zero where it may.
    limit: Vec3,
    /// Of a ridge the normal beyond it, on the same side; zero where there is none.
    beyond: Vec3,
}

impl Edge {
    /// Whether a normal is one of those along which this very edge is touched.
    fn gives(&self, normal: Vec3) -> bool {
        self.touched
            && normal.dot(self.along).abs() <= LEAN
            && normal.dot(self.out) >= -LEAN
            && normal.dot(self.limit) <= LEAN
    }
}

impl Weld {
    pub(super) fn new(mesh: &MeshShape, index: u32, triangle: &Triangle, face: u32) -> Self {
        let normal = triangle.side(face);
        let across = mesh.edges(index);
        let edges = core::array::from_fn(|edge| {
            let along = triangle.corner(edge + 1) - triangle.corner(edge);
            // A triangle with an area has edges with a length.
            let along = along.normalised().unwrap_or(Vec3::ZERO);
            let out = along.cross(triangle.normal);
            let touched = can_be_touched(across[edge].kind, face);
            let neighbour = across[edge].neighbour.and_then(|neighbour| mesh.normal(neighbour));
            let (limit, beyond) = match neighbour {
                _ if across[edge].kind == EdgeKind::Border => (Vec3::ZERO, Vec3::ZERO),
                Some(other) if touched => {
                    (along.cross(other), if face == FRONT { other } else { -other })
                }
                _ => (out, Vec3::ZERO),
            };
            Edge { touched, along, out, limit, beyond }
        });
        Self { normal, edges }
    }

    /// What becomes of a normal.
    pub(super) fn allowed(&self, normal: Vec3) -> Allowed {
        if self.edges.iter().any(|edge| edge.gives(normal)) {
            return Allowed::Itself;
        }
        let mut kept = normal;
        let mut last: Option<Vec3> = None;
        // A normal brought back from one ridge may lean over the next.
        for _ in 0..2 {
            for &Edge { limit, beyond, .. } in &self.edges {
                if kept.dot(limit) <= LEAN {
                    continue;
                }
                if beyond == Vec3::ZERO {
                    return Allowed::Face;
                }
                kept = match last.filter(|&last| last != beyond) {
                    // Over the corner between two ridges: midway between the normals beyond them.
                    Some(last) => last + beyond,
                    None => beyond,
                };
                let Some(unit) = kept.normalised() else { return Allowed::Face };
                (kept, last) = (unit, Some(beyond));
            }
        }
        let over = self.edges.iter().any(|edge| kept.dot(edge.limit) > 2.0 * LEAN);
        match last {
            None => Allowed::Itself,
            Some(_) if over || kept.dot(self.normal) < -LEAN => Allowed::Face,
            Some(_) => Allowed::Beyond(kept),
        }
    }
}

/// Whether something round that is nearest to a place on a triangle, along a normal out of it, touches it
/// there: not if a neighbour is nearer. `None` if only the face can be touched there.
pub(super) fn touched_at(
    mesh: &MeshShape,
    index: u32,
    face: u32,
    place: Place,
    normal: Vec3,
) -> Option<bool> {
    let corners = mesh.triangle(index);
    match place {
        Place::Face => Some(true),
        Place::Edge(edge) => {
            let along = corners[(edge + 1) % 3] - corners[edge];
            let across = &mesh.edges(index)[edge];
            if !can_be_touched(across.kind, face) {
                return None;
            }
            // From the edge into the neighbour.
            let into =
                across.neighbour.and_then(|other| mesh.normal(other)).map(|n| along.cross(n));
            Some(into.is_none_or(|into| normal.dot(into) <= LEAN * into.length()))
        }
        Place::Corner(corner) => {
            let lower = |point: Vec3| {
                let along = point - corners[corner];
                normal.dot(along) <= LEAN * along.length()
            };
            // The edge that begins in the corner, and the one that ends in it.
            Some([corner, (corner + 2) % 3].into_iter().all(|edge| {
                lower(corners[(edge + 1) % 3])
                    && lower(corners[edge])
                    && all_round(mesh, index, edge, corners[corner], lower)
            }))
        }
    }
}

/// Triangles about a corner that are looked at; a corner of more is sharp enough.
const ROUND: usize = 32;

/// Whether something holds of the third corners of all triangles about a corner, from a triangle on across
/// one of its edges, until the mesh ends or the way comes round.
fn all_round(
    mesh: &MeshShape,
    index: u32,
    edge: usize,
    corner: Vec3,
    holds: impl Fn(Vec3) -> bool,
) -> bool {
    let (mut triangle, mut edge) = (index, edge);
    for _ in 0..ROUND {
        let corners = mesh.triangle(triangle);
        let crossed = [corners[edge], corners[(edge + 1) % 3]];
        let Some(next) = mesh.edges(triangle)[edge].neighbour else { return true };
        if next == index {
            return true;
        }
        let others = mesh.triangle(next);
        let Some(apex) = others.iter().position(|c| !crossed.contains(c)) else { return true };
        if !holds(others[apex]) {
            return false;
        }
        // On across the edge from the corner to the third one, whichever way it runs.
        edge = if others[(apex + 1) % 3] == corner { apex } else { (apex + 2) % 3 };
        triangle = next;
    }
    true
}

/// Where on a triangle a nearest point is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Face,
    Edge(usize),
    Corner(usize),
}

impl Place {
    pub(super) fn part(self, face: u32) -> Part {
        match self {
            Self::Face => Part::face(face),
            Self::Edge(edge) => Part::edge(edge as u32),
            Self::Corner(corner) => Part::corner(corner as u32),
        }
    }
}
