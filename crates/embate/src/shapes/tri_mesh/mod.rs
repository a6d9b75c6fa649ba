//! A surface of triangles that never moves: the ground of a level, a building.

use embate_geom::{
    Aabb, Mat3, Pose, Vec3,
    shapes::{InvalidShape, MAX_SIZE, MassProperties},
};
use embate_mesh::TriangleMesh;

use super::mesh_edges::{MeshEdge, edges_of};
use crate::pairs::{Boxes, Tree};

/// The triangles of a mesh with a tree over them, and what lies across each of their edges.
///
/// Triangles without an area are kept, so that numbers are the mesh's own, but nothing touches them.
///
/// ```
/// use embate::{TriangleMesh, Vec3, shapes::{EdgeKind, MeshShape}};
///
/// let square = TriangleMesh::new(
///     vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, 1.0], [0.0, 0.0, 1.0]],
///     vec![[0, 2, 1], [0, 3, 2]],
/// ).expect("a valid mesh");
/// let ground = MeshShape::new(square)?;
/// assert_eq!(ground.normal(0), Some(Vec3::Y));
/// let diagonal = ground.edges(0)[0];
/// assert_eq!((diagonal.kind, diagonal.neighbour), (EdgeKind::Flat, Some(1)));
/// # Ok::<(), embate::shapes::InvalidShape>(())
/// ```
#[derive(Clone, Debug)]
pub struct MeshShape {
    mesh: TriangleMesh,
    tree: Tree<3>,
    normals: Vec<Option<Vec3>>,
    edges: Vec<[MeshEdge; 3]>,
    bounds: Aabb<3>,
    /// What it encloses, if it is closed.
    mass: Option<MassProperties>,
}

impl MeshShape {
    /// Builds the tree and looks across every edge, once.
    ///
    /// # Errors
    /// [`InvalidShape`] if no triangle has an area, or a vertex lies beyond [`MAX_SIZE`].
    pub fn new(mesh: TriangleMesh) -> Result<Self, InvalidShape> {
        for (index, &point) in mesh.positions().iter().enumerate() {
            if point.iter().any(|coordinate| coordinate.abs() > MAX_SIZE) {
                return Err(InvalidShape::TooFar { index, point });
            }
        }
        let no_triangles = InvalidShape::NoTriangles { count: mesh.triangles().len() };
        let normals: Vec<Option<Vec3>> =
            mesh.corners().map(|triangle| unit_normal(&triangle)).collect();
        let Some(bounds) = mesh.bounds().filter(|_| normals.iter().any(Option::is_some)) else {
            return Err(no_triangles);
        };
        let boxes: Vec<Aabb<3>> =
            mesh.corners().map(|triangle| triangle.guarded_bounds()).collect();
        // The boxes of a valid mesh are valid; there may only be too many of them.
        let tree = Tree::build(Boxes::new(&boxes).map_err(|_| no_triangles)?);
        let (edges, closed) = edges_of(&mesh, &normals);
        let mass = if closed { enclosed(&mesh, &bounds) } else { None };
        Ok(Self { mesh, tree, normals, edges, bounds, mass })
    }

    /// Its triangles as they were given.
    #[must_use]
    pub fn mesh(&self) -> &TriangleMesh {
        &self.mesh
    }

    /// A box around it, in its own frame.
    #[inline]
    pub(crate) fn bounds(&self) -> &Aabb<3> {
        &self.bounds
    }

    /// The tree over the triangles' guarded boxes, each under its number.
    #[must_use]
    pub fn tree(&self) -> &Tree<3> {
        &self.tree
    }

    /// The corners of a triangle.
    ///
    /// # Panics
    /// If there is no such triangle.
    #[inline]
    #[must_use]
    pub fn triangle(&self, triangle: u32) -> [Vec3; 3] {
        self.mesh.triangle(triangle).0.map(Vec3::from)
    }

    /// Out of the front of a triangle, of length 1; `None` if it has no area.
    ///
    /// # Panics
    /// If there is no such triangle.
    #[inline]
    #[must_use]
    pub fn normal(&self, triangle: u32) -> Option<Vec3> {
        self.normals[triangle as usize]
    }

    /// What lies across each edge of a triangle; edge `i` runs from corner `i` to the next.
    ///
    /// # Panics
    /// If there is no such triangle.
    #[inline]
    #[must_use]
    pub fn edges(&self, triangle: u32) -> &[MeshEdge; 3] {
        &self.edges[triangle as usize]
    }

    /// Whether every edge is shared by as many triangles one way round as the other, so that the mesh has
    /// an inside.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.mass.is_some()
    }

    /// Appends the triangles whose boxes reach into `bounds`, in the mesh's frame, in ascending order.
    pub fn near(&self, bounds: &Aabb<3>, found: &mut Vec<u32>) {
        self.tree.overlapping_box(bounds, found);
    }

    /// What it weighs, if it is closed.
    #[must_use]
    pub fn mass_properties(&self) -> Option<MassProperties> {
        self.mass
    }

    /// A box around it in the world.
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb<3> {
        placed_box(&self.bounds, pose)
    }
}

impl PartialEq for MeshShape {
    /// Everything else follows from the mesh.
    fn eq(&self, other: &Self) -> bool {
        self.mesh == other.mesh
    }
}

/// What a closed surface encloses; `None` if that is no more than the rounding of its corners, as of a sheet with two
/// sides.
fn enclosed(mesh: &TriangleMesh, bounds: &Aabb<3>) -> Option<MassProperties> {
    let corners = || mesh.corners().map(|triangle| triangle.0.map(Vec3::from));
    let area = corners().fold(0.0, |sum, [a, b, c]| sum + 0.5 * (b - a).cross(c - a).length());
    let far = Vec3::from(bounds.min).abs().max(Vec3::from(bounds.max).abs()).largest();
    MassProperties::of_triangles(corners()).filter(|mass| mass.volume > f32::EPSILON * area * far)
}

fn unit_normal(triangle: &embate_geom::Triangle) -> Option<Vec3> {
    if triangle.is_degenerate() {
        return None;
    }
    // In f64: the sides of a sliver are nearly parallel, and f32 would lose its normal.
    let [a, b, c] = triangle.0.map(|corner| corner.map(f64::from));
    let side = |to: [f64; 3]| [to[0] - a[0], to[1] - a[1], to[2] - a[2]];
    let (u, v) = (side(b), side(c));
    let normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
    (length > 0.0).then(|| Vec3::from(normal.map(|component| (component / length) as f32)))
}

/// A box around a placed box, with room for the roundings of placing it.
pub(super) fn placed_box(bounds: &Aabb<3>, pose: &Pose) -> Aabb<3> {
    let (min, max) = (Vec3::from(bounds.min), Vec3::from(bounds.max));
    let (middle, half) = ((min + max) * 0.5, (max - min) * 0.5);
    let frame = pose.frame();
    let Mat3 { columns: [x, y, z] } = frame.axes;
    let half = x.abs() * half.x + y.abs() * half.y + z.abs() * half.z;
    let center = frame.point(middle);
    let reach = pose.position.abs().largest() + middle.abs().largest() + half.largest();
    let half = half + Vec3::splat(8.0 * f32::EPSILON * reach);
    Aabb { min: (center - half).to_array(), max: (center + half).to_array() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shapes::EdgeKind;

    /// A cube from −1 to 1, each face two triangles.
    fn cube() -> TriangleMesh {
        let side = |bit: u32| if bit & 1 == 1 { 1.0 } else { -1.0 };
        let corners = (0..8_u32).map(|bits| [side(bits), side(bits >> 1), side(bits >> 2)]);
        let quads =
            [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
        let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        TriangleMesh::new(corners.collect(), triangles).unwrap()
    }

    #[test]
    fn a_cube_has_twelve_ridges_and_six_flat_diagonals() {
        let shape = MeshShape::new(cube()).unwrap();
        let kinds: Vec<EdgeKind> =
            (0..12).flat_map(|triangle| shape.edges(triangle).map(|edge| edge.kind)).collect();
        let count = |kind| kinds.iter().filter(|&&k| k == kind).count();
        // Each edge is seen from both sides.
        assert_eq!((count(EdgeKind::Convex), count(EdgeKind::Flat)), (24, 12));
        assert!(shape.is_closed());
        let mass = shape.mass_properties().unwrap();
        assert!((mass.volume - 8.0).abs() < 1e-6 && mass.centroid.length() < 1e-6);
        assert!((mass.inertia(3.0).columns[0].x - 2.0).abs() < 1e-6);
    }

    #[test]
    fn a_cube_inside_out_has_valleys() {
        let cube = cube();
        let flipped = cube.triangles().iter().map(|&[a, b, c]| [a, c, b]).collect();
        let shape =
            MeshShape::new(TriangleMesh::new(cube.positions().to_vec(), flipped).unwrap()).unwrap();
        let kinds = (0..12).flat_map(|triangle| shape.edges(triangle).map(|edge| edge.kind));
        assert_eq!(kinds.filter(|&kind| kind == EdgeKind::Concave).count(), 24);
    }

    #[test]
    fn repeated_corners_are_one_vertex_by_their_place() {
        let cube = cube();
        let corners: Vec<[f32; 3]> = cube.corners().flat_map(|triangle| triangle.0).collect();
        let triangles = (0..12).map(|t| [3 * t, 3 * t + 1, 3 * t + 2]).collect();
        let shape = MeshShape::new(TriangleMesh::new(corners, triangles).unwrap()).unwrap();
        assert!(shape.is_closed());
        assert_eq!(shape.edges(0), MeshShape::new(cube).unwrap().edges(0));
    }

    #[test]
    fn borders_and_triangles_without_area_have_no_neighbour() {
        let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [2.0, 0.0, 0.0]];
        let mesh = TriangleMesh::new(positions.clone(), vec![[0, 1, 2], [1, 0, 3]]).unwrap();
        let shape = MeshShape::new(mesh).unwrap();
        assert_eq!(shape.normal(1), None);
        assert!(shape.edges(0).iter().all(|edge| edge.kind == EdgeKind::Border));
        assert!(!shape.is_closed() && shape.mass_properties().is_none());
        let nothing = TriangleMesh::new(positions, vec![[1, 0, 3]]).unwrap();
        assert_eq!(MeshShape::new(nothing), Err(InvalidShape::NoTriangles { count: 1 }));
        assert_eq!(
            MeshShape::new(TriangleMesh::default()),
            Err(InvalidShape::NoTriangles { count: 0 })
        );
    }

    #[test]
    fn a_placed_mesh_stays_within_its_box() {
        let shape = MeshShape::new(cube()).unwrap();
        let rotation = embate_geom::Rotation::about(Vec3::new(1.0, 2.0, 3.0), 0.8).unwrap();
        let pose = Pose { rotation, position: Vec3::new(10_000.0, -3.0, 0.1) };
        let bounds = shape.aabb(&pose);
        for &corner in shape.mesh().positions() {
            let placed = pose.point(Vec3::from(corner)).to_array();
            assert!(bounds.overlaps(&Aabb { min: placed, max: placed }));
        }
    }

    /// Turned, its corners are not quite in one plane: it had a volume of rounding, and a centroid far outside.
    #[test]
    fn a_sheet_with_two_sides_has_no_inside_however_it_is_turned() {
        let turn = embate_geom::Rotation::about(Vec3::new(1.0, 0.3, 0.2), 0.77).unwrap();
        let corners = [[0.1, 0.2], [1.3, 0.1], [1.1, 1.7], [0.2, 1.1]];
        let placed = corners
            .map(|[x, z]| (turn.turn(Vec3::new(x, 0.0, z)) + Vec3::new(3.3, 7.7, 1.1)).to_array());
        for triangles in
            [vec![[0, 1, 2], [0, 2, 3], [1, 0, 3], [1, 3, 2]], vec![[0, 1, 2], [1, 0, 2]]]
        {
            let mesh = TriangleMesh::new(placed.to_vec(), triangles).unwrap();
            assert_eq!(MeshShape::new(mesh).unwrap().mass_properties(), None);
        }
    }
}
