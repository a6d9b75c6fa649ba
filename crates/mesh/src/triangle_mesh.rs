//! What is a mesh that can be trusted?

use embate_geom::{Aabb, Triangle};

/// Largest coordinate a mesh may hold: beyond it a product of two could leave the range of f32.
pub const MAX_MAGNITUDE: f32 = 1e18;

/// Whether a mesh may hold this coordinate; no NaN passes, since it compares with nothing.
#[inline]
pub(crate) fn is_valid_coordinate(coordinate: f32) -> bool {
    coordinate.abs() <= MAX_MAGNITUDE
}

/// Triangles over shared vertices. Invariant: every coordinate is finite and at most
/// [`MAX_MAGNITUDE`] in size, every index names a vertex, and both counts fit `u32`.
///
/// Degenerate triangles (no area) are kept, so that triangle numbers are the file's own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TriangleMesh {
    positions: Vec<[f32; 3]>,
    triangles: Vec<[u32; 3]>,
}

/// Why a list of vertices and triangles is not a mesh.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum InvalidMesh {
    /// A coordinate is NaN, infinite or larger than [`MAX_MAGNITUDE`].
    #[error("vertex {vertex} has a coordinate of {value}; it must be finite and within ±1e18")]
    Coordinate {
        /// Index of the vertex.
        vertex: u32,
        /// The offending coordinate.
        value: f32,
    },
    /// A triangle names a vertex that does not exist.
    #[error("triangle {triangle} names vertex {index}, but there are only {vertices} vertices")]
    Index {
        /// Index of the triangle.
        triangle: u32,
        /// The offending vertex index.
        index: u32,
        /// How many vertices there are.
        vertices: u32,
    },
    /// As many positions as there are vertices were needed.
    #[error("{given} positions for a mesh of {vertices} vertices; there must be one for each")]
    Positions {
        /// How many there were.
        given: usize,
        /// How many there should be.
        vertices: u32,
    },
    /// More than 2³² − 1 vertices or triangles.
    #[error("{count} vertices or triangles do not fit 32-bit indices")]
    TooMany {
        /// How many there are.
        count: usize,
    },
}

impl TriangleMesh {
    /// Checks vertices and triangles once; whoever holds a mesh need not check again.
    ///
    /// # Errors
    /// [`InvalidMesh`] names the first vertex or triangle that breaks the invariant.
    pub fn new(positions: Vec<[f32; 3]>, triangles: Vec<[u32; 3]>) -> Result<Self, InvalidMesh> {
        let count = positions.len().max(triangles.len());
        let Ok(_) = u32::try_from(count) else { return Err(InvalidMesh::TooMany { count }) };
        let vertices = positions.len() as u32;
        check_positions(&positions)?;
        for (triangle, corners) in triangles.iter().enumerate() {
            if let Some(&index) = corners.iter().find(|&&index| index >= vertices) {
                return Err(InvalidMesh::Index { triangle: triangle as u32, index, vertices });
            }
        }
        Ok(Self { positions, triangles })
    }

    /// The same triangles with their vertices elsewhere.
    ///
    /// # Errors
    /// [`InvalidMesh`] names the first vertex that breaks the invariant, or how many positions are missing; the mesh is then
    /// as it was.
    pub fn move_vertices(&mut self, positions: &[[f32; 3]]) -> Result<(), InvalidMesh> {
        if positions.len() != self.positions.len() {
            let vertices = self.positions.len() as u32;
            return Err(InvalidMesh::Positions { given: positions.len(), vertices });
        }
        check_positions(positions)?;
        self.positions.copy_from_slice(positions);
        Ok(())
    }

    /// Every vertex.
    #[must_use]
    pub fn positions(&self) -> &[[f32; 3]] {
        &self.positions
    }

    /// Every triangle, as three indices into [`positions`](Self::positions).
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The corners of one triangle.
    ///
    /// # Panics
    /// If there is no such triangle.
    #[must_use]
    pub fn triangle(&self, triangle: u32) -> Triangle {
        Triangle(self.triangles[triangle as usize].map(|index| self.positions[index as usize]))
    }

    /// The corners of every triangle, in order.
    #[must_use]
    pub fn corners(&self) -> impl ExactSizeIterator<Item = Triangle> + '_ {
        self.triangles
            .iter()
            .map(|corners| Triangle(corners.map(|index| self.positions[index as usize])))
    }

    /// The smallest box around all triangles (unused vertices do not count); `None` without any.
    #[must_use]
    pub fn bounds(&self) -> Option<Aabb<3>> {
        let used = self.triangles.iter().flatten();
        Aabb::around(used.map(|&index| &self.positions[index as usize]))
    }

    /// How many triangles have no area: two corners alike, or all three on one line, exactly.
    #[must_use]
    pub fn degenerate_triangles(&self) -> usize {
        self.corners().filter(Triangle::is_degenerate).count()
    }
}

fn check_positions(positions: &[[f32; 3]]) -> Result<(), InvalidMesh> {
    for (vertex, position) in positions.iter().enumerate() {
        if let Some(&value) = position.iter().find(|c| !is_valid_coordinate(**c)) {
            return Err(InvalidMesh::Coordinate { vertex: vertex as u32, value });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_move_together_or_not_at_all() {
        let corners = vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let mut mesh = TriangleMesh::new(corners.clone(), vec![[0, 1, 2]]).unwrap();
        let few = mesh.move_vertices(&corners[..2]);
        assert_eq!(few, Err(InvalidMesh::Positions { given: 2, vertices: 3 }));
        let far = mesh.move_vertices(&[[0.0; 3], [0.0; 3], [2e18, 0.0, 0.0]]);
        assert_eq!(far, Err(InvalidMesh::Coordinate { vertex: 2, value: 2e18 }));
        assert_eq!(mesh.positions(), corners);
        mesh.move_vertices(&[[5.0; 3]; 3]).unwrap();
        assert_eq!(mesh.positions(), [[5.0; 3]; 3]);
    }
}
