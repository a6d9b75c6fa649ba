//! What is asked of a hull over and over when it touches others, worked out once.

use super::{Hull, HullFace};
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

/// See the methods of [`Hull`] of the same names.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Around {
    planes: Vec<PlaneBlock>,
    /// The faces about every vertex, one vertex after the other.
    fans: Vec<u32>,
    /// Where the faces about a vertex begin; one more than vertices.
    fan_starts: Vec<u32>,
    inner: (Vec3, f32),
    outer_radius: f32,
    reach: f32,
}

impl Around {
    pub(super) fn new(
        vertices: &[Vec3],
        faces: &[HullFace],
        corners: &[u32],
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
            inner: (middle, inner),
            outer_radius: outer + 8.0 * f32::EPSILON * reach,
            reach,
        }
    }
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
