//! Entry points: load a mesh from a path or from bytes.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use crate::budget::reserve;
use crate::error::{MeshError, MeshFormatError, ParseError};
use crate::format::{Available, Format, detect};
use crate::limits::{Limit, Limits};
use crate::triangle_mesh::TriangleMesh;
use crate::{gltf, gzip, obj, ply, stl, triangle_text};

/// A mesh, its format and its size on disk.
#[derive(Clone, Debug, PartialEq)]
pub struct LoadedMesh {
    /// The mesh.
    pub mesh: TriangleMesh,
    /// Detected format.
    pub format: Format,
    /// Bytes read, after decompression, including external buffers of a glTF.
    pub file_bytes: u64,
}

/// Loads a mesh from a file; a gzip is decompressed.
///
/// External buffers of a glTF are opened only if they lie in the mesh's folder or below it, after
/// resolution of symbolic links.
///
/// # Errors
/// [`MeshError`]: file, location, problem, advice.
pub fn load(path: &Path, limits: &Limits) -> Result<LoadedMesh, MeshError> {
    let name = path.display().to_string();
    let bytes = read(path, limits, &name).map_err(|error| error.in_file(&name, &[]))?;
    // The parent of a bare file name is the empty path: the current folder.
    let folder = path.parent().map(|p| if p.as_os_str().is_empty() { Path::new(".") } else { p });
    parse_uncompressed(&bytes, &name, folder, limits).map_err(|error| error.in_file(&name, &bytes))
}

/// Parses a mesh from bytes; a gzip is decompressed. `name` identifies the file in messages, and
/// its extension decides between formats if the content is ambiguous.
///
/// A glTF must contain its buffers: external files are rejected.
///
/// # Errors
/// [`MeshError`]: file, location, problem, advice.
pub fn parse(bytes: &[u8], name: &str, limits: &Limits) -> Result<LoadedMesh, MeshError> {
    if gzip::is_gzip(bytes) {
        let bytes =
            gzip::decompress(bytes, limits, name).map_err(|error| error.in_file(name, &[]))?;
        return parse_uncompressed(&bytes, name, None, limits)
            .map_err(|error| error.in_file(name, &bytes));
    }
    parse_uncompressed(bytes, name, None, limits).map_err(|error| error.in_file(name, bytes))
}

fn read(path: &Path, limits: &Limits, name: &str) -> Result<Vec<u8>, ParseError> {
    let (file, length) = open_regular_file(path)?;
    let mut file = BufReader::with_capacity(1 << 16, file);
    if gzip::is_gzip(file.fill_buf().map_err(ParseError::Unreadable)?) {
        return gzip::decompress(file, limits, name);
    }
    read_all(file, length, limits)
}

/// Opens a regular file and returns its length. A pipe or device might never end.
pub(crate) fn open_regular_file(path: &Path) -> Result<(File, u64), ParseError> {
    let metadata = path.metadata().map_err(ParseError::Unreadable)?;
    if metadata.is_dir() {
        return Err(ParseError::whole(MeshFormatError::Folder));
    }
    if !metadata.is_file() {
        return Err(ParseError::whole(MeshFormatError::NotRegularFile));
    }
    Ok((File::open(path).map_err(ParseError::Unreadable)?, metadata.len()))
}

/// Reads to the end, into a vector of exactly `length` bytes unless the file grows meanwhile.
pub(crate) fn read_all(
    file: impl Read,
    length: u64,
    limits: &Limits,
) -> Result<Vec<u8>, ParseError> {
    limits.check(Limit::Bytes, length)?;
    let mut bytes = reserve(length)?;
    // The file may grow meanwhile.
    let mut file = file.take(limits.max_bytes.saturating_add(1));
    file.read_to_end(&mut bytes).map_err(ParseError::Unreadable)?;
    limits.check(Limit::Bytes, bytes.len() as u64)?;
    Ok(bytes)
}

fn parse_uncompressed(
    bytes: &[u8],
    name: &str,
    folder: Option<&Path>,
    limits: &Limits,
) -> Result<LoadedMesh, ParseError> {
    if bytes.is_empty() {
        return Err(ParseError::whole(MeshFormatError::Empty));
    }
    limits.check(Limit::Bytes, bytes.len() as u64)?;
    let format = detect(bytes, Available::Whole, name).ok_or(ParseError::UnknownFormat)?;
    let mut file_bytes = bytes.len() as u64;
    let mesh = match format {
        Format::Obj => obj::parse(bytes, limits)?,
        Format::StlAscii => stl::parse_ascii(bytes, limits)?,
        Format::StlBinary => stl::parse_binary(bytes, limits)?,
        Format::PlyAscii | Format::PlyLittleEndian | Format::PlyBigEndian => {
            ply::parse(bytes, limits)?
        }
        Format::TriangleText => triangle_text::parse(bytes, limits)?,
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
    fn folder_and_missing_file_have_different_errors() {
        assert_eq!(error("/"), "/: is a folder; name a mesh file in it");
        let missing = "no/such.obj: there is no such file or folder; check the name";
        assert_eq!(error("no/such.obj"), missing);
    }

    #[test]
    fn empty_and_unknown_content_is_rejected() {
        let error =
            |bytes: &[u8]| parse(bytes, "a.bin", &Limits::default()).unwrap_err().to_string();
        let empty = "a.bin: is empty; name a file with a mesh, or write this one again";
        assert_eq!(error(b""), empty);
        assert_eq!(
            error(b"hello"),
            "a.bin: unknown mesh format; supported are OBJ, STL, PLY, glTF, GLB and triangle \
             text (nine numbers per triangle)"
        );
    }

    #[test]
    fn more_bytes_than_the_limit_are_rejected() {
        let limits = Limits { max_bytes: 7, ..Limits::default() };
        let error = parse(b"v 0 0 0\n", "a.obj", &limits).unwrap_err().to_string();
        assert_eq!(
            error,
            "a.obj: 8 bytes, more than the limit of 7; raise `Limits::max_bytes` if you trust \
             the file"
        );
    }
}
