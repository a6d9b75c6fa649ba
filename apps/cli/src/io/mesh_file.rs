//! Mesh files named on the command line, loaded within the limits given there.

use std::path::Path;

use embate_mesh::{Limits, LoadedMesh, MeshError};

use crate::args::LimitArguments;
use crate::failure::Failure;

pub(crate) fn load(path: &Path, limits: &LimitArguments) -> Result<LoadedMesh, Failure> {
    let default = Limits::default();
    let limits = Limits {
        max_bytes: limits.max_bytes.unwrap_or(default.max_bytes),
        max_vertices: limits.max_vertices.unwrap_or(default.max_vertices),
        max_triangles: limits.max_triangles.unwrap_or(default.max_triangles),
    };
    embate_mesh::load(path, &limits).map_err(|error| match error {
        MeshError::OverLimit { limit, .. } => {
            Failure::Problem(format!("{error} (command line: --max-{limit})"))
        }
        _ => Failure::problem(error),
    })
}

/// As [`load`], but rejects a mesh without triangles.
pub(crate) fn load_nonempty(path: &Path, limits: &LimitArguments) -> Result<LoadedMesh, Failure> {
    let loaded = load(path, limits)?;
    if loaded.mesh.triangles().is_empty() {
        let file = path.display();
        return Err(Failure::Problem(format!(
            "{file}: the mesh has no triangles; name a mesh with at least one"
        )));
    }
    Ok(loaded)
}
