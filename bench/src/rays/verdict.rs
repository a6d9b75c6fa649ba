//! Where do we stand? Ratios to the peers that count, and their geometric means over the four known meshes.

use super::Query;
use super::measure::Figures;

/// The meshes of the means.
const KNOWN: [&str; 4] = ["bunny", "small_city", "sponza_crytek", "dragon"];

const FASTEST: &[&str] = &["embree", "embree-high"];
const ROBUST: &[&str] = &["embree-robust"];
const CRATES: &[&str] = &["parry3d", "obvhs-cwbvh", "bvh-crate"];

/// What is compared.
enum Of {
    /// How often as fast the query of `ours` is, over the best of peers on one thread.
    Rays(Query, Query, &'static [&'static str]),
    /// The time of the build, against a peer's on one thread.
    Build(&'static str),
    /// Bytes a triangle.
    Bytes,
}

/// A question, and what is asked for.
struct Question {
    title: &'static str,
    ours: &'static str,
    threads: usize,
    of: Of,
}

const fn rays(
    title: &'static str,
    ours: &'static str,
    query: Query,
    over: (Query, &'static [&'static str]),
) -> Question {
    Question { title, ours, threads: 1, of: Of::Rays(query, over.0, over.1) }
}

const fn build(title: &'static str, ours: &'static str, over: &'static str) -> Question {
    Question { title, ours, threads: 1, of: Of::Build(over) }
}

const fn bytes(title: &'static str, ours: &'static str) -> Question {
    Question { title, ours, threads: 1, of: Of::Bytes }
}

const QUESTIONS: [Question; 18] = [
    rays("closest ÷ Embree's fastest", "bvh", Query::Closest, (Query::Closest, FASTEST)),
    rays("closest ÷ Embree robust", "bvh", Query::Closest, (Query::Closest, ROBUST)),
    rays("any ÷ Embree's fastest", "bvh", Query::Any, (Query::Any, FASTEST)),
    rays("batch ÷ Embree's closest", "bvh", Query::Batch, (Query::Closest, FASTEST)),
    Question {
        title: "batch on two ÷ on one",
        ours: "bvh",
        threads: 2,
        of: Of::Rays(Query::Batch, Query::Batch, &["bvh"]),
    },
    rays("closest ÷ best Rust crate", "bvh", Query::Closest, (Query::Closest, CRATES)),
    rays("best ÷ Embree's fastest", "bvh-best", Query::Closest, (Query::Closest, FASTEST)),
    rays("fast ÷ Embree's fastest", "bvh-fast", Query::Closest, (Query::Closest, FASTEST)),
    rays("compact ÷ balanced", "bvh-compact", Query::Closest, (Query::Closest, &["bvh"])),
    rays("octree ÷ Embree's fastest", "octree", Query::Closest, (Query::Closest, FASTEST)),
    rays("closest ÷ study A's brute", "bvh", Query::Closest, (Query::Closest, &["study-brute"])),
    build("build time ÷ Embree's", "bvh", "embree"),
    build("fast build time ÷ Embree's", "bvh-fast", "embree"),
    Question {
        title: "build time on two ÷ on one",
        ours: "bvh",
        threads: 2,
        of: Of::Build("bvh"),
    },
    build("best build time ÷ Embree's", "bvh-best", "embree"),
    bytes("bytes a triangle", "bvh"),
    bytes("bytes a triangle, compact", "bvh-compact"),
    bytes("bytes a triangle, octree", "octree"),
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

/// Collects mesh after mesh.
#[derive(Default)]
pub struct Verdict {
    rows: Vec<Row>,
    meshes: Vec<String>,
}

impl Verdict {
    pub fn add(&mut self, mesh: &str, triangles: usize, threads: usize, all: &[Figures]) {
        if !self.meshes.iter().any(|other| other == mesh) {
            self.meshes.push(mesh.to_owned());
        }
        self.rows.extend(all.iter().map(|each| Row {
            mesh: mesh.to_owned(),
            triangles,
            threads,
            query: each.query,
            peer: each.peer,
            seconds: each.seconds_a_ray,
            build_s: each.build_s,
            bytes: each.bytes,
        }));
    }

    fn rows(&self, mesh: &str, threads: usize, peer: &str) -> impl Iterator<Item = &Row> {
        let fits = move |row: &&Row| row.mesh == mesh && row.threads == threads && row.peer == peer;
        self.rows.iter().filter(fits)
    }

    fn fastest(&self, mesh: &str, threads: usize, query: Query, peers: &[&str]) -> Option<f64> {
        let rows = peers.iter().flat_map(|peer| self.rows(mesh, threads, peer));
        rows.filter(|row| row.query == query).map(|row| row.seconds).min_by(f64::total_cmp)
    }

    fn answer(&self, mesh: &str, question: &Question) -> Option<f64> {
        let Question { ours, threads, of, .. } = question;
        let our = self.rows(mesh, *threads, ours).next()?;
        match of {
            Of::Rays(query, over, peers) => {
                let ours = self.fastest(mesh, *threads, *query, &[ours])?;
                Some(self.fastest(mesh, 1, *over, peers)? / ours)
            }
            Of::Build(peer) => Some(our.build_s / self.rows(mesh, 1, peer).next()?.build_s),
            Of::Bytes => Some(our.bytes? as f64 / our.triangles as f64),
        }
    }

    /// The table, on the terminal alone: its figures are all in the file.
    pub fn print(&self) {
        print!("\n{:<28}", "");
        self.meshes.iter().for_each(|mesh| print!("{mesh:>14}"));
        println!("{:>12}", "mean of 4");
        for question in &QUESTIONS {
            print!("{:<28}", question.title);
            let mut known = Vec::new();
            for mesh in &self.meshes {
                let answer = self.answer(mesh, question);
                print!("{:>14}", answer.map_or("–".to_owned(), |answer| format!("{answer:.2}")));
                known.extend(answer.filter(|_| KNOWN.contains(&mesh.as_str())));
            }
            let mean =
                (known.iter().map(|ratio| ratio.ln()).sum::<f64>() / known.len() as f64).exp();
            println!(
                "{:>12}",
                if known.is_empty() { "–".to_owned() } else { format!("{mean:.2}") }
            );
        }
    }
}
