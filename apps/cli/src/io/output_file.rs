//! Output files: names that are accepted, and atomic writes.

use std::fs::File;
use std::path::{Path, PathBuf};

use embate_scene::atomic_file::{folder_of, partial_path, replace_file};
use embate_scene::io_error_message as reason;

use crate::failure::Failure;

/// Writes a temporary file beside the target, then renames it. A symbolic link is followed and
/// stays; a device or a pipe is written to directly.
pub(crate) fn write(
    path: &Path,
    content: impl FnOnce(File) -> Result<(), String>,
) -> Result<(), Failure> {
    let problem = |error: &str| Failure::Problem(format!("{}: {error}", path.display()));
    let target = target_of(path);
    if target.is_dir() {
        return Err(problem("is a folder; name a file"));
    }
    let written = if target.exists() && !target.is_file() {
        File::create(&target).map_err(|error| reason(&error)).and_then(content)
    } else {
        replace_file(&target, content, |error| reason(&error))
    };
    written.map_err(|error| problem(&error))
}

/// Rejects an output file that is also an input. `flag` names the output; neither it nor its
/// temporary file may be an input.
pub(crate) fn reject_input_as_output(
    flag: &str,
    out: Option<&Path>,
    inputs: &[Option<&Path>],
) -> Result<(), Failure> {
    let Some(out) = out else { return Ok(()) };
    let partial = partial_path(&target_of(out));
    let is_lost = |input: &&Path| is_same(input, out) || is_same(input, &partial);
    match inputs.iter().flatten().find(|input| is_lost(input)) {
        None => Ok(()),
        Some(input) => Err(Failure::Usage(format!(
            "{flag} {}: {} is also read and would be overwritten; name another file",
            out.display(),
            input.display()
        ))),
    }
}

/// Rejects an output file whose extension names a format that is not written. A name without an
/// extension is accepted.
pub(crate) fn require_extension(
    flag: &str,
    out: Option<&Path>,
    extensions: &[&str],
) -> Result<(), Failure> {
    let Some(out) = out else { return Ok(()) };
    let Some(extension) = out.extension() else { return Ok(()) };
    if extensions.iter().any(|known| extension.eq_ignore_ascii_case(known)) {
        return Ok(());
    }
    let (file, extensions) = (out.display(), extensions.join(" or ."));
    Err(Failure::Usage(format!(
        "{flag} {file}: the output format is .{extensions}; name a file with that extension"
    )))
}

/// Whether two paths name the same existing file, links followed.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Whether two paths would name the same file; neither needs to exist.
pub(crate) fn would_be_same(one: &Path, other: &Path) -> bool {
    target_of(one) == target_of(other)
}

fn target_of(path: &Path) -> PathBuf {
    let in_folder = || Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(in_folder).unwrap_or_else(|| path.to_owned())
}
