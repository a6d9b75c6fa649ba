//! Embree for the ray benchmark: the library in the Python package `embreex`.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{run, target_folder};

/// Version of `embreex` with Embree 4.4.
const EMBREEX: &str = "4.4.0.post1";

/// Path of the Embree library, downloaded if missing. `None` if `EMBATE_EMBREE` is set or the
/// download fails; without Embree the benchmark reports its absence.
pub(crate) fn library() -> Option<PathBuf> {
    if std::env::var_os("EMBATE_EMBREE").is_some() {
        return None;
    }
    let folder = target_folder().ok()?.join(format!("embree-{EMBREEX}"));
    find(&folder).or_else(|| {
        if let Err(problem) = download(&folder) {
            eprintln!("xtask: no download of Embree: {problem}; it is measured only if installed");
        }
        find(&folder)
    })
}

fn download(folder: &Path) -> Result<(), String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let package = format!("embreex=={EMBREEX}");
    run(Command::new("python3")
        .args([
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--only-binary",
            ":all:",
            &package,
            "--dest",
        ])
        .arg(folder))?;
    let wheel =
        files(folder).into_iter().find(|path| path.extension().is_some_and(|end| end == "whl"));
    let wheel = wheel.ok_or("the package has no build for this machine")?;
    run(Command::new("python3").args(["-m", "zipfile", "--extract"]).arg(wheel).arg(folder))
}

fn find(folder: &Path) -> Option<PathBuf> {
    let libraries = files(&folder.join("embreex.libs"));
    libraries.into_iter().find(|path| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libembree4"))
    })
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}
