//! Broad phases of other libraries, each used as in its own engine: boxes move, then all
//! overlapping pairs are reported.
//!
//! | file | library | method |
//! |---|---|---|
//! | `ours.rs` | Embate | |
//! | `parry.rs` | parry | persistent BVH: leaf updates, refit, incremental optimization, self-overlap query |
//! | `rapier.rs` | rapier's broad phase | fat AABBs, events of added and removed pairs |
//! | `broccoli.rs` | broccoli | tree rebuilt each frame, its own pair query |
//! | `rstar.rs` | rstar | R*-tree bulk loaded each frame, self-join |
//! | `bvh.rs` | bvh | BVH rebuilt each frame, one query per box |
//! | `obvhs.rs` | obvhs | the same |
//! | `fat_tree.rs` | | the broad phase of Box2D and Box3D around their dynamic tree |
//! | `box2d.rs`, `box3d.rs` | Box2D 3, Box3D | their dynamic tree |
//! | `bullet.rs` | Bullet | its default broad phase, if installed |
//!
//! Pairs of libraries with fat AABBs are filtered to exact overlaps, so that all report the same
//! pairs.

mod box2d;
mod box3d;
mod broccoli;
#[cfg(bullet)]
mod bullet;
mod bvh;
mod fat_tree;
mod obvhs;
mod ours;
mod parry;
mod rapier;
mod rstar;

use embate::Aabb;
use embate::broad_phase::{BroadPhaseKind, OverlapPair};

use ours::Ours;

/// A broad phase; it may keep state between frames.
pub trait Peer<const D: usize> {
    fn name(&self) -> &'static str;

    /// Any box may have moved.
    fn frame(&mut self, boxes: &[Aabb<D>], pairs: &mut Vec<OverlapPair>);

    /// Only `movers` have moved since the last frame; all pairs are reported nevertheless.
    fn frame_with_movers(
        &mut self,
        boxes: &[Aabb<D>],
        _movers: &[u32],
        pairs: &mut Vec<OverlapPair>,
    ) {
        self.frame(boxes, pairs);
    }

    /// Number of threads it uses.
    fn threads(&self) -> usize {
        1
    }

    /// Bytes kept between frames, if known.
    fn bytes(&self) -> Option<usize> {
        None
    }
}

/// Name and constructor of a peer; for a million boxes some constructors take seconds.
pub type Entry<const D: usize> = (&'static str, fn(&[Aabb<D>]) -> Box<dyn Peer<D>>);

/// Peers in 2D.
pub const IN_2D: &[Entry<2>] = &[
    ("parry", |_| Box::new(parry::Parry2::default())),
    ("rapier", |boxes| Box::new(rapier::Rapier2::new(boxes))),
    ("broccoli", |_| Box::new(broccoli::Broccoli)),
    ("rstar", |_| Box::new(rstar::Rstar)),
    ("bvh", |_| Box::new(bvh::BvhCrate)),
    ("obvhs", |_| Box::new(obvhs::Obvhs::default())),
    ("box2d", |boxes| Box::new(box2d::Box2d::new("box2d", boxes))),
];

/// Peers in 3D.
pub const IN_3D: &[Entry<3>] = &[
    ("parry", |_| Box::new(parry::Parry3::default())),
    ("rapier", |boxes| Box::new(rapier::Rapier3::new(boxes))),
    ("rstar", |_| Box::new(rstar::Rstar)),
    ("bvh", |_| Box::new(bvh::BvhCrate)),
    ("obvhs", |_| Box::new(obvhs::Obvhs::default())),
    ("box3d", |boxes| Box::new(box3d::Box3d::new("box3d", boxes))),
    #[cfg(bullet)]
    ("bullet", |boxes| Box::new(bullet::Bullet::new(boxes))),
];

/// Peers that are not available on this machine, with the reason.
pub const ABSENT: &[(&str, &str)] = &[
    #[cfg(not(bullet))]
    ("bullet", "left out: Bullet is not installed (Debian: libbullet-dev)"),
];

/// Peers that take more than ten seconds per frame, and minutes for the first, above a number of
/// boxes.
pub const SLOW: &[(&str, u32)] = &[("bullet", 100_000)];

/// Broad phases of Embate for a number of boxes: first the reference of the ratios, then the
/// others.
pub fn embate<const D: usize>(boxes: usize) -> Vec<Box<dyn Peer<D>>> {
    // Brute force on a million boxes would take minutes per frame.
    const MAX_BOXES_FOR_BRUTE_FORCE: usize = 100_000;
    // Below this, threads do not pay off.
    const MIN_BOXES_FOR_THREADS: usize = 200_000;
    let mut all: Vec<Box<dyn Peer<D>>> =
        vec![Box::new(Ours::reference(boxes)), Box::new(Ours::sorted(boxes))];
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    if threads > 1 && boxes >= MIN_BOXES_FOR_THREADS {
        all.push(Box::new(Ours::threaded(boxes, threads)));
    }
    for kind in BroadPhaseKind::ALL {
        let is_too_slow = kind == BroadPhaseKind::BruteForce && boxes > MAX_BOXES_FOR_BRUTE_FORCE;
        // The sweep is what `auto` chooses for these numbers of boxes.
        if kind != BroadPhaseKind::TiledSweep && !is_too_slow {
            all.push(Box::new(Ours::new(kind, boxes)));
        }
    }
    all
}

/// Brute force of Gonçales et al. 2016, for at most the publication's number of objects.
pub fn replica(boxes: usize) -> Option<Box<dyn Peer<2>>> {
    (boxes <= 5_000).then(|| Box::new(ours::GoncalesBruteForce) as Box<dyn Peer<2>>)
}

/// A pair with the smaller index first.
fn pair(a: u32, b: u32) -> OverlapPair {
    if a < b { [a, b] } else { [b, a] }
}

/// Mean size of boxes, by which engines scale their margins.
fn mean_size<const D: usize>(boxes: &[Aabb<D>]) -> f32 {
    let sum: f64 = boxes.iter().map(|b| f64::from(b.max[0] - b.min[0])).sum();
    (sum / boxes.len().max(1) as f64) as f32
}

/// Whether a name is that of another library.
pub fn is_other_library(name: &str) -> bool {
    IN_2D.iter().any(|(peer, _)| *peer == name) || IN_3D.iter().any(|(peer, _)| *peer == name)
}
