//! Report of `embate pairs`: CSV rows, one JSON object, or a summary line on stderr.

use std::io::{self, Write};

use embate_report::language::Language;
use serde_json::{Value, json};

use super::{PairsRequest, Search, Sweep};

pub(super) struct Report<'a> {
    pub(super) request: &'a PairsRequest,
    /// What the file holds, such as `boxes in 2D`.
    pub(super) kind: &'static str,
    pub(super) objects: usize,
    pub(super) search: Search,
    pub(super) groups: Option<Groups>,
}

/// Objects connected by the pairs.
pub(super) struct Groups {
    /// Group of each object: its smallest index.
    group_of: Vec<u32>,
    /// Number of objects of each group, at its smallest index; elsewhere 0.
    sizes: Vec<u32>,
}

impl Groups {
    pub(super) fn new(group_of: Vec<u32>) -> Self {
        let mut sizes = vec![0; group_of.len()];
        for &group in &group_of {
            sizes[group as usize] += 1;
        }
        Self { group_of, sizes }
    }

    /// Object, its group and the size of the group.
    fn rows(&self) -> impl Iterator<Item = [u32; 3]> {
        let row = |(object, &group)| [object, group, self.sizes[group as usize]];
        (0..).zip(&self.group_of).map(row)
    }

    /// Number of groups of 2 objects or more.
    fn count(&self) -> usize {
        self.sizes.iter().filter(|&&size| size > 1).count()
    }

    /// Number of objects of the largest group.
    fn largest(&self) -> u32 {
        self.sizes.iter().copied().max().unwrap_or(0)
    }
}

/// Names of the axes in files.
const AXES: [&str; 3] = ["x", "y", "z"];

impl Report<'_> {
    pub(super) fn to_json(&self) -> Value {
        let Self { request, kind, objects, search, groups } = self;
        let mut json = json!({
            "asked": {
                "command": "pairs",
                "boxes": request.boxes.display().to_string(),
                "kind": kind,
                "objects": objects,
                "structure": request.structure.name(),
                "cell_size": request.cell_size,
                "octree_depth": request.octree_depth,
                "octree_cell": request.octree_cell,
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
        if let Some(Sweep { axis, next_axis, variances }) = &search.sweep {
            let [axis, next_axis] = [*axis, *next_axis].map(|axis| AXES[axis]);
            json["sweep"] = json!({ "axis": axis, "next_axis": next_axis, "variance": variances });
        }
        if let Some(groups) = groups {
            json["counts"]["groups"] = groups.count().into();
            json["counts"]["largest_group"] = groups.largest().into();
        }
        json[if request.out.is_some() { "out" } else { "results" }] = match (&request.out, groups) {
            (Some(out), _) => out.display().to_string().into(),
            (None, Some(groups)) => groups.rows().map(|row| json!(row)).collect(),
            (None, None) => search.pairs.iter().map(|pair| json!(pair)).collect(),
        };
        json
    }

    pub(super) fn summary(&self) -> String {
        let english = Language::English;
        let objects = count(self.objects, self.kind);
        let pairs = count(self.search.pairs.len(), "overlapping pairs");
        let time = english.duration(self.search.query_s);
        let structure = self.request.structure.name();
        let mut parts = vec![format!("{objects}, {pairs}"), format!("{structure}: {time}")];
        if let Some(groups) = &self.groups {
            let largest = english.integer(groups.largest().into());
            let groups = count(groups.count(), "groups of 2 or more");
            parts.push(format!("{groups}, the largest has {largest}"));
        }
        if let Some(Sweep { axis, next_axis, variances }) = &self.search.sweep {
            let of_axes: Vec<String> = AXES
                .iter()
                .zip(variances)
                .map(|(axis, variance)| format!("{axis} {}", english.significant(*variance, 4)))
                .collect();
            let [axis, next_axis] = [*axis, *next_axis].map(|axis| AXES[axis]);
            let of_axes = of_axes.join(", ");
            parts.push(format!("swept {axis}, next {next_axis} (variance of centers: {of_axes})"));
        }
        parts.join("; ")
    }

    /// Writes `a,b` with a < b, sorted, or `object,group,size`.
    pub(super) fn write_csv(&self, mut out: impl Write) -> io::Result<()> {
        if let Some(groups) = &self.groups {
            writeln!(out, "object,group,size")?;
            for [object, group, size] in groups.rows() {
                writeln!(out, "{object},{group},{size}")?;
            }
        } else {
            writeln!(out, "a,b")?;
            for [a, b] in &self.search.pairs {
                writeln!(out, "{a},{b}")?;
            }
        }
        out.flush()
    }
}

/// A number with its noun, which is given in the plural: `boxes in 2D`.
fn count(number: usize, nouns: &str) -> String {
    let digits = Language::English.integer(number as u64);
    if number != 1 {
        return format!("{digits} {nouns}");
    }
    for (plural, singular) in [
        ("boxes", "box"),
        ("pairs", "pair"),
        ("circles", "circle"),
        ("spheres", "sphere"),
        ("groups", "group"),
    ] {
        if nouns.contains(plural) {
            return format!("1 {}", nouns.replacen(plural, singular, 1));
        }
    }
    format!("1 {nouns}")
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
