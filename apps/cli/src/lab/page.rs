//! Which files does the page consist of?
//!
//! Promise: a fixed table, whole in memory before the first question. A path is looked up in it as it
//! stands, so that no path can lead to a file that is not of the page.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::{Compression, write::GzEncoder};

use crate::failure::Failure;

/// What the program carries; see `build.rs`.
const BUILT_IN: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Bounds on a folder given by hand: somebody may name the wrong one. The page has under 1 MB.
const MOST_FILES: usize = 1_000;
const MOST_BYTES: u64 = 64 << 20;

const MAKES_ONE: &str = "`cargo xtask web --out DIR` makes a folder with the page in it";

/// A page that exists has an `index.html`.
#[derive(Debug)]
pub(crate) struct Page {
    files: BTreeMap<String, PageFile>,
}

#[derive(Debug)]
pub(crate) struct PageFile {
    pub(crate) bytes: Cow<'static, [u8]>,
    /// Kept where it is worth it.
    pub(crate) gzip: Option<Vec<u8>>,
    pub(crate) media_type: &'static str,
    /// Its name tells its content, so it never changes.
    pub(crate) forever: bool,
}

impl Page {
    /// The page in this program.
    pub(crate) fn built_in() -> Result<Self, Failure> {
        Self::carried(BUILT_IN)
    }

    fn carried(files: &[(&str, &'static [u8])]) -> Result<Self, Failure> {
        let files = files.iter().map(|&(path, bytes)| (path.to_owned(), Cow::Borrowed(bytes)));
        Self::new(files).ok_or_else(|| {
            let advice = "`cargo xtask lab` builds one with it and serves it";
            Failure::Problem(format!("this program was built without the page; {advice}"))
        })
    }

    /// A page that somebody built into a folder.
    pub(crate) fn of_folder(folder: &Path) -> Result<Self, Failure> {
        let problem = |what: &str| Failure::Problem(format!("{}: {what}", folder.display()));
        // What a system calls it ("os error 2") says nothing about what to do.
        if !folder.is_dir() {
            let what = if folder.exists() { "is not a folder" } else { "there is no such folder" };
            return Err(problem(&format!("{what}; {MAKES_ONE}")));
        }
        let mut files = Vec::new();
        let mut bytes_left = MOST_BYTES;
        let mut folders = vec![(String::new(), folder.to_owned())];
        while let Some((prefix, inner)) = folders.pop() {
            for entry in fs::read_dir(&inner).map_err(|error| problem(&error.to_string()))? {
                let entry = entry.map_err(|error| problem(&error.to_string()))?;
                let metadata = entry.metadata().map_err(|error| problem(&error.to_string()))?;
                let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
                if metadata.is_dir() {
                    folders.push((format!("{path}/"), entry.path()));
                } else if metadata.is_file() {
                    // A link is neither: it may lead out of the folder.
                    bytes_left = bytes_left
                        .checked_sub(metadata.len())
                        .filter(|_| files.len() < MOST_FILES)
                        .ok_or_else(|| {
                            problem("is too large for a page; is it the right folder?")
                        })?;
                    let bytes = fs::read(entry.path());
                    let bytes = bytes.map_err(|error| problem(&format!("{path}: {error}")))?;
                    files.push((path, Cow::Owned(bytes)));
                }
            }
        }
        Self::new(files).ok_or_else(|| problem(&format!("has no index.html; {MAKES_ONE}")))
    }

    /// `None` without an `index.html`.
    pub(crate) fn new(
        files: impl IntoIterator<Item = (String, Cow<'static, [u8]>)>,
    ) -> Option<Self> {
        let files = files.into_iter().map(|(path, bytes)| {
            let file = PageFile::new(&path, bytes);
            (path, file)
        });
        let files: BTreeMap<_, _> = files.collect();
        files.contains_key("index.html").then_some(Self { files })
    }

    /// The file that a path of an address names. `/` names the page itself.
    pub(crate) fn file(&self, path: &str) -> Option<&PageFile> {
        match path.strip_prefix('/')? {
            "" => self.files.get("index.html"),
            name => self.files.get(name),
        }
    }
}

impl PageFile {
    fn new(path: &str, bytes: Cow<'static, [u8]>) -> Self {
        // Fonts and pictures are packed already: a twentieth is not worth the unpacking.
        let gzip = gzipped(&bytes).filter(|packed| packed.len() < bytes.len() / 20 * 19);
        // Vite names the files of this folder by a hash of their content.
        Self { gzip, media_type: media_type(path), forever: path.starts_with("assets/"), bytes }
    }
}

fn gzipped(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).ok()
}

/// With `nosniff` a browser believes this alone; a module or style of another type is refused.
fn media_type(path: &str) -> &'static str {
    let name = path.rsplit('/').next().unwrap_or(path);
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(paths: &[&str]) -> Option<Page> {
        Page::new(paths.iter().map(|&path| (path.to_owned(), Cow::Borrowed(&b"text"[..]))))
    }

    #[test]
    fn a_page_needs_an_index() {
        assert!(page(&[]).is_none());
        assert!(page(&["assets/index.html"]).is_none());
        assert!(page(&["index.html"]).is_some());
    }

    #[test]
    fn a_program_without_the_page_says_which_command_builds_it() {
        let said = Page::carried(&[]).unwrap_err().to_string();
        assert!(said.contains("cargo xtask lab") && said.lines().count() == 1, "{said}");
    }

    #[test]
    fn a_path_is_looked_up_as_it_stands() {
        let page = page(&["index.html", "assets/a.wasm"]).unwrap();
        assert_eq!(page.file("/").unwrap().media_type, "text/html; charset=utf-8");
        assert_eq!(page.file("/assets/a.wasm").unwrap().media_type, "application/wasm");
        let strangers =
            ["", "index.html", "//", "//index.html", "/assets", "/assets/", "/INDEX.HTML"];
        for path in strangers.into_iter().chain([
            "/../index.html",
            "/./index.html",
            "/%2e%2e/index.html",
            "/assets/../index.html",
            "/index.html/",
            "/index.html\0",
            "/etc/passwd",
        ]) {
            assert!(page.file(path).is_none(), "{path:?}");
        }
    }

    #[test]
    fn only_what_is_named_by_its_content_is_kept_forever() {
        let page = page(&["index.html", "assets/a-1f2e.js"]).unwrap();
        assert!(page.file("/assets/a-1f2e.js").unwrap().forever);
        assert!(!page.file("/").unwrap().forever);
    }

    #[test]
    fn what_gzip_would_lengthen_is_kept_plain() {
        let long = Cow::Owned(b"again and ".repeat(100));
        let files =
            [("index.html".to_owned(), long), ("a.png".to_owned(), Cow::Borrowed(&b"x"[..]))];
        let page = Page::new(files).unwrap();
        assert!(page.file("/").unwrap().gzip.as_ref().unwrap().len() < 100);
        assert!(page.file("/a.png").unwrap().gzip.is_none());
    }
}
