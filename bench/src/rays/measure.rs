//! Interleaved passes of all peers over the same rays; the minimum time counts.

use std::time::Duration;

use embate::{Ray, TriangleMesh};

use super::{Caster, Options, PEERS, Query};
use crate::harness::measure::{thread_pool, timed};

/// Maximum duration of a pass; slower peers get fewer rays.
const PASS_TIME: Duration = Duration::from_millis(400);
/// Relative difference of `t` above which two hits count as different.
const T_TOLERANCE: f32 = 1e-3;
/// Number of builds, of which the fastest counts.
const BUILDS: u32 = 3;

/// Result of one peer and query.
pub struct Measurement {
    pub peer: &'static str,
    pub query: Query,
    pub seconds_per_ray: f64,
    /// Number of rays of its passes.
    pub rays: usize,
    pub build_s: f64,
    pub bytes: Option<usize>,
    /// Number of rays whose result differs from that of the reference.
    pub differing: usize,
}

struct Built {
    peer: &'static str,
    caster: Box<dyn Caster>,
    build_s: f64,
    rays: usize,
}

/// Measures all queries of all peers on one mesh, with a number of threads.
pub fn measure(
    mesh: &TriangleMesh,
    rays: &[Ray<3>],
    threads: usize,
    options: &Options,
) -> Vec<Measurement> {
    thread_pool(threads).install(|| {
        let built = build_all(mesh, rays, threads, options);
        let queries = if threads == 1 { &Query::ALL[..] } else { &[Query::Batch] };
        queries
            .iter()
            .flat_map(|&query| measure_query(&built, rays, query, options.repeats))
            .collect()
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
            let is_selected = number == 0 || options.selects_peer(peer);
            // Only batches of Embate use several threads.
            if !is_selected || (threads > 1 && number > 1) {
                continue;
            }
            let (caster, build_s) = timed(|| make(mesh));
            let Some(caster) = caster else { continue };
            if round == 0 {
                all.push(Built { peer, rays: rays_per_pass(&*caster, rays), caster, build_s });
            } else if let Some(earlier) = all.iter_mut().find(|built| built.peer == peer) {
                earlier.build_s = earlier.build_s.min(build_s);
            }
        }
    }
    all
}

/// Number of rays that a peer casts in [`PASS_TIME`].
fn rays_per_pass(caster: &dyn Caster, rays: &[Ray<3>]) -> usize {
    let mut out = Vec::new();
    let mut tried = 64.min(rays.len());
    loop {
        let (_, seconds) = timed(|| caster.cast(Query::Closest, &rays[..tried], &mut out));
        if tried == rays.len() || seconds * 4.0 > PASS_TIME.as_secs_f64() {
            let count = tried as f64 * PASS_TIME.as_secs_f64() / seconds;
            return (count as usize).clamp(32.min(rays.len()), rays.len());
        }
        tried = (tried * 4).min(rays.len());
    }
}

fn measure_query(built: &[Built], rays: &[Ray<3>], query: Query, repeats: u32) -> Vec<Measurement> {
    let mut out = Vec::with_capacity(rays.len());
    let mut best = vec![f64::INFINITY; built.len()];
    let mut differing = vec![0; built.len()];
    let mut ours: Vec<f32> = Vec::new();
    for round in 0..repeats {
        for (number, peer) in built.iter().enumerate() {
            out.clear();
            let (supported, seconds) =
                timed(|| peer.caster.cast(query, &rays[..peer.rays], &mut out));
            if supported.is_none() {
                continue;
            }
            best[number] = best[number].min(seconds);
            // Every pass is checked, since results must not change between passes.
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
    let measured = built.iter().zip(best).zip(differing).filter(|((_, best), _)| best.is_finite());
    measured
        .map(|((built, best), differing)| Measurement {
            peer: built.peer,
            query,
            seconds_per_ray: best / built.rays as f64,
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
        || (query != Query::Any && hit && (theirs - ours).abs() > T_TOLERANCE * ours.abs())
}
