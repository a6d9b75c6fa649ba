//! Contacts of Embate.

use embate::narrow_phase::{
    Manifold, ManifoldCache, closest_points, contact_manifold, contact_manifold_cached,
};

use super::measure::{Distance, Peer, Query};
use super::scenes::{FRAMES, MARGIN, Motion, Workload};

/// Manifold caches, one per pair.
pub struct Ours {
    caches: Vec<ManifoldCache>,
}

impl Ours {
    pub fn new(workload: &Workload) -> Self {
        Self { caches: workload.pairs.iter().map(|_| ManifoldCache::default()).collect() }
    }
}

impl Peer for Ours {
    fn pass(&mut self, workload: &Workload, query: Query, frame: usize) -> f32 {
        let mut sum = 0.0;
        match query {
            Query::Cold => {
                for pair in &workload.pairs {
                    let ([a, b], [pose_a, pose_b]) = (&pair.shapes, &pair.moving[frame]);
                    sum += checksum(contact_manifold(a, pose_a, b, pose_b, MARGIN).as_ref());
                }
            }
            Query::Cached(motion) => {
                for (pair, cache) in workload.pairs.iter().zip(&mut self.caches) {
                    let ([a, b], [pose_a, pose_b]) = (&pair.shapes, &pair.frames(motion)[frame]);
                    let manifold = contact_manifold_cached(a, pose_a, b, pose_b, MARGIN, cache);
                    sum += checksum(manifold.as_ref());
                }
            }
            Query::Closest => {
                for pair in &workload.pairs {
                    let ([a, b], [pose_a, pose_b]) = (&pair.shapes, &pair.moving[frame]);
                    let closest = closest_points(a, pose_a, b, pose_b);
                    sum += closest.distance + closest.normal.x + closest.points[1].x;
                }
            }
        }
        sum
    }

    fn distances(&mut self, workload: &Workload, query: Query) -> Vec<Distance> {
        let mut distances = Vec::new();
        for (pair, cache) in workload.pairs.iter().zip(&mut self.caches) {
            let [a, b] = &pair.shapes;
            let mut at = |motion: Motion, frame: usize| {
                let [pose_a, pose_b] = &pair.frames(motion)[frame % FRAMES];
                let manifold = contact_manifold_cached(a, pose_a, b, pose_b, MARGIN, cache);
                manifold.map(|manifold| -f64::from(manifold.max_penetration()))
            };
            distances.push(match query {
                Query::Cold => {
                    let [pose_a, pose_b] = &pair.moving[0];
                    let manifold = contact_manifold(a, pose_a, b, pose_b, MARGIN);
                    manifold.map(|manifold| -f64::from(manifold.max_penetration()))
                }
                // Through all frames and back to the first.
                Query::Cached(motion) => (0..=FRAMES).fold(None, |_, frame| at(motion, frame)),
                Query::Closest => {
                    let [pose_a, pose_b] = &pair.moving[0];
                    Some(f64::from(closest_points(a, pose_a, b, pose_b).distance))
                }
            });
        }
        distances
    }
}

/// Sum over a manifold, so that the optimizer removes no part of the query.
fn checksum(manifold: Option<&Manifold>) -> f32 {
    manifold.map_or(0.0, |manifold| {
        let points = manifold.points().iter();
        manifold.normal.x
            + points.fold(0.0, |sum, point| sum + point.penetration + point.position.x)
    })
}
