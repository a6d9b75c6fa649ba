//! Hostile mesh files: malformed or malicious input, generated in code, with the expected result.
//!
//! The corpus reproduces published faults of other loaders, cited at each file, and covers the edge
//! cases of the formats. Large files have a few megabytes, so that the memory bound tests its
//! factor per byte and not its constant overhead.

mod external_uris;
mod gltf;
mod gzip;
mod obj;
mod ply;
mod stl;
mod text;

use embate_mesh::Limits;

/// Size of the large files, in bytes.
pub const LARGE_FILE_BYTES: usize = 3 << 20;

/// A file and the expected result of loading it.
#[derive(Debug)]
pub struct HostileFile {
    /// File name, which also describes the fault.
    pub name: &'static str,
    /// Content, before compression if `packed`.
    pub bytes: Vec<u8>,
    /// Other files in the same folder: name and content.
    pub companions: Vec<(&'static str, Vec<u8>)>,
    /// Number of bytes that the memory bound is proportional to, without the companions.
    pub counted_bytes: u64,
    /// Whether the file on disk is a gzip of `bytes`.
    pub packed: bool,
    /// Limits set by the caller.
    pub limits: Limits,
    /// Expected result.
    pub expected: LoadOutcome,
}

/// Expected result of loading a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoadOutcome {
    /// A mesh with these numbers of vertices and triangles.
    Mesh(usize, usize),
    /// An error with exactly this message after the path.
    Error(String),
    /// An error whose message starts with this after the path. The rest is system-dependent.
    ErrorPrefix(&'static str),
}

impl HostileFile {
    fn new(name: &'static str, bytes: impl Into<Vec<u8>>, expected: LoadOutcome) -> Self {
        let (bytes, limits) = (bytes.into(), Limits::default());
        let counted_bytes = bytes.len() as u64;
        Self { name, bytes, companions: Vec::new(), counted_bytes, packed: false, limits, expected }
    }

    fn error(name: &'static str, bytes: impl Into<Vec<u8>>, message: &str) -> Self {
        Self::new(name, bytes, LoadOutcome::Error(message.to_owned()))
    }

    fn mesh(
        name: &'static str,
        bytes: impl Into<Vec<u8>>,
        vertices: usize,
        triangles: usize,
    ) -> Self {
        Self::new(name, bytes, LoadOutcome::Mesh(vertices, triangles))
    }

    fn packed(self) -> Self {
        Self { packed: true, ..self }
    }

    /// The bytes are already a gzip file, of this uncompressed size.
    fn with_uncompressed_size(self, counted_bytes: u64) -> Self {
        Self { counted_bytes, ..self }
    }

    fn with_companion(mut self, name: &'static str, bytes: Vec<u8>) -> Self {
        self.companions.push((name, bytes));
        self
    }

    fn with_limits(self, limits: Limits) -> Self {
        Self { limits, counted_bytes: self.counted_bytes.min(limits.max_bytes), ..self }
    }
}

/// The corpus, as constructors: all files together take about 100 MB.
pub fn corpus() -> impl Iterator<Item = fn() -> HostileFile> {
    [
        obj::FILES,
        stl::FILES,
        ply::FILES,
        gltf::FILES,
        external_uris::FILES,
        gzip::FILES,
        text::FILES,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// One small valid file of every format, as seeds of the mutation test.
#[must_use]
pub fn valid_files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("valid.obj", obj::VALID.into()),
        ("valid-text.stl", stl::VALID_ASCII.into()),
        ("valid.stl", stl::binary(1, &[[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])),
        ("valid-text.ply", ply::VALID_ASCII.into()),
        ("valid-little.ply", ply::valid_binary("little")),
        ("valid-big.ply", ply::valid_binary("big")),
        ("valid.gltf", gltf::valid().into_bytes()),
        ("valid.glb", gltf::valid_glb()),
        ("valid.txt", text::VALID.into()),
    ]
}
