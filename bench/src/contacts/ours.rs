//! Embate's own contacts.

use embate::narrow_phase::{
    Manifold, ManifoldCache, closest_points, contact_manifold, contact_manifold_cached,
};

use super::measure::{Answer, Peer, Query};
use super::scenes::{FRAMES, MARGIN, Motion, Work};

/// What is kept of the frame before, a pair each.
pub struct Ours {
    caches: Vec<ManifoldCache>,
}

impl Ours {
    pub fn new(work: &Work) -> Self {
        Self { caches: work.pairs.iter().map(|_| ManifoldCache::default()).collect() }
    }
}

impl Peer for Ours {
    fn pass(&mut self, work: &Work, query: Query, frame: usize) -> f32 {
        let mut sum = 0.0;
        match query {
            Query::Cold => {
                for pair in &work.pairs {
                    let ([a, b], [pose_a, pose_b]) = (&pair.shapes, &pair.moving[frame]);
                    sum += weight(contact_manifold(a, pose_a, b, pose_b, MARGIN).as_ref());
                }
            }
            Query::Cached(motion) => {
                for (pair, cache) in work.pairs.iter().zip(&mut self.caches) {
                    let ([a, b], [pose_a, pose_b]) = (&pair.shapes, &pair.frames(motion)[frame]);
                    let found = contact_manifold_cached(a, pose_a, b, pose_b, MARGIN, cache);
                    sum += weight(found.as_ref());
                }
            }
            Query::Closest => {
                for pair in &work.pairs {
                    let ([a, b], [pose_a, pose_b]) = (&pair.shapes, &pair.moving[frame]);
                    let told = closest_points(a, pose_a, b, pose_b);
                    sum += told.distance + told.normal.x + told.points[1].x;
                }
            }
        }
        sum
    }

    fn answers(&mut self, work: &Work, query: Query) -> Vec<Answer> {
        let mut answers = Vec::new();
        for (pair, cache) in work.pairs.iter().zip(&mut self.caches) {
            let [a, b] = &pair.shapes;
            let mut at = |motion: Motion, frame: usize| {
                let [pose_a, pose_b] = &pair.frames(motion)[frame % FRAMES];
                let found = contact_manifold_cached(a, pose_a, b, pose_b, MARGIN, cache);
                found.map(|manifold| -f64::from(manifold.max_penetration()))
            };
            answers.push(match query {
                Query::Cold => {
                    let [pose_a, pose_b] = &pair.moving[0];
                    let found = contact_manifold(a, pose_a, b, pose_b, MARGIN);
                    found.map(|manifold| -f64::from(manifold.max_penetration()))
                }
                // The whole way round, and back to the first frame.
                Query::Cached(motion) => (0..=FRAMES).fold(None, |_, frame| at(motion, frame)),
                Query::Closest => {
                    let [pose_a, pose_b] = &pair.moving[0];
                    Some(f64::from(closest_points(a, pose_a, b, pose_b).distance))
                }
            });
        }
        answers
    }
}

/// Uses all of an answer, as the peer does.
fn weight(manifold: Option<&Manifold>) -> f32 {
    manifold.map_or(0.0, |manifold| {
        let points = manifold.points().iter();
        manifold.normal.x
            + points.fold(0.0, |sum, point| sum + point.penetration + point.position.x)
    })
}
