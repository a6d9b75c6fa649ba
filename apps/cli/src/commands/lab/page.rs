//! Files of the web page: a fixed table from path to content, loaded before the first request.
//!
//! Paths are looked up literally, so that no request can reach a file outside the page.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::{Compression, write::GzEncoder};

use crate::failure::Failure;

/// The embedded page; see `build.rs`.
const BUILT_IN: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Limits of a page folder, exceeded if `--page` names a wrong folder. The page is below 1 MB.
const MAX_FILES: usize = 1_000;
const MAX_BYTES: u64 = 64 << 20;

const BUILD_ADVICE: &str = "`cargo xtask web --out DIR` builds the page into a folder";

/// Invariant: contains `index.html`.
#[derive(Debug)]
pub(crate) struct Page {
    files: BTreeMap<String, PageFile>,
}

#[derive(Debug)]
pub(crate) struct PageFile {
    pub(crate) bytes: Cow<'static, [u8]>,
    /// Compressed content, if at least 5 % smaller.
    pub(crate) gzip: Option<Vec<u8>>,
    pub(crate) media_type: &'static str,
    /// The file name contains a hash of the content, so that caches may keep it forever.
    pub(crate) immutable: bool,
}

impl Page {
    /// The page embedded in this program.
    pub(crate) fn built_in() -> Result<Self, Failure> {
        Self::from_embedded(BUILT_IN)
    }

    fn from_embedded(files: &[(&str, &'static [u8])]) -> Result<Self, Failure> {
        let files = files.iter().map(|&(path, bytes)| (path.to_owned(), Cow::Borrowed(bytes)));
        Self::new(files).ok_or_else(|| {
            let advice = "`cargo xtask lab` builds the page and serves it";
            Failure::Problem(format!("this program was built without the page; {advice}"))
        })
    }

    /// A page built into a folder.
    pub(crate) fn from_folder(folder: &Path) -> Result<Self, Failure> {
        let problem = |what: &str| Failure::Problem(format!("{}: {what}", folder.display()));
        // Checked first, since a bare "os error 2" would give no advice.
        if !folder.is_dir() {
            let what = if folder.exists() { "is not a folder" } else { "there is no such folder" };
            return Err(problem(&format!("{what}; {BUILD_ADVICE}")));
        }
        let mut files = Vec::new();
        let mut bytes_left = MAX_BYTES;
        let mut folders = vec![(String::new(), folder.to_owned())];
        while let Some((prefix, inner)) = folders.pop() {
            for entry in fs::read_dir(&inner).map_err(|error| problem(&error.to_string()))? {
                let entry = entry.map_err(|error| problem(&error.to_string()))?;
                let metadata = entry.metadata().map_err(|error| problem(&error.to_string()))?;
                let path = format!("{prefix}{}", entry.file_name().to_string_lossy());
                if metadata.is_dir() {
                    folders.push((format!("{path}/"), entry.path()));
                } else if metadata.is_file() {
                    // Links are skipped: they may lead out of the folder.
                    bytes_left = bytes_left
                        .checked_sub(metadata.len())
                        .filter(|_| files.len() < MAX_FILES)
                        .ok_or_else(|| {
                            problem("is too large for a page; check that it is the right folder")
                        })?;
                    let bytes = fs::read(entry.path());
                    let bytes = bytes.map_err(|error| problem(&format!("{path}: {error}")))?;
                    files.push((path, Cow::Owned(bytes)));
                }
            }
        }
        Self::new(files).ok_or_else(|| problem(&format!("has no index.html; {BUILD_ADVICE}")))
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

    /// The file at a URL path. `/` is `index.html`.
    pub(crate) fn file(&self, path: &str) -> Option<&PageFile> {
        match path.strip_prefix('/')? {
            "" => self.files.get("index.html"),
            name => self.files.get(name),
        }
    }
}

impl PageFile {
    fn new(path: &str, bytes: Cow<'static, [u8]>) -> Self {
        // Fonts and pictures are compressed already; saving less than 5 % is not worth the
        // decompression.
        let gzip = gzipped(&bytes).filter(|packed| packed.len() < bytes.len() / 20 * 19);
        // Vite names the files of this folder by a hash of their content.
        let immutable = path.starts_with("assets/");
        Self { gzip, media_type: media_type(path), immutable, bytes }
    }
}

fn gzipped(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).ok()
}

/// Media type by extension. With `nosniff` browsers reject a script or style of any other type.
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
    fn page_without_index_is_rejected() {
        assert!(page(&[]).is_none());
        assert!(page(&["assets/index.html"]).is_none());
        assert!(page(&["index.html"]).is_some());
    }

    #[test]
    fn missing_embedded_page_is_reported_with_the_build_command() {
        let error = Page::from_embedded(&[]).unwrap_err().to_string();
        assert!(error.contains("cargo xtask lab") && error.lines().count() == 1, "{error}");
    }

    #[test]
    fn paths_are_looked_up_literally() {
        let page = page(&["index.html", "assets/a.wasm"]).unwrap();
        assert_eq!(page.file("/").unwrap().media_type, "text/html; charset=utf-8");
        assert_eq!(page.file("/assets/a.wasm").unwrap().media_type, "application/wasm");
        let unknown =
            ["", "index.html", "//", "//index.html", "/assets", "/assets/", "/INDEX.HTML"];
        for path in unknown.into_iter().chain([
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
    fn only_files_named_by_content_hash_are_immutable() {
        let page = page(&["index.html", "assets/a-1f2e.js"]).unwrap();
        assert!(page.file("/assets/a-1f2e.js").unwrap().immutable);
        assert!(!page.file("/").unwrap().immutable);
    }

    #[test]
    fn files_that_gzip_would_enlarge_are_stored_uncompressed() {
        let long = Cow::Owned(b"again and ".repeat(100));
        let files =
            [("index.html".to_owned(), long), ("a.png".to_owned(), Cow::Borrowed(&b"x"[..]))];
        let page = Page::new(files).unwrap();
        assert!(page.file("/").unwrap().gzip.as_ref().unwrap().len() < 100);
        assert!(page.file("/a.png").unwrap().gzip.is_none());
    }
}
