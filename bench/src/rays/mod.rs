//! What does a ray hit? Meshes, queries, peers, and what is told of each.

mod bvh_crate;
mod embree;
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

use self::measure::{Figures, measure};
use self::scenes::Scene;
use self::verdict::Verdict;
use crate::table::Table;

const COLUMNS: &str = "mesh,triangles,query,threads,peer,rays,best_s,million_rays_per_s,ratio_to_ours,\
                       build_ms,bytes_per_triangle,differing,note";

/// What is asked of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Query {
    /// The closest hit of one ray after another.
    Closest,
    /// Whether one ray after another hits anything.
    Any,
    /// The closest hits of all rays in one call.
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

/// One who answers rays on a mesh it was built for.
pub trait Caster: Sync {
    /// The closest hit's distance of each ray, infinite for none; for [`Query::Any`] any finite number is a hit.
    /// `None`: this peer does not answer that.
    fn cast(&self, query: Query, rays: &[Ray<3>], out: &mut Vec<f32>) -> Option<()>;

    fn bytes(&self) -> Option<usize> {
        None
    }
}

/// How a peer is called and made; `None` where it is not installed or the mesh is too much for it.
pub type Entry = (&'static str, fn(&TriangleMesh) -> Option<Box<dyn Caster>>);

/// Ours first: the first is what all ratios refer to.
const PEERS: &[Entry] = &[
    ("bvh", ours::bvh),
    ("octree", ours::octree),
    ("bvh-fast", ours::fast),
    ("bvh-best", ours::best),
    ("bvh-compact", ours::compact),
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

/// Measures what is wanted, tells each figure as it comes and the verdict at the end.
pub fn run(table: &mut Table, options: &Options) {
    table.line(COLUMNS);
    if let Some(why) = embree::why_absent() {
        table.line(&format!("every,,,,embree,,,,,,,,{why}"));
    }
    for name in scenes::missing(&options.folder).filter(|name| options.wants_mesh(name)) {
        let folder = options.folder.display();
        table.line(&format!("{name},,,,,,,,,,,,not in {folder}: name another folder by --meshes"));
    }
    let mut verdict = Verdict::default();
    for scene in scenes::all(&options.folder).filter(|scene| options.wants_mesh(scene.name)) {
        let mesh = (scene.make)();
        let rays = scenes::rays(&mesh, options.rays);
        for threads in [1, 2] {
            let all = measure(&mesh, &rays, threads, options);
            tell(table, &scene, &mesh, rays.len(), threads, &all);
            verdict.add(scene.name, mesh.triangles().len(), threads, &all);
        }
    }
    verdict.print();
}

fn tell(
    table: &mut Table,
    scene: &Scene,
    mesh: &TriangleMesh,
    rays: usize,
    threads: usize,
    all: &[Figures],
) {
    let triangles = mesh.triangles().len();
    for figures in all {
        let ours =
            all.iter().find(|other| other.query == figures.query).map(|ours| ours.seconds_a_ray);
        let ratio = ours.map_or(f64::NAN, |ours| ours / figures.seconds_a_ray);
        table.line(&format!(
            "{},{triangles},{},{threads},{},{rays},{:.6},{:.4},{ratio:.3},{:.1},{},{},{}",
            scene.name,
            figures.query.name(),
            figures.peer,
            figures.seconds_a_ray * figures.rays as f64,
            1e-6 / figures.seconds_a_ray,
            figures.build_s * 1e3,
            figures
                .bytes
                .map_or(String::new(), |bytes| format!("{:.1}", bytes as f64 / triangles as f64)),
            figures.differing,
            if figures.rays < rays { format!("by {} rays", figures.rays) } else { String::new() },
        ));
    }
}
