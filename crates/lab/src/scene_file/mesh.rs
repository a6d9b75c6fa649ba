//! The mesh files that a scene names: none outside its own folder.

use std::path::{Component, Path, PathBuf};

use embate::shapes::{MeshShape, Shape};

use super::{SceneError, SceneSource};
use crate::reason::reason;

/// The mesh shape in `file`, as the scene names it.
pub(super) fn load(file: &str, source: &SceneSource<'_>) -> Result<Shape, SceneError> {
    let path = path_within(file, source)?;
    let loaded = embate_mesh::load(&path, &source.limits.mesh)
        .map_err(|error| SceneError::whole(source.name, error.to_string()))?;
    let mesh = MeshShape::new(loaded.mesh)
        .map_err(|error| SceneError::whole(source.name, format!("mesh {file}: {error}")))?;
    Ok(mesh.into())
}

fn path_within(file: &str, source: &SceneSource<'_>) -> Result<PathBuf, SceneError> {
    let refused = |what: String| SceneError::whole(source.name, format!("mesh {file}: {what}"));
    let Some(folder) = source.folder else {
        return Err(refused("a scene without a folder cannot name files".to_owned()));
    };
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
