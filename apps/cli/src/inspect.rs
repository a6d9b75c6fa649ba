//! `embate inspect`: what is this mesh like, and what would each structure cost on it?

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use embate::advisor::{RayIndexAdvice, recommend_ray_index};
use embate::raycast::RayIndex;
use embate::{Aabb, Ray, TriangleMesh};
use embate_lab::language::Language;
use embate_lab::random::Random;
use embate_lab::scenes::random_rays;
use embate_mesh::LoadedMesh;
use embate_studies::replica::lorenzi2014::{self, MAX_LEVELS, OctreeAffinity, UnitCubeMap};
use embate_studies::structure::{AnyRayStructure, RayStructure};
use serde_json::{Value, json};

use crate::args::{InspectRequest, LimitArguments};
use crate::failure::{Failure, print};
use crate::meshes;
use crate::tables::{align_numbers, bare_table};

/// Rays each structure is tried on, at most; and for how long.
const TRIAL_RAYS: u32 = 10_000;
const TRIAL_TIME: Duration = Duration::from_millis(300);

/// What one structure costs on this mesh.
struct Trial {
    technique: RayStructure,
    bytes: usize,
    build_s: f64,
    /// Mean over the rays tried; `None` on a mesh without triangles.
    ray_s: Option<f64>,
}

struct Inspection {
    loaded: LoadedMesh,
    bounds: Option<Aabb<3>>,
    triangles_per_level: [u32; MAX_LEVELS],
    advice: RayIndexAdvice,
    trials: Vec<Trial>,
}

/// A structure measured to be so many times as fast as the one chosen by features is worth a word.
const WORTH_A_WORD: f64 = 1.1;

pub(crate) fn run(request: &InspectRequest) -> Result<(), Failure> {
    let inspection = inspect(&request.mesh, &request.limits)?;
    if request.json {
        return print(&format!("{:#}\n", inspection.to_json(request)));
    }
    print(&inspection.to_text(request))
}

/// `embate advise` on a mesh: the recommendation and what speaks for it.
pub(crate) fn advise(mesh: &Path, limits: &LimitArguments, json: bool) -> Result<(), Failure> {
    let inspection = inspect(mesh, limits)?;
    if json {
        let asked = json!({ "command": "advise", "file": mesh.display().to_string() });
        let json = json!({
            "asked": asked,
            "features": inspection.features_json(),
            "measured": inspection.structures_json(),
            "recommendation": inspection.recommendation_json(),
        });
        return print(&format!("{json:#}\n"));
    }
    print(&match inspection.recommendation() {
        None => "The mesh has no triangles: any structure will do.\n".to_owned(),
        Some(text) => format!("{text}\n\n{}\n", inspection.structures_table()),
    })
}

fn inspect(mesh: &Path, limits: &LimitArguments) -> Result<Inspection, Failure> {
    let loaded = meshes::load(mesh, limits)?;
    let mesh = &loaded.mesh;
    let rays = random_rays(UnitCubeMap::of(mesh), TRIAL_RAYS, &mut Random::new(1));
    let mut triangles_per_level = [0; MAX_LEVELS];
    let mut trials = Vec::new();
    for technique in RayStructure::STRUCTURES {
        let clock = Instant::now();
        let index = technique.build(mesh);
        let build_s = clock.elapsed().as_secs_f64();
        if let AnyRayStructure::LorenziOctree(octree) = &index {
            triangles_per_level = lorenzi2014::Octree::triangles_per_level(octree);
        }
        let ray_s = (!mesh.triangles().is_empty()).then(|| mean_time(&index, &rays));
        trials.push(Trial { technique, bytes: index.memory_usage(), build_s, ray_s });
    }
    let (bounds, advice) = (mesh.bounds(), recommend_ray_index(mesh));
    Ok(Inspection { loaded, bounds, triangles_per_level, advice, trials })
}

/// Seconds a ray, over as many rays as the trial's time allows.
fn mean_time(index: &AnyRayStructure, rays: &[Ray<3>]) -> f64 {
    let clock = Instant::now();
    let mut answered = 0;
    for ray in rays {
        std::hint::black_box(index.closest_hit(std::hint::black_box(ray)));
        answered += 1;
        if clock.elapsed() > TRIAL_TIME {
            break;
        }
    }
    clock.elapsed().as_secs_f64() / f64::from(answered)
}

impl Inspection {
    fn mesh(&self) -> &TriangleMesh {
        &self.loaded.mesh
    }

    fn affinity(&self) -> Option<OctreeAffinity> {
        let any = !self.mesh().triangles().is_empty();
        any.then(|| OctreeAffinity::of(&self.triangles_per_level))
    }

    fn level_percent(&self) -> [f64; MAX_LEVELS] {
        let all = self.mesh().triangles().len().max(1) as f64;
        self.triangles_per_level.map(|count| 100.0 * f64::from(count) / all)
    }

    fn ray_s(&self, technique: RayStructure) -> Option<f64> {
        self.trials.iter().find(|trial| trial.technique == technique)?.ray_s
    }

    /// Those of ours that were timed, fastest first.
    fn ours(&self) -> Vec<(RayStructure, f64)> {
        let ours =
            self.trials.iter().filter(|t| t.technique.reference() == RayStructure::BRUTE_FORCE);
        let mut timed: Vec<_> =
            ours.filter_map(|trial| Some((trial.technique, trial.ray_s?))).collect();
        timed.sort_by(|a, b| a.1.total_cmp(&b.1));
        timed
    }

    /// Which structure `auto` takes, why, and what was measured; nothing of a mesh without triangles.
    fn recommendation(&self) -> Option<String> {
        Some(format!(
            "Use {}: {}. {}",
            self.advice.kind.name(),
            self.advice.reason(),
            self.evidence()?
        ))
    }

    fn evidence(&self) -> Option<String> {
        let english = Language::English;
        let chosen = self.ray_s(self.advice.kind.into())?;
        let ours = self.ours();
        let others = ours.iter().filter(|(technique, _)| *technique != self.advice.kind.into());
        let others: Vec<String> =
            others.map(|(t, s)| format!("{} {}", t.name(), english.duration(*s))).collect();
        let mut text = format!(
            "Measured here it takes {} a ray ({})",
            english.duration(chosen),
            others.join(", ")
        );
        if let Some((fastest, ray_s)) = ours.first()
            && chosen > WORTH_A_WORD * ray_s
        {
            let _ = write!(
                text,
                "; here and now {} was faster: an unusual mesh, or other work on this machine",
                fastest.name()
            );
        }
        let octree = self.ray_s(RayStructure::LorenziOctree)?;
        let basic = self.ray_s(RayStructure::LorenziBruteForce)?;
        let (word, times) =
            if octree < basic { ("faster", basic / octree) } else { ("slower", octree / basic) };
        let _ = write!(
            text,
            ". Study A's octree takes {} ({} {word} than its own brute force), but repeats the study's faults: hits \
             behind the origin count.",
            english.duration(octree),
            english.times(times),
        );
        Some(text)
    }

    fn recommendation_json(&self) -> Option<Value> {
        let evidence = self.evidence()?;
        Some(json!({
            "structure": self.advice.kind.name(),
            "reason": self.advice.reason(),
            "evidence": evidence,
        }))
    }

    fn features_json(&self) -> Value {
        let features = self.advice.features;
        json!({ "triangles": features.triangles, "boxes_over_a_point": features.mean_aabb_overlap })
    }

    fn structures_json(&self) -> Value {
        let structures = self.trials.iter().map(|trial| {
            json!({
                "name": trial.technique.name(),
                "bytes": trial.bytes,
                "build_s": trial.build_s,
                "query_s_per_ray": trial.ray_s,
            })
        });
        structures.collect()
    }

    fn to_json(&self, request: &InspectRequest) -> Value {
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

    fn to_text(&self, request: &InspectRequest) -> String {
        let english = Language::English;
        let count = |n: usize| english.integer(n as u64);
        let mesh = self.mesh();
        let mut facts = bare_table(&[]);
        facts.add_row(["file", &request.mesh.display().to_string()]);
        facts.add_row(["format", &self.loaded.format.to_string()]);
        facts.add_row(["bytes, unpacked", &english.integer(self.loaded.file_bytes)]);
        facts.add_row(["vertices", &count(mesh.positions().len())]);
        facts.add_row(["triangles", &count(mesh.triangles().len())]);
        facts.add_row(["degenerate triangles", &count(mesh.degenerate_triangles())]);
        if let Some(bounds) = self.bounds {
            facts.add_row(["least corner", &format!("{:?}", bounds.min)]);
            facts.add_row(["greatest corner", &format!("{:?}", bounds.max)]);
            facts.add_row(["size", &format!("{:?}", bounds.extents())]);
        }
        facts.add_row(["octree affinity", self.affinity().map_or("none", OctreeAffinity::name)]);
        let crowding = format!("{:.3}", self.advice.features.mean_aabb_overlap);
        facts.add_row(["boxes of triangles over a point, mean", &crowding]);

        let mut levels = bare_table(&["level", "triangles", "%"]);
        for (level, (n, share)) in
            self.triangles_per_level.into_iter().zip(self.level_percent()).enumerate()
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

    fn structures_table(&self) -> String {
        let english = Language::English;
        let triangles = self.mesh().triangles().len().max(1) as f64;
        let mut structures =
            bare_table(&["structure", "memory", "bytes a triangle", "build", "a ray"]);
        for trial in &self.trials {
            structures.add_row([
                trial.technique.name().to_owned(),
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
