//! Copies the built page into a user's folder without overwriting other files.
//!
//! Only files of an earlier copy are removed or replaced. A copied page contains a list of its
//! files; a nonempty folder without that list is rejected.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// File list of a copied page: a title line, then one file per line.
const LIST: &str = "embate-page.txt";
const TITLE: &str = "Embate's page, made by `cargo xtask web --out`. It consists of these files:";

/// Files of an earlier copy in `out`; an error if the folder has other contents.
pub(crate) fn files_of_earlier_page(out: &Path) -> Result<Vec<PathBuf>, String> {
    if out.exists() && !out.is_dir() {
        return Err(format!("{} is a file; name a folder", out.display()));
    }
    let occupied = fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some());
    if !occupied {
        return Ok(Vec::new());
    }
    let list = fs::read_to_string(out.join(LIST)).unwrap_or_default();
    let list = list.strip_prefix(TITLE).ok_or_else(|| {
        let out = out.display();
        format!("{out} is not empty and contains no earlier page; name another folder, or empty it")
    })?;
    Ok(list.lines().map(PathBuf::from).filter(|file| stays_inside(file)).collect())
}

/// Copies the page into the folder `out`.
pub(crate) fn copy(page: &Path, out: &Path) -> Result<(), String> {
    for file in files_of_earlier_page(out)? {
        // The file may have been removed already.
        let _ = fs::remove_file(out.join(file));
    }
    let files = files(page)?;
    let list: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    // The list is written first, so that an interrupted copy is recognized by the next one.
    write_file(&out.join(LIST), format!("{TITLE}\n{}\n", list.join("\n")).as_bytes())?;
    for file in &files {
        write_file(&out.join(file), &read(&page.join(file))?)?;
    }
    println!("\nThe page is in {}; any web server can serve it.", out.display());
    Ok(())
}

/// Makes folder `to` equal to `from`. Files that are equal already keep their modification time.
pub(crate) fn mirror(from: &Path, to: &Path) -> Result<(), String> {
    let source_files = files(from)?;
    if to.is_dir() {
        for file in files(to)?.iter().filter(|file| !source_files.contains(file)) {
            let file = to.join(file);
            fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        }
    }
    for file in &source_files {
        let bytes = read(&from.join(file))?;
        if fs::read(to.join(file)).is_ok_and(|existing| existing == bytes) {
            continue;
        }
        write_file(&to.join(file), &bytes)?;
    }
    Ok(())
}

/// All files of a folder, recursively, as sorted relative paths.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    let mut folders = vec![PathBuf::new()];
    while let Some(inner) = folders.pop() {
        let here = folder.join(&inner);
        let entries =
            fs::read_dir(&here).map_err(|error| format!("{}: {error}", here.display()))?;
        for entry in entries {
            let entry = entry.map_err(|error| format!("{}: {error}", here.display()))?;
            let path = inner.join(entry.file_name());
            if entry.path().is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    Ok(files)
}

/// Whether a path stays inside its folder: an edited list must not make `copy` remove other files.
fn stays_inside(file: &Path) -> bool {
    let is_plain = file.components().all(|part| matches!(part, Component::Normal(_)));
    is_plain && file.components().next().is_some()
}

fn write_file(file: &Path, bytes: &[u8]) -> Result<(), String> {
    let folder = file.parent().unwrap_or(file);
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(file, bytes));
    written.map_err(|error| format!("{}: {error}", file.display()))
}

pub(crate) fn read(file: &Path) -> Result<Vec<u8>, String> {
    fs::read(file).map_err(|error| format!("{}: {error}", file.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(folder: &Path, files: &[&str]) -> PathBuf {
        let page = folder.join("page");
        let _ = fs::remove_dir_all(&page);
        for file in files {
            write_file(&page.join(file), file.as_bytes()).unwrap();
        }
        page
    }

    #[test]
    fn copy_replaces_an_earlier_page_and_keeps_other_files() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        copy(&page(folder.path(), &["index.html", "assets/old.js"]), &out).unwrap();
        write_file(&out.join("assets/mine.txt"), b"mine").unwrap();
        copy(&page(folder.path(), &["index.html", "assets/new.js"]), &out).unwrap();
        let copied = files(&out).unwrap();
        let expected = ["assets/mine.txt", "assets/new.js", LIST, "index.html"];
        assert_eq!(copied, expected.map(PathBuf::from));
    }

    #[test]
    fn folder_with_other_contents_is_rejected_and_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        write_file(&out.join("index.html"), b"other").unwrap();
        let error = copy(&page(folder.path(), &["index.html"]), &out).unwrap_err();
        assert!(error.contains("not empty"), "{error}");
        assert_eq!(files(&out).unwrap(), [PathBuf::from("index.html")]);
        assert_eq!(fs::read(out.join("index.html")).unwrap(), b"other");
    }

    #[test]
    fn list_with_paths_outside_the_folder_removes_none_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let (out, outside) = (folder.path().join("out"), folder.path().join("outside.txt"));
        write_file(&outside, b"safe").unwrap();
        let list = format!("{TITLE}\n../outside.txt\n{}\n\n.\n", outside.display());
        write_file(&out.join(LIST), list.as_bytes()).unwrap();
        copy(&page(folder.path(), &["index.html"]), &out).unwrap();
        assert_eq!(fs::read(outside).unwrap(), b"safe");
    }

    #[test]
    fn equal_files_are_not_rewritten() {
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("dist");
        mirror(&page(folder.path(), &["a.js", "b.js"]), &to).unwrap();
        let modified = |file: &str| fs::metadata(to.join(file)).unwrap().modified().unwrap();
        let before = modified("a.js");
        mirror(&page(folder.path(), &["a.js", "c.js"]), &to).unwrap();
        assert_eq!(modified("a.js"), before);
        assert_eq!(files(&to).unwrap(), ["a.js", "c.js"].map(PathBuf::from));
    }
}
