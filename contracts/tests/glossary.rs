//! Glossary and file paths of the documentation: every file that a page names exists.

use std::path::{Path, PathBuf};

const REQUIRED: [&str; 44] = [
    "CCD",
    "speculative contact",
    "time of impact",
    "conservative advancement",
    "narrow phase",
    "contact manifold",
    "feature id",
    "contact recycling",
    "warm starting",
    "soft constraint",
    "graph coloring",
    "SIMD constraint block",
    "restitution",
    "friction",
    "gyroscopic torque",
    "island",
    "sleeping",
    "joint",
    "direct tree solver",
    "worker pool",
    "snapshot",
    "state hash",
    "fat AABB",
    "sweep and prune",
    "spatial grid",
    "loose octree",
    "dynamic BVH",
    "SAH binning",
    "spatial split",
    "reinsertion",
    "wide collapse",
    "traversal",
    "batch traversal",
    "refit",
    "TLAS",
    "watertight test",
    "slab test",
    "GJK",
    "SAT",
    "clipping",
    "point reduction",
    "internal edges",
    "quickhull",
    "mass properties",
];

#[test]
fn every_term_has_a_meaning_peers_and_an_existing_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let glossary = std::fs::read_to_string(root.join("docs/glossary.md")).unwrap();
    let mut terms = Vec::new();
    for row in glossary.lines().filter(|line| line.starts_with("| ")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (term, file) = (cells[1], cells[3].trim_matches('`'));
        if term == "term" {
            continue;
        }
        let at_root = file.starts_with("crates/") || file.starts_with("contracts/");
        let path =
            if at_root { root.join(file) } else { root.join("crates/embate/src").join(file) };
        assert!(path.is_file(), "{term}: {} does not exist", path.display());
        assert!(!cells[2].is_empty() && !cells[4].is_empty(), "{term}: empty cell");
        terms.push(term.to_owned());
    }
    for term in REQUIRED {
        assert!(terms.iter().any(|known| known == term), "the glossary lacks {term}");
    }
    let mut unique = terms.clone();
    unique.sort();
    unique.dedup();
    assert_eq!(unique.len(), terms.len(), "a term is defined twice");
}

/// Words of a page that are paths of files below a folder of the repository. A `*` stands for any
/// part of a file name.
fn repository_paths(page: &str) -> impl Iterator<Item = &str> {
    let folders = ["apps/", "bench/runs/", "contracts/", "crates/", "docs/", "examples/", "xtask/"];
    let in_path = |c: char| c.is_ascii_alphanumeric() || "/._-*".contains(c);
    page.split(|c: char| c.is_whitespace() || "`()[]|,;\"".contains(c))
        .map(|word| word.trim_end_matches(['.', ':']))
        .filter(move |word| folders.iter().any(|folder| word.starts_with(folder)))
        .filter(move |word| word.chars().all(in_path))
        .filter(|word| Path::new(word).extension().is_some())
}

#[test]
fn repository_paths_are_found_in_prose_links_and_code() {
    let page = "See crates/a/b.rs. `contracts/c.rs`, [x](docs/d.md): docs/*.md, docs/decisions.";
    let found: Vec<&str> = repository_paths(page).collect();
    assert_eq!(found, ["crates/a/b.rs", "contracts/c.rs", "docs/d.md", "docs/*.md"]);
}

/// Whether a file exists at `path`, or, with a `*` in its last component, any that matches.
fn exists(root: &Path, path: &str) -> bool {
    let Some((before, suffix)) = path.split_once('*') else {
        return root.join(path).is_file();
    };
    let (folder, prefix) = before.rsplit_once('/').unwrap();
    assert!(!suffix.contains(['*', '/']), "{path}: only one `*`, in the file name, is expanded");
    let Ok(entries) = std::fs::read_dir(root.join(folder)) else { return false };
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.into_iter().any(|name| {
        name.len() >= prefix.len() + suffix.len()
            && name.starts_with(prefix)
            && name.ends_with(suffix)
    })
}

#[test]
fn a_pattern_exists_if_a_file_matches_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    assert!(exists(root, "tests/glos*.rs") && exists(root, "tests/*.rs"));
    assert!(!exists(root, "tests/glos*.csv") && !exists(root, "no-folder/*.rs"));
}

/// Markdown pages of these folders of the repository.
fn pages_in(folders: &[&str]) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let entries = folders.iter().flat_map(|folder| std::fs::read_dir(root.join(folder)).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

#[test]
fn files_named_by_root_pages_guide_results_and_decisions_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut pages = pages_in(&["", "docs/guide", "docs/decisions"]);
    pages.push(root.join("docs/results.md"));
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        for path in repository_paths(&text) {
            assert!(exists(root, path), "{}: {path} does not exist", page.display());
        }
    }
}

/// Targets of the inline links and images of a page.
fn link_targets(page: &str) -> impl Iterator<Item = &str> {
    page.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
}

/// Anchors of the headings of a page, as GitHub generates them.
fn anchors(page: &str) -> Vec<String> {
    let headings = page.lines().filter(|line| line.starts_with('#'));
    let anchor = |heading: &str| {
        let text = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = text.chars().filter(|&c| c.is_alphanumeric() || " -_".contains(c));
        kept.map(|c| if c == ' ' { '-' } else { c }).collect()
    };
    headings.map(anchor).collect()
}

#[test]
fn relative_links_of_every_page_lead_to_a_file_and_a_heading() {
    for page in pages_in(&["", "docs", "docs/guide", "docs/decisions"]) {
        let text = std::fs::read_to_string(&page).unwrap();
        for target in link_targets(&text).filter(|target| !target.contains("://")) {
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let path = match file {
                "" => page.clone(),
                file => page.parent().unwrap().join(file),
            };
            assert!(path.exists(), "{}: {target} does not exist", page.display());
            if !anchor.is_empty() {
                let headings = anchors(&std::fs::read_to_string(&path).unwrap());
                let is_known = headings.iter().any(|heading| heading == anchor);
                assert!(is_known, "{}: {target} has no such heading", page.display());
            }
        }
    }
}

#[test]
fn readme_has_at_most_900_words_and_code_before_line_60() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    for name in ["README.md", "README.pt-BR.md"] {
        let page = std::fs::read_to_string(root.join(name)).unwrap();
        let words = page.split_whitespace().count();
        assert!(words <= 900, "{name} has {words} words");
        let code = page.lines().position(|line| line == "```rust").unwrap() + 1;
        assert!(code < 60, "{name}: the first Rust code begins at line {code}");
    }
}
