//! What lies across each edge of a triangle of a mesh?
//!
//! A body that slides over a flat floor of triangles must not trip over the edges between them. Which
//! edges those are is a matter of the mesh alone, so it is found once.

use embate_geom::Vec3;
use embate_mesh::TriangleMesh;

/// How two triangles meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EdgeKind {
    /// A ridge, seen from the front: something can touch it.
    Convex,
    /// The triangles lie in one plane, within [`FLAT_SINE`]: there is no edge to be felt.
    Flat,
    /// A valley, seen from the front: only what comes from behind can touch it.
    Concave,
    /// The mesh ends here, or more than two triangles meet, or two that face opposite ways.
    Border,
}

/// Triangles that turn by less than this (as a sine) at their edge count as flat: about 0.06°, some steps
/// of f32 on triangles of 10 cm a kilometre from the origin.
pub const FLAT_SINE: f32 = 1e-3;

/// What lies across an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeshEdge {
    /// How the triangles meet there.
    pub kind: EdgeKind,
    /// The one other triangle, unless the edge is a [`Border`](EdgeKind::Border).
    pub neighbour: Option<u32>,
}

impl MeshEdge {
    const BORDER: Self = Self { kind: EdgeKind::Border, neighbour: None };
}

/// One triangle's side of an edge. Vertices are named by their first twin in the same place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    low: u32,
    high: u32,
    /// Whether the triangle runs from the low vertex to the high.
    upwards: bool,
    triangle: u32,
    edge: u8,
}

/// The edges of all triangles, and whether the surface is closed.
pub(super) fn edges_of(
    mesh: &TriangleMesh,
    normals: &[Option<Vec3>],
) -> (Vec<[MeshEdge; 3]>, bool) {
    let mut sides = sides_of(mesh);
    sides.sort_unstable();
    let mut edges = vec![[MeshEdge::BORDER; 3]; mesh.triangles().len()];
    let mut closed = !sides.is_empty();
    for sharing in sides.chunk_by(|a, b| (a.low, a.high) == (b.low, b.high)) {
        let upwards = sharing.iter().filter(|side| side.upwards).count();
        closed &= 2 * upwards == sharing.len();
        if let [one, other] = sharing
            && one.upwards != other.upwards
            && let Some(kind) = kind_of(mesh, normals, *one, *other)
        {
            for (here, there) in [(one, other), (other, one)] {
                edges[here.triangle as usize][usize::from(here.edge)] =
                    MeshEdge { kind, neighbour: Some(there.triangle) };
            }
        }
    }
    (edges, closed)
}

/// Formats that repeat every corner share edges by place, not by number.
fn first_in_place(mesh: &TriangleMesh) -> Vec<u32> {
    // Adding 0 makes of −0 a 0.
    let place = |vertex: u32| mesh.positions()[vertex as usize].map(|c| (c + 0.0).to_bits());
    let mut order: Vec<u32> = (0..mesh.positions().len() as u32).collect();
    order.sort_unstable_by_key(|&vertex| (place(vertex), vertex));
    let mut first = vec![0; order.len()];
    for twins in order.chunk_by(|&a, &b| place(a) == place(b)) {
        for &twin in twins {
            first[twin as usize] = twins[0];
        }
    }
    first
}

fn sides_of(mesh: &TriangleMesh) -> Vec<Side> {
    let first = first_in_place(mesh);
    let mut sides = Vec::with_capacity(3 * mesh.triangles().len());
    for (triangle, corners) in mesh.triangles().iter().enumerate() {
        let corners = corners.map(|corner| first[corner as usize]);
        for edge in 0..3_u8 {
            let (from, to) = (corners[usize::from(edge)], corners[usize::from((edge + 1) % 3)]);
            // Two corners in one place: no edge.
            if from != to {
                let (low, high) = if from < to { (from, to) } else { (to, from) };
                let triangle = triangle as u32;
                sides.push(Side { low, high, upwards: from == low, triangle, edge });
            }
        }
    }
    sides
}

/// `None` if one of the triangles has no area, and so no side to be seen from.
fn kind_of(
    mesh: &TriangleMesh,
    normals: &[Option<Vec3>],
    one: Side,
    other: Side,
) -> Option<EdgeKind> {
    let (n, m) = (normals[one.triangle as usize]?, normals[other.triangle as usize]?);
    let corners = mesh.triangle(one.triangle).0.map(Vec3::from);
    let edge = usize::from(one.edge);
    let along = (corners[(edge + 1) % 3] - corners[edge]).normalised()?;
    // The turn from one normal to the other about the edge: to the right of the edge for a ridge.
    let turn = n.cross(m).dot(along);
    if turn.abs() <= FLAT_SINE && n.dot(m) > 0.0 {
        return Some(EdgeKind::Flat);
    }
    // A sheet folded onto itself is a ridge: its edge can be touched.
    Some(if turn >= 0.0 || n.dot(m) < -1.0 + FLAT_SINE * FLAT_SINE {
        EdgeKind::Convex
    } else {
        EdgeKind::Concave
    })
}
