//! Embeds the built web page: every file of `apps/web/dist` becomes a row of a table that
//! `src/commands/lab/page.rs` includes. Without a page the table is empty, and `embate lab` reports
//! it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let page = here.join("../web/dist");
    // Cargo treats a missing folder as changed and would rebuild every time. If it cannot be
    // created, in a read-only source tree, that happens.
    let _ = fs::create_dir_all(&page);
    println!("cargo::rerun-if-changed={}", page.display());
    println!("cargo::rerun-if-changed=build.rs");

    let mut table = String::from("&[\n");
    for (path, file) in files(&page)? {
        let _ =
            writeln!(table, "    ({path:?}, include_bytes!({:?})),", file.display().to_string());
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    fs::write(out.join("page.rs"), table)
}

/// All files, sorted by their path in the page, which uses `/` on every system.
fn files(page: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let mut files = Vec::new();
    let mut folders = vec![(String::new(), page.canonicalize()?)];
    while let Some((prefix, folder)) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
            if entry.file_type()?.is_dir() {
                folders.push((format!("{path}/"), entry.path()));
            } else {
                files.push((path, entry.path()));
            }
        }
    }
    files.sort();
    Ok(files)
}
