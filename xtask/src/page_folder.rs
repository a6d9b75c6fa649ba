//! How is a built page put into a folder without harm to what is already there?
//!
//! Promise: only files of an earlier page are ever removed or replaced. A page that was copied holds a
//! list of its files; a folder with other contents and no list is refused.

use std::fs;
use std::path::{Component, Path, PathBuf};

/// The list of a copied page's files: a line that says what it is, then a file a line.
const LIST: &str = "embate-page.txt";
const TITLE: &str = "Embate's page, made by `cargo xtask web --out`. It consists of these files:";

/// The files of an earlier page in `out`; an error if something else is there.
pub(crate) fn earlier(out: &Path) -> Result<Vec<PathBuf>, String> {
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
        format!("{out} is not empty and holds no earlier page; name another folder, or empty it")
    })?;
    Ok(list.lines().map(PathBuf::from).filter(|file| stays_inside(file)).collect())
}

/// Copies the page to where the user wants it.
pub(crate) fn copy(page: &Path, out: &Path) -> Result<(), String> {
    for file in earlier(out)? {
        // One that is gone already is no harm.
        let _ = fs::remove_file(out.join(file));
    }
    let files = files(page)?;
    let list: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
    // The list comes first: if we are killed half-way, the folder is still known to be ours.
    put(&out.join(LIST), format!("{TITLE}\n{}\n", list.join("\n")).as_bytes())?;
    for file in &files {
        put(&out.join(file), &read(&page.join(file))?)?;
    }
    println!("\nThe page is in {}; any web server can serve it.", out.display());
    Ok(())
}

/// Makes folder `to` hold what `from` holds. What is the same already keeps its time of change.
pub(crate) fn mirror(from: &Path, to: &Path) -> Result<(), String> {
    let wanted = files(from)?;
    if to.is_dir() {
        for file in files(to)?.iter().filter(|file| !wanted.contains(file)) {
            let file = to.join(file);
            fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display()))?;
        }
    }
    for file in &wanted {
        let bytes = read(&from.join(file))?;
        if fs::read(to.join(file)).is_ok_and(|have| have == bytes) {
            continue;
        }
        put(&to.join(file), &bytes)?;
    }
    Ok(())
}

/// All files of a folder and the folders in it, by their paths from it, in order.
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

/// A list that somebody changed must not lead us to files elsewhere.
fn stays_inside(file: &Path) -> bool {
    let plain = file.components().all(|part| matches!(part, Component::Normal(_)));
    plain && file.components().next().is_some()
}

fn put(file: &Path, bytes: &[u8]) -> Result<(), String> {
    let folder = file.parent().unwrap_or(file);
    let put = fs::create_dir_all(folder).and_then(|()| fs::write(file, bytes));
    put.map_err(|error| format!("{}: {error}", file.display()))
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
            put(&page.join(file), file.as_bytes()).unwrap();
        }
        page
    }

    #[test]
    fn a_page_replaces_an_earlier_page_and_leaves_other_files_alone() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        copy(&page(folder.path(), &["index.html", "assets/old.js"]), &out).unwrap();
        put(&out.join("assets/mine.txt"), b"mine").unwrap();
        copy(&page(folder.path(), &["index.html", "assets/new.js"]), &out).unwrap();
        let have = files(&out).unwrap();
        let wanted = ["assets/mine.txt", "assets/new.js", LIST, "index.html"];
        assert_eq!(have, wanted.map(PathBuf::from));
    }

    #[test]
    fn a_folder_that_holds_something_else_is_refused_and_unchanged() {
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        put(&out.join("index.html"), b"somebody's").unwrap();
        let refusal = copy(&page(folder.path(), &["index.html"]), &out).unwrap_err();
        assert!(refusal.contains("not empty"), "{refusal}");
        assert_eq!(files(&out).unwrap(), [PathBuf::from("index.html")]);
        assert_eq!(fs::read(out.join("index.html")).unwrap(), b"somebody's");
    }

    #[test]
    fn a_list_that_names_files_elsewhere_removes_none_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let (out, outside) = (folder.path().join("out"), folder.path().join("outside.txt"));
        put(&outside, b"safe").unwrap();
        let list = format!("{TITLE}\n../outside.txt\n{}\n\n.\n", outside.display());
        put(&out.join(LIST), list.as_bytes()).unwrap();
        copy(&page(folder.path(), &["index.html"]), &out).unwrap();
        assert_eq!(fs::read(outside).unwrap(), b"safe");
    }

    #[test]
    fn what_is_the_same_is_not_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let to = folder.path().join("dist");
        mirror(&page(folder.path(), &["a.js", "b.js"]), &to).unwrap();
        let changed = |file: &str| fs::metadata(to.join(file)).unwrap().modified().unwrap();
        let before = changed("a.js");
        mirror(&page(folder.path(), &["a.js", "c.js"]), &to).unwrap();
        assert_eq!(changed("a.js"), before);
        assert_eq!(files(&to).unwrap(), ["a.js", "c.js"].map(PathBuf::from));
    }
}
