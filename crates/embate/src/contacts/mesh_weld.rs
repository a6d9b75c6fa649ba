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

/// What a normal may not lean over, for one side of a triangle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weld {
    /// Out of the side, of length 1.
    normal: Vec3,
    /// For each edge what a normal may have no part of, of length 1; zero where it may.
    limits: [Vec3; 3],
    /// Of a ridge the normal beyond it, on the same side; zero where there is none.
    beyond: [Vec3; 3],
}

impl Weld {
    pub(super) fn new(mesh: &MeshShape, index: u32, triangle: &Triangle, face: u32) -> Self {
        let normal = triangle.side(face);
        let mut limits = [Vec3::ZERO; 3];
        let mut beyond = [Vec3::ZERO; 3];
        for (edge, across) in mesh.edges(index).iter().enumerate() {
            // From behind, a ridge is a valley.
            let ridge = match across.kind {
                EdgeKind::Border => continue,
                EdgeKind::Flat => false,
                EdgeKind::Convex => face == FRONT,
                EdgeKind::Concave => face != FRONT,
            };
            let along = triangle.corner(edge + 1) - triangle.corner(edge);
            let neighbour = across.neighbour.and_then(|neighbour| mesh.normal(neighbour));
            let last = match neighbour {
                Some(neighbour) if ridge => {
                    beyond[edge] = if face == FRONT { neighbour } else { -neighbour };
                    neighbour
                }
                _ => triangle.normal,
            };
            limits[edge] = along.cross(last).normalised().unwrap_or(Vec3::ZERO);
        }
        Self { normal, limits, beyond }
    }

    /// Whether nothing but the face can be touched.
    pub(super) fn face_alone(&self) -> bool {
        self.limits.iter().all(|&limit| limit != Vec3::ZERO)
            && self.beyond.iter().all(|&beyond| beyond == Vec3::ZERO)
    }

    /// What becomes of a normal.
    pub(super) fn allowed(&self, normal: Vec3) -> Allowed {
        let mut kept = normal;
        let mut last: Option<Vec3> = None;
        // A normal brought back from one ridge may lean over the next.
        for _ in 0..2 {
            for (&limit, &beyond) in self.limits.iter().zip(&self.beyond) {
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
        let over = self.limits.iter().any(|&limit| kept.dot(limit) > 2.0 * LEAN);
        match last {
            None => Allowed::Itself,
            Some(_) if over || kept.dot(self.normal) < -LEAN => Allowed::Face,
            Some(_) => Allowed::Beyond(kept),
        }
    }
}
