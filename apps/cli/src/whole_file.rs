//! How does a file of results appear? Whole or not at all.

use std::fs::File;
use std::path::{Path, PathBuf};

use embate_lab::reason::reason;

use crate::failure::Failure;

/// Writes beside the file, then takes its place. What a link names is written, not the link; a device
/// or a pipe is written to as it is.
pub(crate) fn write(
    path: &Path,
    content: impl Fn(File) -> Result<(), String>,
) -> Result<(), Failure> {
    let problem = |error: &str| Failure::Problem(format!("{}: {error}", path.display()));
    let target = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if target.is_dir() {
        return Err(problem("is a folder; name a file"));
    }
    let write_to = |path: &Path| {
        let file = File::create(path).map_err(|error| reason(&error))?;
        content(file)
    };
    if target.exists() && !target.is_file() {
        return write_to(&target).map_err(|error| problem(&error));
    }
    let partial = partial_path(&target);
    let rename = || std::fs::rename(&partial, &target).map_err(|error| error.to_string());
    write_to(&partial).and_then(|()| rename()).map_err(|error| {
        // Half a file must not stay behind; if it was never made, there is nothing to remove.
        let _ = std::fs::remove_file(&partial);
        problem(&error)
    })
}

/// Whether two paths name one file, links followed.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

fn partial_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    path.with_file_name(name)
}
