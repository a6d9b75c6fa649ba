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
    let target = target_of(path);
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

/// Refuses a file of results that would be the end of one that is read: `flag` names it, and neither it nor
/// what is written beside it first may be an input.
pub(crate) fn refuse_to_overwrite(
    flag: &str,
    out: Option<&Path>,
    inputs: &[Option<&Path>],
) -> Result<(), Failure> {
    let Some(out) = out else { return Ok(()) };
    let partial = partial_path(&target_of(out));
    let is_lost = |input: &&Path| is_same(input, out) || is_same(input, &partial);
    match inputs.iter().flatten().find(|input| is_lost(input)) {
        None => Ok(()),
        Some(input) => Err(Failure::Misuse(format!(
            "{flag} {}: {} is also read and would be lost; name another file",
            out.display(),
            input.display()
        ))),
    }
}

/// Refuses a file of results whose name says that it is of another kind than what would be written. A name without an
/// ending says nothing.
pub(crate) fn refuse_other_kinds(
    flag: &str,
    out: Option<&Path>,
    kinds: &[&str],
) -> Result<(), Failure> {
    let Some(out) = out else { return Ok(()) };
    let Some(ending) = out.extension() else { return Ok(()) };
    if kinds.iter().any(|kind| ending.eq_ignore_ascii_case(kind)) {
        return Ok(());
    }
    let (file, kinds) = (out.display(), kinds.join(" or ."));
    Err(Failure::Misuse(format!("{flag} {file}: this is written as .{kinds}; name such a file")))
}

/// Whether two paths name one file, links followed.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Whether two paths, of files that need not be there yet, would be one file.
pub(crate) fn would_be_same(one: &Path, other: &Path) -> bool {
    target_of(one) == target_of(other)
}

fn target_of(path: &Path) -> PathBuf {
    let in_folder = || Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(in_folder).unwrap_or_else(|| path.to_owned())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn partial_path(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    path.with_file_name(name)
}
