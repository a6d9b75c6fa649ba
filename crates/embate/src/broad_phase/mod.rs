//! Who is near whom?
//!
//! | structure | for | source |
//! |---|---|---|
//! | [`Brute`] | a few hundred boxes, and as the judge of all others | |
//! | [`SortSweep`] | repeating study B; a thousand boxes | Lasch |
//! | [`TiledSweep`] | everything that moves, at any size | |
//! | [`Tree`] | worlds where most things rest, and queries: boxes, balls, rays, nearest, regions | |
//! | [`Grid`] | boxes of about one size; watching what cells do | |
//! | [`Octree`], [`OctreePairs`] | obstacles that stand still, beside another for what moves | Lasch; Ulrich 2000 |
//! | [`study_brute`], [`StudyGrid`] | repeating study C exactly, misses and all | Gonçales et al. 2016 |
//!
//! All of ours find pairs through [`PairFinder`]: the same set as [`Brute`], each pair once; sorted, the
//! lists are equal to the bit. Touching counts as overlapping.
//!
//! ```
//! use embate::{Aabb, pairs::overlapping_pairs};
//!
//! let boxes = [
//!     Aabb { min: [0.0, 0.0], max: [2.0, 2.0] },
//!     Aabb { min: [5.0, 5.0], max: [6.0, 6.0] },
//!     Aabb { min: [2.0, 1.0], max: [3.0, 3.0] },
//! ];
//! assert_eq!(overlapping_pairs(&boxes)?, [[0, 2]]);
//! # Ok::<(), embate::pairs::InvalidBox>(())
//! ```

mod block;
mod boxes;
mod brute;
mod changes;
mod counts;
mod finds;
mod grid;
mod grid_finds;
mod layer;
mod octree;
mod octree_cells;
mod placements;
mod queries;
mod resting;
pub(crate) mod sample;
mod slab;
mod sort;
mod sort_sweep;
mod spread;
mod study_c;
mod technique;
mod tile;
mod tiled_sweep;
mod tiles;
mod tree;
mod world;

pub use boxes::{Boxes, InvalidBox};
pub use brute::Brute;
pub use counts::{PairCounts, PairObserver, Unobserved};
pub use grid::Grid;
pub use octree::{Octree, OctreePairs};
pub use octree_cells::OctreeRule;
pub use sort::{PairSorter, sort_pairs};
pub use sort_sweep::{SortSweep, SweepAxis};
pub use study_c::{MOST_STUDY_CELLS, StudyGrid, StudyShape, study_brute, study_brute_observed};
pub use technique::{AnyPairFinder, BRUTE_BELOW, PairTechnique};
pub use tiled_sweep::TiledSweep;
pub use tree::{Crossing, Neighbour, Tree};
pub(crate) use world::ALL_FROM;
pub use world::{BoxId, Changes, World, WorldError};

use embate_geom::{Aabb, Ball};

/// Two boxes by their places in the list, the smaller first.
pub type Pair = [u32; 2];

/// Finds all overlapping pairs of a frame. Keeps its memory, and whatever it learned, for the next.
pub trait PairFinder<const D: usize> {
    /// Appends every overlapping pair, in an order that depends on nothing but the boxes of this frame and
    /// those before.
    fn find_observed<O: PairObserver>(
        &mut self,
        boxes: Boxes<'_, D>,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    );

    /// Bytes held between frames, beside the caller's boxes and pairs.
    fn bytes(&self) -> usize;

    /// [`find_observed`](Self::find_observed), unobserved.
    fn find(&mut self, boxes: Boxes<'_, D>, pairs: &mut Vec<Pair>) {
        self.find_observed(boxes, pairs, &mut Unobserved);
    }
}

/// Every overlapping pair once, sorted.
///
/// # Errors
/// [`InvalidBox`] names the first box that is not finite or upside down.
pub fn overlapping_pairs<const D: usize>(boxes: &[Aabb<D>]) -> Result<Vec<Pair>, InvalidBox> {
    let boxes = Boxes::new(boxes)?;
    let mut pairs = Vec::new();
    PairTechnique::Auto.finder(boxes.len()).find(boxes, &mut pairs);
    sort_pairs(&mut pairs, boxes.len() as u32);
    Ok(pairs)
}

/// Whether more than `most` pairs overlap. Counting ends there, and no pair is kept: for whoever must not hold
/// more than that.
///
/// ```
/// use embate::{Aabb, pairs::{Boxes, overlaps_more_than}};
///
/// let heap = vec![Aabb { min: [0.0, 0.0], max: [1.0, 1.0] }; 100];
/// assert!(overlaps_more_than(Boxes::new(&heap)?, 4_949));
/// assert!(!overlaps_more_than(Boxes::new(&heap)?, 4_950));
/// # Ok::<(), embate::pairs::InvalidBox>(())
/// ```
#[must_use]
pub fn overlaps_more_than<const D: usize>(boxes: Boxes<'_, D>, most: u64) -> bool {
    let count = boxes.len() as u64;
    if count * count.saturating_sub(1) / 2 <= most {
        return false;
    }
    let tree = Tree::build(boxes);
    let (mut found, mut overlaps) = (Vec::new(), 0);
    boxes.iter().any(|bounds| {
        found.clear();
        tree.overlapping_box(bounds, &mut found);
        // Each pair is found from both sides, and each box finds itself.
        overlaps += found.len() as u64 - 1;
        overlaps > most.saturating_mul(2)
    })
}

/// Every overlapping pair of circles or spheres once, sorted.
///
/// # Errors
/// [`InvalidBox`] names the first one whose box is not finite or upside down (a negative radius).
pub fn overlapping_balls<const D: usize>(balls: &[Ball<D>]) -> Result<Vec<Pair>, InvalidBox> {
    let boxes: Vec<Aabb<D>> = balls.iter().map(Ball::guarded_bounds).collect();
    let mut pairs = overlapping_pairs(&boxes)?;
    pairs.retain(|&[a, b]| balls[a as usize].overlaps(&balls[b as usize]));
    Ok(pairs)
}
