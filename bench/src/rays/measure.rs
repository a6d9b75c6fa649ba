//! Passes over the same rays, by all peers in turn; the best of each counts.

use std::time::{Duration, Instant};

use embate::{Ray, TriangleMesh};

use super::{Caster, Options, PEERS, Query};

/// A peer that needs longer than this for a pass is given fewer rays.
const PASS: Duration = Duration::from_millis(400);
/// Distances further apart than this part of them are different answers.
const DIFFERENT: f32 = 1e-3;
/// Builds of which the best counts.
const BUILDS: u32 = 3;

/// What became of one query.
pub struct Figures {
    pub peer: &'static str,
    pub query: Query,
    pub seconds_a_ray: f64,
    /// As many as it was given.
    pub rays: usize,
    pub build_s: f64,
    pub bytes: Option<usize>,
    /// Rays whose answer is not ours.
    pub differing: usize,
}

struct Built {
    peer: &'static str,
    caster: Box<dyn Caster>,
    build_s: f64,
    rays: usize,
}

/// Everything asked of one mesh, on so many threads.
pub fn measure(
    mesh: &TriangleMesh,
    rays: &[Ray<3>],
    threads: usize,
    options: &Options,
) -> Vec<Figures> {
    let pool =
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool of threads");
    pool.install(|| {
        let built = build_all(mesh, rays, threads, options);
        let queries = if threads == 1 { &Query::ALL[..] } else { &[Query::Batch] };
        queries.iter().flat_map(|&query| ask_all(&built, rays, query, options.repeats)).collect()
    })
}

fn build_all(
    mesh: &TriangleMesh,
    rays: &[Ray<3>],
    threads: usize,
    options: &Options,
) -> Vec<Built> {
    let mut all: Vec<Built> = Vec::new();
    for round in 0..BUILDS {
        for (number, &(peer, make)) in PEERS.iter().enumerate() {
            let is_wanted = number == 0 || options.wants_peer(peer);
            // Peers answer one ray at a time; on more threads only our own batches are of interest.
            if !is_wanted || (threads > 1 && number > 1) {
                continue;
            }
            let begun = Instant::now();
            let Some(caster) = make(mesh) else { continue };
            let build_s = begun.elapsed().as_secs_f64();
            if round == 0 {
                all.push(Built { peer, rays: affordable(&*caster, rays), caster, build_s });
            } else if let Some(earlier) = all.iter_mut().find(|built| built.peer == peer) {
                earlier.build_s = earlier.build_s.min(build_s);
            }
        }
    }
    all
}

/// As many rays as it answers in the time of a pass.
fn affordable(caster: &dyn Caster, rays: &[Ray<3>]) -> usize {
    let mut out = Vec::new();
    let mut tried = 64.min(rays.len());
    loop {
        let begun = Instant::now();
        let _ = caster.cast(Query::Closest, &rays[..tried], &mut out);
        let took = begun.elapsed();
        if tried == rays.len() || took * 4 > PASS {
            let fits = tried as f64 * PASS.as_secs_f64() / took.as_secs_f64();
            return (fits as usize).clamp(32.min(rays.len()), rays.len());
        }
        tried = (tried * 4).min(rays.len());
    }
}

fn ask_all(built: &[Built], rays: &[Ray<3>], query: Query, repeats: u32) -> Vec<Figures> {
    let mut out = Vec::with_capacity(rays.len());
    let mut best = vec![f64::INFINITY; built.len()];
    let mut differing = vec![0; built.len()];
    let mut ours: Vec<f32> = Vec::new();
    for round in 0..repeats {
        for (number, peer) in built.iter().enumerate() {
            let begun = Instant::now();
            out.clear();
            if peer.caster.cast(query, &rays[..peer.rays], &mut out).is_none() {
                continue;
            }
            best[number] = best[number].min(begun.elapsed().as_secs_f64());
            // Every pass is checked: an answer that changes is no answer.
            if round == 0 && number == 0 {
                ours.clone_from(&out);
            }
            let count = out
                .iter()
                .zip(&ours)
                .filter(|&(&theirs, &ours)| is_different(theirs, ours, query))
                .count();
            differing[number] = count.max(differing[number]);
        }
    }
    let asked = built.iter().zip(best).zip(differing).filter(|((_, best), _)| best.is_finite());
    asked
        .map(|((built, best), differing)| Figures {
            peer: built.peer,
            query,
            seconds_a_ray: best / built.rays as f64,
            rays: built.rays,
            build_s: built.build_s,
            bytes: built.caster.bytes(),
            differing,
        })
        .collect()
}

fn is_different(theirs: f32, ours: f32, query: Query) -> bool {
    let (hit, ours_hit) = (theirs.is_finite(), ours.is_finite());
    hit != ours_hit
        || (query != Query::Any && hit && (theirs - ours).abs() > DIFFERENT * ours.abs())
}
