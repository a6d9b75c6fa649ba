//! Embree for the benchmark of rays: the library inside a Python package that is kept current.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{run, target_folder};

/// Bundles Embree 4.4.
const EMBREEX: &str = "4.4.0.post1";

/// Where Embree is, fetched if need be; `None` where it cannot be had, and the benchmark says so.
pub(crate) fn library() -> Option<PathBuf> {
    if std::env::var_os("EMBATE_EMBREE").is_some() {
        return None;
    }
    let folder = target_folder().ok()?.join(format!("embree-{EMBREEX}"));
    find(&folder).or_else(|| {
        if let Err(problem) = fetch(&folder) {
            eprintln!("xtask: rays are measured without Embree, unless it is installed: {problem}");
        }
        find(&folder)
    })
}

fn fetch(folder: &Path) -> Result<(), String> {
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
    let wheel = wheel.ok_or("the package is not one for this machine")?;
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
