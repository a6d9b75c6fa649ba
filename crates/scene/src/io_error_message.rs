//! Messages of I/O errors, with advice.

use std::io::{self, ErrorKind};

/// The reason of a refusal to open, make or write a file or folder.
#[must_use]
pub fn io_error_message(error: &io::Error) -> String {
    let words = match error.kind() {
        ErrorKind::NotFound => "there is no such file or folder; check the name",
        ErrorKind::PermissionDenied => "access is not permitted; choose a place you may use",
        ErrorKind::AlreadyExists => "is a file where a folder is needed; name another",
        ErrorKind::NotADirectory => "a part of the path is a file, not a folder; name another",
        ErrorKind::IsADirectory => "is a folder; name a file",
        ErrorKind::StorageFull => "the disk is full; make room and run the same command again",
        ErrorKind::ReadOnlyFilesystem => "the disk is read-only; choose another place",
        _ => return error.to_string(),
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mesh loader, on which this crate depends, has the same words.
    #[test]
    fn missing_meshes_and_other_files_have_the_same_message() {
        let missing = std::path::Path::new("no/such.obj");
        let mesh = embate_mesh::load(missing, &embate_mesh::Limits::default()).unwrap_err();
        let message = io_error_message(&std::fs::File::open(missing).unwrap_err());
        assert_eq!(mesh.to_string(), format!("no/such.obj: {message}"));
        for kind in [ErrorKind::PermissionDenied, ErrorKind::NotADirectory] {
            let file = "a.obj".to_owned();
            let mesh = embate_mesh::MeshError::Unreadable { file, cause: kind.into() };
            assert_eq!(mesh.to_string(), format!("a.obj: {}", io_error_message(&kind.into())));
        }
    }
}
