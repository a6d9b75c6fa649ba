//! Where do we stand? Ratios to the peers that count, and their geometric means over the four known meshes.

use super::Query;
use super::measure::Figures;

/// The meshes of the means.
const KNOWN: [&str; 4] = ["bunny", "small_city", "sponza_crytek", "dragon"];

/// A question: our structure, what is asked, on how many threads, over which peers' best single-ray closest (or
/// any) hit.
struct Question {
    title: &'static str,
    ours: &'static str,
    query: Query,
    threads: usize,
    over: (Query, &'static [&'static str]),
}

const FASTEST: &[&str] = &["embree", "embree-high"];
const ROBUST: &[&str] = &["embree-robust"];
const CRATES: &[&str] = &["parry3d", "obvhs-cwbvh", "bvh-crate"];

const QUESTIONS: [Question; 8] = [
    Question {
        title: "closest ÷ Embree's fastest",
        ours: "bvh",
        query: Query::Closest,
        threads: 1,
        over: (Query::Closest, FASTEST),
    },
    Question {
        title: "closest ÷ Embree robust",
        ours: "bvh",
        query: Query::Closest,
        threads: 1,
        over: (Query::Closest, ROBUST),
    },
    Question {
        title: "any ÷ Embree's fastest",
        ours: "bvh",
        query: Query::Any,
        threads: 1,
        over: (Query::Any, FASTEST),
    },
    Question {
        title: "batch ÷ Embree's closest",
        ours: "bvh",
        query: Query::Batch,
        threads: 1,
        over: (Query::Closest, FASTEST),
    },
    Question {
        title: "batch on two ÷ on one",
        ours: "bvh",
        query: Query::Batch,
        threads: 2,
        over: (Query::Batch, &["bvh"]),
    },
    Question {
        title: "closest ÷ best Rust crate",
        ours: "bvh",
        query: Query::Closest,
        threads: 1,
        over: (Query::Closest, CRATES),
    },
    Question {
        title: "octree ÷ Embree's fastest",
        ours: "octree",
        query: Query::Closest,
        threads: 1,
        over: (Query::Closest, FASTEST),
    },
    Question {
        title: "closest ÷ study A's brute",
        ours: "bvh",
        query: Query::Closest,
        threads: 1,
        over: (Query::Closest, &["study-brute"]),
    },
];

/// Collects mesh after mesh.
#[derive(Default)]
pub struct Verdict {
    seconds: Vec<(String, usize, Query, &'static str, f64)>,
    meshes: Vec<String>,
}

impl Verdict {
    pub fn add(&mut self, mesh: &str, threads: usize, all: &[Figures]) {
        if !self.meshes.iter().any(|other| other == mesh) {
            self.meshes.push(mesh.to_owned());
        }
        let rows = all
            .iter()
            .map(|each| (mesh.to_owned(), threads, each.query, each.peer, each.seconds_a_ray));
        self.seconds.extend(rows);
    }

    fn fastest(&self, mesh: &str, threads: usize, query: Query, peers: &[&str]) -> Option<f64> {
        let fits = |row: &&(String, usize, Query, &str, f64)| {
            row.0 == mesh && row.1 == threads && row.2 == query && peers.contains(&row.3)
        };
        self.seconds.iter().filter(fits).map(|row| row.4).min_by(f64::total_cmp)
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
                let ours = self.fastest(mesh, question.threads, question.query, &[question.ours]);
                let theirs = self.fastest(mesh, 1, question.over.0, question.over.1);
                let ratio = ours.zip(theirs).map(|(ours, theirs)| theirs / ours);
                print!("{:>14}", ratio.map_or("–".to_owned(), |ratio| format!("{ratio:.2}")));
                known.extend(ratio.filter(|_| KNOWN.contains(&mesh.as_str())));
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
