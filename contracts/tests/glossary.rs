//! Glossary and file paths of the documentation: every file that a page names exists.

use std::path::Path;

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

/// Words of a page that are paths below a folder of the repository, without patterns.
fn repository_paths(page: &str) -> impl Iterator<Item = &str> {
    let folders = ["apps/", "bench/runs/", "contracts/", "crates/", "docs/", "examples/", "xtask/"];
    let in_path = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
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
    assert_eq!(found, ["crates/a/b.rs", "contracts/c.rs", "docs/d.md"]);
}

#[test]
fn files_named_by_readme_architecture_and_decisions_exist() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut pages = vec![root.join("README.md"), root.join("ARCHITECTURE.md")];
    let decisions = std::fs::read_dir(root.join("docs/decisions")).unwrap();
    pages.extend(decisions.map(|entry| entry.unwrap().path()));
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        for path in repository_paths(&text) {
            assert!(root.join(path).is_file(), "{}: {path} does not exist", page.display());
        }
    }
}
