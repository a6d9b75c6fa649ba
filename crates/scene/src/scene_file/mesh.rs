//! Mesh files of a scene: none outside its own folder, each read once.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use embate::shapes::Shape;
#[cfg(not(target_family = "wasm"))]
use embate::shapes::TriMesh;

use super::located_json::Node;
use super::source::MeshFiles;
use super::{SceneError, SceneErrorKind, SceneSource};
use crate::io_error_message;

/// Meshes by the name of their file, as the scene spells it. Bodies of the same file share one.
#[derive(Debug)]
pub(super) struct Meshes<'a> {
    source: &'a SceneSource<'a>,
    /// Meshes that are known already and need no file, and those that were read.
    pub(super) known: BTreeMap<String, Shape>,
}

impl<'a> Meshes<'a> {
    pub(super) fn new(source: &'a SceneSource<'a>) -> Self {
        Self { source, known: BTreeMap::new() }
    }

    /// For a scene of which some meshes are known already.
    pub(super) fn knowing(source: &'a SceneSource<'a>, known: BTreeMap<String, Shape>) -> Self {
        Self { source, known }
    }

    /// The mesh in `file`, as the scene names it at `node`.
    pub(super) fn load(&mut self, file: &str, node: &Node<'_>) -> Result<Shape, SceneError> {
        if let Some(known) = self.known.get(file) {
            return Ok(known.clone());
        }
        let shape = path_within(file, self.source).and_then(|path| self.read(file, &path));
        let shape = shape.map_err(|kind| node.error(kind))?;
        self.known.insert(file.to_owned(), shape.clone());
        Ok(shape)
    }

    /// A browser has no files, and its module does not contain the readers.
    #[cfg(target_family = "wasm")]
    #[expect(clippy::unused_self, reason = "as the one that reads files")]
    fn read(&self, file: &str, _: &Path) -> Result<Shape, SceneErrorKind> {
        Err(SceneErrorKind::MeshWithoutFolder { file: file.to_owned() })
    }

    #[cfg(not(target_family = "wasm"))]
    fn read(&self, file: &str, path: &Path) -> Result<Shape, SceneErrorKind> {
        let wrong = |reason: String| SceneErrorKind::Mesh { file: file.to_owned(), reason };
        let loaded = embate_mesh::load(path, &self.source.limits.mesh)
            .map_err(|error| wrong(error.to_string()))?;
        let mesh = TriMesh::new(loaded.mesh).map_err(|error| wrong(error.to_string()))?;
        Ok(mesh.into())
    }
}

fn path_within(file: &str, source: &SceneSource<'_>) -> Result<PathBuf, SceneErrorKind> {
    let name = file.to_owned();
    let folder = match source.mesh_files {
        MeshFiles::None => return Err(SceneErrorKind::MeshWithoutFolder { file: name }),
        MeshFiles::Any if !file.is_empty() => return Ok(PathBuf::from(file)),
        MeshFiles::Any => Path::new("."),
        MeshFiles::Within(folder) => folder,
    };
    let outside = || SceneErrorKind::MeshOutside { file: file.to_owned() };
    let path = Path::new(file);
    // Checked before the file system, so that a scene reveals nothing about files elsewhere.
    let stays = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if file.is_empty() || !path.components().all(stays) {
        return Err(outside());
    }
    let missing = |error: std::io::Error| SceneErrorKind::Mesh {
        file: file.to_owned(),
        reason: io_error_message(&error),
    };
    let folder = folder.canonicalize().map_err(missing)?;
    let path = folder.join(path).canonicalize().map_err(missing)?;
    if path.starts_with(&folder) { Ok(path) } else { Err(outside()) }
}
