//! Report of `embate inspect`: one JSON object, or tables with a recommendation.

use std::fmt::Write;

use embate::TriangleMesh;
use embate_replica::lorenzi2014::OctreeAffinity;
use embate_replica::structure::RayStructure;
use embate_report::language::Language;
use serde_json::{Value, json};

use super::{InspectRequest, Inspection};
use crate::io::output::{align_numbers, bare_table};

/// Minimum speed ratio at which the measurement overrules the choice by the features of the mesh.
const NOTABLE_RATIO: f64 = 1.1;
/// Minimum difference of the same times per ray, in seconds: a reading of the clock takes as long.
const NOTABLE_DIFFERENCE: f64 = 50e-9;

/// An affinity with its meaning; the table of levels follows it.
fn affinity_text(affinity: OctreeAffinity) -> &'static str {
    match affinity {
        OctreeAffinity::Low => "low: nearly all triangles at level 1",
        OctreeAffinity::Medium => "medium: most triangles at levels 1–3",
        OctreeAffinity::High => "high: most triangles at level 4 or deeper",
    }
}

impl Inspection {
    fn mesh(&self) -> &TriangleMesh {
        &self.loaded.mesh
    }

    fn affinity(&self) -> Option<OctreeAffinity> {
        let any = !self.mesh().triangles().is_empty();
        any.then(|| OctreeAffinity::of(&self.triangles_per_level))
    }

    fn level_percent(&self) -> Vec<f64> {
        let all = self.mesh().triangles().len().max(1) as f64;
        let percent = |&count: &u32| 100.0 * f64::from(count) / all;
        self.triangles_per_level.iter().map(percent).collect()
    }

    fn ray_s(&self, structure: RayStructure) -> Option<f64> {
        self.trials.iter().find(|trial| trial.structure == structure)?.ray_s
    }

    /// Measured structures of the engine, without the replicas; fastest first. Only those that
    /// `auto` chooses among are recommended, the others are for comparison.
    fn engine_structures(&self) -> Vec<(RayStructure, f64)> {
        let engine =
            self.trials.iter().filter(|t| t.structure.reference() == RayStructure::BRUTE_FORCE);
        let mut timed: Vec<_> =
            engine.filter_map(|trial| Some((trial.structure, trial.ray_s?))).collect();
        timed.sort_by(|a, b| a.1.total_cmp(&b.1));
        timed
    }

    /// The recommended structure and the reason: the choice of `auto` by the features of the mesh,
    /// unless another structure was measured to be faster by a notable ratio. `None` for a mesh
    /// without triangles.
    fn recommended(&self) -> Option<(RayStructure, String)> {
        let by_features = RayStructure::from(self.advice.kind);
        let chosen_s = self.ray_s(by_features)?;
        let timed = self.engine_structures();
        let (fastest, ray_s) = *timed.iter().find(|(each, _)| each.is_auto_candidate())?;
        if chosen_s <= NOTABLE_RATIO * ray_s || chosen_s <= ray_s + NOTABLE_DIFFERENCE {
            return Some((by_features, self.advice.reason()));
        }
        let reason = format!(
            "the fastest here of those that auto chooses among; auto chooses {} by the features of the mesh: measure again on an \
             idle machine if that matters",
            by_features.name()
        );
        Some((fastest, reason))
    }

    /// The recommendation with its reason and measurements; `None` for a mesh without triangles.
    pub(super) fn recommendation(&self) -> Option<String> {
        let (structure, reason) = self.recommended()?;
        Some(format!("Use {}: {reason}. {}", structure.name(), self.evidence(structure)?))
    }

    fn evidence(&self, recommended: RayStructure) -> Option<String> {
        let english = Language::English;
        let chosen = self.ray_s(recommended)?;
        let timed = self.engine_structures();
        let others = timed.iter().filter(|(structure, _)| *structure != recommended);
        let others: Vec<String> =
            others.map(|(t, s)| format!("{} {}", t.name(), english.duration(*s))).collect();
        let mut text = format!(
            "Measured on this mesh: {} per ray ({})",
            english.duration(chosen),
            others.join(", ")
        );
        let octree = self.ray_s(RayStructure::LorenziOctree)?;
        let brute = self.ray_s(RayStructure::LorenziBruteForce)?;
        let (word, ratio) =
            if octree < brute { ("faster", brute / octree) } else { ("slower", octree / brute) };
        let _ = write!(
            text,
            ". The octree of Lorenzi 2014 takes {} per ray ({} {word} than its own brute force), \
             but repeats the publication's faults: it reports hits behind the origin.",
            english.duration(octree),
            english.times(ratio),
        );
        Some(text)
    }

    pub(super) fn recommendation_json(&self) -> Option<Value> {
        let (structure, reason) = self.recommended()?;
        Some(json!({
            "structure": structure.name(),
            "reason": reason,
            "evidence": self.evidence(structure)?,
            "auto": self.advice.kind.name(),
        }))
    }

    pub(super) fn features_json(&self) -> Value {
        let features = self.advice.features;
        json!({ "triangles": features.triangles, "boxes_over_a_point": features.mean_aabb_overlap })
    }

    pub(super) fn structures_json(&self) -> Value {
        let structures = self.trials.iter().map(|trial| {
            json!({
                "name": trial.structure.name(),
                "bytes": trial.bytes,
                "build_s": trial.build_s,
                "query_s_per_ray": trial.ray_s,
            })
        });
        structures.collect()
    }

    pub(super) fn to_json(&self, request: &InspectRequest) -> Value {
        json!({
            "asked": { "command": "inspect", "mesh": request.mesh.display().to_string() },
            "format": self.loaded.format.to_string(),
            "file_bytes": self.loaded.file_bytes,
            "vertices": self.mesh().positions().len(),
            "triangles": self.mesh().triangles().len(),
            "degenerate_triangles": self.mesh().degenerate_triangles(),
            "bounds": self.bounds.map(|b| json!({ "min": b.min, "max": b.max })),
            "triangles_per_level": self.triangles_per_level,
            "level_percent": self.level_percent(),
            "affinity": self.affinity().map(OctreeAffinity::name),
            "features": self.features_json(),
            "structures": self.structures_json(),
            "recommendation": self.recommendation_json(),
        })
    }

    pub(super) fn to_text(&self, request: &InspectRequest) -> String {
        let english = Language::English;
        let count = |n: usize| english.integer(n as u64);
        let mesh = self.mesh();
        let mut facts = bare_table(&[]);
        facts.add_row(["file", &request.mesh.display().to_string()]);
        facts.add_row(["format", &self.loaded.format.to_string()]);
        facts.add_row(["bytes, uncompressed", &english.integer(self.loaded.file_bytes)]);
        facts.add_row(["vertices", &count(mesh.positions().len())]);
        facts.add_row(["triangles", &count(mesh.triangles().len())]);
        facts.add_row(["degenerate triangles", &count(mesh.degenerate_triangles())]);
        if let Some(bounds) = self.bounds {
            facts.add_row(["bounds min", &format!("{:?}", bounds.min)]);
            facts.add_row(["bounds max", &format!("{:?}", bounds.max)]);
            facts.add_row(["size", &format!("{:?}", bounds.extents())]);
        }
        facts.add_row(["octree affinity", self.affinity().map_or("none", affinity_text)]);
        let overlap = format!("{:.3}", self.advice.features.mean_aabb_overlap);
        facts.add_row(["mean triangle AABBs over a point", &overlap]);

        let mut levels = bare_table(&["level", "triangles", "%"]);
        for (level, (&n, share)) in
            self.triangles_per_level.iter().zip(self.level_percent()).enumerate()
        {
            levels.add_row([(level + 1).to_string(), count(n as usize), format!("{share:.2}")]);
        }
        align_numbers(&mut levels, 0);
        let mut text = format!("{facts}\n\n{levels}\n\n{}\n", self.structures_table());
        if let Some(recommendation) = self.recommendation() {
            let _ = writeln!(text, "\n{recommendation}");
        }
        text
    }

    pub(super) fn structures_table(&self) -> String {
        let english = Language::English;
        let triangles = self.mesh().triangles().len().max(1) as f64;
        let mut structures =
            bare_table(&["structure", "memory", "bytes per triangle", "build", "per ray"]);
        for trial in &self.trials {
            structures.add_row([
                trial.structure.name().to_owned(),
                english.bytes(trial.bytes as u64),
                format!("{:.1}", trial.bytes as f64 / triangles),
                english.duration(trial.build_s),
                trial.ray_s.map_or_else(|| "–".to_owned(), |s| english.duration(s)),
            ]);
        }
        align_numbers(&mut structures, 1);
        structures.to_string()
    }
}
