//! Render mesh: smooth normals across slightly bent edges, sharp ones across creases.

use embate::{TriangleMesh, Vec3};

/// Faces that bend more than about 40° meet in an edge that is seen.
const CREASE_COS: f32 = 0.766;

/// Corners of one vertex that are looked at for a face: at the tip of a fan there may be a million,
/// each of another bend.
const MAX_LOOKS: u32 = 12;

/// A mesh as one list of triangles, for one draw.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RenderMesh {
    /// Six numbers a corner: place and normal.
    pub vertices: Vec<f32>,
    /// Three corners each, in the mesh's order.
    pub triangles: Vec<u32>,
}

/// A corner that is drawn: of one vertex, for those of its faces that bend little.
struct Corner {
    vertex: u32,
    /// Of the first of its faces.
    facing: Vec3,
    /// Of all of them, by area.
    sum: Vec3,
    /// Another of the same vertex; [`NO_CORNER`] if there is none.
    next: u32,
}

const NO_CORNER: u32 = u32::MAX;

impl RenderMesh {
    pub(super) fn of(mesh: &TriangleMesh) -> Self {
        let positions = mesh.positions();
        let mut corners: Vec<Corner> = Vec::with_capacity(positions.len());
        let mut first = vec![NO_CORNER; positions.len()];
        let mut triangles = Vec::with_capacity(3 * mesh.triangles().len());
        for indices in mesh.triangles() {
            let [a, b, c] = indices.map(|index| Vec3::from(positions[index as usize]));
            let across = (b - a).cross(c - a);
            let length = across.length();
            let facing = if length > 0.0 { across * length.recip() } else { Vec3::ZERO };
            for &vertex in indices {
                let mut at = first[vertex as usize];
                let mut looks = 0;
                // A triangle without area has no normal and takes the first one.
                while at != NO_CORNER
                    && length > 0.0
                    && corners[at as usize].facing.dot(facing) < CREASE_COS
                {
                    looks += 1;
                    at = if looks < MAX_LOOKS { corners[at as usize].next } else { NO_CORNER };
                }
                if at == NO_CORNER {
                    at = corners.len() as u32;
                    let next = core::mem::replace(&mut first[vertex as usize], at);
                    corners.push(Corner { vertex, facing, sum: Vec3::ZERO, next });
                }
                let corner = &mut corners[at as usize];
                corner.sum += across;
                triangles.push(at);
            }
        }
        let numbers = |corner: &Corner| {
            let length = corner.sum.length();
            let usable = length > 0.0 && length.is_finite();
            let normal = if usable { corner.sum * length.recip() } else { corner.facing };
            positions[corner.vertex as usize].into_iter().chain(normal.to_array())
        };
        Self { vertices: corners.iter().flat_map(numbers).collect(), triangles }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roof(ridge: f32) -> TriangleMesh {
        let corners =
            [[-1.0, 0.0, 0.0], [0.0, ridge, 0.0], [1.0, 0.0, 0.0], [0.0, ridge, 1.0]].to_vec();
        TriangleMesh::new(corners, vec![[0, 3, 1], [1, 3, 2]]).unwrap()
    }

    #[test]
    fn vertices_are_shared_only_across_small_dihedral_angles() {
        let flat = RenderMesh::of(&roof(0.1));
        assert_eq!((flat.vertices.len() / 6, flat.triangles.len()), (4, 6));
        let steep = RenderMesh::of(&roof(3.0));
        assert_eq!((steep.vertices.len() / 6, steep.triangles.len()), (6, 6));
    }

    #[test]
    fn normals_are_unit_vectors_and_triangles_keep_their_positions() {
        let mesh = roof(0.2);
        let drawn = RenderMesh::of(&mesh);
        for corner in drawn.vertices.chunks(6) {
            let length = corner[3..].iter().map(|n| n * n).sum::<f32>();
            assert!((length - 1.0).abs() < 1e-5, "{corner:?}");
        }
        for (index, &corner) in drawn.triangles.iter().enumerate() {
            let vertex = mesh.triangles()[index / 3][index % 3] as usize;
            assert_eq!(drawn.vertices[6 * corner as usize..][..3], mesh.positions()[vertex]);
        }
    }

    /// A hostile polygon: every triangle of it has the same corner, and each would have looked at
    /// all before.
    #[test]
    fn large_fans_and_degenerate_triangles_take_linear_time() {
        let count = 300_000_u32;
        let corners = |y: fn(u32) -> f32| {
            let rim = (0..=count).map(move |i| [i as f32, y(i), (i % 7) as f32]);
            core::iter::once([0.0; 3]).chain(rim).collect::<Vec<_>>()
        };
        let fan: Vec<[u32; 3]> = (1..=count).map(|i| [0, i, i + 1]).collect();
        let bends: [fn(u32) -> f32; 2] = [|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32, |_| 0.0];
        for y in bends {
            let drawn = RenderMesh::of(&TriangleMesh::new(corners(y), fan.clone()).unwrap());
            assert_eq!(drawn.triangles.len(), 3 * fan.len());
        }
        let point = TriangleMesh::new(vec![[1.0; 3]], vec![[0, 0, 0]; 300_000]).unwrap();
        assert_eq!(RenderMesh::of(&point).vertices.len(), 6, "one corner for all");
    }

    #[test]
    fn degenerate_triangle_yields_finite_vertices() {
        let mesh = TriangleMesh::new(vec![[1.0, 2.0, 3.0]], vec![[0, 0, 0]]).unwrap();
        let drawn = RenderMesh::of(&mesh);
        assert!(drawn.vertices.iter().all(|number| number.is_finite()));
        assert_eq!(drawn.triangles.len(), 3);
    }
}
