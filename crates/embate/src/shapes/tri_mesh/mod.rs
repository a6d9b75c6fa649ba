//! Triangle mesh shape: level geometry and closed solids, with a BVH and edge adjacency.
//!
//! A closed mesh has a volume, so its body may be dynamic; the body of an open one is fixed or
//! kinematic.

pub(crate) mod edges;
pub(crate) mod queries;

use embate_geom::{
    Aabb, Mat3, Pose, Vec3,
    shapes::{MAX_SIZE, MassProperties, ShapeError},
};
use embate_mesh::TriangleMesh;

use crate::broad_phase::{AabbSlice, DynamicBvh};
use crate::shapes::tri_mesh::edges::{MeshEdge, edges_of};

/// Triangle mesh with a BVH over its triangles and the adjacency of its edges.
///
/// Degenerate triangles are kept, so that indices are those of the mesh, but they have no contacts.
///
/// ```
/// use embate::{TriangleMesh, Vec3, shapes::{EdgeKind, TriMesh}};
///
/// let square = TriangleMesh::new(
///     vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]],
///     vec![[0, 2, 1], [0, 3, 2]],
/// ).expect("a valid mesh");
/// let ground = TriMesh::new(square)?;
/// assert_eq!(ground.triangle_normal(0), Some(Vec3::Y));
/// let diagonal = ground.edges(0)[0];
/// assert_eq!((diagonal.kind, diagonal.neighbor), (EdgeKind::Coplanar, Some(1)));
/// # Ok::<(), embate::shapes::ShapeError>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "MeshShape")]
pub struct TriMesh {
    mesh: TriangleMesh,
    bvh: DynamicBvh<3>,
    normals: Vec<Option<Vec3>>,
    edges: Vec<[MeshEdge; 3]>,
    bounds: Aabb<3>,
    /// Mass properties of the enclosed volume, if the mesh is closed.
    mass: Option<MassProperties>,
}

impl TriMesh {
    /// Builds the BVH and the edge adjacency.
    ///
    /// # Errors
    /// [`ShapeError`] if all triangles are degenerate, or a vertex is beyond [`MAX_SIZE`].
    pub fn new(mesh: TriangleMesh) -> Result<Self, ShapeError> {
        for (index, &point) in mesh.positions().iter().enumerate() {
            if point.iter().any(|coordinate| coordinate.abs() > MAX_SIZE) {
                return Err(ShapeError::PointTooFar { index, point });
            }
        }
        let no_triangles = ShapeError::NoTriangles { count: mesh.triangles().len() };
        let normals: Vec<Option<Vec3>> =
            mesh.iter_triangles().map(|triangle| triangle.unit_normal()).collect();
        let Some(bounds) = mesh.bounds().filter(|_| normals.iter().any(Option::is_some)) else {
            return Err(no_triangles);
        };
        let boxes: Vec<Aabb<3>> =
            mesh.iter_triangles().map(|triangle| triangle.padded_aabb()).collect();
        // AABBs of a valid mesh are valid; only their number can exceed the limit.
        let bvh = DynamicBvh::build(AabbSlice::new(&boxes).map_err(|_| no_triangles)?);
        let (edges, is_closed) = edges_of(&mesh, &normals);
        let mass = if is_closed { enclosed_mass(&mesh, &bounds) } else { None };
        Ok(Self { mesh, bvh, normals, edges, bounds, mass })
    }

    /// The mesh as it was given.
    #[must_use]
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// Local-space AABB.
    #[inline]
    pub(crate) fn bounds(&self) -> &Aabb<3> {
        &self.bounds
    }

    /// BVH over the padded AABBs of the triangles; ids are triangle indices.
    #[must_use]
    #[doc(alias = "tree")]
    pub fn bvh(&self) -> &DynamicBvh<3> {
        &self.bvh
    }

    /// Vertices of a triangle.
    ///
    /// # Panics
    /// If there is no such triangle.
    #[inline]
    #[must_use]
    pub fn triangle(&self, triangle: u32) -> [Vec3; 3] {
        self.mesh.triangle(triangle).0.map(Vec3::from)
    }

    /// Unit normal of the front of a triangle; `None` if it is degenerate.
    ///
    /// # Panics
    /// If there is no such triangle.
    #[inline]
    #[must_use]
    #[doc(alias = "normal")]
    pub fn triangle_normal(&self, triangle: u32) -> Option<Vec3> {
        self.normals[triangle as usize]
    }

    /// Edges of a triangle with the triangle across each; edge `i` runs from vertex `i` to the
    /// next.
    ///
    /// # Panics
    /// If there is no such triangle.
    #[inline]
    #[must_use]
    pub fn edges(&self, triangle: u32) -> &[MeshEdge; 3] {
        &self.edges[triangle as usize]
    }

    /// Whether the mesh encloses a volume: every edge is shared by equally many triangles of each
    /// direction, and the enclosed volume exceeds the rounding error.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.mass.is_some()
    }

    /// Appends the triangles whose padded AABBs overlap the local-space `bounds`, ascending.
    #[doc(alias = "near")]
    pub fn triangles_in_aabb(&self, bounds: &Aabb<3>, found: &mut Vec<u32>) {
        self.bvh.query_aabb(bounds, found);
    }

    /// Mass properties of the enclosed volume; `None` unless [closed](Self::is_closed).
    #[must_use]
    pub fn mass_properties(&self) -> Option<MassProperties> {
        self.mass
    }

    /// World-space AABB at `pose`.
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb<3> {
        transformed_aabb(&self.bounds, pose)
    }
}

impl PartialEq for TriMesh {
    /// Everything else is derived from the mesh.
    fn eq(&self, other: &Self) -> bool {
        self.mesh == other.mesh
    }
}

/// Mass properties of the volume that a closed surface encloses; `None` if the volume does not
/// exceed the rounding error of its vertices, as for a two-sided sheet.
fn enclosed_mass(mesh: &TriangleMesh, bounds: &Aabb<3>) -> Option<MassProperties> {
    let triangles = || mesh.iter_triangles().map(|triangle| triangle.0.map(Vec3::from));
    let area = triangles().fold(0.0, |sum, [a, b, c]| sum + 0.5 * (b - a).cross(c - a).length());
    let max_coordinate =
        Vec3::from(bounds.min).abs().max(Vec3::from(bounds.max).abs()).max_element();
    MassProperties::from_triangles(triangles())
        .filter(|mass| mass.volume > f32::EPSILON * area * max_coordinate)
}

/// AABB of a transformed AABB, padded by the rounding error of the transformation.
pub(super) fn transformed_aabb(bounds: &Aabb<3>, pose: &Pose) -> Aabb<3> {
    let (min, max) = (Vec3::from(bounds.min), Vec3::from(bounds.max));
    let (local_center, half) = ((min + max) * 0.5, (max - min) * 0.5);
    let transform = pose.to_rigid_transform();
    let Mat3 { columns: [x, y, z] } = transform.basis;
    let half = x.abs() * half.x + y.abs() * half.y + z.abs() * half.z;
    let center = transform.transform_point(local_center);
    let magnitude =
        pose.position.abs().max_element() + local_center.abs().max_element() + half.max_element();
    let half = half + Vec3::splat(8.0 * f32::EPSILON * magnitude);
    Aabb { min: (center - half).to_array(), max: (center + half).to_array() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::EdgeKind;

    /// A cube from −1 to 1, each face two triangles.
    fn cube() -> TriangleMesh {
        let side = |bit: u32| if bit & 1 == 1 { 1.0 } else { -1.0 };
        let positions = (0..8_u32).map(|bits| [side(bits), side(bits >> 1), side(bits >> 2)]);
        let quads =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        TriangleMesh::new(positions.collect(), triangles).unwrap()
    }

    #[test]
    fn cube_has_twelve_convex_edges_and_six_coplanar_diagonals() {
        let shape = TriMesh::new(cube()).unwrap();
        let kinds: Vec<EdgeKind> =
            (0..12).flat_map(|triangle| shape.edges(triangle).map(|edge| edge.kind)).collect();
        let count = |kind| kinds.iter().filter(|&&k| k == kind).count();
        // Each edge is counted from both of its triangles.
        assert_eq!((count(EdgeKind::Convex), count(EdgeKind::Coplanar)), (24, 12));
        assert!(shape.is_closed());
        let mass = shape.mass_properties().unwrap();
        assert!((mass.volume - 8.0).abs() < 1e-6 && mass.center_of_mass.length() < 1e-6);
        assert!((mass.inertia(3.0).columns[0].x - 2.0).abs() < 1e-6);
    }

    #[test]
    fn inverted_cube_has_concave_edges() {
        let cube = cube();
        let flipped = cube.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
        let shape =
            TriMesh::new(TriangleMesh::new(cube.positions().to_vec(), flipped).unwrap()).unwrap();
        let kinds = (0..12).flat_map(|triangle| shape.edges(triangle).map(|edge| edge.kind));
        assert_eq!(kinds.filter(|&kind| kind == EdgeKind::Concave).count(), 24);
    }

    #[test]
    fn repeated_vertices_are_welded_by_position() {
        let cube = cube();
        let positions: Vec<[f32; 3]> =
            cube.iter_triangles().flat_map(|triangle| triangle.0).collect();
        let triangles = (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let shape = TriMesh::new(TriangleMesh::new(positions, triangles).unwrap()).unwrap();
        assert!(shape.is_closed());
        assert_eq!(shape.edges(0), TriMesh::new(cube).unwrap().edges(0));
    }

    #[test]
    fn boundary_edges_and_degenerate_triangles_have_no_neighbor() {
        let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.0]];
        let mesh = TriangleMesh::new(positions.clone(), vec![[0, 1, 2], [1, 0, 3]]).unwrap();
        let shape = TriMesh::new(mesh).unwrap();
        assert_eq!(shape.triangle_normal(1), None);
        assert!(shape.edges(0).iter().all(|edge| edge.kind == EdgeKind::Boundary));
        assert!(!shape.is_closed() && shape.mass_properties().is_none());
        let degenerate = TriangleMesh::new(positions, vec![[1, 0, 3]]).unwrap();
        assert_eq!(TriMesh::new(degenerate), Err(ShapeError::NoTriangles { count: 1 }));
        assert_eq!(
            TriMesh::new(TriangleMesh::default()),
            Err(ShapeError::NoTriangles { count: 0 })
        );
    }

    #[test]
    fn world_aabb_contains_all_transformed_vertices() {
        let shape = TriMesh::new(cube()).unwrap();
        let rotation =
            embate_geom::Rotation::from_axis_angle(Vec3::new(1.0, 2.0, 3.0), 0.8).unwrap();
        let pose = Pose { rotation, position: Vec3::new(10_000.0, -3.0, 0.1) };
        let bounds = shape.aabb(&pose);
        for &vertex in shape.mesh().positions() {
            let point = pose.transform_point(Vec3::from(vertex)).to_array();
            assert!(bounds.overlaps(&Aabb { min: point, max: point }));
        }
    }

    /// Regression: rotated, its vertices are not exactly coplanar; it had a volume of rounding
    /// error and a center of mass far outside.
    #[test]
    fn rotated_two_sided_sheet_encloses_no_volume() {
        let rotation =
            embate_geom::Rotation::from_axis_angle(Vec3::new(1.0, 0.3, 0.2), 0.77).unwrap();
        let sheet = [[0.1, 0.2], [1.3, 0.1], [1.1, 1.7], [0.2, 1.1]];
        let positions = sheet.map(|[x, z]| {
            (rotation.rotate(Vec3::new(x, 0.0, z)) + Vec3::new(3.3, 7.7, 1.1)).to_array()
        });
        for triangles in
            [vec![[0, 1, 2], [0, 2, 3], [1, 0, 3], [1, 3, 2]], vec![[0, 1, 2], [1, 0, 2]]]
        {
            let mesh = TriangleMesh::new(positions.to_vec(), triangles).unwrap();
            assert_eq!(TriMesh::new(mesh).unwrap().mass_properties(), None);
        }
    }
}
