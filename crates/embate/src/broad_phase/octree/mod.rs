//! Loose octree (quadtree if `D = 2`): a persistent structure for boxes that rarely move.
//!
//! After Ulrich 2000, "Loose Octrees", in *Game Programming Gems*.

pub(crate) mod cells;

use std::collections::HashMap;

use embate_geom::Aabb;

use crate::broad_phase::aabb_slice::validate_coordinates;
use crate::broad_phase::grid::size_distribution::SizeDistribution;
use crate::broad_phase::octree::cells::{CellTree, ItemSlot, OctreeConfig, OctreeItem, ROOT};
use crate::broad_phase::{
    AabbError, AabbSlice, BroadPhase, BroadPhaseObserver, NoStats, OverlapPair,
};

/// Loose octree (quadtree if `D = 2`) over boxes with ids of the caller's, each stored in the
/// smallest cell that contains it.
///
/// Suited to static obstacles beside another structure for moving boxes: insertion, update and
/// removal cost one descent, independent of the number of boxes. Boxes that exceed the root bounds
/// are stored in the root: slower to query, never lost.
///
/// ```
/// use embate::{Aabb, broad_phase::{LooseOctree, OctreeConfig}};
///
/// let world = Aabb { min: [0.0; 3], max: [1_000.0; 3] };
/// let mut walls = LooseOctree::new(world, OctreeConfig::default())?;
/// walls.insert(1, Aabb { min: [0.0, 0.0, 10.0], max: [50.0, 5.0, 11.0] })?;
/// walls.insert(2, Aabb { min: [0.0, 0.0, 90.0], max: [50.0, 5.0, 91.0] })?;
///
/// let mover = Aabb { min: [20.0, 0.0, 9.0], max: [21.0, 2.0, 10.5] };
/// let mut found = Vec::new();
/// walls.query_aabb(&mover, |id| found.push(id));
/// assert_eq!(found, [1]);
///
/// walls.update(2, mover)?;
/// assert_eq!(walls.overlapping_pairs(), [[1, 2]]);
/// assert!(walls.remove(1).is_some() && walls.remove(7).is_none());
/// # Ok::<(), embate::broad_phase::AabbError>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "Octree")]
#[doc(alias = "quadtree")]
pub struct LooseOctree<const D: usize> {
    cells: CellTree<D>,
    /// Never iterated: the order of a hash map must not affect results.
    slots: HashMap<u32, ItemSlot>,
}

impl<const D: usize> LooseOctree<D> {
    /// An empty tree over `root`.
    ///
    /// # Errors
    /// [`AabbError`], with index 0, if `root` is not finite, beyond ±1e18 or inverted.
    ///
    /// # Panics
    /// If `D` is neither 2 nor 3.
    pub fn new(root: Aabb<D>, config: OctreeConfig) -> Result<Self, AabbError> {
        validate_coordinates(0, &root)?;
        Ok(Self { cells: CellTree::new(root, config), slots: HashMap::new() })
    }

    /// Level of the cell that stores this box: 0 is the root. `None` if there is no such box.
    #[must_use]
    pub fn depth_of(&self, id: u32) -> Option<u8> {
        self.slots.get(&id).map(|&slot| self.cells.depth_of(slot))
    }

    /// Inserts a box, replacing the one of the same id.
    ///
    /// # Errors
    /// [`AabbError`], with `id` as the index, if the box is not finite, beyond ±1e18 or inverted;
    /// the tree is then unchanged.
    #[doc(alias = "add")]
    pub fn insert(&mut self, id: u32, bounds: Aabb<D>) -> Result<(), AabbError> {
        validate_coordinates(id, &bounds)?;
        self.remove(id);
        self.slots.insert(id, self.cells.insert(OctreeItem { id, bounds }));
        Ok(())
    }

    /// Removes a box and returns it; `None` if there is none of this id.
    pub fn remove(&mut self, id: u32) -> Option<Aabb<D>> {
        let slot = self.slots.remove(&id)?;
        let (item, moved) = self.cells.remove(slot);
        if let Some(moved) = moved {
            self.slots.insert(moved, slot);
        }
        Some(item.bounds)
    }

    /// Replaces a box. Returns `false` and does nothing if there is none of this id.
    ///
    /// # Errors
    /// As for [`insert`](Self::insert).
    #[doc(alias = "move_to")]
    pub fn update(&mut self, id: u32, bounds: Aabb<D>) -> Result<bool, AabbError> {
        validate_coordinates(id, &bounds)?;
        let exists = self.slots.contains_key(&id);
        if exists {
            self.insert(id, bounds)?;
        }
        Ok(exists)
    }

    /// The box of this id.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<Aabb<D>> {
        self.slots.get(&id).map(|&slot| self.cells.aabb_of(slot))
    }

    /// Number of boxes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len()
    }

    /// Whether there are no boxes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Number of cells in use: the root, and every cell with an item in its subtree.
    #[must_use]
    #[doc(alias = "cells")]
    pub fn node_count(&self) -> usize {
        self.cells.len()
    }

    /// Bytes allocated.
    #[must_use]
    #[doc(alias = "bytes")]
    pub fn memory_usage(&self) -> usize {
        self.cells.memory_usage() + self.slots.capacity() * size_of::<(u32, ItemSlot)>()
    }

    /// Visits every box that overlaps or touches `bounds`, once, in unspecified order. A query with
    /// a NaN overlaps nothing.
    #[doc(alias = "query_box")]
    pub fn query_aabb(&self, bounds: &Aabb<D>, visit: impl FnMut(u32)) {
        self.query_aabb_observed(bounds, visit, &mut NoStats);
    }

    /// [`query_aabb`](Self::query_aabb) with statistics. Individual tests are not reported to the
    /// observer: the query box has no id.
    #[doc(alias = "query_box_observed")]
    pub fn query_aabb_observed<O: BroadPhaseObserver>(
        &self,
        bounds: &Aabb<D>,
        mut visit: impl FnMut(u32),
        observer: &mut O,
    ) {
        self.cells.query(ROOT, bounds, None, &mut Vec::new(), observer, |item| visit(item.id));
    }

    /// [`query_aabb`](Self::query_aabb) for many queries: `visit` receives the index of the query
    /// and the id of a box.
    #[doc(alias = "query_boxes")]
    pub fn query_aabbs(&self, queries: &[Aabb<D>], mut visit: impl FnMut(u32, u32)) {
        let mut stack = Vec::new();
        for (number, bounds) in (0..).zip(queries) {
            self.cells.query(ROOT, bounds, None, &mut stack, &mut NoStats, |item| {
                visit(number, item.id);
            });
        }
    }

    /// Every overlapping pair of ids once, the smaller first, sorted.
    #[must_use]
    pub fn overlapping_pairs(&self) -> Vec<OverlapPair> {
        let mut pairs = Vec::new();
        self.cells.self_overlap(&mut pairs, &mut NoStats);
        pairs.sort_unstable();
        pairs
    }
}

/// Broad phase by an octree, loose or strict, that is rebuilt each frame: measured, that is faster than updating
/// every box of a persistent tree. If all boxes move,
/// [`HierarchicalGrid`](crate::broad_phase::HierarchicalGrid) and
/// [`TiledSweepAndPrune`](crate::broad_phase::TiledSweepAndPrune) are several times faster.
#[derive(Clone, Debug)]
#[doc(alias = "OctreePairs")]
pub struct OctreeBroadPhase<const D: usize> {
    cells: CellTree<D>,
    looseness: f32,
    /// Fixed limits; `None`: the cells are chosen from the boxes of each frame.
    limits: Option<OctreeConfig>,
}

/// Deep enough that one box far away leaves the others small cells.
const BROAD_PHASE_MAX_DEPTH: u8 = 64;

impl<const D: usize> OctreeBroadPhase<D> {
    /// With this [`OctreeConfig::looseness`].
    ///
    /// # Panics
    /// If `D` is neither 2 nor 3.
    #[must_use]
    pub fn new(looseness: f32) -> Self {
        let placeholder = Aabb { min: [0.0; D], max: [0.0; D] };
        let cells = CellTree::new(placeholder, OctreeConfig::default());
        Self { cells, looseness, limits: None }
    }

    /// With this depth, cell size and looseness in every frame.
    ///
    /// # Panics
    /// If `D` is neither 2 nor 3.
    #[must_use]
    pub fn with_config(config: OctreeConfig) -> Self {
        Self { limits: Some(config), ..Self::new(config.looseness) }
    }
}

impl<const D: usize> BroadPhase<D> for OctreeBroadPhase<D> {
    fn find_pairs_observed<O: BroadPhaseObserver>(
        &mut self,
        boxes: AabbSlice<'_, D>,
        pairs: &mut Vec<OverlapPair>,
        observer: &mut O,
    ) {
        let corners = boxes.iter().flat_map(|b| [&b.min, &b.max]);
        let Some(root) = Aabb::from_points(corners) else { return };
        let config = self.limits.unwrap_or_else(|| OctreeConfig {
            max_depth: BROAD_PHASE_MAX_DEPTH,
            min_cell_size: SizeDistribution::sample(&boxes).suggested_cell_size(boxes.len()),
            looseness: self.looseness,
        });
        self.cells.reset(root, config);
        for (id, &bounds) in (0..).zip(boxes.iter()) {
            self.cells.insert(OctreeItem { id, bounds });
        }
        observer.count_cell_entries(boxes.len() as u64);
        self.cells.self_overlap(pairs, observer);
    }

    fn memory_usage(&self) -> usize {
        self.cells.memory_usage()
    }
}

#[cfg(test)]
mod tests {
    use embate_test_util::Rng;

    use super::*;
    use crate::broad_phase::BroadPhaseStats;

    const WORLD: Aabb<2> = Aabb { min: [0.0; 2], max: [1_024.0; 2] };

    fn square(x: f32, y: f32, side: f32) -> Aabb<2> {
        Aabb { min: [x, y], max: [x + side, y + side] }
    }

    fn tree(looseness: f32, max_depth: u8) -> LooseOctree<2> {
        LooseOctree::new(WORLD, OctreeConfig { max_depth, looseness, ..OctreeConfig::default() })
            .unwrap()
    }

    #[test]
    fn small_box_across_the_center_stays_in_a_strict_root_and_descends_in_a_loose_tree() {
        let across = square(511.0, 511.0, 2.0);
        let node_count = |looseness| {
            let mut tree = tree(looseness, 10);
            tree.insert(0, across).unwrap();
            tree.node_count()
        };
        // Down to cells of 2, whose loose bounds extend 1 beyond each edge.
        assert_eq!((node_count(1.0), node_count(2.0)), (1, 10));
    }

    #[test]
    fn strict_cells_store_a_box_at_the_level_where_no_plane_cuts_it() {
        let mut tree = tree(1.0, 8);
        // Cut by the first plane, by the second, and by none down to the last level.
        for (id, at) in [(0, 511.5), (1, 255.5), (2, 1.0)] {
            tree.insert(id, square(at, 1.0, 1.0)).unwrap();
        }
        let depths = [0, 1, 2, 3].map(|id| tree.depth_of(id));
        assert_eq!(depths, [Some(0), Some(1), Some(8), None]);
    }

    #[test]
    fn broad_phase_with_a_fixed_depth_tests_more_pairs_but_finds_the_same() {
        let mut rng = Rng::new(2);
        let boxes: Vec<Aabb<2>> = (0..300)
            .map(|_| square(rng.between(0.0, 500.0), rng.between(0.0, 500.0), 10.0))
            .collect();
        let boxes = AabbSlice::new(&boxes).unwrap();
        let search = |max_depth, looseness| {
            let config = OctreeConfig { max_depth, looseness, min_cell_size: 0.0 };
            let (mut pairs, mut stats) = (Vec::new(), BroadPhaseStats::default());
            let mut octree = OctreeBroadPhase::with_config(config);
            octree.find_pairs_observed(boxes, &mut pairs, &mut stats);
            pairs.sort_unstable();
            (pairs, stats.overlap_tests)
        };
        let (expected, all) = search(0, 1.0);
        assert_eq!(all, 300 * 299 / 2);
        let (pairs, tests) = search(5, 1.0);
        assert!(pairs == expected && tests < all / 4, "{tests}");
    }

    #[test]
    fn identical_boxes_do_not_deepen_the_tree() {
        let mut tree = tree(2.0, 6);
        (0..10_000).for_each(|id| tree.insert(id, square(3.0, 3.0, 0.0)).unwrap());
        assert_eq!(tree.node_count(), 7);
        let mut found = 0;
        tree.query_aabb(&square(2.0, 2.0, 1.0), |_| found += 1);
        assert_eq!(found, 10_000);
        (0..10_000).for_each(|id| assert!(tree.remove(id).is_some()));
        assert_eq!((tree.node_count(), tree.len()), (1, 0));
    }

    #[test]
    fn subdivision_stops_at_the_minimum_cell_size() {
        let config = OctreeConfig { min_cell_size: 256.0, ..OctreeConfig::default() };
        let mut tree = LooseOctree::new(WORLD, config).unwrap();
        tree.insert(0, square(3.0, 3.0, 1.0)).unwrap();
        assert_eq!(tree.node_count(), 3);
    }

    #[test]
    fn box_outside_the_root_is_found() {
        for looseness in [1.0, 2.0, f32::NAN] {
            let mut tree = tree(looseness, 10);
            tree.insert(7, square(-1e18, 5e9, 1e9)).unwrap();
            tree.insert(8, square(1_020.0, 1_020.0, 10.0)).unwrap();
            let mut found = Vec::new();
            let queries = [square(-1e18, 5.5e9, 0.0), square(1_029.0, 1_029.0, 1.0)];
            tree.query_aabbs(&queries, |query, id| found.push([query, id]));
            assert_eq!(found, [[0, 7], [1, 8]]);
        }
    }

    #[test]
    fn batch_query_finds_the_boxes_of_brute_force_query_by_query() {
        let mut rng = Rng::new(1);
        let mut random_square = || {
            let (x, y) = (rng.between(-50.0, 1_050.0), rng.between(-50.0, 1_050.0));
            square(x, y, rng.between(0.0, 60.0))
        };
        let boxes: Vec<Aabb<2>> = (0..400).map(|_| random_square()).collect();
        let mut queries: Vec<Aabb<2>> = (0..100).map(|_| random_square()).collect();
        // A NaN query between valid ones overlaps nothing and does not disturb its neighbors.
        queries.insert(50, square(f32::NAN, 0.0, 1_024.0));
        for looseness in [1.0, 2.0] {
            let mut tree = tree(looseness, 10);
            for (id, &bounds) in (0..).zip(&boxes) {
                tree.insert(id, bounds).unwrap();
            }
            let mut found = Vec::new();
            tree.query_aabbs(&queries, |query, id| found.push([query, id]));
            assert!(found.is_sorted_by_key(|[query, _]| *query), "queries are processed in order");
            found.sort_unstable();
            let mut expected = Vec::new();
            for (query, bounds) in (0..).zip(&queries) {
                let overlapping = (0..).zip(&boxes).filter(|(_, other)| other.overlaps(bounds));
                expected.extend(overlapping.map(|(id, _)| [query, id]));
            }
            assert_eq!(found, expected, "looseness {looseness}");
            assert!(expected.len() > 100, "{} overlaps", expected.len());
            tree.query_aabbs(&[], |query, id| panic!("query {query} found box {id}"));
        }
    }

    #[test]
    fn invalid_box_is_rejected_with_its_id_and_the_tree_is_unchanged() {
        let mut tree = tree(2.0, 10);
        tree.insert(9, square(1.0, 1.0, 1.0)).unwrap();
        let bad = square(f32::NAN, 0.0, 1.0);
        for error in [tree.insert(9, bad).unwrap_err(), tree.update(9, bad).unwrap_err()] {
            assert!(matches!(error, AabbError::Coordinate { index: 9, .. }), "{error}");
        }
        assert!(LooseOctree::new(bad, OctreeConfig::default()).is_err());
        assert_eq!(tree.get(9), Some(square(1.0, 1.0, 1.0)));
        assert_eq!(tree.update(3, square(0.0, 0.0, 1.0)), Ok(false));
    }
}
