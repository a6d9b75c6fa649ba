//! Ray casting: closest hit, any hit and batches of rays, on several meshes.

pub mod auto;
mod bvh_crate;
mod embree;
pub mod growth;
mod lorenzi2014;
mod measure;
mod obvhs;
mod options;
mod ours;
mod parry;
mod scenes;
mod verdict;

pub use options::{HELP, Options};

use embate::{Ray, TriangleMesh};

use self::measure::{Measurement, measure};
use self::scenes::Scene;
use self::verdict::Verdict;
use crate::harness::table::{Table, optional};

const COLUMNS: &str = "mesh,triangles,query,threads,peer,rays,best_s,million_rays_per_s,ratio_to_ours,\
                       build_ms,bytes_per_triangle,differing,note";

/// Kind of query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// Closest hit, one ray per call.
    Closest,
    /// Any hit, one ray per call.
    Any,
    /// Closest hits of all rays in one call.
    Batch,
}

impl Query {
    const ALL: [Self; 3] = [Self::Closest, Self::Any, Self::Batch];

    pub fn name(self) -> &'static str {
        match self {
            Self::Closest => "closest",
            Self::Any => "any",
            Self::Batch => "batch",
        }
    }
}

/// A peer: an acceleration structure of one mesh.
pub trait Caster: Sync {
    /// Appends `t` of each ray's closest hit, infinite on a miss; for [`Query::Any`] any finite
    /// number is a hit. `None` if the peer does not support the query.
    fn cast(&self, query: Query, rays: &[Ray<3>], out: &mut Vec<f32>) -> Option<()>;

    fn bytes(&self) -> Option<usize> {
        None
    }
}

/// Name and constructor of a peer; `None` if it is not installed or does not support the mesh.
pub type Entry = (&'static str, fn(&TriangleMesh) -> Option<Box<dyn Caster>>);

/// All peers; the first, of Embate, is the reference of all ratios.
const PEERS: &[Entry] = &[
    ("bvh", ours::bvh),
    ("octree", ours::octree),
    ("bvh-fast", ours::fast),
    ("bvh-best", ours::best),
    ("bvh-compact", ours::compact),
    ("kd-tree", ours::kd_tree),
    ("bsp", ours::bsp),
    ("grid", ours::grid),
    ("compact-octree", ours::compact_octree),
    ("brute", ours::brute),
    ("study-octree", lorenzi2014::octree),
    ("study-brute", lorenzi2014::brute),
    ("embree", embree::medium),
    ("embree-high", embree::high),
    ("embree-robust", embree::robust),
    ("parry3d", parry::new),
    ("obvhs-cwbvh", obvhs::new),
    ("bvh-crate", bvh_crate::new),
];

/// Measures the selected meshes and peers; writes one row per peer and query, and prints a summary
/// at the end.
pub fn run(table: &mut Table, options: &Options) {
    table.row(COLUMNS);
    if let Some(why) = embree::why_absent() {
        table.row(&format!("every,,,,embree,,,,,,,,{why}"));
    }
    for name in scenes::missing(&options.folder).filter(|name| options.selects_mesh(name)) {
        let folder = options.folder.display();
        table.row(&format!("{name},,,,,,,,,,,,not in {folder}: name another folder with --meshes"));
    }
    let mut verdict = Verdict::default();
    for scene in scenes::all(&options.folder).filter(|scene| options.selects_mesh(scene.name)) {
        let mesh = (scene.make)();
        let rays = scenes::rays(&mesh, options.rays);
        for threads in [1, 2] {
            let measurements = measure(&mesh, &rays, threads, options);
            write_rows(table, &scene, &mesh, rays.len(), threads, &measurements);
            verdict.add(scene.name, mesh.triangles().len(), threads, &measurements);
        }
    }
    verdict.print();
}

fn write_rows(
    table: &mut Table,
    scene: &Scene,
    mesh: &TriangleMesh,
    rays: usize,
    threads: usize,
    measurements: &[Measurement],
) {
    let triangles = mesh.triangles().len();
    for measurement in measurements {
        let reference = measurements.iter().find(|other| other.query == measurement.query);
        let ratio =
            reference.map_or(f64::NAN, |ours| ours.seconds_per_ray / measurement.seconds_per_ray);
        table.row(&format!(
            "{},{triangles},{},{threads},{},{rays},{:.6},{:.4},{ratio:.3},{:.1},{},{},{}",
            scene.name,
            measurement.query.name(),
            measurement.peer,
            measurement.seconds_per_ray * measurement.rays as f64,
            1e-6 / measurement.seconds_per_ray,
            measurement.build_s * 1e3,
            optional(measurement.bytes.map(|bytes| bytes as f64 / triangles as f64), 1),
            measurement.differing,
            if measurement.rays < rays {
                format!("by {} rays", measurement.rays)
            } else {
                String::new()
            },
        ));
    }
}
