//! Atomic file write: a reader sees the whole file or none of it.
//!
//! [`write_atomically`] is durable as well: the data are on the disk when it returns.
//! [`replace_file`] streams and is not, for results that the same command writes again.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes `path` whole: under another name first, synchronized, then renamed.
///
/// # Errors
/// If a file cannot be created, written, synchronized or renamed.
pub fn write_atomically(path: &Path, contents: &[u8]) -> io::Result<()> {
    let partial = partial_path(path);
    let mut file = File::create(&partial)?;
    file.write_all(contents)?;
    file.sync_all()?;
    drop(file);
    fs::rename(&partial, path)?;
    // The new name itself must reach the disk. Only Unix lets a program synchronize a folder.
    #[cfg(unix)]
    File::open(folder_of(path))?.sync_all()?;
    Ok(())
}

/// Writes `path` by a closure: under another name first, then renamed. On an error no partial file
/// remains, and `path` is unchanged.
///
/// # Errors
/// The error of the closure, or that of the file as `from_io` returns it.
pub fn replace_file<E>(
    path: &Path,
    write: impl FnOnce(File) -> Result<(), E>,
    from_io: impl Fn(io::Error) -> E,
) -> Result<(), E> {
    let partial = partial_path(path);
    let written = File::create(&partial)
        .map_err(&from_io)
        .and_then(write)
        .and_then(|()| fs::rename(&partial, path).map_err(&from_io));
    if written.is_err() {
        // The error of a file that was never created is ignored.
        let _ = fs::remove_file(&partial);
    }
    written
}

/// The name under which a file is written before it is renamed.
#[must_use]
pub fn partial_path(path: &Path) -> PathBuf {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
    partial.into()
}

/// Folder of a file; `.` for a name without one.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regression: the folder of a bare name is the empty path, which cannot be opened.
    #[test]
    fn folder_of_a_bare_name_is_the_current_one() {
        assert_eq!(folder_of(Path::new("ball.rec")), Path::new("."));
        assert_eq!(folder_of(Path::new("runs/ball.rec")), Path::new("runs"));
        assert_eq!(folder_of(Path::new("/ball.rec")), Path::new("/"));
    }

    #[test]
    fn failed_replacement_leaves_the_old_file_and_no_partial_one() {
        let name = format!("replaced-file-{}.tmp", std::process::id());
        let path = Path::new(&name);
        fs::write(path, "old").unwrap();
        let fail = |mut file: File| {
            file.write_all(b"half")?;
            Err(io::Error::other("failed"))
        };
        assert!(replace_file(path, fail, |error| error).is_err());
        assert_eq!(fs::read(path).unwrap(), b"old");
        assert!(!partial_path(path).exists());
        replace_file(path, |mut file| file.write_all(b"new"), |error| error).unwrap();
        assert_eq!(fs::read(path).unwrap(), b"new");
        assert!(!partial_path(path).exists());
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn bare_names_are_written() {
        let name = format!("atomic-file-{}.tmp", std::process::id());
        write_atomically(Path::new(&name), b"contents").unwrap();
        assert_eq!(fs::read(&name).unwrap(), b"contents");
        fs::remove_file(&name).unwrap();
    }
}
