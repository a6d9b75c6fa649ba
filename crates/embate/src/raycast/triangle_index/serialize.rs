//! Serialization of a [`TriangleIndex`]: versioned, with a checksum, validated on load.
//!
//! ```text
//! "EMBI"  version  structure  vertices  triangles  root  lines  0     8 words
//! positions, 3 words each     triangles, 3 words each     cache lines of the tree, 16 words each
//! checksum                                                            2 words
//! ```
//!
//! Words are 32-bit little-endian; floats are stored by their bits. The mesh is included, so that
//! tree and mesh cannot diverge.
//!
//! Guarantee: bytes not written by [`TriangleIndex::to_bytes`] yield an error, never a panic.
//! Loading takes memory proportional to the length of the input: the counts in the header are
//! checked against it before any allocation.

use embate_mesh::{MeshValidationError, TriangleMesh};
use thiserror::Error;

use crate::raycast::bvh::{LINE_WORDS, TreeDefect};
use crate::raycast::triangle_index::TriangleIndex;
use crate::raycast::{
    AnyRayIndex, BruteForce, BspTree, Bvh, CompactOctree, KdTree, Octree, UniformGrid,
};

const MAGIC: [u8; 4] = *b"EMBI";
/// Incremented whenever the format or its interpretation changes.
const VERSION: u32 = 2;
const HEADER_WORDS: usize = 8;
const CHECKSUM_BYTES: usize = 8;

/// Codes of the structure in the header.
const BRUTE_FORCE_CODE: u32 = 0;
const OCTREE_CODE: u32 = 1;
const BVH_CODE: u32 = 2;
const COMPACT_BVH_CODE: u32 = 3;
const KD_TREE_CODE: u32 = 4;
const BSP_CODE: u32 = 5;
const GRID_CODE: u32 = 6;
const COMPACT_OCTREE_CODE: u32 = 7;

/// Why bytes are not a valid index.
#[doc(alias = "InvalidIndex")]
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DeserializeError {
    /// The magic number is missing.
    #[error("not a serialized triangle index: the data does not start with \"EMBI\"")]
    BadMagic,
    /// Written by another version of the format.
    #[error(
        "unsupported index version {found}, expected {VERSION}: rebuild the index from its mesh"
    )]
    UnsupportedVersion {
        /// Version in the header.
        found: u32,
    },
    /// Truncated or modified.
    #[error("corrupted index: length or checksum mismatch; copy it from its source again")]
    #[doc(alias = "Corrupted")]
    ChecksumMismatch,
    /// The mesh is invalid.
    #[error("the index contains an invalid mesh: {0}")]
    InvalidMesh(MeshValidationError),
    /// The tree is invalid.
    #[error("the index contains an invalid tree: {0}; rebuild the index from its mesh")]
    InvalidTree(TreeDefect),
}

impl DeserializeError {
    /// Stable identifier, for translation; never changes.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadMagic => "index.bad-magic",
            Self::UnsupportedVersion { .. } => "index.unsupported-version",
            Self::ChecksumMismatch => "index.checksum-mismatch",
            Self::InvalidMesh(_) => "index.invalid-mesh",
            Self::InvalidTree(_) => "index.invalid-tree",
        }
    }
}

impl TriangleIndex {
    /// Serializes mesh and structure. Loading takes a fraction of the build time. Only [`Bvh`] and
    /// [`Octree`] are stored; [`KdTree`], [`BspTree`], [`UniformGrid`] and [`CompactOctree`] are
    /// built again with default settings.
    ///
    /// ```
    /// use embate::{Ray, TriangleMesh, raycast::TriangleIndex};
    ///
    /// let vertices = vec![[0.0, 0.0, 2.0], [4.0, 0.0, 2.0], [0.0, 4.0, 2.0]];
    /// let index = TriangleIndex::new(TriangleMesh::new(vertices, vec![[0, 1, 2]])?);
    /// let bytes = index.to_bytes();
    /// let loaded = TriangleIndex::from_bytes(&bytes)?;
    /// let ray = Ray::new([1.0, 1.0, 0.0], [0.0, 0.0, 1.0]);
    /// assert_eq!(loaded.closest_hit(&ray), index.closest_hit(&ray));
    ///
    /// assert!(TriangleIndex::from_bytes(&bytes[..bytes.len() - 1]).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let (structure, tree) = match &self.ray_index {
            AnyRayIndex::Bvh(bvh) if bvh.is_compact() => (COMPACT_BVH_CODE, Some(bvh)),
            AnyRayIndex::Bvh(bvh) => (BVH_CODE, Some(bvh)),
            AnyRayIndex::Octree(octree) => (OCTREE_CODE, Some(&octree.tree)),
            // Not stored, but built again from the mesh.
            AnyRayIndex::BruteForce(_) => (BRUTE_FORCE_CODE, None),
            AnyRayIndex::KdTree(_) => (KD_TREE_CODE, None),
            AnyRayIndex::Bsp(_) => (BSP_CODE, None),
            AnyRayIndex::Grid(_) => (GRID_CODE, None),
            AnyRayIndex::CompactOctree(_) => (COMPACT_OCTREE_CODE, None),
        };
        let (positions, triangles) = (self.mesh.positions(), self.mesh.triangles());
        let (root, lines) = tree.map_or((0, 0), Bvh::serialized_root);
        let (vertex_count, triangle_count) = (positions.len() as u32, triangles.len() as u32);
        let header = [
            u32::from_le_bytes(MAGIC),
            VERSION,
            structure,
            vertex_count,
            triangle_count,
            root,
            lines as u32,
            0,
        ];
        let words = header
            .into_iter()
            .chain(positions.iter().flatten().map(|c| c.to_bits()))
            .chain(triangles.iter().flatten().copied())
            .chain(tree.into_iter().flat_map(Bvh::serialized_words));
        let length = HEADER_WORDS + 3 * (positions.len() + triangles.len()) + LINE_WORDS * lines;
        let mut bytes = Vec::with_capacity(4 * length + CHECKSUM_BYTES);
        for word in words {
            bytes.extend_from_slice(&word.to_le_bytes());
        }
        let sum = checksum(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    /// Deserializes the bytes of [`to_bytes`](Self::to_bytes). Query results are the same, to the
    /// bit.
    ///
    /// # Errors
    /// [`DeserializeError`] if the bytes are not a valid index.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DeserializeError> {
        if bytes.get(..4) != Some(&MAGIC) {
            return Err(DeserializeError::BadMagic);
        }
        let mut words = words_of(bytes);
        let mut next = || words.next().ok_or(DeserializeError::ChecksumMismatch);
        let (_, found) = (next()?, next()?);
        if found != VERSION {
            return Err(DeserializeError::UnsupportedVersion { found });
        }
        let (structure, vertex_count, triangle_count) = (next()?, next()?, next()?);
        let (root, lines, reserved) = (next()?, next()?, next()?);
        let length = HEADER_WORDS as u64
            + 3 * (u64::from(vertex_count) + u64::from(triangle_count))
            + LINE_WORDS as u64 * u64::from(lines);
        if 4 * length + CHECKSUM_BYTES as u64 != bytes.len() as u64 {
            return Err(DeserializeError::ChecksumMismatch);
        }
        let Some((body, sum)) = bytes.split_last_chunk::<CHECKSUM_BYTES>() else {
            return Err(DeserializeError::ChecksumMismatch);
        };
        if checksum(body) != u64::from_le_bytes(*sum) {
            return Err(DeserializeError::ChecksumMismatch);
        }
        if reserved != 0 {
            return Err(DeserializeError::InvalidTree(TreeDefect::ReservedWord));
        }
        let (positions, rest) = body[4 * HEADER_WORDS..].split_at(12 * vertex_count as usize);
        let (triangles, tree) = rest.split_at(12 * triangle_count as usize);
        let positions = triples(positions).map(|triple| triple.map(f32::from_bits)).collect();
        let mesh = TriangleMesh::new(positions, triples(triangles).collect());
        let mesh = mesh.map_err(DeserializeError::InvalidMesh)?;
        let is_compact = structure == COMPACT_BVH_CODE;
        let tree = |variant: fn(Bvh) -> AnyRayIndex| {
            let tree = Bvh::from_serialized(&mesh, root, is_compact, words_of(tree));
            tree.map(variant).map_err(DeserializeError::InvalidTree)
        };
        let ray_index = match structure {
            BRUTE_FORCE_CODE if lines == 0 && root == 0 => BruteForce::new(&mesh).into(),
            KD_TREE_CODE if lines == 0 && root == 0 => KdTree::build(&mesh).into(),
            BSP_CODE if lines == 0 && root == 0 => BspTree::build(&mesh).into(),
            GRID_CODE if lines == 0 && root == 0 => UniformGrid::new(&mesh).into(),
            COMPACT_OCTREE_CODE if lines == 0 && root == 0 => CompactOctree::new(&mesh).into(),
            OCTREE_CODE => tree(|tree| Octree { tree }.into())?,
            BVH_CODE | COMPACT_BVH_CODE => tree(AnyRayIndex::Bvh)?,
            _ => return Err(DeserializeError::InvalidTree(TreeDefect::UnknownStructure)),
        };
        Ok(Self::from_parts(mesh, ray_index))
    }
}

fn words_of(bytes: &[u8]) -> impl Iterator<Item = u32> + '_ {
    bytes.chunks_exact(4).map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
}

fn triples(bytes: &[u8]) -> impl Iterator<Item = [u32; 3]> + '_ {
    bytes.chunks_exact(12).map(|triple| {
        let mut words = words_of(triple);
        [(); 3].map(|()| words.next().unwrap_or_default())
    })
}

/// FNV-1a over words instead of bytes: a change of one word always changes it. It detects
/// accidental damage, not tampering.
fn checksum(bytes: &[u8]) -> u64 {
    words_of(bytes).fold(0xcbf2_9ce4_8422_2325, |sum, word| {
        (sum ^ u64::from(word)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use embate_geom::Ray;

    use super::*;
    use crate::raycast::BuildQuality;
    use crate::raycast::test_meshes::{bumpy_terrain, sample_points};

    /// One index of each structure code.
    fn index_of_each_structure(mesh: &TriangleMesh) -> [TriangleIndex; 8] {
        let compact = |mesh: &TriangleMesh| Bvh::build_with_quality(mesh, BuildQuality::Compact);
        [
            TriangleIndex::build_with(mesh.clone(), Bvh::build),
            TriangleIndex::build_with(mesh.clone(), compact),
            TriangleIndex::build_with(mesh.clone(), Octree::build),
            TriangleIndex::build_with(mesh.clone(), BruteForce::new),
            TriangleIndex::build_with(mesh.clone(), KdTree::build),
            TriangleIndex::build_with(mesh.clone(), BspTree::build),
            TriangleIndex::build_with(mesh.clone(), UniformGrid::new),
            TriangleIndex::build_with(mesh.clone(), CompactOctree::new),
        ]
    }

    /// The bytes with a valid checksum.
    fn with_valid_checksum(mut bytes: Vec<u8>) -> Vec<u8> {
        let body = bytes.len() - CHECKSUM_BYTES;
        let sum = checksum(&bytes[..body]);
        bytes[body..].copy_from_slice(&sum.to_le_bytes());
        bytes
    }

    fn small_mesh() -> TriangleMesh {
        let mesh = bumpy_terrain();
        TriangleMesh::new(mesh.positions().to_vec(), mesh.triangles()[..40].to_vec()).unwrap()
    }

    #[test]
    fn loaded_index_equals_the_original() {
        for index in index_of_each_structure(&bumpy_terrain()) {
            let loaded = TriangleIndex::from_bytes(&index.to_bytes()).unwrap();
            assert_eq!((loaded.mesh(), loaded.kind()), (index.mesh(), index.kind()));
            assert_eq!(loaded.memory_usage(), index.memory_usage());
            for pair in sample_points(400).chunks_exact(2) {
                let ray = Ray { t_max: f32::INFINITY, ..Ray::segment(pair[0], pair[1]) };
                assert_eq!(loaded.all_hits(&ray), index.all_hits(&ray));
                assert_eq!(loaded.closest_hit(&ray), index.closest_hit(&ray));
                assert_eq!(loaded.closest_point(pair[0]), index.closest_point(pair[0]));
            }
            assert_eq!(loaded.to_bytes(), index.to_bytes());
        }
    }

    #[test]
    fn index_over_an_empty_mesh_can_be_loaded() {
        for index in index_of_each_structure(&TriangleMesh::default()) {
            let loaded = TriangleIndex::from_bytes(&index.to_bytes()).unwrap();
            assert_eq!(loaded.closest_hit(&Ray::new([0.0; 3], [1.0, 0.0, 0.0])), None);
        }
    }

    #[test]
    fn truncated_and_modified_bytes_are_rejected() {
        for index in index_of_each_structure(&small_mesh()) {
            let bytes = index.to_bytes();
            for length in (0..bytes.len()).step_by(7).chain([bytes.len() - 1]) {
                assert!(TriangleIndex::from_bytes(&bytes[..length]).is_err(), "length {length}");
            }
            for offset in 0..bytes.len() {
                let mut modified = bytes.clone();
                modified[offset] ^= 1 << (offset % 8);
                assert!(TriangleIndex::from_bytes(&modified).is_err(), "byte {offset}");
            }
        }
        assert_eq!(TriangleIndex::from_bytes(b"no index").err(), Some(DeserializeError::BadMagic));
        let mut newer = TriangleIndex::new(small_mesh()).to_bytes();
        newer[4] = 9;
        let error = TriangleIndex::from_bytes(&newer).err();
        assert_eq!(error, Some(DeserializeError::UnsupportedVersion { found: 9 }));
    }

    /// Hostile bytes with a valid checksum: an error, or an index whose every traversal terminates.
    #[test]
    fn forged_index_is_rejected_or_harmless() {
        let (mut rejected, mut harmless) = (0, 0);
        let rays =
            [[0.3, -0.2, 9.0], [-20.0, -19.5, 0.5]].map(|from| Ray::new(from, [0.1, 0.02, -1.0]));
        for index in index_of_each_structure(&small_mesh()) {
            let bytes = index.to_bytes();
            for offset in (8..bytes.len() - CHECKSUM_BYTES).step_by(4) {
                for value in [1, u32::MAX, 0x7fc0_0000, 0x1000_0004] {
                    let mut forged = bytes.clone();
                    forged[offset..offset + 4].copy_from_slice(&u32::to_le_bytes(value));
                    let Ok(mut index) = TriangleIndex::from_bytes(&with_valid_checksum(forged))
                    else {
                        rejected += 1;
                        continue;
                    };
                    harmless += 1;
                    for ray in &rays {
                        let _ = index.all_hits(ray);
                        let _ = index.closest_hits(&[*ray]);
                        let _ = index.closest_point(ray.origin);
                    }
                    let positions = index.mesh().positions().to_vec();
                    index.refit(&positions).unwrap();
                }
            }
        }
        assert!(rejected > 1_000 && harmless > 1_000, "{rejected} rejected, {harmless} harmless");
    }

    #[test]
    fn node_that_references_itself_is_rejected() {
        let mut bytes = TriangleIndex::build_with(bumpy_terrain(), Bvh::build).to_bytes();
        let counts: Vec<u32> = words_of(&bytes[12..20]).collect();
        let tree = 4 * HEADER_WORDS + 12 * (counts[0] + counts[1]) as usize;
        // Makes the first child of the root a reference to the root.
        let child = tree + 4 * 3 * LINE_WORDS;
        bytes[child..child + 4].copy_from_slice(&[0; 4]);
        let error = TriangleIndex::from_bytes(&with_valid_checksum(bytes)).err();
        let expected = DeserializeError::InvalidTree(TreeDefect::NodeOrder);
        assert_eq!(error, Some(expected));
    }

    #[test]
    fn error_codes_are_unique() {
        let mesh_error = TriangleMesh::new(vec![[f32::NAN; 3]], vec![]).unwrap_err();
        let mut codes = [
            DeserializeError::BadMagic,
            DeserializeError::UnsupportedVersion { found: 0 },
            DeserializeError::ChecksumMismatch,
            DeserializeError::InvalidMesh(mesh_error),
            DeserializeError::InvalidTree(TreeDefect::NodeOrder),
        ]
        .map(|error| error.code())
        .to_vec();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), 5);
    }
}
