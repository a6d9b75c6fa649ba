//! Which of these boxes does that one meet? A quadtree or octree that is kept, for what rarely moves.

use std::collections::HashMap;

use embate_geom::Aabb;

use super::boxes::check;
use super::octree_cells::{Cells, Home, Item, OctreeRule, ROOT};
use super::spread::Spread;
use super::{Boxes, InvalidBox, Pair, PairFinder, PairObserver, Unobserved};

/// Boxes by name in a tree of cells (a quadtree if `D = 2`), each in the smallest that holds it whole.
///
/// Made for obstacles that stand still beside another structure for what moves: adding, moving and
/// removing one costs a walk down the tree, however many there are. Boxes that leave the root's bounds
/// are kept in the root's own list: slower to search, never lost.
///
/// ```
/// use embate::{Aabb, pairs::{Octree, OctreeRule}};
///
/// let world = Aabb { min: [0.0; 3], max: [1_000.0; 3] };
/// let mut walls = Octree::new(world, OctreeRule::default())?;
/// walls.add(1, Aabb { min: [0.0, 0.0, 10.0], max: [50.0, 5.0, 11.0] })?;
/// walls.add(2, Aabb { min: [0.0, 0.0, 90.0], max: [50.0, 5.0, 91.0] })?;
///
/// let mover = Aabb { min: [20.0, 0.0, 9.0], max: [21.0, 2.0, 10.5] };
/// let mut met = Vec::new();
/// walls.query_box(&mover, |id| met.push(id));
/// assert_eq!(met, [1]);
///
/// walls.move_to(2, mover)?;
/// assert_eq!(walls.self_pairs(), [[1, 2]]);
/// assert!(walls.remove(1).is_some() && walls.remove(7).is_none());
/// # Ok::<(), embate::pairs::InvalidBox>(())
/// ```
#[derive(Clone, Debug)]
pub struct Octree<const D: usize> {
    cells: Cells<D>,
    /// Only ever asked, never walked through: its order must not show.
    homes: HashMap<u32, Home>,
}

impl<const D: usize> Octree<D> {
    /// An empty tree over `root`.
    ///
    /// # Errors
    /// [`InvalidBox`] if the root is not finite or upside down; the index is then 0.
    ///
    /// # Panics
    /// If `D` is neither 2 nor 3.
    pub fn new(root: Aabb<D>, rule: OctreeRule) -> Result<Self, InvalidBox> {
        check(0, &root)?;
        Ok(Self { cells: Cells::new(root, rule), homes: HashMap::new() })
    }

    /// Adds a box, or moves the one of this name.
    ///
    /// # Errors
    /// [`InvalidBox`], with `id` for index, if the box is not finite, beyond ±1e18 or upside down; the
    /// tree is then as before.
    pub fn add(&mut self, id: u32, bounds: Aabb<D>) -> Result<(), InvalidBox> {
        check(id, &bounds)?;
        self.remove(id);
        self.homes.insert(id, self.cells.put(Item { id, bounds }));
        Ok(())
    }

    /// Removes a box and returns it; `None` if there was none of this name.
    pub fn remove(&mut self, id: u32) -> Option<Aabb<D>> {
        let home = self.homes.remove(&id)?;
        let (item, moved) = self.cells.take(home);
        if let Some(moved) = moved {
            self.homes.insert(moved, home);
        }
        Some(item.bounds)
    }

    /// Moves a box; `false`, and nothing happens, if there is none of this name.
    ///
    /// # Errors
    /// As for [`add`](Self::add).
    pub fn move_to(&mut self, id: u32, bounds: Aabb<D>) -> Result<bool, InvalidBox> {
        check(id, &bounds)?;
        let known = self.homes.contains_key(&id);
        if known {
            self.add(id, bounds)?;
        }
        Ok(known)
    }

    /// The box of this name.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<Aabb<D>> {
        self.homes.get(&id).map(|&home| self.cells.bounds_of(home))
    }

    /// How many boxes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.homes.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.homes.is_empty()
    }

    /// How many cells are in use: the root, and those that something lives in or below.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.cells.count()
    }

    /// Bytes held.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.cells.bytes() + self.homes.capacity() * size_of::<(u32, Home)>()
    }

    /// Visits every box that overlaps or touches `bounds`, once, in no promised order. A box of NaN meets
    /// nothing.
    pub fn query_box(&self, bounds: &Aabb<D>, visit: impl FnMut(u32)) {
        self.query_box_observed(bounds, visit, &mut Unobserved);
    }

    /// [`query_box`](Self::query_box), counted. Who was tested is not told: what asks has no name here.
    pub fn query_box_observed<O: PairObserver>(
        &self,
        bounds: &Aabb<D>,
        mut visit: impl FnMut(u32),
        observer: &mut O,
    ) {
        self.cells.search(ROOT, bounds, None, &mut Vec::new(), observer, |item| visit(item.id));
    }

    /// [`query_box`](Self::query_box) for each of many: `visit` gets the number of the query, then whom
    /// it meets.
    pub fn query_boxes(&self, queries: &[Aabb<D>], mut visit: impl FnMut(u32, u32)) {
        let mut stack = Vec::new();
        for (number, bounds) in (0..).zip(queries) {
            self.cells.search(ROOT, bounds, None, &mut stack, &mut Unobserved, |item| {
                visit(number, item.id);
            });
        }
    }

    /// Every overlapping pair of names once, the smaller first, sorted.
    #[must_use]
    pub fn self_pairs(&self) -> Vec<Pair> {
        let mut pairs = Vec::new();
        self.cells.join(&mut pairs, &mut Unobserved);
        pairs.sort_unstable();
        pairs
    }
}

/// Finds all pairs of a frame by a tree of cells, built anew each time over the boxes there are: measured,
/// that takes less time than moving every box of a kept tree. Where all boxes move, [`Grid`](super::Grid)
/// and [`TiledSweep`](super::TiledSweep) are several times faster.
#[derive(Clone, Debug)]
pub struct OctreePairs<const D: usize> {
    cells: Cells<D>,
    loose: f32,
}

/// Deep enough that one box far away leaves the others cells of their own.
const FINDER_DEPTH: u8 = 64;

impl<const D: usize> OctreePairs<D> {
    /// With cells this loose: see [`OctreeRule::loose`].
    ///
    /// # Panics
    /// If `D` is neither 2 nor 3.
    #[must_use]
    pub fn new(loose: f32) -> Self {
        let nowhere = Aabb { min: [0.0; D], max: [0.0; D] };
        Self { cells: Cells::new(nowhere, OctreeRule::default()), loose }
    }
}

impl<const D: usize> PairFinder<D> for OctreePairs<D> {
    fn find_observed<O: PairObserver>(
        &mut self,
        boxes: Boxes<'_, D>,
        pairs: &mut Vec<Pair>,
        observer: &mut O,
    ) {
        let corners = boxes.iter().flat_map(|b| [&b.min, &b.max]);
        let Some(root) = Aabb::around(corners) else { return };
        let rule = OctreeRule {
            max_depth: FINDER_DEPTH,
            smallest_cell: Spread::of(&boxes).cell_side(boxes.len()),
            loose: self.loose,
        };
        self.cells.restart(root, rule);
        for (id, &bounds) in (0..).zip(boxes.iter()) {
            self.cells.put(Item { id, bounds });
        }
        observer.list(boxes.len() as u64);
        self.cells.join(pairs, observer);
    }

    fn bytes(&self) -> usize {
        self.cells.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WORLD: Aabb<2> = Aabb { min: [0.0; 2], max: [1_024.0; 2] };

    fn square(x: f32, y: f32, side: f32) -> Aabb<2> {
        Aabb { min: [x, y], max: [x + side, y + side] }
    }

    fn tree(loose: f32, max_depth: u8) -> Octree<2> {
        Octree::new(WORLD, OctreeRule { max_depth, loose, ..OctreeRule::default() }).unwrap()
    }

    #[test]
    fn a_small_box_across_the_middle_stays_in_a_strict_root_and_sinks_in_a_loose_one() {
        let across = square(511.0, 511.0, 2.0);
        let cells = |loose| {
            let mut tree = tree(loose, 10);
            tree.add(0, across).unwrap();
            tree.cells()
        };
        // Down to cells of 2, which reach 1 over their edges.
        assert_eq!((cells(1.0), cells(2.0)), (1, 10));
    }

    #[test]
    fn identical_boxes_do_not_deepen_the_tree() {
        let mut tree = tree(2.0, 6);
        (0..10_000).for_each(|id| tree.add(id, square(3.0, 3.0, 0.0)).unwrap());
        assert_eq!(tree.cells(), 7);
        let mut met = 0;
        tree.query_box(&square(2.0, 2.0, 1.0), |_| met += 1);
        assert_eq!(met, 10_000);
        (0..10_000).for_each(|id| assert!(tree.remove(id).is_some()));
        assert_eq!((tree.cells(), tree.len()), (1, 0));
    }

    #[test]
    fn division_stops_at_the_smallest_cell() {
        let rule = OctreeRule { smallest_cell: 256.0, ..OctreeRule::default() };
        let mut tree = Octree::new(WORLD, rule).unwrap();
        tree.add(0, square(3.0, 3.0, 1.0)).unwrap();
        assert_eq!(tree.cells(), 3);
    }

    #[test]
    fn a_box_outside_the_root_is_found() {
        for loose in [1.0, 2.0, f32::NAN] {
            let mut tree = tree(loose, 10);
            tree.add(7, square(-1e18, 5e9, 1e9)).unwrap();
            tree.add(8, square(1_020.0, 1_020.0, 10.0)).unwrap();
            let mut met = Vec::new();
            let queries = [square(-1e18, 5.5e9, 0.0), square(1_029.0, 1_029.0, 1.0)];
            tree.query_boxes(&queries, |query, id| met.push([query, id]));
            assert_eq!(met, [[0, 7], [1, 8]]);
        }
    }

    #[test]
    fn a_bad_box_is_refused_by_its_name_and_changes_nothing() {
        let mut tree = tree(2.0, 10);
        tree.add(9, square(1.0, 1.0, 1.0)).unwrap();
        let bad = square(f32::NAN, 0.0, 1.0);
        for refused in [tree.add(9, bad).unwrap_err(), tree.move_to(9, bad).unwrap_err()] {
            assert!(matches!(refused, InvalidBox::Coordinate { index: 9, .. }), "{refused}");
        }
        assert!(Octree::new(bad, OctreeRule::default()).is_err());
        assert_eq!(tree.get(9), Some(square(1.0, 1.0, 1.0)));
        assert_eq!(tree.move_to(3, square(0.0, 0.0, 1.0)), Ok(false));
    }
}
