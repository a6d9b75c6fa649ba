//! The mesh files that a scene names: none outside its own folder, each read once.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use embate::shapes::Shape;
#[cfg(not(target_family = "wasm"))]
use embate::shapes::TriMesh;

use super::{SceneError, SceneSource};
use crate::reason::reason;

/// Meshes by the name of their file, as the scene spells it. Bodies of the same file share one.
#[derive(Debug)]
pub(super) struct Meshes<'a> {
    source: &'a SceneSource<'a>,
    /// Those of another scene's reading, which need no file.
    pub(super) known: BTreeMap<String, Shape>,
}

impl<'a> Meshes<'a> {
    pub(super) fn new(source: &'a SceneSource<'a>) -> Self {
        Self { source, known: BTreeMap::new() }
    }

    /// Of a scene that some of the meshes are known of already.
    pub(super) fn knowing(source: &'a SceneSource<'a>, known: BTreeMap<String, Shape>) -> Self {
        Self { source, known }
    }

    /// A fault of the whole file.
    pub(super) fn wrong(&self, what: impl Into<String>) -> SceneError {
        SceneError::whole(self.source.name, what)
    }

    /// The mesh shape in `file`, as the scene names it.
    pub(super) fn load(&mut self, file: &str) -> Result<Shape, SceneError> {
        if let Some(known) = self.known.get(file) {
            return Ok(known.clone());
        }
        let path = path_within(file, self.source)?;
        self.read(file, &path)
    }

    /// In a browser there are no files: what reads them is not part of what it loads.
    #[cfg(target_family = "wasm")]
    fn read(&self, file: &str, _: &Path) -> Result<Shape, SceneError> {
        Err(self.wrong(format!("mesh {file}: there are no files here")))
    }

    #[cfg(not(target_family = "wasm"))]
    fn read(&mut self, file: &str, path: &Path) -> Result<Shape, SceneError> {
        let loaded = embate_mesh::load(path, &self.source.limits.mesh)
            .map_err(|error| self.wrong(error.to_string()))?;
        let mesh = TriMesh::new(loaded.mesh)
            .map_err(|error| self.wrong(format!("mesh {file}: {error}")))?;
        let shape = Shape::from(mesh);
        self.known.insert(file.to_owned(), shape.clone());
        Ok(shape)
    }
}

fn path_within(file: &str, source: &SceneSource<'_>) -> Result<PathBuf, SceneError> {
    let refused = |what: String| SceneError::whole(source.name, format!("mesh {file}: {what}"));
    let Some(folder) = source.folder else {
        return Err(refused("a scene without a folder cannot name files".to_owned()));
    };
    if folder.as_os_str().is_empty() && !file.is_empty() {
        return Ok(PathBuf::from(file));
    }
    let outside = || refused("lies outside the scene's folder; put it beside the scene".to_owned());
    let named = Path::new(file);
    // Before the disk is asked, so that nothing can be learned about files elsewhere.
    let stays = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if file.is_empty() || !named.components().all(stays) {
        return Err(outside());
    }
    let missing = |error: std::io::Error| refused(reason(&error));
    let folder = folder.canonicalize().map_err(missing)?;
    let path = folder.join(named).canonicalize().map_err(missing)?;
    if path.starts_with(&folder) { Ok(path) } else { Err(outside()) }
}
