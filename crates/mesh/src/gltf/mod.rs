//! glTF 2.0 (stub).
use std::path::Path;

use crate::error::Fault;
use crate::format::Format;
use crate::limits::Limits;
use crate::triangle_mesh::TriangleMesh;

pub(crate) fn parse(
    _bytes: &[u8],
    _format: Format,
    _folder: Option<&Path>,
    _limits: &Limits,
) -> Result<(TriangleMesh, u64), Fault> {
    Err(Fault::whole("glTF is not read yet; convert it to OBJ or PLY"))
}
