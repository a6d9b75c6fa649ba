//! Adjacency and precomputed bounds of a hull, for repeated narrow-phase queries.

use crate::shapes::convex_hull::{ConvexHull, HullEdge, HullFace, simd};
use crate::{Vec3, scalar};

const LANES: usize = 8;

/// Eight face planes as a structure of arrays.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
#[doc(alias = "PlaneBlock")]
pub struct Planes8 {
    /// First components of the normals.
    pub x: [f32; LANES],
    /// Second components.
    pub y: [f32; LANES],
    /// Third components.
    pub z: [f32; LANES],
    /// Offsets.
    pub offset: [f32; LANES],
}

impl Planes8 {
    /// Signed distances of `point` from the planes; negative behind them.
    #[inline]
    #[must_use]
    pub fn distances(&self, point: Vec3) -> [f32; LANES] {
        core::array::from_fn(|lane| {
            self.x[lane] * point.x + self.y[lane] * point.y + self.z[lane] * point.z
                - self.offset[lane]
        })
    }
}

/// Data behind the accessors of [`ConvexHull`] with the same names.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Adjacency {
    planes: Vec<Planes8>,
    /// Faces around every vertex, concatenated.
    vertex_faces: Vec<u32>,
    /// Start of each vertex's faces in `vertex_faces`, and the end of the last.
    vertex_face_starts: Vec<u32>,
    /// Edges around every face, concatenated like the hull's face vertices.
    face_edges: Vec<u32>,
    content_hash: u64,
    inscribed_sphere: (Vec3, f32),
    bounding_radius: f32,
    max_abs_coordinate: f32,
}

impl Adjacency {
    pub(super) fn new(
        vertices: &[Vec3],
        faces: &[HullFace],
        face_vertices: &[u32],
        edges: &[HullEdge],
        centroid: Vec3,
    ) -> Self {
        // Counting sort of the faces by vertex.
        let mut vertex_face_starts = vec![0_u32; vertices.len() + 1];
        for &vertex in face_vertices {
            vertex_face_starts[vertex as usize + 1] += 1;
        }
        for vertex in 0..vertices.len() {
            vertex_face_starts[vertex + 1] += vertex_face_starts[vertex];
        }
        let mut vertex_faces = vec![0; face_vertices.len()];
        let mut next = vertex_face_starts.clone();
        for (index, face) in faces.iter().enumerate() {
            for &vertex in &face_vertices[face.first as usize..][..face.count as usize] {
                let slot = &mut next[vertex as usize];
                vertex_faces[*slot as usize] = index as u32;
                *slot += 1;
            }
        }
        let max_abs_coordinate =
            vertices.iter().fold(0.0, |max, vertex| scalar::max(max, vertex.abs().max_element()));
        let inscribed_radius = faces.iter().fold(f32::INFINITY, |radius, face| {
            scalar::min(radius, face.offset - face.normal.dot(centroid))
        });
        // Reduced by the rounding error of the plane distances.
        let inscribed_radius =
            scalar::max(0.0, inscribed_radius - 8.0 * f32::EPSILON * max_abs_coordinate);
        let bounding_radius = vertices
            .iter()
            .fold(0.0, |radius, &vertex| scalar::max(radius, (vertex - centroid).length()));
        Self {
            planes: planes_to_soa(faces),
            vertex_faces,
            vertex_face_starts,
            face_edges: face_edges(faces, face_vertices, edges),
            content_hash: content_hash(vertices),
            inscribed_sphere: (centroid, inscribed_radius),
            bounding_radius: bounding_radius + 8.0 * f32::EPSILON * max_abs_coordinate,
            max_abs_coordinate,
        }
    }
}

/// Edge that starts at each vertex of each face.
fn face_edges(faces: &[HullFace], face_vertices: &[u32], edges: &[HullEdge]) -> Vec<u32> {
    let mut face_edges = vec![0; face_vertices.len()];
    for (index, edge) in edges.iter().enumerate() {
        for (face, start) in edge.faces.into_iter().zip(edge.vertices) {
            let face = &faces[face as usize];
            let first = face.first as usize;
            for slot in first..first + face.count as usize {
                if face_vertices[slot] == start {
                    face_edges[slot] = index as u32;
                }
            }
        }
    }
    face_edges
}

/// FNV-1a, 64 bits, one coordinate at a time.
fn content_hash(vertices: &[Vec3]) -> u64 {
    vertices.iter().flat_map(|vertex| vertex.to_array()).fold(0xCBF2_9CE4_8422_2325, |hash, x| {
        (hash ^ u64::from(x.to_bits())).wrapping_mul(0x0100_0000_01B3)
    })
}

fn planes_to_soa(faces: &[HullFace]) -> Vec<Planes8> {
    faces
        .chunks(LANES)
        .map(|chunk| {
            let lane = |lane: usize| chunk.get(lane).unwrap_or(&faces[0]);
            Planes8 {
                x: core::array::from_fn(|index| lane(index).normal.x),
                y: core::array::from_fn(|index| lane(index).normal.y),
                z: core::array::from_fn(|index| lane(index).normal.z),
                offset: core::array::from_fn(|index| lane(index).offset),
            }
        })
        .collect()
}

impl ConvexHull {
    /// Face planes in blocks of eight; the first plane pads the last block.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    #[doc(alias = "plane_blocks")]
    pub fn planes_soa(&self) -> &[Planes8] {
        &self.adjacency.planes
    }

    /// Face with the largest signed distance from `point`, and that distance; among equal ones, the
    /// first.
    #[doc(hidden)]
    #[must_use]
    #[doc(alias = "farthest_plane")]
    pub fn max_separation_face(&self, point: Vec3) -> (u32, f32) {
        let mut farthest = simd::ArgMax8::new();
        for (index, block) in self.adjacency.planes.iter().enumerate() {
            farthest.update(index, &block.distances(point));
        }
        farthest.finish()
    }

    /// Face with the largest signed distance from the segment `center ± half_segment`, measured at
    /// the endpoint nearer to the face, and that distance; among equal ones, the first.
    #[doc(hidden)]
    #[must_use]
    #[doc(alias = "farthest_plane_of_segment")]
    pub fn max_separation_face_of_segment(&self, center: Vec3, half_segment: Vec3) -> (u32, f32) {
        let mut farthest = simd::ArgMax8::new();
        for (index, block) in self.adjacency.planes.iter().enumerate() {
            let distances = block.distances(center);
            let separations = core::array::from_fn(|lane| {
                let half_extent = block.x[lane] * half_segment.x
                    + block.y[lane] * half_segment.y
                    + block.z[lane] * half_segment.z;
                distances[lane] - half_extent.abs()
            });
            farthest.update(index, &separations);
        }
        farthest.finish()
    }

    /// Edges around a face; the edge that starts at its first vertex comes first.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    #[doc(alias = "edges_around")]
    pub fn edges_of_face(&self, face: &HullFace) -> &[u32] {
        &self.adjacency.face_edges[face.first as usize..(face.first + face.count) as usize]
    }

    /// Hash of the vertices: equal for hulls with the same vertices, almost surely different
    /// otherwise.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    #[doc(alias = "fingerprint")]
    pub fn content_hash(&self) -> u64 {
        self.adjacency.content_hash
    }

    /// Faces around a vertex, in ascending order.
    ///
    /// # Panics
    /// If the vertex does not exist.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    #[doc(alias = "faces_around")]
    pub fn faces_of_vertex(&self, vertex: u32) -> &[u32] {
        let starts = &self.adjacency.vertex_face_starts;
        let (first, end) = (starts[vertex as usize], starts[vertex as usize + 1]);
        &self.adjacency.vertex_faces[first as usize..end as usize]
    }

    /// Center and radius of a sphere inside the hull: its centroid, and the distance to the nearest
    /// face. The radius is 0 if the hull is thinner than the rounding error.
    #[inline]
    #[must_use]
    #[doc(alias = "inner_ball")]
    pub fn inscribed_sphere(&self) -> (Vec3, f32) {
        self.adjacency.inscribed_sphere
    }

    /// Radius of the sphere around the centroid that contains the hull.
    #[inline]
    #[must_use]
    #[doc(alias = "outer_radius")]
    pub fn bounding_radius(&self) -> f32 {
        self.adjacency.bounding_radius
    }

    /// Largest absolute coordinate of a vertex.
    #[doc(hidden)]
    #[inline]
    #[must_use]
    #[doc(alias = "reach")]
    pub fn max_abs_coordinate(&self) -> f32 {
        self.adjacency.max_abs_coordinate
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_of_a_vertex_are_those_that_contain_it() {
        let cone = ConvexHull::cone(1.0, 0.5, 12).unwrap();
        for vertex in 0..cone.vertices().len() as u32 {
            let expected: Vec<u32> = (0..cone.faces().len() as u32)
                .filter(|&face| cone.face_vertices(&cone.faces()[face as usize]).contains(&vertex))
                .collect();
            assert_eq!(cone.faces_of_vertex(vertex), expected);
        }
    }

    #[test]
    fn edges_of_a_face_start_at_its_vertices_in_order() {
        let cone = ConvexHull::cone(1.0, 0.5, 12).unwrap();
        for face in cone.faces() {
            let vertices = cone.face_vertices(face);
            for (slot, &edge) in cone.edges_of_face(face).iter().enumerate() {
                let mut endpoints = cone.edges()[edge as usize].vertices;
                let mut expected = [vertices[slot], vertices[(slot + 1) % vertices.len()]];
                endpoints.sort_unstable();
                expected.sort_unstable();
                assert_eq!(endpoints, expected);
            }
        }
    }

    #[test]
    fn max_separation_face_is_the_first_maximum() {
        let hull = ConvexHull::cylinder(1.0, 0.5, 21).unwrap();
        for point in [Vec3::ZERO, Vec3::Y, Vec3::new(3.0, -2.0, 1.0), Vec3::new(-0.1, 0.2, 0.3)] {
            let distance = |face: &HullFace| face.normal.dot(point) - face.offset;
            let max = hull.faces().iter().map(distance).fold(f32::NEG_INFINITY, scalar::max);
            let first = hull.faces().iter().position(|face| distance(face) == max).unwrap();
            assert_eq!(hull.max_separation_face(point), (first as u32, max));
        }
        assert_ne!(hull.content_hash(), ConvexHull::cylinder(1.0, 0.5, 20).unwrap().content_hash());
    }

    #[test]
    fn hull_contains_its_inscribed_sphere_and_lies_in_its_bounding_sphere() {
        let cylinder = ConvexHull::cylinder(1.0, 0.5, 16).unwrap();
        let (center, radius) = cylinder.inscribed_sphere();
        assert!(radius > 0.48 && radius < 0.5, "{radius}");
        for face in cylinder.faces() {
            assert!(face.normal.dot(center) + radius <= face.offset);
        }
        for &vertex in cylinder.vertices() {
            assert!((vertex - center).length() <= cylinder.bounding_radius());
            assert!(vertex.abs().max_element() <= cylinder.max_abs_coordinate());
        }
    }

    #[test]
    fn plane_blocks_contain_every_plane_padded_by_the_first() {
        let prism = ConvexHull::cylinder(1.0, 0.5, 7).unwrap();
        assert_eq!(prism.planes_soa().len(), 2);
        for (lane, face) in (0..16).map(|lane| (lane, prism.faces().get(lane))) {
            let block = &prism.planes_soa()[lane / 8];
            let face = face.unwrap_or(&prism.faces()[0]);
            let normal = Vec3::new(block.x[lane % 8], block.y[lane % 8], block.z[lane % 8]);
            assert_eq!((normal, block.offset[lane % 8]), (face.normal, face.offset));
        }
    }
}
