//! Cells of the octree of Lorenzi 2014: dense storage of the published six levels, sparse storage
//! of deeper trees.
//!
//! The published program allocates every cell in advance. Each further level costs eight times as
//! many cells: 12 levels would have 9.8·10⁹. From 7 levels on only cells that store triangles and
//! their ancestors exist, so a query enters fewer cells than the program would; the triangles that
//! it tests, and its hits, are the same.

use core::ops::Range;

use super::PUBLISHED_LEVELS;

/// Number of cells in a tree of `levels` levels.
pub(super) const fn cell_count(levels: usize) -> u64 {
    ((1 << (3 * levels)) - 1) / 7
}

/// Key of a cell: position in the complete tree, level by level, octants in z-major order. The root
/// is 0, and the children of cell `key` are `8 · key + 1` to `8 · key + 8`.
pub(super) type CellKey = u64;

pub(super) fn child_key(key: CellKey, octant: usize) -> CellKey {
    8 * key + 1 + octant as u64
}

/// Storage of the cells: triangle ranges by slot. The root has slot 0.
pub(super) trait Cells {
    /// Slot of a child; `None` if that cell does not exist.
    fn child(&self, slot: usize, octant: usize) -> Option<usize>;

    /// Triangles stored in a cell.
    fn triangles(&self, slot: usize) -> Range<usize>;
}

/// All cells of a tree of at most six levels; the slot of a cell is its key.
#[derive(Clone, Debug)]
pub(super) struct DenseCells {
    /// Triangles of cell `c` are `starts[c]..starts[c + 1]`.
    starts: Vec<u32>,
}

/// The cells that store triangles, and their ancestors, ordered by key.
#[derive(Clone, Debug)]
pub(super) struct SparseCells {
    cells: Vec<SparseCell>,
}

#[derive(Clone, Copy, Debug)]
struct SparseCell {
    /// Bit `o` is set if the child in octant `o` exists.
    children: u8,
    /// Slot of the first existing child; the others follow it.
    first_child: u32,
    triangles: [u32; 2],
}

impl Cells for DenseCells {
    #[inline]
    fn child(&self, slot: usize, octant: usize) -> Option<usize> {
        Some(8 * slot + 1 + octant)
    }

    #[inline]
    fn triangles(&self, slot: usize) -> Range<usize> {
        self.starts[slot] as usize..self.starts[slot + 1] as usize
    }
}

impl Cells for SparseCells {
    #[inline]
    fn child(&self, slot: usize, octant: usize) -> Option<usize> {
        let SparseCell { children, first_child, .. } = self.cells[slot];
        let before = children & ((1 << octant) - 1);
        (children >> octant & 1 == 1).then(|| (first_child + before.count_ones()) as usize)
    }

    #[inline]
    fn triangles(&self, slot: usize) -> Range<usize> {
        let [start, end] = self.cells[slot].triangles;
        start as usize..end as usize
    }
}

/// Cells of a tree, by its number of levels.
#[derive(Clone, Debug)]
pub(super) enum AnyCells {
    Dense(DenseCells),
    Sparse(SparseCells),
}

impl AnyCells {
    /// The cells of a tree whose triangles are stored in the cells `keys`, and the place of each
    /// triangle in the order of the cells; those of one cell keep their order.
    pub(super) fn new(levels: usize, keys: &[CellKey]) -> (Self, Vec<u32>) {
        if levels <= PUBLISHED_LEVELS {
            let (cells, places) = DenseCells::new(levels, keys);
            return (Self::Dense(cells), places);
        }
        let mut order: Vec<u32> = (0..keys.len() as u32).collect();
        order.sort_by_key(|&triangle| keys[triangle as usize]);
        let sorted: Vec<CellKey> = order.iter().map(|&triangle| keys[triangle as usize]).collect();
        let mut places = vec![0; order.len()];
        for (place, triangle) in (0..).zip(order) {
            places[triangle as usize] = place;
        }
        (Self::Sparse(SparseCells::new(&sorted)), places)
    }

    /// Number of cells that exist.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Dense(dense) => dense.starts.len() - 1,
            Self::Sparse(sparse) => sparse.cells.len(),
        }
    }

    pub(super) fn child(&self, slot: usize, octant: usize) -> Option<usize> {
        match self {
            Self::Dense(dense) => dense.child(slot, octant),
            Self::Sparse(sparse) => sparse.child(slot, octant),
        }
    }

    pub(super) fn triangles(&self, slot: usize) -> Range<usize> {
        match self {
            Self::Dense(dense) => dense.triangles(slot),
            Self::Sparse(sparse) => sparse.triangles(slot),
        }
    }

    /// Whether a cell or one of its descendants stores triangles.
    pub(super) fn has_triangles(&self, slot: usize) -> bool {
        match self {
            Self::Dense(dense) => dense.subtree_has_triangles(slot),
            Self::Sparse(sparse) => {
                sparse.cells[slot].children != 0 || !sparse.triangles(slot).is_empty()
            }
        }
    }
}

impl DenseCells {
    /// Counting sort by cell.
    fn new(levels: usize, keys: &[CellKey]) -> (Self, Vec<u32>) {
        let mut starts = vec![0_u32; cell_count(levels) as usize + 1];
        for &key in keys {
            starts[key as usize + 1] += 1;
        }
        for cell in 1..starts.len() {
            starts[cell] += starts[cell - 1];
        }
        let mut next = starts.clone();
        let place = |&key: &CellKey| {
            let place = next[key as usize];
            next[key as usize] += 1;
            place
        };
        let places = keys.iter().map(place).collect();
        (Self { starts }, places)
    }

    /// On each level the descendants of a cell are contiguous.
    fn subtree_has_triangles(&self, slot: usize) -> bool {
        let (mut first, mut last) = (slot, slot);
        while last + 1 < self.starts.len() {
            if self.starts[first] < self.starts[last + 1] {
                return true;
            }
            (first, last) = (8 * first + 1, 8 * last + 8);
        }
        false
    }
}

impl SparseCells {
    /// The cells of triangles stored in these cells, in ascending order.
    fn new(sorted: &[CellKey]) -> Self {
        let mut keys: Vec<CellKey> = vec![0];
        for &key in sorted {
            let mut cell = key;
            while cell > 0 {
                keys.push(cell);
                cell = (cell - 1) / 8;
            }
        }
        keys.sort_unstable();
        keys.dedup();
        let position = |key: CellKey| keys.partition_point(|&other| other < key) as u32;
        let cells = keys.iter().map(|&key| {
            let first_child = position(child_key(key, 0));
            let children =
                keys[first_child as usize..].iter().take_while(|&&c| c <= child_key(key, 7));
            SparseCell {
                children: children.fold(0, |mask, &child| mask | 1 << (child - child_key(key, 0))),
                first_child,
                triangles: [key, key + 1]
                    .map(|bound| sorted.partition_point(|&other| other < bound) as u32),
            }
        });
        Self { cells: cells.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sparse_cells_are_those_of_the_triangles_and_their_ancestors() {
        let deep = child_key(child_key(0, 3), 7);
        let cells = SparseCells::new(&[child_key(0, 5), deep, deep]);
        assert_eq!(cells.cells.len(), 4, "root, octants 3 and 5, and a child of octant 3");
        let of =
            |path: &[usize]| path.iter().try_fold(0, |slot, &octant| cells.child(slot, octant));
        assert_eq!(of(&[3, 7]).map(|slot| cells.triangles(slot)), Some(1..3));
        assert_eq!(of(&[5]).map(|slot| cells.triangles(slot)), Some(0..1));
        assert!(of(&[3]).is_some_and(|slot| cells.triangles(slot).is_empty()));
        assert_eq!((of(&[4]), of(&[3, 6]), of(&[5, 0])), (None, None, None));
    }

    #[test]
    fn twelve_levels_have_more_cells_than_32_bits_count() {
        assert_eq!([cell_count(1), cell_count(6)], [1, 37_449]);
        assert!(cell_count(12) > u64::from(u32::MAX));
        assert_eq!((1..12).fold(0, |key, _| child_key(key, 7)) + 1, cell_count(12));
    }
}
