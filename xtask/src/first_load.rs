//! How much does a visitor's browser fetch before the page works?
//!
//! Counted are `index.html` and every file that it names, or that a file counted names, as gzip sends
//! them. This may count a file that is fetched later, never leave out one that is fetched at first.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use flate2::{Compression, write::GzEncoder};

use crate::page_folder;

/// Most bytes, gzipped: a second on a phone's slow day.
const MOST: usize = 250_000;

/// Tells what a first visit fetches, and refuses a page that is too heavy.
pub(crate) fn check(page: &Path) -> Result<(), String> {
    let mut files = BTreeMap::new();
    for file in page_folder::files(page)? {
        let bytes = std::fs::read(page.join(&file));
        let bytes = bytes.map_err(|error| format!("{}: {error}", file.display()))?;
        files.insert(file.to_string_lossy().replace('\\', "/"), bytes);
    }
    let mut table = String::new();
    let mut sum = 0;
    for name in fetched(&files) {
        let size = gzipped(&files[&name]);
        sum += size;
        let _ = writeln!(table, "{:>9.1} KB  {name}", kilobytes(size));
    }
    let (sum_kb, most_kb) = (kilobytes(sum), kilobytes(MOST));
    println!("\n── first load, gzipped\n{table}{sum_kb:>9.1} KB  in all, of {most_kb} KB at most");
    if sum > MOST {
        return Err(format!("the first load is {sum_kb:.1} KB gzipped, more than {most_kb} KB"));
    }
    Ok(())
}

fn kilobytes(bytes: usize) -> f64 {
    bytes as f64 / 1000.0
}

fn gzipped(bytes: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    // Writing to memory cannot fail; if it did, the file would count whole.
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.map_or(bytes.len(), |packed| packed.len())
}

/// Names of the files that are fetched, in order.
fn fetched(files: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    let mut fetched = vec!["index.html".to_owned()];
    let mut read = 0;
    while let Some(text) = fetched.get(read).map(|name| files.get(name)) {
        read += 1;
        let Some(text) = text.map(|bytes| String::from_utf8_lossy(bytes)) else { continue };
        for name in files.keys() {
            let bare = name.rsplit('/').next().unwrap_or(name);
            if !fetched.contains(name) && text.contains(bare) {
                fetched.push(name.clone());
            }
        }
    }
    fetched.retain(|name| files.contains_key(name));
    fetched.sort();
    fetched
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_along_a_chain_is_fetched_and_nothing_else() {
        let files = [
            ("index.html", "<script src=\"./assets/main-1.js\">"),
            ("assets/main-1.js", "new Worker(new URL('work-2.js', import.meta.url))"),
            ("assets/work-2.js", "fetch('view-3.wasm'); import './main-1.js'"),
            ("assets/view-3.wasm", "\0asm"),
            ("assets/never-4.js", "import './main-1.js'"),
        ];
        let files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        let wanted = ["assets/main-1.js", "assets/view-3.wasm", "assets/work-2.js", "index.html"];
        assert_eq!(fetched(&files.into_iter().collect()), wanted);
    }
}
