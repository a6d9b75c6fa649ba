//! `docs/glossary.md` names the file of every core concept; the files exist.

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
