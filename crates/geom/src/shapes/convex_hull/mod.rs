//! Convex hull: the smallest convex polyhedron around a set of points.
//!
//! ```text
//! points ─► quickhull ─► simplify ─► quickhull … ─► merge_faces ─► validate ─► adjacency
//!           exact        drop        until no        coplanar      convex?     neighbor lists,
//!           triangles    vertices    vertex goes     faces                     SIMD blocks
//! ```

mod adjacency;
mod bounding_volumes;
mod cylinder_cone;
mod merge_faces;
mod project_point;
mod queries;
mod quickhull;
mod simd;
mod simplify;
#[cfg(test)]
mod tests;
mod tolerance;
mod validate;

pub use adjacency::Planes8;
pub use simd::Vertices8;

use crate::shapes::{MAX_SIZE, MassProperties, ShapeError, padded_aabb};
use crate::{Aabb, DVec3, Pose, Vec3};
use {adjacency::Adjacency, quickhull::TriangleSurface, tolerance::Tolerance};

/// Maximum sides of a cylinder or cone: with more, f32 cannot resolve them.
pub(super) const MAX_SIDES: u32 = 1024;

/// Convex polyhedron: vertices, edges and flat faces.
///
/// Vertices and faces within rounding of each other are merged: a point inside a face or on an edge
/// is not a vertex, and coplanar faces are one face. The tolerance along a unit direction `n` is 4
/// ε (|n.x| X + |n.y| Y + |n.z| Z), where X, Y, Z are the largest absolute coordinates, and at most
/// 1/256 of the hull's thickness. Including the rounding of the stored planes, the hull is convex
/// and contains every input point within 9 ε (…). Vertices keep the order of the points.
///
/// ```
/// use embate_geom::{Vec3, shapes::ConvexHull};
///
/// let bit = |bits: u32, axis: u32| (bits >> axis & 1) as f32;
/// let corner = |bits: u32| Vec3::new(bit(bits, 0), bit(bits, 1), bit(bits, 2));
/// let mut points: Vec<Vec3> = (0..8).map(corner).collect();
/// points.push(Vec3::new(0.5, 0.5, 1.0)); // inside a face
/// let cube = ConvexHull::new(&points)?;
/// assert_eq!((cube.vertices().len(), cube.edges().len(), cube.faces().len()), (8, 12, 6));
/// # Ok::<(), embate_geom::shapes::ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "Hull")]
#[doc(alias = "ConvexPolyhedron")]
pub struct ConvexHull {
    vertices: Vec<Vec3>,
    vertices_soa: Vec<Vertices8>,
    faces: Vec<HullFace>,
    /// Vertex indices of all faces, concatenated.
    face_vertices: Vec<u32>,
    edges: Vec<HullEdge>,
    mass_properties: MassProperties,
    adjacency: Adjacency,
}

/// Flat face of a convex hull: a convex polygon.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HullFace {
    /// Outward unit normal.
    pub normal: Vec3,
    /// `normal · p` of its farthest vertex: no vertex of the face lies above its plane.
    pub offset: f32,
    /// Start of its vertex indices in the hull's concatenated list.
    pub first: u32,
    /// Number of vertices.
    pub count: u32,
}

/// Edge between two faces of a convex hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HullEdge {
    /// Endpoints; from the first to the second the edge runs counter-clockwise around the first
    /// face.
    pub vertices: [u32; 2],
    /// Adjacent faces.
    pub faces: [u32; 2],
}

/// Bound on rebuilds: each drops a vertex or is the last. Nearly all inputs end with the second.
const MAX_REBUILDS: usize = 8;

/// Exact triangulated hull of some points, and their rounding tolerance.
struct ExactHull {
    surface: TriangleSurface,
    tolerance: Tolerance,
}

impl ExactHull {
    fn new(points: &[DVec3]) -> Result<Self, ShapeError> {
        let tolerance = Tolerance::of_points(points);
        let tetrahedron = quickhull::initial_tetrahedron(points, &tolerance)?;
        let tolerance = tolerance.for_thickness(tetrahedron.thickness);
        Ok(Self { surface: quickhull::quickhull(points, &tetrahedron), tolerance })
    }
}

impl ConvexHull {
    /// Hull of `points`, in any order; duplicates are allowed.
    ///
    /// ```
    /// use embate_geom::{Vec3, shapes::ConvexHull};
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    /// let hull = ConvexHull::new(&corners)?;
    /// assert_eq!(hull, ConvexHull::new(&corners.map(Vec3::from))?);
    /// # Ok::<(), embate_geom::shapes::ShapeError>(())
    /// ```
    ///
    /// # Errors
    /// [`ShapeError`] if there are fewer than 4 points, one is not finite or beyond [`MAX_SIZE`],
    /// or all coincide, are collinear or coplanar.
    pub fn new<P: Copy + Into<Vec3>>(points: &[P]) -> Result<Self, ShapeError> {
        let points: Vec<Vec3> = points.iter().map(|&point| point.into()).collect();
        Self::from_points(&points)
    }

    fn from_points(points: &[Vec3]) -> Result<Self, ShapeError> {
        validate_points(points)?;
        // Adding 0 turns −0 into 0.
        let mut points: Vec<DVec3> =
            points.iter().map(|&point| DVec3::from(point + Vec3::ZERO)).collect();
        let mut exact = ExactHull::new(&points)?;
        // Rebuilt from its vertices until all of them stay: the hull of a hull's vertices is then
        // the same hull, bit for bit.
        for _ in 0..MAX_REBUILDS {
            let ExactHull { surface, tolerance } = &exact;
            let kept = if let Some(kept) = simplify::kept_vertices(&points, surface, tolerance) {
                kept.iter().map(|&vertex| points[vertex as usize]).collect()
            } else {
                let hull = merge_faces::merge_coplanar_faces(&points, surface, tolerance);
                if hull.vertices.len() == points.len() {
                    return Ok(hull);
                }
                hull.vertices.iter().map(|&vertex| DVec3::from(vertex)).collect::<Vec<DVec3>>()
            };
            let Ok(rebuilt) = ExactHull::new(&kept) else { break };
            (points, exact) = (kept, rebuilt);
        }
        Ok(merge_faces::merge_coplanar_faces(&points, &exact.surface, &exact.tolerance))
    }

    /// Vertices, in the order of the input points.
    #[inline]
    #[must_use]
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Vertices in blocks of eight; the last vertex pads the last block.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    #[doc(alias = "blocks")]
    pub fn vertices_soa(&self) -> &[Vertices8] {
        &self.vertices_soa
    }

    /// Faces.
    #[inline]
    #[must_use]
    pub fn faces(&self) -> &[HullFace] {
        &self.faces
    }

    /// Vertex indices of a face, counter-clockwise seen from outside.
    ///
    /// # Panics
    /// If the face belongs to another hull and its range is out of bounds.
    #[inline]
    #[must_use]
    #[doc(alias = "corners")]
    pub fn face_vertices(&self, face: &HullFace) -> &[u32] {
        &self.face_vertices[face.first as usize..][..face.count as usize]
    }

    /// Edges, each once.
    #[inline]
    #[must_use]
    pub fn edges(&self) -> &[HullEdge] {
        &self.edges
    }

    /// Support point: the vertex farthest along `direction`. Among equally far ones, and without a
    /// direction, the first.
    #[inline]
    #[must_use]
    pub fn support_point(&self, direction: impl Into<Vec3>) -> Vec3 {
        let direction = direction.into();
        self.vertices[self.support_index(direction) as usize]
    }

    /// Index of the support point.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    pub fn support_index(&self, direction: Vec3) -> u32 {
        simd::support_index(&self.vertices_soa, direction)
    }

    /// Volume, center of mass and inertia.
    #[inline]
    #[must_use]
    pub fn mass_properties(&self) -> MassProperties {
        self.mass_properties
    }

    /// World AABB, conservative.
    #[must_use]
    pub fn aabb(&self, pose: &Pose) -> Aabb<3> {
        let to_world = pose.rotation.to_matrix();
        let (mut min, mut max) = (Vec3::splat(f32::INFINITY), Vec3::splat(f32::NEG_INFINITY));
        for &vertex in &self.vertices {
            let rotated = to_world * vertex;
            (min, max) = (rotated.min(min), rotated.max(max));
        }
        let half_extents = (max - min) * 0.5;
        padded_aabb(pose, (max + min) * 0.5 + pose.position, half_extents)
    }
}

fn validate_points(points: &[Vec3]) -> Result<(), ShapeError> {
    let count = points.len();
    for (index, &point) in points.iter().enumerate() {
        if !point.is_finite() {
            return Err(ShapeError::NotFinite { index, point: point.to_array() });
        }
        if point.abs().max_element() > MAX_SIZE {
            return Err(ShapeError::PointTooFar { index, point: point.to_array() });
        }
    }
    match count {
        0 => Err(ShapeError::NoPoints),
        1..=3 => Err(ShapeError::TooFewPoints { count }),
        _ if u32::try_from(count).is_err() => Err(ShapeError::TooManyPoints { count }),
        _ => Ok(()),
    }
}
