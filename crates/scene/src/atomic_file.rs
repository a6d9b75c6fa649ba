//! Atomic file write: a reader sees the whole file or none of it.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Writes `path` whole: under another name first, synchronized, then renamed.
///
/// # Errors
/// If a file cannot be created, written, synchronized or renamed.
pub fn write_atomically(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut partial = path.as_os_str().to_owned();
    partial.push(".partial");
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
    fn bare_names_are_written() {
        let name = format!("atomic-file-{}.tmp", std::process::id());
        write_atomically(Path::new(&name), b"contents").unwrap();
        assert_eq!(fs::read(&name).unwrap(), b"contents");
        fs::remove_file(&name).unwrap();
    }
}
