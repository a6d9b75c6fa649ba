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
            "{} {}, {} overlapping pairs; {}: {}",
            english.integer(self.objects as u64),
            self.kind,
            english.integer(self.search.pairs.len() as u64),
            self.request.structure.name(),
            english.duration(self.search.query_s),
        )
    }
}

/// Writes `a,b` with a < b, sorted.
pub(super) fn write_csv(mut out: impl Write, pairs: &[OverlapPair]) -> io::Result<()> {
    writeln!(out, "a,b")?;
    for [a, b] in pairs {
        writeln!(out, "{a},{b}")?;
    }
    out.flush()
}
