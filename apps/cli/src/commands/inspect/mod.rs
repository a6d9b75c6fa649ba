//! `embate inspect`: size of a mesh, its octree affinity, and the measured cost of each
//! acceleration structure.

mod report;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use embate::advisor::{RayIndexAdvice, recommend_ray_index};
use embate::raycast::RayIndex;
use embate::{Aabb, Ray};
use embate_mesh::LoadedMesh;
use embate_replica::lorenzi2014::{self, UnitCubeMap};
use embate_replica::structure::{AnyRayStructure, RayStructure};
use embate_scene::generators::random_rays;
use embate_scene::random::Random;
use serde_json::json;

use crate::args::LimitArguments;
use crate::failure::Failure;
use crate::io::mesh_file;
use crate::io::output::print;

#[derive(Debug, Args)]
pub(crate) struct InspectRequest {
    /// Mesh: OBJ, STL, PLY, glTF, GLB, or text with nine numbers per triangle; may be gzipped
    pub(crate) mesh: PathBuf,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
}

/// Maximum number of rays, of rounds over them, and maximum time, per measured structure.
const TRIAL_RAYS: u32 = 10_000;
const TRIAL_ROUNDS: u32 = 3;
const TRIAL_TIME: Duration = Duration::from_millis(300);

/// Measured costs of one structure on the mesh.
struct Trial {
    structure: RayStructure,
    bytes: usize,
    build_s: f64,
    /// Mean time per ray; `None` for a mesh without triangles.
    ray_s: Option<f64>,
}

struct Inspection {
    loaded: LoadedMesh,
    bounds: Option<Aabb<3>>,
    triangles_per_level: Vec<u32>,
    advice: RayIndexAdvice,
    trials: Vec<Trial>,
}

pub(crate) fn run(request: &InspectRequest) -> Result<(), Failure> {
    let inspection = inspect(&request.mesh, &request.limits)?;
    if request.json {
        return print(&format!("{:#}\n", inspection.to_json(request)));
    }
    print(&inspection.to_text(request))
}

/// `embate advise` for a mesh: the recommendation with its measurements.
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
        None => "The mesh has no triangles: all structures cost the same.\n".to_owned(),
        Some(text) => format!("{text}\n\n{}\n", inspection.structures_table()),
    })
}

fn inspect(mesh: &Path, limits: &LimitArguments) -> Result<Inspection, Failure> {
    let loaded = mesh_file::load(mesh, limits)?;
    let mesh = &loaded.mesh;
    let rays = random_rays(UnitCubeMap::of(mesh), TRIAL_RAYS, &mut Random::new(1));
    let mut triangles_per_level = Vec::new();
    let mut trials = Vec::new();
    for structure in RayStructure::STRUCTURES {
        let clock = Instant::now();
        let index = structure.build(mesh);
        let build_s = clock.elapsed().as_secs_f64();
        if let AnyRayStructure::LorenziOctree(octree) = &index {
            triangles_per_level = lorenzi2014::Octree::triangles_per_level(octree);
        }
        let ray_s = (!mesh.triangles().is_empty()).then(|| mean_time(&index, &rays));
        trials.push(Trial { structure, bytes: index.memory_usage(), build_s, ray_s });
    }
    let (bounds, advice) = (mesh.bounds(), recommend_ray_index(mesh));
    Ok(Inspection { loaded, bounds, triangles_per_level, advice, trials })
}

/// Mean seconds per ray, over as many rays as fit into [`TRIAL_TIME`]: the least of several rounds,
/// since other load of the machine only ever adds time.
fn mean_time(index: &AnyRayStructure, rays: &[Ray<3>]) -> f64 {
    let (start, mut least) = (Instant::now(), f64::INFINITY);
    for _ in 0..TRIAL_ROUNDS {
        let (round, mut cast) = (Instant::now(), 0);
        for ray in rays {
            std::hint::black_box(index.closest_hit(std::hint::black_box(ray)));
            cast += 1;
            if start.elapsed() > TRIAL_TIME {
                break;
            }
        }
        // A round that the time limit cut short has too few rays to be compared with.
        if cast == rays.len() || least == f64::INFINITY {
            least = least.min(round.elapsed().as_secs_f64() / cast as f64);
        }
        if start.elapsed() > TRIAL_TIME {
            break;
        }
    }
    least
}
