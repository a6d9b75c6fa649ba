//! Indexed triangle mesh, validated once at construction.

use std::sync::Arc;

use embate_geom::{Aabb, Triangle};

/// Largest absolute coordinate of a mesh: the product of two larger ones could exceed f32.
pub const MAX_MAGNITUDE: f32 = 1e18;

/// Whether a mesh may contain this coordinate; NaN fails the comparison.
#[inline]
pub(crate) fn is_valid_coordinate(coordinate: f32) -> bool {
    coordinate.abs() <= MAX_MAGNITUDE
}

/// Indexed triangle mesh. Invariant: every coordinate is finite and at most [`MAX_MAGNITUDE`],
/// every index refers to a vertex, and both counts fit `u32`.
///
/// Degenerate triangles (zero area) are kept, so that triangle indices match the file. Clones share
/// vertices and triangles until positions are set.
#[derive(Clone, Debug, Default, PartialEq)]
#[doc(alias = "TriMesh")]
pub struct TriangleMesh {
    positions: Arc<Vec<[f32; 3]>>,
    triangles: Arc<Vec<[u32; 3]>>,
}

/// Why vertices and triangles are not a valid mesh.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[doc(alias = "InvalidMesh")]
pub enum MeshValidationError {
    /// A coordinate is NaN, infinite or larger than [`MAX_MAGNITUDE`].
    #[error("vertex {vertex} has a coordinate of {value}; it must be finite and within ±1e18")]
    Coordinate {
        /// Index of the vertex.
        vertex: u32,
        /// The coordinate.
        value: f32,
    },
    /// A triangle refers to a vertex that does not exist.
    #[error("triangle {triangle} refers to vertex {index}, but there are only {vertices} vertices")]
    Index {
        /// Index of the triangle.
        triangle: u32,
        /// The vertex index.
        index: u32,
        /// Number of vertices.
        vertices: u32,
    },
    /// The number of new positions differs from the number of vertices.
    #[error("{given} positions for a mesh of {vertices} vertices; there must be one for each")]
    Positions {
        /// Number of positions given.
        given: usize,
        /// Number of vertices.
        vertices: u32,
    },
    /// More than 2³² − 1 vertices or triangles.
    #[error("{count} vertices or triangles do not fit 32-bit indices")]
    TooMany {
        /// The larger of both counts.
        count: usize,
    },
}

impl MeshValidationError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Coordinate { .. } => "mesh.vertex-out-of-range",
            Self::Index { .. } => "mesh.index-out-of-range",
            Self::Positions { .. } => "mesh.position-count",
            Self::TooMany { .. } => "mesh.too-many",
        }
    }
}

impl TriangleMesh {
    /// Mesh of these vertices and triangles, validated.
    ///
    /// ```
    /// use embate_mesh::TriangleMesh;
    ///
    /// let positions = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// assert!(TriangleMesh::new(positions.clone(), vec![[0, 1, 2]]).is_ok());
    /// let error = TriangleMesh::new(positions, vec![[0, 1, 3]]).unwrap_err();
    /// assert_eq!(error.code(), "mesh.index-out-of-range");
    /// ```
    ///
    /// # Errors
    /// [`MeshValidationError`] with the first vertex or triangle that violates the invariant.
    pub fn new(
        positions: Vec<[f32; 3]>,
        triangles: Vec<[u32; 3]>,
    ) -> Result<Self, MeshValidationError> {
        let count = positions.len().max(triangles.len());
        let Ok(_) = u32::try_from(count) else {
            return Err(MeshValidationError::TooMany { count });
        };
        let vertices = positions.len() as u32;
        validate_positions(&positions)?;
        for (triangle, indices) in triangles.iter().enumerate() {
            if let Some(&index) = indices.iter().find(|&&index| index >= vertices) {
                return Err(MeshValidationError::Index {
                    triangle: triangle as u32,
                    index,
                    vertices,
                });
            }
        }
        Ok(Self { positions: Arc::new(positions), triangles: Arc::new(triangles) })
    }

    /// Replaces all vertex positions; the triangles stay. Clones of the mesh keep their positions.
    ///
    /// # Errors
    /// [`MeshValidationError`] with the first vertex that violates the invariant, or if the number
    /// of positions differs; the mesh is then unchanged.
    #[doc(alias = "move_vertices")]
    pub fn set_positions(&mut self, positions: &[[f32; 3]]) -> Result<(), MeshValidationError> {
        if positions.len() != self.positions.len() {
            let vertices = self.positions.len() as u32;
            return Err(MeshValidationError::Positions { given: positions.len(), vertices });
        }
        validate_positions(positions)?;
        match Arc::get_mut(&mut self.positions) {
            Some(own) => own.copy_from_slice(positions),
            None => self.positions = Arc::new(positions.to_vec()),
        }
        Ok(())
    }

    /// Vertex positions.
    #[must_use]
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.positions
    }

    /// Triangles: three indices into [`positions`](Self::positions) each.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// One triangle, by its vertex positions.
    ///
    /// # Panics
    /// If the triangle does not exist.
    #[must_use]
    pub fn triangle(&self, triangle: u32) -> Triangle {
        Triangle(self.triangles[triangle as usize].map(|index| self.positions[index as usize]))
    }

    /// All triangles by their vertex positions, in order.
    #[must_use]
    #[doc(alias = "corners")]
    pub fn iter_triangles(&self) -> impl ExactSizeIterator<Item = Triangle> + '_ {
        self.triangles
            .iter()
            .map(|indices| Triangle(indices.map(|index| self.positions[index as usize])))
    }

    /// AABB of all triangles, without unused vertices; `None` if there are no triangles.
    #[must_use]
    #[doc(alias = "aabb")]
    pub fn bounds(&self) -> Option<Aabb<3>> {
        let used = self.triangles.iter().flatten();
        Aabb::from_points(used.map(|&index| &self.positions[index as usize]))
    }

    /// Number of degenerate triangles: two equal vertices or all three collinear, exactly.
    #[must_use]
    pub fn degenerate_triangles(&self) -> usize {
        self.iter_triangles().filter(Triangle::is_degenerate).count()
    }
}

fn validate_positions(positions: &[[f32; 3]]) -> Result<(), MeshValidationError> {
    for (vertex, position) in positions.iter().enumerate() {
        if let Some(&value) = position.iter().find(|c| !is_valid_coordinate(**c)) {
            return Err(MeshValidationError::Coordinate { vertex: vertex as u32, value });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_positions_leave_the_mesh_unchanged() {
        let vertices = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let mut mesh = TriangleMesh::new(vertices.clone(), vec![[0, 1, 2]]).unwrap();
        let too_few = mesh.set_positions(&vertices[..2]);
        assert_eq!(too_few, Err(MeshValidationError::Positions { given: 2, vertices: 3 }));
        let too_far = mesh.set_positions(&[[0.0; 3], [0.0; 3], [2e18, 0.0, 0.0]]);
        assert_eq!(too_far, Err(MeshValidationError::Coordinate { vertex: 2, value: 2e18 }));
        assert_eq!(mesh.positions(), vertices);
        mesh.set_positions(&[[5.0; 3]; 3]).unwrap();
        assert_eq!(mesh.positions(), [[5.0; 3]; 3]);
    }

    #[test]
    fn clone_shares_memory_until_positions_are_set() {
        let vertices = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let mut mesh = TriangleMesh::new(vertices.clone(), vec![[0, 1, 2]]).unwrap();
        let clone = mesh.clone();
        assert_eq!(clone.positions().as_ptr(), mesh.positions().as_ptr());
        mesh.set_positions(&[[5.0; 3]; 3]).unwrap();
        assert_eq!(clone.positions(), vertices);
        assert_eq!(mesh.positions(), [[5.0; 3]; 3]);
        assert_eq!(clone.triangles().as_ptr(), mesh.triangles().as_ptr());
    }
}
