//! Report of `embate pairs`: CSV rows, one JSON object, or a summary line on stderr.

use std::io::{self, Write};

use embate::broad_phase::OverlapPair;
use embate_report::language::Language;
use serde_json::{Value, json};

use super::{PairsRequest, Search};

pub(super) struct Report<'a> {
    pub(super) request: &'a PairsRequest,
    /// What the file holds, such as `boxes in 2D`.
    pub(super) kind: &'static str,
    pub(super) objects: usize,
    pub(super) search: Search,
}

impl Report<'_> {
    pub(super) fn to_json(&self) -> Value {
        let Self { request, kind, objects, search } = self;
        let mut json = json!({
            "asked": {
                "command": "pairs",
                "boxes": request.boxes.display().to_string(),
                "kind": kind,
                "objects": objects,
                "structure": request.structure.name(),
                "cell_size": request.cell_size,
                "threads": request.workers.threads,
            },
            "counts": {
                "objects": objects,
                "pairs": search.pairs.len(),
                "tests": search.stats.overlap_tests,
                "cells": search.stats.cells_visited,
                "places": search.stats.cell_entries,
            },
            "times": { "build_s": 0.0, "query_s": search.query_s },
            "memory": { "bytes": search.bytes },
        });
        match &request.out {
            Some(out) => json["out"] = out.display().to_string().into(),
            None => json["results"] = search.pairs.iter().map(|pair| json!(pair)).collect(),
        }
        json
    }

    pub(super) fn summary(&self) -> String {
        let english = Language::English;
        format!(
            "{}, {}; {}: {}",
            count(self.objects, self.kind),
            count(self.search.pairs.len(), "overlapping pairs"),
            self.request.structure.name(),
            english.duration(self.search.query_s),
        )
    }
}

/// A number with its noun, which is given in the plural: `boxes in 2D`.
fn count(number: usize, nouns: &str) -> String {
    let digits = Language::English.integer(number as u64);
    if number != 1 {
        return format!("{digits} {nouns}");
    }
    for (plural, singular) in
        [("boxes", "box"), ("pairs", "pair"), ("circles", "circle"), ("spheres", "sphere")]
    {
        if nouns.contains(plural) {
            return format!("1 {}", nouns.replacen(plural, singular, 1));
        }
    }
    format!("1 {nouns}")
}

/// Writes `a,b` with a < b, sorted.
pub(super) fn write_csv(mut out: impl Write, pairs: &[OverlapPair]) -> io::Result<()> {
    writeln!(out, "a,b")?;
    for [a, b] in pairs {
        writeln!(out, "{a},{b}")?;
    }
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_object_and_one_pair_are_singular() {
        for (number, nouns, expected) in [
            (1, "boxes in 2D", "1 box in 2D"),
            (1, "spheres", "1 sphere"),
            (1, "circles", "1 circle"),
            (1, "overlapping pairs", "1 overlapping pair"),
            (0, "overlapping pairs", "0 overlapping pairs"),
            (1_200, "boxes in 3D", "1,200 boxes in 3D"),
        ] {
            assert_eq!(count(number, nouns), expected);
        }
    }
}
