//! An index as bytes: versioned, and checked when read.
//!
//! ```text
//! "EMBI"  version  structure  vertices  triangles  root  lines  0     eight words
//! positions, three words each     triangles, three words each     the tree's lines, sixteen words each
//! checksum                                                            two words
//! ```
//!
//! Words are little-endian and of 32 bits; floats keep theirs. The mesh is part of it, so that the two cannot part.
//!
//! Promise: bytes that no index wrote give an error, never a panic, and reading takes memory in proportion to their
//! number: what the header counts must be what is there, before anything is set aside for it.

use embate_mesh::{InvalidMesh, TriangleMesh};
use thiserror::Error;

use super::TriangleIndex;
use crate::rays::bvh::LINE_WORDS;
use crate::rays::{AnyRayIndex, Brute, Bvh, Octree};

const MAGIC: [u8; 4] = *b"EMBI";
/// Changes whenever the bytes do, or what is made of them.
const VERSION: u32 = 2;
const HEADER_WORDS: usize = 8;
const CHECKSUM_BYTES: usize = 8;

/// Why bytes are no index.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InvalidIndex {
    /// Something else altogether.
    #[error("these bytes are no index of a mesh: they do not begin with \"EMBI\"")]
    Unknown,
    /// Of another version of Embate.
    #[error(
        "the index is of version {found}, but this Embate reads version {VERSION}: make it anew from its mesh"
    )]
    Version {
        /// Which.
        found: u32,
    },
    /// Cut off, or changed.
    #[error(
        "the index is damaged: its length or its checksum does not fit; take it from its source again"
    )]
    Damaged,
    /// Its mesh is none.
    #[error("the mesh of the index is wrong: {0}")]
    Mesh(InvalidMesh),
    /// Its tree is none.
    #[error("the index is wrong: {0}; make it anew from its mesh")]
    Wrong(&'static str),
}

impl TriangleIndex {
    /// Mesh and structure as bytes, to be kept or sent: to load them takes a fraction of the build.
    ///
    /// ```
    /// use embate::{Ray, TriangleMesh, rays::TriangleIndex};
    ///
    /// let corners = vec![[0.0, 0.0, 2.0], [4.0, 0.0, 2.0], [0.0, 4.0, 2.0]];
    /// let index = TriangleIndex::new(TriangleMesh::new(corners, vec![[0, 1, 2]])?);
    /// let bytes = index.to_bytes();
    /// let again = TriangleIndex::from_bytes(&bytes)?;
    /// let ray = Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    /// assert_eq!(again.closest_hit(&ray), index.closest_hit(&ray));
    ///
    /// assert!(TriangleIndex::from_bytes(&bytes[..bytes.len() - 1]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let (structure, tree) = match &self.structure {
            AnyRayIndex::Bvh(bvh) => (if bvh.is_compact() { 3 } else { 2 }, Some(bvh)),
            AnyRayIndex::Octree(octree) => (1, Some(&octree.tree)),
            _ => (0, None),
        };
        let (positions, triangles) = (self.mesh.positions(), self.mesh.triangles());
        let (root, lines) = tree.map_or((0, 0), Bvh::saved_root);
        let (vertices, count) = (positions.len() as u32, triangles.len() as u32);
        let header =
            [u32::from_le_bytes(MAGIC), VERSION, structure, vertices, count, root, lines as u32, 0];
        let words = header
            .into_iter()
            .chain(positions.iter().flatten().map(|c| c.to_bits()))
            .chain(triangles.iter().flatten().copied())
            .chain(tree.into_iter().flat_map(Bvh::saved_words));
        let length = HEADER_WORDS + 3 * (positions.len() + triangles.len()) + LINE_WORDS * lines;
        let mut bytes = Vec::with_capacity(4 * length + CHECKSUM_BYTES);
        for word in words {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        let sum = checksum(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// From the bytes of [`to_bytes`](Self::to_bytes). Answers are the same, to the bit.
    ///
    /// # Errors
    /// [`InvalidIndex`] says what is wrong with them.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, InvalidIndex> {
        if bytes.get(..4) != Some(&MAGIC) {
            return Err(InvalidIndex::Unknown);
        }
        let mut words = words_of(bytes);
        let mut next = || words.next().ok_or(InvalidIndex::Damaged);
        let (_, found) = (next()?, next()?);
        if found != VERSION {
            return Err(InvalidIndex::Version { found });
        }
        let (structure, vertices, count) = (next()?, next()?, next()?);
        let (root, lines, zero) = (next()?, next()?, next()?);
        let length = HEADER_WORDS as u64
            + 3 * (u64::from(vertices) + u64::from(count))
            + LINE_WORDS as u64 * u64::from(lines);
        if 4 * length + CHECKSUM_BYTES as u64 != bytes.len() as u64 {
            return Err(InvalidIndex::Damaged);
        }
        let Some((body, sum)) = bytes.split_last_chunk::<CHECKSUM_BYTES>() else {
            return Err(InvalidIndex::Damaged);
        };
        if checksum(body) != u64::from_le_bytes(*sum) {
            return Err(InvalidIndex::Damaged);
        }
        if zero != 0 {
            return Err(InvalidIndex::Wrong("its header has a word that means nothing"));
        }
        let (positions, rest) = body[4 * HEADER_WORDS..].split_at(12 * vertices as usize);
        let (triangles, tree) = rest.split_at(12 * count as usize);
        let positions = threes(positions).map(|three| three.map(f32::from_bits)).collect();
        let mesh = TriangleMesh::new(positions, threes(triangles).collect());
        let mesh = mesh.map_err(InvalidIndex::Mesh)?;
        let is_compact = structure == 3;
        let tree = |structure: fn(Bvh) -> AnyRayIndex| {
            let tree = Bvh::from_saved(&mesh, (root, is_compact), words_of(tree));
            tree.map(structure).map_err(InvalidIndex::Wrong)
        };
        let structure = match structure {
            0 if lines == 0 && root == 0 => AnyRayIndex::Brute(Brute::new(&mesh)),
            1 => tree(|tree| AnyRayIndex::Octree(Octree { tree }))?,
            2 | 3 => tree(AnyRayIndex::Bvh)?,
            _ => return Err(InvalidIndex::Wrong("it is of a structure that there is not")),
        };
        Ok(Self::of(mesh, structure))
    }
}

fn words_of(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
}

fn threes(bytes: &[u8]) -> impl Iterator<Item = [u32; 3]> + '_ {
    bytes.chunks_exact(12).map(|three| {
        let mut words = words_of(three);
        [(); 3].map(|()| words.next().unwrap_or_default())
    })
}

/// FNV-1a over words instead of bytes: a word that changes always changes it. Finds what happens to bytes on their way, not what
/// somebody does to them.
fn checksum(bytes: &[u8]) -> u64 {
    words_of(bytes).fold(0xcbf2_9ce4_8422_2325, |sum, word| {
        (sum ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use embate_geom::Ray;

    use super::super::sphere_cast::tests::{bumps, places};
    use super::*;
    use crate::rays::Preset;

    const MADE: [fn(TriangleMesh) -> TriangleIndex; 4] = [
        |mesh| TriangleIndex::by(Bvh::new, mesh),
        |mesh| TriangleIndex::by(|mesh| Bvh::with(mesh, Preset::Compact), mesh),
        |mesh| TriangleIndex::by(Octree::new, mesh),
        |mesh| TriangleIndex::by(Brute::new, mesh),
    ];

    /// With the checksum that belongs to them.
    fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
        let body = bytes.len() - CHECKSUM_BYTES;
        let sum = checksum(&bytes[..body]);
        bytes[body..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    fn small() -> TriangleMesh {
        let mesh = bumps();
        TriangleMesh::new(mesh.positions().to_vec(), mesh.triangles()[..40].to_vec()).unwrap()
    }

    #[test]
    fn what_was_saved_answers_as_what_was_built() {
        for make in MADE {
            let index = make(bumps());
            let again = TriangleIndex::from_bytes(&index.to_bytes()).unwrap();
            assert_eq!((again.mesh(), again.structure()), (index.mesh(), index.structure()));
            assert_eq!(again.bytes(), index.bytes());
            for pair in places(400).chunks_exact(2) {
                let ray = Ray { t_max: f32::INFINITY, ..Ray::between(pair[0], pair[1]) };
                assert_eq!(again.all_hits(&ray), index.all_hits(&ray));
                assert_eq!(again.closest_hit(&ray), index.closest_hit(&ray));
                assert_eq!(again.closest_point(pair[0], 9.0), index.closest_point(pair[0], 9.0));
            }
            assert_eq!(again.to_bytes(), index.to_bytes());
        }
    }

    #[test]
    fn an_index_over_nothing_is_saved_too() {
        for make in MADE {
            let index = make(TriangleMesh::default());
            let again = TriangleIndex::from_bytes(&index.to_bytes()).unwrap();
            assert_eq!(again.closest_hit(&Ray::new([0.0; 3], [1.0, 0.0, 0.0])), None);
        }
    }

    #[test]
    fn whatever_is_cut_off_or_changed_is_noticed() {
        for make in MADE {
            let bytes = make(small()).to_bytes();
            for length in (0..bytes.len()).step_by(7).chain([bytes.len() - 1]) {
                assert!(TriangleIndex::from_bytes(&bytes[..length]).is_err(), "{length}");
            }
            for place in 0..bytes.len() {
                let mut changed = bytes.clone();
                changed[place] ^= 1 << (place % 8);
                assert!(TriangleIndex::from_bytes(&changed).is_err(), "byte {place}");
            }
        }
        assert_eq!(TriangleIndex::from_bytes(b"no index").err(), Some(InvalidIndex::Unknown));
        let mut newer = TriangleIndex::new(small()).to_bytes();
        newer[4] = 9;
        let found = TriangleIndex::from_bytes(&newer).err();
        assert_eq!(found, Some(InvalidIndex::Version { found: 9 }));
    }

    /// Signed by somebody who means harm: an error, or an index whose every search ends.
    #[test]
    fn a_forged_index_is_refused_or_harmless() {
        let (mut refused, mut harmless) = (0, 0);
        let rays =
            [[0.3, -0.2, 9.0], [-20.0, -19.5, 0.5]].map(|from| Ray::new(from, [0.1, 0.02, -1.0]));
        for make in MADE {
            let bytes = make(small()).to_bytes();
            for place in (8..bytes.len() - CHECKSUM_BYTES).step_by(4) {
                for value in [1, u32::MAX, 0x7fc0_0000, 0x1000_0004] {
                    let mut forged = bytes.clone();
                    forged[place..place + 4].copy_from_slice(&u32::to_le_bytes(value));
                    let Ok(index) = TriangleIndex::from_bytes(&signed(forged)) else {
                        refused += 1;
                        continue;
                    };
                    harmless += 1;
                    for ray in &rays {
                        let _ = index.all_hits(ray);
                        let _ = index.closest_hits(&[*ray]);
                        let _ = index.closest_point(ray.origin, f32::INFINITY);
                    }
                    let mut index = index;
                    let positions = index.mesh().positions().to_vec();
                    index.refit(&positions).unwrap();
                }
            }
        }
        assert!(refused > 1_000 && harmless > 1_000, "{refused} {harmless}");
    }

    #[test]
    fn a_node_that_leads_back_to_itself_is_refused() {
        let mut bytes = TriangleIndex::by(Bvh::new, bumps()).to_bytes();
        let counts: Vec<u32> = words_of(&bytes[12..20]).collect();
        let tree = 4 * HEADER_WORDS + 12 * (counts[0] + counts[1]) as usize;
        // The first child of the root: the root.
        let child = tree + 4 * 3 * LINE_WORDS;
        bytes[child..child + 4].copy_from_slice(&[0; 4]);
        let found = TriangleIndex::from_bytes(&signed(bytes)).err();
        assert_eq!(
            found,
            Some(InvalidIndex::Wrong("the nodes of the tree are not in their order"))
        );
    }
}
