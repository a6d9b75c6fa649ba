//! The door: a path or bytes in, a mesh out.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::budget::reserve;
use crate::error::{Fault, MeshError};
use crate::format::{Extent, Format, detect};
use crate::limits::{Limit, Limits};
use crate::triangle_mesh::TriangleMesh;
use crate::{gltf, gzip, obj, ply, stl, study_text};

/// A mesh and what is known of where it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedMesh {
    /// The mesh, valid as every [`TriangleMesh`] is.
    pub mesh: TriangleMesh,
    /// What the content turned out to be.
    pub format: Format,
    /// Bytes read, unpacked, with those of the buffers a glTF names.
    pub file_bytes: u64,
}

/// Loads the mesh in the file at `path`; a gzip is unpacked on the way.
///
/// A glTF may name further files: they are opened only if they lie in the same folder or below it,
/// links resolved.
///
/// # Errors
/// [`MeshError`] says what is wrong, where, and what to do.
pub fn load(path: &Path, limits: &Limits) -> Result<LoadedMesh, MeshError> {
    let name = path.display().to_string();
    let bytes = read(path, limits, &name).map_err(|fault| fault.in_file(&name, &[]))?;
    // `parent` of a bare file name is the empty path, which means here.
    let folder = path.parent().map(|p| if p.as_os_str().is_empty() { Path::new(".") } else { p });
    parse_unpacked(&bytes, &name, folder, limits).map_err(|fault| fault.in_file(&name, &bytes))
}

/// Reads a mesh from `bytes`, gzip or not. The `name` stands for the file in messages, and its
/// extension is asked where the content could be several formats.
///
/// A glTF can use only buffers within the bytes: there is no folder to look in.
///
/// # Errors
/// [`MeshError`] says what is wrong, where, and what to do.
pub fn parse(bytes: &[u8], name: &str, limits: &Limits) -> Result<LoadedMesh, MeshError> {
    if gzip::is_gzip(bytes) {
        let bytes = gzip::unpack(bytes, limits, name).map_err(|fault| fault.in_file(name, &[]))?;
        return parse_unpacked(&bytes, name, None, limits).map_err(|f| f.in_file(name, &bytes));
    }
    parse_unpacked(bytes, name, None, limits).map_err(|fault| fault.in_file(name, bytes))
}

fn read(path: &Path, limits: &Limits, name: &str) -> Result<Vec<u8>, Fault> {
    let (file, length) = open_plain(path)?;
    let mut file = BufReader::with_capacity(1 << 16, file);
    if gzip::is_gzip(file.fill_buf().map_err(Fault::Unreadable)?) {
        return gzip::unpack(file, limits, name);
    }
    read_whole(file, length, limits)
}

/// Opens a regular file and says how long it is. A folder cannot be read, and a pipe or device might
/// never end.
pub(crate) fn open_plain(path: &Path) -> Result<(File, u64), Fault> {
    let metadata = path.metadata().map_err(Fault::Unreadable)?;
    if metadata.is_dir() {
        return Err(Fault::whole("is a folder; name a mesh file in it"));
    }
    if !metadata.is_file() {
        return Err(Fault::whole("is not a regular file"));
    }
    Ok((File::open(path).map_err(Fault::Unreadable)?, metadata.len()))
}

/// Everything from here to the end, into a vector of exactly that size.
pub(crate) fn read_whole(file: impl Read, length: u64, limits: &Limits) -> Result<Vec<u8>, Fault> {
    limits.check(Limit::Bytes, length)?;
    let mut bytes = reserve(length)?;
    // The file may be growing under us.
    let mut file = file.take(limits.max_bytes.saturating_add(1));
    file.read_to_end(&mut bytes).map_err(Fault::Unreadable)?;
    limits.check(Limit::Bytes, bytes.len() as u64)?;
    Ok(bytes)
}

fn parse_unpacked(
    bytes: &[u8],
    name: &str,
    folder: Option<&Path>,
    limits: &Limits,
) -> Result<LoadedMesh, Fault> {
    if bytes.is_empty() {
        return Err(Fault::whole("is empty"));
    }
    limits.check(Limit::Bytes, bytes.len() as u64)?;
    let format = detect(bytes, Extent::Whole, name).ok_or(Fault::Unrecognised)?;
    let mut file_bytes = bytes.len() as u64;
    let mesh = match format {
        Format::Obj => obj::parse(bytes, limits)?,
        Format::StlAscii => stl::parse_ascii(bytes, limits)?,
        Format::StlBinary => stl::parse_binary(bytes, limits)?,
        Format::PlyAscii | Format::PlyLittleEndian | Format::PlyBigEndian => {
            ply::parse(bytes, limits)?
        }
        Format::StudyText => study_text::parse(bytes, limits)?,
        Format::Gltf | Format::Glb => {
            let (mesh, total_bytes) = gltf::parse(bytes, format, folder, limits)?;
            file_bytes = total_bytes;
            mesh
        }
    };
    Ok(LoadedMesh { mesh, format, file_bytes })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(path: &str) -> String {
        load(Path::new(path), &Limits::default()).unwrap_err().to_string()
    }

    #[test]
    fn a_folder_and_a_missing_file_are_told_apart() {
        assert_eq!(error("/"), "/: is a folder; name a mesh file in it");
        assert!(error("no/such.obj").starts_with("no/such.obj: cannot be read: "));
    }

    #[test]
    fn empty_and_unknown_content_is_an_error() {
        let error =
            |bytes: &[u8]| parse(bytes, "a.bin", &Limits::default()).unwrap_err().to_string();
        assert_eq!(error(b""), "a.bin: is empty");
        assert_eq!(
            error(b"hello"),
            "a.bin: not a mesh we know; give it as OBJ, STL, PLY, glTF, GLB or nine numbers a triangle"
        );
    }

    #[test]
    fn more_bytes_than_the_limit_are_refused() {
        let limits = Limits { max_bytes: 7, ..Limits::default() };
        let error = parse(b"v 0 0 0\n", "a.obj", &limits).unwrap_err().to_string();
        assert_eq!(
            error,
            "a.obj: 8 bytes, more than the limit of 7; raise it with --max-bytes if you trust the file"
        );
    }
}
