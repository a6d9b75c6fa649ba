//! Mesh files that lie, made in code: each with the answer it must get.
//!
//! The traps are those published for other loaders, rebuilt by hand and named beside the file, and
//! those that follow from the formats themselves. Large ones are a few megabytes, so that the
//! memory bound's factor shows and not its slack.

mod elsewhere;
mod gltf;
mod gzip;
mod obj;
mod ply;
mod stl;
mod text;

use embate_mesh::Limits;

/// Bytes of the large files.
pub const LARGE: usize = 3 << 20;

/// A file and the answer it must get.
#[derive(Debug)]
pub struct Hostile {
    /// File name, which also says what the trap is.
    pub name: &'static str,
    /// Its content; packed into a gzip first if `packed`.
    pub bytes: Vec<u8>,
    /// Other files in the same folder.
    pub beside: Vec<(&'static str, Vec<u8>)>,
    /// How many bytes the memory bound is counted from, without the files beside.
    pub counted_bytes: u64,
    /// Whether the file on disk is a gzip of `bytes`.
    pub packed: bool,
    /// What the caller allows.
    pub limits: Limits,
    /// What must come of it.
    pub answer: Answer,
}

/// What must come of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A mesh of this many vertices and triangles.
    Mesh(usize, usize),
    /// Exactly this message, after the file's path.
    Error(String),
    /// A message that begins so, after the file's path: the system's own words follow.
    ErrorBeginning(&'static str),
}

impl Hostile {
    fn new(name: &'static str, bytes: impl Into<Vec<u8>>, answer: Answer) -> Self {
        let (bytes, limits) = (bytes.into(), Limits::default());
        let counted_bytes = bytes.len() as u64;
        Self { name, bytes, beside: Vec::new(), counted_bytes, packed: false, limits, answer }
    }

    fn error(name: &'static str, bytes: impl Into<Vec<u8>>, message: &str) -> Self {
        Self::new(name, bytes, Answer::Error(message.to_owned()))
    }

    fn mesh(
        name: &'static str,
        bytes: impl Into<Vec<u8>>,
        vertices: usize,
        triangles: usize,
    ) -> Self {
        Self::new(name, bytes, Answer::Mesh(vertices, triangles))
    }

    fn packed(self) -> Self {
        Self { packed: true, ..self }
    }

    /// The file is a gzip by itself, and this is all it holds.
    fn unpacks_to(self, counted_bytes: u64) -> Self {
        Self { counted_bytes, ..self }
    }

    fn beside(mut self, name: &'static str, bytes: Vec<u8>) -> Self {
        self.beside.push((name, bytes));
        self
    }

    fn limited(self, limits: Limits) -> Self {
        Self { limits, counted_bytes: self.counted_bytes.min(limits.max_bytes), ..self }
    }
}

/// The whole corpus. The files are made one at a time: together they are a hundred megabytes.
pub fn corpus() -> impl Iterator<Item = fn() -> Hostile> {
    [obj::FILES, stl::FILES, ply::FILES, gltf::FILES, elsewhere::FILES, gzip::FILES, text::FILES]
        .into_iter()
        .flatten()
        .copied()
}

/// One small sound file of every format, to be cut and bent.
#[must_use]
pub fn sound_files() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("sound.obj", obj::SOUND.into()),
        ("sound-text.stl", stl::SOUND_TEXT.into()),
        ("sound.stl", stl::binary(1, &[[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]])),
        ("sound-text.ply", ply::SOUND_TEXT.into()),
        ("sound-little.ply", ply::sound_binary("little")),
        ("sound-big.ply", ply::sound_binary("big")),
        ("sound.gltf", gltf::sound().into_bytes()),
        ("sound.glb", gltf::sound_glb()),
        ("sound.txt", text::SOUND.into()),
    ]
}
