//! A hierarchy of boxes that can be asked anything, and changed one box at a time.
//!
//! ```text
//!                ┌─┬─┬─┬─┬─┬─┬─┬─┐         A node holds up to eight boxes side by side, tested in one
//!      height 1  │▭│▭│▭│ │ │ │ │ │         go. At height 0 they are the caller's, named by id; above,
//!                └┼┴┼┴┼┴─┴─┴─┴─┴─┘         each is the smallest box around one node below.
//!            ┌────┘ │ └─────────┐
//!      ┌─┬─┬─┼─┬─┬─┐ …   ┌─┬─┬─┬┼┬─┬─┐     All nodes of height 0 lie equally deep: a join of two
//!      │▭│▭│▭│▭│▭│ │     │▭│▭│▭│▭│▭│▭│     nodes of one tree always meets nodes of one height.
//!      └─┴─┴─┴─┴─┴─┘     └─┴─┴─┴─┴─┴─┘
//! ```
//!
//! | file | question |
//! |---|---|
//! | `morton` | in which order do neighbours follow each other? |
//! | `build` | how does a list of boxes become a tree? |
//! | `edit`, `split` | how does it change, one box at a time? |
//! | `wear` | when is it worn out, and built anew? |
//! | `join` | which boxes overlap each other? |
//! | `find`, `ray`, `nearest` | which boxes answer this query? |
//! | `node`, `lanes` | what is a node, and what can be asked of eight boxes at once? |
//!
//! Promise: every answer is that of a plain loop over the boxes, to the bit. Each query asks a node's
//! box the very question it asks an item's, and no such question ever answers "no" for a box whose part
//! answers "yes": all its roundings are monotonic.

mod build;
mod edit;
mod find;
mod join;
mod lanes;
mod morton;
mod nearest;
mod node;
mod ray;
mod split;
mod wear;

pub use nearest::Neighbour;
pub use ray::Crossing;

use embate_geom::Aabb;
use fearless_simd::Level;

use super::Boxes;
use morton::Order;
use node::{Node, Place};
use wear::Wear;

/// Boxes in a hierarchy, each named by an id of the caller's: its place in a list.
///
/// Memory is held for every id up to the largest in use, so ids are best small and dense.
///
/// ```
/// use embate::{Aabb, pairs::{Boxes, Tree}};
///
/// let square = |x: f32| Aabb { min: [x, 0.0], max: [x + 1.0, 1.0] };
/// let mut tree = Tree::build(Boxes::new(&[square(0.0), square(0.5), square(9.0)])?);
/// tree.move_to(0, square(8.5))?;
/// tree.insert(3, square(0.8))?;
///
/// let mut pairs = Vec::new();
/// tree.self_pairs(&mut pairs);
/// pairs.sort_unstable();
/// assert_eq!(pairs, [[0, 2], [1, 3]]);
///
/// let mut found = Vec::new();
/// tree.overlapping_box(&square(1.2), &mut found);
/// assert_eq!(found, [1, 3]);
/// # Ok::<(), embate::pairs::InvalidBox>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree<const D: usize> {
    level: Level,
    /// Live nodes, and freed ones, which hold nothing.
    nodes: Vec<Node<D>>,
    free: Vec<u32>,
    /// Always exists; of height 0 and without boxes when the tree is empty.
    root: u32,
    /// By id: in which lane of which node of height 0.
    places: Vec<Place>,
    len: u32,
    wear: Wear,
    order: Order,
}

impl<const D: usize> Default for Tree<D> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const D: usize> Tree<D> {
    /// Holds nothing yet.
    ///
    /// # Panics
    /// If `D` is neither 2 nor 3.
    #[must_use]
    pub fn new() -> Self {
        assert!(D == 2 || D == 3, "{D} dimensions");
        Self {
            level: Level::new(),
            nodes: vec![Node::empty(0)],
            free: Vec::new(),
            root: 0,
            places: Vec::new(),
            len: 0,
            wear: Wear::default(),
            order: Order::default(),
        }
    }

    /// Holds `boxes`, each named by its place in the list.
    ///
    /// # Panics
    /// If `D` is neither 2 nor 3.
    #[must_use]
    pub fn build(boxes: Boxes<'_, D>) -> Self {
        let mut tree = Self::new();
        tree.build_anew(boxes);
        tree
    }

    /// Forgets what it holds and holds `boxes` instead, in the same memory.
    pub fn build_anew(&mut self, boxes: Boxes<'_, D>) {
        self.fill(&boxes, |index| index);
    }

    /// How many boxes it holds.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether it holds none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The box of this id, if the tree holds it.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<Aabb<D>> {
        let place = self.place(id)?;
        Some(self.nodes[place.node()].get(place.lane()))
    }

    /// The smallest box around all; `None` if there are none.
    #[must_use]
    pub fn bounds(&self) -> Option<Aabb<D>> {
        (self.len > 0).then(|| self.nodes[self.root as usize].bounds())
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node<D>>()
            + self.free.capacity() * size_of::<u32>()
            + self.places.capacity() * size_of::<Place>()
            + self.order.bytes()
    }

    fn place(&self, id: u32) -> Option<Place> {
        self.places.get(id as usize).copied().filter(|&place| place != Place::NOWHERE)
    }
}
