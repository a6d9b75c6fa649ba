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
    if let Some(folder) = path.parent() {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}
