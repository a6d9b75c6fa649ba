//! The peers, each used as its own engine uses it: boxes move, then all overlapping pairs are told.
//!
//! | file | peer | how |
//! |---|---|---|
//! | `ours.rs` | Embate | |
//! | `parry.rs` | parry | a tree kept: leaves updated, refitted, optimised, joined with itself |
//! | `rapier.rs` | rapier's broad phase | fattened boxes, events of pairs that come and go |
//! | `broccoli.rs` | broccoli | a tree built anew each frame, its own pair query |
//! | `rstar.rs` | rstar | bulk load, then the tree joined with itself |
//! | `bvh.rs` | bvh | a tree built anew each frame, asked for each box |
//! | `obvhs.rs` | obvhs | the same |
//! | `fat_tree.rs` | | what Box2D and Box3D do round their tree |
//! | `box2d.rs`, `box3d.rs` | Box2D 3, Box3D | their dynamic tree |
//! | `bullet.rs` | Bullet | its default broad phase, where it is installed |
//!
//! Those that fatten boxes report more pairs than overlap; what they report is cut to exact overlaps, so
//! that all tell the same pairs.

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

/// Finds all pairs of a frame; keeps what it likes from frame to frame.
pub trait Peer<const D: usize> {
    fn name(&self) -> &'static str;

    /// Any box may have moved.
    fn frame(&mut self, boxes: &[Aabb<D>], pairs: &mut Vec<OverlapPair>);

    /// Only `movers` have moved since the last frame. Still all pairs are told.
    fn frame_with_movers(
        &mut self,
        boxes: &[Aabb<D>],
        _movers: &[u32],
        pairs: &mut Vec<OverlapPair>,
    ) {
        self.frame(boxes, pairs);
    }

    /// Threads it works with.
    fn threads(&self) -> usize {
        1
    }

    /// Bytes kept between frames, where it tells.
    fn bytes(&self) -> Option<usize> {
        None
    }
}

/// Peers by name, made when they are wanted: at a million boxes some take seconds.
pub type Entry<const D: usize> = (&'static str, fn(&[Aabb<D>]) -> Box<dyn Peer<D>>);

/// The peers of the plane.
pub const IN_2D: &[Entry<2>] = &[
    ("parry", |_| Box::new(parry::Parry2::default())),
    ("rapier", |boxes| Box::new(rapier::Rapier2::new(boxes))),
    ("broccoli", |_| Box::new(broccoli::Broccoli)),
    ("rstar", |_| Box::new(rstar::Rstar)),
    ("bvh", |_| Box::new(bvh::BvhCrate)),
    ("obvhs", |_| Box::new(obvhs::Obvhs::default())),
    ("box2d", |boxes| Box::new(box2d::Box2d::new("box2d", boxes))),
];

/// The peers of space.
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

/// Peers that could not be built on this machine, and why.
pub const ABSENT: &[(&str, &str)] = &[
    #[cfg(not(bullet))]
    ("bullet", "left out: Bullet is not installed (Debian: libbullet-dev)"),
];

/// Peers which take more than ten seconds a frame beyond so many boxes, and minutes for the first.
pub const SLOW: &[(&str, u32)] = &[("bullet", 100_000)];

/// Ours for so many boxes: first the reference, then every other form worth its time.
pub fn ours<const D: usize>(boxes: usize) -> Vec<Box<dyn Peer<D>>> {
    // Every pair of a million boxes would take minutes a frame.
    const MOST_FOR_BRUTE: usize = 100_000;
    // With fewer, threads cost more than they bring.
    const FEWEST_FOR_THREADS: usize = 200_000;
    let mut all: Vec<Box<dyn Peer<D>>> =
        vec![Box::new(Ours::reference(boxes)), Box::new(Ours::sorted(boxes))];
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    if threads > 1 && boxes >= FEWEST_FOR_THREADS {
        all.push(Box::new(Ours::threaded(boxes, threads)));
    }
    for technique in BroadPhaseKind::ALL {
        let hopeless = technique == BroadPhaseKind::BruteForce && boxes > MOST_FOR_BRUTE;
        // For so many boxes `auto` is the sweep.
        if technique != BroadPhaseKind::TiledSweep && !hopeless {
            all.push(Box::new(Ours::new(technique, boxes)));
        }
    }
    all
}

/// Brute force of Gonçales et al. 2016, for at most as many objects as the study has.
pub fn study(boxes: usize) -> Option<Box<dyn Peer<2>>> {
    (boxes <= 5_000).then(|| Box::new(ours::GoncalesBruteForce) as Box<dyn Peer<2>>)
}

/// A pair as we tell it.
fn pair(a: u32, b: u32) -> OverlapPair {
    if a < b { [a, b] } else { [b, a] }
}

/// The mean size of boxes: engines scale their margins by what one object usually measures.
fn mean_size<const D: usize>(boxes: &[Aabb<D>]) -> f32 {
    let sum: f64 = boxes.iter().map(|b| f64::from(b.max[0] - b.min[0])).sum();
    (sum / boxes.len().max(1) as f64) as f32
}

/// Whether a name is a peer's, not ours.
pub fn is_foreign(name: &str) -> bool {
    IN_2D.iter().any(|(peer, _)| *peer == name) || IN_3D.iter().any(|(peer, _)| *peer == name)
}
