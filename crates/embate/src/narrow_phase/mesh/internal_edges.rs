//! Internal edges: rejection of ghost contacts at edges shared by two triangles of a mesh.
//!
//! ```text
//!   n ▲   ▲ n'    convex: every normal        n ▲ ▲ n'    coplanar: n alone, the edge is inactive
//!      ╲ ╱        between n and n'             ─┴─┴─
//!     ╱   ╲                                   n ↗   ↖ n'
//!    ╱     ╲      boundary: every normal        ╲ ╱       concave: n alone, the edge is inactive
//!                 around the edge
//! ```
//!
//! A body that slides from one triangle to the next penetrates both by a little, and the minimum
//! translation out of the second one points back over the shared edge: a ghost contact, which makes
//! the body trip. A normal that leans over an edge farther than the neighbor's normal is therefore
//! clamped to the neighbor's normal. The allowed normals of an edge and of a vertex are its Voronoi
//! region. Jolt calls the edges that may generate a contact *active edges*.

use embate_geom::Vec3;

use crate::shapes::{EdgeKind, TriMesh};

use crate::narrow_phase::convex::triangle::{FRONT_FACE, TrianglePolyhedron};
use crate::narrow_phase::feature_id::FeatureId;

/// Tolerance of the tests of a normal against the limits of an edge, as a sine: about 840 ulp of
/// 1.0 in f32, and too small an angle to affect a simulation.
const NORMAL_CONE_TOLERANCE: f32 = 1e-4;

/// Result of comparing a contact normal with the normals that a triangle and its edges allow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum NormalCorrection {
    /// The normal is allowed.
    Unchanged,
    /// Only the face can be in contact there. If the body does not lie over the face, the neighbor
    /// has the contact.
    FaceNormal,
    /// Clamped to this unit normal.
    ClampedTo(Vec3),
}

/// Whether an edge can generate contacts on one side of its triangle.
pub(crate) fn is_active_edge(kind: EdgeKind, face: u32) -> bool {
    match kind {
        EdgeKind::Boundary => true,
        EdgeKind::Coplanar => false,
        // Seen from the back, a convex edge is concave.
        EdgeKind::Convex => face == FRONT_FACE,
        EdgeKind::Concave => face != FRONT_FACE,
    }
}

/// Whether only the face of a triangle, and none of its edges, can generate contacts on one side.
pub(crate) fn has_no_active_edge(mesh: &TriMesh, index: u32, face: u32) -> bool {
    !mesh.edges(index).iter().any(|edge| is_active_edge(edge.kind, face))
}

/// Normals that the three edges of a triangle allow, for one side of it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EdgeNormalCones {
    /// Unit normal of the side.
    normal: Vec3,
    edges: [EdgeNormalCone; 3],
}

#[derive(Clone, Copy, Debug, Default)]
struct EdgeNormalCone {
    /// Whether the edge can generate contacts.
    is_active: bool,
    /// Unit vector along the edge.
    direction: Vec3,
    /// Unit vector in the plane of the triangle, perpendicular to the edge, out of the triangle.
    outward: Vec3,
    /// Unit vector along which an allowed normal has no positive component; zero if there is no
    /// limit.
    limit: Vec3,
    /// For a convex edge the normal of the neighbor, on the same side; zero for other edges.
    neighbor_normal: Vec3,
}

impl EdgeNormalCone {
    /// Whether a normal lies in the Voronoi region of this edge.
    fn contains(&self, normal: Vec3) -> bool {
        self.is_active
            && normal.dot(self.direction).abs() <= NORMAL_CONE_TOLERANCE
            && normal.dot(self.outward) >= -NORMAL_CONE_TOLERANCE
            && normal.dot(self.limit) <= NORMAL_CONE_TOLERANCE
    }
}

impl EdgeNormalCones {
    pub(crate) fn new(
        mesh: &TriMesh,
        index: u32,
        triangle: &TrianglePolyhedron,
        face: u32,
    ) -> Self {
        let normal = triangle.face_normal(face);
        let mesh_edges = mesh.edges(index);
        let edges = core::array::from_fn(|edge| {
            let direction = triangle.vertex_mod3(edge + 1) - triangle.vertex_mod3(edge);
            // A triangle that is not degenerate has edges of non-zero length.
            let direction = direction.try_normalize().unwrap_or(Vec3::ZERO);
            let outward = direction.cross(triangle.normal);
            let is_active = is_active_edge(mesh_edges[edge].kind, face);
            let normal_across =
                mesh_edges[edge].neighbor.and_then(|neighbor| mesh.triangle_normal(neighbor));
            let (limit, neighbor_normal) = match normal_across {
                _ if mesh_edges[edge].kind == EdgeKind::Boundary => (Vec3::ZERO, Vec3::ZERO),
                Some(across) if is_active => {
                    (direction.cross(across), if face == FRONT_FACE { across } else { -across })
                }
                _ => (outward, Vec3::ZERO),
            };
            EdgeNormalCone { is_active, direction, outward, limit, neighbor_normal }
        });
        Self { normal, edges }
    }

    /// Checks a unit normal, and clamps it if an edge does not allow it.
    pub(crate) fn correct(&self, normal: Vec3) -> NormalCorrection {
        if self.edges.iter().any(|edge| edge.contains(normal)) {
            return NormalCorrection::Unchanged;
        }
        let mut corrected = normal;
        let mut last_neighbor: Option<Vec3> = None;
        // A normal clamped at one edge may exceed the limit of the next.
        for _ in 0..2 {
            for &EdgeNormalCone { limit, neighbor_normal, .. } in &self.edges {
                if corrected.dot(limit) <= NORMAL_CONE_TOLERANCE {
                    continue;
                }
                if neighbor_normal == Vec3::ZERO {
                    return NormalCorrection::FaceNormal;
                }
                corrected =
                    match last_neighbor.filter(|&last_neighbor| last_neighbor != neighbor_normal) {
                        // At the vertex between two convex edges: midway between the normals of
                        // both neighbors.
                        Some(last_neighbor) => last_neighbor + neighbor_normal,
                        None => neighbor_normal,
                    };
                let Some(unit) = corrected.try_normalize() else {
                    return NormalCorrection::FaceNormal;
                };
                (corrected, last_neighbor) = (unit, Some(neighbor_normal));
            }
        }
        let exceeds_limit =
            self.edges.iter().any(|edge| corrected.dot(edge.limit) > 2.0 * NORMAL_CONE_TOLERANCE);
        match last_neighbor {
            None => NormalCorrection::Unchanged,
            Some(_) if exceeds_limit || corrected.dot(self.normal) < -NORMAL_CONE_TOLERANCE => {
                NormalCorrection::FaceNormal
            }
            Some(_) => NormalCorrection::ClampedTo(corrected),
        }
    }
}

/// Whether `normal`, from the closest point on a triangle to a rounded shape, lies in the Voronoi
/// region of the feature with that point. If not, a neighbor is closer. `None` if the feature is an
/// inactive edge, so that only the face can be in contact.
pub(crate) fn voronoi_region_contains(
    mesh: &TriMesh,
    index: u32,
    face: u32,
    feature: TriangleFeature,
    normal: Vec3,
) -> Option<bool> {
    let vertices = mesh.triangle(index);
    match feature {
        TriangleFeature::Face => Some(true),
        TriangleFeature::Edge(edge) => {
            let edge_vector = vertices[(edge + 1) % 3] - vertices[edge];
            let mesh_edge = &mesh.edges(index)[edge];
            if !is_active_edge(mesh_edge.kind, face) {
                return None;
            }
            // In the plane of the neighbor, perpendicular to the edge.
            let into_neighbor = mesh_edge
                .neighbor
                .and_then(|neighbor| mesh.triangle_normal(neighbor))
                .map(|neighbor_normal| edge_vector.cross(neighbor_normal));
            Some(into_neighbor.is_none_or(|into_neighbor| {
                normal.dot(into_neighbor) <= NORMAL_CONE_TOLERANCE * into_neighbor.length()
            }))
        }
        TriangleFeature::Vertex(vertex) => {
            let is_below = |point: Vec3| {
                let edge_vector = point - vertices[vertex];
                normal.dot(edge_vector) <= NORMAL_CONE_TOLERANCE * edge_vector.length()
            };
            // The edge that starts at the vertex, and the one that ends there.
            Some([vertex, (vertex + 2) % 3].into_iter().all(|edge| {
                is_below(vertices[(edge + 1) % 3])
                    && is_below(vertices[edge])
                    && all_around_vertex(mesh, index, edge, vertices[vertex], is_below)
            }))
        }
    }
}

/// Triangles around a vertex that are tested. A vertex of higher valence is taken to be convex.
const MAX_VERTEX_VALENCE: usize = 32;

/// Whether a predicate holds for the apexes of the triangles around a vertex. The walk starts
/// across one edge of a triangle and ends at a boundary or back at the start.
fn all_around_vertex(
    mesh: &TriMesh,
    index: u32,
    edge: usize,
    vertex: Vec3,
    predicate: impl Fn(Vec3) -> bool,
) -> bool {
    let (mut triangle, mut edge) = (index, edge);
    for _ in 0..MAX_VERTEX_VALENCE {
        let vertices = mesh.triangle(triangle);
        let shared_edge = [vertices[edge], vertices[(edge + 1) % 3]];
        let Some(next) = mesh.edges(triangle)[edge].neighbor else { return true };
        if next == index {
            return true;
        }
        let others = mesh.triangle(next);
        let Some(apex) = others.iter().position(|vertex| !shared_edge.contains(vertex)) else {
            return true;
        };
        if !predicate(others[apex]) {
            return false;
        }
        // Continue across the edge between the vertex and the apex, whichever its direction.
        edge = if others[(apex + 1) % 3] == vertex { apex } else { (apex + 2) % 3 };
        triangle = next;
    }
    true
}

/// The feature of a triangle that contains a closest point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TriangleFeature {
    Face,
    Edge(usize),
    Vertex(usize),
}

impl TriangleFeature {
    pub(crate) fn feature_id(self, face: u32) -> FeatureId {
        match self {
            Self::Face => FeatureId::face(face),
            Self::Edge(edge) => FeatureId::edge(edge as u32),
            Self::Vertex(vertex) => FeatureId::vertex(vertex as u32),
        }
    }
}
