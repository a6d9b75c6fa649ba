//! From where is a scene read, and how large may it be?

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::{
    Body, SceneError,
    body::BodyText,
    mesh::Meshes,
    shape::{KINDS, ShapeText},
};
use crate::reason::reason;

/// What a reader is ready to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SceneLimits {
    /// Bytes of the JSON: numbers take about as much room in memory as in the text.
    pub max_bytes: u64,
    /// For each mesh it names.
    pub mesh: embate_mesh::Limits,
}

impl Default for SceneLimits {
    fn default() -> Self {
        // A million bodies of 256 bytes.
        Self { max_bytes: 256 << 20, mesh: embate_mesh::Limits::default() }
    }
}

/// What stands for a scene in messages, and where its meshes are.
#[derive(Clone, Copy, Debug)]
pub struct SceneSource<'a> {
    /// The file, or what stands for it.
    pub name: &'a str,
    /// The folder that its meshes lie in; without one, it can name none. The empty path allows any
    /// file, relative to the current directory.
    pub folder: Option<&'a Path>,
    /// How much is too much.
    pub limits: SceneLimits,
}

impl<'a> SceneSource<'a> {
    /// A text that can name no files.
    #[must_use]
    pub fn text(name: &'a str) -> Self {
        Self { name, folder: None, limits: SceneLimits::default() }
    }

    /// A text of the command line: it can name any file, relative to the current directory. The
    /// user who typed it can read these files anyway.
    #[must_use]
    pub fn command_line(name: &'a str) -> Self {
        Self { folder: Some(Path::new("")), ..Self::text(name) }
    }
}

/// Reads one body, or a shape alone, which then is at the origin.
///
/// # Errors
/// [`SceneError`] says what is wrong, where, and what to do.
pub fn read_body(text: &str, source: &SceneSource<'_>) -> Result<Body, SceneError> {
    let wrong = |error: serde_json::Error| SceneError::json(source.name, &error);
    let text = trimmed(text, source)?;
    if !text.trim_start().starts_with('{') {
        let what = "a body is an object, {\"shape\": {...}}; this begins otherwise";
        return Err(SceneError { place: Some((1, 1)), ..SceneError::whole(source.name, what) });
    }
    if is_shape(text) {
        let shape: ShapeText = serde_json::from_str(text).map_err(wrong)?;
        return Ok(Body::of(shape.resolved(&mut Meshes::new(source))?));
    }
    let body: BodyText = serde_json::from_str(text).map_err(wrong)?;
    body.resolved(&mut Meshes::new(source))
}

/// Reads one body, or a shape alone, from the file at `path`. Meshes lie in the file's folder.
///
/// # Errors
/// [`SceneError`] says what is wrong, where, and what to do.
pub fn load_body(path: &Path, limits: &SceneLimits) -> Result<Body, SceneError> {
    let name = path.display().to_string();
    let source = SceneSource { name: &name, folder: folder_of(path), limits: *limits };
    read_body(&whole_text(path, &source)?, &source)
}

/// The folder that a file lies in.
pub(super) fn folder_of(path: &Path) -> Option<&Path> {
    // `parent` of a bare file name is the empty path, which means here.
    path.parent().map(|p| if p.as_os_str().is_empty() { Path::new(".") } else { p })
}

/// The text without the mark of its byte order, which some editors begin a file with; there must be something
/// else.
pub(super) fn trimmed<'a>(text: &'a str, source: &SceneSource<'_>) -> Result<&'a str, SceneError> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.trim().is_empty() {
        return Err(SceneError::whole(
            source.name,
            "there is nothing in it; write a JSON object {...}",
        ));
    }
    let found = text.len() as u64;
    if found > source.limits.max_bytes { Err(too_large(source, found)) } else { Ok(text) }
}

/// The file's text, if it is not too much.
pub(super) fn whole_text(path: &Path, source: &SceneSource<'_>) -> Result<String, SceneError> {
    let refused = |error: std::io::Error| SceneError::whole(source.name, reason(&error));
    let metadata = path.metadata().map_err(refused)?;
    if !metadata.is_file() {
        let what = if metadata.is_dir() { "is a folder" } else { "is not a regular file" };
        return Err(SceneError::whole(source.name, format!("{what}; name a JSON file")));
    }
    // One byte more than allowed tells a file that grew since.
    let most = source.limits.max_bytes;
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(refused)?;
    file.take(most.saturating_add(1)).read_to_end(&mut bytes).map_err(refused)?;
    if bytes.len() as u64 > most {
        return Err(too_large(source, metadata.len()));
    }
    String::from_utf8(bytes).map_err(|error| {
        let byte = error.utf8_error().valid_up_to();
        SceneError::whole(source.name, format!("byte {byte} is not UTF-8 text; save it as UTF-8"))
    })
}

fn too_large(source: &SceneSource<'_>, found: u64) -> SceneError {
    let most = source.limits.max_bytes;
    SceneError::whole(
        source.name,
        format!("{found} bytes are more than the {most} allowed; split it"),
    )
}

/// Whether the text is `{"sphere":…}` or its like, rather than a body: no body has such a key, and none is
/// without a shape, so that a kind that does not exist is told with those that do.
fn is_shape(text: &str) -> bool {
    let inside = text.trim_start().strip_prefix('{').unwrap_or_default();
    let key = inside.trim_start().strip_prefix('"').and_then(|rest| rest.split('"').next());
    key.is_some_and(|key| KINDS.contains(&key) || !text.contains("\"shape\""))
}

#[cfg(test)]
mod tests;
