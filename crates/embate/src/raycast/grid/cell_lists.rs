//! Cell lists: the triangle ids of each cell, without memory for the lists of empty cells.
//!
//! ```text
//!   occupied   one bit per cell, 4 × 4 × 4 cells in a word     … 0 1 0 0 1 1 0 …
//!   ranks      occupied cells before each word                       │   │ │
//!   offsets    first id of each occupied cell                        0   2 3 …
//!   ids        triangle ids                                          a b c b …
//! ```
//!
//! Most cells along a ray are empty. Their bits are close to each other, and fit the cache where
//! an offset for every cell would not.

/// Cells of a word along each axis, as a power of two.
const WORD_SHIFT: usize = 2;
const WORD_MASK: usize = (1 << WORD_SHIFT) - 1;
/// Cells of a word, as a power of two.
const CELL_SHIFT: usize = 3 * WORD_SHIFT;

/// Order of the cells: words of 4 × 4 × 4 cells, by z, then y, then x.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CellOrder {
    /// Words along x and y.
    words: [usize; 2],
}

impl CellOrder {
    pub(super) fn new([x, y, _]: [usize; 3]) -> Self {
        Self { words: [x, y].map(|cells| cells.div_ceil(1 << WORD_SHIFT)) }
    }

    /// Number of indices for a grid with this resolution.
    pub(super) fn len(self, [.., z]: [usize; 3]) -> usize {
        (self.words[0] * self.words[1] * z.div_ceil(1 << WORD_SHIFT)) << CELL_SHIFT
    }

    #[inline]
    pub(super) fn index(self, [x, y, z]: [usize; 3]) -> usize {
        let [words_x, words_y] = self.words;
        let word = ((z >> WORD_SHIFT) * words_y + (y >> WORD_SHIFT)) * words_x + (x >> WORD_SHIFT);
        let cell = (z & WORD_MASK) << (2 * WORD_SHIFT) | (y & WORD_MASK) << WORD_SHIFT;
        word << CELL_SHIFT | cell | (x & WORD_MASK)
    }

    /// The cell with this index.
    fn cell(self, index: usize) -> [usize; 3] {
        let [words_x, words_y] = self.words;
        let word = index >> CELL_SHIFT;
        let word = [word % words_x, word / words_x % words_y, word / words_x / words_y];
        core::array::from_fn(|axis| {
            word[axis] << WORD_SHIFT | index >> (WORD_SHIFT * axis) & WORD_MASK
        })
    }
}

/// Triangle ids of every cell.
#[derive(Clone, Debug, Default)]
pub(super) struct CellLists {
    order: CellOrder,
    occupied: Box<[u64]>,
    ranks: Box<[u32]>,
    /// One more than there are occupied cells.
    offsets: Box<[u32]>,
    ids: Box<[u32]>,
}

impl CellLists {
    /// Lists with the given number of ids for the cell of each index, to be filled with
    /// [`push`](ListWriter::push).
    pub(super) fn with_counts(order: CellOrder, counts: &[u32]) -> ListWriter {
        let (mut occupied, mut ranks) = (Vec::new(), Vec::new());
        let mut offsets = Vec::new();
        let mut total = 0;
        for word in counts.chunks(1 << CELL_SHIFT) {
            ranks.push(offsets.len() as u32);
            let mut bits = 0;
            for (cell, &count) in word.iter().enumerate().filter(|&(_, &count)| count > 0) {
                bits |= 1 << cell;
                offsets.push(total);
                total += count;
            }
            occupied.push(bits);
        }
        let next = offsets.clone();
        offsets.push(total);
        let lists = Self {
            order,
            occupied: occupied.into(),
            ranks: ranks.into(),
            offsets: offsets.into(),
            ids: vec![0; total as usize].into(),
        };
        ListWriter { lists, next }
    }

    /// Position of a cell in `offsets`; `None` if it is empty.
    #[inline]
    fn rank(&self, index: usize) -> Option<usize> {
        let bits = *self.occupied.get(index >> CELL_SHIFT)?;
        let bit = 1_u64 << (index & ((1 << CELL_SHIFT) - 1));
        if bits & bit == 0 {
            return None;
        }
        let before = (bits & (bit - 1)).count_ones();
        Some((self.ranks.get(index >> CELL_SHIFT)? + before) as usize)
    }

    /// Ids of the triangles of a cell, ascending; `None` if it is empty.
    #[inline]
    pub(super) fn triangles(&self, cell: [usize; 3]) -> Option<&[u32]> {
        let rank = self.rank(self.order.index(cell))?;
        let &[first, end] = self.offsets.get(rank..)?.first_chunk()?;
        self.ids.get(first as usize..end as usize)
    }

    /// The cells that are not empty, with the number of their triangles.
    pub(super) fn occupied_cells(&self) -> impl Iterator<Item = ([usize; 3], u32)> + '_ {
        let counts = self.offsets.windows(2).map(|range| range[1] - range[0]);
        let indices = self.occupied.iter().enumerate().flat_map(|(word, &bits)| {
            let cells = (0..1_usize << CELL_SHIFT).filter(move |cell| bits >> cell & 1 == 1);
            cells.map(move |cell| word << CELL_SHIFT | cell)
        });
        indices.map(|index| self.order.cell(index)).zip(counts)
    }

    /// Length of all lists.
    #[cfg(test)]
    pub(super) fn id_count(&self) -> usize {
        self.ids.len()
    }

    pub(super) fn memory_usage(&self) -> usize {
        size_of_val(&*self.occupied)
            + size_of_val(&*self.ranks)
            + size_of_val(&*self.offsets)
            + size_of_val(&*self.ids)
    }
}

/// Writer of lists whose lengths are known.
pub(super) struct ListWriter {
    lists: CellLists,
    /// Position of the next id of each occupied cell.
    next: Vec<u32>,
}

impl ListWriter {
    /// Appends `id` to the list of the cell with this index.
    pub(super) fn push(&mut self, index: usize, id: u32) {
        if let Some(rank) = self.lists.rank(index) {
            self.lists.ids[self.next[rank] as usize] = id;
            self.next[rank] += 1;
        }
    }

    pub(super) fn finish(self) -> CellLists {
        self.lists
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_its_own_index_and_the_index_its_cell() {
        let resolution = [5, 9, 3];
        let order = CellOrder::new(resolution);
        let mut is_used = vec![false; order.len(resolution)];
        for z in 0..3 {
            for y in 0..9 {
                for x in 0..5 {
                    let index = order.index([x, y, z]);
                    assert_eq!(order.cell(index), [x, y, z]);
                    assert!(!core::mem::replace(&mut is_used[index], true));
                }
            }
        }
    }

    #[test]
    fn lists_hold_the_pushed_ids_and_empty_cells_none() {
        let resolution = [6, 6, 6];
        let order = CellOrder::new(resolution);
        let count_of = |index: usize| if index.is_multiple_of(3) { index as u32 % 7 } else { 0 };
        let counts: Vec<u32> = (0..order.len(resolution)).map(count_of).collect();
        let mut writer = CellLists::with_counts(order, &counts);
        for id in 0..6 {
            for (index, &count) in counts.iter().enumerate() {
                if id < count {
                    writer.push(index, id);
                }
            }
        }
        let lists = writer.finish();
        for (index, &count) in counts.iter().enumerate() {
            let expected: Vec<u32> = (0..count).collect();
            let found = lists.triangles(order.cell(index)).unwrap_or_default();
            assert_eq!(found, expected, "cell {index}");
        }
        let occupied = counts.iter().enumerate().filter(|&(_, &count)| count > 0);
        let expected = occupied.map(|(index, &count)| (order.cell(index), count));
        assert!(lists.occupied_cells().eq(expected));
    }
}
