//! Edge adjacency of a triangle mesh: which edges are convex, coplanar, concave or boundaries.
//!
//! The narrow phase suppresses contacts at internal edges (ghost collisions): a body sliding over a
//! flat floor of triangles must not collide with the edges between them. Adjacency is a property of
//! the mesh, so it is computed once. Jolt calls the edges that remain *active edges*.

use embate_geom::Vec3;
use embate_mesh::TriangleMesh;

/// How two triangles meet at an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[doc(alias = "active edge")]
pub enum EdgeKind {
    /// Convex, seen from the front: can be touched.
    Convex,
    /// The triangles are coplanar, within [`COPLANAR_SINE`]: never touched.
    #[doc(alias = "Flat")]
    Coplanar,
    /// Concave, seen from the front: can be touched only from behind.
    Concave,
    /// The edge belongs to one triangle, to more than two, or to two of opposite orientation.
    #[doc(alias = "Border")]
    Boundary,
}

/// Triangles whose normals differ by less than this angle, as a sine, are coplanar: about 0.06°, a
/// few `f32` steps on triangles of 10 cm at 1 km from the origin.
#[doc(alias = "FLAT_SINE")]
pub const COPLANAR_SINE: f32 = 1e-3;

/// An edge of a triangle, and the triangle across it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshEdge {
    /// How the triangles meet.
    pub kind: EdgeKind,
    /// The other triangle; `None` for a [`Boundary`](EdgeKind::Boundary).
    #[doc(alias = "neighbour")]
    pub neighbor: Option<u32>,
}

impl MeshEdge {
    const BOUNDARY: Self = Self { kind: EdgeKind::Boundary, neighbor: None };
}

/// Half-edge of a triangle. Vertices are welded: replaced by the first of equal position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct HalfEdge {
    low: u32,
    high: u32,
    /// Whether the triangle traverses the edge from the low vertex to the high.
    is_ascending: bool,
    triangle: u32,
    edge: u8,
}

/// The edges of all triangles, and whether the surface is closed.
pub(crate) fn edges_of(
    mesh: &TriangleMesh,
    normals: &[Option<Vec3>],
) -> (Vec<[MeshEdge; 3]>, bool) {
    let mut half_edges = half_edges_of(mesh);
    half_edges.sort_unstable();
    let mut edges = vec![[MeshEdge::BOUNDARY; 3]; mesh.triangles().len()];
    let mut is_closed = !half_edges.is_empty();
    for shared in half_edges.chunk_by(|a, b| (a.low, a.high) == (b.low, b.high)) {
        let ascending = shared.iter().filter(|half_edge| half_edge.is_ascending).count();
        is_closed &= 2 * ascending == shared.len();
        if let [one, other] = shared
            && one.is_ascending != other.is_ascending
            && let Some(kind) = kind_of(mesh, normals, *one, *other)
        {
            for (here, there) in [(one, other), (other, one)] {
                edges[here.triangle as usize][usize::from(here.edge)] =
                    MeshEdge { kind, neighbor: Some(there.triangle) };
            }
        }
    }
    (edges, is_closed)
}

/// Welds vertices by position: the first vertex of equal position, for each vertex. File formats
/// without indices repeat every vertex.
fn weld_by_position(mesh: &TriangleMesh) -> Vec<u32> {
    // Adding 0 turns −0 into 0.
    let position = |vertex: u32| mesh.positions()[vertex as usize].map(|c| (c + 0.0).to_bits());
    let mut order: Vec<u32> = (0..mesh.positions().len() as u32).collect();
    order.sort_unstable_by_key(|&vertex| (position(vertex), vertex));
    let mut first = vec![0; order.len()];
    for equal in order.chunk_by(|&a, &b| position(a) == position(b)) {
        for &vertex in equal {
            first[vertex as usize] = equal[0];
        }
    }
    first
}

fn half_edges_of(mesh: &TriangleMesh) -> Vec<HalfEdge> {
    let welded = weld_by_position(mesh);
    let mut half_edges = Vec::with_capacity(3 * mesh.triangles().len());
    for (triangle, vertices) in mesh.triangles().iter().enumerate() {
        let vertices = vertices.map(|vertex| welded[vertex as usize]);
        for edge in 0..3_u8 {
            let (from, to) = (vertices[usize::from(edge)], vertices[usize::from((edge + 1) % 3)]);
            // An edge of length 0 does not count.
            if from != to {
                let (low, high) = if from < to { (from, to) } else { (to, from) };
                let triangle = triangle as u32;
                half_edges.push(HalfEdge { low, high, is_ascending: from == low, triangle, edge });
            }
        }
    }
    half_edges
}

/// `None` if one of the triangles is degenerate and has no front.
fn kind_of(
    mesh: &TriangleMesh,
    normals: &[Option<Vec3>],
    one: HalfEdge,
    other: HalfEdge,
) -> Option<EdgeKind> {
    let (n, m) = (normals[one.triangle as usize]?, normals[other.triangle as usize]?);
    let vertices = mesh.triangle(one.triangle).0.map(Vec3::from);
    let edge = usize::from(one.edge);
    let direction = (vertices[(edge + 1) % 3] - vertices[edge]).try_normalize()?;
    // Sine of the rotation about the edge from one normal to the other: positive if convex.
    let sine = n.cross(m).dot(direction);
    if sine.abs() <= COPLANAR_SINE && n.dot(m) > 0.0 {
        return Some(EdgeKind::Coplanar);
    }
    // A sheet folded onto itself is convex: its edge can be touched.
    Some(if sine >= 0.0 || n.dot(m) < -1.0 + COPLANAR_SINE * COPLANAR_SINE {
        EdgeKind::Convex
    } else {
        EdgeKind::Concave
    })
}
