//! How much does a visitor's browser fetch before the page works?
//!
//! Counted are `index.html` and every file that it names, or that a file counted names, as gzip sends
//! them; but not what a part of the page asks for with `import()` when the need arises. The view that
//! the page opens on is itself asked for so, by the script that `index.html` names: that counts.

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
    const INDEX: &str = "index.html";
    let text = |name: &str| files.get(name).map(|bytes| String::from_utf8_lossy(bytes));
    let bare = |name: &str| name.rsplit('/').next().unwrap_or_default().to_owned();
    let index = text(INDEX).unwrap_or_default();
    let mut fetched = vec![INDEX.to_owned()];
    let mut read = 0;
    while let Some(name) = fetched.get(read).cloned() {
        read += 1;
        let text = text(&name).unwrap_or_default();
        let opens_the_view = index.contains(&bare(&name));
        for other in files.keys().filter(|&other| *other != name) {
            let named = text.matches(&bare(other)).count();
            let later = if opens_the_view { 0 } else { imported_later(&text, &bare(other)) };
            if named > later && !fetched.contains(other) {
                fetched.push(other.clone());
            }
        }
    }
    fetched.retain(|name| files.contains_key(name));
    fetched.sort();
    fetched
}

/// How often a script asks for a file by `import("./file")`, in whichever quotes.
fn imported_later(script: &str, file: &str) -> usize {
    let times = |quote: &str| script.matches(&format!("import({quote}./{file}{quote})")).count();
    ["\"", "'", "`"].into_iter().map(times).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_along_a_chain_is_fetched_and_what_is_imported_later_is_not() {
        let files = [
            ("index.html", "<script src=\"./assets/main-1.js\">"),
            ("assets/main-1.js", "import(`./view-2.js`)"),
            ("assets/view-2.js", "new URL('work-3.js', import.meta.url); import('./rare-5.js')"),
            ("assets/work-3.js", "fetch('view-4.wasm'); import './main-1.js'"),
            ("assets/view-4.wasm", "\0asm"),
            ("assets/rare-5.js", "import './main-1.js'"),
            ("assets/never-6.js", "import './main-1.js'"),
        ];
        let files = files.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()));
        let fetched = fetched(&files.into_iter().collect());
        let wanted = ["main-1.js", "view-2.js", "view-4.wasm", "work-3.js"];
        assert_eq!(fetched[..4], wanted.map(|name| format!("assets/{name}")));
        assert_eq!(fetched[4..], ["index.html"]);
    }
}
