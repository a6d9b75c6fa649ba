//! Summary of a run: ratios to the most important peers, and their geometric means over the four
//! common meshes.

use super::Query;
use super::measure::Measurement;
use crate::harness::verdict::geometric_mean;

/// Meshes of the geometric means.
const COMMON_MESHES: [&str; 4] = ["bunny", "small_city", "sponza_crytek", "dragon"];

const FASTEST: &[&str] = &["embree", "embree-high"];
const ROBUST: &[&str] = &["embree-robust"];
const CRATES: &[&str] = &["parry3d", "obvhs-cwbvh", "bvh-crate"];

/// Quantity of a line.
enum Quantity {
    /// Speed of the first query, relative to the fastest peer with the second query on one thread.
    Rays(Query, Query, &'static [&'static str]),
    /// Build time, relative to a peer on one thread.
    Build(&'static str),
    /// Bytes per triangle.
    Bytes,
}

/// A line of the summary.
struct Line {
    title: &'static str,
    ours: &'static str,
    threads: usize,
    quantity: Quantity,
}

const fn rays(
    title: &'static str,
    ours: &'static str,
    query: Query,
    over: (Query, &'static [&'static str]),
) -> Line {
    Line { title, ours, threads: 1, quantity: Quantity::Rays(query, over.0, over.1) }
}

const fn build(title: &'static str, ours: &'static str, over: &'static str) -> Line {
    Line { title, ours, threads: 1, quantity: Quantity::Build(over) }
}

const fn bytes(title: &'static str, ours: &'static str) -> Line {
    Line { title, ours, threads: 1, quantity: Quantity::Bytes }
}

const LINES: [Line; 18] = [
    rays("closest ÷ Embree's fastest", "bvh", Query::Closest, (Query::Closest, FASTEST)),
    rays("closest ÷ Embree robust", "bvh", Query::Closest, (Query::Closest, ROBUST)),
    rays("any ÷ Embree's fastest", "bvh", Query::Any, (Query::Any, FASTEST)),
    rays("batch ÷ Embree's closest", "bvh", Query::Batch, (Query::Closest, FASTEST)),
    Line {
        title: "batch on two ÷ on one",
        ours: "bvh",
        threads: 2,
        quantity: Quantity::Rays(Query::Batch, Query::Batch, &["bvh"]),
    },
    rays("closest ÷ best Rust crate", "bvh", Query::Closest, (Query::Closest, CRATES)),
    rays("best ÷ Embree's fastest", "bvh-best", Query::Closest, (Query::Closest, FASTEST)),
    rays("fast ÷ Embree's fastest", "bvh-fast", Query::Closest, (Query::Closest, FASTEST)),
    rays("compact ÷ balanced", "bvh-compact", Query::Closest, (Query::Closest, &["bvh"])),
    rays("octree ÷ Embree's fastest", "octree", Query::Closest, (Query::Closest, FASTEST)),
    rays("closest ÷ Lorenzi 2014 brute", "bvh", Query::Closest, (Query::Closest, &["study-brute"])),
    build("build time ÷ Embree's", "bvh", "embree"),
    build("fast build time ÷ Embree's", "bvh-fast", "embree"),
    Line {
        title: "build time on two ÷ on one",
        ours: "bvh",
        threads: 2,
        quantity: Quantity::Build("bvh"),
    },
    build("best build time ÷ Embree's", "bvh-best", "embree"),
    bytes("bytes per triangle", "bvh"),
    bytes("bytes per triangle, compact", "bvh-compact"),
    bytes("bytes per triangle, octree", "octree"),
];

struct Row {
    mesh: String,
    triangles: usize,
    threads: usize,
    query: Query,
    peer: &'static str,
    seconds: f64,
    build_s: f64,
    bytes: Option<usize>,
}

/// Measurements of all meshes.
#[derive(Default)]
pub struct Verdict {
    rows: Vec<Row>,
    meshes: Vec<String>,
}

impl Verdict {
    pub fn add(
        &mut self,
        mesh: &str,
        triangles: usize,
        threads: usize,
        measurements: &[Measurement],
    ) {
        if !self.meshes.iter().any(|other| other == mesh) {
            self.meshes.push(mesh.to_owned());
        }
        self.rows.extend(measurements.iter().map(|each| Row {
            mesh: mesh.to_owned(),
            triangles,
            threads,
            query: each.query,
            peer: each.peer,
            seconds: each.seconds_per_ray,
            build_s: each.build_s,
            bytes: each.bytes,
        }));
    }

    fn rows(&self, mesh: &str, threads: usize, peer: &str) -> impl Iterator<Item = &Row> {
        let matches =
            move |row: &&Row| row.mesh == mesh && row.threads == threads && row.peer == peer;
        self.rows.iter().filter(matches)
    }

    fn fastest(&self, mesh: &str, threads: usize, query: Query, peers: &[&str]) -> Option<f64> {
        let rows = peers.iter().flat_map(|peer| self.rows(mesh, threads, peer));
        rows.filter(|row| row.query == query).map(|row| row.seconds).min_by(f64::total_cmp)
    }

    fn value(&self, mesh: &str, line: &Line) -> Option<f64> {
        let Line { ours, threads, quantity, .. } = line;
        let our = self.rows(mesh, *threads, ours).next()?;
        match quantity {
            Quantity::Rays(query, over, peers) => {
                let ours = self.fastest(mesh, *threads, *query, &[ours])?;
                Some(self.fastest(mesh, 1, *over, peers)? / ours)
            }
            Quantity::Build(peer) => Some(our.build_s / self.rows(mesh, 1, peer).next()?.build_s),
            Quantity::Bytes => Some(our.bytes? as f64 / our.triangles as f64),
        }
    }

    pub fn print(&self) {
        print!("\n{:<28}", "");
        self.meshes.iter().for_each(|mesh| print!("{mesh:>14}"));
        println!("{:>12}", "mean of 4");
        for line in &LINES {
            print!("{:<28}", line.title);
            let mut common = Vec::new();
            for mesh in &self.meshes {
                let value = self.value(mesh, line);
                print!("{:>14}", value.map_or("–".to_owned(), |value| format!("{value:.2}")));
                common.extend(value.filter(|_| COMMON_MESHES.contains(&mesh.as_str())));
            }
            let mean = geometric_mean(common.into_iter());
            println!("{:>12}", mean.map_or("–".to_owned(), |mean| format!("{mean:.2}")));
        }
    }
}
