//! `embate inspect`: what is this mesh like, and what would each structure cost on it?

use std::fmt::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use embate::rays::{Affinity, AnyRayIndex, LEVELS, RayIndex, RayTechnique, StudyFit, StudyOctree};
use embate::{Aabb, Ray, TriangleMesh};
use embate_lab::language::Language;
use embate_lab::random::Random;
use embate_lab::scenes::random_rays;
use embate_mesh::LoadedMesh;
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
    technique: RayTechnique,
    bytes: usize,
    build_s: f64,
    /// Mean over the rays tried; `None` on a mesh without triangles.
    ray_s: Option<f64>,
}

struct Inspection {
    loaded: LoadedMesh,
    bounds: Option<Aabb<3>>,
    triangles_per_level: [u32; LEVELS],
    trials: Vec<Trial>,
}

pub(crate) fn run(request: &InspectRequest) -> Result<(), Failure> {
    let inspection = inspect(&request.mesh, &request.limits)?;
    if request.json {
        return print(&format!("{:#}\n", inspection.to_json(request)));
    }
    print(&inspection.to_text(request))
}

/// `embate advise` on a mesh: the recommendation alone.
pub(crate) fn advise(mesh: &Path, limits: &LimitArguments, json: bool) -> Result<(), Failure> {
    let inspection = inspect(mesh, limits)?;
    let recommendation = inspection.recommendation();
    if json {
        let asked = json!({ "command": "advise", "file": mesh.display().to_string() });
        let recommendation = recommendation
            .map(|(technique, reason)| json!({ "structure": technique.name(), "reason": reason }));
        let json = json!({ "asked": asked, "recommendation": recommendation });
        return print(&format!("{json:#}\n"));
    }
    print(&recommendation.map_or_else(
        || "The mesh has no triangles: any structure will do.\n".to_owned(),
        |(technique, reason)| format!("Use {}: {reason}.\n", technique.name()),
    ))
}

fn inspect(mesh: &Path, limits: &LimitArguments) -> Result<Inspection, Failure> {
    let loaded = meshes::load(mesh, limits)?;
    let mesh = &loaded.mesh;
    let rays = random_rays(StudyFit::of(mesh), TRIAL_RAYS, &mut Random::new(1));
    let mut triangles_per_level = [0; LEVELS];
    let mut trials = Vec::new();
    for technique in RayTechnique::ALL {
        let clock = Instant::now();
        let index = technique.build(mesh);
        let build_s = clock.elapsed().as_secs_f64();
        if let AnyRayIndex::StudyOctree(octree) = &index {
            triangles_per_level = StudyOctree::triangles_per_level(octree);
        }
        let ray_s = (!mesh.triangles().is_empty()).then(|| mean_time(&index, &rays));
        trials.push(Trial { technique, bytes: index.bytes(), build_s, ray_s });
    }
    Ok(Inspection { bounds: mesh.bounds(), triangles_per_level, trials, loaded })
}

/// Seconds a ray, over as many rays as the trial's time allows.
fn mean_time(index: &AnyRayIndex, rays: &[Ray<3>]) -> f64 {
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

    fn affinity(&self) -> Option<Affinity> {
        let any = !self.mesh().triangles().is_empty();
        any.then(|| Affinity::of(&self.triangles_per_level))
    }

    fn level_percent(&self) -> [f64; LEVELS] {
        let all = self.mesh().triangles().len().max(1) as f64;
        self.triangles_per_level.map(|count| 100.0 * f64::from(count) / all)
    }

    /// Our fastest structure on this mesh, and why.
    fn recommendation(&self) -> Option<(RayTechnique, String)> {
        let ours = self.trials.iter().filter(|t| t.technique.judge() == RayTechnique::Brute);
        let measured = ours.filter_map(|trial| Some((trial.technique, trial.ray_s?)));
        let (technique, ray_s) = measured.min_by(|a, b| a.1.total_cmp(&b.1))?;
        let octree = self.trials.iter().find(|t| t.technique == RayTechnique::StudyOctree)?.ray_s?;
        let basic = self.trials.iter().find(|t| t.technique == RayTechnique::StudyBrute)?.ray_s?;
        let english = Language::English;
        let (word, times) =
            if octree < basic { ("faster", basic / octree) } else { ("slower", octree / basic) };
        let reason = format!(
            "the fastest of ours at {} a ray, and watertight. Study A's octree takes {} ({} {word} than its \
             own brute force), but repeats the study's faults: hits behind the origin count",
            english.duration(ray_s),
            english.duration(octree),
            english.times(times),
        );
        Some((technique, reason))
    }

    fn to_json(&self, request: &InspectRequest) -> Value {
        let structures = self.trials.iter().map(|trial| {
            json!({
                "name": trial.technique.name(),
                "bytes": trial.bytes,
                "build_s": trial.build_s,
                "query_s_per_ray": trial.ray_s,
            })
        });
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
            "affinity": self.affinity().map(Affinity::name),
            "structures": structures.collect::<Vec<_>>(),
            "recommendation": self.recommendation().map(|(technique, reason)| {
                json!({ "structure": technique.name(), "reason": reason })
            }),
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
            facts.add_row(["size", &format!("{:?}", bounds.size())]);
        }
        facts.add_row(["octree affinity", self.affinity().map_or("none", Affinity::name)]);

        let mut levels = bare_table(&["level", "triangles", "%"]);
        for (level, (n, share)) in
            self.triangles_per_level.into_iter().zip(self.level_percent()).enumerate()
        {
            levels.add_row([(level + 1).to_string(), count(n as usize), format!("{share:.2}")]);
        }
        let mut structures =
            bare_table(&["structure", "memory", "bytes a triangle", "build", "a ray"]);
        for trial in &self.trials {
            let per_triangle = trial.bytes as f64 / mesh.triangles().len().max(1) as f64;
            structures.add_row([
                trial.technique.name().to_owned(),
                english.bytes(trial.bytes as u64),
                format!("{per_triangle:.1}"),
                english.duration(trial.build_s),
                trial.ray_s.map_or_else(|| "–".to_owned(), |s| english.duration(s)),
            ]);
        }
        align_numbers(&mut levels, 0);
        align_numbers(&mut structures, 1);
        let mut text = format!("{facts}\n\n{levels}\n\n{structures}\n");
        if let Some((technique, reason)) = self.recommendation() {
            let _ = writeln!(text, "\nUse {}: {reason}.", technique.name());
        }
        text
    }
}
