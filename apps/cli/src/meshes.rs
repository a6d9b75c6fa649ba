//! A mesh file named on the command line → a mesh, within the limits given there.

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

/// As [`load`]; a mesh without triangles is refused, for work that would be empty on it.
pub(crate) fn load_filled(path: &Path, limits: &LimitArguments) -> Result<LoadedMesh, Failure> {
    let loaded = load(path, limits)?;
    if loaded.mesh.triangles().is_empty() {
        let file = path.display();
        return Err(Failure::Problem(format!(
            "{file}: the mesh has no triangles, so there is nothing a ray could hit"
        )));
    }
    Ok(loaded)
}
