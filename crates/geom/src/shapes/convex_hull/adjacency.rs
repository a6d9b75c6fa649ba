//! What is asked of a hull over and over when it touches others, worked out once.

use super::{Hull, HullEdge, HullFace, lanes};
use crate::{Vec3, scalar};

/// Planes a block holds.
const LANES: usize = 8;

/// Eight planes of faces side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(align(32))]
pub struct PlaneBlock {
    /// First components of the normals.
    pub x: [f32; LANES],
    /// Second components.
    pub y: [f32; LANES],
    /// Third components.
    pub z: [f32; LANES],
    /// Offsets.
    pub offset: [f32; LANES],
}

impl PlaneBlock {
    /// How far a point is out of each plane; below 0 behind it.
    #[inline]
    #[must_use]
    pub fn distances(&self, point: Vec3) -> [f32; LANES] {
        core::array::from_fn(|lane| {
            self.x[lane] * point.x + self.y[lane] * point.y + self.z[lane] * point.z
                - self.offset[lane]
        })
    }
}

/// See the methods of [`Hull`] of the same names.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Around {
    planes: Vec<PlaneBlock>,
    /// The faces about every vertex, one vertex after the other.
    fans: Vec<u32>,
    /// Where the faces about a vertex begin; one more than vertices.
    fan_starts: Vec<u32>,
    /// The edges about every face, one face after the other.
    rings: Vec<u32>,
    fingerprint: u64,
    inner: (Vec3, f32),
    outer_radius: f32,
    reach: f32,
}

impl Around {
    pub(super) fn new(
        vertices: &[Vec3],
        faces: &[HullFace],
        corners: &[u32],
        edges: &[HullEdge],
        middle: Vec3,
    ) -> Self {
        let mut fan_starts = vec![0_u32; vertices.len() + 1];
        for &corner in corners {
            fan_starts[corner as usize + 1] += 1;
        }
        for vertex in 0..vertices.len() {
            fan_starts[vertex + 1] += fan_starts[vertex];
        }
        let mut fans = vec![0; corners.len()];
        let mut next = fan_starts.clone();
        for (index, face) in faces.iter().enumerate() {
            for &corner in &corners[face.first as usize..][..face.count as usize] {
                let slot = &mut next[corner as usize];
                fans[*slot as usize] = index as u32;
                *slot += 1;
            }
        }
        let reach =
            vertices.iter().fold(0.0, |reach, vertex| scalar::max(reach, vertex.abs().largest()));
        let inner = faces.iter().fold(f32::INFINITY, |inner, face| {
            scalar::min(inner, face.offset - face.normal.dot(middle))
        });
        // Less what rounding may have added.
        let inner = scalar::max(0.0, inner - 8.0 * f32::EPSILON * reach);
        let outer = vertices
            .iter()
            .fold(0.0, |outer, &vertex| scalar::max(outer, (vertex - middle).length()));
        Self {
            planes: in_blocks(faces),
            fans,
            fan_starts,
            rings: rings(faces, corners, edges),
            fingerprint: fingerprint(vertices),
            inner: (middle, inner),
            outer_radius: outer + 8.0 * f32::EPSILON * reach,
            reach,
        }
    }
}

/// The edge that begins in each corner of each face.
fn rings(faces: &[HullFace], corners: &[u32], edges: &[HullEdge]) -> Vec<u32> {
    let mut rings = vec![0; corners.len()];
    for (index, edge) in edges.iter().enumerate() {
        for (face, start) in edge.faces.into_iter().zip(edge.vertices) {
            let face = &faces[face as usize];
            let first = face.first as usize;
            for slot in first..first + face.count as usize {
                if corners[slot] == start {
                    rings[slot] = index as u32;
                }
            }
        }
    }
    rings
}

/// FNV-1a, 64 bits, a coordinate at a time.
fn fingerprint(vertices: &[Vec3]) -> u64 {
    vertices.iter().flat_map(|vertex| vertex.to_array()).fold(0xCBF2_9CE4_8422_2325, |hash, x| {
        (hash ^ u64::from(x.to_bits())).wrapping_mul(0x0100_0000_01B3)
    })
}

fn in_blocks(faces: &[HullFace]) -> Vec<PlaneBlock> {
    faces
        .chunks(LANES)
        .map(|chunk| {
            let lane = |lane: usize| chunk.get(lane).unwrap_or(&faces[0]);
            PlaneBlock {
                x: core::array::from_fn(|index| lane(index).normal.x),
                y: core::array::from_fn(|index| lane(index).normal.y),
                z: core::array::from_fn(|index| lane(index).normal.z),
                offset: core::array::from_fn(|index| lane(index).offset),
            }
        })
        .collect()
}

impl Hull {
    /// The planes of its faces eight at a time, the first one repeated to fill the last block.
    #[inline]
    #[must_use]
    pub fn plane_blocks(&self) -> &[PlaneBlock] {
        &self.around.planes
    }

    /// The face whose plane a point is farthest out of, or least deep behind, and how far; of equal ones, the
    /// first.
    #[must_use]
    pub fn farthest_plane(&self, point: Vec3) -> (u32, f32) {
        let mut best = lanes::Best::new();
        for (index, block) in self.around.planes.iter().enumerate() {
            best.of(index, &block.distances(point));
        }
        best.first()
    }

    /// The same for a segment, from `middle - tip` to `middle + tip`: by its end that is less far out.
    #[must_use]
    pub fn farthest_plane_of_segment(&self, middle: Vec3, tip: Vec3) -> (u32, f32) {
        let mut best = lanes::Best::new();
        for (index, block) in self.around.planes.iter().enumerate() {
            let distances = block.distances(middle);
            let out = core::array::from_fn(|lane| {
                let rise = block.x[lane] * tip.x + block.y[lane] * tip.y + block.z[lane] * tip.z;
                distances[lane] - rise.abs()
            });
            best.of(index, &out);
        }
        best.first()
    }

    /// The edges about a face: the one that begins in its first corner first.
    #[inline]
    #[must_use]
    pub fn edges_around(&self, face: &HullFace) -> &[u32] {
        &self.around.rings[face.first as usize..(face.first + face.count) as usize]
    }

    /// A number that two hulls with the same corners have in common, and hardly any two others.
    #[inline]
    #[must_use]
    pub fn fingerprint(&self) -> u64 {
        self.around.fingerprint
    }

    /// The faces that meet in a vertex, in ascending order.
    ///
    /// # Panics
    /// If it has no such vertex.
    #[inline]
    #[must_use]
    pub fn faces_around(&self, vertex: u32) -> &[u32] {
        let starts = &self.around.fan_starts;
        let (first, end) = (starts[vertex as usize], starts[vertex as usize + 1]);
        &self.around.fans[first as usize..end as usize]
    }

    /// Its centroid, and the radius of a ball around that which fits inside; 0 where the hull is so thin
    /// that rounding leaves no room.
    #[inline]
    #[must_use]
    pub fn inner_ball(&self) -> (Vec3, f32) {
        self.around.inner
    }

    /// The radius of a ball around its centroid that holds it.
    #[inline]
    #[must_use]
    pub fn outer_radius(&self) -> f32 {
        self.around.outer_radius
    }

    /// The largest coordinate of a vertex, without its sign.
    #[inline]
    #[must_use]
    pub fn reach(&self) -> f32 {
        self.around.reach
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faces_meet_in_the_corners_they_have() {
        let cone = Hull::cone(1.0, 0.5, 12).unwrap();
        for vertex in 0..cone.vertices().len() as u32 {
            let having: Vec<u32> = (0..cone.faces().len() as u32)
                .filter(|&face| cone.corners(&cone.faces()[face as usize]).contains(&vertex))
                .collect();
            assert_eq!(cone.faces_around(vertex), having);
        }
    }

    #[test]
    fn the_edges_about_a_face_begin_in_its_corners() {
        let cone = Hull::cone(1.0, 0.5, 12).unwrap();
        for face in cone.faces() {
            let corners = cone.corners(face);
            for (slot, &edge) in cone.edges_around(face).iter().enumerate() {
                let mut ends = cone.edges()[edge as usize].vertices;
                let mut expected = [corners[slot], corners[(slot + 1) % corners.len()]];
                ends.sort_unstable();
                expected.sort_unstable();
                assert_eq!(ends, expected);
            }
        }
    }

    #[test]
    fn the_farthest_plane_is_the_first_of_the_farthest() {
        let hull = Hull::cylinder(1.0, 0.5, 21).unwrap();
        for point in [Vec3::ZERO, Vec3::Y, Vec3::new(3.0, -2.0, 1.0), Vec3::new(-0.1, 0.2, 0.3)] {
            let out = |face: &HullFace| face.normal.dot(point) - face.offset;
            let most = hull.faces().iter().map(out).fold(f32::NEG_INFINITY, scalar::max);
            let first = hull.faces().iter().position(|face| out(face) == most).unwrap();
            assert_eq!(hull.farthest_plane(point), (first as u32, most));
        }
        assert_ne!(hull.fingerprint(), Hull::cylinder(1.0, 0.5, 20).unwrap().fingerprint());
    }

    #[test]
    fn a_ball_fits_inside_and_another_holds_the_hull() {
        let cylinder = Hull::cylinder(1.0, 0.5, 16).unwrap();
        let (middle, inner) = cylinder.inner_ball();
        assert!(inner > 0.48 && inner < 0.5, "{inner}");
        for face in cylinder.faces() {
            assert!(face.normal.dot(middle) + inner <= face.offset);
        }
        for &vertex in cylinder.vertices() {
            assert!((vertex - middle).length() <= cylinder.outer_radius());
            assert!(vertex.abs().largest() <= cylinder.reach());
        }
    }

    #[test]
    fn blocks_hold_every_plane_and_repeat_the_first() {
        let cube = Hull::cylinder(1.0, 0.5, 7).unwrap();
        assert_eq!(cube.plane_blocks().len(), 2);
        for (lane, face) in (0..16).map(|lane| (lane, cube.faces().get(lane))) {
            let block = &cube.plane_blocks()[lane / 8];
            let face = face.unwrap_or(&cube.faces()[0]);
            let normal = Vec3::new(block.x[lane % 8], block.y[lane % 8], block.z[lane % 8]);
            assert_eq!((normal, block.offset[lane % 8]), (face.normal, face.offset));
        }
    }
}
