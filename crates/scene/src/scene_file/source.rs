//! Sources of scenes: text or files, mesh files, size limits.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::body::read_body as body_of;
use super::located_json::Document;
use super::mesh::Meshes;
use super::shape::read_shape;
use super::{Body, SceneError, SceneErrorKind, keys};
use crate::io_error_message;

/// Size limits of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneLimits {
    /// Maximum size of the JSON in bytes; numbers take about as much memory as text.
    pub max_bytes: u64,
    /// Limits of each mesh file.
    pub mesh: embate_mesh::Limits,
}

impl Default for SceneLimits {
    fn default() -> Self {
        // A million bodies of 256 bytes.
        Self { max_bytes: 256 << 20, mesh: embate_mesh::Limits::default() }
    }
}

/// Name of a scene in messages, location of its mesh files, and size limits.
#[derive(Clone, Copy, Debug)]
pub struct SceneSource<'a> {
    /// File name, or a substitute for it.
    pub name: &'a str,
    /// Mesh files that the scene can name.
    pub mesh_files: MeshFiles<'a>,
    /// Size limits.
    pub limits: SceneLimits,
}

/// Mesh files that a scene can name.
#[derive(Clone, Copy, Debug)]
pub enum MeshFiles<'a> {
    /// No files.
    None,
    /// Files in this folder and below it, relative to it.
    Within(&'a Path),
    /// Any file, relative to the current directory.
    Any,
}

impl<'a> MeshFiles<'a> {
    /// The files in the folder of `path`.
    pub(super) fn beside(path: &'a Path) -> Self {
        match path.parent() {
            // The parent of a bare file name is the empty path.
            Some(folder) if folder.as_os_str().is_empty() => Self::Within(Path::new(".")),
            Some(folder) => Self::Within(folder),
            None => Self::None,
        }
    }
}

impl<'a> SceneSource<'a> {
    /// A text that can name no files.
    #[must_use]
    pub fn text(name: &'a str) -> Self {
        Self { name, mesh_files: MeshFiles::None, limits: SceneLimits::default() }
    }

    /// A text of the command line: it can name any file, relative to the current directory. The
    /// user who typed it can read these files anyway.
    #[must_use]
    pub fn command_line(name: &'a str) -> Self {
        Self { mesh_files: MeshFiles::Any, ..Self::text(name) }
    }
}

/// Reads one body, or a shape alone, which then is at the origin.
///
/// # Errors
/// [`SceneError`] with location, reason and advice.
pub fn read_body(text: &str, source: &SceneSource<'_>) -> Result<Body, SceneError> {
    let text = trimmed(text, source)?;
    let root = Document { source, text }.root("body")?;
    let meshes = &mut Meshes::new(source);
    if is_shape(&root.spellings()) {
        return read_shape(&root, meshes).map(Body::of);
    }
    body_of(&root.object(keys::BODY)?, meshes)
}

/// Reads one body, or a shape alone, from the file at `path`. Meshes lie in the file's folder.
///
/// # Errors
/// [`SceneError`] with location, reason and advice.
pub fn load_body(path: &Path, limits: &SceneLimits) -> Result<Body, SceneError> {
    let name = path.display().to_string();
    let source = SceneSource { name: &name, mesh_files: MeshFiles::beside(path), limits: *limits };
    read_body(&whole_text(path, &source)?, &source)
}

/// The text without the byte order mark that some editors write; the rest must not be empty.
pub(super) fn trimmed<'a>(text: &'a str, source: &SceneSource<'_>) -> Result<&'a str, SceneError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(SceneError::new(source.name, SceneErrorKind::Empty));
    }
    let found = text.len() as u64;
    if found > source.limits.max_bytes { Err(too_large(source, found)) } else { Ok(text) }
}

/// The file's text, if it is not too much.
pub(super) fn whole_text(path: &Path, source: &SceneSource<'_>) -> Result<String, SceneError> {
    let refused = |error: std::io::Error| {
        SceneError::new(source.name, SceneErrorKind::Io { reason: io_error_message(&error) })
    };
    let metadata = path.metadata().map_err(refused)?;
    if !metadata.is_file() {
        let kind = SceneErrorKind::NotAFile { is_folder: metadata.is_dir() };
        return Err(SceneError::new(source.name, kind));
    }
    // One byte more than allowed detects a file that grew since.
    let max_bytes = source.limits.max_bytes;
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(refused)?;
    file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(refused)?;
    if bytes.len() as u64 > max_bytes {
        return Err(too_large(source, metadata.len()));
    }
    String::from_utf8(bytes).map_err(|error| {
        let byte = error.utf8_error().valid_up_to();
        SceneError::new(source.name, SceneErrorKind::NotUtf8 { byte })
    })
}

fn too_large(source: &SceneSource<'_>, bytes: u64) -> SceneError {
    let max_bytes = source.limits.max_bytes;
    SceneError::new(source.name, SceneErrorKind::TooLarge { bytes, max_bytes })
}

/// Whether an object of these keys is a shape, `{"sphere":…}`, rather than a body. An object with
/// keys of neither is read as a shape, so that its error lists the shapes.
fn is_shape(spellings: &[String]) -> bool {
    let has = |keys: keys::Keys| {
        spellings.iter().any(|spelling| keys.iter().any(|key| key.spelling == spelling))
    };
    !spellings.is_empty() && (has(keys::SHAPES) || !has(keys::BODY))
}

#[cfg(test)]
mod tests;
